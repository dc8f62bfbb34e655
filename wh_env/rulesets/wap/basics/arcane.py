"""Arcane items while they help: what they add to the magic of their bearers, and which act on the spell that is being
cast (wap.item.general.arcane-access).
"""

from __future__ import annotations

from collections.abc import Iterator

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.carried import is_of_use, item_at, items_of, rows_carried, show


def helpful_rows(g: BattleCore, unit: int) -> Iterator[int]:
    """Rows of the items that a unit carries and can use now."""
    if items_of(g):
        yield from (k for k, bearer in enumerate(g.items.unit) if bearer == unit and is_of_use(g, k))


def aid_of(g: BattleCore, unit: int, name: str) -> int:
    """What the items of a unit add now; ``name``: an attribute of ``Aids``."""
    return sum(getattr(item_at(g, k).aids, name) for k in helpful_rows(g, unit)) if items_of(g) else 0


def show_aids(g: BattleCore, unit: int, name: str) -> None:
    """The items of a unit that add to its magic come to light as it uses what they add (wap.army.list.hidden);
    ``name``: an attribute of ``Aids``.
    """
    for k in rows_carried(g) if g.setup.statics["secrets"] else ():
        if g.items.unit[k] == unit and getattr(item_at(g, k).aids, name):
            show(g, k)


def resistance_by_items(g: BattleCore) -> int:
    """The Magic Resistance that items give to units against the spell that is being cast."""
    rows = (k for k, charge in enumerate(g.items.charge) if charge) if items_of(g) else ()
    return max((item_at(g, k).aids.resistance for k in rows), default=0)


def more_spells_of(g: BattleCore, unit: int) -> int:
    """How many spells more than usual a wizard knows by his items, on the battlefield or before he comes to it
    (wap.item.arcane.spell-familiar).
    """
    rows = (k for k, bearer in enumerate(g.items.unit) if bearer == unit) if items_of(g) else ()
    return sum(item_at(g, k).aids.spells for k in rows)
