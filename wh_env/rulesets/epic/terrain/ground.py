"""Terrain under units and across lines: the ground at a point, what a line crosses, lines of sight (epic.terrain.*,
epic.fire.line-of-sight).

``ground`` has rows of ``PIECE``. A unit is in terrain when its centre is (epic.terrain.in-cover), so all of this works
on points.
"""

from __future__ import annotations

from math import sqrt

from wh_env.core.geometry.shapes import EPS
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import Array
from wh_env.rulesets.epic.codes import BLOCKS, CLEAR, INFANTRY

TINY = 1e-6  # a border belongs to the outside: lines along it do not cross the piece
SEAM = 1e-3  # cm: pieces of a feature that are this close are joined


@inner_kernel
def crossing(corners: Array, first: int, count: int, x0: float, y0: float, x1: float, y1: float) -> tuple[float, float]:
    """The stretch (t0, t1) of the line from (x0, y0) to (x1, y1) that lies inside a convex polygon, as fractions of its
    length. t0 >= t1 if the line misses it.
    """
    t0 = 0.0
    t1 = 1.0
    ax = corners[first + count - 1, 0]
    ay = corners[first + count - 1, 1]
    for k in range(first, first + count):
        bx = corners[k, 0]
        by = corners[k, 1]
        # how far left of the edge both ends are: inside is where it is more than TINY
        s0 = (bx - ax) * (y0 - ay) - (by - ay) * (x0 - ax) - TINY
        s1 = (bx - ax) * (y1 - ay) - (by - ay) * (x1 - ax) - TINY
        if s0 <= 0.0 and s1 <= 0.0:
            return 1.0, 0.0
        if s0 < 0.0:
            t0 = max(t0, s0 / (s0 - s1))
        elif s1 < 0.0:
            t1 = min(t1, s0 / (s0 - s1))
        ax = bx
        ay = by
    return t0, t1


@kernel
def inside(ground: Array, corners: Array, b: int, x: float, y: float) -> bool:
    """Whether (x, y) lies inside piece ``b`` of terrain; its border does not count."""
    p = ground[b]
    if x <= p["min_x"] or x >= p["max_x"] or y <= p["min_y"] or y >= p["max_y"]:
        return False
    first = p["first"]
    count = p["count"]
    ax = corners[first + count - 1, 0]
    ay = corners[first + count - 1, 1]
    for k in range(first, first + count):
        bx = corners[k, 0]
        by = corners[k, 1]
        if (bx - ax) * (y - ay) - (by - ay) * (x - ax) <= TINY:
            return False
        ax = bx
        ay = by
    return True


@inner_kernel
def passage(ground: Array, b: int, rank: int) -> int:
    """What piece ``b`` is to units of a pinning class: 0 normal, 1 dangerous, 2 impassable."""
    return int(ground[b]["infantry"] if rank == INFANTRY else ground[b]["vehicle"])


@kernel
def passage_at(ground: Array, corners: Array, rank: int, x: float, y: float) -> int:
    """The worst passage (see ``passage``) of the ground at a point for units of a pinning class."""
    worst = 0
    for b in range(len(ground)):
        code = passage(ground, b, rank)
        if code > worst and inside(ground, corners, b, x, y):
            worst = code
    return worst


@kernel
def cover_at(ground: Array, corners: Array, x: float, y: float) -> int:
    """What the terrain at a point adds to the to-hit value needed against units there; 0 without cover."""
    best = 0
    for b in range(len(ground)):
        if ground[b]["cover"] > best and inside(ground, corners, b, x, y):
            best = ground[b]["cover"]
    return int(best)


@inner_kernel
def hides(
    ground: Array, corners: Array, b: int, ax: float, ay: float, bx: float, by: float, length: float
) -> bool:  # fmt: skip
    """Whether a terrain feature of several pieces blocks the line of sight from a to b. ``b``: the first of its pieces
    that the line crosses; ``length``: of the line, cm.
    """
    last = b
    while last < len(ground) and ground[last]["feature"] == ground[b]["feature"]:
        last += 1
    # the line lies in the feature up to ``start`` and from ``end`` on
    start = 0.0
    end = 1.0
    near = SEAM / length
    grown = True
    while grown:
        grown = False
        for c in range(b, last):
            t0, t1 = crossing(corners, ground[c]["first"], ground[c]["count"], ax, ay, bx, by)
            if (t1 - t0) * length <= TINY:
                continue
            if (t0 == 0.0 or (start > 0.0 and t0 <= start + near)) and t1 > start:
                start = t1
                grown = True
            if (t1 == 1.0 or (end < 1.0 and t1 >= end - near)) and t0 < end:
                end = t0
                grown = True
    if ground[b]["sight"] == BLOCKS:
        return bool(start == 0.0 and end == 1.0)
    depth = ground[b]["depth"] + EPS
    if start >= end:
        return bool(length > 2.0 * depth)
    if start * length > depth or (1.0 - end) * length > depth:
        return True
    for c in range(b, last):  # the line may cross the feature once more between its ends
        t0, t1 = crossing(corners, ground[c]["first"], ground[c]["count"], ax, ay, bx, by)
        if (t1 - t0) * length > TINY and t1 > start + near and t0 < end - near:
            return True
    return False


@kernel
def sees(ground: Array, corners: Array, ax: float, ay: float, bx: float, by: float) -> bool:
    """Whether no terrain blocks the straight line between the centres (ax, ay) and (bx, by); the same in both
    directions.

    A feature that blocks sight does so unless an end of the line lies in it. Into a feature with ``depth`` (a wood) the
    line reaches that far, cm, for each end that lies in it; it never passes right through one.
    """
    low_x = min(ax, bx)
    high_x = max(ax, bx)
    low_y = min(ay, by)
    high_y = max(ay, by)
    length = sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay))
    told = -1  # the feature of several pieces that was tested last
    for b in range(len(ground)):
        p = ground[b]
        if p["sight"] == CLEAR or p["feature"] == told:
            continue
        if p["min_x"] >= high_x or p["max_x"] <= low_x or p["min_y"] >= high_y or p["max_y"] <= low_y:
            continue
        t0, t1 = crossing(corners, p["first"], p["count"], ax, ay, bx, by)
        if (t1 - t0) * length <= TINY:
            continue
        if b + 1 < len(ground) and ground[b + 1]["feature"] == p["feature"]:
            told = p["feature"]
            if hides(ground, corners, b, ax, ay, bx, by, length):
                return False
            continue
        ends = int(t0 == 0.0) + int(t1 == 1.0)
        if p["sight"] == BLOCKS:
            if ends == 0:
                return False
        elif (t1 - t0) * length > p["depth"] * ends + EPS:
            return False
    return True
