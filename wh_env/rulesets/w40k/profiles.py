"""Vocabulary of the 40k editions as data: keywords, abilities of models and units, weapon abilities, weapon rows.

Keywords are bits of a uint64. Keywords that rules name have fixed bits. The others (factions, chapters, ...) get free
bits when a Setup is compiled.
"""

from __future__ import annotations

from enum import IntFlag

import numpy as np


class Keyword(IntFlag):
    """Keywords that core rules name."""

    INFANTRY = 1 << 0
    VEHICLE = 1 << 1
    MONSTER = 1 << 2
    CHARACTER = 1 << 3
    FLY = 1 << 4
    AIRCRAFT = 1 << 5
    TITANIC = 1 << 6
    TRANSPORT = 1 << 7
    BEASTS = 1 << 8
    MOUNTED = 1 << 9
    SWARM = 1 << 10
    GRENADES = 1 << 11
    SMOKE = 1 << 12
    PSYKER = 1 << 13
    EPIC_HERO = 1 << 14
    BATTLELINE = 1 << 15
    FORTIFICATION = 1 << 16
    TOWERING = 1 << 17
    WALKER = 1 << 18
    DEDICATED_TRANSPORT = 1 << 19


FIRST_FREE_KEYWORD = 24
# no keyword of a datasheet: the model has at least ``Edition.huge`` Wounds and some terrain does not hide it
HUGE = 1 << 23


class Ability(IntFlag):
    """Core abilities of datasheets. Every model that has one has its bit; a unit has the bits that all its models
    share.
    """

    LEADER = 1 << 0
    DEEP_STRIKE = 1 << 1
    SCOUTS = 1 << 2  # distance in the datasheet
    INFILTRATORS = 1 << 3
    HOVER = 1 << 4
    LONE_OPERATIVE = 1 << 5
    STEALTH = 1 << 6
    FIGHTS_FIRST = 1 << 7
    FIRING_DECK = 1 << 8  # number in the datasheet
    DEADLY_DEMISE = 1 << 9  # amount in the model row
    FEEL_NO_PAIN = 1 << 10  # amount in the model row
    PSYCHIC = 1 << 11
    AURA = 1 << 12


class WeaponAbility(IntFlag):
    """Weapon abilities; numbers stand in columns of the weapon row."""

    ASSAULT = 1 << 0
    RAPID_FIRE = 1 << 1
    IGNORES_COVER = 1 << 2
    TWIN_LINKED = 1 << 3
    PISTOL = 1 << 4
    TORRENT = 1 << 5
    LETHAL_HITS = 1 << 6
    LANCE = 1 << 7
    INDIRECT_FIRE = 1 << 8
    PRECISION = 1 << 9
    BLAST = 1 << 10
    MELTA = 1 << 11
    HEAVY = 1 << 12
    HAZARDOUS = 1 << 13
    DEVASTATING_WOUNDS = 1 << 14
    SUSTAINED_HITS = 1 << 15
    EXTRA_ATTACKS = 1 << 16
    ANTI = 1 << 17
    ONE_SHOT = 1 << 18
    PSYCHIC = 1 << 19
    GRENADE = 1 << 20  # one model of a unit that shoots may throw one instead of firing its other weapons
    UNIGNORABLE = 1 << 21  # enemy models cannot ignore the wounds that they lose to it
    OVERHEATS = 1 << 22  # hit rolls of 1 slay its bearer, once all its attacks are made


ALL_FAILED = 7  # in ``wound_reroll``

WEAPON = np.dtype(
    [
        ("range", "f8"),  # inches; 0 for melee
        ("damage_bonus", "i8"),  # added to D after divisions; eight bytes, so that rows have no padding
        ("abilities", "u8"),
        ("hit", "i8"),  # modifies hit rolls of attacks with it; eight bytes, so that rows have no padding
        ("anti", "u8", (7,)),  # Anti-KEYWORD x+: by x, bits of keywords; a unit with one is critically wounded on x+
        ("melee", "i4"),
        ("attacks_dice", "i4"),  # A = dice x D(sides) + plus; likewise for all other random numbers
        ("attacks_sides", "i4"),
        ("attacks_plus", "i4"),
        ("skill", "i4"),  # BS or WS: 3 for 3+; 0 for Torrent weapons, which have none
        ("strength_dice", "i4"),
        ("strength_sides", "i4"),
        ("strength_plus", "i4"),
        ("ap", "i4"),  # 0, -1, -2, ...
        ("damage_dice", "i4"),
        ("damage_sides", "i4"),
        ("damage_plus", "i4"),
        ("rapid_fire_dice", "i4"),
        ("rapid_fire_sides", "i4"),
        ("rapid_fire_plus", "i4"),
        ("melta_dice", "i4"),
        ("melta_sides", "i4"),
        ("melta_plus", "i4"),
        ("sustained_dice", "i4"),
        ("sustained_sides", "i4"),
        ("sustained_plus", "i4"),
        ("hit_rolls", "i4"),  # hit rolls of each attack beyond the first
        ("hit_trigger", "i4"),  # lowest unmodified hit roll that triggers its extra effects; 0: the usual one
        ("wounds_from", "i4"),  # lowest unmodified wound roll that always wounds; 0: no such rule
        ("fails_below", "i4"),  # unmodified wound rolls below this never wound; 0: no such rule
        # the highest unmodified wound roll that may be re-rolled, 0: none; ``ALL_FAILED``: those that fail unmodified
        ("wound_reroll", "i4"),
        ("toughness", "i4"),  # modifies the Toughness of its target, which is never below 1
        ("profile_of", "i4"),  # position among the profiles of its weapon; only one of them is used at a time
    ],
    align=True,
)

# one row for each weapon profile that a model carries; a model's rows are first_weapon .. first_weapon + weapons - 1
ARSENAL = np.dtype(
    [("weapon", "i4"), ("slot", "i4")], align=True
)  # slot: weapons of a model with the same slot exclude each other
