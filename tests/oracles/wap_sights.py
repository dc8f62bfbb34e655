"""Lines of sight and cover of regiments by drawing lines at random; shares no code with the game: half planes of polygons, numpy alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

CLEAR = 1e-6  # inches by which a line may touch what is in its way
Polygon = Any  # corners, float64 (n, 2), counter-clockwise


def base(x: float, y: float, facing: float, half_a: float, half_b: float) -> Polygon:
    """Corners of a base: right front, left front, left rear, right rear."""
    ahead = np.array([np.cos(facing), np.sin(facing)])
    left = np.array([-ahead[1], ahead[0]])
    middle = np.array([x, y])
    return np.array([middle + a * half_a * ahead + b * half_b * left for a, b in ((1, -1), (1, 1), (-1, 1), (-1, -1))])


def is_crossed(starts: Any, ends: Any, polygon: Polygon) -> Any:
    """Whether each segment has a part inside a convex polygon, bool (lines,)."""
    way = ends - starts
    enters, leaves = np.zeros(len(starts)), np.ones(len(starts))
    for k in range(len(polygon)):
        edge = polygon[k] - polygon[k - 1]
        normal = np.array([edge[1], -edge[0]]) / np.hypot(*edge)  # outwards
        start = (starts - polygon[k]) @ normal + CLEAR
        speed = way @ normal
        with np.errstate(divide="ignore", invalid="ignore"):
            at = -start / speed
        enters = np.where(speed < 0, np.maximum(enters, at), enters)
        leaves = np.where(speed > 0, np.minimum(leaves, at), leaves)
        leaves = np.where((speed == 0) & (start > 0), -1.0, leaves)
    return enters < leaves


def points_in(polygon: Polygon, rng: np.random.Generator, count: int) -> Any:
    """Points of a base: corners, points of its edges, points inside, (count, 2)."""
    weights = rng.dirichlet(np.ones(len(polygon)), count)
    corners = rng.integers(0, len(polygon), count)
    share = rng.random(count)[:, None]
    edges = polygon[corners] * share + polygon[corners - 1] * (1 - share)
    kind = rng.integers(0, 3, count)[:, None]
    return np.where(kind == 0, weights @ polygon, np.where(kind == 1, edges, polygon[corners]))


def free_lines(
    eye: Polygon, facing: float, target: Polygon, blockers: Sequence[Polygon], rng: np.random.Generator, count: int
) -> tuple[int, int]:
    """How many of so many lines from the front edge of a base to another base lie in the front arc, and how many of them are free."""
    right, left = eye[0], eye[1]
    share = rng.random(count)[:, None]
    share[: count // 4] = rng.integers(0, 2, (count // 4, 1))
    starts = right * share + left * (1 - share)
    ends = points_in(target, rng, count)
    ahead = np.array([np.cos(facing), np.sin(facing)])
    side = np.array([-ahead[1], ahead[0]])
    # the front arc: 45 degrees to either side of the base's corners
    beyond = (ends - left) @ side
    before = (right - ends) @ side
    far = (ends - right) @ ahead
    inside = (far > 0) & (beyond < far) & (before < far)
    free = inside.copy()
    for polygon in blockers:
        free &= ~is_crossed(starts, ends, polygon)
    return int(inside.sum()), int(free.sum())
