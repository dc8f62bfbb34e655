"""Impact hits of units that have charged (wap.special.impact-hits.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import Procedure


class ImpactHits(Procedure):
    """Impact hits of all units in the combat, before anybody strikes."""

    def advance(self, g: BattleCore, f: int) -> int:
        return g.pop()
