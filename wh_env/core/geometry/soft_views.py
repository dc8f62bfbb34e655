"""Lines in plan through outlines that hide only what is deep enough inside or behind them, such as woods.

Soft obstacles are rows of ``NEAR`` whose ``margin`` is their depth: the inches of them that stop a line. A line through
several of them is stopped when the shares of their depths add up to 1. Which line has least of them is not known in
closed form, so lines are tried at even steps along both ends, and past each corner of the soft obstacles.
"""

from __future__ import annotations

from math import cos, hypot, inf, sin

from wh_env.core.geometry.shapes import EPS
from wh_env.core.geometry.views import clip_to_polygon, free_view, is_clear, seen_part
from wh_env.core.kernel import inner_kernel
from wh_env.core.tables import Array

_STARTS = 13  # points of the front edge from which lines are tried
_ENDS = 6  # points of each edge of the polygon that lines are tried to
_BESIDE = 1e-3  # inches from a corner at which lines past it are tried


@inner_kernel
def share_of_depth(
    near: Array, points: Array, first: int, last: int, x: float, y: float, dx: float, dy: float, far: float
) -> float:
    """The shares of depth of the soft obstacles ``first`` .. ``last`` - 1 on the line of ``far`` inches from (x, y)
    along the unit direction (dx, dy), added up.
    """
    share = 0.0
    for o in range(first, last):
        row = near[o]
        aside = dx * (row["y"] - y) - dy * (row["x"] - x)
        if abs(aside) < row["radius"]:
            a, b = clip_to_polygon(points, row["first"], row["count"], x, y, dx, dy, 0.0, 0.0, far)
            if a < b:
                share += (b - a + EPS) / row["margin"]
    return share


@inner_kernel
def _passes(
    near: Array, points: Array, n: int, last: int, x: float, y: float, tx: float, ty: float, c: float, s: float,
    line: Array,
) -> bool:  # fmt: skip
    """Whether the line from (x, y) to (tx, ty) leads ahead, and neither hard nor soft obstacles stop it; it is written
    to ``line`` then.
    """
    dx = tx - x
    dy = ty - y
    far = hypot(dx, dy)
    if far < 1e-9 or c * dx + s * dy <= 0.0:
        return False
    dx /= far
    dy /= far
    if share_of_depth(near, points, n, last, x, y, dx, dy, far) >= 1.0:
        return False
    if not is_clear(near, points, n, x, y, dx, dy, 0.0, far):
        return False
    line[0], line[1] = x, y
    line[2], line[3] = tx, ty
    return True


@inner_kernel
def soft_view(
    near: Array,
    points: Array,
    n: int,
    soft: int,
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
    """``free_view`` past ``n`` hard obstacles and through the ``soft`` ones that stand behind them in ``near``
    (core.los.draw).
    """
    if not free_view(near, points, n, x, y, f, half, corners, first, count, room, line):
        return False
    last = n + soft
    if soft == 0:
        return True
    c = cos(f)
    s = sin(f)
    if _passes(near, points, n, last, line[0], line[1], line[2], line[3], c, s, line):
        return True
    part = room[0]
    size = seen_part(x, y, f, half, corners, first, count, part, room[2])
    for i in range(_STARTS):
        along = half * (2.0 * i / (_STARTS - 1) - 1.0)
        sx = x - s * along
        sy = y + c * along
        for k in range(size):
            j = k + 1 if k < size - 1 else 0
            for e in range(_ENDS):
                t = e / _ENDS
                tx = part[k, 0] + t * (part[j, 0] - part[k, 0])
                ty = part[k, 1] + t * (part[j, 1] - part[k, 1])
                if _passes(near, points, n, last, sx, sy, tx, ty, c, s, line):
                    return True
        for o in range(n, last):
            row = near[o]
            for k in range(row["first"], row["first"] + row["count"]):
                for side in range(2):
                    dx = points[k, 0] - sx
                    dy = points[k, 1] - sy
                    far = hypot(dx, dy)
                    if far < 1e-9:
                        continue
                    beside = _BESIDE if side == 0 else -_BESIDE
                    px = points[k, 0] - beside * dy / far - sx
                    py = points[k, 1] + beside * dx / far - sy
                    far = hypot(px, py)
                    a, b = clip_to_polygon(part, 0, size, sx, sy, px / far, py / far, 1e-9, 0.0, inf)
                    if a <= b and _passes(
                        near, points, n, last, sx, sy, sx + a * px / far, sy + a * py / far, c, s, line
                    ):
                        return True
    return False
