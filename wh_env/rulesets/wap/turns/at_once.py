"""Rules that fall due together at the start of a turn (wap.core.sequence.simultaneous): the gaze of ground, the favour
and the riddles that it offers, and what special rules have units do.

Rules that act on different units are resolved one after the other as they come. If two of them act on one unit, the
player whose turn it is says which is next, also where they belong to the enemy.
"""

from __future__ import annotations

from collections.abc import Iterator

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import between
from wh_env.core.procedures import GO, DecisionKind, OfPlayer, integer
from wh_env.rulesets.wap.basics.contacts import block_of
from wh_env.rulesets.wap.basics.ground import with_trait
from wh_env.rulesets.wap.battle.victory import finish_if_left
from wh_env.rulesets.wap.morale.panic_causes import is_due
from wh_env.rulesets.wap.movement.start_of_turn import StartOfTurn, effects_of, is_any_due
from wh_env.rulesets.wap.panic.panic import Panic
from wh_env.rulesets.wap.turns.favours import Favours, seekers
from wh_env.rulesets.wap.turns.gazes import AT_START_OF_TURN, Gazes, gazing, is_gazed_at
from wh_env.rulesets.wap.turns.riddles import Riddles, may_answer

GAZES, RIDDLES, FAVOURS, RULES = range(4)  # what falls due, in the order in which it comes
WORDS = ("the ground gazes at units near it", "riddles are asked", "favour is sought", "special rules of units act")
ALL = (1 << len(WORDS)) - 1


def begins_with(g: BattleCore, player: int) -> None:
    """Push what falls due at the start of a player's turn."""
    if with_trait(g, "favours") or with_trait(g, "riddles") or gazing(g, AT_START_OF_TURN):
        g.push(AtOnce, player, ALL)
    else:
        g.push(StartOfTurn, player)


def blocks_under(g: BattleCore, player: int, what: int) -> set[int]:
    """The units on which something acts at the start of a player's turn, characters in them included."""
    everybody = range(len(g.units.owner))
    if what == GAZES:
        return {unit for ground in gazing(g, AT_START_OF_TURN) for unit in everybody if is_gazed_at(g, unit, ground)}
    if what == RIDDLES:
        asking, own = with_trait(g, "riddles"), g.units_of(player)
        return {block_of(g, unit) for unit in own if any(may_answer(g, unit, ground) for ground in asking)}
    if what == FAVOURS:
        return {block_of(g, g.models.unit[k]) for k in seekers(g, player)} if with_trait(g, "favours") else set()
    possible = is_any_due(g, player)
    return {block_of(g, unit) for unit in g.units_of(player) if effects_of(g, unit)} if possible else set()


class AtOnce(OfPlayer):
    """What falls due at the start of a player's turn is resolved, one thing after the other."""

    LEFT = integer(between(0, ALL))  # bits of what is still to come
    asks = ("due-order",)

    def fits(self, g: BattleCore, f: int) -> bool:
        """Whether there is an order to be asked for, unless something is being resolved."""
        return f != g.frame or len(AtOnce.in_conflict(g, f)) > 1

    def advance(self, g: BattleCore, f: int) -> int:
        if is_due(g):
            g.push(Panic)
            return GO
        if finish_if_left(g):
            return GO
        left = list(AtOnce.left(g, f))
        if not left:
            return g.pop()
        if left[0] in AtOnce.in_conflict(g, f):
            return g.ask(DueOrder, g.stack[f + AtOnce.PLAYER])
        AtOnce.begin(g, f, left[0])
        return GO

    @staticmethod
    def left(g: BattleCore, f: int) -> Iterator[int]:
        """What is still to come."""
        return (what for what in range(len(WORDS)) if g.stack[f + AtOnce.LEFT] >> what & 1)

    @staticmethod
    def in_conflict(g: BattleCore, f: int) -> list[int]:
        """Of what is still to come, what acts on a unit on which something else acts too."""
        under = {what: blocks_under(g, g.stack[f + AtOnce.PLAYER], what) for what in AtOnce.left(g, f)}
        return [one for one in under if any(one != other and under[one] & under[other] for other in under)]

    @staticmethod
    def begin(g: BattleCore, f: int, what: int) -> None:
        """Let something come now."""
        player = g.stack[f + AtOnce.PLAYER]
        g.stack[f + AtOnce.LEFT] &= ~(1 << what)
        if what == GAZES:
            g.push(Gazes, player, AT_START_OF_TURN)
        elif what == RIDDLES:
            g.push(Riddles, player)
        elif what == FAVOURS:
            g.push(Favours, player)
        else:
            g.push(StartOfTurn, player)


class DueOrder(DecisionKind):
    name = "due-order"
    what = "Which of several rules that fall due at the same moment and act on one unit is resolved next."
    keys = ("wap.core.sequence.simultaneous",)

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        for what in AtOnce.in_conflict(g, f):
            mask[g.setup.space.option + what] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        what = action - g.setup.space.option
        if g.recorder is not None:
            g.note(self.keys[0], "comes first", player=g.stack[f + AtOnce.PLAYER], name=WORDS[what])
        AtOnce.begin(g, f, what)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return f"first {WORDS[action - g.setup.space.option]}"
