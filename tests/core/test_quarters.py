"""Front, flanks and rear by the rays from the corners, with the rulebook's numbers and against angles."""

from __future__ import annotations

from math import atan2, cos, degrees, pi, sin

import numpy as np
import pytest
from oracles.outlines import SCENES

from wh_env.core.geometry.quarters import FRONT, LEFT, REAR, RIGHT, quarter_of_point, quarter_shares

NORTH = pi / 2


@pytest.mark.rule("wap.core.facing.arcs")
@pytest.mark.parametrize(
    ("point", "quarter"),
    [((3, 3.2), FRONT), ((3.2, 3), RIGHT), ((-5, 0), LEFT), ((0, -4), REAR)],
)
def test_quarters_of_a_base(point, quarter):
    assert quarter_of_point(0.0, 0.5, NORTH, 1.0, 1.0, *point) == (quarter, quarter)


@pytest.mark.rule("wap.core.facing.unit")
def test_quarters_of_a_block():
    assert quarter_of_point(0.0, 0.0, NORTH, 5.0, 4.0, 5.0, 3.0) == (FRONT, FRONT)
    assert quarter_of_point(0.0, 0.0, NORTH, 5.0, 4.0, 5.0, 2.0) == (RIGHT, RIGHT)
    assert quarter_of_point(0.0, 0.0, NORTH, 5.0, 4.0, 5.0, 2.5) == (FRONT, RIGHT)
    assert quarter_of_point(0.0, 0.0, NORTH, 5.0, 4.0, -4.5, -6.0) == (LEFT, REAR)


def by_angles(pose, width, depth, point):
    """The quarter of a point outside a block: seen from each corner it lies within 45 degrees of a side's normal or not."""
    x, y, f = pose
    u = cos(f) * (point[0] - x) + sin(f) * (point[1] - y)
    v = cos(f) * (point[1] - y) - sin(f) * (point[0] - x)

    def bearing(cu, cv):
        return degrees(atan2(v - cv, u - cu)) % 360

    left, right = width / 2, -width / 2
    if bearing(0, right) >= 315 or bearing(0, right) <= 180:
        if bearing(0, left) <= 45 or bearing(0, left) >= 180:
            if u >= 0:
                return FRONT
    if bearing(0, left) >= 45 and bearing(-depth, left) <= 135 and v >= left:
        return LEFT
    if bearing(0, right) <= 315 and bearing(-depth, right) >= 225 and v <= right:
        return RIGHT
    return REAR


def test_points_against_angles():
    rng = np.random.default_rng(30)
    seen = set()
    for _ in range(10 * SCENES):
        width, depth = rng.uniform(0.8, 10, 2)
        pose = (*rng.uniform(0, 48, 2), rng.uniform(-7, 7))
        point = np.array(pose[:2]) + rng.uniform(-12, 12, 2)
        u = cos(pose[2]) * (point[0] - pose[0]) + sin(pose[2]) * (point[1] - pose[1])
        v = cos(pose[2]) * (point[1] - pose[1]) - sin(pose[2]) * (point[0] - pose[0])
        if -depth < u < 0 and abs(v) < width / 2:
            continue
        expected = by_angles(pose, width, depth, point)
        seen.add(expected)
        assert quarter_of_point(*pose, width, depth, *point) == (expected, expected)
    assert seen == {FRONT, LEFT, RIGHT, REAR}


def test_shares_of_a_row_of_bases():
    shares = np.zeros(4)
    row = np.array([[at, 3.0] for at in (3.4, 4.4, 5.4, 6.4, 7.4)])
    quarter_shares(0.0, 0.0, NORTH, 5.0, 4.0, row, 5, shares)
    assert shares.tolist() == [3, 0, 2, 0]
    quarter_shares(0.0, 0.0, NORTH, 5.0, 4.0, row + [0.1, 0.0], 5, shares)  # the middle one stands on the ray
    assert shares.tolist() == [2.5, 0, 2.5, 0]
    quarter_shares(0.0, 0.0, NORTH, 5.0, 4.0, np.array([[5.0, 2.5], [-5.0, 2.5], [0.0, -9.0]]), 3, shares)
    assert shares.tolist() == [1.0, 0.5, 0.5, 1.0]
