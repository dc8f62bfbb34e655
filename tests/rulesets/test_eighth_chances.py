"""Psychic tests, Perils, denying and Morale tests of the 8th edition by all dice there are, against closed sums."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from eighth import EighthScene

from wh_env import Battle
from wh_env.rulesets.w40k.psychic.data import Affects, PsychicPower, PsychicProfile
from wh_env.testing import UnitHandle, pick, script, sheet

Odds = dict[int, Fraction]
PAIRS = tuple(product(range(1, 7), repeat=2))
PSYKER = ("INFANTRY", "CHARACTER", "PSYKER")
W = 20  # wounds of everybody in the psychic positions


# ---------------------------------------------------------------- powers


def lost(battle: Battle, unit: UnitHandle) -> int:
    """Wounds that a unit of one model has lost."""
    return int(battle.models.max_wounds[unit.first] - battle.models.wounds[unit.first])


def casting(charge: int, active: int, deniers: int) -> tuple[Battle, UnitHandle, UnitHandle]:
    """A psyker has been selected and knows Bolt, of this value and one mortal wound; the choice of a power is next."""
    scene = EighthScene()
    bolt = PsychicPower("Bolt", charge, "mortal", Affects.ENEMY, 18, amount=(0, 0, 1))
    psyker = scene.unit(
        active, sheet("Psyker", W=W, keywords=PSYKER), at=(30, 20), psychic=PsychicProfile(1, 0, (bolt,))
    )
    enemy = scene.unit(1 - active, sheet("Enemy", W=W), at=(30, 30))
    for number in range(deniers):
        deny = PsychicProfile(0, 1)
        scene.unit(1 - active, sheet(f"D{number}", W=W, keywords=PSYKER), at=(40, 38 + 2 * number), psychic=deny)
    battle = scene.battle("psychic", active=active)
    pick(battle, "Psyker")
    return battle, psyker, enemy


@pytest.mark.parametrize("active", [0, 1])
@pytest.mark.parametrize("charge", range(2, 13))
def test_a_power_manifests_and_perils_strike_in_so_many_of_36(charge: int, active: int) -> None:
    """By the way of throwing two dice; Perils on two of 36, whether or not the power manifests."""
    battle, psyker, enemy = casting(charge, active, 0)
    manifested, hurt = 0, Counter[int]()
    for a, b in PAIRS:
        then = battle.clone()
        script(then, (a, b, 5))
        pick(then, "Psyker: Bolt (")
        manifested += lost(then, enemy)
        hurt[lost(then, psyker)] += 1
        assert (lost(then, psyker) > 0) == ((a, b) in {(1, 1), (6, 6)})
    assert manifested == sum(6 - abs(7 - total) for total in range(charge, 13))
    assert hurt == {0: 34, 3: 2}


@pytest.mark.parametrize("active", [0, 1])
@pytest.mark.parametrize("test", [(1, 4), (2, 4), (3, 5), (4, 6), (6, 5), (6, 6)])
def test_a_power_is_denied_in_so_many_of_36(test: tuple[int, int], active: int) -> None:
    """The sum must be greater; the dice of a denier cause no Perils."""
    battle, psyker, enemy = casting(5, active, 1)
    script(battle, (*test, 1) if test == (6, 6) else test)
    pick(battle, "Psyker: Bolt (")
    denied = 0
    for roll in PAIRS:
        then = battle.clone()
        script(then, roll)
        pick(then, "denies")
        denied += lost(then, enemy) == 0
        assert sum(then.models.max_wounds) - sum(then.models.wounds) == lost(then, enemy) + lost(then, psyker)
        assert lost(then, psyker) == (test == (6, 6))
    assert denied == sum(1 for a, b in PAIRS if a + b > sum(test))


# ---------------------------------------------------------------- nerves


def fleeing(slain: int, left: int, leadership: int) -> Odds:
    """How likely so many models flee: by as much as the die and the slain are more than the highest Leadership, at most all that are left."""
    odds: Odds = {}
    for die in range(1, 7):
        fled = min(left, max(0, die + slain - leadership))
        odds[fled] = odds.get(fled, Fraction(0)) + Fraction(1, 6)
    return odds


def shaken(
    models: int, slain: int, leadership: int, player: int, active: int, leader: int | None
) -> tuple[Battle, UnitHandle]:
    """The Morale phase is about to begin with a unit that has lost so many of its models this turn; ``leader``: the Leadership of one model
    that is left."""
    scene = EighthScene()
    for side in (0, 1):
        scene.unit(side, sheet(f"Calm {side}"), at=(50, 10 + 20 * side), models=1)
    spots = [(10 + 1.5 * k, 22.0) for k in range(models)]
    unit = scene.unit(player, sheet("Shaken", Ld=leadership), at=spots, lost=range(slain))

    def strike(battle: Battle) -> None:
        for k in range(slain):
            battle.toll[unit.model(k)] = 1
        if leader is not None:
            battle.models.leadership[unit.model(models - 1)] = leader

    return scene.battle("morale", active=active, set_state=strike, run=False), unit


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("active", [0, 1])
@pytest.mark.parametrize("leader", [None, 10])
@pytest.mark.parametrize(
    ("models", "slain", "leadership"),
    [(2, 1, 7), (3, 1, 5), (4, 2, 6), (5, 1, 5), (5, 2, 4), (5, 3, 8), (6, 5, 9), (10, 7, 7), (10, 9, 5), (12, 5, 6), (20, 11, 7)],
)  # fmt: skip
def test_so_many_models_flee(
    models: int, slain: int, leadership: int, leader: int | None, active: int, player: int
) -> None:
    """In the turn of either player; nobody passes for the die alone."""
    battle, unit = shaken(models, slain, leadership, player, active, leader)
    left = models - slain
    found: Odds = {}
    for die in range(1, 7):
        then = battle.clone()
        script(then, [die])
        then.run()
        fled = left - int(then.units.alive[unit])
        found[fled] = found.get(fled, Fraction(0)) + Fraction(1, 6)
    assert found == fleeing(slain, left, max(leadership, leader or 0))


def test_four_sums_by_hand() -> None:
    """One of two slain with Ld 7: 7 is no more than 7. Three slain with Ld 8 and two left: a 6 costs one. Ten dead are too many for a 1."""
    third, sixth = Fraction(1, 3), Fraction(1, 6)
    assert fleeing(1, 1, 7) == {0: 1}
    assert fleeing(3, 2, 8) == {0: Fraction(5, 6), 1: sixth}
    assert fleeing(10, 9, 7) == {4: sixth, 5: sixth, 6: sixth, 7: sixth, 8: sixth, 9: sixth}
    assert fleeing(4, 2, 6) == {0: third, 1: sixth, 2: Fraction(1, 2)}
