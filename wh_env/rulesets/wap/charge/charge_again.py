"""A charge that is rolled again: a short one by a unit that has begun its turn near an idol, any one by a unit whose
banner lets it (wap.terrain.monument.idol-of-gork, wap.item.banner.rampagers-standard).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import row_of
from wh_env.core.procedures import DecisionKind, Procedure, integer
from wh_env.rulesets.wap.basics.carried import show_where
from wh_env.rulesets.wap.basics.declared_charges import charges_of
from wh_env.rulesets.wap.charge.charge_rolls import IDOL, close_for, may_roll_again, roll_again, within_reach
from wh_env.rulesets.wap.codes import MISSED


class ChargeAgain(Procedure):
    """A unit may roll its charge again before any of the units that were rolled for together moves. Ranks close up
    afterwards (wap.special.skirmishers.close-up).
    """

    UNIT = integer(row_of("units"))
    asks = ("charge-again",)

    def advance(self, g: BattleCore, f: int) -> int:
        unit = g.stack[f + ChargeAgain.UNIT]
        return g.ask(RollChargeAgain, g.units.owner[unit], unit)


class RollChargeAgain(DecisionKind):
    name = "charge-again"
    what = (
        "Whether a unit rolls all dice of a charge again: one that falls short and began its turn near an idol, or one "
        "whose banner lets it; done: it does not."
    )
    policy = "It rolls again if its roll reaches none of its targets."
    keys = (IDOL, "wap.item.banner.rampagers-standard")
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        mask[0] = mask[g.setup.space.option] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit = g.stack[f + ChargeAgain.UNIT]
        g.pop()
        if action:
            rule = may_roll_again(g, unit)
            show_where(g, unit, lambda item: item.rule == rule)
            g.note(rule, "rolls its charge again", unit=unit)
            roll_again(g, unit)
        close_for(g, unit, within_reach(g, unit))

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        name = g.setup.names["units"][g.stack[f + ChargeAgain.UNIT]]
        return f"{name} rolls its charge again" if action else f"{name} leaves it at that"

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        rows = charges_of(g, g.stack[f + ChargeAgain.UNIT])
        return int(g.setup.space.option) * all(g.charges.reaction[k] == MISSED for k in rows)
