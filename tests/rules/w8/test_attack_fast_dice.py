"""Rolling attacks together: which, in which order, and that it changes nothing (w8.attack.fast-dice*)."""

from __future__ import annotations

import numpy as np
import pytest
from eighth import EighthScene
from eighth_shooting import HIT, SAVE, WOUND, declare, rolls, shoot, squad, waits, wounds

from wh_env.testing import choose, dice_left, pick, ranged, sheet, told

KRAK = ranged(6, BS=3, S=6, AP=-1, D="D3", abilities=["Grenade"])
BOLTER = ranged(24, BS=3, abilities=["Rapid Fire 1"])


@pytest.mark.rule("w8.attack.fast-dice")
@pytest.mark.parametrize("player", [0, 1])
def test_equal_attacks_are_one_batch_others_another(player):
    """Four bolters at half range are eight dice; the krak grenade is rolled apart."""
    men = squad("Men", [(4, ["bolter"]), (1, ["krak"])], {"bolter": BOLTER, "krak": KRAK})
    scene = EighthScene()
    unit = scene.unit(player, men, at=[(10 + 1.05 * n, 10) for n in range(5)])
    scene.unit(1 - player, sheet("X", W=9, Sv=3, hull_in=(10, 2)), at=[(12, 16, 0, 0.0)])
    battle = scene.battle("shooting", active=player, detail="full", dice=8 * [3] + 8 * [4] + 8 * [6] + [4, 3, 6])
    pick(battle, "Men")
    declare(battle, "at X")
    pick(battle, "resolve bolter", kind="profile-order")
    order = [e.rule for e in battle.events if e.rule in (HIT, WOUND, SAVE)]
    assert order == 8 * [HIT] + 8 * [WOUND] + 8 * [SAVE] + [HIT, WOUND, SAVE]
    assert [e["attacker"] for e in told(battle, HIT)][8] == unit.model(4)


@pytest.mark.rule("w8.attack.fast-dice.order")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_hits_then_wounds_then_each_wound_to_its_end(player, detail):
    gun = ranged(24, A=3, BS=3)
    enemy = sheet("X", W=1, Sv=3)
    battle, _ = shoot(gun, [3, 4, 1, 4, 5, 2, 2], player=player, detail=detail, enemy=enemy, models=4)
    asked = 0
    while waits(battle, "allocate"):
        asked += 1
        choose(battle, "model", 0)
    assert asked == (2 if detail == "full" else 0)
    slain = "w8.attack.damage.slain"
    order = [e.rule for e in battle.events if e.rule in (HIT, WOUND, "w8.attack.allocate", SAVE, slain)]
    assert order == [HIT, HIT, HIT, WOUND, WOUND, *2 * ["w8.attack.allocate", SAVE, slain]]
    assert dice_left(battle) == 0


@pytest.mark.rule("w8.attack.fast-dice.wounded-first")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_the_hurt_model_keeps_taking_wounds(player, detail):
    """Four unsaved wounds at models of 2, one of which has 1 left: it falls, then another one, and a third is hurt."""
    gun = ranged(24, A=4, BS=2, S=8)
    enemy = sheet("X", W=2, Sv=6)
    battle, unit = shoot(gun, 8 * [2] + 4 * [1], player=player, detail=detail, enemy=enemy, models=4, wounds={1: 1})
    chosen = []
    while waits(battle, "allocate"):
        chosen.append(wounds(battle, unit))
        choose(battle, "model", 0)
    if detail == "full":
        assert chosen == [[2, 0, 2, 2], [0, 0, 2, 2]]
    assert sorted(wounds(battle, unit)) == [0, 0, 1, 2]
    assert wounds(battle, unit)[1] == 0


def lost_wounds(guns, dice, saves):
    """What is left of a unit of six models after eight attacks with these weapons; dice by attack, saves by wound in order."""
    weapons = {name: ranged(24, A=a, BS=3, S=4) for name, a in guns}
    script = []
    taken = iter(saves)
    for batch in dice:
        script += [hit for hit, _ in batch]
        wounding = [wound for hit, wound in batch if hit >= 3]
        script += wounding
        script += [next(taken) for wound in wounding if wound >= 4]
    scene = EighthScene()
    scene.unit(0, sheet("Guns", weapons=weapons), at=(10, 10))
    unit = scene.unit(1, sheet("X", W=2, Sv=4), at=(10, 20), models=6)
    battle = scene.battle("shooting", dice=script)
    pick(battle, "Guns")
    assert dice_left(battle) == 0
    assert len(rolls(battle, HIT)) == 8
    return wounds(battle, unit)


@pytest.mark.rule("w8.attack.fast-dice.equivalent")
def test_one_by_one_and_as_a_batch_the_same_dice_do_the_same():
    rng = np.random.default_rng(3)
    seen = set()
    for _ in range(25):
        attacks = [(int(h), int(w)) for h, w in rng.integers(1, 7, (8, 2))]
        saves = [int(die) for die in rng.integers(1, 7, 8)]
        together = lost_wounds([("gun", 8)], [attacks], saves)
        singly = lost_wounds([(f"gun {n}", 1) for n in range(8)], [[attack] for attack in attacks], saves)
        assert together == singly
        seen.add(tuple(together))
    assert len(seen) > 3
