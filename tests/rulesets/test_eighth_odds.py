"""Volleys and powers of the 8th edition by all dice there are, against fractions that know nothing of the code.

The dice of the oracle are counted one attack at a time; those of the engine are rolled fast, and one by one.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from attack_oracles import Amount, Odds, faces, lost, played
from eighth import EighthScene

from wh_env.rulesets.w8.numbers import ATTACK_NUMBERS
from wh_env.rulesets.w40k.attack.odds import Target, damage_distribution
from wh_env.rulesets.w40k.attack.rolls import Near
from wh_env.rulesets.w40k.psychic.data import PsychicProfile
from wh_env.testing import dice_left, kind, pick, script, sheet
from wh_env.testing.weapon_rows import gun

# ---------------------------------------------------------------- the oracle: nothing here knows how the code does it


def chance(required: int, modifier: int = 0) -> Fraction:
    """That a die succeeds: a 1 never does, and no other die by itself."""
    return Fraction(sum(1 for die in range(2, 7) if die + modifier >= required), 6)


def unsaved(bs: int, s: int, ap: int, target: Target, hit: int = 0, cover: bool = False) -> Fraction:
    """How likely one attack hits, wounds and is not saved; AP is 0 or less, ``hit`` a modifier."""
    table = 4 if s == target.toughness else 3 if s > target.toughness else 5
    table = 2 if s >= 2 * target.toughness else 6 if 2 * s <= target.toughness else table
    saved = chance(target.save, ap + cover)
    if target.invulnerable:
        saved = max(saved, chance(target.invulnerable))
    return chance(bs, hit) * chance(table) * (1 - saved)


GUARD = Target(3, 5, wounds=1, models=3)
MARINE = Target(4, 3, wounds=2, models=2)
TERMINATOR = Target(5, 2, wounds=3, models=2, invulnerable=5)
TANK = Target(8, 3, wounds=9, models=1)
MINUS, MINUS_TWO = int(Near.HIT_MINUS), int(Near.HIT_MINUS | Near.HIT_MINUS_2ND)
COVER = int(Near.COVER)

# skill, Strength, AP, Damage, circumstances, what they do to the hit roll, whether there is cover, the target
CASES: tuple[tuple[int, int, int, Amount, int, int, bool, Target], ...] = (
    (4, 3, 0, 1, 0, 0, False, GUARD),
    (3, 6, -1, 1, 0, 0, True, GUARD),
    (3, 4, -1, 2, 0, 0, False, MARINE),
    (3, 4, -1, (1, 3, 0), MINUS_TWO, -2, False, MARINE),
    (2, 8, -4, (1, 6, 0), MINUS_TWO, -2, False, TERMINATOR),
    (6, 10, -3, (1, 3, 1), MINUS, -1, True, TERMINATOR),  # it never hits
    (3, 4, 0, 1, int(Near.HIT_PLUS | Near.HIT_PLUS_2ND), 2, False, TANK),
    (5, 16, -2, (1, 6, 2), 0, 0, True, TANK),
)


@pytest.mark.parametrize("case", range(len(CASES)))
@pytest.mark.parametrize("attackers", [1, 2])
def test_all_dice_of_single_shots(case: int, attackers: int) -> None:
    bs, s, ap, d, near, hit, cover, target = CASES[case]
    near |= COVER if cover else 0
    weapon = gun(a=1, bs=bs, s=s, ap=ap, d=d)
    right = lost({attackers: Fraction(1)}, unsaved(bs, s, ap, target, hit, cover), faces(d), target)
    assert sum(right.values()) == 1
    assert played(ATTACK_NUMBERS, weapon, attackers, near, target, 4 * attackers, False) == right
    assert played(ATTACK_NUMBERS, weapon, attackers, near, target, 4 * attackers, True) == right


@pytest.mark.parametrize("case", [0, 2, 6])
def test_all_dice_of_three_attacks(case: int) -> None:
    """By one weapon with three attacks, by three weapons at once and one after the other."""
    bs, s, ap, d, near, hit, cover, target = CASES[case]
    right = lost({3: Fraction(1)}, unsaved(bs, s, ap, target, hit, cover), faces(d), target)
    assert played(ATTACK_NUMBERS, gun(a=3, bs=bs, s=s, ap=ap, d=d), 1, near, target, 9, False) == right
    single = gun(a=1, bs=bs, s=s, ap=ap, d=d)
    assert played(ATTACK_NUMBERS, single, 3, near, target, 9, False) == right
    assert played(ATTACK_NUMBERS, single, 3, near, target, 9, True) == right


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


# ---------------------------------------------------------------- powers


def smite_reading(denier: bool, wounds: int) -> Counter[tuple[int, int]]:
    """Of all rows of dice (two of the test, one of Perils, two to deny, one of the effect): how many cost the enemy and the psyker so many
    wounds. Each row has six dice, used or not."""
    found: Counter[tuple[int, int]] = Counter()
    for a, b, perils, c, d, effect in product(range(1, 7), repeat=6):
        test = a + b
        hurt = (perils + 1) // 2 if (a, b) in ((1, 1), (6, 6)) else 0
        slain = hurt >= wounds
        works = test >= 5 and not slain and not (denier and c + d > test)
        struck = (effect if test > 10 else (effect + 1) // 2) if works else 0
        found[struck, min(hurt, wounds)] += 1
    return found


@pytest.mark.parametrize(("denier", "wounds"), [(False, 1), (False, 2), (False, 3), (False, 4), (True, 2)])
def test_smite_by_all_dice(denier: bool, wounds: int) -> None:
    """Every row of dice is played: the test, Perils of the Warp, denying, the effect; the explosion hurts nobody but the psyker."""
    scene = EighthScene()
    psyker = sheet("P", W=wounds, keywords=("PSYKER",))
    scene.unit(0, psyker, at=(10, 10), psychic=PsychicProfile(1, 0))
    scene.unit(0, sheet("Friend"), at=(50, 5))
    scene.unit(1, sheet("Enemy", W=6), at=(10, 21))
    scene.unit(1, sheet("Denier", W=6, keywords=("PSYKER",)), at=(30, 15), psychic=PsychicProfile(0, int(denier)))
    start = scene.battle("psychic")
    total = Counter[tuple[int, int]]()

    def play(row: tuple[int, ...]) -> None:
        """All rows that begin so; what is not rolled may be any die."""
        battle = start.clone()
        script(battle, [*row, *(6 - len(row)) * [1]])
        pick(battle, "P")
        if kind(battle) == "deny":
            pick(battle, "Denier denies")
        used = 6 - dice_left(battle)
        if used > len(row):
            for die in range(1, 7):
                play((*row, die))
            return
        m = battle.models
        total[6 - m.wounds[2], wounds - m.wounds[0]] += 6 ** (6 - len(row))

    play(())
    assert total == smite_reading(denier, wounds)


def test_how_often_smite_is_manifested() -> None:
    """30 of 36."""
    reading = smite_reading(False, 99)
    assert Fraction(sum(n for (struck, _), n in reading.items() if struck), 6**6) == Fraction(30, 36)
