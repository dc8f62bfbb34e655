"""The dice that attacks of the 8th edition need, against a reading of the rules that adds modifiers to each die (w8.attack.*)."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from attack_oracles import dice, flags, profile

from wh_env.core.frozen import frozen
from wh_env.rulesets.w8.numbers import ATTACK_NUMBERS
from wh_env.rulesets.w40k.attack import rolls
from wh_env.rulesets.w40k.attack.rolls import Near
from wh_env.rulesets.w40k.profiles import WeaponAbility

# the plain reading: nothing below knows how the code does it


def succeeds(die: int, modifier: int, required: int) -> bool:
    """A 1 fails; else die and modifiers reach what is required, without any limit, and a 6 is a die like others."""
    return die != 1 and die + modifier >= required


def required_to_wound(strength: int, toughness: int) -> int:
    """The table of the wound roll."""
    if strength >= 2 * toughness:
        return 2
    if strength > toughness:
        return 3
    if strength == toughness:
        return 4
    return 6 if 2 * strength <= toughness else 5


# what a shot suffers beside the modifiers of abilities: Assault after an Advance, Heavy after a move; nothing else does anything
SITUATIONS: list[tuple[int, WeaponAbility, int]] = [
    (0, WeaponAbility(0), 0),
    (int(Near.ADVANCED), WeaponAbility.ASSAULT, -1),
    (int(Near.ADVANCED), WeaponAbility(0), 0),
    (0, WeaponAbility.HEAVY, -1),
    (int(Near.STATIONARY), WeaponAbility.HEAVY, 0),
    (int(Near.ADVANCED), WeaponAbility.HEAVY | WeaponAbility.ASSAULT, -2),
    (int(Near.STEALTH | Near.ENGAGED_SHOOTER | Near.UNSEEN), WeaponAbility(0), 0),
    (int(Near.STEALTH | Near.ENGAGED_SHOOTER | Near.STATIONARY), WeaponAbility.HEAVY, 0),
]


@pytest.mark.parametrize("skill", range(2, 7))
@pytest.mark.parametrize(("near", "abilities", "change"), SITUATIONS)
@pytest.mark.parametrize("own", range(-2, 3))
def test_hit_rolls(skill: int, near: int, abilities: WeaponAbility, change: int, own: int) -> None:
    """Modifiers from -6 to +4: of the weapon itself, of two abilities either way, of its type."""
    row = np.copy(profile(skill, abilities=int(abilities)))
    row["hit"] = own
    for better, worse in product(range(3), range(3)):
        needed = rolls.hit_needed(frozen(row), 0, near | flags("hit", better, worse), False, ATTACK_NUMBERS)
        modifier = own + better - worse + change
        assert dice(needed) == [succeeds(die, modifier, skill) for die in range(1, 7)], (better, worse)


@pytest.mark.parametrize("skill", range(2, 7))
@pytest.mark.parametrize("modifier", range(-4, 5))
@pytest.mark.parametrize("melee", [False, True])
def test_hit_rolls_by_a_modifier_of_the_weapon(skill: int, modifier: int, melee: bool) -> None:
    row = np.copy(profile(skill, melee=melee))
    row["hit"] = modifier
    needed = rolls.hit_needed(frozen(row), 0, 0, False, ATTACK_NUMBERS)
    assert dice(needed) == [succeeds(die, modifier, skill) for die in range(1, 7)]


@pytest.mark.parametrize("skill", range(2, 7))
def test_hit_rolls_in_melee_know_no_types(skill: int) -> None:
    types = int(WeaponAbility.HEAVY | WeaponAbility.ASSAULT)
    for better, worse in product(range(3), range(3)):
        weapon = profile(skill, abilities=types, melee=True)
        needed = rolls.hit_needed(weapon, 0, int(Near.ADVANCED) | flags("hit", better, worse), False, ATTACK_NUMBERS)
        assert dice(needed) == [succeeds(die, better - worse, skill) for die in range(1, 7)]


@pytest.mark.parametrize("skill", range(2, 7))
def test_overwatch_hits_on_sixes_whatever_the_modifiers(skill: int) -> None:
    for better, worse, steady in product(range(3), range(3), (0, int(Near.STEADY))):
        near = int(Near.SNAP) | steady | flags("hit", better, worse)
        assert rolls.hit_needed(profile(skill), 0, near, False, ATTACK_NUMBERS) == 6


@pytest.mark.parametrize("strength", range(1, 17))
def test_wound_rolls(strength: int) -> None:
    weapon = profile(strength=strength)
    critical = rolls.critical_wound(weapon, 0, 0, 0, ATTACK_NUMBERS)
    for toughness, better, worse in product(range(1, 15), range(3), range(3)):
        near = flags("wound", better, worse)
        needed = rolls.wound_needed(weapon, 0, near, strength, toughness, critical, ATTACK_NUMBERS)
        required = required_to_wound(strength, toughness)
        right = [succeeds(die, better - worse, required) for die in range(1, 7)]
        assert dice(needed) == right, (toughness, better, worse)


def test_no_die_is_critical_by_itself() -> None:
    assert rolls.critical_wound(profile(), 0, 0, 0, ATTACK_NUMBERS) > 6
    assert ATTACK_NUMBERS["critical"][0] > 6


@pytest.mark.parametrize("save", range(2, 8))
def test_armour_saves(save: int) -> None:
    bonuses = (0, int(Near.SAVE_PLUS), int(Near.SAVE_PLUS | Near.SAVE_PLUS_2ND))
    for ap, cover, bonus in product(range(0, -7, -1), (False, True), range(3)):
        needed = rolls.armour_needed(save, ap, cover, bonuses[bonus], ATTACK_NUMBERS)
        right = [succeeds(die, ap + cover + bonus, save) for die in range(1, 7)]
        assert dice(needed) == right, (ap, cover, bonus)


@pytest.mark.parametrize("save", range(2, 7))
def test_invulnerable_saves_know_neither_ap_nor_cover(save: int) -> None:
    for bonus, near in enumerate((0, int(Near.SAVE_PLUS), int(Near.SAVE_PLUS | Near.SAVE_PLUS_2ND))):
        needed = rolls.invulnerable_needed(save, near | int(Near.COVER), ATTACK_NUMBERS)
        assert dice(needed) == [succeeds(die, bonus, save) for die in range(1, 7)]
