"""Ways of charge moves: the first of some places along a side of a target that has a clear way.

A way is straight on, one wheel of up to 90 degrees, straight on into contact, and a last wheel of the charger or the
target about the point of contact (wap.charge.move.*, .align*). Obstacles are gathered as for other moves, with other
margins: a charger only must not touch units that it does not charge. Most ways fail because something lies before the
charger behind its wheel; if that is sure, the rest of the way is not worked out.
"""

from __future__ import annotations

from math import cos, hypot, sin
from typing import NamedTuple

from wh_env.core.geometry.flush import QUARTER, contact_pose, straight_to_flush, way_to_flush
from wh_env.core.geometry.near import Way
from wh_env.core.geometry.ranks import HALF_A, HALF_B, U, V, on_table_at
from wh_env.core.geometry.rects import TINY, body_gap, body_inside, slide_limit, turn_limit
from wh_env.core.geometry.shapes import EPS, SLACK
from wh_env.core.geometry.wheels import pose_after_wheel
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import Array
from wh_env.rulesets.wap.charge.charge_moves import (
    AT,
    BEFORE,
    BEHIND,
    CHARGER_TURNS,
    CLOSING,
    OFFSET,
    TARGET_TURNS,
    TURN,
    pose_on,
)
from wh_env.rulesets.wap.charge.wheel_tables import (
    AHEAD,
    ANGLE,
    ASIDE,
    AT_X,
    AT_Y,
    BLOCKS,
    COS,
    DEPTH,
    FACING_C,
    FACING_S,
    FITS,
    FLUSH,
    FRONT_HALF,
    LAST,
    LEFTWARDS,
    LENGTH,
    OUT,
    POINT,
    REST,
    SIDE_HALF,
    SIDE_X,
    SIDE_Y,
    SIN,
    STOPS,
    SWING,
    THEN,
    THEN_ASIDE,
    THEN_X,
    THEN_Y,
    TRIED,
    TURNED,
    WIDTH,
    F,
    X,
    Y,
    begin_search,
    fill_touches,
    inches_round,
    last_wheel,
    point_touched,
    wheels_to,
)
from wh_env.rulesets.wap.ways.ways import clear_at

STRAIGHT_ON = 1e-9  # radians: a smaller wheel counts as none
_HALVINGS = 20
_SURELY = 1e-4  # inches: more than the error of any limit
_LEAST = 4.0 * _SURELY  # inches: on a shorter straight way nothing is surely met


class Hunt(NamedTuple):
    """What a search reads and writes: the arguments of ``first_way``; ``way`` holds what bars the way itself."""

    units: Array
    target: int
    frame: Array
    way: Way
    own: Way
    who: int
    wheels: Array
    touches: Array
    found: Array
    ends: int  # rows of ``near`` that a charger must be clear of where it ends, if it passes some of them on its way


# ---------------------------------------------------------------- what is in the way


@inner_kernel
def surely_stopped(
    frame: Array, near: Array, points: Array, n: int, body: Array, x: float, y: float, c: float, s: float, far: float
) -> float:
    """Inches by which an obstacle lies in what the charger's first rectangle sweeps on ``far`` inches straight ahead,
    from (x, y) facing along (c, s); below 0: it is not sure that one does.
    """
    if far <= _LEAST:
        return -1.0
    along = body[0, U] + 0.5 * far
    x += c * along - s * body[0, V]
    y += s * along + c * body[0, V]
    last = int(frame[BLOCKS])
    for k in range(-1, n):
        o = k if k >= 0 else last
        if o < 0 or (k >= 0 and k == last):
            continue
        row = near[o]
        cut = _SURELY if row["margin"] > TINY else _SURELY + max(SLACK, TINY - row["margin"])
        a = body[0, HALF_A] + 0.5 * far - cut - _SURELY
        b = body[0, HALF_B] - cut
        dx = row["x"] - x
        dy = row["y"] - y
        if (
            a <= 0.0
            or b <= 0.0
            or abs(c * dx + s * dy) >= a + row["radius"]
            or abs(c * dy - s * dx) >= b + row["radius"]
        ):
            continue
        deep = depth_on(points, row["first"], row["count"], x, y, c, s, a, b)
        if deep >= 0.0:
            frame[BLOCKS] = o
            return deep
    return -1.0


@inner_kernel
def depth_on(
    points: Array, first: int, count: int, x: float, y: float, c: float, s: float, a: float, b: float
) -> float:
    """Least inches, over the sides of both, by which a convex polygon overlaps a rectangle centred on (x, y), facing
    along (c, s), with half sides ``a`` and ``b``; -1: they are apart.
    """
    u0 = v0 = 1e300
    u1 = v1 = -1e300
    for k in range(first, first + count):
        dx = points[k, 0] - x
        dy = points[k, 1] - y
        u = c * dx + s * dy
        v = c * dy - s * dx
        u0 = min(u0, u)
        u1 = max(u1, u)
        v0 = min(v0, v)
        v1 = max(v1, v)
    if u0 >= a or u1 <= -a or v0 >= b or v1 <= -b:
        return -1.0
    deep = min(min(a - u0, u1 + a), min(b - v0, v1 + b))
    px = points[first + count - 1, 0]
    py = points[first + count - 1, 1]
    for k in range(first, first + count):
        ex = points[k, 0] - px
        ey = points[k, 1] - py
        away = ey * (x - px) - ex * (y - py) - a * abs(ey * c - ex * s) - b * abs(ey * s + ex * c)
        long = abs(ex) + abs(ey)  # at least the length of the side
        if away >= -_SURELY * long:
            return -1.0
        if away > -(deep + _SURELY) * long:
            deep = -away / long - _SURELY
        px += ex
        py += ey
    return max(0.0, deep)


@inner_kernel
def slides_clear(frame: Array, way: Way, x: float, y: float, f: float, most: float) -> bool:
    """Whether the body can move ``most`` inches straight ahead (``slide_limit``)."""
    near, points, n, body, rows = way
    dx = cos(f)
    dy = sin(f)
    last = int(frame[BLOCKS])
    for k in range(-1, n):
        o = k if k >= 0 else last
        if o < 0 or (k >= 0 and k == last):
            continue
        if slide_limit(near[o : o + 1], points, 1, body, rows, x, y, f, dx, dy, most) < most - REST:
            frame[BLOCKS] = o
            return False
    return True


@inner_kernel
def turns_clear(
    frame: Array, way: Way, x: float, y: float, f: float, px: float, py: float, side: float, most: float
) -> bool:
    """Whether the body can turn ``most`` radians about (px, py) (``turn_limit``); ``side``: 1 left, -1 right."""
    near, points, n, body, rows = way
    last = int(frame[STOPS])
    for k in range(-1, n):
        o = k if k >= 0 else last
        if o < 0 or (k >= 0 and k == last):
            continue
        if turn_limit(near[o : o + 1], points, 1, body, rows, x, y, f, px, py, side, most) < most - REST:
            frame[STOPS] = o
            return False
    return True


@inner_kernel
def stands_clear(way: Way, x: float, y: float, f: float) -> bool:
    """False if the body at a pose is surely nearer to an obstacle than it may be, so that no way ends there."""
    near, points, n, body, rows = way
    c = cos(f)
    s = sin(f)
    for k in range(rows):
        px = x + c * body[k, U] - s * body[k, V]
        py = y + s * body[k, U] + c * body[k, V]
        reach = body[k, HALF_A] + body[k, HALF_B]
        for o in range(n):
            row = near[o]
            margin = row["margin"] - _SURELY
            if row["margin"] <= TINY:
                # outlines may overlap by as much on both axes
                margin = -1.5 * max(SLACK, TINY - row["margin"]) - _SURELY
            far = reach + row["radius"] + max(0.0, margin)
            dx = row["x"] - px
            dy = row["y"] - py
            if dx * dx + dy * dy < far * far and body_gap(near, points, o, body, rows, x, y, f) < margin:
                return False
    return True


# ---------------------------------------------------------------- one way


@inner_kernel
def closes_clear(frame: Array, way: Way, facing: float, touch: float, offset: float, closing: float) -> bool:
    """Whether the charger, in contact at ``touch``, can turn flush by ``closing`` radians and then stands on
    the table.
    """
    near, points, n, body, rows = way
    front = frame[FRONT_HALF]
    x, y = contact_pose(frame[SIDE_X], frame[SIDE_Y], frame[OUT], front, facing, touch, offset)
    if abs(closing) > STRAIGHT_ON:
        px, py = on_table_at(frame[SIDE_X], frame[SIDE_Y], frame[OUT], 0.0, touch)
        sense = 1.0 if closing > 0.0 else -1.0
        most = abs(closing)
        if turn_limit(near, points, n, body, rows, x, y, facing, px, py, sense, most) < most - REST:
            return False
    x, y, f = pose_on(frame, touch + front - offset)
    return body_inside(body, rows, x, y, f, frame[LENGTH], frame[WIDTH], EPS)


@inner_kernel
def target_clear(units: Array, target: int, frame: Array, way: Way, touch: float, closing: float) -> bool:
    """Whether the target can turn about the point of contact so that it lies flush to the charger, and stays on
    the table.
    """
    near, points, n, body, rows = way
    if abs(closing) <= STRAIGHT_ON:
        return True
    px, py = on_table_at(frame[SIDE_X], frame[SIDE_Y], frame[OUT], 0.0, touch)
    unit = units[target]
    sense = -1.0 if closing > 0.0 else 1.0
    most = abs(closing)
    x, y, f = unit["x"], unit["y"], unit["facing"]
    if turn_limit(near, points, n, body, rows, x, y, f, px, py, sense, most) < most - REST:
        return False
    x, y, f = turned_about(x, y, f, px, py, -closing)
    return body_inside(body, rows, x, y, f, frame[LENGTH], frame[WIDTH], EPS)


@kernel
def turned_about(x: float, y: float, f: float, px: float, py: float, turn: float) -> tuple[float, float, float]:
    """The pose (x, y, f) turned by ``turn`` radians about (px, py)."""
    c = cos(turn)
    s = sin(turn)
    return px + c * (x - px) - s * (y - py), py + s * (x - px) + c * (y - py), f + turn


@inner_kernel
def goes_clear(frame: Array, way: Way, before: float, turn: float, behind: float) -> bool:
    """Whether the charger can go ``before`` inches straight on, wheel by ``turn`` radians, and go ``behind`` inches
    straight on.
    """
    x = frame[X]
    y = frame[Y]
    f = frame[F]
    if before > 0.0:
        if frame[AHEAD] < before - REST:
            return False
        x, y = on_table_at(x, y, f, before, 0.0)
    if abs(turn) <= STRAIGHT_ON:
        return behind <= 0.0 or slides_clear(frame, way, x, y, f, behind)
    side = 1.0 if turn > 0.0 else -1.0
    width = 2.0 * frame[FRONT_HALF]
    if behind > 0.0:
        nx, ny, nf = pose_after_wheel(x, y, f, width, side, abs(turn))
        if not slides_clear(frame, way, nx, ny, nf, behind):
            return False
    px, py = on_table_at(x, y, f, 0.0, side * frame[FRONT_HALF])
    return turns_clear(frame, way, x, y, f, px, py, side, abs(turn))


@inner_kernel
def way_at(frame: Array, at: float, turn: float) -> tuple[float, float, float, float]:
    """The way with a wheel by ``turn`` radians to the place ``at``: inches before and behind the wheel, inches from the
    left front corner to the contact, the last wheel (radians). The first is below 0 if there is none.
    """
    if abs(turn) > STRAIGHT_ON:
        return way_to_flush(
            frame[X], frame[Y], frame[F], frame[FRONT_HALF], frame[SIDE_X], frame[SIDE_Y], frame[OUT], frame[SIDE_HALF],
            at, turn,
        )  # fmt: skip
    far, there, offset, closing = straight_to_flush(
        frame[X], frame[Y], frame[F], frame[FRONT_HALF], frame[SIDE_X], frame[SIDE_Y], frame[OUT], frame[SIDE_HALF]
    )
    if far < 0.0 or abs(there - at) > 1e-6:
        return -1.0, 0.0, 0.0, 0.0
    return far, 0.0, offset, closing


@inner_kernel
def try_turn(h: Hunt, at: float, turn: float) -> bool:
    """Whether a wheel by ``turn`` radians leads to the place ``at`` by a clear way; if so, ``found`` becomes
    the way.
    """
    frame = h.frame
    before, behind, offset, closing = way_at(frame, at, turn)
    if before < 0.0 or not goes_clear(frame, h.way, before, turn, behind):
        return False
    touch = at - frame[FRONT_HALF] + offset
    facing = frame[F] + turn
    if h.who == TARGET_TURNS:
        x, y = contact_pose(frame[SIDE_X], frame[SIDE_Y], frame[OUT], frame[FRONT_HALF], facing, touch, offset)
        if not body_inside(h.way.body, h.way.rows, x, y, facing, frame[LENGTH], frame[WIDTH], EPS):
            return False
        if h.ends > 0 and not clear_at(Way(h.way.near, h.way.points, h.ends, h.way.body, h.way.rows), x, y, facing):
            return False
        if not target_clear(h.units, h.target, frame, h.own, touch, closing):
            return False
    elif not closes_clear(frame, h.way, facing, touch, offset, closing):
        return False
    found = h.found
    found[BEFORE] = before
    found[TURN] = turn
    found[BEHIND] = behind
    found[OFFSET] = offset
    found[CLOSING] = closing
    found[AT] = at
    return True


# ---------------------------------------------------------------- which wheels are worth more


@inner_kernel
def stop_of(point: int, side: float) -> int:
    """The row of ``touches`` that remembers the last stopped wheel to a point and a side (1 left, -1 right)."""
    return 2 + 2 * point + (1 if side < 0.0 else 0)


@inner_kernel
def is_hopeless(
    frame: Array, near: Array, points: Array, n: int, body: Array, touches: Array, point: int, turn: float, c: float,
    s: float,
) -> bool:  # fmt: skip
    """Whether a wheel by ``turn`` radians (cosine ``c``, sine ``s`` of its size) surely has no clear way to a point of
    ``touches``: there is no room before it, or an obstacle behind it, which is remembered.
    """
    side = 1.0 if turn > 0.0 else -1.0
    before, behind = inches_round(frame, touches, point, side, c, s)
    if before > frame[AHEAD] + 2.0 * REST or still_stopped(touches, point, side, turn, behind):
        return True
    hc = frame[FACING_C] * c - side * frame[FACING_S] * s
    hs = frame[FACING_S] * c + side * frame[FACING_C] * s
    touch_x = touches[point, AT_X]
    touch_y = touches[point, AT_Y]
    x = touch_x - hs * touches[point, ASIDE] - behind * hc
    y = touch_y + hc * touches[point, ASIDE] - behind * hs
    deep = surely_stopped(frame, near, points, n, body, x, y, hc, hs, behind)
    if deep < 0.0:
        return False
    row = near[int(frame[BLOCKS])]
    k = stop_of(point, side)
    touches[k, TURNED] = turn
    touches[k, THEN] = behind
    touches[k, THEN_X] = touch_x
    touches[k, THEN_Y] = touch_y
    touches[k, THEN_ASIDE] = touches[point, ASIDE]
    touches[k, DEPTH] = deep
    touches[k, SWING] = hypot(row["x"] - touch_x, row["y"] - touch_y) + row["radius"]
    return True


@inner_kernel
def still_stopped(touches: Array, point: int, side: float, turn: float, behind: float) -> bool:
    """Whether the obstacle that stopped the last wheel to a side surely stops one by ``turn`` radians with ``behind``
    inches after it, even to the point of another place. The remembered depth is lessened by how far the swept area can
    have turned, moved and shortened.
    """
    k = stop_of(point, side)
    left = touches[k, DEPTH] - touches[k, SWING] * abs(turn - touches[k, TURNED]) - max(0.0, touches[k, THEN] - behind)
    if behind <= _LEAST or left <= REST:
        return False
    left -= abs(touches[point, AT_X] - touches[k, THEN_X]) + abs(touches[point, AT_Y] - touches[k, THEN_Y])
    return bool(left - abs(touches[point, ASIDE] - touches[k, THEN_ASIDE]) > REST)


@inner_kernel
def is_edge_hopeless(frame: Array, wheels: Array, touches: Array, side: float, fine: int, other: int) -> bool:
    """Whether the last wheel between row ``fine`` (a way exists) and row ``other`` (none exists) surely has no clear
    way. False tells nothing.
    """
    point = int(wheels[fine, POINT])
    before, behind = inches_round(frame, touches, point, side, wheels[fine, COS], wheels[fine, SIN])
    if other > fine and wheels[fine, LAST] > fine and before > frame[AHEAD] + 2.0 * REST:
        return True  # wheels up to it need even more room before them
    if touches[stop_of(point, side), DEPTH] <= 0.0 or int(wheels[other, POINT]) != point:
        return False
    across = side * touches[point, LEFTWARDS] - frame[FRONT_HALF]
    off = frame[FRONT_HALF] + side * touches[point, ASIDE]
    if (off + across * wheels[fine, COS]) * (off + across * wheels[other, COS]) <= 0.0:
        return False  # else the inches behind a wheel between them only grow or only fall
    _, there = inches_round(frame, touches, point, side, wheels[other, COS], wheels[other, SIN])
    least = min(behind, there)
    # wheels between are no farther from the stopped one than the farther end
    return still_stopped(touches, point, side, wheels[fine, ANGLE], least) and still_stopped(
        touches, point, side, wheels[other, ANGLE], least
    )


@inner_kernel
def add_last_wheel(
    frame: Array, near: Array, points: Array, n: int, body: Array, wheels: Array, touches: Array, fine: int, other: int,
    found: int,
) -> int:  # fmt: skip
    """Add to the ``found`` first wheels of ``wheels`` (TRIED) the last one between row ``fine`` (a way exists) and row
    ``other`` (none exists), unless it is hopeless. Returns how many wheels there are.
    """
    side = 1.0 if wheels[fine, ANGLE] > 0.0 else -1.0
    if is_edge_hopeless(frame, wheels, touches, side, fine, other):
        return found
    turn, c, s = last_wheel(frame, wheels, touches, fine, other, _HALVINGS)
    if is_hopeless(frame, near, points, n, body, touches, point_touched(frame[FLUSH], turn), turn, c, s):
        return found
    wheels[found, TRIED] = turn
    return found + 1


@inner_kernel
def hopeful_wheels(
    frame: Array, near: Array, points: Array, n: int, body: Array, wheels: Array, touches: Array, base: int, end: int
) -> int:
    """Write to ``wheels`` (TRIED) the wheels of rows ``base .. end``, all to one side, that may have a clear way, in
    the order in which they are tried; also the last wheel before the ways between two rows end. Row ``base`` itself is
    none. Returns how many.
    """
    side = 1.0 if wheels[base, ANGLE] > 0.0 else -1.0
    far = frame[AHEAD] + REST
    found = 0
    fine = -1  # the last row with a way, until it is known what follows
    row = base
    while row <= end:
        last = int(wheels[row, LAST])
        point = int(wheels[row, POINT])
        if point >= 0 and touches[point, FITS] == 1.0:
            first, stop = wheels_to(frame, wheels, touches, point, side, row, last)
            if first <= stop:
                if fine >= 0 and first > fine + 1:
                    found = add_last_wheel(frame, near, points, n, body, wheels, touches, fine, fine + 1, found)
                    fine = -1
                if fine < 0 and first > base:
                    # if it is stopped, the wheel before it usually is too
                    c = wheels[first, COS]
                    is_hopeless(
                        frame, near, points, n, body, touches, point, wheels[first, ANGLE], c, wheels[first, SIN]
                    )
                    found = add_last_wheel(frame, near, points, n, body, wheels, touches, first, first - 1, found)
                for m in range(max(first, base + 1), stop + 1):
                    before, behind = inches_round(frame, touches, point, side, wheels[m, COS], wheels[m, SIN])
                    if before > far:
                        break  # larger wheels need even more room before them
                    if still_stopped(touches, point, side, wheels[m, ANGLE], behind):
                        continue
                    c = wheels[m, COS]
                    if not is_hopeless(
                        frame, near, points, n, body, touches, point, wheels[m, ANGLE], c, wheels[m, SIN]
                    ):
                        wheels[found, TRIED] = wheels[m, ANGLE]
                        found += 1
                fine = stop
        row = last + 1
    if 0 <= fine < end:
        found = add_last_wheel(frame, near, points, n, body, wheels, touches, fine, fine + 1, found)
    return found


@kernel
def first_way(
    units: Array,
    target: int,
    frame: Array,
    way: Way,
    own: Way,
    who: int,
    places: Array,
    steps: int,
    wheels: Array,
    touches: Array,
    found: Array,
    met: int,
) -> int:
    """Index of the first of ``places`` that has a clear way, -1: none; ``found`` becomes the way. Of the first ``met``
    obstacles of ``way`` the charger must be clear on its way, of the others where it ends.

    Wheels tried: none, the one after which the block is flush, ``steps`` to either side up to 90 degrees, and the last
    ones before ways end between two of these. ``who`` makes the last wheel; ``own`` is what is near the target, and
    its block.
    """
    near, points, n, body, rows = way
    on_way = Way(near, points, met, body, rows)
    h = Hunt(units, target, frame, on_way, own, who, wheels, touches, found, n if met < n else 0)
    begin_search(frame, on_way, steps, wheels, touches)
    straight, there, _, _ = straight_to_flush(
        frame[X], frame[Y], frame[F], frame[FRONT_HALF], frame[SIDE_X], frame[SIDE_Y], frame[OUT], frame[SIDE_HALF]
    )
    flush = frame[FLUSH]
    comes_flush = STRAIGHT_ON < abs(flush) <= QUARTER
    c = cos(flush)
    s = sin(abs(flush))
    for k in range(len(places)):
        at = places[k]
        if who == CHARGER_TURNS:
            x, y, f = pose_on(frame, at)
            if not body_inside(body, rows, x, y, f, frame[LENGTH], frame[WIDTH], EPS + REST):
                continue
            if not stands_clear(way, x, y, f):
                continue
            if met < n and not clear_at(way, x, y, f):
                continue
        if straight >= 0.0 and abs(there - at) <= 1e-6 and try_turn(h, at, 0.0):
            return k
        fill_touches(frame, at, touches)
        if comes_flush and not (
            touches[0, FITS] == 1.0 and is_hopeless(frame, near, points, met, body, touches, 0, flush, c, s)
        ):
            if try_turn(h, at, flush):
                return k
        for base in range(0, 2 * steps + 2, steps + 1):
            count = hopeful_wheels(frame, near, points, met, body, wheels, touches, base, base + steps)
            for m in range(count):
                if try_turn(h, at, wheels[m, TRIED]):
                    return k
    return -1
