"""Distances of convex polygons by numpy, many poses at once: separating axes and corners against edges. Shares no code with the kernels."""

from __future__ import annotations

import os

import numpy as np

# Random scenes that a test looks at; WH_ENV_SCENES=2000 is what a change of a kernel should be looked at with.
SCENES = int(os.environ.get("WH_ENV_SCENES", "120"))


def placed(rects, x, y, facing):
    """Corners of the rectangles (u, v, half_a, half_b) of a body at each pose: poses x rectangles x 4 x 2; poses may be arrays."""
    x, y, facing = np.broadcast_arrays(*(np.atleast_1d(np.asarray(number, float)) for number in (x, y, facing)))
    rects = np.asarray(rects, float)
    local = np.stack(
        [rects[:, None, :2] + rects[:, None, 2:] * np.array([[1, -1], [1, 1], [-1, 1], [-1, -1]])[None]], axis=0
    )
    turn = np.array([[np.cos(facing), -np.sin(facing)], [np.sin(facing), np.cos(facing)]]).transpose(2, 0, 1)
    at = np.stack([x, y], axis=1)
    return np.einsum("pij,prkj->prki", turn, np.broadcast_to(local, (len(x), *local.shape[1:]))) + at[:, None, None, :]


def _to_edges(points, polygon):
    """Distance of each point (... x 2) from the edges of a polygon (... x n x 2)."""
    start, end = polygon, np.roll(polygon, -1, axis=-2)
    edge = end - start
    away = points[..., :, None, :] - start[..., None, :, :]
    along = np.clip((away * edge[..., None, :, :]).sum(-1) / (edge**2).sum(-1)[..., None, :], 0, 1)
    return np.sqrt(((away - along[..., None] * edge[..., None, :, :]) ** 2).sum(-1)).min(axis=(-1, -2))


def _outside(one, other):
    """The largest distance between the shadows of two polygons on the normals of the first's edges; below 0: they overlap on all."""
    edge = np.roll(one, -1, axis=-2) - one
    normal = np.stack([edge[..., 1], -edge[..., 0]], axis=-1)
    normal = normal / np.sqrt((normal**2).sum(-1))[..., None]
    high = (normal * one).sum(-1)
    low = (normal[..., :, None, :] * other[..., None, :, :]).sum(-1).min(axis=-1)
    return (low - high).max(axis=-1)


def gaps(rects, polygon):
    """Gaps between rectangles (... x 4 x 2) and one convex polygon (n x 2); where they overlap, minus the depth."""
    polygon = np.broadcast_to(np.asarray(polygon, float), (*rects.shape[:-2], *np.shape(polygon)))
    depth = np.maximum(_outside(rects, polygon), _outside(polygon, rects))
    near = np.minimum(_to_edges(rects, polygon), _to_edges(polygon, rects))
    return np.where(depth > 0, near, depth)


def body_gaps(rects, x, y, facing, polygon):
    """Gaps between a body at each pose and a polygon."""
    return gaps(placed(rects, x, y, facing), polygon).min(axis=1)


def hull(points):
    """The convex hull of points, counter-clockwise (Andrew's chains)."""
    points = sorted(map(tuple, points))
    chains = []
    for ordered in (points, points[::-1]):
        chain = []
        for p in ordered:
            while len(chain) > 1:
                (ax, ay), (bx, by) = chain[-2:]
                if (bx - ax) * (p[1] - ay) - (by - ay) * (p[0] - ax) > 0:
                    break
                chain.pop()
            chain.append(p)
        chains += chain[:-1]
    return np.array(chains)


def random_polygon(rng, x, y, size):
    """A convex polygon about (x, y): a rectangle half of the time."""
    if rng.random() < 0.5:
        half = rng.uniform(0.3, size, 2)
        return placed([[0.0, 0.0, *half]], x, y, rng.choice([rng.uniform(0, 7), 0.0, np.pi / 2]))[0, 0]
    return hull(rng.uniform(-size, size, (rng.integers(3, 9), 2)) + [x, y])
