"""Wheels of a search for charge places, worked out once and asked for every place: what ``way_to_flush`` finds of them,
without its sines.

With one place along the side, where the block touches hangs on nothing but to which side it still has to turn: there
are two such points for a place. About such a point, with ``o`` inches from the corner that wheels and ``v`` inches
aside of that corner's line, a wheel by ``t`` leaves (v + o cos t) / sin t inches behind it and (o + v cos t) / sin t
less than the point is ahead before it. As long as the first is not below 0 the second grows with ``t``: the wheels that
lead to a place are one stretch, and those for which there is room straight ahead are its beginning.
"""

from __future__ import annotations

from math import cos, pi, sin

import numpy as np

from wh_env.core.geometry.flush import QUARTER, first_touch, within_half_turn
from wh_env.core.geometry.ranks import on_table_at
from wh_env.core.geometry.rects import slide_limit
from wh_env.core.kernel import inner_kernel
from wh_env.core.tables import Array

# what a search is about, in ``frame``: pose and half front of the charger, middle, direction and half length of the
# side, size of the table
X, Y, F, FRONT_HALF, SIDE_X, SIDE_Y, OUT, SIDE_HALF, LENGTH, WIDTH = range(10)
# what is worked out when it begins: how far the charger goes straight on; cosine and sine of its facing; the wheel
# after which it lies flush
AHEAD, FACING_C, FACING_S, FLUSH = range(10, 14)
# what was last found in the way of a straight move and of a wheel, which is asked first: ways that are tried one after
# the other differ by little
BLOCKS, STOPS = range(14, 16)
FRAME = 16
REST = 1e-6  # inches, or radians, by which a limit may be missed
# a wheel, in a row of ``wheels``: the angle (to the left above 0), cosine and sine of how far it turns; which point of
# a place is touched behind it, -1: none, it does not come to lie flush with less than a quarter more; the last row of
# those that follow one another with the same point. Beside these stands a list of wheels that are tried for one place
ANGLE, COS, SIN, POINT, LAST, TRIED = range(6)
WHEEL = 6
# where a place is touched, in a row of ``touches``: the point, on the table and ahead of the charger and to its left;
# how far it is from the middle of the front; 1 where the front gets there
AT_X, AT_Y, ON, LEFTWARDS, ASIDE, FITS = range(6)
# a wheel that was surely stopped, in a row of ``touches`` by the point that it led to and its side (``stop_of``): the
# angle, inches behind it, the point and how far that was from the middle of the front, how deep what stopped it lies in
# what it swept (below 0: there was none), inches from the point to its farthest part
TURNED, THEN, THEN_X, THEN_Y, THEN_ASIDE, DEPTH, SWING = range(7)
TOUCHED = 7
TOUCHES = 6  # rows

LEAST_TURN = 1e-4  # radians: stands for the wheel that only just begins
_NONE, _FLAT = 1e-7, 1e-7  # as in ``flush``


class WheelRoom:
    """Scratch memory: ``wheels`` (float64, 2 x (steps + 1) rows) by how many are tried to either side, ``touches``
    (float64, two rows of points and four of wheels).

    Rows of ``wheels`` are those to the left, the one that just begins first, then those to the right.
    """

    __slots__ = ("touches", "wheels")

    def __init__(self, *steps: int) -> None:
        self.wheels, self.touches = {most: wheel_table(most) for most in steps}, np.zeros((TOUCHES, TOUCHED))


def wheel_table(steps: int) -> Array:
    """What of ``wheels`` is the same in every search."""
    table = np.zeros((2 * (steps + 1), WHEEL))
    for k in range(2 * (steps + 1)):
        m = k % (steps + 1)
        turn = QUARTER * m / steps if m > 0 else LEAST_TURN
        table[k, ANGLE] = turn if k <= steps else -turn
        table[k, COS], table[k, SIN] = cos(turn), sin(turn)
    return table


@inner_kernel
def closing_turn(flush: float, turn: float) -> float:
    """The last wheel behind one by ``turn``, where ``flush`` would make the block lie flush (both within half a turn)."""
    closing = flush - turn
    if closing > pi:
        return closing - 2.0 * pi
    return closing + 2.0 * pi if closing < -pi else closing


@inner_kernel
def point_touched(flush: float, turn: float) -> int:
    """Which of the two points of a place is touched behind a wheel: 0 where the block still has to turn to the right,
    or not at all, 1 to the left; -1: it would have to turn too far.
    """
    closing = closing_turn(flush, turn)
    if abs(closing) >= QUARTER - _FLAT:
        return -1
    return 1 if closing > 0.0 else 0


@inner_kernel
def fill_wheels(frame: Array, steps: int, wheels: Array) -> None:
    """Fill in what of ``wheels`` hangs on the search."""
    for k in range(2 * steps + 1, -1, -1):
        point = point_touched(frame[FLUSH], wheels[k, ANGLE])
        wheels[k, POINT] = point
        wheels[k, LAST] = wheels[k + 1, LAST] if k % (steps + 1) < steps and wheels[k + 1, POINT] == point else k


@inner_kernel
def fill_touches(frame: Array, at: float, touches: Array) -> None:
    """Fill ``touches`` for a place along the side."""
    front = frame[FRONT_HALF]
    for k in range(2):
        touch, offset = first_touch(frame[SIDE_HALF], front, at, float(k))
        touches[k, AT_X], touches[k, AT_Y] = on_table_at(frame[SIDE_X], frame[SIDE_Y], frame[OUT], 0.0, touch)
        dx = touches[k, AT_X] - frame[X]
        dy = touches[k, AT_Y] - frame[Y]
        touches[k, ON] = frame[FACING_C] * dx + frame[FACING_S] * dy
        touches[k, LEFTWARDS] = frame[FACING_C] * dy - frame[FACING_S] * dx
        touches[k, ASIDE] = offset - front
        touches[k, FITS] = 1.0 if -_NONE <= offset <= 2.0 * front + _NONE else 0.0


@inner_kernel
def inches_round(frame: Array, touches: Array, point: int, side: float, c: float, s: float) -> tuple[float, float]:
    """Inches before and behind a wheel to a side (1 the left, -1 the right), by the angle with this cosine and sine,
    that leads to a point of ``touches``.
    """
    across = side * touches[point, LEFTWARDS] - frame[FRONT_HALF]
    off = frame[FRONT_HALF] + side * touches[point, ASIDE]
    return touches[point, ON] - (off + across * c) / s, (across + off * c) / s


@inner_kernel
def is_way(before: float, behind: float) -> bool:
    """Whether there is a way with so many inches before and behind its wheel."""
    return before >= -_NONE and behind >= -_NONE


@inner_kernel
def wheels_to(
    frame: Array, wheels: Array, touches: Array, point: int, side: float, first: int, last: int
) -> tuple[int, int]:
    """Of the rows ``first .. last`` of ``wheels``, all of which come to a point, those with which there is a way there:
    from which to which (the first above the second: none).
    """
    low = first - 1
    high = last
    _, behind = inches_round(frame, touches, point, side, wheels[last, COS], wheels[last, SIN])
    if behind >= -_NONE:  # as a rule
        low = last
    while low < high:  # there is none behind the last one
        middle = (low + high + 1) // 2
        _, behind = inches_round(frame, touches, point, side, wheels[middle, COS], wheels[middle, SIN])
        if behind >= -_NONE:
            low = middle
        else:
            high = middle - 1
    stop = low
    low = first
    high = stop + 1
    if low < high:
        before, _ = inches_round(frame, touches, point, side, wheels[low, COS], wheels[low, SIN])
        if before >= -_NONE:  # as a rule
            high = low
    while low < high:
        middle = (low + high) // 2
        before, _ = inches_round(frame, touches, point, side, wheels[middle, COS], wheels[middle, SIN])
        if before >= -_NONE:
            high = middle
        else:
            low = middle + 1
    return low, stop


@inner_kernel
def last_wheel(
    frame: Array, wheels: Array, touches: Array, fine: int, other: int, halvings: int
) -> tuple[float, float, float]:
    """The last wheel between that of row ``fine``, with which there is a way, and that of row ``other``, with which
    there is none; cosine and sine of how far it turns.
    """
    good = wheels[fine, ANGLE]
    bad = wheels[other, ANGLE]
    c = wheels[fine, COS]
    s = wheels[fine, SIN]
    side = 1.0 if good > 0.0 else -1.0
    more = side * (bad - good)
    for _ in range(halvings):
        more *= 0.5
        turn = 0.5 * (good + bad)
        point = point_touched(frame[FLUSH], turn)
        # five degrees at most: the series end
        square = more * more
        dc = 1.0 - square * (0.5 - square * (1.0 / 24.0 - square * (1.0 / 720.0 - square / 40320.0)))
        ds = more * (1.0 - square * (1.0 / 6.0 - square * (1.0 / 120.0 - square / 5040.0)))
        tc = c * dc - s * ds
        ts = s * dc + c * ds
        there = False
        if point >= 0 and touches[point, FITS] == 1.0:
            before, behind = inches_round(frame, touches, point, side, tc, ts)
            there = is_way(before, behind)
        if there:
            good = turn
            c = tc
            s = ts
        else:
            bad = turn
    return good, c, s


@inner_kernel
def begin_search(
    frame: Array, near: Array, points: Array, n: int, body: Array, rows: int, steps: int, wheels: Array, touches: Array
) -> None:
    """Work out what every place of a search is asked with."""
    f = frame[F]
    frame[FLUSH] = within_half_turn(frame[OUT] + pi - f)
    frame[FACING_C] = cos(f)
    frame[FACING_S] = sin(f)
    frame[BLOCKS] = frame[STOPS] = -1.0
    most = 2.0 * (frame[LENGTH] + frame[WIDTH])  # twice across the table
    frame[AHEAD] = slide_limit(
        near, points, n, body, rows, frame[X], frame[Y], f, frame[FACING_C], frame[FACING_S], most
    )
    fill_wheels(frame, steps, wheels)
    for k in range(2, TOUCHES):
        touches[k, DEPTH] = -1.0
