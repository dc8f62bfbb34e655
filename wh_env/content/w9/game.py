"""The 9th edition as a ``Game``."""

from __future__ import annotations

from functools import partial

from wh_env.content.catalogues.comparing import Comparison
from wh_env.content.classic.compile import compile_plan
from wh_env.content.classic.duel import duel
from wh_env.content.classic.facts import LEFT_OUT, facts_of_entry, facts_of_sheet
from wh_env.content.w9.choices import CHOICES
from wh_env.content.w9.compile import plan_of
from wh_env.content.w9.importing import IMPORTING
from wh_env.content.w9.load import CONTENT, SHEETS
from wh_env.content.w9.rosters import ROSTERS
from wh_env.content.w9.rules import OWN_RULES
from wh_env.content.w9.trial import TRIALS
from wh_env.rulesets.w9.ruleset import NINTH_EDITION

GAME = CONTENT.game(
    NINTH_EDITION,
    plan_of,
    compile_plan,
    OWN_RULES,
    duel=partial(duel, NINTH_EDITION, SHEETS.load),
    trials=TRIALS,
    choices=CHOICES,
    comparison=Comparison("9th Edition", LEFT_OUT, SHEETS.all, facts_of_sheet, facts_of_entry),
    importing=IMPORTING,
    rosters=ROSTERS,
)
