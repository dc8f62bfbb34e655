"""How a configuration file is tried: the battle to load and the fields to override (``Game.trials``)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from wh_env.content.load import Source
from wh_env.content.reading import read_yaml
from wh_env.content.w9.load import CONTENT, load_datasheet

HERO = {
    "name": "Somebody",
    "faction": "x",
    "faction_keywords": ["x"],
    "keywords": ["INFANTRY", "CHARACTER"],
    "role": "HQ",
    "power": [{"models": 1, "power": 3}],
    "points": 50,
    "weapons": {},
    "models": [{"name": "Somebody", "min": 1, "max": 1, "M": 6, "WS": 3, "BS": 3, "S": 4, "T": 4, "W": 4, "A": 3,
                "Ld": 8, "Sv": 4, "base": {"circle_mm": 32}, "height_in": 1.5, "weapons": []}],
}  # fmt: skip


def army_of(file: Path) -> dict[str, Any]:
    """An army of a hero and the unit of a datasheet file, in no Detachment."""
    sheet = load_datasheet(file)
    known = CONTENT.faction_named(sheet.faction)
    name, keyword = (known.name, known.keyword) if known is not None else (sheet.faction_keywords[0],) * 2
    hero = {**HERO, "faction": name, "faction_keywords": [keyword]}
    units = [{"datasheet": "Somebody", "warlord": True}, {"datasheet": sheet.name}]
    return {"name": "Two", "faction": name, "units": units, "datasheets": [hero, read_yaml(file)]}


def datasheet(file: Path) -> tuple[Source, dict[str, Any]]:
    """A battle with two armies that contain the datasheet's unit."""
    return CONTENT.smallest, {"armies": [army_of(file), army_of(file)]}


def sized(file: Path) -> str:
    """The battle of the size that the file's name contains."""
    larger = "incursion" in file.name or file.stem in ("only-war", "crossfire")
    return "w9/only-war-incursion" if larger else CONTENT.smallest


TRIALS = CONTENT.trials(sized, datasheet)
