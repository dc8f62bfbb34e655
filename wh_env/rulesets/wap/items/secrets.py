"""What the enemy does not know of magic items while army lists are hidden (wap.army.list.hidden).

The template of such a battle has no items, no effects of theirs, and the profiles of the army sheet; ``bring_items`` brings
them in when the battle begins. A seat that does not know an item sees the template's values.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import Hidden
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.carried import item_at
from wh_env.rulesets.wap.basics.effects import effect_of, is_under, rows_in_use
from wh_env.rulesets.wap.codes import CHARACTERISTICS
from wh_env.rulesets.wap.items.windows import UseItem


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
        worn: as the static of that name, for units whose items are not known.
    """

    items: tuple[int, ...]
    cells: tuple[Cell, ...]
    effects: tuple[Acting, ...]
    worn: Array


def secrets_in(g: BattleCore) -> Secrets | None:
    """The secrets of a battle; None: its lists are open, or it has no items."""
    found: Secrets | None = g.setup.statics["secrets"]
    return found


def bring_items(g: BattleCore) -> None:
    """The battle begins: units have their items."""
    found = secrets_in(g)
    if found is None:
        return
    g.items.rows["item"] = found.items
    for cell in found.cells:
        getattr(getattr(g, cell.table), cell.column)[cell.row] = cell.value
    acting = g.effects.rows
    for k, one in enumerate(found.effects):
        acting[k]["effect"], acting[k]["unit"] = one.effect, one.unit
        acting[k]["caster"], acting[k]["player"] = one.unit, one.player


def unknown_rows(g: BattleCore, seat: int) -> list[int]:
    """The rows of the items that a seat does not know."""
    rows = zip(g.items.unit.tolist(), g.items.seen.tolist(), strict=True)
    return [k for k, (unit, seen) in enumerate(rows) if not seen and g.units.owner[unit] != seat]


def secrets(g: BattleCore, seat: int) -> Iterator[Hidden]:
    """What a seat cannot see of the enemy's items: the items, what they change and what they do, and whether their
    bearers are asked to use them.
    """
    found = secrets_in(g)
    unknown = [] if found is None else unknown_rows(g, seat)
    if found is None or not unknown:
        return
    bearers = {g.items.unit[k] for k in unknown}
    yield from (Hidden("items", ("item",), k, k + 1) for k in unknown)
    for cell in found.cells:
        if cell.unit in bearers:
            yield Hidden(cell.table, (cell.column,), cell.row, cell.row + 1)
    names = {(g.items.unit[k], item_at(g, k).name) for k in unknown if g.items.item[k] >= 0}
    for k in rows_in_use(g):
        if (g.effects.caster[k], effect_of(g, k).name) in names:
            yield Hidden("effects", (), k, k + 1)
            yield from profiles_under(g, k)
    asked = g.clock.asking[0] and g.clock.player[0] != seat and g.clock.subject[0] in bearers
    if asked and isinstance(g.setup.ruleset.kinds[g.clock.kind[0]], UseItem):
        yield Hidden("clock", ("asking", "kind", "subject"), 0, 1)


def profiles_under(g: BattleCore, k: int) -> Iterator[Hidden]:
    """The profiles of units whose characteristics the effect of row ``k`` changes."""
    effect = effect_of(g, k)
    if effect.changes or effect.multiplies or effect.sets or effect.raises_by or effect.lowers_by:
        for unit in range(len(g.units.owner)):
            if is_under(g, unit, k):
                first = g.units.first_line[unit]
                yield Hidden("lines", CHARACTERISTICS, first, first + g.units.lines[unit])


def worn_as_known(g: BattleCore, worn: Array) -> Array:
    """``worn`` as far as the seat knows it whose view of the battle this is."""
    found = secrets_in(g)
    if found is None:
        return worn
    known = worn.copy()
    for k, item in enumerate(g.items.item.tolist()):
        if item < 0:
            known[g.items.unit[k]] = found.worn[g.items.unit[k]]
    return known
