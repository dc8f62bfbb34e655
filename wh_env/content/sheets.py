"""Datasheets of the units of a battle as tables, for pages and readers of any game.

They are made from the source of the battle's Setup.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from wh_env.core.sentences import counted
from wh_env.core.setup import Setup

# fields that are no characteristics, or are shown elsewhere
UNTOLD = frozenset(
    [
        "name",
        "min",
        "max",
        "base",
        "height_in",
        "weapons",
        "options",
        "keywords",
        "turret",
        "figures",
        "crew_figures",
        "beasts_figures",
        "extra",
        "character",
        "damage",
        "hit",
        "half_range_damage",
        "extra_pair",
        "only_extra",
    ]
)
NAMES = {
    "move_cm": "move (cm)",
    "range_cm": "range (cm)",
    "assault_factor": "assault factor",
    "save_modifier": "save modifier",
    "to_hit": "to hit",
    "invuln": "invulnerable",
}
ROLLED = frozenset(("Sv", "invuln", "skill", "save", "to_hit", "WS", "BS"))  # shown as 3+
MELEE = "melee"


@dataclass(frozen=True)
class Sheet:
    """The datasheet of a unit.

    Attributes:
        player: its owner.
        unit: its name.
        title: name of the datasheet; empty if it has none of its own.
        notes: size, keywords, abilities and points in words.
        tables: rows by title; each row maps columns to text.
    """

    player: int
    unit: str
    title: str
    notes: tuple[str, ...]
    tables: Mapping[str, tuple[Mapping[str, str], ...]]


def sheets(setup: Setup) -> list[Sheet]:
    """The datasheets of all units, in the order of their rows; a unit that no army list names has only its name."""
    armies = json.loads(setup.source)["battle"]["armies"] if setup.source else []
    known: dict[tuple[int, str], Sheet] = {}
    rosters = setup.statics.get("rosters", ())
    for player, (army, roster) in enumerate(zip(armies, rosters, strict=False)):
        for entry in roster:
            found = [_sheet(player, one, entry) for one in (army, *army.get("allies", ()))]
            known[player, entry["name"]] = next((sheet for sheet in found if sheet.title), found[0])
    units = setup.layout.view(setup.template, "units")
    rows = zip(setup.names["units"], units["owner"].tolist(), strict=True)
    return [known.get((owner, name), Sheet(owner, str(name), "", (), {})) for name, owner in rows]


def _sheet(player: int, army: Mapping[str, Any], entry: Mapping[str, Any]) -> Sheet:
    """The datasheet of a roster entry, from the army list."""
    name = str(entry["name"])
    for datasheet in army.get("datasheets", ()):
        if datasheet["name"] == entry.get("datasheet"):
            return _of_datasheet(player, datasheet, entry)
    cards = army.get("sheet", {}).get("cards", {})
    asked = entry.get("driven", name)  # a pack master is on the card of the mixed unit
    listed = [unit for unit in army.get("units", ()) if asked in (unit.get("id"), unit.get("name"), unit.get("card"))]
    chosen = [*entry.get("units", ()), *(str(unit.get("card")) for unit in listed), asked]
    if asked != name:
        cards = {card: cards[card]["masters"] for card in chosen if card in cards}
    used = {card: cards[card] for card in dict.fromkeys(chosen) if card in cards}
    return _of_cards(player, used, entry)


def _of_datasheet(player: int, sheet: Mapping[str, Any], entry: Mapping[str, Any]) -> Sheet:
    """A Sheet from a datasheet: models, and weapons that the whole datasheet shares."""
    carried = {weapon for model in entry["models"] for weapon in model["weapons"]}
    weapons = [
        {"weapon": _numbered(weapon, profile, len(found["profiles"])), **_row(profile)}
        for weapon, found in sheet.get("weapons", {}).items()
        if weapon in carried
        for profile in found["profiles"]
    ]
    fielded = {model["name"] for model in entry["models"]}
    models = [{"model": model["name"], **_row(model)} for model in sheet["models"] if model["name"] in fielded]
    keywords = [*sheet.get("faction_keywords", ()), *sheet.get("keywords", ())]
    notes = [_count(len(entry["models"])), ", ".join(keywords), *_abilities(sheet.get("abilities", {}))]
    return Sheet(
        player,
        str(entry["name"]),
        str(sheet["name"]),
        (*filter(None, notes), *_points(entry)),
        _tables(models, weapons),
    )


def _of_cards(player: int, cards: Mapping[str, Mapping[str, Any]], entry: Mapping[str, Any]) -> Sheet:
    """A Sheet from cards, each with a profile and weapons of its own."""
    counts = entry.get("units", {})
    models, weapons, notes = [], [], []
    for title, card in cards.items():
        own = {**card, **card.get("profile", {})}
        models.append({"model": f"{counts[title]} × {title}" if title in counts else title, **_row(own)})
        weapons += [{"weapon": w["name"], **_row(w)} for w in card.get("weapons", ()) if isinstance(w, Mapping)]
        for part in ("traits", "rules"):
            notes += [f"{title}: {', '.join(map(_said, card[part]))}"] if card.get(part) else []
    for part in ("equipment", "command"):
        notes += [", ".join(map(str, entry[part]))] if entry.get(part) else []
    notes += [_count(entry["models"])] if isinstance(entry.get("models"), int) else []
    return Sheet(player, str(entry["name"]), " and ".join(cards), (*notes, *_points(entry)), _tables(models, weapons))


def _tables(models: list[dict[str, str]], weapons: list[dict[str, str]]) -> dict[str, tuple[dict[str, str], ...]]:
    found = {"models": models, "weapons": weapons}
    return {title: tuple(rows) for title, rows in found.items() if rows}


def _numbered(weapon: str, profile: Mapping[str, Any], profiles: int) -> str:
    return f"{weapon} ({profile['name']})" if profiles > 1 and profile.get("name") else weapon


def _count(models: int) -> str:
    return counted(models, "model")


def _points(entry: Mapping[str, Any]) -> Iterable[str]:
    return (f"{entry['points']} points",) if entry.get("points") else ()


def _row(found: Mapping[str, Any]) -> dict[str, str]:
    """Characteristics as text: numbers, short texts and lists of words."""
    row = {}
    for key, value in found.items():
        if key in UNTOLD or value is None or isinstance(value, bool | Mapping):
            continue
        if key == "range" and not value:
            row[key] = MELEE
        elif isinstance(value, list):
            if value and key == "abilities":
                row[key] = ", ".join(map(_said, value))
        else:
            row[NAMES.get(key, key)] = f"{_said(value)}+" if key in ROLLED else _said(value)
    return {key: value for key, value in row.items() if value}


def _said(value: Any) -> str:
    """A value as text."""
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, Mapping):
        named = value.get("name") or value.get("ability") or value.get("rule")
        told = (
            f"{key.replace('_', ' ')} {_said(part)}" for key, part in value.items() if part not in (None, False, "", [])
        )
        return str(named) if named else ", ".join(told)
    if isinstance(value, list):
        return ", ".join(map(_said, value))
    return str(value)


def _abilities(found: Mapping[str, Any]) -> list[str]:
    """The abilities of a datasheet: names with effects."""
    told = []
    for key, value in found.items():
        if isinstance(value, list):
            for part in value:
                if isinstance(part, Mapping) and part.get("name"):
                    told.append(f"{part['name']}: {part['effect']}" if part.get("effect") else str(part["name"]))
        elif value not in (None, False, 0, "", {}):
            words = key.replace("_", " ").capitalize()
            told.append(
                words if value is True else f"{words}{':' if isinstance(value, Mapping) else ''} {_said(value)}"
            )
    return told
