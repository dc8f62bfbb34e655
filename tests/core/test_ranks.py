"""Places in ranks and files, the rectangles of a block, and reforms against scipy's matchings."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest
from oracles.outlines import SCENES
from oracles.regiments import bases, corners, least_displacement

from wh_env.core.geometry import ranks

NORTH = pi / 2


def laid_out(count, files, a=0.5, b=0.5, spacing=0.0, x=0.0, y=0.0, facing=NORTH):
    places = np.zeros((count, 2))
    ranks.lay_out(count, files, a, b, spacing, x, y, facing, places)
    return places


def body(count, files, a=0.5, b=0.5, spacing=0.0):
    rows = np.full((ranks.BODY, ranks.BODY), np.nan)
    return rows[: ranks.body_of(count, files, a, b, spacing, rows)]


@pytest.mark.rule("wap.core.unit.even-ranks")
def test_a_short_rear_rank_stands_on_the_axis():
    places = laid_out(17, 5)
    assert places[-2:].tolist() == pytest.approx(np.array([[0.5, -3.5], [-0.5, -3.5]]))
    assert ranks.rank_count(17, 5) == 4 and ranks.rank_count(20, 5) == 4 and ranks.rank_count(3, 5) == 1


def test_files_are_counted_from_the_right():
    assert laid_out(3, 3).tolist() == pytest.approx(np.array([[1.0, -0.5], [0.0, -0.5], [-1.0, -0.5]]))
    assert laid_out(3, 3, facing=0.0).tolist() == pytest.approx(np.array([[-0.5, -1.0], [-0.5, 0.0], [-0.5, 1.0]]))


def test_places_against_counting_them_out():
    rng = np.random.default_rng(1)
    for _ in range(SCENES):
        count, files = rng.integers(1, 45), rng.integers(1, 13)
        a, b, spacing = rng.uniform(0.3, 1.5), rng.uniform(0.3, 1.5), rng.choice([0.0, 0.5])
        x, y, facing = *rng.uniform(0, 48, 2), rng.uniform(-7, 7)
        places = laid_out(count, files, a, b, spacing, x, y, facing)
        assert np.allclose(places, bases(count, files, a, b, spacing, x, y, facing), atol=1e-9)


def test_the_rectangles_hold_the_bases_and_nothing_else():
    rng = np.random.default_rng(2)
    for _ in range(SCENES):
        count, files = rng.integers(1, 45), rng.integers(1, 13)
        a, b, spacing = rng.uniform(0.3, 1.5), rng.uniform(0.3, 1.5), rng.choice([0.0, 0.5])
        rows = body(count, files, a, b, spacing)
        outlines = [corners(centre, 0.0, a, b) for centre in bases(count, files, a, b, spacing, 0.0, 0.0, 0.0)]
        whole = count - count % files
        expected = [np.vstack(group) for group in (outlines[:whole], outlines[whole:]) if group]
        assert len(rows) == len(expected)
        for (u, v, half_a, half_b), points in zip(rows, expected):
            assert np.allclose([u - half_a, v - half_b], points.min(axis=0))
            assert np.allclose([u + half_a, v + half_b], points.max(axis=0))


def test_twenty_bases_in_five_files_fill_five_by_four():
    assert body(20, 5).tolist() == [[-2.0, 0.0, 2.0, 2.5]]
    assert body(17, 5).tolist() == [[-1.5, 0.0, 1.5, 2.5], [-3.5, 0.0, 0.5, 1.0]]
    assert body(3, 5).tolist() == [[-0.5, 0.0, 0.5, 1.5]]


@pytest.mark.parametrize(("count", "files"), [(20, 5), (17, 5), (3, 5)])
def test_front_and_centre_lead_to_each_other(count, files):
    x, y = ranks.front_at(count, files, 0.5, 0.5, 3.0, 4.0, 0.3)
    assert ranks.centre_at(count, files, 0.5, 0.5, x, y, 0.3) == pytest.approx((3.0, 4.0))
    outline = corners(np.array([3.0, 4.0]), 0.3, ranks.span_of(ranks.rank_count(count, files), 0.5, 0.5) / 2, 1.0)
    assert (x, y) == pytest.approx(tuple(outline[:2].mean(axis=0)))


# ---- laid out anew


def can(old, new, most):
    return ranks.can_rearrange(old, new, len(old), most, *ranks.rearranging_room(len(old)))


@pytest.mark.rule("wap.move.manoeuvre.cap")
def test_none_goes_farther_than_allowed():
    # a line of twenty, reformed into 5 by 4 about its centre and facing about: the ends go nearly eight inches
    old = laid_out(20, 20, x=10.0, y=10.5)
    x, y = ranks.front_at(20, 5, 0.5, 0.0, 10.0, 10.0, -NORTH)
    new = laid_out(20, 5, x=x, y=y, facing=-NORTH)
    least = least_displacement(old, new)
    assert 7.5 < least < 8.0
    assert can(old, new, 8.0) and can(old, new, least) and not can(old, new, least - 0.001)


def reform(rng, largest):
    """Old and new places of a block that is laid out anew about (nearly always) its centre."""
    count = int(rng.integers(1, largest))
    a, b, spacing = rng.uniform(0.3, 1.0), rng.uniform(0.3, 1.0), rng.choice([0.0, 0.5])
    files, later = rng.integers(1, count + 1, 2)
    f0, f1 = rng.uniform(0, 2 * pi, 2)
    cx, cy = rng.normal(0, 0.5, 2) if rng.random() < 0.2 else (0.0, 0.0)
    old = laid_out(count, files, a, b, spacing, *ranks.front_at(count, files, a, spacing, 0.0, 0.0, f0), f0)
    new = laid_out(count, later, a, b, spacing, *ranks.front_at(count, later, a, spacing, cx, cy, f1), f1)
    return old, new


@pytest.mark.parametrize("largest", [12, 45, 150])
def test_reforms_against_matchings(largest):
    rng = np.random.default_rng(largest)
    for _ in range(SCENES // 4 if largest > 45 else SCENES):
        old, new = reform(rng, largest)
        least = least_displacement(old, new)
        assert can(old, new, least)
        assert not can(old, new, least - 0.001) or least < 0.001
        most = rng.uniform(0.0, 2.0) * least + 0.01
        assert can(old, new, most) == (most >= least) or abs(most - least) < 0.001


def test_no_base_to_place_is_no_hindrance():
    assert can(np.zeros((0, 2)), np.zeros((0, 2)), 0.0)
