"""Obstacles that units defend (wap.terrain.obstacle.defended.*).

An enemy defends an obstacle that its charged side lies along. The charge is measured to the obstacle and stops there:
the front of the charger then lies along the charged side, as far from it as the obstacle reaches. ``contacts`` keeps
both the obstacle and those inches. Who flees defends nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, hypot, inf, sin
from typing import NamedTuple

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.flush import SIDES, side_halves, side_out
from wh_env.core.geometry.ranks import on_table_at
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import ON_TABLE, RECT, Array
from wh_env.rulesets.wap.basics.contacts import block_hull
from wh_env.rulesets.wap.basics.ground import Ground, with_trait
from wh_env.rulesets.wap.codes import OBSTACLE
from wh_env.rulesets.wap.tables import PARTS

CLOSE = 0.25  # inches between a base and an obstacle that count as base contact
ASTRIDE = 0.02  # inches that a block may reach into an obstacle before which it stands
LEAST = 0.1  # inches of a side that lie along an obstacle, at least


class Wall(NamedTuple):
    """An obstacle before a side of a unit: the number of its feature, counted from 1, and inches from the side to its
    far edge. Without one both are 0.
    """

    feature: int = 0
    deep: float = 0.0


NO_WALL = Wall()


@inner_kernel
def clip_within(points: Array, count: int, axis: int, sign: float, most: float, out: Array) -> int:
    """Write to ``out`` the part of the convex polygon ``points[:count]`` where ``sign`` times coordinate ``axis`` is at
    most ``most``. Returns how many corners it has.
    """
    found = 0
    for k in range(count):
        before = points[count - 1 if k == 0 else k - 1]
        here = points[k]
        one = sign * before[axis] - most
        two = sign * here[axis] - most
        if (one < 0.0 < two) or (two < 0.0 < one):
            share = one / (one - two)
            out[found, 0] = before[0] + share * (here[0] - before[0])
            out[found, 1] = before[1] + share * (here[1] - before[1])
            found += 1
        if two <= 0.0:
            out[found, 0] = here[0]
            out[found, 1] = here[1]
            found += 1
    return found


@inner_kernel
def lies_before(
    units: Array, piece: Array, corners: Array, u: int, side: int, room: Array
) -> tuple[float, float, float]:  # fmt: skip
    """How a convex piece of an obstacle lies before a side of unit ``u``: the first and last inch of the side along it,
    and inches from the side to its far edge; (0, 0, 0): it is not before that side. ``room``: scratch memory.

    A piece that is deeper than long, seen from the side, is an end of an obstacle that nobody stands behind.
    """
    x, y, a, b = block_hull(units, u)
    far, half = side_halves(a, b, side)
    out = side_out(units[u]["facing"], side)
    c = cos(out)
    s = sin(out)
    low = inf
    high = -inf
    for k in range(piece["count"]):
        dx = corners[piece["first"] + k, 0] - x
        dy = corners[piece["first"] + k, 1] - y
        room[0, k, 0] = c * dx + s * dy - far
        room[0, k, 1] = c * dy - s * dx
        low = min(low, room[0, k, 1])
        high = max(high, room[0, k, 1])
    n = clip_within(room[0], int(piece["count"]), 1, 1.0, half, room[1])
    n = clip_within(room[1], n, 1, -1.0, half, room[2])
    nearest = inf
    deep = -inf
    first = inf
    last = -inf
    for k in range(n):
        nearest = min(nearest, room[2, k, 0])
        deep = max(deep, room[2, k, 0])
        first = min(first, room[2, k, 1])
        last = max(last, room[2, k, 1])
    if nearest < -ASTRIDE or nearest > CLOSE or deep > high - low:
        return 0.0, 0.0, 0.0
    n = clip_within(room[2], n, 0, 1.0, CLOSE, room[1])
    left = inf
    right = -inf
    for k in range(n):
        left = min(left, room[1, k, 1])
        right = max(right, room[1, k, 1])
    if 2.0 * (right - left) < last - first:  # it runs away from the side
        return 0.0, 0.0, 0.0
    return left, right, deep


@kernel
def find_wall(
    units: Array, ground: Array, corners: Array, u: int, side: int, room: Array
) -> tuple[int, float]:  # fmt: skip
    """The obstacle before most of a side of unit ``u``, as in ``Wall``."""
    feature = -1
    low = inf
    high = -inf
    deep = 0.0
    best = LEAST
    wall = 0
    found = 0.0
    for p in range(len(ground)):
        piece = ground[p]
        if piece["kind"] != OBSTACLE:
            continue
        if piece["feature"] != feature:
            feature = piece["feature"]
            low = inf
            high = -inf
            deep = 0.0
        left, right, ahead = lies_before(units, piece, corners, u, side, room)
        if right - left <= 0.0:
            continue
        low = min(low, left)
        high = max(high, right)
        deep = max(deep, ahead)
        if high - low > best:
            best = high - low
            wall = feature + 1
            found = deep
    return wall, found


@kernel
def find_thickest(units: Array, ground: Array, corners: Array, owner: int, room: Array) -> float:
    """``thickest`` for the units of a player."""
    found = 0.0
    for u in range(len(units)):
        if units[u]["place"] == ON_TABLE and units[u]["owner"] == owner and units[u]["fleeing"] == 0:
            for side in range(SIDES):
                _, deep = find_wall(units, ground, corners, u, side, room)
                found = max(found, deep)
    return found


def with_room(g: BattleCore) -> tuple[Array, Array, Array]:
    """The ground, its corners, and scratch memory for polygons cut from it."""
    ground: Array = g.setup.statics["ground"]
    return ground, g.setup.corners, np.zeros((3, int(ground["count"].max()) + 4, 2))


def wall_before(g: BattleCore, unit: int, side: int) -> Wall:
    """The obstacle that a unit defends against a charge at one of its sides; of several that before most of the
    side.
    """
    if not with_trait(g, "obstacle") or g.units.fleeing[unit] or g.units.place[unit] != ON_TABLE:
        return NO_WALL
    ground, corners, room = with_room(g)
    feature, deep = g.work.call(find_wall, g.units.rows, ground, corners, unit, side, room)
    return Wall(int(feature), float(deep))


def lies_along(g: BattleCore, unit: int, side: int, ground: Ground) -> bool:
    """Whether an obstacle lies along a side of a unit that touches it."""
    room = np.zeros((3, int(ground.pieces["count"].max()) + 4, 2))
    feature, _ = g.work.call(find_wall, g.units.rows, ground.pieces, g.setup.corners, unit, side, room)
    return bool(feature)


def walls_of(g: BattleCore, charges: Sequence[tuple[int, int]]) -> tuple[float, tuple[tuple[int, int], ...]]:
    """What holds a charge on several enemies, each with its charged side: inches that the charger stays away from
    them, and by enemy the number of the obstacle that it defends, 0: none.
    """
    if not with_trait(g, "obstacle"):
        return 0.0, ()
    walls = [(target, wall_before(g, target, side)) for target, side in charges]
    apart = max((wall.deep for _, wall in walls), default=0.0)
    return apart, tuple((target, wall.feature) for target, wall in walls) if apart > 0.0 else ()


def thickest(g: BattleCore, player: int) -> float:
    """Inches by which the obstacles that units of a player defend bring them nearer to their chargers, at most."""
    if not with_trait(g, "obstacle"):
        return 0.0
    ground, corners, room = with_room(g)
    return float(g.work.call(find_thickest, g.units.rows, ground, corners, player, room))


@kernel
def put_strip(units: Array, u: int, side: int, deep: float, part: Array) -> None:
    """Make ``part`` the ground between a side of a unit and the far edge of the obstacle before it."""
    x, y, a, b = block_hull(units, u)
    far, half = side_halves(a, b, side)
    out = side_out(units[u]["facing"], side)
    part["x"], part["y"] = on_table_at(x, y, out, far + 0.5 * deep, 0.0)
    part["facing"] = out
    part["half_a"] = 0.5 * deep
    part["half_b"] = half
    part["radius"] = hypot(0.5 * deep, half)
    part["shape"] = RECT
    part["on_table"] = 1


def parts_with_wall(g: BattleCore, unit: int, side: int, deep: float) -> Array:
    """A copy of ``parts`` in which a unit reaches to the far edge of the obstacle before a side
    (wap.terrain.obstacle.defended.charge).
    """
    parts: Array = g.parts.rows.copy()
    first = g.units.first_part[unit]
    free = next((k for k in range(first, first + PARTS) if not parts["on_table"][k]), first + PARTS - 1)
    put_strip(g.units.rows, unit, side, deep, parts[free])
    return parts
