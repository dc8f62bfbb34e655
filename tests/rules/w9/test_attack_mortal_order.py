"""Mortal wounds of attacks come after all normal damage at their target (w9.rare.mortal-wound-order)."""

from __future__ import annotations

import pytest
from ninth import NinthScene

from wh_env.testing import dice_left, kind, melee, pick, ranged, sheet

SORCERY = {"other": [{"name": "Sorcery", "effect": "wound rolls of 6: 1 mortal wound", "active": True}]}
WEAPONS = {
    "gun": ranged(24, A=3, BS=3, S=4, AP=-6, D=2),
    "blade": melee(A=3, WS=3, S=4, AP=-6, D=2),
}
HITS, WOUNDS, SAVES = [3, 3, 3], [6, 4, 4], [1, 1, 1]  # the first attack inflicts a mortal wound in addition


def left(battle, unit):
    """Wounds left, highest first."""
    first, count = battle.units.first[unit], battle.units.count[unit]
    return sorted((battle.models.wounds[k] for k in range(first, first + count)), reverse=True)


def shot_at(models, player=0, abilities=SORCERY):
    y = (10, 20) if player == 0 else (34, 24)
    scene = NinthScene()
    scene.unit(player, sheet("Shooter", weapons=WEAPONS, abilities=abilities), at=(20, y[0]))
    target = scene.unit(1 - player, sheet("Target", W=2, Sv=3), at=(20, y[1]), models=models)
    bystander = scene.unit(1 - player, sheet("Bystander", W=2), at=(20, y[1] + 2))
    battle = scene.battle("shooting", active=player, dice=[*HITS, *WOUNDS, *SAVES])
    pick(battle, "Shooter")
    if kind(battle) == "shoot-target":
        pick(battle, "Target")
    assert dice_left(battle) == 0
    assert left(battle, bystander) == [2]
    return left(battle, target)


@pytest.mark.rule("w9.rare.mortal-wound-order")
@pytest.mark.parametrize("player", [0, 1])
def test_three_attacks_destroy_three_models_before_the_mortal_wound(player):
    """Were it resolved at once, the second attack would take the model that it wounds, and one of four would be unhurt."""
    assert shot_at(3, player) == [0, 0, 0]
    assert shot_at(4, player) == [1, 0, 0, 0]
    assert shot_at(5, player) == [2, 1, 0, 0, 0]


@pytest.mark.rule("w9.rare.mortal-wound-order")
def test_without_the_rule_no_mortal_wound_follows():
    assert shot_at(4, abilities=None) == [2, 0, 0, 0]


@pytest.mark.rule("w9.rare.mortal-wound-order")
def test_in_a_fight_too():
    scene = NinthScene()
    scene.unit(0, sheet("Fighter", weapons=WEAPONS, abilities=SORCERY), at=(20, 10))
    target = scene.unit(1, sheet("Target", W=2, Sv=3), at=(20, 11.8), models=4)
    battle = scene.battle("fight", dice=[*HITS, *WOUNDS, *SAVES])
    for _ in range(20):
        if not dice_left(battle):
            break
        battle.apply(battle.first_legal())
    assert left(battle, target) == [1, 0, 0, 0]
