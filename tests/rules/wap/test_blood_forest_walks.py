"""The Blood forest, which walks once it has struck, and battles whose ground has moved."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from math import cos, pi, sin
from typing import Any

import numpy as np
import pytest

from tests.spell_scenes import ARROW, NORTH, WEST_LOT, Circle
from wh_env import Battle
from wh_env.content.errors import ContentError
from wh_env.core.setup import Setup
from wh_env.core.validation import Validator
from wh_env.envs.observation import Observer
from wh_env.rulesets.wap.basics.ground import features_of, is_partly_in, models_in
from wh_env.rulesets.wap.basics.moved_ground import moved
from wh_env.rulesets.wap.basics.sight import find_who_see
from wh_env.rulesets.wap.battle.control import determine_control
from wh_env.rulesets.wap.field.walking import walk
from wh_env.rulesets.wap.view.audit import RegimentAudit
from wh_env.testing import dice_left, script, told
from wh_env.testing.wap import RegimentScene, square

BOTH_PLAYERS = pytest.mark.parametrize("player", [0, 1])
RULE, FIREBALL = "wap.terrain.forest.blood.move", "Fireball"
AHEAD = 0  # the lot of the direction in which the wizard looks
FIELD = {
    "name": "grove",
    "features": [
        {"kind": "hill", "polygon": [[4, 20], [10, 20], [10, 28], [4, 28]]},
        {"kind": "forest", "example": "blood forest", "polygon": [[30, 20], [36, 20], [37, 24], [36, 28], [30, 28]]},
        {"kind": "marsh", "polygon": [[60, 20], [68, 20], [68, 28], [60, 28]]},
    ],
}


def same(one: Any, two: Any) -> bool:
    """Whether two values have the same content."""
    if isinstance(one, np.ndarray):
        return bool(np.array_equal(one, two))
    if isinstance(one, Mapping):
        return one.keys() == two.keys() and all(same(one[key], two[key]) for key in one)
    if isinstance(one, tuple | list):
        return len(one) == len(two) and all(map(same, one, two))
    if is_dataclass(one):
        return type(one) is type(two) and all(same(getattr(one, f.name), getattr(two, f.name)) for f in fields(one))
    return bool(one == two)


def assert_same_ground(one: Setup, two: Setup) -> None:
    """Two Setups have the same terrain and statics."""
    for name in ("blocks", "corners", "features"):
        assert same(getattr(one, name), getattr(two, name)), name
    assert one.statics.keys() == two.statics.keys()
    assert [name for name in one.statics if not same(one.statics[name], two.statics[name])] == []


def grove(at: float = 30.0) -> Circle:
    """A wizard of player 0 and an enemy, a forest whose first corner is at x = ``at``, and ground of other kinds."""
    place = Circle("fire", 0, level=1)
    place.enemy(square(t=4), (50, 40), models=10, files=5)
    place.area("hill", 70, 4, 76, 12)
    place.area("forest", at, 20, at + 6, 28, example="blood forest")
    place.area("marsh", 70, 20, 76, 28)
    place.area("forest", 70, 36, 76, 44, example="ancient forest")
    place.area("river", 84, 0, 90, 48, crossings=[{"polygon": [[84, 20], [90, 20], [90, 26], [84, 26]], "wide": 6}])
    place.area("building", 4, 4, 8, 8, storeys=2)
    return place


def test_the_setup_of_moved_ground_is_that_compiled_with_the_ground_there() -> None:
    battle, there = grove().battle(), grove(37.0).battle()
    assert_same_ground(battle.setup, grove().battle().setup)
    script(battle, [ARROW, AHEAD, 3, 4])
    before = battle.setup
    walk(battle, 1, 2, 0)
    assert battle.setup is not before and dice_left(battle) == 0
    assert_same_ground(battle.setup, there.setup)
    assert (battle.setup.layout, battle.setup.template) == (before.layout, before.template)
    assert moved(before, battle.setup.moves) is battle.setup
    script(battle, [ARROW, 120, 3, 4])
    walk(battle, 1, 2, 0)
    assert battle.walks.dx[0] == pytest.approx(0.0, abs=1e-9)


@BOTH_PLAYERS
@pytest.mark.rule("wap.terrain.forest.blood.move")
def test_a_blood_forest_walks_on_and_leaves_the_models_in_the_open(player: int) -> None:
    """The Fireball wakes it: its hits come first, then it goes 7 inches ahead; the models stay, those that it has left
    are on open ground, and those that it has come to stand in it.
    """
    place = Circle("fire", player, level=1)
    target = place.enemy(square(t=4), (30, 24), models=10, files=5)
    ahead = place.enemy(square(t=4), (39, 24), models=10, files=5)
    place.area("forest", 29, 20, 36, 28, example="blood forest")
    battle = place.battle()
    (forest,) = features_of(battle)
    assert len(models_in(battle, target.row, forest)) == 10 and not is_partly_in(battle, ahead.row, forest)
    models = battle.models.rows.copy()
    place.cast(battle, FIREBALL, [3, 3], target=target, then=[1, 1, 2, 1, 1, ARROW, AHEAD, 3, 4])
    assert dice_left(battle) == 0
    kinds = [event.kind for event in battle.events if event.rule.startswith("wap.terrain.forest.blood")]
    assert kinds == ["is hit by the ground", "the ground walks"]
    (now,) = features_of(battle)
    by = 7.0 if player == 0 else -7.0
    assert np.allclose(now.outline, np.array(forest.outline) + (by, 0.0))
    assert models.tobytes() == battle.models.rows.tobytes()
    assert not is_partly_in(battle, target.row, now) and len(models_in(battle, ahead.row, now)) >= 4
    (event,) = told(battle, RULE)
    assert (event["name"], event["far"]) == ("blood forest", pytest.approx(7.0))
    assert event["place"] == pytest.approx(place.there(39.5, 24.0))


# ground beside the forest, where its first corner stands, the lot of the direction, two dice, and where that corner ends
WAYS = [
    ("marsh", (30, 20), AHEAD, (6, 1), (37 - cos(pi / 8), 20 + sin(pi / 8))),  # 0.75" are too many; the second ring
    ("hill", (30, 20), AHEAD, (6, 1), (37 - cos(pi / 8), 20 + sin(pi / 8))),
    ("open", (30, 20), AHEAD, (6, 1), (37, 20)),  # open ground bars nothing
    ("marsh", (30, 20), AHEAD, (4, 2), (36, 20)),  # it ends beside the marsh
    ("marsh", (30, 20), NORTH, (6, 6), (30, 32)),
    ("marsh", (30, 38), NORTH, (4, 4), (30, 40)),  # at the edge of the table
    ("marsh", (0, 20), WEST_LOT, (4, 4), (0, 20)),  # no place is nearer than that where it is
]


@BOTH_PLAYERS
@pytest.mark.parametrize(("beside", "corner", "lot", "dice", "ends"), WAYS)
@pytest.mark.rule("wap.terrain.forest.blood.move")
def test_a_blood_forest_goes_round_other_ground_and_stays_on_the_table(
    player: int, beside: str, corner: tuple[int, int], lot: int, dice: tuple[int, int], ends: tuple[float, float]
) -> None:
    """It ends at the nearest place to the end of its way where it lies clear of other ground, and on the table."""
    place, (x, y) = Circle("fire", player, level=1), corner
    place.enemy(square(t=4), (60, 40), models=10, files=5)
    place.area("forest", x, y, x + 6, y + 8, example="blood forest")
    place.area(beside, 42.25, 20, 50, 28)
    battle = place.battle()
    script(battle, [ARROW, lot, *dice])
    walk(battle, 0, 2, player)
    outline = [place.there(*point) for point in features_of(battle)[0].outline]
    assert np.min(outline, axis=0) == pytest.approx(ends, abs=1e-6)
    assert np.ptp(outline, axis=0) == pytest.approx((6, 8)) and dice_left(battle) == 0


@BOTH_PLAYERS
@pytest.mark.rule("wap.terrain.forest.blood.move")
def test_a_blood_forest_wakes_again_where_it_has_come_to(player: int) -> None:
    """A spell on a unit that it has left wakes nothing; one on a unit that it has come to does."""
    for left in (True, False):
        place = Circle("fire", player, level=1)
        one = place.enemy(square(t=4), (22, 18), models=10, files=5)
        two = place.enemy(square(t=4), (31, 30), models=10, files=5)
        place.area("forest", 21, 12, 28, 36, example="blood forest")
        battle = place.battle()
        script(battle, [ARROW, AHEAD, 3, 4])
        walk(battle, 0, 2, player)
        again = [] if left else [1, 1, ARROW, AHEAD, 1, 1]
        place.cast(battle, FIREBALL, [3, 3], target=one if left else two, then=[1, 1, *again])
        assert dice_left(battle) == 0 and len(told(battle, RULE)) == (1 if left else 2)


@BOTH_PLAYERS
@pytest.mark.rule("wap.terrain.forest.blood.move")
def test_ground_that_has_moved_hides_what_is_behind_it(player: int) -> None:
    """The wizard sees a unit behind which the forest lies, and no longer once it has come between them."""
    place = Circle("fire", player, level=1)
    behind = place.enemy(square(t=4), (46, 24), models=10, files=5)
    place.area("forest", 48, 20, 54, 28, example="blood forest")
    battle = place.battle()
    assert find_who_see(battle, place.wizard.row, behind.row)
    script(battle, [ARROW, WEST_LOT, 6, 6])
    walk(battle, 0, 2, player)
    assert not find_who_see(battle, place.wizard.row, behind.row)


@BOTH_PLAYERS
@pytest.mark.rule("wap.terrain.forest.blood.move", "wap.victory.by-scenario")
def test_a_forest_that_decides_the_battle_takes_its_objective_along(player: int) -> None:
    """The unit beside which it stood no longer controls it; that to which it has come does."""
    place = Circle("fire", player, level=1)
    mission = RegimentScene(mission={"victory": "control", "control": {"feature": "grove", "within": 1.0}}).mission
    place.scene.mission = mission
    place.enemy(square(t=4), (30, 24), models=10, files=5)
    place.friend(square(t=4), (42, 24), models=10, files=5)
    place.area("forest", 27, 20, 33, 28, example="blood forest", name="grove")
    battle = place.battle()
    determine_control(battle)
    assert (battle.objectives.holder[0], battle.objectives.x[0]) == (1 - player, place.there(30, 24)[0])
    script(battle, [ARROW, AHEAD, 5, 6])
    walk(battle, 0, 2, player)
    determine_control(battle)
    assert (battle.objectives.x[0], battle.objectives.y[0]) == pytest.approx(place.there(41, 24))
    assert battle.objectives.holder[0] == player


def loaded(seed: int = 3) -> Battle:
    """A battle of wizards with a Blood forest, before deployment."""
    return Battle.load("wap/open-wizards", seed, overrides={"battlefield": FIELD})


def play(battle: Battle, decisions: int) -> bytes:
    """The bytes of a battle after so many decisions, answered by chance."""
    lots = np.random.default_rng(5)
    for _ in range(decisions):
        if battle.over:
            break
        battle.apply(int(lots.choice(np.flatnonzero(battle.legal()))))
    return battle.state_bytes()


def test_a_battle_goes_on_with_moved_ground_when_stored_copied_and_pickled() -> None:
    battle = loaded()
    before, unmoved = battle.clone(), battle.setup
    walk(battle, 1, 2, 0)
    assert battle.setup.unmoved is unmoved and before.setup is unmoved
    copy, pickled, other = battle.clone(), pickle.loads(pickle.dumps(battle)), before.clone()
    stored = Battle.from_bytes(battle.to_bytes())
    other.copy_from(battle)
    for twin in (copy, pickled, stored, other):
        assert_same_ground(twin.setup, battle.setup)
    ends = {play(twin, 60) for twin in (battle, copy, pickled, stored, other)}
    assert len(ends) == 1
    other.buffer[:] = before.buffer
    other.setup.ruleset.resume(other)
    assert other.setup is unmoved


def test_observations_of_moved_ground_are_those_of_ground_there() -> None:
    battle = loaded()
    known = Observer(battle.setup, "entities")
    seen = {name: part.copy() for name, part in known.observe(battle, 0).items()}
    walk(battle, 1, 2, 0)
    now = known.observe(battle, 0)
    assert [name for name in now if not np.array_equal(seen[name], now[name])] == ["terrain"]
    assert same(now, Observer(battle.setup, "entities").observe(battle, 0))


def test_audit_and_stored_battles_know_where_the_ground_is() -> None:
    battle = loaded()
    walk(battle, 1, 2, 0)
    assert RegimentAudit(battle).after() == []
    assert list(Validator(battle.setup).faults(battle)) == []
    battle.walks.dx[0] += 1.0
    assert RegimentAudit(battle).after() == ["the ground is not where the state says that it is"]
    battle.walks.dx[0] = 80.0
    with pytest.raises(ContentError, match=r"walks\[0\].dx"):
        Battle.from_bytes(battle.to_bytes())


def test_battles_in_which_no_ground_can_walk_have_no_rows() -> None:
    assert len(Battle.load("wap/open-skirmish", 1, overrides={"battlefield": FIELD}).walks.feature) == 0
    assert len(Battle.load("wap/open-wizards", 1).walks.feature) == 0
