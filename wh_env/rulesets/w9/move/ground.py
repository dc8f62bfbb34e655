"""Difficult Ground: who moves over it loses 2" (w9.terrain.difficult-ground, .fly, .titanic, w9.charge.difficult-ground).

A unit goes around it with its full distance, or anywhere with 2" less. Where models move one by one the first that needs
the full distance, or that crosses such a feature, binds the others.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import code, declared
from wh_env.core.tables import Array, TableSpec
from wh_env.rulesets.w9.move.slowed import slowing
from wh_env.rulesets.w40k.move import ways
from wh_env.rulesets.w40k.move.limits import Arguments
from wh_env.rulesets.w40k.move.ways import Way
from wh_env.rulesets.w40k.profiles import Keyword
from wh_env.rulesets.w40k.terrain.cover import Trait

LOSS = 2.0  # inches, and of a charge roll
DIFFICULT, FLY, TITANIC = int(Trait.DIFFICULT_GROUND), int(Keyword.FLY), int(Keyword.TITANIC)
FREE, AROUND, OVER = 0, 1, 2

GROUND, GROUND_BOUNDS = declared(
    [("way", "i4", code(FREE, AROUND, OVER))]  # what the models that have moved leave to the others of a unit
)


def tables(units: int) -> Sequence[TableSpec]:
    """``ground``: see ``GROUND``; ``FREE`` but for the unit whose models are moved one by one."""
    return (TableSpec("ground", GROUND, units, GROUND_BOUNDS),)


def walls(g: BattleCore, unit: int, reach: float) -> Array:
    """Solid blocks of endless height (rows of ``BLOCK``) on the footprints of the features within ``reach`` inches that slow the unit
    down."""
    setup = g.setup
    blocks: Array = np.zeros(len(setup.features), setup.blocks.dtype)
    if not len(blocks):
        return blocks
    tables: Arguments = (g.models.rows, g.units.rows, setup.features, setup.corners)
    count = g.work.call(slowing, *tables, unit, float(reach), DIFFICULT, FLY, TITANIC, blocks)
    return blocks[:count]


def joined(blocks: Array, more: Array) -> Array:
    """Both, one after the other, frozen."""
    return np.frombuffer(blocks.tobytes() + more.tobytes(), blocks.dtype)


class DifficultGround(ways.Ground):
    """w9.terrain.difficult-ground, w9.charge.difficult-ground."""

    def ways(self, g: BattleCore, unit: int, reach: float, *, by_model: bool = False) -> tuple[Way, ...]:
        near = walls(g, unit, reach)
        if not len(near):
            return ()
        solid = joined(g.setup.blocks, near)
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
