"""Obstacles near a body that moves: convex polygons, rectangles among them, each with a margin, the inches that must be
kept from it.

They are collected once and used in many questions: one row of ``NEAR`` each, their corners one after another in
``points`` (float64, n x 2).
"""

from __future__ import annotations

from math import hypot, inf
from typing import NamedTuple

import numpy as np

from wh_env.core.geometry.ranks import on_table_at
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import Array

NEAR = np.dtype(
    [
        ("x", "f8"),  # centre of a circle round it
        ("y", "f8"),
        ("radius", "f8"),
        ("margin", "f8"),  # inches that must be kept from it
        ("first", "i4"),  # its corners are points[first : first + count], counter-clockwise, no two the same
        ("count", "i4"),
        ("mark", "i4"),  # a number of the caller's that says what it is
    ],
    align=True,
)


class Way(NamedTuple):
    """What a body may meet on a move, and the body.

    Attributes:
        near: rows of ``NEAR``, the obstacles. points: their corners. n: the number of obstacles.
        body: rows of ``BODY`` (``ranks``), the rectangles of the body around the middle of its front edge. rows: their
            number.
    """

    near: Array
    points: Array
    n: int
    body: Array
    rows: int


@inner_kernel
def _finish_row(near: Array, points: Array, n: int, count: int, margin: float, mark: int) -> int:
    """Fill in row ``n`` for ``count`` corners that stand in ``points`` behind those of row ``n - 1``. Returns the
    number of rows, ``n + 1``.
    """
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
    """Append to the ``n`` obstacles a rectangle with centre (x, y), facing ``f``, half depth ``a`` and half width
    ``b``. Returns the number of rows.
    """
    first = near[n - 1]["first"] + near[n - 1]["count"] if n > 0 else 0
    for k in range(4):
        u = a if k < 2 else -a
        v = b if k == 1 or k == 2 else -b
        points[first + k, 0], points[first + k, 1] = on_table_at(x, y, f, u, v)
    return _finish_row(near, points, n, 4, margin, mark)


@inner_kernel
def near_polygon(
    near: Array, points: Array, n: int, corners: Array, start: int, count: int, margin: float, mark: int
) -> int:
    """Append to the ``n`` obstacles the convex polygon ``corners[start : start + count]``. Returns the number of
    rows.
    """
    first = near[n - 1]["first"] + near[n - 1]["count"] if n > 0 else 0
    for k in range(count):
        points[first + k, 0] = corners[start + k, 0]
        points[first + k, 1] = corners[start + k, 1]
    return _finish_row(near, points, n, count, margin, mark)


@kernel
def remove_marked(near: Array, n: int, mark: int) -> int:
    """Remove the obstacles with this ``mark``; none if ``mark`` is below 0. Returns how many rows are left; their order
    stays.
    """
    if mark < 0:
        return n
    left = 0
    for k in range(n):
        if near[k]["mark"] != mark:
            if left < k:
                near[left] = near[k]
            left += 1
    return left


@kernel
def keep_only_marked(near: Array, n: int, mark: int) -> int:
    """Remove the obstacles without this ``mark``. Returns how many rows are left; their order stays."""
    left = 0
    for k in range(n):
        if near[k]["mark"] == mark:
            if left < k:
                near[left] = near[k]
            left += 1
    return left


@kernel
def set_margin(near: Array, n: int, mark: int, margin: float) -> None:
    """Set the margin of the obstacles with this ``mark`` to ``margin`` inches."""
    for k in range(n):
        if near[k]["mark"] == mark:
            near[k]["margin"] = margin
