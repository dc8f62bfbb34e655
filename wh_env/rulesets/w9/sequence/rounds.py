"""Battle rounds and the end of the battle (w9.round.structure, w9.round.battle-end)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import GO
from wh_env.rulesets.w9.objective.control import undecided
from wh_env.rulesets.w9.objective.counting import Counting
from wh_env.rulesets.w40k.sequence import turns


class BattleRounds(turns.BattleRounds):
    """Before the battle ends, it is said for which markers models count then (w9.mission.only-war.bonus)."""

    def advance(self, g: BattleCore, f: int) -> int:
        if g.stack[f + BattleRounds.TURNS] == 2 * g.setup.rules["rounds"] and undecided(g) >= 0:
            g.push(Counting)
            return GO
        return super().advance(g, f)
