"""Flight from close combat (wap.pursuit.flee-*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import Procedure


class CombatFlights(Procedure):
    """The flights of all broken units of one combat."""

    def advance(self, g: BattleCore, f: int) -> int:
        return g.pop()
