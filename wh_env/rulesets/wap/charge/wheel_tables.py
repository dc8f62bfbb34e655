"""Wheels of a search for charge places, worked out once and asked for every place: what ``way_to_flush`` finds of them, without its sines.

With one place along the side, where the block touches hangs on nothing but to which side it still has to turn: there are two such points for a place.
"""

from __future__ import annotations

from math import cos, pi, sin

import numpy as np

from wh_env.core.geometry.flush import QUARTER, touched_first, turned_by
from wh_env.core.geometry.ranks import HALF_A, HALF_B, U, V, on_table_at
from wh_env.core.geometry.rects import TINY, body_gap, slide_limit, turn_limit
from wh_env.core.geometry.shapes import SLACK
from wh_env.core.kernel import inner_kernel
from wh_env.core.tables import Array

# what a search is about, in ``frame``: pose and half front of the charger, middle, direction and half length of the side, size of the table; and how far the
# charger goes straight on, worked out when the search begins; and what was last found in the way of a straight move and of a wheel, which is asked first:
# ways that are tried one after the other differ by little
X, Y, F, FRONT_HALF, SIDE_X, SIDE_Y, OUT, SIDE_HALF, LENGTH, WIDTH, AHEAD, BLOCKS, STOPS = range(13)
FRAME = 13
REST = 1e-6  # inches, or radians, by which a limit may be missed
# a wheel, in a row of ``wheels``: the angle (to the left above 0), cosine and sine of the facing behind it, its own sine, the last wheel that is left
ANGLE, COS, SIN, ACROSS, LEFT_OVER = range(5)
WHEEL = 5
# where a place is touched, in a row of ``touches``: the point, how far it is from the middle of the front, 1 where the front gets there; how far the target
# turns about it
AT_X, AT_Y, ASIDE, FITS, TURNS = range(5)
TOUCHED = 5

LEAST_TURN = 1e-4  # radians: stands for the wheel that only just begins
_NONE, _FLAT = 1e-7, 1e-7  # as in ``flush``
_SURELY = 1e-4  # inches beyond what any limit may be missed by


class WheelRoom:
    """Scratch memory: ``wheels`` (float64, 2 x (steps + 1) rows), ``touches`` (float64, 2 rows)."""

    __slots__ = ("touches", "wheels")

    def __init__(self, steps: int) -> None:
        self.wheels, self.touches = np.zeros((2 * (steps + 1), WHEEL)), np.zeros((2, TOUCHED))


@inner_kernel
def closing_turn(flush: float, turn: float) -> float:
    """The last wheel behind one by ``turn``, where ``flush`` would make the block lie flush (both within half a turn)."""
    closing = flush - turn
    if closing > pi:
        return closing - 2.0 * pi
    return closing + 2.0 * pi if closing < -pi else closing


@inner_kernel
def fill_wheels(frame: Array, steps: int, wheels: Array) -> None:
    """Fill ``wheels`` with those to the left, the one that just begins first, then with those to the right."""
    flush = turned_by(frame[OUT] + pi - frame[F])
    for k in range(2 * (steps + 1)):
        m = k % (steps + 1)
        turn = QUARTER * m / steps if m > 0 else LEAST_TURN
        turn = turn if k <= steps else -turn
        wheels[k, ANGLE] = turn
        wheels[k, COS] = cos(frame[F] + turn)
        wheels[k, SIN] = sin(frame[F] + turn)
        wheels[k, ACROSS] = sin(turn)
        wheels[k, LEFT_OVER] = closing_turn(flush, turn)


@inner_kernel
def fill_touches(frame: Array, at: float, touches: Array) -> None:
    """Fill ``touches`` for a place along the side: row 0 where the block still has to turn to the right, or not at all, row 1 to the left."""
    front = frame[FRONT_HALF]
    for k in range(2):
        touch, offset = touched_first(frame[SIDE_HALF], front, at, float(k))
        touches[k, AT_X], touches[k, AT_Y] = on_table_at(frame[SIDE_X], frame[SIDE_Y], frame[OUT], 0.0, touch)
        touches[k, ASIDE] = offset - front
        touches[k, FITS] = 1.0 if -_NONE <= offset <= 2.0 * front + _NONE else 0.0


@inner_kernel
def inches_before(
    frame: Array, touches: Array, c0: float, s0: float, c: float, s: float, across: float, closing: float
) -> float:
    """Inches before a wheel that leads to the place of ``touches``, from the facing (c0, s0) to (c, s); below 0: there is no such way."""
    if abs(closing) >= QUARTER - _FLAT:
        return -1.0
    k = 1 if closing > 0.0 else 0
    if touches[k, FITS] == 0.0:
        return -1.0
    side = frame[FRONT_HALF] if across > 0.0 else -frame[FRONT_HALF]
    dx = touches[k, AT_X] - s * touches[k, ASIDE] - frame[X] + side * (s0 - s)
    dy = touches[k, AT_Y] + c * touches[k, ASIDE] - frame[Y] - side * (c0 - c)
    before = (dx * s - dy * c) / across
    if before < -_NONE or (c0 * dy - s0 * dx) / across < -_NONE:
        return -1.0
    return float(max(0.0, before))


@inner_kernel
def last_wheel(frame: Array, touches: Array, c0: float, s0: float, good: float, bad: float, halvings: int) -> float:
    """The last wheel between one with which there is a way and one with which there is none."""
    flush = turned_by(frame[OUT] + pi - frame[F])
    for _ in range(halvings):
        turn = 0.5 * (good + bad)
        facing = frame[F] + turn
        closing = closing_turn(flush, turn)
        if inches_before(frame, touches, c0, s0, cos(facing), sin(facing), sin(turn), closing) >= 0.0:
            good = turn
        else:
            bad = turn
    return good


@inner_kernel
def turns_too_far(touches: Array, one: float, other: float) -> bool:
    """Whether a target cannot make the last wheel behind either of two wheels, nor behind any between them."""
    if (one > 0.0) != (other > 0.0) or abs(one - other) > QUARTER:
        return False
    return bool(min(abs(one), abs(other)) > touches[1 if one > 0.0 else 0, TURNS])


@inner_kernel
def straight_ahead(frame: Array, near: Array, points: Array, n: int, body: Array, rows: int) -> float:
    """How far the charger goes straight on, up to twice across the table."""
    f = frame[F]
    most = 2.0 * (frame[LENGTH] + frame[WIDTH])
    return slide_limit(near, points, n, body, rows, frame[X], frame[Y], f, cos(f), sin(f), most)


@inner_kernel
def slides_clear(
    frame: Array, near: Array, points: Array, n: int, body: Array, rows: int, x: float, y: float, f: float, most: float
) -> bool:
    """Whether ``slide_limit`` straight ahead is ``most``."""
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
    frame: Array, near: Array, points: Array, n: int, body: Array, rows: int, x: float, y: float, f: float, px: float, py: float,
    side: float, most: float,
) -> bool:  # fmt: skip
    """Whether ``turn_limit`` about (px, py) is ``most``."""
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
def stands_clear(near: Array, points: Array, n: int, body: Array, rows: int, x: float, y: float, f: float) -> bool:
    """False if the body at a pose is surely nearer to something than it may come, so that no way ends there."""
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
