"""Wheels and the cells that they lead to: worked examples, steps of 0.002 rad and 0.01", mirrors and motions of the whole scene."""

from __future__ import annotations

from math import cos, inf, pi, sin

import numpy as np
import pytest
from oracles.outlines import SCENES, body_gaps, placed, random_polygon

from wh_env.core.geometry import ranks
from wh_env.core.geometry.near import NEAR, Way, near_polygon
from wh_env.core.geometry.rects import keep_apart
from wh_env.core.geometry.wheels import Cells, pose_after_wheel, wheel_and_move_to, wheel_limit, wheel_mask

NORTH = pi / 2
STEP = 0.01  # inches
TURN = 0.002  # radians
TABLE = (48.0, 48.0)


def gathered(polygons, margins=None):
    near = np.zeros(len(polygons), NEAR)
    points = np.zeros((sum(map(len, polygons)), 2))
    for n, polygon in enumerate(polygons):
        near_polygon(near, points, n, np.asarray(polygon), 0, len(polygon), 1.0 if margins is None else margins[n], n)
    return near, points


def block(rng):
    """Rectangles of a block and its front width."""
    count, files = int(rng.integers(2, 31)), int(rng.integers(1, 9))
    half = rng.uniform(0.39, 0.8)
    body = np.zeros((ranks.BODY, ranks.BODY))
    rows = ranks.body_of(count, files, half * rng.choice([1.0, 2.0]), half, rng.choice([0.0, 0.5]), body)
    return body[:rows], 2 * body[0, ranks.HALF_B]


def scene(rng, obstacles=3, middle=(20, 28)):
    """A block, its front width, its pose, and polygons about it that it does not overlap, with margins of up to an inch."""
    body, width = block(rng)
    pose = (*rng.uniform(*middle, 2), rng.choice([rng.uniform(-4, 4), NORTH]))
    polygons = []
    while len(polygons) < obstacles:
        polygon = random_polygon(rng, *(np.array(pose[:2]) + rng.uniform(-9, 9, 2)), 2.0)
        if body_gaps(body, *pose, polygon)[0] > 0.01:
            polygons.append(polygon)
    near, points = gathered(polygons)
    keep_apart(near, points, len(near), body, len(body), *pose, 1.0)
    return body, width, pose, polygons, near, points


# ---- the wheel


@pytest.mark.rule("wap.move.wheel.pivot")
def test_a_wheel_turns_about_the_front_corner():
    assert pose_after_wheel(2.0, 0.0, NORTH, 4.0, 1.0, NORTH) == pytest.approx((0.0, 2.0, pi))
    assert pose_after_wheel(2.0, 0.0, NORTH, 4.0, -1.0, NORTH) == pytest.approx((4.0, 2.0, 0.0))


def front_corners(x, y, f, width):
    """Left and right."""
    aside = np.array([-sin(f), cos(f)]) * width / 2
    return np.array([x, y]) + aside, np.array([x, y]) - aside


@pytest.mark.rule("wap.move.wheel.cost")
def test_a_wheel_costs_the_arc_of_the_outer_corner():
    rng = np.random.default_rng(8)
    for _ in range(SCENES):
        width, angle, side = rng.uniform(0.8, 12), rng.uniform(0, 2), int(rng.choice([1, -1]))
        pose = (*rng.uniform(0, 48, 2), rng.uniform(-4, 4))
        poses = [pose_after_wheel(*pose, width, side, at) for at in np.linspace(0, angle, 400)]
        corners = np.array([front_corners(*at, width) for at in poses])
        outer, inner = (corners[:, 1], corners[:, 0]) if side > 0 else (corners[:, 0], corners[:, 1])
        assert np.hypot(*np.diff(outer, axis=0).T).sum() == pytest.approx(width * angle, rel=1e-4)
        assert np.allclose(inner, inner[0])


def test_a_wheel_undone_and_in_a_mirror():
    rng = np.random.default_rng(9)
    for _ in range(SCENES):
        width, angle, side = rng.uniform(0.8, 12), rng.uniform(0, 2), rng.choice([1.0, -1.0])
        x, y, f = *rng.uniform(0, 48, 2), rng.uniform(-4, 4)
        there = pose_after_wheel(x, y, f, width, side, angle)
        assert pose_after_wheel(*there, width, side, -angle) == pytest.approx((x, y, f))
        px, py, pf = pose_after_wheel(x, -y, -f, width, -side, angle)
        assert (px, -py, -pf) == pytest.approx(there)


def test_wheels_against_steps():
    rng = np.random.default_rng(10)
    stopped = 0
    for _ in range(SCENES):
        body, width, pose, polygons, near, points = scene(rng)
        side = rng.choice([1.0, -1.0])
        most = 2.0
        limit = wheel_limit(near, points, len(near), body, len(body), *pose, width, side, most)
        at = np.arange(0.0, most, TURN)
        poses = np.array([pose_after_wheel(*pose, width, side, angle) for angle in at]).T
        clear = np.min([body_gaps(body, *poses, p) - m for p, m in zip(polygons, near["margin"])], axis=0)
        assert (clear[at < limit] > -1e-5).all()
        if limit < most:
            stopped += 1
            past = np.array([pose_after_wheel(*pose, width, side, limit + more) for more in np.linspace(0, TURN, 5)]).T
            assert min((body_gaps(body, *past, p) - m).min() for p, m in zip(polygons, near["margin"])) < 0.0
    assert stopped > SCENES / 4


@pytest.mark.rule("wap.move.manoeuvre.one-inch")
def test_a_wheel_stops_an_inch_from_a_neighbour():
    body = np.array([[-2.0, 0.0, 2.0, 2.0]])
    # a wall 3" ahead of the front: the right corner rises to 2" when it has swung by 30 degrees
    near, points = gathered([placed([[0, 0, 1.0, 9.0]], 10.0, 14.0, NORTH)[0, 0]])
    limit = wheel_limit(near, points, 1, body, 1, 10.0, 10.0, NORTH, 4.0, 1.0, NORTH)
    assert limit == pytest.approx(pi / 6, abs=1e-5)
    # one that stands half an inch from it may swing off, not nearer
    near, points = gathered([placed([[0, 0, 1.0, 9.0]], 13.5, 10.0, 0.0)[0, 0]], [0.5])
    assert wheel_limit(near, points, 1, body, 1, 10.0, 10.0, NORTH, 4.0, 1.0, 1.2) < 0.001  # its rear swings out
    assert wheel_limit(near, points, 1, body, 1, 10.0, 10.0, -NORTH, 4.0, 1.0, 1.2) == 1.2  # its rear swings in


# ---- wheel, then straight


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_the_wheel_to_a_place_leads_there(side):
    rng = np.random.default_rng(11)
    for _ in range(4 * SCENES):
        width, angle, ahead = rng.uniform(0.8, 12), rng.uniform(0, 6.2), rng.uniform(0, 12)
        pose = (*rng.uniform(0, 48, 2), rng.uniform(-8, 8))
        x, y, f = pose_after_wheel(*pose, width, side, angle)
        assert wheel_and_move_to(*pose, width, side, x + cos(f) * ahead, y + sin(f) * ahead) == pytest.approx(
            (angle, ahead), abs=1e-6
        )


def test_straight_ahead_is_no_wheel_and_beside_the_corner_there_is_none():
    assert wheel_and_move_to(3.0, 4.0, 0.7, 5.0, 1.0, 3 + 2 * cos(0.7), 4 + 2 * sin(0.7)) == pytest.approx((0.0, 2.0))
    assert wheel_and_move_to(3.0, 4.0, 0.7, 5.0, -1.0, 3.0, 4.0) == pytest.approx((0.0, 0.0))
    assert wheel_and_move_to(3.0, 4.0, NORTH, 5.0, 1.0, 1.0, 4.2) == (-1.0, -1.0)


def looked_at(block, allowance, window, grid=7):
    """Mask, costs and turns of a window, and the places of its cells."""
    body, width, pose, _, near, points = block
    mask, costs, turns = np.zeros(grid * grid, np.int8), np.zeros(grid * grid), np.zeros(grid * grid)
    way, cells = Way(near, points, len(near), body, len(body)), Cells(window, grid, mask, costs, turns)
    found = wheel_mask(way, *pose, width, allowance, *TABLE, cells)
    assert found == mask.sum()
    places = [window[:2] + window[2:] * (cell % grid, cell // grid) for cell in range(grid * grid)]
    return mask, costs, turns, places


def searched(block, allowance, place):
    """The cheapest way to a place by trying every angle to either side in steps, and how clear it stays: (cost, turn, clearance)."""
    body, width, pose, polygons, near, _ = block
    best = (inf, 0.0, -inf)
    for side in (1, -1):
        # from a little before 0, so that what lies straight ahead lies between two of them
        angles = np.append(-1e-7, np.arange(0.0, min(2 * pi, allowance / width + TURN) + TURN, TURN))
        poses = np.array([pose_after_wheel(*pose, width, side, angle) for angle in angles])
        ahead = np.stack([np.cos(poses[:, 2]), np.sin(poses[:, 2])], axis=1)
        way = place - poses[:, :2]
        along = (way * ahead).sum(1)
        off = ahead[:, 0] * way[:, 1] - ahead[:, 1] * way[:, 0]
        for k in np.flatnonzero((off[:-1] * off[1:] <= 0) & (along[:-1] > -0.01)):
            part = abs(off[k]) / max(1e-15, abs(off[k]) + abs(off[k + 1]))
            angle = max(0.0, angles[k] + part * (angles[k + 1] - angles[k]))
            x, y, f = pose_after_wheel(*pose, width, side, angle)
            far = float((place - [x, y]) @ [cos(f), sin(f)])
            cost = width * angle + far
            if far < -1e-4 or cost > allowance + 0.05:
                continue
            turn = np.array(
                [pose_after_wheel(*pose, width, side, at) for at in np.append(np.arange(0, angle, TURN), angle)]
            ).T
            at = np.append(np.arange(0.0, max(far, 0.0), STEP), far)
            clear = min(
                min(
                    (body_gaps(body, *turn, p) - m).min(),
                    (body_gaps(body, x + cos(f) * at, y + sin(f) * at, f, p) - m).min(),
                )
                for p, m in zip(polygons, near["margin"])
            )
            corners = placed(body, *place, f).reshape(-1, 2)
            clear = min(clear, corners.min() + 1e-5, (TABLE - corners).min() + 1e-5, allowance + 1e-5 - cost)
            if clear > -0.002 and cost < best[0]:
                best = (cost, side * angle, clear)
    return best


def test_cells_against_a_search_over_angles_and_distances():
    rng = np.random.default_rng(12)
    yes = no = 0
    for _ in range(max(1, SCENES // 4)):
        block = scene(rng, middle=rng.choice([(20, 28), (2, 6)], p=[0.7, 0.3]))
        x, y, f = block[2]
        allowance = rng.choice([4.0, 8.0])
        middle = np.array([x, y]) + 0.6 * allowance * np.array([cos(f), sin(f)])
        window = np.append(middle - 0.7 * allowance, [1.4 * allowance / 6] * 2)
        for marked, cost, turn, place in zip(*looked_at(block, allowance, window)):
            expected, angle, clear = searched(block, allowance, place)
            if marked:
                yes += 1
                assert expected < inf
                # a cheaper way that a step of the search just misses is a way all the same
                assert (cost, turn) == pytest.approx((expected, angle), abs=0.02) or clear < 0.002
            elif clear > 0.002:
                pytest.fail(f"{place} can be reached by {angle} and {expected} in all")
            else:
                no += 1
                assert cost == inf
    assert yes > SCENES / 2 and no > SCENES


def test_cells_after_a_rigid_motion_and_in_a_mirror():
    rng = np.random.default_rng(13)
    for _ in range(SCENES // 4):
        body, width, (x, y, f), polygons, near, _ = block = scene(rng)
        window = np.array([x - 4.0, y - 4.0, 8 / 6 + 0.01, 8 / 6 + 0.02])
        mask, costs, turns, _ = looked_at(block, 6.0, window)
        turned, corners = gathered([48.0 - np.array(p) for p in polygons], near["margin"])
        other = (body, width, (48 - x, 48 - y, f + pi), None, turned, corners)
        again = looked_at(other, 6.0, np.append(48 - window[:2], -window[2:]))
        assert mask.tolist() == again[0].tolist()
        assert costs.tolist() == pytest.approx(again[1].tolist()) and turns.tolist() == pytest.approx(again[2].tolist())
        mirrored, corners = gathered([np.array(p)[::-1] * [-1, 1] + [48, 0] for p in polygons], near["margin"])
        other = (body, width, (48 - x, y, pi - f), None, mirrored, corners)
        again = looked_at(other, 6.0, np.array([48 - window[0], window[1], -window[2], window[3]]))
        assert mask.tolist() == again[0].tolist()
        assert costs.tolist() == pytest.approx(again[1].tolist())
        assert (-turns).tolist() == pytest.approx(again[2].tolist())


def test_free_ground_costs_what_the_rule_says():
    body, width = np.array([[-2.0, 0.0, 2.0, 2.0]]), 4.0
    block = (body, width, (24.0, 24.0, NORTH), [], np.zeros(0, NEAR), np.zeros((0, 2)))
    angle = pi / 6
    x, y, _ = pose_after_wheel(24.0, 24.0, NORTH, width, 1.0, angle)
    left = 4.0 - width * angle
    assert left == pytest.approx(1.91, abs=0.005)
    for ahead, marked in ((left, 1), (left + 0.001, 0)):
        place = (x - sin(angle) * ahead, y + cos(angle) * ahead)
        mask, costs, turns, _ = looked_at(block, 4.0, np.array([*place, 1.0, 1.0]), grid=1)
        assert mask.tolist() == [marked]
        if marked:
            assert costs[0] == pytest.approx(4.0) and turns[0] == pytest.approx(angle)


@pytest.mark.rule("wap.move.table.overhang")
def test_a_wheel_may_swing_over_the_edge_if_it_ends_on_the_table():
    # four inches deep, the left edge along that of the table: while it wheels right its rear left corner swings out, and comes back
    body, width = np.array([[-2.0, 0.0, 2.0, 2.0]]), 4.0
    block = (body, width, (2.0, 24.0, NORTH), [], np.zeros(0, NEAR), np.zeros((0, 2)))
    for angle, marked in ((0.3, 0), (1.5, 0), (pi / 2, 1)):
        x, y, _ = pose_after_wheel(2.0, 24.0, NORTH, width, -1.0, angle)
        assert placed(body, x, y, NORTH - angle)[..., 0].min() < -0.05 or marked
        assert looked_at(block, 7.0, np.array([x, y, 1.0, 1.0]), grid=1)[0].tolist() == [marked]
