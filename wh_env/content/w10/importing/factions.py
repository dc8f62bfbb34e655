"""A catalogue as a faction of one's own: datasheets and faction as files in a folder of content."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from string import capwords
from typing import Any

from wh_env.content.catalogues import Entry, Library, read_library, unit_entries
from wh_env.content.catalogues.entries import named_entries
from wh_env.content.catalogues.facts import plain_name
from wh_env.content.catalogues.tree import Node
from wh_env.content.errors import ContentError, unknown
from wh_env.content.load import names, slug
from wh_env.content.w10.facts import LEFT_OUT
from wh_env.content.w10.importing.catalogues import LEGENDS, Made, datasheets_of
from wh_env.content.w10.importing.selections import FACTION, name_of
from wh_env.content.w10.load import RULESET, load_datasheets, load_faction
from wh_env.content.writing import write_new

MOST_DETACHMENTS = 32
EDITION = "40,000 10th Edition"


@dataclass
class ImportedFaction:
    """The units of one catalogue as datasheets.

    Attributes:
        name, keyword: of the faction. own: it as a mapping of the schema ``Faction`` where none of its keyword is
        known, else None. made: its datasheets, what was guessed and what is not played. shipped: units that are left
        out because a datasheet of that name is known. allies: units that are left out because they lack its Faction
        keyword."""

    name: str
    keyword: str
    own: dict[str, Any] | None
    made: Made
    shipped: list[str] = field(default_factory=list)
    allies: list[str] = field(default_factory=list)

    def write(self, folder: Path, replace: bool = False) -> list[Path]:
        """Write the datasheets, and the faction where it is new, into a folder of content; returns the files.

        Raises:
            ContentError: the folder cannot be written to, or a file is there and may not be replaced; nothing is
            written then."""
        place = folder / RULESET / "datasheets" / slug(self.name)
        files = {place / f"{slug(name)}.yaml": sheet for name, sheet in self.made.sheets.items()}
        if self.own is not None and files:
            files[folder / RULESET / "factions" / f"{slug(self.name)}.yaml"] = self.own
        return write_new(files, replace)


def faction_name(root: Node, keyword: str = "") -> str:
    """The name of a catalogue's faction: what follows the last dash; a library is called after its Faction keyword."""
    name = root.get("name").split(" - ")[-1].strip() or "Unknown"
    return capwords(keyword.lower()) if keyword and "library" in name.lower() else name


def import_factions(paths: Sequence[Path], units: Sequence[str] = ()) -> list[ImportedFaction]:
    """Make datasheets of the units of catalogues.

    Args:
        paths: catalogues, or folders of them; what they link to is looked for beside them.
        units: names of units; none: all that no known datasheet has the name of.

    Raises:
        ContentError: a file cannot be read, is of another game, links to a catalogue that is missing, or has no unit of
        a name."""
    library = read_library(paths)
    file = next(iter(library.files.values()), str(paths[0]))
    if library.game and EDITION not in library.game:
        raise ContentError(file, "gameSystem", library.game, f"Warhammer {EDITION}", "is another game")
    if not library.game:
        expected = "the game system (.gst) in the same folder as the catalogue"
        raise ContentError(
            file, "gameSystemId", library.missing[0] if library.missing else "it", expected, "is not there"
        )
    known = {plain_name(name) for name in load_datasheets()}
    wanted = {plain_name(name): name for name in units}
    found: list[ImportedFaction] = []
    every: list[str] = []
    for root in library.given:
        entries = _own_entries(library, root)
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
            one = _faction(library, root, keyword, entries, library.files[root.get("id")])
            found.append(replace(one, shipped=shipped, allies=allies))
    absent = [name for plain, name in wanted.items() if plain not in {plain_name(name) for name in every}]
    if absent:
        raise unknown(file, "unit", absent[0], [LEGENDS.sub("", name) for name in every])
    return found


def detachments_of(library: Library, root: Node) -> list[str]:
    """Names of the Detachments that a catalogue offers."""
    found: dict[str, None] = {}
    for entry in named_entries(library, root, "detachment"):
        for one in entry.walk():
            if one.kind == "upgrade" and one is not entry and not one.name.lower().startswith("detachment"):
                found.setdefault(name_of(one.name))
    return [name for name in found if name][:MOST_DETACHMENTS]


def _own_entries(library: Library, root: Node) -> list[Entry]:
    """The units of a catalogue or of a library of it, so that a folder of catalogues gives each unit once."""
    others = {one.get("id") for one in library.given if one is not root}
    return [entry for entry in unit_entries(library, root, LEFT_OUT) if entry.home not in others]


def _faction_words(entry: Entry) -> set[str]:
    """The Faction keywords of a unit as its categories write them, in capital letters."""
    return {FACTION + word.removeprefix(FACTION).upper() for word in entry.categories if word.startswith(FACTION)}


def keyword_of(entries: Sequence[Entry], root: Node) -> str:
    """The Faction keyword that most units of a catalogue have."""
    words = Counter(word for entry in entries for word in _faction_words(entry))
    return words.most_common(1)[0][0].removeprefix(FACTION) if words else faction_name(root).upper()


def _faction(library: Library, root: Node, keyword: str, entries: list[Entry], file: str) -> ImportedFaction:
    factions = [load_faction(name) for name in names("factions", RULESET)]
    known = next((one for one in factions if one.keyword.upper() == keyword), None)
    name = known.name if known is not None else faction_name(root, keyword)
    made = datasheets_of(entries, name, file)
    for sheet in made.sheets.values():
        if keyword not in sheet["faction_keywords"]:
            sheet["faction_keywords"].append(keyword)
            made.report.guess(f"{sheet['name']} counts as {keyword}")
    own: dict[str, Any] | None = None
    if known is None:
        detachments = detachments_of(library, root) or ["Detachment"]
        own = {"name": name, "keyword": keyword, "detachments": [{"name": one} for one in detachments]}
        made.report.leave(f"army rule of {name}")
        for one in detachments:
            made.report.leave(f"Detachment {one} of {name}: its rules, Enhancements and Stratagems")
    return ImportedFaction(name, keyword, own, made)
