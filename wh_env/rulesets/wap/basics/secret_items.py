"""The magic items of battles with hidden lists (wap.army.list.hidden).

The template of such a battle has no items, no effects of theirs, and the profiles of the army sheet; ``bring_items``
brings them in when the battle begins. A seat that does not know an item sees the template's values.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from wh_env.core.battle import BattleCore
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.carried import item_at, items_of, rows_carried, show
from wh_env.rulesets.wap.codes import KNOWN
from wh_env.rulesets.wap.rule_book import LOREMASTER, SpecialRule

Rules = Mapping[SpecialRule, tuple[str, ...]]


class Cell(NamedTuple):
    """A value that the items of a unit change, and where it stands."""

    unit: int
    table: str
    column: str
    row: int
    value: float


class Acting(NamedTuple):
    """A row of ``effects`` from the start: number of the effect, its unit and the player whose it is."""

    effect: int
    unit: int
    player: int


@dataclass(frozen=True)
class Secrets:
    """The magic items of a battle with hidden lists.

    Attributes:
        items: the number of the item of each row of ``items``.
        cells: what they change. effects: that act from the start.
        spells: (row of ``items``, row of ``spellbook``) for each bound spell that one holds.
        worn: as the static of that name, for units whose items are not known.
        rules, line_rules: as the statics ``abilities`` and ``line_abilities``, without those of items.
    """

    items: tuple[int, ...]
    cells: tuple[Cell, ...]
    effects: tuple[Acting, ...]
    spells: tuple[tuple[int, int], ...]
    worn: Array
    rules: tuple[Rules, ...]
    line_rules: tuple[Rules, ...]


def secrets_in(g: BattleCore) -> Secrets | None:
    """The secrets of a battle; None: its lists are open, or it has no items."""
    found: Secrets | None = g.setup.statics["secrets"]
    return found


def bring_items(g: BattleCore) -> None:
    """The battle begins: units have their items. Who knows a whole lore by an item is seen to."""
    found = secrets_in(g)
    if found is None:
        return
    g.items.rows["item"] = found.items
    for cell in found.cells:
        getattr(getattr(g, cell.table), cell.column)[cell.row] = cell.value
    for _, row in found.spells:
        g.spellbook.known[row] = KNOWN
    acting = g.effects.rows
    for k, one in enumerate(found.effects):
        acting[k]["effect"], acting[k]["unit"] = one.effect, one.unit
        acting[k]["caster"], acting[k]["player"] = one.unit, one.player
    for k in rows_carried(g):
        if any(rule is LOREMASTER for rule, _ in item_at(g, k).grants):
            show(g, k)


def worn_as_known(g: BattleCore, worn: Array) -> Array:
    """``worn`` as far as the seat knows it whose view of the battle this is."""
    found = secrets_in(g)
    if found is None:
        return worn
    known = worn.copy()
    for k, item in enumerate(g.items.item.tolist()):
        if item < 0 and acts_all_the_time(g, k):
            known[g.items.unit[k]] = found.worn[g.items.unit[k]]
    return known


def masked_units(g: BattleCore) -> set[int]:
    """The units of which the seat whose view of the battle this is does not know an item that acts all the time."""
    if not g.setup.statics["secrets"]:
        return set()
    return {g.items.unit[k] for k, item in enumerate(g.items.item.tolist()) if item < 0 and acts_all_the_time(g, k)}


def rules_as_known(g: BattleCore, unit: int, plain: Rules) -> Rules:
    """Special rules (``plain``) with those that the known items of a unit give it."""
    found = dict(plain)
    for k in rows_carried(g):
        for rule, words in item_at(g, k).grants if g.items.unit[k] == unit else ():
            found[rule] = found.get(rule, ()) + ((words,) if words else ())
    return found


def acts_all_the_time(g: BattleCore, k: int) -> bool:
    """Whether the item of row ``k``, known or not, is part of its bearer's profiles, rules, weapons and armour."""
    found = secrets_in(g)
    return found is not None and items_of(g)[found.items[k]].lasting
