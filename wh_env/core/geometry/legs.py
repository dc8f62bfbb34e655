"""One leg of a path: what a model climbs, crosses and comes too close to on a straight slide."""

from __future__ import annotations

from math import ceil, hypot, pi, sqrt
from typing import NamedTuple

import numpy as np

from wh_env.core.geometry.areas import slide_engages, turn_engages
from wh_env.core.geometry.paths import (
    _ALL,
    _CROSSES_BIG,
    _CROSSES_ENEMY,
    _CROSSES_FRIEND,
    _ENGAGES_ON_THE_WAY,
    _OFF_TABLE,
    _OVERLAPS_TERRAIN,
    DIAGONALLY,
    LEVEL,
    may_engage,
    passes_through,
)
from wh_env.core.geometry.shapes import (
    EPS,
    SLACK,
    horizontal_reach,
    inside_polygon_at,
    inside_table_at,
    overlaps_in_height,
    polygon_overlap_at,
)
from wh_env.core.geometry.sweeps import (
    OVERLAP,
    box_missed,
    slide_hits,
    slide_span,
    turn_between,
    turn_hits,
)
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import CIRCLE, Array


class Pose(NamedTuple):
    """Where a model stands: inches, and the facing in radians."""

    x: float
    y: float
    z: float
    facing: float


@inner_kernel
def _keeps_level(
    models: Array,
    blocks: Array,
    corners: Array,
    limits: Array,
    i: int,
    x0: float,
    y0: float,
    h: float,
    x1: float,
    y1: float,
    f: float,
) -> bool:
    """Whether model ``i`` certainly has nothing to climb or to drop from on a slide from (x0, y0) at height ``h`` to
    (x1, y1).

    That is so if it stays on the ground or on one top and no high block is in its way.
    """
    low = limits[0]["low"]
    height = models[i]["height"]
    steady = h <= EPS
    for b in range(len(blocks)):
        if steady:
            break
        if abs(blocks[b]["z_high"] - h) <= SLACK and not box_missed(models, i, x0, y0, x1, y1, blocks, b):
            first = blocks[b]["first"]
            count = blocks[b]["count"]
            if inside_polygon_at(models, i, x0, y0, f, corners, first, count):
                steady = inside_polygon_at(models, i, x1, y1, f, corners, first, count)
    for b in range(len(blocks)):
        if not steady:
            break
        top = blocks[b]["z_high"]
        if top <= h + SLACK or (top - h <= low and top - blocks[b]["z_low"] <= low):
            continue
        if blocks[b]["z_low"] >= h + height - SLACK or box_missed(models, i, x0, y0, x1, y1, blocks, b):
            continue
        if passes_through(models, blocks, limits, i, b):
            continue
        t0, t1 = slide_span(models, i, x0, y0, x1, y1, f, corners, blocks[b]["first"], blocks[b]["count"])
        steady = t0 > t1
    return steady


@inner_kernel
def _blocks_on_way(
    models: Array,
    blocks: Array,
    corners: Array,
    i: int,
    x0: float,
    y0: float,
    x1: float,
    y1: float,
    f: float,
    spans: Array,
) -> int:
    """Fill ``spans`` (float64, blocks x 3) with the blocks that a slide meets: the part t0..t1 (0 to 1) of the slide on
    the block, and its row. Returns how many.
    """
    n = 0
    for b in range(len(blocks)):
        if blocks[b]["solid"] == 0 and blocks[b]["walkable"] == 0:
            continue
        if box_missed(models, i, x0, y0, x1, y1, blocks, b):
            continue
        t0, t1 = slide_span(models, i, x0, y0, x1, y1, f, corners, blocks[b]["first"], blocks[b]["count"])
        if t0 <= t1:
            spans[n, 0] = t0
            spans[n, 1] = t1
            spans[n, 2] = b
            n += 1
    return n


@inner_kernel
def _climb_at(
    models: Array, blocks: Array, limits: Array, i: int, spans: Array, on_way: int, t: float, h: float
) -> tuple[float, float, float, float]:
    """Let model ``i`` at the point ``t`` of a slide, at height ``h``, climb the blocks in its way.

    ``spans``: see ``_blocks_on_way``. Returns the inches climbed, the new height, the height of what is under the base
    and the next point at which that changes (2: none).
    """
    low, height = limits[0]["low"], models[i]["height"]
    cost, support, following = 0.0, 0.0, 2.0
    changed = True
    while changed:
        changed = False
        support = 0.0
        for o in range(on_way):
            b = int(spans[o, 2])
            block = blocks[b]
            if block["z_low"] >= h + height - SLACK:
                continue
            if block["z_high"] > h + SLACK and passes_through(models, blocks, limits, i, b):
                continue
            if t < spans[o, 0]:
                following = min(following, spans[o, 0])
                continue
            if spans[o, 1] < 1.0:
                if spans[o, 1] <= t:
                    continue
                following = min(following, spans[o, 1])
            top = block["z_high"]
            if top <= h + SLACK:
                support = max(support, top)
            elif top - h > low or top - block["z_low"] > low:
                cost += top - h
                h = top
                changed = True
    return cost, h, support, following


@kernel
def leg_climb(
    models: Array,
    blocks: Array,
    corners: Array,
    limits: Array,
    i: int,
    x0: float,
    y0: float,
    h: float,
    x1: float,
    y1: float,
    f: float,
) -> tuple[float, float]:
    """How model ``i`` climbs while it slides on foot from (x0, y0) at height ``h`` to (x1, y1) with facing ``f``.

    Returns:
        The vertical inches that count, up and down, and the height at which it ends.
    """
    if _keeps_level(models, blocks, corners, limits, i, x0, y0, h, x1, y1, f):
        return 0.0, h
    # computed once for all steps of the loop below
    spans = np.empty((len(blocks), 3))
    on_way = _blocks_on_way(models, blocks, corners, i, x0, y0, x1, y1, f, spans)
    cost = 0.0
    t = 0.0
    for _ in range(4 * len(blocks) + 4):
        climbed, h, support, following = _climb_at(models, blocks, limits, i, spans, on_way, t, h)
        cost += climbed
        if support < h - SLACK:
            if h - support > limits[0]["low"]:
                cost += h - support
            h = support
        if following > 1.0:
            break
        t = following
    return cost, h


@inner_kernel
def leg_cost(
    models: Array,
    blocks: Array,
    corners: Array,
    limits: Array,
    i: int,
    x0: float,
    y0: float,
    z0: float,
    x1: float,
    y1: float,
    z1: float,
    f: float,
) -> float:
    """The inches that a straight slide of model ``i`` costs from one standing place to another, climbs included.

    Through the air it is the straight diagonal if an end is above the ground (move.fly.through-the-air), or the
    distance in plan (``LEVEL``).
    """
    along = hypot(x1 - x0, y1 - y0)
    if limits[0]["through_air"] == LEVEL:
        return along
    if limits[0]["through_air"] == DIAGONALLY and (z0 > EPS or z1 > EPS):
        return sqrt(along * along + (z1 - z0) * (z1 - z0))
    cost, h = leg_climb(models, blocks, corners, limits, i, x0, y0, z0, x1, y1, f)
    if abs(z1 - h) > limits[0]["low"]:
        cost += abs(z1 - h)
    return along + cost


@inner_kernel
def _leg_blocked(
    models: Array, limits: Array, targets: Array, i: int, start: Pose, end: Pose, rows: Array, n: int, skip: int
) -> int:
    """``leg_blocked`` that looks only at the ``n`` models of ``rows`` (``n`` -1: all models), but not at those of unit
    ``skip``.
    """
    x0, y0, z0, f0 = start
    x1, y1, z1, f1 = end
    lim = limits[0]
    p = models[i]
    bottom = min(z0, z1)
    height = max(z0, z1) - bottom + p["height"]
    big = (p["keywords"] & lim["big_keywords"]) != 0 and lim["over_big"] == 0
    turning = p["shape"] != CIRCLE and turn_between(f0, f1) > 1e-9
    far = p["radius"] + lim["engage"] + EPS
    west = min(x0, x1) - far
    east = max(x0, x1) + far
    south = min(y0, y1) - far
    north = max(y0, y1) + far
    for k in range(len(models) if n == _ALL else n):
        j = k if n == _ALL else rows[k]
        q = models[j]
        r = q["radius"]
        if q["x"] + r < west or q["x"] - r > east or q["y"] + r < south or q["y"] - r > north:
            continue
        if q["on_table"] == 0 or j == i or q["unit"] == skip:
            continue
        crossing = 0
        if q["owner"] != p["owner"]:
            if not may_engage(models, limits, targets, i, j, lim["engage_path"], False):
                # a leg that climbs is at every height between its ends
                across = horizontal_reach(
                    lim["engage"], lim["engage_z"], max(0.0, bottom - q["z"], q["z"] - max(z0, z1))
                )
                if across >= 0.0:
                    if slide_hits(models, i, x0, y0, x1, y1, f1, j, across) or (
                        turning and turn_hits(models, i, x0, y0, f0, f1, j, across)
                    ):
                        # the fault is worse if the move crosses the base itself
                        if lim["over_enemies"] == 0 and (
                            slide_hits(models, i, x0, y0, x1, y1, f1, j, OVERLAP)
                            or (turning and turn_hits(models, i, x0, y0, f0, f1, j, OVERLAP))
                        ):
                            return _CROSSES_ENEMY
                        return _ENGAGES_ON_THE_WAY
            if lim["over_enemies"] == 0 and (q["keywords"] & lim["air_keywords"]) == 0:
                crossing = _CROSSES_ENEMY
        elif lim["over_friends"] == 0 and (q["keywords"] & lim["air_keywords"]) == 0:
            crossing = _CROSSES_FRIEND
        elif big and (q["keywords"] & lim["big_keywords"]) != 0:
            crossing = _CROSSES_BIG
        if crossing != 0 and overlaps_in_height(bottom, height, q["z"], q["height"]):
            if slide_hits(models, i, x0, y0, x1, y1, f1, j, OVERLAP) or (
                turning and turn_hits(models, i, x0, y0, f0, f1, j, OVERLAP)
            ):
                return crossing
    return 0


@kernel
def leg_blocked(
    models: Array,
    limits: Array,
    targets: Array,
    i: int,
    x0: float,
    y0: float,
    z0: float,
    f0: float,
    x1: float,
    y1: float,
    z1: float,
    f1: float,
) -> int:
    """The ``Fault`` of one leg of model ``i``, as far as other models decide it: it crosses a model, or passes too
    close to an enemy.

    At the start of the leg the model turns from ``f0`` to ``f1``, then it slides. Rules move.models.not-over-enemies,
    .through-friends, .monster-vehicle, move.normal.engagement, charge.condition.no-others.
    """
    start, end = Pose(x0, y0, z0, f0), Pose(x1, y1, z1, f1)
    return _leg_blocked(models, limits, targets, i, start, end, targets, _ALL, -1)


@inner_kernel
def _leg_engages(
    models: Array,
    blocks: Array,
    corners: Array,
    limits: Array,
    targets: Array,
    i: int,
    start: Pose,
    end: Pose,
    rows: Array,
    n: int,
    skip: int,
) -> int:
    """The ``Fault`` of one leg of model ``i`` that comes within Engagement Range of an enemy across an area; the
    arguments are those of ``_leg_blocked``.
    """
    x0, y0, z0, f0 = start
    x1, y1, z1, f1 = end
    lim = limits[0]
    p = models[i]
    for k in range(len(models) if n == _ALL else n):
        j = k if n == _ALL else rows[k]
        q = models[j]
        if q["on_table"] == 0 or q["owner"] == p["owner"] or q["unit"] == skip:
            continue
        if q["z"] < min(z0, z1) - lim["engage_z"] - EPS or q["z"] > max(z0, z1) + lim["engage_z"] + EPS:
            continue
        if not may_engage(models, limits, targets, i, j, lim["engage_path"], False):
            if p["shape"] != CIRCLE and turn_engages(models, blocks, corners, i, x0, y0, f0, f1, j):
                return _ENGAGES_ON_THE_WAY
            if slide_engages(models, blocks, corners, i, x0, y0, x1, y1, f1, j):
                return _ENGAGES_ON_THE_WAY
    return 0


@inner_kernel
def turn_fault(
    models: Array,
    blocks: Array,
    corners: Array,
    limits: Array,
    i: int,
    x: float,
    y: float,
    z: float,
    f0: float,
    f1: float,
) -> int:
    """The ``Fault`` of model ``i`` turning on the spot from ``f0`` to ``f1``: it crosses the table edge, or hits
    terrain that is not low.
    """
    lim = limits[0]
    angle = turn_between(f0, f1)
    sign = 1.0 if (f1 - f0) % (2.0 * pi) <= pi else -1.0
    steps = ceil(angle * models[i]["radius"] / 0.1)
    height = models[i]["height"]
    for k in range(1, steps + 1):
        f = f0 + sign * angle * k / steps
        if lim["cross_edge"] == 0 and not inside_table_at(models, i, x, y, f, lim["length"], lim["width"]):
            return _OFF_TABLE
        for b in range(len(blocks)):
            block = blocks[b]
            if block["z_high"] - z <= lim["low"] or passes_through(models, blocks, limits, i, b):
                continue
            if box_missed(models, i, x, y, x, y, blocks, b):
                continue
            if overlaps_in_height(z, height, block["z_low"], block["z_high"] - block["z_low"]):
                if polygon_overlap_at(models, i, x, y, f, corners, block["first"], block["count"]):
                    return _OVERLAPS_TERRAIN
    return 0
