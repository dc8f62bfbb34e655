"""Volleys and powers of the 8th edition by all dice there are, against fractions that know nothing of the code.

The dice of the oracle are counted one attack at a time; those of the engine are rolled fast, and one by one.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from attack_oracles import Amount, Case, convolved, single_shots, three_attacks
from eighth import EighthScene

from wh_env.rulesets.w8.numbers import ATTACK_NUMBERS
from wh_env.rulesets.w40k.attack.odds import Target
from wh_env.rulesets.w40k.attack.rolls import Near
from wh_env.rulesets.w40k.psychic.data import PsychicProfile
from wh_env.testing import dice_left, kind, pick, script, sheet

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

CASES = tuple(
    Case(*case)
    for case in (
        (4, 3, 0, 1, 0, 0, False, GUARD),
        (3, 6, -1, 1, 0, 0, True, GUARD),
        (3, 4, -1, 2, 0, 0, False, MARINE),
        (3, 4, -1, (1, 3, 0), MINUS_TWO, -2, False, MARINE),
        (2, 8, -4, (1, 6, 0), MINUS_TWO, -2, False, TERMINATOR),
        (6, 10, -3, (1, 3, 1), MINUS, -1, True, TERMINATOR),  # it never hits
        (3, 4, 0, 1, int(Near.HIT_PLUS | Near.HIT_PLUS_2ND), 2, False, TANK),
        (5, 16, -2, (1, 6, 2), 0, 0, True, TANK),
    )
)


def chance_of(case: Case) -> Fraction:
    """How likely one attack of a case is not saved."""
    return unsaved(case.bs, case.s, case.ap, case.target, case.hit, case.cover)


@pytest.mark.parametrize("case", range(len(CASES)))
@pytest.mark.parametrize("attackers", [1, 2])
def test_all_dice_of_single_shots(case: int, attackers: int) -> None:
    single_shots(ATTACK_NUMBERS, CASES[case], attackers, chance_of(CASES[case]))


@pytest.mark.parametrize("case", [0, 2, 6])
def test_all_dice_of_three_attacks(case: int) -> None:
    three_attacks(ATTACK_NUMBERS, CASES[case], chance_of(CASES[case]))


@pytest.mark.parametrize("case", range(len(CASES)))
@pytest.mark.parametrize(("attackers", "a"), [(5, 2), (2, (2, 3, 1)), (10, 1)])
def test_larger_volleys_by_convolution(case: int, attackers: int, a: Amount) -> None:
    convolved(ATTACK_NUMBERS, CASES[case], attackers, a, chance_of(CASES[case]))


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
