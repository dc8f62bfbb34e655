"""The player who has the first turn: by a roll-off, or chosen by the player whom a die names (wap.battle.first-turn,
wap.scenario.*.first-turn).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import flag
from wh_env.core.procedures import GO, DecisionKind, OfPlayer, integer
from wh_env.rulesets.wap.basics.dice import roll_off
from wh_env.rulesets.wap.battle.scenarios import cited


def first_player_of(g: BattleCore) -> int:
    """The player who wins the roll-off for the first turn. By mission, the player who finished deploying first adds 1
    (wap.scenario.battleline.first-turn), or the player with fewer units does (wap.battle.first-turn).
    """
    bonus = [0, 0]
    by_finishing = g.setup.rules["mission"]["first_turn"]["roll"] == "finished-first"
    if by_finishing:
        bonus[g.clock.finished[0]] = 1
    else:
        counts = g.players.units
        if counts[0] != counts[1]:
            bonus[0 if counts[0] < counts[1] else 1] = 1
    rule = cited(g).first_turn if by_finishing else "wap.battle.first-turn"
    return roll_off(g, rule, (bonus[0], bonus[1]))


def plays_first(g: BattleCore, first: int) -> None:
    """Record that player ``first`` has the first turn."""
    g.clock.first_player[0] = g.clock.turn[0] = first
    if g.recorder is not None:
        by_number = g.setup.rules["mission"]["first_turn"]["roll"] == "fewer-units"
        g.note("wap.battle.first-turn" if by_number else cited(g).first_turn, "plays first", first_player=first)


class FirstTurn(OfPlayer):
    """Settle who has the first turn, by the roll that the mission names. ``PLAYER`` is the one who deployed first."""

    CHOOSER = integer(flag())
    asks = ("choose-first",)

    def advance(self, g: BattleCore, f: int) -> int:
        how = g.setup.rules["mission"]["first_turn"]
        if how["roll"] == "deployed-first":
            g.pop()
            plays_first(g, g.stack[f + FirstTurn.PLAYER])
            return GO
        if how["roll"] != "second-chooses":
            g.pop()
            plays_first(g, first_player_of(g))
            return GO
        first, die = g.stack[f + FirstTurn.PLAYER], g.d6()
        chooser = g.stack[f + FirstTurn.CHOOSER] = 1 - first if die >= how["least"] else first
        if g.recorder is not None:
            g.note(cited(g).first_turn, "chooses", player=chooser, die=die)
        return g.ask(ChooseFirst, chooser)


class ChooseFirst(DecisionKind):
    name = "choose-first"
    what = "Who plays first, the player himself or his opponent."
    keys = ("wap.scenario.dawn-attack.first-turn", "wap.scenario.meeting-engagement.first-turn")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        option = g.setup.space.option
        mask[option] = mask[option + 1] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        chooser = g.stack[f + FirstTurn.CHOOSER]
        g.pop()
        plays_first(g, chooser if action == g.setup.space.option else 1 - chooser)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return "plays first" if action == g.setup.space.option else "lets the opponent play first"
