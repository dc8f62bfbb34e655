"""Lines in a corridor of sight: what a line in plan crosses, and whether one above it is free."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np

from wh_env.core.geometry.corridor import (
    ALWAYS,
    COLUMNS,
    COUNT,
    CX,
    CY,
    FAR,
    FIRST,
    HIGH,
    LOW,
    ROUND,
    SXX,
    SXY,
    SYY,
    TINY,
    X0,
    X1,
    Y0,
    Y1,
    Corridor,
)
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import Array

SLICES = 16  # stretches of slopes that are tried past a footprint in which the observer stands partly
DONE = 64  # points that are remembered as tried


class Scratch(NamedTuple):
    """Memory for questions about corridors, one after another."""

    S: Array  # shapes in the corridor's frame, a row of ``COLUMNS`` each
    V: Array  # their corners
    W: Array  # intervals of slopes: least, greatest
    R: Array  # rectangles in the vertical plane above a line: x0, x1, low, high
    order: Array  # rows of S
    done: Array  # points that were tried


class Lines(NamedTuple):
    """The lines through one point, from the observer to the target."""

    x: float
    y: float
    lo: float  # the least of their slopes
    hi: float  # the greatest
    point: bool  # whether they end at the point; then the target itself (row 1) is one of the blockers
    bj: float  # the lowest height at which they may end
    tj: float  # the highest


@kernel
def scratch(corners: Array, count: int) -> Scratch:
    """Memory for ``count`` blockers whose corners are in ``corners``."""
    n = count + 2
    return Scratch(
        np.empty((n, COLUMNS)),
        np.empty((len(corners) + 4 * n, 2)),
        np.empty(((2 + SLICES) * n, 2)),
        np.empty((n, 4)),
        np.empty(n, np.int64),
        np.empty((DONE, 2)),
    )


@inner_kernel
def _observer_may_stand_in(S: Array, r: int) -> bool:
    """Whether shape ``r`` is a footprint in which the observer may stand partly, so that it stops only lines that leave
    it beyond the observer.
    """
    return bool(S[r, LOW] == -FAR and S[r, X0] < S[0, X1])


@inner_kernel
def _crossing_slopes(S: Array, V: Array, r: int, x: float, y: float) -> tuple[float, float, float, float]:
    """The slopes of the lines through (x, y) that cross shape ``r``: least and greatest left of x, then least and
    greatest right of x.
    """
    left0 = right0 = FAR
    left1 = right1 = -FAR
    if S[r, ROUND] == 1.0:
        cx = S[r, CX] - x
        cy = S[r, CY] - y
        p = cx * cx - S[r, SXX]
        q = cx * cy - S[r, SXY]
        s = cy * cy - S[r, SYY]
        root = q * q - p * s
        if root <= 0.0:  # the point lies inside
            return -FAR, FAR, -FAR, FAR
        root = sqrt(root)
        if abs(p) < 1e-12:
            p = 1e-12
        m0 = min((q - root) / p, (q + root) / p)
        m1 = max((q - root) / p, (q + root) / p)
        if p > 0.0:
            if cx > 0.0:
                return FAR, -FAR, m0, m1
            return m0, m1, FAR, -FAR
        if cy > 0.0:
            return -FAR, m0, m1, FAR
        return m1, FAR, -FAR, m0
    first = int(S[r, FIRST])
    last = first + int(S[r, COUNT])
    px = V[last - 1, 0] - x
    py = V[last - 1, 1] - y
    for k in range(first, last):
        dx = V[k, 0] - x
        dy = V[k, 1] - y
        over = 0.0
        if dx > TINY:
            right0 = min(right0, dy / dx)
            right1 = max(right1, dy / dx)
        elif dx < -TINY:
            left0 = min(left0, dy / dx)
            left1 = max(left1, dy / dx)
        else:
            over = dy
        if (dx > TINY and px < -TINY) or (dx < -TINY and px > TINY):
            over = py + (dy - py) * px / (px - dx)
        if over > TINY:
            right1 = FAR
            left0 = -FAR
        elif over < -TINY:
            right0 = -FAR
            left1 = FAR
        px = dx
        py = dy
    return left0, left1, right0, right1


@inner_kernel
def _chord(S: Array, V: Array, r: int, x: float, y: float, m: float) -> tuple[float, float]:
    """The part, as x0 and x1, of the line through (x, y) with slope ``m`` that lies inside shape ``r``; (FAR, -FAR) if
    it only touches or misses it.
    """
    if S[r, ROUND] == 1.0:
        e = y + m * (S[r, CX] - x) - S[r, CY]
        square = S[r, SXX] * m * m - 2.0 * S[r, SXY] * m + S[r, SYY]
        rest = 1.0 - e * e / square
        if rest <= 1e-9:
            return FAR, -FAR
        centre = S[r, CX] - (S[r, SXX] * m - S[r, SXY]) * e / square
        half = sqrt(rest * (S[r, SXX] * S[r, SYY] - S[r, SXY] * S[r, SXY]) / square)
        return centre - half, centre + half
    first = int(S[r, FIRST])
    last = first + int(S[r, COUNT])
    x0 = FAR
    x1 = -FAR
    above = below = False
    px = V[last - 1, 0]
    pd = V[last - 1, 1] - y - m * (px - x)
    for k in range(first, last):
        qx = V[k, 0]
        qd = V[k, 1] - y - m * (qx - x)
        above = above or qd > 1e-7
        below = below or qd < -1e-7
        if abs(qd) <= 1e-7:
            x0 = min(x0, qx)
            x1 = max(x1, qx)
        elif abs(pd) > 1e-7 and pd * qd < 0.0:
            at = px + (qx - px) * pd / (pd - qd)
            x0 = min(x0, at)
            x1 = max(x1, at)
        px = qx
        pd = qd
    if not (above and below):
        return FAR, -FAR
    return x0, x1


@inner_kernel
def _part_between_heights(
    x0: float, x1: float, low: float, high: float, x: float, z: float, slope: float
) -> tuple[float, float]:
    """The part of x0..x1 where the line through (x, z) with this slope, in the vertical plane, is at a height from
    ``low`` to ``high``; the first number is greater if there is none.
    """
    low -= 1e-9
    high += 1e-9
    if abs(slope) < 1e-9:
        return (x0, x1) if low <= z <= high else (FAR, -FAR)
    one = x + (low - z) / slope
    two = x + (high - z) / slope
    return max(x0, min(one, two)), min(x1, max(one, two))


@inner_kernel
def _line_clears(
    R: Array,
    n: int,
    o0: float,
    o1: float,
    q0: float,
    q1: float,
    bj: float,
    tj: float,
    c: Corridor,
    x: float,
    z: float,
    slope: float,
) -> bool:
    """Whether the line through (x, z) in the vertical plane runs from the observer to the target and clears the first
    ``n`` rectangles of ``R``.

    Args:
        o0, o1: where the observer begins and ends in that plane. q0, q1: the same of the target, seen at heights from
            ``bj`` to ``tj``.
    """
    a0, start = _part_between_heights(o0, o1, c.bi, c.ti, x, z, slope)
    end, b1 = _part_between_heights(q0 - 1e-9, q1 + 1e-9, bj, tj, x, z, slope)
    if a0 > start or end > b1:
        return False
    for k in range(n):
        x0 = max(start, R[k, 0])
        x1 = min(end, R[k, 1])
        if x0 < x1:
            z0 = z + slope * (x0 - x)
            z1 = z + slope * (x1 - x)
            if min(z0, z1) < R[k, 3] + TINY and max(z0, z1) > R[k, 2] - TINY:
                return False
    return True


@inner_kernel
def _slopes_to_rectangle(near: float, far: float, under: float, over: float) -> tuple[float, float]:
    """The least and the greatest slope from a point to a rectangle that is ``near`` to ``far`` inches ahead of it and
    ``under`` to ``over`` inches above it.
    """
    near = max(near, 1e-12)
    return under / (far if under > 0.0 else near), over / (near if over > 0.0 else far)


@inner_kernel
def _open_slopes(
    R: Array, n: int, o0: float, o1: float, q0: float, q1: float, bj: float, tj: float, c: Corridor, x: float, z: float
) -> tuple[float, float]:
    """The least and the greatest slope outside which ``_line_clears`` certainly is False for lines through (x, z);
    least > greatest if it is False for all.
    """
    least = -FAR
    most = FAR
    if q0 - o1 < 1e-5:
        return least, most
    # all ends are made a little higher and lower, so that a line that only just reaches is not lost
    if x < q0 - 1e-5:
        low, high = _slopes_to_rectangle(q0 - x, q1 - x, bj - TINY - z, tj + TINY - z)
        least = max(least, low)
        most = min(most, high)
    if x > o1 + 1e-5:
        low, high = _slopes_to_rectangle(x - o1, x - o0, z - c.ti - TINY, z - c.bi + TINY)
        least = max(least, low)
        most = min(most, high)
    for k in range(n):
        if least > most:
            break
        # every line passes all x from the observer's far side to the target's near side
        x0 = max(o1, R[k, 0])
        x1 = min(q0, R[k, 1])
        if x1 - x0 <= TINY:
            continue
        if x0 <= x <= x1 and R[k, 2] <= z <= R[k, 3]:
            return FAR, -FAR
        if x1 > x:
            low, high = _slopes_to_rectangle(x0 - x, x1 - x, R[k, 2] - z, R[k, 3] - z)
            if low <= least and high > least:
                least = high
            if high >= most and low < most:
                most = low
        if x0 < x:
            low, high = _slopes_to_rectangle(x - x1, x - x0, z - R[k, 3], z - R[k, 2])
            if low <= least and high > least:
                least = high
            if high >= most and low < most:
                most = low
    return least, most


@inner_kernel
def _height_free(T: Scratch, n: int, lines: Lines, m: float, c: Corridor, floating: bool) -> bool:
    """Whether some line above the line in plan with slope ``m`` clears the blockers that do not stop every height.

    ``floating``: whether some blockers do not stand on the ground, so that lines may pass under them.
    """
    S, V, R = T.S, T.V, T.R
    x, y, _, _, point, bj, tj = lines
    o0, o1 = _chord(S, V, 0, x, y, m)
    q0 = q1 = x
    if not point:
        q0, q1 = _chord(S, V, 1, x, y, m)
    if o0 > o1 or q0 > q1:
        return False
    count = 0
    for r in range(2, n):
        if S[r, ALWAYS] == 1.0 or S[r, X1] < o0 or S[r, X0] > q1 or _box_is_clear(S, r, x, y, m, m):
            continue
        b0, b1 = _chord(S, V, r, x, y, m)
        b0, b1 = max(b0, o0), min(b1, q1)
        if b1 - b0 <= TINY:
            continue
        R[count, 0], R[count, 1], R[count, 2], R[count, 3] = b0, b1, S[r, LOW], S[r, HIGH]
        count += 1
    # over blockers on the ground the best line runs from top to top; its lower end lies as far away as possible
    za = c.ti
    xa = o0 if za < tj else o1
    xb = q1 if za > tj else q0
    if _line_clears(R, count, o0, o1, q0, q1, bj, tj, c, xa, za, (tj - za) / max(xb - xa, TINY)):
        return True
    if not floating:
        return False
    # any free line can be raised until it meets an underside or the top of an end, then turned to a second corner
    for k in range(4 + 2 * count):
        if k < 2:
            x1 = o0 if k == 0 else o1
            z1 = c.ti
        elif k < 4:
            x1 = q0 if k == 2 else q1
            z1 = tj
        else:
            x1 = R[(k - 4) // 2, (k - 4) % 2]
            z1 = R[(k - 4) // 2, 2] - 2.0 * TINY
        least, most = _open_slopes(R, count, o0, o1, q0, q1, bj, tj, c, x1, z1)
        if least > most:
            continue
        for o in range(8 + 4 * count):
            if o < 4:
                x2 = o0 if o % 2 == 0 else o1
                z2 = c.ti if o < 2 else c.bi
            elif o < 8:
                x2 = q0 if o % 2 == 0 else q1
                z2 = tj if o < 6 else bj
            else:
                x2 = R[(o - 8) // 4, o % 2]
                z2 = R[(o - 8) // 4, 2] - 2.0 * TINY if o % 4 < 2 else R[(o - 8) // 4, 3] + 2.0 * TINY
            if abs(x2 - x1) >= 1e-9:
                slope = (z2 - z1) / (x2 - x1)
                if least <= slope <= most and _line_clears(R, count, o0, o1, q0, q1, bj, tj, c, x1, z1, slope):
                    return True
    return False


@inner_kernel
def _box_is_clear(S: Array, r: int, x: float, y: float, lo: float, hi: float) -> bool:
    """Whether the bounding box of shape ``r`` is clear of all lines through (x, y) with slopes from ``lo`` to
    ``hi``.
    """
    near = S[r, X0] - x
    far = S[r, X1] - x
    above = max(max(lo * near, hi * near), max(lo * far, hi * far))
    below = min(min(lo * near, hi * near), min(lo * far, hi * far))
    return bool(S[r, Y0] - y > above + TINY or S[r, Y1] - y < below - TINY)
