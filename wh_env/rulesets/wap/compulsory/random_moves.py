"""Random moves (wap.special.random-movement.*, wap.special.stupidity.failed).

The unit turns on its centre as its player chooses, or not at all if it is stupid; then it rolls and goes straight
ahead. An enemy that it would touch counts as charged (``charge.by_chance``). It stops an inch from all other units
(wap.special.random-movement.stop). Only such a charge calls for tests on dangerous ground
(wap.special.random-movement.terrain).
"""

from __future__ import annotations

from math import tau

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import row_of
from wh_env.core.procedures import GO, STEP, DecisionKind, Procedure, Steps, integer
from wh_env.rulesets.wap.basics.blocks import set_block
from wh_env.rulesets.wap.basics.passage import ground_to_stand_in
from wh_env.rulesets.wap.basics.room import may_stand
from wh_env.rulesets.wap.basics.special_rules import movement_dice
from wh_env.rulesets.wap.basics.traps import moves
from wh_env.rulesets.wap.casualties.crossings import forget, goes_straight, test_for_all
from wh_env.rulesets.wap.charge.by_chance import charge_by_chance
from wh_env.rulesets.wap.codes import MOVED
from wh_env.rulesets.wap.field.dangerous import How
from wh_env.rulesets.wap.movement.forced_moves import go_along
from wh_env.rulesets.wap.movement.going import offer
from wh_env.rulesets.wap.ways.poses import degrees, turned_on_centre


class RandomMove(Procedure):
    """A unit with Random Movement moves (wap.special.random-movement.procedure)."""

    class Step(Steps):
        FACE, ROLL = range(2)

    UNIT = integer(row_of("units"))
    asks = ("random-facing",)

    def advance(self, g: BattleCore, f: int) -> int:
        unit = g.stack[f + RandomMove.UNIT]
        if g.stack[f + STEP] == RandomMove.Step.FACE and not g.units.stupid[unit]:
            return g.ask(RandomFacing, g.units.owner[unit], unit)
        g.pop()
        far = float(g.roll(movement_dice(g, unit)))
        if not charge_by_chance(g, unit, far):
            forget(g, unit)
            pose = g.units.x[unit], g.units.y[unit], g.units.facing[unit]
            goes = go_along(g, unit, pose[2], far, "wap.compulsory.other.rules")
            goes_straight(g, unit, pose, goes)
            test_for_all(g, unit, How.SLOW)
            moves(g, unit)
        g.units.did[unit] |= MOVED
        return GO


class RandomFacing(DecisionKind):
    name = "random-facing"
    what = "Which way a unit with Random Movement faces before its dice are rolled; done: as it does."
    keys = ("wap.special.random-movement.procedure", "wap.compulsory.other.rules")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit, setup, u = g.stack[f + RandomMove.UNIT], g.setup, g.units
        fine = [
            bool(
                g.work.call(
                    may_stand,
                    g.troops,
                    ground_to_stand_in(g, unit),
                    setup.corners,
                    setup.length,
                    setup.width,
                    unit,
                    *turned_on_centre(g, unit, slot * tau / setup.space.angles),
                    u.files[unit],
                    setup.rules["one_inch"],
                    g.work.block,
                )
            )
            for slot in range(setup.space.angles)
        ]
        offer(g, u.facing[unit], np.array([*fine, True]), mask)

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit, u, space = g.stack[f + RandomMove.UNIT], g.units, g.setup.space
        if action:
            set_block(g, unit, *turned_on_centre(g, unit, (action - space.angle) * tau / space.angles), u.files[unit])
        g.stack[f + STEP] = RandomMove.Step.ROLL
        if g.recorder is not None:
            g.note("wap.special.random-movement.procedure", "turns", unit=unit, facing=degrees(u.facing[unit]))

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        name, space = g.setup.names["units"][g.stack[f + RandomMove.UNIT]], g.setup.space
        if action == 0:
            return f"{name} faces as it does"
        return f"{name} faces {degrees((action - space.angle) * tau / space.angles)} degrees"
