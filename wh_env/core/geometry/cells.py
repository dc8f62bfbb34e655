"""Rows of the cells of a displacement window, and the stretches of them that convex sets and their shadows take.

Cells as in ``rigid``; a row of cells is the bits of one integer, bit c for column c. An obstacle is the convex set of
displacements at which a base meets it, so it takes one stretch of columns of each row, and so does its shadow: what lies
behind it, seen from no displacement.
"""

from __future__ import annotations

from math import ceil, floor, sqrt
from typing import NamedTuple

from wh_env.core.geometry.shapes import EPS
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import Array

# the words of a row: cells not ruled out; cells a model cannot end in, or not go straight to; cells behind something to be
# climbed over, those too far for that; cells on something solid
LIVE, GROUND_BAD, PATH_BAD, CLIMBS, TOO_HIGH, ON_SOLID, WORDS = 0, 1, 2, 3, 4, 5, 6

FAR = 1e6  # inches beyond any window
_UNSURE = 1e-5  # of a cell: ends of stretches that near to a cell are judged by the cell
GRAZES = 1e-6  # square of the inches of a tangent too short to trust


class Window(NamedTuple):
    """The rows of a displacement window that are looked at, and their marks."""

    grid: int
    step: float
    row0: int
    row1: int  # the one after the last
    words: Array  # int64, grid x WORDS


class Tangents(NamedTuple):
    """From no displacement to a convex set: a clockwise, b counter-clockwise, unit directions and lengths."""

    trusted: bool
    ax: float
    ay: float
    al: float
    bx: float
    by: float
    bl: float


@kernel
def cells(low: float, high: float, step: float, grid: int) -> tuple[int, int]:
    """First column (or row) with a displacement of at least ``low``, and the one after the last of at most ``high``."""
    half = grid // 2
    return max(0, ceil(low / step) + half), min(grid, floor(high / step) + half + 1)


@inner_kernel
def shadow(low: float, high: float, step: float, grid: int) -> tuple[int, int]:
    """Columns (or rows) whose straight way from no displacement meets ``low`` .. ``high``."""
    if low > 0.0:
        return cells(low, grid * step, step, grid)
    if high < 0.0:
        return cells(-grid * step, high, step, grid)
    return 0, grid


@kernel
def bits(first: int, last: int) -> int:
    """The word with the columns ``first`` .. ``last - 1``."""
    return ((1 << (last - first)) - 1) << first if last > first else 0


@kernel
def stretch(low: float, high: float, step: float, grid: int) -> tuple[int, int, int]:
    """First column and the one after the last that may lie within ``low`` .. ``high``, and the word of those in doubt."""
    half = grid // 2
    a = min(max(low / step + half, -1.0), grid + 1.0)
    b = min(max(high / step + half, -2.0), float(grid))
    first = ceil(a - _UNSURE)
    last = floor(b + _UNSURE) + 1
    doubt = 0
    if last > first:
        if 0 <= first < grid and first < a + _UNSURE:
            doubt |= 1 << first
        if 0 < last <= grid and last - 1 > b - _UNSURE:
            doubt |= 1 << (last - 1)
    return max(0, first), min(grid, last), doubt


@inner_kernel
def box_inside(x0: float, y0: float, x1: float, y1: float, limits: Array) -> bool:
    """True if a box does not cross the table edge, or may."""
    lim = limits[0]
    if lim["cross_edge"] == 1:
        return True
    return bool(x0 >= -EPS and y0 >= -EPS and x1 <= lim["length"] + EPS and y1 <= lim["width"] + EPS)


@inner_kernel
def window_rows(
    x0: float, y0: float, x1: float, y1: float, least: float, limits: Array, step: float, grid: int, only: int, keep: bool,
    words: Array,
) -> tuple[int, int]:  # fmt: skip
    """Start ``words`` (int64, grid x WORDS): cells within ``least`` inches that keep the box x0 .. y1 on the table are live.

    ``only`` >= 0: just that row. ``keep``: what models rule out (``GROUND_BAD``, ``PATH_BAD``) stays.

    Returns the first row with a live cell and the one after the last.
    """
    half = grid // 2
    reach2 = (least + EPS) * (least + EPS)
    edge = limits[0]["cross_edge"] == 0
    row0 = grid
    row1 = 0
    for row in range(max(0, only), grid if only < 0 else only + 1):
        for k in range(WORDS):
            if not keep or (k != GROUND_BAD and k != PATH_BAD):
                words[row, k] = 0
        dy = (row - half) * step
        wide = reach2 - dy * dy
        if wide < 0.0 or (edge and (y0 + dy < -EPS or y1 + dy > limits[0]["width"] + EPS)):
            continue
        wide = sqrt(wide)
        low = -wide
        high = wide
        if edge:
            low = max(low, -EPS - x0)
            high = min(high, limits[0]["length"] + EPS - x1)
        first, last, doubt = stretch(low, high, step, grid)
        word = bits(first, last)
        for col in range(first, last if doubt != 0 else first):
            dx = (col - half) * step
            if (doubt >> col) & 1 and (
                dx * dx + dy * dy > reach2 or not box_inside(x0 + dx, y0 + dy, x1 + dx, y1 + dy, limits)
            ):
                word &= ~(1 << col)
        words[row, LIVE] = word
        if word != 0:
            row0 = min(row0, row)
            row1 = row + 1
    return row0, row1


@inner_kernel
def no_tangents() -> Tangents:
    return Tangents(False, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@kernel
def behind(left: float, right: float, t: Tangents, y: float) -> tuple[float, float]:
    """The stretch of the row ``y`` that lies on a convex set or behind it, seen from the origin (left > right: none).

    ``left`` .. ``right``: on the set. ``t``: the tangents to it.
    """
    if t.ay * y > 0.0 and y / t.ay >= t.al:
        left = min(left, t.ax * y / t.ay)
        right = max(right, t.ax * y / t.ay)
    if t.by * y > 0.0 and y / t.by >= t.bl:
        left = min(left, t.bx * y / t.by)
        right = max(right, t.bx * y / t.by)
    if left <= right:
        if t.ay <= 0.0 <= t.by:
            right = FAR
        elif t.by <= 0.0 <= t.ay:
            left = -FAR
    return left, right


@inner_kernel
def disc_shadow(cx: float, cy: float, r: float, length: float, y: float) -> tuple[float, float]:
    """``behind`` for a disc seen along tangents of this ``length`` (0: the origin is in it)."""
    if length <= 0.0:
        return -FAR, FAR
    left = FAR
    right = -FAR
    wide = r * r - (y - cy) * (y - cy)
    if wide > 0.0:
        wide = sqrt(wide)
        left = cx - wide
        right = cx + wide
    # along a tangent: its unit direction is (length * c -+ r * c turned left) / |c|^2
    c2 = cx * cx + cy * cy
    tangents = Tangents(
        True, (length * cx + r * cy) / c2, (length * cy - r * cx) / c2, length,
        (length * cx - r * cy) / c2, (length * cy + r * cx) / c2, length,
    )  # fmt: skip
    return behind(left, right, tangents, y)


@inner_kernel
def tangent_length(cx: float, cy: float, r: float) -> float:
    """Length of the tangents from the origin to a disc: 0 inside it, -1 too short to trust."""
    away = cx * cx + cy * cy - r * r
    if abs(away) < GRAZES:
        return -1.0
    return sqrt(away) if away > 0.0 else 0.0
