"""The order of the Fight phase (w9.fight.order, w9.fight.chargers-first, w9.rare.fight-first-last.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import between
from wh_env.core.procedures import STEP, integer
from wh_env.rulesets.w9.fight.combat import stance
from wh_env.rulesets.w40k.fight import phase

FIRST, REMAINING, LAST = 1, 2, 3  # steps of the phase


class FightPhase(phase.FightPhase):
    """First the units that fight first, then the others, beginning with the opponent of the turn player, then the units
    that fight last.

    If a unit of an earlier step becomes eligible, the players go back to that step, and then on from where they were.
    """

    REACHED = integer(between(0, LAST + 1))  # the last step that was begun
    order = (
        phase.FightStep("fight.fights-first", phase.turn_player, lambda g, unit: stance(g, unit) > 0),
        phase.FightStep("fight.alternate", phase.opponent, lambda g, unit: stance(g, unit) >= 0),
        phase.FightStep("fight.alternate", phase.turn_player, lambda g, unit: True),
    )

    def advance(self, g: BattleCore, f: int) -> int:
        step = g.stack[f + STEP]
        for earlier in range(FIRST, step):
            if any(self.may_select(g, unit, earlier) for unit in range(len(g.units.place))):
                g.stack[f + STEP] = earlier
                break
        return super().advance(g, f)

    def may_select(self, g: BattleCore, unit: int, step: int) -> bool:
        """Whether the unit can be selected in this step; never after a Desperate Breakout
        (w9.stratagem.desperate-breakout).
        """
        return not g.combat.broke_out[unit] and super().may_select(g, unit, step)

    def next_step(self, g: BattleCore, f: int) -> None:
        """Go to the next step. When a step begins for the first time, its starter selects first; later the alternation
        goes on.
        """
        step = g.stack[f + STEP]
        reached = max(FIRST, g.stack[f + FightPhase.REACHED])
        if step < reached:
            g.stack[f + STEP] = step + 1
            return
        super().next_step(g, f)
        g.stack[f + FightPhase.REACHED] = step + 1
