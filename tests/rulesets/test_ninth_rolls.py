"""The dice that attacks of the 9th edition need, against a reading of the rules that adds modifiers to each die (w9.attack.*)."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from attack_oracles import dice, flags, profile

from wh_env.core.frozen import frozen
from wh_env.rulesets.w9.numbers import ATTACK_NUMBERS
from wh_env.rulesets.w40k.attack import rolls
from wh_env.rulesets.w40k.attack.rolls import Near
from wh_env.rulesets.w40k.profiles import WEAPON, WeaponAbility

# the plain reading: nothing below knows how the code does it


def capped(modifier: int) -> int:
    """No more than one either way."""
    return max(-1, min(1, modifier))


def hits(die: int, skill: int, modifier: int) -> bool:
    """A 6 hits, a 1 misses, else die and modifiers reach the skill."""
    return die == 6 or (die != 1 and die + capped(modifier) >= skill)


def wounds(die: int, strength: int, toughness: int, modifier: int) -> bool:
    """A 6 wounds, a 1 does not, else die and modifiers reach what the table says."""
    if strength >= 2 * toughness:
        required = 2
    elif strength > toughness:
        required = 3
    elif strength == toughness:
        required = 4
    else:
        required = 6 if 2 * strength <= toughness else 5
    return die == 6 or (die != 1 and die + capped(modifier) >= required)


def saves(die: int, save: int, ap: int, cover: bool, bonus: int) -> bool:
    """A 1 fails, else the die, AP, cover and bonuses reach the save: without any limit."""
    return die != 1 and die + ap + cover + bonus >= save


# how many modifiers of -1 a shot can have beside those of abilities: Dense Cover, Assault after an Advance, Heavy in combat and on the move
SITUATIONS: list[tuple[int, WeaponAbility, int]] = [
    (0, WeaponAbility(0), 0),
    (int(Near.STEALTH), WeaponAbility(0), -1),
    (int(Near.ADVANCED), WeaponAbility.ASSAULT, -1),
    (int(Near.ADVANCED), WeaponAbility(0), 0),
    (0, WeaponAbility.HEAVY, -1),
    (int(Near.STATIONARY), WeaponAbility.HEAVY, 0),
    (int(Near.ENGAGED_SHOOTER), WeaponAbility(0), 0),
    (int(Near.ENGAGED_SHOOTER | Near.STATIONARY), WeaponAbility.HEAVY, -1),
    (int(Near.ENGAGED_SHOOTER | Near.STEALTH), WeaponAbility.HEAVY, -3),
]


@pytest.mark.parametrize("skill", range(2, 7))
@pytest.mark.parametrize(("near", "abilities", "change"), SITUATIONS)
def test_hit_rolls(skill: int, near: int, abilities: WeaponAbility, change: int) -> None:
    for better, worse in product(range(3), range(3)):
        modifier = better - worse + change
        assert -5 <= modifier <= 2
        weapon = profile(skill, abilities=int(abilities))
        needed = rolls.hit_needed(weapon, 0, near | flags("hit", better, worse), False, ATTACK_NUMBERS)
        assert dice(needed) == [hits(die, skill, modifier) for die in range(1, 7)], (better, worse)


@pytest.mark.parametrize("skill", range(2, 7))
@pytest.mark.parametrize("melee", [False, True])
@pytest.mark.parametrize("own", range(-4, 5))
def test_hit_rolls_with_a_modifier_of_the_weapon(skill: int, melee: bool, own: int) -> None:
    """Up to four either way and those of rules: the sum counts as one at most."""
    row = np.copy(profile(skill, melee=melee))
    row["hit"] = own
    for better, worse in product(range(3), range(3)):
        needed = rolls.hit_needed(frozen(row), 0, flags("hit", better, worse), False, ATTACK_NUMBERS)
        assert dice(needed) == [hits(die, skill, own + better - worse) for die in range(1, 7)], (better, worse)


@pytest.mark.parametrize("skill", range(2, 7))
def test_hit_rolls_in_melee_know_no_terrain_and_no_types(skill: int) -> None:
    everything = int(Near.STEALTH | Near.ADVANCED | Near.ENGAGED_SHOOTER)
    types = int(WeaponAbility.HEAVY | WeaponAbility.ASSAULT)
    for better, worse in product(range(3), range(3)):
        weapon = profile(skill, abilities=types, melee=True)
        needed = rolls.hit_needed(weapon, 0, everything | flags("hit", better, worse), False, ATTACK_NUMBERS)
        assert dice(needed) == [hits(die, skill, better - worse) for die in range(1, 7)]


@pytest.mark.parametrize("skill", range(2, 7))
@pytest.mark.parametrize(("steady", "least"), [(False, 6), (True, 5)])
def test_overwatch_hits_on_sixes_or_fives_whatever_the_modifiers(skill: int, steady: bool, least: int) -> None:
    for better, worse in product(range(3), range(3)):
        near = int(Near.SNAP | (Near.STEADY if steady else 0)) | flags("hit", better, worse)
        assert rolls.hit_needed(profile(skill), 0, near, False, ATTACK_NUMBERS) == least


@pytest.mark.parametrize("strength", range(1, 17))
def test_wound_rolls(strength: int) -> None:
    weapon = profile(strength=strength)
    critical = rolls.critical_wound(weapon, 0, 0, 0, ATTACK_NUMBERS)
    for toughness, better, worse in product(range(1, 15), range(3), range(3)):
        near = flags("wound", better, worse)
        needed = rolls.wound_needed(weapon, 0, near, strength, toughness, critical, ATTACK_NUMBERS)
        right = [wounds(die, strength, toughness, better - worse) for die in range(1, 7)]
        assert dice(needed) == right, (toughness, better, worse)


def test_no_die_is_critical_by_itself() -> None:
    assert rolls.critical_wound(profile(), 0, 0, 0, ATTACK_NUMBERS) > 6
    assert ATTACK_NUMBERS["critical"][0] > 6


@pytest.mark.parametrize("save", range(2, 8))
def test_armour_saves(save: int) -> None:
    bonuses = (0, int(Near.SAVE_PLUS), int(Near.SAVE_PLUS | Near.SAVE_PLUS_2ND))
    for ap, cover, bonus in product(range(0, -7, -1), (False, True), range(3)):
        needed = rolls.armour_needed(save, ap, cover, bonuses[bonus], ATTACK_NUMBERS)
        assert dice(needed) == [saves(die, save, ap, cover, bonus) for die in range(1, 7)], (ap, cover, bonus)


@pytest.mark.parametrize("save", range(2, 7))
def test_invulnerable_saves_know_neither_ap_nor_cover(save: int) -> None:
    for bonus, near in enumerate((0, int(Near.SAVE_PLUS), int(Near.SAVE_PLUS | Near.SAVE_PLUS_2ND))):
        needed = rolls.invulnerable_needed(save, near, ATTACK_NUMBERS)
        assert dice(needed) == [saves(die, save, 0, False, bonus) for die in range(1, 7)]


# ---------------------------------------------------------------- Blast


def blast(dice_and_plus: tuple[int, int, int], size: int) -> tuple[int, bool]:
    """The fewest attacks of a Blast weapon, and whether its dice are rolled."""
    row = np.zeros(1, WEAPON)
    row["abilities"] = int(WeaponAbility.BLAST)
    row["attacks_dice"], row["attacks_sides"], row["attacks_plus"] = dice_and_plus
    near = size << rolls.BLAST_SHIFT
    row = frozen(row)
    least = rolls.least_attacks(row, 0, near, ATTACK_NUMBERS)
    return int(least), bool(rolls.rolls_attacks(row, 0, near, ATTACK_NUMBERS))


def test_blast_by_the_size_of_the_target() -> None:
    assert blast((1, 6, 0), 0) == (0, True)
    assert blast((1, 6, 0), 1) == (3, True)
    assert blast((1, 6, 0), 2) == (6, False)
    assert blast((2, 3, 0), 1) == (3, True)
    assert blast((2, 3, 0), 2) == (6, False)
    assert blast((1, 3, 3), 2) == (6, False)
    assert blast((0, 0, 1), 1) == (3, True)
