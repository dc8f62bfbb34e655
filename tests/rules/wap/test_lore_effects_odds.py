"""Exact odds and appraisals follow what spells do to dice: against rounds that are rolled, and against each other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from arming import man, rider
from enchanting import Rite, cast
from machines import machine
from scipy import stats

from wh_env import Battle
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.rerolls import Rerolls
from wh_env.rulesets.wap.view.appraise_breath import worth_of_direction
from wh_env.rulesets.wap.view.appraise_combat import if_charging, odds_to_break, passes_at_last, share_of_wounds
from wh_env.rulesets.wap.view.appraise_machines import worth_of_machine
from wh_env.rulesets.wap.view.odds import round_odds
from wh_env.rulesets.wap.view.odds_harm import blow_harm, defences, pass_chance, words_of
from wh_env.rulesets.wap.weapons.blows import blow_of
from wh_env.testing.wap import UnitHandle, fight, square

ROLLS, RARE = 1000, 1e-4
KILLERS = man(rules=["Killing Blow"], s=4)
ARMOURED = man("light armour", "shield", t=4, w=2)
# lore, spell, casting result, whether it is cast on an own unit; the cards of that unit and of its enemy
SPELLS: dict[str, tuple[str, str, int, bool, Any, Any]] = {
    "flaming sword": ("fire", "Flaming Sword", 8, True, man(i=5), man(t=4, rules=["Regeneration (4+)"])),
    "enchanted blades": ("metal", "Enchanted Blades", 9, True, man(i=5), ARMOURED),
    "rust": ("metal", "Plague of Rust", 7, False, man("light armour", "shield"), man(i=4)),
    "scales": ("metal", "Scales of Steel", 9, True, man("light armour"), man(s=4, a=2)),
    "lead": ("metal", "Transmutation of Lead", 12, False, man("medium armour"), man()),
    "anraheir": ("beasts", "Anraheir", 9, False, man(a=2), man()),
    "convergence": ("heavens", "Harmonic", 6, True, man("light armour", "shield", a=2), man(a=2)),
    "convergence of killers": ("heavens", "Harmonic", 6, True, KILLERS, ARMOURED),
    "wind": ("heavens", "Midnight Wind", 10, False, man("light armour", a=2), man(a=2)),
    "wind on killers": ("heavens", "Midnight Wind", 10, False, KILLERS, ARMOURED),
    "protection": ("light", "Pha's Protection", 6, True, man(), man(a=2)),
    "mindrazor": ("shadow", "Mindrazor", 18, True, man("great weapon", ld=6), ARMOURED),
}


def enchanted(name: str, owner: int = 0) -> tuple[Battle, UnitHandle, UnitHandle]:
    """The battle of a pairing after the spell; the unit that it is on, and its enemy."""
    lore, spell, total, own, card, other = SPELLS[name]
    rite = Rite(lore, owner)
    unit = (rite.own if own else rite.enemy)(card, (12, 18), models=6, files=6)
    foe = rite.facing(unit, other, own=not own, models=8, files=4)
    battle = rite.battle()
    cast(battle, spell, unit, total, version=f"the version of {total}+")
    battle.recorder = None
    return battle, unit, foe


def rolled(battle: Battle, first: int, second: int, shape: tuple[int, ...]) -> Array:
    """How often the first unit lost so many wounds and the second so many."""
    found, table = np.zeros(shape), battle.clone()
    for seed in range(ROLLS):
        table.copy_from(battle, seed=seed)
        fight(table, first)
        left = np.bincount(
            table.models.rows["unit"], weights=table.models.rows["wounds"], minlength=len(table.units.owner)
        )
        found[tuple(np.array(shape) - 1 - left[[first, second]].astype(int))] += 1
    return found


def chi_square(counts: Array, expected: Array) -> float:
    """P value; cells with an expectation below 5 are taken together, with the most common one if they are too few."""
    assert counts[expected == 0].sum() == 0
    order = np.argsort(-expected.ravel())
    seen, told = counts.ravel()[order], expected.ravel()[order] * counts.sum()
    common = max(1, int((told >= 5).sum()))
    seen, told = np.append(seen[:common], seen[common:].sum()), np.append(told[:common], told[common:].sum())
    if told[-1] < 5:
        seen, told = np.append(seen[:-2], seen[-2:].sum()), np.append(told[:-2], told[-2:].sum())
    return float(stats.chisquare(seen, told * seen.sum() / told.sum()).pvalue)


@pytest.mark.parametrize("name", SPELLS)
def test_rounds_of_the_enchanted_are_rolled_as_the_odds_say(name: str) -> None:
    battle, unit, foe = enchanted(name)
    odds = round_odds(battle, unit.row, foe.row)
    assert odds.lost.sum() == pytest.approx(1.0)
    assert chi_square(rolled(battle, unit.row, foe.row, odds.lost.shape), odds.lost) > RARE


@pytest.mark.parametrize("owner", [0, 1])
@pytest.mark.parametrize("name", SPELLS)
def test_averages_are_those_of_the_exact_odds(name: str, owner: int) -> None:
    battle, unit, foe = enchanted(name, owner)
    for one, other in ((unit, foe), (foe, unit)):
        blow = blow_of(battle, one.row, battle.units.first_line[one], other.row)
        chances = blow_harm(battle, other.row, blow, *defences(battle, other.row)[0], 0)
        mean = sum(n * share for n, share in enumerate(chances))
        assert share_of_wounds(battle, blow, other.row, 0) == pytest.approx(mean)


@pytest.mark.parametrize("needed", range(2, 7))
def test_re_rolls_are_counted_alike(needed: int) -> None:
    """By enumeration of two dice."""
    faces = range(1, 7)
    for rerolls in (
        Rerolls(), Rerolls(failed=1), Rerolls(passed=1), Rerolls(ones=True), Rerolls(sixes=True),
        Rerolls(failed=1, ones=True), Rerolls(passed=1, sixes=True), Rerolls(ones=True, sixes=True), Rerolls(failed=1, sixes=True),
    ):  # fmt: skip
        again = rerolls.faces(needed)
        shown = [second if again >> first & 1 else first for first in faces for second in faces]
        share = sum(die >= needed for die in shown) / 36
        assert pass_chance(needed, *words_of(rerolls)) == pytest.approx(share)
        assert passes_at_last(needed, rerolls) == pytest.approx(share)


def test_rules_that_help_and_rules_that_harm_cancel() -> None:
    """1s that may be rolled again and 6s that must be: no die is."""
    rite = Rite("heavens")
    own = rite.own(man(i=5), (12, 18), models=5)
    rite.facing(own, man(i=1), models=5)
    battle = rite.battle()
    cast(battle, "Harmonic", own, 6)
    blow = blow_of(battle, own.row, battle.units.first_line[own], own.row)
    assert blow.rerolls.faces(4) == 1 << 1
    assert (blow.rerolls + Rerolls(sixes=True)).faces(4) == (blow.rerolls + Rerolls(passed=1)).faces(4) == 0


def test_the_average_of_riders_under_the_mindrazor_before_a_charge() -> None:
    """A lance adds nothing to minds."""
    rite = Rite("shadow")
    riders = rite.own(rider("lance", ld=8), (12, 18), models=5)
    foe = rite.enemy(None, (12, 30), models=5)
    battle = rite.battle()
    line = battle.units.first_line[riders]
    plain = blow_of(battle, riders.row, line, foe.row)
    assert if_charging(battle, riders.row, line, plain).strength > plain.strength
    cast(battle, "Mindrazor", riders, 18)
    cut = blow_of(battle, riders.row, line, foe.row)
    assert if_charging(battle, riders.row, line, cut).strength == cut.strength == 8


def test_those_who_pass_all_tests_do_not_break() -> None:
    rite = Rite("light")
    own = rite.own(None, (12, 14), models=5)
    foe = rite.enemy(None, (12, 30), models=5)
    battle = rite.battle()
    assert odds_to_break(battle, own.row, foe.row, 3.0, 1.0) > 0.3
    cast(battle, "Light of Battle", own, 9)
    assert odds_to_break(battle, own.row, foe.row, 3.0, 1.0) == 0.0


@pytest.mark.parametrize("owner", [0, 1])
def test_a_machine_in_a_blizzard_is_worth_half_its_shots(owner: int) -> None:
    rite = Rite("heavens", owner)
    gun = rite.enemy(machine("cannon"), (18, 26), models=1)
    target = rite.own(square(), (18, 12), models=20, files=5)
    battle = rite.battle()
    plain = worth_of_machine(battle, gun.row, 0, target.row)
    cast(battle, "Iceshard", gun, 5)
    assert worth_of_machine(battle, gun.row, 0, target.row) == pytest.approx(0.5 * plain) and plain > 0


def test_a_breath_in_a_blizzard_is_worth_half() -> None:
    rite = Rite("heavens")
    dragon = square(type="monster", base_mm=[50.8, 101.6], w=4, rules=["Breath Attack (S4)"])
    beast = rite.enemy(dragon, (18, 17), models=1, files=1)
    target = rite.own(None, (18, 12), models=20, files=5)
    battle = rite.battle()
    models = list(battle.members(target.row))[:6]
    plain = worth_of_direction(battle, beast.row, "S4", models)
    cast(battle, "Iceshard", beast, 5)
    assert worth_of_direction(battle, beast.row, "S4", models) == pytest.approx(0.5 * plain) and plain > 0
