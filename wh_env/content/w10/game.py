"""The 10th edition as a ``Game``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from wh_env.content.catalogues.comparing import Comparison
from wh_env.content.fields import Content
from wh_env.content.game import Game
from wh_env.content.w10.choices import CHOICES
from wh_env.content.w10.compile import compile_battle
from wh_env.content.w10.duel import duel, led_duel
from wh_env.content.w10.facts import LEFT_OUT, facts_of_entry, facts_of_sheet
from wh_env.content.w10.importing.army import ROSTERS
from wh_env.content.w10.importing.factions import IMPORTING
from wh_env.content.w10.load import load_battle, load_datasheets
from wh_env.content.w10.mission import select_mission
from wh_env.content.w10.random_battle import random_battle
from wh_env.content.w10.schema import Army, Battle, Datasheet, Faction, Mission
from wh_env.content.w10.trial import TRIALS
from wh_env.content.w40k.rules import checked_rules
from wh_env.content.w40k.schema import Battlefield, Terrain
from wh_env.rulesets.w10.ruleset import TENTH_EDITION
from wh_env.rulesets.w40k.edition import Edition

SCHEMAS: Mapping[str, type[Content]] = {
    "armies": Army,
    "battlefields": Battlefield,
    "battles": Battle,
    "datasheets": Datasheet,
    "factions": Faction,
    "missions": Mission,
    "terrain": Terrain,
}


COMPARISON = Comparison("10th Edition", LEFT_OUT, load_datasheets, facts_of_sheet, facts_of_entry)


def fielded_alike(edition: Edition) -> Game:
    """The game of an edition that shares the formats of the 10th edition's armies and missions."""
    return Game(
        ruleset=edition,
        load=load_battle,
        compile=partial(compile_battle, edition),
        random_battle=random_battle,
        select_mission=select_mission,
        duel=partial(duel, edition),
        led_duel=partial(led_duel, edition),
        trials=TRIALS,
        choices=CHOICES,
        check_rules=partial(checked_rules, edition, edition.core_rules),
        schemas=SCHEMAS,
        comparison=COMPARISON,
        importing=IMPORTING,
        rosters=ROSTERS,
    )


GAME = fielded_alike(TENTH_EDITION)
