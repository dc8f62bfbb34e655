"""Setting up one model by hand: the places of a grid where it can stand, on any surface.

``placement.place_fault_at`` decides what is legal; ``zone``, ``avoid`` and ``place`` are as there.
"""

from __future__ import annotations

from wh_env.core.geometry.paths import end_surfaces
from wh_env.core.geometry.placement import place_fault_at
from wh_env.core.geometry.shapes import member, member_count, within_reach_at
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import Array


@kernel
def spot_height(
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
    """The height of surface number ``level`` (0 the lowest) on which model ``i`` can stand at (x, y) with facing ``f``;
    -1 if there is none.

    ``heights``: float64 scratch, longer than ``level``.
    """
    if end_surfaces(models, blocks, corners, limits, i, x, y, f, heights[: level + 1]) > level:
        return float(heights[level])
    return -1.0


@inner_kernel
def linked_at(
    models: Array, units: Array, limits: Array, i: int, x: float, y: float, z: float, f: float, neighbours: int
) -> bool:
    """Whether model ``i`` at this pose would be within coherency distance of at least ``neighbours`` models of its unit
    on the table.
    """
    u = models[i]["unit"]
    count = 0
    if neighbours > 0:
        for k in range(member_count(units, u)):
            j = member(units, u, k)
            if j != i and models[j]["on_table"] == 1 and models[j]["unit"] == u:
                if within_reach_at(models, i, x, y, z, f, j, limits[0]["coherency"], limits[0]["coherency_z"]):
                    count += 1
    return count >= neighbours


@kernel
def spot_mask(
    models: Array,
    units: Array,
    blocks: Array,
    corners: Array,
    objectives: Array,
    limits: Array,
    targets: Array,
    zone: Array,
    avoid: Array,
    place: Array,
    i: int,
    f: float,
    level: int,
    neighbours: int,
    window: Array,
    grid: int,
    mask: Array,
    heights: Array,
) -> int:
    """Mark the cells of a grid in which model ``i`` can be set up on the surface ``level``; returns how many.

    Args:
        f: its facing. neighbours: models of its unit that must be within coherency distance.
        window: float64: ``x0``, ``y0``, ``step_x``, ``step_y``; cell ``row * grid + column`` is the place ``(x0 +
            column * step_x, y0 + row * step_y)``.
        mask: by cell, set to 0 or 1. heights: float64 scratch, longer than ``level``.
    """
    found = 0
    for c in range(grid * grid):
        x = window[0] + (c % grid) * window[2]
        y = window[1] + (c // grid) * window[3]
        mask[c] = 0
        z = spot_height(models, blocks, corners, limits, i, x, y, f, level, heights)
        if z < 0.0 or not linked_at(models, units, limits, i, x, y, z, f, neighbours):
            continue
        if (
            place_fault_at(models, blocks, corners, objectives, limits, targets, zone, avoid, place, i, x, y, z, f, -1)
            == 0
        ):
            mask[c] = 1
            found += 1
    return found
