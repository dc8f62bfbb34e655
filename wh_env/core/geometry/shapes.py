"""Distances between bases and hulls: gaps, overlaps, reach, Engagement Range and unit coherency.

Outlines are circles, ellipses (``OVAL``) and oriented rectangles (``RECT``), with half lengths ``a`` along the facing
and ``b`` across it; lengths in inches, angles in radians. Every kernel takes whole tables and row numbers. A pose is
``x, y, facing``, so that distances can be measured from places where a model does not stand. Polygons are convex, their
corners counter-clockwise: ``corners[first : first + count]``.
"""

from __future__ import annotations

from math import cos, hypot, pi, sin, sqrt

from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import CIRCLE, OVAL, RECT, Array

EPS = 1e-4  # inches: distances that differ by less count as equal, in favour of "within"
CONTACT = 0.01  # inches: bases this close are in base contact
SLACK = 1e-3  # inches: outlines that overlap by less than this depth only touch

_CLOSE = 1e-8  # inches: the search for a distance stops when it is this exact
_ROUNDS = 80  # rounds after which it stops in any case; rounding aside, it needs fewer


# ---- outlines


@inner_kernel
def _support_point(shape: int, a: float, b: float, dx: float, dy: float) -> tuple[float, float]:
    """The point of an outline (centre (0, 0), facing +x) that lies farthest in the direction (dx, dy).

    For a circle it is the centre: callers treat the radius as a margin.
    """
    if shape == RECT:
        return (a if dx > 0.0 else -a), (b if dy > 0.0 else -b)
    if shape == OVAL:
        length = sqrt(a * a * dx * dx + b * b * dy * dy)
        if length > 0.0:
            return a * a * dx / length, b * b * dy / length
    # a circle is its centre with the radius as a margin
    return 0.0, 0.0


@kernel
def extent(models: Array, i: int, f: float, dx: float, dy: float) -> float:
    """The inches that the outline of model ``i`` with facing ``f`` reaches from its centre in the unit direction (dx,
    dy).
    """
    m = models[i]
    a = m["half_a"]
    if m["shape"] == CIRCLE:
        return float(a)
    b = m["half_b"]
    c = cos(f)
    s = sin(f)
    u = c * dx + s * dy
    v = c * dy - s * dx
    if m["shape"] == RECT:
        return float(a * abs(u) + b * abs(v))
    return float(sqrt(a * a * u * u + b * b * v * v))


@kernel
def face(
    shape: int, a: float, b: float, x: float, y: float, f: float, nx: float, ny: float, tx: float, ty: float
) -> tuple[float, float]:
    """The part of an outline that lies farthest in the unit direction n, as a stretch along the unit direction t at
    right angles to it: from, to.

    It is a side of a rectangle whose side is at right angles to n, otherwise one point. (x, y), ``f``: centre and
    facing of the outline.
    """
    c = cos(f)
    s = sin(f)
    u = c * nx + s * ny
    v = c * ny - s * nx
    u0, v0 = _support_point(shape, a, b, u, v)
    u1 = u0
    v1 = v0
    if shape == RECT:
        if abs(u) <= SLACK:
            u0 = -a
            u1 = a
        elif abs(v) <= SLACK:
            v0 = -b
            v1 = b
    one = (x + c * u0 - s * v0) * tx + (y + s * u0 + c * v0) * ty
    two = (x + c * u1 - s * v1) * tx + (y + s * u1 + c * v1) * ty
    return min(one, two), max(one, two)


@inner_kernel
def _point_gap(shape: int, a: float, b: float, u: float, v: float) -> float:
    """Inches from the point (u, v) to an outline with centre (0, 0) and facing +x; 0 inside it."""
    if shape == CIRCLE:
        return max(0.0, sqrt(u * u + v * v) - a)
    u = abs(u)
    v = abs(v)
    if shape == RECT:
        du = max(0.0, u - a)
        dv = max(0.0, v - b)
        return sqrt(du * du + dv * dv)
    aa = a * a
    bb = b * b
    if u * u / aa + v * v / bb <= 1.0:
        return 0.0
    # the nearest point is (aa u / (t + aa), bb v / (t + bb)); the ellipse equation in t is convex and falling, so
    # Newton steps from below its root never overshoot
    t = max(0.0, a * u - aa, b * v - bb)
    for _ in range(_ROUNDS):
        p = a * u / (t + aa)
        q = b * v / (t + bb)
        f = p * p + q * q - 1.0
        step = f / (2.0 * (p * p / (t + aa) + q * q / (t + bb)))
        t += step
        if step <= 1e-13 * (t + aa):
            break
    return hypot(u - aa * u / (t + aa), v - bb * v / (t + bb))


@inner_kernel
def _farthest_distance(shape: int, a: float, b: float, u: float, v: float) -> float:
    """Inches from the point (u, v) to the farthest point of an outline with centre (0, 0) and facing +x."""
    u = abs(u)
    v = abs(v)
    if shape == CIRCLE:
        return sqrt(u * u + v * v) + a
    if shape == RECT:
        return hypot(u + a, v + b)
    # in the opposite quadrant, where the derivative of the distance by the angle of the ellipse is 0
    low = 0.0
    high = 0.5 * pi
    for _ in range(48):
        t = 0.5 * (low + high)
        c = cos(t)
        s = sin(t)
        if (b * b - a * a) * s * c - u * a * s + v * b * c > 0.0:
            low = t
        else:
            high = t
    t = 0.5 * (low + high)
    return hypot(u + a * cos(t), v + b * sin(t))


# ---- distance of two convex sets (Gilbert-Johnson-Keerthi in the plane)


@inner_kernel
def _nearest_on_segment(ax: float, ay: float, bx: float, by: float) -> float:
    """The parameter t, 0 to 1, of the point of the segment from a to b that is nearest to (0, 0)."""
    ex = bx - ax
    ey = by - ay
    length2 = ex * ex + ey * ey
    if length2 <= 0.0:
        return 0.0
    return min(1.0, max(0.0, -(ax * ex + ay * ey) / length2))


@inner_kernel
def _nearest_of_simplex(
    n: int, ax: float, ay: float, bx: float, by: float, wx: float, wy: float
) -> tuple[int, float, float, float, float, float, float]:
    """The point nearest to (0, 0) of the simplex that consists of the first ``n`` of the points a, b and the new point
    w.

    Returns:
        How many points carry it (3: (0, 0) lies inside), two of these points, and the nearest point: n, ax, ay, bx, by,
        x, y.
    """
    if n == 0:
        return 1, wx, wy, wx, wy, wx, wy
    t = _nearest_on_segment(wx, wy, ax, ay)
    px = wx + t * (ax - wx)
    py = wy + t * (ay - wy)
    if n == 1:
        return 2, wx, wy, ax, ay, px, py
    # inside the triangle if the origin is on the same side of its three edges
    s1 = wx * ay - wy * ax
    s2 = ax * by - ay * bx
    s3 = bx * wy - by * wx
    if (s1 > 0.0 and s2 > 0.0 and s3 > 0.0) or (s1 < 0.0 and s2 < 0.0 and s3 < 0.0):
        return 3, ax, ay, bx, by, 0.0, 0.0
    t = _nearest_on_segment(wx, wy, bx, by)
    qx = wx + t * (bx - wx)
    qy = wy + t * (by - wy)
    if qx * qx + qy * qy < px * px + py * py:
        return 2, wx, wy, bx, by, qx, qy
    return 2, wx, wy, ax, ay, px, py


@inner_kernel
def outline_way(
    shape: int, a: float, b: float, fi: float, other: int, c: float, d: float, fj: float, x: float, y: float
) -> tuple[float, float]:
    """The shortest vector from an outline with centre (x, y) to an outline with centre (0, 0), as (dx, dy); (0, 0) if
    they meet. A circle counts as its centre.

    Args:
        shape, a, b, fi: the outline at (x, y), with facing ``fi``. other, c, d, fj: the outline at (0, 0).
    """
    ci = cos(fi)
    si = sin(fi)
    cj = cos(fj)
    sj = sin(fj)
    vx = -x
    vy = -y
    n = 0
    ax = ay = bx = by = 0.0
    for _ in range(_ROUNDS):
        length = sqrt(vx * vx + vy * vy)
        if length <= _CLOSE:
            return 0.0, 0.0
        pu, pv = _support_point(shape, a, b, -(ci * vx + si * vy), -(ci * vy - si * vx))
        qu, qv = _support_point(other, c, d, cj * vx + sj * vy, cj * vy - sj * vx)
        wx = ci * pu - si * pv - x - cj * qu + sj * qv
        wy = si * pu + ci * pv - y - sj * qu - cj * qv
        if length - (vx * wx + vy * wy) / length <= _CLOSE:
            return vx, vy
        n, ax, ay, bx, by, vx, vy = _nearest_of_simplex(n, ax, ay, bx, by, wx, wy)
        if n == 3:
            return 0.0, 0.0
    return vx, vy


@inner_kernel
def _outline_gap(
    shape: int, a: float, b: float, fi: float, other: int, c: float, d: float, fj: float, x: float, y: float
) -> float:
    """The gap in inches between an outline with centre (0, 0) (``shape``, ``a``, ``b``, ``fi``) and one with centre (x,
    y) (``other``, ``c``, ``d``, ``fj``). One of them may be a circle.
    """
    if shape == CIRCLE and other != CIRCLE:
        cj = cos(fj)
        sj = sin(fj)
        return max(0.0, _point_gap(other, c, d, cj * x + sj * y, cj * y - sj * x) - a)
    ci = cos(fi)
    si = sin(fi)
    if other == CIRCLE:
        return max(0.0, _point_gap(shape, a, b, ci * x + si * y, ci * y - si * x) - c)
    vx, vy = outline_way(shape, a, b, fi, other, c, d, fj, x, y)
    return sqrt(vx * vx + vy * vy)


@inner_kernel
def polygon_outline_gap(
    shape: int, a: float, b: float, f: float, x: float, y: float, corners: Array, first: int, count: int
) -> float:
    """The gap in inches between an outline with centre (x, y) and facing ``f`` and a convex polygon; 0 if they
    overlap.
    """
    ci = cos(f)
    si = sin(f)
    vx = x - corners[first, 0]
    vy = y - corners[first, 1]
    n = 0
    ax = ay = bx = by = 0.0
    margin = a if shape == CIRCLE else 0.0
    for _ in range(_ROUNDS):
        length = sqrt(vx * vx + vy * vy)
        if length <= margin + _CLOSE:
            return 0.0
        pu, pv = _support_point(shape, a, b, -(ci * vx + si * vy), -(ci * vy - si * vx))
        best = first
        most = vx * corners[first, 0] + vy * corners[first, 1]
        for k in range(first + 1, first + count):
            along = vx * corners[k, 0] + vy * corners[k, 1]
            if along > most:
                most = along
                best = k
        wx = x + ci * pu - si * pv - corners[best, 0]
        wy = y + si * pu + ci * pv - corners[best, 1]
        if length - (vx * wx + vy * wy) / length <= _CLOSE:
            return length - margin
        n, ax, ay, bx, by, vx, vy = _nearest_of_simplex(n, ax, ay, bx, by, wx, wy)
        if n == 3:
            return 0.0
    return max(0.0, sqrt(vx * vx + vy * vy) - margin)


# ---- two models


@inner_kernel
def gap_at(models: Array, i: int, xi: float, yi: float, fi: float, j: int, xj: float, yj: float, fj: float) -> float:
    """The horizontal gap in inches between the outlines of models ``i`` and ``j`` at these poses; 0 if they touch."""
    p = models[i]
    q = models[j]
    dx = xj - xi
    dy = yj - yi
    if p["shape"] == CIRCLE and q["shape"] == CIRCLE:
        return float(max(0.0, sqrt(dx * dx + dy * dy) - p["half_a"] - q["half_a"]))
    return _outline_gap(p["shape"], p["half_a"], p["half_b"], fi, q["shape"], q["half_a"], q["half_b"], fj, dx, dy)


@kernel
def gap(models: Array, i: int, j: int) -> float:
    """The horizontal gap in inches between models ``i`` and ``j`` where they stand; 0 if they touch."""
    p = models[i]
    q = models[j]
    return gap_at(models, i, p["x"], p["y"], p["facing"], j, q["x"], q["y"], q["facing"])


@inner_kernel
def shrunk_gap_at(
    models: Array, i: int, xi: float, yi: float, fi: float, j: int, xj: float, yj: float, fj: float
) -> float:
    """``gap_at`` with both outlines half of ``SLACK`` smaller all round: 0 only if they overlap by more than
    ``SLACK``.
    """
    p = models[i]
    q = models[j]
    cut = 0.5 * SLACK
    return _outline_gap(
        p["shape"],
        p["half_a"] - cut,
        p["half_b"] - cut,
        fi,
        q["shape"],
        q["half_a"] - cut,
        q["half_b"] - cut,
        fj,
        xj - xi,
        yj - yi,
    )


@kernel
def overlap_at(models: Array, i: int, xi: float, yi: float, fi: float, j: int, xj: float, yj: float, fj: float) -> bool:
    """Whether the outlines at these poses overlap by more than ``SLACK`` seen from above; touching is no overlap."""
    p = models[i]
    q = models[j]
    dx = xj - xi
    dy = yj - yi
    away = dx * dx + dy * dy
    far = p["radius"] + q["radius"] - SLACK
    if away >= far * far:
        return False
    if p["shape"] == CIRCLE and q["shape"] == CIRCLE:
        return True
    # if the circles inside both outlines overlap, so do the outlines
    near = min(p["half_a"], p["half_b"]) + min(q["half_a"], q["half_b"]) - SLACK - EPS
    if near > 0.0 and away < near * near:
        return True
    return shrunk_gap_at(models, i, xi, yi, fi, j, xj, yj, fj) <= 0.0


@kernel
def overlaps_in_height(zi: float, hi: float, zj: float, hj: float) -> bool:
    """Whether the height ranges z to z + h of two prisms overlap by more than ``SLACK``."""
    return zi + hi > zj + SLACK and zj + hj > zi + SLACK


@kernel
def straight_distance(models: Array, i: int, j: int) -> float:
    """Inches between the bases of models ``i`` and ``j`` in a straight line, with the difference in height."""
    dz = models[i]["z"] - models[j]["z"]
    across = gap(models, i, j)
    return sqrt(across * across + dz * dz)


@inner_kernel
def straight_within(models: Array, i: int, j: int, reach: float) -> bool:
    """Whether ``straight_distance`` of models ``i`` and ``j`` is at most ``reach``. Circles round and inside the
    outlines decide most cases.
    """
    p = models[i]
    q = models[j]
    dx = q["x"] - p["x"]
    dy = q["y"] - p["y"]
    away = sqrt(dx * dx + dy * dy)
    if away - p["radius"] - q["radius"] > reach + EPS:
        return False
    if p["z"] == q["z"] and (p["shape"] != CIRCLE or q["shape"] != CIRCLE):
        if away - min(p["half_a"], p["half_b"]) - min(q["half_a"], q["half_b"]) < reach - EPS:
            return True
    return straight_distance(models, i, j) <= reach


@inner_kernel
def horizontal_reach(horizontal: float, vertical: float, dz: float) -> float:
    """The horizontal inches that a reach extends at a difference in height ``dz``; below 0 if it does not extend there.

    The reach is ``horizontal`` inches across and ``vertical`` inches up or down; or, if ``vertical`` is below 0,
    ``horizontal`` inches in a straight line.
    """
    if vertical >= 0.0:
        return horizontal if abs(dz) <= vertical + EPS else -1.0
    far = horizontal + EPS
    if abs(dz) > far:
        return -1.0
    return max(0.0, sqrt(far * far - dz * dz) - EPS)


@inner_kernel
def within_reach_at(
    models: Array, i: int, x: float, y: float, z: float, f: float, j: int, horizontal: float, vertical: float
) -> bool:
    """Whether model ``i`` at this pose is within ``horizontal`` inches across and ``vertical`` inches up or down of
    model ``j``; if ``vertical`` is below 0, within ``horizontal`` inches in a straight line.
    """
    p = models[i]
    q = models[j]
    dx = q["x"] - x
    dy = q["y"] - y
    away = dx * dx + dy * dy
    far = p["radius"] + q["radius"] + horizontal + EPS
    if away > far * far:
        return False
    dz = abs(z - q["z"])
    if vertical < 0.0:
        horizontal = horizontal_reach(horizontal, vertical, dz)
        far = p["radius"] + q["radius"] + horizontal + EPS
        if horizontal < 0.0 or away > far * far:
            return False
    elif dz > vertical + EPS:
        return False
    if p["shape"] == CIRCLE and q["shape"] == CIRCLE:
        return True
    # if the circles inside both outlines are within reach, so are the outlines
    near = min(p["half_a"], p["half_b"]) + min(q["half_a"], q["half_b"]) + horizontal
    if away <= near * near:
        return True
    return gap_at(models, i, x, y, f, j, q["x"], q["y"], q["facing"]) <= horizontal + EPS


@kernel
def within_reach(models: Array, i: int, j: int, horizontal: float, vertical: float) -> bool:
    """``within_reach_at`` for models ``i`` and ``j`` where they stand."""
    p = models[i]
    return within_reach_at(models, i, p["x"], p["y"], p["z"], p["facing"], j, horizontal, vertical)


# ---- a model and a place


@kernel
def disc_gap_at(models: Array, i: int, x: float, y: float, f: float, cx: float, cy: float, r: float) -> float:
    """The horizontal gap in inches between model ``i`` at a pose and a disc with centre (cx, cy) and radius ``r`` (0: a
    point); 0 if they touch.
    """
    m = models[i]
    dx = cx - x
    dy = cy - y
    if m["shape"] == CIRCLE:
        return float(max(0.0, sqrt(dx * dx + dy * dy) - m["half_a"] - r))
    c = cos(f)
    s = sin(f)
    return max(0.0, _point_gap(m["shape"], m["half_a"], m["half_b"], c * dx + s * dy, c * dy - s * dx) - r)


@inner_kernel
def farthest_gap_from_disc_at(
    models: Array, i: int, x: float, y: float, f: float, cx: float, cy: float, r: float
) -> float:
    """Inches from the edge of a disc to the farthest point of model ``i`` at a pose; 0 if the whole base is on the
    disc.
    """
    m = models[i]
    dx = cx - x
    dy = cy - y
    if m["shape"] == CIRCLE:
        return float(max(0.0, sqrt(dx * dx + dy * dy) + m["half_a"] - r))
    c = cos(f)
    s = sin(f)
    return max(0.0, _farthest_distance(m["shape"], m["half_a"], m["half_b"], c * dx + s * dy, c * dy - s * dx) - r)


@inner_kernel
def polygon_gap_at(
    models: Array, i: int, x: float, y: float, f: float, corners: Array, first: int, count: int
) -> float:
    """The horizontal gap in inches between model ``i`` at a pose and a convex polygon; 0 if they touch or overlap."""
    m = models[i]
    return polygon_outline_gap(m["shape"], m["half_a"], m["half_b"], f, x, y, corners, first, count)


@inner_kernel
def polygon_overlap_at(
    models: Array, i: int, x: float, y: float, f: float, corners: Array, first: int, count: int
) -> bool:
    """Whether model ``i`` at a pose overlaps a convex polygon by more than ``SLACK``; touching is no overlap."""
    m = models[i]
    return (
        polygon_outline_gap(m["shape"], m["half_a"] - SLACK, m["half_b"] - SLACK, f, x, y, corners, first, count) <= 0.0
    )


@kernel
def inside_polygon_at(
    models: Array, i: int, x: float, y: float, f: float, corners: Array, first: int, count: int
) -> bool:
    """Whether every part of model ``i`` at a pose lies in a convex polygon, up to ``EPS``."""
    px = corners[first + count - 1, 0]
    py = corners[first + count - 1, 1]
    for k in range(first, first + count):
        qx = corners[k, 0]
        qy = corners[k, 1]
        nx = qy - py
        ny = px - qx
        length = sqrt(nx * nx + ny * ny)
        if length > 0.0:
            nx /= length
            ny /= length
            if (x - px) * nx + (y - py) * ny + extent(models, i, f, nx, ny) > EPS:
                return False
        px = qx
        py = qy
    return True


@kernel
def inside_table_at(models: Array, i: int, x: float, y: float, f: float, length: float, width: float) -> bool:
    """Whether no part of model ``i`` at a pose reaches over the edge of a table of ``length`` (x) and ``width`` (y), up
    to ``EPS``.
    """
    across = extent(models, i, f, 1.0, 0.0) - EPS
    if x < across or x > length - across:
        return False
    up = extent(models, i, f, 0.0, 1.0) - EPS
    return y >= up and y <= width - up


# ---- units
# The pattern for going through the models of unit u, with those of the unit attached to it:
#     for n in range(member_count(units, u)):
#         k = member(units, u, n)
#         if stands_in(models, k, u): ...


@inner_kernel
def member_count(units: Array, u: int) -> int:
    """How many rows ``member`` offers for unit ``u``. Some of these models may be off the table or fight in another
    unit (see ``stands_in``).
    """
    leader = units[u]["leader"]
    if leader >= 0:
        return int(units[u]["count"] + units[leader]["count"])
    return int(units[u]["count"])


@kernel
def member(units: Array, u: int, n: int) -> int:
    """The ``n``-th row of ``models`` that may belong to unit ``u``: first the unit's own rows, then those of the unit
    attached to it (``leader``).
    """
    count = units[u]["count"]
    if n < count:
        return int(units[u]["first"] + n)
    return int(units[units[u]["leader"]]["first"] + n - count)


@inner_kernel
def stands_in(models: Array, k: int, u: int) -> bool:
    """Whether model ``k`` is on the table and fights in unit ``u``."""
    return bool(models[k]["on_table"] == 1 and models[k]["unit"] == u)


@kernel
def unit_distance(models: Array, units: Array, a: int, b: int) -> float:
    """Inches in a straight line between the closest models of units ``a`` and ``b``; ``inf`` if one has no model on the
    table.
    """
    best = float("inf")
    for n in range(member_count(units, a)):
        i = member(units, a, n)
        if not stands_in(models, i, a):
            continue
        p = models[i]
        for o in range(member_count(units, b)):
            j = member(units, b, o)
            if not stands_in(models, j, b):
                continue
            q = models[j]
            dx = q["x"] - p["x"]
            dy = q["y"] - p["y"]
            dz = q["z"] - p["z"]
            # the circles round the bases are never farther apart than the bases
            near = max(0.0, sqrt(dx * dx + dy * dy) - p["radius"] - q["radius"])
            if near * near + dz * dz < best * best:
                best = min(best, straight_distance(models, i, j))
    return best
