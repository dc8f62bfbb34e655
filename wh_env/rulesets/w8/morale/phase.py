"""The Morale phase (w8.morale.*)."""

from __future__ import annotations

from wh_env.rulesets.w40k.morale import phase


class MoralePhase(phase.MoralePhase):
    """All units of the turn player test first (w8.morale.order). As many models flee as the result exceeds Leadership
    by (w8.morale.flee).
    """

    alternate = False
