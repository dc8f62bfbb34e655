"""Limits of the wounds that a model loses in a phase, and weapons whose wounds cannot be ignored (w9.rare.wound-cap)."""

from __future__ import annotations

import pytest
from ninth import NinthScene

from wh_env.rulesets.w40k.attack.casualties import mortal_wounds
from wh_env.rulesets.w40k.attack_row import DAMAGED, LOST
from wh_env.testing import dice_left, pick, ranged, sheet, told

pytestmark = pytest.mark.rule("w9.rare.wound-cap")

FNP = "w9.attack.ignore-wounds"


def limited(most, **more):
    """A datasheet whose models lose at most so many wounds in a phase."""
    effect = f"wounds lost in a phase: at most {most}"
    return sheet(
        "X",
        Sv=6,
        abilities={"other": [{"name": "Limit", "effect": effect, "active": True}], **more.pop("abilities", {})},
        **more,
    )


def shoot(enemy, dice, *weapons, models=1, player=0, detail="squad", **columns):
    """Units of ``player``, one with each weapon, shoot ``enemy`` one after the other; another waits, so that the phase goes on."""
    scene = NinthScene()
    for number, weapon in enumerate(weapons):
        scene.unit(player, sheet(f"Guns {number}", weapons={"gun": weapon}), at=(10 + 4 * number, 10))
    unit = scene.unit(1 - player, enemy, at=(10, 20), models=models, **columns)
    scene.unit(1 - player, sheet("Elsewhere"), at=(58, 42))
    scene.unit(player, sheet("Waiting", weapons={"gun": ranged(24)}), at=(30, 10))
    battle = scene.battle("shooting", active=player, detail=detail, dice=list(dice))
    for number in range(len(weapons)):
        pick(battle, f"Guns {number}")
        while battle.decision is not None and battle.decision.kind == "weapon-target":
            pick(battle, "at X")
    return battle, unit


def left(battle, unit):
    """Wounds left of the models of a unit."""
    return [battle.models.wounds[unit.first + k] for k in range(battle.units.count[unit])]


@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("abilities", "lost"), [([], 3), (["Unignorable"], 5)])
def test_beyond_the_limit_only_wounds_that_cannot_be_ignored_are_lost(abilities, lost, player, detail):
    first, second = ranged(24, BS=3, S=8, D=4), ranged(24, BS=3, S=8, D=2, abilities=abilities)
    battle, unit = shoot(limited(3, W=9), [3, 3, 1, 3, 3, 1], first, second, player=player, detail=detail)
    assert left(battle, unit) == [9 - lost]
    assert dice_left(battle) == 0


def test_wounds_that_cannot_be_ignored_count_towards_the_limit():
    first, second = ranged(24, BS=3, S=8, D=2, abilities=["Unignorable"]), ranged(24, BS=3, S=8, D=3)
    battle, unit = shoot(limited(3, W=9), [3, 3, 1, 3, 3, 1], first, second)
    assert left(battle, unit) == [6]


def test_each_model_has_a_limit_of_its_own():
    battle, unit = shoot(limited(3, W=4), [3, 3, 3, 3, 1, 1], ranged(24, A=2, BS=3, S=8, D=3), models=2, wounds={1: 1})
    assert left(battle, unit)[0] == 1 and battle.units.alive[unit] == 1


def test_the_limit_is_one_of_the_phase():
    battle, unit = shoot(limited(3, W=9), [3, 3, 1], ranged(24, BS=3, S=8, D=5))
    assert left(battle, unit) == [6]
    phase, taken = battle.clock.phase[0], battle.models.allocated
    assert taken[unit.first] >> LOST == 3
    while battle.clock.phase[0] == phase:
        battle.apply(battle.first_legal())
    assert not any(taken)


def test_the_limit_holds_for_mortal_wounds_and_they_can_be_ignored_whoever_attacked_before():
    """A power, explosion or the like has no weapon, whatever the one of the last attack said."""
    battle, unit = shoot(limited(3, W=9), [3, 3, 1], ranged(24, BS=3, S=8, D=1, abilities=["Unignorable"]))
    assert left(battle, unit) == [8]
    mortal_wounds(battle, unit.row, 5)
    battle.run()
    assert left(battle, unit) == [6]


@pytest.mark.parametrize(("abilities", "lost"), [(["Unignorable"], 2), ([], 0)])
def test_wounds_that_cannot_be_ignored_are_not_rolled_for(abilities, lost):
    enemy = sheet("X", W=6, Sv=6, abilities={"feel_no_pain": 2})
    dice = [3, 3, 1, *([] if lost else [6, 6])]
    battle, unit = shoot(enemy, dice, ranged(24, BS=3, S=8, D=2, abilities=abilities))
    assert left(battle, unit) == [6 - lost] and dice_left(battle) == 0
    assert len(told(battle, FNP)) == (0 if lost else 2)


def test_without_a_limit_all_wounds_are_lost():
    battle, unit = shoot(sheet("X", W=9, Sv=6), [3, 3, 1], ranged(24, BS=3, S=8, D=5))
    assert left(battle, unit) == [4]


def test_a_model_that_loses_no_further_wounds_still_suffers_damage():
    battle, unit = shoot(limited(1, W=6), [3, 3, 1], ranged(24, BS=3, S=8, D=3))
    assert left(battle, unit) == [5] and battle.models.allocated[unit.first] & DAMAGED
