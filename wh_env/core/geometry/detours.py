"""The shortest line on which a disc passes what lies between it and its goal.

All obstacles in the way are taken together: the line runs round the convex hull of all of them, to the left or to the
right. Obstacles that it would meet there are added. So the line is never too short; it may be longer than one that
leads between two obstacles. Obstacles are rows of ``NEAR`` (see ``near``).
"""

from __future__ import annotations

from math import atan2, ceil, cos, hypot, inf, pi, sin

import numpy as np

from wh_env.core.geometry.rects import TINY, rect_gap
from wh_env.core.kernel import inner_kernel
from wh_env.core.tables import Array

ARC = pi / 32  # radians between two points of a rounded corner
_SAME = 1e-9  # inches: points this close are one point
AHEAD, FOUND = 1, 2  # `marks` of an obstacle: it is part of the hull; the line has just met it


def detour_room(rows: int, corners: int) -> tuple[Array, Array, Array]:
    """The arrays ``spots``, ``ring`` and ``marks`` that ``length_of_way_past`` needs among ``rows`` obstacles with
    ``corners`` corners in all.
    """
    most = 3 * max(3, corners) + int(2.0 * pi / ARC) + 8
    return np.zeros((most, 2)), np.zeros((most, 2)), np.zeros(max(1, rows), np.int64)


@inner_kernel
def _convex_hull(spots: Array, count: int, out: Array) -> int:
    """Write the corners of the convex hull of the first ``count`` points of ``spots`` to ``out``, counter-clockwise;
    returns how many.
    """
    start = 0
    for k in range(1, count):
        if spots[k, 1] < spots[start, 1] or (spots[k, 1] == spots[start, 1] and spots[k, 0] < spots[start, 0]):
            start = k
    at = start
    found = 0
    while found < count:
        out[found, 0] = spots[at, 0]
        out[found, 1] = spots[at, 1]
        found += 1
        best = -1
        bx = by = 0.0
        for k in range(count):
            dx = spots[k, 0] - spots[at, 0]
            dy = spots[k, 1] - spots[at, 1]
            if abs(dx) < _SAME and abs(dy) < _SAME:
                continue
            cross = bx * dy - by * dx
            if best < 0 or cross < 0.0 or (cross == 0.0 and dx * dx + dy * dy > bx * bx + by * by):
                best = k
                bx = dx
                by = dy
        if best < 0 or (abs(spots[best, 0] - out[0, 0]) < _SAME and abs(spots[best, 1] - out[0, 1]) < _SAME):
            break
        at = best
    return found


@inner_kernel
def _outline_round(hull: Array, count: int, clearance: float, out: Array) -> int:
    """Write points of the outline ``clearance`` inches outside a convex polygon to ``out``; returns how many. Its
    corners are rounded, with a point at least every ``ARC``.
    """
    found = 0
    for k in range(count):
        px, py = hull[(k + count - 1) % count, 0], hull[(k + count - 1) % count, 1]
        qx, qy = hull[(k + 1) % count, 0], hull[(k + 1) % count, 1]
        first = atan2(px - hull[k, 0], hull[k, 1] - py)
        turn = (atan2(hull[k, 0] - qx, qy - hull[k, 1]) - first) % (2.0 * pi)
        steps = max(1, ceil(turn / ARC))
        for n in range(steps + 1):
            angle = first + turn * n / steps
            out[found, 0] = hull[k, 0] + clearance * cos(angle)
            out[found, 1] = hull[k, 1] + clearance * sin(angle)
            found += 1
    return found


@inner_kernel
def _mark_met(
    near: Array, points: Array, n: int, r: float, sx: float, sy: float, ex: float, ey: float, marks: Array
) -> bool:
    """Mark as ``FOUND`` each unmarked obstacle that a disc of radius ``r`` meets on the line from s to e. Returns
    whether it meets any.

    An obstacle is met if the disc comes nearer to it than its margin (a negative margin counts as 0).
    """
    found = False
    x = 0.5 * (sx + ex)
    y = 0.5 * (sy + ey)
    half = 0.5 * hypot(ex - sx, ey - sy)
    f = atan2(ey - sy, ex - sx)
    for o in range(n):
        row = near[o]
        clearance = r + max(0.0, row["margin"])
        if marks[o] != 0 or hypot(row["x"] - x, row["y"] - y) > half + row["radius"] + clearance:
            continue
        if rect_gap(x, y, f, half, 0.0, points, row["first"], row["count"]) < clearance - 2.0 * TINY:
            marks[o] = FOUND
            found = True
    return found


@inner_kernel
def _length_along(ring: Array, count: int, at: int, to: int, step: int) -> float:
    """Inches along the polygon ``ring[:count]`` from corner ``at`` to corner ``to``, in the direction ``step`` (1 or
    -1).
    """
    far = 0.0
    while at != to:
        following = (at + step) % count
        far += hypot(ring[following, 0] - ring[at, 0], ring[following, 1] - ring[at, 1])
        at = following
    return far


@inner_kernel
def _mark_met_along(
    near: Array, points: Array, n: int, r: float, ring: Array, count: int, at: int, to: int, step: int, marks: Array
) -> bool:
    """``_mark_met`` on each edge of the polygon ``ring[:count]`` from corner ``at`` to corner ``to``."""
    found = False
    while at != to:
        following = (at + step) % count
        if _mark_met(near, points, n, r, ring[at, 0], ring[at, 1], ring[following, 0], ring[following, 1], marks):
            found = True
        at = following
    return found


@inner_kernel
def _corner_at(ring: Array, count: int, x: float, y: float) -> int:
    """The number of the corner of a polygon that lies at (x, y); -1 if there is none."""
    for k in range(count):
        if abs(ring[k, 0] - x) < _SAME and abs(ring[k, 1] - y) < _SAME:
            return k
    return -1


@inner_kernel
def _hull_round_marked(
    near: Array,
    points: Array,
    n: int,
    r: float,
    sx: float,
    sy: float,
    ex: float,
    ey: float,
    spots: Array,
    ring: Array,
    marks: Array,
) -> int:
    """Write to ``ring`` the convex hull of s, e and the outline that a disc of radius ``r`` keeps round all marked
    obstacles. Returns the number of its corners.

    All of them are marked ``AHEAD`` then. The outline keeps the largest of their margins.
    """
    count = 0
    clearance = 0.0
    for o in range(n):
        if marks[o] == 0:
            continue
        marks[o] = AHEAD
        clearance = max(clearance, r + max(0.0, near[o]["margin"]) - TINY)
        for k in range(near[o]["first"], near[o]["first"] + near[o]["count"]):
            spots[count, 0] = points[k, 0]
            spots[count, 1] = points[k, 1]
            count += 1
    count = _convex_hull(spots, count, ring)
    count = _outline_round(ring, count, clearance, spots)
    spots[count, 0] = sx
    spots[count, 1] = sy
    spots[count + 1, 0] = ex
    spots[count + 1, 1] = ey
    return _convex_hull(spots, count + 2, ring)


@inner_kernel
def length_of_way_past(
    near: Array,
    points: Array,
    n: int,
    r: float,
    sx: float,
    sy: float,
    ex: float,
    ey: float,
    most: float,
    spots: Array,
    ring: Array,
    marks: Array,
) -> float:
    """The length in inches of a way of a disc of radius ``r`` from s to e that keeps the margins of the ``n``
    obstacles.

    Returns ``inf`` if no way of at most ``most`` inches is found, or if the disc cannot stand at s or at e. ``spots``,
    ``ring``, ``marks``: room from ``detour_room``.
    """
    far = hypot(ex - sx, ey - sy)
    if far > most:
        return inf
    for o in range(n):
        marks[o] = 0
    if far < _SAME or not _mark_met(near, points, n, r, sx, sy, ex, ey, marks):
        return far
    for _ in range(n):
        count = _hull_round_marked(near, points, n, r, sx, sy, ex, ey, spots, ring, marks)
        at = _corner_at(ring, count, sx, sy)
        to = _corner_at(ring, count, ex, ey)
        if at < 0 or to < 0:
            return inf
        left = _length_along(ring, count, at, to, -1)
        right = _length_along(ring, count, at, to, 1)
        step = -1 if left <= right else 1
        if min(left, right) > most:
            return inf
        if not _mark_met_along(near, points, n, r, ring, count, at, to, step, marks):
            return min(left, right)
        if max(left, right) <= most and not _mark_met_along(near, points, n, r, ring, count, at, to, -step, marks):
            return max(left, right)
    return inf
