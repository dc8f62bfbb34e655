"""Rules that are resolved before the battle, by the players in turn (mission.pre-battle)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import player
from wh_env.core.procedures import integer
from wh_env.rulesets.w40k.sequence.sequencing import DueOrder, DueRules, due

BEFORE_BATTLE = "before-battle"


class PreBattle(DueRules):
    """The players alternately resolve one of their pre-battle rules, the first player first (mission.pre-battle)."""

    CHOOSER = integer(player())
    asks = ("pre-battle",)

    def advance(self, g: BattleCore, f: int) -> int:
        player = g.stack[f + PreBattle.CHOOSER]
        for side in (player, 1 - player):
            if pre_battle_rules(g, f, side):
                g.stack[f + PreBattle.CHOOSER] = side
                return g.ask(PreBattleChoice, side)
        return g.pop()


def pre_battle_rules(g: BattleCore, f: int, player: int) -> list[int]:
    """Numbers of the pre-battle rules that the player has not resolved."""
    if not g.setup.statics["timed"]:
        return []
    return [
        number
        for number, rule in due(g, BEFORE_BATTLE)
        if rule.owner == player and not PreBattle.resolved(g, f, number)
    ]


class PreBattleChoice(DueOrder):
    name = "pre-battle"
    what = "Which of the own pre-battle rules is resolved next."
    keys = ("mission.pre-battle",)

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        for number in pre_battle_rules(g, f, g.stack[f + PreBattle.CHOOSER]):
            mask[g.setup.space.option + number] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        player = g.stack[f + PreBattle.CHOOSER]
        g.stack[f + PreBattle.CHOOSER] = 1 - player
        if g.recorder is not None:
            number = action - g.setup.space.option
            g.tell("mission.pre-battle", "pre-battle rule", player=player, name=g.setup.statics["timed"][number].name)
        super().answer(g, f, action)
