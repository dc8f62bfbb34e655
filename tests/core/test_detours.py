"""The shortest way of a disc past convex things, against hulls of finely sampled outlines."""

from __future__ import annotations

from math import hypot, inf, pi

import numpy as np
from oracles.outlines import SCENES, placed, random_polygon
from scipy.spatial import ConvexHull

from wh_env.core.geometry import detours
from wh_env.core.geometry.near import NEAR, near_polygon

CIRCLE = np.stack([np.cos(np.linspace(0, 2 * pi, 720)), np.sin(np.linspace(0, 2 * pi, 720))], axis=1)


def gathered(polygons, margin=1.0):
    near = np.zeros(len(polygons), NEAR)
    points = np.zeros((sum(map(len, polygons)), 2))
    for n, polygon in enumerate(polygons):
        near_polygon(near, points, n, np.asarray(polygon, float), 0, len(polygon), margin, n)
    return near, points


def round_one(polygon, keep, start, end):
    """The two ways round one convex thing: lengths, left and right together in no order; the straight line where that is free."""
    outline = np.concatenate([corner + keep * CIRCLE for corner in np.asarray(polygon)])
    spots = np.concatenate([outline, [start, end]])
    hull = ConvexHull(spots).vertices.tolist()
    if len(spots) - 1 not in hull or len(spots) - 2 not in hull:
        return None
    ring = spots[hull]
    at, to = hull.index(len(spots) - 2), hull.index(len(spots) - 1)
    edges = np.hypot(*(np.roll(ring, -1, axis=0) - ring).T)
    one = sum(edges[k % len(hull)] for k in range(at, to if to > at else to + len(hull)))
    return one, edges.sum() - one


def way(near, points, r, start, end, most=1e9):
    room = detours.detour_room(len(near), len(points))
    return detours.length_of_way_past(near, points, len(near), r, *start, *end, most, *room)


def test_round_a_thin_wall():
    """Half an inch wide, an inch from the wall: two lines and an arc about its end."""
    wall = placed([[0, 0, 0.05, 1.0]], 0.0, 5.0, pi / 2)[0, 0]
    near, points = gathered([wall])
    found = way(near, points, 0.25, (0.0, 0.0), (0.0, 10.0))
    assert found == way(near, points, 0.25, (0.0, 0.0), (0.0, 10.0), found + 1e-9)
    assert found > 11.0
    np.testing.assert_allclose(found, min(round_one(wall, 1.25, (0.0, 0.0), (0.0, 10.0)) or ()), rtol=1e-3)
    assert way(near, points, 0.25, (0.0, 0.0), (0.0, 10.0), found - 1e-3) == inf
    assert way(near, points, 0.25, (2.26, 0.0), (2.26, 10.0)) == 10.0
    assert way(near, points, 0.25, (2.2, 0.0), (2.2, 10.0)) > 10.0


def test_one_thing_in_the_way():
    rng = np.random.default_rng(4)
    met = 0
    for _ in range(SCENES // 2):
        polygon = random_polygon(rng, *rng.uniform(-2, 2, 2), 2.5)
        near, points = gathered([polygon], float(rng.choice([0.0, 1.0])))
        r = rng.uniform(0.2, 0.6)
        keep = r + near["margin"][0]
        start, end = rng.uniform(-9, 9, 2), rng.uniform(-9, 9, 2)
        along = np.linspace(0, 1, 2000)[:, None]
        line = np.asarray(start) + along * (end - start)
        apart = min(gap(polygon, line)) - keep
        if abs(apart) < 1e-3:
            continue
        found = way(near, points, r, start, end)
        if apart > 0.0:
            assert found == hypot(*(end - start))
            continue
        if min(gap(polygon, np.array([start, end]))) < keep + 1e-3:
            continue
        met += 1
        both = round_one(polygon, keep, start, end)
        assert both is not None
        np.testing.assert_allclose(found, min(both), rtol=1e-3)
    assert met > SCENES / 20


def gap(polygon, spots):
    """How far points are from a convex polygon, 0 inside of it."""
    polygon = np.asarray(polygon, float)
    edges = np.roll(polygon, -1, axis=0) - polygon
    away = spots[:, None, :] - polygon
    share = np.clip((away * edges).sum(-1) / (edges**2).sum(-1), 0.0, 1.0)
    far = np.hypot(*np.moveaxis(away - share[..., None] * edges, -1, 0)).min(1)
    inside = (edges[:, 0] * away[..., 1] - edges[:, 1] * away[..., 0] >= 0.0).all(1)
    return np.where(inside, 0.0, far)


def test_two_things_are_passed_together_where_the_way_round_one_meets_the_other():
    """A wall, and another that closes the nearer side of it."""
    wall = placed([[0, 0, 0.05, 1.0]], 0.0, 5.0, pi / 2)[0, 0]
    beside = placed([[0, 0, 0.05, 1.0]], 2.5, 6.0, pi / 2)[0, 0]
    near, points = gathered([wall, beside])
    start, end = (0.5, 0.0), (0.5, 11.0)
    found = way(near, points, 0.25, start, end)
    right = round_one(wall, 1.25, start, end)
    assert right is not None
    assert min(right) < found <= max(right) + 1e-3
    near, points = gathered([wall])
    assert way(near, points, 0.25, start, end) < found


def test_who_stands_within_what_is_to_be_kept_finds_no_way_out_over_it():
    wall = placed([[0, 0, 0.05, 1.0]], 0.0, 5.0, pi / 2)[0, 0]
    near, points = gathered([wall])
    assert way(near, points, 0.25, (0.0, 4.5), (0.0, 10.0)) == inf
