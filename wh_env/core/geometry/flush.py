"""Rectangles that lie along each other's sides: where a block stands along a side of another, which sides of two blocks meet, over what stretch.

A hull is a rectangle by its centre (x, y), its facing, half its depth ``a`` and half its width ``b``. Its sides are 0 the front, 1 the right, 2 the
rear, 3 the left; a place along a side counts from its middle, to the left of who stands on the hull and looks out over that side.
"""

from __future__ import annotations

from math import cos, inf, pi, sin

from wh_env.core.geometry.ranks import on_table_at
from wh_env.core.kernel import inner_kernel

SIDES = 4
QUARTER = 0.5 * pi


@inner_kernel
def side_out(f: float, side: int) -> float:
    """The direction in which a side of a hull with facing ``f`` looks."""
    return f - QUARTER * side


@inner_kernel
def side_halves(a: float, b: float, side: int) -> tuple[float, float]:
    """How far a side lies from the centre of a hull, and half its length."""
    return (a, b) if side % 2 == 0 else (b, a)


@inner_kernel
def flush_front(
    x: float, y: float, f: float, a: float, b: float, side: int, along: float
) -> tuple[float, float, float]:
    """The pose (middle of the front edge, facing) of a block whose front lies along a side of a hull, its middle ``along`` inches to the left of
    the middle of that side."""
    out = side_out(f, side)
    far, _ = side_halves(a, b, side)
    px, py = on_table_at(x, y, out, far, along)
    return px, py, out + pi


@inner_kernel
def overlap_of(
    x: float, y: float, f: float, a: float, b: float, side: int, ox: float, oy: float, of: float, oa: float, ob: float, other: int
) -> tuple[float, float, float]:  # fmt: skip
    """How a side of a hull and a side of another lie to each other: how far they are from being one line (inches, the farther end; inf where they do
    not look at each other), and the stretch from low to high that they share, along the first side (low > high: none)."""
    out = side_out(f, side)
    facing = side_out(of, other)
    if cos(out - facing) > -0.5:
        return inf, 0.0, -1.0
    far, half = side_halves(a, b, side)
    ofar, ohalf = side_halves(oa, ob, other)
    c = cos(out)
    s = sin(out)
    worst = 0.0
    low = inf
    high = -inf
    for n in range(2):
        px, py = on_table_at(ox, oy, facing, ofar, ohalf if n == 0 else -ohalf)
        ahead = c * (px - x) + s * (py - y) - far
        along = c * (py - y) - s * (px - x)
        worst = max(worst, abs(ahead))
        low = min(low, along)
        high = max(high, along)
    return worst, max(low, -half), min(high, half)


@inner_kernel
def meeting_sides(
    x: float, y: float, f: float, a: float, b: float, ox: float, oy: float, of: float, oa: float, ob: float, slack: float
) -> tuple[int, int, float, float]:  # fmt: skip
    """Which side of a hull lies along which side of another, and the stretch that they share along the first; of several pairs (at a corner) that
    with the longest stretch, fronts first. (-1, -1, 0, -1): none does."""
    best = -slack
    found = (-1, -1, 0.0, -1.0)
    for side in range(SIDES):
        for other in range(SIDES):
            apart, low, high = overlap_of(x, y, f, a, b, side, ox, oy, of, oa, ob, other)
            if apart <= slack and high - low > best:
                best = high - low
                found = (side, other, low, high)
    return found


@inner_kernel
def bases_touching(count: int, half: float, spacing: float, low: float, high: float, slack: float) -> int:
    """How many of ``count`` bases side by side, middle at 0, touch the stretch from low to high: by a corner counts."""
    found = 0
    for n in range(count):
        middle = (2 * n + 1 - count) * (half + 0.5 * spacing)
        if middle + half >= low - slack and middle - half <= high + slack:
            found += 1
    return found
