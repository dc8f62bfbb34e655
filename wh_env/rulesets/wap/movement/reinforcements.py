"""Reinforcements: a unit comes on to the table over an edge of it (wap.move.reinforce.*).

The rule that brings a unit on pushes ``Arrive`` with the unit, the edge and, if it says so, the stretch of the edge that is open to it.
"""

from __future__ import annotations

from math import cos, pi, sin
from typing import NamedTuple

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import between, row_of
from wh_env.core.geometry.shapes import EPS
from wh_env.core.procedures import GO, STEP, DecisionKind, Procedure, Steps, integer
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.blocks import set_block
from wh_env.rulesets.wap.basics.joined import is_too_wide
from wh_env.rulesets.wap.basics.profiles import movement_of
from wh_env.rulesets.wap.basics.room import may_stand
from wh_env.rulesets.wap.codes import ARRIVED
from wh_env.rulesets.wap.commands.places import choose_places
from wh_env.rulesets.wap.field.edges import ground_for
from wh_env.rulesets.wap.movement.going import FARTHEST
from wh_env.rulesets.wap.movement.reform import lawful
from wh_env.rulesets.wap.ways.poses import degrees, depth_of, front_width

# edges of the table, and which way a unit faces that comes over them
SOUTH, EAST, NORTH, WEST = range(4)
INWARD = (0.5 * pi, pi, -0.5 * pi, 0.0)
LONGEST = 1 << 16
HUNDREDTHS = 100.0


def shallow(g: BattleCore, unit: int, files: int) -> bool:
    """Whether no model would stand farther from the edge than twice its Movement, by the nearest edge of its base (wap.move.reinforce.depth)."""
    last = depth_of(g, unit, files) - 2.0 * g.units.base_a[unit]
    return bool(last <= FARTHEST * movement_of(g, unit) + EPS)


class Edge(NamedTuple):
    """An edge of the table and the stretch of it that is open to a unit, in hundredths of an inch; ``end`` 0: to its end."""

    edge: int
    start: int = 0
    end: int = 0


def edge_of(g: BattleCore, f: int) -> Edge:
    """That which the unit of the frame comes over."""
    return Edge(g.stack[f + Arrive.EDGE], g.stack[f + Arrive.FROM], g.stack[f + Arrive.TO])


def stretch(g: BattleCore, unit: int, over: Edge, files: int) -> tuple[float, float]:
    """Where along the edge the middle of the unit may be: from, to."""
    setup = g.setup
    long = setup.length if over.edge in (SOUTH, NORTH) else setup.width
    low, high = over.start / HUNDREDTHS, over.end / HUNDREDTHS or long
    half = 0.5 * front_width(g, unit, files)
    return max(low, 0.0) + half, min(high, long) - half


def stands_at(g: BattleCore, unit: int, over: Edge, files: int, slot: int) -> tuple[float, float, float]:
    """The pose at a place of the edge, its whole rear on the edge: middle of the front edge, facing (wap.move.reinforce.place)."""
    edge, setup = over.edge, g.setup
    low, high = stretch(g, unit, over, files)
    along = low + (high - low) * slot / (setup.space.numbers - 1)
    facing, deep = INWARD[edge], depth_of(g, unit, files)
    x = along if edge in (SOUTH, NORTH) else setup.length * (edge == EAST)
    y = along if edge in (EAST, WEST) else setup.width * (edge == NORTH)
    return x + deep * round(cos(facing)), y + deep * round(sin(facing)), facing


def places(g: BattleCore, unit: int, over: Edge, files: int) -> list[int]:
    """Slots of the places along the edge where the unit has room in so many files."""
    setup = g.setup
    low, high = stretch(g, unit, over, files)
    if (
        not lawful(g.units.block[unit], files)
        or not shallow(g, unit, files)
        or high < low - EPS
        or is_too_wide(g, unit, files)
    ):
        return []
    ground = ground_for(g, unit)
    return [
        slot
        for slot in range(setup.space.numbers)
        if g.work.call(
            may_stand,
            g.parts.rows, g.units.rows, ground, setup.corners, setup.length, setup.width, unit,
            *stands_at(g, unit, over, files, slot), files, setup.rules["one_inch"], g.work.block,
        )
    ]  # fmt: skip


def edges_open(g: BattleCore, unit: int) -> list[int]:
    """The edges over which a unit has room to come."""
    return [edge for edge in range(len(INWARD)) if any(places(g, unit, Edge(edge), n) for n in formations(g, unit))]


class Arrive(Procedure):
    """A unit comes on: its files, its place on the edge. It stays away where it has no room in any formation."""

    class Step(Steps):
        FILES, WHERE, DONE = range(3)

    UNIT = integer(row_of("units"))
    EDGE = integer(between(SOUTH, WEST))
    FROM = integer(between(0, LONGEST))  # hundredths of an inch along the edge
    TO = integer(between(0, LONGEST))  # 0: to its end
    FILES = integer(between(0, "numbers"))
    asks = ("arrive-files", "arrive-at")

    def advance(self, g: BattleCore, f: int) -> int:
        Step, stack = Arrive.Step, g.stack
        unit, step = stack[f + Arrive.UNIT], stack[f + STEP]
        owner = g.units.owner[unit]
        if step == Step.FILES and any(places(g, unit, edge_of(g, f), files) for files in formations(g, unit)):
            return g.ask(ArriveFiles, owner, unit)
        if step == Step.WHERE:
            return g.ask(ArriveAt, owner, unit)
        g.pop()
        if step == Step.DONE:
            choose_places(g, unit)
        return GO


def formations(g: BattleCore, unit: int) -> list[int]:
    """Numbers of files, that of the army list first."""
    wide = g.units.wide[unit]
    return sorted(range(1, g.setup.space.numbers + 1), key=lambda files: (abs(files - wide), files))


class ArriveFiles(DecisionKind):
    name = "arrive-files"
    what = "In how many files a unit comes on to the table."
    policy = "As the army list says, or as near to that as it has room."
    keys = ("wap.move.reinforce.place", "wap.move.reinforce.depth")
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        number = g.setup.space.number
        for files in range(1, g.setup.space.numbers + 1):
            mask[number + files - 1] = bool(places(g, g.stack[f + Arrive.UNIT], edge_of(g, f), files))

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        g.stack[f + Arrive.FILES] = action - g.setup.space.number + 1
        g.stack[f + STEP] = Arrive.Step.WHERE

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return (
            f"{g.setup.names['units'][g.stack[f + Arrive.UNIT]]} comes on in {action - g.setup.space.number + 1} files"
        )

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        number = g.setup.space.number
        return next(number + files - 1 for files in formations(g, g.stack[f + Arrive.UNIT]) if mask[number + files - 1])


class ArriveAt(DecisionKind):
    name = "arrive-at"
    what = "Where along the edge of the table the unit comes on: one of so many places from end to end."
    keys = ("wap.move.reinforce.place", "wap.move.reinforce.limits")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        number = g.setup.space.number
        for slot in places(g, g.stack[f + Arrive.UNIT], edge_of(g, f), g.stack[f + Arrive.FILES]):
            mask[number + slot] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit, files, u = g.stack[f + Arrive.UNIT], g.stack[f + Arrive.FILES], g.units
        x, y, facing = stands_at(g, unit, edge_of(g, f), files, action - g.setup.space.number)
        u.place[unit] = ON_TABLE
        u.did[unit] |= ARRIVED
        set_block(g, unit, x, y, facing, files)
        g.stack[f + STEP] = Arrive.Step.DONE
        if g.recorder is not None:
            told = {"place": (round(x, 2), round(y, 2)), "files": files, "facing": degrees(facing)}
            g.note("wap.move.reinforce.place", "arrives", unit=unit, **told)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        unit, slot = g.stack[f + Arrive.UNIT], action - g.setup.space.number
        x, y, _ = stands_at(g, unit, edge_of(g, f), g.stack[f + Arrive.FILES], slot)
        return f'{g.setup.names["units"][g.stack[f + Arrive.UNIT]]} comes on at {x:.2f}, {y:.2f}"'
