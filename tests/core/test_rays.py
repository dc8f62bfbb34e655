"""Flights along a ray: the stop behind what is in the way, against hundredths of an inch."""

from __future__ import annotations

from math import cos, inf, pi, sin

import numpy as np
import pytest
from oracles.outlines import SCENES, body_gaps, placed, random_polygon

from wh_env.core.geometry.near import NEAR, near_polygon
from wh_env.core.geometry.rays import distance_to_free_stop, ray_crossed

STEP = 0.01


def gathered(polygons, margin=1.0):
    near = np.zeros(len(polygons), NEAR)
    points = np.zeros((sum(map(len, polygons)), 2))
    for n, polygon in enumerate(polygons):
        near_polygon(near, points, n, np.asarray(polygon), 0, len(polygon), margin, n)
    return near, points


def stop(body, pose, polygons, way, at, margin=1.0):
    near, points = gathered(polygons, margin)
    spans = np.zeros((len(body) * len(near), 2))
    return distance_to_free_stop(near, points, len(near), body, len(body), *pose, cos(way), sin(way), at, spans)


@pytest.mark.rule("wap.compulsory.flee.ends-on")
def test_a_flight_ends_an_inch_behind_what_it_would_end_on():
    body = np.array([[-1.0, 0.0, 1.0, 2.0]])
    unit = placed([[0, 0, 1.5, 3.0]], 10.0, 6.5, pi / 2)[0, 0]
    # front edge at y = 2; it goes on until its rear edge is at y = 9
    assert stop(body, (10.0, 2.0, pi / 2), [unit], pi / 2, 6.0) == pytest.approx(9.0, abs=1e-5)
    assert stop(body, (10.0, 2.0, pi / 2), [unit], pi / 2, 1.9) == 1.9
    assert stop(body, (10.0, 2.0, pi / 2), [unit], pi / 2, 9.5) == 9.5
    # a second one so near behind it that nobody fits between
    second = placed([[0, 0, 1.0, 3.0]], 12.0, 12.0, pi / 2)[0, 0]
    assert stop(body, (10.0, 2.0, pi / 2), [second, unit], pi / 2, 6.0) == pytest.approx(14.0, abs=1e-5)


def scene(rng):
    half = rng.uniform(0.3, 2.0, (2, 2))
    body = np.array([[-half[0, 0], 0.0, *half[0]], [-2 * half[0, 0] - half[1, 0], 0.0, *half[1]]])
    pose = (0.0, 0.0, rng.uniform(-4, 4))
    polygons = [random_polygon(rng, *rng.uniform(-12, 12, 2), 2.0) for _ in range(5)]
    return body, pose, polygons, rng.choice([pose[2], rng.uniform(0, 7)])


def test_stops_against_hundredths_of_an_inch():
    rng = np.random.default_rng(20)
    on = 0
    for _ in range(SCENES):
        body, pose, polygons, way = scene(rng)
        at, margin = rng.uniform(0, 10), rng.choice([0.0, 1.0])
        end = stop(body, pose, polygons, way, at, margin)
        tried = np.append(np.arange(at, end, STEP), end)
        apart = np.min([body_gaps(body, cos(way) * tried, sin(way) * tried, pose[2], p) for p in polygons], axis=0)
        assert apart[-1] > margin - 0.0015
        assert (apart[:-1] < margin + 1e-5).all()
        on += end > at
    assert on > SCENES / 8


def test_what_is_passed_over_against_hundredths_of_an_inch():
    rng = np.random.default_rng(21)
    crossed = 0
    for _ in range(SCENES):
        body, pose, polygons, way = scene(rng)
        near, points = gathered(polygons)
        most = rng.uniform(1, 12)
        entered = np.zeros(len(near))
        found = ray_crossed(near, points, len(near), body, len(body), *pose, cos(way), sin(way), most, entered)
        assert found == (entered < inf).sum()
        crossed += found
        tried = np.arange(0.0, most, STEP)
        for polygon, first in zip(polygons, entered):
            apart = body_gaps(body, cos(way) * tried, sin(way) * tried, pose[2], polygon)
            assert (apart[tried < first] > -0.0015).all()
            if first < most - 0.1:
                past = np.linspace(first, first + 0.1, 50)
                assert body_gaps(body, cos(way) * past, sin(way) * past, pose[2], polygon).min() < 0.0
    assert crossed > SCENES / 4
