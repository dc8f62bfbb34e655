"""The way of a unit that pursues: it turns about its centre, whatever stands there, then goes straight on until
something stops it (wap.pursuit.move, .obstacle, .new-enemy.must-charge, .off-table, wap.multi.pursuit.stops-short,
.friends).

It stops at the first of these: an inch before a friend, impassable ground or a unit that has fled from this combat; in
contact with another enemy, which it charges; at an edge of the table; at the end of its roll. It may pass others at any
distance, but ends an inch from all of them. If it began nearer to one, it only must not end nearer still.
"""

from __future__ import annotations

from math import atan2, cos, inf, pi, sin, tau
from typing import NamedTuple

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.ranks import HALF_A, HALF_B, U, V, on_table_at
from wh_env.core.geometry.rects import TINY, body_inside, edge_limit, keep_apart, ray_span, turn_limit
from wh_env.core.geometry.shapes import EPS, SLACK
from wh_env.core.kernel import kernel
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.passage import features_held, passes_all_ground
from wh_env.rulesets.wap.field.edges import ground_for
from wh_env.rulesets.wap.fleeing.flight_ways import surround
from wh_env.rulesets.wap.ways.poses import Pose, block_at, depth_of, middle_of, turned_in

FREE, STOPPED, MEETS, LEAVES = range(4)  # how a way ends
MET = 2.0 * SLACK  # inches: enemies met within this of each other are met together


class End(NamedTuple):
    """The end of a way.

    Attributes:
        pose: the pose after the turn, from which the unit goes straight on.
        far: inches straight on.
        how: FREE, STOPPED, MEETS or LEAVES.
        met: the enemies that it meets there.
    """

    pose: Pose
    far: float
    how: int
    met: tuple[int, ...]

    @property
    def place(self) -> Pose:
        """The pose at the end."""
        x, y, f = self.pose
        return x + self.far * cos(f), y + self.far * sin(f), f


@kernel
def margins_at(
    near: Array, points: Array, n: int, body: Array, rows: int, x: float, y: float, f: float, inch: float
) -> None:
    """``core.geometry.rects.keep_apart`` at the pose where a unit begins: the ``margin`` of each row of ``near``
    becomes ``inch``, or less if the unit is nearer already.
    """
    keep_apart(near, points, n, body, rows, x, y, f, inch)


@kernel
def way_spans(
    near: Array,
    points: Array,
    n: int,
    body: Array,
    rows: int,
    x: float,
    y: float,
    f: float,
    margins: Array,
    spans: Array,
) -> None:
    """Fill ``spans`` (float64, n x 2) with the first and last inch of the way straight ahead at which the body is
    nearer to each row of ``near`` than its margin; (inf, -inf) if it never is, or only behind it.
    """
    dx = cos(f)
    dy = sin(f)
    for o in range(n):
        row = near[o]
        spans[o, 0] = inf
        spans[o, 1] = -inf
        for k in range(rows):
            px, py = on_table_at(x, y, f, body[k, U], body[k, V])
            t0, t1 = ray_span(
                px, py, f, body[k, HALF_A], body[k, HALF_B], dx, dy, points, row["first"], row["count"], margins[o]
            )
            if t0 < t1 and t1 > TINY:
                spans[o, 0] = min(spans[o, 0], t0)
                spans[o, 1] = max(spans[o, 1], t1)


@kernel
def edge_at(
    body: Array, rows: int, x: float, y: float, f: float, far: float, length: float, width: float
) -> tuple[float, bool]:
    """Inches that a body goes until it touches an edge of the table ahead, and whether it is on the table after ``far``
    inches.
    """
    dx = cos(f)
    dy = sin(f)
    limit = edge_limit(body, rows, x, y, f, dx, dy, length, width)
    return limit, body_inside(body, rows, x + far * dx, y + far * dy, f, length, width, EPS)


@kernel
def turn_to(
    near: Array, points: Array, n: int, body: Array, rows: int, x: float, y: float, f: float, cx: float, cy: float,
    side: float, most: float,
) -> float:  # fmt: skip
    """Radians that a body can turn about (cx, cy) until it is nearer than its margin to something, at most ``most``;
    ``side``: 1 left, -1 right.
    """
    return float(turn_limit(near, points, n, body, rows, x, y, f, cx, cy, side, most))


class Ahead:
    """What is near a unit that pursues, with the margins to keep from where it stands now."""

    def __init__(self, g: BattleCore, unit: int) -> None:
        setup, room, u = g.setup, g.work.ways, g.units
        self.g, self.unit, self.room = g, unit, room
        self.start: Pose = (u.x[unit], u.y[unit], u.facing[unit])
        ground = ground_for(g, unit)
        self.n, self.rows = g.work.call(
            surround, g.parts.rows, u.rows, ground, setup.corners, unit, setup.rules["one_inch"], room.empty
        )
        margins_at(room.near, room.points, self.n, room.body, self.rows, *self.start, setup.rules["one_inch"])
        self.marks: list[int] = room.near["mark"][: self.n].tolist()
        # rows that stop it only where it would end (wap.special.ethereal.movement)
        self.passed = frozenset[int]()
        if passes_all_ground(g, unit):
            held = features_held(g)
            self.passed = frozenset(
                mark for mark in self.marks if mark < 0 and ground["feature"][-1 - mark] not in held
            )

    def is_met(self, mark: int) -> bool:
        """Whether contact with a row of ``near`` is a charge: its ``mark`` is an enemy that has not just fled from the
        combat.
        """
        u = self.g.units
        if mark < 0 or u.owner[mark] == u.owner[self.unit]:
            return False
        return not (u.fleeing[mark] and u.fighting[mark])

    def spans(self, pose: Pose, touching: bool) -> list[tuple[float, float]]:
        """For each row of ``near`` the first and last inch of the way straight ahead at which the unit overlaps it
        (``touching``) or is nearer to it than it may end.
        """
        room, flights = self.room, self.g.work.flights
        margins, spans = flights.margins, flights.stretches
        margins[: self.n] = 0.0 if touching else room.near["margin"][: self.n]
        way_spans(room.near, room.points, self.n, room.body, self.rows, *pose, margins, spans)
        return [(low, high) for low, high in spans[: self.n].tolist()]

    def end_of(self, pose: Pose, far: float) -> End | None:
        """The end of a way of ``far`` inches straight ahead from ``pose``; None: the unit could stand nowhere on it."""
        setup = self.g.setup
        touches, keeps = self.spans(pose, touching=True), self.spans(pose, touching=False)
        met, block, stop, how = [], inf, far, FREE
        for (low, high), (near, _), mark in zip(touches, keeps, self.marks, strict=True):
            if low >= high:
                continue
            if self.is_met(mark):
                met.append((max(0.0, low), mark))
            elif mark not in self.passed and TINY < low < min(
                block, far - TINY
            ):  # a unit may leave what it overlaps after its turn
                block, stop, how = low, max(0.0, near), STOPPED
        first = min((low for low, _ in met), default=inf)
        if first <= min(far, block) + MET:
            stop, how = min(first, far), MEETS
        edge, _ = edge_at(self.room.body, self.rows, *pose, 0.0, setup.length, setup.width)
        if edge <= stop + TINY:
            return End(pose, edge, LEAVES, ())
        if how == MEETS:
            return End(pose, stop, MEETS, tuple(dict.fromkeys(mark for low, mark in met if low <= first + MET)))
        stop = self.clear_before(keeps, stop)
        if stop < 0.0:
            return None
        _, inside = edge_at(self.room.body, self.rows, *pose, stop, setup.length, setup.width)
        return End(pose, stop, how if inside else LEAVES, ())

    @staticmethod
    def clear_before(keeps: list[tuple[float, float]], stop: float) -> float:
        """The last inch up to ``stop`` that lies in no stretch of ``keeps`` (wap.move.one-inch); below 0: there
        is none.
        """
        while stop >= 0.0:
            inside = [low for low, high in keeps if low + TINY < stop < high - TINY]
            if not inside:
                break
            stop = min(inside)
        return stop


def straight_on(g: BattleCore, unit: int, far: float) -> End:
    """The end of a way of ``far`` inches straight ahead (wap.pursuit.overrun.move)."""
    ahead = Ahead(g, unit)
    return ahead.end_of(ahead.start, far) or End(ahead.start, 0.0, STOPPED, ())


def towards(g: BattleCore, unit: int, direction: float, far: float) -> End:
    """The end of a way that turns about the unit's centre to ``direction`` (radians) and goes ``far`` inches straight
    on. If the unit could stand nowhere on it, as it has turned into others, it turns only as far as it has room.
    """
    ahead = Ahead(g, unit)
    cx, cy = middle_of(g, unit, *ahead.start)
    deep = depth_of(g, unit)
    end = ahead.end_of(block_at(cx, cy, turned_in(direction), deep), far)
    if end is not None:
        return end
    turn = (direction - ahead.start[2] + pi) % tau - pi
    side = 1.0 if turn > 0.0 else -1.0
    room = ahead.room
    most = turn_to(room.near, room.points, ahead.n, room.body, ahead.rows, *ahead.start, cx, cy, side, abs(turn))
    end = ahead.end_of(block_at(cx, cy, turned_in(ahead.start[2] + side * max(0.0, most - EPS)), deep), far)
    return end or ahead.end_of(ahead.start, far) or End(ahead.start, 0.0, STOPPED, ())


def direction_to(g: BattleCore, unit: int, other: int) -> float:
    """The direction in radians from the centre of a unit to that of another unit."""
    u = g.units
    x, y = middle_of(g, unit, u.x[unit], u.y[unit], u.facing[unit])
    ox, oy = middle_of(g, other, u.x[other], u.y[other], u.facing[other])
    return atan2(oy - y, ox - x)
