"""Attacks that generate attacks: what battles do with every outcome of every die, against the exact distribution."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from ninth import NinthScene

from wh_env.content.attack_odds import Circumstances, Range
from wh_env.content.battle import Battle
from wh_env.rulesets.w9.numbers import ATTACK_NUMBERS
from wh_env.rulesets.w40k.attack.odds import Target, damage_distribution
from wh_env.testing import dice_left, kind, pick, ranged, sheet, told
from wh_env.testing.weapon_rows import gun

AGAIN, TWICE = "one more attack for each that inflicts no damage", "2 hit rolls for each attack"
ROLLS = ("w9.attack.hit", "w9.attack.wound", "w9.attack.save", "w9.attack.ignore-wounds")
LONGEST = 24  # dice


def volley(weapon: dict[str, Any], effects: tuple[str, ...], dice: list[int], models: int, **aim: Any) -> Battle:
    """A model shoots at a unit with these dice; nothing else is left to roll."""
    scene = NinthScene()
    able = {"other": [{"name": f"{n} {e}", "effect": e, "active": True} for n, e in enumerate(effects)]}
    scene.unit(0, sheet("Guns", weapons={"gun": weapon}, abilities=able), at=(20, 10), models=1, name="Guns")
    scene.unit(1, sheet("Aim", **aim), at=[(20 + 1.5 * n, 20) for n in range(models)], name="Aim")
    scene.unit(1, sheet("Far", W=9), at=(50, 40), models=1)  # so that the battle goes on
    battle = scene.battle("shooting", dice=dice, rules={"cp_each_command_phase": 0})
    pick(battle, "Guns")
    return battle


def every(weapon: dict[str, Any], effects: tuple[str, ...], models: int, **aim: Any) -> Iterator[tuple[Fraction, int]]:
    """How likely each course of the volley is, by low and high dice, and how many wounds are lost in it.

    What a die has to show is what the battle says that it needs; the dice are counted here.
    """
    course: list[bool] = []
    while True:
        given = [6 if high else 1 for high in course] + [1] * LONGEST
        battle = volley(weapon, effects, given, models, **aim)
        rolls = [event.data for event in battle.events if event.rule in ROLLS]
        used = len(given) - dice_left(battle)
        assert used == len(rolls) <= LONGEST
        course = (course + [False] * used)[:used]
        chance = Fraction(1)
        for event, high in zip(rolls, course, strict=True):
            lower = Fraction(event["needed"] - 1, 6)  # a 1 stands for all that fail, a 6 for all that do not
            chance *= 1 - lower if high else lower
        aimed = next(u for u, name in enumerate(battle.setup.names["units"]) if name == "Aim")
        left = sum(battle.models.wounds[k] for k in battle.members(aimed))
        yield chance, models * aim["W"] - left
        while course and course[-1]:
            course.pop()
        if not course:
            return
        course[-1] = True


CASES = (
    (1, (AGAIN,), 1, {"T": 4, "W": 9, "Sv": 4}, 1, 0),
    (2, (AGAIN,), 1, {"T": 4, "W": 9, "Sv": 5}, 1, 0),
    (2, (AGAIN,), 2, {"T": 4, "W": 1, "Sv": 5}, 1, 0),
    (1, (AGAIN, TWICE), 1, {"T": 4, "W": 2, "Sv": 5}, 2, 0),
    (1, (AGAIN,), 1, {"T": 5, "W": 9, "Sv": 6}, 1, 5),
    (2, (), 1, {"T": 4, "W": 9, "Sv": 5}, 1, 0),
)


@pytest.mark.rule("w9.rare.generated-attacks")
@pytest.mark.parametrize(("attacks", "effects", "models", "aim", "damage", "fnp"), CASES)
def test_the_odds_are_those_of_all_courses_of_a_battle(
    attacks: int, effects: tuple[str, ...], models: int, aim: dict[str, int], damage: int, fnp: int
) -> None:
    more: dict[str, Any] = {**aim, **({"fnp": fnp} if fnp else {})}
    counted = np.zeros(models * aim["W"] + 1)
    total = Fraction(0)
    for chance, lost in every(ranged(24, A=attacks, BS=3, S=4, D=damage), effects, models, **more):
        counted[lost] += float(chance)
        total += chance
    assert total == 1
    weapon = gun(a=attacks, bs=3, s=4, d=damage).copy()
    weapon["hit_rolls"] = int(TWICE in effects)
    target = Target(aim["T"], aim["Sv"], wounds=aim["W"], models=models, feel_no_pain=fnp)
    odds = damage_distribution(weapon, 0, 1, 0, target, ATTACK_NUMBERS, another=AGAIN in effects)
    assert odds.lost == pytest.approx(counted, abs=1e-12)
    assert odds.killed.sum() == pytest.approx(1.0)


@pytest.mark.parametrize(("hit_rolls", "attacks"), [(0, (0, 0, 3)), (1, (1, 3, 0))])
def test_each_attack_has_two_chances_of_one_damage(hit_rolls: int, attacks: tuple[int, int, int]) -> None:
    """Plenty of wounds: on average each hit roll inflicts p + (1 - p) p."""
    p = 2 / 3 * 1 / 2 * 2 / 3
    target = Target(4, 5, wounds=40)
    weapon = gun(a=attacks, bs=3, s=4).copy()
    weapon["hit_rolls"] = hit_rolls
    odds = damage_distribution(weapon, 0, 1, 0, target, ATTACK_NUMBERS, another=True)
    rolls = (1 + hit_rolls) * (attacks[2] + attacks[0] * (attacks[1] + 1) / 2)
    assert odds.mean_lost == pytest.approx(rolls * (p + (1 - p) * p))


def test_a_range_is_told_of_them() -> None:
    """No datasheet of those that come along has such an ability, so it is said."""
    there = Range("w9", "Intercessor Squad", "Intercessor Squad")
    row = there.profiles()[0]
    assert not there.generates
    plain, another = (there.attack(row, Circumstances(another=said), 5).odds for said in (False, True))
    assert plain.mean_lost < another.mean_lost < 2 * plain.mean_lost
    there.generates = True
    assert (there.attack(row, Circumstances(), 5).odds.lost == another.lost).all()


def test_a_datasheet_says_so() -> None:
    """The duel of a datasheet with the ability knows of it: the attacker is its first model."""
    battle = volley(ranged(24, A=1, BS=3, S=4), (AGAIN,), [1] * LONGEST, 1, T=4, W=9, Sv=4)
    powers = battle.setup.statics["powers"]["generated"]
    assert [power.models for power in powers] == [(0,)]
    assert kind(battle) is not None and len(told(battle, "w9.rare.generated-attacks")) == 1
