"""Panic that ground causes: when it is tested for, and what is fled from."""

from __future__ import annotations

from math import pi
from typing import Any

import pytest

from tests.marching import ADVANCE, FORWARD, ahead, finish, go, leg
from wh_env import Battle
from wh_env.content.wap.spells import load_lore
from wh_env.testing import kind, play_until, told
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene, UnitHandle, square

BOTH_PLAYERS = pytest.mark.parametrize("player", [0, 1])
HEAVY = "wap.panic.direction.heavy"
NORTHWARDS, SOUTHWARDS = 90, 270


def facing_of(battle: Battle, unit: UnitHandle) -> int:
    """Whither a unit flees, in degrees from 0 to 359."""
    return round(battle.units.facing[unit] * 180 / pi) % 360


def south_of(player: int, kind_of: str, example: str, **fields: Any) -> tuple[RegimentScene, UnitHandle]:
    """Ten men of Leadership 2 two inches south of ground, and their nearest enemy still farther south: from it they
    would flee north.
    """
    scene = RegimentScene()
    scene.area(kind_of, 22, 30, 26, 34, example=example, **fields)
    unit = scene.unit(player, square(ld=2), (24, 28), models=10, files=5, facing=NORTH)
    scene.unit(1 - player, None, (24, 6), facing=NORTH, models=5)
    scene.unit(player, None, (44, 3), facing=NORTH, models=5)
    return scene, unit


def told_why(battle: Battle, unit: UnitHandle) -> list[str]:
    """The rules that say whither a unit flees."""
    return [event.rule for event in battle.events if event.rule.startswith(HEAVY) and event.data["unit"] == unit.row]


@BOTH_PLAYERS
@pytest.mark.rule("wap.panic.direction.heavy", "wap.terrain.monument.sinister-statue")
def test_who_panics_at_the_gaze_of_a_statue_flees_from_it(player: int) -> None:
    """A 3, then four hits that wound on a 3; a test of 12, and a flight of two inches."""
    scene, unit = south_of(player, "monument", "sinister statue")
    battle = scene.battle("movement", player=player, dice=[3, 4, 3, 3, 3, 3, 6, 6, 1, 1])
    assert battle.units.fleeing[unit] and told_why(battle, unit) == [HEAVY]
    assert facing_of(battle, unit) == SOUTHWARDS


@BOTH_PLAYERS
@pytest.mark.rule("wap.panic.direction.heavy", "wap.building.arcane.haunted-mansion")
def test_who_panics_at_the_spectres_of_a_mansion_flees_from_it(player: int) -> None:
    """Four hits of Strength 1 wound on 6s."""
    scene, unit = south_of(player, "building", "haunted mansion", storeys=1)
    battle = scene.battle("shooting", player=player, dice=[4, 6, 6, 6, 6, 6, 6, 1, 1], run=False)
    battle.run()
    play_until(battle, "select-to-move")
    assert told_why(battle, unit) == [HEAVY] and facing_of(battle, unit) == SOUTHWARDS


@BOTH_PLAYERS
@pytest.mark.rule("wap.panic.direction.heavy", "wap.terrain.monument.magic-portal")
def test_who_panics_at_the_fire_of_a_portal_flees_from_it(player: int) -> None:
    """Winds of 1 and 1, then 5 and 6 on the table: a Fireball of four hits, which wound on a 3."""
    scene, unit = south_of(player, "monument", "magic portal")
    battle = scene.battle("magic", player=player, dice=[1, 1, 5, 6, 4, 3, 3, 3, 3, 6, 6, 1, 1])
    assert told_why(battle, unit) == [HEAVY] and facing_of(battle, unit) == SOUTHWARDS


@BOTH_PLAYERS
@pytest.mark.rule("wap.panic.direction.heavy", "wap.terrain.river.light")
def test_who_panics_at_the_light_of_a_river_flees_from_it(player: int) -> None:
    """They come two inches into it. Shem's Burning Gaze deals D6 hits; the nearest enemy is behind them."""
    names = [spell.name for spell in sorted(load_lore("light").spells, key=lambda row: row.number)]
    lot, scene = names.index("Shem's Burning Gaze"), RegimentScene()
    scene.area("river", 0, 12, 48, 24, example="river of light")
    unit = scene.unit(player, square(ld=2), (24, 10), models=10, files=5, facing=NORTH)
    scene.unit(1 - player, None, (24, 1), facing=NORTH, models=5)
    scene.unit(player, None, (44, 44), facing=SOUTH, models=5)
    battle = scene.battle("movement", player=player, detail="full", dice=[lot, 4, 3, 3, 3, 3, 6, 6, 1, 1])
    go(battle, unit, ADVANCE)
    leg(battle, FORWARD, ahead(4.0))
    finish(battle)
    [cast] = told(battle, "wap.terrain.river.light")
    assert cast["name"] == "Shem's Burning Gaze"
    assert told_why(battle, unit) == [HEAVY] and facing_of(battle, unit) == SOUTHWARDS


@BOTH_PLAYERS
@pytest.mark.rule("wap.panic.heavy-casualties", "wap.terrain.forest.wildwood")
def test_who_loses_many_to_a_wood_tests_before_drinking(player: int) -> None:
    """A 6, then four hits that wound: the test is taken at once, and who flees does not drink at the well beside."""
    for passes in (True, False):
        scene = RegimentScene()
        scene.area("forest", 18, 10, 30, 20, example="wildwood")
        scene.area("monument", 28, 20.5, 30, 22, example="wyrding well")
        unit = scene.unit(player, square(ld=7), (24, 20), models=10, files=5, facing=NORTH)
        scene.unit(1 - player, None, (44, 46), facing=SOUTH, models=5)
        roll = [3, 4] if passes else [6, 6, 1, 1]
        battle = scene.battle("movement", player=player, dice=[6, 4, 3, 3, 3, 3, *roll])
        battle.apply(min(battle.decision.options))  # nobody moves
        [test] = told(battle, "wap.panic.heavy-casualties")
        assert (test["unit"], test["passed"], battle.units.alive[unit]) == (unit.row, passes, 6)
        assert (kind(battle) == "drink") is passes and bool(battle.units.fleeing[unit]) is not passes
