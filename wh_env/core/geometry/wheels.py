"""Wheels of blocks: forward about a front corner, and the cells of a window to which a wheel and a straight move lead.

A wheel to the left (``side`` 1) turns about the left front corner, one to the right (-1) about the right front corner.
It costs the arc of the other front corner: front width times angle (move.wheel.cost). The body and the obstacles are as
in ``rects``. During a wheel a block may reach over the edge of the table (move.table.overhang).
"""

from __future__ import annotations

from math import atan2, cos, inf, pi, sin, sqrt
from typing import NamedTuple

from wh_env.core.geometry.near import Way
from wh_env.core.geometry.ranks import on_table_at
from wh_env.core.geometry.rects import body_inside, slide_limit, turn_limit
from wh_env.core.geometry.shapes import EPS
from wh_env.core.kernel import inner_kernel
from wh_env.core.tables import Array

_SAME = 1e-9  # radians or inches: less is rounding
_STRAIGHT = 1e-6  # radians: a wheel that is less than this short of a full turn is no wheel


class Cells(NamedTuple):
    """The cells of a window, row by row, and what is found out about each.

    Attributes:
        window: float64: ``x0``, ``y0``, ``step_x``, ``step_y``; cell ``row * grid + column`` is the place ``(x0 +
            column * step_x, y0 + row * step_y)``. grid: cells of a row.
        mask: whether a move can end there. costs: float64, inches. turns: float64, radians.
    """

    window: Array
    grid: int
    mask: Array
    costs: Array
    turns: Array


@inner_kernel
def pose_after_wheel(
    x: float, y: float, f: float, width: float, side: float, angle: float
) -> tuple[float, float, float]:
    """The pose of a block after a wheel by ``angle`` radians (at least 0) to this ``side``. ``width``: of its front."""
    cx, cy = on_table_at(x, y, f, 0.0, 0.5 * side * width)
    f += side * angle
    px, py = on_table_at(cx, cy, f, 0.0, -0.5 * side * width)
    return px, py, f


@inner_kernel
def wheel_limit(
    near: Array,
    points: Array,
    n: int,
    body: Array,
    rows: int,
    x: float,
    y: float,
    f: float,
    width: float,
    side: float,
    most: float,
) -> float:
    """The angle, at most ``most`` radians (at most 2 pi), by which a block can wheel; every smaller angle is free
    too.
    """
    cx, cy = on_table_at(x, y, f, 0.0, 0.5 * side * width)
    return turn_limit(near, points, n, body, rows, x, y, f, cx, cy, side, most)


@inner_kernel
def wheel_and_move_to(
    x: float, y: float, f: float, width: float, side: float, px: float, py: float
) -> tuple[float, float]:
    """The wheel to this ``side`` and the straight move after it that bring the middle of the front edge to (px, py):
    radians, 0 to 2 pi, and inches; (-1, -1) if there is none.
    """
    cx, cy = on_table_at(x, y, f, 0.0, 0.5 * side * width)
    dx = px - cx
    dy = py - cy
    square = dx * dx + dy * dy - 0.25 * width * width
    if square < -_SAME:
        return -1.0, -1.0
    ahead = sqrt(square) if square > _SAME else 0.0
    angle = (side * (atan2(dy, dx) - f) + atan2(0.5 * width, ahead)) % (2.0 * pi)
    return (0.0 if angle > 2.0 * pi - _STRAIGHT else angle), ahead


@inner_kernel
def _wheel_to(
    obstacles: tuple[Array, Array, int],
    block: tuple[Array, int, float, float, float, float],
    side: float,
    limit: float,
    most: float,
    px: float,
    py: float,
    length: float,
    breadth: float,
) -> tuple[float, float]:
    """The inches and the angle of the wheel with which a block comes to (px, py), with the straight move after it.

    Args:
        obstacles, block: near, points and n; body, rows, x, y, f and width, as in ``wheel_mask``.
        side, limit: 1 to the left, -1 to the right, and the largest angle that is free on that side.
        most: the most inches.
        length, breadth: of the table.

    Returns:
        ``inf`` and 0 if it cannot come there.
    """
    near, points, n = obstacles
    body, rows, x, y, f, width = block
    angle, ahead = wheel_and_move_to(x, y, f, width, side, px, py)
    cost = width * angle + ahead
    if ahead < 0.0 or angle > limit or cost > most:
        return inf, 0.0
    f1 = f + side * angle
    if not body_inside(body, rows, px, py, f1, length, breadth, EPS):
        return inf, 0.0
    dx, dy = cos(f1), sin(f1)
    # the whole straight part is checked at once
    if (
        n > 0
        and slide_limit(near, points, n, body, rows, px - ahead * dx, py - ahead * dy, f1, dx, dy, ahead)
        < ahead - _SAME
    ):
        return inf, 0.0
    return cost, angle


@inner_kernel
def wheel_mask(
    way: Way, x: float, y: float, f: float, width: float, allowance: float, length: float, breadth: float, cells: Cells
) -> int:
    """Mark the cells of a window to which a block can bring the middle of its front edge by one wheel and a straight
    move after it. Returns how many.

    Neither wheel nor move comes nearer to an obstacle than its margin; both together cost at most ``allowance`` inches;
    and the block ends on the table.

    Args:
        length, breadth: of the table, inches.
        cells: ``mask`` is set to 0 or 1, ``costs`` to the inches of the cheaper side, ``inf`` if the cell cannot be
            reached, ``turns`` to the angle of its wheel, below 0 to the right. The pose there is the place of the cell
            and ``f + turn``.
    """
    window, grid, mask, costs, turns = cells
    near, points, n, body, rows = way
    obstacles, block = (near, points, n), (body, rows, x, y, f, width)
    most = min(2.0 * pi, (allowance + EPS) / width)
    left = wheel_limit(near, points, n, body, rows, x, y, f, width, 1.0, most) + _SAME
    right = wheel_limit(near, points, n, body, rows, x, y, f, width, -1.0, most) + _SAME
    found = 0
    for cell in range(grid * grid):
        px = window[0] + (cell % grid) * window[2]
        py = window[1] + (cell // grid) * window[3]
        costs[cell], turns[cell], mask[cell] = inf, 0.0, 0
        if (px - x) * (px - x) + (py - y) * (py - y) > (allowance + EPS) * (allowance + EPS):
            continue
        for turn in range(2):
            side, limit = (1.0, left) if turn == 0 else (-1.0, right)
            cost, angle = _wheel_to(
                obstacles, block, side, limit, min(allowance + EPS, costs[cell]), px, py, length, breadth
            )
            if cost < costs[cell]:
                costs[cell], turns[cell], mask[cell] = cost, side * angle, 1
        found += mask[cell]
    return found
