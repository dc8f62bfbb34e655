"""Difficult Ground: a unit that moves over it loses 2" (w9.terrain.difficult-ground, .fly, .titanic,
w9.charge.difficult-ground).

A unit goes around it with its full distance, or over it with 2" less. Where models move one by one, the first model
that needs the full distance, or that crosses such a feature, binds the other models of its unit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import code, declared
from wh_env.core.geometry.shapes import EPS
from wh_env.core.setup import Setup
from wh_env.core.tables import Array, TableSpec
from wh_env.rulesets.w9.move.crossing import DIFFICULT, FLY, TITANIC, go_past, mark_past
from wh_env.rulesets.w9.move.slowed import BY_ALL, BY_HIGH, BY_NOTHING, LOW, slowing
from wh_env.rulesets.w40k.edition_parts import ways
from wh_env.rulesets.w40k.edition_parts.ways import Way, way_rows
from wh_env.rulesets.w40k.questions.move_limits import Arguments

LOSS = 2.0  # inches, and of a charge roll
ENDLESS = 1e4  # inches: no model climbs over such a block
FREE, AROUND, OVER = 0, 1, 2

GROUND, GROUND_BOUNDS = declared(
    [("way", "i4", code(FREE, AROUND, OVER))]  # the way that models already moved leave to the rest of the unit
)


def tables(units: int) -> Sequence[TableSpec]:
    """``ground``: see ``GROUND``. It is ``FREE`` for all units but the one whose models are being moved one by one."""
    return (TableSpec("ground", GROUND, units, GROUND_BOUNDS),)


class Ways(NamedTuple):
    """The ways past the features that slow a unit down: around them with 2" to spare, around them, over them."""

    spared: Way
    around: Way
    over: Way


class Obstacles(NamedTuple):
    """What stands in the way of units that move as one.

    Attributes:
        walls: rows of ``BLOCK`` for units that every feature of Difficult Ground slows down.
        high_walls: the same for units that only high features slow down.
        ways: two rows of ``WAY``: around the features, over them.
    """

    walls: Array
    high_walls: Array
    ways: Array


def walls(features: Array, corners: Array, kind: np.dtype[Any], above: float) -> Array:
    """Solid blocks of endless height (rows of ``BLOCK``) on the footprints of Difficult Ground higher than ``above``
    inches.
    """
    found: Array = np.zeros(len(features), kind)
    count = 0
    for f, feature in enumerate(features):
        if not int(feature["traits"]) & DIFFICULT or feature["height"] <= above:
            continue
        first, many = int(feature["first"]), int(feature["count"])
        outline, wall = corners[first : first + many], found[count]
        wall["min_x"], wall["min_y"] = outline.min(axis=0)
        wall["max_x"], wall["max_y"] = outline.max(axis=0)
        wall["z_high"] = ENDLESS
        wall["first"], wall["count"], wall["feature"] = first, many, f
        wall["solid"] = 1
        count += 1
    return found[:count]


def ways_past(setup: Setup) -> Mapping[int, Ways]:
    """The ``Ways`` of a unit, keyed by what slows it down (``BY_ALL``, ``BY_HIGH``)."""
    table = {}
    for slowed, above in ((BY_ALL, -1.0), (BY_HIGH, LOW + EPS)):
        more = walls(setup.features, setup.corners, setup.blocks.dtype, above)
        solid = np.frombuffer(setup.blocks.tobytes() + more.tobytes(), setup.blocks.dtype)
        spared, around = Way(solid, LOSS, FREE, on_foot=True), Way(solid, 0.0, AROUND, on_foot=True)
        table[slowed] = Ways(spared, around, Way(setup.blocks, LOSS, OVER, on_foot=False))
    return table


def obstacles(setup: Setup) -> Obstacles:
    """The ``Obstacles`` of a battlefield."""
    table = ways_past(setup)
    every, high = table[BY_ALL], table[BY_HIGH]
    return Obstacles(every.around.blocks, high.around.blocks, way_rows(every.around, every.over))


class DifficultGround(ways.Ground):
    """Moves and charges past Difficult Ground (w9.terrain.difficult-ground, w9.charge.difficult-ground)."""

    def mark_cells(self, g: BattleCore, unit: int, limits: Array, cells: Array) -> int:
        work = g.work
        return int(work.call(mark_past, *_among(g, unit, limits), cells, work.scratch, work.marks))

    def move_together(self, g: BattleCore, unit: int, limits: Array, cell: int) -> int:
        work = g.work
        return int(work.call(go_past, *_among(g, unit, limits), cell, work.trail, work.scratch, work.marks))

    def ways(self, g: BattleCore, unit: int, reach: float, *, by_model: bool = False) -> tuple[Way, ...]:
        setup = g.setup
        tables: Arguments = (g.models.rows, g.units.rows, setup.features, setup.corners)
        slowed = g.work.call(slowing, *tables, unit, float(reach), DIFFICULT, FLY, TITANIC)
        if slowed == BY_NOTHING:
            return ()
        spared, around, over = g.work.about(setup, ways_past)[slowed]
        if not by_model:
            return around, over
        bound = g.ground.way[unit]
        if bound == AROUND:
            return (around,)
        if bound == OVER:
            return (over,)
        # a model that goes around with 2" to spare leaves the others of its unit free
        return spared, around, over

    def went(self, g: BattleCore, unit: int, way: Way) -> None:
        if way.leaves != FREE:
            g.ground.way[unit] = way.leaves
        if way.leaves == OVER and g.recorder is not None:
            g.note("w9.terrain.difficult-ground", "over Difficult Ground", unit=unit)

    def charged(self, g: BattleCore, unit: int, way: Way) -> None:
        """The 2" that the charge roll loses are taken off the charge distance too (w9.glossary.charge-distance)."""
        if way.less:
            g.combat.charge_distance[unit] = max(0, g.combat.charge_distance[unit] - int(way.less))
            if g.recorder is not None:
                distance = g.combat.charge_distance[unit]
                g.note("w9.charge.difficult-ground", "charge distance", unit=unit, result=distance)


def _among(g: BattleCore, unit: int, limits: Array) -> Arguments:
    """The leading arguments of ``mark_past`` and ``go_past``, in order."""
    setup, work = g.setup, g.work
    past = work.about(setup, obstacles)
    return (
        g.models.rows,
        g.units.rows,
        setup.features,
        setup.corners,
        g.objectives.rows,
        setup.blocks,
        past.walls,
        past.high_walls,
        limits,
        work.no_targets,
        past.ways,
        unit,
        setup.space.grid,
    )
