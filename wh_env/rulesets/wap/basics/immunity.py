"""Immunity: which models ignore what a special rule does to the models that it strikes (wap.special.immunity)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.combined_unit import most_of_those_struck
from wh_env.rulesets.wap.basics.special_rules import model_parameters, models_have
from wh_env.rulesets.wap.rule_book import FLAMING_ATTACKS, FLAMMABLE, IMMUNITY, Feeling, SpecialRule


def named_immune(g: BattleCore, model: int, what: SpecialRule | Feeling) -> bool:
    """Whether a model has Immunity (``what``), from its rules or from rules that they include. The brackets may name
    several things.
    """
    return any(what.name in parts(text) for text in model_parameters(g, model, IMMUNITY))


def ignores(g: BattleCore, unit: int, what: SpecialRule | Feeling) -> bool:
    """Whether the models of a unit, or a character in one, ignore what another special rule does to the models that it
    strikes. The harm of the attack itself remains (wap.special.immunity).
    """
    return most_of_those_struck(g, unit, lambda g, k: named_immune(g, k, what))


def catches_fire(g: BattleCore, unit: int) -> bool:
    """Whether the models of a unit are Flammable, and not immune to Flaming Attacks (wap.special.flammable,
    wap.special.immunity).
    """
    return models_have(g, unit, FLAMMABLE) and not ignores(g, unit, FLAMING_ATTACKS)


def parts(text: str) -> list[str]:
    """The things named in the brackets of a rule: "Fear/Terror" names two."""
    return [part.strip() for part in text.replace("/", ",").split(",")]
