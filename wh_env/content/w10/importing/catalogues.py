"""Datasheets of the 10th edition from the units of a catalogue; entries that do not map are reported."""

from __future__ import annotations

import re
from typing import Any

from wh_env.content.catalogues.abilities import Abilities, ability_lines
from wh_env.content.catalogues.entries import Entry, Line
from wh_env.content.catalogues.facts import plain_name
from wh_env.content.catalogues.loadouts import ItemsOf, no_items
from wh_env.content.catalogues.prose import attacks, tenth, units
from wh_env.content.catalogues.prose.words import About, plain
from wh_env.content.catalogues.sheets import (
    FACTION,
    LEGENDS,
    MOST_KINDS,
    NO_KEYWORDS,
    WeaponSheet,
    add_items_of_unit,
    armed,
    kinds,
    name_of_kind,
    transport_of,
)
from wh_env.content.catalogues.telling import Report, guessed_base, name_of, number_in, roll_in
from wh_env.content.rosters.selections import ABILITY, UNIT
from wh_env.content.w10.facts import points_of
from wh_env.content.w10.importing.sheets import NUMBERED, PLAIN, weapon_profile

_INVULNERABLE = re.compile(r"([2-6])\+")
_DAMAGED = re.compile(r"1\s*-\s*([0-9]+)")
_LED = re.compile(r"^\W*[■▪•\-*]\s*(.+?)\s*$", re.MULTILINE)
_PLAIN_ROLL = re.compile(r"^\W*([0-9]+)\W*$")  # a roll that is written without its plus, or with it before
_NOT_ALLOWED = ("warlord",)
_NO_WARLORD = re.compile(r"this model cannot be (?:selected as )?your warlord(?: and cannot be given enhancements)?")
TOLD_ELSEWHERE = ("leader", "transport", "damaged", "invulnerable save")


def sheet_of_entry(
    entry: Entry, faction: str, file: str, report: Report, every_keyword: frozenset[str]
) -> dict[str, Any]:
    """A datasheet of a unit of a catalogue, as a mapping of the schema ``Datasheet``.

    Args:
        faction: name of its faction.
        file: the catalogue's file, for messages.
        every_keyword: the keywords of all units, in capital letters.

    Raises:
        ContentError: characteristics are missing or cannot be read.
    """
    name = LEGENDS.sub("", name_of(entry.name))
    words = [c for one in entry.walk() if one is entry or one.kind == "model" for c in one.categories]
    faction_keywords = [w.removeprefix(FACTION).upper() for w in words if w.startswith(FACTION)]
    keywords = [
        w.upper()
        for w in words
        if w and not w.startswith(FACTION) and plain_name(w) not in (*NO_KEYWORDS, plain_name(name))
    ]
    weapons = WeaponSheet(file, name, report, weapon_profile)
    told = Report()
    models = _models(entry, keywords, weapons, file, told)
    largest = sum(model["max"] for model in models)
    leads = any(plain_name(line.name) == "leader" for line in entry.lines_of(ABILITY))
    wounds = {model["W"] for model in models}
    about = About(
        tuple(weapons.used(models)),
        every_keyword,
        frozenset(keywords),
        leads,
        largest,
        wounds=wounds.pop() if len(wounds) == 1 else 0,
    )
    read = Abilities(name, about, (attacks.RULES, units.RULES, tenth.RULES), report)
    abilities = _abilities(entry, read)
    if read.items:
        told = Report()
        models = _models(entry, keywords, weapons, file, told, read.items_of)
    report.add(told)
    read.settle(models)
    if rows := read.rows():
        abilities["other"] = rows
    return {
        "name": name,
        "faction": faction,
        "faction_keywords": list(dict.fromkeys(faction_keywords)) or [faction.upper()],
        "keywords": list(dict.fromkeys(keywords)) or ["INFANTRY"],
        "models": models,
        "weapons": weapons.used(models),
        "abilities": abilities,
        "points": _points(entry, sum(model["min"] for model in models), largest),
    }


# ---------------------------------------------------------------- models


def _line_of(model: Entry, unit: Entry) -> Line | None:
    """The characteristics of a model: its own, else those of its name in the unit, else those of the unit."""
    lines = unit.lines_of(UNIT)
    named = [line for line in lines if plain_name(line.name) == plain_name(model.name)]
    return next(iter([*model.lines_of(UNIT), *named, *lines]), None)


def _models(
    entry: Entry,
    keywords: list[str],
    weapons: WeaponSheet,
    file: str,
    report: Report,
    items_of: ItemsOf = no_items,
) -> list[dict[str, Any]]:
    """The kinds of models as mappings of the schema; ``items_of`` as for ``loadouts``."""
    place = f"unit {entry.name!r}"
    ward = _ward(entry)
    base, height = guessed_base(entry.name, keywords, report)
    rows: list[dict[str, Any]] = []
    for kind in kinds(entry, file, _line_of):
        line = kind.line
        name = name_of_kind(kind)
        if any(row["name"] == name for row in rows):
            name = f"{name} ({len(rows) + 1})"
        row: dict[str, Any] = {
            "name": name,
            "min": kind.least,
            "max": kind.most,
            "M": _move(line.get("M"), file, place),
            "T": number_in(line.get("T"), file, f"{place}.T"),
            "Sv": roll_in(line.get("SV"), file, f"{place}.SV", "7+"),
            "W": number_in(line.get("W"), file, f"{place}.W"),
            "Ld": roll_in(_PLAIN_ROLL.sub(r"\1+", line.get("LD")), file, f"{place}.LD"),
            "OC": number_in(line.get("OC"), file, f"{place}.OC"),
            "base": dict(base),
            "height_in": height,
        }
        own = [] if len(entry.models()) == 1 else [w for one in kind.entries if (w := _ward(one))]
        if own or ward:
            row["invuln"] = (own or [ward])[0]
        rows.append(row | armed(kind, weapons, report, entry.name, items_of).fields())
    add_items_of_unit(entry, rows, items_of)
    return rows


def _move(text: str, file: str, place: str) -> int | str:
    """A Move in inches or dice; 0 if it is a dash or missing."""
    plain = text.replace('"', "").replace(" ", "").upper()
    return plain if re.fullmatch(r"[0-9]*D6(\+[0-9]+)?", plain) else number_in(text, file, f"{place}.M")


def _ward(entry: Entry) -> str:
    """The invulnerable save that an entry's own abilities give, or an empty text."""
    for line in entry.lines:
        if line.kind == ABILITY and plain_name(line.name).startswith("invulnerable"):
            if match := _INVULNERABLE.search(f"{line.name} {line.get('Description')}"):
                return f"{match[1]}+"
    return ""


# ---------------------------------------------------------------- abilities and points


def _abilities(entry: Entry, read: Abilities) -> dict[str, Any]:
    """Core abilities with their numbers, transport and Leader, and abilities whose texts are understood; others are
    named and not played.
    """
    found, deck = _core(entry, read)
    leads: list[str] = []
    for line, whole in ability_lines(entry, ABILITY):
        low, text = plain_name(line.name), line.get("Description")
        if low.startswith("damaged") and (match := _DAMAGED.search(line.name)):
            found["damaged"] = int(match[1])
            if "objective control" in text.lower():
                read.report.leave(f"{read.unit}: {name_of(line.name)}: the loss of Objective Control")
        elif low.startswith("transport"):
            if carries := transport_of(text, deck):
                found["transport"] = carries
        elif low == "leader":
            leads += [
                name_of(led.strip("*^ ")) for led in _LED.findall(text) if "cannot" not in led and led.strip("*^ ")
            ]
        elif _NO_WARLORD.fullmatch(plain(text)):
            found["no_warlord"] = True
        elif not low.startswith((*TOLD_ELSEWHERE, *_NOT_ALLOWED)):
            read.read(line.name, text, whole)
            continue
        read.as_field(line.name)
    if leads:
        found["leader"] = list(dict.fromkeys(leads))[:100]
    return found


def _core(entry: Entry, read: Abilities) -> tuple[dict[str, Any], int]:
    """Core abilities by the names of rules, with their numbers, and the number of a Firing Deck; other rules are not
    played.
    """
    found: dict[str, Any] = {}
    rules = [rule for one in entry.walk() if one is entry or one.kind == "model" for rule in one.rules]
    deck = 0
    for rule in rules:
        low = plain_name(rule)
        numbered = NUMBERED.match(low)
        if low in PLAIN:
            found[PLAIN[low]] = True
        elif numbered:
            number = (numbered[2] or "1").upper()
            if numbered[1] == "scouts":
                found["scouts"] = int(re.sub(r"\D", "", number) or 6)
            elif numbered[1] == "feel no pain":
                if number in ("2", "3", "4", "5", "6"):
                    found["feel_no_pain"] = f"{number}+"
                else:
                    read.report.leave(f"{read.unit}: {name_of(rule)}")
            elif numbered[1] == "deadly demise":
                found["deadly_demise"] = number
            else:
                deck = int(re.sub(r"\D", "", number) or 0)
        elif not low.startswith((*TOLD_ELSEWHERE, *_NOT_ALLOWED)):
            read.read(rule, "")
    return found, deck


def _points(entry: Entry, smallest: int, largest: int) -> list[dict[str, int]]:
    """Points by size: one row for each size up to which they stay the same."""
    rows: list[dict[str, int]] = []
    for models in range(smallest, min(largest, smallest + 100) + 1):
        cost = points_of(entry, models)
        if rows and rows[-1]["points"] == cost:
            rows[-1]["models"] = models
        else:
            rows.append({"models": models, "points": cost})
    return rows[:MOST_KINDS]
