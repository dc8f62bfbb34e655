"""The blows of one round of close combat, one step of Initiative after the other (wap.combat.order.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import Procedure


class Strikes(Procedure):
    """All blows of the units in the combat."""

    def advance(self, g: BattleCore, f: int) -> int:
        return g.pop()
