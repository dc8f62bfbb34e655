"""Positions and small battles of the 9th edition."""

from __future__ import annotations

from functools import partial

from small_armies import battle_between_two

from wh_env.rulesets.w9.ruleset import NINTH_EDITION
from wh_env.testing import Scene

NinthScene = partial(Scene, edition=NINTH_EDITION)
small_battle = partial(battle_between_two, NinthScene)
