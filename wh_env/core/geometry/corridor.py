"""The corridor between two models: which blockers stand in it, and what they do to the lines through it. ``sight``
explains its use.
"""

from __future__ import annotations

from math import cos, sin, sqrt
from typing import NamedTuple

from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import CIRCLE, RECT, Array

TINY = 1e-6  # inches: a line this close to a blocker counts as touching it
LIFT = 0.01  # inches above its base at which the lowest visible part of a model lies
FAR = 1e9  # inches: farther than anything

# columns of the shape table, whose rows are the observer (0), the target (1) and blockers, in the corridor's frame
ROUND, CX, CY, SXX, SXY, SYY, X0, X1, Y0, Y1, LOW, HIGH, FIRST, COUNT, ALWAYS = range(15)
COLUMNS = 15

# What a blocker does to a pair of models: it stands outside the corridor; lower than the line from top to top; may stop
# some lines; stops the line from top to top; stops every line. The higher, the worse.
OUTSIDE, PASSED, ASIDE, ACROSS, TOTAL = 0, 1, 2, 3, 4


class Corridor(NamedTuple):
    """The frame of a pair of models: the origin at the observer's centre, the x axis along the unit vector (ux, uy) to
    the target's centre, which is ``length`` inches away.
    """

    ox: float
    oy: float
    ux: float
    uy: float
    length: float
    ri: float  # radius of the circle round the observer
    rj: float  # the same of the target
    bi: float  # height of the lowest visible part of the observer
    ti: float  # height of its top
    bj: float  # the same of the target
    tj: float


@inner_kernel
def corridor(
    xi: float, yi: float, ri: float, bi: float, ti: float, xj: float, yj: float, rj: float, bj: float, tj: float
) -> Corridor:
    """The corridor between two upright discs, given by centre, radius, lowest and highest part (inches)."""
    dx = xj - xi
    dy = yj - yi
    length = max(sqrt(dx * dx + dy * dy), 1e-9)
    return Corridor(xi, yi, dx / length, dy / length, length, ri, rj, bi + LIFT, ti, bj + LIFT, tj)


@kernel
def between(models: Array, i: int, j: int) -> Corridor:
    """The corridor from model ``i`` (the observer) to model ``j`` (the target)."""
    p = models[i]
    q = models[j]
    return corridor(
        p["x"],
        p["y"],
        p["radius"],
        p["z"],
        p["z"] + p["height"],
        q["x"],
        q["y"],
        q["radius"],
        q["z"],
        q["z"] + q["height"],
    )


@inner_kernel
def _highest_line_at(c: Corridor, x: float) -> float:
    """The greatest height at which any line from the observer to the target passes over ``x`` of the corridor."""
    if c.ti < c.tj:
        t = (x + c.ri) / max(c.length - c.rj + c.ri, TINY)
    else:
        t = (x - c.ri) / max(c.length + c.rj - c.ri, TINY)
    return c.ti + (c.tj - c.ti) * min(1.0, max(0.0, t))


@inner_kernel
def _lowest_line_at(c: Corridor, x: float) -> float:
    """The lowest height at which any line from the observer to the target passes over ``x`` of the corridor."""
    if c.bi > c.bj:
        t = (x + c.ri) / max(c.length - c.rj + c.ri, TINY)
    else:
        t = (x - c.ri) / max(c.length + c.rj - c.ri, TINY)
    return c.bi + (c.bj - c.bi) * min(1.0, max(0.0, t))


@inner_kernel
def _stops_all(c: Corridor, x0: float, x1: float, low: float, high: float) -> bool:
    """Whether a prism from ``low`` to ``high`` that stands between x0 and x1 of the corridor stops every line that
    crosses it, at any height.
    """
    return (
        high >= max(_highest_line_at(c, x0), _highest_line_at(c, x1)) - TINY
        and low <= min(_lowest_line_at(c, x0), _lowest_line_at(c, x1)) + TINY
    )


# ---- one straight line


@inner_kernel
def clip_polygon(
    corners: Array, first: int, count: int, ax: float, ay: float, bx: float, by: float
) -> tuple[float, float]:
    """The part t0..t1 (0 to 1) of the segment from a to b that lies in a convex polygon, touching included; t0 > t1 if
    there is none.
    """
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


@inner_kernel
def clip_model(models: Array, k: int, ax: float, ay: float, bx: float, by: float) -> tuple[float, float]:
    """The part t0..t1 (0 to 1) of the segment from a to b that lies in the outline of model ``k``, touching included;
    t0 > t1 if there is none.
    """
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


@inner_kernel
def meets(t0: float, t1: float, za: float, zb: float, low: float, high: float) -> bool:
    """Whether a line meets a prism from ``low`` to ``high``: it rises from height ``za`` to ``zb``, and its part t0..t1
    lies in the prism's outline.
    """
    if t0 > t1:
        return False
    z0 = za + (zb - za) * t0
    z1 = za + (zb - za) * t1
    return min(z0, z1) < high + TINY and max(z0, z1) > low - TINY


@inner_kernel
def line_free(
    models: Array,
    blocks: Array,
    corners: Array,
    i: int,
    j: int,
    through: int,
    ax: float,
    ay: float,
    az: float,
    bx: float,
    by: float,
    bz: float,
) -> bool:
    """Whether the straight line from a to b meets no solid block and no model that may block sight between models ``i``
    and ``j``.

    ``through``: as in ``may_block``. Footprints that screen are ignored.
    """
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


@inner_kernel
def may_block(models: Array, k: int, i: int, j: int, through: int) -> bool:
    """Whether model ``k`` counts as a blocker between observer ``i`` and target ``j``: it is on the table and not of
    the observer's unit, nor ``j``; with ``through`` 1, nor of the target's unit.
    """
    m = models[k]
    if m["on_table"] != 1 or k == j or m["unit"] == models[i]["unit"]:
        return False
    return not (through == 1 and m["unit"] == models[j]["unit"])


# ---- judging one blocker quickly


@inner_kernel
def list_blockers(models: Array, blocks: Array, c: Corridor, unit: int, screen: int, near: Array) -> int:
    """List in ``near`` (int32) what stands in or beside the corridor: block k as ``k``, model k as ``-1 - k``. Returns
    how many.

    Blocks are listed if they are solid or if their ``screen`` is at least ``screen``; models unless they are of
    ``unit``.
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


@inner_kernel
def _box_class(c: Corridor, x: float, y: float, ex: float, ey: float, low: float, high: float) -> int:
    """What a blocker with this bounding box (centre and half extents in the corridor's frame) does: ``OUTSIDE``,
    ``PASSED``, or ``ASIDE`` if its box does not settle it.
    """
    if abs(y) - ey > max(c.ri, c.rj) or x + ex < -c.ri or x - ex > c.length + c.rj:
        return OUTSIDE
    if high <= min(c.bi, c.bj) or low >= max(c.ti, c.tj):
        return OUTSIDE
    return PASSED if high <= min(c.ti, c.tj) - TINY else ASIDE


@inner_kernel
def _outer_tangent(c: Corridor, side: float) -> tuple[float, float, float, float]:
    """The outer tangent of the circles round the two models on one side (``side`` 1 left, -1 right), as table
    coordinates of its ends at the observer and at the target.
    """
    s = (c.rj - c.ri) / c.length
    n = side * sqrt(max(0.0, 1.0 - s * s))
    ax = -s * c.ri
    ay = n * c.ri
    bx = c.length - s * c.rj
    by = n * c.rj
    return (
        c.ox + c.ux * ax - c.uy * ay,
        c.oy + c.uy * ax + c.ux * ay,
        c.ox + c.ux * bx - c.uy * by,
        c.oy + c.uy * bx + c.ux * by,
    )


@inner_kernel
def _parts_corridor(corners: Array, first: int, count: int, c: Corridor, clear: float) -> bool:
    """Whether a convex polygon parts the whole corridor: it contains a chord from one outer tangent to the other.

    With ``clear`` 1 the chord must stay off both circles, with 0 it need only have the two centres on opposite sides.
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


@inner_kernel
def judge_block(blocks: Array, corners: Array, k: int, c: Corridor, clear: float) -> int:
    """What block ``k`` does to the corridor: ``OUTSIDE``, ``PASSED``, ``ASIDE``, ``ACROSS`` or ``TOTAL``. ``clear``: as
    in ``_parts_corridor``.
    """
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
        if _parts_corridor(corners, b["first"], b["count"], c, clear):
            return TOTAL
    return ACROSS


@inner_kernel
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


@inner_kernel
def put_round(
    S: Array, r: int, c: Corridor, x: float, y: float, a: float, b: float, f: float, low: float, high: float
) -> None:
    """Fill row ``r`` of the shape table ``S`` with an ellipse, as its centre and second moments.

    Args:
        x, y, f: its pose on the table. a, b: half axes. low, high: heights.
    """
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
    reach = sqrt(S[r, SYY])
    S[r, Y0] = S[r, CY] - reach
    S[r, Y1] = S[r, CY] + reach
    _put_height(S, r, c, low, high)


@inner_kernel
def _put_height(S: Array, r: int, c: Corridor, low: float, high: float) -> None:
    """Fill in the heights of row ``r``, and whether it stops every line that crosses it."""
    S[r, LOW] = low
    S[r, HIGH] = high
    S[r, ALWAYS] = 1.0 if _stops_all(c, S[r, X0], S[r, X1], low, high) else 0.0


@inner_kernel
def _put_corner(S: Array, V: Array, r: int, c: Corridor, x: float, y: float) -> None:
    """Append the corner (x, y) to the polygon of row ``r``; ``V`` is the table of corners."""
    n = int(S[r, FIRST]) + int(S[r, COUNT])
    dx = x - c.ox
    dy = y - c.oy
    V[n, 0] = c.ux * dx + c.uy * dy
    V[n, 1] = c.ux * dy - c.uy * dx
    S[r, COUNT] += 1.0
    S[r, X0] = min(S[r, X0], V[n, 0])
    S[r, X1] = max(S[r, X1], V[n, 0])
    S[r, Y0] = min(S[r, Y0], V[n, 1])
    S[r, Y1] = max(S[r, Y1], V[n, 1])
    S[r, CX] = 0.5 * (S[r, X0] + S[r, X1])
    S[r, CY] += (V[n, 1] - S[r, CY]) / S[r, COUNT]


@inner_kernel
def _put_polygon(S: Array, r: int, at: int) -> None:
    """Start an empty polygon in row ``r``, whose corners follow from row ``at`` of the table of corners."""
    S[r, ROUND] = 0.0
    S[r, FIRST] = at
    S[r, COUNT] = 0.0
    S[r, X0] = FAR
    S[r, X1] = -FAR
    S[r, Y0] = FAR
    S[r, Y1] = -FAR
    S[r, CY] = 0.0


@inner_kernel
def put_model(S: Array, V: Array, r: int, at: int, c: Corridor, models: Array, k: int) -> int:
    """Fill row ``r`` with the outline of model ``k``; returns the next free row of the table of corners."""
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


@inner_kernel
def put_block(S: Array, V: Array, r: int, at: int, c: Corridor, blocks: Array, corners: Array, k: int) -> int:
    """Fill row ``r`` with the outline of block ``k``; returns the next free row of the table of corners."""
    _put_polygon(S, r, at)
    first = blocks[k]["first"]
    for n in range(first, first + blocks[k]["count"]):
        _put_corner(S, V, r, c, corners[n, 0], corners[n, 1])
    _put_height(S, r, c, blocks[k]["z_low"], blocks[k]["z_high"])
    return int(at + blocks[k]["count"])
