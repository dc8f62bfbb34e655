"""Auras whose bearers fall while attacks are made (w10.datasheet.aura.range)."""

from __future__ import annotations

import pytest
from auras import blown, needed, veiled

from wh_env.testing import Scene


@pytest.mark.rule("w10.datasheet.aura.range")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(
    ("effect", "roll", "with_it", "without"),
    [
        ("attacks at it: -1 to hit", "hit", 4, 3),
        ("attacks at it: -1 to wound", "wound", 5, 4),
        ("+1 to saving throws", "save", 3, 4),
        ("+2 Toughness", "wound", 5, 4),
        ("wound rolls", "wound", 5, 4),
    ],
)
def test_it_ends_with_its_bearer_for_the_attacks_that_follow(effect, roll, with_it, without, detail, player):
    """The first gun destroys the Totem; the second one shoots at a unit that the Totem has protected. Another unit with the same aura
    would protect it still."""
    by = -1 if effect == "wound rolls" else 0
    battle, totem, mob = veiled(Scene, effect, player, detail, [4, 6, 6], by=by)
    assert not battle.units.alive[totem]
    assert (needed(battle, roll, totem), needed(battle, roll, mob)) == ([with_it], [without])
    battle, totem, mob = veiled(Scene, effect, player, detail, [4, 6, 6], by=by, spare=True)
    assert (needed(battle, roll, totem), needed(battle, roll, mob)) == ([with_it], [with_it])


@pytest.mark.rule("w10.datasheet.aura.range")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_so_does_the_aura_of_an_attackers_friend(detail, player):
    """The target of the first gun explodes and kills the Captain whose aura adds 1 to hit rolls: the second gun hits as it would without
    him."""
    battle, totem, mob = blown(Scene, "+1 to hit", player, detail, [4, 6, 6])
    assert (needed(battle, "hit", totem), needed(battle, "hit", mob)) == ([2], [3])
