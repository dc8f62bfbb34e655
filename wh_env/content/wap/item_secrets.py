"""What magic items are kept secret when a battle with hidden lists is compiled (wap.army.list.hidden)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from wh_env.content.wap.magic import Wizardry
from wh_env.content.wap.regiment import Regiment
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.carried import Item
from wh_env.rulesets.wap.basics.secret_items import Cell
from wh_env.rulesets.wap.codes import OF_ITEM

FILLED = ("units", "models", "lines")  # tables that armies fill
Units = Sequence[tuple[int, Regiment]]  # of both armies, each with its player
View = Callable[[Array, str], Array]  # a table of a buffer


def without_powers(units: Units, mustered: Sequence[Sequence[Regiment]]) -> Units:
    """Units with the profiles and rules of their army sheet. ``mustered``: those of both armies before they were
    equipped; other forms of units, which stand behind them, carry nothing.
    """
    found = list[tuple[int, Regiment]]()
    for player, army in enumerate(mustered):
        own = [unit for owner, unit in units if owner == player]
        found += [
            (player, replace(unit, card=plain.card, gear=unit.gear.unused))
            for unit, plain in zip(own, army, strict=False)
        ]
        found += [(player, unit) for unit in own[len(army) :]]
    return found


def held_spells(carried: Sequence[tuple[int, Item]], magic: Wizardry) -> Iterator[tuple[int, int]]:
    """(row of ``items``, row of ``spellbook``) for each bound spell of an item. ``carried``: the rows of their bearers,
    and the items.
    """
    for k, (unit, item) in enumerate(carried):
        if item.spell:
            of_items = (row for row, known in enumerate(magic.rows) if known.unit == unit and known.source == OF_ITEM)
            yield k, max(row for row in of_items if magic.spells[magic.rows[row].spell].name == item.spell)


def cells_between(view: View, bare: Array, equipped: Array) -> Iterator[Cell]:
    """The values that items change, from the buffers of a battle with and without their powers."""
    for table in FILLED:
        before, after = view(bare, table), view(equipped, table)
        for column in after.dtype.names or ():
            for row in (before[column] != after[column]).nonzero()[0].tolist():
                unit = row if table == "units" else int(after[row]["unit"])
                yield Cell(unit, table, column, row, after[row][column].item())
