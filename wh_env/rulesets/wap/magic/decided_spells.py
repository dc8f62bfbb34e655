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
    "wap.lore.beasts.curse-of-anraheir",
    "wap.lore.beasts.wyssans-wildform",
    "wap.lore.death.aspect-of-the-dreadknight",
    "wap.lore.death.doom-and-darkness",
    "wap.lore.death.soulblight",
    "wap.lore.fire.flaming-sword-of-rhuin",
    "wap.lore.heavens.curse-of-the-midnight-wind",
    "wap.lore.heavens.iceshard-blizzard",
    "wap.lore.life.earth-blood",
    "wap.lore.life.flesh-to-stone",
    "wap.lore.light.bironas-timewarp",
    "wap.lore.light.light-of-battle",
    "wap.lore.light.phas-protection",
    "wap.lore.light.speed-of-light",
    "wap.lore.metal.enchanted-blades-of-aiban",
    "wap.lore.metal.plague-of-rust",
    "wap.lore.metal.scales-of-steel",
    "wap.lore.metal.transmutation-of-lead",
    "wap.lore.shadow.enfeebling-foe",
    "wap.lore.shadow.melkoths-mystifying-miasma",
    "wap.lore.shadow.okkams-mindrazor",
    "wap.lore.shadow.the-withering",
)
