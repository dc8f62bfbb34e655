"""Which units take Dangerous Terrain tests where (wap.terrain.dangerous.*, .marsh.*, .river.*, .forest.flyers,
.forest.venom.dangerous, wap.lore.beasts.curse-of-anraheir.terrain); ``casualties.dangerous_ground`` has what the
tests cost.
"""

from __future__ import annotations

from enum import Enum

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.effects import acting_on, effect_of, effects_of
from wh_env.rulesets.wap.basics.ground import Ground
from wh_env.rulesets.wap.basics.special_rules import models_have, parameters
from wh_env.rulesets.wap.codes import CAVALRY, CHARIOT, MONSTROUS_CAVALRY, SHRINE
from wh_env.rulesets.wap.rule_book import AQUATIC, ETHEREAL, SKIRMISHERS, STRIDER, is_open_ground

RIDERS = (CAVALRY, MONSTROUS_CAVALRY, CHARIOT, SHRINE)  # find all ground but open ground dangerous


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
    return is_endangered(g, row, ground, how) and not is_at_home(g, row, ground)


def is_endangered(g: BattleCore, row: int, ground: Ground, how: How) -> bool:
    """``must_test`` of a unit to which the ground is not open ground."""
    traits = ground.traits
    if traits.tests_flyers if how is How.ALOFT else traits.dangerous_always:
        return True
    if how is not How.FAST or traits.dangerous == "nobody":
        return False
    if traits.dangerous == "everybody" or g.units.kind[row] in RIDERS or treachery(g, row):
        return not (traits.water and traits.dangerous == "riders" and models_have(g, row, AQUATIC))
    return traits.dangerous == "unless skirmishers" and not models_have(g, row, SKIRMISHERS)


def treachery(g: BattleCore, row: int) -> int:
    """The highest die with which a unit's own models fail Dangerous Terrain tests under an effect that makes all but
    open ground and impassable ground dangerous to them; 0: there is none (wap.lore.beasts.curse-of-anraheir.terrain).
    """
    return max((effect_of(g, k).treacherous for k in acting_on(g, row)), default=0) if effects_of(g) else 0


def is_at_home(g: BattleCore, row: int, ground: Ground) -> bool:
    """Whether the ground is open ground for the moves of a unit's own models (wap.special.strider,
    .ethereal.movement).
    """
    if models_have(g, row, ETHEREAL):
        return True
    return models_have(g, row, STRIDER) and is_open_ground(ground.kind, parameters(g, row, STRIDER))
