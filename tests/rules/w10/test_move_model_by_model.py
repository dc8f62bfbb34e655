"""Full detail: units moved model by model, where the unit may end and which way its models face (w10.move.models.*)."""

from __future__ import annotations

from math import pi

import pytest

from wh_env import Battle
from wh_env.rulesets.w40k.codes import Moved
from wh_env.testing import Scene, choose, pick, sheet, slots, told, words
from wh_env.testing.moves import walk

GRID = 17
MIDDLE = 8 * GRID + 8
END = "end the move"


def falling_back(mine: list[tuple[float, float]], foes: list[tuple[float, float]], **more: object) -> Battle:
    """A unit at full detail that has declared a Fall Back in which nobody crosses enemies."""
    scene = Scene()
    scene.unit(0, sheet("Squad"), at=mine, models=len(mine), **more)  # type: ignore[arg-type]
    scene.unit(0, sheet("Watch"), at=(50, 5), models=1)
    scene.unit(1, sheet("Foes"), at=foes, models=len(foes))
    battle = scene.battle(detail="full")
    pick(battle, "Squad")
    pick(battle, "Squad: Fall Back")
    choose(battle, "done")
    return battle


@pytest.mark.rule("w10.move.fall-back.end", "w10.concepts.coherency.move")
def test_a_fall_back_ends_in_coherency_and_out_of_engagement_range() -> None:
    """Two of three models are out of Engagement Range and the third is too, but 9" away: the move cannot end. Close together it
    can; with one of them still engaged it cannot, though they are in coherency."""
    apart = falling_back([(20, 20), (21.5, 20), (23, 20)], [(20.7, 21.5)])
    walk(apart, 0, 15, 18)
    walk(apart, 1, 26, 18)
    assert apart.distance(0, 2) > 1.0
    assert sorted(words(apart).values()) == ["move Squad 3", "take the move back"]
    near = falling_back([(20, 20), (21.5, 20)], [(20.7, 21.5)])
    walk(near, 0, 20, 17)
    walk(near, 1, 21.5, 17)
    assert END in words(near).values()
    locked = falling_back([(20, 20), (21.5, 20)], [(20.7, 21.5)])
    walk(locked, 0, 20.2, 18.8)
    assert END not in words(locked).values()


@pytest.mark.rule("w10.move.fall-back.move")
def test_a_fall_back_made_model_by_model_is_not_made_again() -> None:
    """In coherency and out of Engagement Range where the player ended it: nothing moves afterwards, no second move is told."""
    battle = falling_back([(20, 20), (21.5, 20)], [(20.7, 21.5)])
    walk(battle, 0, 18, 16)
    walk(battle, 1, 20, 16)
    ends = [(battle.models.x[k], battle.models.y[k]) for k in (0, 1)]
    pick(battle, END)
    assert [(battle.models.x[k], battle.models.y[k]) for k in (0, 1)] == ends
    assert told(battle, "w10.move.fall-back.move") == []
    assert battle.units.moved[0] == Moved.FELL_BACK


@pytest.mark.rule("w10.move.models.any-and-order", "w10.concepts.coherency.move")
@pytest.mark.parametrize("player", [0, 1])
def test_all_models_go_back_where_they_stood_when_the_move_is_taken_back(player: int) -> None:
    """Positions and facings of both models, and both can be chosen again; then the move may be given up."""
    scene = Scene()
    oval = sheet("Squad", base_mm=(60, 35), M=8)
    unit = scene.unit(player, oval, at=[(20, 20, 0, 0.3), (23, 20, 0, 0.6)], models=2)
    scene.unit(player, sheet("Watch"), at=(50, 22), models=1)
    scene.unit(1 - player, sheet("Foes"), at=(55, 40 if player == 0 else 4), models=1)
    battle = scene.battle(detail="full", active=player)
    pick(battle, "Squad")
    pick(battle, "Squad: Normal move")
    rows = [unit.model(0), unit.model(1)]
    before = [(battle.models.x[k], battle.models.y[k], battle.models.facing[k]) for k in rows]
    for number in (0, 1):
        choose(battle, "model", number)
        choose(battle, "angle", 6)
        choose(battle, "cell", 12 * GRID + 8)
        choose(battle, "cell", MIDDLE)
    assert all(battle.models.facing[k] == pytest.approx(pi / 2) for k in rows)
    pick(battle, "take the move back")
    assert [(battle.models.x[k], battle.models.y[k], battle.models.facing[k]) for k in rows] == before
    assert slots(battle, "model") == [0, 1]
    pick(battle, END)
    assert [(battle.models.x[k], battle.models.y[k], battle.models.facing[k]) for k in rows] == before


@pytest.mark.rule("w10.move.models.any-and-order")
@pytest.mark.parametrize(("angle", "facing"), [(0, 0.0), (1, pi / 12), (12, pi), (23, 23 * pi / 12), (None, 1.0)])
def test_the_facing_that_was_chosen_is_the_one_it_ends_with(angle: int | None, facing: float) -> None:
    """24 directions, the first of them along the long side of the table, or as the model stood."""
    scene = Scene()
    unit = scene.unit(0, sheet("Squad", base_mm=(60, 35), M=8), at=[(20, 20, 0, 1.0)], models=1)
    scene.unit(0, sheet("Watch"), at=(50, 5), models=1)
    scene.unit(1, sheet("Foes"), at=(55, 40), models=1)
    battle = scene.battle(detail="full")
    pick(battle, "Squad")
    pick(battle, "Squad: Normal move")
    choose(battle, "model", 0)
    assert slots(battle, "angle") == list(range(24))
    if angle is None:
        choose(battle, "done")
    else:
        choose(battle, "angle", angle)
    choose(battle, "cell", 10 * GRID + 8)
    choose(battle, "cell", MIDDLE)
    assert battle.models.facing[unit.first] == pytest.approx(facing)
    assert battle.models.y[unit.first] == pytest.approx(22.0)


@pytest.mark.rule("w10.deploy.scouts.distance", "w10.deploy.scouts.move")
@pytest.mark.parametrize(("gap", "reach"), [(30.0, 8), (12.5, 4)])
def test_scouts_move_as_far_as_the_rule_says_and_keep_nine_inches(gap: float, reach: int) -> None:
    """Scouts 6" and M 3": 6" (eight cells of 0.75") where nobody is near; 12.5" from an enemy 3" at most, and the model that was
    moved may stay there."""
    scene = Scene()
    unit = scene.unit(0, sheet("Scouts", M=3, abilities={"scouts": 6}), models=1)
    scene.unit(1, sheet("Theirs"), models=1)

    def stand(g: Battle) -> None:
        for row, x, y in ((0, 30, 9), (1, 30, 10 + gap)):
            g.models.x[row], g.models.y[row], g.models.on_table[row] = x, y, 1
        g.units.place[0] = 1

    battle = scene.battle("mission", detail="full", rules={"first_player": 0}, set_state=stand)
    choose(battle, "option")
    choose(battle, "model", 0)
    ahead = max(cell // GRID - 8 for cell in slots(battle, "cell") if cell % GRID == 8)
    assert ahead == reach
    choose(battle, "cell", (8 + reach) * GRID + 8)
    choose(battle, "cell", MIDDLE)
    assert END in words(battle).values()
    assert battle.models.y[unit.first] == pytest.approx(9 + 0.75 * reach)
