"""The challenge of one combat, after its impact hits: the player whose turn it is may issue it, else the other player;
it is accepted or refused (wap.challenge.timing).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import row_of
from wh_env.core.procedures import GO, STEP, ChooseUnit, DecisionKind, OfPlayer, Steps, integer
from wh_env.rulesets.wap.challenges.duels import (
    begin_duel,
    can_hide,
    facing_heroes,
    heroes_in_combat,
    hide,
    opponent_of,
)


def may_challenge(g: BattleCore, unit: int) -> bool:
    """Whether a character has an enemy character to challenge (wap.challenge.issuer)."""
    return bool(facing_heroes(g, unit))


class Challenges(OfPlayer):
    """At most one challenge, and none while an earlier duel goes on (wap.challenge.next-rounds)."""

    class Step(Steps):
        BEGIN, FIRST, SECOND, ANSWER, NAME = range(5)

    CHALLENGER = integer(row_of("units"))
    asks = ("challenge", "accept-challenge", "name-coward")

    def advance(self, g: BattleCore, f: int) -> int:
        Step, stack = Challenges.Step, g.stack
        step = stack[f + STEP]
        if step == Step.BEGIN:
            if any(opponent_of(g, unit) >= 0 for player in (0, 1) for unit in heroes_in_combat(g, player)):
                return g.pop()
            stack[f + STEP] = Step.FIRST
            return GO
        if step in (Step.FIRST, Step.SECOND):
            player = stack[f + Challenges.PLAYER] = g.clock.turn[0] if step == Step.FIRST else 1 - g.clock.turn[0]
            if any(may_challenge(g, unit) for unit in heroes_in_combat(g, player)):
                return g.ask(Challenge, player)
            Challenges.nobody(g, f)
            return GO
        challenger = stack[f + Challenges.CHALLENGER]
        player = g.units.owner[challenger]
        if step == Step.ANSWER:
            return g.ask(AcceptChallenge, 1 - player, challenger)
        return g.ask(NameCoward, player, challenger)

    @staticmethod
    def nobody(g: BattleCore, f: int) -> None:
        """A player issues no challenge: the other player may then issue one; after both, the procedure ends."""
        if g.stack[f + STEP] == Challenges.Step.FIRST:
            g.stack[f + STEP] = Challenges.Step.SECOND
        else:
            g.pop()


class Challenge(ChooseUnit):
    name = "challenge"
    what = "Which character issues a challenge; done: none of the player's does."
    keys = ("wap.challenge.timing", "wap.challenge.issuer")
    declines = True

    def may(self, g: BattleCore, unit: int) -> bool:
        return unit in heroes_in_combat(g, g.units.owner[unit]) and may_challenge(g, unit)

    def chosen(self, g: BattleCore, f: int, unit: int) -> None:
        g.stack[f + Challenges.CHALLENGER], g.stack[f + STEP] = unit, Challenges.Step.ANSWER
        g.note("wap.challenge.timing", "challenges", unit=unit)

    def declined(self, g: BattleCore, f: int) -> None:
        Challenges.nobody(g, f)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return "no challenge" if action == 0 else f"{g.default_words(action)} issues a challenge"


class AcceptChallenge(DecisionKind):
    name = "accept-challenge"
    what = "Which character accepts a challenge; done: none does, and one of them hides."
    keys = ("wap.challenge.accept", "wap.challenge.refuse.nowhere-to-hide")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        able = facing_heroes(g, g.stack[f + Challenges.CHALLENGER])
        at = g.setup.space.own - g.players.first_unit[g.clock.player[0]]
        for unit in able:
            mask[at + unit] = True
        mask[0] = any(can_hide(g, unit) for unit in able)

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        if action == 0:
            g.stack[f + STEP] = Challenges.Step.NAME
            return
        challenger = g.stack[f + Challenges.CHALLENGER]
        unit = g.players.first_unit[1 - g.units.owner[challenger]] + action - g.setup.space.own
        g.pop()
        begin_duel(g, challenger, unit)
        g.note("wap.challenge.accept", "accepts", unit=unit, target=challenger)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return "the challenge is refused" if action == 0 else f"{g.default_words(action)} accepts the challenge"


class NameCoward(DecisionKind):
    name = "name-coward"
    what = "Which of the enemy characters who could have accepted a challenge has to hide."
    keys = ("wap.challenge.refuse.nominate",)

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        challenger = g.stack[f + Challenges.CHALLENGER]
        at = g.setup.space.enemy - g.players.first_unit[1 - g.units.owner[challenger]]
        for unit in facing_heroes(g, challenger):
            mask[at + unit] = can_hide(g, unit)

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        challenger = g.stack[f + Challenges.CHALLENGER]
        g.pop()
        hide(g, g.players.first_unit[1 - g.units.owner[challenger]] + action - g.setup.space.enemy)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return f"{g.default_words(action)} has to hide"
