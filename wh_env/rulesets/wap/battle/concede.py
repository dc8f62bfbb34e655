"""Conceding: a player gives the battle up, and the opponent wins a massacre whatever the points are
(wap.victory.concede).

If the rules of the battle set ``conceding``, each player is asked at the start of the phases of the player's turns that
are played. By default they do not set it: a player who wants to stop tells the program that runs the battle, and a
random player would end every battle in its first turn.
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import DecisionKind, OfPlayer
from wh_env.rulesets.wap.battle.victory import finish


class Concede(OfPlayer):
    """A player may give the battle up."""

    asks = ("concede",)

    def advance(self, g: BattleCore, f: int) -> int:
        return g.ask(ConcedeOrNot, g.stack[f + Concede.PLAYER])


class ConcedeOrNot(DecisionKind):
    name = "concede"
    what = "Whether the player concedes the battle, in battles whose rules say `conceding`; done: he plays on."
    keys = ("wap.victory.concede",)

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        mask[0] = mask[g.setup.space.option] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        player = g.stack[f + Concede.PLAYER]
        g.pop()
        if action:
            g.players.conceded[player] = 1
            g.note("wap.victory.concede", "concedes", player=player)
            finish(g)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return "concedes the battle" if action else "plays on"
