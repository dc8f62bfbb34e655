"""The four quarters round a block, parted by rays at 45 degrees from its corners (core.facing.arcs).

A block is the rectangle ``width`` wide and ``depth`` deep behind the middle of its front edge (x, y).
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
    """How far the point p lies beyond each side of a block, in inches: front, left, right, rear. It is in the quarter of the side that it is farthest
    beyond."""
    c = cos(f)
    s = sin(f)
    u = c * (px - x) + s * (py - y)
    v = c * (py - y) - s * (px - x)
    return u, v - 0.5 * width, -v - 0.5 * width, -u - depth


@inner_kernel
def quarter_of_point(x: float, y: float, f: float, width: float, depth: float, px: float, py: float) -> tuple[int, int]:
    """The quarter of a block in which the point p lies, and the other one where it lies on the ray between two (up to ``EPS``; else the same again). A
    point within the block counts for the side that it is nearest to."""
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
    """How many of the centres ``places`` (float64, count x 2) lie in each quarter of a block; one on the ray between two counts half for each.

    ``shares``: float64, 4. Which quarter holds most, and what a tie means, is the caller's.
    """
    for side in range(4):
        shares[side] = 0.0
    for k in range(count):
        first, last = quarter_of_point(x, y, f, width, depth, places[k, 0], places[k, 1])
        shares[first] += 0.5
        shares[last] += 0.5
