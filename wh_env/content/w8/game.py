"""The 8th edition as a ``Game``."""

from __future__ import annotations

from functools import partial

from wh_env.content.classic.battles import Battle
from wh_env.content.classic.duel import duel
from wh_env.content.game import Game
from wh_env.content.w8.choices import CHOICES
from wh_env.content.w8.compile import compile_battle
from wh_env.content.w8.load import load_battle, load_datasheet
from wh_env.content.w8.random_battle import random_battle
from wh_env.content.w8.rosters import ROSTERS
from wh_env.content.w8.rules import OWN_RULES
from wh_env.content.w8.schema import Armoury, Army, Datasheet, Faction, Mission
from wh_env.content.w8.trial import TRIALS
from wh_env.content.w40k.missions import rolled_off
from wh_env.content.w40k.rules import checked_rules
from wh_env.content.w40k.schema import Battlefield, Terrain
from wh_env.rulesets.w8.ruleset import EIGHTH_EDITION

GAME = Game(
    ruleset=EIGHTH_EDITION,
    load=load_battle,
    compile=partial(compile_battle, EIGHTH_EDITION),
    random_battle=random_battle,
    select_mission=partial(rolled_off, "w8.mission.select"),
    duel=partial(duel, EIGHTH_EDITION, load_datasheet),
    trials=TRIALS,
    choices=CHOICES,
    check_rules=partial(checked_rules, EIGHTH_EDITION, EIGHTH_EDITION.core_rules, own=OWN_RULES),
    schemas={
        "armies": Army,
        "armouries": Armoury,
        "battlefields": Battlefield,
        "battles": Battle,
        "datasheets": Datasheet,
        "factions": Faction,
        "missions": Mission,
        "terrain": Terrain,
    },
    rosters=ROSTERS,
)
