"""Dice that are not used in a Magic phase are kept by items (wap.item.arcane.rod-of-power)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import count_of
from wh_env.core.procedures import DecisionKind, OfPlayer, integer
from wh_env.rulesets.wap.basics.carried import is_of_use, item_at, items_of, spend
from wh_env.rulesets.wap.magic.shares import take_dice


def keepers(g: BattleCore, player: int) -> list[int]:
    """Rows of the items of a player that can keep dice of his pool now: they are empty."""
    if not items_of(g) or not g.pools.dice[player]:
        return []
    rows = (k for k in range(len(g.items.unit)) if item_at(g, k).aids.stores and not g.items.charge[k])
    return [k for k in rows if g.units.owner[g.items.unit[k]] == player and is_of_use(g, k)]


def store_dice(g: BattleCore, player: int) -> None:
    """A Magic phase of ``player`` is over: both players may keep dice, he first."""
    for seat in (1 - player, player):  # the one on top of the stack is asked first
        if keepers(g, seat):
            g.push(StoreDice, seat)


class StoreDice(OfPlayer):
    """A player is asked how many dice each of his items keeps, one item after the other."""

    ASKED = integer(count_of("items"))  # items about which he was asked: those below this row
    asks = ("store-dice",)

    def fits(self, g: BattleCore, f: int) -> bool:
        """Whether there is an item to ask about."""
        return StoreDice.next_item(g, f) >= 0

    def advance(self, g: BattleCore, f: int) -> int:
        k = StoreDice.next_item(g, f)
        return g.pop() if k < 0 else g.ask(KeepDice, g.stack[f + StoreDice.PLAYER], g.items.unit[k])

    @staticmethod
    def next_item(g: BattleCore, f: int) -> int:
        """The row of the item that is asked about; -1: none is left."""
        rows = keepers(g, g.stack[f + StoreDice.PLAYER])
        return next((k for k in rows if k >= g.stack[f + StoreDice.ASKED]), -1)


class KeepDice(DecisionKind):
    name = "store-dice"
    what = "How many dice left over from a Magic phase an item keeps for the next one; done: none."
    policy = "As many as it can."
    keys = ("wap.item.arcane.rod-of-power",)

    @staticmethod
    def most(g: BattleCore, f: int) -> int:
        """The most dice that it can keep."""
        k = StoreDice.next_item(g, f)
        return int(min(item_at(g, k).aids.stores, g.pools.dice[g.stack[f + StoreDice.PLAYER]]))

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        mask[0] = True
        for n in range(KeepDice.most(g, f)):
            mask[g.setup.space.number + n] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        k, number = StoreDice.next_item(g, f), action - g.setup.space.number + 1
        g.stack[f + StoreDice.ASKED] = k + 1
        if action:
            take_dice(g, g.stack[f + StoreDice.PLAYER], number)
            g.items.charge[k] = number
            spend(g, k)
            unit, name = g.items.unit[k], item_at(g, k).name
            g.note(item_at(g, k).rule, "keeps dice", unit=unit, name=name, amount=number)

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        return int(g.setup.space.number + KeepDice.most(g, f) - 1)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        if action == 0:
            return "keep no dice"
        number = action - g.setup.space.number + 1
        name = item_at(g, StoreDice.next_item(g, f)).name
        return f"keep {number} {'die' if number == 1 else 'dice'} in {name}"
