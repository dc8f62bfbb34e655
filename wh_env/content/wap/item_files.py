"""The files of magic items: rows by name, and what they cost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wh_env.content.errors import ContentError, unknown
from wh_env.content.load import load_content, names
from wh_env.content.wap.schema_items import ItemFile, ItemRow
from wh_env.content.wap.schema_units import Entry, Sheet

if TYPE_CHECKING:
    from wh_env.content.wap.regiment import Regiment


@dataclass(frozen=True)
class Known:
    """An item of a file. file, place: where it stands, for messages."""

    row: ItemRow
    file: str
    place: str


Items = Mapping[str, Known]  # by name


def known_items(sheet: Sheet | Items | None = None) -> Items:
    """All magic items that an army may have, by name: the common ones, and those of its army book, whose points count
    for an item that is in both (wap.item.general.common-items). ``sheet``: the book; items that were read before are
    returned as they are.

    Raises:
        ContentError: two of them have one name.
    """
    if isinstance(sheet, Mapping):
        return sheet
    found: dict[str, Known] = {}
    for name in names("items", "wap"):
        file = load_content(ItemFile, "items", name, "wap")
        found.update(named_once([Known(row, file.source, f"items[{at}]") for at, row in enumerate(file.items)], found))
    if sheet is None:
        return found
    own = [Known(row, sheet.source, f"items[{at}]") for at, row in enumerate(sheet.items)]
    found.update(named_once(own, found))
    for name, points in sheet.prices.items():
        if name not in found:
            raise unknown(sheet.source, f"prices.{name}", name, found)
        known = found[name]
        found[name] = Known(known.row.model_copy(update={"points": points}), known.file, known.place)
    return found


def named_once(items: list[Known], others: Mapping[str, Known]) -> Iterator[tuple[str, Known]]:
    """Items by name.

    Raises:
        ContentError: an item has the name of another one.
    """
    met = dict(others)
    for known in items:
        name = known.row.name
        if name in met:
            expected = f"another name than that of an item of {met[name].file}"
            raise ContentError(known.file, f"{known.place}.name", name, expected)
        met[name] = known
        yield name, known


def items_in(unit: Entry | Regiment) -> tuple[str, ...]:
    """The names of the magic items of a unit, the banner last."""
    return (*unit.items, *([] if unit.banner is None else [unit.banner]))


def points_of_items(entry: Entry, sheet: Sheet | Items | None = None) -> int:
    """Points of the magic items of a unit of an army list (wap.item.general.common-items)."""
    named = items_in(entry)
    known = known_items(sheet) if named else {}
    return sum(known[name].row.points for name in named)
