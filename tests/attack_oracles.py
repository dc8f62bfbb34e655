"""What tests of attacks of several editions share: dice counted one attack at a time in fractions, and the engine with every row of dice.

The fractions know nothing of the code; what an attack needs says each edition's test for itself.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pytest

from wh_env.core.frozen import frozen
from wh_env.core.kernel import kernel
from wh_env.core.tables import DICE, Array
from wh_env.rulesets.w40k.attack.machine import begin_group, begin_pending, begin_volley, resolve
from wh_env.rulesets.w40k.attack.odds import Target, damage_distribution
from wh_env.rulesets.w40k.attack.rolls import Near
from wh_env.rulesets.w40k.attack_row import ATTACK, LOG_COLUMNS
from wh_env.rulesets.w40k.profiles import WEAPON
from wh_env.rulesets.w40k.tables import JOB, MODEL, UNIT
from wh_env.testing.weapon_rows import gun

Odds = dict[int, Fraction]  # of numbers
Amount = int | tuple[int, int, int]


def faces(amount: Amount) -> Odds:
    """How likely each amount is: a number, or dice, sides and what is added; a D3 is a D6 halved and rounded up."""
    if isinstance(amount, int):
        return {amount: Fraction(1)}
    dice, sides, plus = amount
    found: Counter[int] = Counter()
    for roll in product(range(1, 7), repeat=dice):
        found[plus + sum(-(-die * sides // 6) for die in roll)] += 1
    return {value: Fraction(count, 6**dice) for value, count in found.items()}


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
                begin_group(units, jobs, attack, job)
                resolve(models, units, weapons, jobs, attack, rules, dice, script, log, casualties)
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


def played(
    rules: Array, weapon: Array, attackers: int, near: int, target: Target, longest: int, one_by_one: bool
) -> Odds:
    """How likely the attacks cost the target so many wounds under the rules of an edition, by all rows of dice."""
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
    rows: Any = models, units, weapon, jobs, attack, rules, np.zeros(1, DICE), *buffers, found
    assert by_all_dice(*rows)
    return {gone: Fraction(int(rows_), 6**longest) for gone, rows_ in enumerate(found) if rows_}


# ---------------------------------------------------------------- what the code says needs such a die


def profile(skill: int = 4, strength: int = 4, ap: int = 0, abilities: int = 0, melee: bool = False) -> Array:
    """One weapon."""
    row = np.zeros(1, WEAPON)
    row["skill"], row["strength_plus"], row["ap"], row["abilities"], row["melee"] = (
        skill,
        strength,
        ap,
        abilities,
        melee,
    )
    return frozen(row)


BETTER = {"hit": (Near.HIT_PLUS, Near.HIT_PLUS_2ND), "wound": (Near.WOUND_PLUS, Near.WOUND_PLUS_2ND)}
WORSE = {"hit": (Near.HIT_MINUS, Near.HIT_MINUS_2ND), "wound": (Near.WOUND_MINUS, Near.WOUND_MINUS_2ND)}


def flags(what: str, better: int, worse: int) -> int:
    """The circumstances with so many modifiers to the better and to the worse."""
    return sum(int(flag) for flag in (*BETTER[what][:better], *WORSE[what][:worse]))


def dice(needed: int) -> list[bool]:
    """Which of the six faces succeed."""
    return [die >= needed for die in range(1, 7)]


# ---------------------------------------------------------------- an edition's cases, in three ways


class Case(NamedTuple):
    """One attack: skill, Strength, AP, Damage, circumstances, what they do to the hit roll, whether there is cover, the target."""

    bs: int
    s: int
    ap: int
    d: Amount
    near: int
    hit: int
    cover: bool
    target: Target

    @property
    def circumstances(self) -> int:
        """As bits."""
        return self.near | (int(Near.COVER) if self.cover else 0)

    def weapon(self, a: Amount) -> Array:
        """With so many attacks."""
        return gun(a=a, bs=self.bs, s=self.s, ap=self.ap, d=self.d)


def single_shots(rules: Array, case: Case, attackers: int, unsaved: Fraction) -> None:
    """All dice of so many weapons of one attack, at once and one after the other; ``unsaved``: how likely one attack is."""
    right = lost({attackers: Fraction(1)}, unsaved, faces(case.d), case.target)
    assert sum(right.values()) == 1
    for fast in (False, True):
        assert played(rules, case.weapon(1), attackers, case.circumstances, case.target, 4 * attackers, fast) == right


def three_attacks(rules: Array, case: Case, unsaved: Fraction) -> None:
    """All dice of one weapon with three attacks, of three weapons at once and one after the other."""
    right = lost({3: Fraction(1)}, unsaved, faces(case.d), case.target)
    for a, attackers, fast in ((3, 1, False), (1, 3, False), (1, 3, True)):
        assert played(rules, case.weapon(a), attackers, case.circumstances, case.target, 9, fast) == right


def convolved(rules: Array, case: Case, attackers: int, a: Amount, unsaved: Fraction) -> None:
    """The exact distribution that policies are told is that of the fractions."""
    shots: Odds = {0: Fraction(1)}
    for _ in range(attackers):
        more: Odds = {}
        for (n, p), (m, q) in product(shots.items(), faces(a).items()):
            more[n + m] = more.get(n + m, Fraction(0)) + p * q
        shots = more
    right = lost(shots, unsaved, faces(case.d), case.target)
    odds = damage_distribution(case.weapon(a), 0, attackers, case.circumstances, case.target, rules)
    assert odds.lost.tolist() == pytest.approx([float(right.get(n, 0)) for n in range(len(odds.lost))], abs=1e-12)
