"""The Charge phase: charges of the turn player, then Heroic Interventions of the opponent (w8.charge.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import GO, STEP, Steps
from wh_env.rulesets.w40k.charge import phase
from wh_env.rulesets.w40k.charge.heroic import HeroicInterventions
from wh_env.rulesets.w40k.sequence.timing import end_phase


class ChargePhase(phase.ChargePhase):
    """w8.charge.sequence, w8.charge.heroic."""

    class Step(Steps):
        INTERVENED = 3

    def advance(self, g: BattleCore, f: int) -> int:
        Step = ChargePhase.Step
        step, player = g.stack[f + STEP], g.stack[f + ChargePhase.PLAYER]
        if step == phase.ChargePhase.Step.END:
            g.stack[f + STEP] = Step.INTERVENED
            g.push(HeroicInterventions, 1 - player)
            return GO
        if step == Step.INTERVENED:
            end_phase(g)
            return g.pop()
        return super().advance(g, f)
