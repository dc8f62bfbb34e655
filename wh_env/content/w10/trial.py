"""How a configuration file is tried: the battle to load and the fields to override (``Game.trials``)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from wh_env.content.load import Source
from wh_env.content.reading import read_yaml
from wh_env.content.w10.load import CONTENT, load_datasheet

SIZES = ("strike-force", "incursion", "skirmish")
HERO = {
    "name": "Somebody", "faction": "x", "faction_keywords": ["x"], "keywords": ["INFANTRY", "CHARACTER"], "weapons": {},
    "models": [{"name": "Somebody", "min": 1, "max": 1, "M": 6, "T": 4, "Sv": 4, "W": 4, "Ld": 6, "OC": 1,
                "base": {"circle_mm": 32}, "height_in": 1.5, "weapons": []}],
    "points": [{"models": 1, "points": 50}],
}  # fmt: skip


def army_of(file: Path) -> dict[str, Any]:
    """An army of a hero and the unit of a datasheet file."""
    sheet = load_datasheet(file)
    keyword = sheet.faction_keywords[0]
    hero = {**HERO, "faction": keyword, "faction_keywords": [keyword]}
    units = [{"datasheet": "Somebody", "warlord": True}, {"datasheet": sheet.name}]
    sheets = [hero, read_yaml(file)]
    return {"name": "Two", "faction": keyword, "detachment": "Any", "units": units, "datasheets": sheets}


def datasheet(file: Path) -> tuple[Source, dict[str, Any]]:
    """A battle with two armies that contain the datasheet's unit."""
    return CONTENT.smallest, {"armies": [army_of(file), army_of(file)]}


def sized(file: Path) -> str:
    """The battle of the size that the file's name contains."""
    return f"w10/only-war-{next((size for size in SIZES if size in file.name), SIZES[-1])}"


TRIALS = CONTENT.trials(sized, datasheet)
