"""A charge whose roll is too short, rolled again by a unit that has begun its turn near an idol
(wap.terrain.monument.idol-of-gork).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import row_of
from wh_env.core.procedures import DecisionKind, Procedure, integer
from wh_env.rulesets.wap.basics.declared_charges import charges_of
from wh_env.rulesets.wap.charge.charge_rolls import roll_together
from wh_env.rulesets.wap.codes import HOLDS, KEPT, MISSED, SPURRED

RULE = "wap.terrain.monument.idol-of-gork"


def may_roll_again(g: BattleCore, unit: int) -> bool:
    """Whether a unit may re-roll its charge: its roll reaches none of its targets, and it began the turn near an
    idol.
    """
    rows = charges_of(g, unit)
    return bool(g.units.did[unit] & SPURRED and rows and all(g.charges.reaction[k] == MISSED for k in rows))


class ChargeAgain(Procedure):
    """A unit may roll its charge again before any of the units that were rolled for together moves."""

    UNIT = integer(row_of("units"))
    asks = ("charge-again",)

    def advance(self, g: BattleCore, f: int) -> int:
        unit = g.stack[f + ChargeAgain.UNIT]
        return g.ask(RollChargeAgain, g.units.owner[unit], unit)


class RollChargeAgain(DecisionKind):
    name = "charge-again"
    what = "Whether a unit that began its turn near an idol rolls all dice of a charge again that falls short; done: it does not."
    policy = "It rolls again."
    keys = (RULE,)
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        mask[0] = mask[g.setup.space.option] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit, c = g.stack[f + ChargeAgain.UNIT], g.charges
        g.pop()
        if action:
            for k in charges_of(g, unit):
                c.reaction[k] = KEPT if g.units.fleeing[c.target[k]] else HOLDS
            g.note(RULE, "rolls its charge again", unit=unit)
            roll_together(g, [unit])

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        name = g.setup.names["units"][g.stack[f + ChargeAgain.UNIT]]
        return f"{name} rolls its charge again" if action else f"{name} leaves it at that"

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        return int(g.setup.space.option)
