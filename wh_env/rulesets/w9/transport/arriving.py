"""TRANSPORTS whose passengers have to disembark when they are set up from Reserves
(w9.reserves.transport-disembark).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import STEP
from wh_env.rulesets.w40k.codes import AFTER_IT_MOVED, BEFORE_IT_MOVED, Selected
from wh_env.rulesets.w40k.deploy.beside import DISEMBARK, cells_beside
from wh_env.rulesets.w40k.deploy.zones import facing_of
from wh_env.rulesets.w40k.questions.hulls import embarked_in
from wh_env.rulesets.w40k.transport import transports


def must_leave(g: BattleCore, carrier: int) -> list[int]:
    """Units that have to disembark from the TRANSPORT, which has just been set up, and for which there is room."""
    if carrier not in g.setup.statics["drops"]:
        return []
    facing = facing_of(g, g.units.owner[carrier])
    return [
        unit
        for unit in embarked_in(g, carrier)
        if cells_beside(g, unit, DISEMBARK, facing, g.work.cells, any_will_do=True) > 0
    ]


class ArrivedTransport(transports.ArrivedTransport):
    """A TRANSPORT has arrived: its passengers disembark if they have to; those of other TRANSPORTS cannot in this
    turn.
    """

    def advance(self, g: BattleCore, f: int) -> int:
        carrier = g.stack[f + ArrivedTransport.CARRIER]
        if not must_leave(g, carrier):
            return g.pop()
        return g.ask(SelectToDisembark, g.units.owner[carrier], carrier)


class SelectToDisembark(transports.SelectToDisembark):
    keys = (*transports.SelectToDisembark.keys, "w9.reserves.reinforcements")
    what = "Which unit embarked in the TRANSPORT that has just arrived disembarks next; all of them have to."

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        carrier = g.stack[f + ArrivedTransport.CARRIER]
        at = g.setup.space.own - g.players.first_unit[g.units.owner[carrier]]
        for unit in must_leave(g, carrier):
            mask[at + unit] = True


class Disembark(transports.Disembark):
    """A unit that disembarks in the turn in which its TRANSPORT arrives is a Reinforcement unit itself."""

    def advance(self, g: BattleCore, f: int) -> int:
        u, unit = g.units, g.stack[f + Disembark.UNIT]
        carrier, out = u.carrier[unit], g.stack[f + STEP] == Disembark.Step.SET_UP
        if out and u.arrived[carrier]:
            u.arrived[unit] = 1
        done = super().advance(g, f)
        if out and u.arrived[carrier]:
            u.disembarked[unit] = BEFORE_IT_MOVED  # it may charge: its TRANSPORT was set up and made no move
        elif out and u.disembarked[unit] == AFTER_IT_MOVED:
            u.selected[unit] &= ~Selected.MOVE  # w9.transport.disembark.after
        return done
