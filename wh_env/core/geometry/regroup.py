"""Closing up a scattered unit to a formation, in one move."""

from __future__ import annotations

from math import hypot

from wh_env.core.geometry.board import Board
from wh_env.core.geometry.paths import set_pose
from wh_env.core.geometry.placement import coherent_offsets, formation_offsets
from wh_env.core.geometry.shapes import (
    EPS,
)
from wh_env.core.geometry.single import assign_slots, find_path, near_blocks, near_models
from wh_env.core.geometry.straight_moves import gather_unit
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import Array


@inner_kernel
def _all_have_paths(
    board: Board,
    u: int,
    places: Array,
    offsets: Array,
    x: float,
    y: float,
    facing: float,
    points: Array,
    near: Array,
    nn: int,
) -> bool:
    """Whether each model of unit ``u`` has a path to its place in the formation round (x, y).

    ``places``: the model for each of the ``offsets``. ``near``: the ``nn`` models near by. ``points``: scratch.
    """
    models, _, blocks, corners, objectives, limits, targets = board
    for k in range(len(offsets)):
        ends = (x + offsets[k, 0], y + offsets[k, 1], 0.0, facing, points, near, nn, u, True)
        if find_path(models, blocks, corners, objectives, limits, targets, places[k], *ends) == 0:
            return False
    return True


@inner_kernel
def _regroup(
    board: Board,
    u: int,
    facing: float,
    gap: float,
    grid: int,
    reach: float,
    only: int,
    mask: Array,
    scratch: Array,
    marks: Array,
) -> int:
    """``regroup_mask`` if ``only`` is below 0; else ``regroup_apply`` with the cell ``only``. Returns how many cells
    are legal.
    """
    models, units, blocks, corners, objectives, limits, targets = board
    total = len(models)
    rows = marks[:total]
    near = marks[total : 2 * total]
    places = marks[2 * total : 3 * total]
    n = gather_unit(models, units, u, rows)
    if n == 0:
        return 0
    offsets = scratch[16 : 16 + 2 * n].reshape((n, 2))
    points = scratch[:8].reshape((2, 4))
    cx = 0.0
    cy = 0.0
    most = 0.0
    spread = formation_offsets(models, rows, n, facing, gap, 0, offsets)
    for k in range(n):
        m = models[rows[k]]
        cx += m["x"] / n
        cy += m["y"] / n
        most = max(most, limits[0]["extra"] + (m["move"] if limits[0]["mode"] == 0 else 0.0))
    if not coherent_offsets(models, rows, n, offsets, facing, limits):
        return 0
    for k in range(n):
        spread = max(spread, hypot(models[rows[k]]["x"] - cx, models[rows[k]]["y"] - cy) + models[rows[k]]["radius"])
    nn = near_models(models, limits, cx, cy, most + spread, near)
    past = Board(models, units, near_blocks(blocks, cx, cy, most + spread), corners, objectives, limits, targets)
    half = grid // 2
    step = 2.0 * reach / (grid - 1)
    found = 0
    for c in range(grid * grid):
        if only >= 0 and c != only:
            continue
        if only < 0:
            mask[c] = 0
        x = cx + (c % grid - half) * step
        y = cy + (c // grid - half) * step
        if assign_slots(models, rows, n, offsets, x, y, places) > most + EPS:
            continue
        if _all_have_paths(past, u, places, offsets, x, y, facing, points, near, nn):
            found += 1
            if only < 0:
                mask[c] = 1
            else:
                for k in range(n):
                    set_pose(models, places[k], x + offsets[k, 0], y + offsets[k, 1], 0.0, facing)
    return found


@kernel
def regroup_mask(
    models: Array,
    units: Array,
    blocks: Array,
    corners: Array,
    objectives: Array,
    limits: Array,
    targets: Array,
    u: int,
    facing: float,
    gap: float,
    grid: int,
    reach: float,
    mask: Array,
    scratch: Array,
    marks: Array,
) -> int:
    """Mark the cells in which a scattered unit ``u`` can close up to a formation on the ground in one move. Returns how
    many.

    A cell is a displacement from the mean place of its models, as in ``rigid`` (``grid`` cells a side, ``reach`` inches
    each way). Every model needs a legal path to its place in the formation.
    """
    board = Board(models, units, blocks, corners, objectives, limits, targets)
    return _regroup(board, u, facing, gap, grid, reach, -1, mask, scratch, marks)


@kernel
def regroup_apply(
    models: Array,
    units: Array,
    blocks: Array,
    corners: Array,
    objectives: Array,
    limits: Array,
    targets: Array,
    u: int,
    facing: float,
    gap: float,
    grid: int,
    reach: float,
    cell: int,
    scratch: Array,
    marks: Array,
) -> bool:
    """Close up unit ``u`` round the cell. Returns True for exactly the cells that ``regroup_mask`` marks; otherwise
    nothing changes.
    """
    board = Board(models, units, blocks, corners, objectives, limits, targets)
    found = _regroup(board, u, facing, gap, grid, reach, cell, marks, scratch, marks)
    return found > 0
