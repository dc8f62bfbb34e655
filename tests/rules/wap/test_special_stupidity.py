"""Stupidity."""

from __future__ import annotations

import pytest
from charging import HOLD, charge, chargers, facing_off, react
from marching import FAR_AWAY
from results import play, scored

from wh_env import Battle
from wh_env.rulesets.wap.basics.combined_unit import is_stupid
from wh_env.rulesets.wap.breaking.combat_reform import CombatReforms, may_reform
from wh_env.rulesets.wap.codes import HELD, MOVED, WON
from wh_env.rulesets.wap.morale.leadership import is_unmoved
from wh_env.rulesets.wap.movement.aftermath import barred_from_shooting
from wh_env.rulesets.wap.rule_book import PANIC
from wh_env.rulesets.wap.special.psychology import immune_to
from wh_env.rulesets.wap.special.stride import flight_roll
from wh_env.testing import choose, dice_left, kind, pick, told
from wh_env.testing.play import script
from wh_env.testing.wap import NORTH, RegimentScene, UnitHandle, fought, other_combats, pose, square

DULL = square(ld=4, rules=["Stupidity"], equipment=["short bow"])
TEST = "wap.special.stupidity.test"


def dull(gap: float, dice: list[int], **fields: object) -> tuple[Battle, UnitHandle, UnitHandle]:
    scene = RegimentScene()
    unit = scene.unit(0, DULL, (24, 12), models=10, files=5, **fields)
    foe = scene.unit(1, None, (24, 12 + gap), models=10, files=5)
    scene.unit(0, None, (44, 4), models=1)
    return scene.battle("movement", dice=dice), unit, foe


@pytest.mark.parametrize(("roll", "passes"), [([1, 3], True), ([2, 3], False)])
@pytest.mark.rule("wap.special.stupidity.test")
def test_the_stupid_test_at_the_start_of_the_turn(roll: list[int], passes: bool) -> None:
    battle, unit, _ = dull(8.0, [*roll, 1])
    assert [(note["unit"], note["passed"]) for note in told(battle, TEST)] == [(unit.row, passes)]
    assert is_stupid(battle, unit.row) != passes
    assert (kind(battle) == "declare-charge") == passes  # it acts normally
    assert dice_left(battle) == passes


@pytest.mark.rule("wap.special.stupidity.test")
def test_who_fights_takes_no_test_and_stays_as_he_is() -> None:
    scene = RegimentScene()
    unit = scene.unit(0, DULL, (24, 12), models=5, stupid=1)
    other = scene.unit(0, DULL, (8, 12), models=5)
    flees = scene.unit(0, DULL, (40, 24), models=5, fleeing=1)
    for fighting in (unit, other):
        scene.beside(fighting, 1, models=5)
    battle = scene.battle("movement", run=False)
    battle.units.stupid[unit] = 1
    battle.run()
    assert not told(battle, TEST) and flees.number == 2
    assert is_stupid(battle, unit.row) and not is_stupid(battle, other.row)


@pytest.mark.rule("wap.special.stupidity.failed")
def test_who_fails_moves_straight_ahead_by_a_die_and_does_nothing_else() -> None:
    battle, unit, _ = dull(20.0, [6, 6, 4])
    assert pose(battle, unit) == pytest.approx((24, 16, NORTH))
    assert kind(battle) == "select-to-move" and battle.units.did[unit] == MOVED
    assert told(battle, "wap.compulsory.other.rules")[0]["unit"] == unit.row
    assert barred_from_shooting(battle, unit.row) == "wap.special.stupidity.failed"
    copy = battle.clone()
    choose(copy, "done")
    assert unit.number not in chargers(battle)


@pytest.mark.parametrize(("die", "meets"), [(4, True), (2, False)])
@pytest.mark.rule("wap.special.stupidity.failed")
def test_an_enemy_in_its_way_is_charged(die: int, meets: bool) -> None:
    """3" ahead; it declares no charge, as it may not, and the enemy does not react."""
    battle, unit, foe = dull(3.0, [6, 6, die])
    assert [note["unit"] for note in told(battle, "wap.special.random-movement.contact")] == (
        [unit.row] if meets else []
    )
    assert not told(battle, "wap.charge.declare") and not told(battle, "wap.charge.reaction.list")
    assert battle.units.fights[foe] == meets and battle.units.charging[unit] == meets
    assert pose(battle, unit)[1] == pytest.approx(15.0 if meets else 14.0)


@pytest.mark.rule("wap.special.stupidity.until-passed")
def test_until_a_test_is_passed_it_fears_nothing_and_moves_by_a_die() -> None:
    battle, unit, _ = dull(20.0, [6, 6, 4])
    for stupid in (1, 0):
        battle.units.stupid[unit] = stupid
        assert is_unmoved(battle, unit.row) == bool(stupid)
        script(battle, [5, 2])
        assert flight_roll(battle, unit.row) == (5 if stupid else 7)
        assert dice_left(battle) == stupid


@pytest.mark.parametrize("stupid", [1, 0])
@pytest.mark.rule("wap.special.stupidity.until-passed")
def test_the_stupid_make_no_combat_reform_and_take_no_panic_test(stupid: int) -> None:
    scene = RegimentScene()
    unit = scene.unit(0, DULL, (24, 24), models=20, files=5)
    foe = scene.beside(unit, 1, models=16, files=8)
    battle = scored(scene, unit, detail="full")
    battle.units.stupid[unit], battle.units.outcome[unit], battle.units.outcome[foe] = stupid, WON, HELD
    assert may_reform(battle, foe.row)
    play(battle, CombatReforms)
    asked = []
    while kind(battle) == "combat-reform":
        assert battle.decision is not None
        asked.append(battle.decision.subject)
        choose(battle, "option", 0)
    assert asked == ([foe.row] if stupid else [unit.row, foe.row])
    assert immune_to(battle, unit.row, PANIC) == bool(stupid)


@pytest.mark.parametrize("stupid", [1, 0])
@pytest.mark.rule("wap.special.stupidity.until-passed")
def test_the_stupid_pursue_by_one_die(stupid: int) -> None:
    scene = RegimentScene((60, 60))
    unit = scene.unit(0, DULL, (24, 20), models=10, files=5)
    foe = scene.beside(unit, 1, models=10, files=5)
    other_combats(scene)
    set_up = fought(won=[unit], broken=[foe], then=lambda b: b.units.stupid.__setitem__(unit.row, stupid))
    battle = scene.battle("combat", dice=[6, 6, 3, 2], set_state=set_up)
    pick(battle, "pursues")
    assert [note["roll"] for note in told(battle, "wap.pursuit.pursuit-roll")] == [3 if stupid else 5]
    assert pose(battle, unit)[1] == pytest.approx(23 if stupid else 25)
    assert dice_left(battle) == stupid


@pytest.mark.parametrize(("roll", "stupid"), [((2, 3), True), ((1, 3), False)])
@pytest.mark.rule("wap.special.stupidity.until-passed", "wap.panic.test")
def test_a_failed_test_lasts_through_the_turn_of_the_enemy(roll: tuple[int, int], stupid: bool) -> None:
    """Charged in the enemy's turn after they failed (or passed) their own test: no combat reform and no Panic, or both."""
    scene = RegimentScene()
    unit = scene.unit(0, DULL, (24, 12), models=20, files=5)
    scene.unit(0, None, (44, 4), models=1)
    foe = scene.unit(1, square(a=0, ld=10), (24, 21), models=20, files=10)
    battle = scene.battle("movement", dice=[*roll, *([1] if stupid else [])])
    while battle.clock.turn[0] == 0:
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    assert is_stupid(battle, unit.row) == stupid and immune_to(battle, unit.row, PANIC) == stupid
    script(battle, [6, 6] + [1] * 40)
    charge(battle, foe, unit)
    react(battle, HOLD)
    asked = set()
    while battle.clock.turn[0] == 1 and battle.decision is not None:
        if kind(battle) == "combat-reform":
            asked.add(battle.decision.subject)
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    assert told(battle, "wap.result.sum") and battle.units.fights[unit] == 1
    assert (unit.row in asked) is not stupid


@pytest.mark.rule("wap.special.stupidity.until-passed")
def test_a_passed_test_ends_it() -> None:
    scene, unit, foe = facing_off(8.0, card=DULL)
    scene.unit(1, None, FAR_AWAY)
    battle = scene.battle("movement", dice=[2, 2, 1, 1], set_state=lambda b: b.units.stupid.__setitem__(unit.row, 1))
    assert not is_stupid(battle, unit.row)
    charge(battle, unit, foe)
    react(battle, HOLD)
    assert told(battle, "wap.charge.distance")
