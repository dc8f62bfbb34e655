"""Volleys of the attack machine again and again: targets, and whether what happens follows exact odds."""

from __future__ import annotations

import numba
import numpy as np
from scipy import stats

from wh_env.core.kernel import kernel
from wh_env.core.tables import Array
from wh_env.rulesets.w10.numbers import ATTACK_NUMBERS
from wh_env.rulesets.w40k.attack.machine import begin_group, begin_pending, begin_volley, resolve
from wh_env.rulesets.w40k.attack.odds import Target
from wh_env.rulesets.w40k.attack_row import ATTACK
from wh_env.rulesets.w40k.profiles import Keyword
from wh_env.rulesets.w40k.profiles import WeaponAbility as W
from wh_env.rulesets.w40k.tables import JOB, MODEL, UNIT
from wh_env.testing.weapon_rows import gun

ATTACKS = 2_000 if numba.config.DISABLE_JIT else 200_000  # simulated for each pair
INFANTRY, VEHICLE = int(Keyword.INFANTRY), int(Keyword.VEHICLE)

GUARD = Target(3, 5, wounds=1, models=10, keywords=INFANTRY)
MARINE = Target(4, 3, wounds=2, models=5, keywords=INFANTRY)
TERMINATOR = Target(5, 2, wounds=3, models=5, invulnerable=4, keywords=INFANTRY)
PLAGUE = Target(5, 3, wounds=2, models=7, feel_no_pain=5, keywords=INFANTRY)
DAEMON = Target(4, 0, wounds=1, models=10, invulnerable=5, keywords=INFANTRY)
GHOUL = Target(4, 0, wounds=3, models=3, feel_no_pain=4)
TANK = Target(12, 2, wounds=14, models=1, keywords=VEHICLE)
WALKER = Target(9, 3, wounds=8, models=1, invulnerable=5, feel_no_pain=6, keywords=VEHICLE)
SHADOW = Target(3, 4, wounds=1, models=6, stealthy=True, keywords=INFANTRY)


BOLT = gun(a=2, ap=-1)
MELTA = gun(W.MELTA, s=9, ap=-4, d=(1, 6, 0), melta=2)


@kernel
def simulate(
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
    volleys: int,
    killed: Array,
    lost: Array,
) -> None:
    """Attack an unhurt target again and again; count models destroyed and wounds lost."""
    count = units[1]["count"]
    first = units[1]["first"]
    for _ in range(volleys):
        for model in range(first, first + count):
            models[model]["wounds"] = models[model]["max_wounds"]
            models[model]["alive"] = 1
            models[model]["on_table"] = 1
            models[model]["allocated"] = 0
        units[1]["alive"] = count
        for job in range(attack[0]["jobs"]):
            jobs[job]["attacks"] = -1
        attack[0]["casualties"] = 0
        begin_volley(attack, 0)
        begin_group(units, jobs, attack, 0)
        resolve(models, units, weapons, jobs, attack, rules, dice, script, log, casualties)
        begin_pending(attack)
        resolve(models, units, weapons, jobs, attack, rules, dice, script, log, casualties)
        wounds = 0
        for model in range(first, first + count):
            wounds += models[model]["max_wounds"] - models[model]["wounds"]
        lost[wounds] += 1
        killed[count - units[1]["alive"]] += 1


def tables(weapon, attackers, near, target):
    """One attacker's row and the target as the machine sees them."""
    models = np.zeros(1 + target.models, MODEL)
    models["alive"] = models["on_table"] = models["wounds"] = models["max_wounds"] = 1
    body = models[1:]
    body["unit"] = body["datasheet"] = 1
    body["toughness"], body["save"], body["invulnerable"] = target.toughness, target.save, target.invulnerable
    body["feel_no_pain"], body["keywords"] = target.feel_no_pain, target.keywords
    body["wounds"] = body["max_wounds"] = target.wounds
    body["flags"] = 1 << 6 if target.stealthy else 0
    units = np.zeros(2, UNIT)
    units["leader"] = units["bodyguard"] = -1
    units["count"] = units["alive"] = [1, target.models]
    units["first"] = [0, 1]
    units["keywords"][1] = target.keywords
    jobs = np.zeros(attackers, JOB)
    jobs["target"], jobs["near"] = 1, int(near)
    attack = np.zeros(1, ATTACK)
    attack["jobs"] = attackers
    return models, units, weapon, jobs, attack, ATTACK_NUMBERS


def chi_square(counts, odds):
    """p-value of counts against probabilities, bins merged from both ends until each expects enough."""
    expected = odds * counts.sum()
    assert counts[expected < 1e-9].sum() == 0, "something impossible happened"
    bins, want, have = [], 0.0, 0.0
    for e, n in zip(expected, counts):
        want, have = want + e, have + n
        if want >= 8:
            bins.append((want, have))
            want = have = 0.0
    if bins:
        bins[-1] = (bins[-1][0] + want, bins[-1][1] + have)
    if len(bins) < 2:
        return 1.0
    e, n = np.array(bins).T
    return float(stats.chisquare(n, e * n.sum() / e.sum()).pvalue)
