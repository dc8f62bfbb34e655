"""Content of the 10th edition: datasheets, factions, armies, missions and battles, from YAML to a ``Setup``."""

from __future__ import annotations

from wh_env.content.w10.compile import compile_plan
from wh_env.content.w10.game import GAME, fielded_alike
from wh_env.content.w10.load import (
    LoadedBattle,
    load_army,
    load_battle,
    load_datasheet,
    load_datasheets,
    load_faction,
    load_mission,
    muster_army,
)
from wh_env.content.w10.muster import Muster, MusteredModel, MusteredUnit, army_faults, muster
from wh_env.content.w40k.load import load_battlefield, load_terrain
from wh_env.content.w40k.terrain import compile_terrain, scale_battlefield

__all__ = [
    "GAME",
    "LoadedBattle",
    "Muster",
    "MusteredModel",
    "MusteredUnit",
    "army_faults",
    "compile_plan",
    "compile_terrain",
    "fielded_alike",
    "load_army",
    "load_battle",
    "load_battlefield",
    "load_datasheet",
    "load_datasheets",
    "load_faction",
    "load_mission",
    "load_terrain",
    "muster",
    "muster_army",
    "scale_battlefield",
]
