"""Declaring charges: who may, on whom, and what has to be possible."""

from __future__ import annotations

from math import pi

import pytest
from charging import FLEE, HOLD, charge, charged, chargers, facing_off, over, react, targets
from marching import FAR_AWAY

from wh_env.rulesets.wap.charge.targets import aims_at, in_front_arc
from wh_env.testing import choose, dice_left, kind, slots, told
from wh_env.testing.play import words
from wh_env.testing.wap import EAST, NORTH, SOUTH, WEST, RegimentScene, pose, square, who_see


@pytest.mark.rule("wap.charge.step", "wap.charge.reaction.timing")
def test_a_charge_is_answered_before_the_next_is_declared_and_nobody_moves_before_the_last() -> None:
    scene = RegimentScene()
    a = scene.unit(0, None, (12, 12), models=10, files=5)
    b = scene.unit(0, None, (32, 12), models=10, files=5)
    x = scene.unit(1, None, (12, 19), models=10, files=5)
    y = scene.unit(1, None, (32, 19), models=10, files=5)
    battle = scene.battle("movement", dice=[3, 4])
    assert chargers(battle) == [0, 1]
    charge(battle, a, x)
    assert (kind(battle), battle.clock.player[0], battle.clock.subject[0]) == ("charge-reaction", 1, x.row)
    react(battle, FLEE)
    assert dice_left(battle) == 0  # it has fled
    assert pose(battle, x)[1] == pytest.approx(12 + 7 + 7 + 2)  # turned about, its front two ranks farther away
    assert pose(battle, a) == (12, 12, NORTH)
    assert chargers(battle) == [1]
    charge(battle, b, y)
    react(battle, HOLD)
    order = [event.kind for event in battle.events if event.kind in ("declares a charge", "charge roll")]
    assert order == ["declares a charge", "declares a charge", "charge roll", "charge roll"]  # nobody else can charge


@pytest.mark.rule("wap.charge.voluntary")
def test_nobody_has_to_charge() -> None:
    scene, unit, _ = facing_off(3.0)
    battle = scene.battle("movement")
    assert slots(battle, "done") == [0] and chargers(battle) == [0]
    choose(battle, "done")
    assert kind(battle) == "select-to-move"
    assert pose(battle, unit) == (24, 12, NORTH) and battle.units.did[unit] == 0


@pytest.mark.rule("wap.charge.only-way")
def test_no_other_move_ends_in_contact() -> None:
    scene, unit, foe = facing_off(2.0)
    battle = scene.battle("movement", detail="full")
    over(battle)
    choose(battle, "own", unit.number)
    choose(battle, "option", 1)
    choose(battle, "option", 0)
    lengths = slots(battle, "number")
    choose(battle, "number", lengths[-1])
    while kind(battle) == "leg":
        choose(battle, "option", 4)
    assert pose(battle, unit)[1] == pytest.approx(13.0, abs=1e-4)
    assert battle.units.fights[foe] == 0


@pytest.mark.rule("wap.charge.declare")
def test_both_targets_are_offered_with_their_distances() -> None:
    scene = RegimentScene()
    unit = scene.unit(0, None, (24, 12), models=10, files=5)
    near = scene.unit(1, None, (22, 18), models=3, files=3)
    far = scene.unit(1, None, (27, 21), models=3, files=3)
    battle = scene.battle("movement")
    choose(battle, "own", unit.number)
    assert (kind(battle), slots(battle, "enemy")) == ("charge-target", [near.number, far.number])
    assert [word[-9:] for word in words(battle).values()] == ['6.0" away', '9.0" away']
    choose(battle, "enemy", far.number)
    assert charged(battle, unit) == [far.row]


@pytest.mark.parametrize(("x", "may"), [(8.4, True), (8.6, False)])
@pytest.mark.rule("wap.charge.declare.sight-and-arc")
def test_a_target_lies_at_least_partly_in_the_front_arc(x: float, may: bool) -> None:
    """The unit covers x -2.5..2.5, y -4..0 about (20, 20). Of the enemy, two bases one behind the other that look west, the corner farthest in front
    is at (x - 2.5, 3.5) from there: in the front arc to the left of (6, 3.5)."""
    scene = RegimentScene()
    unit = scene.unit(0, None, (20, 20), models=20, files=5)
    scene.unit(1, None, (20 + x - 2.5, 23), models=2, files=1, facing=WEST)
    scene.unit(1, None, FAR_AWAY)
    battle = scene.battle("movement", run=False)
    assert bool(in_front_arc(battle.units.rows, battle.parts.rows, unit.row, 1)) == may
    battle.run()
    assert chargers(battle) == ([0] if may else [])


@pytest.mark.rule("wap.charge.declare.sight-and-arc")
def test_an_enemy_wholly_in_the_flank_is_not_charged() -> None:
    scene = RegimentScene()
    scene.unit(0, None, (20, 20), models=20, files=5)
    scene.unit(1, None, (26, 17), models=5, files=5, facing=WEST)
    battle = scene.battle("movement")
    assert chargers(battle) == []


@pytest.mark.parametrize(("wide", "may"), [(10, False), (6, True)])
@pytest.mark.rule("wap.charge.declare.sight-and-arc")
def test_a_target_is_seen_by_one_model(wide: int, may: bool) -> None:
    """A friend in front hides the enemy from all; where he is narrower the last file sees past him, and might charge if he did as well."""
    scene = RegimentScene()
    unit = scene.unit(0, None, (20, 20), models=5)
    friend = scene.unit(0, None, (20 + 0.5 * (10 - wide), 22), models=wide, files=wide)
    foe = scene.unit(1, None, (20, 26), models=5)
    battle = scene.battle("movement")
    assert bool(who_see(battle, unit.row, foe.row)) == may
    charge(battle, friend, foe)
    react(battle, HOLD)
    assert (unit.number in chargers(battle)) == may


@pytest.mark.rule("wap.charge.declare.barred")
def test_only_free_units_declare_charges() -> None:
    scene = RegimentScene()
    engaged = scene.unit(0, None, (8, 20), models=5)
    free = scene.unit(0, None, (24, 20), models=5)
    flees = scene.unit(0, None, (40, 20), models=5, fleeing=1)
    wild = scene.unit(0, square(rules=["Random Movement (2D6)"]), (24, 10), models=5)
    foe = scene.beside(engaged, 1, models=5)
    scene.unit(1, None, (24, 25), models=5)
    scene.unit(1, None, (40, 25), models=5)
    scene.unit(1, None, (10, 25), models=5)
    battle = scene.battle("movement")
    assert battle.units.fights[engaged] == battle.units.fights[foe] == 1
    assert chargers(battle) == [free.number]
    assert flees.number not in chargers(battle) and wild.number not in chargers(battle)


@pytest.mark.parametrize(("gap", "may"), [(10.0, True), (10.1, False)])
@pytest.mark.rule("wap.charge.declare.impossible")
def test_a_charge_reaches_its_target_at_the_best_dice(gap: float, may: bool) -> None:
    scene, unit, foe = facing_off(gap)
    battle = scene.battle("movement")
    assert targets(battle, unit) == ([foe.number] if may else [])


@pytest.mark.parametrize("sealed", [True, False])
@pytest.mark.rule("wap.charge.declare.impossible")
def test_nobody_charges_where_he_can_only_look(sealed: bool) -> None:
    """Small pieces of impassable ground with gaps between them, through which one sees and does not march; without them it is a charge."""
    scene, unit, foe = facing_off(6.0)
    if sealed:
        for x in range(2, 47, 3):
            scene.area("impassable", x, 14, x + 2, 16)
    battle = scene.battle("movement")
    assert targets(battle, unit) == ([] if sealed else [foe.number])


@pytest.mark.parametrize(("who", "may"), [("charges", True), ("stays", False), ("fights", False)])
@pytest.mark.rule("wap.charge.declare.may-clear")
def test_a_friend_in_the_way_who_charges_may_clear_it(who: str, may: bool) -> None:
    """Friends of lesser height stand all across the way, seen over. Behind them stands the enemy whom a unit wants to charge."""
    scene = RegimentScene()
    tall = {"type": "monstrous infantry", "base_mm": [50.8, 50.8]}
    unit = scene.unit(0, square(**tall), (24, 12), models=3, files=3)
    wall = scene.unit(0, None, (24, 15), models=20, files=20)
    foe = scene.unit(1, square(**tall), (24, 20), models=3, files=3)
    if who == "fights":
        scene.beside(wall, 1, models=1, along=8.0)
    scene.area("impassable", 0, 13, 13, 16)
    scene.area("impassable", 35, 13, 48, 16)
    battle = scene.battle("movement")
    assert unit.number not in chargers(battle)
    if who == "charges":
        charge(battle, wall, foe)
        react(battle, HOLD)
    assert (unit.number in chargers(battle)) == may


@pytest.mark.parametrize("other", [True, False])
@pytest.mark.rule("wap.charge.declare.may-clear")
def test_an_enemy_in_the_way_whom_another_unit_can_charge_may_flee(other: bool) -> None:
    scene = RegimentScene()
    tall = {"type": "monstrous infantry", "base_mm": [50.8, 50.8]}
    unit = scene.unit(0, square(**tall), (24, 12), models=3, files=3)
    scene.unit(1, None, (24, 16), models=20, files=20)
    foe = scene.unit(1, square(**tall), (24, 20), models=3, files=3)
    scene.area("impassable", 0, 13, 13.5, 18)
    scene.area("impassable", 34.5, 13, 48, 18)
    if other:
        scene.unit(0, None, (18, 10), models=5)
    battle = scene.battle("movement", run=False)
    assert bool(aims_at(battle, unit.row, foe.row)) == other


def pair(apart: float) -> tuple[RegimentScene, list[int]]:
    """Two enemy units side by side, both shooting, and a unit before the gap between them."""
    scene = RegimentScene()
    unit = scene.unit(0, None, (24, 12), models=5)
    x = scene.unit(1, square(equipment=["short bow"]), (24, 18), models=1, files=1)
    y = scene.unit(1, square(equipment=["short bow"]), (25.0 + apart, 18), models=1, files=1)
    z = scene.unit(1, None, (23.0 - apart, 18), models=1, files=1)
    return scene, [unit.row, x.row, y.row, z.row]


@pytest.mark.rule("wap.charge.two-targets")
def test_enemies_who_cannot_be_avoided_are_charged_too() -> None:
    scene, (unit, x, y, z) = pair(0.2)
    battle = scene.battle("movement")
    choose(battle, "own", 0)
    choose(battle, "enemy", 0)
    c = battle.charges
    found = {int(c.target[k]) for k in range(len(c.unit)) if c.unit[k] == unit}
    assert x in found and found & {y, z}
    reacting = []
    while kind(battle) == "charge-reaction":
        reacting.append(battle.clock.subject[0])
        choose(battle, "option", 1 if len(reacting) == 1 else 0)  # the first stands and shoots, others hold
    assert sorted(reacting) == sorted(found)
    assert told(battle, "wap.charge.two-targets")


@pytest.mark.rule("wap.charge.two-targets")
def test_whom_a_charge_can_avoid_it_is_not_declared_on() -> None:
    scene, (unit, x, _, _) = pair(6.0)
    battle = scene.battle("movement")
    choose(battle, "own", 0)
    if kind(battle) == "charge-target":
        choose(battle, "enemy", 0)
    c = battle.charges
    assert [int(c.target[k]) for k in range(len(c.unit)) if c.unit[k] == unit] == [x]


def test_directions_of_the_arc() -> None:
    """An enemy far behind, one that covers the whole front, one whose edge passes before the middle."""
    scene = RegimentScene()
    unit = scene.unit(0, None, (24, 24), models=10, files=5, facing=EAST)
    behind = scene.unit(1, None, (10, 24), models=5, facing=EAST)
    wide = scene.unit(1, None, (30, 24), models=40, files=20, facing=WEST)
    oblique = scene.unit(1, None, (40, 34), models=5, facing=0.75 * pi)
    battle = scene.battle("movement", run=False)
    found = [
        bool(in_front_arc(battle.units.rows, battle.parts.rows, unit.row, foe.row)) for foe in (behind, wide, oblique)
    ]
    assert found == [False, True, True]
    assert SOUTH < 0
