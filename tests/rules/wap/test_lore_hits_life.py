"""Life: the forest that wakes, and a test for each model."""

from __future__ import annotations

import pytest
from heroes import hero, horse
from lore_hits import PLAYERS, Field, amounts, needed, wizard

from wh_env.testing import dice_left, kind, told
from wh_env.testing.wap import square

WOOD, DWELLERS = "Awakening", "The Dwellers"
RULE = "wap.lore.life."


@PLAYERS
@pytest.mark.rule("wap.lore.life.awakening-of-the-wood")
@pytest.mark.parametrize(("gap", "dice", "hits"), [(3.0, [5, 2], 7), (4.0, [5], 5), (3.1, [5], 5)])
def test_a_wood_near_the_target_wakes(player: int, gap: float, dice: list[int], hits: int) -> None:
    field = Field(player, wizard("life", 1))
    target = field.enemy(None, (24, 24), models=20, files=10)  # two ranks, to y = 26
    field.area("forest", 10, 26 + gap, 40, 40)
    battle = field.battle()
    field.cast(battle, WOOD, target, [*dice, *[1] * (hits - 1), 3])
    assert amounts(battle, RULE + "awakening-of-the-wood") == [hits] and needed(battle) == [3]
    assert battle.units.alive[target] == 19 and dice_left(battle) == 0


@PLAYERS
@pytest.mark.rule("wap.lore.life.awakening-of-the-wood")
@pytest.mark.parametrize(("inches", "wakes"), [(18, True), (18.2, False)])
def test_its_range_and_ground_that_is_no_forest(player: int, inches: float, wakes: bool) -> None:
    field = Field(player, wizard("life", 1))
    target = field.enemy(None, (24, 12 + inches))
    field.area("marsh", 10, 33, 40, 40)
    battle = field.battle()
    assert (kind(battle) == "cast-by") == wakes
    if wakes:
        field.cast(battle, WOOD, target, [2, 1, 1])
        assert amounts(battle, RULE + "awakening-of-the-wood") == [2]


@PLAYERS
@pytest.mark.rule("wap.lore.life.dwellers-below")
def test_each_model_tests_its_strength(player: int) -> None:
    """Five soldiers of Strength 3 and a hero of 4: 4 and 6 fail, 4 of the hero does not. Neither armour nor Regeneration
    saves them.
    """
    field = Field(player, wizard("life", 6))
    card = square(ld=10, rules=["Regeneration (2+)"], equipment=["hand weapon", "full plate armour"])
    target = field.enemy(card, (24, 20), models=5)
    chief = field.enemy(hero(s=4), None, inside=target, models=1)
    battle = field.battle()
    field.cast(battle, DWELLERS, target, [1, 2, 3, 4, 6, 4, 1, 1])
    assert battle.units.alive[target] == 3 and battle.models.wounds[chief.model()] == 2 and dice_left(battle) == 0
    assert amounts(battle, RULE + "dwellers-below", "spell wounds") == [2, 0]


@PLAYERS
@pytest.mark.rule("wap.lore.life.dwellers-below")
def test_a_ward_save_may_be_tried_and_heroes_lose_several_wounds(player: int) -> None:
    field = Field(player, wizard("life", 6))
    target = field.enemy(square(ld=10, rules=["Ward Save (4+)"]), (24, 20), models=5)
    chief = field.enemy(hero(s=4, w=3), None, inside=target, models=1)
    battle = field.battle()
    field.cast(battle, DWELLERS, target, [1, 1, 1, 4, 6, 5, 4, 3, 1, 4])
    assert battle.units.alive[target] == 4 and battle.models.wounds[chief.model()] == 1 and dice_left(battle) == 0


@PLAYERS
@pytest.mark.rule("wap.lore.life.dwellers-below")
@pytest.mark.parametrize(("inches", "version", "tests"), [(12, 0, 1), (12.1, 0, 0), (24, 1, 1)])
def test_ranges_of_the_dwellers(player: int, inches: float, version: int, tests: int) -> None:
    """The stronger of rider and horse tests."""
    field = Field(player, wizard("life", 6))
    target = field.enemy(horse(s=5, ld=10), (24, 12 + inches), models=5, files=5)
    battle = field.battle()
    field.cast(battle, DWELLERS, target, [5, 5, 5, 5, 1], version=version, roll=(5, 5, 5, 5))
    assert len(amounts(battle, RULE + "dwellers-below", "spell wounds")) == tests and battle.units.alive[target] == 5


@pytest.mark.rule("wap.lore.life.dwellers-below")
def test_a_unit_that_is_swallowed_leaves_its_hero() -> None:
    field = Field(0, wizard("life", 6))
    target = field.enemy(square(ld=10), (24, 20), models=2, files=3)
    chief = field.enemy(hero(s=4), None, inside=target, models=1)
    battle = field.battle()
    field.cast(battle, DWELLERS, target, [6, 6, 1, 1, 1])
    assert battle.units.alive[target] == 0 and battle.units.alive[chief] == 1 and battle.units.bodyguard[chief] == -1
    assert told(battle, "wap.character.unit-destroyed.new-unit")
