"""How a configuration file is tried: the battle to load and the fields to override (``Game.trials``)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from wh_env.content.game import Trial
from wh_env.content.load import Source
from wh_env.content.reading import read_yaml

SMALL = "epic/bridgehead"
MOST_CARDS = 8


def army_of(file: Path) -> dict[str, Any]:
    """An army with a formation of each card of a sheet."""
    raw = read_yaml(file)
    cards = raw.get("cards") if isinstance(raw, dict) else None
    names = list(cards)[:MOST_CARDS] if isinstance(cards, dict) else ["nobody"]
    return {"name": "All", "sheet": str(file), "formations": [{"name": f"{n}", "units": {f"{n}": 1}} for n in names]}


def faction(file: Path) -> tuple[Source, dict[str, Any]]:
    """A battle with two armies of the sheet's cards."""
    return SMALL, {"armies": [army_of(file), army_of(file)]}


TRIALS: Mapping[str, Trial] = MappingProxyType(
    {
        "battles": lambda file: (file, None),
        "suites": lambda file: (file, None),
        "factions": faction,
        "armies": lambda file: (SMALL, {"armies": [str(file)] * 2}),
        "battlefields": lambda file: (SMALL, {"battlefield": str(file)}),
    }
)
