"""Fortifications: units that are terrain features at the same time, and where they are set up (deploy.fortification)."""

from __future__ import annotations

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.placement import formation_offsets, gather_alive, zone_cell
from wh_env.core.geometry.shapes import EPS, gap_at, polygon_gap_at
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import ON_TABLE, Array
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.profiles import Keyword

FORTIFICATION = int(Keyword.FORTIFICATION)
HILL = "hill"


def is_fortification(g: BattleCore, unit: int) -> bool:
    """Whether the unit is terrain that is part of an army."""
    return bool(g.units.keywords[unit] & FORTIFICATION)


def restricted(g: BattleCore, unit: int) -> bool:
    """Whether the unit cannot be set up near terrain features."""
    return bool(edition(g).placing.from_features) and is_fortification(g, unit)


def terrain_features(g: BattleCore) -> tuple[list[int], list[int]]:
    """The terrain features of the battlefield: rows of those that belong to nobody, and of the units that are (army.fortifications)."""
    place = g.units.place
    return list(range(len(g.setup.features))), [
        unit for unit in range(len(place)) if place[unit] == ON_TABLE and is_fortification(g, unit)
    ]


def others(g: BattleCore, unit: int) -> tuple[Array, Array]:
    """Which features (uint8 by row) and which models the Fortification has to keep away from: all but hills and its own parts."""
    features, units = terrain_features(g)
    hill = g.setup.names["terrain"].index(HILL)
    rows = np.zeros(len(features), np.uint8)
    rows[g.setup.features["kind"] != hill] = 1
    models = np.zeros(len(g.models.rows), np.uint8)
    for row in units:
        if row != unit:
            models[list(g.members(row))] = 1
    return rows, models


@inner_kernel
def near_terrain_at(
    models: Array, features: Array, corners: Array, i: int, x: float, y: float, f: float, far: float, near_features: Array,
    near_models: Array,
) -> bool:  # fmt: skip
    """True if model ``i`` at this pose is within ``far`` inches, horizontally, of one of these features or models."""
    for k in range(len(features)):
        if near_features[k] != 0:
            if polygon_gap_at(models, i, x, y, f, corners, features[k]["first"], features[k]["count"]) <= far + EPS:
                return True
    for j in range(len(models)):
        if near_models[j] != 0:
            q = models[j]
            if gap_at(models, i, x, y, f, j, q["x"], q["y"], q["facing"]) <= far + EPS:
                return True
    return False


@kernel
def cells_off_terrain(
    models: Array, units: Array, features: Array, corners: Array, limits: Array, u: int, zone: Array, place: Array, facing: float,
    grid: int, far: float, near_features: Array, near_models: Array, mask: Array, scratch: Array, marks: Array,
) -> int:  # fmt: skip
    """Take out of a mask of ``place_mask`` the cells where a model would stand too near to terrain; returns how many are left."""
    n = gather_alive(models, units, u, marks)
    offsets = scratch[: 2 * n].reshape((n, 2))
    formation_offsets(models, marks, n, facing, place[0]["gap"], place[0]["columns"], offsets)
    left = 0
    for cell in range(grid * grid):
        if mask[cell] == 0:
            continue
        x, y = zone_cell(zone, limits, grid, grid, cell)
        for k in range(n):
            px = x + offsets[k, 0]
            py = y + offsets[k, 1]
            if near_terrain_at(models, features, corners, marks[k], px, py, facing, far, near_features, near_models):
                mask[cell] = 0
                break
        left += mask[cell]
    return left


@kernel
def spots_off_terrain(
    models: Array, features: Array, corners: Array, i: int, f: float, window: Array, grid: int, far: float, near_features: Array,
    near_models: Array, mask: Array,
) -> int:  # fmt: skip
    """Take out of a mask of ``spot_mask`` the cells where the model would stand too near to terrain; returns how many are left."""
    left = 0
    for c in range(grid * grid):
        if mask[c] == 0:
            continue
        x = window[0] + (c % grid) * window[2]
        y = window[1] + (c // grid) * window[3]
        if near_terrain_at(models, features, corners, i, x, y, f, far, near_features, near_models):
            mask[c] = 0
        left += mask[c]
    return left
