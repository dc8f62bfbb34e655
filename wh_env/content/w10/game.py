"""The 10th edition as a ``Game``."""

from __future__ import annotations

from functools import partial

from wh_env.content.catalogues.comparing import Comparison
from wh_env.content.game import Game
from wh_env.content.w10.choices import CHOICES
from wh_env.content.w10.compile import compile_plan, plan_of
from wh_env.content.w10.duel import duel, led_duel
from wh_env.content.w10.facts import LEFT_OUT, facts_of_entry, facts_of_sheet
from wh_env.content.w10.importing.army import ROSTERS
from wh_env.content.w10.importing.factions import IMPORTING
from wh_env.content.w10.load import CONTENT, SHEETS
from wh_env.content.w10.trial import TRIALS
from wh_env.content.w40k.missions import rolled_off
from wh_env.rulesets.w10.ruleset import TENTH_EDITION
from wh_env.rulesets.w40k.edition import Edition


def fielded_alike(edition: Edition) -> Game:
    """The game of an edition that shares the formats of the 10th edition's armies and missions."""
    return CONTENT.game(
        edition,
        plan_of,
        compile_plan,
        select_mission=partial(rolled_off, "w10.mission.select"),
        duel=partial(duel, edition),
        led_duel=partial(led_duel, edition),
        trials=TRIALS,
        choices=CHOICES,
        comparison=Comparison("10th Edition", LEFT_OUT, SHEETS.all, facts_of_sheet, facts_of_entry),
        importing=IMPORTING,
        rosters=ROSTERS,
    )


GAME = fielded_alike(TENTH_EDITION)
