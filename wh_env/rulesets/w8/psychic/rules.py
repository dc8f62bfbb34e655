"""How the 8th edition plays psychic powers (w8.psychic.*)."""

from __future__ import annotations

from wh_env.rulesets.w40k.psychic.rules import PsychicRules


class EighthPsychic(PsychicRules):
    """Every psyker attempts each of its powers once a turn (w8.psychic.once-per-power)."""

    deny_reach = 24.0  # w8.psychic.deny
    perils_reach = 6.0  # w8.psychic.perils.explosion
