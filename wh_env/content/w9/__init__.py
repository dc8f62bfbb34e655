"""Content of the 9th edition, from YAML to a ``Setup``: datasheets, factions, Detachments, missions and battles."""

from __future__ import annotations

from wh_env.content.w9.game import GAME
from wh_env.content.w9.load import (
    LoadedBattle,
    load_army,
    load_battle,
    load_datasheet,
    load_datasheets,
    load_faction,
    load_mission,
    load_tables,
    muster_army,
)
from wh_env.content.w9.muster import Muster, army_faults, muster

__all__ = [
    "GAME",
    "LoadedBattle",
    "Muster",
    "army_faults",
    "load_army",
    "load_battle",
    "load_datasheet",
    "load_datasheets",
    "load_faction",
    "load_mission",
    "load_tables",
    "muster",
    "muster_army",
]
