"""Flight from close combat (wap.pursuit.broken-flees, .flee-direction, .flee-move, wap.multi.flee.order)."""

from __future__ import annotations

from collections.abc import Sequence

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import GO, STEP
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.fleeing.flight import flee, start_to_flee
from wh_env.rulesets.wap.panic.panic import Panic
from wh_env.rulesets.wap.pursuit.directions import direction_of_flight
from wh_env.rulesets.wap.pursuit.order import CombatOrder, InTurn
from wh_env.rulesets.wap.pursuit.rolls import broken_units


class CombatFlights(InTurn):
    """The broken units of one combat flee one after the other. The Panic tests that one flight causes come before the
    next flight.
    """

    asks = ("combat-order",)

    def waiting(self, g: BattleCore) -> Sequence[int]:
        return broken_units(g)

    def advance(self, g: BattleCore, f: int) -> int:
        Step, stack = CombatFlights.Step, g.stack
        step, unit = stack[f + STEP], stack[f + CombatFlights.UNIT]
        if step == Step.MOVE:
            stack[f + STEP] = Step.AFTER
            start_to_flee(g, unit, direction_of_flight(g, unit), "wap.pursuit.flee-direction")
            flee(g, unit, g.units.rolled[unit], "wap.pursuit.flee-move")
        elif step == Step.AFTER:
            stack[f + STEP] = Step.NEXT
            g.push(Panic)
        else:
            unit = self.next_unit(g, f)
            if unit == -1:
                return g.pop()
            if unit == -2:
                return g.ask(CombatOrder, stack[f + CombatFlights.PLAYER])
        return GO


def gone(g: BattleCore, unit: int) -> bool:
    """Whether a unit is not on the table: destroyed, or fled over an edge."""
    return g.units.place[unit] != ON_TABLE
