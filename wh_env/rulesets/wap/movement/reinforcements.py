"""Reinforcements: a unit comes on to the table over an edge (wap.move.reinforce.*).

The rule that brings a unit on pushes ``Arrive`` with the unit, the edge and, if the rule limits it, the stretch of the
edge that the unit may use.
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import between, row_of
from wh_env.core.procedures import GO, STEP, DecisionKind, Procedure, Steps, integer
from wh_env.core.sentences import counted
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.blocks import set_block
from wh_env.rulesets.wap.codes import ARRIVED
from wh_env.rulesets.wap.commands.places import choose_places
from wh_env.rulesets.wap.movement.edge_places import SOUTH, WEST, Edge, formations, places, stands_at
from wh_env.rulesets.wap.ways.poses import degrees

LONGEST = 1 << 16


def edge_of(g: BattleCore, f: int) -> Edge:
    """The edge, and the stretch of it, over which the unit of the frame comes on."""
    return Edge(g.stack[f + Arrive.EDGE], g.stack[f + Arrive.FROM], g.stack[f + Arrive.TO])


class Arrive(Procedure):
    """A unit comes on: its player chooses its files, then its place on the edge. It stays off the table if no formation
    has room.
    """

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
        name, files = g.setup.names["units"][g.stack[f + Arrive.UNIT]], action - g.setup.space.number + 1
        return f"{name} comes on in {counted(files, 'file')}"

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
