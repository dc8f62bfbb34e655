"""Fear, terror, and who is immune to what (wap.special.immunity.*, .terror.*, .fear.immunity): the one place that
answers.

What a model's rules give counts for that model; what is said of a unit is said by any of its models or by most of them,
those who have joined it among them (``basics.combined_unit``). A unit takes no Panic test if
``immune_to(g, unit, PANIC)``, no test for terror if ``immune_to(g, unit, TERROR)``, and gives its enemy no bonus for
Fear if not ``frightened_by(g, unit, enemy)``.
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.combined_unit import (
    has,
    is_stupid,
    most_models,
    strength_of_those,
)
from wh_env.rulesets.wap.basics.immunity import named_immune, parts
from wh_env.rulesets.wap.basics.special_rules import model_has, model_parameters
from wh_env.rulesets.wap.codes import TROOP_TYPES
from wh_env.rulesets.wap.rule_book import (
    FEAR,
    FLAMING_ATTACKS,
    FLAMMABLE,
    IMMUNITY,
    PANIC,
    PSYCHOLOGY,
    STUBBORN,
    TERROR,
    Feeling,
    SpecialRule,
)

AFRAID_OF_FIRE = tuple(map(TROOP_TYPES.index, ("war beast", "cavalry", "chariot")))
FRIGHTS = (PANIC, FEAR, TERROR)  # who is immune to all of these is so to Psychology


def is_unshaken(g: BattleCore, model: int) -> bool:
    """Whether a model has Immunity (Psychology): its own, that of a rule which includes it, or that to Panic, Fear and
    Terror together (wap.special.immunity.psychology, .frenzy.grants, .unbreakable).
    """
    if is_stupid(g, g.models.unit[model]):  # wap.special.stupidity.until-passed
        return True
    named = {part for text in model_parameters(g, model, IMMUNITY) for part in parts(text)}
    return PSYCHOLOGY.name in named or all(what.name in named for what in FRIGHTS)


def is_terrible(g: BattleCore, model: int) -> bool:
    """Whether a model causes Terror."""
    return model_has(g, model, TERROR)


def is_fearsome(g: BattleCore, model: int) -> bool:
    """Whether a model causes Fear: whoever causes Terror does (wap.special.terror.grants)."""
    return model_has(g, model, FEAR)


def causes_terror(g: BattleCore, unit: int) -> bool:
    """Whether a model of the unit causes Terror."""
    return has(g, unit, TERROR)


def causes_fear(g: BattleCore, unit: int) -> bool:
    """Whether a model of the unit causes Fear (wap.special.fear.result)."""
    return has(g, unit, FEAR)


def braves_fire(g: BattleCore, model: int) -> bool:
    """Whether a model is not of those whom flaming attacks frighten, or is immune to what they do
    (wap.special.flaming-attacks.fear, .immunity)."""
    shy = g.units.kind[g.models.unit[model]] in AFRAID_OF_FIRE or model_has(g, model, FLAMMABLE)
    return not shy or named_immune(g, model, FLAMING_ATTACKS)


def fears_fire(g: BattleCore, unit: int) -> bool:
    """Whether a unit is of those whom flaming attacks frighten: unless most of its models are not
    (wap.special.flaming-attacks.fear)."""
    return not most_models(g, unit, braves_fire)


def burns(g: BattleCore, model: int) -> bool:
    """Whether a model has Flaming Attacks."""
    return model_has(g, model, FLAMING_ATTACKS)


def fearsome_strength(g: BattleCore, unit: int, *, fire: bool = False) -> int:
    """Unit Strength of the models of the unit that cause Fear (wap.special.fear.double); ``fire``: flaming ones do
    too.
    """
    return strength_of_those(g, unit, lambda g, k: is_fearsome(g, k) or (fire and burns(g, k)))


def is_stubborn(g: BattleCore, unit: int) -> bool:
    """Whether most models of a unit have Stubborn, and with them the unit (wap.special.stubborn)."""
    return has(g, unit, STUBBORN)


def immune_to(g: BattleCore, unit: int, what: SpecialRule | Feeling) -> bool:
    """Whether the majority of a unit's models ignores Panic, Fear or Terror, and with them the unit
    (wap.special.immunity.psychology-kinds).

    Who causes Fear, or is immune to it, takes Terror for Fear: no test for Terror then
    (wap.special.terror.treated-as-fear); against the Fear that is left ask ``frightened_by``.

    Raises:
        ValueError: ``what`` is something else.
    """
    if what is PSYCHOLOGY:
        return most_models(g, unit, is_unshaken)
    if what is PANIC:
        return most_models(g, unit, lambda g, k: is_unshaken(g, k) or named_immune(g, k, PANIC))
    if what is FEAR:
        return most_models(g, unit, fearless)
    if what is TERROR:
        return most_models(g, unit, lambda g, k: fearless(g, k) or named_immune(g, k, TERROR))
    raise ValueError(f"immune_to: {what.name}; expected one of Panic, Fear, Terror, Psychology")


def fearless(g: BattleCore, model: int) -> bool:
    """Whether a model counts among those that make its unit immune to Fear (wap.special.fear.immunity,
    .terror.grants).
    """
    return is_fearsome(g, model) or named_immune(g, model, FEAR) or is_unshaken(g, model)


def unafraid_of_terror(g: BattleCore, model: int) -> bool:
    """Whether a model is immune even to the Fear that is left of Terror: it has that by its rules, not by causing Fear
    itself.
    """
    return is_terrible(g, model) or named_immune(g, model, FEAR) or is_unshaken(g, model)


def frightened_by(g: BattleCore, unit: int, other: int) -> bool:
    """Whether an enemy unit has the bonus for Fear against a unit: it causes Fear and the unit is not immune. Units
    that are immune because they cause Fear themselves are not so against who causes Terror
    (wap.special.terror.treated-as-fear); flaming models cause it to some alone.
    """
    if causes_terror(g, other):
        return not most_models(g, unit, unafraid_of_terror)
    if causes_fear(g, other) and not immune_to(g, unit, FEAR):
        return True
    return has(g, other, FLAMING_ATTACKS) and not most_models(g, unit, lambda g, k: braves_fire(g, k) or fearless(g, k))
