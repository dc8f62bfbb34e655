"""Monuments that act on wizards and on spells, and ground that casts spells itself."""

from __future__ import annotations

import pytest

from tests.moving_spells import cast, mage, to_casting
from wh_env import Battle
from wh_env.rulesets.wap.basics.resistance import resistance_of
from wh_env.rulesets.wap.codes import FRONT
from wh_env.rulesets.wap.weapons.hit import MAGICAL, SPELL
from wh_env.rulesets.wap.weapons.saves import wards_against
from wh_env.testing import choose, dice_left, kind, told
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene, UnitHandle, square

STONE = (23.0, 20.0, 25.0, 22.0)  # a monument of two inches by two
PLAYERS = pytest.mark.parametrize("player", [0, 1])
GAPS = pytest.mark.parametrize(("gap", "is_near"), [(6.0, True), (6.1, False)])


def at_stone(
    example: str,
    gap: float,
    *,
    player: int,
    level: int = 2,
    inside: bool = False,
    turn: int | None = None,
    dice: list[int],
) -> tuple[Battle, UnitHandle]:
    """A wizard of ``player`` near a monument, alone or in a unit, in the Magic phase of ``turn``."""
    scene = RegimentScene()
    scene.area("monument", *STONE, example=example)
    at = (24.0, STONE[1] - gap)
    if inside:
        unit = scene.unit(player, None, at, models=9, files=5, facing=NORTH)
        wizard = scene.unit(player, mage(level=level), models=1, inside=unit)
    else:
        wizard = scene.unit(player, mage(level=level), at, models=1, files=1, facing=NORTH)
    scene.unit(1 - player, None, (24, 40), models=5, facing=SOUTH)
    turn = player if turn is None else turn
    return scene.battle("magic", player=turn, dice=dice), wizard


@PLAYERS
@GAPS
@pytest.mark.parametrize("inside", [False, True])
@pytest.mark.rule("wap.terrain.monument.arcane-ruins")
def test_who_is_near_ruins_rolls_failed_dice_for_channelling_again(
    player: int, gap: float, is_near: bool, inside: bool
) -> None:
    """The winds show 1 and 1; of 3 and 5 the 3 is rolled again."""
    battle, wizard = at_stone("arcane ruins", gap, player=player, inside=inside, dice=[1, 1, 3, 5, 6])
    [channelled] = told(battle, "wap.magic.winds.channel-power")
    assert (channelled["unit"], channelled["rolls"], channelled["amount"]) == (
        wizard.row, (6, 5) if is_near else (3, 5), 1 + is_near
    )  # fmt: skip
    assert battle.pools.dice[player] == 2 + 1 + is_near and dice_left(battle) == 1 - is_near


@PLAYERS
@pytest.mark.rule("wap.terrain.monument.arcane-ruins")
def test_dice_for_dispelling_are_rolled_again_too_and_once_at_most(player: int) -> None:
    battle, _ = at_stone("arcane ruins", 6.0, player=player, turn=1 - player, dice=[1, 1, 5, 1, 6, 5])
    [channelled] = told(battle, "wap.magic.winds.channel-dispel")
    assert (channelled["rolls"], channelled["amount"]) == ((6, 5), 1)
    assert battle.pools.dice[player] == 1 + 1 and dice_left(battle) == 0


@PLAYERS
@GAPS
@pytest.mark.rule("wap.terrain.monument.elven-waystone")
def test_a_waystone_adds_one_to_dice_for_channelling(player: int, gap: float, is_near: bool) -> None:
    for turn, die, rule in (
        (player, 4, "wap.magic.winds.channel-power"), (1 - player, 5, "wap.magic.winds.channel-dispel")
    ):  # fmt: skip
        battle, _ = at_stone("elven waystone", gap, player=player, level=1, turn=turn, dice=[1, 1, die])
        [channelled] = told(battle, rule)
        assert channelled["amount"] == int(is_near)
        assert battle.pools.dice[player] == (2 if turn == player else 1) + is_near
    battle, _ = at_stone("elven waystone", gap, player=player, level=1, dice=[1, 1, 3])
    assert battle.pools.dice[player] == 2


@PLAYERS
@GAPS
@pytest.mark.rule("wap.terrain.monument.magic-circle")
def test_units_near_a_circle_resist_magic(player: int, gap: float, is_near: bool) -> None:
    """A fireball of 3 + 4 + 1 on a unit near the circle: a dispel die of 6 and a 1 make 7, with the circle 9."""
    scene = RegimentScene()
    scene.area("monument", *STONE, example="magic circle")
    unit = scene.unit(1 - player, None, (24, STONE[1] - gap), models=10, files=5, facing=NORTH)
    wizard = scene.unit(player, mage(), (40, 14), models=1, files=1, facing=NORTH + 1.5707963)
    dice = [4, 4, 1, 1, 3, 4, 6, 1]
    battle = scene.battle("magic", player=player, dice=dice)
    to_casting(battle)
    choose(battle, "own", wizard.number)
    if kind(battle) == "spell-target":
        choose(battle, "enemy", unit.number)
    choose(battle, "number", 1)
    assert kind(battle) == "dispel-by"
    choose(battle, "option", 0)
    choose(battle, "number", 0)
    [dispelled] = told(battle, "wap.magic.dispel.value")
    assert (dispelled["needed"], dispelled["amount"]) == (8, 9 if is_near else 7)
    assert bool(dispelled["result"]) is is_near
    assert resistance_of(battle, unit.row) == (2 if is_near else 0)
    wards = wards_against(battle, unit.row, 4, FRONT, MAGICAL | SPELL)
    assert [ward.save for ward in wards] == ([5] if is_near else [])
    assert not wards_against(battle, unit.row, 4, FRONT, MAGICAL)


@PLAYERS
@pytest.mark.rule("wap.terrain.monument.magic-circle")
def test_the_ward_of_a_circle_saves_from_the_wounds_of_a_spell(player: int) -> None:
    """Three hits of a fireball wound; of 5, 4 and 6 the 4 does not save."""
    scene = RegimentScene()
    scene.area("monument", *STONE, example="magic circle")
    unit = scene.unit(1 - player, square(rules=["Immunity (Panic)"]), (24, 14), models=10, files=5, facing=NORTH)
    wizard = scene.unit(player, mage(), (40, 14), models=1, files=1, facing=NORTH + 1.5707963)
    battle = scene.battle("magic", player=player, dice=[4, 4, 1, 1, 3, 4, 3, 6, 6, 6, 5, 4, 6])
    cast(battle, wizard, "Fireball", unit)
    assert battle.units.alive[unit.row] == 9 and dice_left(battle) == 0
