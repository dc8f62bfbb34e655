"""Enemy models that keep Reinforcements away farther than the rules by which these arrive (rare.prevent-reinforcements)."""

from __future__ import annotations

from math import hypot

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.placement import formation_offsets, gather_alive, zone_cell
from wh_env.core.geometry.shapes import EPS, gap_at
from wh_env.core.geometry.spots import spot_height
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.edition import edition


def kept_clear(g: BattleCore, unit: int) -> Array | None:
    """By model row how many inches the model keeps the arriving unit away (float64, 0: not at all); None if none does."""
    if not g.setup.statics["powers"]["arrivals"]:
        return None
    powers, bearers = edition(g).power_rows(g, "arrivals")
    far = np.zeros(len(g.models.rows), np.float64)
    for power in powers:
        named = not power["keyword"] or int(power["keyword"]) & g.units.keywords[unit]
        if power["owner"] != g.units.owner[unit] and power["enemies"] and named:
            own = bearers[power["first"] : power["first"] + power["count"]]
            far[own] = np.maximum(far[own], power["reach"])
    far[g.models.rows["on_table"] == 0] = 0.0
    return far if far.any() else None


@inner_kernel
def too_near_at(models: Array, i: int, x: float, y: float, z: float, f: float, far: Array) -> bool:
    """True if a model keeps model ``i`` away from this pose, in a straight line between the lowest points of both."""
    for j in range(len(models)):
        if far[j] > 0.0:
            q = models[j]
            if hypot(gap_at(models, i, x, y, f, j, q["x"], q["y"], q["facing"]), q["z"] - z) <= far[j] + EPS:
                return True
    return False


@kernel
def clear_cells(
    models: Array, units: Array, limits: Array, u: int, zone: Array, place: Array, facing: float, grid: int, far: Array, mask: Array,
    scratch: Array, marks: Array,
) -> int:  # fmt: skip
    """Take out of a mask of ``place_mask`` the cells where a model of the formation would be kept away; returns how many are left."""
    n = gather_alive(models, units, u, marks)
    offsets = scratch[: 2 * n].reshape((n, 2))
    formation_offsets(models, marks, n, facing, place[0]["gap"], place[0]["columns"], offsets)
    left = 0
    for cell in range(grid * grid):
        if mask[cell] == 0:
            continue
        x, y = zone_cell(zone, limits, grid, grid, cell)
        for k in range(n):
            if too_near_at(models, marks[k], x + offsets[k, 0], y + offsets[k, 1], 0.0, facing, far):
                mask[cell] = 0
                break
        left += mask[cell]
    return left


@kernel
def clear_spots(
    models: Array, blocks: Array, corners: Array, limits: Array, i: int, f: float, level: int, window: Array, grid: int, far: Array,
    mask: Array, heights: Array,
) -> int:  # fmt: skip
    """Take out of a mask of ``spot_mask`` the cells where the model would be kept away; returns how many are left."""
    left = 0
    for c in range(grid * grid):
        if mask[c] == 0:
            continue
        x = window[0] + (c % grid) * window[2]
        y = window[1] + (c // grid) * window[3]
        z = spot_height(models, blocks, corners, limits, i, x, y, f, level, heights)
        if too_near_at(models, i, x, y, z, f, far):
            mask[c] = 0
        left += mask[c]
    return left
