"""Random Movement."""

from __future__ import annotations

import pytest
from charging import chargers
from heroes import hero

from wh_env import Battle
from wh_env.core.tables import DESTROYED
from wh_env.rulesets.wap.basics.contacts import foes_of, side_towards
from wh_env.rulesets.wap.basics.special_rules import movement_dice
from wh_env.rulesets.wap.codes import CHARGED, FRONT, MOVED, RIGHT
from wh_env.rulesets.wap.special.stride import flight_roll
from wh_env.testing import choose, dice_left, kind, slots, told
from wh_env.testing.play import script
from wh_env.testing.wap import EAST, NORTH, SOUTH, WEST, RegimentScene, UnitHandle, pose, square

WILD = square(rules=["Random Movement (2D6)"])
CONTACT = "wap.special.random-movement.contact"


def ahead(battle: Battle) -> None:
    """It turns to the north."""
    assert kind(battle) == "random-facing", battle.decision
    choose(battle, "angle", battle.setup.space.angles // 4)


def wild(
    dice: list[int], *, rules: list[str] | None = None, detail: str = "squad", **foe: object
) -> tuple[Battle, UnitHandle, UnitHandle]:
    """A unit on (24, 12) that moves by dice, an enemy in some place."""
    scene = RegimentScene()
    unit = scene.unit(0, WILD if rules is None else square(rules=rules), (24, 12), models=10, files=5)
    at = foe.pop("at", (24, 20))
    enemy = scene.unit(1, None, at, **{"models": 10, "files": 5, **foe})
    scene.unit(0, None, (44, 4), models=1)
    scene.unit(1, None, (4, 44), models=1)
    return scene.battle("movement", dice=dice, detail=detail), unit, enemy


@pytest.mark.rule("wap.special.random-movement.dice")
def test_dice_in_place_of_movement() -> None:
    battle, unit, _ = wild([6, 5, 4], rules=["Random Movement (3D6)", "Swiftstride"], at=(4, 40))
    ahead(battle)
    assert pose(battle, unit)[1] == pytest.approx(27.0)
    script(battle, [6, 5, 4])
    assert flight_roll(battle, unit.row) == 15 and dice_left(battle) == 0
    assert unit.number not in slots(battle, "own")  # no march, no other move


@pytest.mark.rule("wap.special.random-movement.procedure")
def test_no_charge_is_declared_and_the_facing_comes_before_the_dice() -> None:
    battle, unit, _ = wild([4, 3], at=(24, 16))
    assert chargers(battle) == [] and kind(battle) == "random-facing"
    assert dice_left(battle) == 2
    choose(battle, "angle", 0)
    assert dice_left(battle) == 0
    assert pose(battle, unit) == pytest.approx((24 + 1 + 7, 11, EAST))


@pytest.mark.parametrize(("dice", "meets"), [([5, 4], True), ([4, 3], False), ([4, 4], True)])
@pytest.mark.rule("wap.special.random-movement.contact")
def test_an_enemy_that_it_reaches_is_charged(dice: list[int], meets: bool) -> None:
    """8" ahead: with 9 it is in contact as a charger, nobody reacts; with 7 it stops 1" short."""
    battle, unit, foe = wild(dice)
    ahead(battle)
    assert foes_of(battle, unit.row) == ([foe.row] if meets else [])
    assert pose(battle, unit)[1] == pytest.approx(20.0 if meets else 19.0)
    assert battle.units.charging[unit] == meets and battle.units.did[unit] == (MOVED | CHARGED if meets else MOVED)
    assert bool(told(battle, CONTACT)) == meets and not told(battle, "wap.charge.reaction.list")
    assert kind(battle) == "select-to-move"


@pytest.mark.rule("wap.special.random-movement.contact")
def test_it_charges_the_side_that_it_stands_before_and_closes_the_door() -> None:
    """An enemy that looks west and a little askew shows it its left flank ... seen from there: it ends flush with that side."""
    battle, unit, foe = wild([6, 4], at=(23, 23), facing=WEST + 0.2, models=25)
    ahead(battle)
    assert foes_of(battle, unit.row) == [foe.row]
    assert side_towards(battle, unit.row, foe.row) == FRONT and side_towards(battle, foe.row, unit.row) != RIGHT
    assert side_towards(battle, foe.row, unit.row) != FRONT


@pytest.mark.rule("wap.special.random-movement.contact")
def test_who_flees_is_run_down() -> None:
    scene = RegimentScene()
    unit = scene.unit(0, WILD, (24, 12), models=10, files=5)
    foe = scene.unit(1, None, (24, 20), models=10, files=5, fleeing=1, facing=NORTH)
    scene.unit(0, None, (44, 4), models=1)
    scene.unit(1, None, (4, 44), models=1)
    battle = scene.battle("movement", dice=[6, 6])
    ahead(battle)
    assert battle.units.place[foe] == DESTROYED and battle.units.fights[unit] == 0


@pytest.mark.parametrize("what", ["friend", "rock"])
@pytest.mark.rule("wap.special.random-movement.stop")
def test_it_stops_an_inch_from_friends_and_rocks(what: str) -> None:
    scene = RegimentScene()
    unit = scene.unit(0, WILD, (24, 12), models=10, files=5)
    if what == "friend":
        scene.unit(0, None, (27, 20), models=10, files=5, facing=NORTH)
    else:
        scene.area("impassable", 26, 18, 28, 19)
    foe = scene.unit(1, None, (22, 20), models=2, files=1, facing=SOUTH)
    scene.unit(0, None, (44, 4), models=1)
    battle = scene.battle("movement", dice=[6, 4])
    ahead(battle)
    assert pose(battle, unit)[1] == pytest.approx(17.0)  # before it comes to the enemy
    assert battle.units.fights[foe] == 0
    assert unit.number not in slots(battle, "own")


@pytest.mark.rule("wap.special.random-movement.unit")
def test_a_unit_makes_one_roll_of_the_fewest_dice() -> None:
    battle, unit, _ = wild([4, 3, 6], rules=["Random Movement (3D6)", "Random Movement (2D6)"], at=(4, 40))
    assert movement_dice(battle, unit.row) == 2
    ahead(battle)
    assert pose(battle, unit)[1] == pytest.approx(19.0) and dice_left(battle) == 1


@pytest.mark.rule("wap.special.random-movement.unit")
def test_so_it_is_with_somebody_who_has_joined() -> None:
    for rules, dice in ((["Random Movement (3D6)"], 2), (["Random Movement (3D6)", "Random Movement (D6)"], 1)):
        scene = RegimentScene()
        unit = scene.unit(0, WILD, (24, 12), models=5)
        for rule in rules:
            scene.unit(0, hero(rules=[rule]), models=1, inside=unit)
        scene.unit(1, None, (4, 44))
        assert movement_dice(scene.battle("movement", run=False), unit.row) == dice


@pytest.mark.parametrize("charges", [True, False])
@pytest.mark.rule("wap.special.random-movement.terrain")
def test_dangerous_ground_counts_for_a_charge_alone(charges: bool) -> None:
    """One model, 7" across dangerous ground: nobody tests; with an enemy 5" ahead it charges, and tests."""
    scene = RegimentScene()
    unit = scene.unit(0, WILD, (24, 12), models=1)
    scene.area("dangerous", 20, 13, 28, 15)
    scene.unit(1, None, (24, 17) if charges else (4, 40), models=1)
    scene.unit(0, None, (44, 4), models=1)
    battle = scene.battle("movement", dice=[3, 4, 2])
    ahead(battle)
    tests = told(battle, "wap.terrain.dangerous.test")
    assert [note["dice"] for note in tests] == ([(2,)] if charges else [])
    assert bool(battle.units.fights[unit]) == charges
