"""Melee weapons (w9.weapon.pairs)."""

from __future__ import annotations

import pytest
from ninth import NinthScene

from wh_env.testing import melee, sheet, told


def fight(weapons, *, player=0, detail="squad"):
    """The number of attacks that a model makes."""
    scene = NinthScene()
    scene.unit(player, sheet("Fists", weapons=weapons), at=(10, 10))
    scene.unit(1 - player, sheet("X", W=30), at=(10, 11.5))
    battle = scene.battle("fight", active=player, detail=detail, dice=8 * [1])
    while not told(battle, "w9.attack.hit"):
        battle.apply(battle.decision.options[-1])
    return len(told(battle, "w9.attack.hit"))


@pytest.mark.rule("w9.weapon.pairs")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("talons", "attacks"), [(0, 3), (1, 4), (2, 4)])
def test_a_pair_of_weapons_makes_one_additional_attack(player, talons, attacks):
    """The additional attacks of a pair stand in one slot: one of them is made."""
    extra = {**melee(A=1, WS=3, abilities=["Extra Attacks"]), "slot": 1}
    pair = {f"talon {n}": extra for n in range(talons)}
    assert fight({"claws": melee(A=3, WS=3), **pair}, player=player) == attacks
