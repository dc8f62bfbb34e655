"""Compares our datasheets with catalogues: all differences, and the accepted ones with reasons from a file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from wh_env.content.catalogues.entries import Entry, unit_entries
from wh_env.content.catalogues.facts import Difference, Facts, alike, differences
from wh_env.content.catalogues.library import Library
from wh_env.content.errors import ContentError, unknown
from wh_env.content.fields import Content, Name
from wh_env.content.load import config_root, from_file

ACCEPTED = "differences.yaml"  # in the folder of a ruleset: accepted differences, with reasons


class Accepted(Content):
    """A difference that is accepted; ``sheet`` and ``field`` may hold ``*`` for any text."""

    sheet: Name
    field: Name
    reason: Annotated[str, Field(min_length=10, max_length=300)]


class AcceptedList(Content):
    """``configs/<ruleset>/differences.yaml``."""

    against: Name  # the data that was compared, with its date
    accepted: Annotated[tuple[Accepted, ...], Field(max_length=1000)] = ()


@dataclass(frozen=True)
class Comparison:
    """How an edition compares its datasheets.

    Attributes:
        edition: words in the name of the game system of its catalogues.
        left_out: names of entries that play no part in a battle.
        sheets: returns all its datasheets by name.
        of_sheet: the facts of a datasheet.
        of_entry: the facts of a catalogue's unit, under the same fields.
    """

    edition: str
    left_out: frozenset[str]
    sheets: Callable[[], Mapping[str, Any]]
    of_sheet: Callable[[Any], Facts]
    of_entry: Callable[[Entry, Any], Facts]


@dataclass(frozen=True)
class Compared:
    """The result of a comparison.

    Attributes:
        compared: names of the datasheets that a catalogue has too.
        absent: names of the datasheets that no catalogue has.
        rows: the differences; accepted ones have a reason.
        unused: accepted differences that no longer exist.
        dated: the sources and dates of the compared datasheets, counted.
    """

    compared: tuple[str, ...]
    absent: tuple[str, ...]
    rows: tuple[Difference, ...]
    unused: tuple[Accepted, ...] = field(default=())
    dated: tuple[tuple[str, int], ...] = field(default=())

    @property
    def open(self) -> tuple[Difference, ...]:
        """The differences that are not accepted."""
        return tuple(row for row in self.rows if not row.reason)


def accepted_list(ruleset: str, path: Path | None = None) -> AcceptedList | None:
    """The accepted differences of a ruleset, from ``path`` or else the shipped file; None if there is no such file.

    Raises:
        ContentError: the file cannot be read or is no such list.
    """
    if path is not None:
        return from_file(AcceptedList, path)
    shipped = config_root() / ruleset / ACCEPTED
    return from_file(AcceptedList, shipped) if shipped.is_file() else None


def compare(
    how: Comparison, library: Library, names: Sequence[str] = (), accepted: Iterable[Accepted] = ()
) -> Compared:
    """Compare datasheets with the catalogues of a library.

    Args:
        names: of the datasheets; empty: all of them.
        accepted: the accepted differences.

    Raises:
        ContentError: the catalogues are of another game, or a name is not known.
    """
    if library.game and how.edition not in library.game:
        file = next(iter(library.files.values()), "<catalogue>")
        raise ContentError(file, "gameSystem", library.game, f"the {how.edition}", "is another game")
    sheets = how.sheets()
    for name in names:
        if name not in sheets:
            raise unknown("<call>", "datasheet", name, sheets)
    entries: dict[str, Entry] = {}
    for root in library.given:
        for entry in unit_entries(library, root, how.left_out):
            if alike(entry.name) not in entries or entry.home == root.get("id"):
                entries[alike(entry.name)] = entry  # a catalogue knows its own units best
    found, absent, rows = [], [], []
    for name in names or sheets:
        other = entries.get(alike(name))
        if other is None:
            absent.append(name)
            continue
        found.append(name)
        rows += differences(name, how.of_sheet(sheets[name]), how.of_entry(other, sheets[name]))
    reasons = list(accepted)
    judged = []
    used = set()
    for row in rows:
        match = next((one for one in reasons if _covers(one, row)), None)
        if match is not None:
            used.add(match)
        judged.append(replace(row, reason=match.reason) if match else row)
    unused = () if names else tuple(one for one in reasons if one not in used)
    dated = Counter(origin(sheets[name]) for name in found)
    return Compared(tuple(found), tuple(absent), tuple(judged), unused, tuple(sorted(dated.items())))


def origin(sheet: Any) -> str:
    """Source and date of a datasheet's numbers, in words."""
    if sheet.data_source is None:
        return "no source"
    return f"{sheet.data_source} as of {sheet.as_of}" if sheet.as_of is not None else str(sheet.data_source)


def _covers(accepted: Accepted, row: Difference) -> bool:
    return fnmatchcase(row.sheet, accepted.sheet) and fnmatchcase(row.field, accepted.field)
