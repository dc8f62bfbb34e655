"""Breath attacks in the Shooting phase (wap.special.breath.shooting, .template)."""

from __future__ import annotations

from math import tau

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import STEP, DecisionKind
from wh_env.rulesets.wap.shooting.breathing import Breathing, ChooseBreath
from wh_env.rulesets.wap.shooting.flames import breathe, placings
from wh_env.rulesets.wap.special.breath import is_ready
from wh_env.rulesets.wap.ways.poses import degrees


class BreathShot(Breathing):
    """The breath attack of one unit: its player chooses a breath; if it is ready, he chooses a direction."""

    asks = ("choose-breath", "breath-direction")

    def advance(self, g: BattleCore, f: int) -> int:
        Step, unit = BreathShot.Step, g.stack[f + BreathShot.UNIT]
        if g.stack[f + STEP] == Step.BEGIN:
            return g.ask(ChooseBreath, g.units.owner[unit], unit)
        if g.stack[f + STEP] == Step.CHOSEN and is_ready(g, unit, g.stack[f + BreathShot.BREATH]):
            g.stack[f + STEP] = Step.READY
            return g.ask(BreathDirection, g.units.owner[unit], unit)
        return g.pop()


class BreathDirection(DecisionKind):
    name = "breath-direction"
    what = (
        "In which direction a unit breathes: where the flame template lies in its front quarter, over enemies who "
        "do not fight, over no friend."
    )
    keys = ("wap.special.breath.template", "wap.core.template.placement", "wap.shoot.template.friends")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        for slot in placings(g, g.stack[f + BreathShot.UNIT]):
            mask[g.setup.space.angle + slot] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit = g.stack[f + BreathShot.UNIT]
        number = g.stack[f + BreathShot.BREATH]
        g.pop()
        breathe(g, unit, number, action - g.setup.space.angle)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        space, unit = g.setup.space, g.stack[f + BreathShot.UNIT]
        slot = action - space.angle
        towards = degrees(slot * tau / space.angles)
        return f"{g.setup.names['units'][unit]} breathes at {towards} degrees, over {len(placings(g, unit)[slot])}"
