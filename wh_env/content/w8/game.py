"""The 8th edition as a ``Game``."""

from __future__ import annotations

from functools import partial

from wh_env.content.classic.compile import compile_plan
from wh_env.content.classic.duel import duel
from wh_env.content.w8.choices import CHOICES
from wh_env.content.w8.compile import plan_of
from wh_env.content.w8.load import CONTENT, SHEETS
from wh_env.content.w8.rosters import ROSTERS
from wh_env.content.w8.rules import OWN_RULES
from wh_env.content.w8.schema import Armoury
from wh_env.content.w8.trial import TRIALS
from wh_env.content.w40k.missions import rolled_off
from wh_env.rulesets.w8.ruleset import EIGHTH_EDITION

GAME = CONTENT.game(
    EIGHTH_EDITION,
    plan_of,
    compile_plan,
    OWN_RULES,
    select_mission=partial(rolled_off, "w8.mission.select"),
    duel=partial(duel, EIGHTH_EDITION, SHEETS.load),
    trials=TRIALS,
    choices=CHOICES,
    schemas={**CONTENT.schemas(), "armouries": Armoury},
    rosters=ROSTERS,
)
