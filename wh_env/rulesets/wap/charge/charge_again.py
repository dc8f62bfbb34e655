"""The dice of a charge, and a roll that is too short, rolled again by a unit that has begun its turn near an idol
(wap.charge.distance, .success, wap.terrain.monument.idol-of-gork).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import row_of
from wh_env.core.geometry.shapes import EPS
from wh_env.core.procedures import DecisionKind, Procedure, integer
from wh_env.rulesets.wap.basics.declared_charges import charges_aloft, charges_of
from wh_env.rulesets.wap.charge.reach import gap_to
from wh_env.rulesets.wap.codes import HOLDS, KEPT, MISSED, SPURRED
from wh_env.rulesets.wap.special.stride import charge_roll

RULE = "wap.terrain.monument.idol-of-gork"


def roll(g: BattleCore, unit: int) -> None:
    """Roll the charge of a unit and write what it reaches to its rows of ``charges``."""
    c, far = g.charges, charge_roll(g, unit, charges_aloft(g, unit))
    for k in charges_of(g, unit):
        c.reach[k], c.short[k] = int(far.reaches), int(far.falls_short)
    g.note("wap.charge.distance", "charge roll", unit=unit, dice=far.dice, far=far.reaches)


def mark_missed(g: BattleCore, unit: int) -> None:
    """Mark the charges of a unit as MISSED whose targets are farther than its roll (wap.charge.success)."""
    c = g.charges
    for k in charges_of(g, unit):
        gap = gap_to(g, unit, c.target[k], side=c.side[k], aloft=bool(c.aloft[k]))
        missed = gap > c.reach[k] + EPS
        if missed:
            c.reaction[k] = MISSED
        if g.recorder is not None:
            told = {"far": round(min(gap, 999.0), 2), "passed": not missed}
            g.note("wap.charge.success", "charge measured", unit=unit, target=c.target[k], **told)


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
            roll(g, unit)
            mark_missed(g, unit)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        name = g.setup.names["units"][g.stack[f + ChargeAgain.UNIT]]
        return f"{name} rolls its charge again" if action else f"{name} leaves it at that"

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        return int(g.setup.space.option)
