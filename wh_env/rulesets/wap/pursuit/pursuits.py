"""Pursuit and overrun moves (wap.pursuit.move.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import Procedure


class StayedReforms(Procedure):
    """Reforms of units that stayed where they are."""

    def advance(self, g: BattleCore, f: int) -> int:
        return g.pop()


class Pursuits(Procedure):
    """The pursuits and overruns of one combat."""

    def advance(self, g: BattleCore, f: int) -> int:
        return g.pop()
