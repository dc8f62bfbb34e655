"""Datasheets of the 10th edition from the units of a catalogue; what does not map is told."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from wh_env.content.catalogues.entries import MOST_MODELS, Entry, Line
from wh_env.content.catalogues.facts import plain_name
from wh_env.content.errors import ContentError
from wh_env.content.load import validate
from wh_env.content.w10.facts import points_of
from wh_env.content.w10.importing.loadouts import Loadout, loadouts, weapon_entries
from wh_env.content.w10.importing.selections import ABILITY, FACTION, MELEE, RANGED, UNIT, name_of
from wh_env.content.w10.importing.sheets import (
    ANY_BASE,
    GUESSES,
    NUMBERED,
    PART_OF_NAME,
    PLAIN,
    Report,
    number_in,
    roll_in,
    weapon_profile,
)
from wh_env.content.w10.schema import Datasheet

MOST_KINDS = 32  # of models, options and weapons of a datasheet
MOST_OTHER = 32
LEGENDS = re.compile(r"\s*\[legends\]\s*$", re.IGNORECASE)
_WITH = re.compile(r"\s+(?:w/|with|\(|-)\s*.*$", re.IGNORECASE)
_INVULNERABLE = re.compile(r"([2-6])\+")
_DAMAGED = re.compile(r"1\s*-\s*([0-9]+)")
_CAPACITY = re.compile(r"transport capacity of ([0-9]+)([^.]*)", re.IGNORECASE)
_CANNOT = re.compile(r"cannot transport ([^.]*)", re.IGNORECASE)
_PLACES = re.compile(r"(?:each|every)\s+([^.]*?)\s+(?:model )?takes? up the space of ([0-9]+|two|three)", re.IGNORECASE)
_LED = re.compile(r"^\W*[■▪•\-*]\s*(.+?)\s*$", re.MULTILINE)
_PLAIN_ROLL = re.compile(r"^\W*([0-9]+)\W*$")  # a roll that is written without its plus, or with it before
_KEYWORD = re.compile(r"\*\*\^\^(.+?)\^\^\*\*|\b([A-Z][A-Z' -]{2,}[A-Z])\b")
_NOT_ALLOWED = ("warlord",)
NUMBERS = {"two": 2, "three": 3}
NO_KEYWORDS = ("configuration", "unit", "uncategorised", "uncategorized", "reference", "faction")
TOLD_ELSEWHERE = ("leader", "transport", "damaged", "invulnerable save")


@dataclass
class Made:
    """What came of a catalogue.

    Attributes:
        sheets: datasheets by name, as mappings that validate. refused: why a unit makes none, by its name. unarmed:
        names of datasheets with a model that has no weapon. report: what was guessed and what is not played."""

    sheets: dict[str, dict[str, Any]] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    unarmed: list[str] = field(default_factory=list)
    report: Report = field(default_factory=Report)


def datasheets_of(entries: Iterable[Entry], faction: str, file: str) -> Made:
    """Datasheets of the units of a catalogue; a unit that makes none is told, and the others go on.

    Args:
        faction: whose army they are. file: the catalogue's, for messages.
    """
    made = Made()
    for entry in entries:
        report = Report()
        try:
            sheet = sheet_of_entry(entry, faction, file, report)
            checked = validate(Datasheet, sheet, file)
        except ContentError as error:
            made.refused[entry.name] = str(error)
            continue
        made.sheets[checked.name] = sheet
        made.report.guessed += report.guessed
        made.report.unplayed += report.unplayed
        if any(not model["weapons"] for model in sheet["models"]):
            made.unarmed.append(checked.name)
    return made


def sheet_of_entry(entry: Entry, faction: str, file: str, report: Report) -> dict[str, Any]:
    """A datasheet of a unit of a catalogue, as a mapping of the schema ``Datasheet``.

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
    weapons = _Weapons(file, name, report)
    models = _models(entry, keywords, weapons, file, report)
    abilities = _abilities(entry, name, report)
    largest = sum(model["max"] for model in models)
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


@dataclass
class _Kind:
    """Models of a unit that share their characteristics: entries that differ in what they carry."""

    line: Line
    entries: list[Entry]
    least: int
    most: int


def _kinds(entry: Entry, file: str) -> list[_Kind]:
    """The kinds of models of a unit. A model with a fixed number, such as a sergeant, is a kind of its own."""
    lines = entry.lines_of(UNIT)
    fixed: list[_Kind] = []
    free: dict[tuple[tuple[str, str], ...], _Kind] = {}
    for model in entry.models():
        line = _line_of(model, lines)
        if line is None:
            place = f"unit {entry.name!r}"
            raise ContentError(file, place, model.name, "a profile of the type Unit", "has no characteristics")
        most = model.most if model.most is not None else (1 if model is entry else 0)
        if model is entry:
            fixed.append(_Kind(line, [model], 1, 1))
        elif model.least and model.most == model.least:
            same = next((one for one in fixed if one.entries[0].name == model.name), None)
            if same is not None:  # of another composition of the unit
                same.least, same.most = min(same.least, model.least), max(same.most, most)
            else:
                fixed.append(_Kind(line, [model], model.least, most))
        else:
            kind = free.setdefault(tuple(line.values.items()), _Kind(line, [], 0, 0))
            kind.entries.append(model)
            kind.least += model.least
            kind.most += most
    return _sized(entry, fixed, list(free.values()))


def _sized(entry: Entry, fixed: list[_Kind], free: list[_Kind]) -> list[_Kind]:
    """Numbers of models so that their sums are the unit's: the commonest kind takes what the others leave."""
    low, high = entry.sizes()
    counted = sum(kind.least for kind in fixed), sum(kind.most for kind in fixed)
    free.sort(key=lambda kind: -kind.most)
    if free:
        main, others = free[0], free[1:]
        main.entries.sort(key=lambda one: -(one.most or 100))
        low, high = low - counted[0], high - counted[1]
        if sum(kind.most for kind in others) + main.least > high:
            others = [kind for kind in others if kind.least]
            for kind in others:
                kind.most = kind.least
        main.least = max(0, low - sum(kind.least for kind in others))
        main.most = min(MOST_MODELS, max(1, main.least, high - sum(kind.most for kind in others)))
        free = [main, *others]
    return [kind for kind in (*fixed, *free) if kind.most]


def _line_of(model: Entry, lines: list[Line]) -> Line | None:
    own = model.lines_of(UNIT)
    named = [line for line in lines if plain_name(line.name) == plain_name(model.name)]
    return next(iter([*own, *named, *lines]), None)


def _models(entry: Entry, keywords: list[str], weapons: _Weapons, file: str, report: Report) -> list[dict[str, Any]]:
    """The kinds of models as mappings of the schema."""
    place = f"unit {entry.name!r}"
    ward = _ward(entry)
    base, height = next(((base, height) for word, base, height in GUESSES if word in keywords), ANY_BASE)
    told = ", ".join(f"{name} {value}" for name, value in base.items())
    report.guess(f'{entry.name}: base {told}, height {height}"')
    rows: list[dict[str, Any]] = []
    for kind in _kinds(entry, file):
        line = kind.line
        name = _name_of_kind(kind)
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
        row["weapons"], options = _armed(kind, weapons, report, entry.name)
        if options:
            row["options"] = options
        rows.append(row)
    return rows


def _name_of_kind(kind: _Kind) -> str:
    """The name of models without what they carry."""
    names = [_WITH.sub("", name_of(one.name, "Model")) or name_of(one.name, "Model") for one in kind.entries]
    return Counter(names).most_common(1)[0][0]


def _move(text: str, file: str, place: str) -> int | str:
    """A Move in inches; a dash or a Move that is not given is 0."""
    plain = text.replace('"', "").replace(" ", "").upper()
    return plain if re.fullmatch(r"[0-9]*D6(\+[0-9]+)?", plain) else number_in(text, file, f"{place}.M")


def _ward(entry: Entry) -> str:
    """The invulnerable save of an entry itself, or nothing."""
    for line in entry.lines:
        if line.kind == ABILITY and plain_name(line.name).startswith("invulnerable"):
            if match := _INVULNERABLE.search(f"{line.name} {line.get('Description')}"):
                return f"{match[1]}+"
    return ""


def _armed(kind: _Kind, weapons: _Weapons, report: Report, unit: str) -> tuple[list[str], list[dict[str, Any]]]:
    """What models of a kind carry, and their options: every other way to arm one of its entries."""
    default: tuple[str, ...] | None = None
    options: dict[tuple[str, ...], dict[str, Any]] = {}
    for at, entry in enumerate(kind.entries):
        for way in loadouts(entry):
            carried = weapons.names(entry, way)
            if default is None:
                default = carried
            key = tuple(sorted(carried))
            if key == tuple(sorted(default)) or key in options or not carried:
                continue
            limits = [n for n in (way.most, entry.most if at else None) if n is not None and n > 0]
            name = way.name or (_of_entry(entry.name) if at else "") or ", ".join(carried)
            option: dict[str, Any] = {"name": name_of(name, "option"), "weapons": list(carried)}
            if limits:
                option["max"] = min(limits)
            options[key] = option
    if len(options) > MOST_KINDS:
        report.leave(f"{unit}: {len(options) - MOST_KINDS} of {len(options)} ways to arm a model")
    rows = list(options.values())[:MOST_KINDS]
    seen: Counter[str] = Counter()
    for row in rows:
        seen[row["name"]] += 1
        if seen[row["name"]] > 1:
            row["name"] = f"{row['name']} ({seen[row['name']]})"
    return list(default or ()), rows


def _of_entry(name: str) -> str:
    """What an entry says that its models carry: "Boy with Big shoota" is a Big shoota."""
    match = re.search(r"\s(?:w/|with)\s*(.+)$", name, re.IGNORECASE)
    return match[1] if match else name


# ---------------------------------------------------------------- weapons


class _Weapons:
    """The weapons of a datasheet by name; one that differs from another of its name gets a number."""

    def __init__(self, file: str, unit: str, report: Report) -> None:
        self.file, self.unit, self.report = file, unit, report
        self.rows: dict[str, dict[str, Any]] = {}
        self.unreadable: set[str] = set()

    def names(self, model: Entry, way: Loadout) -> tuple[str, ...]:
        """Names of the weapons of a loadout as the datasheet calls them; they are added to it."""
        found = {one.name: one for one in weapon_entries(model)}
        named = (self._name(found[weapon]) for weapon in way.weapons)
        return tuple(name for name in named if name)[:MOST_KINDS]

    def _name(self, entry: Entry) -> str:
        lines = [line for line in entry.lines if line.kind in (RANGED, MELEE)]
        name = name_of(lines[0].name if len(lines) == 1 else entry.name, "weapon")
        if name in self.unreadable:
            return ""
        try:
            row = self._row(lines)
        except ContentError as error:
            self.unreadable.add(name)
            self.report.leave(f"{self.unit}: weapon {name}: {error.field.rpartition('.')[2]} {error.value!r}")
            return ""
        number = 1
        called = name
        while self.rows.get(called, row) != row:
            number += 1
            called = f"{name} ({number})"
        self.rows[called] = row
        return called

    def _row(self, lines: list[Line]) -> dict[str, Any]:
        place = f"unit {self.unit!r}: weapon"
        rows = [weapon_profile(line, self.file, place, self.report, self.unit) for line in lines[:8]]
        if len(rows) == 1:
            return rows[0]
        names: Counter[str] = Counter()
        for row, line in zip(rows, lines, strict=False):
            name = name_of(PART_OF_NAME.split(line.name)[-1], "profile")
            names[name] += 1
            row["name"] = name if names[name] == 1 else f"{name} {names[name]}"
        return {"profiles": rows}

    def used(self, models: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
        """The weapons that some model can carry."""
        carried = {
            name
            for model in models
            for names in (model["weapons"], *(option["weapons"] for option in model.get("options", ())))
            for name in names
        }
        return {name: row for name, row in self.rows.items() if name in carried}


# ---------------------------------------------------------------- abilities and points


def _abilities(entry: Entry, name: str, report: Report) -> dict[str, Any]:
    """Core abilities with their numbers, transport, Leader; the others by name, not played."""
    found: dict[str, Any] = {}
    rules = [rule for one in entry.walk() if one is entry or one.kind == "model" for rule in one.rules]
    deck = 0
    other: dict[str, None] = {}
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
                    report.leave(f"{name}: {name_of(rule)}")
            elif numbered[1] == "deadly demise":
                found["deadly_demise"] = number
            else:
                deck = int(re.sub(r"\D", "", number) or 0)
        elif not low.startswith((*TOLD_ELSEWHERE, *_NOT_ALLOWED)):
            other.setdefault(name_of(rule))
    leads: list[str] = []
    for line in entry.lines_of(ABILITY):
        low, text = plain_name(line.name), line.get("Description")
        if low.startswith("damaged") and (match := _DAMAGED.search(line.name)):
            found["damaged"] = int(match[1])
            if "objective control" in text.lower():
                report.leave(f"{name}: {name_of(line.name)}: the loss of Objective Control")
        elif low.startswith("transport"):
            if carries := _transport(text, deck):
                found["transport"] = carries
        elif low == "leader":
            leads += [
                name_of(led.strip("*^ ")) for led in _LED.findall(text) if "cannot" not in led and led.strip("*^ ")
            ]
        elif not low.startswith((*TOLD_ELSEWHERE, *_NOT_ALLOWED)):
            other.setdefault(name_of(line.name))
    if leads:
        found["leader"] = list(dict.fromkeys(leads))[:100]
    named = [one for one in other if one][:MOST_OTHER]
    if named:
        found["other"] = [{"name": one, "effect": "not played", "active": False} for one in named]
        for one in named:
            report.leave(f"{name}: {one}")
    return found


def _transport(text: str, deck: int) -> dict[str, Any]:
    """What a TRANSPORT carries, by the keywords in its ability."""
    match = _CAPACITY.search(text)
    if match is None:
        return {}
    found: dict[str, Any] = {"capacity": int(match[1]), "allowed": _keywords(match[2]) or ["INFANTRY"]}
    if barred := _CANNOT.search(text):
        found["excluded"] = [word for word in _keywords(barred[1]) if word not in found["allowed"]]
    places: dict[str, int] = {}
    for words, number in _PLACES.findall(text):
        places |= dict.fromkeys(_keywords(words), NUMBERS.get(number.lower(), 0) or int(number))
    if places:
        found["places"] = places
    if deck:
        found["firing_deck"] = deck
    return found


def _keywords(text: str) -> list[str]:
    """Keywords in a sentence: what is marked as one, or stands in capital letters."""
    text = re.sub(r"\bmodels?\b", "", text)
    words = [(marked or capitals).strip().upper() for marked, capitals in _KEYWORD.findall(text)]
    found = [word.removesuffix(" INFANTRY") for word in words]
    if any(word.endswith(" INFANTRY") for word in words):
        found.append("INFANTRY")
    return list(dict.fromkeys(found))


def _points(entry: Entry, smallest: int, largest: int) -> list[dict[str, int]]:
    """Points by size: a row for each size at which they change."""
    rows: list[dict[str, int]] = []
    for models in range(smallest, min(largest, smallest + 100) + 1):
        cost = points_of(entry, models)
        if rows and rows[-1]["points"] == cost:
            rows[-1]["models"] = models
        else:
            rows.append({"models": models, "points": cost})
    return rows[:MOST_KINDS]
