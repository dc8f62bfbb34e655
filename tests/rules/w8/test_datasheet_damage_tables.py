"""Damage tables of models that are hurt while their unit makes its attacks (w8.datasheet.damage-table.immediate)."""

from __future__ import annotations

import pytest
from classic import raw_sheet
from eighth_files import at, duel, model_of, unit_of

from wh_env import Battle
from wh_env.testing import dice_left, kind, pick, told, words

GUN = {"range": 36, "type": "Heavy 1", "S": 8, "AP": -6, "D": 1}
TANK = raw_sheet(
    "Tank",
    model={"max": 1, "M": 10, "BS": "3+", "W": 12, "damage": [{"wounds": 6, "BS": "5+"}], "weapons": ["left", "right"]},
    weapons={"left": GUN, "right": GUN},
)
MOB = raw_sheet("Mob", model={"max": 1, "W": 9, "Sv": "6+"})
KILL = [6, 6, 1]  # hits, wounds, is not saved


def fired(player: int, dice: list[int]) -> Battle:
    """The tank, with 8 of its 12 wounds left, fires one gun at a cart 5" away, which explodes on a 6 and costs all near it 3
    wounds, and the other at the Mob."""
    cart = raw_sheet(
        "Cart",
        model={"max": 1, "W": 1, "Sv": "6+"},
        abilities={"explodes": {"needed": 6, "range": 6, "damage": 3}},
    )
    spots = {"Tank": (10.0, 15.0), "Cart": (16.0, 15.0), "Mob": (16.0, 28.0)}
    battle = at(duel([TANK], [cart, MOB], player, "full"), "movement", spots, active=player, dice=[*KILL, *dice])
    battle.models.wounds[model_of(battle, "Tank")] = 8
    while kind(battle) != "select-to-shoot":
        battle.apply(battle.first_legal())
    pick(battle, "Tank")
    for name in ("Cart", "Mob"):
        pick(battle, f"at {name}")
    while kind(battle) in ("target-order", "profile-order", "demise-unit"):
        known = words(battle)
        battle.apply(next((a for a, word in known.items() if "Cart" in word), battle.first_legal()))
    return battle


@pytest.mark.rule("w8.datasheet.damage-table.immediate")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("die", "skill"), [(6, 5), (1, 3)])
def test_the_row_is_that_of_the_moment_of_each_targets_attacks(die: int, skill: int, player: int) -> None:
    """5 wounds left after the explosion: the second gun needs a 5, without it a 3, as the first one did."""
    battle = fired(player, [die, 5, 1])
    assert dice_left(battle) == 0
    hits = [(e["target"], e["needed"]) for e in told(battle, "w8.attack.hit")]
    assert hits == [(unit_of(battle, "Cart"), 3), (unit_of(battle, "Mob"), skill)]
    assert battle.models.wounds[model_of(battle, "Tank")] == (5 if die == 6 else 8)
