"""Shots for which Ballistic Skill does not count - cannonballs, stones, flames, breath - while an effect may stop them
(wap.lore.heavens.iceshard-blizzard, wap.lore.light.phas-protection).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.changed_dice import blind_shot_needs
from wh_env.rulesets.wap.basics.dice import FACES

RULE = "wap.magic.resolve"


def leaves_blind(g: BattleCore, unit: int, targets: tuple[int, ...]) -> bool:
    """Roll the D6 that a shot of a unit at ``targets`` needs, one for each effect that asks for it; returns whether the
    shot is made. Without such effects no die is rolled.
    """
    for needed in blind_shot_needs(g, unit, targets):
        die = g.d6()
        if g.recorder is not None:
            g.note(RULE, "shoots blindly", unit=unit, targets=targets, die=die, needed=needed, passed=die >= needed)
        if die < needed:
            return False
    return True


def chance_to_leave(g: BattleCore, unit: int, targets: tuple[int, ...]) -> float:
    """The chance that such a shot is made."""
    found = 1.0
    for needed in blind_shot_needs(g, unit, targets):
        found *= (FACES + 1 - needed) / FACES
    return found
