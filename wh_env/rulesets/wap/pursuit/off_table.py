"""Units that pursue off the table, and how they return (wap.pursuit.off-table, .off-table.return).

They wait in reserve; the table of units keeps the edge, the place on it and their files. They return at the beginning
of the other moves of their player's next Movement phase, in the same formation, with their rear on that edge, as near
to that place as there is room. Then they may move on as reinforcements do.
"""

from __future__ import annotations

from math import cos, sin

from wh_env.core.battle import BattleCore
from wh_env.core.tables import ON_TABLE, RESERVE
from wh_env.rulesets.wap.basics.blocks import set_block
from wh_env.rulesets.wap.basics.by_magic import in_own_forms
from wh_env.rulesets.wap.basics.effects import caster_is_gone
from wh_env.rulesets.wap.basics.profiles import wholly
from wh_env.rulesets.wap.basics.room import may_stand
from wh_env.rulesets.wap.codes import ARRIVED
from wh_env.rulesets.wap.field.edges import ground_for
from wh_env.rulesets.wap.movement.edge_places import EAST, INWARD, NORTH, SOUTH, WEST
from wh_env.rulesets.wap.ways.poses import Pose, degrees, depth_of, front_width

FINE = 0.05  # inches between places tried along the edge


def edge_reached(g: BattleCore, unit: int) -> tuple[int, float]:
    """The edge of the table that a unit touches with its front, and the coordinate in inches of the middle of its front
    along that edge.
    """
    u, setup = g.units, g.setup
    x, y, facing = u.x[unit], u.y[unit], u.facing[unit]
    half = 0.5 * front_width(g, unit)
    across, along = abs(half * sin(facing)), abs(half * cos(facing))
    over = {
        SOUTH: along - y, EAST: x + across - setup.length, NORTH: y + along - setup.width, WEST: across - x,
    }  # fmt: skip
    edge = max(over, key=lambda one: over[one])
    return (edge, x) if edge in (SOUTH, NORTH) else (edge, y)


def carried_off(g: BattleCore, unit: int) -> None:
    """A unit that has reached an edge leaves the table and waits in reserve; it is not destroyed. What it and the
    characters in it keep up ends (wap.magic.rip.lasting), also the form that one of them has taken.
    """
    u, unit = g.units, in_own_forms(g, unit)
    u.left_edge[unit], u.left_at[unit] = edge_reached(g, unit)
    u.left_files[unit] = u.files[unit]
    u.place[unit] = RESERVE
    set_block(g, unit, u.x[unit], u.y[unit], u.facing[unit], 0)
    for row in wholly(g, unit):
        caster_is_gone(g, row)
    if g.recorder is not None:
        g.note("wap.pursuit.off-table", "leaves the table", unit=unit, place=(round(u.x[unit], 2), round(u.y[unit], 2)))


def stands_on(g: BattleCore, unit: int, at: float) -> Pose:
    """The pose of a unit with its rear on the edge over which it left, its middle ``at`` inches along the edge."""
    u, setup = g.units, g.setup
    edge = u.left_edge[unit]
    facing, deep = INWARD[edge], depth_of(g, unit, u.left_files[unit])
    x = at if edge in (SOUTH, NORTH) else setup.length * (edge == EAST)
    y = at if edge in (EAST, WEST) else setup.width * (edge == NORTH)
    return x + deep * round(cos(facing)), y + deep * round(sin(facing)), facing


def nearest_place(g: BattleCore, unit: int) -> Pose | None:
    """The pose on its edge where a unit has room, nearest to where it left; of two equally near, the one on the unit's
    left as it looks on to the table. None: there is no room.
    """
    u, setup = g.units, g.setup
    edge, files, ground = u.left_edge[unit], u.left_files[unit], ground_for(g, unit)
    long = setup.length if edge in (SOUTH, NORTH) else setup.width
    half = 0.5 * front_width(g, unit, files)
    if long < 2.0 * half:
        return None
    first = min(max(u.left_at[unit], half), long - half)
    left = -1.0 if edge in (SOUTH, EAST) else 1.0  # along the edge, to the left of the unit
    for step in range(int(long / FINE) + 1):
        for way in (left, -left) if step else (left,):
            at = first + way * step * FINE
            if not half <= at <= long - half:
                continue
            pose = stands_on(g, unit, at)
            if g.work.call(
                may_stand,
                g.troops,
                ground,
                setup.corners,
                setup.length,
                setup.width,
                unit,
                *pose,
                files,
                setup.rules["one_inch"],
                g.work.block,
            ):
                return pose
    return None


def come_back(g: BattleCore, player: int) -> None:
    """The units of a player that pursued off the table return. A unit that has no room waits on."""
    u = g.units
    for unit in g.units_of(player):
        if u.place[unit] != RESERVE or u.left_edge[unit] < 0:
            continue
        pose = nearest_place(g, unit)
        if pose is None:
            continue
        u.place[unit] = ON_TABLE
        u.did[unit] |= ARRIVED
        set_block(g, unit, *pose, u.left_files[unit])
        u.left_edge[unit], u.left_at[unit], u.left_files[unit] = -1, 0.0, 0
        if g.recorder is not None:
            x, y, facing = pose
            told = {"place": (round(x, 2), round(y, 2)), "facing": degrees(facing), "files": u.files[unit]}
            g.note("wap.pursuit.off-table.return", "comes back", unit=unit, **told)
