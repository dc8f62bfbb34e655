"""Units go to the places that were planned (epic.move.path, epic.terrain.dangerous-*)."""

from __future__ import annotations

from math import pi

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import flag, row_of
from wh_env.core.procedures import GO, STEP, DecisionKind, Procedure, Steps, integer
from wh_env.core.tables import ON_TABLE, Array
from wh_env.rulesets.epic.codes import Phase
from wh_env.rulesets.epic.fire.eligible import anyone_on_overwatch
from wh_env.rulesets.epic.fire.overwatch import Reactions
from wh_env.rulesets.epic.move.plans import clearance
from wh_env.rulesets.epic.move.tracks import ALL_WENT, DAMAGED, DIRECT, SAFE, TESTED, begin_walk, facing_enemy, walk_on
from wh_env.rulesets.epic.orders.orders import order_of

WAYS = {DIRECT: "straight on, through dangerous terrain", SAFE: "round the dangerous terrain"}


class Walk(Procedure):
    """The planned units of a formation go. A vehicle may turn at the end. Then enemies on overwatch may fire at the
    formation.
    """

    class Step(Steps):
        BEGIN, GOING, END = range(3)

    UNIT = integer(row_of("units"))
    ASKED = integer(row_of("models", none=True))
    WAY = integer(flag())
    SOME = integer(flag())
    asks = ("way-round", "facing")

    def advance(self, g: BattleCore, f: int) -> int:
        Step = Walk.Step
        stack = g.stack
        unit = stack[f + Walk.UNIT]
        if stack[f + STEP] == Step.BEGIN:
            stack[f + Walk.ASKED] = -1
            stack[f + STEP] = Step.GOING
            stack[f + Walk.SOME] = set_off(g, unit)
        if stack[f + STEP] == Step.GOING:
            if stack[f + Walk.SOME]:
                asked = go(g, unit, stack[f + Walk.ASKED], stack[f + Walk.WAY])
                if asked != ALL_WENT:
                    stack[f + Walk.ASKED] = asked
                    return g.ask(WayRound, g.units.owner[unit], unit)
                g.aims[:] = 0
            stack[f + STEP] = Step.END
            if g.units.vehicle[unit] and g.units.place[unit] == ON_TABLE:
                return g.ask(Facing, g.units.owner[unit], unit)
        g.pop()
        if stack[f + Walk.SOME] and g.clock.phase[0] == Phase.MOVEMENT and g.units.place[unit] == ON_TABLE:
            if anyone_on_overwatch(g, 1 - g.units.owner[unit]):
                g.push(Reactions, unit)
        return GO


def set_off(g: BattleCore, unit: int) -> bool:
    """Put the planned units of the formation back where they began. Returns whether any of them has to move."""
    rules = g.setup.rules
    times, fixed, to_engage = 0.0, -1.0, 0.0
    if g.clock.phase[0] == Phase.ASSAULT:
        times, to_engage = 1.0, float(rules["assault"]["infantry_move"])
    elif g.units.retreating[unit]:
        times = float(rules["retreat"]["move"])
    else:
        order = order_of(g, unit)
        if order is not None:
            times, fixed = order.move, -1.0 if order.move_cm is None else order.move_cm
    return bool(g.work.call(begin_walk, g.models.rows, g.units.rows, g.origin.rows, unit, times, fixed, to_engage))


def go(g: BattleCore, unit: int, asked: int, way: int) -> int:
    """Let units go until a player must choose a way. Returns that unit, ``ALL_WENT`` when all have gone."""
    statics = g.setup.statics
    log: Array = g.work.no_log if g.recorder is None else g.work.log
    if len(log):
        log[0, 0] = 0
    apart = 0.0 if g.clock.phase[0] == Phase.ASSAULT else clearance(g)
    found = g.work.call(
        walk_on,
        g.models.rows, g.units.rows, statics["ground"], g.setup.corners, statics["numbers"], g.origin.rows, unit,
        asked, way, apart, g.dice.rows, g.script_array, g.work.marks, g.work.nodes, g.work.trail, log,
    )  # fmt: skip
    if g.recorder is not None:
        tell_tests(g, log)
        if found == ALL_WENT:
            g.note("epic.move.distance", "formation moved", unit=unit)
    return int(found)


def tell_tests(g: BattleCore, log: Array) -> None:
    """Record the dangerous terrain tests in a log of ``tracks``, and the hits that they caused."""
    for what, k, a, b, c, *_ in log[1 : int(log[0, 0]) + 1].tolist():
        if what == TESTED:
            g.note("epic.terrain.dangerous-test", "dangerous terrain", model=k, roll=a, immobilised=a == 1, second=b)
        elif what == DAMAGED:
            g.note("epic.terrain.dangerous-damage", "hit by terrain", model=k, save=a, needed=b, saved=bool(c))


class WayRound(DecisionKind):
    name = "way-round"
    what = "Where dangerous terrain lies on the shortest way of a unit: through it, or round it if that is not too far."
    policy = "Round it."
    keys = ("epic.move.distance", "epic.terrain.dangerous-test")
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        option = g.setup.space.option
        mask[option + DIRECT] = mask[option + SAFE] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        g.stack[f + Walk.WAY] = action - g.setup.space.option

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return f"{g.setup.names['models'][g.stack[f + Walk.ASKED]]}: {WAYS[action - g.setup.space.option]}"

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        return g.setup.space.option + SAFE


class Facing(DecisionKind):
    name = "facing"
    what = "Which way a vehicle faces after its move; it may turn freely."
    policy = "Towards the nearest enemy."
    keys = ("epic.move.path", "epic.move.distance")
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        space = g.setup.space
        for angle in range(space.angles):
            mask[space.angle + angle] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit = g.stack[f + Walk.UNIT]
        g.models.facing[g.units.first[unit]] = self.direction(g, action)
        g.aims[unit] = 0  # other targets are in its arcs now

    def direction(self, g: BattleCore, action: int) -> float:
        """The facing that an angle stands for, in radians."""
        space = g.setup.space
        return 2.0 * pi * (action - space.angle) / space.angles

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        unit, degrees = g.setup.names["units"][g.stack[f + Walk.UNIT]], 360.0 * self.direction(g, action) / (2 * pi)
        return f"{unit} faces {degrees:.0f} degrees"

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        space = g.setup.space
        facing = g.work.call(facing_enemy, g.models.rows, g.units.first[g.stack[f + Walk.UNIT]])
        return int(space.angle + round(facing / (2.0 * pi) * space.angles) % space.angles)
