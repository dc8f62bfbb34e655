"""Spells whose players decide no more than which unit they are cast on, and in which version; the rules that
``casting.SpellTarget`` carries out besides its own.
"""

from __future__ import annotations

AT_UNITS = (
    "wap.lore.fire.fireball",
    "wap.lore.fire.piercing-bolts-of-burning",
    "wap.lore.metal.searing-doom",
    "wap.lore.metal.final-transmutation",
    "wap.lore.life.awakening-of-the-wood",
    "wap.lore.life.dwellers-below",
    "wap.lore.beasts.flock-of-doom",
    "wap.lore.beasts.amber-spear",
    "wap.lore.heavens.urannons-thunderbolt",
    "wap.lore.light.shems-burning-gaze",
    "wap.lore.light.banishment",
)
