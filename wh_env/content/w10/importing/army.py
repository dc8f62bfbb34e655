"""A roster as an army: which selections are units, the Warlord, Enhancements and the units that Leaders lead.

Makes a faction if none of that name is known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from wh_env.content.catalogues.telling import Report
from wh_env.content.errors import ContentError
from wh_env.content.load import names, slug, validate
from wh_env.content.w10.importing.selections import FACTION, Profile, Roster, Selection, roster_of
from wh_env.content.w10.importing.sheets import known_weapons, sheet_of
from wh_env.content.w10.importing.sniffing import TEXT, read_roster
from wh_env.content.w10.importing.texts import roster_from
from wh_env.content.w10.load import RULESET, load_datasheets, load_faction, muster_army
from wh_env.content.w10.muster import Muster, muster
from wh_env.content.w10.schema import Army, Faction
from wh_env.content.writing import write_new

MOST_UNITS = 100
SIZES = (500, 1000, 2000, 3000)  # points of battle sizes
EDITION = "40,000 10th Edition"


@dataclass
class Imported:
    """An army from a roster.

    Attributes:
        form: of the file.
        army: a mapping of the schema ``Army``, with its own datasheets.
        faction: a mapping of the schema ``Faction`` if no faction of that name is known, else None.
        muster: the army as it is played.
        report: what was read, guessed and left out.
    """

    form: str
    army: dict[str, Any]
    faction: dict[str, Any] | None
    muster: Muster
    report: Report = field(default_factory=Report)

    def write(self, folder: Path, replace: bool = False) -> list[Path]:
        """Write the army, and its faction if it is new, into a folder of content; returns the files.

        Raises:
            ContentError: the folder cannot be written to, or a file exists and may not be replaced.
        """
        files = {folder / RULESET / "armies" / f"{slug(self.army['name'])}.yaml": self.army}
        if self.faction is not None:
            files[folder / RULESET / "factions" / f"{slug(self.faction['name'])}.yaml"] = self.faction
        return write_new(files, replace)


def is_unit(one: Selection) -> bool:
    """Whether a selection of a force is a unit: its type is unit or model."""
    return one.kind in ("unit", "model")


def faction_of(units: list[Selection], books: list[str], shipped: list[Faction]) -> str:
    """The faction of an army: a known one whose keyword most units have, else the book's title after its last dash."""
    keywords = [
        name.removeprefix(FACTION).upper() for one in units for name in one.categories if name.startswith(FACTION)
    ]
    for faction in shipped:
        if 2 * keywords.count(faction.keyword.upper()) > len(units):
            return faction.name
    return (books[0] if books else "Unknown").split(" - ")[-1].strip() or "Unknown"


def chosen_within(selections: tuple[Selection, ...], name: str) -> str:
    """The choice, by name, inside the first selection whose name starts with ``name`` ("detachment"); else empty."""
    for one in selections:
        if one.name.lower().startswith(name):
            inner = next((inner for inner in one.inside), None)
            return inner.name if inner else ""
    return ""


def enhancement_of(unit: Selection, known: set[str]) -> Selection | None:
    """The Enhancement of a unit: a selection in a group of that name, or one with a known name; None: none."""
    for one in unit.all():
        if one is not unit and (one.name in known or "enhancement" in one.group.lower()):
            return one
    return None


def is_warlord(unit: Selection) -> bool:
    """Whether a unit contains the Warlord."""
    return any(one.name.lower() == "warlord" or "Warlord" in one.categories for one in unit.all())


def limit_for(points: int) -> int:
    """The smallest size of battle, in points, that ``points`` fit in."""
    return next((size for size in SIZES if points <= size), points)


def import_roster(path: Path, name: str | None = None) -> Imported:
    """The army of a roster.

    Args:
        path: a file of BattleScribe, New Recruit or ListForge.
        name: of the army; None: that of the roster.

    Raises:
        ContentError: the file is no roster, or the army cannot be played (the first fault only).
    """
    try:
        return army_of(path, name)
    except ContentError as error:
        if not error.others:
            raise
        fault = ContentError(str(path), error.field, error.value, error.expected, error.problem)
        raise fault from None


def army_of(path: Path, name: str | None = None) -> Imported:
    """As ``import_roster``, but the error has all faults."""
    form, raw = read_roster(path)
    file = str(path)
    shipped = [load_faction(known) for known in names("factions", RULESET)]
    report = Report()
    roster = roster_in(raw, shipped, file, report)
    selections = [one for force in roster.forces for one in force.selections]
    units = [one for one in selections if is_unit(one)]
    check_number(units, file)
    faction = faction_of(units, [force.book for force in roster.forces], shipped)
    known = next((one for one in shipped if one.name == faction), None)
    found = (chosen_within(force.selections, "detachment") for force in roster.forces)
    detachment = next(filter(None, found), "")
    rows, sheets, bought = listed_units(units, known, faction, known_weapons(selections), file, report)
    lead_units(rows, sheets, units, report)
    if not any(row.get("warlord") for row in rows):
        first = next((n for n, row in enumerate(rows) if "CHARACTER" in sheets[row["datasheet"]]["keywords"]), None)
        if first is not None:
            rows[first]["warlord"] = True
            report.guess(f"{units[first].name} is the Warlord")
    own = own_faction(faction, detachment, bought, known, report)
    army = {
        "name": name or roster.name,
        "faction": faction,
        "points_limit": limit_for(sum(unit.total for unit in units)),
        "units": rows,
    }
    if detachment and (own or any(d.name == detachment for d in (known.detachments if known else ()))):
        army["detachment"] = detachment
    elif detachment:
        report.leave(f"Detachment {detachment}")
    army["datasheets"] = list(sheets.values())
    checked = validate(Army, army, file)
    return Imported(form, army, own, muster_of(checked, own), report)


def roster_in(raw: Mapping[str, Any], shipped: Sequence[Faction], file: str, report: Report) -> Roster:
    """The roster in the content of a file, text or data; lines of text that are not understood are reported.

    Raises:
        ContentError: it is a roster of another game.
    """
    if TEXT in raw:
        every = {e.name: e for faction in shipped for d in faction.detachments for e in d.enhancements}
        sheets = {sheet.name.lower(): sheet for sheet in load_datasheets().values()}
        roster, unknown = roster_from(raw[TEXT], sheets, every, file)
        for line in unknown:
            report.leave(line)
    else:
        roster = roster_of(raw, file)
    if roster.game and "40,000" in roster.game and "10th" not in roster.game:
        raise ContentError(file, "gameSystemName", roster.game, f"Warhammer {EDITION}", "is another game")
    return roster


def check_number(units: Sequence[Selection], file: str) -> None:
    """Check the number of units of a roster.

    Raises:
        ContentError: there is none, or there are too many.
    """
    if not units:
        raise ContentError(file, "forces", "no selections of the type unit or model", "at least one unit", "are there")
    if len(units) > MOST_UNITS:
        raise ContentError(file, "forces", len(units), f"at most {MOST_UNITS} units", "are too many")


def listed_units(
    units: Sequence[Selection],
    known_faction: Faction | None,
    faction: str,
    weapons: Mapping[str, list[Profile]],
    file: str,
    report: Report,
) -> tuple[list[dict[str, Any]], dict[str, dict[str, Any]], dict[str, int]]:
    """The units of a roster as rows of an army list, their datasheets by name, and the points of its Enhancements."""
    keyword = (known_faction.keyword if known_faction else faction).upper()
    offered = [e for d in (known_faction.detachments if known_faction else ()) for e in d.enhancements]
    enhancements, played = {e.name for e in offered}, {e.name for e in offered if e.active}
    shipped = {sheet.name.lower(): sheet for sheet in load_datasheets().values()}
    called = [unit.name for unit in units]
    rows: list[dict[str, Any]] = []
    sheets: dict[str, dict[str, Any]] = {}
    bought: dict[str, int] = {}
    for unit in units:
        known = shipped.get(unit.name.lower())
        extra = enhancement_of(unit, enhancements)
        cost = max(0, unit.total - (extra.total if extra else 0))
        sheet = sheet_of(unit, unit.name, weapons, known, faction, called, cost, file, report)
        if keyword not in sheet["faction_keywords"]:
            sheet["faction_keywords"].append(keyword)
            report.guess(f"{unit.name} counts as {keyword}")
        row: dict[str, Any] = {"datasheet": added(sheets, sheet), "models": sheet["points"][0]["models"]}
        if is_warlord(unit):
            row["warlord"] = True
        if extra is not None:
            row["enhancement"] = extra.name
            bought[extra.name] = extra.total
            if extra.name not in played:
                report.leave(f"{unit.name}: Enhancement {extra.name}")
        rows.append(row)
        report.taken.append(f"{row['models']} {unit.name}, {cost} points")
    return rows, sheets, bought


def added(sheets: dict[str, dict[str, Any]], sheet: dict[str, Any]) -> str:
    """Add a datasheet to those of the army and return its name.

    A sheet that differs from another one of its name gets a number.
    """
    name: str = sheet["name"]
    number = 1
    while name in sheets and {**sheets[name], "name": ""} != {**sheet, "name": ""}:
        number += 1
        name = f"{sheet['name']} ({number})"
    sheets.setdefault(name, {**sheet, "name": name})
    return name


def lead_units(
    rows: list[dict[str, Any]], sheets: dict[str, dict[str, Any]], units: list[Selection], report: Report
) -> None:
    """Let each Leader lead the first unit it may lead that has no Leader yet; rosters do not say whom Leaders lead.

    Each choice is reported as a guess.
    """
    led: set[int] = set()
    for row, unit in zip(rows, units, strict=True):
        abilities = sheets[row["datasheet"]]["abilities"]
        may = [name.lower() for name in abilities.get("leader", ())]
        for at, other in enumerate(units):
            if at not in led and other is not unit and other.name.lower() in may:
                row["leads"] = at
                led.add(at)
                report.guess(f"{unit.name} leads {other.name}")
                break
        if "leader" in abilities:
            abilities["leader"] = sorted(
                {one["datasheet"] for one, u in zip(rows, units, strict=True) if u.name.lower() in may}
                | set(abilities["leader"])
            )


def own_faction(
    name: str, detachment: str, bought: dict[str, int], known: Faction | None, report: Report
) -> dict[str, Any] | None:
    """A new faction with the roster's Detachment and Enhancements; None if the faction is known.

    The army rule, the Detachment and the Enhancements are not played, and the report says so.
    """
    if known is not None:
        return None
    report.leave(f"army rule of {name}")
    own: dict[str, Any] = {"name": name, "keyword": name.upper(), "detachments": []}
    if detachment:
        report.leave(f"Detachment {detachment}")
        enhancements = [
            {"name": e, "points": points, "effect": "not played", "active": False} for e, points in bought.items()
        ]
        own["detachments"] = [{"name": detachment, "enhancements": enhancements}]
    return own


def muster_of(army: Army, own: dict[str, Any] | None) -> Muster:
    """The army checked as for a battle, with its own faction if it has one."""
    if own is None:
        return muster_army(army)
    return muster(army, {sheet.name: sheet for sheet in army.datasheets}, validate(Faction, own, "<faction>"))
