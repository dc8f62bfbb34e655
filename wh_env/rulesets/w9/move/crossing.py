"""A unit that moves as one among terrain that slows it down: kernels that weigh its ways (w9.terrain.difficult-ground)."""

from __future__ import annotations

from wh_env.core.geometry.rigid import rigid_apply_in_window, rigid_mask_in_window, unit_allowance
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
    """What slows the unit down (``slowing``), and on how many of the ``ways``, the first ones, it gets anywhere then."""
    slowed = slowing(models, units, features, corners, unit, reach, DIFFICULT, FLY, TITANIC)
    count = 0
    while slowed != BY_NOTHING and count < len(ways) and ways[count]["less"] < reach:
        count += 1
    return slowed, count


@kernel
def mark_past(
    models: Array, units: Array, features: Array, corners: Array, objectives: Array, blocks: Array, walls: Array, high_walls: Array,
    limits: Array, targets: Array, ways: Array, unit: int, grid: int, mask: Array, scratch: Array, marks: Array,
) -> int:  # fmt: skip
    """``rigid_mask`` of a unit with two ``ways`` (rows of ``WAY``): past the ``walls`` round what slows it down (``high_walls``: round high
    features alone), or past the ``blocks`` of the battlefield only."""
    reach = unit_allowance(models, units, limits, unit)
    slowed, count = _open_ways(models, units, features, corners, unit, reach, ways)
    if count == 0:
        return rigid_mask_in_window(
            models, units, blocks, corners, objectives, limits, targets, unit, grid, reach, blocks, limits, 1, mask, scratch, marks
        )  # fmt: skip
    past = walls if slowed == BY_ALL else high_walls
    around = limits_on(limits, ways[0]["less"], ways[0]["on_foot"] != 0)
    over = limits_on(limits, ways[1]["less"], ways[1]["on_foot"] != 0)
    return rigid_mask_in_window(
        models, units, past, corners, objectives, around, targets, unit, grid, reach, blocks, over, count, mask, scratch, marks
    )  # fmt: skip


@kernel
def go_past(
    models: Array, units: Array, features: Array, corners: Array, objectives: Array, blocks: Array, walls: Array, high_walls: Array,
    limits: Array, targets: Array, ways: Array, unit: int, grid: int, cell: int, trail: Array, scratch: Array, marks: Array,
) -> int:  # fmt: skip
    """``rigid_apply`` to a cell of ``mark_past``, on the first way that leads there."""
    reach = unit_allowance(models, units, limits, unit)
    slowed, count = _open_ways(models, units, features, corners, unit, reach, ways)
    if count == 0:
        return rigid_apply_in_window(
            models, units, blocks, corners, objectives, limits, targets, unit, grid, reach, cell, trail, scratch, marks
        )
    for way in range(count):
        past = (walls if slowed == BY_ALL else high_walls) if way == 0 else blocks
        own = limits_on(limits, ways[way]["less"], ways[way]["on_foot"] != 0)
        points = rigid_apply_in_window(
            models, units, past, corners, objectives, own, targets, unit, grid, reach, cell, trail, scratch, marks
        )
        if points >= 0:
            return points
    return -1
