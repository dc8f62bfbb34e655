"""Wheels: about a front corner, at the cost of the arc of the other, mixed with straight moves."""

from __future__ import annotations

from math import pi

import pytest
from marching import (
    ADVANCE,
    BACK,
    FAR_AWAY,
    FINISH,
    FORWARD,
    MARCH,
    MOST,
    PIVOT,
    REFORM,
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
)

from wh_env import Battle, IllegalAction
from wh_env.testing import choose, kind, slots, told
from wh_env.testing.wap import EAST, NORTH, WEST, RegimentScene, UnitHandle, corners, pose, square


def wide(files: int, movement: int, **more: object) -> tuple[Battle, UnitHandle]:
    """A unit ``files`` inches wide whose front begins at (20, 10)."""
    return alone(files * 2, files, at=(20.0 + files / 2, 10.0), card=square(m=movement), **more)  # type: ignore[arg-type]


@pytest.mark.rule("wap.move.wheel.pivot")
def test_a_wheel_turns_about_the_front_corner() -> None:
    battle, unit = wide(4, 8)
    go(battle, unit, ADVANCE)
    leg(battle, WHEEL_LEFT, degrees(90))
    finish(battle)
    assert pose(battle, unit) == pytest.approx((20.0, 12.0, WEST))
    front = sorted(corners(battle, unit))[:2]
    assert [v for corner in front for v in corner] == pytest.approx([20.0, 10.0, 20.0, 14.0])


@pytest.mark.rule("wap.move.wheel.cost")
def test_a_wheel_costs_the_arc() -> None:
    battle, unit = wide(4, 4)
    go(battle, unit, ADVANCE)
    leg(battle, WHEEL_RIGHT, degrees(30))
    assert battle.units.spent[unit] == pytest.approx(4.0 * pi / 6)
    assert limit(battle, FORWARD) == pytest.approx(1.91, abs=0.005)
    assert told(battle, "wap.move.wheel.cost")[-1]["far"] == 2.09


@pytest.mark.rule("wap.move.wheel.cost")
def test_the_greatest_wheel_is_what_the_movement_pays() -> None:
    battle, unit = wide(4, 4)
    go(battle, unit, ADVANCE)
    leg(battle, WHEEL_LEFT, MOST)
    finish(battle)
    assert pose(battle, unit)[2] == pytest.approx(NORTH + 1.0)  # 4" by 4": a radian


@pytest.mark.rule("wap.move.wheel.remaining")
def test_what_is_left_goes_straight_on() -> None:
    battle, unit = wide(5, 6)
    go(battle, unit, ADVANCE)
    leg(battle, WHEEL_RIGHT, degrees(45))
    assert limit(battle, FORWARD) == pytest.approx(6.0 - 5.0 * pi / 4, abs=0.005)  # 2.07
    before = battle.units.px[unit], battle.units.py[unit]
    leg(battle, FORWARD, MOST)
    finish(battle)
    x, y, facing = pose(battle, unit)
    assert facing == pytest.approx(pi / 4)
    far = 6.0 - 5.0 * pi / 4
    assert (x - before[0], y - before[1]) == pytest.approx((far * 0.5**0.5, far * 0.5**0.5))


@pytest.mark.rule("wap.move.wheel.several")
def test_three_wheels_round_a_wood() -> None:
    battle, unit = wide(3, 8)
    go(battle, unit, ADVANCE)
    for which, slot in (
        (WHEEL_RIGHT, degrees(30)), (FORWARD, ahead(1.0)), (WHEEL_LEFT, degrees(30)), (FORWARD, ahead(2.0)), (WHEEL_LEFT, degrees(30)),
    ):  # fmt: skip
        leg(battle, which, slot)
    assert battle.units.spent[unit] == pytest.approx(3 * 3.0 * pi / 6 + 3.0)  # 7.71
    assert limit(battle, FORWARD) == pytest.approx(0.29, abs=0.005)
    with pytest.raises(IllegalAction):
        leg(battle, FORWARD, ahead(0.5))
    battle, unit = wide(3, 8, detail="squad")
    go(battle, unit, ADVANCE)
    choose(battle, "cell", cell_of(battle, 23.5, 13.0))
    assert kind(battle) == "end-wheel"
    turned = battle.units.pf[unit]
    choose(battle, "number", 2)
    assert pose(battle, unit)[2] == pytest.approx(turned + pi / 12)  # two wheels in one move


@pytest.mark.rule("wap.move.wheel.no-backward")
def test_no_wheel_goes_backward() -> None:
    """Whatever corner is the pivot, the other one goes ahead; who goes back does not wheel."""
    for which, corner in ((WHEEL_LEFT, 1), (WHEEL_RIGHT, 0)):
        battle, unit = wide(4, 4)
        before = corners(battle, unit)[corner]
        go(battle, unit, ADVANCE)
        choose(battle, "option", which)
        for slot in slots(battle, "number"):
            copy = battle.clone()
            choose(copy, "number", slot)
            finish(copy)
            assert corners(copy, unit)[corner][1] > before[1]
    battle, unit = wide(4, 4)
    go(battle, unit, BACK)
    assert kind(battle) == "leg-length"
    choose(battle, "number", 0)
    assert battle.clock.turn[0] == 1 and pose(battle, unit)[2] == NORTH


@pytest.mark.rule("wap.move.manoeuvre.list")
def test_a_unit_turns_by_a_wheel_or_a_reform() -> None:
    for detail in ("squad", "full"):
        battle, unit = alone(detail=detail, card=square(m=8))
        assert {ADVANCE, REFORM} <= set(manoeuvres(battle, unit))
        reform = battle.clone()
        choose(reform, "option", REFORM)
        choose(reform, "number", 4)
        assert 0 in slots(reform, "angle")  # to face east
        choose(battle, "option", ADVANCE)
        if detail == "full":
            assert PIVOT not in slots(battle, "option")
            assert WHEEL_RIGHT in slots(battle, "option")
            leg(battle, WHEEL_RIGHT, degrees(90))
            finish(battle)
            assert pose(battle, unit)[2] == pytest.approx(EAST)
            assert pose(battle, unit)[:2] != pytest.approx((20.0, 20.0))  # never on the spot
        else:
            assert kind(battle) == "move-to" and not slots(battle, "angle")


@pytest.mark.rule("wap.move.manoeuvre.one-inch")
def test_a_wheel_keeps_an_inch() -> None:
    """A friend 1.5" to the right of a unit: a wheel to the left swings its rear right corner towards it."""
    scene = RegimentScene()
    unit = scene.unit(0, square(m=4), (20, 20), models=20, files=5)
    scene.unit(0, None, (26, 19), models=16, files=8, facing=EAST)
    scene.unit(1, None, FAR_AWAY)
    battle = scene.battle("movement", detail="full")
    go(battle, unit, ADVANCE)
    choose(battle, "option", WHEEL_LEFT)
    # the corner (5, -4) from the pivot (17.5, 20) turned by t; the friend begins at x = 24
    from math import cos, sin

    def gap(slot: int) -> float:
        t = (slot + 1) * pi / 36
        return 24.0 - (17.5 + 5.0 * cos(t) + 4.0 * sin(t))

    fine = slots(battle, "number")
    assert gap(0) > 1.0 and 0 in fine
    near = [k for k in range(9) if gap(k) < 0.999]
    assert near and not set(near) & set(fine)
    assert {k for k in range(8) if all(gap(j) >= 1.0 for j in range(k + 1))} <= set(fine)


@pytest.mark.rule("wap.move.march.limits")
def test_a_march_wheels_and_nothing_else() -> None:
    battle, unit = wide(4, 4)
    assert MARCH in manoeuvres(battle, unit)
    choose(battle, "option", MARCH)
    assert slots(battle, "option") == [FORWARD, WHEEL_LEFT, WHEEL_RIGHT, FINISH]
    leg(battle, WHEEL_LEFT, degrees(45))
    assert limit(battle, FORWARD) == pytest.approx(8.0 - pi, abs=0.005)
    leg(battle, FORWARD, MOST)
    finish(battle)
    assert battle.units.spent[unit] == pytest.approx(8.0)
    assert STAY not in slots(battle, "option")
