"""The numbers of an edition for attacks, and the results that dice need.

Every roll is a D6 against the lowest *unmodified* die that succeeds. Modifiers are taken off the number needed, not
added to the die, so that re-rolls and criticals look at the bare die (concepts.reroll.before-modifiers,
concepts.reroll.unmodified). 7 or more means that no die succeeds.
"""

from __future__ import annotations

import numpy as np

from wh_env.core.geometry.shapes import member, member_count
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.attack.circumstances import (
    BLAST_MOST,
    CRITICAL_GRANTED,
    amount_of,
    ap_modified,
    has,
    more_attacks,
    more_strength,
)
from wh_env.rulesets.w40k.attack.circumstances import BLAST_SHIFT as BLAST_SHIFT
from wh_env.rulesets.w40k.attack.circumstances import Near as Near
from wh_env.rulesets.w40k.attack_row import ALLOCATED
from wh_env.rulesets.w40k.codes import CAME_BACK, COVERED
from wh_env.rulesets.w40k.profiles import ALL_FAILED, Ability, Keyword, WeaponAbility
from wh_env.rulesets.w40k.rows import one_row

# Bits of MODEL.flags, from this one on: the most wounds that the model loses in a phase, 0: any number
# (``powers.guard_unit``)
MOST_LOST = 57
MOST_LOST_BITS = 15
# Bit of MODEL.flags: the next attack that would inflict damage on this model inflicts none.
SHRUGS = 1 << 61
# Bit of MODEL.flags: 1 is added to armour saving throws made for this model.
FINE_ARMOUR = 1 << 40

# modifiers of wound rolls; CHARGED counts because of Lance
WOUND_MODIFIERS = int(Near.WOUND_PLUS | Near.WOUND_PLUS_2ND | Near.WOUND_MINUS | Near.WOUND_MINUS_2ND | Near.CHARGED)

# Where editions differ. Caps of 99 are no caps.
ATTACK_RULES = np.dtype(
    [
        ("hit_cap", "i4"),  # largest modifier of a hit roll, either way
        ("wound_cap", "i4"),
        ("save_cap", "i4"),  # largest improvement of a save
        ("save_cap_nets_ap", "i4"),  # 1: the cap binds the sum with AP; 0: the bonuses alone
        ("six_hits", "i4"),  # an unmodified 6 always succeeds
        ("six_wounds", "i4"),
        ("critical", "i4"),  # unmodified die that is a Critical Hit / Critical Wound
        ("snap", "i4"),  # unmodified die from which on attacks out of turn hit, whatever their skill
        ("snap_steady", "i4"),  # the same for units that Hold Steady
        ("cover", "i4"),  # what the Benefit of Cover adds to saves
        ("melee_cover", "i4"),  # 1: models may have it against melee attacks, too
        ("cover_whole_unit", "i4"),  # 1: models have it only as long as all of their unit are in cover
        ("no_cover_save", "i4"),  # Sv so good or better has no cover against AP 0; 0: no such rule
        ("plunging_ap", "i4"),  # added to the AP of fire from above
        ("shielded_save", "i4"),  # invulnerable save of a unit under ``Effect.SHIELDED``
        ("allocated_counts", "i4"),  # a model that had attacks allocated this phase must take the next one
        ("ignore_twice", "i4"),  # 1: of two abilities that ignore wounds both are rolled for
        ("heavy_stationary", "i4"),  # modifiers to hit
        ("heavy_moved", "i4"),  # modifier for Heavy weapons of models with a keyword of ``heavy_slows``
        ("assault_advanced", "i4"),
        ("stealth", "i4"),
        ("engaged", "i4"),  # each of shooter engaged, target engaged; not Pistols
        ("engaged_heavy", "i4"),  # shooter engaged, Heavy weapons only
        ("unseen", "i4"),
        ("lance_charged", "i4"),  # modifier to wound
        ("blast", "i4"),  # models of the target for which Blast adds an attack, each time
        ("blast_few", "i4"),  # models from which Blast makes at least ``blast_least`` attacks; 0: no such rule
        ("blast_many", "i4"),  # models from which Blast makes the most attacks that could be rolled
        ("blast_least", "i4"),
        ("hazardous", "i4"),  # lowest die that passes a Hazardous test
        ("hazardous_mortals", "i4"),  # mortal wounds that a CHARACTER, MONSTER or VEHICLE suffers instead
        ("hazardous_spared", "u8"),  # keywords of models that suffer those instead of being destroyed
        ("heavy_slows", "u8"),  # keywords of models whose Heavy weapons suffer when their unit moved
        ("half_range", "f8"),  # part of the range within which Rapid Fire and Melta help
        ("cover_reach", "f8"),  # inches from some features within which models have cover (``Trait.ONLY_NEAR``)
        ("plunging_height", "f8"),  # inches above the ground from which on fire comes from above
    ],
    align=True,
)


def attack_rules(**numbers: float) -> Array:
    """A row of ``ATTACK_RULES``; the caller names each column.

    Raises:
        ValueError: a column is missing, or there is no such column.
    """
    return one_row(ATTACK_RULES, numbers)


# ---------------------------------------------------------------- the target


@inner_kernel
def fights_in(models: Array, model: int, unit: int) -> bool:
    """Whether a model stands on the battlefield as part of a unit."""
    return bool(models[model]["unit"] == unit and models[model]["alive"] == 1 and models[model]["on_table"] == 1)


@inner_kernel
def part_alive(models: Array, units: Array, row: int) -> int:
    """The number of living models mustered in unit row ``row``: one component of an Attached unit."""
    total = 0
    for model in range(units[row]["first"], units[row]["first"] + units[row]["count"]):
        total += models[model]["alive"]
    return total


@inner_kernel
def all_stealthy(models: Array, units: Array, unit: int) -> bool:
    """shoot.stealth: whether every model of a unit has Stealth."""
    for part in range(2):
        row = unit if part == 0 else units[unit]["leader"]
        if row < 0:
            break
        for model in range(units[row]["first"], units[row]["first"] + units[row]["count"]):
            if fights_in(models, model, unit) and int(models[model]["flags"]) & Ability.STEALTH.value == 0:
                return False
    return True


@inner_kernel
def target_keywords(models: Array, units: Array, unit: int) -> int:
    """weapon.anti.attached: an Attached unit has the keywords of all its component units."""
    keywords = int(units[unit]["keywords"])
    leader = units[unit]["leader"]
    if leader >= 0 and part_alive(models, units, leader) > 0:
        keywords |= int(units[leader]["keywords"])
    return keywords


@kernel
def unit_toughness(models: Array, units: Array, unit: int) -> int:
    """attack.wound.mixed-toughness: the Toughness of most models; on a tie the highest.

    For an Attached unit only its Bodyguard models count, and the destroyed ones if none is left
    (deploy.leader.toughness). So the caller takes the unit apart after the attacking unit's last attack, not before.
    """
    first = units[unit]["first"]
    count = units[unit]["count"]
    dead_too = units[unit]["leader"] >= 0 and part_alive(models, units, unit) == 0
    best = 0
    best_votes = 0
    for model in range(first, first + count):
        toughness = models[model]["toughness"]
        if toughness == best or not (dead_too or fights_in(models, model, unit)):
            continue
        votes = 0
        for other in range(first, first + count):
            if models[other]["toughness"] == toughness and (dead_too or fights_in(models, other, unit)):
                votes += 1
        if votes > best_votes or (votes == best_votes and toughness > best):
            best = toughness
            best_votes = votes
    return int(best)


@kernel
def toughness_modified(weapons: Array, weapon: int, toughness: int) -> int:
    """The Toughness after the profile's own change of it; at least 1."""
    return int(max(1, toughness + weapons[weapon]["toughness"]))


@inner_kernel
def toughness_against(models: Array, units: Array, weapons: Array, weapon: int, unit: int) -> int:
    """The Toughness of a unit against attacks with a profile."""
    return toughness_modified(weapons, weapon, unit_toughness(models, units, unit))


# ---------------------------------------------------------------- numbers to roll


@inner_kernel
def limited(value: int, cap: int) -> int:
    """``value`` limited to the range from -``cap`` to ``cap``."""
    return max(-cap, min(cap, value))


@kernel
def bits(near: int, first: int, second: int) -> int:
    """How many of two flags are set in ``near``: 0, 1 or 2."""
    return (1 if near & first else 0) + (1 if near & second else 0)


@kernel
def hit_needed(weapons: Array, weapon: int, near: int, stealthy: bool, rules: Array) -> int:
    """The lowest unmodified die that hits (attack.hit.roll, .critical, .one-fails, .cap)."""
    if near & Near.SNAP.value:
        return int(rules[0]["snap_steady"] if near & Near.STEADY.value else rules[0]["snap"])
    heavy = has(weapons, weapon, WeaponAbility.HEAVY.value)
    modifier = bits(near, Near.HIT_PLUS.value, Near.HIT_PLUS_2ND.value)
    modifier -= bits(near, Near.HIT_MINUS.value, Near.HIT_MINUS_2ND.value)
    modifier += weapons[weapon]["hit"]
    better = max(0, modifier)
    if weapons[weapon]["melee"] == 0:
        if stealthy or near & Near.STEALTH.value:
            modifier += rules[0]["stealth"]
        if not has(weapons, weapon, WeaponAbility.PISTOL.value):
            modifier += rules[0]["engaged"] * bits(near, Near.ENGAGED_SHOOTER.value, Near.ENGAGED_TARGET.value)
        if near & Near.UNSEEN.value and has(weapons, weapon, WeaponAbility.INDIRECT_FIRE.value):
            modifier += rules[0]["unseen"]
        if near & Near.ADVANCED.value and has(weapons, weapon, WeaponAbility.ASSAULT.value):
            modifier += rules[0]["assault_advanced"]
        if heavy and near & Near.ENGAGED_SHOOTER.value:
            modifier += rules[0]["engaged_heavy"]
        if heavy and near & Near.STATIONARY.value == 0:
            modifier += rules[0]["heavy_moved"]
    if heavy and near & Near.STATIONARY.value:
        modifier += rules[0]["heavy_stationary"]
        better += rules[0]["heavy_stationary"]
    if near & Near.IGNORES_MODIFIERS.value:
        modifier = max(modifier, better)
    return hit_with(weapons, weapon, near, limited(modifier, rules[0]["hit_cap"]), rules)


@inner_kernel
def hit_with(weapons: Array, weapon: int, near: int, modifier: int, rules: Array) -> int:
    """The lowest unmodified die that hits with this modifier."""
    needed = max(2, weapons[weapon]["skill"] - modifier)
    if near & Near.CRITICAL_HITS.value:
        needed = min(needed, CRITICAL_GRANTED)
    return int(min(needed, 6) if rules[0]["six_hits"] else needed)


@kernel
def hits_again(weapons: Array, weapon: int, near: int, needed: int, rules: Array) -> int:
    """The lowest unmodified hit roll that is not re-rolled; ``needed`` is the lowest that hits.

    "Re-roll hit rolls" re-rolls every miss, "re-roll failed hit rolls" only what misses before modifiers
    (concepts.reroll.before-modifiers).
    """
    if near & Near.REROLL_HITS.value:
        return int(min(7, needed))
    again = 2 if near & Near.REROLL_HIT_ONES.value else 1
    if near & Near.REROLL_FAILED_HITS.value:
        plain = needed if near & Near.SNAP.value else hit_with(weapons, weapon, near, 0, rules)
        again = max(again, min(7, needed, plain))
    return int(again)


@kernel
def special_hit(weapons: Array, weapon: int, near: int, rules: Array) -> int:
    """The lowest unmodified hit roll with an additional effect (rare.additional-hits): a Critical Hit, or the weapon's
    own trigger if that is lower.
    """
    critical = int(rules[0]["critical"])
    if near & Near.CRITICAL_HITS.value:
        critical = min(critical, CRITICAL_GRANTED)
    trigger = int(weapons[weapon]["hit_trigger"])
    return trigger if 0 < trigger < critical else critical


@inner_kernel
def strength_against(strength: int, toughness: int) -> int:
    """attack.wound.roll: 2+ to 6+; half and double are compared without rounding."""
    if strength >= 2 * toughness:
        return 2
    if strength > toughness:
        return 3
    if strength == toughness:
        return 4
    return 5 if 2 * strength > toughness else 6


@kernel
def critical_wound(weapons: Array, weapon: int, near: int, keywords: int, rules: Array) -> int:
    """The lowest unmodified die that is a Critical Wound against a target with these keywords. Of several Anti
    abilities the best counts (attack.wound.critical, weapon.anti).
    """
    critical = int(rules[0]["critical"])
    if near & Near.CRITICAL_WOUNDS.value:
        critical = min(critical, CRITICAL_GRANTED)
    if has(weapons, weapon, WeaponAbility.ANTI.value):
        for roll in range(2, min(critical, 7)):
            if int(weapons[weapon]["anti"][roll]) & keywords != 0:
                return roll
    return max(2, critical)


@inner_kernel
def critical_against(
    models: Array, units: Array, weapons: Array, weapon: int, near: int, target: int, rules: Array
) -> int:
    """``critical_wound`` against the keywords of a unit."""
    if not has(weapons, weapon, WeaponAbility.ANTI.value):
        return critical_wound(weapons, weapon, near, 0, rules)
    return critical_wound(weapons, weapon, near, target_keywords(models, units, target), rules)


@kernel
def wound_needed(
    weapons: Array, weapon: int, near: int, strength: int, toughness: int, critical: int, rules: Array
) -> int:
    """The lowest unmodified die that wounds with this Strength (attack.wound.roll, .critical, .one-fails, .cap). If the
    attacker's and the target's rules contradict each other, the attacker's prevail (attack.priority).
    """
    modifier = bits(near, Near.WOUND_PLUS.value, Near.WOUND_PLUS_2ND.value)
    modifier -= bits(near, Near.WOUND_MINUS.value, Near.WOUND_MINUS_2ND.value)
    if near & Near.CHARGED.value and (near & Near.LANCE.value != 0 or has(weapons, weapon, WeaponAbility.LANCE.value)):
        modifier += rules[0]["lance_charged"]
    stronger = more_strength(near)
    if stronger != 0:
        strength = max(1, strength + stronger)
    table = strength_against(strength, toughness)
    needed = max(2, table - limited(modifier, rules[0]["wound_cap"]))
    # Without the rule of six, only a lower threshold than 6 (Anti) makes a critical a success.
    if rules[0]["six_wounds"]:
        needed = min(needed, critical, 6)
    elif critical < 6:
        needed = min(needed, critical)
    needed = max(needed, weapons[weapon]["fails_below"])
    always = weapons[weapon]["wounds_from"]
    return int(min(needed, always) if always > 0 else needed)


@kernel
def wounds_again(
    weapons: Array, weapon: int, near: int, strength: int, toughness: int, critical: int, needed: int, rules: Array
) -> int:
    """The lowest unmodified wound roll that the weapon does not re-roll. A weapon that re-rolls failed rolls re-rolls
    only those that fail before modifiers (concepts.reroll.before-modifiers).
    """
    if weapons[weapon]["wound_reroll"] != ALL_FAILED:
        return int(1 + weapons[weapon]["wound_reroll"])
    plain = wound_needed(weapons, weapon, near & ~WOUND_MODIFIERS, strength, toughness, critical, rules)
    return int(min(7, needed, plain))


@kernel
def covered(models: Array, weapons: Array, model: int, weapon: int, near: int, rules: Array) -> bool:
    """Whether a model has the Benefit of Cover against an attack (terrain.cover.effect, weapon.ignores-cover,
    weapon.indirect-fire.penalty)."""
    if near & Near.IGNORES_COVER.value != 0 or has(weapons, weapon, WeaponAbility.IGNORES_COVER.value):
        return False
    if weapons[weapon]["melee"]:
        return rules[0]["melee_cover"] != 0 and int(models[model]["flags"]) & COVERED != 0
    if near & Near.UNSEEN.value and has(weapons, weapon, WeaponAbility.INDIRECT_FIRE.value):
        return True
    return near & Near.COVER.value != 0 or int(models[model]["flags"]) & COVERED != 0


@inner_kernel
def sheltered(
    models: Array, units: Array, weapons: Array, model: int, weapon: int, near: int, unit: int, rules: Array
) -> bool:
    """``covered`` for a model of the unit under attack. In some editions it counts only while all models of the unit
    are in cover.
    """
    if not covered(models, weapons, model, weapon, near, rules):
        return False
    if rules[0]["cover_whole_unit"] == 0 or near & Near.COVER.value != 0:
        return True
    for n in range(member_count(units, unit)):
        other = member(units, unit, n)
        if fights_in(models, other, unit) and int(models[other]["flags"]) & COVERED == 0:
            return False
    return True


@kernel
def armour_needed(save: int, ap: int, cover: bool, near: int, rules: Array) -> int:
    """The lowest unmodified die that saves by armour; 0 without a Save characteristic (attack.save.roll, .one-fails,
    .cap, terrain.cover.effect, terrain.cover.three-plus).
    """
    if save <= 0:
        return 0
    ap = ap_modified(ap + (rules[0]["plunging_ap"] if near & Near.AP_PLUS.value else 0), near)
    bonus = bits(near, Near.SAVE_PLUS.value, Near.SAVE_PLUS_2ND.value)
    if cover and not (ap == 0 and save <= rules[0]["no_cover_save"]):
        bonus += rules[0]["cover"]
    cap = rules[0]["save_cap"]
    net = min(ap + bonus, cap) if rules[0]["save_cap_nets_ap"] else ap + min(bonus, cap)
    return int(max(2, save - net))


@inner_kernel
def finely_armoured(models: Array, model: int, needed: int) -> int:
    """``needed`` for a model's armour save: one less with fine armour, at least 2 (army.artificer-armour)."""
    return int(needed - 1 if needed > 2 and int(models[model]["flags"]) & FINE_ARMOUR != 0 else needed)


@kernel
def invulnerable_needed(invulnerable: int, near: int, rules: Array) -> int:
    """The lowest unmodified die that makes an invulnerable save; 0 without one. AP and cover do not count
    (attack.save.invulnerable.no-ap, terrain.cover.effect).
    """
    if invulnerable <= 0:
        return 0
    bonus = bits(near, Near.SAVE_PLUS.value, Near.SAVE_PLUS_2ND.value)
    return int(max(2, invulnerable - min(bonus, rules[0]["save_cap"])))


@kernel
def fires_rapidly(weapons: Array, weapon: int, near: int) -> bool:
    """Whether Rapid Fire adds to the number of attacks (weapon.rapid-fire, weapon.extra-attacks.no-modify)."""
    if near & Near.HALF_RANGE.value == 0 or has(weapons, weapon, WeaponAbility.EXTRA_ATTACKS.value):
        return False
    return has(weapons, weapon, WeaponAbility.RAPID_FIRE.value)


@kernel
def melts(weapons: Array, weapon: int, near: int) -> bool:
    """Whether Melta adds to the Damage (weapon.melta)."""
    return near & Near.HALF_RANGE.value != 0 and has(weapons, weapon, WeaponAbility.MELTA.value)


@kernel
def attacks_bonus(weapons: Array, weapon: int, near: int, rules: Array) -> int:
    """Attacks added to the A of a profile without a roll: Rapid Fire within half range, Blast, abilities
    (weapon.rapid-fire, weapon.blast.extra, weapon.blast.fixed-attacks, weapon.extra-attacks.no-modify).
    """
    if has(weapons, weapon, WeaponAbility.EXTRA_ATTACKS.value):
        return 0
    bonus = bits(near, Near.ATTACKS_PLUS.value, Near.ATTACKS_PLUS_2ND.value) + more_attacks(near)
    if fires_rapidly(weapons, weapon, near):
        bonus += weapons[weapon]["rapid_fire_plus"]
    if rules[0]["blast_few"] == 0 and has(weapons, weapon, WeaponAbility.BLAST.value):
        bonus += near >> BLAST_SHIFT & BLAST_MOST
    return int(bonus)


@kernel
def least_attacks(weapons: Array, weapon: int, near: int, rules: Array) -> int:
    """The fewest attacks that A makes; 0: no such rule. Against very large units Blast makes the most that A could
    (weapon.blast.minimum, .maximum, .several-dice).
    """
    size = near >> BLAST_SHIFT & BLAST_MOST
    if rules[0]["blast_few"] == 0 or size == 0 or not has(weapons, weapon, WeaponAbility.BLAST.value):
        return 0
    row = weapons[weapon]
    most = row["attacks_dice"] * row["attacks_sides"] + row["attacks_plus"]
    return int(max(rules[0]["blast_least"], most) if size > 1 else rules[0]["blast_least"])


@inner_kernel
def rolls_attacks(weapons: Array, weapon: int, near: int, rules: Array) -> bool:
    """Whether the dice of A are rolled: not if Blast makes the most that A could (weapon.blast.maximum)."""
    large = near >> BLAST_SHIFT & BLAST_MOST
    most = rules[0]["blast_few"] != 0 and large > 1 and has(weapons, weapon, WeaponAbility.BLAST.value)
    return not most


@kernel
def damage_bonus(weapons: Array, weapon: int, near: int) -> int:
    """What is added to Damage without a roll: abilities, and Melta within half range (weapon.melta)."""
    more = amount_of(near, Near.DAMAGE.value, 2, False) + weapons[weapon]["damage_bonus"]
    return int(more + weapons[weapon]["melta_plus"] if melts(weapons, weapon, near) else more)


# ---------------------------------------------------------------- allocation


@inner_kernel
def must_take(models: Array, model: int, rules: Array) -> bool:
    """attack.allocate.wounded-first: whether the model must take the next attack: it has lost wounds, or had attacks
    allocated this phase.
    """
    if models[model]["wounds"] < models[model]["max_wounds"] and int(models[model]["flags"]) & CAME_BACK == 0:
        return True
    return bool(rules[0]["allocated_counts"] != 0 and int(models[model]["allocated"]) & ALLOCATED != 0)


@kernel
def spared(models: Array, units: Array, unit: int) -> int:
    """Keyword bits of models to which attacks on ``unit`` cannot be allocated now; 0: none.

    These are CHARACTER models of an Attached unit while a Bodyguard model is left (deploy.leader.no-allocation,
    .last-bodyguard) and another model can take the attack. The model's own keyword counts, in either component
    (concepts.keywords.model-or-unit).
    """
    if units[unit]["leader"] < 0 or part_alive(models, units, unit) == 0:
        return 0
    for n in range(member_count(units, unit)):
        model = member(units, unit, n)
        if fights_in(models, model, unit) and int(models[model]["keywords"]) & Keyword.CHARACTER.value == 0:
            return Keyword.CHARACTER.value
    return 0


@kernel
def candidates(models: Array, units: Array, unit: int, rules: Array) -> tuple[int, int]:
    """The number of models that may take the next attack or mortal wound, and the model that takes it by default: the
    one with the fewest wounds left, on a tie the last one.

    Models that are ``spared`` do not count; models that must take it come first (attack.allocate.wounded-first,
    .several-candidates). Returns (0, -1) if no model is left.
    """
    exempt = spared(models, units, unit)
    free = 0
    forced = 0
    best = -1
    for n in range(member_count(units, unit)):
        model = member(units, unit, n)
        if not fights_in(models, model, unit) or int(models[model]["keywords"]) & exempt != 0:
            continue
        if must_take(models, model, rules):
            if forced == 0:
                best = -1
            forced += 1
        elif forced > 0:
            continue
        else:
            free += 1
        if best < 0 or models[model]["wounds"] <= models[best]["wounds"]:
            best = model
    return (forced if forced > 0 else free), best


@kernel
def candidate(models: Array, units: Array, unit: int, rules: Array, model: int) -> bool:
    """Whether the controlling player may allocate the next attack (or mortal wound) on ``unit`` to ``model``."""
    exempt = spared(models, units, unit)
    if not fights_in(models, model, unit) or int(models[model]["keywords"]) & exempt != 0:
        return False
    if must_take(models, model, rules):
        return True
    for n in range(member_count(units, unit)):
        other = member(units, unit, n)
        if fights_in(models, other, unit) and int(models[other]["keywords"]) & exempt == 0:
            if must_take(models, other, rules):
                return False
    return True


@kernel
def precision_candidate(models: Array, units: Array, unit: int, seen: int, model: int) -> bool:
    """weapon.precision: whether the attacker may pick this model: a member of the Attached ``unit`` whose bit is set in
    ``seen`` (column of ATTACK).
    """
    if units[unit]["leader"] < 0:
        return False
    for n in range(member_count(units, unit)):
        if member(units, unit, n) == model:
            return fights_in(models, model, unit) and seen >> n & 1 != 0
    return False
