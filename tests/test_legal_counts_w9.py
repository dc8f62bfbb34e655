"""How many sequences of answers frozen positions of the 9th edition allow, each worked out a second time in plain code.

What is counted, and the plain geometry, is that of ``test_legal_counts``: grids of 17 x 17, round bases of 1 inch.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations
from math import hypot

import pytest
from ninth import NinthScene
from test_legal_counts import EPS, LATTICE, R, far, sequences, way_of_a_unit, window

from wh_env import Battle
from wh_env.rulesets.w40k.psychic.data import PsychicProfile
from wh_env.testing import Scene, melee, pick, sheet

PSYKER = ("INFANTRY", "PSYKER")
HERO = ("INFANTRY", "CHARACTER")


# ---------------------------------------------------------------- moves


def test_a_move_onto_a_marker() -> None:
    """Markers keep nobody off: all 197 places, with one 3" away."""
    scene = NinthScene()
    scene.unit(0, sheet("Mine"), at=(30, 22))
    scene.unit(1, sheet("Theirs"), at=(30, 42))
    scene.marker(33, 22)
    battle = scene.battle("movement")
    pick(battle, "Normal move")
    assert sequences(battle, 1) == {("move-to",): LATTICE}
    assert sequences(battle, 2) == {("move-to", "move-kind"): LATTICE * 3}


def test_a_move_before_a_row_of_friends() -> None:
    """Nobody moves through friends: 17 of them, 1.02" from middle to middle, reach farther to either side than 6". Of the rows ahead
    only the first, 0.75", is short of them (2" less two halves of a base)."""
    friends = [(30 + 1.02 * k, 24.0) for k in range(-8, 9)]
    scene = NinthScene()
    scene.unit(0, sheet("Mine"), at=(30, 22))
    for k, at in enumerate(friends):
        scene.unit(0, sheet(f"Friend {k}"), at=at)
    scene.unit(1, sheet("Theirs"), at=(30, 42))
    battle = scene.battle("movement")
    pick(battle, "Mine")
    pick(battle, "Normal move")
    free = window(30, 22, 6, lambda x, y: y < 24 and all(far((x, y), at) >= 0 for at in friends))
    assert free == 122
    assert sequences(battle, 1) == {("move-to",): 122}


def test_where_to_fall_back_to() -> None:
    """Nobody falls back through the enemy, 0.5" ahead: places within 1" of it are lost, and those to which there is no way around it that
    bends once and is no longer than 6"."""
    scene = NinthScene()
    scene.unit(0, sheet("Mine"), at=(30, 22))
    scene.unit(1, sheet("Theirs"), at=(30, 23.5))
    battle = scene.battle("movement")

    def clear(x: float, y: float) -> bool:
        return hypot(x - 30, y - 23.5) > 2 * R + 1 + EPS

    def free(x: float, y: float) -> bool:
        return clear(x, y) and ((x, y) == (30, 22) or way_of_a_unit(x - 30, y - 22, 6, (0, 1.5)))

    assert (window(30, 22, 6, clear), window(30, 22, 6, free)) == (176, 167)
    assert sequences(battle, 1) == {("move-kind",): 2}
    assert sequences(battle, 2) == {("move-kind", "pile-in"): 2, ("move-kind", "fall-back-to"): 167}


# ---------------------------------------------------------------- powers


def test_powers_and_denying() -> None:
    """Either of two psykers, or none, which leads to the Charge phase with its two units that may charge, or nobody: 3. Each psyker
    attempts Smite or nothing: 2 * 2. It manifests with 7: one psyker of the enemy denies it or not, 2 * 2. After nothing the other
    psyker is asked or nobody, 2 * 2; in the Charge phase 2 units, each with 2 targets, and without a charge the other player's 2 units."""
    scene = NinthScene()
    for k in range(2):
        scene.unit(0, sheet(f"Psyker {k}", keywords=PSYKER), at=(20 + 5 * k, 10), psychic=PsychicProfile(1, 0))
    enemies = (25, 20), (30, 21)
    scene.unit(1, sheet("Enemy"), at=enemies[0])
    scene.unit(1, sheet("Denier", keywords=PSYKER), at=enemies[1], psychic=PsychicProfile(0, 1))
    battle = scene.battle("psychic", dice=[3, 4, 1])
    reach = [sum(far((20 + 5 * k, 10), at) <= 12 for at in enemies) for k in range(2)]
    assert reach == [1, 2]
    assert sequences(battle, 1) == {("select-psyker",): 3}
    assert sequences(battle, 2) == {("select-psyker", "select-to-charge"): 3, ("select-psyker", "select-power"): 2 * 2}
    third = sequences(battle, 3)
    assert third["select-psyker", "select-power", "select-psyker"] == 2 * 2
    assert third["select-psyker", "select-power", "deny"] == 2 * 2


# ---------------------------------------------------------------- charges


def charge(dice: Iterable[int]) -> Battle:
    """A model at (20, 10), enemies 4" ahead and 4.22" ahead and aside, 0.5" apart; another one 13" away cannot be charged."""
    scene = NinthScene()
    scene.unit(0, sheet("Mine", weapons={"blade": melee(A=1)}), at=(20, 10))
    scene.unit(1, sheet("Ahead", W=3), at=(20, 15))
    scene.unit(1, sheet("Aside", W=3), at=(21.5, 15))
    scene.unit(1, sheet("Far"), at=(20, 24))
    return scene.battle("charge", dice=list(dice))


def ends(roll: float, targets: Iterable[tuple[float, float]], others: Iterable[tuple[float, float]]) -> int:
    """Places on a grid of 0.05" to which a base at (20, 10) can go straight: within 1" of each target, of nobody else."""
    found, steps = 0, range(-160, 161)
    for x, y in ((20 + 0.05 * i, 10 + 0.05 * j) for i in steps for j in steps):
        if hypot(x - 20, y - 10) > roll:
            continue
        if all(0 <= far((x, y), at) <= 1 for at in targets) and all(far((x, y), at) > 1 for at in others):
            found += 1
    return found


@pytest.mark.parametrize(
    ("dice", "alone", "both"),
    [([1, 1], False, False), ([1, 2], True, False), ([1, 3], True, True), ([3, 3], True, True)],
)
def test_after_the_charge_roll(dice: list[int], alone: bool, both: bool) -> None:
    """Ahead is a target; no more, or Aside too: 2. A charge at both succeeds if some place is within 1" of both, and at Ahead alone if one
    is within 1" of it and not of Aside."""
    ahead, aside = (20.0, 15.0), (21.5, 15.0)
    assert (ends(sum(dice), [ahead], [aside]) > 0, ends(sum(dice), [ahead, aside], []) > 0) == (alone, both)
    battle = charge(dice)
    assert sequences(battle, 1) == {("select-to-charge",): 2}
    assert sequences(battle, 2) == {("select-to-charge", "select-to-move"): 3, ("select-to-charge", "charge-target"): 2}
    pick(battle, "Mine")
    pick(battle, "Ahead")
    assert sequences(battle, 1) == {("charge-target",): 2}
    charged = []
    assert battle.decision is not None
    for action in battle.decision.options:
        then = battle.clone()
        then.apply(action)
        charged.append(then.models.y[0] > 10)
    assert sorted(charged) == sorted([alone, both])


def check_heroic_interventions(scene: Scene) -> None:
    """The charger declares none: of three CHARACTERS the two within 3" may intervene, or nobody. It has three targets."""
    at = {"Near": (20, 23), "Beside": (22, 23), "Far": (20, 26)}
    scene.unit(0, sheet("Mine"), at=(20, 20))
    for name, spot in at.items():
        scene.unit(1, sheet(name, keywords=HERO), at=spot)
    battle = scene.battle("charge")
    near = [name for name, spot in at.items() if far((20, 20), spot) <= 3]
    assert near == ["Near", "Beside"]
    assert sequences(battle, 2) == {
        ("select-to-charge", "select-to-intervene"): len(near) + 1,
        ("select-to-charge", "charge-target"): len(at),
    }


def test_heroic_interventions() -> None:
    check_heroic_interventions(NinthScene())


# ---------------------------------------------------------------- nerves


def test_who_flees() -> None:
    """Six models 0.5" apart, two of them slain. A 6 and 2 is more than 5: one of four flees; dice 1, 2, 3 (three of six are half, no
    modifier): one of the other three too. Of the pairs that are left those more than 2" apart lose one model more."""
    spots = [(20 + 1.5 * k, 20.0) for k in range(6)]
    scene = NinthScene()
    scene.unit(0, sheet("Mine", Ld=5), at=spots, lost=range(2))
    scene.unit(0, sheet("Calm"), at=(40, 10))
    scene.unit(1, sheet("Theirs"), at=(40, 40))

    def strike(battle: Battle) -> None:
        battle.toll[0] = battle.toll[1] = 1

    battle = scene.battle("morale", detail="full", dice=[6, 1, 2, 3], set_state=strike)
    apart = 0
    for fled in permutations(range(2, 6), 2):
        left = [spots[k] for k in range(2, 6) if k not in fled]
        apart += far(*left) > 2
    assert apart == 2
    assert sequences(battle, 1) == {("fleeing-model",): 4}
    assert sequences(battle, 2) == {("fleeing-model",) * 2: 4 * 3}
    assert sequences(battle, 3) == {
        ("fleeing-model", "fleeing-model", "move-kind"): (4 * 3 - apart) * 3,
        ("fleeing-model", "fleeing-model", "coherency-removal"): apart * 2,
    }


def test_units_fight_alternately_from_the_opponent_on() -> None:
    """No charge was made: the opponent selects first, one of two units that are engaged. It piles in or not (2), then it consolidates or
    not where it can, or the other player selects one of two."""
    scene = NinthScene()
    for player, side in enumerate("AB"):
        for number, x in enumerate((20, 40)):
            scene.unit(player, sheet(f"{side}{number}"), at=(x, 20 + 1.5 * player))
    battle = scene.battle("fight")
    assert battle.decision is not None
    assert battle.decision.player == 1
    assert sequences(battle, 1) == {("select-to-fight",): 2}
    assert sequences(battle, 2) == {("select-to-fight", "pile-in"): 2 * 2}
    third = sequences(battle, 3)
    assert third == {
        ("select-to-fight", "pile-in", "consolidate"): 2 * 2,
        ("select-to-fight", "pile-in", "select-to-fight"): 2 * 2,
    }
