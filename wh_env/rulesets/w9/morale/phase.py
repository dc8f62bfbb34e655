"""Morale phase: Morale tests with Combat Attrition, then Unit Coherency Checks (w9.morale.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.w40k.morale import phase
from wh_env.rulesets.w40k.questions.strength import below_half_strength
from wh_env.rulesets.w40k.rounds.turns import EndOfTurn

ALWAYS_PASSES = 1  # an unmodified roll (w9.morale.test)
FLEES = 1  # on a Combat Attrition test (w9.morale.attrition)


class MoralePhase(phase.MoralePhase):
    """The players alternate, then come the Unit Coherency Checks (w9.morale.phase)."""

    after = (EndOfTurn,)


class Morale(phase.Morale):
    """A unit that fails its test: one model flees, then Combat Attrition tests are taken."""

    def passed(self, g: BattleCore, unit: int, die: int, more: int = 0) -> bool:
        return die == ALWAYS_PASSES or super().passed(g, unit, die, more)

    def fleeing(self, g: BattleCore, unit: int, die: int, more: int = 0) -> int:
        """The number of models that flee at a failed test: one (w9.morale.flee)."""
        return 1

    def follow(self, g: BattleCore, unit: int) -> int:
        """Take Combat Attrition tests for the models that are left; returns how many flee (w9.morale.attrition,
        .half-strength, w9.concepts.half-strength).
        """
        left = g.units.alive[unit]
        worse = int(below_half_strength(g, unit))
        dice = [g.d6() for _ in range(left)]
        fleeing = sum(die - worse <= FLEES for die in dice)
        g.note("w9.morale.attrition", "Combat Attrition tests", unit=unit, rolls=dice, bonus=-worse, fleeing=fleeing)
        return fleeing

    def mean_follow(self, g: BattleCore, unit: int, left: int) -> float:
        """The number of ``left`` models that Combat Attrition tests make flee on average (w9.morale.attrition,
        .half-strength).
        """
        worse = 2 * left < g.units.strength[unit]
        return left * (FLEES + worse) / 6
