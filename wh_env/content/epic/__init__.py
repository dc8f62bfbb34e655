"""Content of the Epic-scale game: army sheets, armies, battlefields, rules and battles, from YAML to a ``Setup``."""

from __future__ import annotations

from collections.abc import Mapping

from wh_env.content.epic.compile import Formation, Plan, compile_battle, compile_plan
from wh_env.content.epic.load import LoadedEpicBattle, load_army, load_battle, load_battlefield, load_rules, load_sheet
from wh_env.content.epic.random_battle import random_battle
from wh_env.content.epic.schema import Army, Battle, Battlefield, Sheet
from wh_env.content.epic.trial import TRIALS
from wh_env.content.fields import Content
from wh_env.content.game import Game
from wh_env.rulesets.epic.ruleset import EPIC

SCHEMAS: Mapping[str, type[Content]] = {
    "armies": Army,
    "battlefields": Battlefield,
    "battles": Battle,
    "suites": Battle,
    "factions": Sheet,
}
GAME = Game(EPIC, load_battle, compile_battle, random_battle, trials=TRIALS, schemas=SCHEMAS)

__all__ = [
    "GAME",
    "Formation",
    "LoadedEpicBattle",
    "Plan",
    "compile_battle",
    "compile_plan",
    "load_army",
    "load_battle",
    "load_battlefield",
    "load_rules",
    "load_sheet",
    "random_battle",
]
