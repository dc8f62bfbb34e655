"""Rosters of list builders as armies: one door for all games.

``sniffing`` reads a file within limits, ``selections`` parses it, and the edition of its game builds the army.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from wh_env.content.catalogues.telling import Report, name_of
from wh_env.content.errors import ContentError
from wh_env.content.load import slug
from wh_env.content.reading import read_bytes
from wh_env.content.rosters.selections import Roster, Selection, roster_of
from wh_env.content.rosters.sniffing import MOST_BYTES, TEXT, parse_roster
from wh_env.content.writing import write_new

__all__ = ["Imported", "Rosters", "import_roster", "imported_from", "units_of"]
MOST_UNITS = 100
MOST_MODELS = 200  # of a unit
MOST_SELECTIONS = 2000  # of a unit
NO_UNITS = ("unit", "model")  # types of the selections that are units


@dataclass
class Imported:
    """An army from a roster.

    Attributes:
        form: of the file.
        army: a mapping of the edition's schema ``Army``, with its own datasheets.
        faction: a mapping of the schema ``Faction`` if no faction of that name is known, else None.
        muster: the army as it is played; it has ``points`` (20 for each Power in an edition without points).
        report: what was read, guessed and left out.
        ruleset: id of the ruleset.
    """

    form: str
    army: dict[str, Any]
    faction: dict[str, Any] | None
    muster: Any
    report: Report = field(default_factory=Report)
    ruleset: str = "w10"

    def write(self, folder: Path, replace: bool = False) -> list[Path]:
        """Write the army, and its faction if it is new, into a folder of content; returns the files.

        Raises:
            ContentError: the folder cannot be written to, or a file exists and may not be replaced.
        """
        files = {folder / self.ruleset / "armies" / f"{slug(self.army['name'])}.yaml": self.army}
        if self.faction is not None:
            files[folder / self.ruleset / "factions" / f"{slug(self.faction['name'])}.yaml"] = self.faction
        return write_new(files, replace)


@dataclass(frozen=True)
class Rosters:
    """How an edition builds armies.

    Attributes:
        edition: words in the name of the game system of its rosters.
        army_of: builds the army of a roster (arguments: form and roster, file, name of the army or None: the roster's).
        of_text: the same for a list as text; None: the edition reads none.
    """

    edition: str
    army_of: Callable[[str, Roster, str, str | None], Imported]
    of_text: Callable[[str, str, str | None], Imported] | None = None


def import_roster(editions: Iterable[Rosters], path: Path, name: str | None = None) -> Imported:
    """The army of a roster.

    Args:
        editions: those that can be imported; the one of the roster's game system builds the army, the first one if the
            roster names none.
        path: a file of BattleScribe, New Recruit or ListForge, or a list as text.
        name: of the army; None: that of the roster.

    Raises:
        ContentError: the file is no roster or of another game, or the army cannot be played (the first fault only).
    """
    return imported_from(editions, read_bytes(path, str(path), MOST_BYTES), str(path), name)


def imported_from(editions: Iterable[Rosters], data: bytes, file: str, name: str | None = None) -> Imported:
    """As ``import_roster``, from bytes; ``file`` is their name in messages."""
    known = list(editions)
    try:
        form, raw = parse_roster(data, file)
        if TEXT in raw:
            reader = next(one.of_text for one in known if one.of_text is not None)
            return reader(raw[TEXT], file, name)
        edition = edition_of(known, name_of(raw.get("gameSystemName")), file)
        return edition.army_of(form, roster_of(raw, file), file, name)
    except ContentError as error:
        if not error.others:
            raise
        fault = ContentError(file, error.field, error.value, error.expected, error.problem)
        raise fault from None


def edition_of(editions: list[Rosters], game: str, file: str) -> Rosters:
    """The edition of a roster's game system.

    Raises:
        ContentError: none of them plays that game.
    """
    found = next((one for one in editions if one.edition in game), None)
    if found is None and game:
        expected = "a roster of " + ", ".join(f"Warhammer {one.edition}" for one in editions)
        raise ContentError(file, "gameSystemName", game, expected, "is another game")
    return found or editions[0]


def units_of(roster: Roster, file: str) -> list[Selection]:
    """The units of a roster.

    Raises:
        ContentError: there is none, there are too many, or one is too large.
    """
    units = [one for force in roster.forces for one in force.selections if one.kind in NO_UNITS]
    if not units:
        raise ContentError(file, "forces", "no selections of the type unit or model", "at least one unit", "are there")
    if len(units) > MOST_UNITS:
        raise ContentError(file, "forces", len(units), f"at most {MOST_UNITS} units", "are too many")
    for unit in units:
        every = list(unit.all())
        models = sum(max(1, one.number) for one in every if one.kind == "model")
        for found, most, what in ((len(every), MOST_SELECTIONS, "selections"), (models, MOST_MODELS, "models")):
            if found > most:
                raise ContentError(file, unit.name, found, f"at most {most} {what} in a unit", "are too many")
    return units
