"""Rivers without their crossings: the ground that a unit walks through which is too wide for a bridge, or not on it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from wh_env.content.geometry import TINY, Point, Points, area, turn


def beside_crossings(
    pieces: Sequence[Points], crossings: Iterable[tuple[float, Points]]
) -> Iterator[tuple[float, list[Points]]]:
    """For each width of a crossing, the narrowest first: the width, and the parts of the convex ``pieces`` of a river
    that lie beside all crossings of that width or more (wap.terrain.river.crossing).
    """
    listed = sorted(crossings)
    for least in sorted({wide for wide, _ in listed}):
        left = list(pieces)
        for wide, bridge in listed:
            if wide >= least:
                left = [part for piece in left for part in without(piece, bridge)]
        yield least, left


def without(piece: Points, hole: Points) -> Iterator[Points]:
    """The convex parts of a convex polygon that lie outside another; both counter-clockwise."""
    inside = piece
    for at, end in enumerate(hole):
        start = hole[at - 1]
        outside = half(inside, end, start)
        if len(outside) >= 3 and area(outside) > 1e-9:
            yield outside
        inside = half(inside, start, end)
        if len(inside) < 3:
            return


def half(polygon: Points, start: Point, end: Point) -> Points:
    """The part of a convex polygon to the left of the line from ``start`` to ``end``."""
    found: Points = []
    for at, after in enumerate(polygon):
        before = polygon[at - 1]
        one, two = turn(start, end, before), turn(start, end, after)
        if (one > TINY and two < -TINY) or (one < -TINY and two > TINY):
            share = one / (one - two)
            found.append((before[0] + share * (after[0] - before[0]), before[1] + share * (after[1] - before[1])))
        if two >= -TINY:
            found.append(after)
    return found
