"""Mortal wounds (w9.attack.mortal.*)."""

from __future__ import annotations

import pytest
from ninth import NinthScene

from wh_env.rulesets.w40k.attack.casualties import MortalWounds
from wh_env.testing import choose, dice_left, pick, ranged, sheet, slots, told

HIT, WOUND, SAVE, MORTAL = "w9.attack.hit", "w9.attack.wound", "w9.attack.save", "w9.attack.mortal"
SORCERY = {"other": [{"name": "Sorcery", "effect": "wound rolls of 6: 1 mortal wound", "active": True}]}


def suffer(enemy, count, *, detail="full", models=1, dice=(), player=1, **target):
    """A unit of ``player`` suffers mortal wounds outside of attacks; the battle at its first decision about them."""
    scene = NinthScene()
    scene.unit(1 - player, sheet("Guns", weapons={"gun": ranged(24)}), at=(10, 10))
    unit = scene.unit(player, enemy, at=(10, 20), models=models, **target)
    scene.unit(player, sheet("Elsewhere"), at=(58, 42))
    battle = scene.battle("shooting", active=1 - player, detail=detail, dice=list(dice), run=False)
    battle.push(MortalWounds, -1, int(unit), count)
    battle.run()
    return battle, unit


def wounds(battle, unit):
    """Wounds left of the models of a unit."""
    return [battle.models.wounds[unit.first + k] for k in range(battle.units.count[unit])]


@pytest.mark.rule("w9.attack.mortal")
@pytest.mark.parametrize("player", [0, 1])
def test_mortal_wounds_go_on_to_the_next_model(player):
    """Three models of W 2, one hurt, four mortal wounds: 1 + 2 + 1; after the hurt one there is a choice."""
    battle, unit = suffer(sheet("X", W=2, Sv=2, invuln=2), 4, models=3, wounds={1: 1}, player=player)
    assert wounds(battle, unit) == [2, 0, 2]
    assert battle.decision.kind == "allocate"
    assert battle.decision.player == player
    assert slots(battle, "model") == [0, 1]  # of those that stand
    choose(battle, "model", 1)
    assert wounds(battle, unit) == [
        1,
        0,
        0,
    ]  # the one that is hurt now takes the next as well, the last one what is left
    assert battle.decision.kind != "allocate"
    assert [e["result"] for e in told(battle, MORTAL)] == [4, 3, 2, 1]


@pytest.mark.rule("w9.attack.mortal")
def test_squad_detail_takes_the_hurt_model_first():
    battle, unit = suffer(sheet("X", W=2, Sv=2, invuln=2), 4, models=3, wounds={0: 1}, detail="squad")
    assert sorted(wounds(battle, unit)) == [0, 0, 1]
    assert wounds(battle, unit)[0] == 0
    for rule in (HIT, WOUND, SAVE):
        assert told(battle, rule) == []
    assert dice_left(battle) == 0


@pytest.mark.rule("w9.attack.mortal")
def test_what_is_left_when_the_unit_is_destroyed_is_lost():
    battle, unit = suffer(sheet("X", W=1), 5, models=2, detail="squad")
    assert wounds(battle, unit) == [0, 0]
    assert len(told(battle, MORTAL)) == 2


@pytest.mark.rule("w9.attack.mortal")
def test_a_model_that_had_an_attack_allocated_takes_them_first():
    def allocated(battle):
        battle.models.allocated[2] = 1

    scene = NinthScene()
    scene.unit(0, sheet("Guns", weapons={"gun": ranged(24)}), at=(10, 10))
    unit = scene.unit(1, sheet("X", W=2), at=(10, 20), models=3)
    battle = scene.battle("shooting", detail="full", run=False, set_state=allocated)
    battle.push(MortalWounds, -1, int(unit), 1)
    battle.run()
    assert wounds(battle, unit) == [2, 1, 2]


@pytest.mark.rule("w9.attack.mortal", "w9.attack.ignore-wounds")
def test_mortal_wounds_can_be_ignored():
    battle, unit = suffer(sheet("X", W=3, fnp=5), 2, detail="squad", dice=[5, 4])
    assert wounds(battle, unit) == [2]
    assert dice_left(battle) == 0


@pytest.mark.rule("w9.attack.mortal.additional")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("wound", "save", "left"), [(6, 6, 8), (6, 1, 6), (5, 6, 9), (5, 1, 7)])
def test_mortal_wounds_in_addition_come_whether_or_not_the_damage_is_saved(player, wound, save, left):
    """An unmodified wound roll of 6 inflicts a mortal wound beside the Damage of 2, which is resolved first."""
    scene = NinthScene()
    guns = sheet("Guns", weapons={"gun": ranged(24, BS=2, S=8, D=2)}, abilities=SORCERY)
    scene.unit(player, guns, at=(10, 10))
    unit = scene.unit(1 - player, sheet("X", W=9, Sv=4), at=(10, 20))
    scene.unit(1 - player, sheet("Elsewhere"), at=(58, 42))
    battle = scene.battle("shooting", active=player, dice=[2, wound, save])
    pick(battle, "Guns")
    assert wounds(battle, unit) == [left]
    assert len(told(battle, MORTAL)) == (wound == 6)
    order = [e.rule for e in battle.events if e.rule in (SAVE, MORTAL)]
    assert order == [SAVE, MORTAL][: 1 + (wound == 6)]
    assert dice_left(battle) == 0
