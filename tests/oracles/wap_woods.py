"""Lines of sight through woods by drawing lines: inches of wood on each of them; shares no code with the game."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

Polygon = Any  # corners, float64 (n, 2), counter-clockwise


def inches_inside(starts: Any, ends: Any, polygon: Polygon) -> Any:
    """Inches of each segment inside a simple polygon, float64 (lines,): its edges cut the segment, and every second
    part is inside.
    """
    found = np.zeros(len(starts))
    for n, (start, end) in enumerate(zip(starts, ends, strict=True)):
        cuts = [0.0, 1.0]
        way = end - start
        for a, b in zip(polygon, np.roll(polygon, -1, axis=0), strict=True):
            edge = b - a
            across = way[0] * edge[1] - way[1] * edge[0]
            if abs(across) > 1e-12:
                t = ((a[0] - start[0]) * edge[1] - (a[1] - start[1]) * edge[0]) / across
                s = ((a[0] - start[0]) * way[1] - (a[1] - start[1]) * way[0]) / across
                if 0.0 <= s <= 1.0 and 0.0 < t < 1.0:
                    cuts.append(t)
        cuts.sort()
        for t0, t1 in pairwise(cuts):
            if is_inside(start + 0.5 * (t0 + t1) * way, polygon):
                found[n] += (t1 - t0) * float(np.hypot(*way))
    return found


def is_inside(point: Any, polygon: Polygon) -> bool:
    """Whether a ray from the point to the east crosses the outline an odd number of times."""
    odd = False
    for a, b in zip(polygon, np.roll(polygon, -1, axis=0), strict=True):
        if (a[1] > point[1]) != (b[1] > point[1]):
            odd ^= point[0] < a[0] + (point[1] - a[1]) * (b[0] - a[0]) / (b[1] - a[1])
    return bool(odd)


def lines_between(
    eye: Polygon, facing: float, target: Polygon, rng: np.random.Generator, count: int
) -> tuple[Any, Any]:
    """Starts and ends of so many lines from the front edge of a base (right front corner, left front corner, ...) to
    the outline of another one, those in the front arc.
    """
    share = rng.random(count)[:, None]
    starts = eye[0] * share + eye[1] * (1 - share)
    corner = rng.integers(0, len(target), count)
    at = rng.random(count)[:, None]
    ends = target[corner] * at + target[corner - 1] * (1 - at)
    ahead = np.array([np.cos(facing), np.sin(facing)])
    left = np.array([-ahead[1], ahead[0]])
    far = (ends - eye[0]) @ ahead
    inside = (far > 0) & ((ends - eye[1]) @ left < far) & ((eye[0] - ends) @ left < far)
    return starts[inside], ends[inside]
