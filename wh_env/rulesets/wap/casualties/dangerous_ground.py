"""What Dangerous Terrain tests cost (wap.terrain.dangerous.*, .marsh.*, .river.*); ``field.dangerous`` says which
units take them.
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.ground import features_of
from wh_env.rulesets.wap.basics.profiles import wounds_each
from wh_env.rulesets.wap.casualties.harm import wounds_of_slain
from wh_env.rulesets.wap.codes import CAVALRY, CHARIOT, MONSTROUS_CAVALRY, SHRINE, TROOP_TYPES
from wh_env.rulesets.wap.field.dangerous import treachery

HURT = 1  # the highest face of a die that harms the model on most ground
WRECKED = (CHARIOT, SHRINE)  # troop types that lose a D6 of Wounds then
MOUNTED = (CAVALRY, MONSTROUS_CAVALRY, CHARIOT)  # come to harm more easily in marshes
RULE = "wap.terrain.dangerous.test"


def dangerous_wounds(
    g: BattleCore, unit: int, models: int, rule: str = RULE, feature: int = -1, *, before: int = 0
) -> int:
    """Roll Dangerous Terrain tests of ``models`` models of a unit: a D6 each. A model loses a Wound without a save on a
    1; a chariot or a shrine loses D6 Wounds, at most those of its profile.

    Args:
        rule: that events cite.
        feature: the terrain that they go through, which may harm on more faces, or swallow models; -1: none.
        before: Wounds that the unit loses at the same moment and has not suffered yet.

    Returns:
        The Wounds, which are not suffered yet.
    """
    dice, kind = [g.d6() for _ in range(models)], g.units.kind[unit]
    cursed = treachery(g, unit)
    fails_on, swallows = max(HURT, cursed), False
    if feature >= 0:
        traits = features_of(g)[feature].traits
        fails_on = max(cursed, traits.fails_on, traits.fails_on_mounted if kind in MOUNTED else HURT)
        swallows = TROOP_TYPES[kind] in traits.swallows
    wounds = sum(die <= fails_on for die in dice)
    most = wounds_each(g, unit)
    if wounds and swallows:  # wap.terrain.marsh.quicksand
        wounds = wounds_of_slain(g, unit, wounds, before)
    elif wounds and kind in WRECKED:
        more = [g.d6() for _ in range(wounds)]
        dice, wounds = dice + more, sum(min(most, die) for die in more)
    if g.recorder is not None:
        g.note(rule, "dangerous terrain", unit=unit, dice=tuple(dice), amount=wounds)
    return wounds
