"""Items by which their bearers single out an enemy character in contact at the start of a Close Combat phase
(wap.item.armour.helm-of-discord).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import count_of, flag, row_of
from wh_env.core.procedures import GO, DecisionKind, OfPlayer, integer
from wh_env.rulesets.wap.basics.carried import Moment, Use, has_uses, item_at, spend, usable
from wh_env.rulesets.wap.basics.effects import Effect, begin_effect, number_of
from wh_env.rulesets.wap.basics.rivals import rivals_of
from wh_env.rulesets.wap.commands.first_failures import TestWaits, ask_again, waits
from wh_env.rulesets.wap.morale.leadership import leadership_test


@dataclass(frozen=True)
class DazesRival(Use):
    """An enemy character in contact takes a Leadership test. If he fails, the effect begins on him."""

    effect: Effect

    def effects(self) -> tuple[Effect, ...]:
        return (self.effect,)

    def may(self, g: BattleCore, k: int) -> bool:
        return bool(rivals_of(g, g.items.unit[k]))


def name_rivals(g: BattleCore, player: int) -> None:
    """Push the naming of rivals, if an item of the battle needs it: ``player`` names his first."""
    if has_uses(g, Moment.START_OF_COMBAT):
        g.push(Rivalries, player)


class Rivalries(OfPlayer):
    """The bearers of such items name an enemy each, those of the player whose turn it is first. A player is asked if
    there are several.
    """

    asks = ("name-rival",)
    DONE = integer(count_of("items"))  # items for which it is done: those below this row
    THEIRS = integer(flag())  # 1: it is done for those of the player whose turn it is

    def advance(self, g: BattleCore, f: int) -> int:
        stack = g.stack
        k = Rivalries.next_item(g, f)
        if k < 0:
            if stack[f + Rivalries.THEIRS]:
                return g.pop()
            stack[f + Rivalries.THEIRS], stack[f + Rivalries.DONE] = 1, 0
            return GO
        unit = g.items.unit[k]
        found = rivals_of(g, unit)
        if len(found) > 1:
            return g.ask(NameRival, g.units.owner[unit], unit)
        Rivalries.name(g, f, k, found[0])
        return GO

    @staticmethod
    def next_item(g: BattleCore, f: int) -> int:
        """The row of the next item whose bearer touches a rival; -1: none of that player is left."""
        player = int(g.stack[f + Rivalries.PLAYER] ^ g.stack[f + Rivalries.THEIRS])
        rows = usable(g, player, Moment.START_OF_COMBAT)
        return min((k for k in rows if k >= g.stack[f + Rivalries.DONE]), default=-1)

    @staticmethod
    def name(g: BattleCore, f: int, k: int, rival: int) -> None:
        """The bearer of the item of row ``k`` has named a rival, who takes his test."""
        g.stack[f + Rivalries.DONE] = k + 1
        spend(g, k)
        if not leadership_test(g, rival, item_at(g, k).rule) and not waits(g, rival, RivalWaits, k):
            daze(g, k, rival)


def daze(g: BattleCore, k: int, rival: int) -> None:
    """A rival has failed the test that the item of row ``k`` makes him take."""
    item, unit = item_at(g, k), g.items.unit[k]
    use = item.use_at(Moment.START_OF_COMBAT)
    assert isinstance(use, DazesRival)
    begin_effect(g, number_of(g, use.effect), rival, g.units.owner[unit], unit)
    g.note(item.rule, "dazes", unit=unit, target=rival, name=item.name)


class RivalWaits(TestWaits):
    """A rival who may roll his test again, in a unit whose banner lets it."""

    advance = ask_again
    ITEM = integer(row_of("items"))

    def follows(self, g: BattleCore, unit: int, more: Sequence[int], passed: bool) -> None:
        if not passed:
            daze(g, more[0], unit)

    def fits(self, g: BattleCore, f: int) -> bool:
        k = g.stack[f + RivalWaits.ITEM]
        return g.items.item[k] >= 0 and isinstance(item_at(g, k).use_at(Moment.START_OF_COMBAT), DazesRival)


class NameRival(DecisionKind):
    name = "name-rival"
    what = "Which enemy character in contact the bearer of a magic item singles out."
    keys = ("wap.item.armour.helm-of-discord",)

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit = g.items.unit[Rivalries.next_item(g, f)]
        at = g.setup.space.enemy - g.players.first_unit[1 - g.units.owner[unit]]
        for rival in rivals_of(g, unit):
            mask[at + rival] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        k = Rivalries.next_item(g, f)
        first = g.players.first_unit[1 - g.units.owner[g.items.unit[k]]]
        Rivalries.name(g, f, k, first + action - g.setup.space.enemy)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        unit = g.items.unit[Rivalries.next_item(g, f)]
        return f"{g.setup.names['units'][unit]} singles out {g.default_words(action)}"
