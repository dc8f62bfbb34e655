"""Kernels for a unit that moves as one and that Difficult Ground slows down: its cells and its path
(w9.terrain.difficult-ground).
"""

from __future__ import annotations

from wh_env.core.geometry.board import Board
from wh_env.core.geometry.rigid import rigid_apply_in_window, rigid_mask_in_window
from wh_env.core.geometry.straight_moves import unit_allowance
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import Array
from wh_env.rulesets.w9.move.slowed import BY_ALL, BY_NOTHING, slowing
from wh_env.rulesets.w40k.edition_parts.way_limits import limits_on
from wh_env.rulesets.w40k.profiles import Keyword
from wh_env.rulesets.w40k.terrain.cover import Trait

DIFFICULT, FLY, TITANIC = int(Trait.DIFFICULT_GROUND), int(Keyword.FLY), int(Keyword.TITANIC)


@inner_kernel
def _open_ways(
    models: Array, units: Array, features: Array, corners: Array, unit: int, reach: float, ways: Array
) -> tuple[int, int]:
    """Returns what slows the unit down (see ``slowing``) and how many of the ``ways``, from the first on, leave it any
    distance to move; 0 ways if nothing slows it down. ``reach``: its allowance, inches.
    """
    slowed = slowing(models, units, features, corners, unit, reach, DIFFICULT, FLY, TITANIC)
    count = 0
    while slowed != BY_NOTHING and count < len(ways) and ways[count]["less"] < reach:
        count += 1
    return slowed, count


@kernel
def mark_past(
    models: Array,
    units: Array,
    features: Array,
    corners: Array,
    objectives: Array,
    blocks: Array,
    walls: Array,
    high_walls: Array,
    limits: Array,
    targets: Array,
    ways: Array,
    unit: int,
    grid: int,
    mask: Array,
    scratch: Array,
    marks: Array,
) -> int:
    """Mark in ``mask`` the cells that a unit can move to as one, as ``rigid_mask`` does; returns how many.

    ``ways``: two rows of ``WAY``. The first goes past ``walls``, the footprints of all Difficult Ground (or past
    ``high_walls``, of high features only), the second past the ``blocks`` of the battlefield only. A cell counts if
    either way leads there.
    """
    reach = unit_allowance(models, units, limits, unit)
    slowed, count = _open_ways(models, units, features, corners, unit, reach, ways)
    if count == 0:
        board = Board(models, units, blocks, corners, objectives, limits, targets)
        return rigid_mask_in_window(board, unit, grid, reach, blocks, limits, 1, mask, scratch, marks)
    past = walls if slowed == BY_ALL else high_walls
    around = limits_on(limits, ways[0]["less"], ways[0]["on_foot"] != 0)
    over = limits_on(limits, ways[1]["less"], ways[1]["on_foot"] != 0)
    first = Board(models, units, past, corners, objectives, around, targets)
    return rigid_mask_in_window(first, unit, grid, reach, blocks, over, count, mask, scratch, marks)


@kernel
def go_past(
    models: Array,
    units: Array,
    features: Array,
    corners: Array,
    objectives: Array,
    blocks: Array,
    walls: Array,
    high_walls: Array,
    limits: Array,
    targets: Array,
    ways: Array,
    unit: int,
    grid: int,
    cell: int,
    trail: Array,
    scratch: Array,
    marks: Array,
) -> int:
    """Move the unit as one to a cell of ``mark_past``, as ``rigid_apply`` does, on the first way that leads there.
    Returns the number of points written to ``trail``, -1 if no way leads there.
    """
    reach = unit_allowance(models, units, limits, unit)
    slowed, count = _open_ways(models, units, features, corners, unit, reach, ways)
    if count == 0:
        board = Board(models, units, blocks, corners, objectives, limits, targets)
        return rigid_apply_in_window(board, unit, grid, reach, cell, trail, scratch, marks)
    for way in range(count):
        past = (walls if slowed == BY_ALL else high_walls) if way == 0 else blocks
        own = limits_on(limits, ways[way]["less"], ways[way]["on_foot"] != 0)
        around = Board(models, units, past, corners, objectives, own, targets)
        points = rigid_apply_in_window(around, unit, grid, reach, cell, trail, scratch, marks)
        if points >= 0:
            return points
    return -1
