"""The files of magic items: rows by name, and what they cost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from wh_env.content.errors import ContentError, Expected, unknown
from wh_env.content.load import load_content, names
from wh_env.content.wap.schema_items import BANNER, ItemFile, ItemRow
from wh_env.content.wap.schema_units import Card, Entry


@dataclass(frozen=True)
class Known:
    """An item of a file. file, place: where it stands, for messages."""

    row: ItemRow
    file: str
    place: str


def known_items() -> Mapping[str, Known]:
    """All magic items, by name.

    Raises:
        ContentError: two of them have one name.
    """
    found: dict[str, Known] = {}
    for name in names("items", "wap"):
        file = load_content(ItemFile, "items", name, "wap")
        for at, row in enumerate(file.items):
            if row.name in found:
                expected = f"another name than that of an item of {found[row.name].file}"
                raise ContentError(file.source, f"items[{at}].name", row.name, expected)
            found[row.name] = Known(row, file.source, f"items[{at}]")
    return found


def items_in(entry: Entry) -> tuple[str, ...]:
    """The names of the magic items of a unit of an army list, the banner last."""
    return (*entry.items, *([] if entry.banner is None else [entry.banner]))


def points_of_items(entry: Entry) -> int:
    """Points of the magic items of a unit of an army list."""
    named = items_in(entry)
    known = known_items() if named else {}
    return sum(known[name].row.points for name in named)


def faults_of_items(entry: Entry, card: Card) -> Iterator[Expected]:
    """The faults of the magic items of a unit of an army list that its card does not allow
    (wap.item.general.common-items, .one-per-family, .banner-access).
    """
    named = items_in(entry)
    known = known_items() if named else {}
    for field, name in [("items", name) for name in entry.items] + [
        ("banner", name) for name in named[len(entry.items) :]
    ]:
        if name not in known:
            fault = unknown("", field, name, known)
            yield Expected(fault.expected, fault.problem, field, name)
        elif (known[name].row.family == BANNER) != (field == "banner"):
            expected = "a magic banner" if field == "banner" else "no magic banner, which stands in `banner`"
            yield Expected(expected, "is not that", field, name)
    rows = [known[name].row for name in entry.items if name in known and known[name].row.family != BANNER]
    yield from faults_of_allowance(rows, card)
    if entry.banner is not None and entry.banner in known:
        most = card.banner or 0
        if known[entry.banner].row.points > most:
            yield Expected(f"a magic banner of at most {most} points", "is too dear", "banner", entry.banner)
        if "standard" not in entry.command and not entry.battle_standard:
            yield Expected("a standard bearer among `command`", "has nobody to carry it", "banner", entry.banner)


def faults_of_allowance(rows: Iterable[ItemRow], card: Card) -> Iterator[Expected]:
    """The faults of items that a model may not have together by its card."""
    rows = list(rows)
    allowed = card.items.families if card.items is not None else ()
    for row in rows:
        if row.family not in allowed:
            yield Expected("an item of " + (", ".join(allowed) or "no family"), "is not to be had", "items", row.name)
    spent, most = sum(row.points for row in rows if row.counts_in_allowance), card.items.points if card.items else 0
    if spent > most and card.items is not None:
        yield Expected(f"items of at most {most} points", f"cost {spent}", "items", [row.name for row in rows])
