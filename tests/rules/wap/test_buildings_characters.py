"""Characters in garrisons whose bases differ from those of their unit, when it comes out of the building
(wap.character.base.misfit, .multiple)."""

from __future__ import annotations

import pytest
from heroes import hero
from houses import house

from wh_env import Battle
from wh_env.agents.invariants import Invariants
from wh_env.rulesets.wap.codes import AT_THE_RIGHT, IN_RANKS
from wh_env.rulesets.wap.fleeing.flight import start_to_flee
from wh_env.testing import choose, kind, slots
from wh_env.testing.wap import EAST, NORTH, SOUTH, RegimentScene, UnitHandle

# bases for units with bases of one inch: the first does not fit their ranks, the second takes two files and two ranks
ODD, LARGE = [30, 30], [50.8, 50.8]
BOTH_PLAYERS = pytest.mark.parametrize("player", [0, 1])
BASES = pytest.mark.parametrize(("base", "beside"), [(ODD, AT_THE_RIGHT), (LARGE, IN_RANKS)])


def housed(base: list[float], player: int, detail: str = "squad") -> tuple[Battle, UnitHandle, UnitHandle]:
    """A garrison of ten with a character on such a base, in the remaining moves of its player."""
    scene = RegimentScene()
    house(scene)
    held = scene.unit(player, None, models=10, garrison=0)
    lord = scene.unit(player, hero(base_mm=base), inside=held, models=1)
    scene.unit(player, None, (44, 3), models=5, facing=NORTH)
    scene.unit(1 - player, None, (4, 46), models=5, facing=SOUTH)
    return scene.battle("movement", player=player, detail=detail), held, lord


def after(battle: Battle, *slot: int | str) -> tuple[Battle, list[str]]:
    """A copy of the battle in which something is chosen, and what is wrong with it."""
    copy = battle.clone()
    choose(copy, *slot)
    return copy, Invariants(copy).after()


@BASES
@BOTH_PLAYERS
def test_they_come_out_with_their_unit(base: list[float], beside: int, player: int) -> None:
    """Looking along a wall, a unit with a character at its right end has that end away from the wall."""
    battle, held, lord = housed(base, player)
    assert battle.units.beside[lord] == IN_RANKS
    choose(battle, "own", held.number)
    assert kind(battle) == "leave-building"
    offered = slots(battle, "option")
    assert offered == [at for at in range(12) if beside == IN_RANKS or at % 3 < 2]
    for at in offered:
        copy, faults = after(battle, "option", at)
        assert faults == [] and copy.units.garrison[held] == -1 and copy.units.beside[lord] == beside
        assert copy.models.on_table[lord.model()] and copy.units.block[held] == (10 if beside else 14)


@BASES
def test_they_come_out_in_any_files(base: list[float], beside: int) -> None:
    """A base that takes two ranks needs two full ones."""
    battle, held, _ = housed(base, 0, "full")
    choose(battle, "own", held.number)
    choose(battle, "option", 0)
    assert kind(battle) == "leave-files"
    most = 10 if beside else 7
    assert [at + 1 for at in slots(battle, "number")] == list(range(4, most + 1))
    for at in slots(battle, "number"):
        copy, _ = after(battle, "number", at)
        for place in slots(copy, "number"):
            assert after(copy, "number", place)[1] == []


@BASES
@BOTH_PLAYERS
def test_they_flee_from_a_building_with_their_unit(base: list[float], beside: int, player: int) -> None:
    battle, held, lord = housed(base, player)
    start_to_flee(battle, held.row, EAST, "wap.building.panic.fails")
    assert battle.units.fleeing[held] and battle.units.beside[lord] == beside
    assert Invariants(battle).after() == []


@BOTH_PLAYERS
def test_a_garrison_takes_in_one_character_who_does_not_fit_its_ranks(player: int) -> None:
    for first, second, offered in ((ODD, ODD, False), (ODD, [25.4, 25.4], True), (LARGE, ODD, True)):
        scene = RegimentScene()
        house(scene)
        held = scene.unit(player, None, models=10, garrison=0)
        scene.unit(player, hero(base_mm=first), inside=held, models=1)
        lone = scene.unit(player, hero(base_mm=second), (22.5, 18), facing=NORTH, models=1)
        scene.unit(1 - player, None, (4, 46), models=5, facing=SOUTH)
        battle = scene.battle("movement", player=player)
        choose(battle, "own", lone.number)
        assert (kind(battle) == "enter-building") is offered
