"""Battle rounds and the end of the battle (w9.round.structure, w9.round.battle-end)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import GO
from wh_env.rulesets.w9.mission.late import round_over
from wh_env.rulesets.w9.objective.control import undecided
from wh_env.rulesets.w9.objective.counting import Counting
from wh_env.rulesets.w40k.phases.timing import end_if_army_destroyed
from wh_env.rulesets.w40k.rounds import turns


class BattleRounds(turns.BattleRounds):
    """Before the battle ends, players say which marker models between several count for (w9.mission.only-war.bonus)."""

    def advance(self, g: BattleCore, f: int) -> int:
        begun = g.stack[f + BattleRounds.TURNS]
        if begun == 2 * g.setup.rules["rounds"] and undecided(g) >= 0:
            g.push(Counting)
            return GO
        if begun and begun % 2 == 0 and not g.stack[f + BattleRounds.ROUND_OVER]:
            round_over(g)
            if end_if_army_destroyed(g):
                return GO
        return super().advance(g, f)
