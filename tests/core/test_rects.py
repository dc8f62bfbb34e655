"""Slides, turns and gaps of rectangles against polygons moved by hundredths of an inch and by 0.002 rad."""

from __future__ import annotations

from math import cos, inf, pi, sin, sqrt

import numpy as np
import pytest
from oracles.outlines import SCENES, body_gaps, placed, random_polygon

from wh_env.core.geometry import ranks, rects
from wh_env.core.geometry.near import NEAR, near_polygon, near_rect

STEP = 0.01  # inches
TURN = 0.002  # radians
SURE = 1e-5  # inches


def gathered(polygons, margins=None):
    """Rows of what is near, and their corners."""
    near = np.zeros(len(polygons), NEAR)
    points = np.zeros((sum(map(len, polygons)), 2))
    for n, polygon in enumerate(polygons):
        margin = 0.0 if margins is None else margins[n]
        assert near_polygon(near, points, n, np.asarray(polygon), 0, len(polygon), margin, n) == n + 1
    return near, points


def regiment(rng):
    """Rectangles of a block, and how wide its front is."""
    count, files = int(rng.integers(1, 31)), int(rng.integers(1, 9))
    half = rng.uniform(0.39, 1.0)
    body = np.zeros((ranks.BODY, ranks.BODY))
    rows = ranks.body_of(count, files, half * rng.choice([1.0, 2.0]), half, rng.choice([0.0, 0.5]), body)
    return body[:rows], 2 * body[0, ranks.HALF_B]


def scene(rng, obstacles=3, reach=9.0):
    """A body at a pose, and polygons about it that it does not overlap."""
    body, wide = regiment(rng)
    pose = (*rng.uniform(20, 28, 2), rng.choice([rng.uniform(-4, 4), 0.0, pi / 2]))
    polygons = []
    while len(polygons) < obstacles:
        polygon = random_polygon(rng, *(np.array(pose[:2]) + rng.uniform(-reach, reach, 2)), 2.5)
        if body_gaps(body, *pose, polygon)[0] > 0.01:
            polygons.append(polygon)
    return body, wide, pose, polygons


# ---- gaps


@pytest.mark.rule("wap.core.measure.base-to-base")
def test_gap_from_corner_to_corner():
    _, points = gathered([placed([[0, 0, 0.5, 0.5]], 3, 4, pi / 2)[0, 0]])
    assert rects.rect_gap(0.0, 0.0, pi / 2, 0.5, 0.5, points, 0, 4) == pytest.approx(sqrt(13))


def test_gaps_and_depths_against_corners_and_axes():
    rng = np.random.default_rng(3)
    for _ in range(4 * SCENES):
        polygon = random_polygon(rng, *rng.uniform(-4, 4, 2), 2.5)
        half, facing = rng.uniform(0.2, 2.5, 2), rng.choice([rng.uniform(-7, 7), 0.0])
        expected = body_gaps([[0, 0, *half]], 1.0, 2.0, facing, polygon)[0]
        assert rects.rect_gap(1.0, 2.0, facing, *half, polygon, 0, len(polygon)) == pytest.approx(expected, abs=1e-9)


def test_rectangles_are_gathered_as_polygons():
    near, points = np.zeros(2, NEAR), np.zeros((8, 2))
    assert near_rect(near, points, 0, 3.0, 4.0, 0.4, 2.0, 1.0, 1.0, 7) == 1
    assert near_rect(near, points, 1, 9.0, 4.0, 0.0, 0.5, 0.5, 0.5, 8) == 2
    assert np.allclose(points[:4], placed([[0, 0, 2.0, 1.0]], 3.0, 4.0, 0.4)[0, 0])
    assert near["first"].tolist() == [0, 4] and near["mark"].tolist() == [7, 8] and near["margin"].tolist() == [1, 0.5]
    assert [tuple(row) for row in near[["x", "y", "radius"]]] == [
        pytest.approx((3.0, 4.0, sqrt(5))),
        pytest.approx((9.0, 4.0, sqrt(0.5))),
    ]


def test_who_is_nearer_already_may_stay_so_near():
    body = np.array([[-1.0, 0.0, 1.0, 2.0]])
    near, points = gathered([placed([[0, 0, 1, 1]], at, 0, 0)[0, 0] for at in (1.4, 3.0, -3.5)], [9.0, 9.0, 9.0])
    rects.keep_apart(near, points, 3, body, 1, 0.0, 0.0, 0.0, 1.0)
    assert near["margin"].tolist() == pytest.approx([0.4, 1.0, 0.5])


def test_inside_the_table_up_to_its_edge():
    body = np.array([[-1.0, 0.0, 1.0, 2.0]])
    assert rects.body_inside(body, 1, 2.0, 2.0, 0.0, 48.0, 48.0, 1e-4)
    assert not rects.body_inside(body, 1, 1.99, 2.0, 0.0, 48.0, 48.0, 1e-4)
    assert not rects.body_inside(body, 1, 20.0, 47.0, pi / 2 + 0.1, 48.0, 47.0, 1e-4)
    assert rects.body_inside(body, 1, 20.0, 47.0, pi / 2, 48.0, 47.0, 1e-4)


# ---- straight


def test_slides_against_hundredths_of_an_inch():
    rng = np.random.default_rng(4)
    stopped = 0
    for _ in range(SCENES):
        body, _, (x, y, f), polygons = scene(rng)
        near, points = gathered(polygons)
        rects.keep_apart(near, points, len(near), body, len(body), x, y, f, rng.choice([0.0, 1.0]))
        way = rng.choice([f, f + pi, f + pi / 2, rng.uniform(0, 7)])
        most = 9.0
        limit = rects.slide_limit(near, points, len(near), body, len(body), x, y, f, cos(way), sin(way), most)
        at = np.arange(0.0, most, STEP)
        clear = np.min(
            [
                body_gaps(body, x + cos(way) * at, y + sin(way) * at, f, polygon) - margin
                for polygon, margin in zip(polygons, near["margin"])
            ],
            axis=0,
        )
        assert (clear[at < limit] > -0.0015).all()
        if limit < most:
            stopped += 1
            assert clear[(at >= limit) & (at < limit + 0.3)].min() < 0.0015
            beyond = limit + 0.005
            assert (
                min(
                    body_gaps(body, x + cos(way) * beyond, y + sin(way) * beyond, f, polygon)[0] - margin
                    for polygon, margin in zip(polygons, near["margin"])
                )
                < 0.0
            )
    assert stopped > SCENES / 3


def test_the_stretch_of_a_slide_ends_where_it_is_past():
    rng = np.random.default_rng(5)
    met = 0
    for _ in range(SCENES):
        polygon = random_polygon(rng, *rng.uniform(-6, 6, 2), 2.5)
        half, f, way = rng.uniform(0.2, 2.5, 2), rng.uniform(0, 7), rng.uniform(0, 7)
        margin = rng.choice([0.0, 1.0, rng.uniform(0, 1), -rng.uniform(0, 0.01)])
        # Outlines that touch may share a little, at any angle.
        least = -rects.SLACK if margin == 0.0 else margin
        t0, t1 = rects.ray_span(0.0, 0.0, f, *half, cos(way), sin(way), polygon, 0, len(polygon), margin)
        at = np.arange(-15.0, 15.0, STEP)
        apart = body_gaps([[0, 0, *half]], cos(way) * at, sin(way) * at, f, polygon)
        inside = at[apart < least - SURE]
        if t0 < t1:
            met += 1
            ends = body_gaps([[0, 0, *half]], cos(way) * np.array([t0, t1]), sin(way) * np.array([t0, t1]), f, polygon)
            assert ends == pytest.approx(least, abs=SURE)
            assert (inside > t0 - SURE).all() and (inside < t1 + SURE).all()
            assert (apart[(at > t0) & (at < t1)] < least + SURE).all()
        else:
            assert len(inside) == 0
    assert met > SCENES / 3


@pytest.mark.rule("wap.move.one-inch")
def test_an_inch_is_kept():
    body = np.array([[-2.0, 0.0, 2.0, 2.5]])
    near, points = gathered([placed([[0, 0, 1, 1]], 10.0, 14.0, 0.0)[0, 0]], [1.0])
    limit = rects.slide_limit(near, points, 1, body, 1, 10.0, 10.0, pi / 2, 0.0, 1.0, 4.0)
    assert limit == pytest.approx(2.0, abs=SURE)


@pytest.mark.parametrize("margin", [0.0, -1e-6, 0.4, 1.0])
def test_one_slides_along_what_it_may_not_come_nearer_to_and_away_from_it(margin):
    """Also where the margin is just what there is."""
    body = np.array([[-2.0, 0.0, 2.0, 2.5]])
    near, points = gathered([placed([[0, 0, 9.0, 1.0]], 10.0, 11.0 + margin, 0.0)[0, 0]], [margin])
    there = (near, points, 1, body, 1, 10.0, 10.0, pi / 2)
    assert rects.slide_limit(*there, 1.0, 0.0, 4.0) == 4.0
    assert rects.slide_limit(*there, 0.0, -1.0, 4.0) == 4.0
    assert rects.slide_limit(*there, 0.0, 1.0, 4.0) < 0.0011


@pytest.mark.rule("wap.move.table.stay")
def test_the_edge_of_the_table_ends_a_slide():
    body = np.array([[-2.0, 0.0, 2.0, 2.5]])
    assert rects.edge_limit(body, 1, 10.0, 45.0, pi / 2, 0.0, 1.0, 48.0, 48.0) == pytest.approx(3.0)
    assert rects.edge_limit(body, 1, 10.0, 45.0, pi / 2, -1.0, 0.0, 48.0, 48.0) == pytest.approx(7.5)
    assert rects.edge_limit(body, 1, 10.0, 45.0, pi / 2, 0.6, 0.8, 48.0, 48.0) == pytest.approx(3.75)
    # what hangs over an edge may come back
    assert rects.edge_limit(body, 1, 10.0, 49.0, pi / 2, 0.0, -1.0, 48.0, 48.0) == pytest.approx(45.0)
    assert rects.edge_limit(body, 1, 10.0, 49.0, pi / 2, 0.0, 1.0, 48.0, 48.0) == 0.0


# ---- turning


def turned(body, pose, pivot, angle):
    """The gaps' poses after turning about a point by each angle."""
    x, y, f = pose
    dx, dy = x - pivot[0], y - pivot[1]
    return (
        pivot[0] + np.cos(angle) * dx - np.sin(angle) * dy,
        pivot[1] + np.sin(angle) * dx + np.cos(angle) * dy,
        f + angle,
    )


def test_turns_about_a_point_against_steps():
    rng = np.random.default_rng(6)
    stopped = 0
    for _ in range(SCENES):
        body, wide, pose, polygons = scene(rng)
        near, points = gathered(polygons)
        rects.keep_apart(near, points, len(near), body, len(body), *pose, rng.choice([0.0, 1.0]))
        side = rng.choice([1.0, -1.0])
        x, y, f = pose
        corner = (x - side * sin(f) * wide / 2, y + side * cos(f) * wide / 2)
        pivot = corner if rng.random() < 0.6 else (x + rng.uniform(-3, 3), y + rng.uniform(-3, 3))
        most = 2.5
        limit = rects.turn_limit(near, points, len(near), body, len(body), *pose, *pivot, side, most)
        at = np.arange(0.0, most, TURN)
        clear = np.min(
            [
                body_gaps(body, *turned(body, pose, pivot, side * at), polygon) - margin
                for polygon, margin in zip(polygons, near["margin"])
            ],
            axis=0,
        )
        assert (clear[at < limit] > -0.0015).all()
        if limit < most:
            stopped += 1
            beyond = np.linspace(limit, limit + 0.002, 5)
            assert any(
                (body_gaps(body, *turned(body, pose, pivot, side * beyond), polygon) < margin).any()
                for polygon, margin in zip(polygons, near["margin"])
            )
    assert stopped > SCENES / 3


def test_turning_in_a_mirror_and_after_a_rigid_motion():
    rng = np.random.default_rng(7)
    for _ in range(SCENES // 3):
        body, _, (x, y, f), polygons = scene(rng)
        pivot = (x + rng.uniform(-3, 3), y + rng.uniform(-3, 3))
        near, points = gathered(polygons, [1.0] * len(polygons))
        rects.keep_apart(near, points, len(near), body, len(body), x, y, f, 1.0)
        limit = rects.turn_limit(near, points, len(near), body, len(body), x, y, f, *pivot, 1.0, 3.0)
        mirrored, corners = gathered([np.array(polygon)[::-1] * [1, -1] for polygon in polygons], near["margin"])
        assert rects.turn_limit(
            mirrored, corners, len(near), body, len(body), x, -y, -f, pivot[0], -pivot[1], -1.0, 3.0
        ) == pytest.approx(limit, abs=1e-9)
        by, dx, dy = rng.uniform(0, 7), *rng.uniform(-20, 20, 2)
        turn = np.array([[cos(by), -sin(by)], [sin(by), cos(by)]])
        moved, corners = gathered([np.array(polygon) @ turn.T + [dx, dy] for polygon in polygons], near["margin"])
        place, hinge = turn @ [x, y] + [dx, dy], turn @ pivot + [dx, dy]
        assert rects.turn_limit(
            moved, corners, len(near), body, len(body), *place, f + by, *hinge, 1.0, 3.0
        ) == pytest.approx(limit, abs=1e-6)


@pytest.mark.rule("wap.move.one-inch")
def test_who_stands_in_contact_comes_no_deeper():
    """Corner to side, at any angle, a slide and a turn after the other: what rounding takes is all that may be lost."""
    rng = np.random.default_rng(9)
    for _ in range(SCENES):
        half, away, turn = rng.uniform(0.4, 3.0, 2), rng.uniform(0, 2 * pi), rng.uniform(0, 2 * pi)
        body = np.array([[-half[0], 0.0, *half]])
        # a wall of the direction ``away`` through the corner that is the farthest that way
        ahead = cos(away - turn) * (half[0] if cos(away - turn) > 0 else -half[0])
        aside = sin(away - turn) * (half[1] if sin(away - turn) > 0 else -half[1])
        x, y = (10.0 + half[0] * cos(turn), 10.0 + half[0] * sin(turn))
        wall = 10.0 + cos(away) * (ahead + aside + 1.0), 10.0 + sin(away) * (ahead + aside + 1.0)
        near, points = gathered([placed([[0, 0, 1.0, 9.0]], *wall, away)[0, 0]])
        pose = (x, y, turn)
        for _ in range(3):
            rects.keep_apart(near, points, 1, body, 1, *pose, 1.0)
            way = away + rng.uniform(-1.5, 1.5)
            far = rects.slide_limit(near, points, 1, body, 1, *pose, cos(way), sin(way), 3.0)
            pose = (pose[0] + far * cos(way), pose[1] + far * sin(way), pose[2])
            rects.keep_apart(near, points, 1, body, 1, *pose, 1.0)
            side, pivot = rng.choice([1.0, -1.0]), (pose[0] + rng.uniform(-2, 2), pose[1] + rng.uniform(-2, 2))
            angle = rects.turn_limit(near, points, 1, body, 1, *pose, *pivot, side, 1.0)
            pose = turned(body, pose, pivot, side * angle)
        assert rects.body_gap(near, points, 0, body, 1, *pose) > -3.0 * SURE


def test_nothing_near_stops_nothing():
    body = np.array([[-2.0, 0.0, 2.0, 2.5]])
    near, points = np.zeros(0, NEAR), np.zeros((0, 2))
    assert rects.turn_limit(near, points, 0, body, 1, 0.0, 0.0, 0.0, 0.0, 2.5, 1.0, 1.2) == 1.2
    assert rects.slide_limit(near, points, 0, body, 1, 0.0, 0.0, 0.0, 1.0, 0.0, 8.0) == 8.0
    assert rects.body_gap(*gathered([[(3, 0), (4, 0), (4, 1)]]), 0, body, 0, 0.0, 0.0, 0.0) == inf
