"""The corridor between two models: which lines through it the blockers leave free. See ``sight`` for how it is used."""

from __future__ import annotations

from math import cos, pi, sin, sqrt
from typing import NamedTuple

import numpy as np

from wh_env.core.kernel import kernel
from wh_env.core.tables import CIRCLE, RECT, Array

TINY = 1e-6  # a line this close to a blocker counts as touching it
ASTRAY = 1e-5  # how far off a corner the lines past it run
GAP = 2e-5  # least width of a free stretch of slopes
STEEP = 20.0  # slopes beyond this, across the corridor, are not tried
LIFT = 0.01  # the lowest part of a model that is looked for, above the ground it stands on
FAR = 1e9
SLICES = 16  # stretches of slopes that are tried past a footprint that the observer stands partly in

# columns of a row of the shape table: an observer (row 0), a target (row 1) and blockers, in the corridor's frame
ROUND, CX, CY, SXX, SXY, SYY, X0, X1, LOW, HIGH, FIRST, COUNT, ALWAYS = range(13)
COLUMNS = 13

# what a blocker does to a pair of models
OUTSIDE, PASSED, ASIDE, ACROSS, TOTAL = 0, 1, 2, 3, 4


class Corridor(NamedTuple):
    """The frame of a pair: origin at the observer's centre, x axis (ux, uy) to the target's centre ``length`` away."""

    ox: float
    oy: float
    ux: float
    uy: float
    length: float
    ri: float  # radius round the observer
    rj: float  # round the target
    bi: float  # lowest and highest part of the observer, then of the target
    ti: float
    bj: float
    tj: float


@kernel
def corridor(
    xi: float, yi: float, ri: float, bi: float, ti: float, xj: float, yj: float, rj: float, bj: float, tj: float
) -> Corridor:
    dx = xj - xi
    dy = yj - yi
    length = max(sqrt(dx * dx + dy * dy), 1e-9)
    return Corridor(xi, yi, dx / length, dy / length, length, ri, rj, bi + LIFT, ti, bj + LIFT, tj)


@kernel
def between(models: Array, i: int, j: int) -> Corridor:
    p = models[i]
    q = models[j]
    return corridor(
        p["x"], p["y"], p["radius"], p["z"], p["z"] + p["height"],
        q["x"], q["y"], q["radius"], q["z"], q["z"] + q["height"],
    )  # fmt: skip


@kernel
def _ceiling(c: Corridor, x: float) -> float:
    """Highest that any line from the observer to the target runs above x."""
    if c.ti < c.tj:
        t = (x + c.ri) / max(c.length - c.rj + c.ri, TINY)
    else:
        t = (x - c.ri) / max(c.length + c.rj - c.ri, TINY)
    return c.ti + (c.tj - c.ti) * min(1.0, max(0.0, t))


@kernel
def _floor(c: Corridor, x: float) -> float:
    """Lowest that any line from the observer to the target runs above x."""
    if c.bi > c.bj:
        t = (x + c.ri) / max(c.length - c.rj + c.ri, TINY)
    else:
        t = (x - c.ri) / max(c.length + c.rj - c.ri, TINY)
    return c.bi + (c.bj - c.bi) * min(1.0, max(0.0, t))


@kernel
def _stops_all(c: Corridor, x0: float, x1: float, low: float, high: float) -> bool:
    """True if a prism standing at x0..x1 stops every line that crosses it, at whatever height."""
    return high >= max(_ceiling(c, x0), _ceiling(c, x1)) - TINY and low <= min(_floor(c, x0), _floor(c, x1)) + TINY


# ---- one straight line


@kernel
def clip_polygon(
    corners: Array, first: int, count: int, ax: float, ay: float, bx: float, by: float
) -> tuple[float, float]:
    """Part t0..t1 of the line a-b inside a convex polygon, touching included; t0 > t1: none."""
    t0 = 0.0
    t1 = 1.0
    px = corners[first + count - 1, 0]
    py = corners[first + count - 1, 1]
    for k in range(first, first + count):
        qx = corners[k, 0]
        qy = corners[k, 1]
        nx = qy - py
        ny = px - qx
        from_a = nx * (ax - px) + ny * (ay - py)
        along = nx * (bx - ax) + ny * (by - ay)
        slack = TINY * (abs(nx) + abs(ny))
        if abs(along) < 1e-12:
            if from_a > slack:
                return 1.0, 0.0
        else:
            t = (slack - from_a) / along
            if along > 0.0:
                t1 = min(t1, t)
            else:
                t0 = max(t0, t)
            if t0 > t1:
                return 1.0, 0.0
        px = qx
        py = qy
    return t0, t1


@kernel
def clip_model(models: Array, k: int, ax: float, ay: float, bx: float, by: float) -> tuple[float, float]:
    """Part t0..t1 of the line a-b inside the outline of model ``k``, touching included; t0 > t1: none."""
    m = models[k]
    ax -= m["x"]
    ay -= m["y"]
    dx = bx - m["x"] - ax
    dy = by - m["y"] - ay
    a = m["half_a"] + TINY
    b = a
    if m["shape"] != CIRCLE:
        b = m["half_b"] + TINY
        c = cos(m["facing"])
        s = sin(m["facing"])
        ax, ay = c * ax + s * ay, c * ay - s * ax
        dx, dy = c * dx + s * dy, c * dy - s * dx
    ax /= a
    dx /= a
    ay /= b
    dy /= b
    t0 = 0.0
    t1 = 1.0
    if m["shape"] == RECT:
        for _ in range(2):
            if abs(dx) < 1e-12:
                if abs(ax) > 1.0:
                    return 1.0, 0.0
            else:
                near = min((1.0 - ax) / dx, (-1.0 - ax) / dx)
                t1 = min(t1, max((1.0 - ax) / dx, (-1.0 - ax) / dx))
                t0 = max(t0, near)
            ax, ay = ay, ax
            dx, dy = dy, dx
        return t0, t1
    square = dx * dx + dy * dy
    half = ax * dx + ay * dy
    rest = ax * ax + ay * ay - 1.0
    if square < 1e-18:
        return (0.0, 1.0) if rest < 0.0 else (1.0, 0.0)
    root = half * half - square * rest
    if root <= 0.0:
        return 1.0, 0.0
    root = sqrt(root)
    return max(t0, (-half - root) / square), min(t1, (-half + root) / square)


@kernel
def meets(t0: float, t1: float, za: float, zb: float, low: float, high: float) -> bool:
    """True if a line from height za to zb, inside an outline on t0..t1, meets the prism low..high there."""
    if t0 > t1:
        return False
    z0 = za + (zb - za) * t0
    z1 = za + (zb - za) * t1
    return min(z0, z1) < high + TINY and max(z0, z1) > low - TINY


@kernel
def line_free(
    models: Array, blocks: Array, corners: Array, i: int, j: int, through: int,
    ax: float, ay: float, az: float, bx: float, by: float, bz: float,
) -> bool:  # fmt: skip
    """True if the straight line a-b clears every blocker between models ``i`` and ``j``."""
    for k in range(len(blocks)):
        if blocks[k]["solid"] == 1:
            t0, t1 = clip_polygon(corners, blocks[k]["first"], blocks[k]["count"], ax, ay, bx, by)
            if meets(t0, t1, az, bz, blocks[k]["z_low"], blocks[k]["z_high"]):
                return False
    for k in range(len(models)):
        if may_block(models, k, i, j, through):
            t0, t1 = clip_model(models, k, ax, ay, bx, by)
            if meets(t0, t1, az, bz, models[k]["z"], models[k]["z"] + models[k]["height"]):
                return False
    return True


@kernel
def may_block(models: Array, k: int, i: int, j: int, through: int) -> bool:
    """True if model ``k`` can stand in the way from ``i`` to ``j`` (own unit, with ``through`` also its, is clear)."""
    m = models[k]
    if m["on_table"] != 1 or k == j or m["unit"] == models[i]["unit"]:
        return False
    return not (through == 1 and m["unit"] == models[j]["unit"])


# ---- judging one blocker quickly


@kernel
def cull(models: Array, blocks: Array, c: Corridor, unit: int, screen: int, near: Array) -> int:
    """List in ``near`` what stands in or beside the corridor: block k as k, model k (not of ``unit``) as -1 - k.

    Blocks are listed that are solid, or that screen at least as ``screen`` says.
    """
    wide = max(c.ri, c.rj)
    low = min(c.bi, c.bj)
    high = max(c.ti, c.tj)
    start = -c.ri
    end = c.length + c.rj
    au = abs(c.ux)
    av = abs(c.uy)
    count = 0
    for k in range(len(blocks)):
        b = blocks[k]
        hx = 0.5 * (b["max_x"] - b["min_x"])
        hy = 0.5 * (b["max_y"] - b["min_y"])
        dx = b["min_x"] + hx - c.ox
        dy = b["min_y"] + hy - c.oy
        if abs(c.ux * dy - c.uy * dx) - av * hx - au * hy > wide:
            continue
        x = c.ux * dx + c.uy * dy
        e = au * hx + av * hy
        if x + e >= start and x - e <= end and b["z_high"] > low and b["z_low"] < high:
            if b["solid"] == 1 or b["screen"] >= screen:
                near[count] = k
                count += 1
    for k in range(len(models)):
        m = models[k]
        dx = m["x"] - c.ox
        dy = m["y"] - c.oy
        r = m["radius"]
        if abs(c.ux * dy - c.uy * dx) - r > wide:
            continue
        x = c.ux * dx + c.uy * dy
        if x + r >= start and x - r <= end and m["on_table"] == 1 and m["unit"] != unit:
            if m["z"] + m["height"] > low and m["z"] < high:
                near[count] = -1 - k
                count += 1
    return count


@kernel
def _box_class(c: Corridor, x: float, y: float, ex: float, ey: float, low: float, high: float) -> int:
    """OUTSIDE, PASSED (under the lines from top to top) or ASIDE (may be in their way) by the box of a blocker."""
    if abs(y) - ey > max(c.ri, c.rj) or x + ex < -c.ri or x - ex > c.length + c.rj:
        return OUTSIDE
    if high <= min(c.bi, c.bj) or low >= max(c.ti, c.tj):
        return OUTSIDE
    return PASSED if high <= min(c.ti, c.tj) - TINY else ASIDE


@kernel
def _outer_tangent(c: Corridor, side: float) -> tuple[float, float, float, float]:
    """The outer tangent of the two circles on one side, from the observer's to the target's (world coordinates)."""
    s = (c.rj - c.ri) / c.length
    n = side * sqrt(max(0.0, 1.0 - s * s))
    ax = -s * c.ri
    ay = n * c.ri
    bx = c.length - s * c.rj
    by = n * c.rj
    return (
        c.ox + c.ux * ax - c.uy * ay, c.oy + c.uy * ax + c.ux * ay,
        c.ox + c.ux * bx - c.uy * by, c.oy + c.uy * bx + c.ux * by,
    )  # fmt: skip


@kernel
def _splits(corners: Array, first: int, count: int, c: Corridor, clear: float) -> bool:
    """True if a convex polygon parts the whole corridor: it holds a chord from one outer tangent to the other.

    ``clear`` 1 asks the chord to stay off both circles, 0 only to have the centres on opposite sides.
    """
    ax, ay, bx, by = _outer_tangent(c, 1.0)
    t0, t1 = clip_polygon(corners, first, count, ax, ay, bx, by)
    if t0 > t1:
        return False
    t = 0.5 * (t0 + t1)
    px = ax + t * (bx - ax)
    py = ay + t * (by - ay)
    ax, ay, bx, by = _outer_tangent(c, -1.0)
    t0, t1 = clip_polygon(corners, first, count, ax, ay, bx, by)
    if t0 > t1:
        return False
    t = 0.5 * (t0 + t1)
    ex = px - (ax + t * (bx - ax))
    ey = py - (ay + t * (by - ay))
    length = sqrt(ex * ex + ey * ey)
    one = ex * (c.oy - py) - ey * (c.ox - px)
    two = ex * (c.oy + c.uy * c.length - py) - ey * (c.ox + c.ux * c.length - px)
    return one > clear * c.ri * length and two < -clear * c.rj * length


@kernel
def judge_block(blocks: Array, corners: Array, k: int, c: Corridor, clear: float) -> int:
    """What block ``k`` does to the corridor: OUTSIDE, PASSED, ASIDE (of the line top to top), ACROSS it, or TOTAL."""
    b = blocks[k]
    hx = 0.5 * (b["max_x"] - b["min_x"])
    hy = 0.5 * (b["max_y"] - b["min_y"])
    dx = b["min_x"] + hx - c.ox
    dy = b["min_y"] + hy - c.oy
    x = c.ux * dx + c.uy * dy
    ex = abs(c.ux) * hx + abs(c.uy) * hy
    y = c.ux * dy - c.uy * dx
    ey = abs(c.uy) * hx + abs(c.ux) * hy
    code = _box_class(c, x, y, ex, ey, b["z_low"], b["z_high"])
    if code != ASIDE:
        return code
    t0, t1 = clip_polygon(corners, b["first"], b["count"], c.ox, c.oy, c.ox + c.ux * c.length, c.oy + c.uy * c.length)
    if not meets(t0, t1, c.ti, c.tj, b["z_low"], b["z_high"]):
        return ASIDE
    if _stops_all(c, x - ex, x + ex, b["z_low"], b["z_high"]):
        if _splits(corners, b["first"], b["count"], c, clear):
            return TOTAL
    return ACROSS


@kernel
def judge_model(models: Array, k: int, c: Corridor) -> int:
    """What model ``k`` does to the corridor, as ``judge_block``."""
    m = models[k]
    dx = m["x"] - c.ox
    dy = m["y"] - c.oy
    r = m["radius"]
    x = c.ux * dx + c.uy * dy
    y = c.ux * dy - c.uy * dx
    low = m["z"]
    high = low + m["height"]
    code = _box_class(c, x, y, r, r, low, high)
    if code != ASIDE:
        return code
    t0, t1 = clip_model(models, k, c.ox, c.oy, c.ox + c.ux * c.length, c.oy + c.uy * c.length)
    if not meets(t0, t1, c.ti, c.tj, low, high):
        return ASIDE
    if m["shape"] == CIRCLE and 0.0 < x < c.length and _stops_all(c, x - r, x + r, low, high):
        # a round blocker that reaches over both outer tangents
        s = (c.rj - c.ri) / c.length
        n = sqrt(max(0.0, 1.0 - s * s))
        if abs(n * y - s * x - c.ri) < r and abs(-n * y - s * x - c.ri) < r:
            return TOTAL
    return ACROSS


# ---- the corridor's frame


@kernel
def put_round(
    S: Array, r: int, c: Corridor, x: float, y: float, a: float, b: float, f: float, low: float, high: float
) -> None:
    """Row ``r`` of the shape table: an ellipse by its centre and second moments."""
    dx = x - c.ox
    dy = y - c.oy
    p = cos(f) * c.ux + sin(f) * c.uy
    q = sin(f) * c.ux - cos(f) * c.uy
    S[r, ROUND] = 1.0
    S[r, CX] = c.ux * dx + c.uy * dy
    S[r, CY] = c.ux * dy - c.uy * dx
    S[r, SXX] = a * a * p * p + b * b * q * q
    S[r, SXY] = (a * a - b * b) * p * q
    S[r, SYY] = a * a * q * q + b * b * p * p
    reach = sqrt(S[r, SXX])
    S[r, X0] = S[r, CX] - reach
    S[r, X1] = S[r, CX] + reach
    _put_height(S, r, c, low, high)


@kernel
def _put_height(S: Array, r: int, c: Corridor, low: float, high: float) -> None:
    S[r, LOW] = low
    S[r, HIGH] = high
    S[r, ALWAYS] = 1.0 if _stops_all(c, S[r, X0], S[r, X1], low, high) else 0.0


@kernel
def _put_corner(S: Array, V: Array, r: int, c: Corridor, x: float, y: float) -> None:
    """Append one corner to the polygon of row ``r``."""
    n = int(S[r, FIRST]) + int(S[r, COUNT])
    dx = x - c.ox
    dy = y - c.oy
    V[n, 0] = c.ux * dx + c.uy * dy
    V[n, 1] = c.ux * dy - c.uy * dx
    S[r, COUNT] += 1.0
    S[r, X0] = min(S[r, X0], V[n, 0])
    S[r, X1] = max(S[r, X1], V[n, 0])
    S[r, CX] = 0.5 * (S[r, X0] + S[r, X1])
    S[r, CY] += (V[n, 1] - S[r, CY]) / S[r, COUNT]


@kernel
def _put_polygon(S: Array, r: int, at: int) -> None:
    """Start an empty polygon in row ``r``; its corners follow at row ``at`` of the vertex table."""
    S[r, ROUND] = 0.0
    S[r, FIRST] = at
    S[r, COUNT] = 0.0
    S[r, X0] = FAR
    S[r, X1] = -FAR
    S[r, CY] = 0.0


@kernel
def put_model(S: Array, V: Array, r: int, at: int, c: Corridor, models: Array, k: int) -> int:
    """Row ``r`` from model ``k``; returns the next free row of the vertex table."""
    m = models[k]
    low = m["z"]
    high = low + m["height"]
    if m["shape"] != RECT:
        b = m["half_a"] if m["shape"] == CIRCLE else m["half_b"]
        put_round(S, r, c, m["x"], m["y"], m["half_a"], b, m["facing"], low, high)
        return at
    _put_polygon(S, r, at)
    px = cos(m["facing"]) * m["half_a"]
    py = sin(m["facing"]) * m["half_a"]
    qx = -sin(m["facing"]) * m["half_b"]
    qy = cos(m["facing"]) * m["half_b"]
    _put_corner(S, V, r, c, m["x"] + px + qx, m["y"] + py + qy)
    _put_corner(S, V, r, c, m["x"] - px + qx, m["y"] - py + qy)
    _put_corner(S, V, r, c, m["x"] - px - qx, m["y"] - py - qy)
    _put_corner(S, V, r, c, m["x"] + px - qx, m["y"] + py - qy)
    _put_height(S, r, c, low, high)
    return at + 4


@kernel
def put_block(S: Array, V: Array, r: int, at: int, c: Corridor, blocks: Array, corners: Array, k: int) -> int:
    """Row ``r`` from block ``k``; returns the next free row of the vertex table."""
    _put_polygon(S, r, at)
    first = blocks[k]["first"]
    for n in range(first, first + blocks[k]["count"]):
        _put_corner(S, V, r, c, corners[n, 0], corners[n, 1])
    _put_height(S, r, c, blocks[k]["z_low"], blocks[k]["z_high"])
    return int(at + blocks[k]["count"])


@kernel
def _half_in(S: Array, r: int) -> bool:
    """True if shape ``r`` is a footprint that the observer may stand partly in: what lies behind it does not stop a line."""
    return bool(S[r, LOW] == -FAR and S[r, X0] < S[0, X1])


@kernel
def _span(S: Array, V: Array, r: int, x: float, y: float) -> tuple[float, float, float, float]:
    """Slopes of the lines through (x, y) that cross shape ``r`` left of x (first two) and right of x (last two)."""
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


@kernel
def _chord(S: Array, V: Array, r: int, x: float, y: float, m: float) -> tuple[float, float]:
    """The x range of the line through (x, y) with slope ``m`` inside shape ``r``; (FAR, -FAR): only touching or clear."""
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


# ---- heights above one line


@kernel
def _stretch(x0: float, x1: float, low: float, high: float, x: float, z: float, slope: float) -> tuple[float, float]:
    """Part of x0..x1 where the line through (x, z) in the vertical plane runs at a height in low..high."""
    low -= 1e-9
    high += 1e-9
    if abs(slope) < 1e-9:
        return (x0, x1) if low <= z <= high else (FAR, -FAR)
    one = x + (low - z) / slope
    two = x + (high - z) / slope
    return max(x0, min(one, two)), min(x1, max(one, two))


@kernel
def _clears(
    R: Array, n: int, o0: float, o1: float, q0: float, q1: float, bj: float, tj: float, c: Corridor,
    x: float, z: float, slope: float,
) -> bool:  # fmt: skip
    """True if the line through (x, z) leads from the observer to the target clear of the ``n`` rectangles of ``R``."""
    a0, start = _stretch(o0, o1, c.bi, c.ti, x, z, slope)
    end, b1 = _stretch(q0 - 1e-9, q1 + 1e-9, bj, tj, x, z, slope)
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


@kernel
def _height_free(
    S: Array, V: Array, R: Array, n: int, x: float, y: float, m: float,
    point: bool, bj: float, tj: float, c: Corridor, floating: bool,
) -> bool:  # fmt: skip
    """True if some line above the plan line (x, y, m) clears the blockers that do not stop every height.

    ``point``: the target is the vertical line bj..tj above (x, y) instead of the whole target.
    """
    o0, o1 = _chord(S, V, 0, x, y, m)
    q0 = q1 = x
    if not point:
        q0, q1 = _chord(S, V, 1, x, y, m)
    if o0 > o1 or q0 > q1:
        return False
    count = 0
    for r in range(2, n):
        if S[r, ALWAYS] == 1.0 or S[r, X1] < o0 or S[r, X0] > q1:
            continue
        b0, b1 = _chord(S, V, r, x, y, m)
        b0 = max(b0, o0)
        b1 = min(b1, q1)
        if b1 - b0 <= TINY:
            continue
        R[count, 0] = b0
        R[count, 1] = b1
        R[count, 2] = S[r, LOW]
        R[count, 3] = S[r, HIGH]
        count += 1
    # top to top is the best line over things that stand on the ground; the lower end starts as far off as it can
    za = c.ti
    xa = o0 if za < tj else o1
    xb = q1 if za > tj else q0
    if _clears(R, count, o0, o1, q0, q1, bj, tj, c, xa, za, (tj - za) / max(xb - xa, TINY)):
        return True
    if not floating:
        return False
    # otherwise a free line can be raised until it meets an underside (or a top end), then turned to a second corner
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
                if _clears(R, count, o0, o1, q0, q1, bj, tj, c, x1, z1, (z2 - z1) / (x2 - x1)):
                    return True
    return False


# ---- all lines through one point


@kernel
def _point_free(
    S: Array, V: Array, W: Array, R: Array, n: int, x: float, y: float,
    point: bool, bj: float, tj: float, c: Corridor, floating: bool,
) -> bool:  # fmt: skip
    """True if some free line from the observer passes (x, y) and goes on to the target.

    ``point``: it ends there, at a height in bj..tj; the target itself (row 1) is then one of the blockers.
    """
    lo, hi, _a, _b = _span(S, V, 0, x, y)
    lo = max(lo, -STEEP)
    hi = min(hi, STEEP)
    if not point:
        _a, _b, t0, t1 = _span(S, V, 1, x, y)
        lo = max(lo, t0)
        hi = min(hi, t1)
    if hi - lo <= GAP:
        return False
    sure = 0  # intervals of blockers that stop every height, from the front of W
    rest = len(W)  # the others, from its end
    for r in range(1 if point else 2, n):
        left0, left1, right0, right1 = _span(S, V, r, x, y)
        for side in range(1 if point else 2):
            a = max(lo, left0 if side == 0 else right0)
            b = min(hi, left1 if side == 0 else right1)
            if b - a <= 1e-9:
                continue
            if _half_in(S, r):
                # a line is stopped where it leaves the footprint only after it has left the observer
                blocked = False
                for k in range(SLICES):
                    m = a + (b - a) * (k + 0.5) / SLICES
                    _o0, o1 = _chord(S, V, 0, x, y, m)
                    _b0, b1 = _chord(S, V, r, x, y, m)
                    if b1 <= o1 + TINY:
                        blocked = False
                        continue
                    if not blocked:
                        W[sure, 0] = a + (b - a) * k / SLICES
                        sure += 1
                    W[sure - 1, 1] = a + (b - a) * (k + 1) / SLICES
                    blocked = True
                continue
            # beside the observer or the target it may stand behind instead of between
            if side == 0 and S[r, X0] < S[0, X1]:
                _o0, o1 = _chord(S, V, 0, x, y, 0.5 * (a + b))
                _b0, b1 = _chord(S, V, r, x, y, 0.5 * (a + b))
                if b1 <= o1 + TINY:
                    continue
            elif side == 1 and S[r, X1] > S[1, X0]:
                q0, _q1 = _chord(S, V, 1, x, y, 0.5 * (a + b))
                b0, _b1 = _chord(S, V, r, x, y, 0.5 * (a + b))
                if b0 >= q0 - TINY:
                    continue
            if S[r, ALWAYS] == 1.0 or r == 1:
                if a <= lo + GAP and b >= hi - GAP:
                    return False
                W[sure, 0] = a
                W[sure, 1] = b
                sure += 1
            else:
                rest -= 1
                W[rest, 0] = a
                W[rest, 1] = b
    at = lo
    while at < hi - GAP:
        # the end of what is covered from here on, then the next covered stretch
        end = at
        for k in range(sure):
            if W[k, 0] <= at + GAP and W[k, 1] > end:
                end = W[k, 1]
        if end > at:
            at = end
            continue
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
                _height_free(S, V, R, n, x, y, 0.5 * (at + step), point, bj, tj, c, floating)
                or _height_free(S, V, R, n, x, y, at + edge, point, bj, tj, c, floating)
                or _height_free(S, V, R, n, x, y, step - edge, point, bj, tj, c, floating)
            ):
                return True
            at = step
        at = max(at, end)
    return False


@kernel
def any_free(S: Array, V: Array, n: int, c: Corridor, floating: bool) -> bool:
    """True if some line past a corner of a blocker is free (rows 2..n-1; at least one stands across the middle)."""
    R = np.empty((n, 4))
    sure = True
    room = 2 * n
    for r in range(2, n):
        sure = sure and S[r, ALWAYS] == 1.0
        if _half_in(S, r):
            sure = False
            room += SLICES
    W = np.empty((room, 2))
    if not sure:
        # where height decides, blockers wider than the corridor leave no corner in it to graze
        for k in range(9):
            t = 0.5 * (k // 3)
            y = 0.9 * (k % 3 - 1) * (c.ri + (c.rj - c.ri) * t)
            if _point_free(S, V, W, R, n, c.length * t, y, False, c.bj, c.tj, c, floating):
                return True
    for r in range(2, n):
        if S[r, ROUND] == 0.0:
            first = int(S[r, FIRST])
            count = int(S[r, COUNT])
            for k in range(count):
                x = V[first + k, 0]
                y = V[first + k, 1]
                before = V[first + (k + count - 1) % count, 0]
                after = V[first + (k + 1) % count, 0]
                # a hair off the corner, so that two corners that touch leave no view between them
                if not before < x < after:
                    if _point_free(S, V, W, R, n, x, y + ASTRAY, False, c.bj, c.tj, c, floating):
                        return True
                if not before > x > after:
                    if _point_free(S, V, W, R, n, x, y - ASTRAY, False, c.bj, c.tj, c, floating):
                        return True
            continue
        # a round blocker is grazed on either side by lines that run with the corridor or slant in it
        slant = 0.7 * (c.ri + c.rj) / c.length
        for k in range(6):
            ny = 1.0 if k < 3 else -1.0
            nx = (k % 3 - 1) * slant
            h = sqrt(S[r, SXX] * nx * nx + 2.0 * S[r, SXY] * nx * ny + S[r, SYY] * ny * ny) / 1.005
            x = S[r, CX] + (S[r, SXX] * nx + S[r, SXY] * ny) / h
            y = S[r, CY] + (S[r, SXY] * nx + S[r, SYY] * ny) / h
            if _point_free(S, V, W, R, n, x, y, False, c.bj, c.tj, c, floating):
                return True
    return False


@kernel
def all_facing_free(S: Array, V: Array, n: int, c: Corridor, floating: bool) -> bool:
    """True if each sampled part of the target that faces the observer can be seen from some part of it."""
    room = 2 * n
    for r in range(2, n):
        if _half_in(S, r):
            room += SLICES
    W = np.empty((room, 2))
    R = np.empty((n, 4))
    heights = 3 if floating else 1  # over things that stand on the ground the lowest part is the hardest to see
    around = 64 if S[1, ROUND] == 1.0 else 48
    for k in range(around + n - 2):
        if k >= around:
            # what a slender blocker hides lies straight behind it
            r = 2 + k - around
            m = S[r, CY] / max(S[r, CX], TINY)
            q0, q1 = _chord(S, V, 1, 0.0, 0.0, m)
            if q0 > q1:
                continue
            x = q0 - 1e-4
            y = m * x
        elif S[1, ROUND] == 1.0:
            nx = cos(2.0 * pi * k / around)
            ny = sin(2.0 * pi * k / around)
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
        # nothing but the target itself in the way: does this part face the observer at all?
        if not _point_free(S, V, W, R, 2, x, y, True, c.bj, c.bj, c, False):
            continue
        for level in range(heights):
            z = c.bj + 0.5 * level * (c.tj - LIFT - c.bj)
            if not _point_free(S, V, W, R, n, x, y, True, z, z, c, floating):
                return False
    return True
