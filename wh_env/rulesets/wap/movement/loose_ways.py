"""Ways of skirmishers, model by model (wap.special.skirmishers.movement): where an obstacle stops the block, its models
go round it. Each goes from its old place to its new one, by a way no longer than the move.

A model is taken as a disc as wide as the narrow side of its base, with the margins of its unit. This covers straight
moves, and a wheel before them.
"""

from __future__ import annotations

from math import inf

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.detours import length_of_way_past
from wh_env.core.geometry.near import Way
from wh_env.core.geometry.ranks import lay_out
from wh_env.core.geometry.shapes import EPS
from wh_env.core.kernel import kernel
from wh_env.core.tables import Array
from wh_env.rulesets.wap.movement.going import MoveFrame, left_of
from wh_env.rulesets.wap.movement.plans import planned
from wh_env.rulesets.wap.ways.poses import Pose, lone
from wh_env.rulesets.wap.ways.through import on_the_way
from wh_env.rulesets.wap.ways.ways import may_end


@kernel
def longest_way(
    way: Way,
    units: Array,
    u: int,
    start: Array,
    end: Array,
    most: float,
    old: Array,
    new: Array,
    spots: Array,
    ring: Array,
    marks: Array,
) -> float:
    """The longest of the ways, in inches, that the models of unit ``u`` go from pose ``start`` (float64, 3) to pose
    ``end``. ``inf``: a model has no way of at most ``most`` inches.
    """
    unit = units[u]
    count = unit["block"]
    a = unit["base_a"]
    b = unit["base_b"]
    lay_out(count, unit["files"], a, b, unit["spacing"], start[0], start[1], start[2], old)
    lay_out(count, unit["files"], a, b, unit["spacing"], end[0], end[1], end[2], new)
    r = min(a, b)
    longest = 0.0
    for k in range(count):
        far = length_of_way_past(
            way.near, way.points, way.n, r, old[k, 0], old[k, 1], new[k, 0], new[k, 1], most, spots, ring, marks
        )
        longest = max(longest, far)
        if longest == inf:
            break
    return longest


def goes_round(g: BattleCore, f: int) -> bool:
    """Whether the models of the unit go round obstacles: skirmishers in loose formation on foot."""
    unit = MoveFrame.unit(g, f)
    return g.units.spacing[unit] > 0.0 and not MoveFrame.flies(g, f) and not lone(g, unit)


def way_round_to(g: BattleCore, unit: int, way: Way, start: Pose, end: Pose, most: float) -> float:
    """Inches of the longest way that a model of the skirmishers goes from one pose of the block to another. ``inf``: a
    model has no way of at most ``most`` inches, or the block may not end there.
    """
    if not g.work.call(may_end, way, *end, g.setup.length, g.setup.width):
        return inf
    room = g.work.ways
    return float(
        g.work.call(
            longest_way,
            on_the_way(way),
            g.units.rows,
            unit,
            np.array(start),
            np.array(end),
            most + EPS,
            room.old,
            room.new,
            room.spots,
            room.ring,
            room.marks,
        )
    )


def add_detours(g: BattleCore, f: int, way: Way, grid: int, free: tuple[Array, Array, Array], mask: Array) -> int:
    """Mark further cells of a grid: those that skirmishers reach only by going round obstacles. Write their costs and
    wheels to ``work.ways.costs`` and ``.turns``. Returns how many cells are marked in all.

    Args:
        way: the obstacles near the unit.
        grid: cells of a row.
        free: the cells that they would reach on an empty table (bool), their costs (inches) and wheels (radians).
        mask: bool, the cells that they reach straight.
    """
    unit, room, start, left = MoveFrame.unit(g, f), g.work.ways, planned(g, MoveFrame.unit(g, f)), left_of(g, f)
    x0, y0, step, _ = room.window.tolist()
    cells, costs, turns = free
    for cell in np.flatnonzero(cells & ~mask[: grid * grid]).tolist():
        end = (x0 + cell % grid * step, y0 + cell // grid * step, start[2] + float(turns[cell]))
        far = way_round_to(g, unit, way, start, end, left)
        if far < inf:
            mask[cell], room.turns[cell] = True, turns[cell]
            room.costs[cell] = max(far, float(costs[cell]))
    return int(np.count_nonzero(mask))
