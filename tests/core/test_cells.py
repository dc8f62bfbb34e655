"""Rows of cells settled as stretches agree with slides judged cell by cell, for bases of every shape."""

from __future__ import annotations

from math import hypot, pi

import numpy as np
import pytest

from wh_env.core.frozen import frozen
from wh_env.core.geometry.cells import (
    CLIMBS,
    LIVE,
    ON_SOLID,
    PATH_BAD,
    WORDS,
    Window,
    bits,
    disc_shadow,
    stretch,
    tangent_length,
    window_rows,
)
from wh_env.core.geometry.paths import new_limits
from wh_env.core.geometry.raster import mark_shadow
from wh_env.core.geometry.raster_terrain import mark_terrain
from wh_env.core.geometry.rigid import MOST_CELLS, scratch_sizes
from wh_env.core.geometry.shapes import EPS, SLACK, polygon_overlap_at
from wh_env.core.geometry.sweeps import OVERLAP, segment_near, slide_hits, slide_span
from wh_env.core.tables import BLOCK, CIRCLE, OVAL, RECT
from wh_env.rulesets.w40k.tables import MODEL  # the rows that kernels are compiled for anyway

GRID = 17
HALF = GRID // 2
STEP = 0.75
SHAPES = ((CIRCLE, 0.63, 0.63), (OVAL, 2.1, 1.3), (RECT, 2.5, 1.0))


def model(row, shape, x, y, facing):
    kind, a, b = shape
    row["x"], row["y"], row["facing"], row["shape"], row["half_a"], row["half_b"] = x, y, facing, kind, a, b
    row["radius"] = hypot(a, b) if kind == RECT else max(a, b)
    row["height"], row["move"], row["on_table"] = 1.5, 6.0, 1


def open_words():
    words = np.zeros((GRID, WORDS), np.int64)
    limits = new_limits(60.0, 44.0)
    assert window_rows(20.0, 20.0, 24.0, 24.0, HALF * STEP * 1.5, limits, STEP, GRID, -1, False, words) == (0, GRID)
    words[HALF, LIVE] &= ~(1 << HALF)
    return words


def marked(words, k):
    return {(row, col) for row in range(GRID) for col in range(GRID) if (int(words[row, k]) >> col) & 1}


def displacements():
    return [
        (row, col, (col - HALF) * STEP, (row - HALF) * STEP)
        for row in range(GRID)
        for col in range(GRID)
        if (row, col) != (HALF, HALF)
    ]


def test_live_cells_are_within_reach_and_keep_the_unit_on_the_table():
    """A box from (1, 2) to (3, 43), 5" to move: over the west edge it may not go, nor over that 44" from the other."""
    words = np.zeros((GRID, WORDS), np.int64)
    window_rows(1.0, 2.0, 3.0, 43.0, 5.0, new_limits(60.0, 44.0), STEP, GRID, -1, False, words)
    expected = {
        (row, col)
        for row in range(GRID)
        for col in range(GRID)
        for dx, dy in [((col - HALF) * STEP, (row - HALF) * STEP)]
        if hypot(dx, dy) <= 5.0 + EPS and dx >= -1.0 and -2.0 <= dy <= 1.0
    }
    assert marked(words, LIVE) == expected and expected


def test_shadow_of_a_disc_is_what_segments_meet():
    rng = np.random.default_rng(1)
    hits = 0
    for _ in range(200):
        cx, cy = rng.uniform(-6.0, 6.0, 2)
        r = rng.uniform(0.3, 3.0)
        length = tangent_length(cx, cy, r)
        assert length >= 0.0
        for row in range(GRID):
            dy = (row - HALF) * STEP
            first, last, _ = stretch(*disc_shadow(cx, cy, r, length, dy), STEP, GRID)
            for col in range(GRID):
                if (row, col) != (HALF, HALF):
                    hit = segment_near(cx, cy, (col - HALF) * STEP, dy, r)
                    assert hit == (first <= col < last), (cx, cy, r, row, col)
                    hits += hit
    assert hits > 1000


@pytest.mark.parametrize("margin", [OVERLAP, 1.0])
def test_shadow_of_a_model_is_what_slides_hit(margin):
    rng = np.random.default_rng(2)
    hits = 0
    for k in range(60):
        models = np.zeros(2, MODEL)
        model(models[0], SHAPES[k % 3], 22.0, 22.0, rng.uniform(0.0, 2.0 * pi))
        model(models[1], SHAPES[k // 3 % 3], *(22.0 + rng.uniform(-6.0, 6.0, 2)), rng.uniform(0.0, 2.0 * pi))
        p, q = models
        over = -SLACK if margin < 0.0 else margin + EPS
        outer = p["radius"] + q["radius"] + over
        both_round = p["shape"] == CIRCLE and q["shape"] == CIRCLE
        inner = outer if both_round else min(p["half_a"], p["half_b"]) + min(q["half_a"], q["half_b"]) + over
        words = open_words()
        mark_shadow(
            models, 0, 1, margin, q["x"] - p["x"], q["y"] - p["y"], outer, inner, Window(GRID, STEP, 0, GRID, words)
        )
        expected = {
            (row, col)
            for row, col, dx, dy in displacements()
            if slide_hits(models, 0, 22.0, 22.0, 22.0 + dx, 22.0 + dy, p["facing"], 1, margin)
        }
        assert marked(words, PATH_BAD) == expected, k
        hits += len(expected)
    assert hits > 1000


def test_terrain_is_stood_on_and_climbed_where_slides_say_so():
    rng = np.random.default_rng(3)
    climbs = stands = 0
    for k in range(60):
        models = np.zeros(1, MODEL)
        model(models[0], SHAPES[k % 3], 22.0, 22.0, rng.uniform(0.0, 2.0 * pi))
        angle = rng.uniform(0.0, 2.0 * pi)
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        half = rng.uniform(0.2, 2.5, 2)
        corners = (np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half) @ turn + 22.0 + rng.uniform(-5.0, 5.0, 2)
        blocks = np.zeros(1, BLOCK)
        blocks["min_x"], blocks["min_y"] = corners.min(axis=0)
        blocks["max_x"], blocks["max_y"] = corners.max(axis=0)
        blocks["z_high"], blocks["count"], blocks["solid"], blocks["walkable"] = 2.5, 4, 1, 1
        words = open_words()
        rows = np.zeros(1, np.int32)
        limits = new_limits(60.0, 44.0, low=2.0)
        # with inches to spare no cell is refused for the climb; those that only a box of the top holds stay to be judged
        mark_terrain(
            models,
            frozen(blocks),
            frozen(corners),
            limits,
            rows,
            1,
            99.0,
            Window(GRID, STEP, 0, GRID, words),
            np.zeros(1, np.int32),
        )
        f = models[0]["facing"]
        over = {
            (row, col)
            for row, col, dx, dy in displacements()
            if polygon_overlap_at(models, 0, 22.0 + dx, 22.0 + dy, f, corners, 0, 4)
        }
        gone = {(row, col) for row, col, _, _ in displacements()} - marked(words, LIVE)
        assert marked(words, ON_SOLID) | gone == over, k
        expected = set()
        for row, col, dx, dy in displacements():
            t0, t1 = slide_span(models, 0, 22.0, 22.0, 22.0 + dx, 22.0 + dy, f, corners, 0, 4)
            if t0 <= t1:
                expected.add((row, col))
        assert marked(words, CLIMBS) | gone == expected | gone, k
        climbs += len(expected)
        stands += len(over)
    assert climbs > 1000 and stands > 300


def test_a_row_of_cells_fits_a_word():
    assert bits(0, MOST_CELLS) == 2**MOST_CELLS - 1
    with pytest.raises(ValueError, match="expected at most 61"):
        scratch_sizes(1, 0, MOST_CELLS + 2)
