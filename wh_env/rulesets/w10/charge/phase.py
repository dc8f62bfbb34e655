"""Charge moves with Tank Shock (w10.stratagem.tank-shock.window)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import between
from wh_env.core.procedures import GO, STEP, Steps, integer
from wh_env.rulesets.w10.stratagems.effects import LATER, NOW, Ram, TankShockOrder
from wh_env.rulesets.w40k.ability.choices import push_choices
from wh_env.rulesets.w40k.charge import phase
from wh_env.rulesets.w40k.edition_parts.stratagem_book import Moment
from wh_env.rulesets.w40k.reaction.windows import may_open, open_window


class ChargeMove(phase.ChargeMove):
    """A Charge move with Tank Shock after it. ``MARK``: 0 for no Tank Shock, ``NOW``: it comes first, ``LATER``: it
    comes after the opponent's Stratagems.
    """

    class Step(Steps):
        ORDERED = 3  # the player was asked whether Tank Shock comes first

    MARK = integer(between(0, LATER))
    asks = ("tank-shock-order",)

    def end(self, g: BattleCore, f: int) -> int:
        unit, rams = g.stack[f + ChargeMove.UNIT], g.stack[f + ChargeMove.MARK]
        if g.stack[f + STEP] == phase.ChargeMove.Step.MADE:
            g.stack[f + STEP] = ChargeMove.Step.ORDERED
            if rams and may_open(g, Moment.ENDS_CHARGE):
                return g.ask(TankShockOrder, g.units.owner[unit], unit)
        result = g.stack[f + ChargeMove.RESULT]
        g.pop()
        push_choices(g, "charged", unit, result)
        if rams == LATER:
            g.push(Ram, unit)
        if g.units.owner[unit] == g.clock.turn[0]:
            open_window(g, Moment.ENDS_CHARGE, unit)
        if rams == NOW:
            g.push(Ram, unit)
        return GO
