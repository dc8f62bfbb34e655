"""Compulsory moves of a player's turn: rally, flight, random movement (wap.compulsory.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import OfPlayer


class Compulsory(OfPlayer):
    """What units must do before others may move. So far nothing compels any."""

    def advance(self, g: BattleCore, f: int) -> int:
        return g.pop()
