"""Dwarfs at a brewery: they are Unbreakable, and leave its area only if they pass a test."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.charging import chargers
from tests.heroes import hero
from wh_env import Battle
from wh_env.agents.invariants import Invariants
from wh_env.rulesets.wap.basics.combined_unit import has
from wh_env.rulesets.wap.basics.ground import distance_to, features_of
from wh_env.rulesets.wap.breaking.break_tests import is_unbreakable
from wh_env.rulesets.wap.movement.going import ADVANCE, BACK, FINISH, FORWARD, MARCH
from wh_env.rulesets.wap.rule_book import STUBBORN, UNBREAKABLE
from wh_env.testing import choose, kind, script, slots, told, words
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene, UnitHandle, square

RULE = "wap.building.arcane.brewery.dwarfs"
HOUSE = (22.0, 22.0, 26.0, 26.0)
BOTH_PLAYERS = pytest.mark.parametrize("player", [0, 1])
DETAILS = pytest.mark.parametrize("detail", ["full", "squad"])
DWARFS = ("Dwarfs", "order")


def beside(
    player: int,
    *,
    gap: float = 3.0,
    book: tuple[str, str] = DWARFS,
    card: dict[str, Any] | None = None,
    models: int = 10,
    foe: float | None = None,
    **fields: Any,
) -> tuple[RegimentScene, UnitHandle]:
    """A unit of ``player`` so many inches from a brewery, with its rear to it, an enemy ``foe`` inches ahead of it, and
    another one far away.
    """
    scene = RegimentScene()
    scene.area("building", *HOUSE, example="dwarf brewery", storeys=2)
    unit_card = {**square(ld=9, m=4), **(card or {})}
    rear = HOUSE[1] - gap
    deep = 2.0 if models > 1 else 1.0
    unit = scene.unit(player, unit_card, (24, rear - deep), models=models, files=5, facing=SOUTH, book=book, **fields)
    if foe is not None:
        scene.unit(1 - player, square(), (24, rear - deep - foe), models=5, files=5, facing=NORTH)
    scene.unit(1 - player, None, (44, 47), models=5, facing=SOUTH)
    scene.unit(player, None, (4, 47), models=5, facing=SOUTH)
    return scene, unit


def apart(battle: Battle, unit: UnitHandle) -> float:
    """Inches between a unit and the brewery."""
    return distance_to(battle, unit.row, features_of(battle)[0])


@pytest.mark.rule("wap.building.arcane.brewery.dwarfs")
@BOTH_PLAYERS
@pytest.mark.parametrize(
    ("gap", "book", "unbreakable"), [(6.0, DWARFS, True), (6.1, DWARFS, False), (3.0, ("Empire", "order"), False)]
)
def test_dwarfs_near_it_are_unbreakable(player: int, gap: float, book: tuple[str, str], unbreakable: bool) -> None:
    scene, unit = beside(player, gap=gap, book=book)
    battle = scene.battle("movement", player=player, run=False)
    assert has(battle, unit.row, UNBREAKABLE) is unbreakable
    assert has(battle, unit.row, STUBBORN) is (gap <= 6.0)
    assert is_unbreakable(battle, unit.row) is unbreakable


def ends_of_moves(battle: Battle, unit: UnitHandle, tries: int = 12) -> list[float]:
    """Where a unit stands after as many random moves from here, in inches from the brewery."""
    found = []
    for seed in range(tries):
        copy, chance = battle.clone(seed=seed), np.random.default_rng(seed)
        watch = Invariants(copy)
        while copy.clock.subject[0] == unit.row and kind(copy) not in ("select-to-move", "declare-charge"):
            watch.before()
            copy.apply(int(chance.choice(np.flatnonzero(copy.legal()))))
            assert watch.after() == []
        found.append(apart(copy, unit))
    return found


@pytest.mark.rule("wap.building.arcane.brewery.dwarfs")
@BOTH_PLAYERS
@DETAILS
@pytest.mark.parametrize(("dice", "leaves"), [((3, 4), False), ((3, 3), True)])
def test_who_fails_ends_its_move_within_the_area(player: int, detail: str, dice: tuple[int, int], leaves: bool) -> None:
    """Leadership 9 at -3: a 7 fails and a 6 passes."""
    scene, unit = beside(player)
    battle = scene.battle("movement", player=player, detail=detail)
    choose(battle, "own", unit.number)
    assert (kind(battle), battle.clock.player[0]) == ("leave-area", player)
    assert slots(battle, "option") == [0] and battle.legal()[0] and Invariants(battle).after() == []
    assert sorted(words(battle).values()) == [
        f"{unit.regiment.name} stays within the area",
        f"{unit.regiment.name} tries to leave the area",
    ]
    script(battle, dice)
    choose(battle, "option", 0)
    (test,) = told(battle, RULE)
    assert (test["leadership"], test["roll"], test["passed"]) == (6, sum(dice), leaves)
    assert kind(battle) == "manoeuvre"
    farthest = battle.clone()
    choose(farthest, "option", ADVANCE)
    if detail == "full":
        choose(farthest, "option", FORWARD)
        choose(farthest, "number", slots(farthest, "number")[-1])
        while kind(farthest) == "leg":
            choose(farthest, "option", FINISH)
        assert apart(farthest, unit) == pytest.approx(7.0 if leaves else 6.0, abs=1e-3)
    ends = ends_of_moves(battle, unit, 30)
    if not leaves:
        assert max(ends) <= 6.0 + 1e-4 and max(ends) > 3.0  # it may move, up to the rim
    elif detail == "squad":
        assert max(ends) > 6.0


@pytest.mark.rule("wap.building.arcane.brewery.dwarfs")
@BOTH_PLAYERS
@DETAILS
@pytest.mark.parametrize(("gap", "offered"), [(6.0, False), (5.0, True)])
def test_at_the_rim_it_is_not_asked_to_go_back(player: int, detail: str, gap: float, offered: bool) -> None:
    """It looks at the brewery. From the rim no step back ends within the area, an inch before it one does."""
    scene, unit = beside(player, gap=gap)
    unit.at, unit.facing = (24, HOUSE[1] - gap), NORTH
    battle = scene.battle("movement", player=player, detail=detail)
    choose(battle, "own", unit.number)
    choose(battle, "done")
    assert kind(battle) == "manoeuvre" and ADVANCE in slots(battle, "option")
    assert (BACK in slots(battle, "option")) is offered


@pytest.mark.rule("wap.building.arcane.brewery.dwarfs")
@BOTH_PLAYERS
@DETAILS
def test_who_stays_needs_no_test(player: int, detail: str) -> None:
    scene, unit = beside(player)
    battle = scene.battle("movement", player=player, detail=detail)
    choose(battle, "own", unit.number)
    choose(battle, "done")
    assert told(battle, RULE) == [] and kind(battle) == "manoeuvre"
    assert max(ends_of_moves(battle, unit)) <= 6.0 + 1e-4
    choose(battle, "option", ADVANCE)
    if detail == "full":
        choose(battle, "option", 0)
        assert max(slots(battle, "number")) < 7  # three inches in steps of a half
    assert max(ends_of_moves(battle, unit)) <= 6.0 + 1e-4


@pytest.mark.rule("wap.building.arcane.brewery.dwarfs")
@BOTH_PLAYERS
@pytest.mark.parametrize(("dice", "leaves"), [((3, 4), False), ((3, 3), True)])
def test_who_fails_declares_no_charge(player: int, dice: tuple[int, int], leaves: bool) -> None:
    scene, unit = beside(player, foe=6.0)
    battle = scene.battle("movement", player=player)
    assert unit.number in chargers(battle)
    choose(battle, "own", unit.number)
    assert kind(battle) == "leave-area"
    script(battle, [*dice, 6, 6])
    choose(battle, "option", 0)
    assert bool(told(battle, "wap.charge.declare")) is leaves
    if not leaves:
        assert unit.number not in chargers(battle)
        if kind(battle) == "declare-charge":
            choose(battle, "done")
        assert kind(battle) == "select-to-move" and unit.number in slots(battle, "own")
        choose(battle, "own", unit.number)  # it is not asked again
        assert kind(battle) == "manoeuvre" and max(ends_of_moves(battle, unit)) <= 6.0 + 1e-4


@pytest.mark.rule("wap.building.arcane.brewery.dwarfs")
@BOTH_PLAYERS
@pytest.mark.parametrize(("gap", "book"), [(6.1, DWARFS), (3.0, ("Empire", "order"))])
def test_others_are_not_asked(player: int, gap: float, book: tuple[str, str]) -> None:
    scene, unit = beside(player, gap=gap, book=book)
    battle = scene.battle("movement", player=player)
    choose(battle, "own", unit.number)
    assert kind(battle) == "manoeuvre"


@pytest.mark.rule("wap.building.arcane.brewery.dwarfs")
@BOTH_PLAYERS
@DETAILS
@pytest.mark.parametrize("gap", [3.0, 5.9])
def test_a_hero_alone_and_one_in_a_unit(player: int, detail: str, gap: float) -> None:
    """Alone he goes about within the area; in a unit he who stays does not leave it."""
    scene, unit = beside(player, gap=gap, card=hero(ld=9, m=4), models=1)
    battle = scene.battle("movement", player=player, detail=detail)
    choose(battle, "own", unit.number)
    choose(battle, "done")
    assert max(ends_of_moves(battle, unit)) <= 6.0 + 1e-4
    scene, host = beside(player, gap=gap)
    lord = scene.unit(player, hero(ld=9), inside=host, models=1, book=DWARFS)
    battle = scene.battle("movement", player=player, detail=detail)
    choose(battle, "own", lord.number)
    assert kind(battle) == "leave-area"
    choose(battle, "done")
    assert kind(battle) == "select-to-move" and battle.units.bodyguard[lord] == host.row


@BOTH_PLAYERS
@DETAILS
def test_the_question_is_stored_and_the_march_is_kept_too(player: int, detail: str) -> None:
    scene, unit = beside(player, gap=5.0)
    battle = scene.battle("movement", player=player, detail=detail)
    choose(battle, "own", unit.number)
    stored = battle.clone()
    for game in (stored, battle):
        choose(game, "done")
        choose(game, "option", MARCH)
    assert stored.state_bytes() == battle.state_bytes()
    assert max(ends_of_moves(battle, unit)) <= 6.0 + 1e-4
