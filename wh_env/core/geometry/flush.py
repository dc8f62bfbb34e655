"""Rectangles whose sides lie along each other: where a block stands along a side of another, which sides of two blocks
meet, and over what stretch.

A hull is a rectangle with centre (x, y) and facing f; ``a`` is half its depth, ``b`` half its width. Its sides are 0
the front, 1 the right, 2 the rear, 3 the left. A place along a side is measured in inches from the side's middle,
positive to the left as seen from the hull looking out over that side.
"""

from __future__ import annotations

from math import atan2, cos, inf, pi, sin

from wh_env.core.geometry.ranks import on_table_at
from wh_env.core.kernel import inner_kernel, kernel

SIDES = 4
QUARTER = 0.5 * pi

_NONE = 1e-7  # inches: less is rounding
_FLAT = 1e-7  # radians: less is rounding


@kernel
def side_out(f: float, side: int) -> float:
    """The direction, in radians, in which ``side`` of a hull with facing ``f`` looks."""
    return f - QUARTER * side


@inner_kernel
def side_halves(a: float, b: float, side: int) -> tuple[float, float]:
    """The distance of ``side`` from the centre of a hull, and half the length of that side, in inches."""
    return (a, b) if side % 2 == 0 else (b, a)


@kernel
def flush_front(
    x: float, y: float, f: float, a: float, b: float, side: int, along: float
) -> tuple[float, float, float]:
    """The pose (x and y of the middle of the front edge, facing) of a block whose front lies along ``side`` of a hull,
    with its middle at the place ``along`` of that side.
    """
    out = side_out(f, side)
    far, _ = side_halves(a, b, side)
    px, py = on_table_at(x, y, out, far, along)
    return px, py, out + pi


@inner_kernel
def overlap_of(
    x: float,
    y: float,
    f: float,
    a: float,
    b: float,
    side: int,
    ox: float,
    oy: float,
    of: float,
    oa: float,
    ob: float,
    other: int,
) -> tuple[float, float, float]:
    """How ``side`` of a hull and side ``other`` of another hull lie to each other.

    Returns:
        Inches between the two sides at the farther end (0: they are on one line; ``inf``: they do not look at each
        other); and the stretch from low to high, along the first side, that both share (low > high: none).
    """
    out = side_out(f, side)
    facing = side_out(of, other)
    if cos(out - facing) > -0.5:
        return inf, 0.0, -1.0
    far, half = side_halves(a, b, side)
    ofar, ohalf = side_halves(oa, ob, other)
    return shared_stretch_of_facing_sides(
        x, y, cos(out), sin(out), far, half, ox, oy, cos(facing), sin(facing), ofar, ohalf
    )


@inner_kernel
def shared_stretch_of_facing_sides(
    x: float,
    y: float,
    c: float,
    s: float,
    far: float,
    half: float,
    ox: float,
    oy: float,
    oc: float,
    os: float,
    ofar: float,
    ohalf: float,
) -> tuple[float, float, float]:
    """``overlap_of`` for two sides that look at each other.

    Args:
        x, y, ox, oy: centres of the hulls. c, s, oc, os: cosine and sine of the directions in which the sides look.
        far, ofar: distances of the sides from the centres. half, ohalf: half their lengths.
    """
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
    x: float,
    y: float,
    f: float,
    a: float,
    b: float,
    ox: float,
    oy: float,
    of: float,
    oa: float,
    ob: float,
    slack: float,
) -> tuple[int, int, float, float]:
    """Which side of a hull lies along which side of another, at most ``slack`` inches apart, and the stretch that they
    share along the first.

    If several pairs do (at a corner), the one with the longest stretch, fronts first. (-1, -1, 0, -1) if none does.
    """
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
    """How many of ``count`` bases side by side, with the middle of the row at 0, touch the stretch from ``low`` to
    ``high``; touching with a corner counts.

    Args:
        half: half the width of a base. spacing: inches between two bases. slack: inches by which a base may miss the
            stretch.
    """
    found = 0
    for n in range(count):
        middle = (2 * n + 1 - count) * (half + 0.5 * spacing)
        if middle + half >= low - slack and middle - half <= high + slack:
            found += 1
    return found


# ---- ways there


@inner_kernel
def within_half_turn(angle: float) -> float:
    """The turn ``angle`` as radians from -pi to pi."""
    return atan2(sin(angle), cos(angle))


@inner_kernel
def first_touch(half: float, front: float, at: float, closing: float) -> tuple[float, float]:
    """Where a block first touches the side along which it will finally lie, in its last turn by ``closing`` radians
    (above 0: to the left).

    It is the corner of the front that is ahead, or the end of the side if that corner passes it.

    Args:
        half: half the length of the side. front: half the width of the block's front. at: place along the side of the
            middle of its front in the end.

    Returns:
        The place along the side, and its distance in inches from the block's left front corner.
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
    """The middle (x, y) of the front edge of a block with this facing that touches the place ``touch`` of a side.

    Args:
        mx, my: middle of the side. out: direction in which it looks. front: half the width of the front.
        touch: place along the side. offset: inches from the left front corner to the touching point of the front.
    """
    px, py = on_table_at(mx, my, out, 0.0, touch)
    return on_table_at(px, py, facing, 0.0, offset - front)


@inner_kernel
def way_to_flush(
    x: float, y: float, f: float, front: float, mx: float, my: float, out: float, half: float, at: float, turn: float
) -> tuple[float, float, float, float]:
    """The way on which a block comes to lie along a side, with the middle of its front at the place ``at``: straight
    on, one wheel by ``turn``, straight on into contact, and a last wheel about the touching point.

    Args:
        x, y, f: pose of the block. front: half the width of its front. mx, my, out, half: middle, direction and half
            length of the side.
        turn: radians, above 0 to the left; must not be 0 (see ``straight_to_flush``).

    Returns:
        Inches before the wheel, inches after it, inches from the left front corner to the touching point, radians of
        the last wheel. The first is below 0 if there is no such way.
    """
    facing = f + turn
    closing = within_half_turn(out + pi - facing)
    if abs(closing) >= QUARTER - _FLAT:
        return -1.0, 0.0, 0.0, 0.0
    touch, offset = first_touch(half, front, at, closing)
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
    """The way on which a block comes to lie along a side without a first wheel: straight on into contact, and a last
    wheel about the touching point.

    Args: as ``way_to_flush``.

    Returns:
        Inches straight on, the place of the middle of its front along the side in the end, inches from the left front
        corner to the touching point, radians of the last wheel. The first is below 0 if it does not come to that side.
    """
    closing = within_half_turn(out + pi - f)
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
