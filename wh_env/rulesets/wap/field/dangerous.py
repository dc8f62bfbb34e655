"""Dangerous Terrain tests (wap.terrain.dangerous.test, wap.terrain.dangerous.chariots-and-shrines)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.codes import CHARIOT, SHRINE

HURT = 1  # the face of a die that harms the model
WRECKED = (CHARIOT, SHRINE)  # troop types that lose a D6 of Wounds then


def dangerous_wounds(g: BattleCore, unit: int, models: int, rule: str = "wap.terrain.dangerous.test") -> int:
    """Roll Dangerous Terrain tests of ``models`` models of a unit: a D6 each. A model loses a Wound without a save on a
    1; a chariot or a shrine loses D6 Wounds, at most those of its profile. Returns the wounds, which are not suffered
    yet.
    """
    dice = [g.d6() for _ in range(models)]
    wounds = dice.count(HURT)
    if wounds and g.units.kind[unit] in WRECKED:
        most = g.models.max_wounds[g.units.first[unit]]
        more = [g.d6() for _ in range(wounds)]
        dice, wounds = dice + more, sum(min(most, die) for die in more)
    if g.recorder is not None:
        g.note(rule, "dangerous terrain", unit=unit, dice=tuple(dice), amount=wounds)
    return wounds
