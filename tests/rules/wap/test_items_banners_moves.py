"""Magic banners that change how their units move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from banners import BEARERS, FLIES, OWNERS, UNIT, flown, lower, mustered
from charging import HOLD, charge, over, react
from heroes import hero, horse
from marching import ADVANCE, FORWARD, MARCH, MOST, finish, go, leg

from wh_env import Battle
from wh_env.core.validation import Validator
from wh_env.rulesets.wap.basics.profiles import movement_of
from wh_env.rulesets.wap.special.stride import charge_roll, farthest_charge, flight_roll, is_swift
from wh_env.testing import choose, dice_left, kind, script, told
from wh_env.testing.wap import RegimentScene, UnitHandle, square

CALM = "Immunity (Psychology)"
TESTS = "wap.terrain.dangerous.test"


def across(y: float, owner: int) -> float:
    """A distance from the own edge, measured from player 0's."""
    return y if owner == 0 else 48 - y


# ---------------------------------------------------------------- swift


@OWNERS
@BEARERS
@FLIES
@pytest.mark.rule("wap.item.banner.banner-of-swiftness")
def test_under_the_banner_of_swiftness_both_dice_of_a_charge_count(owner: int, by: str, flies: bool) -> None:
    """Movement 4, 5 and 3: 12 inches instead of 9; it flees and pursues with three dice, of which two count."""
    scene = RegimentScene()
    unit, carrier = mustered(scene, owner, "Banner of Swiftness", square(m=4), (24, across(10, owner)), by)
    foe = scene.unit(1 - owner, None, (24, across(22, owner)), models=10, files=5)
    dice = [5, 3, 2, 4, 6]
    battle = scene.battle("movement", player=owner, dice=dice, set_state=flown(carrier, flies))
    assert is_swift(battle, unit.row) == flies and farthest_charge(battle, unit.row) == (16 if flies else 10)
    roll = charge_roll(battle, unit.row)
    assert (roll.reaches, roll.falls_short) == ((12, 8) if flies else (9, 5))
    assert flight_roll(battle, unit.row) == (10 if flies else 6) and dice_left(battle) == (0 if flies else 1)
    if flies:
        script(battle, [5, 3])
        charge(battle, unit, foe)
        react(battle, HOLD)
        assert [row["far"] for row in told(battle, "wap.charge.distance")] == [12] and battle.units.fights[unit]


@OWNERS
@pytest.mark.rule("wap.item.banner.banner-of-swiftness")
@pytest.mark.parametrize(("movement", "swift"), [(3, False), (4, True)])
def test_who_walks_slowly_has_nothing_of_the_banner_of_swiftness(owner: int, movement: int, swift: bool) -> None:
    """A character in the unit has it too, and one beside it does not."""
    scene = RegimentScene()
    unit, carrier = mustered(scene, owner, "Banner of Swiftness", square(m=movement), (24, across(10, owner)))
    scene.unit(owner, hero(m=movement), inside=unit, models=1)
    alone = scene.unit(owner, hero(), (40, across(10, owner)), models=1)
    battle = scene.battle("movement", player=owner)
    assert [is_swift(battle, row.row) for row in (unit, alone)] == [swift, False]
    lower(battle, carrier)
    assert not is_swift(battle, unit.row)


# ---------------------------------------------------------------- all ground


def through(
    owner: int, card: dict[str, Any], ground: str, rolls: Sequence[int], by: str = UNIT, *, flies: bool = True
) -> tuple[Battle, UnitHandle]:
    """A charge of 6 inches by five models under the Ranger's Standard, who stand in ground of a kind and leave it."""
    scene = RegimentScene()
    unit, carrier = mustered(scene, owner, "Ranger's Standard", card, (24, across(21, owner)), by, models=5)
    foe = scene.unit(1 - owner, square(rules=[CALM]), (24, across(27, owner)), models=20, files=5)
    low, high = sorted((across(18, owner), across(25.5, owner)))
    scene.area(ground, 0, low, 48, high)
    scene.unit(owner, None, (44, across(14, owner)), models=5)
    dice = [*([6, 6, 6] if card["type"] == "cavalry" else [6, 6]), *rolls]
    battle = scene.battle("movement", player=owner, dice=dice, set_state=flown(carrier, flies))
    charge(battle, unit, foe)
    react(battle, HOLD)
    over(battle)
    return battle, unit


@OWNERS
@FLIES
@pytest.mark.rule("wap.item.banner.rangers-standard")
@pytest.mark.parametrize("ground", ["forest", "river", "marsh"])
def test_knights_under_the_rangers_standard_charge_through_all_terrain(owner: int, flies: bool, ground: str) -> None:
    """Without a Dangerous Terrain test, riders and horses. Of 8 inches and two dice, others lose an inch in a marsh."""
    battle, unit = through(owner, horse(rules=[CALM]), ground, [] if flies else [2] * 5, flies=flies)
    assert bool([row for row in told(battle, TESTS) if row["unit"] == unit.row]) is not flies
    slowed = ground == "marsh" and not flies
    assert [row["far"] for row in told(battle, "wap.charge.distance")] == [19.0 if slowed else 20.0]
    assert battle.units.fights[unit] == 1 or not flies


@OWNERS
@BEARERS
@FLIES
@pytest.mark.rule("wap.item.banner.rangers-standard")
def test_under_the_rangers_standard_no_ground_slows(owner: int, by: str, flies: bool) -> None:
    """A marsh costs others an inch; the Battle Standard Bearer and his unit walk 4 inches."""
    scene = RegimentScene()
    unit, carrier = mustered(scene, owner, "Ranger's Standard", square(rules=[CALM]), (20, across(18, owner)), by)
    scene.unit(1 - owner, None, (44, across(45, owner)))
    low, high = sorted((across(8, owner), across(19, owner)))
    scene.area("marsh", 0, low, 48, high)
    battle = scene.battle("movement", player=owner, detail="full", set_state=flown(carrier, flies))
    assert movement_of(battle, unit.row) == (4 if flies else 3)
    assert list(Validator(battle.setup).faults(battle)) == []
    go(battle, unit, ADVANCE)
    leg(battle, FORWARD, MOST)
    assert battle.units.y[unit] == pytest.approx(across(22 if flies else 21, owner))


@OWNERS
@BEARERS
@pytest.mark.rule("wap.item.banner.rangers-standard")
def test_a_marsh_slows_a_unit_once_the_rangers_standard_has_fallen(owner: int, by: str) -> None:
    scene = RegimentScene()
    unit, carrier = mustered(scene, owner, "Ranger's Standard", None, (20, across(18, owner)), by)
    scene.unit(1 - owner, None, (44, across(45, owner)))
    low, high = sorted((across(8, owner), across(19, owner)))
    scene.area("marsh", 0, low, 48, high)
    battle = scene.battle("movement", player=owner)
    assert movement_of(battle, unit.row) == 4
    lower(battle, carrier)
    assert movement_of(battle, unit.row) == 3 and list(Validator(battle.setup).faults(battle)) == []


@OWNERS
@FLIES
@pytest.mark.rule("wap.item.banner.rangers-standard")
def test_under_the_rangers_standard_a_unit_marches_through_a_river(owner: int, flies: bool) -> None:
    scene = RegimentScene()
    unit, carrier = mustered(scene, owner, "Ranger's Standard", square(rules=[CALM]), (20, across(10, owner)))
    scene.unit(owner, None, (44, across(10, owner)), models=5)
    scene.unit(1 - owner, None, (44, across(46, owner)))
    low, high = sorted((across(12, owner), across(14, owner)))
    scene.area("river", 0, low, 48, high)
    battle = scene.battle("movement", player=owner, detail="full", set_state=flown(carrier, flies))
    go(battle, unit, MARCH)
    if kind(battle) == "leg":
        choose(battle, "option", FORWARD)
    if kind(battle) == "leg-length":
        choose(battle, "number", MOST)
    finish(battle)
    assert battle.units.y[unit] == pytest.approx(across(18 if flies else 12, owner), abs=0.01)
