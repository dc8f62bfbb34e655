"""The scores that dice need to hit in close combat, to hit with missiles, and to wound (wap.profile.ws, .bs, .s, .t,
.zero.ws).
"""

from __future__ import annotations

AUTOMATIC = 0  # no die is rolled
BEST, WORST = 2, 6


def to_hit(weapon_skill: int, target: int) -> int:
    """To hit in close combat: 4+ against an equal Weapon Skill, less against a lower one; ``AUTOMATIC`` against 0
    (wap.profile.zero.ws).
    """
    if target == 0:
        return AUTOMATIC
    if weapon_skill > 2 * target:
        return 2
    if weapon_skill > target:
        return 3
    if target >= 2 * weapon_skill + 3:
        return 6
    return 5 if target > 2 * weapon_skill else 4


def to_shoot(ballistic_skill: int) -> int:
    """To hit with a missile: 7 minus the Ballistic Skill (wap.profile.bs); a value below 2 matters only with
    modifiers.
    """
    return 7 - ballistic_skill


def to_wound(strength: int, toughness: int) -> int:
    """To wound: 4 + Toughness - Strength, within 2+ and 6+ (wap.profile.s, .t)."""
    return max(BEST, min(WORST, 4 + toughness - strength))
