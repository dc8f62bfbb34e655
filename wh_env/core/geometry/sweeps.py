"""Sweeps: what a base touches while it slides along a straight line or turns on the spot.

Lengths in inches, angles in radians. A slide keeps the facing; its parameter ``t`` runs from 0 to 1.
"""

from __future__ import annotations

from math import cos, hypot, pi, sin, sqrt

from wh_env.core.geometry.shapes import EPS, SLACK, gap_at, overlap_at, shrunk_gap_at
from wh_env.core.kernel import inner_kernel
from wh_env.core.tables import CIRCLE, RECT, Array

OVERLAP = -1.0  # in place of a margin: the bases must overlap, touching is not enough

_STEP = 0.02  # inches: the shortest step of the search for a touch during a turn
_FINE = 1e-3  # inches: how exactly the nearest point of a slide is found


@inner_kernel
def turn_between(f0: float, f1: float) -> float:
    """The smaller angle between two facings, 0 to pi."""
    d = (f1 - f0) % (2.0 * pi)
    return min(d, 2.0 * pi - d)


@inner_kernel
def farthest_part(models: Array, i: int, dx: float, dy: float, f0: float, f1: float) -> float:
    """The greatest distance in plan, in inches, between where a part of the base of model ``i`` begins and where it
    ends, if the centre goes by (dx, dy) and the facing from ``f0`` to ``f1``.
    """
    m = models[i]
    turn = (f1 - f0) % (2.0 * pi)
    if m["shape"] == CIRCLE or min(turn, 2.0 * pi - turn) <= 1e-9:
        return hypot(dx, dy)
    # A part at p of the base goes by d + s R p, R a rotation. In the frame of R the base is symmetric about both axes,
    # so the farthest part lies on the side to which d points.
    s = 2.0 * sin(0.5 * turn)
    away = f0 + 0.5 * (turn + pi)
    ex = abs(dx * cos(away) + dy * sin(away))
    ey = abs(dy * cos(away) - dx * sin(away))
    a = s * m["half_a"]
    b = s * m["half_b"]
    if m["shape"] == RECT:
        return hypot(ex + a, ey + b)
    # for an oval, find the angle at which the distance stops growing; its slope over sine and cosine falls all the way
    low = 0.0
    high = 0.5 * pi
    for _ in range(40):
        t = 0.5 * (low + high)
        if ey * b * cos(t) - ex * a * sin(t) + (b * b - a * a) * sin(t) * cos(t) > 0.0:
            low = t
        else:
            high = t
    return hypot(ex + a * cos(low), ey + b * sin(low))


@inner_kernel
def segment_near(cx: float, cy: float, dx: float, dy: float, r: float) -> bool:
    """Whether the segment from (0, 0) to (dx, dy) comes closer than ``r`` to (cx, cy)."""
    length2 = dx * dx + dy * dy
    along = cx * dx + cy * dy
    if along <= 0.0 or length2 <= 0.0:
        return cx * cx + cy * cy < r * r
    if along >= length2:
        return (cx - dx) * (cx - dx) + (cy - dy) * (cy - dy) < r * r
    cross = cx * dy - cy * dx
    return cross * cross < r * r * length2


@inner_kernel
def slide_hits(
    models: Array, i: int, x0: float, y0: float, x1: float, y1: float, f: float, j: int, margin: float
) -> bool:
    """Whether model ``i``, sliding from (x0, y0) to (x1, y1) with facing ``f``, comes within ``margin`` inches of model
    ``j`` on the way.

    With ``margin`` = ``OVERLAP``, only an overlap of the bases counts. Heights are ignored.
    """
    p, q = models[i], models[j]
    dx, dy = x1 - x0, y1 - y0
    cx, cy = q["x"] - x0, q["y"] - y0
    over = -SLACK if margin < 0.0 else margin + EPS
    if not segment_near(cx, cy, dx, dy, p["radius"] + q["radius"] + over):
        return False
    if p["shape"] == CIRCLE and q["shape"] == CIRCLE:
        return True
    if segment_near(cx, cy, dx, dy, min(p["half_a"], p["half_b"]) + min(q["half_a"], q["half_b"]) + over):
        return True
    # The gap between two convex bases is a convex function of the distance slid, and falls no faster than it grows.
    # So three points of which the middle one has the least gap enclose the minimum, and a stretch whose ends are too
    # far away contains no touch.
    length = hypot(dx, dy)
    if length <= 0.0:
        return _gap_for_margin(models, i, x0, y0, f, j, margin) <= max(0.0, over)
    low = 0.0
    high = length
    mid = min(high, max(0.0, (cx * dx + cy * dy) / length))
    at_mid = _gap_for_margin(models, i, x0 + mid / length * dx, y0 + mid / length * dy, f, j, margin)
    at_low = at_mid if mid <= low else _gap_for_margin(models, i, x0, y0, f, j, margin)
    at_high = at_mid if mid >= high else _gap_for_margin(models, i, x1, y1, f, j, margin)
    edge = max(0.0, over)
    if at_mid <= edge or at_low <= edge or at_high <= edge:
        return True
    if at_low < at_mid:
        high, at_high, mid, at_mid = mid, at_mid, low, at_low
    elif at_high < at_mid:
        low, at_low, mid, at_mid = mid, at_mid, high, at_high
    while high - low > _FINE:
        before = 0.5 * (at_low + at_mid - (mid - low))  # the gap is nowhere less between low and mid
        after = 0.5 * (at_mid + at_high - (high - mid))
        if min(before, after) > edge:
            return False
        left = before < after
        at = 0.5 * (low + mid) if left else 0.5 * (mid + high)
        now = _gap_for_margin(models, i, x0 + at / length * dx, y0 + at / length * dy, f, j, margin)
        if now <= edge:
            return True
        if now < at_mid:
            if left:
                high, at_high = mid, at_mid
            else:
                low, at_low = mid, at_mid
            mid, at_mid = at, now
        elif left:
            low, at_low = at, now
        else:
            high, at_high = at, now
    return False


@inner_kernel
def _gap_for_margin(models: Array, i: int, x: float, y: float, f: float, j: int, margin: float) -> float:
    """The gap in inches between model ``i`` at a pose and model ``j``; with ``margin`` = ``OVERLAP``, between smaller
    bases, so that it is 0 only if the bases overlap.
    """
    q = models[j]
    if margin >= 0.0:
        return gap_at(models, i, x, y, f, j, q["x"], q["y"], q["facing"])
    return shrunk_gap_at(models, i, x, y, f, j, q["x"], q["y"], q["facing"])


@inner_kernel
def turn_hits(models: Array, i: int, x: float, y: float, f0: float, f1: float, j: int, margin: float) -> bool:
    """Whether model ``i``, turning on the spot from ``f0`` to ``f1`` the shorter way, comes within ``margin`` inches of
    model ``j`` (``OVERLAP``: overlaps it).
    """
    q = models[j]
    reach = models[i]["radius"]
    over = -SLACK if margin < 0.0 else margin + EPS
    if hypot(q["x"] - x, q["y"] - y) >= reach + q["radius"] + over:
        return False
    angle = turn_between(f0, f1)
    sign = 1.0 if (f1 - f0) % (2.0 * pi) <= pi else -1.0
    at = 0.0
    while True:
        f = f0 + sign * at
        apart = gap_at(models, i, x, y, f, j, q["x"], q["y"], q["facing"])
        if margin < 0.0:
            if apart <= 0.0 and overlap_at(models, i, x, y, f, j, q["x"], q["y"], q["facing"]):
                return True
        elif apart <= margin + EPS:
            return True
        if at >= angle:
            return False
        at = min(angle, at + max(_STEP, apart - max(0.0, margin)) / reach)


@inner_kernel
def _clip_range(low: float, high: float, c0: float, dc: float, t0: float, t1: float) -> tuple[float, float]:
    """The part of t0..t1 in which ``c0 + t * dc`` is from ``low`` to ``high``; t0 > t1 if there is none."""
    if abs(dc) < 1e-12:
        if c0 < low or c0 > high:
            return 1.0, 0.0
        return t0, t1
    a = (low - c0) / dc
    b = (high - c0) / dc
    return max(t0, min(a, b)), min(t1, max(a, b))


@inner_kernel
def _rect_span(
    a: float, b: float, x0: float, y0: float, x1: float, y1: float, f: float, corners: Array, first: int, count: int
) -> tuple[float, float]:
    """``slide_span`` for a rectangle with half lengths ``a`` and ``b``."""
    # two convex polygons overlap while their projections overlap on the normal of every edge
    t0 = 0.0
    t1 = 1.0
    c = cos(f)
    s = sin(f)
    for k in range(-2, count):
        if k == -2:
            nx = c
            ny = s
        elif k == -1:
            nx = -s
            ny = c
        else:
            o = first + k + 1 if k < count - 1 else first
            ex = corners[o, 0] - corners[first + k, 0]
            ey = corners[o, 1] - corners[first + k, 1]
            length = sqrt(ex * ex + ey * ey)
            if length <= 0.0:
                continue
            nx = ey / length
            ny = -ex / length
        low = high = corners[first, 0] * nx + corners[first, 1] * ny
        for g in range(first + 1, first + count):
            at = corners[g, 0] * nx + corners[g, 1] * ny
            low = min(low, at)
            high = max(high, at)
        half = a * abs(c * nx + s * ny) + b * abs(c * ny - s * nx)
        t0, t1 = _clip_range(low - half, high + half, x0 * nx + y0 * ny, (x1 - x0) * nx + (y1 - y0) * ny, t0, t1)
        if t0 > t1:
            return 1.0, 0.0
    return t0, t1


@inner_kernel
def _corner_span(qx: float, qy: float, dx: float, dy: float, aa: float, radius: float) -> tuple[float, float]:
    """The part of a slide by (dx, dy), of length squared ``aa``, in which (qx, qy) is within ``radius`` of the middle.

    The slide starts at (0, 0). If the corner is not met, the first number is greater than the second.
    """
    bb = qx * dx + qy * dy
    cc = qx * qx + qy * qy - radius * radius
    if aa <= 1e-18:
        return (0.0, 1.0) if cc < 0.0 else (1.0, 0.0)
    root = bb * bb - aa * cc
    if root <= 0.0:
        return 1.0, 0.0
    root = sqrt(root)
    return max(0.0, (bb - root) / aa), min(1.0, (bb + root) / aa)


@inner_kernel
def _oval_span(
    a: float, b: float, x0: float, y0: float, x1: float, y1: float, f: float, corners: Array, first: int, count: int
) -> tuple[float, float]:
    """``slide_span`` for an ellipse with half axes ``a`` and ``b``; if they are equal, ``f`` does not matter."""
    last = first + count - 1
    # stretched across its facing an oval becomes a circle, and a straight slide stays straight
    if a == b:
        c = 1.0
        s = 0.0
        k1 = 1.0
    else:
        c = cos(f)
        s = sin(f)
        k1 = a / b
    dx = c * (x1 - x0) + s * (y1 - y0)
    dy = (c * (y1 - y0) - s * (x1 - x0)) * k1
    aa = dx * dx + dy * dy
    first_t = 2.0
    last_t = -1.0
    in0 = 0.0
    in1 = 1.0
    px = c * (corners[last, 0] - x0) + s * (corners[last, 1] - y0)
    py = (c * (corners[last, 1] - y0) - s * (corners[last, 0] - x0)) * k1
    for k in range(first, first + count):
        qx = c * (corners[k, 0] - x0) + s * (corners[k, 1] - y0)
        qy = (c * (corners[k, 1] - y0) - s * (corners[k, 0] - x0)) * k1
        t0, t1 = _corner_span(qx, qy, dx, dy, aa, a)
        if t0 <= t1:
            first_t = min(first_t, t0)
            last_t = max(last_t, t1)
        # the strip outside the edge p-q
        ex = qx - px
        ey = qy - py
        length = sqrt(ex * ex + ey * ey)
        if length > 0.0:
            ex /= length
            ey /= length
            away0 = py * ex - px * ey  # outward distance of the start
            away = dx * ey - dy * ex
            t0, t1 = _clip_range(0.0, length, -(px * ex + py * ey), dx * ex + dy * ey, 0.0, 1.0)
            if t0 <= t1:
                t0, t1 = _clip_range(0.0, a, away0, away, t0, t1)
                if t0 <= t1:
                    first_t = min(first_t, t0)
                    last_t = max(last_t, t1)
            if in0 <= in1:
                in0, in1 = _clip_range(-1e300, 0.0, away0, away, in0, in1)
        px = qx
        py = qy
    if in0 <= in1:
        first_t = min(first_t, in0)
        last_t = max(last_t, in1)
    if first_t > last_t:
        return 1.0, 0.0
    return first_t, last_t


@inner_kernel
def slide_span(
    models: Array, i: int, x0: float, y0: float, x1: float, y1: float, f: float, corners: Array, first: int, count: int
) -> tuple[float, float]:
    """The part t0..t1 of a slide in which model ``i`` overlaps a convex polygon; t0 > t1 if it never does.

    Touching is no overlap: the outline is made ``SLACK`` smaller all round.
    """
    m = models[i]
    a = m["half_a"] - SLACK
    if m["shape"] == RECT:
        return _rect_span(a, m["half_b"] - SLACK, x0, y0, x1, y1, f, corners, first, count)
    b = a if m["shape"] == CIRCLE else m["half_b"] - SLACK
    return _oval_span(a, b, x0, y0, x1, y1, f, corners, first, count)


@inner_kernel
def box_missed(models: Array, i: int, x0: float, y0: float, x1: float, y1: float, blocks: Array, b: int) -> bool:
    """Whether the bounding box of a slide of model ``i`` misses the bounding box of block ``b``."""
    r = models[i]["radius"]
    block = blocks[b]
    return bool(
        max(x0, x1) + r <= block["min_x"]
        or min(x0, x1) - r >= block["max_x"]
        or max(y0, y1) + r <= block["min_y"]
        or min(y0, y1) - r >= block["max_y"]
    )
