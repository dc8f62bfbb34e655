"""Difficult Ground: who moves over it loses 2" (w9.terrain.difficult-ground, .fly, .titanic, w9.charge.difficult-ground).

A unit goes around it with its full distance, or anywhere with 2" less. Where models move one by one the first that needs
the full distance, or that crosses such a feature, binds the others.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import code, declared
from wh_env.core.frozen import frozen
from wh_env.core.geometry.shapes import EPS
from wh_env.core.tables import Array, TableSpec
from wh_env.rulesets.w40k.move import ways
from wh_env.rulesets.w40k.move.ways import Way
from wh_env.rulesets.w40k.profiles import Keyword
from wh_env.rulesets.w40k.terrain.cover import Trait

LOSS = 2.0  # inches, and of a charge roll
LOW = 3.0  # inches: what is no higher does not slow down TITANIC units
ENDLESS = 1e4  # inches: nobody climbs over what must be gone around
FREE, AROUND, OVER = 0, 1, 2

GROUND, GROUND_BOUNDS = declared(
    [("way", "i4", code(FREE, AROUND, OVER))]  # what the models that have moved leave to the others of a unit
)


def tables(units: int) -> Sequence[TableSpec]:
    """``ground``: see ``GROUND``; ``FREE`` but for the unit whose models are moved one by one."""
    return (TableSpec("ground", GROUND, units, GROUND_BOUNDS),)


def slowing(g: BattleCore, unit: int) -> Array:
    """Rows of the features that slow the unit down if it moves over them."""
    features = g.setup.features
    difficult = (features["traits"] & np.uint64(Trait.DIFFICULT_GROUND)) != 0
    if not difficult.any():
        return np.zeros(0, np.int64)
    keywords = [g.models.keywords[k] for k in g.members(unit)]
    if all(word & int(Keyword.FLY) for word in keywords):
        difficult[:] = False
    elif all(word & int(Keyword.TITANIC) for word in keywords):
        difficult &= features["height"] > LOW + EPS
    return np.flatnonzero(difficult)


def walls(g: BattleCore, features: Array) -> Array:
    """Solid blocks of endless height on the footprints of these features (rows), as rows of ``BLOCK``."""
    setup = g.setup
    blocks: Array = np.zeros(len(features), setup.blocks.dtype)
    for block, f in zip(blocks, features.tolist(), strict=True):
        feature = setup.features[f]
        first, count = int(feature["first"]), int(feature["count"])
        outline = setup.corners[first : first + count]
        block["min_x"], block["min_y"] = outline.min(axis=0)
        block["max_x"], block["max_y"] = outline.max(axis=0)
        block["z_low"], block["z_high"] = 0.0, ENDLESS
        block["first"], block["count"], block["feature"] = first, count, f
        block["solid"] = 1
    return blocks


def in_reach(g: BattleCore, unit: int, blocks: Array, reach: float) -> Array:
    """Those of the blocks that some model of the unit may come to within ``reach`` inches."""
    rows = g.models.rows[[k for k in g.members(unit) if g.models.on_table[k]]]
    if not len(rows):
        return blocks[:0]
    far = reach + rows["radius"].max() + EPS
    near = (blocks["min_x"] <= rows["x"].max() + far) & (blocks["max_x"] >= rows["x"].min() - far)
    near &= (blocks["min_y"] <= rows["y"].max() + far) & (blocks["max_y"] >= rows["y"].min() - far)
    found: Array = blocks[near]
    return found


class DifficultGround(ways.Ground):
    """w9.terrain.difficult-ground, w9.charge.difficult-ground."""

    def ways(self, g: BattleCore, unit: int, reach: float, *, by_model: bool = False) -> tuple[Way, ...]:
        features = slowing(g, unit)
        if not len(features):
            return ()
        near = in_reach(g, unit, walls(g, features), reach)
        if not len(near):
            return ()
        solid = frozen(np.concatenate([g.setup.blocks, near]))
        around = Way(solid, 0.0, AROUND, on_foot=True)
        over = Way(g.setup.blocks, LOSS, OVER, on_foot=False)
        if not by_model:
            return around, over
        bound = g.ground.way[unit]
        if bound == AROUND:
            return (around,)
        if bound == OVER:
            return (over,)
        # who goes around with 2" to spare leaves the others free
        return Way(solid, LOSS, FREE, on_foot=True), around, over

    def went(self, g: BattleCore, unit: int, way: Way) -> None:
        if way.leaves != FREE:
            g.ground.way[unit] = way.leaves
        if way.leaves == OVER and g.recorder is not None:
            g.note("w9.terrain.difficult-ground", "over Difficult Ground", unit=unit)
