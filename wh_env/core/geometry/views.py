"""Lines in plan past convex outlines: whether one is free from a front edge to a polygon, and the shortest free one
between two polygons.

Obstacles are rows of ``NEAR`` (their ``margin`` is ignored) with three corners or more. Which obstacles one can see
over is up to the caller. A line that comes within ``_CLEAR`` of an obstacle is stopped, so nobody looks through the gap
between two bases that touch. A free line can be moved until it passes two corners; the shortest one, until it passes
two corners or is the shortest through one. So only such lines are tried.
"""

from __future__ import annotations

from math import atan2, cos, hypot, inf, sin, sqrt

from wh_env.core.geometry.shapes import EPS
from wh_env.core.kernel import inner_kernel
from wh_env.core.tables import Array

_CLEAR = 5e-4  # inches that a free line keeps from obstacles ...
_PAST = 1e-3  # ... and inches from their corners at which lines are tried
_SHARP = 2e-3  # a measure of corners (3.6 degrees): sharper ones count as this, and no line is tried at their tip
_SURELY = 1e-6  # inches by which an obstacle must lie in the way of all lines
_ROUNDS = 30  # halvings of the angle between two normals


@inner_kernel
def clip_to_polygon(
    corners: Array, first: int, count: int, x: float, y: float, dx: float, dy: float, grown: float, t0: float, t1: float
) -> tuple[float, float]:
    """The part of t0..t1 in which the line from (x, y) along (dx, dy) is inside a convex polygon that is made ``grown``
    inches larger all round; t0 > t1 if there is none.
    """
    px = corners[first + count - 1, 0]
    py = corners[first + count - 1, 1]
    for k in range(first, first + count):
        ex = corners[k, 0] - px
        ey = corners[k, 1] - py
        size = sqrt(ex * ex + ey * ey)
        away = (ey * (x - px) - ex * (y - py)) / size - grown
        along = (ey * dx - ex * dy) / size
        if abs(along) < 1e-12:
            if away > 0.0:
                return 1.0, 0.0
        elif along > 0.0:
            t1 = min(t1, -away / along)
        else:
            t0 = max(t0, -away / along)
        if t0 > t1:
            return 1.0, 0.0
        px += ex
        py += ey
    return t0, t1


@inner_kernel
def is_clear(
    near: Array, points: Array, n: int, x: float, y: float, dx: float, dy: float, t0: float, t1: float
) -> bool:
    """Whether no obstacle stops the part t0..t1 (inches) of the line from (x, y) along the unit direction (dx, dy)."""
    for o in range(n):
        row = near[o]
        far = row["radius"] + _CLEAR
        aside = dx * (row["y"] - y) - dy * (row["x"] - x)
        if aside * aside < far * far:
            a, b = clip_to_polygon(points, row["first"], row["count"], x, y, dx, dy, _CLEAR, t0, t1)
            if a < b:
                return False
    return True


@inner_kernel
def _put_past(corners: Array, first: int, count: int, past: float, tried: Array, at: int) -> int:
    """Append to ``tried[:at]`` the corners of a polygon, moved outwards so that a line past them keeps ``past`` inches.
    Returns how many there are then.
    """
    for k in range(count):
        i = first + k
        h = first + (k - 1 if k > 0 else count - 1)
        j = first + (k + 1 if k < count - 1 else 0)
        ax = corners[i, 0] - corners[h, 0]
        ay = corners[i, 1] - corners[h, 1]
        bx = corners[j, 0] - corners[i, 0]
        by = corners[j, 1] - corners[i, 1]
        a = sqrt(ax * ax + ay * ay)
        b = sqrt(bx * bx + by * by)
        nx = ay / a + by / b
        ny = -ax / a - bx / b
        shift = past / max(_SHARP, 0.5 * (nx * nx + ny * ny))
        tried[at, 0] = corners[i, 0] + shift * nx
        tried[at, 1] = corners[i, 1] + shift * ny
        at += 1
    return at


# ---- from a front edge


@inner_kernel
def _cut_polygon(polygon: Array, count: int, nx: float, ny: float, least: float, cut: Array) -> int:
    """Write to ``cut`` the part of a convex polygon on which n . p is at least ``least``; returns how many corners it
    has.
    """
    found = 0
    for k in range(count):
        j = k + 1 if k < count - 1 else 0
        a = nx * polygon[k, 0] + ny * polygon[k, 1] - least
        b = nx * polygon[j, 0] + ny * polygon[j, 1] - least
        if a >= 0.0:
            cut[found, 0] = polygon[k, 0]
            cut[found, 1] = polygon[k, 1]
            found += 1
        if (a < 0.0 and b > 0.0) or (a > 0.0 and b < 0.0):
            t = a / (a - b)
            cut[found, 0] = polygon[k, 0] + t * (polygon[j, 0] - polygon[k, 0])
            cut[found, 1] = polygon[k, 1] + t * (polygon[j, 1] - polygon[k, 1])
            found += 1
    return found


@inner_kernel
def seen_part(
    x: float, y: float, f: float, half: float, corners: Array, first: int, count: int, part: Array, room: Array
) -> int:
    """Write to ``part`` the part of a polygon that lies in the front quarter, between rays at 45 degrees from both ends
    of a front edge. Returns how many corners it has.

    ``x``, ``y``, ``f``, ``half``: middle, facing and half length of the front edge.
    """
    c = cos(f)
    s = sin(f)
    for k in range(count):
        room[k, 0] = corners[first + k, 0]
        room[k, 1] = corners[first + k, 1]
    ahead = c * x + s * y
    aside = c * y - s * x
    count = _cut_polygon(room, count, c, s, ahead - EPS, part)
    count = _cut_polygon(part, count, c + s, s - c, ahead - aside - half - EPS, room)
    return _cut_polygon(room, count, c - s, s + c, ahead + aside - half - EPS, part)


@inner_kernel
def _side_of(ax: float, ay: float, bx: float, by: float, x: float, y: float) -> float:
    """How far the point (x, y) lies to the left of the line from a to b, times the length of that line."""
    return (bx - ax) * (y - ay) - (by - ay) * (x - ax)


@inner_kernel
def _is_walled_off(near: Array, points: Array, n: int, edge: Array, part: Array, size: int, c: float, s: float) -> bool:
    """Whether one obstacle certainly stops every line from a front edge to the polygon ``part[:size]``. False proves
    nothing.

    That is so if it lies across both the leftmost and the rightmost of these lines, and the line between these two
    crossings has the edge on this side and the polygon on the other.

    Args:
        edge: its left end and its right end. c, s: cosine and sine of the direction in which it looks.
    """
    left = right = 0
    for k in range(size):
        x = part[k, 0]
        y = part[k, 1]
        if c * (x - edge[0, 0]) + s * (y - edge[0, 1]) <= _SURELY:
            return False
        if _side_of(edge[0, 0], edge[0, 1], part[left, 0], part[left, 1], x, y) > 0.0:
            left = k
        if _side_of(edge[1, 0], edge[1, 1], part[right, 0], part[right, 1], x, y) < 0.0:
            right = k
    for o in range(n):
        ax, ay, hits = _middle_of_crossing(points, near[o]["first"], near[o]["count"], edge[0], part[left])
        if not hits:
            continue
        bx, by, hits = _middle_of_crossing(points, near[o]["first"], near[o]["count"], edge[1], part[right])
        if not hits:
            continue
        least = _SURELY * hypot(bx - ax, by - ay)
        parted = (
            least > 0.0
            and _side_of(ax, ay, bx, by, edge[0, 0], edge[0, 1]) < -least
            and _side_of(ax, ay, bx, by, edge[1, 0], edge[1, 1]) < -least
        )
        for k in range(size):
            parted = parted and _side_of(ax, ay, bx, by, part[k, 0], part[k, 1]) > least
        if parted:
            return True
    return False


@inner_kernel
def _middle_of_crossing(corners: Array, first: int, count: int, a: Array, b: Array) -> tuple[float, float, bool]:
    """The middle (x, y) of the part of the segment from a to b that lies in a convex polygon, and whether there is such
    a part.
    """
    dx = b[0] - a[0]
    dy = b[1] - a[1]
    long = hypot(dx, dy)
    t0, t1 = clip_to_polygon(corners, first, count, a[0], a[1], dx / long, dy / long, 0.0, 0.0, long)
    amid = 0.5 * (t0 + t1)
    return a[0] + amid * dx / long, a[1] + amid * dy / long, t1 - t0 > _SURELY


@inner_kernel
def free_view(
    near: Array,
    points: Array,
    n: int,
    x: float,
    y: float,
    f: float,
    half: float,
    corners: Array,
    first: int,
    count: int,
    room: Array,
    line: Array,
) -> bool:
    """Whether a line within the front quarter is free from a front edge to the convex polygon ``corners[first : first +
    count]`` (core.los.draw).

    Args:
        x, y, f, half: middle, facing and half length of the front edge.
        room: float64 scratch, 3 x k x 2, where k is 5 more than all corners of the obstacles and of the polygon.
        line: float64, 4; becomes the line that is found: x, y of its start and x, y of its end.
    """
    part, tried = room[0], room[1]
    size = seen_part(x, y, f, half, corners, first, count, part, room[2])
    if size < 3:
        return False
    c, s = cos(f), sin(f)
    tried[0, 0], tried[0, 1] = x - s * half, y + c * half
    tried[1, 0], tried[1, 1] = x + s * half, y - c * half
    for k in range(size):
        tried[2 + k, 0], tried[2 + k, 1] = part[k, 0], part[k, 1]
    total = 2 + size
    for o in range(n):
        total = _put_past(points, near[o]["first"], near[o]["count"], _PAST, tried, total)
    for i in range(total - 1):
        if i == 1 and _is_walled_off(near, points, n, tried, part, size, c, s):
            return False
        for j in range(i + 1, total):
            dx = tried[j, 0] - tried[i, 0]
            dy = tried[j, 1] - tried[i, 1]
            long = sqrt(dx * dx + dy * dy)
            steep = c * dx + s * dy
            if abs(steep) <= 1e-9 * long or long <= 1e-9:
                continue
            if steep < 0.0:
                long = -long
            dx /= long
            dy /= long
            # where it leaves the front edge
            back = (c * (tried[i, 0] - x) + s * (tried[i, 1] - y)) * long / steep
            sx = tried[i, 0] - back * dx
            sy = tried[i, 1] - back * dy
            if abs(c * (sy - y) - s * (sx - x)) > half + 1e-9:
                continue
            t0, t1 = clip_to_polygon(part, 0, size, sx, sy, dx, dy, 1e-9, 0.0, inf)
            if t0 <= t1 and is_clear(near, points, n, sx, sy, dx, dy, 0.0, t0):
                line[0], line[1] = sx, sy
                line[2], line[3] = sx + t0 * dx, sy + t0 * dy
                return True
    return False


# ---- the shortest


@inner_kernel
def _try_line(
    near: Array,
    points: Array,
    n: int,
    a: Array,
    ac: int,
    b: Array,
    bc: int,
    x: float,
    y: float,
    dx: float,
    dy: float,
    best: float,
    line: Array,
) -> float:
    """The length in inches of the line through (x, y) along the unit direction (dx, dy) between polygons ``a`` and
    ``b``, if it is free and shorter than ``best``; ``line`` then becomes that line. Otherwise ``best``.
    """
    a0, a1 = clip_to_polygon(a, 0, ac, x, y, dx, dy, 1e-9, -inf, inf)
    if a0 > a1:
        return best
    b0, b1 = clip_to_polygon(b, 0, bc, x, y, dx, dy, 1e-9, -inf, inf)
    if b0 > b1:
        return best
    start, end = (a1, b0) if a1 + a0 < b1 + b0 else (a0, b1)
    length = max(0.0, end - start if a1 + a0 < b1 + b0 else start - end)
    if length >= best - 1e-9 or not is_clear(near, points, n, x, y, dx, dy, min(start, end), max(start, end)):
        return best
    line[0], line[1] = x + start * dx, y + start * dy
    line[2], line[3] = x + end * dx, y + end * dy
    return length


@inner_kernel
def _shortest_through(
    a: Array, i: int, ac: int, b: Array, j: int, bc: int, x: float, y: float, best: float
) -> tuple[float, float]:
    """The unit direction of the shortest line through (x, y) from edge ``i`` of polygon ``a`` to edge ``j`` of polygon
    ``b``, both edges taken as endless.

    (0, 0) if (x, y) is on the wrong side of an edge, or if no such line is shorter than ``best``.
    """
    p = i + 1 if i < ac - 1 else 0
    q = j + 1 if j < bc - 1 else 0
    ax = a[p, 1] - a[i, 1]
    ay = a[i, 0] - a[p, 0]
    bx = b[j, 1] - b[q, 1]
    by = b[q, 0] - b[j, 0]
    # how far from both, out of the one and into the other
    out = (ax * (x - a[i, 0]) + ay * (y - a[i, 1])) / hypot(ax, ay)
    into = (bx * (b[j, 0] - x) + by * (b[j, 1] - y)) / hypot(bx, by)
    if out <= 0.0 or into <= 0.0 or out + into >= best:
        return 0.0, 0.0
    # the sum of two secants has one least value, between the normals
    start = atan2(ay, ax)
    turn = atan2(ax * by - ay * bx, ax * bx + ay * by)
    wide = abs(turn)
    low = 0.0
    high = 1.0
    for _ in range(_ROUNDS):
        t = 0.5 * (low + high)
        ca = cos(t * wide)
        cb = cos((1.0 - t) * wide)
        if cb <= 0.0 or (ca > 0.0 and out * sin(t * wide) / (ca * ca) < into * sin((1.0 - t) * wide) / (cb * cb)):
            low = t
        else:
            high = t
    start += 0.5 * (low + high) * turn
    return cos(start), sin(start)


@inner_kernel
def short_free_line(
    near: Array, points: Array, n: int, a: Array, ac: int, b: Array, bc: int, enough: float, tried: Array, line: Array
) -> float:
    """The length in inches of the shortest free line between the convex polygons ``a[:ac]`` and ``b[:bc]``, or of the
    first that is found with at most ``enough`` inches; ``inf`` if there is none.

    Args:
        tried: float64 scratch, all corners x 2. line: float64, 4; becomes that line: x, y of its start on ``a`` and x,
            y of its end on ``b``.
    """
    for k in range(ac):
        tried[k, 0] = a[k, 0]
        tried[k, 1] = a[k, 1]
    for k in range(bc):
        tried[ac + k, 0] = b[k, 0]
        tried[ac + k, 1] = b[k, 1]
    total = ac + bc
    for o in range(n):
        total = _put_past(points, near[o]["first"], near[o]["count"], _PAST, tried, total)
    best = inf
    # at right angles to an edge
    for k in range(total):
        for e in range(ac + bc):
            j = (0 if e == ac - 1 else e + 1) if e < ac else (ac if e == ac + bc - 1 else e + 1)
            dx = tried[j, 1] - tried[e, 1]
            dy = tried[e, 0] - tried[j, 0]
            long = hypot(dx, dy)
            best = _try_line(near, points, n, a, ac, b, bc, tried[k, 0], tried[k, 1], dx / long, dy / long, best, line)
            if best <= enough:
                return best
    # through two corners
    for k in range(total - 1):
        for e in range(k + 1, total):
            dx = tried[e, 0] - tried[k, 0]
            dy = tried[e, 1] - tried[k, 1]
            long = hypot(dx, dy)
            if long > 1e-9:
                best = _try_line(
                    near, points, n, a, ac, b, bc, tried[k, 0], tried[k, 1], dx / long, dy / long, best, line
                )
                if best <= enough:
                    return best
    # past one corner, slanting
    for k in range(ac + bc, total):
        for i in range(ac):
            for j in range(bc):
                dx, dy = _shortest_through(a, i, ac, b, j, bc, tried[k, 0], tried[k, 1], best)
                if dx != 0.0 or dy != 0.0:
                    best = _try_line(near, points, n, a, ac, b, bc, tried[k, 0], tried[k, 1], dx, dy, best, line)
                    if best <= enough:
                        return best
    return best
