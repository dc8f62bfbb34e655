"""Polygons: orientation, convex hulls, cutting into convex pieces, overlap. Plain Python; used when maps are loaded."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

Point = tuple[float, float]
Points = list[Point]

TINY = 1e-9


def area(points: Sequence[Point]) -> float:
    """Signed area of a polygon, negative if the corners run clockwise."""
    total = 0.0
    for (x1, y1), (x2, y2) in zip(points, [*points[1:], points[0]], strict=True):
        total += x1 * y2 - x2 * y1
    return total / 2


def counter_clockwise(points: Sequence[Point]) -> Points:
    """The corners in counter-clockwise order."""
    return list(points) if area(points) >= 0 else list(reversed(points))


def turn(a: Point, b: Point, c: Point) -> float:
    """Twice the signed area of triangle a, b, c: positive if a, b, c turn to the left."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def fault_of_polygon(points: Sequence[Point]) -> str:
    """The fault of an outline in words; empty if it is a simple polygon with an area."""
    n = len(points)
    if n < 3:
        return "has fewer than three corners"
    for at in range(n):
        if math.dist(points[at], points[(at + 1) % n]) < 1e-6:
            return "has the same corner twice"
    for i in range(n):
        for j in range(i + 1, n):
            if j == i + 1 or (i == 0 and j == n - 1):
                k = i if j == i + 1 else j  # edges k and k + 1 share a corner: do they fold back?
                a, b, c = points[k], points[(k + 1) % n], points[(k + 2) % n]
                back = (a[0] - b[0]) * (c[0] - b[0]) + (a[1] - b[1]) * (c[1] - b[1])
                if abs(turn(a, b, c)) < TINY and back > 0:
                    return "folds back on itself"
            elif _meet(points[i], points[(i + 1) % n], points[j], points[(j + 1) % n]):
                return "intersects itself"
    if abs(area(points)) < 1e-6:
        return "has no area"
    return ""


def _meet(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether two segments have a point in common."""
    s1, s2, s3, s4 = turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b)
    if s1 * s2 < 0 and s3 * s4 < 0:
        return True
    for s, p, q, r in ((s1, a, b, c), (s2, a, b, d), (s3, c, d, a), (s4, c, d, b)):
        if abs(s) < TINY and min(p[0], q[0]) - TINY <= r[0] <= max(p[0], q[0]) + TINY:
            if min(p[1], q[1]) - TINY <= r[1] <= max(p[1], q[1]) + TINY:
                return True
    return False


def hull(points: Sequence[Point]) -> Points:
    """The convex hull, counter-clockwise, without corners on straight edges."""
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return ordered

    def chain(source: Sequence[Point]) -> Points:
        found: Points = []
        for p in source:
            while len(found) >= 2 and turn(found[-2], found[-1], p) <= TINY:
                found.pop()
            found.append(p)
        return found[:-1]

    return chain(ordered) + chain(ordered[::-1])


def is_convex(points: Sequence[Point]) -> bool:
    """Whether a counter-clockwise outline has no corner that turns to the right."""
    n = len(points)
    return all(turn(points[i], points[(i + 1) % n], points[(i + 2) % n]) >= -TINY for i in range(n))


def simplified(points: Sequence[Point]) -> Points:
    """The corners without those that lie on a straight edge."""
    n = len(points)
    kept = [p for i, p in enumerate(points) if abs(turn(points[i - 1], p, points[(i + 1) % n])) > TINY]
    return kept if len(kept) >= 3 else list(points)


def convex_pieces(points: Sequence[Point]) -> list[Points]:
    """A simple polygon cut into convex pieces: ears are clipped, then neighbours joined while they stay convex."""
    outline = simplified(counter_clockwise(points))
    if is_convex(outline):
        return [outline]
    pieces = _ears(outline)
    joined = True
    while joined:
        joined = False
        for i in range(len(pieces)):
            for j in range(i + 1, len(pieces)):
                both = _join(pieces[i], pieces[j])
                if both is not None and is_convex(both):
                    pieces[i] = both
                    del pieces[j]
                    joined = True
                    break
            if joined:
                break
    return [simplified(piece) for piece in pieces]


def seams(pieces: Sequence[Points], width: float = 2e-4) -> list[Points]:
    """Thin convex pieces, ``width`` wide, over the edges that the pieces of one polygon share.

    A point on a shared edge lies inside none of the pieces; the seams cover it.
    """
    found: list[Points] = []
    for at, one in enumerate(pieces):
        for (ax, ay), (bx, by) in zip(one, [*one[1:], one[0]], strict=True):
            size = math.dist((ax, ay), (bx, by))
            ux, uy = (bx - ax) / size, (by - ay) / size
            for two in pieces[at + 1 :]:
                for c, d in zip(two, [*two[1:], two[0]], strict=True):
                    if any(abs(turn((ax, ay), (bx, by), p)) > TINY * size for p in (c, d)):
                        continue
                    start = max(0.0, (d[0] - ax) * ux + (d[1] - ay) * uy)
                    end = min(size, (c[0] - ax) * ux + (c[1] - ay) * uy)
                    if end - start > width:
                        middle = 0.5 * (start + end)
                        along = ((start, 0.0), (middle, -0.5 * width), (end, 0.0), (middle, 0.5 * width))
                        found.append([(ax + t * ux - s * uy, ay + t * uy + s * ux) for t, s in along])
    return found


def _ears(points: Points) -> list[Points]:
    left, triangles = list(points), []
    while len(left) > 3:
        n = len(left)
        for i in range(n):
            a, b, c = left[i - 1], left[i], left[(i + 1) % n]
            if turn(a, b, c) <= TINY:
                continue
            others = [p for k, p in enumerate(left) if k not in (i, (i - 1) % n, (i + 1) % n)]
            if any(_in_triangle(a, b, c, p) for p in others):
                continue
            triangles.append([a, b, c])
            del left[i]
            break
        else:
            left = simplified(left) if len(simplified(left)) < n else left[:-1]
    triangles.append(left)
    return triangles


def _in_triangle(a: Point, b: Point, c: Point, p: Point) -> bool:
    return turn(a, b, p) >= -TINY and turn(b, c, p) >= -TINY and turn(c, a, p) >= -TINY


def _join(one: Points, two: Points) -> Points | None:
    """The union of two polygons that share an edge; None if they share none."""
    n, m = len(one), len(two)
    for i in range(n):
        a, b = one[i], one[(i + 1) % n]
        for j in range(m):
            if two[j] == b and two[(j + 1) % m] == a:
                return [one[(i + 1 + k) % n] for k in range(n)] + [two[(j + 2 + k) % m] for k in range(m - 2)]
    return None


def inside(convex: Sequence[Point], point: Point, slack: float = 0.0) -> bool:
    """Whether a point lies in a convex counter-clockwise polygon, or at most ``slack`` outside."""
    n = len(convex)
    for i in range(n):
        a, b = convex[i], convex[(i + 1) % n]
        if turn(a, b, point) < -slack * math.dist(a, b) - TINY:
            return False
    return True


def overlap(one: Sequence[Point], two: Sequence[Point]) -> float:
    """How deep two convex counter-clockwise polygons overlap; at most 0 if they do not."""
    return min(_depths(one, two))


def are_apart(one: Sequence[Point], two: Sequence[Point], gap: float) -> bool:
    """Whether ``-overlap(one, two)`` is at least ``gap``. The first edge that parts them decides."""
    return any(-depth >= gap for depth in _depths(one, two))


def _depths(one: Sequence[Point], two: Sequence[Point]) -> Iterator[float]:
    """How deep each of two convex counter-clockwise polygons reaches over each edge of the other."""
    for first, second in ((one, two), (two, one)):
        ax, ay = first[0]
        for bx, by in (*first[1:], first[0]):
            size = math.hypot(bx - ax, by - ay)
            nx, ny = (by - ay) / size, (ax - bx) / size
            yield max([(ax - x) * nx + (ay - y) * ny for x, y in second])
            ax, ay = bx, by


def gap_between(convex: Sequence[Point], point: Point) -> float:
    """Distance from a point to a convex counter-clockwise polygon; 0 inside."""
    if inside(convex, point):
        return 0.0
    best = math.inf
    n = len(convex)
    for i in range(n):
        (ax, ay), (bx, by) = convex[i], convex[(i + 1) % n]
        dx, dy = bx - ax, by - ay
        t = max(0.0, min(1.0, ((point[0] - ax) * dx + (point[1] - ay) * dy) / (dx * dx + dy * dy)))
        best = min(best, math.dist(point, (ax + t * dx, ay + t * dy)))
    return best
