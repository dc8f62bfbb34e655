"""Places where a charge move can end: those along a side of a target that are worth trying, and how many models are in
contact there (wap.charge.move.maximise).

A place is the coordinate ``at`` along the side, in inches from the middle of the side to the middle of the charger's
front edge.
"""

from __future__ import annotations

from math import cos, pi, sin
from typing import NamedTuple

import numpy as np

from wh_env.core.geometry.flush import (
    SIDES,
    bases_touching,
    shared_stretch_of_facing_sides,
    side_halves,
    side_out,
    straight_to_flush,
)
from wh_env.core.geometry.near import NEAR, Way
from wh_env.core.geometry.ranks import BODY, on_table_at, rank_count, span_of
from wh_env.core.geometry.shapes import SLACK
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.setup import Setup
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.blocks import front_span
from wh_env.rulesets.wap.basics.contacts import TOUCH, block_hull
from wh_env.rulesets.wap.charge.wheel_tables import (
    FRAME,
    FRONT_HALF,
    LENGTH,
    OUT,
    SIDE_HALF,
    SIDE_X,
    SIDE_Y,
    WIDTH,
    F,
    WheelRoom,
    X,
    Y,
)
from wh_env.rulesets.wap.codes import FRONT
from wh_env.rulesets.wap.tables import Troops
from wh_env.rulesets.wap.ways.ways import gather

# columns of ``found``, a way: inches before the wheel; the wheel (radians, to the left above 0); inches behind it;
# inches from the left front corner to where the charger touches; the last wheel (radians); the place ``at``
BEFORE, TURN, BEHIND, OFFSET, CLOSING, AT = range(6)
FOUND = 6
CHARGER_TURNS, TARGET_TURNS = 0, 1  # which unit makes the last wheel
ROUNDED = 1e6  # places are compared to 1 / ROUNDED of an inch
RANKED = 5  # columns of ``scores``, most important first
SAME = 1e-6
STEPS, FINE_STEPS = 18, 90  # wheels tried to either side: every 5 degrees, every degree


class Ranking(NamedTuple):
    """Scratch memory to put the places of a charge in order.

    Attributes:
        targets: rows of the units that are charged. places: inches along a side. scores: what each place is worth.
        order: row numbers sorted by worth. table: the best places with their worth.
    """

    targets: Array
    places: Array
    scores: Array
    order: Array
    table: Array


class ChargeRoom:
    """Scratch memory for charge moves.

    Attributes:
        frame: what a search is about (columns of ``wheel_tables``).
        found: the way that a search has found (columns BEFORE .. AT).
        places, scores: places along a side, and what each is worth.
        order, table: row numbers sorted by worth, and the best places with their worth.
        near, points, body: what is near a target that turns itself, and the rectangles of its block. empty: the same in
            one piece, without an obstacle yet.
        targets, gone: rows of units. ranking: ``targets`` to ``table`` in one piece.
        tables: tables of wheels.
        front, shares: (x, y) of the models of the front rank, and how many stand in each quarter of a target.
    """

    __slots__ = (
        "body",
        "empty",
        "found",
        "frame",
        "front",
        "gone",
        "near",
        "order",
        "places",
        "points",
        "ranking",
        "scores",
        "shares",
        "table",
        "tables",
        "targets",
    )

    def __init__(self, setup: Setup) -> None:
        """Make room for the largest unit and all terrain of the battle."""
        units = setup.layout.view(setup.template, "units")
        rows = len(setup.layout.view(setup.template, "parts")) + len(setup.statics["ground"])
        most = 4096 + 16 * max(1, int(units["count"].max(initial=1))) + 4 * (4 * rows + len(setup.corners))
        self.frame, self.found = np.zeros(FRAME), np.zeros(FOUND)
        self.front, self.shares = np.zeros((2 * max(1, int(units["count"].max(initial=1))), 2)), np.zeros(SIDES)
        self.places, self.scores = np.zeros(most), np.zeros((most, RANKED))
        self.order, self.table = np.zeros((2, most), np.int64), np.zeros((3, most))
        self.near, self.body = np.zeros(max(1, rows), NEAR), np.zeros((BODY, BODY))
        self.points = np.zeros((4 * max(1, rows) + len(setup.corners), 2))
        self.targets, self.gone = np.zeros((2, max(1, len(units))), np.int64)
        self.tables = WheelRoom(STEPS, FINE_STEPS)
        self.empty = Way(self.near, self.points, 0, self.body, 0)
        self.ranking = Ranking(self.targets, self.places, self.scores, self.order, self.table)


# ---------------------------------------------------------------- models in contact


@kernel
def side_bases(units: Array, u: int, side: int) -> tuple[int, float]:
    """How many models of unit ``u`` stand along a side of its block, and half the inches that each takes there. A short
    rank counts as moved over or filled up (wap.combat.incomplete-rank.*).
    """
    unit = units[u]
    files = max(1, min(unit["files"], unit["block"]))
    if side % 2 == 0:
        return files, unit["base_b"]
    return rank_count(unit["block"], files), unit["base_a"]


@inner_kernel
def hull_halves(units: Array, u: int) -> tuple[float, float]:
    """Half the depth and half the width of ``block_hull``, inches."""
    unit = units[u]
    files = max(1, min(unit["files"], unit["block"]))
    half_a = max(0.5 * span_of(rank_count(unit["block"], files), unit["base_a"], unit["spacing"]), unit["beside_a"])
    return half_a, 0.5 * front_span(unit, files)


@inner_kernel
def touched_bits(units: Array, u: int, side: int, low: float, high: float, slack: float) -> int:
    """The models along a side that touch its stretch from ``low`` to ``high`` inches, as bits. The first bit is the
    model at the low end; only 62 models have one.
    """
    count, half = side_bases(units, u, side)
    bits = 0
    for n in range(min(count, 62)):
        middle = (2 * n + 1 - count) * (half + 0.5 * units[u]["spacing"])
        if middle + half >= low - slack and middle - half <= high + slack:
            bits |= 1 << n
    return bits


@inner_kernel
def count_bits(bits: int) -> int:
    """How many bits are set."""
    found = 0
    while bits:
        bits &= bits - 1
        found += 1
    return found


class Facing(NamedTuple):
    """A side of unit ``t`` that looks at the front edge of unit ``u``.

    Attributes:
        u, t, side: the charger, the target and the side of the target.
        x, y: centre of the hull of ``t``, inches.
        out_c, out_s: cosine and sine of the direction in which the side looks.
        far, half: inches from the centre of the hull of ``t`` to the side, and half the side's length.
        front_c, front_s, front_far, front_half: the same four of the front edge of ``u``.
    """

    u: int
    t: int
    side: int
    x: float
    y: float
    out_c: float
    out_s: float
    far: float
    half: float
    front_c: float
    front_s: float
    front_far: float
    front_half: float


@inner_kernel
def facing_side(units: Array, u: int, f: float, t: int, side: int) -> tuple[bool, Facing]:
    """Whether a side of unit ``t`` looks at the front edge of unit ``u`` if ``u`` faces ``f`` radians; and a ``Facing``
    of the two, which holds wherever ``u`` stands.
    """
    x, y, ta, tb = block_hull(units, t)
    a, b = hull_halves(units, u)
    out = side_out(units[t]["facing"], side)
    far, half = side_halves(ta, tb, side)
    looks = cos(out - f) <= -0.5
    return looks, Facing(u, t, side, x, y, cos(out), sin(out), far, half, cos(f), sin(f), a, b)


@inner_kernel
def touched_along(units: Array, sides: Facing, x: float, y: float, slack: float) -> tuple[int, int]:
    """The models of the front of unit ``u`` that touch a side of the target, as bits, and how many models of the target
    touch them. (0, -1) if the front does not lie along that side.

    Args:
        x, y: the middle of the front edge of ``u``.
        slack: inches added to the stretch in contact at both ends.
    """
    w = sides
    hx = x - w.front_c * w.front_far
    hy = y - w.front_s * w.front_far
    apart, low, high = shared_stretch_of_facing_sides(
        w.x, w.y, w.out_c, w.out_s, w.far, w.half, hx, hy, w.front_c, w.front_s, w.front_far, w.front_half
    )
    if apart > TOUCH or high - low < -TOUCH:
        return 0, -1
    n, half = side_bases(units, w.t, w.side)
    theirs = bases_touching(n, half, units[w.t]["spacing"], low, high, slack)
    _, low, high = shared_stretch_of_facing_sides(
        hx, hy, w.front_c, w.front_s, w.front_far, w.front_half, w.x, w.y, w.out_c, w.out_s, w.far, w.half
    )
    return touched_bits(units, w.u, FRONT, low, high, slack), theirs


@kernel
def models_in_contact(
    units: Array, u: int, x: float, y: float, f: float, targets: Array, count: int, slack: float
) -> tuple[int, int]:
    """How many models of both sides are in contact if unit ``u`` stands with its front edge at pose (x, y, f): its own
    and those of ``targets[:count]``; and how many of these targets it touches. A touch by corners counts only if
    ``slack`` is above 0.
    """
    mine = 0
    theirs = 0
    met = 0
    for k in range(count):
        for side in range(SIDES):
            looks, sides = facing_side(units, u, f, targets[k], side)
            if looks:
                bits, touched = touched_along(units, sides, x, y, slack)
                if touched >= 0:
                    mine |= bits
                    theirs += touched
                    met |= 1 << k
    return count_bits(mine) + theirs, count_bits(met)


@kernel
def frame_side(units: Array, u: int, target: int, side: int, length: float, width: float, frame: Array) -> None:
    """Fill ``frame`` for a charge of unit ``u`` at a side of unit ``target``, on a table of ``length`` by ``width``
    inches.
    """
    unit = units[u]
    x, y, a, b = block_hull(units, target)
    far, half = side_halves(a, b, side)
    out = side_out(units[target]["facing"], side)
    frame[X] = unit["x"]
    frame[Y] = unit["y"]
    frame[F] = unit["facing"]
    _, _, _, frame[FRONT_HALF] = block_hull(units, u)
    frame[SIDE_X], frame[SIDE_Y] = on_table_at(x, y, out, far, 0.0)
    frame[OUT] = out
    frame[SIDE_HALF] = half
    frame[LENGTH] = length
    frame[WIDTH] = width


@kernel
def pose_on(frame: Array, at: float) -> tuple[float, float, float]:
    """The pose (x, y, facing) of a charger flush along the side of the frame, the middle of its front edge ``at``
    inches along the side.
    """
    px, py = on_table_at(frame[SIDE_X], frame[SIDE_Y], frame[OUT], 0.0, at)
    return px, py, frame[OUT] + pi


@inner_kernel
def worth_trying(
    units: Array, u: int, target: int, side: int, frame: Array, way: Way, step: float, places: Array
) -> int:
    """Fill ``places`` with the places along the side of the frame that are worth trying. Returns how many; they are in
    no order.

    These are the place of a charge straight ahead; places where the number of models in contact can change, as edges of
    bases lie over edges of bases; places where the block just passes one of the obstacles; and one every ``step``
    inches (0: none of these).
    """
    near, points, n = way.near, way.points, way.n
    front = frame[FRONT_HALF]
    half = frame[SIDE_HALF]
    spacing = units[u]["spacing"]
    found = 0
    far, at, _, _ = straight_to_flush(
        frame[X], frame[Y], frame[F], front, frame[SIDE_X], frame[SIDE_Y], frame[OUT], half
    )
    if far >= 0.0:
        places[found] = at
        found += 1
    count, base = side_bases(units, target, side)
    for k in range(count):
        for end in range(4):
            edge = (2 * k + 1 - count) * (base + 0.5 * units[target]["spacing"]) + (base if end % 2 == 0 else -base)
            places[found] = edge + (front if end < 2 else -front)
            found += 1
    count, base = side_bases(units, u, FRONT)
    for k in range(count):
        for end in range(4):
            edge = (2 * k + 1 - count) * (base + 0.5 * spacing) + (base if end % 2 == 0 else -base)
            places[found] = (half if end < 2 else -half) - edge
            found += 1
    c = cos(frame[OUT])
    s = sin(frame[OUT])
    for o in range(n):
        row = near[o]
        apart = max(0.0, row["margin"])
        for k in range(row["first"], row["first"] + row["count"]):
            dx = points[k, 0] - frame[SIDE_X]
            dy = points[k, 1] - frame[SIDE_Y]
            along = c * dy - s * dx
            if abs(along) < half + 3.0 * front + 1.0 and c * dx + s * dy > -0.5:
                for end in range(2):
                    places[found] = along + (front + apart if end == 0 else -front - apart)
                    found += 1
    if step > 0.0:
        at = -half - front
        while at < half + front and found < len(places):
            places[found] = at
            found += 1
            at += step
    kept = 0
    for k in range(found):
        if abs(places[k]) <= half + front + 1e-9:
            places[kept] = places[k]
            kept += 1
    return kept


@inner_kernel
def score_places(
    units: Array,
    u: int,
    frame: Array,
    targets: Array,
    count: int,
    slack: float,
    places: Array,
    most: int,
    scores: Array,
    bits: Array,
) -> None:
    """Write to columns 0 .. 2 of ``scores`` what each of the first ``most`` places is worth: targets touched, models in
    contact (``models_in_contact``), inches of the side covered. ``bits`` is scratch memory.
    """
    front = frame[FRONT_HALF]
    half = frame[SIDE_HALF]
    for k in range(most):
        bits[0, k] = bits[1, k] = 0
        scores[k, 1] = 0.0
    f = frame[OUT] + pi
    c = cos(frame[OUT])
    s = sin(frame[OUT])
    for j in range(count):
        for side in range(SIDES):
            looks, sides = facing_side(units, u, f, targets[j], side)
            if not looks:
                continue
            for k in range(most):
                mine, theirs = touched_along(
                    units, sides, frame[SIDE_X] - s * places[k], frame[SIDE_Y] + c * places[k], slack
                )
                if theirs >= 0:
                    bits[0, k] |= mine
                    bits[1, k] |= 1 << j
                    scores[k, 1] += theirs
    for k in range(most):
        scores[k, 0] = count_bits(bits[1, k])
        scores[k, 1] += count_bits(bits[0, k])
        scores[k, 2] = min(half, places[k] + front) - max(-half, places[k] - front)


@inner_kernel
def comes_before(scores: Array, one: int, other: int) -> bool:
    """Whether place ``one`` is tried before place ``other``. Columns of ``scores`` decide in order: targets touched,
    models in contact, no wheel, inches of the side covered, inches aside (fewer first).
    """
    for column in range(RANKED):
        if scores[one, column] != scores[other, column]:
            return bool(scores[one, column] > scores[other, column])
    return one < other


@inner_kernel
def sort_places(scores: Array, count: int, order: Array) -> int:
    """Write the numbers 0 .. ``count`` - 1 to a row of ``order``, best place first (merge sort). Returns the
    row: 0 or 1.
    """
    here = 0
    for k in range(count):
        order[0, k] = k
    size = 1
    while size < count:
        for first in range(0, count, 2 * size):
            left = first
            right = middle = min(first + size, count)
            last = min(first + 2 * size, count)
            for k in range(first, last):
                if right >= last or (left < middle and comes_before(scores, order[here, left], order[here, right])):
                    order[1 - here, k] = order[here, left]
                    left += 1
                else:
                    order[1 - here, k] = order[here, right]
                    right += 1
        here = 1 - here
        size *= 2
    return here


@inner_kernel
def straight_place(frame: Array) -> float:
    """The place at which the charger arrives without a wheel; if it cannot, the place opposite the middle of its front
    edge as it stands.
    """
    far, at, _, _ = straight_to_flush(
        frame[X], frame[Y], frame[F], frame[FRONT_HALF], frame[SIDE_X], frame[SIDE_Y], frame[OUT], frame[SIDE_HALF]
    )
    if far >= 0.0:
        return at
    dx = frame[X] - frame[SIDE_X]
    dy = frame[Y] - frame[SIDE_Y]
    return float(cos(frame[OUT]) * dy - sin(frame[OUT]) * dx)


@kernel
def best_first(
    units: Array,
    u: int,
    target: int,
    side: int,
    frame: Array,
    way: Way,
    step: float,
    count: int,
    slack: float,
    met: float,
    models: float,
    ranking: Ranking,
) -> tuple[int, float, float]:
    """Fill the table of ``ranking`` with the places worth trying, best first; a row each for the place, the targets
    touched and the models in contact. Only places with more targets touched than ``met``, or as many and more models in
    contact than ``models``, are kept.

    Returns how many are kept, and the targets touched and models in contact of the best place, kept or not.
    """
    targets, places, scores, order, table = ranking
    found = worth_trying(units, u, target, side, frame, way, step, places)
    score_places(units, u, frame, targets, count, slack, places, found, scores, order)
    straight = straight_place(frame)
    for k in range(found):
        aside = abs(places[k] - straight)
        scores[k, 3] = np.rint(scores[k, 2] * ROUNDED)
        scores[k, 2] = 0.0 if aside > SAME else 1.0
        scores[k, 4] = -np.rint(aside * ROUNDED)
    here = sort_places(scores, found, order)
    kept = 0
    for k in range(found):
        at = order[here, k]
        if k > 0 and abs(places[at] - places[order[here, k - 1]]) <= SAME:
            continue
        if scores[at, 0] > met or (scores[at, 0] == met and scores[at, 1] > models):
            table[0, kept] = places[at]
            table[1, kept] = scores[at, 0]
            table[2, kept] = scores[at, 1]
            kept += 1
    if found == 0:
        return 0, 0.0, 0.0
    return kept, scores[order[here, 0], 0], scores[order[here, 0], 1]


@kernel
def gather_for_charge(
    troops: Troops,
    ground: Array,
    corners: Array,
    u: int,
    charger: int,
    reach: float,
    apart: float,
    targets: Array,
    count: int,
    gone: Array,
    missing: int,
    room: Way,
) -> tuple[int, int]:
    """Fill ``near`` and ``points`` with what unit ``u`` may meet within ``reach`` inches, when ``charger`` charges
    ``targets[:count]``; the units ``gone[:missing]`` are left out. Returns how many rows of ``near``, and how many
    rectangles of ``body``.

    The charger may touch friends, ground and its targets; another unit may touch the ground alone. All others are kept
    ``apart`` inches away.
    """
    units, parts = troops.units, troops.parts
    near = room.near
    x = units[u]["x"]
    y = units[u]["y"]
    f = units[u]["facing"]
    n, rows = gather(parts, units, ground, corners, u, x, y, f, reach, apart, room)
    kept = 0
    for o in range(n):
        mark = near[o]["mark"]
        left_out = False
        for k in range(missing):
            left_out |= mark == gone[k]
        if left_out:
            continue
        may_touch = mark < 0
        if u == charger and not may_touch:
            may_touch = units[mark]["owner"] == units[charger]["owner"]
            for k in range(count):
                may_touch |= mark == targets[k]
        if kept < o:
            near[kept] = near[o]
        if may_touch:
            near[kept]["margin"] = 0.0 if near[kept]["margin"] > -SLACK else near[kept]["margin"]
        kept += 1
    return kept, rows
