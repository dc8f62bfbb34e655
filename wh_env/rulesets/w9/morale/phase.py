"""Morale phase (w9.morale.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import GO, STEP, OfPlayer, Steps
from wh_env.rulesets.w40k.sequence.timing import end_phase, start_phase
from wh_env.rulesets.w40k.sequence.turns import EndOfTurn


class MoralePhase(OfPlayer):
    """w9.morale.phase: Morale tests, then Unit Coherency Checks."""

    class Step(Steps):
        BEGIN, END = range(2)

    def advance(self, g: BattleCore, f: int) -> int:
        if g.stack[f + STEP] == MoralePhase.Step.BEGIN:
            g.stack[f + STEP] = MoralePhase.Step.END
            start_phase(g, self)
            g.push(EndOfTurn)
            return GO
        end_phase(g)
        return g.pop()
