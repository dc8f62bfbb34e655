"""Positions and small battles of the 8th edition."""

from __future__ import annotations

from functools import partial

from small_armies import battle_between_two

from wh_env.rulesets.w8.ruleset import EIGHTH_EDITION
from wh_env.testing import Scene

EighthScene = partial(Scene, edition=EIGHTH_EDITION)
small_battle = partial(battle_between_two, EighthScene)
