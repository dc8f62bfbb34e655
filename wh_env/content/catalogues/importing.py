"""A catalogue as a faction of the user: datasheets and faction become files in a folder of content."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from string import capwords
from typing import Any

from wh_env.content.catalogues.entries import Entry, unit_entries
from wh_env.content.catalogues.facts import plain_name
from wh_env.content.catalogues.library import Library, read_library
from wh_env.content.catalogues.sheets import FACTION, LEGENDS, Made
from wh_env.content.catalogues.telling import Report
from wh_env.content.catalogues.tree import Node
from wh_env.content.errors import ContentError, unknown
from wh_env.content.fields import Content
from wh_env.content.load import slug, validate
from wh_env.content.writing import write_new


@dataclass(frozen=True)
class Importing:
    """How an edition makes datasheets from catalogues.

    Attributes:
        ruleset: its id.
        edition: words in the name of the game system of its catalogues.
        left_out: names of entries that play no part in a battle.
        known: returns the names of the existing datasheets.
        factions: returns (name, keyword) of the existing factions.
        sheet_of: makes a datasheet, as a mapping of ``schema``, from an entry, for a faction and with the keywords of
            all units; raises ContentError.
        faction_of: makes a new faction, as a mapping of its schema, from a catalogue, a name and a keyword.
    """

    ruleset: str
    edition: str
    left_out: frozenset[str]
    known: Callable[[], Iterable[str]]
    factions: Callable[[], Iterable[tuple[str, str]]]
    sheet_of: Callable[[Entry, str, str, Report, frozenset[str]], dict[str, Any]]
    schema: type[Content]
    faction_of: Callable[[Library, Node, str, str, Report], dict[str, Any]]


@dataclass
class ImportedFaction:
    """The units of one catalogue as datasheets.

    Attributes:
        ruleset: id of the ruleset.
        name, keyword: of the faction.
        own: the faction as a mapping of the schema ``Faction``; None if a faction of its keyword is known.
        made: its datasheets, the guesses that were made and the parts that are not played.
        shipped: units left out because a datasheet of that name is known, or made of an earlier catalogue.
        allies: units left out because they lack the Faction keyword.
    """

    ruleset: str
    name: str
    keyword: str
    own: dict[str, Any] | None
    made: Made
    shipped: list[str] = field(default_factory=list)
    allies: list[str] = field(default_factory=list)

    def write(self, folder: Path, replace: bool = False) -> list[Path]:
        """Write the datasheets, and the faction if it is new, into a folder of content; returns the files.

        Raises:
            ContentError: the folder cannot be written to, or a file exists and may not be replaced; then nothing is
                written.
        """
        place = folder / self.ruleset / "datasheets" / slug(self.name)
        files = {place / f"{slug(name)}.yaml": sheet for name, sheet in self.made.sheets.items()}
        if self.own is not None and files:
            files[folder / self.ruleset / "factions" / f"{slug(self.name)}.yaml"] = self.own
        return write_new(files, replace)


def faction_name(root: Node, keyword: str = "") -> str:
    """The name of a catalogue's faction: the text after its last dash; a library is named after its Faction keyword."""
    name = root.get("name").split(" - ")[-1].strip() or "Unknown"
    return capwords(keyword.lower()) if keyword and "library" in name.lower() else name


def import_factions(
    editions: Sequence[Importing], paths: Sequence[Path], units: Sequence[str] = ()
) -> list[ImportedFaction]:
    """Make datasheets of the units of catalogues.

    Args:
        editions: the editions that can import; the one of the catalogues' game system is used.
        paths: catalogues, or folders of them; linked catalogues are looked for beside them.
        units: names of units; empty: all units without a known datasheet of their name.

    Raises:
        ContentError: a file cannot be read, is of another game, links to a missing catalogue, or lacks a named unit.
    """
    library = read_library(paths)
    file = next(iter(library.files.values()), str(paths[0]))
    how = next((one for one in editions if one.edition in library.game), editions[0])
    if library.game and how.edition not in library.game:
        expected = " or ".join(f"Warhammer {one.edition}" for one in editions)
        raise ContentError(file, "gameSystem", library.game, expected, "is another game")
    if not library.game:
        expected = "the game system (.gst) in the same folder as the catalogue"
        raise ContentError(
            file, "gameSystemId", library.missing[0] if library.missing else "it", expected, "is not there"
        )
    known = {plain_name(name) for name in how.known()}
    wanted = {plain_name(name): name for name in units}
    found: list[ImportedFaction] = []
    every: list[str] = []
    for root in library.given:
        entries = _own_entries(how, library, root)
        every += [entry.name for entry in entries]
        if wanted:
            entries = [entry for entry in entries if plain_name(entry.name) in wanted]
        shipped = [] if wanted else [entry.name for entry in entries if plain_name(entry.name) in known]
        entries = [entry for entry in entries if entry.name not in shipped]
        keyword = keyword_of(entries, root)
        allies = (
            [] if wanted else [entry.name for entry in entries if f"{FACTION}{keyword}" not in _faction_words(entry)]
        )
        entries = [entry for entry in entries if entry.name not in allies]
        if entries or shipped:
            one = _faction(how, library, root, keyword, entries)
            earlier = {name for other in found if other.name == one.name for name in other.made.sheets}
            twice = [name for name in one.made.sheets if name in earlier]
            for name in twice:
                del one.made.sheets[name]
            found.append(replace(one, shipped=shipped + twice, allies=allies))
    absent = [name for plain, name in wanted.items() if plain not in {plain_name(name) for name in every}]
    if absent:
        raise unknown(file, "unit", absent[0], [LEGENDS.sub("", name) for name in every])
    return found


def _own_entries(how: Importing, library: Library, root: Node) -> list[Entry]:
    """The units of a catalogue, without those that other given catalogues hold, so that each unit is imported once."""
    others = {one.get("id") for one in library.given if one is not root}
    return [entry for entry in unit_entries(library, root, how.left_out) if entry.home not in others]


def _faction_words(entry: Entry) -> set[str]:
    """The Faction keywords of a unit's categories, in capital letters, without those that the player chooses."""
    words = (word for word in entry.categories if word.startswith(FACTION) and "<" not in word)
    return {FACTION + word.removeprefix(FACTION).upper() for word in words}


def keyword_of(entries: Sequence[Entry], root: Node) -> str:
    """The Faction keyword that most units of a catalogue have."""
    words = Counter(word for entry in entries for word in _faction_words(entry))
    return words.most_common(1)[0][0].removeprefix(FACTION) if words else faction_name(root).upper()


def _faction(how: Importing, library: Library, root: Node, keyword: str, entries: list[Entry]) -> ImportedFaction:
    known = next((name for name, word in how.factions() if word.upper() == keyword), None)
    name = known or faction_name(root, keyword)
    every_keyword = frozenset(word.removeprefix(FACTION).strip("<> ").upper() for word in library.categories.values())
    made = datasheets_of(how, entries, name, library.files[root.get("id")], every_keyword)
    for sheet in made.sheets.values():
        if keyword not in sheet["faction_keywords"]:
            sheet["faction_keywords"].append(keyword)
            made.report.guess(f"{sheet['name']} counts as {keyword}")
    own = how.faction_of(library, root, name, keyword, made.report) if known is None else None
    return ImportedFaction(how.ruleset, name, keyword, own, made)


def datasheets_of(
    how: Importing, entries: Iterable[Entry], faction: str, file: str, every_keyword: frozenset[str]
) -> Made:
    """Datasheets of the units of a catalogue; a unit that cannot be converted is reported and skipped.

    Args:
        faction: name of the faction.
        file: the catalogue's file, for messages.
        every_keyword: the keywords of all units, in capital letters.
    """
    made = Made()
    for entry in entries:
        report = Report()
        try:
            sheet = how.sheet_of(entry, faction, file, report, every_keyword)
            name = validate(how.schema, sheet, file).name  # type: ignore[attr-defined]
        except ContentError as error:
            made.refused[entry.name] = str(error)
            continue
        made.sheets[name] = sheet
        made.report.add(report)
        if any(not model["weapons"] for model in sheet["models"]):
            made.unarmed.append(name)
    return made
