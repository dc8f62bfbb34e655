"""Volleys of the 9th edition by all dice there are, against fractions that know nothing of the code.

The dice of the oracle are counted one attack at a time; those of the engine are rolled fast, and one by one.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

from wh_env.core.kernel import kernel
from wh_env.core.tables import DICE, Array
from wh_env.rulesets.w9.numbers import ATTACK_NUMBERS
from wh_env.rulesets.w40k.attack.machine import ATTACK, LOG_COLUMNS, begin_pending, begin_volley, resolve, resolve_group
from wh_env.rulesets.w40k.attack.odds import Target, damage_distribution
from wh_env.rulesets.w40k.attack.rolls import BLAST_SHIFT, Near
from wh_env.rulesets.w40k.profiles import WeaponAbility as W
from wh_env.rulesets.w40k.tables import JOB, MODEL, UNIT
from wh_env.testing.weapon_rows import gun

Odds = dict[int, Fraction]  # of numbers
Amount = int | tuple[int, int, int]

# ---------------------------------------------------------------- the oracle: nothing here knows how the code does it


def faces(amount: Amount) -> Odds:
    """How likely each amount is: a number, or dice, sides and what is added; a D3 is a D6 halved and rounded up."""
    if isinstance(amount, int):
        return {amount: Fraction(1)}
    dice, sides, plus = amount
    found: Counter[int] = Counter()
    for roll in product(range(1, 7), repeat=dice):
        found[plus + sum(-(-die * sides // 6) for die in roll)] += 1
    return {value: Fraction(count, 6**dice) for value, count in found.items()}


def unsaved(bs: int, s: int, ap: int, target: Target, hit: int = 0, cover: bool = False) -> Fraction:
    """How likely one attack hits, wounds and is not saved; AP is 0 or less, ``hit`` a modifier."""

    def chance(needed: int) -> Fraction:
        return Fraction(sum(1 for die in range(2, 7) if die == 6 or die >= needed), 6)

    table = 4 if s == target.toughness else 3 if s > target.toughness else 5
    table = 2 if s >= 2 * target.toughness else 6 if 2 * s <= target.toughness else table
    best = target.save - ap - cover
    if target.invulnerable:
        best = min(best, target.invulnerable)
    saved = Fraction(sum(1 for die in range(2, 7) if die >= best), 6)
    return chance(bs - max(-1, min(1, hit))) * chance(table) * (1 - saved)


def lost(attacks: Odds, hurt: Fraction, damage: Odds, target: Target) -> Odds:
    """How likely a unit loses so many wounds: damage beyond the wounds of a model is wasted, the wounded one suffers first."""
    total: Odds = {}
    for number, weight in attacks.items():
        now: Odds = {0: weight}
        for _ in range(number):
            then: Odds = {}
            for gone, share in now.items():
                left = target.wounds - gone % target.wounds
                over = gone == target.wounds * target.models
                then[gone] = then.get(gone, Fraction(0)) + share * (1 if over else 1 - hurt)
                for amount, chance in () if over else damage.items():
                    to = gone + min(amount, left)
                    then[to] = then.get(to, Fraction(0)) + share * hurt * chance
            now = then
        for gone, share in now.items():
            total[gone] = total.get(gone, Fraction(0)) + share
    return {gone: share for gone, share in total.items() if share}


# ---------------------------------------------------------------- the engine with every row of dice


@kernel
def by_all_dice(
    models: Array,
    units: Array,
    weapons: Array,
    jobs: Array,
    attack: Array,
    rules: Array,
    dice: Array,
    script: Array,
    log: Array,
    casualties: Array,
    found: Array,
) -> bool:
    """Attack with each row of dice; of a row only those that are rolled count. ``found``: rows of ``len(script)`` dice by wounds lost.

    False: more dice were rolled than there are.
    """
    first, count, longest = units[1]["first"], units[1]["count"], len(script)
    script[:] = 1
    while True:
        for model in range(first, first + count):
            models[model]["wounds"] = models[model]["max_wounds"]
            models[model]["alive"] = models[model]["on_table"] = 1
            models[model]["allocated"] = 0
        units[1]["alive"] = count
        for job in range(attack[0]["jobs"]):
            jobs[job]["attacks"] = -1
        attack[0]["casualties"] = 0
        dice[0]["script_at"], dice[0]["script_end"], dice[0]["counter"] = 0, longest, 0
        begin_volley(attack, 0)
        for job in range(attack[0]["jobs"]):
            if jobs[job]["group"] == job:
                resolve_group(models, units, weapons, jobs, attack, rules, dice, script, log, casualties, job)
        begin_pending(attack)
        resolve(models, units, weapons, jobs, attack, rules, dice, script, log, casualties)
        if dice[0]["counter"] != 0:
            return False
        gone = 0
        for model in range(first, first + count):
            gone += models[model]["max_wounds"] - models[model]["wounds"]
        used = dice[0]["script_at"]
        found[gone] += 6 ** (longest - used)
        at = used - 1
        while at >= 0 and script[at] == 6:
            script[at] = 1
            at -= 1
        if at < 0:
            return True
        script[at] += 1


def played(weapon: Array, attackers: int, near: int, target: Target, longest: int, one_by_one: bool) -> Odds:
    """How likely the attacks cost the target so many wounds, by all rows of dice."""
    models = np.zeros(1 + target.models, MODEL)
    models["alive"] = models["on_table"] = models["wounds"] = models["max_wounds"] = 1
    body = models[1:]
    body["unit"] = body["datasheet"] = 1
    body["toughness"], body["save"], body["invulnerable"] = target.toughness, target.save, target.invulnerable
    body["wounds"] = body["max_wounds"] = target.wounds
    units = np.zeros(2, UNIT)
    units["leader"] = units["bodyguard"] = -1
    units["count"], units["first"] = [1, target.models], [0, 1]
    jobs, attack = np.zeros(attackers, JOB), np.zeros(1, ATTACK)
    jobs["target"], jobs["near"] = 1, near
    jobs["group"] = np.arange(attackers) if one_by_one else 0
    attack["jobs"] = attackers
    found = np.zeros(target.wounds * target.models + 1, np.int64)
    buffers: Any = np.zeros(longest, np.int32), np.zeros((0, LOG_COLUMNS), np.int32), np.zeros(64, np.int32)
    rows: Any = models, units, weapon, jobs, attack, ATTACK_NUMBERS, np.zeros(1, DICE), *buffers, found
    assert by_all_dice(*rows)
    return {gone: Fraction(int(rows_), 6**longest) for gone, rows_ in enumerate(found) if rows_}


GUARD = Target(3, 5, wounds=1, models=3)
MARINE = Target(4, 3, wounds=2, models=2)
TERMINATOR = Target(5, 2, wounds=3, models=2, invulnerable=4)
TANK = Target(8, 3, wounds=9, models=1)
SHADOW, HEAVY_MOVED, COVER = int(Near.STEALTH), int(Near.HIT_MINUS), int(Near.COVER)

# skill, Strength, AP, Damage, circumstances, what they do to the hit roll, whether there is cover, the target
CASES: tuple[tuple[int, int, int, Amount, int, int, bool, Target], ...] = (
    (4, 3, 0, 1, 0, 0, False, GUARD),
    (3, 6, -1, 1, COVER, 0, True, GUARD),
    (3, 4, -1, 2, 0, 0, False, MARINE),
    (3, 4, -1, (1, 3, 0), SHADOW, -1, False, MARINE),
    (2, 8, -4, (1, 6, 0), SHADOW | HEAVY_MOVED, -2, False, TERMINATOR),
    (6, 10, -3, (1, 3, 1), HEAVY_MOVED, -1, True, TERMINATOR),
    (3, 4, 0, 1, int(Near.HIT_PLUS | Near.HIT_PLUS_2ND), 2, False, TANK),
    (5, 16, -2, (1, 6, 2), COVER, 0, True, TANK),
)


@pytest.mark.parametrize("case", range(len(CASES)))
@pytest.mark.parametrize("attackers", [1, 2])
def test_all_dice_of_single_shots(case: int, attackers: int) -> None:
    bs, s, ap, d, near, hit, cover, target = CASES[case]
    near |= COVER if cover else 0
    weapon = gun(a=1, bs=bs, s=s, ap=ap, d=d)
    right = lost({attackers: Fraction(1)}, unsaved(bs, s, ap, target, hit, cover), faces(d), target)
    assert sum(right.values()) == 1
    assert played(weapon, attackers, near, target, 4 * attackers, False) == right
    assert played(weapon, attackers, near, target, 4 * attackers, True) == right


@pytest.mark.parametrize("case", [0, 2, 6])
def test_all_dice_of_three_attacks(case: int) -> None:
    """By one weapon with three attacks, by three weapons at once and one after the other."""
    bs, s, ap, d, near, hit, cover, target = CASES[case]
    right = lost({3: Fraction(1)}, unsaved(bs, s, ap, target, hit, cover), faces(d), target)
    assert played(gun(a=3, bs=bs, s=s, ap=ap, d=d), 1, near, target, 9, False) == right
    single = gun(a=1, bs=bs, s=s, ap=ap, d=d)
    assert played(single, 3, near, target, 9, False) == right
    assert played(single, 3, near, target, 9, True) == right


@pytest.mark.parametrize(("size", "models", "least"), [(0, 5, 0), (1, 6, 3)])
def test_all_dice_of_blast(size: int, models: int, least: int) -> None:
    """D3 shots: against five models as rolled, against six never fewer than three."""
    target = Target(4, 5, wounds=1, models=models)
    shots: Odds = {}
    for number, chance in faces((1, 3, 0)).items():
        shots[max(number, least)] = shots.get(max(number, least), Fraction(0)) + chance
    right = lost(shots, unsaved(4, 4, 0, target), {1: Fraction(1)}, target)
    weapon = gun(W.BLAST, a=(1, 3, 0), bs=4, s=4)
    assert played(weapon, 1, size << BLAST_SHIFT, target, 10, False) == right


@pytest.mark.parametrize("case", range(len(CASES)))
@pytest.mark.parametrize(("attackers", "a"), [(5, 2), (2, (2, 3, 1)), (10, 1)])
def test_larger_volleys_by_convolution(case: int, attackers: int, a: Amount) -> None:
    """The exact distribution that policies are told is that of the fractions."""
    bs, s, ap, d, near, hit, cover, target = CASES[case]
    near |= COVER if cover else 0
    shots: Odds = {0: Fraction(1)}
    for _ in range(attackers):
        more: Odds = {}
        for (n, p), (m, q) in product(shots.items(), faces(a).items()):
            more[n + m] = more.get(n + m, Fraction(0)) + p * q
        shots = more
    right = lost(shots, unsaved(bs, s, ap, target, hit, cover), faces(d), target)
    odds = damage_distribution(gun(a=a, bs=bs, s=s, ap=ap, d=d), 0, attackers, near, target, ATTACK_NUMBERS)
    assert odds.lost.tolist() == pytest.approx([float(right.get(n, 0)) for n in range(len(odds.lost))], abs=1e-12)
