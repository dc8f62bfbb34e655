"""Full detail: models of a unit move one by one, and the way of one past Difficult Ground binds the next
(w9.terrain.difficult-ground).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import STEP
from wh_env.rulesets.w9.move.ground import FREE
from wh_env.rulesets.w40k.move import model_moves


class MoveModels(model_moves.MoveModels):
    """As long as no model of the unit has moved, no way binds it."""

    def advance(self, g: BattleCore, f: int) -> int:
        Step = MoveModels.Step
        unit, step = g.stack[f + MoveModels.UNIT], g.stack[f + STEP]
        nobody = step == Step.SELECT and not any(g.models.moved[k] for k in g.members(unit))
        if step in (Step.BEGIN, Step.END) or nobody:
            g.ground.way[unit] = FREE
        return super().advance(g, f)
