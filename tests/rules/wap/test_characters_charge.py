"""Characters who charge out of their units (wap.character.leave.charge, .leave.stand-and-shoot, .combined.move-modifier)."""

from __future__ import annotations

from typing import Any

import pytest
from heroes import hero, rider

from wh_env import Battle
from wh_env.core.tables import ATTACHED, DESTROYED, ON_TABLE
from wh_env.rulesets.wap.basics.blocks import blocks_overlap, distance
from wh_env.rulesets.wap.basics.profiles import movement_of
from wh_env.rulesets.wap.casualties.changed_profiles import recompute
from wh_env.rulesets.wap.charge.declarers import may_declare
from wh_env.rulesets.wap.charge.reactions import FLEE, SHOOT
from wh_env.rulesets.wap.codes import CHARGED, FAILED
from wh_env.rulesets.wap.movement.going import ADVANCE, MARCH
from wh_env.rulesets.wap.special.flying import flight_of
from wh_env.testing import choose, dice_left, kind, slots, told
from wh_env.testing.wap import INCH, NORTH, SOUTH, RegimentScene, UnitHandle, pose, square

HOLD = 0


def within(
    *cards: dict[str, Any], apart: float = 6.0, enemy: dict[str, Any] | None = None, models: int = 10
) -> tuple[RegimentScene, UnitHandle, list[UnitHandle], UnitHandle]:
    """A unit with characters at the ends of its front rank, so far from an enemy ahead of it."""
    scene = RegimentScene((48, 48))
    host = scene.unit(0, None, (24, 20), models=models, files=5)
    lords = [scene.unit(0, card, inside=host, models=1, post=post) for card, post in zip(cards, (4, 0), strict=False)]
    foe = scene.unit(1, enemy, (24, 20 + apart), models=10, files=5)
    return scene, host, lords, foe


def declares(battle: Battle, unit: UnitHandle, target: UnitHandle) -> None:
    """The unit declares a charge."""
    choose(battle, "own", unit.number)
    if kind(battle) == "charge-target":
        choose(battle, "enemy", target.number)


def holds(battle: Battle) -> None:
    """The enemy holds; nobody else charges."""
    choose(battle, "option", HOLD)
    while kind(battle) in ("declare-charge", "charge-order", "charge-target"):
        battle.apply(0 if battle.legal()[0] else battle.first_legal())


@pytest.mark.rule("wap.character.leave.charge")
def test_a_character_charges_out_of_his_unit() -> None:
    scene, host, (first, second), foe = within(hero(), hero())
    battle = scene.battle(dice=[3, 2])
    assert slots(battle, "own") == [host.number, first.number, second.number]
    u = battle.units
    before = u.block[host]
    declares(battle, first, foe)
    # his place is empty until he moves
    assert u.place[first] == ON_TABLE and u.files[first] == 1
    assert (u.block[host], u.us[host]) == (before, before - 1)
    assert kind(battle) == "charge-reaction"
    choose(battle, "option", HOLD)
    # neither the unit nor the other one declares a charge
    assert kind(battle) == "select-to-move"
    assert u.did[first] & CHARGED and u.fights[first] == 1 and u.fights[host] == 0 and u.block[host] == before - 1
    assert distance(battle, first.row, foe.row) < 0.01
    assert told(battle, "wap.character.leave.charge")[0]["target"] == host.row
    assert not list(battle.setup.ruleset.contradictions(battle))
    # the unit moves normally
    assert slots(battle, "own") == [host.number, second.number]
    choose(battle, "own", host.number)
    assert {ADVANCE}.issubset(slots(battle, "option"))


@pytest.mark.rule("wap.character.leave.charge")
def test_his_unit_may_march_after_he_has_charged() -> None:
    scene, host, (first, _), foe = within(hero(), hero(), apart=9.5)
    battle = scene.battle(dice=[6, 2])
    declares(battle, first, foe)
    choose(battle, "option", HOLD)
    assert battle.units.did[first] & CHARGED
    choose(battle, "own", host.number)
    assert MARCH in slots(battle, "option")


@pytest.mark.rule("wap.character.leave.charge")
def test_nobody_charges_out_of_a_unit_that_charges_or_may_not() -> None:
    scene, host, (first, second), foe = within(hero(), hero())
    battle = scene.battle(dice=[3, 2])
    declares(battle, host, foe)
    choose(battle, "option", HOLD)
    assert battle.units.did[host] & CHARGED and battle.units.place[first] == ATTACHED
    assert kind(battle) != "declare-charge"
    for column, value in (("did", FAILED), ("fleeing", 1)):
        scene, host, (first, second), foe = within(hero(), hero())
        battle = scene.battle(run=False)
        assert may_declare(battle, first.row) and may_declare(battle, second.row)
        getattr(battle.units, column)[host] = value
        assert not may_declare(battle, first.row) and not may_declare(battle, second.row)


@pytest.mark.rule("wap.character.leave.charge")
def test_he_charges_as_far_as_he_can_by_himself() -> None:
    """A rider of 8" Movement in a unit of 4" reaches what that does not."""
    for card, reaches in ((hero(), False), (rider(), True)):
        scene, _, lords, _ = within(card, apart=12.0)
        battle = scene.battle()
        assert (kind(battle) == "declare-charge") is reaches
        if reaches:
            assert slots(battle, "own") == [lords[0].number]


@pytest.mark.rule("wap.character.leave.charge")
def test_a_charge_that_fails_carries_him_out_of_his_unit() -> None:
    scene, host, (lord,), foe = within(hero(), apart=9.0)
    battle = scene.battle(dice=[2, 1])
    declares(battle, lord, foe)
    holds(battle)
    u = battle.units
    assert u.did[lord] & FAILED and u.place[lord] == ON_TABLE
    assert not blocks_overlap(battle.parts.rows, u.rows, lord.row, host.row)
    assert told(battle, "wap.charge.failed")[0]["far"] == pytest.approx(2.0)
    assert distance(battle, lord.row, host.row) == pytest.approx(1.0)
    assert slots(battle, "own") == [host.number] and u.out_of[lord] == -1


@pytest.mark.parametrize(("deep", "die"), [(1.0, 1), (2.0, 1), (2.0, 2)])
@pytest.mark.rule("wap.character.leave.charge")
@pytest.mark.rule("wap.charge.failed")
def test_who_does_not_come_an_inch_out_of_his_unit_stays_in_it(deep: float, die: int) -> None:
    scene, host, (lord,), foe = within(hero(base_mm=[INCH, deep * INCH]), apart=9.0)
    battle = scene.battle(dice=[die, 1])
    file = battle.models.file[lord.model()]
    declares(battle, lord, foe)
    holds(battle)
    u = battle.units
    assert (u.place[lord], u.bodyguard[lord], u.block[host]) == (ATTACHED, host.row, 10 + deep)
    assert battle.models.file[lord.model()] == file and u.did[lord] & FAILED
    assert slots(battle, "own") == [host.number]  # he has had his move
    assert not list(battle.setup.ruleset.contradictions(battle))


@pytest.mark.rule("wap.character.leave.charge")
@pytest.mark.parametrize("wide", [1.0, 2.0, 2.5])
def test_whose_target_is_gone_goes_straight_out_of_his_unit(wide: float) -> None:
    """The enemy flees over the edge of the table: he goes 5 inches ahead, and his unit stays where it stood."""
    scene = RegimentScene((48, 48))
    host = scene.unit(0, None, (24, 36), models=10, files=5)
    lord = scene.unit(0, hero(base_mm=[wide * INCH, wide * INCH]), inside=host, models=1, post=0)
    foe = scene.unit(1, None, (24, 42), models=10, files=5)
    scene.unit(1, None, (6, 6), models=5)
    battle = scene.battle(dice=[6, 6, 3, 5])
    stood = pose(battle, host)
    declares(battle, lord, foe)
    before = pose(battle, lord)
    choose(battle, "option", FLEE)
    assert battle.units.place[foe] == DESTROYED
    while kind(battle) in ("declare-charge", "charge-order", "charge-target"):
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    assert battle.units.did[lord] & FAILED and dice_left(battle) == 0
    assert pose(battle, lord) == pytest.approx((before[0], before[1] + 5.0, before[2]), abs=1e-4)
    assert pose(battle, host) == stood and distance(battle, lord.row, host.row) >= 1.0
    assert not list(battle.setup.ruleset.contradictions(battle))


@pytest.mark.rule("wap.character.leave.charge")
def test_nobody_charges_where_he_would_still_stand_on_his_unit() -> None:
    """Between the enemy and the unit is one inch and a half, and no room for a base of two."""
    for card, fits in ((rider(), False), (hero(), True)):
        scene = RegimentScene((48, 48))
        host = scene.unit(0, None, (24, 20), models=30, files=15)
        lord = scene.unit(0, card, inside=host, models=1, post=7)
        scene.unit(1, None, (24, 21.5), models=30, files=15)
        for x in (10.0, 31.6):  # nor beside it
            scene.area("impassable", x, 19.0, x + 6.4, 23.0)
        battle = scene.battle()
        assert host.number in slots(battle, "own")
        assert (lord.number in slots(battle, "own")) is fits


@pytest.mark.rule("wap.character.leave.stand-and-shoot")
@pytest.mark.parametrize(("card", "hit"), [(hero(w=6, t=3), 2), (rider(w=6, t=3), 4)])
def test_his_unit_looks_out_for_who_charges_out_of_it(card: dict[str, Any], hit: int) -> None:
    bows = square(equipment=["hand weapon", "bow"], bs=10)
    scene, host, (lord,), foe = within(card, apart=9.0, enemy=bows, models=15)
    warned = [2, 3, 4, 5] if hit == 2 else []
    # ten shoot at a single model who charges: four of them hit, and all hits wound
    battle = scene.battle(dice=[6, 6, 6, 6, 1, 1, 1, 1, 1, 1, *warned, 6, 6, 6, 6])
    declares(battle, lord, foe)
    u = battle.units
    soldiers = u.alive[host]
    choose(battle, "option", SHOOT)
    assert battle.models.wounds[lord.model()] == 6 - hit
    assert u.alive[host] == soldiers - (4 - hit)
    assert bool(told(battle, "wap.character.leave.stand-and-shoot")) is (hit == 2)


@pytest.mark.rule("wap.character.combined.move-modifier")
def test_what_slows_his_unit_slows_him_until_he_has_left() -> None:
    scene, host, (lord,), foe = within(hero(), apart=6.0)
    battle = scene.battle(dice=[3, 2], set_state=lambda g: recompute(g, host.row, [("m", -1)]))
    assert movement_of(battle, host.row) == 3.0 and movement_of(battle, lord.row) == 3.0
    declares(battle, lord, foe)
    choose(battle, "option", HOLD)
    assert told(battle, "wap.charge.distance")[0]["far"] == 6.0
    assert battle.units.did[lord] & CHARGED
    assert movement_of(battle, lord.row) == 4.0 and movement_of(battle, host.row) == 3.0


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("wide", "sees"), [(10, False), (8, False), (7, True)])
@pytest.mark.rule("wap.character.leave.charge")
def test_he_charges_whom_he_sees(wide: int, sees: bool, player: int) -> None:
    """Friends in front of him hide the enemy: neither before they charge nor when they have may he leave his unit to charge. Where they are
    narrower he sees past them, and may when they are out of his way. His unit is too slow to charge, whatever it sees."""
    scene = RegimentScene()
    host = scene.unit(player, square(m=1), (20, 20), models=10, files=5, facing=NORTH)
    lord = scene.unit(player, hero(), inside=host, models=1, post=4)
    friends = scene.unit(player, None, (20 + 0.5 * (10 - wide), 22), models=wide, files=wide, facing=NORTH)
    foe = scene.unit(1 - player, None, (20, 26), models=5, facing=SOUTH)
    battle = scene.battle("movement", player=player)
    assert slots(battle, "own") == [friends.number]
    declares(battle, friends, foe)
    choose(battle, "option", HOLD)
    assert (kind(battle) == "declare-charge" and lord.number in slots(battle, "own")) is sees


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("change", "flies"), [(-3, 5.0), (2, 10.0)])
@pytest.mark.rule("wap.character.combined.move-modifier", "wap.special.fly.move")
def test_what_changes_the_movement_of_flyers_changes_the_flight_of_who_is_with_them(
    player: int, change: int, flies: float
) -> None:
    """The flyers fly 8 inches by their cards, and so does he."""
    scene = RegimentScene()
    card = {"rules": ["Fly (8)"], "m": 6}
    host = scene.unit(player, square(**card), (20, 20), models=10, files=5)
    lord = scene.unit(player, hero(**card), inside=host, models=1, post=2)
    scene.unit(1 - player, None, (44, 45))
    battle = scene.battle("movement", player=player, set_state=lambda g: recompute(g, host.row, [("m", change)]))
    assert flight_of(battle, host.row) == flies and flight_of(battle, lord.row) == flies
