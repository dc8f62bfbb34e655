"""How a configuration file is tried: the battle to load and the fields to override (``Game.trials``)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from wh_env.content.game import Trial
from wh_env.content.load import Source
from wh_env.content.reading import read_yaml
from wh_env.content.w9.load import load_datasheet, load_faction, load_mission, shipped_faction
from wh_env.content.w40k.load import load_terrain

SMALL = "w9/only-war-patrol"
HERO = {
    "name": "Somebody",
    "faction": "x",
    "faction_keywords": ["x"],
    "keywords": ["INFANTRY", "CHARACTER"],
    "role": "HQ",
    "power": [{"models": 1, "power": 3}],
    "points": 50,
    "weapons": {},
    "models": [
        {
            "name": "Somebody",
            "min": 1,
            "max": 1,
            "M": 6,
            "WS": 3,
            "BS": 3,
            "S": 4,
            "T": 4,
            "W": 4,
            "A": 3,
            "Ld": 8,
            "Sv": 4,
            "base": {"circle_mm": 32},
            "height_in": 1.5,
            "weapons": [],
        }
    ],
}


def army_of(file: Path) -> dict[str, Any]:
    """An army of a hero and the unit of a datasheet file, in no Detachment."""
    sheet = load_datasheet(file)
    known = shipped_faction(sheet.faction)
    name, keyword = (known.name, known.keyword) if known is not None else (sheet.faction_keywords[0],) * 2
    hero = {**HERO, "faction": name, "faction_keywords": [keyword]}
    units = [{"datasheet": "Somebody", "warlord": True}, {"datasheet": sheet.name}]
    return {"name": "Two", "faction": name, "units": units, "datasheets": [hero, read_yaml(file)]}


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


def mission(file: Path) -> tuple[Source, dict[str, Any]]:
    """The mission in a battle of its size; on a bare battlefield if the mission places the markers."""
    field = {"battlefield": {"name": "bare", "size": [44, 30]}, "scale": True} if load_mission(file).markers.at else {}
    return sized(file), {"mission": str(file), **field}


def sized(file: Path) -> Source:
    """The battle of the size that the file's name contains."""
    return "w9/only-war-incursion" if "incursion" in file.name or file.stem in ("only-war", "crossfire") else SMALL


TRIALS: Mapping[str, Trial] = MappingProxyType(
    {
        "battles": lambda file: (file, None),
        "datasheets": datasheet,
        "terrain": terrain,
        "factions": faction,
        "armies": lambda file: (sized(file), {"armies": [str(file)] * 2}),
        "battlefields": lambda file: (sized(file), {"battlefield": str(file)}),
        "missions": mission,
    }
)
