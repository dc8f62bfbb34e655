"""The choice whether a unit breathes, and with which breath attack, in the Shooting phase and in close combat
(wap.special.breath.use).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import amount, row_of
from wh_env.core.procedures import STEP, DecisionKind, Procedure, Steps, integer
from wh_env.rulesets.wap.special.breath import breaths_of


class Breathing(Procedure):
    """A unit may use a breath attack. The step ``READY`` goes on with one, ``NOT`` without."""

    class Step(Steps):
        BEGIN, CHOSEN, NOT, READY = range(4)

    UNIT = integer(row_of("units"))
    BREATH = integer(amount())  # the number of the breath attack that the unit uses


class ChooseBreath(DecisionKind):
    name = "choose-breath"
    what = "Which of its breath attacks a unit uses; done: none in this phase."
    keys = ("wap.special.breath.use",)

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        mask[0] = True
        for at in range(len(breaths_of(g, g.stack[f + Breathing.UNIT]))):
            mask[g.setup.space.option + at] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        g.units.breathed[g.stack[f + Breathing.UNIT]] = 1
        g.stack[f + STEP] = Breathing.Step.CHOSEN if action else Breathing.Step.NOT
        g.stack[f + Breathing.BREATH] = max(0, action - g.setup.space.option)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        unit = g.stack[f + Breathing.UNIT]
        name = g.setup.names["units"][unit]
        if action == 0:
            return f"{name} does not breathe"
        return f"{name} breathes ({breaths_of(g, unit)[action - g.setup.space.option]})"
