"""Sniper shots: at a model that the player names, even if others stand around it (wap.special.sniper.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.combined_unit import has
from wh_env.rulesets.wap.basics.joined import models_in
from wh_env.rulesets.wap.codes import RANK_AND_FILE
from wh_env.rulesets.wap.rule_book import SNIPER
from wh_env.rulesets.wap.weapons.arms import Weapon


def snipes(g: BattleCore, unit: int, weapon: Weapon) -> bool:
    """Whether a unit may make sniper shots with a weapon."""
    return weapon.has(SNIPER) or has(g, unit, SNIPER)


def marks_in(g: BattleCore, target: int) -> list[int]:
    """The models of a unit that a sniper can name: one of the rank and file, if any is left, command models and
    characters.
    """
    m = g.models
    plain = [k for k in g.members(target) if m.role[k] == RANK_AND_FILE]
    return plain[-1:] + [k for k in models_in(g, target) if k not in plain]
