"""Immunity: which models ignore what a special rule does to those whom it strikes (wap.special.immunity)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.combined_unit import most_of_those_struck
from wh_env.rulesets.wap.basics.special_rules import model_parameters
from wh_env.rulesets.wap.rule_book import IMMUNITY, Feeling, SpecialRule


def named_immune(g: BattleCore, model: int, what: SpecialRule | Feeling) -> bool:
    """Whether a model has Immunity (``what``), by its rules or by those that they include: ``what`` may be one of
    several things between the brackets."""
    return any(what.name in parts(text) for text in model_parameters(g, model, IMMUNITY))


def ignores(g: BattleCore, unit: int, what: SpecialRule | Feeling) -> bool:
    """Whether the models of a unit, or a character in one, ignore what another special rule does to those whom it
    strikes, beside the harm of the attack itself (wap.special.immunity)."""
    return most_of_those_struck(g, unit, lambda g, k: named_immune(g, k, what))


def parts(text: str) -> list[str]:
    """What stands between the brackets of a rule, thing by thing: "Fear/Terror" is two."""
    return [part.strip() for part in text.replace("/", ",").split(",")]
