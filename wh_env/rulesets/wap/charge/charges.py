"""The charge step: charges are declared one by one, each is answered at once, then they are carried out (wap.charge.step)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import OfPlayer


class Charges(OfPlayer):
    """All charges of a player's turn."""

    def advance(self, g: BattleCore, f: int) -> int:
        return g.pop()
