"""Powers of the 9th edition whose effects end with the turn (w9.psychic.manifest)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import Procedure
from wh_env.rulesets.w40k.psychic.data import Lasts
from wh_env.rulesets.w40k.psychic.lasting import end_powers


class PowersEnd(Procedure):
    """The turn ends, and with it the powers that last until then."""

    def advance(self, g: BattleCore, f: int) -> int:
        for player in (0, 1):
            end_powers(g, Lasts.TURN, player)
        return g.pop()
