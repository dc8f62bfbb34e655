"""Charge moves: how far they are measured, straight on with one wheel, most models in contact, what is in the way."""

from __future__ import annotations

from math import cos, hypot, inf, pi, radians, sin

import pytest
from charging import HOLD, charge, over, react
from placing import charged, placed

from wh_env import Battle
from wh_env.rulesets.wap.basics.blocks import distance
from wh_env.rulesets.wap.basics.contacts import foes_of
from wh_env.rulesets.wap.basics.declared_charges import enter
from wh_env.rulesets.wap.basics.engaged import engaged
from wh_env.rulesets.wap.charge.charge_rolls import roll_together, within_reach
from wh_env.rulesets.wap.charge.places import best_place, move_into_contact, places_of
from wh_env.rulesets.wap.charge.reach import gap_to
from wh_env.rulesets.wap.charge.resolve import arriving, fail
from wh_env.rulesets.wap.codes import CHARGED, FAILED, FRONT, HOLDS
from wh_env.testing import kind, slots, told
from wh_env.testing.wap import NORTH, SOUTH, WEST, RegimentScene, UnitHandle, pose, square

QUARTER = 0.5 * pi


def rock_between(battle_dice: list[int] | None = None) -> tuple[Battle, UnitHandle, UnitHandle]:
    """A single model; the nearest corners are (24.5, 10) and (25.5, 18), with a rock across the line between them."""
    scene = RegimentScene()
    unit = scene.unit(0, square(m=4), (24, 10), models=1)
    target = scene.unit(1, None, (28, 18), models=5, files=5)
    scene.area("impassable", 24.0, 13.5, 25.2, 14.5)
    return scene.battle("movement", dice=battle_dice or []), unit, target


@pytest.mark.rule("wap.charge.distance.measure")
def test_the_charge_is_measured_past_what_is_in_the_way() -> None:
    battle, unit, target = rock_between()
    assert gap_to(battle, unit.row, target.row) == pytest.approx(
        hypot(1.6, 8.0), abs=5e-3
    )  # past the corner (25.2, 13.5)
    scene = RegimentScene()
    unit = scene.unit(0, None, (24, 10), models=1)
    target = scene.unit(1, None, (26, 18), models=1)
    scene.area("dangerous", 24.0, 13.5, 25.2, 14.5)
    battle = scene.battle("movement")
    assert gap_to(battle, unit.row, target.row) == pytest.approx(hypot(1.0, 8.0))


@pytest.mark.rule("wap.charge.distance.measure")
@pytest.mark.parametrize(("die", "arrives"), [(4, False), (5, True)])
def test_a_way_that_is_measured_longer_needs_a_higher_die(die: int, arrives: bool) -> None:
    """Nearest points 8.06" apart, by a clear line 8.16"."""
    battle, unit, target = rock_between([1, die])
    charge(battle, unit, target)
    if kind(battle) == "charge-reaction":
        react(battle, HOLD)
    over(battle)
    assert bool(told(battle, "wap.charge.move.contact")) is arrives
    assert bool(told(battle, "wap.charge.failed")) is not arrives


@pytest.mark.rule("wap.charge.distance.measure")
def test_units_are_in_the_way_of_a_measure_too() -> None:
    scene = RegimentScene()
    unit = scene.unit(0, None, (24, 10), models=1)
    target = scene.unit(1, None, (24, 18), models=1)
    wall = scene.unit(0, None, (24, 14), models=10, files=10)
    battle = scene.battle("movement")
    assert gap_to(battle, unit.row, target.row) == inf
    assert gap_to(battle, unit.row, target.row, ignoring=[wall.row]) == pytest.approx(8.0)


@pytest.mark.rule("wap.charge.move.contact")
def test_the_way_of_a_successful_charge_may_be_longer_than_its_distance() -> None:
    """8.8" away; the unit has to come round a rock by a way that is longer than the 9" that it rolls."""
    scene = RegimentScene()
    unit = scene.unit(0, square(m=4), (16, 10), models=10, files=5)
    target = scene.unit(1, None, (24, 17.98), models=10, files=5)
    battle = scene.battle("movement", dice=[5, 2])
    gap = gap_to(battle, unit.row, target.row)
    assert 8.0 < gap < 9.0
    charge(battle, unit, target)
    if kind(battle) == "charge-reaction":
        react(battle, HOLD)
    over(battle)
    assert foes_of(battle, unit.row) == [target.row]
    far = told(battle, "wap.charge.move.contact")[-1]["far"]
    assert far > 9.0


@pytest.mark.rule("wap.charge.move.wheel")
@pytest.mark.parametrize("aside", [-14.0, -6.0, 3.0, 9.0])
def test_one_wheel_of_up_to_a_quarter(aside: float) -> None:
    """The pose after straight way, wheel, straight way and last wheel is worked out by hand from the way that the place tells."""
    scene = RegimentScene()
    unit = scene.unit(0, None, (24, 10), models=10, files=5, facing=NORTH)
    target = scene.unit(1, None, (24 + aside, 22), models=10, files=5)
    battle = scene.battle("movement")
    found = places_of(battle, unit.row, [(target.row, FRONT)])
    assert found
    for place in found:
        before, turn, behind, closing = place.way
        assert before >= 0.0 and behind >= 0.0 and 0.0 <= abs(turn) <= QUARTER + 1e-9
        x, y, f = 24.0 + before * cos(NORTH), 10.0 + before * sin(NORTH), NORTH
        side = 1.0 if turn > 0 else -1.0
        cx, cy = x - side * 2.5 * sin(f), y + side * 2.5 * cos(f)  # the corner that stands
        f += turn
        x, y = cx + side * 2.5 * sin(f), cy - side * 2.5 * cos(f)
        x, y = x + behind * cos(f), y + behind * sin(f)
        # a front corner touches the target's front, about which the last wheel is made
        corner = 1.0 if closing > 0 else -1.0
        px, py = x - corner * 2.5 * sin(f), y + corner * 2.5 * cos(f)
        if abs(closing) > 1e-6:
            assert py == pytest.approx(22.0, abs=1e-5) or abs(px - 24 - aside) > 2.5
        assert f + closing == pytest.approx(NORTH)
        assert (place.y, place.facing) == pytest.approx((22.0, NORTH))


@pytest.mark.rule("wap.charge.move.wheel")
def test_what_needs_a_wheel_beyond_a_quarter_is_out_of_reach() -> None:
    """The front of the target looks the same way as the charger: it would have to come back to it."""
    scene = RegimentScene()
    unit = scene.unit(0, None, (24, 10), models=10, files=5, facing=NORTH)
    target = scene.unit(1, None, (24, 20), models=10, files=5, facing=NORTH)
    aside = scene.unit(1, None, (36, 14), models=10, files=5, facing=WEST)
    battle = scene.battle("movement")
    assert placed(battle, unit, target, FRONT) is None
    assert placed(battle, unit, aside, FRONT) is not None


@pytest.mark.parametrize(("walls", "bends"), [((), 1), (("right",), 1), (("right", "left"), 2)])
@pytest.mark.rule("wap.charge.move.wheel")
def test_a_way_of_two_wheels_is_none(walls: tuple[str, ...], bends: int) -> None:
    """A lane leads north, then east, then north again to the target: who might wheel twice would get through. With one of its walls gone a single
    wheel leads there."""
    scene = RegimentScene()
    unit = scene.unit(0, square(m=10), (10, 6), models=1, files=1)
    target = scene.unit(1, None, (24.5, 22), models=1, files=1)
    if "right" in walls:
        scene.area("impassable", 10.8, 0, 40, 11.5)
    if "left" in walls:
        scene.area("impassable", 0, 14, 23.2, 40)
    battle = scene.battle("movement", run=False)
    place = placed(battle, unit, target, FRONT)
    assert (place is not None) is (bends == 1)
    if place is not None:
        assert 0.0 < abs(place.way[1]) <= QUARTER
        charged(battle, unit, target, FRONT)


@pytest.mark.rule("wap.charge.move.maximise")
@pytest.mark.parametrize("aside", [0.0, 2.0, -2.0, 5.0])
def test_as_many_models_as_can_be(aside: float) -> None:
    scene = RegimentScene()
    unit = scene.unit(0, None, (24 + aside, 10), models=20, files=5)
    target = scene.unit(1, None, (24, 20), models=20, files=5)
    battle = scene.battle("movement")
    place = charged(battle, unit, target)
    assert place.contacts == 10
    assert abs(pose(battle, unit)[0] - 24.0) <= 1.0 + 1e-6 and pose(battle, unit)[1] == pytest.approx(20.0)


@pytest.mark.rule("wap.charge.move.no-reducing")
def test_fewer_models_only_where_something_is_in_the_way() -> None:
    def scene_with(rock: bool) -> int:
        scene = RegimentScene()
        unit = scene.unit(0, None, (20.4, 10), models=5, files=5)
        target = scene.unit(1, None, (24, 20), models=20, files=5)
        if rock:
            scene.area("impassable", 23.0, 18.0, 40.0, 19.5)  # leaves the left inch and a half of the front
        battle = scene.battle("movement")
        place = charged(battle, unit, target, FRONT)
        return place.contacts

    assert (scene_with(False), scene_with(True)) == (10, 4)


@pytest.mark.rule("wap.charge.unusual.avoid")
def test_a_charge_avoids_what_is_in_its_way() -> None:
    """A rock on the shortest way: with a later and larger wheel the unit comes flush all the same."""
    ways = []
    for rock in (False, True):
        scene = RegimentScene()
        unit = scene.unit(0, None, (18, 10), models=5, files=5)
        target = scene.unit(1, None, (28, 24), models=20, files=5)
        if rock:
            scene.area("impassable", 25.5, 16.0, 26.5, 17.0)
        battle = scene.battle("movement")
        place = charged(battle, unit, target, FRONT)
        assert place.contacts == 10 and pose(battle, unit)[1] == pytest.approx(24.0)
        ways.append(place.way)
    assert ways[0] != pytest.approx(ways[1])


def corridor(target_free: bool, outlet: bool = True) -> tuple[Battle, UnitHandle, UnitHandle]:
    """A unit between two walls, no wider than itself; before their end stands a target turned by 20 degrees."""
    scene = RegimentScene(rules={"small_target": 0})
    unit = scene.unit(0, None, (24, 10), models=5, files=5)
    target = scene.unit(1, None, (24, 21), models=5, files=5, facing=SOUTH + radians(20))
    scene.area("impassable", 20.0, 4.0, 21.45, 20.0)
    scene.area("impassable", 26.55, 4.0, 28.0, 20.0)
    if not target_free:
        scene.area("impassable", 20.0, 21.3, 22.9, 26.0)
        scene.area("impassable", 26.0, 21.9, 29.0, 26.0)
    return scene.battle("movement"), unit, target


@pytest.mark.rule("wap.charge.unusual.defender-aligns")
def test_the_target_closes_the_door_where_the_charger_cannot() -> None:
    battle, unit, target = corridor(True)
    place = charged(battle, unit, target, FRONT)
    assert place.aligns is not None and place.aligns[0] == target.row
    assert pose(battle, unit)[2] == pytest.approx(NORTH, abs=0.03)  # as far as the walls let it turn
    assert (pose(battle, target)[2] - pose(battle, unit)[2]) % (2 * pi) == pytest.approx(pi)
    assert engaged(battle, target.row)


@pytest.mark.rule("wap.charge.unusual.fails")
def test_a_charge_fails_that_can_avoid_nothing() -> None:
    battle, unit, target = corridor(False)
    assert placed(battle, unit, target, FRONT) is None


@pytest.mark.rule("wap.charge.unusual.fails")
def test_it_goes_as_far_as_a_failed_charge() -> None:
    """In reach by its dice, but somebody stands in the way who is measured past: 5" by dice of 2 and 5, an inch short of him."""
    scene = RegimentScene()
    unit = scene.unit(0, square(m=4), (24, 10), models=5, files=5)
    target = scene.unit(1, None, (24, 18), models=5, files=5)
    other = scene.unit(1, None, (24, 15.2), models=1)
    battle = scene.battle("movement", dice=[2, 5], run=False)
    enter(battle, unit.row, target.row, FRONT, HOLDS)
    roll_together(battle, [unit.row])
    assert within_reach(battle, unit.row)  # the dice are high enough
    assert not arriving(battle, unit.row, within_reach(battle, unit.row))
    fail(battle, unit.row)
    assert battle.units.did[unit] & FAILED and not battle.units.did[unit] & CHARGED
    assert not foes_of(battle, unit.row) and other.row not in foes_of(battle, unit.row)
    assert pose(battle, unit)[1] == pytest.approx(14.2, abs=1e-3)  # an inch short of who stands there


@pytest.mark.rule("wap.charge.unusual.no-undeclared-contact")
def test_nobody_else_is_touched() -> None:
    """An enemy beside the target, its front on the same line: the place with most models would touch it."""
    scene = RegimentScene()
    unit = scene.unit(0, None, (27, 10), models=20, files=5)
    target = scene.unit(1, None, (24, 20), models=20, files=5)
    other = scene.unit(1, None, (29.5, 20), models=20, files=5)
    battle = scene.battle("movement")
    alone = placed(battle, unit, target, FRONT)
    both = best_place(battle, unit.row, [(target.row, FRONT), (other.row, FRONT)])
    assert alone is not None and both is not None and both.contacts > alone.contacts
    move_into_contact(battle, unit.row, alone, "wap.charge.move.contact")
    assert foes_of(battle, unit.row) == [target.row]
    assert pose(battle, unit)[0] + 2.5 < 27.0


@pytest.mark.rule("wap.move.one-inch.charge")
def test_chargers_go_within_an_inch_of_others() -> None:
    scene = RegimentScene()
    unit = scene.unit(0, None, (24, 10), models=20, files=5)
    target = scene.unit(1, None, (24, 20), models=20, files=5)
    near = scene.unit(1, None, (29.3, 19.5), models=20, files=5)  # 0.3" beside the way and the place
    battle = scene.battle("movement")
    place = charged(battle, unit, target)
    assert place.way == pytest.approx((10.0, 0.0, 0.0, 0.0)) and place.contacts == 10
    assert foes_of(battle, unit.row) == [target.row]
    assert not engaged(battle, near.row)


@pytest.mark.rule("wap.move.one-inch.nudge", "wap.move.one-inch.charge")
@pytest.mark.parametrize("owner", [0, 1])
@pytest.mark.parametrize("gap", [0.3, 0.02])
def test_nobody_is_nudged_apart_after_a_charge(owner: int, gap: float) -> None:
    """Of either player: it stays where it is beside the charger, and is not in the fight."""
    scene = RegimentScene()
    unit = scene.unit(0, None, (24, 10), models=20, files=5)
    target = scene.unit(1, None, (24, 18), models=20, files=5)
    near = scene.unit(owner, None, (29 + gap, 17.5), models=20, files=5, facing=SOUTH)  # beside the end of the charge
    idle = scene.unit(0, None, (6, 6))
    battle = scene.battle("movement", dice=[6, 6])
    stood = pose(battle, near)
    charge(battle, unit, target)
    if kind(battle) == "charge-reaction":
        react(battle, HOLD)
    over(battle)
    assert pose(battle, unit) == pytest.approx((24.0, 18.0, NORTH), abs=1e-3)
    assert pose(battle, near) == stood
    assert distance(battle, unit.row, near.row) == pytest.approx(gap, abs=1e-6)
    assert foes_of(battle, unit.row) == [target.row] and not foes_of(battle, near.row)
    assert not engaged(battle, near.row)
    assert kind(battle) == "select-to-move"
    free = [handle.number for handle in (near, idle) if handle.player == 0]
    assert slots(battle, "own") == free  # as before; who charged is not


@pytest.mark.rule("wap.move.single.charge-wheel")
def test_a_single_model_charges_by_a_wheel() -> None:
    """40 degrees to its left; a pivot on its centre would leave the wheel at 0 and the corner where it was."""
    scene = RegimentScene()
    unit = scene.unit(0, square(base_mm=[50.8, 50.8], m=6), (24, 10), models=1)
    far = 12.0
    aim = NORTH + radians(40)
    target = scene.unit(
        1, None, (24 + far * cos(aim), 10 + far * sin(aim)), models=20, files=5, facing=SOUTH + radians(40)
    )
    battle = scene.battle("movement")
    place = charged(battle, unit, target)
    before, turn, behind, closing = place.way
    assert 0.0 < turn <= QUARTER
    # about the left front corner: the middle of its front goes round it, then straight on
    cx, cy = 23.0, 10.0 + before
    f = NORTH + turn
    x, y = cx + sin(f) + behind * cos(f), cy - cos(f) + behind * sin(f)
    if abs(closing) < 1e-6:
        assert pose(battle, unit) == pytest.approx((x, y, f))
    assert pose(battle, unit)[2] == pytest.approx(NORTH + radians(40))


@pytest.mark.rule("wap.charge.move.wheel", "wap.charge.declare.impossible")
@pytest.mark.parametrize("player", [0, 1])
def test_the_only_way_may_end_with_the_wheel(player: int) -> None:
    """Past a friend only a wheel by 40.96 degrees leads into the left flank, and with it the unit is there; none of
    whole degrees does."""
    scene = RegimentScene((36, 36), rules={"small_target": 0})
    unit = scene.unit(player, None, (17.541, 7.945), models=10, files=5, facing=1.544)
    foe = scene.unit(1 - player, None, (18.212, 15.686), models=10, files=5, facing=-2.837)
    scene.unit(player, None, (14.403, 11.112), models=4, files=2, facing=-2.541)
    battle = scene.battle("movement", player=player, dice=[6, 6])
    charge(battle, unit, foe)
    react(battle, HOLD)
    over(battle)
    assert foes_of(battle, unit.row) == [foe.row]
    assert pose(battle, unit)[2] == pytest.approx(1.544 + radians(40.96), abs=1e-3)
