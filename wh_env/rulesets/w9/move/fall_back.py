"""Falling Back: models move around other models, so that no model is tested (w9.move.fall-back)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import STEP
from wh_env.rulesets.w9.move.moved import move_ended
from wh_env.rulesets.w40k.move import fall_back
from wh_env.rulesets.w40k.move.model_moves import begin_move


class FallBack(fall_back.FallBack):
    """A Fall Back in which no model crosses another."""

    asks = ("fall-back-to",)
    crosses = False

    def advance(self, g: BattleCore, f: int) -> int:
        unit, step = g.stack[f + FallBack.UNIT], g.stack[f + STEP]
        if step == FallBack.Step.BEGIN:
            begin_move(g, unit)
        done = super().advance(g, f)
        if step == FallBack.Step.END:
            move_ended(g, unit)
        return done
