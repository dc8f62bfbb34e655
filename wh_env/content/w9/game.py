"""The 9th edition as a ``Game``."""

from __future__ import annotations

from functools import partial

from wh_env.content.catalogues.comparing import Comparison
from wh_env.content.classic.battles import Battle
from wh_env.content.classic.duel import duel
from wh_env.content.classic.facts import LEFT_OUT, facts_of_entry, facts_of_sheet
from wh_env.content.classic.schema import ClassicDatasheet
from wh_env.content.game import Game
from wh_env.content.w9.choices import CHOICES
from wh_env.content.w9.compile import compile_battle
from wh_env.content.w9.importing import IMPORTING
from wh_env.content.w9.load import load_battle, load_datasheet, load_datasheets
from wh_env.content.w9.random_battle import random_battle
from wh_env.content.w9.rosters import ROSTERS
from wh_env.content.w9.rules import OWN_RULES
from wh_env.content.w9.schema import Army, Faction, Mission
from wh_env.content.w9.trial import TRIALS
from wh_env.content.w40k.rules import checked_rules
from wh_env.content.w40k.schema import Battlefield, Terrain
from wh_env.rulesets.w9.ruleset import NINTH_EDITION

GAME = Game(
    ruleset=NINTH_EDITION,
    load=load_battle,
    compile=partial(compile_battle, NINTH_EDITION),
    random_battle=random_battle,
    duel=partial(duel, NINTH_EDITION, load_datasheet),
    trials=TRIALS,
    choices=CHOICES,
    check_rules=partial(checked_rules, NINTH_EDITION, NINTH_EDITION.core_rules, own=OWN_RULES),
    schemas={
        "armies": Army,
        "battlefields": Battlefield,
        "battles": Battle,
        "datasheets": ClassicDatasheet,
        "factions": Faction,
        "missions": Mission,
        "terrain": Terrain,
    },
    comparison=Comparison("9th Edition", LEFT_OUT, load_datasheets, facts_of_sheet, facts_of_entry),
    importing=IMPORTING,
    rosters=ROSTERS,
)
