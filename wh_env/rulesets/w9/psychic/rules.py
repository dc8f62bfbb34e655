"""Psychic powers in the 9th edition: limits for psykers, and the rising warp charge value of Smite (w9.psychic.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.w9.actions.performing import is_silent, possible_now, start_attempt
from wh_env.rulesets.w40k.codes import Moved
from wh_env.rulesets.w40k.edition_parts.psychic_rules import PsychicRules
from wh_env.rulesets.w40k.profiles import Keyword
from wh_env.rulesets.w40k.psychic.data import SMITE_NUMBER

PSYKER, TITANIC = int(Keyword.PSYKER), int(Keyword.TITANIC)
SMITE = 1 << SMITE_NUMBER


class NinthPsychic(PsychicRules):
    """An army attempts a power once a battle round. Smite is attempted once by each unit, and becomes harder each
    time.
    """

    deny_reach = 24.0  # w9.psychic.deny
    perils_reach = 6.0  # w9.psychic.perils.destroyed

    def present(self, g: BattleCore, unit: int) -> bool:
        """Whether the unit has a PSYKER model left (w9.psychic.select, w9.psychic.deny)."""
        return bool(g.units.keywords[unit] & PSYKER)

    def may_manifest(self, g: BattleCore, unit: int) -> bool:
        """Whether the unit may be selected (w9.psychic.select): not after it Fell Back, unless it is TITANIC; never
        after a Desperate Breakout.
        """
        free = g.units.moved[unit] != Moved.FELL_BACK or g.units.keywords[unit] & TITANIC
        return bool(free and not g.combat.broke_out[unit])

    def period(self, g: BattleCore) -> int:
        """The battle round, in which attempts are counted (w9.psychic.same-power-once, .smite-once-per-unit)."""
        return g.clock.round[0]

    def barred(self, g: BattleCore, unit: int) -> int:
        """Bits of the powers that units of the same army have attempted in this battle round, without Smite
        (w9.psychic.same-power-once).
        """
        powers = 0
        now, psyche = self.period(g), g.psyche
        tried, period, owner = psyche.tried, psyche.period, g.units.owner
        for other in g.setup.statics["psychic_profiles"]:
            if period[other] == now and owner[other] == owner[unit]:
                powers |= tried[other]
        return powers & ~SMITE

    def rise(self, g: BattleCore, unit: int, number: int) -> int:
        """What earlier attempts add to the warp charge value of Smite; 0 for other powers (w9.psychic.smite.rising)."""
        return g.smites[g.units.owner[unit]] if number == SMITE_NUMBER else 0

    def possible(self, g: BattleCore, unit: int, number: int) -> bool:
        """Whether the unit fulfils the conditions of a psychic action (w9.actions.psychic, .once, .range)."""
        return possible_now(g, unit, number)

    def attempts(self, g: BattleCore, unit: int, number: int) -> None:
        """An action that the unit performs fails; a psychic action counts as its action of the round (w9.actions.fail,
        w9.actions.once).
        """
        start_attempt(g, unit, number)

    def silent(self, g: BattleCore, unit: int) -> bool:
        """Whether the auras of the unit have no effect (w9.actions.aura)."""
        return is_silent(g, unit)
