"""Armies, datasheets, battlefields, missions and battles as validated YAML."""

from __future__ import annotations

from wh_env.content.errors import ContentError
from wh_env.content.load import (
    LoadedBattle,
    find,
    load_army,
    load_battle,
    load_battlefield,
    load_datasheet,
    load_datasheets,
    load_faction,
    load_mission,
)
from wh_env.content.w10.muster import Muster, MusteredModel, MusteredUnit, army_faults, muster
from wh_env.content.w40k.terrain import compile_terrain, scale_battlefield

__all__ = [
    "ContentError",
    "LoadedBattle",
    "Muster",
    "MusteredModel",
    "MusteredUnit",
    "army_faults",
    "compile_terrain",
    "find",
    "load_army",
    "load_battle",
    "load_battlefield",
    "load_datasheet",
    "load_datasheets",
    "load_faction",
    "load_mission",
    "muster",
    "scale_battlefield",
]
