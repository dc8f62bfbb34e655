"""Pivots on the spot: of single models, in passing within an inch, pushed back, and others pushed for them."""

from __future__ import annotations

from math import cos, hypot, pi, sin

import numpy as np
import pytest
from marching import ADVANCE, FAR_AWAY, FORWARD, MARCH, PIVOT, SWIFT, ahead, alone, finish, go, leg, places_to_go

from wh_env import Battle
from wh_env.rulesets.wap.basics.blocks import distance, set_block
from wh_env.rulesets.wap.movement.aftermath import barred_from_shooting, counts_as_moved
from wh_env.rulesets.wap.ways.ways import least_axis
from wh_env.testing import choose, kind, slots, told
from wh_env.testing.wap import EAST, NORTH, SOUTH, RegimentScene, UnitHandle, pose, square


def lone(**more: object) -> tuple[Battle, UnitHandle]:
    """A single model with its front at (20, 10)."""
    return alone(1, 1, (20.0, 10.0), **more)  # type: ignore[arg-type]


@pytest.mark.rule("wap.move.single.pivot")
def test_a_single_model_pivots_on_its_march() -> None:
    battle, unit = lone()
    go(battle, unit, MARCH)
    leg(battle, FORWARD, ahead(4.0))
    choose(battle, "option", PIVOT)
    assert len(slots(battle, "angle")) == 24
    choose(battle, "angle", 0)
    assert battle.units.spent[unit] == pytest.approx(4.0)  # it costs nothing
    leg(battle, FORWARD, ahead(4.0))
    finish(battle)
    assert pose(battle, unit) == pytest.approx((20.0 + 0.5 + 4.0, 14.0 - 0.5, EAST))


@pytest.mark.rule("wap.move.single.pivot")
def test_a_chariot_does_not() -> None:
    battle, unit = alone(1, 1, (20.0, 10.0), card=square(type="chariot", base_mm=[50, 100]))
    go(battle, unit, MARCH)
    assert PIVOT not in slots(battle, "option")
    battle, unit = alone(2, 2, (20.0, 10.0))
    go(battle, unit, MARCH)
    assert PIVOT not in slots(battle, "option")


@pytest.mark.rule("wap.move.single.pivot")
def test_squad_goes_anywhere_and_faces_anywhere() -> None:
    battle, unit = lone(detail="squad")
    go(battle, unit, ADVANCE)
    places = places_to_go(battle)
    grid = np.stack(battle.pending().cells(17), axis=1)
    near = grid[np.hypot(*(grid - (20.0, 9.5)).T) <= 4.0 + 1e-6]  # the middle of its base, in every direction
    np.testing.assert_allclose(places, near)
    back = int(np.argmin(np.hypot(*(grid - (20.0, 5.5)).T)))
    choose(battle, "cell", back)
    assert kind(battle) == "pivot-to"
    choose(battle, "angle", 0)
    assert pose(battle, unit) == pytest.approx((20.5, 5.5, EAST))


@pytest.mark.rule("wap.move.single.pivot")
def test_the_last_one_of_a_unit_pivots() -> None:
    battle, unit = alone(1, 1, (20.0, 10.0), lost=9)
    assert battle.units.alive[unit] == 1
    go(battle, unit, ADVANCE)
    assert PIVOT in slots(battle, "option")


@pytest.mark.rule("wap.move.single.pivot-moved")
def test_a_pivot_counts_as_movement() -> None:
    """He may still shoot, with what moving costs him."""
    scene = RegimentScene()
    unit, other = scene.unit(0, None, (20, 10), models=1, files=1), scene.unit(0, None, (30, 10))
    scene.unit(1, None, FAR_AWAY)
    battle = scene.battle("movement", detail="full")
    go(battle, unit, ADVANCE)
    choose(battle, "option", PIVOT)
    choose(battle, "angle", 4)
    finish(battle)
    assert battle.units.spent[unit] == 0.0
    assert counts_as_moved(battle, unit.row) and not barred_from_shooting(battle, unit.row)
    assert not counts_as_moved(battle, other.row)


# ---------------------------------------------------------------- within an inch


def beside(gap: float, *, half: float = 0.0) -> tuple[Battle, UnitHandle, UnitHandle]:
    """A lone base of 4 by 1 (wide by deep) that faces north, and a friend ``gap`` north of its centre line's front edge, to its left half only."""
    scene = RegimentScene()
    unit = scene.unit(0, square(base_mm=[101.6, 25.4], type="monster"), (20, 20), models=1, files=1)  # about (20, 19.5)
    friend = scene.unit(0, None, (20.0 + half, 20.0 + gap), models=5, files=5, facing=SOUTH)
    scene.unit(1, None, FAR_AWAY)
    return scene.battle("movement", detail="full"), unit, friend


def reach_north(slot: int) -> float:
    """y of the northernmost corner of that base, its centre at (20, 19.5), after a pivot to a slot."""
    t = slot * pi / 12
    return 19.5 + max(a * 0.5 * sin(t) + b * 2.0 * cos(t) for a in (-1, 1) for b in (-1, 1))


@pytest.mark.rule("wap.move.one-inch.pivot")
def test_a_pivot_is_judged_by_its_end() -> None:
    """About to the south: on its way the corner passes 0.4" from the friend, at the end it is as far as before."""
    gap = 1.96
    battle, unit, friend = beside(gap)
    closest = 20.0 + gap - max(19.5 + hypot(0.5, 2.0) for _ in (0,))
    assert closest == pytest.approx(0.4, abs=0.01)
    go(battle, unit, ADVANCE)
    choose(battle, "option", PIVOT)
    fine = slots(battle, "angle")
    for slot in range(24):
        left = 20.0 + gap - reach_north(slot)
        assert (slot in fine) is (left >= 1.0 - 1e-5), (slot, left)
    assert 18 in fine and 0 not in fine
    choose(battle, "angle", 18)
    finish(battle)
    assert pose(battle, unit) == pytest.approx((20.0, 19.0, SOUTH + 2 * pi))
    assert distance(battle, unit.row, friend.row) == pytest.approx(1.96)
    assert told(battle, "wap.move.one-inch.pivot")


@pytest.mark.rule("wap.move.table.overhang")
def test_a_pivot_ends_on_the_table() -> None:
    """The same base 0.2" from the edge: it may only face to or from it, however it sweeps over it on the way."""
    battle, unit = alone(1, 1, (20.0, 1.2), card=square(base_mm=[101.6, 25.4], type="monster"))
    go(battle, unit, ADVANCE)
    choose(battle, "option", PIVOT)
    assert slots(battle, "angle") == [6, 18]


@pytest.mark.rule("wap.move.one-inch.pivot-back")
def test_a_pivot_into_contact_pushes_back() -> None:
    """An enemy to the north, into which the base would reach 0.3" when it turns by a quarter: it ends 1.3" to the south."""
    scene = RegimentScene()
    unit = scene.unit(0, square(base_mm=[101.6, 25.4], type="monster"), (20, 20), models=1, files=1)
    enemy = scene.unit(1, None, (20, 19.5 + 2.0 - 0.3), models=5, files=5)
    battle = scene.battle("movement", detail="full")
    go(battle, unit, ADVANCE)
    choose(battle, "option", PIVOT)
    choose(battle, "angle", 0)
    finish(battle)
    x, y, facing = pose(battle, unit)
    assert (x, y, facing) == pytest.approx((20.5, 19.5 - 1.3, EAST), abs=1e-4)
    assert distance(battle, unit.row, enemy.row) == pytest.approx(1.0, abs=1e-4)
    assert told(battle, "wap.move.one-inch.pivot-back")


@pytest.mark.parametrize(("dx", "dy"), [(0, 1), (0, -1), (1, 0), (-1, 0)])
@pytest.mark.rule("wap.move.one-inch.pivot-back")
def test_who_is_pushed_from_a_corner_goes_straight_away_from_it(dx: int, dy: int) -> None:
    """The corner of a base that stands askew reaches 0.2" into one of the four sides of another."""
    half = 0.5**0.5  # from the middle of the askew base to its corner
    x, y = 20 + dx * (0.3 + half), 20 + dy * (0.3 + half)
    corners = np.array([(x + half, y), (x, y + half), (x - half, y), (x, y - half)])
    assert least_axis(20.0, 20.0, NORTH, 0.5, 0.5, corners, 0, 4) == pytest.approx((-dx, -dy, -0.2))


def wedged(engaged: bool = False, detail: str = "full") -> tuple[Battle, UnitHandle, UnitHandle]:
    """The same base between a rock to its south and a friend to its north, with room for neither way of moving back."""
    scene = RegimentScene()
    unit = scene.unit(0, square(base_mm=[101.6, 25.4], type="monster"), (20, 20), models=1, files=1)
    friend = scene.unit(0, None, (20, 21.2 + 1.0), models=5, files=5, facing=NORTH)  # from 21.2 on
    enemy = scene.unit(1, None, FAR_AWAY)
    scene.area("impassable", 12, 12, 28, 16.4)  # 1.1" from where the base ends

    def fight(battle: Battle) -> None:
        if engaged:
            set_block(battle, enemy.row, 20.0, 22.2, SOUTH, battle.units.files[enemy])

    return scene.battle("movement", detail=detail, set_state=fight), unit, friend


@pytest.mark.rule("wap.move.one-inch.pivot-push-other")
def test_who_is_wedged_pushes_another() -> None:
    battle, unit, friend = wedged()
    go(battle, unit, ADVANCE)
    choose(battle, "option", PIVOT)
    assert 0 in slots(battle, "angle")
    choose(battle, "angle", 0)
    if kind(battle) == "pivot-push":
        choose(battle, "option", 0)
    finish(battle)
    assert pose(battle, unit) == pytest.approx((20.5, 19.5, EAST))
    assert pose(battle, friend) == pytest.approx((20.0, 22.2 + 1.3, NORTH), abs=1e-4)  # just enough
    assert distance(battle, unit.row, friend.row) == pytest.approx(1.0, abs=1e-4)
    assert told(battle, "wap.move.one-inch.pivot-push-other")


@pytest.mark.rule("wap.move.one-inch.pivot-push-other")
def test_who_fights_is_not_pushed() -> None:
    battle, unit, _ = wedged(engaged=True)
    go(battle, unit, ADVANCE)
    choose(battle, "option", PIVOT)
    assert 0 not in slots(battle, "angle") and 12 not in slots(battle, "angle")
    assert 18 in slots(battle, "angle")


@pytest.mark.rule("wap.move.one-inch.pivot-push-other")
def test_the_player_says_who_makes_room() -> None:
    """Between two friends either may be pushed."""
    scene = RegimentScene()
    unit = scene.unit(0, square(base_mm=[101.6, 25.4], type="monster"), (20, 20), models=1, files=1)
    north = scene.unit(0, None, (20, 22.2), models=5, files=5, facing=NORTH)  # from 21.2 on
    south = scene.unit(0, None, (20, 17.8), models=5, files=5, facing=NORTH)  # to 17.8
    scene.unit(1, None, FAR_AWAY)
    battle = scene.battle("movement", detail="full")
    go(battle, unit, ADVANCE)
    choose(battle, "option", PIVOT)
    choose(battle, "angle", 0)
    assert kind(battle) == "pivot-push"
    pushed = set()
    for option in slots(battle, "option"):
        copy = battle.clone()
        choose(copy, "option", option)
        finish(copy)
        moved = tuple(handle.number for handle in (north, south) if pose(copy, handle) != pose(battle, handle))
        assert all(distance(copy, unit.row, handle.row) >= 1.0 - 1e-5 for handle in (north, south))
        pushed.add(moved)
    assert {(north.number,), (south.number,)} <= pushed


@pytest.mark.rule("wap.move.one-inch.pivot-back", "wap.command.musician.swift-reform")
def test_a_swift_reform_is_pushed_back_too() -> None:
    scene = RegimentScene()
    unit = scene.unit(0, square(m=8), (20, 20), models=10, files=10, command=("musician",))  # 10 wide, 1 deep
    enemy = scene.unit(1, None, (20, 19.5 + 5.0 - 0.3), models=5, files=5)
    battle = scene.battle("movement")
    go(battle, unit, SWIFT)
    choose(battle, "angle", 0)
    assert pose(battle, unit) == pytest.approx((20.5, 19.5 - 1.3, EAST), abs=1e-4)
    assert distance(battle, unit.row, enemy.row) == pytest.approx(1.0, abs=1e-4)
