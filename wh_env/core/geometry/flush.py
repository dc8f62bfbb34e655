"""Rectangles that lie along each other's sides: where a block stands along a side of another, which sides of two blocks meet, over what stretch.

A hull is a rectangle by its centre (x, y), its facing, half its depth ``a`` and half its width ``b``. Its sides are 0 the front, 1 the right, 2 the
rear, 3 the left; a place along a side counts from its middle, to the left of who stands on the hull and looks out over that side.
"""

from __future__ import annotations

from math import atan2, cos, inf, pi, sin

from wh_env.core.geometry.ranks import on_table_at
from wh_env.core.kernel import inner_kernel, kernel

SIDES = 4
QUARTER = 0.5 * pi

_NONE = 1e-7  # inches that are rounding
_FLAT = 1e-7  # radians that are


@kernel
def side_out(f: float, side: int) -> float:
    """The direction in which a side of a hull with facing ``f`` looks."""
    return f - QUARTER * side


@inner_kernel
def side_halves(a: float, b: float, side: int) -> tuple[float, float]:
    """How far a side lies from the centre of a hull, and half its length."""
    return (a, b) if side % 2 == 0 else (b, a)


@kernel
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
    return overlap_along(x, y, cos(out), sin(out), far, half, ox, oy, cos(facing), sin(facing), ofar, ohalf)


@inner_kernel
def overlap_along(
    x: float, y: float, c: float, s: float, far: float, half: float, ox: float, oy: float, oc: float, os: float, ofar: float, ohalf: float
) -> tuple[float, float, float]:  # fmt: skip
    """``overlap_of`` two sides that look at each other: centres of the hulls, cosine and sine of the directions in which the sides look, how far they lie from
    the centres, half their lengths."""
    worst = 0.0
    low = inf
    high = -inf
    for n in range(2):
        aside = ohalf if n == 0 else -ohalf
        px = ox + oc * ofar - os * aside
        py = oy + os * ofar + oc * aside
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


# ---- ways there


@inner_kernel
def turned_by(angle: float) -> float:
    """The same turn, from -pi to pi."""
    return atan2(sin(angle), cos(angle))


@inner_kernel
def touched_first(half: float, front: float, at: float, closing: float) -> tuple[float, float]:
    """Where a block comes into contact that will lie along a side with the middle of its front at ``at``, and still has to turn by ``closing`` (to the left
    above 0) to lie so: the place along the side, ``half`` inches long to either side, and how far that is from the block's left front corner.

    ``front``: half the width of the front. It is the corner of the front that is ahead, or the end of the side where that corner passes it.
    """
    left = at - front
    if closing > 0.0:
        touch = max(left, -half)
    else:
        touch = min(at + front, half)
    return touch, touch - left


@kernel
def contact_pose(
    mx: float, my: float, out: float, front: float, facing: float, touch: float, offset: float
) -> tuple[float, float]:
    """The middle of the front edge of a block with this facing whose front touches the place ``touch`` of a side (middle (mx, my), looking ``out``) so many
    inches from its left corner."""
    px, py = on_table_at(mx, my, out, 0.0, touch)
    return on_table_at(px, py, facing, 0.0, offset - front)


@inner_kernel
def way_to_flush(
    x: float, y: float, f: float, front: float, mx: float, my: float, out: float, half: float, at: float, turn: float
) -> tuple[float, float, float, float]:
    """How a block comes to lie along a side with the middle of its front at ``at``: straight on, one wheel by ``turn`` (to the left above 0), straight on into
    contact, and a last wheel about where it touches.

    Returns the inches before and behind the wheel, how far from its left front corner it touches, and the last wheel; a first number below 0: there is no
    such way. ``turn`` must not be 0: see ``straight_to_flush``.
    """
    facing = f + turn
    closing = turned_by(out + pi - facing)
    if abs(closing) >= QUARTER - _FLAT:
        return -1.0, 0.0, 0.0, 0.0
    touch, offset = touched_first(half, front, at, closing)
    if offset < -_NONE or offset > 2.0 * front + _NONE:
        return -1.0, 0.0, 0.0, 0.0
    side = front if turn > 0.0 else -front
    px, py = contact_pose(mx, my, out, front, facing, touch, offset)
    dx = px - x + side * (sin(f) - sin(facing))
    dy = py - y - side * (cos(f) - cos(facing))
    across = sin(turn)
    before = (dx * sin(facing) - dy * cos(facing)) / across
    behind = (cos(f) * dy - sin(f) * dx) / across
    if before < -_NONE or behind < -_NONE:
        return -1.0, 0.0, 0.0, 0.0
    return max(0.0, before), max(0.0, behind), offset, closing


@inner_kernel
def straight_to_flush(
    x: float, y: float, f: float, front: float, mx: float, my: float, out: float, half: float
) -> tuple[float, float, float, float]:
    """The same without a wheel: the inches, the place of the middle of its front along the side, how far from its left front corner it touches, the last
    wheel; a first number below 0: it does not come to that side."""
    closing = turned_by(out + pi - f)
    ahead = -cos(f - out)  # of the side, for each inch of the way
    if ahead <= _FLAT:
        return -1.0, 0.0, 0.0, 0.0
    side = front if closing > 0.0 else -front
    cx, cy = on_table_at(x, y, f, 0.0, side)
    away = cos(out) * (cx - mx) + sin(out) * (cy - my)
    far = away / ahead
    touch = cos(out) * (cy - my) - sin(out) * (cx - mx) + far * sin(f - out)
    offset = front - side
    if abs(closing) < _FLAT:
        if abs(touch - front) > half + front + _NONE or far < -_NONE:
            return -1.0, 0.0, 0.0, 0.0
        return max(0.0, far), touch - front, offset, 0.0
    if touch * closing < 0.0 and abs(touch) > half:
        # the corner passes the end of the side, which the front edge comes to
        touch = -half if closing > 0.0 else half
        px, py = on_table_at(mx, my, out, 0.0, touch)
        far = cos(f) * (px - x) + sin(f) * (py - y)
        offset = front + sin(f) * (px - x) - cos(f) * (py - y)
    if far < -_NONE or abs(touch) > half + _NONE or offset < -_NONE or offset > 2.0 * front + _NONE:
        return -1.0, 0.0, 0.0, 0.0
    return max(0.0, far), touch + front - offset, offset, closing
