"""A roster as an army: which selections are units, the Warlord, Enhancements and the units that Leaders lead.

Makes a faction if none of that name is known.
"""

from __future__ import annotations

from typing import Any

from wh_env.content.catalogues.telling import Report
from wh_env.content.load import names, validate
from wh_env.content.rosters import Imported, Rosters, units_of
from wh_env.content.rosters.selections import FACTION, Roster, Selection
from wh_env.content.w10.importing.sheets import known_weapons, sheet_of
from wh_env.content.w10.importing.texts import roster_from
from wh_env.content.w10.load import CONTENT, RULESET, SHEETS, muster_army
from wh_env.content.w10.muster import Muster, muster
from wh_env.content.w10.schema import Army, Datasheet, Faction

SIZES = (500, 1000, 2000, 3000)  # points of battle sizes
EDITION = "40,000 10th Edition"


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


def army_of_text(text: str, file: str, name: str | None) -> Imported:
    """The army of a list as text.

    Raises:
        ContentError: it has no unit, a unit has no datasheet, or the army cannot be played.
    """
    sheets = {sheet.name.lower(): sheet for sheet in SHEETS.all().values()}
    shipped = [CONTENT.load_faction(known) for known in names("factions", RULESET)]
    every = {e.name: e for faction in shipped for d in faction.detachments for e in d.enhancements}
    roster, unknown = roster_from(text, sheets, every, file)
    found = army_of("text", roster, file, name)
    for line in unknown:
        found.report.leave(line)
    return found


def army_of(form: str, roster: Roster, file: str, name: str | None) -> Imported:
    """The army of a roster.

    Args:
        form: of the file.
        name: of the army; None: that of the roster.

    Raises:
        ContentError: the army cannot be played.
    """
    sheets_known = {sheet.name.lower(): sheet for sheet in SHEETS.all().values()}
    shipped = [CONTENT.load_faction(known) for known in names("factions", RULESET)]
    report = Report()
    units = units_of(roster, file)
    selections = [one for force in roster.forces for one in force.selections]
    faction = faction_of(units, [force.book for force in roster.forces], shipped)
    known_faction = next((one for one in shipped if one.name == faction), None)
    keyword = (known_faction.keyword if known_faction else faction).upper()
    detachment = next(
        (found for force in roster.forces if (found := chosen_within(force.selections, "detachment"))), ""
    )
    offered = [e for d in (known_faction.detachments if known_faction else ()) for e in d.enhancements]
    enhancements, played = {e.name for e in offered}, {e.name for e in offered if e.active}
    weapons, called = known_weapons(selections), [unit.name for unit in units]
    rows: list[dict[str, Any]] = []
    sheets: dict[str, dict[str, Any]] = {}
    bought: dict[str, int] = {}
    for unit in units:
        known: Datasheet | None = sheets_known.get(unit.name.lower())
        extra = enhancement_of(unit, enhancements)
        cost = max(0, unit.total - (extra.total if extra else 0))
        sheet = sheet_of(unit, unit.name, weapons, known, faction, called, cost, file, report)
        if keyword not in sheet["faction_keywords"]:
            sheet["faction_keywords"].append(keyword)
            report.guess(f"{unit.name} counts as {keyword}")
        sheet_name = added(sheets, sheet)
        row: dict[str, Any] = {"datasheet": sheet_name, "models": sheet["points"][0]["models"]}
        if is_warlord(unit):
            row["warlord"] = True
        if extra is not None:
            if known_faction is None or extra.name in enhancements:
                row["enhancement"] = extra.name
            bought[extra.name] = extra.total
            if extra.name not in played:
                report.leave(f"{unit.name}: Enhancement {extra.name}")
        rows.append(row)
        report.taken.append(f"{row['models']} {unit.name}, {cost} points")
    lead_units(rows, sheets, units, report)
    own = own_faction(faction, detachment, bought, known_faction, report)
    army = {
        "name": name or roster.name,
        "faction": faction,
        "points_limit": limit_for(sum(unit.total for unit in units)),
        "units": rows,
        **name_warlord(rows, sheets, units, report),
    }
    army.update(detachment_of(detachment, known_faction, report, is_own=bool(own)))
    army["datasheets"] = list(sheets.values())
    checked = validate(Army, army, file)
    return Imported(form, army, own, muster_of(checked, own), report)


def name_warlord(
    rows: list[dict[str, Any]], sheets: dict[str, dict[str, Any]], units: list[Selection], report: Report
) -> dict[str, Any]:
    """Make the first CHARACTER the Warlord if the roster names none. Returns further fields of the army.

    An army without a CHARACTER that can be the Warlord has none: it is no legal army (w10.army.character, .warlord),
    and is taken to be tried.
    """
    if any(row.get("warlord") for row in rows):
        return {}
    own = [sheets[row["datasheet"]] for row in rows]
    able = (n for n, s in enumerate(own) if "CHARACTER" in s["keywords"] and not s["abilities"].get("no_warlord"))
    first = next(able, None)
    if first is None:
        needed = "an army needs one (w10.army.character), this one is to be tried"
        report.leave(f"Warlord: the army has no CHARACTER that can be it; {needed}")
        return {"without": ["warlord"]}
    rows[first]["warlord"] = True
    report.guess(f"{units[first].name} is the Warlord")
    return {}


def detachment_of(name: str, known: Faction | None, report: Report, *, is_own: bool) -> dict[str, str]:
    """The field ``detachment`` of an army: that of the roster if the faction has it or a faction is made for it
    (``is_own``), else the first of the faction; empty if there is none.
    """
    has = [one.name for one in known.detachments] if known is not None else []
    if name and (is_own or name in has):
        return {"detachment": name}
    if name:
        report.leave(f"Detachment {name}")
    if not has:
        return {}
    report.guess(f"the Detachment is {has[0]}")
    return {"detachment": has[0]}


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
    """Let each Leader lead the unit that it stands with in an Attached unit, else the first unit that it may lead and
    that has no Leader yet.

    Most rosters do not say whom Leaders lead; then each choice is reported as a guess.
    """
    led: set[int] = set()
    for row, unit in zip(rows, units, strict=True):
        abilities = sheets[row["datasheet"]]["abilities"]
        may = [name.lower() for name in abilities.get("leader", ())]
        free = [n for n, one in enumerate(units) if n not in led and one is not unit and one.name.lower() in may]
        told = [n for n in free if unit.group and units[n].group == unit.group]
        if free:
            row["leads"] = at = (told or free)[0]
            led.add(at)
            if not told:
                report.guess(f"{unit.name} leads {units[at].name}")
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


ROSTERS = Rosters(EDITION, army_of, army_of_text)
