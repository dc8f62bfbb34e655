"""Content of the game of regiments, from YAML to a ``Setup``.

It has army sheets, armies, battlefields, missions, rules and battles.
"""

from __future__ import annotations

from collections.abc import Mapping

from wh_env.content.fields import Content
from wh_env.content.game import Game
from wh_env.content.wap.choices import CHOICES
from wh_env.content.wap.compile import Plan, compile_battle, compile_plan, regiment_of
from wh_env.content.wap.load import (
    LoadedBattle,
    load_army,
    load_battlefield,
    load_mission,
    load_rules,
    load_sheet,
)
from wh_env.content.wap.regiment import Regiment
from wh_env.content.wap.schema_battle import Battle, Battlefield, Mission
from wh_env.content.wap.schema_items import ItemFile
from wh_env.content.wap.schema_magic import LoreFile
from wh_env.content.wap.schema_terrain import Terrain
from wh_env.content.wap.schema_units import Army, Sheet
from wh_env.content.wap.trial import TRIALS
from wh_env.content.wap.whole_battle import load_battle, random_battle
from wh_env.rulesets.wap.ruleset import WAP

SCHEMAS: Mapping[str, type[Content]] = {
    "armies": Army,
    "battlefields": Battlefield,
    "battles": Battle,
    "suites": Battle,
    "factions": Sheet,
    "items": ItemFile,
    "lores": LoreFile,
    "missions": Mission,
    "terrain": Terrain,
}
GAME = Game(WAP, load_battle, compile_battle, random_battle, trials=TRIALS, choices=CHOICES, schemas=SCHEMAS)

__all__ = [
    "GAME",
    "LoadedBattle",
    "Plan",
    "Regiment",
    "compile_battle",
    "compile_plan",
    "load_army",
    "load_battle",
    "load_battlefield",
    "load_mission",
    "load_rules",
    "load_sheet",
    "random_battle",
    "regiment_of",
]
