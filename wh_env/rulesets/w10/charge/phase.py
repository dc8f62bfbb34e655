"""Charge moves with Tank Shock (w10.stratagem.tank-shock.window)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import Bounds, between
from wh_env.core.procedures import GO, STEP
from wh_env.rulesets.w10.stratagems.effects import Ram, TankShockOrder
from wh_env.rulesets.w40k.charge import phase
from wh_env.rulesets.w40k.charge.phase import BEGIN, MADE, UNIT
from wh_env.rulesets.w40k.reaction.book import Moment
from wh_env.rulesets.w40k.reaction.windows import MARK, may_open, open_window

ORDERED = MADE + 1  # step: whether Tank Shock comes first was asked
NOW, LATER = 1, 2  # when Tank Shock is resolved


class ChargeMove(phase.ChargeMove):
    """A Charge move after which a unit may ram. ``MARK``: Tank Shock was used, 2: it is resolved after the opponent's Stratagems."""

    steps = between(BEGIN, ORDERED)
    slots: ClassVar[Mapping[int, Bounds]] = MappingProxyType({**phase.ChargeMove.slots, MARK: between(0, LATER)})
    asks = ("tank-shock-order",)

    def end(self, g: BattleCore, f: int) -> int:
        unit, rams = g.stack[f + UNIT], g.stack[f + MARK]
        if g.stack[f + STEP] == MADE:
            g.stack[f + STEP] = ORDERED
            if rams and may_open(g, Moment.ENDS_CHARGE):
                return g.ask(TankShockOrder, g.units.owner[unit], unit)
        g.pop()
        if rams == LATER:
            g.push(Ram, unit)
        if g.units.owner[unit] == g.clock.turn[0]:
            open_window(g, Moment.ENDS_CHARGE, unit)
        if rams == NOW:
            g.push(Ram, unit)
        return GO
