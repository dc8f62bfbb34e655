"""Rectangles among convex polygons: how far apart they are, how far a rectangle slides straight, how far it turns about
a point.

A body is one or more rectangles (rows of ``ranks.BODY``). Obstacles are rows of ``NEAR`` with their corners in
``points`` (see ``near``). Nothing is searched by steps: a slide ends where the centre of the rectangle enters the sum
of both outlines, rounded by the margin; a turn ends where a corner first comes as near as the margin to an edge or a
corner.

A margin is kept up to ``TINY``. With margin 0, outlines may touch, up to ``SLACK``; below 0 they may overlap by so much
and no more. A body that is in contact at the start has a margin just below 0 (``keep_apart``), so that moves one after
another never lead deeper.
"""

from __future__ import annotations

from math import atan2, cos, hypot, inf, pi, sin, sqrt

from wh_env.core.geometry.ranks import HALF_A, HALF_B, U, V, on_table_at
from wh_env.core.geometry.shapes import SLACK
from wh_env.core.geometry.sweeps import segment_near
from wh_env.core.kernel import inner_kernel
from wh_env.core.tables import Array

TINY = 1e-6  # inches by which a margin may be missed
_FOOT = 1e-9  # inches beyond the end of an edge that count as the edge


# ---- distance


@inner_kernel
def keep_apart(
    near: Array, points: Array, n: int, body: Array, rows: int, x: float, y: float, f: float, most: float
) -> None:
    """Set the margin of every obstacle to ``most`` inches, or to the present gap if the body at this pose is nearer; it
    may then leave the obstacle, but not come nearer.
    """
    for o in range(n):
        row = near[o]
        row["margin"] = min(most, margin_of(body_gap(near, points, o, body, rows, x, y, f)))


@inner_kernel
def margin_of(gap: float) -> float:
    """The margin that keeps this gap: the gap itself, or just below 0 for outlines in contact."""
    return -TINY if abs(gap) <= TINY else gap


@inner_kernel
def rect_gap(x: float, y: float, f: float, a: float, b: float, points: Array, first: int, count: int) -> float:
    """Inches between a rectangle (centre, facing, half depth ``a``, half width ``b``) and a convex polygon; if they
    overlap, minus the depth of the overlap.
    """
    c = cos(f)
    s = sin(f)
    last = first + count - 1
    pu = c * (points[last, 0] - x) + s * (points[last, 1] - y)
    pv = c * (points[last, 1] - y) - s * (points[last, 0] - x)
    depth = -inf
    best = inf
    u0 = v0 = inf
    u1 = v1 = -inf
    for k in range(first, first + count):
        qu = c * (points[k, 0] - x) + s * (points[k, 1] - y)
        qv = c * (points[k, 1] - y) - s * (points[k, 0] - x)
        u0 = min(u0, qu)
        u1 = max(u1, qu)
        v0 = min(v0, qv)
        v1 = max(v1, qv)
        # its corner
        du = max(0.0, abs(qu) - a)
        dv = max(0.0, abs(qv) - b)
        best = min(best, du * du + dv * dv)
        # its edge, and the corner of the rectangle that is nearest to it
        eu = qu - pu
        ev = qv - pv
        size = sqrt(eu * eu + ev * ev)
        if size > 0.0:
            eu /= size
            ev /= size
            cu = -a if ev > 0.0 else a
            cv = b if eu > 0.0 else -b
            away = ev * (cu - pu) - eu * (cv - pv)
            depth = max(depth, away)
            along = eu * (cu - pu) + ev * (cv - pv)
            if away > 0.0 and 0.0 <= along <= size:
                best = min(best, away * away)
        pu = qu
        pv = qv
    depth = max(depth, u0 - a, -a - u1, v0 - b, -b - v1)
    return sqrt(best) if depth > 0.0 else depth


@inner_kernel
def body_gap(near: Array, points: Array, o: int, body: Array, rows: int, x: float, y: float, f: float) -> float:
    """Inches between a body at a pose and obstacle ``o``; if they overlap, minus the depth of the overlap."""
    best = inf
    row = near[o]
    for k in range(rows):
        px, py = on_table_at(x, y, f, body[k, U], body[k, V])
        best = min(best, rect_gap(px, py, f, body[k, HALF_A], body[k, HALF_B], points, row["first"], row["count"]))
    return best


@inner_kernel
def body_inside(
    body: Array, rows: int, x: float, y: float, f: float, length: float, width: float, slack: float
) -> bool:
    """Whether no part of a body at a pose reaches more than ``slack`` inches over the edge of a table of ``length`` (x)
    and ``width`` (y).
    """
    c = abs(cos(f))
    s = abs(sin(f))
    for k in range(rows):
        px, py = on_table_at(x, y, f, body[k, U], body[k, V])
        rx = c * body[k, HALF_A] + s * body[k, HALF_B] - slack
        ry = s * body[k, HALF_A] + c * body[k, HALF_B] - slack
        if px < rx or py < ry or px > length - rx or py > width - ry:
            return False
    return True


# ---- straight


@inner_kernel
def _widen_by_edge(
    qu: float, qv: float, eu: float, ev: float, du: float, dv: float, margin: float, t0: float, t1: float
) -> tuple[float, float]:
    """Widen t0..t1, the part of a ray within the margin of a polygon, by one edge (from q along e) and the corner at
    its end. The ray runs from (0, 0) along the unit direction (du, dv).

    Without a margin it narrows t0..t1 to the inner side of the edge.
    """
    size = sqrt(eu * eu + ev * ev)
    eu /= size
    ev /= size
    away = ev * qu - eu * qv
    along = ev * du - eu * dv
    if margin <= 0.0:
        # the ray is inside while it is inside of every edge, each moved inwards
        away += margin
        if abs(along) < 1e-12:
            return (t0, t1) if away > 0.0 else (1.0, 0.0)
        t = away / along
        return (t0, min(t1, t)) if along > 0.0 else (max(t0, t), t1)
    if along != 0.0:
        t = (away + margin) / along
        foot = eu * (t * du - qu) + ev * (t * dv - qv)
        if 0.0 <= foot <= size:
            t0 = min(t0, t)
            t1 = max(t1, t)
    qu += size * eu
    qv += size * ev
    ahead = qu * du + qv * dv
    root = ahead * ahead - qu * qu - qv * qv + margin * margin
    if root > 0.0:
        root = sqrt(root)
        t0 = min(t0, ahead - root)
        t1 = max(t1, ahead + root)
    return t0, t1


@inner_kernel
def ray_span(
    x: float,
    y: float,
    f: float,
    a: float,
    b: float,
    dx: float,
    dy: float,
    points: Array,
    first: int,
    count: int,
    margin: float,
) -> tuple[float, float]:
    """The stretch, in inches, of a slide of a rectangle from (x, y) along the unit direction (dx, dy) on which it is
    nearer than ``margin`` to a convex polygon.

    It may lie behind the start (below 0). The first number is above the second if there is none.
    """
    margin = -SLACK if margin == 0.0 else margin - TINY
    if margin <= 0.0:
        t0, t1 = -inf, inf
    else:
        t0, t1 = inf, -inf
    c = cos(f)
    s = sin(f)
    du = c * dx + s * dy
    dv = c * dy - s * dx
    # Go round the sum of the polygon and the rectangle: each edge of the polygon, moved by the corner of the rectangle
    # that lies farthest outwards, and at the corners of the polygon the edges of the rectangle between these corners.
    at = -1
    for k in range(-1, count):
        i = first + (k if k >= 0 else count - 1)
        j = first + (k + 1 if k < count - 1 else 0)
        pu = c * (points[i, 0] - x) + s * (points[i, 1] - y)
        pv = c * (points[i, 1] - y) - s * (points[i, 0] - x)
        eu = c * (points[j, 0] - x) + s * (points[j, 1] - y) - pu
        ev = c * (points[j, 1] - y) - s * (points[j, 0] - x) - pv
        if ev > 0.0:
            quarter = 0 if eu <= 0.0 else 3
        elif ev < 0.0:
            quarter = 2 if eu >= 0.0 else 1
        else:
            quarter = 1 if eu < 0.0 else 3
        if k < 0:
            at = quarter
            continue
        while at != quarter:
            ou = a if at == 0 or at == 3 else -a
            ov = b if at < 2 else -b
            ru = -2.0 * a if at == 0 else (2.0 * a if at == 2 else 0.0)
            rv = -2.0 * b if at == 1 else (2.0 * b if at == 3 else 0.0)
            if ru != 0.0 or rv != 0.0:
                t0, t1 = _widen_by_edge(pu + ou, pv + ov, ru, rv, du, dv, margin, t0, t1)
            at = (at + 1) % 4
        ou = a if at == 0 or at == 3 else -a
        ov = b if at < 2 else -b
        t0, t1 = _widen_by_edge(pu + ou, pv + ov, eu, ev, du, dv, margin, t0, t1)
    return t0, t1


@inner_kernel
def slide_limit(
    near: Array,
    points: Array,
    n: int,
    body: Array,
    rows: int,
    x: float,
    y: float,
    f: float,
    dx: float,
    dy: float,
    most: float,
) -> float:
    """The inches that a body can slide along the unit direction (dx, dy), at most ``most``, before it is nearer than
    the margin to an obstacle.
    """
    best = most
    for k in range(rows):
        px, py = on_table_at(x, y, f, body[k, U], body[k, V])
        reach = hypot(body[k, HALF_A], body[k, HALF_B])
        for o in range(n):
            row = near[o]
            far = reach + row["radius"] + max(0.0, row["margin"])
            if segment_near(row["x"] - px, row["y"] - py, best * dx, best * dy, far):
                t0, t1 = ray_span(
                    px,
                    py,
                    f,
                    body[k, HALF_A],
                    body[k, HALF_B],
                    dx,
                    dy,
                    points,
                    row["first"],
                    row["count"],
                    row["margin"],
                )
                if t0 < t1 and t1 > 0.0:
                    best = max(0.0, min(best, t0))
    return best


@inner_kernel
def edge_limit(
    body: Array, rows: int, x: float, y: float, f: float, dx: float, dy: float, length: float, width: float
) -> float:
    """The inches that a body can slide along the unit direction (dx, dy) before a part of it passes an edge of the
    table towards which it moves.
    """
    best = inf
    c = abs(cos(f))
    s = abs(sin(f))
    for k in range(rows):
        px, py = on_table_at(x, y, f, body[k, U], body[k, V])
        rx = c * body[k, HALF_A] + s * body[k, HALF_B]
        ry = s * body[k, HALF_A] + c * body[k, HALF_B]
        if dx > 1e-12:
            best = min(best, (length - rx - px) / dx)
        elif dx < -1e-12:
            best = min(best, (rx - px) / dx)
        if dy > 1e-12:
            best = min(best, (width - ry - py) / dy)
        elif dy < -1e-12:
            best = min(best, (ry - py) / dy)
    return max(0.0, best)


# ---- turning


@inner_kernel
def _turn_to_edge(
    cx: float, cy: float, px: float, py: float, ex: float, ey: float, size: float, margin: float, sense: float
) -> float:
    """The angle by which the point c turns about (0, 0) until it comes within the margin of an edge from its outer
    (right) side; ``inf`` if it never does.

    Args:
        px, py, ex, ey, size: start, unit direction and length of the edge. sense: 1 turns counter-clockwise, -1
            clockwise.
    """
    nx = ey
    ny = -ex
    away = nx * px + ny * py + margin
    rest = cx * cx + cy * cy - away * away
    if rest <= 0.0:
        return inf
    along = sense * sqrt(rest)
    foot = along - ex * px - ey * py
    if foot < -_FOOT or foot > size + _FOOT:
        return inf
    tx = away * nx + along * ex
    ty = away * ny + along * ey
    angle = sense * atan2(cx * ty - cy * tx, cx * tx + cy * ty)
    return angle if angle >= 0.0 else angle + 2.0 * pi


@inner_kernel
def _turn_to_point(ax: float, ay: float, px: float, py: float, margin: float) -> float:
    """The angle by which the point a turns counter-clockwise about (0, 0) until it comes within the margin of the point
    p; ``inf`` if it never does.
    """
    r = sqrt(ax * ax + ay * ay)
    q = sqrt(px * px + py * py)
    if abs(r - q) >= margin or margin >= r + q:
        return inf
    cosine = (r * r + q * q - margin * margin) / (2.0 * r * q)
    angle = atan2(ax * py - ay * px, ax * px + ay * py) - atan2(sqrt(max(0.0, 1.0 - cosine * cosine)), cosine)
    return angle if angle >= 0.0 else angle + 2.0 * pi


@inner_kernel
def turn_about(
    x: float,
    y: float,
    f: float,
    a: float,
    b: float,
    px: float,
    py: float,
    side: float,
    points: Array,
    first: int,
    count: int,
    margin: float,
    most: float,
) -> float:
    """The first angle, at most ``most``, at which a rectangle that turns about (px, py) comes nearer than ``margin`` to
    a convex polygon. ``side`` 1 turns left, -1 right.

    It must not be nearer at the start.
    """
    margin = -SLACK if margin == 0.0 else margin - TINY
    if margin <= 0.0:
        a = max(0.0, a + margin)
        b = max(0.0, b + margin)
        margin = 0.0
    # turning right is turning left in a mirror
    x -= px
    y = side * (y - py)
    c = cos(f)
    s = side * sin(f)
    best = most
    ou = a
    ov = -b
    for k in range(4):
        # the corner of the rectangle, and the edge that begins there
        cx = x + c * ou - s * ov
        cy = y + s * ou + c * ov
        if k % 2 == 0:
            wu, wv = ou, -ov
        else:
            wu, wv = -ou, ov
        gx = c * (wu - ou) - s * (wv - ov)
        gy = s * (wu - ou) + c * (wv - ov)
        long = sqrt(gx * gx + gy * gy)
        for o in range(count):
            i = first + (o if side > 0.0 else count - 1 - o)
            j = first + ((o + 1) % count if side > 0.0 else (2 * count - 2 - o) % count)
            qx = points[i, 0] - px
            qy = side * (points[i, 1] - py)
            ex = points[j, 0] - px - qx
            ey = side * (points[j, 1] - py) - qy
            size = sqrt(ex * ex + ey * ey)
            if size > 0.0:
                best = min(best, _turn_to_edge(cx, cy, qx, qy, ex / size, ey / size, size, margin, 1.0))
            if long > 0.0:
                best = min(best, _turn_to_edge(qx, qy, cx, cy, gx / long, gy / long, long, margin, -1.0))
            if margin > 0.0:
                best = min(best, _turn_to_point(cx, cy, qx, qy, margin))
        ou, ov = wu, wv
    return best


@inner_kernel
def turn_limit(
    near: Array,
    points: Array,
    n: int,
    body: Array,
    rows: int,
    x: float,
    y: float,
    f: float,
    px: float,
    py: float,
    side: float,
    most: float,
) -> float:
    """The angle, at most ``most`` (at most 2 pi), that a body can turn about (px, py) before it is nearer than the
    margin to an obstacle. ``side`` 1 turns left, -1 right.
    """
    best = most
    for k in range(rows):
        cx, cy = on_table_at(x, y, f, body[k, U], body[k, V])
        a = body[k, HALF_A]
        b = body[k, HALF_B]
        reach = hypot(cx - px, cy - py) + hypot(a, b)
        for o in range(n):
            row = near[o]
            if hypot(row["x"] - px, row["y"] - py) - row["radius"] < reach + max(0.0, row["margin"]):
                best = turn_about(
                    cx, cy, f, a, b, px, py, side, points, row["first"], row["count"], row["margin"], best
                )
    return best
