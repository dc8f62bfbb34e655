"""Fear, Terror and Panic, and which models and units are immune to them (wap.special.immunity.*, .terror.*,
.fear.immunity). No other module decides this.

A model has what its own rules give it. A unit has it if any of its models has it, or if most have it, as the rule says;
characters in the unit count (``basics.combined_unit``). A unit takes no Panic test if ``immune_to(g, unit, PANIC)``,
and no Terror test if ``immune_to(g, unit, TERROR)``. An enemy has the bonus for Fear against it only if
``frightened_by(g, unit, enemy)``.
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
    FLY,
    FRIGHTENING,
    IMMUNITY,
    PANIC,
    PSYCHOLOGY,
    STUBBORN,
    TERROR,
    Feeling,
    SpecialRule,
)
from wh_env.rulesets.wap.weapons.defending import frightens_at_obstacle

AFRAID_OF_FIRE = tuple(map(TROOP_TYPES.index, ("war beast", "cavalry", "chariot")))
FRIGHTS = (PANIC, FEAR, TERROR)  # a model immune to all of these is immune to Psychology


def is_unshaken(g: BattleCore, model: int) -> bool:
    """Whether a model is immune to Psychology: by Immunity (Psychology), by a rule that includes it, or by immunity to
    Panic, Fear and Terror together (wap.special.immunity.psychology, .frenzy.grants, .unbreakable).
    """
    if is_stupid(g, g.models.unit[model]):  # wap.special.stupidity.until-passed
        return True
    named = {part for text in model_parameters(g, model, IMMUNITY) for part in parts(text)}
    return PSYCHOLOGY.name in named or all(what.name in named for what in FRIGHTS)


def is_terrible(g: BattleCore, model: int) -> bool:
    """Whether a model causes Terror."""
    return model_has(g, model, TERROR)


def is_fearsome(g: BattleCore, model: int) -> bool:
    """Whether a model causes Fear; models that cause Terror do too (wap.special.terror.grants), and those who defend
    some obstacles (wap.terrain.obstacle.ghost-fence).
    """
    return model_has(g, model, FEAR) or frightens_at_obstacle(g, g.models.unit[model])


def causes_terror(g: BattleCore, unit: int) -> bool:
    """Whether any model of the unit causes Terror."""
    return has(g, unit, TERROR)


def causes_fear(g: BattleCore, unit: int) -> bool:
    """Whether any model of the unit causes Fear (wap.special.fear.result)."""
    return has(g, unit, FEAR) or frightens_at_obstacle(g, unit)


def braves_fire(g: BattleCore, model: int) -> bool:
    """Whether flaming attacks do not frighten a model, by its kind or by its immunity
    (wap.special.flaming-attacks.fear, .immunity).
    """
    shy = g.units.kind[g.models.unit[model]] in AFRAID_OF_FIRE or model_has(g, model, FLAMMABLE)
    return not shy or named_immune(g, model, FLAMING_ATTACKS)


def fears_fire(g: BattleCore, unit: int) -> bool:
    """Whether flaming attacks frighten a unit: they do unless most of its models brave them
    (wap.special.flaming-attacks.fear).
    """
    return not most_models(g, unit, braves_fire)


def burns(g: BattleCore, model: int) -> bool:
    """Whether a model has Flaming Attacks."""
    return model_has(g, model, FLAMING_ATTACKS)


def fearsome_strength(g: BattleCore, unit: int, *, fire: bool = False, wings: bool = False) -> int:
    """Unit Strength of the models in the unit that cause Fear (wap.special.fear.double); with ``fire`` also of those
    with Flaming Attacks, with ``wings`` of those that cause it in flyers.
    """

    def frightens(g: BattleCore, k: int) -> bool:
        return is_fearsome(g, k) or (fire and burns(g, k)) or (wings and model_has(g, k, FRIGHTENING))

    return strength_of_those(g, unit, frightens)


def heeds_scarecrows(g: BattleCore, unit: int, other: int) -> bool:
    """Whether a unit fears another one that causes Fear in flyers: half of its models or more fly and are not immune
    (wap.item.banner.scarecrow-banner).
    """
    return has(g, other, FRIGHTENING) and not most_models(
        g, unit, lambda g, k: fearless(g, k) or not model_has(g, k, FLY)
    )


def is_stubborn(g: BattleCore, unit: int) -> bool:
    """Whether a unit is Stubborn, which it is if most of its models are (wap.special.stubborn)."""
    return has(g, unit, STUBBORN)


def immune_to(g: BattleCore, unit: int, what: SpecialRule | Feeling) -> bool:
    """Whether a unit is immune to Panic, Fear, Terror or Psychology, which it is if most of its models are
    (wap.special.immunity.psychology-kinds).

    Models that cause Fear or are immune to it treat Terror as Fear, so they take no Terror test
    (wap.special.terror.treated-as-fear). ``frightened_by`` answers for the Fear that remains.

    Raises:
        ValueError: ``what`` is none of these.
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
    """Whether a model counts as immune to Fear: it causes Fear, or its rules make it immune (wap.special.fear.immunity,
    .terror.grants).
    """
    return is_fearsome(g, model) or named_immune(g, model, FEAR) or is_unshaken(g, model)


def unafraid_of_terror(g: BattleCore, model: int) -> bool:
    """Whether a model is immune even to the Fear that Terror becomes: its rules make it immune to Fear, or it causes
    Terror. Causing Fear is not enough.
    """
    return is_terrible(g, model) or named_immune(g, model, FEAR) or is_unshaken(g, model)


def frightened_by(g: BattleCore, unit: int, other: int) -> bool:
    """Whether unit ``other`` has the bonus for Fear against a unit: it causes Fear and the unit is not immune.

    Units that are immune because they cause Fear are not immune to a unit that causes Terror
    (wap.special.terror.treated-as-fear). Flaming Attacks cause Fear only in some units.
    """
    if causes_terror(g, other):
        return not most_models(g, unit, unafraid_of_terror)
    if causes_fear(g, other) and not immune_to(g, unit, FEAR):
        return True
    if heeds_scarecrows(g, unit, other):
        return True
    return has(g, other, FLAMING_ATTACKS) and not most_models(g, unit, lambda g, k: braves_fire(g, k) or fearless(g, k))
