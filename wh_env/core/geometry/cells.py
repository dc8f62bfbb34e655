"""Rows of the cells of a displacement window, and the columns of a row that convex sets and their shadows cover.

The window is the one of ``rigid``: each cell is a displacement. A row of cells is one integer, bit c for column c. An
obstacle is a convex set of displacements: those at which a base meets it. So it covers one stretch of columns in each
row, and so does its shadow: the displacements that a straight move from (0, 0) cannot reach because it meets the
obstacle.
"""

from __future__ import annotations

from math import ceil, floor, sqrt
from typing import NamedTuple

from wh_env.core.geometry.shapes import EPS
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import Array

# The words of a row. LIVE: cells not ruled out. GROUND_BAD: a model cannot end there on the ground. PATH_BAD: a model
# stops the straight way. CLIMBS: the straight way climbs. TOO_HIGH: the inches do not suffice for the climb. ON_SOLID:
# a model ends on a block.
LIVE, GROUND_BAD, PATH_BAD, CLIMBS, TOO_HIGH, ON_SOLID, WORDS = 0, 1, 2, 3, 4, 5, 6

FAR = 1e6  # inches, beyond any window
_UNSURE = 1e-5  # cells: if a stretch ends this near to a cell's centre, the cell is judged by itself
GRAZES = 1e-6  # square inches: a tangent whose length has a smaller square is too short to be trusted


class Window(NamedTuple):
    """The rows ``row0`` to ``row1 - 1`` of a displacement window, and the marks of their cells."""

    grid: int  # cells a side
    step: float  # inches from cell to cell
    row0: int
    row1: int
    words: Array  # int64, grid x WORDS


class Tangents(NamedTuple):
    """The two tangents from (0, 0) to a convex set: ``a`` the clockwise one, ``b`` the other, with unit directions and
    lengths in inches.
    """

    trusted: bool  # False: the tangents are not known
    ax: float
    ay: float
    al: float
    bx: float
    by: float
    bl: float


@kernel
def cells(low: float, high: float, step: float, grid: int) -> tuple[int, int]:
    """The first column (or row) whose displacement is at least ``low`` inches, and the one after the last whose
    displacement is at most ``high``.
    """
    half = grid // 2
    return max(0, ceil(low / step) + half), min(grid, floor(high / step) + half + 1)


@inner_kernel
def shadow(low: float, high: float, step: float, grid: int) -> tuple[int, int]:
    """Columns (or rows), as first and one after the last, whose straight way from (0, 0) may meet the range ``low`` to
    ``high`` inches.
    """
    if low > 0.0:
        return cells(low, grid * step, step, grid)
    if high < 0.0:
        return cells(-grid * step, high, step, grid)
    return 0, grid


@kernel
def bits(first: int, last: int) -> int:
    """The word in which the bits of the columns ``first`` to ``last - 1`` are set."""
    return ((1 << (last - first)) - 1) << first if last > first else 0


@kernel
def stretch(low: float, high: float, step: float, grid: int) -> tuple[int, int, int]:
    """The columns that may lie within ``low`` to ``high`` inches.

    Returns:
        The first column, the one after the last, and the word of the columns that rounding could decide.
    """
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
    """Whether the box from (x0, y0) to (x1, y1) may be there: it does not cross the table edge, or ``limits`` allow it
    to.
    """
    lim = limits[0]
    if lim["cross_edge"] == 1:
        return True
    return bool(x0 >= -EPS and y0 >= -EPS and x1 <= lim["length"] + EPS and y1 <= lim["width"] + EPS)


@inner_kernel
def window_rows(
    x0: float,
    y0: float,
    x1: float,
    y1: float,
    least: float,
    limits: Array,
    step: float,
    grid: int,
    only: int,
    keep_model_marks: bool,
    words: Array,
) -> tuple[int, int]:
    """Start ``words`` (int64, grid x WORDS): set as live the cells within ``least`` inches that keep the box from (x0,
    y0) to (x1, y1) on the table.

    Args:
        only: if at least 0, the only row that is started.
        keep_model_marks: leave the marks of models (``GROUND_BAD``, ``PATH_BAD``) as they are.

    Returns:
        The first row with a live cell, and the one after the last.
    """
    half = grid // 2
    reach2 = (least + EPS) * (least + EPS)
    edge = limits[0]["cross_edge"] == 0
    row0 = grid
    row1 = 0
    for row in range(max(0, only), grid if only < 0 else only + 1):
        for k in range(WORDS):
            if not keep_model_marks or (k != GROUND_BAD and k != PATH_BAD):
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
    """Tangents that are not trusted."""
    return Tangents(False, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@kernel
def behind(left: float, right: float, t: Tangents, y: float) -> tuple[float, float]:
    """The stretch of the row at height ``y`` that lies on a convex set or behind it as seen from (0, 0); left > right
    if there is none.

    Args:
        left, right: the stretch that lies on the set. t: the tangents to it. y: inches.
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
    """``behind`` for a disc with centre (cx, cy) and radius ``r``, whose tangents from (0, 0) have this ``length`` (0:
    the origin is in it).
    """
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
        True,
        (length * cx + r * cy) / c2,
        (length * cy - r * cx) / c2,
        length,
        (length * cx - r * cy) / c2,
        (length * cy + r * cx) / c2,
        length,
    )
    return behind(left, right, tangents, y)


@inner_kernel
def tangent_length(cx: float, cy: float, r: float) -> float:
    """Length in inches of the tangents from (0, 0) to a disc: 0 if the origin is in it, -1 if they are too short to be
    trusted.
    """
    away = cx * cx + cy * cy - r * r
    if abs(away) < GRAZES:
        return -1.0
    return sqrt(away) if away > 0.0 else 0.0
