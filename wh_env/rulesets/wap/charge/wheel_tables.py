"""Tables of the wheels of a search for charge places, worked out once and used for every place: results of
``way_to_flush`` without its sines.

For one place along the side, the point of contact depends only on the side to which the block still has to turn: a
place has two such points. Let the point be ``o`` inches from the corner that wheels and ``v`` inches aside of that
corner's line. A wheel by ``t`` then leaves (v + o cos t) / sin t inches behind it. Before it the charger moves (o + v
cos t) / sin t inches less than the point is ahead. While the first is at least 0, the second grows with ``t``: the
wheels that lead to a place are one stretch of rows, and those with room before them are its beginning.
"""

from __future__ import annotations

from math import cos, pi, sin

import numpy as np

from wh_env.core.geometry.flush import QUARTER, first_touch, within_half_turn
from wh_env.core.geometry.near import Way
from wh_env.core.geometry.ranks import on_table_at
from wh_env.core.geometry.rects import slide_limit
from wh_env.core.kernel import inner_kernel
from wh_env.core.tables import Array

# columns of ``frame``: pose of the charger and half its front edge; middle, direction and half length of the side;
# length and width of the table
X, Y, F, FRONT_HALF, SIDE_X, SIDE_Y, OUT, SIDE_HALF, LENGTH, WIDTH = range(10)
# worked out at the start: inches that the charger can go straight on; cosine and sine of its facing; the wheel after
# which it is flush
AHEAD, FACING_C, FACING_S, FLUSH = range(10, 14)
# row of ``near`` that last stopped a straight move, and a wheel; it is tested first, as successive ways differ little
BLOCKS, STOPS = range(14, 16)
FRAME = 16
REST = 1e-6  # inches or radians: error allowed in a limit
# columns of ``wheels``: angle (radians, to the left above 0); cosine and sine of its size; the point of a place that is
# touched behind it (-1: more than a quarter is left to turn); last of the successive rows with the same point. Column
# TRIED is a list of the wheels to try for one place
ANGLE, COS, SIN, POINT, LAST, TRIED = range(6)
WHEEL = 6
# columns of a point in ``touches``: x and y on the table; inches ahead of the charger and to its left; inches from the
# middle of the front edge; 1 if the front edge can reach it
AT_X, AT_Y, ON, LEFTWARDS, ASIDE, FITS = range(6)
# columns of a stopped wheel in ``touches`` (row ``stop_of``): angle; inches behind it; the point and its inches from
# the middle of the front edge; inches by which the obstacle lies in the swept area (below 0: none); inches from the
# point to the obstacle's farthest part
TURNED, THEN, THEN_X, THEN_Y, THEN_ASIDE, DEPTH, SWING = range(7)
TOUCHED = 7
TOUCHES = 6  # rows

LEAST_TURN = 1e-4  # radians: the smallest wheel
_NONE, _FLAT = 1e-7, 1e-7  # as in ``flush``


class WheelRoom:
    """Scratch memory: ``wheels`` (a float64 table of 2 x (steps + 1) rows for each number of steps) and ``touches``
    (float64, two rows of points and four of stopped wheels).

    Rows of ``wheels``: wheels to the left, the smallest first, then those to the right.
    """

    __slots__ = ("touches", "wheels")

    def __init__(self, *steps: int) -> None:
        self.wheels, self.touches = {most: wheel_table(most) for most in steps}, np.zeros((TOUCHES, TOUCHED))


def wheel_table(steps: int) -> Array:
    """A table ``wheels`` with the columns that are the same in every search: angle, cosine, sine."""
    table = np.zeros((2 * (steps + 1), WHEEL))
    for k in range(2 * (steps + 1)):
        m = k % (steps + 1)
        turn = QUARTER * m / steps if m > 0 else LEAST_TURN
        table[k, ANGLE] = turn if k <= steps else -turn
        table[k, COS], table[k, SIN] = cos(turn), sin(turn)
    return table


@inner_kernel
def closing_turn(flush: float, turn: float) -> float:
    """The last wheel (radians) after a wheel by ``turn``, if a wheel by ``flush`` alone would make the block flush."""
    closing = flush - turn
    if closing > pi:
        return closing - 2.0 * pi
    return closing + 2.0 * pi if closing < -pi else closing


@inner_kernel
def point_touched(flush: float, turn: float) -> int:
    """Which of the two points of a place is touched after a wheel: 1 if the block still has to turn to the left, 0 to
    the right or not at all, -1 if it would have to turn too far.
    """
    closing = closing_turn(flush, turn)
    if abs(closing) >= QUARTER - _FLAT:
        return -1
    return 1 if closing > 0.0 else 0


@inner_kernel
def fill_wheels(frame: Array, steps: int, wheels: Array) -> None:
    """Fill in the columns of ``wheels`` that depend on the search: POINT and LAST."""
    for k in range(2 * steps + 1, -1, -1):
        point = point_touched(frame[FLUSH], wheels[k, ANGLE])
        wheels[k, POINT] = point
        wheels[k, LAST] = wheels[k + 1, LAST] if k % (steps + 1) < steps and wheels[k + 1, POINT] == point else k


@inner_kernel
def fill_touches(frame: Array, at: float, touches: Array) -> None:
    """Fill the two points of ``touches`` for the place ``at``."""
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
    """Inches before and behind a wheel to a side (1 left, -1 right) with cosine ``c`` and sine ``s``, to a point of
    ``touches``.
    """
    across = side * touches[point, LEFTWARDS] - frame[FRONT_HALF]
    off = frame[FRONT_HALF] + side * touches[point, ASIDE]
    return touches[point, ON] - (off + across * c) / s, (across + off * c) / s


@inner_kernel
def is_way(before: float, behind: float) -> bool:
    """Whether so many inches before and behind a wheel make a way."""
    return before >= -_NONE and behind >= -_NONE


@inner_kernel
def wheels_to(
    frame: Array, wheels: Array, touches: Array, point: int, side: float, first: int, last: int
) -> tuple[int, int]:
    """The first and the last of the rows ``first .. last`` of ``wheels`` with a way to ``point``, which all of these
    touch; the first is above the last if there is none.
    """
    low = first - 1
    high = last
    _, behind = inches_round(frame, touches, point, side, wheels[last, COS], wheels[last, SIN])
    if behind >= -_NONE:  # as a rule
        low = last
    while low < high:  # there is no way behind the last row
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
    """The last wheel between row ``fine`` (a way exists) and row ``other`` (none exists), by ``halvings`` halvings: its
    angle, and cosine and sine of its size.
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
        # at most five degrees: the series end here
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
def begin_search(frame: Array, way: Way, steps: int, wheels: Array, touches: Array) -> None:
    """Fill in what all places of a search share: columns AHEAD .. STOPS of ``frame``, ``wheels``, and no
    stopped wheels.
    """
    near, points, n, body, rows = way
    f = frame[F]
    frame[FLUSH] = within_half_turn(frame[OUT] + pi - f)
    frame[FACING_C] = cos(f)
    frame[FACING_S] = sin(f)
    frame[BLOCKS] = frame[STOPS] = -1.0
    most = 2.0 * (frame[LENGTH] + frame[WIDTH])  # farther than any way on the table
    frame[AHEAD] = slide_limit(
        near, points, n, body, rows, frame[X], frame[Y], f, frame[FACING_C], frame[FACING_S], most
    )
    fill_wheels(frame, steps, wheels)
    for k in range(2, TOUCHES):
        touches[k, DEPTH] = -1.0
