"""What is near a body that moves: convex polygons, rectangles among them, with the inches to be kept from each.

Gathered once, asked often: rows of ``NEAR``, their corners one after the other in ``points`` (float64, n x 2).
"""

from __future__ import annotations

from math import hypot, inf

import numpy as np

from wh_env.core.geometry.ranks import on_table_at
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import Array

NEAR = np.dtype(
    [
        ("x", "f8"),  # of the circle round it
        ("y", "f8"),
        ("radius", "f8"),
        ("margin", "f8"),  # inches to be kept from it
        ("first", "i4"),  # its corners are points[first : first + count], counter-clockwise, no two the same
        ("count", "i4"),
        ("mark", "i4"),  # the caller's: what it is
    ],
    align=True,
)


@inner_kernel
def _bounded(near: Array, points: Array, n: int, count: int, margin: float, mark: int) -> int:
    """Finish row ``n``, whose ``count`` corners stand behind those of the row before it."""
    row = near[n]
    first = near[n - 1]["first"] + near[n - 1]["count"] if n > 0 else 0
    x0 = y0 = inf
    x1 = y1 = -inf
    for k in range(first, first + count):
        x0 = min(x0, points[k, 0])
        y0 = min(y0, points[k, 1])
        x1 = max(x1, points[k, 0])
        y1 = max(y1, points[k, 1])
    row["x"] = 0.5 * (x0 + x1)
    row["y"] = 0.5 * (y0 + y1)
    radius = 0.0
    for k in range(first, first + count):
        radius = max(radius, hypot(points[k, 0] - row["x"], points[k, 1] - row["y"]))
    row["radius"] = radius
    row["margin"] = margin
    row["first"] = first
    row["count"] = count
    row["mark"] = mark
    return n + 1


@inner_kernel
def near_rect(
    near: Array, points: Array, n: int, x: float, y: float, f: float, a: float, b: float, margin: float, mark: int
) -> int:
    """Row ``n`` of what is near: a rectangle; returns the number of rows."""
    first = near[n - 1]["first"] + near[n - 1]["count"] if n > 0 else 0
    for k in range(4):
        u = a if k < 2 else -a
        v = b if k == 1 or k == 2 else -b
        points[first + k, 0], points[first + k, 1] = on_table_at(x, y, f, u, v)
    return _bounded(near, points, n, 4, margin, mark)


@inner_kernel
def near_polygon(
    near: Array, points: Array, n: int, corners: Array, start: int, count: int, margin: float, mark: int
) -> int:
    """Row ``n`` of what is near: the convex polygon ``corners[start : start + count]``; returns the number of rows."""
    first = near[n - 1]["first"] + near[n - 1]["count"] if n > 0 else 0
    for k in range(count):
        points[first + k, 0] = corners[start + k, 0]
        points[first + k, 1] = corners[start + k, 1]
    return _bounded(near, points, n, count, margin, mark)


@kernel
def look_past(near: Array, n: int, mark: int) -> int:
    """Take the rows of a mark, if it is 0 or more, out of what is near; returns how many rows are left."""
    if mark < 0:
        return n
    kept = 0
    for k in range(n):
        if near[k]["mark"] != mark:
            if kept < k:
                near[kept] = near[k]
            kept += 1
    return kept


@kernel
def look_only_at(near: Array, n: int, mark: int) -> int:
    """Leave only the rows of a mark; returns how many they are."""
    kept = 0
    for k in range(n):
        if near[k]["mark"] == mark:
            if kept < k:
                near[kept] = near[k]
            kept += 1
    return kept


@kernel
def keep_from(near: Array, n: int, mark: int, margin: float) -> None:
    """So many inches are to be kept from the rows of a mark."""
    for k in range(n):
        if near[k]["mark"] == mark:
            near[k]["margin"] = margin
