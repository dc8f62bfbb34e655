"""Plain moves: how far, straight, as one, an inch apart, backward and sideways, at the edge of the table."""

from __future__ import annotations

from math import pi

import pytest
from marching import (
    ADVANCE,
    BACK,
    FAR_AWAY,
    FINISH,
    FORWARD,
    LEFT,
    MARCH,
    MOST,
    PIVOT,
    REFORM,
    RIGHT,
    STAY,
    WHEEL_LEFT,
    WHEEL_RIGHT,
    ahead,
    alone,
    cell_of,
    degrees,
    finish,
    go,
    leg,
    limit,
    manoeuvres,
    places_to_go,
)

from wh_env import Battle
from wh_env.rulesets.wap.basics.profiles import movement_of
from wh_env.rulesets.wap.casualties.removing import slay
from wh_env.testing import choose, kind, slots
from wh_env.testing.wap import EAST, NORTH, RegimentScene, UnitHandle, corners, pose, square


def lengths(battle: Battle, which: int) -> list[int]:
    copy = battle.clone()
    choose(copy, "option", which)
    return slots(copy, "number")


@pytest.mark.rule("wap.move.basic.distance")
def test_a_unit_moves_up_to_its_movement() -> None:
    battle, unit = alone(at=(20.0, 10.0))
    go(battle, unit, ADVANCE)
    assert lengths(battle, FORWARD) == [*range(ahead(4.0) + 1), MOST]
    assert limit(battle, FORWARD) == 4.0
    for far in (0.5, 2.0, 4.0):
        copy = battle.clone()
        leg(copy, FORWARD, ahead(far))
        finish(copy)
        assert pose(copy, unit) == pytest.approx((20.0, 10.0 + far, NORTH))
    leg(battle, FORWARD, ahead(4.0))
    assert battle.clock.turn[0] == 1  # with nothing left to spend its move is over


@pytest.mark.rule("wap.move.basic.distance")
def test_no_cell_is_farther_than_the_movement() -> None:
    battle, unit = alone(at=(20.0, 10.0), detail="squad")
    go(battle, unit, ADVANCE)
    places = places_to_go(battle)
    assert max(places[:, 1]) == pytest.approx(14.0)
    assert ((places - (20.0, 10.0)) ** 2).sum(axis=1).max() <= 16.0 + 1e-6
    choose(battle, "cell", cell_of(battle, 20.0, 14.0))
    assert pose(battle, unit) == pytest.approx((20.0, 14.0, NORTH))


@pytest.mark.rule("wap.move.basic.straight")
def test_straight_ahead_or_by_a_manoeuvre() -> None:
    """(2, 3) is reached only with another facing, (0, 3) with the same."""
    battle, unit = alone(models=2, files=2, at=(20.0, 10.0), card=square(m=8), detail="squad")
    go(battle, unit, ADVANCE)
    ends = {}
    for x, y in ((20.0, 13.0), (22.0, 13.0)):
        copy = battle.clone()
        choose(copy, "cell", cell_of(copy, x, y))
        if kind(copy) == "end-wheel":
            choose(copy, "number", 0)
        ends[x] = pose(copy, unit)
    assert ends[20.0] == pytest.approx((20.0, 13.0, NORTH))
    assert ends[22.0][:2] == pytest.approx((22.0, 13.0))
    assert abs(ends[22.0][2] - NORTH) > 0.5
    battle, unit = alone(at=(20.0, 10.0))
    go(battle, unit, ADVANCE)
    assert PIVOT not in slots(battle, "option")
    leg(battle, FORWARD, ahead(3.0))
    finish(battle)
    assert pose(battle, unit) == pytest.approx((20.0, 13.0, NORTH))


@pytest.mark.rule("wap.move.basic.one-unit")
def test_the_unit_moves_at_its_slowest() -> None:
    """One of them, their champion, has M4, the others M5; when he is lost they move 5"."""
    scene = RegimentScene()
    unit = scene.unit(0, square(m=5), (20, 10), models=10, command=("champion",))
    scene.unit(1, None, FAR_AWAY)

    def slow(battle: Battle) -> None:
        battle.lines.m[battle.models.line[unit.model()]] = 4

    def fallen(battle: Battle) -> None:
        slow(battle)
        slay(battle, unit.model())

    for state, most in ((slow, 4.0), (fallen, 5.0), (None, 5.0)):
        battle = scene.battle("movement", detail="full", set_state=state)
        assert movement_of(battle, unit.row) == most  # for whatever is measured by it
        go(battle, unit, ADVANCE)
        assert limit(battle, FORWARD) == most


@pytest.mark.rule("wap.move.basic.same-point")
def test_front_to_front() -> None:
    battle, unit = alone(at=(20.0, 10.0))
    go(battle, unit, ADVANCE)
    leg(battle, FORWARD, ahead(4.0))
    finish(battle)
    y = [y for _, y in corners(battle, unit)]
    assert (max(y), min(y)) == pytest.approx((14.0, 10.0))


def facing_something(what: str, detail: str = "full", gap: float = 3.0) -> tuple[Battle, UnitHandle]:
    """Something ``gap`` inches ahead of a unit with M4 whose front is at (20, 10)."""
    scene = RegimentScene()
    unit = scene.unit(0, None, (20, 10), models=20)
    front = 10.0 + gap
    if what == "enemy":
        scene.unit(1, None, (20, front))
    elif what == "friend":
        scene.unit(0, None, (20, front + 2.0), models=10, facing=NORTH)
    else:
        scene.area("impassable", 16, front, 24, front + 3)
    scene.unit(1, None, FAR_AWAY)
    return scene.battle("movement", detail=detail), unit


@pytest.mark.parametrize("what", ["enemy", "friend", "rock"])
@pytest.mark.rule("wap.move.one-inch", "wap.terrain.impassable.no-entry")
def test_an_inch_is_kept(what: str) -> None:
    battle, unit = facing_something(what)
    go(battle, unit, ADVANCE)
    assert limit(battle, FORWARD) == 2.0
    assert lengths(battle, FORWARD) == [0, 1, 2, 3, MOST]
    leg(battle, FORWARD, ahead(2.0))
    finish(battle)
    assert pose(battle, unit)[1] == pytest.approx(12.0)
    squad, unit = facing_something(what, "squad")
    go(squad, unit, ADVANCE)
    assert max(places_to_go(squad)[:, 1]) == pytest.approx(12.0)


@pytest.mark.rule("wap.move.one-inch")
def test_who_is_nearer_may_leave_but_not_come_nearer() -> None:
    battle, unit = facing_something("friend", gap=0.6)
    assert manoeuvres(battle, unit) == [STAY, BACK, LEFT, RIGHT, REFORM]
    choose(battle, "option", BACK)
    assert slots(battle, "number")[-1] == MOST
    choose(battle, "number", 0)
    assert pose(battle, unit) == pytest.approx((20.0, 9.75, NORTH))


# ---------------------------------------------------------------- backward, sideways


@pytest.mark.parametrize(("movement", "most"), [(4, 2.0), (5, 2.5)])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.rule("wap.move.other.backward")
def test_backward_at_half_speed(movement: int, most: float, detail: str) -> None:
    battle, unit = alone(card=square(m=movement), detail=detail)
    go(battle, unit, BACK)
    assert slots(battle, "number") == [*range(round(most / 0.25)), MOST]
    choose(battle, "number", MOST)
    assert pose(battle, unit) == pytest.approx((20.0, 20.0 - most, NORTH))


@pytest.mark.parametrize(("way", "sign"), [(LEFT, -1), (RIGHT, 1)])
@pytest.mark.rule("wap.move.other.sideways")
def test_sideways_at_half_speed(way: int, sign: int) -> None:
    battle, unit = alone()
    go(battle, unit, way)
    ends = set()
    for slot in slots(battle, "number"):
        copy = battle.clone()
        choose(copy, "number", slot)
        x, y, facing = pose(copy, unit)
        assert (y, facing) == pytest.approx((20.0, NORTH))
        ends.add(round(sign * (x - 20.0), 6))
    assert ends == {0.25 * k for k in range(1, 9)}


@pytest.mark.rule("wap.move.other.no-mixing", "wap.move.wheel.no-backward")
def test_ways_do_not_mix() -> None:
    battle, unit = alone()
    go(battle, unit, ADVANCE)
    leg(battle, FORWARD, ahead(1.0))
    assert slots(battle, "option") == [FORWARD, WHEEL_LEFT, WHEEL_RIGHT, FINISH]  # ahead and wheels, nothing else
    choose(battle, "option", FORWARD)
    assert {
        battle.describe(battle.setup.space.number + k).split('"')[1].split(",")[0] for k in slots(battle, "number")
    } == {" straight ahead"}
    for way in (BACK, LEFT):
        battle, unit = alone()
        go(battle, unit, way)
        choose(battle, "number", 1)  # half an inch, an inch of its allowance
        assert battle.units.spent[unit] == pytest.approx(1.0)
        assert kind(battle) != "leg" and battle.clock.turn[0] == 1  # its move is over, and no wheel came with it


# ---------------------------------------------------------------- the edge of the table


@pytest.mark.rule("wap.move.table.stay")
def test_nobody_leaves_the_table() -> None:
    battle, unit = alone(at=(20.0, 45.0))
    go(battle, unit, ADVANCE)
    assert limit(battle, FORWARD) == 3.0
    battle, unit = alone(at=(20.0, 45.0), detail="squad")
    go(battle, unit, ADVANCE)
    assert max(places_to_go(battle)[:, 1]) == pytest.approx(45.0 + 3.0)


def beside_the_edge(gap: float) -> tuple[Battle, UnitHandle]:
    """A unit 4 wide and 4 deep that faces north, ``gap`` from the western edge."""
    battle, unit = alone(models=16, files=4, at=(2.0 + gap, 20.0), card=square(m=6))
    go(battle, unit, ADVANCE)
    return battle, unit


@pytest.mark.rule("wap.move.table.overhang")
def test_a_corner_may_sweep_over_the_edge() -> None:
    """A wheel to the right by 90 degrees: the rear left corner is over the edge on the way and off it at the end."""
    battle, unit = beside_the_edge(0.3)
    choose(battle, "option", WHEEL_RIGHT)
    fine = slots(battle, "number")
    over = [k for k in range(degrees(80) + 1) if corner_x(battle, unit, k) < -1e-3]
    assert over  # on its way
    end = next(k for k in fine if corner_x(battle, unit, k) > 0.05 and k > over[0])
    choose(battle, "number", end)
    finish(battle)
    assert min(x for x, _ in corners(battle, unit)) > 0.0


@pytest.mark.rule("wap.move.table.overhang")
def test_nobody_ends_over_the_edge() -> None:
    """Over the edge a move goes on only to where it can end, and does not end there; where none can, it is not offered."""
    battle, unit = beside_the_edge(0.1)
    copy = battle.clone()
    choose(copy, "option", WHEEL_RIGHT)
    over = [k for k in slots(copy, "number") if k != MOST and corner_x(copy, unit, k) < -1e-3]
    assert over
    choose(copy, "number", over[0])
    assert FINISH not in slots(copy, "option")
    assert FORWARD in slots(copy, "option")
    choose(copy, "option", FORWARD)
    choose(copy, "number", MOST)
    finish(copy)
    assert min(x for x, _ in corners(copy, unit)) > -1e-3
    # where the rest does not lead back on to the table the wheel is not offered: M2 pays 28.6 degrees, and has none left for more
    battle, unit = alone(models=16, files=4, at=(2.1, 20.0), card=square(m=2))
    go(battle, unit, ADVANCE)
    assert slots(battle, "option") == [FORWARD, WHEEL_LEFT, FINISH]
    squad, unit = alone(models=16, files=4, at=(2.1, 20.0), card=square(m=2), detail="squad")
    go(squad, unit, ADVANCE)
    choose(squad, "cell", cell_of(squad, 2.1, 20.0))
    for slot in slots(squad, "number"):
        copy = squad.clone()
        choose(copy, "number", slot)
        assert min(x for x, _ in corners(copy, unit)) > -1e-3


@pytest.mark.rule("wap.move.table.overhang")
def test_a_wheel_over_the_edge_must_lead_back() -> None:
    """0.1" from the edge with M4: after 5 degrees (0.35") the corner is 0.23" over it and 2.68" bring it back, after 10 degrees (0.70") 3.07" do;
    after 15 (1.05") it would take 3.09", more than is left."""
    battle, unit = alone(models=16, files=4, at=(2.1, 20.0))
    go(battle, unit, ADVANCE)
    choose(battle, "option", WHEEL_RIGHT)
    assert slots(battle, "number") == [0, 1]
    choose(battle, "number", 1)
    assert FORWARD in slots(battle, "option") and FINISH not in slots(battle, "option")
    choose(battle, "option", FORWARD)
    for slot in slots(battle, "number"):
        copy = battle.clone()
        choose(copy, "number", slot)
        if kind(copy) == "leg" and FINISH not in slots(copy, "option"):
            choose(copy, "option", FORWARD)
        if kind(copy) == "leg-length":
            choose(copy, "number", MOST)
        finish(copy)
        assert min(x for x, _ in corners(copy, unit)) > -1e-3


def corner_x(battle: Battle, unit: UnitHandle, slot: int) -> float:
    """x of the rear left corner after a wheel to the right by a slot: worked out by hand about the right front corner."""
    from math import cos, sin

    angle = -(slot + 1) * 5 * pi / 180
    px = battle.units.x[unit] + 2.0
    return px + cos(angle) * -4.0 - sin(angle) * -4.0


@pytest.mark.rule("wap.move.other.one-by-one")
def test_a_move_is_finished_before_the_next() -> None:
    scene = RegimentScene()
    first, second = scene.unit(0, None, (10, 10)), scene.unit(0, None, (30, 10))
    scene.unit(1, None, FAR_AWAY)
    battle = scene.battle("movement", detail="full")
    go(battle, first, ADVANCE)
    leg(battle, FORWARD, ahead(2.0))
    finish(battle)
    assert slots(battle, "own") == [second.number]
    go(battle, second, ADVANCE)
    leg(battle, FORWARD, ahead(1.0))
    finish(battle)
    assert battle.clock.turn[0] == 1  # the remaining 2" are not offered


@pytest.mark.parametrize("facing", [NORTH, EAST, 0.3])
def test_marches_and_moves_are_offered(facing: float) -> None:
    battle, unit = alone(facing=facing)
    assert manoeuvres(battle, unit) == [STAY, ADVANCE, MARCH, BACK, LEFT, RIGHT, REFORM]
    choose(battle, "option", STAY)
    assert pose(battle, unit) == pytest.approx((20.0, 20.0, facing))
    assert battle.clock.turn[0] == 1
