"""Whether straight lines from one point of a base reach every part of another base without passing over terrain
(w9.terrain.dense-cover, w9.terrain.obstacles).

If such lines from a point are free, lines from a point farther along them, nearer to the other base, are free as well.
So only points of the outline of the first base are tried; they are closer together than the lines are thick.
"""

from __future__ import annotations

from math import cos, pi, sin, sqrt

import numpy as np

from wh_env.core.geometry.shapes import EPS, member, member_count, polygon_gap_at, polygon_overlap_at, stands_in
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import CIRCLE, RECT, Array

POINTS = 96  # of an outline
COMPASS = np.array([(cos(2.0 * pi * k / POINTS), sin(2.0 * pi * k / POINTS)) for k in range(POINTS)])
SIDES = 32  # of the polygon that stands for an oval base that lines lead to


@kernel
def outline_point(models: Array, i: int, k: int, count: int) -> tuple[float, float]:
    """(x, y) of the k-th of ``count`` points (a multiple of 4) of the outline of base ``i``, inches."""
    m = models[i]
    if m["shape"] == RECT:
        side = 4 * k // count
        t = 2.0 * (4 * k % count) / count - 1.0
        u = (t, 1.0, -t, -1.0)[side] * m["half_a"]
        v = (-1.0, t, 1.0, -t)[side] * m["half_b"]
    else:
        u = m["half_a"] * cos(2.0 * pi * k / count)
        v = m["half_b"] * sin(2.0 * pi * k / count)
    c = cos(m["facing"])
    s = sin(m["facing"])
    return m["x"] + c * u - s * v, m["y"] + s * u + c * v


@inner_kernel
def _cross(ax: float, ay: float, bx: float, by: float, x: float, y: float) -> float:
    """Cross product (b - a) x (p - a), p being (x, y): how far p is left of the line from a to b, times the length of
    the line.
    """
    return (bx - ax) * (y - ay) - (by - ay) * (x - ax)


@inner_kernel
def _all_right(ax: float, ay: float, bx: float, by: float, corners: Array, first: int, count: int) -> bool:
    """Whether a polygon lies wholly to the right of the line from a to b. False for a line without length."""
    length = sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay))
    if length < EPS:
        return False
    for k in range(first, first + count):
        if _cross(ax, ay, bx, by, corners[k, 0], corners[k, 1]) > EPS * length:
            return False
    return True


@kernel
def triangle_meets(
    ax: float, ay: float, bx: float, by: float, cx: float, cy: float, corners: Array, first: int, count: int
) -> bool:
    """Whether the triangle a, b, c overlaps a convex polygon, whose corners run counter-clockwise. Touching is not
    overlapping.
    """
    if _cross(ax, ay, bx, by, cx, cy) < 0.0:
        bx, by, cx, cy = cx, cy, bx, by
    if _all_right(ax, ay, bx, by, corners, first, count):
        return False
    if _all_right(bx, by, cx, cy, corners, first, count):
        return False
    if _all_right(cx, cy, ax, ay, corners, first, count):
        return False
    px = corners[first + count - 1, 0]
    py = corners[first + count - 1, 1]
    for k in range(first, first + count):
        qx = corners[k, 0]
        qy = corners[k, 1]
        nearest = max(_cross(px, py, qx, qy, ax, ay), _cross(px, py, qx, qy, bx, by), _cross(px, py, qx, qy, cx, cy))
        if nearest <= EPS * sqrt((qx - px) * (qx - px) + (qy - py) * (qy - py)):
            return False
        px = qx
        py = qy
    return True


@inner_kernel
def lines_meet(models: Array, x: float, y: float, j: int, corners: Array, first: int, count: int) -> bool:
    """Whether some straight line from (x, y) to a part of base ``j`` passes over a convex polygon. The polygon must not
    overlap the base.
    """
    m = models[j]
    if m["shape"] == CIRCLE:
        r = m["half_a"]
        dx = x - m["x"]
        dy = y - m["y"]
        away = dx * dx + dy * dy
        if away <= r * r:
            return False
        # where the tangents from the point touch the base
        along = r * r / away
        aside = r * sqrt(away - r * r) / away
        return triangle_meets(
            x, y,
            m["x"] + along * dx + aside * dy, m["y"] + along * dy - aside * dx,
            m["x"] + along * dx - aside * dy, m["y"] + along * dy + aside * dx,
            corners, first, count,
        )  # fmt: skip
    sides = 4 if m["shape"] == RECT else SIDES
    px, py = outline_point(models, j, sides - 1, sides)
    for k in range(sides):
        qx, qy = outline_point(models, j, k, sides)
        if triangle_meets(x, y, px, py, qx, qy, corners, first, count):
            return True
        px = qx
        py = qy
    return False


@inner_kernel
def _between(models: Array, i: int, j: int, corners: Array, first: int, count: int) -> bool:
    """Whether lines between bases ``i`` and ``j`` may meet a polygon: a quick test. True proves nothing, False is
    certain.
    """
    p = models[i]
    q = models[j]
    dx = q["x"] - p["x"]
    dy = q["y"] - p["y"]
    length = sqrt(dx * dx + dy * dy)
    reach = (max(p["radius"], q["radius"]) + EPS) * length
    left = right = before = after = False
    for k in range(first, first + count):
        off = _cross(p["x"], p["y"], q["x"], q["y"], corners[k, 0], corners[k, 1])
        along = (corners[k, 0] - p["x"]) * dx + (corners[k, 1] - p["y"]) * dy
        left = left or off >= -reach
        right = right or off <= reach
        before = before or along <= length * length + reach
        after = after or along >= -reach
    return left and right and before and after


@inner_kernel
def sees_all_of(models: Array, features: Array, corners: Array, marked: Array, i: int, j: int, near: Array) -> bool:
    """Whether there is a point of base ``i`` from which no line to a part of base ``j`` passes over a marked feature.

    ``near``: scratch, uint8 by feature.
    """
    some = False
    for f in range(len(features)):
        near[f] = 0
        first = features[f]["first"]
        count = features[f]["count"]
        if marked[f] != 0 and _between(models, i, j, corners, first, count):
            near[f] = 1
            some = True
            q = models[j]
            if polygon_overlap_at(models, j, q["x"], q["y"], q["facing"], corners, first, count):
                return False  # from any point of base i
    if not some:
        return True
    m = models[i]
    c = cos(m["facing"])
    s = sin(m["facing"])
    for k in range(POINTS):
        if m["shape"] == RECT:
            x, y = outline_point(models, i, k, POINTS)
        else:
            u = m["half_a"] * COMPASS[k, 0]
            v = m["half_b"] * COMPASS[k, 1]
            x = m["x"] + c * u - s * v
            y = m["y"] + s * u + c * v
        clear = True
        for f in range(len(features)):
            if near[f] != 0 and lines_meet(models, x, y, j, corners, features[f]["first"], features[f]["count"]):
                clear = False
                break
        if clear:
            return True
    return False


@inner_kernel
def nothing_between(
    models: Array, units: Array, features: Array, corners: Array, marked: Array, i: int, e: int
) -> bool:
    """Whether a quick test shows, for at least one model of unit ``e``, that no marked feature lies between it and
    model ``i``. True is certain, False proves nothing.
    """
    for n in range(member_count(units, e)):
        j = member(units, e, n)
        if not stands_in(models, j, e):
            continue
        free = True
        for f in range(len(features)):
            if marked[f] != 0 and _between(models, i, j, corners, features[f]["first"], features[f]["count"]):
                free = False
                break
        if free:
            return True
    return False


@inner_kernel
def sees_all_of_one(
    models: Array, units: Array, features: Array, corners: Array, marked: Array, i: int, e: int, near: Array
) -> bool:
    """Whether ``sees_all_of`` holds for model ``i`` and at least one model of unit ``e``."""
    if nothing_between(models, units, features, corners, marked, i, e):
        return True
    for n in range(member_count(units, e)):
        j = member(units, e, n)
        if stands_in(models, j, e) and sees_all_of(models, features, corners, marked, i, j, near):
            return True
    return False


@kernel
def within(models: Array, features: Array, corners: Array, i: int, f: int) -> bool:
    """Whether any part of base ``i`` is over the footprint of feature ``f``, on any level."""
    m = models[i]
    return polygon_overlap_at(
        models, i, m["x"], m["y"], m["facing"], corners, features[f]["first"], features[f]["count"]
    )


@inner_kernel
def gap_to_feature(models: Array, features: Array, corners: Array, i: int, f: int) -> float:
    """Inches between base ``i`` and the footprint of feature ``f``; 0 where they touch or overlap."""
    m = models[i]
    return polygon_gap_at(models, i, m["x"], m["y"], m["facing"], corners, features[f]["first"], features[f]["count"])
