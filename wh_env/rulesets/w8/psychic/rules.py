"""Psychic powers in the 8th edition (w8.psychic.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.w40k.edition_parts.psychic_rules import PsychicRules
from wh_env.rulesets.w40k.profiles import Keyword

PSYKER = int(Keyword.PSYKER)


class EighthPsychic(PsychicRules):
    """Each psyker is a model. It attempts each of its powers once a turn; psykers act in any order
    (w8.psychic.once-per-power, .select).
    """

    deny_reach = 24.0  # w8.psychic.deny
    perils_reach = 6.0  # w8.psychic.perils.explosion
    one_by_one = True

    def psyker(self, g: BattleCore, unit: int) -> int:
        """The first PSYKER model of the unit, -1 if there is none (w8.psychic.psyker)."""
        return next((k for k in g.members(unit) if g.models.keywords[k] & PSYKER), -1)

    def present(self, g: BattleCore, unit: int) -> bool:
        """Whether the unit has a psyker (w8.psychic.psyker)."""
        return self.psyker(g, unit) >= 0
