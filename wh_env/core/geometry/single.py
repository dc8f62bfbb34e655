"""One model moved alone: finding a path to a place, masks of the places that it can reach, and the places of a
formation for each model.

A path goes straight or bends once, at a point beside the middle of the straight line. The model turns at the start of
the path.
"""

from __future__ import annotations

from math import hypot, inf

import numpy as np

from wh_env.core.geometry.legs import leg_climb
from wh_env.core.geometry.path_checks import check_path_without_end
from wh_env.core.geometry.paths import (
    _ALL,
    allowance,
    choose_surface,
    end_surfaces,
    models_fault_near,
    on_marker_at,
    set_pose,
    terrain_fault_at,
)
from wh_env.core.geometry.readonly import read_only
from wh_env.core.geometry.shapes import EPS, inside_table_at
from wh_env.core.geometry.sweeps import farthest_part, turn_between
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import CIRCLE, Array

NEAREST = -1  # in place of a level: the surface nearest in height to where the model stands

_ASIDE = 10  # how many points are tried for the bend


@inner_kernel
def near_models(models: Array, limits: Array, x: float, y: float, reach: float, rows: Array) -> int:
    """Fill ``rows`` with the models on the table that matter to moves within ``reach`` inches of (x, y); returns how
    many.
    """
    n = 0
    far = reach + max(limits[0]["engage"], limits[0]["engage_across"], limits[0]["keep_away"]) + EPS
    for j in range(len(models)):
        q = models[j]
        if q["on_table"] == 1 and abs(q["x"] - x) <= far + q["radius"] and abs(q["y"] - y) <= far + q["radius"]:
            rows[n] = j
            n += 1
    return n


@inner_kernel
def near_blocks(blocks: Array, x: float, y: float, reach: float) -> Array:
    """Copies of the blocks that matter to moves within ``reach`` inches of (x, y)."""
    return blocks_within(blocks, x, y, reach, np.empty_like(blocks))


@inner_kernel
def blocks_within(blocks: Array, x: float, y: float, reach: float, found: Array) -> Array:
    """``near_blocks`` whose copies stand in ``found``, so that no memory is allocated."""
    return read_only(found[: copy_blocks(blocks, x, y, reach, found)])


@inner_kernel
def copy_blocks(blocks: Array, x: float, y: float, reach: float, found: Array) -> int:
    """Copy the blocks that matter to moves within ``reach`` inches of (x, y) to the front of ``found``; returns how
    many.
    """
    n = 0
    for b in range(len(blocks)):
        block = blocks[b]
        if block["solid"] == 0 and block["walkable"] == 0 and block["engage"] == 0.0:
            continue
        far = reach + block["engage"]
        if x < block["min_x"] - far or x > block["max_x"] + far:
            continue
        if block["min_y"] - far <= y <= block["max_y"] + far:
            found[n] = block
            n += 1
    return n


@kernel
def find_path(
    models: Array,
    blocks: Array,
    corners: Array,
    objectives: Array,
    limits: Array,
    targets: Array,
    i: int,
    x: float,
    y: float,
    z: float,
    f: float,
    points: Array,
    rows: Array,
    n: int,
    skip: int,
    bend: bool,
) -> int:
    """A legal path of model ``i`` to this pose: fills ``points`` (float64, 2 x 4: x, y, z, facing) and returns how many
    it has; 0 if none is found.

    It goes straight, or if ``bend`` with one bend. Only the ``n`` models of ``rows`` are looked at (``n`` -1: all
    models), but none of unit ``skip``. Coherency is not judged.
    """
    if terrain_fault_at(models, blocks, corners, limits, i, x, y, z, f) != 0:
        return 0
    return find_way(
        models, blocks, corners, objectives, limits, targets, i, x, y, z, f, points, rows, n, skip, bend, False
    )


@inner_kernel
def find_way(
    models: Array,
    blocks: Array,
    corners: Array,
    objectives: Array,
    limits: Array,
    targets: Array,
    i: int,
    x: float,
    y: float,
    z: float,
    f: float,
    points: Array,
    rows: Array,
    n: int,
    skip: int,
    bend: bool,
    clear: bool,
) -> int:
    """``find_path`` to a pose at which terrain is known to be no obstacle, and with ``clear`` other models neither."""
    lim = limits[0]
    m = models[i]
    points[0, 0], points[0, 1], points[0, 2], points[0, 3] = x, y, z, f
    x0, y0 = m["x"], m["y"]
    dx, dy = x - x0, y - y0
    along = hypot(dx, dy)
    allowed = allowance(models, limits, i)
    if m["shape"] != CIRCLE and lim["by_ends"] == 1:
        if farthest_part(models, i, dx, dy, m["facing"], f) > allowed + EPS:
            return 0
    elif m["shape"] != CIRCLE:
        allowed -= turn_between(m["facing"], f) * m["radius"]
    if along > allowed + EPS:
        return 0
    if lim["cross_edge"] == 0 and not inside_table_at(models, i, x, y, f, lim["length"], lim["width"]):
        return 0
    if not clear and models_fault_near(models, blocks, corners, limits, targets, i, x, y, z, f, rows, n, skip) != 0:
        return 0
    if on_marker_at(models, objectives, limits, i, x, y, z, f):
        return 0
    if check_path_without_end(models, blocks, corners, limits, targets, i, points, 1, rows, n, skip, -1.0, 0.0) == 0:
        return 1
    if along <= 1e-6 or not bend:
        return 0
    points[1, 0], points[1, 1], points[1, 2], points[1, 3] = x, y, z, f
    for k in range(_ASIDE):
        aside = 0.6 * (1 + k // 2) * (1.0 if k % 2 == 0 else -1.0)
        if 2.0 * hypot(0.5 * along, aside) > allowed + EPS:
            return 0
        wx = x0 + 0.5 * dx - aside * dy / along
        wy = y0 + 0.5 * dy + aside * dx / along
        if lim["cross_edge"] == 0 and not inside_table_at(models, i, wx, wy, f, lim["length"], lim["width"]):
            continue
        climb, h = leg_climb(models, blocks, corners, limits, i, x0, y0, m["z"], wx, wy, f)
        points[0, 0], points[0, 1], points[0, 2] = wx, wy, h
        if check_path_without_end(models, blocks, corners, limits, targets, i, points, 2, rows, n, skip, climb, h) == 0:
            return 2
    return 0


@inner_kernel
def _surface_height(
    models: Array,
    blocks: Array,
    corners: Array,
    limits: Array,
    i: int,
    x: float,
    y: float,
    f: float,
    level: int,
    heights: Array,
) -> float:
    """The height of the surface number ``level`` (0 the lowest, ``NEAREST``) on which model ``i`` can stand at (x, y);
    -1 if there is none.

    ``heights``: float64 scratch; only the first ``len(heights)`` levels can be asked for.
    """
    if level < 0:
        return choose_surface(models, blocks, corners, limits, i, x, y, f, models[i]["z"], 1e6)
    if end_surfaces(models, blocks, corners, limits, i, x, y, f, heights) > level:
        return float(heights[level])
    return -1.0


@kernel
def model_mask(
    models: Array,
    units: Array,
    blocks: Array,
    corners: Array,
    objectives: Array,
    limits: Array,
    targets: Array,
    i: int,
    grid: int,
    reach: float,
    level: int,
    cx: float,
    cy: float,
    f: float,
    mask: Array,
    scratch: Array,
    marks: Array,
) -> int:
    """Mark the cells of a window round (cx, cy) to which model ``i`` can move alone; returns how many. The window is
    the one of ``rigid``, with places instead of displacements.

    Args:
        reach: inches that the window spans each way. level: number of the surface to end on (0 the lowest), or
            ``NEAREST``.
        f: the facing to end with. scratch, marks: as ``rigid.scratch_sizes`` says.

    The cell where the model stands is always legal if it need not turn. Coherency is not judged.
    """
    half = grid // 2
    step = 2.0 * reach / (grid - 1)
    m = models[i]
    allowed = allowance(models, limits, i)
    n = near_models(models, limits, m["x"], m["y"], allowed + m["radius"], marks)
    nearby = near_blocks(blocks, m["x"], m["y"], allowed + m["radius"])
    points = scratch[:8].reshape((2, 4))
    heights = scratch[8:12]
    found = 0
    for c in range(grid * grid):
        x = cx + (c % grid - half) * step
        y = cy + (c // grid - half) * step
        mask[c] = 0
        away = hypot(x - m["x"], y - m["y"])
        if away > allowed + EPS:
            continue
        if away < 1e-9 and (m["shape"] == CIRCLE or turn_between(f, m["facing"]) < 1e-9):
            mask[c] = 1
            found += 1
            continue
        z = _surface_height(models, nearby, corners, limits, i, x, y, f, level, heights)
        if (
            z >= 0.0
            and find_path(
                models, nearby, corners, objectives, limits, targets, i, x, y, z, f, points, marks, n, -1, True
            )
            > 0
        ):
            mask[c] = 1
            found += 1
    return found


@kernel
def model_apply(
    models: Array,
    units: Array,
    blocks: Array,
    corners: Array,
    objectives: Array,
    limits: Array,
    targets: Array,
    i: int,
    level: int,
    x: float,
    y: float,
    f: float,
    points: Array,
    scratch: Array,
    marks: Array,
) -> int:
    """Move model ``i`` to (x, y) with facing ``f``, on the surface ``level``. Returns the number of points of its path,
    which are in ``points``; -1, and nothing moves, if it cannot.

    It succeeds for the cells that ``model_mask`` marks.
    """
    m = models[i]
    if hypot(x - m["x"], y - m["y"]) < 1e-9 and (m["shape"] == CIRCLE or turn_between(f, m["facing"]) < 1e-9):
        return 0
    z = _surface_height(models, blocks, corners, limits, i, x, y, f, level, scratch[8:12])
    if z < 0.0:
        return -1
    n = find_path(models, blocks, corners, objectives, limits, targets, i, x, y, z, f, points, marks, _ALL, -1, True)
    if n == 0:
        return -1
    set_pose(models, i, x, y, z, f)
    return n


@inner_kernel
def assign_slots(models: Array, rows: Array, n: int, slots: Array, cx: float, cy: float, places: Array) -> float:
    """Give each of ``n`` models a place of a formation with centre (cx, cy). Returns the longest distance, in inches,
    from a model to its place.

    ``slots`` (float64, n x 2): the place that was made for each model, from the centre. Models with equal bases may
    exchange places: each place in turn goes to the nearest of those without one. ``places[k]`` becomes the row of the
    model for place k.
    """
    worst = 0.0
    for k in range(n):
        places[k] = -1
    for k in range(n):
        best = inf
        nearest = -1
        for o in range(n):
            i = rows[o]
            p = models[i]
            q = models[rows[k]]
            if p["shape"] != q["shape"] or abs(p["half_a"] - q["half_a"]) + abs(p["half_b"] - q["half_b"]) > 1e-6:
                continue
            taken = False
            for g in range(k):
                if places[g] == i:
                    taken = True
            if taken:
                continue
            away = hypot(cx + slots[k, 0] - models[i]["x"], cy + slots[k, 1] - models[i]["y"])
            if away < best:
                best = away
                nearest = i
        places[k] = nearest
        worst = max(worst, best)
    return worst
