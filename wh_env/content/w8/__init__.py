"""Content of the 8th edition: datasheets, factions, armies by Power, missions and battles, from YAML to a ``Setup``."""

from __future__ import annotations

from wh_env.content.w8.game import GAME
from wh_env.content.w8.load import (
    LoadedBattle,
    load_armoury,
    load_army,
    load_battle,
    load_datasheet,
    load_datasheets,
    load_faction,
    load_mission,
    muster_army,
)
from wh_env.content.w8.muster import Muster, muster

__all__ = [
    "GAME",
    "LoadedBattle",
    "Muster",
    "load_armoury",
    "load_army",
    "load_battle",
    "load_datasheet",
    "load_datasheets",
    "load_faction",
    "load_mission",
    "muster",
    "muster_army",
]
