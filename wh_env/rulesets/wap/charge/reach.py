"""How far a charge has to go, and at which side of its target it arrives (wap.charge.distance.measure, .side.*)."""

from __future__ import annotations

from collections.abc import Collection
from math import hypot, inf
from types import MappingProxyType

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.near import near_polygon, near_rect
from wh_env.core.geometry.quarters import FRONT as AHEAD
from wh_env.core.geometry.quarters import LEFT as ON_THE_LEFT
from wh_env.core.geometry.quarters import REAR as BEHIND
from wh_env.core.geometry.quarters import RIGHT as ON_THE_RIGHT
from wh_env.core.geometry.quarters import quarter_shares
from wh_env.core.geometry.ranks import on_table_at
from wh_env.core.geometry.views import short_free_line
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.blocks import block_distance, front_span, part_gap
from wh_env.rulesets.wap.basics.garrisons import is_building_of
from wh_env.rulesets.wap.basics.ground import with_trait
from wh_env.rulesets.wap.basics.leaving_by_charge import left_by, without
from wh_env.rulesets.wap.basics.obstacles import parts_with_wall, wall_before
from wh_env.rulesets.wap.basics.passage import ground_to_cross
from wh_env.rulesets.wap.codes import FRONT, IMPASSABLE, LEFT, QUARTERS, REAR, RIGHT
from wh_env.rulesets.wap.tables import PARTS

GROUND_MARK = -1
QUARTER_OF_SIDE = MappingProxyType({FRONT: AHEAD, RIGHT: ON_THE_RIGHT, REAR: BEHIND, LEFT: ON_THE_LEFT})
BACKWARDS = (FRONT, LEFT, RIGHT, REAR)  # sides from the front to the rear
LOW_DIE = 3  # on a D6 up to it, the side nearer the front is charged


@kernel
def between(
    parts: Array, units: Array, ground: Array, corners: Array, u: int, target: int, near: Array, points: Array
) -> int:
    """Fill ``near`` and ``points`` with what may lie between units ``u`` and ``target``: other units and impassable
    ground. Returns how many rows.
    """
    # whatever does not touch a circle round both units does not lie between them
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
        if p["on_table"] == 0 or p["unit"] == u or p["unit"] == target or units[p["unit"]]["garrison"] >= 0:
            continue
        if hypot(p["x"] - x, p["y"] - y) <= reach + p["radius"]:
            n = near_rect(near, points, n, p["x"], p["y"], p["facing"], p["half_a"], p["half_b"], 0.0, p["unit"])
    for b in range(len(ground)):
        piece = ground[b]
        if piece["passage"] == IMPASSABLE and not is_building_of(units, piece, u, target):
            n = near_polygon(near, points, n, corners, piece["first"], piece["count"], 0.0, GROUND_MARK)
    return n


@inner_kernel
def rect_corners(part: Array, corners: Array) -> None:
    """Write the corners of a rectangle to ``corners`` (4 x 2), counter-clockwise."""
    x, y, f = float(part["x"]), float(part["y"]), float(part["facing"])
    half_a, half_b = float(part["half_a"]), float(part["half_b"])
    for k in range(4):
        a = half_a if k < 2 else -half_a
        b = half_b if k == 1 or k == 2 else -half_b
        corners[k, 0], corners[k, 1] = on_table_at(x, y, f, a, b)


@kernel
def free_gap(
    parts: Array, units: Array, u: int, target: int, near: Array, points: Array, n: int, one: Array, other: Array,
    enough: float, tried: Array, line: Array,
) -> float:  # fmt: skip
    """Inches of the shortest line between the bases of units ``u`` and ``target`` that crosses none of the ``n`` rows
    of ``near``; inf: there is none. The search stops at a line of at most ``enough`` inches. ``one``, ``other``,
    ``tried``, ``line`` are scratch memory.
    """
    best = inf
    for i in range(units[u]["first_part"], units[u]["first_part"] + PARTS):
        if parts[i]["on_table"] == 0:
            continue
        rect_corners(parts[i], one)
        for j in range(units[target]["first_part"], units[target]["first_part"] + PARTS):
            if parts[j]["on_table"] == 0 or part_gap(parts[i], parts[j]) >= best:
                continue
            rect_corners(parts[j], other)
            best = min(best, short_free_line(near, points, n, one, 4, other, 4, enough, tried, line))
            if best <= enough:
                return best
    return best


def gap_to(
    g: BattleCore, unit: int, target: int, *, side: int = -1, ignoring: Collection[int] = (), enough: float = -1.0,
    aloft: bool = False,
) -> float:  # fmt: skip
    """Inches from a unit to the target of its charge, or to the obstacle that the target defends: the shortest straight
    line between them that crosses no other unit and no impassable ground (wap.charge.distance.measure,
    wap.terrain.obstacle.defended.charge). inf: there is none, or one of them is not on the table.

    Args:
        side: of the target that is charged; -1: the one that the unit stands before.
        ignoring: units that do not block the line, as they may have moved away by then.
        enough: inches; the search stops at a line that is no longer.
        aloft: the unit flies; nothing blocks the line (wap.special.fly.charge).
    """
    parts = g.parts.rows
    if with_trait(g, "obstacle"):
        side = side if side >= 0 else sides_of_charge(g, unit, target)[0]
        wall = wall_before(g, target, side)
        parts = parts_with_wall(g, target, side, wall.deep) if wall.feature else parts
    if aloft:
        return float(g.work.call(block_distance, parts, g.units.rows, unit, target))
    setup, work, u = g.setup, g.work, g.units.rows
    near, points, line = work.ways.near, work.ways.points, work.sights.line
    n = g.work.call(between, parts, u, ground_to_cross(g, unit), setup.corners, unit, target, near, points)
    n = without(near, n, {*ignoring, *left_by(g, unit)})
    if n == 0:
        return float(g.work.call(block_distance, parts, u, unit, target))
    room = work.sights.room
    return float(
        g.work.call(free_gap, parts, u, unit, target, near, points, n, work.sights.rect, room[1], enough, room[0], line)
    )


# ---------------------------------------------------------------- sides


@kernel
def front_shares(models: Array, units: Array, u: int, leader: int, target: int, places: Array, shares: Array) -> None:
    """Write to ``shares`` how many models of the front rank of unit ``u`` stand in each quarter of unit ``target``.
    ``leader``: the row whose models also stand in ``u``, or -1. ``places`` is scratch memory.
    """
    count = 0
    for n in range(2):
        row = u if n == 0 else leader
        if row < 0:
            continue
        for k in range(units[row]["first"], units[row]["first"] + units[row]["count"]):
            m = models[k]
            if m["on_table"] == 1 and m["unit"] == u and m["rank"] == 0:
                places[count, 0] = m["x"]
                places[count, 1] = m["y"]
                count += 1
    unit = units[target]
    abreast = min(unit["files"], unit["block"])
    ranks = (unit["block"] + unit["files"] - 1) // unit["files"]
    width = front_span(unit, abreast)
    depth = 2.0 * ranks * unit["base_a"] + (ranks - 1) * unit["spacing"]
    quarter_shares(unit["x"], unit["y"], unit["facing"], width, depth, places, count, shares)


def sides_of_charge(g: BattleCore, unit: int, target: int) -> tuple[int, ...]:
    """The sides of the target whose quarter holds most models of the unit's front rank, each model by its centre
    (wap.charge.side.position, .straddle). If several hold as many, all of them, from the front to the rear.
    """
    room = g.work.charges
    g.work.call(front_shares, g.models.rows, g.units.rows, unit, g.units.leader[unit], target, room.front, room.shares)
    shares = room.shares.tolist()
    least = max(shares) - 1e-9
    return tuple(side for side in BACKWARDS if shares[QUARTER_OF_SIDE[side]] >= least)


def side_charged(g: BattleCore, unit: int, target: int) -> int:
    """The side of the target that the unit charges from where both stand: FRONT, RIGHT, REAR or LEFT. A D6 settles a
    tie: on 1-3 the side nearer the front (wap.charge.side.straddle). Ask once, when the charge is declared
    (wap.charge.side.timing).
    """
    sides = sides_of_charge(g, unit, target)
    if len(sides) == 1:
        return sides[0]
    die = g.d6()
    side = sides[0] if die <= LOW_DIE else sides[-1]
    if g.recorder is not None:
        g.note("wap.charge.side.straddle", f"charges the {QUARTERS[side]}", unit=unit, target=target, die=die)
    return side
