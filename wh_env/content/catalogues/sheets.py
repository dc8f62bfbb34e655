"""The common parts of datasheets from catalogues of any edition: kinds of models and the weapons they carry."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from wh_env.content.catalogues.entries import MOST_MODELS, Entry, Line
from wh_env.content.catalogues.loadouts import (
    NOTHING,
    WEAPON_LINES,
    ItemsOf,
    Loadout,
    Names,
    loadouts,
    no_items,
    weapon_entries,
)
from wh_env.content.catalogues.telling import Report, name_of
from wh_env.content.errors import ContentError

MOST_KINDS = 32  # of models, options and weapons of a datasheet
MOST_OTHER = 32
FACTION = "Faction: "
LEGENDS = re.compile(r"\s*\[legends\]\s*$", re.IGNORECASE)
PART_OF_NAME = re.compile(r"\s*[-–]\s*")
NUMBERS = {"two": 2, "three": 3}
NO_KEYWORDS = ("configuration", "unit", "uncategorised", "uncategorized", "reference", "faction")
_WITH = re.compile(r"\s+(?:w/|with|\(|-)\s*.*$", re.IGNORECASE)
_CAPACITY = re.compile(r"transport(?: capacity of)? ([0-9]+)([^.]*)", re.IGNORECASE)
_CANNOT = re.compile(r"cannot transport ([^.]*)", re.IGNORECASE)
_PLACES = re.compile(
    r"(?:each|every)\s+([^.]*?)\s+(?:models? )?takes? (?:up )?the space of ([0-9]+|two|three)", re.IGNORECASE
)
_KEYWORD = re.compile(r"\*\*\^\^(.+?)\^\^\*\*|\b([A-Z][A-Z' -]{2,}[A-Z])\b")
LineOf = Callable[[Entry, Entry], Line | None]
ProfileOf = Callable[[Line, str, str, Report, str], dict[str, Any]]


@dataclass
class Made:
    """The datasheets made from a catalogue.

    Attributes:
        sheets: datasheets by name, as valid mappings.
        refused: by unit name, why no datasheet was made.
        unarmed: names of datasheets with a model without weapons.
        report: guesses, and parts that are not played.
    """

    sheets: dict[str, dict[str, Any]] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    unarmed: list[str] = field(default_factory=list)
    report: Report = field(default_factory=Report)


# ---------------------------------------------------------------- models


@dataclass
class Kind:
    """Models of a unit with the same characteristics: entries that differ only in equipment."""

    line: Line
    entries: list[Entry]
    least: int
    most: int


def kinds(entry: Entry, file: str, line_of: LineOf) -> list[Kind]:
    """The kinds of models of a unit. A model with a fixed number, such as a sergeant, is a kind of its own.

    Args:
        line_of: returns the characteristics of a model of a unit.

    Raises:
        ContentError: a model has no characteristics.
    """
    fixed: list[Kind] = []
    free: dict[tuple[tuple[str, str], ...], Kind] = {}
    for model in entry.models():
        line = line_of(model, entry)
        if line is None:
            place = f"unit {entry.name!r}"
            raise ContentError(file, place, model.name, "a profile of the type Unit", "has no characteristics")
        most = model.most if model.most is not None else (1 if model is entry else 0)
        if model is entry:
            fixed.append(Kind(line, [model], 1, 1))
        elif model.least and model.most == model.least:
            same = next((one for one in fixed if one.entries[0].name == model.name), None)
            if same is not None:  # of another composition of the unit
                same.least, same.most = min(same.least, model.least), max(same.most, most)
            else:
                fixed.append(Kind(line, [model], model.least, most))
        else:
            kind = free.setdefault(tuple(line.values.items()), Kind(line, [], 0, 0))
            kind.entries.append(model)
            kind.least += model.least
            kind.most += most
    return _sized(entry, fixed, list(free.values()))


def _sized(entry: Entry, fixed: list[Kind], free: list[Kind]) -> list[Kind]:
    """Set the numbers of each kind so that they sum to the unit's sizes: the commonest kind takes the rest."""
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


def name_of_kind(kind: Kind) -> str:
    """The most frequent name of a kind's models, without their equipment."""
    names = [_WITH.sub("", name_of(one.name, "Model")) or name_of(one.name, "Model") for one in kind.entries]
    return Counter(names).most_common(1)[0][0]


@dataclass(frozen=True)
class Arms:
    """The equipment of a kind of model.

    Attributes:
        weapons, items: the default; ``items`` are no weapons.
        options: other equipment, as mappings of the schema ``EquipmentOption``.
        points: of the default.
    """

    weapons: list[str]
    items: list[str]
    options: list[dict[str, Any]]
    points: int

    def fields(self) -> dict[str, Any]:
        """The equipment as fields of the schema ``ModelKind``."""
        found: dict[str, Any] = {"weapons": self.weapons}
        if self.items:
            found["wargear"] = self.items
        if self.options:
            found["options"] = self.options
        return found


def armed(kind: Kind, weapons: WeaponSheet, report: Report, unit: str, items_of: ItemsOf = no_items) -> Arms:
    """The default equipment of a kind of model, its options, and the points of the default.

    Each other way to equip one of its entries is an option; those with items that the default lacks are the last.

    Args:
        items_of: as for ``loadouts``.
    """
    default: Loadout | None = None
    options: dict[tuple[Names, Names], tuple[bool, dict[str, Any]]] = {}
    for at, entry in enumerate(kind.entries):
        for way in loadouts(entry, items_of):
            carried = weapons.names(entry, way)
            if default is None:
                default = replace(way, weapons=carried)
            key = tuple(sorted(carried)), way.items
            nothing = not carried and not way.items
            if key == (tuple(sorted(default.weapons)), default.items) or key in options or nothing:
                continue
            limits = [n for n in (way.most, entry.most if at else None) if n is not None and n > 0]
            name = way.name or (_of_entry(entry.name) if at else "") or ", ".join(carried)
            option: dict[str, Any] = {"name": name_of(name, "option"), "weapons": list(carried)}
            if way.items:
                option["wargear"] = list(way.items)
            if limits:
                option["max"] = min(limits)
            if way.points > default.points:
                option["points"] = way.points - default.points
            options[key] = way.items != default.items, option
    if len(options) > MOST_KINDS:
        report.leave(f"{unit}: {len(options) - MOST_KINDS} of {len(options)} ways to arm a model")
    rows = [option for _, option in sorted(options.values(), key=lambda one: one[0])][:MOST_KINDS]
    seen: Counter[str] = Counter()
    for row in rows:
        seen[row["name"]] += 1
        if seen[row["name"]] > 1:
            row["name"] = f"{row['name']} ({seen[row['name']]})"
    default = default or NOTHING
    return Arms(list(default.weapons), list(default.items), rows, default.points)


def add_items_of_unit(entry: Entry, rows: list[dict[str, Any]], items_of: ItemsOf) -> None:
    """Let one model bear each item that a unit may have as a whole: an option of the kind with the most models.

    Args:
        rows: the kinds of models, as mappings of the schema.
        items_of: as for ``loadouts``.
    """
    main = max(rows, key=lambda row: int(row["max"]))
    options = main.get("options", [])
    for one in _optional_of_unit(entry) if entry.models() != [entry] else ():
        name, items = name_of(one.name, "option"), items_of(one)
        if items and len(options) < MOST_KINDS and name not in {option["name"] for option in options}:
            wargear = sorted({*items, *main.get("wargear", ())})
            option = {"name": name, "weapons": main["weapons"], "wargear": wargear, "max": 1}
            options.append({**option, **({"points": one.points} if one.points else {})})
            main["options"] = options


def _optional_of_unit(entry: Entry) -> Iterator[Entry]:
    """The upgrades that a unit or a group in it may have or lack, outside of its models."""
    for one in entry.inside:
        if one.kind == "group" and not one.least:
            yield from _optional_of_unit(one)
        elif one.kind == "upgrade" and not one.least:
            yield one


def _of_entry(name: str) -> str:
    """The equipment in an entry's name: ``Big shoota`` for "Boy with Big shoota"."""
    match = re.search(r"\s(?:w/|with)\s*(.+)$", name, re.IGNORECASE)
    return match[1] if match else name


# ---------------------------------------------------------------- weapons


class WeaponSheet:
    """The weapons of a datasheet by name; a weapon that differs from another of the same name gets a number.

    Args:
        profile_of: turns a line of a weapon table into a mapping of the edition's schema; raises ContentError.
    """

    def __init__(self, file: str, unit: str, report: Report, profile_of: ProfileOf) -> None:
        self.file, self.unit, self.report, self.profile_of = file, unit, report, profile_of
        self.rows: dict[str, dict[str, Any]] = {}
        self.unreadable: set[str] = set()

    def names(self, model: Entry, way: Loadout) -> tuple[str, ...]:
        """Names of the weapons of a loadout on the datasheet; missing weapons are added to it."""
        found = {one.name: one for one in weapon_entries(model)}
        named = (name for weapon in way.weapons for name in [self._name(found[weapon])] * self.copies(found[weapon]))
        return tuple(name for name in named if name)[:MOST_KINDS]

    def copies(self, entry: Entry) -> int:
        """The number of weapons that an entry stands for."""
        return 1

    def _name(self, entry: Entry) -> str:
        lines = [line for line in entry.lines if line.kind in WEAPON_LINES]
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
        rows = [self.profile_of(line, self.file, place, self.report, self.unit) for line in lines[:8]]
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


# ---------------------------------------------------------------- what a TRANSPORT carries


def transport_of(text: str, deck: int) -> dict[str, Any]:
    """The capacity of a TRANSPORT and the keywords it may and may not carry, from the text of its ability."""
    match = _CAPACITY.search(text)
    if match is None:
        return {}
    found: dict[str, Any] = {"capacity": int(match[1]), "allowed": keywords_in(match[2]) or ["INFANTRY"]}
    if barred := _CANNOT.search(text):
        found["excluded"] = [word for word in keywords_in(barred[1]) if word not in found["allowed"]]
    places: dict[str, int] = {}
    for words, number in _PLACES.findall(text):
        places |= dict.fromkeys(keywords_in(words), NUMBERS.get(number.lower(), 0) or int(number))
    if places:
        found["places"] = places
    if deck:
        found["firing_deck"] = deck
    return found


def keywords_in(text: str) -> list[str]:
    """The keywords in a sentence: marked words, or words in capital letters."""
    text = re.sub(r"\bmodels?\b", "", text)
    words = [(marked or capitals).strip().upper() for marked, capitals in _KEYWORD.findall(text)]
    found = [word.removesuffix(" INFANTRY") for word in words]
    if any(word.endswith(" INFANTRY") for word in words):
        found.append("INFANTRY")
    return list(dict.fromkeys(found))
