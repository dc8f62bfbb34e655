"""Psychic tests, Perils, denying, Morale tests and attrition of the 9th edition by all dice there are, against closed sums."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import comb

import pytest
from ninth import NinthScene

from wh_env import Battle
from wh_env.rulesets.w40k.psychic.data import Affects, PsychicPower, PsychicProfile
from wh_env.testing import UnitHandle, pick, script, sheet

Odds = dict[int, Fraction]
PAIRS = tuple(product(range(1, 7), repeat=2))
PSYKER = ("INFANTRY", "CHARACTER", "PSYKER")
W = 20  # wounds of everybody in the psychic positions
QUIET = {"cp_each_command_phase": 0}


def lost(battle: Battle, unit: UnitHandle) -> int:
    """Wounds that a unit of one model has lost."""
    return int(battle.models.max_wounds[unit.first] - battle.models.wounds[unit.first])


def bolt(charge: int) -> PsychicPower:
    """One mortal wound for an enemy."""
    return PsychicPower("Bolt", charge, "mortal", Affects.ENEMY, 18, amount=(0, 0, 1))


# ---------------------------------------------------------------- powers


def casting(charge: int, smites: int, active: int, deniers: int) -> tuple[Battle, list[UnitHandle]]:
    """A psyker has selected Bolt of this value, or Smite (0) after so many attempts of its army; the test is next."""
    scene = NinthScene()
    psyker = scene.unit(
        active, sheet("Psyker", W=W, keywords=PSYKER), at=(30, 20), psychic=PsychicProfile(1, 0, (bolt(charge),))
    )
    for number in range(smites):
        at = (10 + 3 * number, 5)
        scene.unit(active, sheet(f"S{number}", W=W, keywords=PSYKER), at=at, psychic=PsychicProfile(1, 0))
    enemy = scene.unit(1 - active, sheet("Enemy", W=W), at=(30, 30))
    for number in range(deniers):
        deny = PsychicProfile(0, 1)
        scene.unit(1 - active, sheet(f"D{number}", W=W, keywords=PSYKER), at=(40, 38 + 2 * number), psychic=deny)
    battle = scene.battle("psychic", active=active, dice=[1, 2] * smites, rules=QUIET)
    for number in range(smites):
        pick(battle, f"S{number}")
        pick(battle, f"S{number}: Smite (")
    pick(battle, "Psyker")
    return battle, [psyker, enemy]


def outcomes(battle: Battle, word: str, dice: int) -> Iterator[tuple[tuple[int, ...], Battle]]:
    """The battle after the attempt, by all dice."""
    for roll in product(range(1, 7), repeat=dice):
        then = battle.clone()
        script(then, roll)
        pick(then, word)
        yield roll, then


@pytest.mark.parametrize("active", [0, 1])
@pytest.mark.parametrize("charge", range(2, 13))
def test_a_power_manifests_and_perils_strike_in_so_many_of_36(charge: int, active: int) -> None:
    """By the way of throwing two dice; Perils on two of 36, whether or not the power manifests."""
    battle, (psyker, enemy) = casting(charge, 0, active, 0)
    manifested, perils = 0, 0
    for roll, then in outcomes(battle, "Psyker: Bolt (", 2):
        manifested += lost(then, enemy)
        perils += lost(then, psyker) > 0
        assert (lost(then, psyker) > 0) == (roll in {(1, 1), (6, 6)})
    ways = sum(6 - abs(7 - total) for total in range(charge, 13))
    assert (manifested, perils) == (ways, 2)


@pytest.mark.parametrize(("smites", "ways"), [(0, 30), (1, 26), (2, 21), (3, 15), (5, 6), (7, 1)])
def test_smite_in_so_many_of_36_after_attempts_of_the_army(smites: int, ways: int) -> None:
    """It takes a D3 from 5 + attempts on, a D6 from 11 on: with the die of the amount 216 outcomes."""
    battle, (_, enemy) = casting(5, smites, 0, 0)
    found: Counter[int] = Counter()
    hits: set[tuple[int, ...]] = set()
    for roll in PAIRS:
        if roll[0] == roll[1] and roll[0] in (1, 6):
            continue  # the die of the Perils comes between
        for die in range(1, 7):
            then = battle.clone()
            script(then, (*roll, die))
            pick(then, "Psyker: Smite (")
            found[lost(then, enemy)] += 1
            if lost(then, enemy):
                hits.add(roll)
    assert len(hits) == ways - 1  # 12 was left out
    small = sum(6 - abs(7 - total) for total in range(5 + smites, 11))
    eleven = 2 if 5 + smites <= 11 else 0
    expected = Counter(dict.fromkeys((1, 2, 3), 2 * small)) + Counter(dict.fromkeys(range(1, 7), eleven))
    assert {amount: count for amount, count in found.items() if amount} == dict(expected)


@pytest.mark.parametrize("active", [0, 1])
@pytest.mark.parametrize("test", [(1, 4), (2, 4), (3, 5), (4, 6), (6, 5), (6, 6)])
def test_a_power_is_denied_in_so_many_of_36(test: tuple[int, int], active: int) -> None:
    """The sum must be greater; the dice of a denier cause no Perils."""
    battle, (_, enemy) = casting(5, 0, active, 1)
    script(battle, (*test, 1) if test == (6, 6) else test)
    pick(battle, "Psyker: Bolt (")
    denied = 0
    for _, then in outcomes(battle, "denies", 2):
        denied += lost(then, enemy) == 0
        assert sum(then.models.max_wounds) - sum(then.models.wounds) - (test == (6, 6)) == lost(then, enemy)
    assert denied == sum(1 for a, b in PAIRS if a + b > sum(test))


def test_the_amounts_of_perils() -> None:
    """A D3: two of six for each."""
    battle, (psyker, _) = casting(5, 0, 0, 0)
    found: Counter[int] = Counter()
    for pair, die in product(((1, 1), (6, 6)), range(1, 7)):
        then = battle.clone()
        script(then, (*pair, die))
        pick(then, "Psyker: Bolt (")
        found[lost(then, psyker)] += 1
    assert found == {1: 4, 2: 4, 3: 4}


# ---------------------------------------------------------------- nerves


def fleeing(models: int, slain: int, leadership: int) -> Odds:
    """How likely so many models flee: the test fails with dice above Ld less the slain, but never with a 1; then one flees, and each of the
    others with one face of six, with two below half of what the unit was mustered with."""
    left = models - slain
    failed = Fraction(sum(1 for die in range(2, 7) if die + slain > leadership), 6)
    others = left - 1
    face = Fraction(2 if 2 * others < models else 1, 6)
    odds: Odds = {0: 1 - failed}
    for more in range(others + 1):
        odds[1 + more] = failed * comb(others, more) * face**more * (1 - face) ** (others - more)
    return {number: chance for number, chance in odds.items() if chance}


def shaken(models: int, slain: int, leadership: int, player: int) -> tuple[Battle, UnitHandle]:
    """The Morale phase is about to begin with a unit that has lost so many of its models this turn."""
    scene = NinthScene()
    for side in (0, 1):
        scene.unit(side, sheet(f"Calm {side}"), at=(50, 10 + 20 * side), models=1)
    spots = [(10 + 1.5 * k, 22.0) for k in range(models)]
    unit = scene.unit(player, sheet("Shaken", Ld=leadership), at=spots, lost=range(slain))

    def strike(battle: Battle) -> None:
        for k in range(slain):
            battle.toll[unit.model(k)] = 1

    return scene.battle("morale", set_state=strike, rules=QUIET, run=False), unit


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("models", "slain", "leadership"),
    [
        (2, 1, 7), (3, 1, 5), (4, 1, 4), (4, 2, 6), (5, 1, 5), (5, 2, 4), (5, 3, 8), (6, 3, 7), (6, 5, 9), (8, 6, 7),
        (10, 7, 9), (10, 9, 5), (12, 9, 6),
    ],
)  # fmt: skip
def test_so_many_models_flee(models: int, slain: int, leadership: int, player: int) -> None:
    battle, unit = shaken(models, slain, leadership, player)
    left = models - slain
    found: Odds = {}
    for roll in product(range(1, 7), repeat=left):  # the test and the others; a test that is passed leaves dice over
        then = battle.clone()
        script(then, roll)
        then.run()
        fled = left - int(then.units.alive[unit])
        found[fled] = found.get(fled, Fraction(0)) + Fraction(1, 6**left)
    assert found == fleeing(models, slain, leadership)


def test_five_sums_by_hand() -> None:
    """Of two models one slain with Ld 7: a 6 is needed, 7 is no more than 7. With Ld 5 (three, one slain) 5 and 6 fail, then one of two
    models flees, the other with 2 of 6 (1 of 3 is below half). Ld 4, four and one: 4, 5, 6 fail, two are left (half). The last of six
    with Ld 9: 5 and 6 fail, nobody is left to test. A 1 passes whatever was lost."""
    assert fleeing(2, 1, 7) == {0: 1}
    assert fleeing(3, 1, 5) == {0: Fraction(2, 3), 1: Fraction(1, 3) * Fraction(2, 3), 2: Fraction(1, 9)}
    half = Fraction(1, 2)
    assert fleeing(4, 1, 4) == {
        0: half,
        1: half * Fraction(25, 36),
        2: half * Fraction(10, 36),
        3: half * Fraction(1, 36),
    }
    assert fleeing(6, 5, 9) == {0: Fraction(2, 3), 1: Fraction(1, 3)}
    assert fleeing(20, 19, 7)[0] == Fraction(1, 6)
