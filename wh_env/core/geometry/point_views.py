"""What one sees from a point: whether any part of a convex outline is free of the outlines before it.

Obstacles are rows of ``NEAR`` (their ``margin`` is ignored). They and the outline that is looked at do not overlap, so
of two of them the same one is the nearer in all directions that meet both. Each obstacle before the outline hides a
stretch of directions; the outline is seen if these stretches leave a part of its own free.
"""

from __future__ import annotations

from math import atan2, cos, hypot, inf, pi, sin, tau

from wh_env.core.kernel import inner_kernel
from wh_env.core.tables import Array

_CLEAR = 1e-3  # inches, seen from the point, of a gap that nobody looks through


@inner_kernel
def _stretch(
    corners: Array, first: int, count: int, x: float, y: float, mx: float, my: float, f: float
) -> tuple[float, float]:
    """The least and the greatest direction from (x, y), in radians from direction ``f``, that meet a convex polygon
    around (mx, my). The point must lie outside it.
    """
    middle = atan2(my - y, mx - x)
    low = inf
    high = -inf
    for k in range(first, first + count):
        turn = atan2(corners[k, 1] - y, corners[k, 0] - x) - middle
        turn -= tau * (1.0 if turn > pi else -1.0 if turn < -pi else 0.0)
        low = min(low, turn)
        high = max(high, turn)
    at = middle - f
    at -= tau * (1.0 if at > pi else -1.0 if at < -pi else 0.0)
    return at + low, at + high


@inner_kernel
def entry_of_ray(
    corners: Array, first: int, count: int, x: float, y: float, dx: float, dy: float
) -> float:  # fmt: skip
    """Inches along the ray from (x, y) in the unit direction (dx, dy) to a convex polygon, 0 from inside it; ``inf``:
    it misses it. The corners go counter-clockwise.
    """
    t0 = 0.0
    t1 = inf
    px = corners[first + count - 1, 0]
    py = corners[first + count - 1, 1]
    for k in range(first, first + count):
        ex = corners[k, 0] - px
        ey = corners[k, 1] - py
        away = ey * (x - px) - ex * (y - py)
        along = ey * dx - ex * dy
        if abs(along) < 1e-12:
            if away > 0.0:
                return inf
        elif along > 0.0:
            t1 = min(t1, -away / along)
        else:
            t0 = max(t0, -away / along)
        px += ex
        py += ey
    return t0 if t0 <= t1 else inf


@inner_kernel
def seen_from_point(
    near: Array, points: Array, n: int, skip: int, x: float, y: float, rect: Array, count: int, spans: Array
) -> bool:
    """Whether any part of the convex outline ``rect[:count]`` is seen from (x, y) past the ``n`` obstacles without the
    one in row ``skip``.

    ``spans`` is float64 scratch, one row of two for each obstacle. From within the outline it is seen; from within an
    obstacle nothing is.
    """
    mx = my = 0.0
    for k in range(count):
        mx += rect[k, 0] / count
        my += rect[k, 1] / count
    if entry_of_ray(rect, 0, count, x, y, 1.0, 0.0) == 0.0:
        return True
    f = atan2(my - y, mx - x)
    low, high = _stretch(rect, 0, count, x, y, mx, my, f)
    slack = _CLEAR / max(_CLEAR, hypot(mx - x, my - y))
    hiding = 0
    for o in range(n):
        row = near[o]
        first = row["first"]
        if o == skip:
            continue
        if entry_of_ray(points, first, row["count"], x, y, 1.0, 0.0) == 0.0:
            return False
        a, b = _stretch(points, first, row["count"], x, y, row["x"], row["y"], f)
        a0 = max(a, low)
        b0 = min(b, high)
        if b0 - a0 <= slack:
            continue
        turn = f + 0.5 * (a0 + b0)
        dx = cos(turn)
        dy = sin(turn)
        before = entry_of_ray(points, first, row["count"], x, y, dx, dy)
        if before < entry_of_ray(rect, 0, count, x, y, dx, dy):
            spans[hiding, 0] = a
            spans[hiding, 1] = b
            hiding += 1
    at = low
    moved = True
    while moved and at < high - slack:
        moved = False
        for k in range(hiding):
            if spans[k, 0] <= at + slack and spans[k, 1] > at:
                at = spans[k, 1]
                moved = True
    return at < high - slack
