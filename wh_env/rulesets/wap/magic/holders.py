"""Magic items that hold bound spells (wap.magic.bound.cast, wap.magic.bound.miscast-item)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.carried import item_at, rows_carried
from wh_env.rulesets.wap.magic.spells import spells_of


def holder_of(g: BattleCore, row: int) -> int:
    """The row of the item that holds the bound spell of a row of ``spellbook``; -1: none of the battle's items does."""
    unit, name = g.spellbook.unit[row], spells_of(g)[g.spellbook.spell[row]].name
    return next((k for k in rows_carried(g) if g.items.unit[k] == unit and item_at(g, k).spell == name), -1)


def use_holder(g: BattleCore, row: int) -> None:
    """The bearer of an item is about to cast the spell that it holds. Both players see the item."""
    k = holder_of(g, row)
    if k >= 0:
        g.items.seen[k] = 1
        g.note(item_at(g, k).rule, "uses an item", unit=g.items.unit[k], name=item_at(g, k).name)


def empty_holder(g: BattleCore, row: int) -> None:
    """The item that holds the spell of a row of ``spellbook`` has lost it, and is of no more use."""
    k = holder_of(g, row)
    if k >= 0:
        g.items.used[k] = g.items.seen[k] = 1
