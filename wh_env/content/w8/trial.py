"""How a configuration file of the 8th edition is tried (``Game.trials``)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from wh_env.content.load import Source
from wh_env.content.reading import read_yaml
from wh_env.content.w8.load import CONTENT, load_armoury, load_datasheet, load_faction


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
    return CONTENT.smallest, {"armies": [army, army]}


def armoury(file: Path) -> tuple[Source, None]:
    """Only reads the file; datasheets use its weapons."""
    load_armoury(file)
    return CONTENT.smallest, None


def sized(file: Path) -> str:
    """The battle of the size that the file's name contains."""
    return CONTENT.smallest if "skirmish" in file.name else "w8/only-war"


TRIALS = {**CONTENT.trials(sized, datasheet), "armouries": armoury}
