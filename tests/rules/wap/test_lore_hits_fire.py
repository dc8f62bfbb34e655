"""The missiles of Fire, and its attribute."""

from __future__ import annotations

import pytest
from heroes import horse
from lore_hits import PLAYERS, Field, amounts, needed, wizard

from wh_env.rulesets.wap.magic.phase import begin_phase
from wh_env.testing import dice_left, told
from wh_env.testing.wap import square

FIREBALL, BOLTS, CAGE = "Fireball", "Piercing Bolts", "Fulminating"
OF_FIREBALL, OF_BOLTS = "wap.lore.fire.fireball", "wap.lore.fire.piercing-bolts-of-burning"


@PLAYERS
@pytest.mark.rule("wap.lore.fire.fireball")
def test_a_fireball(player: int) -> None:
    """Four hits of Strength 4 wound Toughness 3 on 3+."""
    field = Field(player, wizard("fire", 0, level=1))
    target = field.enemy(None, (24, 33))
    battle = field.battle()
    field.cast(battle, FIREBALL, target, [4, 6, 3, 2, 1], roll=(4,))
    assert battle.units.alive[target] == 8 and dice_left(battle) == 0
    assert amounts(battle, OF_FIREBALL) == [4] and needed(battle) == [3]


@PLAYERS
@pytest.mark.rule("wap.lore.fire.fireball")
@pytest.mark.parametrize(
    ("inches", "version", "dice", "hits"),
    [(24, 0, [2], 2), (24.2, 0, [], None), (36, 1, [2, 5], 7), (36.2, 1, [], None), (40, 2, [1, 2, 6], 9)],
)
def test_boosted_fireballs_fly_farther_and_hit_more(
    player: int, inches: float, version: int, dice: list[int], hits: int | None
) -> None:
    field = Field(player, wizard("fire", 0), 60.0)
    target = field.enemy(None, (24, 12 + inches), models=5)
    battle = field.battle()
    field.cast(battle, FIREBALL, target, [*dice, 1, 1, 1], version=version)
    assert amounts(battle, OF_FIREBALL) == ([] if hits is None else [hits])


@PLAYERS
@pytest.mark.rule("wap.lore.fire.piercing-bolts-of-burning")
@pytest.mark.parametrize("version", [0, 1])
def test_bolts_for_each_complete_rank(player: int, version: int) -> None:
    """Three complete ranks of five, and two models behind them: D3s of 1, 3 and 2."""
    field = Field(player, wizard("fire", 4))
    target = field.enemy(None, (24, 24), models=17, files=5)
    battle = field.battle()
    field.cast(battle, BOLTS, target, [2, 6, 3, *[1] * 5, 3], version=version)
    assert amounts(battle, OF_BOLTS) == [6] and needed(battle) == [3] and battle.units.alive[target] == 16
    assert dice_left(battle) == 0


@pytest.mark.rule("wap.lore.fire.piercing-bolts-of-burning")
@pytest.mark.parametrize(
    ("models", "files", "rules", "dice", "hits"),
    [(1, 1, [], [5], 3), (4, 5, [], [3], 2), (10, 10, [], [6], 3), (10, 5, ["Skirmishers"], [], 0)],
)
def test_the_first_rank_counts_and_skirmishers_have_none(
    models: int, files: int, rules: list[str], dice: list[int], hits: int
) -> None:
    field = Field(0, wizard("fire", 4))
    target = field.enemy(square(rules=rules, ld=10), (24, 24), models=models, files=files)
    battle = field.battle()
    field.cast(battle, BOLTS, target, [*dice, 1, 1, 1])
    assert amounts(battle, OF_BOLTS) == [hits] and dice_left(battle) == 3 - hits


@pytest.mark.rule("wap.lore.fire.piercing-bolts-of-burning")
def test_bolts_on_a_garrison_and_beyond_their_range() -> None:
    field = Field(0, wizard("fire", 4))
    field.area("building", 20, 24, 28, 32, storeys=1)
    target = field.enemy(None, None, models=20, files=5, garrison=0)
    battle = field.battle()
    field.cast(battle, BOLTS, target, [4, 1, 1])
    assert amounts(battle, OF_BOLTS) == [2]
    far = Field(0, wizard("fire", 4))
    target = far.enemy(None, (24, 37), models=20, files=5)
    for version, hits in ((0, []), (1, [4])):
        battle = far.battle()
        far.cast(battle, BOLTS, target, [1] * 8, version=version)
        assert amounts(battle, OF_BOLTS) == hits


@PLAYERS
@pytest.mark.rule("wap.lore.fire.attribute-flaming")
@pytest.mark.parametrize(("die", "flees"), [((4, 4), True), ((4, 3), False)])
def test_spells_of_fire_burn(player: int, die: tuple[int, int], flees: bool) -> None:
    """Nobody regenerates, and cavalry of Leadership 8 test at 7 for panic."""
    field = Field(player, wizard("fire", 0))
    target = field.enemy(horse(rules=["Regeneration (5+)"], ld=8), (24, 24), models=8, files=4)
    battle = field.battle()
    field.cast(battle, FIREBALL, target, [2, 6, 6, *die, 1, 1])
    assert battle.units.alive[target] == 6
    test = told(battle, "wap.panic.heavy-casualties")[0]
    assert (test["roll"], test["leadership"], test["passed"]) == (sum(die), 7, not flees)
    assert not told(battle, "wap.shoot.save.roll")


@PLAYERS
@pytest.mark.rule("wap.lore.fire.attribute-extra-hits")
def test_a_second_spell_of_fire_hits_more(player: int) -> None:
    """Whoever cast the first; the third one too. What comes in a later phase does not."""
    field = Field(player, wizard("fire", 0))
    other = field.own(wizard("fire", 0, 4), (20, 12), models=1)
    target, beside = field.enemy(None, (24, 24), models=20), field.enemy(None, (34, 24), models=10)
    battle = field.battle()
    field.cast(battle, FIREBALL, target, [1, 1], caster=other)
    field.cast(battle, FIREBALL, target, [4, 5, *[1] * 9])
    assert amounts(battle, OF_FIREBALL) == [1, 9] and needed(battle) == [3, 3] and dice_left(battle) == 0
    field.cast(battle, BOLTS, target, [2, 2, 1, 3, 4, *[1] * 9], caster=other)
    assert amounts(battle, OF_BOLTS) == [9]
    assert amounts(battle, "wap.lore.fire.attribute-extra-hits", "more hits") == [5, 4]
    assert battle.wizards.hit_by[target] and not battle.wizards.hit_by[beside]
    begin_phase(battle)
    assert not battle.wizards.hit_by[target]


@PLAYERS
@pytest.mark.rule("wap.lore.fire.attribute-extra-hits")
def test_the_flame_cage_brings_no_more_hits_and_gains_none(player: int) -> None:
    """After the cage a Fireball has its 4 hits; after the Fireball a cage has its 3."""
    for cage_first in (True, False):
        field = Field(player, wizard("fire", 0))
        other = field.own(wizard("fire", 5, 4), (20, 12), models=1)
        target = field.enemy(None, (24, 24), models=20)
        battle = field.battle()
        if cage_first:
            field.cast(battle, CAGE, target, [3, 1, 1, 1], caster=other)
        field.cast(battle, FIREBALL, target, [4, 1, 1, 1, 1])
        if not cage_first:
            field.cast(battle, CAGE, target, [3, 1, 1, 1], caster=other)
        assert amounts(battle, OF_FIREBALL) == [4] and amounts(battle, "wap.lore.fire.flame-cage") == [3]
        assert dice_left(battle) == 0 and not amounts(battle, "wap.lore.fire.attribute-extra-hits", "more hits")


@pytest.mark.rule("wap.lore.fire.attribute-extra-hits")
def test_spells_without_a_hit_spells_without_a_hit_bring_no_more() -> None:
    field = Field(0, wizard("fire", 0))
    other = field.own(wizard("fire", 4), (20, 12), models=1)
    target = field.enemy(square(rules=["Skirmishers"], ld=10), (24, 24), models=10)
    battle = field.battle()
    field.cast(battle, BOLTS, target, caster=other)  # skirmishers have no ranks
    field.cast(battle, FIREBALL, target, [4, 1, 1, 1, 1])
    assert amounts(battle, OF_BOLTS) == [0] and amounts(battle, OF_FIREBALL) == [4] and dice_left(battle) == 0
