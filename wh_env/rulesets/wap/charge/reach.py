"""How far a charge has to go, and which side of its target it is made at (wap.charge.distance.measure, .side.*)."""

from __future__ import annotations

from collections.abc import Collection
from math import hypot, inf

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.near import near_polygon, near_rect
from wh_env.core.geometry.quarters import FRONT as AHEAD
from wh_env.core.geometry.quarters import LEFT as ON_THE_LEFT
from wh_env.core.geometry.quarters import REAR as BEHIND
from wh_env.core.geometry.quarters import RIGHT as ON_THE_RIGHT
from wh_env.core.geometry.quarters import quarter_shares
from wh_env.core.geometry.ranks import on_table_at
from wh_env.core.geometry.views import free_distance
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.blocks import block_distance, part_gap
from wh_env.rulesets.wap.codes import FRONT, IMPASSABLE, LEFT, QUARTERS, REAR, RIGHT
from wh_env.rulesets.wap.movement.going import depth_of, front_width
from wh_env.rulesets.wap.tables import PARTS

GROUND_MARK = -1
SIDE_OF_QUARTER = {AHEAD: FRONT, ON_THE_RIGHT: RIGHT, BEHIND: REAR, ON_THE_LEFT: LEFT}
BACKWARDS = (FRONT, LEFT, RIGHT, REAR)  # sides from the front to the rear
LOW_DIE = 3  # up to it the side nearer the front is charged


@kernel
def between(
    parts: Array, units: Array, ground: Array, corners: Array, u: int, target: int, near: Array, points: Array
) -> int:
    """Fill ``near`` and ``points`` with what may lie between two units: other units, impassable ground. Returns how many rows."""
    # whatever the way round it is, it does not touch a circle round both
    x = 0.5 * (units[u]["x"] + units[target]["x"])
    y = 0.5 * (units[u]["y"] + units[target]["y"])
    reach = 0.0
    for k in range(len(parts)):
        p = parts[k]
        if p["on_table"] == 1 and (p["unit"] == u or p["unit"] == target):
            reach = max(reach, hypot(p["x"] - x, p["y"] - y) + p["radius"])
    n = 0
    for k in range(len(parts)):
        p = parts[k]
        if p["on_table"] == 0 or p["unit"] == u or p["unit"] == target:
            continue
        if hypot(p["x"] - x, p["y"] - y) <= reach + p["radius"]:
            n = near_rect(near, points, n, p["x"], p["y"], p["facing"], p["half_a"], p["half_b"], 0.0, p["unit"])
    for b in range(len(ground)):
        piece = ground[b]
        if piece["passage"] == IMPASSABLE:
            n = near_polygon(near, points, n, corners, piece["first"], piece["count"], 0.0, GROUND_MARK)
    return n


@inner_kernel
def rect_corners(part: Array, corners: Array) -> None:
    """Write the corners of a rectangle, counter-clockwise."""
    x, y, f = float(part["x"]), float(part["y"]), float(part["facing"])
    half_a, half_b = float(part["half_a"]), float(part["half_b"])
    for k in range(4):
        a = half_a if k < 2 else -half_a
        b = half_b if k == 1 or k == 2 else -half_b
        corners[k, 0], corners[k, 1] = on_table_at(x, y, f, a, b)


@kernel
def free_gap(
    parts: Array, units: Array, u: int, target: int, near: Array, points: Array, n: int, one: Array, other: Array,
    tried: Array, line: Array,
) -> float:  # fmt: skip
    """The shortest line between bases of two units that crosses nothing of what is near, inf: there is none."""
    best = inf
    for i in range(units[u]["first_part"], units[u]["first_part"] + PARTS):
        if parts[i]["on_table"] == 0:
            continue
        rect_corners(parts[i], one)
        for j in range(units[target]["first_part"], units[target]["first_part"] + PARTS):
            if parts[j]["on_table"] == 0 or part_gap(parts[i], parts[j]) >= best:
                continue
            rect_corners(parts[j], other)
            best = min(best, free_distance(near, points, n, one, 4, other, 4, tried, line))
    return best


def gap_to(g: BattleCore, unit: int, target: int, *, ignoring: Collection[int] = ()) -> float:
    """Inches from a unit to another one that it charges: between their nearest points joined by a straight line that crosses no other unit and no
    impassable ground (wap.charge.distance.measure); inf: there is no such line, or one of them is not on the table.

    ``ignoring``: units that are looked through, as they may have moved away by then.
    """
    setup, work, u, parts = g.setup, g.work, g.units.rows, g.parts.rows
    near, points, line = work.ways.near, work.ways.points, work.sights.line
    n = between(parts, u, setup.statics["ground"], setup.corners, unit, target, near, points)
    n = without(near, n, ignoring)
    if n == 0:
        return float(block_distance(parts, u, unit, target))
    room = work.sights.room
    return float(free_gap(parts, u, unit, target, near, points, n, work.sights.rect, room[1], room[0], line))


def without(near: Array, n: int, marks: Collection[int]) -> int:
    """Take the rows of some units out of what is near; returns how many rows are left."""
    if not marks or n == 0:
        return n
    kept = [k for k, mark in enumerate(near["mark"][:n].tolist()) if mark not in marks]
    if len(kept) == n:
        return n
    near[: len(kept)] = near[kept]
    return len(kept)


# ---------------------------------------------------------------- sides


def sides_of_charge(g: BattleCore, unit: int, target: int) -> tuple[int, ...]:
    """The quarter of the target in which most of the unit's front rank stands, each model where its centre is (wap.charge.side.position, .straddle); where
    several hold as many, all of these, from the front to the rear."""
    u, m = g.units, g.models
    front = [k for k in g.members(unit) if m.rank[k] == 0]
    places = np.array([(m.x[k], m.y[k]) for k in front])
    shares = np.zeros(len(SIDE_OF_QUARTER))
    quarter_shares(
        u.x[target],
        u.y[target],
        u.facing[target],
        front_width(g, target),
        depth_of(g, target),
        places,
        len(front),
        shares,
    )
    most = shares.max()
    found = {side for quarter, side in SIDE_OF_QUARTER.items() if shares[quarter] >= most - 1e-9}
    return tuple(side for side in BACKWARDS if side in found)


def side_charged(g: BattleCore, unit: int, target: int) -> int:
    """The side of the target that the unit charges where both stand now: FRONT, RIGHT, REAR or LEFT. A tie is settled by a D6: 1-3 for the side nearer the
    front (wap.charge.side.straddle). To be asked when the charge is declared, and kept (wap.charge.side.timing)."""
    sides = sides_of_charge(g, unit, target)
    if len(sides) == 1:
        return sides[0]
    die = g.d6()
    side = sides[0] if die <= LOW_DIE else sides[-1]
    if g.recorder is not None:
        g.note("wap.charge.side.straddle", f"charges the {QUARTERS[side]}", unit=unit, target=target, die=die)
    return side
