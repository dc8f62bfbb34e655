"""How a configuration file of the 8th edition is tried: a battle that uses it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from wh_env.content.game import Trial
from wh_env.content.load import Source
from wh_env.content.reading import read_yaml
from wh_env.content.w8.load import load_armoury, load_datasheet, load_faction, load_mission
from wh_env.content.w40k.load import load_terrain

SMALL, LARGE = "w8/only-war-skirmish", "w8/only-war"


def datasheet(file: Path) -> tuple[Source, dict[str, Any]]:
    """A battle with two armies that have only the datasheet's unit."""
    sheet = load_datasheet(file)
    army = {"name": "One", "units": [{"datasheet": sheet.name}], "datasheets": [read_yaml(file)]}
    faction = Path(file).parent.name
    discipline = (
        sheet.abilities.psyker is not None and (file.parent.parent.parent / "factions" / f"{faction}.yaml").is_file()
    )
    if discipline:
        army["faction"] = load_faction(faction).name
    return SMALL, {"armies": [army, army]}


def terrain(file: Path) -> tuple[Source, dict[str, Any]]:
    """A battle on a bare battlefield with this terrain set."""
    load_terrain(file)
    return SMALL, {"battlefield": {"name": "bare", "size": [44, 30], "terrain": str(file)}}


def faction(file: Path) -> tuple[Source, None]:
    """Only reads the file; armies test its content."""
    load_faction(file)
    return SMALL, None


def armoury(file: Path) -> tuple[Source, None]:
    """Only reads the file; datasheets use its weapons."""
    load_armoury(file)
    return SMALL, None


def sized(file: Path) -> Source:
    """The battle of the size that the file's name contains."""
    return SMALL if "skirmish" in file.name else LARGE


def mission(file: Path) -> tuple[Source, dict[str, Any]]:
    """The mission in the battle of its size."""
    load_mission(file)
    return sized(file), {"mission": str(file)}


TRIALS: Mapping[str, Trial] = MappingProxyType(
    {
        "battles": lambda file: (file, None),
        "datasheets": datasheet,
        "terrain": terrain,
        "factions": faction,
        "armouries": armoury,
        "armies": lambda file: (sized(file), {"armies": [str(file)] * 2}),
        "battlefields": lambda file: (sized(file), {"battlefield": str(file)}),
        "missions": mission,
    }
)
