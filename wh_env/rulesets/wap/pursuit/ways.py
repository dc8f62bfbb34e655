"""The way of a unit that pursues: it turns on its centre whatever stands there, then goes straight on until something
stops it (wap.pursuit.move, .obstacle, .new-enemy.must-charge, .off-table, wap.multi.pursuit.stops-short, .friends).

What stops it is what it comes to first: a friend, impassable ground or a unit that has fled from this combat, an inch
before which it ends; another enemy, whom it charges; an edge of the table; the end of its roll. It passes as near to
the others as it likes, and ends an inch from all (what it stood nearer to when it began, it only must not end nearer
to).
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
from wh_env.rulesets.wap.field.edges import ground_for
from wh_env.rulesets.wap.fleeing.flight_ways import surround
from wh_env.rulesets.wap.ways.poses import Pose, block_at, depth_of, middle_of, turned_in

FREE, STOPPED, MEETS, LEAVES = range(4)  # how a way ends
MET = 2.0 * SLACK  # inches: what is met within so little of each other is met together


class End(NamedTuple):
    """How far a unit goes from a pose, how that ends, and which enemies it meets there."""

    pose: Pose
    far: float
    how: int
    met: tuple[int, ...]

    @property
    def place(self) -> Pose:
        """Where it stands then."""
        x, y, f = self.pose
        return x + self.far * cos(f), y + self.far * sin(f), f


@kernel
def margins_at(
    near: Array, points: Array, n: int, body: Array, rows: int, x: float, y: float, f: float, inch: float
) -> None:
    """``core.geometry.rects.keep_apart`` at the pose where a unit begins."""
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
    """Fill ``spans`` (float64, n x 2) with the stretch of the way straight ahead on which a body is nearer to each of
    what is near than its margin; inf, -inf: on none that is not behind it.
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
    """How far a body goes until it touches an edge that it moves towards, and whether it would stand on the table after
    ``far`` inches.
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
    """How far a body turns on a point before it is nearer than its margin to something."""
    return float(turn_limit(near, points, n, body, rows, x, y, f, cx, cy, side, most))


class Ahead:
    """What is near a unit that pursues, with the margins of where it stands now."""

    def __init__(self, g: BattleCore, unit: int) -> None:
        setup, room, u = g.setup, g.work.ways, g.units
        self.g, self.unit, self.room = g, unit, room
        self.start: Pose = (u.x[unit], u.y[unit], u.facing[unit])
        self.n, self.rows = surround(
            g.parts.rows, u.rows, ground_for(g, unit), setup.corners, unit, setup.rules["one_inch"], room.body,
            room.near, room.points,
        )  # fmt: skip
        margins_at(room.near, room.points, self.n, room.body, self.rows, *self.start, setup.rules["one_inch"])
        self.marks: list[int] = room.near["mark"][: self.n].tolist()

    def is_met(self, mark: int) -> bool:
        """Whether contact with it is a charge: it is an enemy, and has not just fled from the combat."""
        u = self.g.units
        if mark < 0 or u.owner[mark] == u.owner[self.unit]:
            return False
        return not (u.fleeing[mark] and u.fighting[mark])

    def spans(self, pose: Pose, touching: bool) -> list[tuple[float, float]]:
        """For each of what is near the stretch of the way on which the unit overlaps it (``touching``) or is nearer to
        it than it may end.
        """
        room, flights = self.room, self.g.work.flights
        margins, spans = flights.margins, flights.stretches
        margins[: self.n] = 0.0 if touching else room.near["margin"][: self.n]
        way_spans(room.near, room.points, self.n, room.body, self.rows, *pose, margins, spans)
        return [(low, high) for low, high in spans[: self.n].tolist()]

    def end_of(self, pose: Pose, far: float) -> End | None:
        """Where a way straight ahead ends; None: not where the unit could stand."""
        setup = self.g.setup
        touches, keeps = self.spans(pose, touching=True), self.spans(pose, touching=False)
        met, block, stop, how = [], inf, far, FREE
        for (low, high), (near, _), mark in zip(touches, keeps, self.marks, strict=True):
            if low >= high:
                continue
            if self.is_met(mark):
                met.append((max(0.0, low), mark))
            elif TINY < low < min(block, far - TINY):  # what it overlaps because it has turned it may leave
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
        """The last place up to ``stop`` that is near to nothing (wap.move.one-inch); below 0: there is none."""
        while stop >= 0.0:
            inside = [low for low, high in keeps if low + TINY < stop < high - TINY]
            if not inside:
                break
            stop = min(inside)
        return stop


def straight_on(g: BattleCore, unit: int, far: float) -> End:
    """The way of a unit that goes straight ahead as it faces (wap.pursuit.overrun.move)."""
    ahead = Ahead(g, unit)
    return ahead.end_of(ahead.start, far) or End(ahead.start, 0.0, STOPPED, ())


def towards(g: BattleCore, unit: int, direction: float, far: float) -> End:
    """The way of a unit that turns on its centre and then goes straight on. Where it could not stand at the end,
    because it has turned into others, it turns only as far as it has room.
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
    """The direction from the centre of a unit to that of another one."""
    u = g.units
    x, y = middle_of(g, unit, u.x[unit], u.y[unit], u.facing[unit])
    ox, oy = middle_of(g, other, u.x[other], u.y[other], u.facing[other])
    return atan2(oy - y, ox - x)
