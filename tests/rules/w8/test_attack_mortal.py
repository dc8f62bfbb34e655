"""Mortal wounds (w8.attack.mortal*)."""

from __future__ import annotations

import pytest
from eighth import EighthScene
from eighth_shooting import HIT, SAVE, WOUND, gunners, waits, wounds

from wh_env.rulesets.w40k.attack.casualties import MortalWounds
from wh_env.testing import choose, dice_left, sheet, slots, told


def suffer(enemy, count, *, detail="full", models=1, dice=(), player=1, **target):
    """A unit of ``player`` suffers mortal wounds; the battle at its first decision about them."""
    scene = EighthScene()
    scene.unit(1 - player, gunners(), at=(10, 10))
    unit = scene.unit(player, enemy, at=(10, 20), models=models, **target)
    scene.unit(player, sheet("Elsewhere"), at=(58, 42))
    battle = scene.battle("shooting", active=1 - player, detail=detail, dice=list(dice), run=False)
    battle.push(MortalWounds, -1, int(unit), count)
    battle.run()
    return battle, unit


@pytest.mark.rule("w8.attack.mortal")
@pytest.mark.parametrize("player", [0, 1])
def test_each_is_a_point_of_damage(player):
    battle, unit = suffer(sheet("X", W=2, Sv=2, invuln=2), 3, models=3, player=player)
    assert waits(battle, "allocate")
    assert battle.decision.player == player
    choose(battle, "model", 1)
    assert wounds(battle, unit)[1] == 0  # the one that is hurt takes the second
    choose(battle, "model", 0)
    assert wounds(battle, unit) == [1, 0, 2]


@pytest.mark.rule("w8.attack.mortal", "w8.attack.mortal.no-rolls")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_no_wound_roll_and_no_save(detail):
    battle, unit = suffer(sheet("X", W=6, Sv=2, invuln=2), 1, detail=detail, dice=[6])
    assert wounds(battle, unit) == [5]
    assert dice_left(battle) == 1
    for rule in (HIT, WOUND, SAVE):
        assert told(battle, rule) == []


@pytest.mark.rule("w8.attack.mortal.no-rolls")
@pytest.mark.parametrize(("die", "left"), [(5, 6), (4, 5)])
def test_an_ability_that_ignores_lost_wounds_counts(die, left):
    battle, unit = suffer(sheet("X", W=6, Sv=2, invuln=2, fnp=5), 1, dice=[die])
    assert wounds(battle, unit) == [left]
    assert dice_left(battle) == 0


@pytest.mark.rule("w8.attack.mortal.allocate")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_the_hurt_model_takes_it(player, detail):
    battle, unit = suffer(sheet("X", W=2), 1, models=3, wounds={1: 1}, player=player, detail=detail)
    assert wounds(battle, unit) == [2, 0, 2]


@pytest.mark.rule("w8.attack.mortal.allocate")
def test_of_several_hurt_models_the_controller_chooses():
    battle, _ = suffer(sheet("X", W=3), 1, models=3, wounds={0: 1, 2: 2})
    assert slots(battle, "model") == [0, 2]


@pytest.mark.rule("w8.attack.mortal.spill")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("models", "left"), [(4, 1), (3, 0), (2, 0)])
def test_what_is_left_goes_on_to_the_next_model(player, models, left):
    battle, unit = suffer(sheet("X"), 3, models=models, player=player, detail="squad")
    assert sum(wounds(battle, unit)) == left
    assert battle.units.alive[unit.row] == left
    assert len([e for e in told(battle, "w8.attack.mortal.no-rolls") if e["result"]]) == min(3, models)
