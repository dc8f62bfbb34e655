"""Which lines of a corridor the blockers leave free: intervals of slopes through one point, and heights above one line.

``sight`` explains the method; ``corridor`` fills the shape table. In the corridor's frame the observer is on the left,
the target on the right. "A line ends at a point" if the point is a part of the target.
"""

from __future__ import annotations

from math import cos, pi, sin, sqrt

import numpy as np

from wh_env.core.geometry.corridor import (
    ALWAYS,
    COUNT,
    CX,
    CY,
    FIRST,
    LIFT,
    ROUND,
    SXX,
    SXY,
    SYY,
    TINY,
    X0,
    X1,
    Corridor,
)
from wh_env.core.geometry.slope_lines import (
    DONE,
    SLICES,
    Lines,
    Scratch,
    _box_is_clear,
    _chord,
    _crossing_slopes,
    _height_free,
    _observer_may_stand_in,
)
from wh_env.core.kernel import inner_kernel
from wh_env.core.tables import Array

ASTRAY = 1e-5  # inches from a corner at which lines pass it
GAP = 2e-5  # the least width of a free stretch of slopes
STEEP = 20.0  # steeper slopes run across the corridor and are not tried
FANNED = 1e-3  # two slopes that differ by this, seen BEFORE inches from their common point,
BEFORE = 0.01  # are farther apart than the rounding of chords
_ALL_ROUND = np.array([(cos(2.0 * pi * k / 64.0), sin(2.0 * pi * k / 64.0)) for k in range(64)])


# ---- heights above one line


# ---- all lines through one point


@inner_kernel
def _order_rows(S: Array, n: int, order: Array) -> int:
    """List the blockers (rows 2 to n - 1) in ``order``, first those that stop every line that they meet. Returns how
    many of these.
    """
    sure = 0
    for r in range(2, n):
        if S[r, ALWAYS] == 1.0 and not _observer_may_stand_in(S, r):
            order[sure] = r
            sure += 1
    at = sure
    for r in range(2, n):
        if not (S[r, ALWAYS] == 1.0 and not _observer_may_stand_in(S, r)):
            order[at] = r
            at += 1
    return sure


@inner_kernel
def _slopes_from_observer(S: Array, V: Array, x: float, y: float) -> tuple[float, float]:
    """The least and the greatest slope of the lines that end at (x, y) and come from the observer, within ``STEEP``."""
    lo, hi, _a, _b = _crossing_slopes(S, V, 0, x, y)
    return max(lo, -STEEP), min(hi, STEEP)


@inner_kernel
def _lines_through(T: Scratch, c: Corridor, x: float, y: float) -> Lines:
    """All lines through (x, y) from the observer to the target."""
    lo, hi = _slopes_from_observer(T.S, T.V, x, y)
    _a, _b, t0, t1 = _crossing_slopes(T.S, T.V, 1, x, y)
    return Lines(x, y, max(lo, t0), min(hi, t1), False, c.bj, c.tj)


@inner_kernel
def _is_between(S: Array, V: Array, r: int, x: float, y: float, side: int, a: float, b: float) -> bool:
    """False if shape ``r`` stands behind the observer or behind the target, as seen along the middle one of the slopes
    a..b; ``side``: 0 left, 1 right of the point.
    """
    if side == 0 and S[r, X0] < S[0, X1]:
        _o0, o1 = _chord(S, V, 0, x, y, 0.5 * (a + b))
        _b0, b1 = _chord(S, V, r, x, y, 0.5 * (a + b))
        return b1 > o1 + TINY
    if side == 1 and S[r, X1] > S[1, X0]:
        q0, _q1 = _chord(S, V, 1, x, y, 0.5 * (a + b))
        b0, _b1 = _chord(S, V, r, x, y, 0.5 * (a + b))
        return b0 < q0 - TINY
    return True


@inner_kernel
def _covered_until(W: Array, count: int, at: float, hi: float) -> float:
    """The end of the stretch of slopes from ``at`` on that the first ``count`` intervals of ``W`` cover without a
    gap.
    """
    while at < hi - GAP:
        end = at
        for k in range(count):
            if W[k, 0] <= at + GAP and W[k, 1] > end:
                end = W[k, 1]
        if end <= at:
            break
        at = end
    return at


# the verdict on lines: none even without blockers; all are stopped; some are free
UNSEEN, SHUT, OPEN = 0, 1, 2


@inner_kernel
def _list_slopes_stopped(T: Scratch, always: int, lines: Lines) -> tuple[int, int]:
    """List at the front of ``W`` the slopes that the first ``always`` blockers stop at every height.

    A blocker that stops all slopes is moved to the front of ``order``.

    Returns:
        ``OPEN`` if some slopes are left, else ``SHUT`` or ``UNSEEN``; and the number of intervals.
    """
    S, V, W, order = T.S, T.V, T.W, T.order
    x, y, lo, hi, point, _, _ = lines
    sure = 0
    for o in range(-1 if point else 0, always):
        r = order[o] if o >= 0 else 1
        if o >= 0 and _box_is_clear(S, r, x, y, lo, hi):
            continue
        left0, left1, right0, right1 = _crossing_slopes(S, V, r, x, y)
        for side in range(1 if point else 2):
            a = max(lo, left0 if side == 0 else right0)
            b = min(hi, left1 if side == 0 else right1)
            # beside the observer or the target it may stand behind instead of between
            if b - a <= 1e-9 or not _is_between(S, V, r, x, y, side, a, b):
                continue
            if a <= lo + GAP and b >= hi - GAP:
                if o < 0:
                    return UNSEEN, 0
                order[o] = order[0]
                order[0] = r
                return SHUT, 0
            W[sure, 0] = a
            W[sure, 1] = b
            sure += 1
    return (SHUT if _covered_until(W, sure, lo, hi) >= hi - GAP else OPEN), sure


@inner_kernel
def _leaves_between(S: Array, V: Array, r: int, lines: Lines, m: float, clear: float) -> bool:
    """Whether the line of ``lines`` with slope ``m`` leaves shape ``r`` beyond x = ``clear`` and well before the point
    that all these lines have in common.
    """
    _x0, x1 = _chord(S, V, r, lines.x, lines.y, m)
    return clear < x1 < lines.x - BEFORE


@inner_kernel
def _list_slopes_stopped_by_footprint(T: Scratch, r: int, lines: Lines, a: float, b: float, sure: int) -> int:
    """Append to the first ``sure`` intervals of ``W`` the slopes among a..b that footprint ``r`` stops: those at which
    the line leaves the observer before it leaves the footprint. Returns the number of intervals.
    """
    S, V, W = T.S, T.V, T.W
    # it is convex: if the outermost lines leave it well beyond the observer and well before the point, so do all others
    clear = S[0, X1] + ASTRAY
    if b - a > FANNED and _leaves_between(S, V, r, lines, a + (b - a) * 0.5 / SLICES, clear):
        if _leaves_between(S, V, r, lines, a + (b - a) * (SLICES - 0.5) / SLICES, clear):
            W[sure, 0] = a
            W[sure, 1] = a + (b - a)
            return sure + 1
    blocked = False
    for k in range(SLICES):
        m = a + (b - a) * (k + 0.5) / SLICES
        _b0, b1 = _chord(S, V, r, lines.x, lines.y, m)
        # the line is free if it leaves the footprint before it leaves the observer
        if b1 <= clear and b1 <= _chord(S, V, 0, lines.x, lines.y, m)[1] + TINY:
            blocked = False
            continue
        if not blocked:
            W[sure, 0] = a + (b - a) * k / SLICES
            sure += 1
        W[sure - 1, 1] = a + (b - a) * (k + 1) / SLICES
        blocked = True
    return sure


@inner_kernel
def _list_other_slopes(T: Scratch, always: int, n: int, lines: Lines, sure: int) -> tuple[int, int]:
    """List in ``W`` the slopes that the other blockers stop: those of footprints behind the first ``sure`` intervals,
    those of blockers that stop only some heights from the end of ``W`` on.

    Returns:
        The number of intervals at the front, and the first one at the end.
    """
    S, V, W = T.S, T.V, T.W
    x, y, lo, hi, point, _, _ = lines
    rest = len(W)
    for o in range(always, n - 2):
        r = T.order[o]
        if _box_is_clear(S, r, x, y, lo, hi):
            continue
        left0, left1, right0, right1 = _crossing_slopes(S, V, r, x, y)
        for side in range(1 if point else 2):
            a = max(lo, left0 if side == 0 else right0)
            b = min(hi, left1 if side == 0 else right1)
            if b - a <= 1e-9:
                continue
            if _observer_may_stand_in(S, r):
                sure = _list_slopes_stopped_by_footprint(T, r, lines, a, b, sure)
            elif _is_between(S, V, r, x, y, side, a, b):
                rest -= 1
                W[rest, 0] = a
                W[rest, 1] = b
    return sure, rest


@inner_kernel
def _any_slope_free(T: Scratch, n: int, lines: Lines, sure: int, rest: int, c: Corridor, floating: bool) -> bool:
    """Whether some slope that the first ``sure`` intervals of ``W`` do not cover is free at some height.

    ``rest``: from this interval on ``W`` holds the slopes at which the height decides.
    """
    W = T.W
    at = lines.lo
    hi = lines.hi
    while at < hi - GAP:
        # the end of what is covered from here on, then the next covered stretch
        at = _covered_until(W, sure, at, hi)
        if at >= hi - GAP:
            break
        end = hi
        for k in range(sure):
            if at < W[k, 0] < end:
                end = W[k, 0]
        if rest == len(W):
            return True
        while at < end - GAP:
            step = end
            for k in range(rest, len(W)):
                for o in range(2):
                    if at + GAP < W[k, o] < step:
                        step = W[k, o]
            edge = min(1e-4, 0.25 * (step - at))
            if (
                _height_free(T, n, lines, 0.5 * (at + step), c, floating)
                or _height_free(T, n, lines, at + edge, c, floating)
                or _height_free(T, n, lines, step - edge, c, floating)
            ):
                return True
            at = step
        at = max(at, end)
    return False


@inner_kernel
def _judge_lines(T: Scratch, always: int, n: int, lines: Lines, c: Corridor, floating: bool) -> int:
    """``OPEN`` if one of the ``lines`` is free, ``SHUT`` if blockers stop all of them, ``UNSEEN`` if there is no line
    at all.

    ``T.order`` lists the blockers; the first ``always`` of them stop every height. A blocker that stops all slopes is
    moved to its front.
    """
    if lines.hi - lines.lo <= GAP:
        return UNSEEN
    code, sure = _list_slopes_stopped(T, always, lines)
    if code != OPEN or always == n - 2:
        return code
    sure, rest = _list_other_slopes(T, always, n, lines, sure)
    return OPEN if _any_slope_free(T, n, lines, sure, rest, c, floating) else SHUT


@inner_kernel
def any_free(T: Scratch, n: int, c: Corridor, floating: bool) -> bool:
    """Whether some line past a corner of a blocker (rows 2 to n - 1) is free; at least one blocker must stand across
    the middle.
    """
    S, V, done = T.S, T.V, T.done
    always = _order_rows(S, n, T.order)
    if always < n - 2:
        # blockers wider than the corridor have no corner in it, but lines may pass over them: try points in the middle
        for k in range(9):
            t = 0.5 * (k // 3)
            x = c.length * t
            y = 0.9 * (k % 3 - 1) * (c.ri + (c.rj - c.ri) * t)
            if _judge_lines(T, always, n, _lines_through(T, c, x, y), c, floating) == OPEN:
                return True
    # walls consist of pieces that share corners; each corner is tried once
    known = 0
    wide = max(c.ri, c.rj) + 1e-3
    for r in range(2, n):
        if S[r, ROUND] == 0.0:
            first = int(S[r, FIRST])
            count = int(S[r, COUNT])
            for k in range(count):
                x, y = V[first + k, 0], V[first + k, 1]
                if abs(y) > wide:
                    continue
                before = V[first + (k + count - 1) % count, 0]
                after = V[first + (k + 1) % count, 0]
                # a little beside the corner, so that there is no view between two corners that touch
                for side in range(2):
                    if (before < x < after) if side == 0 else (before > x > after):
                        continue
                    astray = y + ASTRAY if side == 0 else y - ASTRAY
                    tried = False
                    for o in range(known):
                        tried = tried or (done[o, 0] == x and done[o, 1] == astray)
                    if tried:
                        continue
                    lines = _lines_through(T, c, x, astray)
                    if lines.hi - lines.lo <= GAP:
                        continue
                    if _judge_lines(T, always, n, lines, c, floating) == OPEN:
                        return True
                    if known < DONE:
                        done[known, 0] = x
                        done[known, 1] = astray
                        known += 1
            continue
        # a round blocker is grazed on either side by lines that run with the corridor or slant in it
        slant = 0.7 * (c.ri + c.rj) / c.length
        for k in range(6):
            ny = 1.0 if k < 3 else -1.0
            nx = (k % 3 - 1) * slant
            h = sqrt(S[r, SXX] * nx * nx + 2.0 * S[r, SXY] * nx * ny + S[r, SYY] * ny * ny) / 1.005
            x = S[r, CX] + (S[r, SXX] * nx + S[r, SXY] * ny) / h
            y = S[r, CY] + (S[r, SXY] * nx + S[r, SYY] * ny) / h
            if abs(y) > wide:
                continue
            if _judge_lines(T, always, n, _lines_through(T, c, x, y), c, floating) == OPEN:
                return True
    return False


@inner_kernel
def all_facing_free(T: Scratch, n: int, c: Corridor, floating: bool) -> bool:
    """Whether each sampled part of the target that faces the observer can be seen from some part of the observer."""
    S, V = T.S, T.V
    always = _order_rows(S, n, T.order)
    heights = 3 if floating else 1  # over things that stand on the ground the lowest part is the hardest to see
    around = len(_ALL_ROUND) if S[1, ROUND] == 1.0 else 48
    for step in range(around + n - 2):
        # all round in strides, beginning at the near side, so that a hidden part is found soon
        k = (32 + 27 * step) % 64 if around == 64 else 29 * step % 48
        if step >= around:
            # what a slender blocker hides lies straight behind it
            r = 2 + step - around
            m = S[r, CY] / max(S[r, CX], TINY)
            q0, q1 = _chord(S, V, 1, 0.0, 0.0, m)
            if q0 > q1:
                continue
            x = q0 - 1e-4
            y = m * x
        elif S[1, ROUND] == 1.0:
            nx = _ALL_ROUND[k, 0]
            ny = _ALL_ROUND[k, 1]
            h = sqrt(S[1, SXX] * nx * nx + 2.0 * S[1, SXY] * nx * ny + S[1, SYY] * ny * ny)
            x = S[1, CX] + (S[1, SXX] * nx + S[1, SXY] * ny) / h + 1e-4 * nx
            y = S[1, CY] + (S[1, SXY] * nx + S[1, SYY] * ny) / h + 1e-4 * ny
        else:
            first = int(S[1, FIRST])
            p = first + k // 12
            q = first + (k // 12 + 1) % 4
            t = min(0.999, max(0.001, (k % 12) / 11.0))
            ex = V[q, 0] - V[p, 0]
            ey = V[q, 1] - V[p, 1]
            h = 1e-4 / max(sqrt(ex * ex + ey * ey), TINY)
            x = V[p, 0] + t * ex + h * ey
            y = V[p, 1] + t * ey - h * ex
        lo, hi = _slopes_from_observer(S, V, x, y)
        for level in range(heights):
            z = c.bj + 0.5 * level * (c.tj - LIFT - c.bj)
            code = _judge_lines(T, always, n, Lines(x, y, lo, hi, True, z, z), c, floating)
            if code == OPEN:
                continue
            # does this part face the observer at all, or is only the target itself in the way?
            if level > 0:
                return False
            if code == SHUT and _judge_lines(T, 0, 2, Lines(x, y, lo, hi, True, c.bj, c.bj), c, False) == OPEN:
                return False
            break
    return True
