"""The order of the Fight phase: units that charged, then the players alternate (w8.fight.*)."""

from __future__ import annotations

from wh_env.rulesets.w40k.fight import phase


class FightPhase(phase.FightPhase):
    """First units that charged, then the others (w8.fight.chargers-first, w8.fight.alternate); the turn player selects
    first in both steps.
    """

    order = (
        phase.FightStep("fight.fights-first", phase.turn_player, phase.has_fights_first),
        phase.FightStep("fight.alternate", phase.turn_player, lambda g, unit: True),
    )
