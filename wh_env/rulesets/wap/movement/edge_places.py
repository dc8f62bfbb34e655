"""Places along an edge of the table where an arriving unit has room (wap.move.reinforce.*)."""

from __future__ import annotations

from math import cos, pi, sin
from typing import NamedTuple

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import EPS
from wh_env.rulesets.wap.basics.joined import holds_bases
from wh_env.rulesets.wap.basics.profiles import movement_of
from wh_env.rulesets.wap.basics.room import may_stand
from wh_env.rulesets.wap.field.edges import ground_for
from wh_env.rulesets.wap.movement.distances import FARTHEST
from wh_env.rulesets.wap.movement.reform_choices import lawful
from wh_env.rulesets.wap.ways.poses import depth_of, front_width

# edges of the table, and the facing in radians of a unit that comes on over each
SOUTH, EAST, NORTH, WEST = range(4)
INWARD = (0.5 * pi, pi, -0.5 * pi, 0.0)
HUNDREDTHS = 100.0


def shallow(g: BattleCore, unit: int, files: int) -> bool:
    """Whether every model would stand within twice its Movement of the edge, by the nearest edge of its base
    (wap.move.reinforce.depth).
    """
    last = depth_of(g, unit, files) - 2.0 * g.units.base_a[unit]
    return last <= FARTHEST * movement_of(g, unit) + EPS


class Edge(NamedTuple):
    """An edge of the table, and the stretch of it that is open to a unit, in hundredths of an inch. ``end`` 0: to the
    end of the edge.
    """

    edge: int
    start: int = 0
    end: int = 0


def stretch(g: BattleCore, unit: int, over: Edge, files: int) -> tuple[float, float]:
    """The least and the greatest place along the edge, in inches, for the middle of the unit's front edge."""
    setup = g.setup
    long = setup.length if over.edge in (SOUTH, NORTH) else setup.width
    low, high = over.start / HUNDREDTHS, over.end / HUNDREDTHS or long
    half = 0.5 * front_width(g, unit, files)
    return max(low, 0.0) + half, min(high, long) - half


def stands_at(g: BattleCore, unit: int, over: Edge, files: int, slot: int) -> tuple[float, float, float]:
    """The unit's pose at a slot of the edge, with its whole rear on the edge: (x, y) of the middle of the front edge,
    and the facing (wap.move.reinforce.place).
    """
    edge, setup = over.edge, g.setup
    low, high = stretch(g, unit, over, files)
    along = low + (high - low) * slot / (setup.space.numbers - 1)
    facing, deep = INWARD[edge], depth_of(g, unit, files)
    x = along if edge in (SOUTH, NORTH) else setup.length * (edge == EAST)
    y = along if edge in (EAST, WEST) else setup.width * (edge == NORTH)
    return x + deep * round(cos(facing)), y + deep * round(sin(facing)), facing


def places(g: BattleCore, unit: int, over: Edge, files: int) -> list[int]:
    """The slots along the edge at which the unit has room in ``files`` files."""
    setup = g.setup
    low, high = stretch(g, unit, over, files)
    if (
        not lawful(g.units.block[unit], files)
        or not shallow(g, unit, files)
        or high < low - EPS
        or not holds_bases(g, unit, files)
    ):
        return []
    ground = ground_for(g, unit)
    return [
        slot
        for slot in range(setup.space.numbers)
        if g.work.call(
            may_stand,
            g.troops, ground, setup.corners, setup.length, setup.width, unit,
            *stands_at(g, unit, over, files, slot), files, setup.rules["one_inch"], g.work.block,
        )
    ]  # fmt: skip


def edges_open(g: BattleCore, unit: int) -> list[int]:
    """The edges over which the unit has room to come on."""
    return [edge for edge in range(len(INWARD)) if any(places(g, unit, Edge(edge), n) for n in formations(g, unit))]


def formations(g: BattleCore, unit: int) -> list[int]:
    """All numbers of files, those nearest to the number of the army list first."""
    wide = g.units.wide[unit]
    return sorted(range(1, g.setup.space.numbers + 1), key=lambda files: (abs(files - wide), files))
