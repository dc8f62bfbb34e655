"""Lines of sight and shortest free lines in plan, against hundreds of lines drawn at random."""

from __future__ import annotations

from math import cos, hypot, inf, pi, sin

import numpy as np
import pytest
from oracles.outlines import SCENES, gaps, placed, random_polygon

from wh_env.core.geometry.near import NEAR, near_polygon
from wh_env.core.geometry.views import free_view, short_free_line

NORTH = pi / 2
LINES = 200


def gathered(polygons):
    near = np.zeros(len(polygons), NEAR)
    points = np.zeros((sum(map(len, polygons)), 2))
    for n, polygon in enumerate(polygons):
        near_polygon(near, points, n, np.asarray(polygon), 0, len(polygon), 0.0, n)
    return near, points


def rect(x0, x1, y0, y1):
    return placed([[0, 0, (x1 - x0) / 2, (y1 - y0) / 2]], (x0 + x1) / 2, (y0 + y1) / 2, 0.0)[0, 0]


def view(pose, half, target, blockers):
    """Whether a line is free, and the line."""
    near, points = gathered(blockers)
    line = np.full(4, np.nan)
    room = np.zeros((3, len(points) + len(target) + 5, 2))
    return free_view(near, points, len(near), *pose, half, np.asarray(target), 0, len(target), room, line), line


@pytest.mark.rule("wap.core.los.draw")
def test_a_line_from_the_front_edge_past_what_blocks():
    pose, target = (0.0, 0.5, NORTH), rect(-0.5, 0.5, 9.5, 10.5)
    assert view(pose, 0.5, target, [])[0]
    assert view(pose, 0.5, target, [rect(-3, 0.2, 4.5, 5.5)])[0]
    assert not view(pose, 0.5, target, [rect(-5, 5, 4.5, 5.5)])[0]
    assert not view(pose, 0.5, rect(-0.5, 0.5, -10.5, -9.5), [])[0]


def test_nobody_looks_between_bases_that_touch():
    pose, target = (0.0, 0.0, NORTH), rect(-1, 1, 9, 10)
    assert not view(pose, 1.0, target, [rect(-9, 0, 4, 5), rect(0, 9, 4, 5)])[0]
    assert not view(pose, 1.0, target, [rect(-9, 0.3, 4, 5), rect(0.3, 9, 5, 6)])[0]
    assert view(pose, 1.0, target, [rect(-9, 0, 4, 5), rect(0.01, 9, 4, 5)])[0]


def test_only_what_lies_in_the_front_quarter_is_looked_at():
    target = rect(6, 8, 0.5, 9)
    assert view((0.0, 0.0, NORTH), 0.5, target, [])[0]
    # what of it lies above the ray from (0.5, 0) is behind the wall
    assert not view((0.0, 0.0, NORTH), 0.5, target, [rect(4.5, 5.5, 3, 20)])[0]
    assert not view((0.0, 0.0, NORTH), 0.5, rect(6, 8, 0.5, 5.4), [])[0]


def through(start, end, polygon):
    """Inches by which segments (n x 2 each) run through a polygon grown by nothing, by halving planes."""
    t0, t1 = np.zeros(len(start)), np.ones(len(start))
    for p, q in zip(polygon, np.roll(polygon, -1, axis=0)):
        normal = np.array([q[1] - p[1], p[0] - q[0]]) / hypot(*(q - p))
        a, b = (start - p) @ normal, (end - p) @ normal
        with np.errstate(divide="ignore", invalid="ignore"):
            t = a / (a - b)
        t1 = np.where((a <= 0) & (b > 0), np.minimum(t1, t), t1)
        t0 = np.where((a > 0) & (b <= 0), np.maximum(t0, t), t0)
        t1 = np.where((a > 0) & (b > 0), -1.0, t1)
    return np.maximum(0, t1 - t0) * np.hypot(*(end - start).T)


def cluttered(rng, middle, count):
    """Blockers about a point, thin walls among them."""
    found = []
    for _ in range(count):
        x, y = np.array(middle) + rng.uniform(-4, 4, 2)
        if rng.random() < 0.5:
            found.append(placed([[0, 0, rng.uniform(1, 5), rng.uniform(0.05, 0.5)]], x, y, rng.uniform(0, 7))[0, 0])
        else:
            found.append(random_polygon(rng, x, y, 2.0))
    return found


def test_views_against_lines_at_random():
    rng = np.random.default_rng(50)
    answers = [0, 0]
    for _ in range(4 * SCENES):
        pose, half = (0.0, 0.0, rng.uniform(-4, 4)), rng.uniform(0.3, 4)
        ahead, left = np.array([cos(pose[2]), sin(pose[2])]), np.array([-sin(pose[2]), cos(pose[2])])
        target = random_polygon(rng, *(9 * ahead + rng.uniform(-4, 4, 2)), 2.5)
        blockers = cluttered(rng, 4.5 * ahead, rng.integers(0, 5))
        blockers = [b for b in blockers if gaps(b[None], target)[0] > 0 and (b @ ahead).min() > 0.01]
        seen, line = view(pose, half, target, blockers)
        answers[seen] += 1
        if seen:
            start, end = line[None, :2], line[None, 2:]
            assert abs(start @ ahead) < 1e-9 and abs(start @ left) <= half + 1e-6
            assert (end @ ahead) >= abs(end @ left) - half - 0.001
            assert gaps(np.vstack([end + d for d in ([0, 0], [1e-7, 0], [0, 1e-7])])[None], target)[0] < 1e-5
            assert all(through(start, end, b)[0] == 0 for b in blockers)
        else:
            starts = rng.uniform(-half, half, LINES)[:, None] * left
            ends = rng.dirichlet(np.full(len(target), 0.5), LINES) @ target
            inside = ends @ ahead >= abs(ends @ left) - half
            free = inside & (np.sum([through(starts, ends, b) for b in blockers], axis=0) == 0)
            assert not free.any()
    assert min(answers) > SCENES / 4


def shortest(a, b, blockers):
    near, points = gathered(blockers)
    line = np.full(4, np.nan)
    tried = np.zeros((len(points) + len(a) + len(b), 2))
    a, b = np.asarray(a), np.asarray(b)
    return short_free_line(near, points, len(near), a, len(a), b, len(b), -1.0, tried, line), line


def test_the_shortest_free_line():
    one, other = rect(0, 4, 0, 1), rect(1, 9, 6, 7)
    assert shortest(one, other, [])[0] == pytest.approx(5.0)
    assert shortest(one, other, [rect(-9, 3.5, 3, 4)])[0] == pytest.approx(5.0)
    length, line = shortest(one, other, [rect(-9, 4.5, 3, 4)])
    # past the corner (4.5, 3) or (4.5, 4) from the corner (4, 1), so that the line ends at right angles nowhere
    assert length == pytest.approx(hypot(5, 0.5 * 5 / 2), abs=0.01) and line[:2] == pytest.approx([4, 1])
    assert shortest(one, other, [rect(-99, 99, 3, 4)])[0] == inf


def test_the_shortest_free_line_may_slant():
    """Past a corner between two edges that are not parallel, at right angles to neither."""
    one, other = rect(-5, 0, -20, 20), np.array([(4.0, 20.0), (14.0, -20.0), (30.0, 0.0)])
    length, line = shortest(one, other, [rect(1, 2, 2, 40)])
    # the slanting edge goes 40 down on 10 to the right; it is tried from every height of the long one, through (2, 2)
    slope = np.linspace(0.0, 0.25, 100001)
    far = (8.5 - 2) / (1 + slope / 4)  # to the right of the corner
    ways = (2 + far) * np.hypot(1, slope)
    assert 0 < ways.argmin() < 100000
    assert length == pytest.approx(ways.min(), abs=0.002)
    assert (line[3] - line[1]) / (line[2] - line[0]) == pytest.approx(slope[ways.argmin()], abs=0.001)


def on_outline(rng, polygon, count):
    """Random points of the edges of a polygon, many near its corners."""
    k, t = rng.integers(0, len(polygon), count), rng.beta(0.6, 0.6, count)[:, None]
    return polygon[k] + t * (np.roll(polygon, -1, axis=0)[k] - polygon[k])


def tip(polygon):
    """How far from its sharpest corner a thousandth of an inch beside both edges is."""
    back, ahead = (np.roll(polygon, by, axis=0) - polygon for by in (1, -1))
    cosine = (back * ahead).sum(1) / np.hypot(*back.T) / np.hypot(*ahead.T)
    return 0.001 / np.sqrt((1 - cosine) / 2).min()


def test_a_line_passes_the_tip_of_a_needle():
    needle = np.array([(0.8, 4.0), (9.0, 3.7), (9.0, 4.3)])
    length, line = shortest(rect(0, 4, 0, 1), rect(1, 9, 6, 7), [needle])
    assert length == pytest.approx(hypot(5, 0.5), abs=0.01)  # from (0.5, 1) past (0.8, 4) to (1, 6)
    assert line == pytest.approx([0.5, 1, 1, 6], abs=0.1)


def test_shortest_lines_against_lines_at_random():
    rng = np.random.default_rng(51)
    blocked = none = 0
    for _ in range(2 * SCENES):
        one, other = random_polygon(rng, 0, 0, 2.5), random_polygon(rng, *rng.uniform(4, 8, 2), 2.5)
        apart = gaps(one[None], other)[0]
        if apart < 0.1:
            continue
        blockers = cluttered(rng, other.mean(axis=0) / 2, rng.integers(0, 4))
        blockers = [b for b in blockers if min(gaps(b[None], one)[0], gaps(b[None], other)[0]) > 0.01]
        length, line = shortest(one, other, blockers)
        starts, ends = on_outline(rng, one, 40 * LINES), on_outline(rng, other, 40 * LINES)
        free = np.sum([np.zeros(len(starts)), *(through(starts, ends, b) for b in blockers)], axis=0) == 0
        # what runs through the two themselves is longer anyway
        ways = np.hypot(*(ends - starts).T)[free]
        if length < inf:
            assert length >= apart - 1e-6
            blocked += length > apart + 0.01
            assert hypot(*(line[2:] - line[:2])) == pytest.approx(length, abs=1e-6)
            assert all(through(line[None, :2], line[None, 2:], b)[0] == 0 for b in blockers)
            assert not len(ways) or length <= ways.min() + 0.005 + 2 * max(map(tip, blockers), default=0)
        else:
            none += 1
            assert not len(ways)
    assert blocked > SCENES / 8 and none
