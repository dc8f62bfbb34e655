"""Ways of skirmishers, model by model (wap.special.skirmishers.movement): where a block would run into something, its
models go round it, each with a way of its own from its place to its new one, which must not be longer than the move.

A model is a disc as wide as the narrow side of its base, that keeps what its unit keeps. This is for straight moves and
a wheel before them; the way of each model is measured from where it stands to where it ends.
"""

from __future__ import annotations

from math import inf

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.detours import length_of_way_past
from wh_env.core.geometry.ranks import lay_out
from wh_env.core.geometry.shapes import EPS
from wh_env.core.kernel import kernel
from wh_env.core.tables import Array
from wh_env.rulesets.wap.movement.going import MoveFrame, left_of
from wh_env.rulesets.wap.movement.plans import planned
from wh_env.rulesets.wap.ways.poses import Pose, lone
from wh_env.rulesets.wap.ways.survey import Way
from wh_env.rulesets.wap.ways.ways import may_end


@kernel
def longest_way(
    near: Array,
    points: Array,
    n: int,
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
    """Inches of the way of the model of unit ``u`` that has the longest from pose ``start`` (float64, 3) to ``end``;
    ``inf``: one has none of up to ``most``.
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
            near, points, n, r, old[k, 0], old[k, 1], new[k, 0], new[k, 1], most, spots, ring, marks
        )
        longest = max(longest, far)
        if longest == inf:
            break
    return longest


def goes_round(g: BattleCore, f: int) -> bool:
    """Whether the models of a unit go round what is in its way: skirmishers in loose formation on foot."""
    unit = MoveFrame.unit(g, f)
    return g.units.spacing[unit] > 0.0 and not MoveFrame.flies(g, f) and not lone(g, unit)


def way_round_to(g: BattleCore, unit: int, way: Way, start: Pose, end: Pose, most: float) -> float:
    """Inches of the longest way of a model of skirmishers from pose to pose, ``inf``: one has no way of up to ``most``
    inches, or they may not end there.
    """
    if not may_end(*way, *end, g.setup.length, g.setup.width):
        return inf
    room, (near, points, n, _, _) = g.work.ways, way
    return float(
        longest_way(
            near,
            points,
            n,
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
    """Mark further cells of a grid: those that skirmishers come to round what is in their way. ``work.ways.costs`` and
    ``.turns`` say how, as for the others.

    Args:
        grid: cells of a row.
        free: cells that they would come to on an empty table, what these cost, and the wheels there. mask: bool, those
            that they come to straight.
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
