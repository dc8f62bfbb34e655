"""Dangerous Terrain tests: who takes them where, and what they cost (wap.terrain.dangerous.*, .marsh.*, .river.*,
.forest.flyers, .forest.venom.dangerous, wap.lore.beasts.curse-of-anraheir.terrain).
"""

from __future__ import annotations

from enum import Enum

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.effects import acting_on, effect_of, effects_of
from wh_env.rulesets.wap.basics.ground import Ground, features_of
from wh_env.rulesets.wap.basics.special_rules import models_have, parameters
from wh_env.rulesets.wap.codes import CAVALRY, CHARIOT, MONSTROUS_CAVALRY, SHRINE, TROOP_TYPES
from wh_env.rulesets.wap.rule_book import AQUATIC, ETHEREAL, SKIRMISHERS, STRIDER

HURT = 1  # the highest face of a die that harms the model on most ground
WRECKED = (CHARIOT, SHRINE)  # troop types that lose a D6 of Wounds then
RIDERS = (CAVALRY, MONSTROUS_CAVALRY, CHARIOT, SHRINE)  # to whom all ground but open ground is dangerous
MOUNTED = (CAVALRY, MONSTROUS_CAVALRY, CHARIOT)  # who come to harm more easily in marshes
RULE = "wap.terrain.dangerous.test"


class How(Enum):
    """How a unit goes through ground."""

    FAST = "by a march, a charge, a flight from the enemy, an overrun or a pursuit"
    SLOW = "by another move"
    ALOFT = "through the air; only where it takes off and lands counts"


def noted_features(g: BattleCore) -> tuple[Ground, ...]:
    """The features that are noted when models go through them, in the order of their bits in ``models.crossed``."""
    found: tuple[Ground, ...] = g.setup.statics["noted"]
    return found


def must_test(g: BattleCore, row: int, ground: Ground, how: How) -> bool:
    """Whether the models of a unit, without joined characters, test when they go through a feature
    (wap.terrain.dangerous.test, .mounted, .marsh.dangerous, wap.special.strider, .ethereal.movement).
    """
    traits = ground.traits
    if how is How.ALOFT:
        return traits.tests_flyers
    if traits.dangerous_always:
        return not is_at_home(g, row, ground)
    if how is How.SLOW or traits.dangerous == "nobody" or is_at_home(g, row, ground):
        return False
    if traits.dangerous == "everybody" or g.units.kind[row] in RIDERS or treachery(g, row):
        return not (traits.water and traits.dangerous == "riders" and models_have(g, row, AQUATIC))
    return traits.dangerous == "unless skirmishers" and not models_have(g, row, SKIRMISHERS)


def treachery(g: BattleCore, row: int) -> int:
    """The highest die with which a unit's own models fail Dangerous Terrain tests under an effect that makes all but open
    ground and impassable ground dangerous to them; 0: there is none (wap.lore.beasts.curse-of-anraheir.terrain).
    """
    return max((effect_of(g, k).treacherous for k in acting_on(g, row)), default=0) if effects_of(g) else 0


def is_at_home(g: BattleCore, row: int, ground: Ground) -> bool:
    """Whether the ground is open ground for the moves of a unit's own models (wap.special.strider,
    .ethereal.movement).
    """
    if models_have(g, row, ETHEREAL):
        return True
    return models_have(g, row, STRIDER) and ground.kind in (words.lower() for words in parameters(g, row, STRIDER))


def dangerous_wounds(g: BattleCore, unit: int, models: int, rule: str = RULE, feature: int = -1) -> int:
    """Roll Dangerous Terrain tests of ``models`` models of a unit: a D6 each. A model loses a Wound without a save on a
    1; a chariot or a shrine loses D6 Wounds, at most those of its profile. ``feature``: the terrain that they go
    through, which may harm on more faces, or swallow models; -1: none. Returns the wounds, which are not suffered yet.
    """
    dice, kind = [g.d6() for _ in range(models)], g.units.kind[unit]
    cursed = treachery(g, unit)
    fails_on, swallows = max(HURT, cursed), False
    if feature >= 0:
        traits = features_of(g)[feature].traits
        fails_on = max(cursed, traits.fails_on, traits.fails_on_mounted if kind in MOUNTED else HURT)
        swallows = TROOP_TYPES[kind] in traits.swallows
    wounds = sum(die <= fails_on for die in dice)
    most = g.models.max_wounds[g.units.first[unit]]
    if wounds and swallows:  # wap.terrain.marsh.quicksand
        wounds *= most
    elif wounds and kind in WRECKED:
        more = [g.d6() for _ in range(wounds)]
        dice, wounds = dice + more, sum(min(most, die) for die in more)
    if g.recorder is not None:
        g.note(rule, "dangerous terrain", unit=unit, dice=tuple(dice), amount=wounds)
    return wounds
