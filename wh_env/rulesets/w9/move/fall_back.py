"""Falling Back: around other models, out of Engagement Range, and nobody is tested (w9.move.fall-back)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import GO, STEP
from wh_env.rulesets.w40k.codes import Moved
from wh_env.rulesets.w40k.move import fall_back
from wh_env.rulesets.w40k.move.coherency import in_coherency
from wh_env.rulesets.w40k.move.fall_back import FallBackTo, can_fall_back, leave
from wh_env.rulesets.w40k.move.limits import engaged
from wh_env.rulesets.w40k.move.model_moves import MoveModels


class FallBack(fall_back.FallBack):
    """The way is chosen, then the unit moves."""

    asks = ("fall-back-to",)

    def advance(self, g: BattleCore, f: int) -> int:
        Step = FallBack.Step
        stack = g.stack
        unit, full = stack[f + FallBack.UNIT], g.setup.rules["detail"] == "full"
        if stack[f + STEP] == Step.BEGIN:
            stack[f + STEP] = Step.LEAVE
            if stack[f + FallBack.MARK] and not can_fall_back(g, unit):
                stack[f + STEP] = Step.END
            elif full:
                g.push(MoveModels, unit, Moved.FELL_BACK)
            else:
                return g.ask(FallBackTo, g.units.owner[unit], unit)
            return GO
        cell = stack[f + FallBack.CELL]
        if stack[f + STEP] == Step.LEAVE:
            if not full:
                leave(g, unit, cell, 0)
            elif engaged(g, unit) or not in_coherency(g, unit):
                leave(g, unit, len(g.work.cells) // 2, 0)  # a player who found no way: as one
        return g.pop()
