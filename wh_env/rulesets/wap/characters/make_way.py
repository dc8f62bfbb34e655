"""Characters move to the enemy before a combat, and those who hid come forward again (wap.character.make-way.*,
wap.challenge.refuse.return).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import flag
from wh_env.core.procedures import GO, STEP, ChooseUnit, OfPlayer, Steps, integer
from wh_env.rulesets.wap.basics.dice import roll_off
from wh_env.rulesets.wap.basics.joined import host_of
from wh_env.rulesets.wap.challenges.duels import is_in_combat, touches_enemy
from wh_env.rulesets.wap.characters.joining import free_bits
from wh_env.rulesets.wap.characters.joins import SWAPS, Join, trading_files


def may_come_forward(g: BattleCore, unit: int) -> bool:
    """Whether a character in a unit in combat has a better place. If he has hidden, this is any free place in the front
    rank; else, if he touches no enemy, one where he does.
    """
    host = host_of(g, unit)
    if host < 0 or g.units.beside[unit] or not is_in_combat(g, unit):
        return False
    if g.units.cowers[unit]:
        return bool(free_bits(g, unit, host))
    return not touches_enemy(g, unit) and bool(trading_files(g, unit))


class MakeWay(OfPlayer):
    """Players bring characters forward in turn. If both can, a roll-off says who begins
    (wap.character.make-way.order).
    """

    class Step(Steps):
        BEGIN, TURN = range(2)

    SOUTH = integer(flag())  # whether player 0, and player 1, has declined to bring others forward
    NORTH = integer(flag())
    asks = ("make-way",)

    def advance(self, g: BattleCore, f: int) -> int:
        stack = g.stack
        if stack[f + STEP] == MakeWay.Step.BEGIN:
            stack[f + STEP] = MakeWay.Step.TURN
            stack[f + MakeWay.PLAYER] = g.clock.turn[0]
            if waiting(g, f, 0) and waiting(g, f, 1):
                stack[f + MakeWay.PLAYER] = roll_off(g, "wap.character.make-way.order")
            return GO
        whose = stack[f + MakeWay.PLAYER]
        if not waiting(g, f, whose):
            whose = stack[f + MakeWay.PLAYER] = 1 - whose
        if not waiting(g, f, whose):
            return g.pop()
        return g.ask(ComeForward, whose)


def waiting(g: BattleCore, f: int, whose: int) -> bool:
    """Whether player ``whose`` may still bring a character forward."""
    over = g.stack[f + (MakeWay.NORTH if whose else MakeWay.SOUTH)]
    return not over and any(may_come_forward(g, unit) for unit in g.units_of(whose))


class ComeForward(ChooseUnit):
    name = "make-way"
    what = (
        "Which character comes to the front before a combat: to a place where he touches the enemy, or out of the "
        "rear ranks; done: no other one."
    )
    keys = ("wap.character.make-way.swap", "wap.character.make-way.order", "wap.challenge.refuse.return")
    declines = True

    def may(self, g: BattleCore, unit: int) -> bool:
        return may_come_forward(g, unit)

    def chosen(self, g: BattleCore, f: int, unit: int) -> None:
        g.stack[f + MakeWay.PLAYER] = 1 - g.units.owner[unit]
        g.push(Join, unit, host_of(g, unit), SWAPS)

    def declined(self, g: BattleCore, f: int) -> None:
        whose = g.stack[f + MakeWay.PLAYER]
        g.stack[f + (MakeWay.NORTH if whose else MakeWay.SOUTH)] = 1
        g.stack[f + MakeWay.PLAYER] = 1 - whose

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return "nobody else comes forward" if action == 0 else f"{g.default_words(action)} comes forward"
