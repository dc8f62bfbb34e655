"""What dice need: to hit in close combat and with missiles, to wound (wap.profile.ws, .bs, .s, .t, .zero.ws)."""

from __future__ import annotations

AUTOMATIC = 0  # no die is rolled
BEST, WORST = 2, 6


def to_hit(weapon_skill: int, target: int) -> int:
    """In close combat: 4+ against equals, better against lower Weapon Skills; automatic against 0
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
    """With a missile: 7 less the Ballistic Skill (wap.profile.bs); what it says below 2 counts with modifiers only."""
    return 7 - ballistic_skill


def to_wound(strength: int, toughness: int) -> int:
    """4 + Toughness - Strength, never better than 2+ nor worse than 6+ (wap.profile.s, .t)."""
    return max(BEST, min(WORST, 4 + toughness - strength))
