"""Mortal wounds and volleys with fast dice as a player meets them (w10.attack.mortal.*, .fast-dice.*)."""

from __future__ import annotations

import pytest

from wh_env.testing import Scene, choose, dice_left, pick, ranged, sheet, slots, told

SAVE, MORTAL = "w10.attack.save.roll", "w10.attack.mortal.what"


def devastating(D=1, A=1):
    """A weapon whose Critical Wounds (a 6) inflict mortal wounds."""
    return ranged(24, A=A, BS=2, S=8, D=D, abilities=["Devastating Wounds"])


def shoot(enemy, dice, weapons, *, detail="squad", models=1, count=1, leader=None, hurt=None, **target):
    """Some guns shoot ``enemy``; the battle at its first decision about the attacks, or after them."""
    scene = Scene()
    scene.unit(0, sheet("Guns", weapons=weapons), at=(10, 10), models=count)
    unit = scene.unit(1, enemy, at=(10, 20), models=models, **target)
    if leader is not None:
        scene.unit(1, leader, at=(8, 20), leads=unit, wounds=hurt)
    scene.unit(1, sheet("Elsewhere"), at=(58, 42))
    battle = scene.battle("shooting", detail=detail, dice=list(dice))
    pick(battle, "Guns")
    while battle.decision is not None and battle.decision.kind == "weapon-target":
        pick(battle, "at X")
    return battle


def wounds(battle, unit=1):
    """Wounds left of the models of a unit."""
    first = battle.units.first[unit]
    return [battle.models.wounds[first + k] for k in range(battle.units.count[unit])]


@pytest.mark.rule("w10.attack.mortal.what")
def test_mortal_wounds_are_applied_one_at_a_time():
    battle = shoot(sheet("X", W=2), [2, 6], {"gun": devastating(3)}, detail="full", models=3)
    assert battle.decision.kind == "allocate"
    choose(battle, "model", 0)
    # the second goes to the hurt model and destroys it; for the third there is a choice again
    assert wounds(battle) == [0, 2, 2]
    assert slots(battle, "model") == [0, 1]
    choose(battle, "model", 1)
    assert wounds(battle) == [0, 2, 1]
    assert [e["result"] for e in told(battle, MORTAL)] == [3, 2, 1]
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.attack.mortal.no-rolls")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_no_save_is_made_against_mortal_wounds(detail):
    battle = shoot(sheet("X", W=4, Sv=2, invuln=4), [2, 6], {"gun": devastating(2)}, detail=detail)
    assert wounds(battle) == [2]
    assert told(battle, SAVE) == []
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.attack.mortal.allocate")
def test_a_mortal_wound_on_an_attached_unit_goes_to_a_bodyguard_model():
    captain = sheet("Captain", W=4, keywords=("INFANTRY", "CHARACTER"), abilities={"leader": ["X"]})
    battle = shoot(
        sheet("X", W=2), [2, 6], {"gun": devastating()}, detail="full", models=3, leader=captain, hurt={0: 1}
    )
    assert battle.decision.kind == "allocate"
    assert battle.decision.player == 1
    assert slots(battle, "model") == [0, 1, 2]
    choose(battle, "model", 1)
    assert wounds(battle) == [2, 1, 2]
    assert wounds(battle, 2) == [1]
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.attack.mortal.spill-over")
@pytest.mark.parametrize(("amount", "left"), [(5, [0, 0, 1]), (7, [0, 0, 0])])
def test_excess_mortal_wounds_carry_over(amount, left):
    battle = shoot(sheet("X", W=2), [2, 6], {"gun": devastating(amount)}, models=3)
    assert sorted(wounds(battle)) == left
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.attack.mortal.after-normal")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_mortal_wounds_follow_all_normal_damage_on_the_target(detail):
    """First a weapon with Devastating Wounds, then one without: the mortal wounds come last."""
    weapons = {"first": devastating(2), "second": ranged(24, A=3, BS=2, S=9)}
    battle = shoot(sheet("X", Sv=6, W=9), [2, 6] + [2, 2, 2, 2, 2, 2, 1, 1, 1], weapons, detail=detail)
    if detail == "full":
        pick(battle, "resolve first", kind="profile-order")
    assert wounds(battle) == [4]
    order = [e.rule for e in battle.events if e.rule in (SAVE, MORTAL)]
    assert order == 3 * [SAVE] + 2 * [MORTAL]
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.attack.mortal.after-normal")
def test_they_come_before_the_attacks_at_the_next_target():
    weapons = {"first": devastating(2), "second": ranged(24, BS=2, S=9)}
    scene = Scene()
    scene.unit(0, sheet("Guns", weapons=weapons), at=(10, 10))
    x = scene.unit(1, sheet("X", W=9), at=(10, 20))
    y = scene.unit(1, sheet("Y", W=9), at=(15, 20))
    battle = scene.battle("shooting", detail="full", dice=[2, 6, 2, 2, 1])
    pick(battle, "Guns")
    pick(battle, "at X", kind="weapon-target")
    pick(battle, "at Y", kind="weapon-target")
    pick(battle, "X", kind="target-order")
    order = [(e.rule, e.data["target"]) for e in battle.events if e.rule in (SAVE, MORTAL)]
    assert order == [(MORTAL, x), (MORTAL, x), (SAVE, y)]
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.attack.target-destroyed")
def test_mortal_wounds_to_come_are_lost_with_the_target():
    weapons = {"first": devastating(2), "second": ranged(24, BS=2, S=9)}
    battle = shoot(sheet("X", Sv=6), [2, 6] + [2, 2, 1], weapons)
    assert battle.units.alive[1] == 0
    assert told(battle, MORTAL) == []
    assert dice_left(battle) == 0


TERMINATORS = sheet("X", T=5, Sv=2, W=3, invuln=4)


@pytest.mark.rule("w10.attack.fast-dice.saves")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_failed_saves_go_to_the_hurt_model_first(detail):
    weapon = ranged(24, A=5, BS=2, S=10, AP=-1)
    dice = 5 * [2] + 5 * [2] + [1, 2, 4, 5, 5]
    battle = shoot(TERMINATORS, dice, {"gun": weapon}, detail=detail, models=3, wounds={1: 1})
    while battle.decision is not None and battle.decision.kind in ("save", "allocate"):
        if battle.decision.kind == "save":
            pick(battle, "armour save")
        else:
            choose(battle, "model", slots(battle, "model")[0])
    assert [e["needed"] for e in told(battle, SAVE)] == 5 * [3]
    assert wounds(battle)[1] == 0
    assert sorted(wounds(battle)) == [0, 2, 3]
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.attack.fast-dice.random-damage")
@pytest.mark.parametrize(("damage", "left"), [((1, 3, 5), [0, 0, 2]), ((5, 3, 1), [0, 0, 1])])
def test_random_damage_is_resolved_one_attack_at_a_time(damage, left):
    """D3 of 1, 2, 3 destroys two models of W 2; 3, 2, 1 destroys two and hurts a third."""
    weapon = ranged(24, A=3, BS=2, S=8, D="D3")
    dice = 3 * [2] + 3 * [2] + [die for d in damage for die in (1, d)]
    battle = shoot(sheet("X", Sv=6, W=2), dice, {"gun": weapon}, models=3)
    assert sorted(wounds(battle)) == left
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.attack.fast-dice.example")
def test_the_worked_example():
    """20 Termagants at Terminators of which one has lost 2 wounds."""
    devourers = {"devourer": ranged(18, A=1, BS=4, S=5, AP=-1)}
    scene = Scene()
    scene.unit(
        0, sheet("Termagants", weapons=devourers), at=[(6 + 1.5 * (k % 10), 10 - 1.5 * (k // 10)) for k in range(20)]
    )
    target = scene.unit(1, TERMINATORS, at=(10, 15), models=5, wounds={2: 1})
    battle = scene.battle("shooting", dice=7 * [4] + 13 * [3] + 5 * [4] + 2 * [3] + [1, 2, 4, 5, 5])
    pick(battle, "Termagants")
    assert len(told(battle, "w10.attack.hit.roll")) == 20
    assert len(told(battle, "w10.attack.wound.roll")) == 7
    assert [e["result"] for e in told(battle, SAVE)] == [0, 0, 1, 1, 1]
    assert battle.models.alive[target.model(2)] == 0
    assert sorted(wounds(battle)) == [0, 2, 3, 3, 3]
    assert dice_left(battle) == 0
