"""Open, dangerous and impassable ground."""

from __future__ import annotations

import numpy as np
import pytest
from marching import ADVANCE, MARCH, STAY

from wh_env import Battle, ContentError
from wh_env.rulesets.wap.casualties.dangerous_ground import dangerous_wounds
from wh_env.rulesets.wap.codes import DANGEROUS, IMPASSABLE, OPEN
from wh_env.testing import choose, dice_left, kind, script, slots, told
from wh_env.testing.wap import NORTH, RegimentScene, UnitHandle


def before_ground(ground: str | None, card: str | None = None, far: float = 3.0) -> tuple[Battle, UnitHandle]:
    """A unit that faces north, so far from ground of a kind."""
    scene = RegimentScene()
    unit = scene.unit(0, card, (20, 10), models=5, facing=NORTH)
    scene.unit(1, None, (20, 46))
    if ground is not None:
        scene.area(ground, 10, 10 + far, 30, 14 + far)
    return scene.battle("movement"), unit


def farthest(battle: Battle, how: int = ADVANCE) -> float:
    """Let the unit go straight ahead as far as it may (a decision with one option is not asked); returns how far that
    was.
    """
    before = battle.units.y[0]
    choose(battle, "own", 0)
    if kind(battle) == "manoeuvre":
        choose(battle, "option", how if how in slots(battle, "option") else STAY)
    while kind(battle) in ("move-to", "move-refine"):
        cells = slots(battle, "cell")
        places = np.stack(battle.pending().cells(17), axis=1)[cells]
        straight = [k for k in range(len(cells)) if abs(places[k, 0] - 20.0) < 1e-6]
        choose(battle, "cell", cells[max(straight, key=lambda k: places[k, 1])])
    if kind(battle) == "end-wheel":
        choose(battle, "number", 0)
    return float(battle.units.y[0] - before)


@pytest.mark.parametrize("ground", [None, "open"])
@pytest.mark.rule("wap.terrain.open")
def test_open_ground_changes_nothing(ground: str | None) -> None:
    """Cavalry of Movement 8."""
    for how, far in ((ADVANCE, 8.0), (MARCH, 16.0)):
        battle, _ = before_ground(ground, "outriders")
        script(battle, [1] * 5)
        assert farthest(battle, how) == far
        assert dice_left(battle) == 5
        assert battle.units.alive[0] == 5


@pytest.mark.rule("wap.terrain.agreement")
def test_every_feature_is_of_one_kind_before_the_game_and_open_if_nothing_is_said() -> None:
    bare = {"name": "bare", "features": [{"polygon": [[1, 1], [4, 1], [4, 4]]}]}
    battle = Battle.load("wap/open-skirmish", 1, overrides={"battlefield": bare})
    assert battle.setup.statics["ground"]["passage"].tolist() == [OPEN]
    kinds = ("impassable", "dangerous", "open")
    typed = [{"kind": k, "polygon": [[9 * n + 1, 1], [9 * n + 4, 1], [9 * n + 4, 4]]} for n, k in enumerate(kinds)]
    battle = Battle.load("wap/open-skirmish", 1, overrides={"battlefield": {**bare, "features": typed}})
    assert battle.setup.statics["ground"]["passage"].tolist() == [IMPASSABLE, DANGEROUS, OPEN]
    bare["features"] = [{"kind": "swamp gas", "polygon": [[1, 1], [4, 1], [4, 4]]}]
    with pytest.raises(ContentError, match=r"features\[0\]\.kind: 'swamp gas' is not known"):
        Battle.load("wap/open-skirmish", 1, overrides={"battlefield": bare})


@pytest.mark.parametrize(("far", "most"), [(3.0, 2.0), (1.5, 0.5), (1.0, 0.0), (6.0, 4.0)])
@pytest.mark.rule("wap.terrain.impassable.no-entry")
def test_no_move_ends_within_an_inch_of_impassable_ground(far: float, most: float) -> None:
    battle, _ = before_ground("impassable", far=far)
    assert battle.setup.statics["ground"]["passage"].tolist() == [IMPASSABLE]
    assert farthest(battle) == pytest.approx(most)


def test_no_unit_is_set_up_within_an_inch_of_impassable_ground() -> None:
    scene = RegimentScene()
    scene.unit(0, None, models=5)
    scene.unit(1, None, models=5)
    scene.area("impassable", 10, 3, 38, 8)
    battle = scene.battle("deployment", dice=[6, 1])
    choose(battle, "option", 0)
    cells = np.array(slots(battle, "cell"))
    x, y = 48 / 17 * (cells % 17 + 0.5), 12 / 17 * (cells // 17 + 1)
    inside = (x > 10) & (x < 38) & (y > 2.01) & (y < 9.99)
    assert len(cells) > 20 and not inside.any()


def test_models_that_roll_a_one_on_dangerous_ground_lose_a_wound() -> None:
    scene = RegimentScene()
    unit = scene.unit(0, None, (20, 20), models=10)
    scene.unit(1, None, (20, 40))
    battle = scene.battle("movement", run=False)
    script(battle, [1, 1, 2, 3, 4, 5, 6, 6, 2, 3])
    assert dangerous_wounds(battle, unit.row, 10) == 2
    assert dice_left(battle) == 0
    assert told(battle, "wap.terrain.dangerous.test")[0]["amount"] == 2
