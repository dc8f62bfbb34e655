"""Exact outcomes and means of a volley: the attack sequence as probabilities instead of dice.

``damage_distribution`` is exact (a Markov chain over the wounds left in the target); the dice of ``attack.machine`` are
tested against it. ``expected_wounds`` (``mean_wounds``) is one number in a microsecond, for policies that compare
thousands of targets. Both make open choices as the machine does by default: the better save, the better Feel No Pain,
failed Twin-linked wound rolls re-rolled.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np

from wh_env.core.geometry.shapes import member, member_count
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.attack.circumstances import (
    REROLLS_SAVES,
    damage_suffered,
    devastating,
    granted_hits,
    has,
    lethal,
    more_attacks,
    rerolls_damage,
)
from wh_env.rulesets.w40k.attack.rolls import (
    Near,
    all_stealthy,
    armour_needed,
    attacks_bonus,
    candidates,
    covered,
    critical_against,
    critical_wound,
    damage_bonus,
    finely_armoured,
    fires_rapidly,
    hit_needed,
    hits_again,
    invulnerable_needed,
    least_attacks,
    melts,
    special_hit,
    toughness_against,
    toughness_modified,
    wound_needed,
    wounds_again,
)
from wh_env.rulesets.w40k.profiles import WeaponAbility


@dataclass(frozen=True)
class Target:
    """A unit of equal models, all unhurt."""

    toughness: int
    save: int  # 3 for 3+, 0 for none
    wounds: int = 1  # Wounds of each model
    models: int = 1
    invulnerable: int = 0
    feel_no_pain: int = 0
    keywords: int = 0
    stealthy: bool = False
    feel_no_pain_mortal: int = 0  # against mortal wounds, where that is better
    shrugs: bool = False  # a unit of one model: the first attack that would inflict damage inflicts none


@dataclass(frozen=True)
class Odds:
    """Probabilities by number: ``killed[k]`` of k models destroyed, ``lost[n]`` of n wounds lost."""

    killed: Array
    lost: Array

    @property
    def mean_killed(self) -> float:
        """Expected models destroyed."""
        return float(self.killed @ np.arange(len(self.killed)))

    @property
    def mean_lost(self) -> float:
        """Expected wounds lost."""
        return float(self.lost @ np.arange(len(self.lost)))


# ---------------------------------------------------------------- dice as arrays: index = value


def dice_sum(count: int, sides: int, plus: int) -> Array:
    """Probabilities of ``count`` dice of ``sides`` plus ``plus``."""
    total = np.zeros(plus + 1)
    total[plus] = 1.0
    if count > 0:
        die = np.zeros(sides + 1)
        die[1:] = 1.0 / sides
        for _ in range(count):
            total = np.convolve(total, die)
    return total


def faces(reroll_below: int) -> Array:
    """Probabilities of a D6 (index 1-6) if every die below ``reroll_below`` is re-rolled once."""
    die = np.zeros(7)
    die[1:] = 1.0 / 6.0
    again = die[:reroll_below].sum()
    die[:reroll_below] = 0.0
    die[1:] += again / 6.0
    return die


def convolve2(a: Array, b: Array) -> Array:
    """Two-dimensional convolution; ``b`` is the small one."""
    out = np.zeros((a.shape[0] + b.shape[0] - 1, a.shape[1] + b.shape[1] - 1))
    for i, j in np.argwhere(b):
        out[i : i + a.shape[0], j : j + a.shape[1]] += b[i, j] * a
    return out


def power_mix(weights: Array, step: Array) -> Array:
    """Sum over n of ``weights[n]`` times the n-fold convolution of ``step`` with itself."""
    last = int(np.flatnonzero(weights)[-1])
    out = np.zeros((last * (step.shape[0] - 1) + 1, last * (step.shape[1] - 1) + 1))
    power = np.ones((1, 1))
    for n in range(last + 1):
        out[: power.shape[0], : power.shape[1]] += weights[n] * power
        if n < last:
            power = convolve2(power, step)
    return out


# ---------------------------------------------------------------- the sequence


def amount_sum(row: Any, name: str, plus: int = 0) -> Array:
    """Probabilities of an amount of a weapon profile (``attacks``, ``strength``, ...) plus ``plus``."""
    return dice_sum(int(row[f"{name}_dice"]), int(row[f"{name}_sides"]), int(row[f"{name}_plus"]) + plus)


def wound_roll(weapons: Array, weapon: int, near: int, strength: int, target: Target, rules: Array) -> Array:
    """Probabilities of one wound roll with this Strength: [i, j] as in ``wound_counts``."""
    critical = critical_wound(weapons, weapon, near, target.keywords, rules)
    toughness = toughness_modified(weapons, weapon, target.toughness)
    needed = wound_needed(weapons, weapon, near, strength, toughness, critical, rules)
    kept = wounds_again(weapons, weapon, near, strength, toughness, critical, needed, rules)
    reroll = max(2 if near & Near.REROLL_WOUND_ONES else 1, kept)
    if near & Near.REROLL_WOUNDS or has(weapons, weapon, WeaponAbility.TWIN_LINKED):
        reroll = min(needed, 7)
    die = faces(reroll)
    crits = die[max(needed, critical) :].sum() if devastating(weapons, weapon, near) else 0.0
    wounds = die[needed:].sum() - crits
    return np.array([[1.0 - wounds - crits, crits], [wounds, 0.0]])


def hit_rolls(weapons: Array, weapon: int) -> int:
    """The number of hit rolls that each attack makes; automatic hits count as one."""
    return 1 if has(weapons, weapon, WeaponAbility.TORRENT) else 1 + int(weapons[weapon]["hit_rolls"])


def wound_counts(weapons: Array, weapon: int, near: int, target: Target, rules: Array) -> Array:
    """Probabilities that one hit roll makes [i, j]: i wounds to allocate and j Critical Wounds of Devastating
    Wounds.
    """
    row = weapons[weapon]
    roll = np.zeros((2, 2))
    for strength, chance_of_it in enumerate(amount_sum(row, "strength")):
        if chance_of_it > 0.0:
            roll += chance_of_it * wound_roll(weapons, weapon, near, strength, target, rules)
    if has(weapons, weapon, WeaponAbility.TORRENT):
        return roll

    hit = hit_needed(weapons, weapon, near, target.stealthy, rules)
    die = faces(hits_again(weapons, weapon, near, hit, rules))
    critical_hit = die[max(hit, special_hit(weapons, weapon, near, rules)) :].sum()
    normal_hit = die[hit:].sum() - critical_hit
    extra = np.ones(1)
    granted = granted_hits(weapons, weapon, near)
    if granted:
        extra = dice_sum(0, 0, granted)
    elif has(weapons, weapon, WeaponAbility.SUSTAINED_HITS):
        extra = amount_sum(row, "sustained")
    of_critical = np.array([[0.0], [1.0]]) if lethal(weapons, weapon, near) else roll
    of_critical = convolve2(power_mix(extra, roll), of_critical)

    out = np.zeros((max(2, of_critical.shape[0]), max(2, of_critical.shape[1])))
    out[: of_critical.shape[0], : of_critical.shape[1]] = critical_hit * of_critical
    out[:2, :2] += normal_hit * roll
    out[0, 0] += 1.0 - normal_hit - critical_hit
    return out


def failed_save(weapons: Array, weapon: int, near: int, target: Target, rules: Array) -> float:
    """Probability that the better save of a model of the target fails."""
    # A model without flags of its own: cover comes from ``near`` alone.
    flags = np.zeros(1, [("flags", "u8")])
    cover = covered(flags, weapons, 0, weapon, near, rules)
    armour = armour_needed(target.save, int(weapons[weapon]["ap"]), cover, near, rules)
    invulnerable = invulnerable_needed(target.invulnerable, near, rules)
    needed = [n for n in (armour, invulnerable) if n > 0]
    if not needed:
        return 1.0
    best = min(7, *needed)
    again = near & REROLLS_SAVES
    if again == REROLLS_SAVES and not 0 < invulnerable <= best:  # none is used
        again = 0
    die = faces(best if again == Near.REROLL_SAVES else 2 if again else 1)
    return float(die[:best].sum())


def damage_rolls(weapons: Array, weapon: int, near: int) -> Array:
    """Probabilities of the Damage of an attack, before ``damage_bonus`` and abilities of the target."""
    row = weapons[weapon]
    dice, sides = int(row["damage_dice"]), int(row["damage_sides"])
    rolls = dice_sum(dice, sides, 0)
    twice_mean = dice * (sides + 1)
    if melts(weapons, weapon, near):
        more, faces_of_it = int(row["melta_dice"]), int(row["melta_sides"])
        rolls = np.convolve(rolls, dice_sum(more, faces_of_it, 0))
        dice, twice_mean = dice + more, twice_mean + more * (faces_of_it + 1)
    again = np.array([rerolls_damage(near, die, dice, twice_mean) for die in range(len(rolls))])
    rolls = np.where(again, 0.0, rolls) + rolls[again].sum() * rolls
    return np.convolve(rolls, dice_sum(0, 0, int(row["damage_plus"])))


def suffered(damage: Array, bonus: int, near: int) -> Array:
    """Probabilities of the Damage of an allocated attack, from those of the roll (``damage``), after ``bonus`` and
    abilities of the target.
    """
    out = np.zeros(len(damage) + bonus + 1)
    for points, chance_of_it in enumerate(damage):
        out[damage_suffered(points, bonus, near)] += chance_of_it
    return out


def with_another(counts: Array, fails: float) -> Array:
    """Probabilities [i, j] of a hit roll and, if it inflicts no damage, another one: i unsaved wounds, j Critical
    Wounds of Devastating Wounds.

    ``counts``: probabilities of a single hit roll (``wound_counts``). ``fails``: probability that a wound is not saved.
    """
    unsaved = np.zeros_like(counts)
    for wounds, chances in enumerate(counts):
        for lost in range(wounds + 1):
            unsaved[lost] += comb(wounds, lost) * fails**lost * (1.0 - fails) ** (wounds - lost) * chances
    nothing = unsaved[0, 0]
    both: Array = (1.0 + nothing) * unsaved
    both[0, 0] = nothing * nothing
    return both


def loss_step(target: Target, damage: Array, fails: float, mortal: bool = False) -> Array:
    """Transition matrix over the wounds left in the unit for one attack to save; excess damage is lost. ``mortal``: it
    is a mortal wound.
    """
    needed = target.feel_no_pain
    if mortal and target.feel_no_pain_mortal:
        needed = min(needed or 7, target.feel_no_pain_mortal)
    ignored = (7 - needed) / 6.0 if needed else 0.0
    point = np.array([[ignored], [1.0 - ignored]])
    suffered = power_mix(damage, point)[:, 0]
    total = target.models * target.wounds
    step = np.zeros((total + 1, total + 1))
    step[0, 0] = 1.0
    for left in range(1, total + 1):
        current = (left - 1) % target.wounds + 1
        step[left, left] += 1.0 - fails
        for points, chance in enumerate(suffered):
            step[left, left - min(points, current)] += fails * chance
    return step


def shifted(attacks: Array, more: int, least: bool) -> Array:
    """Probabilities of a number of attacks plus ``more``, at least 0, or at least 1 if ``least``."""
    out = np.zeros(max(2, len(attacks) + max(0, more)))
    for number, chance_of_it in enumerate(attacks):
        out[max(1 if least else 0, number + more)] += chance_of_it
    return np.trim_zeros(out, "b")


def number_of_attacks(weapons: Array, weapon: int, attackers: int, near: int, rules: Array) -> Array:
    """Probabilities of the number of attacks that ``attackers`` models make with a profile."""
    row = weapons[weapon]
    attacks = amount_sum(row, "attacks")
    least = least_attacks(weapons, weapon, near, rules)
    if least > 0:
        attacks = np.concatenate([np.zeros(least), [attacks[: least + 1].sum()], attacks[least + 1 :]])
    attacks = shifted(attacks, attacks_bonus(weapons, weapon, near, rules), more_attacks(near) < 0)
    if fires_rapidly(weapons, weapon, near):
        attacks = np.convolve(attacks, dice_sum(int(row["rapid_fire_dice"]), int(row["rapid_fire_sides"]), 0))
    number = np.ones(1)
    for _ in range(attackers):
        number = np.convolve(number, attacks)
    return number


def damage_distribution(
    weapons: Array,
    weapon: int,
    attackers: int,
    near: int,
    target: Target,
    rules: Array,
    another: bool = False,
) -> Odds:
    """The exact outcome of ``attackers`` models attacking once each with a profile.

    ``near``: circumstances of the attacks (``Near``). ``another``: each hit roll that inflicts no damage generates one
    more attack, made after the others, that generates none itself (rare.generated-attacks); as all damage is alike, the
    order makes no difference. Mortal wounds of Devastating Wounds follow all normal damage
    (attack.mortal.after-normal).
    """
    number = number_of_attacks(weapons, weapon, attackers, near, rules)
    counts = wound_counts(weapons, weapon, near, target, rules)
    fails = failed_save(weapons, weapon, near, target, rules)
    if another:
        counts, fails = with_another(counts, fails), 1.0
    rolls = hit_rolls(weapons, weapon)
    wounds = power_mix(number, power_mix(np.eye(1 + rolls)[-1], counts) if rolls > 1 else counts)

    rolled, bonus = damage_rolls(weapons, weapon, near), damage_bonus(weapons, weapon, near)
    damage = np.convolve(rolled, dice_sum(0, 0, bonus))  # of mortal wounds
    step = loss_step(target, suffered(rolled, bonus, near), fails)
    total = target.models * target.wounds
    left = np.zeros(total + 1)
    left[total] = 1.0
    after = np.zeros((wounds.shape[1], total + 1))  # by number of Critical Wounds: wounds left after the normal damage
    untouched = left * target.shrugs  # by wounds left: no attack was shrugged off yet
    left = left - untouched
    for count in range(wounds.shape[0]):
        after += wounds[count][:, None] * (left + untouched)
        left = left @ step + fails * untouched
        untouched = (1.0 - fails) * untouched

    # mortal wounds: the number of points, then point by point (Horner's scheme over the points still to come)
    points = np.zeros(((wounds.shape[1] - 1) * (len(damage) - 1) + 1, total + 1))
    mortals = np.ones(1)
    for crits in range(wounds.shape[1]):
        points[: len(mortals)] += mortals[:, None] * after[crits]
        if crits + 1 < wounds.shape[1]:
            mortals = np.convolve(mortals, damage)
    spill = loss_step(target, np.array([0.0, 1.0]), 1.0, mortal=True)
    final = points[-1]
    for later in points[-2::-1]:
        final = final @ spill + later

    lost = final[::-1].copy()
    killed = np.zeros(target.models + 1)
    for n, chance in enumerate(lost):
        killed[n // target.wounds] += chance
    return Odds(killed, lost)


# ---------------------------------------------------------------- one number, fast


@kernel
def chance(lowest: int) -> float:
    """Probability that a D6 shows ``lowest`` or more."""
    return max(0, 7 - max(1, lowest)) / 6.0


@kernel
def mean_dice(count: int, sides: int, plus: int) -> float:
    """Mean of ``count`` dice of ``sides`` plus ``plus``."""
    return count * (sides + 1) / 2.0 + plus


@inner_kernel
def mean_suffered(mean: float, bonus: int, near: int) -> float:
    """Approximate mean Damage, after abilities of the target, of rolls with mean ``mean``."""
    return mean / 3.0 * damage_suffered(3, 0, near) + bonus


@inner_kernel
def mean_capped(count: int, sides: int, plus: int, bonus: int, cap: int, near: int) -> float:
    """Mean of the smaller of ``cap`` and the Damage of a roll after abilities (exact for one die)."""
    if count == 0:
        return min(float(cap), float(damage_suffered(plus, bonus, near)))
    if count > 1:
        return min(float(cap), mean_suffered(mean_dice(count, sides, plus), bonus, near))
    total = 0.0
    rolled_again = 0
    for face in range(1, sides + 1):
        if rerolls_damage(near, face, 1, sides + 1):
            rolled_again += 1
        total += min(cap, damage_suffered(face + plus, bonus, near))
    mean = total / sides
    for face in range(1, sides + 1):
        if rerolls_damage(near, face, 1, sides + 1):
            total -= min(cap, damage_suffered(face + plus, bonus, near))
    return float((total + rolled_again * mean) / sides)


@inner_kernel
def chance_of_sum(count: int, sides: int, total: int) -> float:
    """Probability that ``count`` dice of ``sides`` add up to ``total`` (inclusion and exclusion of dice that show too
    much).
    """
    ways = 0.0
    sign = 1.0
    of_count = 1.0  # count over k
    for k in range((total - count) // sides + 1):
        above = 1.0  # (total - k * sides - 1) over (count - 1)
        for n in range(1, count):
            above *= (total - k * sides - n) / n
        ways += sign * of_count * above
        of_count *= (count - k) / (k + 1.0)
        sign = -sign
    return float(ways / float(sides) ** count)


@inner_kernel
def mean_at_least(count: int, sides: int, plus: int, least: int) -> float:
    """Mean of the larger of ``least`` and a roll (``count`` dice of ``sides`` plus ``plus``)."""
    mean = mean_dice(count, sides, plus)
    if count == 0:
        return max(float(least), mean)
    for total in range(count, min(least - plus, count * sides + 1)):
        mean += chance_of_sum(count, sides, total) * (least - plus - total)
    return mean


@inner_kernel
def mean_wounding(
    weapons: Array, weapon: int, near: int, strength: int, toughness: int, critical: int, rules: Array, hits: float
) -> tuple[float, float]:
    """Mean wounds caused by ``hits`` hits with this Strength: normal wounds, and those of Devastating Wounds."""
    needed = wound_needed(weapons, weapon, near, strength, toughness, critical, rules)
    factor = 1.0
    if near & Near.REROLL_WOUNDS.value != 0 or has(weapons, weapon, WeaponAbility.TWIN_LINKED.value):
        factor = 2.0 - chance(needed)
    else:
        kept = wounds_again(weapons, weapon, near, strength, toughness, critical, needed, rules)
        factor += max(kept - 1, 1 if near & Near.REROLL_WOUND_ONES.value else 0) / 6.0
    wounds = hits * chance(needed) * factor
    mortal = 0.0
    if devastating(weapons, weapon, near):
        mortal = hits * chance(max(needed, critical)) * factor
        wounds -= mortal
    return wounds, mortal


@inner_kernel
def mean_unsaved(models: Array, weapons: Array, weapon: int, near: int, model: int, rules: Array) -> float:
    """The share of the wounds allocated to a model that its best save does not prevent."""
    save = armour_needed(
        models[model]["save"], weapons[weapon]["ap"], covered(models, weapons, model, weapon, near, rules), near, rules
    )
    save = finely_armoured(models, model, save)
    invulnerable = False
    for kind in (models[model]["invulnerable"], models[model]["invulnerable2"]):
        other = invulnerable_needed(kind, near, rules)
        if other > 0 and (save == 0 or other <= save):
            save = other
            invulnerable = True
    if save <= 0:
        return 1.0
    fails = 1.0 - chance(save)
    again = near & REROLLS_SAVES
    if again == Near.REROLL_SAVES.value:
        fails *= fails
    elif again != 0 and (again != REROLLS_SAVES or invulnerable):
        fails -= chance(save) / 6.0
    return fails


@inner_kernel
def _mean_hits(
    models: Array, units: Array, weapons: Array, weapon: int, target: int, near: int, rules: Array
) -> tuple[float, float, float]:
    """The hit step of one attack: the factor to the number of attacks, mean hits to wound with, mean sure wounds."""
    row = weapons[weapon]
    hits = 1.0  # of one attack: hits that need a wound roll; below: automatic wounds
    automatic = 0.0
    rolls = 1.0
    if not has(weapons, weapon, WeaponAbility.TORRENT.value):
        needed = hit_needed(weapons, weapon, near, all_stealthy(models, units, target), rules)
        factor = 1.0 + (hits_again(weapons, weapon, near, needed, rules) - 1) / 6.0
        rolls += row["hit_rolls"]
        hits = chance(needed) * factor
        critical = chance(max(needed, special_hit(weapons, weapon, near, rules))) * factor
        granted = granted_hits(weapons, weapon, near)
        if granted > 0:
            hits += critical * granted
        elif has(weapons, weapon, WeaponAbility.SUSTAINED_HITS.value):
            hits += critical * mean_dice(row["sustained_dice"], row["sustained_sides"], row["sustained_plus"])
        if lethal(weapons, weapon, near):
            hits -= critical
            automatic = critical
    return rolls, hits, automatic


@inner_kernel
def _after_feel_no_pain(loss: float, ignores: int, second: int, rules: Array) -> float:
    """The mean wounds that a model loses of ``loss`` that it suffers, with up to two Feel No Pain values (0: none)."""
    if rules[0]["ignore_twice"] != 0 and ignores > 0 and second > 0:
        loss *= 1.0 - chance(second)
    elif second > 0 and (ignores == 0 or second < ignores):
        ignores = second
    if ignores > 0:
        loss *= 1.0 - chance(ignores)
    return loss


@inner_kernel
def mean_wounds(
    models: Array, units: Array, weapons: Array, rules: Array, weapon: int, target: int, near: int
) -> float:
    """Mean number of wounds that the target loses to one model's attacks with a profile, under the rules of an edition.

    It multiplies the means of the steps for the model that would take the first attack. Damage above its Wounds
    characteristic, or above what the unit has left, does not count. That a hurt model wastes damage is ignored.
    """
    _, model = candidates(models, units, target, rules)
    if model < 0:
        return 0.0
    row = weapons[weapon]
    attacks = mean_at_least(
        row["attacks_dice"], row["attacks_sides"], row["attacks_plus"], least_attacks(weapons, weapon, near, rules)
    )
    attacks += attacks_bonus(weapons, weapon, near, rules)
    if more_attacks(near) < 0:
        attacks = max(1.0, attacks)
    if fires_rapidly(weapons, weapon, near):
        attacks += mean_dice(row["rapid_fire_dice"], row["rapid_fire_sides"], 0)

    factor, hits, automatic = _mean_hits(models, units, weapons, weapon, target, near, rules)
    attacks *= factor

    critical_die = critical_against(models, units, weapons, weapon, near, target, rules)
    toughness = toughness_against(models, units, weapons, weapon, target)
    strength = row["strength_plus"]
    count = row["strength_dice"]
    wounds = 0.0
    mortal = 0.0
    if count == 0:
        wounds, mortal = mean_wounding(weapons, weapon, near, strength, toughness, critical_die, rules, hits)
    for total in range(count, count * row["strength_sides"] + 1 if count > 0 else 0):
        part = hits * chance_of_sum(count, row["strength_sides"], total)
        some, crits = mean_wounding(weapons, weapon, near, strength + total, toughness, critical_die, rules, part)
        wounds += some
        mortal += crits
    wounds += automatic

    unsaved = wounds * mean_unsaved(models, weapons, weapon, near, model, rules)
    plus = row["damage_plus"]
    bonus = damage_bonus(weapons, weapon, near)
    more = row["melta_dice"] if melts(weapons, weapon, near) else 0
    wide = models[model]["max_wounds"]
    rolled = mean_dice(row["damage_dice"], row["damage_sides"], plus) + mean_dice(more, row["melta_sides"], 0)
    if more == 0:
        loss = unsaved * mean_capped(row["damage_dice"], row["damage_sides"], plus, bonus, wide, near)
    elif row["damage_dice"] == 0:
        loss = unsaved * mean_capped(more, row["melta_sides"], plus, bonus, wide, near)
    else:
        loss = unsaved * min(float(wide), mean_suffered(rolled, bonus, near))
    loss += mortal * (rolled + bonus)
    loss = _after_feel_no_pain(loss, models[model]["feel_no_pain"], models[model]["feel_no_pain2"], rules)
    return float(min(attacks * loss, float(wounds_left(models, units, target))))


@inner_kernel
def wounds_left(models: Array, units: Array, unit: int) -> int:
    """The wounds left of all models of a unit on the battlefield."""
    left = 0
    for n in range(member_count(units, unit)):
        k = member(units, unit, n)
        if models[k]["unit"] == unit and models[k]["on_table"]:
            left += models[k]["wounds"]
    return int(left)


@kernel
def expected_wounds(
    models: Array, units: Array, weapons: Array, rules: Array, model: int, weapon: int, target: int, near: int
) -> float:
    """``mean_wounds`` for a living attacking model, 0 for a dead one: the estimate for the choice of weapons and
    targets.
    """
    if models[model]["alive"] == 0:
        return 0.0
    return mean_wounds(models, units, weapons, rules, weapon, target, near)
