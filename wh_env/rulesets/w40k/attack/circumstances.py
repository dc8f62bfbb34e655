"""The circumstances of attacks: what is fixed when targets are selected, and what abilities add.

All of it is one integer (column ``near`` of JOB and ATTACK). So attacks that are alike are rolled together, and exact
odds use the same kernels as the dice.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntFlag
from types import MappingProxyType

from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.profiles import WeaponAbility


class Near(IntFlag):
    """Circumstances of a group of attacks, fixed when targets are selected (column ``near`` of JOB and ATTACK).

    The bits from ``BLAST_SHIFT`` on hold a number: how often the target held the models of Blast at that moment (column
    ``blast``), or whether it was large (1, column ``blast_few``) or very large (2, ``blast_many``). The bits above hold
    what abilities change (``granting``); the last six flags are the lowest bits of numbers, see ``amount_of``.

    ``WHEN_FREE`` and ``STEADY`` share the bit of ``ENGAGED_TARGET`` in editions that do not use the latter.
    """

    HALF_RANGE = 1 << 0  # target within half range of the attacking model: Rapid Fire, Melta
    UNSEEN = 1 << 1  # no model of the target visible to the attacking unit: Indirect Fire
    ENGAGED_SHOOTER = 1 << 2  # the attacker was within Engagement Range of enemies (Big Guns Never Tire)
    ENGAGED_TARGET = 1 << 3  # the target is within Engagement Range of the shooter's army (Big Guns Never Tire)
    WHEN_FREE = 1 << 3  # made only once no enemy is left within Engagement Range of the shooter (Big Guns Never Tire)
    STEADY = 1 << 3  # with SNAP: the attacker Holds Steady
    STATIONARY = 1 << 4  # the attacking unit Remained Stationary: Heavy
    CHARGED = 1 << 5  # the attacker made a Charge move this turn: Lance
    COVER = 1 << 6  # every model of the target has the Benefit of Cover (single models: flag COVERED)
    STEALTH = 1 << 7  # an effect gives the target Stealth (what its models have is read from their flags); Dense Cover
    ADVANCED = 1 << 8  # the attacking unit Advanced: Assault (column ``assault_advanced``)
    SNAP = 1 << 9  # only high unmodified dice hit (Overwatch)
    HIT_PLUS = 1 << 10
    HIT_PLUS_2ND = 1 << 11
    HIT_MINUS = 1 << 12
    HIT_MINUS_2ND = 1 << 13
    WOUND_PLUS = 1 << 14
    WOUND_PLUS_2ND = 1 << 15
    WOUND_MINUS = 1 << 16
    WOUND_MINUS_2ND = 1 << 17
    SAVE_PLUS = 1 << 18
    SAVE_PLUS_2ND = 1 << 19
    REROLL_HIT_ONES = 1 << 20
    REROLL_WOUND_ONES = 1 << 21
    ATTACKS_PLUS = 1 << 22  # +1 to the Attacks characteristic
    PRECISION = 1 << 23  # a rule gives the attacks Precision
    AP_PLUS = 1 << 24  # a better AP (fire from above)
    ATTACKS_PLUS_2ND = 1 << 25
    REROLL_FAILED_HITS = 1 << 31  # hit rolls that miss before modifiers
    REROLL_HITS = 1 << 32  # all hit rolls that miss
    REROLL_WOUNDS = 1 << 33
    REROLL_DAMAGE = 1 << 34  # below the average
    REROLL_DAMAGE_ONES = 1 << 35
    REROLL_SAVE_ONES = 1 << 36
    REROLL_SAVES = 1 << 37  # with ``REROLL_SAVE_ONES``: no others than invulnerable saves of 1
    LETHAL_HITS = 1 << 38
    DEVASTATING_WOUNDS = 1 << 39
    LANCE = 1 << 40
    IGNORES_COVER = 1 << 41
    IGNORES_MODIFIERS = 1 << 42  # modifiers of hit rolls and skill that would make them worse
    DAMAGE_HALVED = 1 << 43
    CRITICAL_HITS = 1 << 44  # on unmodified 5+
    CRITICAL_WOUNDS = 1 << 45
    STRENGTH = 1 << 46
    AP = 1 << 50  # added to the AP: better ones are negative
    DAMAGE = 1 << 53
    DAMAGE_LESS = 1 << 55
    ATTACKS = 1 << 57
    SUSTAINED_HITS = 1 << 61


BLAST_SHIFT = 26
BLAST_MOST = 31
# by the lowest bit of a number in ``Near``: its width in bits, and whether it is signed
AMOUNTS: Mapping[int, tuple[int, bool]] = MappingProxyType(
    {
        int(Near.STRENGTH): (4, True),
        int(Near.AP): (3, True),
        int(Near.DAMAGE): (2, False),
        int(Near.DAMAGE_LESS): (2, False),
        int(Near.ATTACKS): (4, True),
        int(Near.SUSTAINED_HITS): (2, False),
    }
)
REROLLS_SAVES = int(Near.REROLL_SAVES | Near.REROLL_SAVE_ONES)
CRITICAL_GRANTED = 5  # the lowest die of ``CRITICAL_HITS`` and ``CRITICAL_WOUNDS``


@kernel
def has(weapons: Array, weapon: int, ability: int) -> bool:
    """Whether a weapon profile has an ability (weapon.abilities: it applies to that profile only)."""
    return int(weapons[weapon]["abilities"]) & ability != 0


# ---------------------------------------------------------------- what abilities make of attacks


@kernel
def amount_of(near: int, lowest: int, width: int, signed: bool) -> int:
    """The number of ``width`` bits in ``near`` whose lowest bit is ``lowest``."""
    value = near // lowest & (1 << width) - 1
    return int(value - (1 << width) if signed and value >> (width - 1) & 1 else value)


@inner_kernel
def more_strength(near: int) -> int:
    """What abilities add to the Strength."""
    return amount_of(near, Near.STRENGTH.value, 4, True)


@inner_kernel
def ap_modified(ap: int, near: int) -> int:
    """The AP after abilities; never worse than 0."""
    more = amount_of(near, Near.AP.value, 3, True)
    return int(min(0, ap + more)) if more != 0 else ap


@kernel
def more_attacks(near: int) -> int:
    """What abilities add to the Attacks."""
    return amount_of(near, Near.ATTACKS.value, 4, True)


@kernel
def damage_suffered(damage: int, bonus: int, near: int) -> int:
    """The Damage of an allocated attack: halved if an ability of the target does so, plus ``bonus``, less what the
    target's abilities take off (then at least 1).
    """
    less = amount_of(near, Near.DAMAGE_LESS.value, 2, False)
    if less == 0 and near & Near.DAMAGE_HALVED.value == 0:
        return damage + bonus
    if near & Near.DAMAGE_HALVED.value:
        damage = (damage + 1) // 2
    damage += bonus
    return int(max(1, damage - less)) if damage > 0 else 0


@kernel
def lethal(weapons: Array, weapon: int, near: int) -> bool:
    """Whether Critical Hits wound without a roll (weapon.lethal-hits)."""
    return near & Near.LETHAL_HITS.value != 0 or has(weapons, weapon, WeaponAbility.LETHAL_HITS.value)


@kernel
def devastating(weapons: Array, weapon: int, near: int) -> bool:
    """Whether Critical Wounds inflict mortal wounds (weapon.devastating-wounds)."""
    return near & Near.DEVASTATING_WOUNDS.value != 0 or has(weapons, weapon, WeaponAbility.DEVASTATING_WOUNDS.value)


@kernel
def granted_hits(weapons: Array, weapon: int, near: int) -> int:
    """Hits that an ability adds to a Critical Hit; 0 if the weapon's own Sustained Hits are random or as good
    (weapon.sustained-hits).
    """
    granted = amount_of(near, Near.SUSTAINED_HITS.value, 2, False)
    row = weapons[weapon]
    if granted > 0 and has(weapons, weapon, WeaponAbility.SUSTAINED_HITS.value):
        if row["sustained_dice"] > 0 or row["sustained_plus"] >= granted:
            return 0
    return granted


@kernel
def rerolls_damage(near: int, die: int, dice: int, twice_mean: int) -> bool:
    """Whether an ability re-rolls a damage roll. ``die``: its sum. ``dice``: number of dice. ``twice_mean``: twice the
    mean of the roll.
    """
    if near & Near.REROLL_DAMAGE.value:
        return 2 * die < twice_mean
    return near & Near.REROLL_DAMAGE_ONES.value != 0 and dice > 0 and die == dice
