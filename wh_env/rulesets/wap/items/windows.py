"""Players are asked whether they use their magic items now (wap.item.general.one-use)."""

from __future__ import annotations

from collections.abc import Sequence

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import between, count_of, flag
from wh_env.core.procedures import DecisionKind, OfPlayer, integer
from wh_env.rulesets.wap.basics.carried import MOMENTS, Moment, has_uses, item_at, usable, use_item

USE = 0  # the option; those that follow it are other ways to use the item


def offer_items(g: BattleCore, player: int, moment: Moment) -> None:
    """Push the questions whether items are used now, if any can be: ``player`` is asked first, then the other."""
    if g.setup.statics["items"] and has_uses(g, moment):
        g.push(UseItems, player, MOMENTS.index(moment))


class UseItems(OfPlayer):
    """Both players are asked about their items, one after the other; the player that is pushed first."""

    asks = ("use-item",)
    MOMENT = integer(between(0, len(MOMENTS) - 1))
    ASKED = integer(count_of("items"))  # items about which the player has answered: those below this row
    THEIRS = integer(flag())  # 1: the other player is asked

    def fits(self, g: BattleCore, f: int) -> bool:
        """Whether there is an item to be asked about, unless it is being used."""
        return f != g.frame or UseItems.next_item(g, f) >= 0

    def advance(self, g: BattleCore, f: int) -> int:
        stack = g.stack
        while True:
            k = UseItems.next_item(g, f)
            if k >= 0:
                return g.ask(UseItem, UseItems.side(g, f), g.items.unit[k])
            if stack[f + UseItems.THEIRS]:
                return g.pop()
            stack[f + UseItems.THEIRS], stack[f + UseItems.ASKED] = 1, 0

    @staticmethod
    def side(g: BattleCore, f: int) -> int:
        """The player who is asked."""
        return int(g.stack[f + UseItems.PLAYER] ^ g.stack[f + UseItems.THEIRS])

    @staticmethod
    def moment(g: BattleCore, f: int) -> Moment:
        """The moment of the question."""
        found: Moment = MOMENTS[g.stack[f + UseItems.MOMENT]]
        return found

    @staticmethod
    def next_item(g: BattleCore, f: int) -> int:
        """The row of the item that is asked about next; -1: none of that player is left."""
        rows = usable(g, UseItems.side(g, f), UseItems.moment(g, f))
        return min((k for k in rows if k >= g.stack[f + UseItems.ASKED]), default=-1)


class UseItem(DecisionKind):
    name = "use-item"
    what = "Whether a unit uses a magic item now, and on which model if there are several; done: it keeps the item."
    policy = "It keeps the item."
    keys = (
        "wap.item.general.one-use",
        "wap.item.arcane.brags-mystic-shield",
        "wap.item.arcane.mystic-maze",
        "wap.item.arcane.forbidden-rod",
        "wap.item.arcane.tricksters-shard",
        "wap.item.arcane.power-scroll",
        "wap.item.arcane.power-stone",
        "wap.item.arcane.gem-of-tarante",
        "wap.item.enchanted.healing-potion",
        "wap.item.enchanted.potion-of-strength",
        "wap.item.enchanted.potion-of-toughness",
        "wap.item.enchanted.potion-of-speed",
        "wap.item.enchanted.lifestone-of-ashraaz",
    )

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        mask[0] = True
        for way in range(len(UseItem.ways(g, f))):
            mask[g.setup.space.option + USE + way] = True

    @staticmethod
    def ways(g: BattleCore, f: int) -> Sequence[str]:
        """The ways to use the item, in words."""
        k = UseItems.next_item(g, f)
        use = item_at(g, k).use_at(UseItems.moment(g, f))
        assert use is not None
        return use.ways(g, k)[: g.setup.space.options]

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        k, moment = UseItems.next_item(g, f), UseItems.moment(g, f)
        g.stack[f + UseItems.ASKED] = k + 1
        if action:
            use_item(g, k, moment, action - g.setup.space.option - USE)

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        return 0

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        k = UseItems.next_item(g, f)
        unit, item = g.setup.names["units"][g.items.unit[k]], item_at(g, k).name
        if not action:
            return f"{unit} keeps {item}"
        return f"{unit} uses {item}{UseItem.ways(g, f)[action - g.setup.space.option - USE]}"
