"""Templates over bases: the rulebook's numbers, and points thrown on bases and templates."""

from __future__ import annotations

from math import hypot, pi

import numpy as np
import pytest
from oracles.outlines import SCENES

from wh_env.core.geometry import ranks
from wh_env.core.geometry.stamps import (
    MISSED,
    PARTLY,
    WHOLLY,
    base_at_point,
    disc_stamp,
    drop_stamp,
    keep_one_of_each_key,
    line_stamp,
)
from wh_env.core.tables import MODEL, RECT

NORTH = pi / 2


def bases(places, a=0.5, b=0.5, facing=NORTH):
    models = np.zeros(len(places), MODEL)
    models["x"], models["y"] = np.transpose(places)
    models["half_a"], models["half_b"], models["radius"] = a, b, hypot(a, b)
    models["facing"], models["shape"], models["on_table"] = facing, RECT, 1
    return models


def block(count, files, a=0.5, b=0.5, x=0.0, y=0.0, facing=NORTH):
    places = np.zeros((count, 2))
    ranks.lay_out(count, files, a, b, 0.0, x, y, facing, places)
    return bases(places, a, b, facing)


def test_bases_wholly_or_partly_under_a_disc_are_hit():
    models = bases([(0, 0), (1, 0), (1.9, 0), (2.1, 0), (2.0, 0), (2.01, 0)])
    marks = np.zeros(6, np.int8)
    assert disc_stamp(models, 0, 6, 0.0, 0.0, 1.5, marks) == 4
    assert marks.tolist() == [WHOLLY, PARTLY, PARTLY, MISSED, PARTLY, MISSED]
    models["on_table"] = 0
    assert disc_stamp(models, 0, 6, 0.0, 0.0, 1.5, marks) == 0 and not marks.any()


def test_the_hole_is_over_one_base_at_most():
    models = block(20, 5)
    assert base_at_point(models, 0, 20, 0.3, -1.4) == 7
    assert base_at_point(models, 0, 20, 0.5, -1.5) == 6  # where two meet, the first of them
    assert base_at_point(models, 0, 20, 2.6, -1.5) == -1
    models[7]["on_table"] = 0
    assert base_at_point(models, 0, 20, 0.0, -1.5) == -1


def test_a_line_takes_one_of_each_rank():
    models = block(20, 5)
    marks, points, best = np.zeros(20, np.int8), np.zeros((4, 2)), np.zeros(4)
    x, y, f, length = -2.0, 0.5, -1.2, 6.0
    touched = line_stamp(models, 0, 20, x, y, f, length, 0.0, points, marks)
    assert touched == 6
    keys = np.arange(20) // 5
    before = marks.copy()
    assert keep_one_of_each_key(models, 0, 20, x, y, f, length, keys, best, marks) == 4
    assert [marks[keys == rank].sum() for rank in range(4)] == [1, 1, 1, 1]
    assert (before[marks > 0] > 0).all()


def clipped(ax, ay, bx, by, half):
    """Length of a segment within a square about the origin, by many points of it."""
    at = np.linspace(0, 1, 4001)[:, None]
    points = np.array([ax, ay]) + at * np.array([bx - ax, by - ay])
    return (np.abs(points) <= half).all(axis=1).mean() * hypot(bx - ax, by - ay)


def test_of_a_rank_the_base_with_the_longest_way_under_the_line_is_taken():
    rng = np.random.default_rng(40)
    for _ in range(SCENES):
        models = block(20, 5)
        marks, points, best = np.zeros(20, np.int8), np.zeros((4, 2)), np.zeros(4)
        x, y, f, length = rng.uniform(-4, 4), rng.uniform(-6, 2), rng.uniform(-4, 4), rng.uniform(1, 9)
        line_stamp(models, 0, 20, x, y, f, length, 0.0, points, marks)
        keys = np.arange(20) // 5
        touched = marks.copy()
        keep_one_of_each_key(models, 0, 20, x, y, f, length, keys, best, marks)
        bx, by = x + length * np.cos(f), y + length * np.sin(f)
        ways = [clipped(x - m["x"], y - m["y"], bx - m["x"], by - m["y"], 0.5) for m in models]
        for k, way in enumerate(ways):
            assert (way > 0.01) <= (touched[k] > 0)
        for rank in range(4):
            taken = np.flatnonzero(marks[keys == rank])
            assert len(taken) == bool(touched[keys == rank].any())
            if len(taken):
                assert ways[5 * rank + taken[0]] > max(ways[5 * rank : 5 * rank + 5]) - 0.01


def holds(kind, points, size):
    """Which points lie under a template at the origin that points to +x, and how far others are from that, roughly."""
    x, y = points.T
    if kind == "disc":
        return np.hypot(x, y) <= size
    if kind == "line":
        return (x >= 0) & (x <= 6) & (abs(y) <= size / 2)
    # a drop: discs that grow from the tip to the round end
    return np.any([np.hypot(x - t * (8 - size), y) <= t * size for t in np.linspace(0, 1, 400)], axis=0)


@pytest.mark.parametrize(("kind", "size"), [("disc", 1.5), ("disc", 2.5), ("line", 2.0), ("drop", 1.25)])
def test_templates_against_points_thrown_on_bases(kind, size):
    rng = np.random.default_rng(41)
    counts = np.zeros(3, int)
    for _ in range(max(4, SCENES // 8)):
        a, b = rng.uniform(0.3, 1.0, 2)
        models = block(20, 5, a, b, *rng.uniform(-3, 3, 2), rng.uniform(-4, 4))
        f = rng.uniform(-4, 4)
        x, y = rng.uniform(-4, 4, 2)
        marks, points = np.zeros(20, np.int8), np.zeros((4, 2))
        if kind == "disc":
            found = disc_stamp(models, 0, 20, x, y, size, marks)
        elif kind == "line":
            found = line_stamp(models, 0, 20, x, y, f, 6.0, size, points, marks)
        else:
            found = drop_stamp(models, 0, 20, x, y, f, 8.0, size, points, marks)
        assert found == (marks > 0).sum()
        grid = np.stack(np.meshgrid(np.linspace(-1, 1, 41), np.linspace(-1, 1, 41)), axis=-1).reshape(-1, 2)
        for model, mark in zip(models, marks):
            counts[mark] += 1
            c, s = np.cos(model["facing"]), np.sin(model["facing"])
            at = grid * [a, b] @ np.array([[c, s], [-s, c]]) + [model["x"] - x, model["y"] - y]
            c, s = np.cos(f), np.sin(f)
            share = holds(kind, at @ np.array([[c, -s], [s, c]]), size).mean()
            if mark == WHOLLY:
                assert share > 0.99
            elif mark == PARTLY:
                assert share < 1
            else:
                assert share == 0
    assert (counts > 0).all()
