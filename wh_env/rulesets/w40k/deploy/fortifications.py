"""Fortifications: units that are also terrain features, and where they may be set up (deploy.fortification)."""

from __future__ import annotations

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import EPS, gap_at, polygon_gap_at
from wh_env.core.kernel import kernel
from wh_env.core.tables import ON_TABLE, Array
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.profiles import Keyword

FORTIFICATION = int(Keyword.FORTIFICATION)
HILL = "hill"


def is_fortification(g: BattleCore, unit: int) -> bool:
    """Whether the unit is a terrain feature that belongs to an army."""
    return bool(g.units.keywords[unit] & FORTIFICATION)


def restricted(g: BattleCore, unit: int) -> bool:
    """Whether the unit must be set up away from terrain features."""
    return is_fortification(g, unit) and bool(edition(g).placing.from_features)


def terrain_features(g: BattleCore) -> tuple[list[int], list[int]]:
    """Rows of the battlefield's own terrain features, and rows of the Fortification units on it
    (army.fortifications).
    """
    place = g.units.place
    return list(range(len(g.setup.features))), [
        unit for unit in range(len(place)) if place[unit] == ON_TABLE and is_fortification(g, unit)
    ]


def others(g: BattleCore, unit: int) -> tuple[Array, Array]:
    """The features and the models that the Fortification must keep away from, as two uint8 arrays by row: all features
    but hills, and all models of other Fortifications.
    """
    features, units = terrain_features(g)
    hill = g.setup.names["terrain"].index(HILL)
    rows = np.zeros(len(features), np.uint8)
    rows[g.setup.features["kind"] != hill] = 1
    models = np.zeros(len(g.models.rows), np.uint8)
    for row in units:
        if row != unit:
            models[list(g.members(row))] = 1
    return rows, models


@kernel
def near_terrain_at(
    models: Array,
    features: Array,
    corners: Array,
    i: int,
    x: float,
    y: float,
    f: float,
    far: float,
    near_features: Array,
    near_models: Array,
) -> bool:
    """True if model ``i`` at this pose is within ``far`` inches, horizontally, of a feature or model whose flag
    is set.
    """
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
