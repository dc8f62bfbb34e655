"""How a configuration file is tried: the battle to load and the fields to override (``Game.trials``)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from wh_env.content.game import Trial
from wh_env.content.load import Source
from wh_env.content.reading import read_yaml
from wh_env.content.w10.load import load_datasheet, load_faction
from wh_env.content.w40k.load import load_terrain

SIZES = ("strike-force", "incursion", "skirmish")
HERO = {
    "name": "Somebody", "faction": "x", "faction_keywords": ["x"], "keywords": ["INFANTRY", "CHARACTER"], "weapons": {},
    "models": [{"name": "Somebody", "min": 1, "max": 1, "M": 6, "T": 4, "Sv": 4, "W": 4, "Ld": 6, "OC": 1,
                "base": {"circle_mm": 32}, "height_in": 1.5, "weapons": []}],
    "points": [{"models": 1, "points": 50}],
}  # fmt: skip
SMALL = "w10/only-war-skirmish"


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
    return SMALL, {"armies": [army_of(file), army_of(file)]}


def terrain(file: Path) -> tuple[Source, dict[str, Any]]:
    """A battle on a bare battlefield with this terrain set."""
    load_terrain(file)
    return SMALL, {"battlefield": {"name": "bare", "size": [44, 30], "terrain": str(file)}}


def faction(file: Path) -> tuple[Source, None]:
    """Only reads the file; armies test its content."""
    load_faction(file)
    return SMALL, None


def sized(file: Path) -> Source:
    """The battle of the size that the file's name contains."""
    return f"w10/only-war-{next((size for size in SIZES if size in file.name), SIZES[-1])}"


TRIALS: Mapping[str, Trial] = MappingProxyType(
    {
        "battles": lambda file: (file, None),
        "datasheets": datasheet,
        "terrain": terrain,
        "factions": faction,
        "armies": lambda file: (sized(file), {"armies": [str(file)] * 2}),
        "battlefields": lambda file: (sized(file), {"battlefield": str(file)}),
        "missions": lambda file: (sized(file), {"mission": str(file)}),
    }
)
