"""How a configuration file is tried: the battle to load and the fields to override (``Game.trials``)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, get_args

from wh_env.content.game import Trial
from wh_env.content.load import Source, from_file
from wh_env.content.reading import read_yaml
from wh_env.content.wap.item_files import known_items
from wh_env.content.wap.items import read_items, reading_of
from wh_env.content.wap.load import load_sheet
from wh_env.content.wap.schema_items import ItemFile
from wh_env.content.wap.schema_terrain import Terrain
from wh_env.content.wap.schema_units import Limit
from wh_env.content.wap.spells import grimoire_of

SMALL = "wap/open-skirmish"
MOST_CARDS = 8
LIMITS: tuple[str, ...] = get_args(Limit)  # a unit of each card is no army list


def army_of(file: Path) -> dict[str, Any]:
    """An army with a unit of each card of a sheet, each of the smallest size."""
    raw = read_yaml(file)
    cards = raw.get("cards") if isinstance(raw, dict) else None
    units = []
    for name, card in list(cards.items())[:MOST_CARDS] if isinstance(cards, dict) else []:
        size = card.get("size") if isinstance(card, dict) else None
        least = size[0] if isinstance(size, list) and size and isinstance(size[0], int) else 10
        units.append({"card": f"{name}", "models": least})
    return {
        "name": "All",
        "sheet": str(file),
        "without": list(LIMITS),
        "units": units or [{"card": "nobody", "models": 10}],
    }


def faction(file: Path) -> tuple[Source, dict[str, Any]]:
    """A battle with two armies of the sheet's cards, once its magic items are read and checked."""
    for known in known_items(load_sheet(str(file))).values():
        reading_of(known)
    return SMALL, {"armies": [army_of(file), army_of(file)]}


def items(file: Path) -> tuple[Source, None]:
    """A small battle, once the magic items in the file are read and checked."""
    read_items(from_file(ItemFile, file))
    return SMALL, None


def terrain(file: Path) -> tuple[Source, None]:
    """A small battle, once the kind of ground in the file is read and checked."""
    from_file(Terrain, file)
    return SMALL, None


def lore(file: Path) -> tuple[Source, None]:
    """A small battle, once the spells of the lore in the file are read and checked."""
    grimoire_of([str(file)])
    return SMALL, None


TRIALS: Mapping[str, Trial] = MappingProxyType(
    {
        "lores": lore,
        "terrain": terrain,
        "battles": lambda file: (file, None),
        "suites": lambda file: (file, None),
        "factions": faction,
        "items": items,
        "armies": lambda file: (SMALL, {"armies": [str(file)] * 2}),
        "battlefields": lambda file: (SMALL, {"battlefield": str(file)}),
        "missions": lambda file: (SMALL, {"mission": str(file)}),
    }
)
