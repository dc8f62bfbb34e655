"""Volleys of the 9th edition by all dice there are, against fractions that know nothing of the code.

The dice of the oracle are counted one attack at a time; those of the engine are rolled fast, and one by one.
"""

from __future__ import annotations

from fractions import Fraction

import pytest
from attack_oracles import Amount, Case, Odds, convolved, faces, lost, played, single_shots, three_attacks

from wh_env.rulesets.w9.numbers import ATTACK_NUMBERS
from wh_env.rulesets.w40k.attack.odds import Target
from wh_env.rulesets.w40k.attack.rolls import BLAST_SHIFT, Near
from wh_env.rulesets.w40k.profiles import WeaponAbility as W
from wh_env.testing.weapon_rows import gun

# ---------------------------------------------------------------- the oracle: nothing here knows how the code does it


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


GUARD = Target(3, 5, wounds=1, models=3)
MARINE = Target(4, 3, wounds=2, models=2)
TERMINATOR = Target(5, 2, wounds=3, models=2, invulnerable=4)
TANK = Target(8, 3, wounds=9, models=1)
SHADOW, HEAVY_MOVED = int(Near.STEALTH), int(Near.HIT_MINUS)

CASES = tuple(
    Case(*case)
    for case in (
        (4, 3, 0, 1, 0, 0, False, GUARD),
        (3, 6, -1, 1, 0, 0, True, GUARD),
        (3, 4, -1, 2, 0, 0, False, MARINE),
        (3, 4, -1, (1, 3, 0), SHADOW, -1, False, MARINE),
        (2, 8, -4, (1, 6, 0), SHADOW | HEAVY_MOVED, -2, False, TERMINATOR),
        (6, 10, -3, (1, 3, 1), HEAVY_MOVED, -1, True, TERMINATOR),
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


@pytest.mark.parametrize(("size", "models", "least"), [(0, 5, 0), (1, 6, 3)])
def test_all_dice_of_blast(size: int, models: int, least: int) -> None:
    """D3 shots: against five models as rolled, against six never fewer than three."""
    target = Target(4, 5, wounds=1, models=models)
    shots: Odds = {}
    for number, chance in faces((1, 3, 0)).items():
        shots[max(number, least)] = shots.get(max(number, least), Fraction(0)) + chance
    right = lost(shots, unsaved(4, 4, 0, target), {1: Fraction(1)}, target)
    weapon = gun(W.BLAST, a=(1, 3, 0), bs=4, s=4)
    assert played(ATTACK_NUMBERS, weapon, 1, size << BLAST_SHIFT, target, 10, False) == right


@pytest.mark.parametrize("case", range(len(CASES)))
@pytest.mark.parametrize(("attackers", "a"), [(5, 2), (2, (2, 3, 1)), (10, 1)])
def test_larger_volleys_by_convolution(case: int, attackers: int, a: Amount) -> None:
    convolved(ATTACK_NUMBERS, CASES[case], attackers, a, chance_of(CASES[case]))
