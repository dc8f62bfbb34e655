"""The four quarters round a block, divided by rays at 45 degrees from its corners (core.facing.arcs).

A block is a rectangle ``width`` wide and ``depth`` deep; (x, y) is the middle of its front edge, ``f`` its facing.
Inches and radians.
"""

from __future__ import annotations

from math import cos, sin

from wh_env.core.geometry.shapes import EPS
from wh_env.core.kernel import inner_kernel
from wh_env.core.tables import Array

FRONT, LEFT, RIGHT, REAR = 0, 1, 2, 3


@inner_kernel
def beyond_sides(
    x: float, y: float, f: float, width: float, depth: float, px: float, py: float
) -> tuple[float, float, float, float]:
    """How many inches the point p lies beyond each side of a block: front, left, right, rear. It lies in the quarter of
    the side that it is farthest beyond.
    """
    c = cos(f)
    s = sin(f)
    u = c * (px - x) + s * (py - y)
    v = c * (py - y) - s * (px - x)
    return u, v - 0.5 * width, -v - 0.5 * width, -u - depth


@inner_kernel
def quarter_of_point(x: float, y: float, f: float, width: float, depth: float, px: float, py: float) -> tuple[int, int]:
    """The quarter of a block in which the point p lies, twice; if p lies on the ray between two quarters (up to
    ``EPS``), both of them.

    A point within the block belongs to the side nearest to it.
    """
    front, left, right, rear = beyond_sides(x, y, f, width, depth, px, py)
    most = max(front, left, right, rear)
    first = last = -1
    for side in range(4):
        away = front if side == FRONT else (left if side == LEFT else (right if side == RIGHT else rear))
        if away >= most - EPS:
            if first < 0:
                first = side
            last = side
    return first, last


@inner_kernel
def quarter_shares(
    x: float, y: float, f: float, width: float, depth: float, places: Array, count: int, shares: Array
) -> None:
    """How many of the points ``places`` (float64, count x 2) lie in each quarter of a block: fills ``shares`` (float64,
    4). A point on the ray between two quarters counts half for each.

    Which quarter holds most, and what a tie means, is up to the caller.
    """
    for side in range(4):
        shares[side] = 0.0
    for k in range(count):
        first, last = quarter_of_point(x, y, f, width, depth, places[k, 0], places[k, 1])
        shares[first] += 0.5
        shares[last] += 0.5
