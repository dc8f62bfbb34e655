"""Auras whose bearers fall while attacks are made (w9.concepts.aura)."""

from __future__ import annotations

import pytest
from auras import blown, needed, veiled
from ninth import NinthScene


@pytest.mark.rule("w9.concepts.aura")
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
    battle, totem, mob = veiled(NinthScene, effect, player, detail, [4, 6, 6], by=by)
    assert not battle.units.alive[totem]
    assert (needed(battle, roll, totem), needed(battle, roll, mob)) == ([with_it], [without])
    battle, totem, mob = veiled(NinthScene, effect, player, detail, [4, 6, 6], by=by, spare=True)
    assert (needed(battle, roll, totem), needed(battle, roll, mob)) == ([with_it], [with_it])


@pytest.mark.rule("w9.concepts.aura")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_so_does_the_aura_of_an_attackers_friend(detail, player):
    """The target of the first gun explodes and kills the Captain whose aura adds 1 to hit rolls: the second gun hits as it would without
    him."""
    battle, totem, mob = blown(NinthScene, "+1 to hit", player, detail, [4, 6, 6])
    assert (needed(battle, "hit", totem), needed(battle, "hit", mob)) == ([2], [3])


@pytest.mark.rule("w9.concepts.aura", "w9.attack.mortal.additional")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_nor_do_later_attacks_inflict_the_mortal_wounds_of_its_aura(detail, player):
    """His aura adds a mortal wound for each wound roll of 6. The second gun rolls a 6, which is saved: the unit has lost only the wound
    of the explosion."""
    battle, _, mob = blown(NinthScene, "wound rolls of 6: 1 mortal wound", player, detail, [4, 6, 6])
    assert needed(battle, "save", mob) == [4]
    assert battle.models.wounds[battle.units.first[mob]] == 2
