"""Flights: how far, through what, where they end, and what they cost."""

from __future__ import annotations

from math import cos, pi, sin

import numpy as np
import pytest

from wh_env import Battle
from wh_env.core.tables import DESTROYED
from wh_env.rulesets.wap.basics.blocks import set_block
from wh_env.rulesets.wap.basics.strength import unit_strength
from wh_env.rulesets.wap.battle.victory import share_of
from wh_env.rulesets.wap.fleeing.flight import way_of
from wh_env.rulesets.wap.ways.poses import middle_of
from wh_env.testing import choose, dice_left, kind, script, slots, told
from wh_env.testing.wap import EAST, NORTH, SOUTH, WEST, RegimentScene, UnitHandle, corners, pose, ranks, square

FAILS = [6, 6]  # a rally test
ENDS_ON, OFF = "wap.compulsory.flee.ends-on", "wap.compulsory.flee.off-table"
PANIC = "wap.compulsory.flee.friends-panic"


def centre(battle: Battle, unit: UnitHandle) -> tuple[float, float]:
    return middle_of(battle, unit.row, *pose(battle, unit))


def rear(battle: Battle, unit: UnitHandle) -> float:
    """The least y of a unit that faces north."""
    return min(y for _, y in corners(battle, unit))


def losses(battle: Battle, unit: UnitHandle) -> int:
    return int(battle.units.count[unit] - battle.units.alive[unit])


@pytest.mark.parametrize(("dice", "x"), [([4, 5], 1.0), ([1, 1], 8.0), ([2, 5], 3.0)])
@pytest.mark.rule("wap.compulsory.flee.distance")
def test_two_dice_straight_ahead(dice: list[int], x: float) -> None:
    scene = RegimentScene()
    unit = scene.unit(0, None, (9.5, 10), models=5, files=5, facing=WEST, fleeing=1)
    scene.unit(1, None, (40, 46))
    battle = scene.battle("movement", run=False)
    assert centre(battle, unit) == pytest.approx((10.0, 10.0))
    battle = scene.battle("movement", dice=[*FAILS, *dice])
    assert centre(battle, unit) == pytest.approx((x, 10.0))
    assert dice_left(battle) == 0


@pytest.mark.rule("wap.compulsory.flee.ignore-obstacles")
def test_nothing_stops_a_flight() -> None:
    """A friend, a rock and an enemy stand in a way of 11"; at its end there is room."""
    scene = RegimentScene()
    unit = scene.unit(0, None, (20, 10), models=5, files=5, facing=NORTH, fleeing=1)
    scene.unit(0, None, (20, 12.5), models=5, files=5, facing=SOUTH)
    scene.unit(1, None, (20, 14), models=5, files=5, facing=SOUTH)
    scene.area("impassable", 12, 16.5, 28, 18)
    battle = scene.battle("movement", dice=[*FAILS, 5, 6, *[2] * 10])
    assert pose(battle, unit) == pytest.approx((20, 21, NORTH))
    assert told(battle, "wap.compulsory.flee.distance")[0]["far"] == 11.0


def through(far: list[int], *, y: float = 5.0, deep: int = 3, owner: int = 0) -> tuple[Battle, UnitHandle]:
    """Two ranks with their rear edge on y = 20 flee north, another unit of so many ranks from ``y`` inches beyond on."""
    scene = RegimentScene()
    unit = scene.unit(0, square(ld=2), (20, 22), models=10, files=5, facing=NORTH, fleeing=1)
    scene.unit(owner, None, (20, 20 + y), models=5 * deep, files=5, facing=SOUTH)
    scene.unit(1, None, (40, 46))
    return scene.battle("movement", dice=[*FAILS, *far, *[2] * 30]), unit


@pytest.mark.parametrize(
    ("far", "end"),
    [([2, 4], 9.0), ([1, 1], 2.0), ([1, 2], 9.0), ([3, 5], 9.0), ([4, 5], 9.0), ([4, 6], 10.0)],
)
@pytest.mark.rule("wap.compulsory.flee.ends-on")
def test_a_flight_that_would_end_on_something_goes_on_until_it_is_past(far: list[int], end: float) -> None:
    """The other unit stands from 5" to 8": with its rear edge on 2" the front edge is an inch away from it."""
    battle, unit = through(far)
    assert rear(battle, unit) == pytest.approx(20.0 + end, abs=1e-5)
    assert len(told(battle, ENDS_ON)) == (sum(far) < end)


@pytest.mark.rule("wap.compulsory.flee.ends-on")
def test_past_one_thing_into_the_next() -> None:
    """Past the unit from 5" to 8" it would stand on a rock from 10" to 12", and past that too near to a unit that stands askew."""
    scene = RegimentScene()
    unit = scene.unit(0, square(ld=2), (20, 12), models=10, files=5, facing=NORTH, fleeing=1)
    scene.unit(0, None, (20, 15), models=15, files=5, facing=SOUTH)
    scene.area("impassable", 10, 20, 30, 22)
    other = scene.unit(1, None, (21, 27), models=5, files=5, facing=0.25 * pi, fleeing=1)
    battle = scene.battle("movement", dice=[*FAILS, 2, 4, *[2] * 30])
    assert battle.distance(unit, other) == pytest.approx(1.0, abs=1e-4)
    assert rear(battle, unit) > 26.0
    assert battle.setup.ruleset.audit(battle).after() == []


def over_a_rock(dice: list[int], enemy: bool = False, models: int = 10) -> tuple[Battle, UnitHandle]:
    scene = RegimentScene()
    unit = scene.unit(0, square(ld=2), (20, 12), models=models, files=5, facing=NORTH, fleeing=1)
    scene.unit(0, None, (4, 6))
    scene.area("impassable", 18, 13, 22, 14)
    if enemy:
        scene.unit(1, None, (20, 16), models=5, files=5, facing=SOUTH, fleeing=1)
    scene.unit(1, None, (40, 46))
    return scene.battle("movement", dice=[*FAILS, 5, 6, *dice]), unit


@pytest.mark.rule("wap.compulsory.flee.dangerous", "wap.terrain.impassable.flee")
def test_every_model_tests_for_a_rock_that_it_flees_through() -> None:
    battle, unit = over_a_rock([1, 3, 1, 6, 2, 5, 4, 2, 3, 6])
    assert (losses(battle, unit), ranks(battle, unit)) == (2, [5, 3])
    assert dice_left(battle) == 0
    assert told(battle, "wap.terrain.impassable.flee")[0]["amount"] == 2


@pytest.mark.rule("wap.compulsory.flee.dangerous")
def test_who_falls_in_the_first_test_takes_no_second() -> None:
    """A rock, then an enemy unit: ten dice, then eight."""
    battle, unit = over_a_rock([1, 3, 1, 6, 2, 5, 4, 2, 3, 6, 1, 2, 2, 2, 2, 2, 2, 2, 1], enemy=True)
    assert (losses(battle, unit), dice_left(battle)) == (3, 1)
    assert [len(note["dice"]) for note in told(battle, "wap.terrain.impassable.flee")] == [10]
    assert [len(note["dice"]) for note in told(battle, "wap.compulsory.flee.dangerous")] == [8]


@pytest.mark.rule("wap.terrain.impassable.flee")
def test_a_flight_does_not_end_on_impassable_ground() -> None:
    scene = RegimentScene()
    unit = scene.unit(0, square(ld=2), (20, 12), models=10, files=5, facing=NORTH, fleeing=1)
    scene.area("impassable", 10, 13, 30, 16)
    scene.unit(1, None, (40, 46))
    battle = scene.battle("movement", dice=[*FAILS, 1, 2, *[1] * 2, *[4] * 8])
    assert rear(battle, unit) == pytest.approx(17.0, abs=1e-5)
    assert losses(battle, unit) == 2


@pytest.mark.rule("wap.compulsory.flee.dangerous")
def test_a_rock_beside_the_way_is_not_passed() -> None:
    scene = RegimentScene()
    unit = scene.unit(0, square(ld=2), (20, 12), models=10, files=5, facing=NORTH, fleeing=1)
    scene.area("impassable", 22.6, 13, 30, 16)
    scene.unit(1, None, (40, 46))
    battle = scene.battle("movement", dice=[*FAILS, 5, 6, 1])
    assert (losses(battle, unit), dice_left(battle)) == (0, 1)


@pytest.mark.parametrize(("flees", "lost"), [(0, 8), (1, 0)])
@pytest.mark.rule("wap.compulsory.flee.enemy-wounds")
def test_an_enemy_who_stands_cuts_down_who_flees_through_him(flees: int, lost: int) -> None:
    scene = RegimentScene()
    unit = scene.unit(0, square(ld=2), (20, 12), models=20, files=5, facing=NORTH, fleeing=1)
    enemy = scene.unit(1, None, (20, 14), models=8, files=5, facing=SOUTH, fleeing=flees)
    scene.unit(1, None, (40, 46))
    battle = scene.battle("movement", dice=[*FAILS, 5, 6, *[2] * 18, 1, 1])
    assert unit_strength(battle, enemy.row) == 8
    assert losses(battle, unit) == lost + 2
    assert dice_left(battle) == 0


@pytest.mark.rule("wap.compulsory.flee.enemy-wounds")
def test_a_unit_can_be_cut_down_to_the_last_model() -> None:
    scene = RegimentScene()
    unit = scene.unit(0, square(ld=2), (20, 12), models=5, files=5, facing=NORTH, fleeing=1)
    scene.unit(0, None, (4, 10))
    scene.unit(1, None, (20, 14), models=8, files=5, facing=SOUTH)
    battle = scene.battle("movement", dice=[*FAILS, 5, 6, *[2] * 5])
    assert battle.units.place[unit] == DESTROYED and battle.units.alive[unit] == 0


def through_friends(models: int, dice: list[int], detail: str = "squad") -> tuple[Battle, UnitHandle, UnitHandle]:
    """A unit that flees south through a friend of Leadership 7 who stands; enemies far to the north."""
    scene = RegimentScene()
    unit = scene.unit(0, square(ld=2), (20, 34), models=models, files=5, facing=SOUTH, fleeing=1)
    friend = scene.unit(0, None, (20, 30), models=10, files=5, facing=NORTH)
    scene.unit(1, None, (20, 46))
    return scene.battle("movement", dice=[*FAILS, *dice], detail=detail), unit, friend


@pytest.mark.parametrize(("dice", "stands"), [([5, 4, 1, 2], False), ([3, 4], True)])
@pytest.mark.rule("wap.compulsory.flee.friends-panic")
def test_friends_who_are_fled_through_test_for_panic(dice: list[int], stands: bool) -> None:
    battle, unit, friend = through_friends(12, [4, 4, *dice])
    assert dice_left(battle) == 0
    assert bool(battle.units.fleeing[friend]) is not stands
    assert [note["passed"] for note in told(battle, PANIC) if "passed" in note] == [stands]
    events = [(event.kind, event.data.get("unit")) for event in battle.events]
    assert events.index(("flees", unit.row)) < events.index(("leadership test", friend.row))
    if not stands:  # straight away from the enemy, about its centre
        assert pose(battle, friend)[2] == pytest.approx(SOUTH)
        assert centre(battle, friend)[1] < 29.0


@pytest.mark.parametrize(("models", "tests"), [(9, 0), (10, 1)])
@pytest.mark.rule("wap.compulsory.flee.friends-panic", "wap.panic.fled-through")
def test_only_units_of_strength_ten_spread_panic(models: int, tests: int) -> None:
    battle, _, friend = through_friends(models, [4, 4, 1, 1])
    assert dice_left(battle) == 2 - 2 * tests
    assert len([note for note in told(battle, PANIC) if note["unit"] == friend.row]) == tests


@pytest.mark.rule("wap.compulsory.flee.friends-panic")
def test_both_friends_test_when_the_flight_is_over_and_the_panic_goes_on() -> None:
    """Two friends are fled through: their player says who tests first; a third is fled through by the first of them, one test each."""
    scene = RegimentScene()
    scene.unit(0, square(ld=2), (20, 40), models=10, files=5, facing=SOUTH, fleeing=1)
    scene.unit(0, None, (17, 36), models=10, files=5, facing=NORTH)
    scene.unit(0, None, (23.5, 36), models=10, files=5, facing=NORTH)
    scene.unit(0, None, (17, 28), models=10, files=5, facing=NORTH)
    scene.unit(1, None, (20, 46), models=5)
    battle = scene.battle("movement", detail="full", dice=[*FAILS, 4, 4])
    assert kind(battle) == "panic-order"
    assert [event.data["unit"] for event in battle.events if event.kind == "flees"] == [0]
    assert slots(battle, "own") == [1, 2]
    script(battle, [6, 6, 5, 5, 1, 1, 2, 2])
    choose(battle, "own", 1)
    assert (kind(battle), slots(battle, "own")) == ("panic-order", [2, 3])
    choose(battle, "own", 2)
    assert [note["unit"] for note in told(battle, PANIC) if "passed" in note] == [1, 2, 3]
    assert (dice_left(battle), kind(battle)) == (0, "select-to-move")


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.rule("wap.compulsory.flee.ends-on")
def test_where_a_flight_ends_agrees_with_trying_all_places(seed: int) -> None:
    """Every 0.01" from the end of the roll on is tried by measuring the distances between bases."""
    rng = np.random.default_rng(seed)
    scene = RegimentScene()
    unit = scene.unit(0, None, (24, 6), models=12, files=4, facing=float(rng.uniform(0.45, 0.55) * pi), fleeing=1)
    taken: list[tuple[float, float]] = []
    while len(taken) < 6:
        x, y = rng.uniform((15, 12), (33, 34))
        if all((x - a) ** 2 + (y - b) ** 2 > 60 for a, b in taken):
            taken.append((x, y))
    for x, y in taken:
        scene.unit(0, None, (x, y), models=int(rng.integers(3, 11)), files=5, facing=float(rng.uniform(0, 2 * pi)))
    scene.unit(1, None, (6, 46), models=5)
    battle = scene.battle("movement", run=False)
    for far in rng.uniform(2, 12, 5):
        goes, gone, _, _ = way_of(battle, unit.row, float(far))
        copy = battle.clone()
        x, y, facing = pose(copy, unit)
        for tried in np.arange(far, 40.0, 0.01):
            set_block(copy, unit.row, x + tried * cos(facing), y + tried * sin(facing), facing, 4)
            if all(copy.distance(unit, other) >= 1.0 - 1e-6 for other in range(1, 8)):
                break
        assert not gone and tried - 0.01 - 1e-6 <= goes <= tried + 1e-6


@pytest.mark.parametrize(("dice", "gone"), [([3, 4], True), ([2, 4], False), ([6, 6], True)])
@pytest.mark.rule("wap.compulsory.flee.off-table")
def test_who_touches_the_edge_of_the_table_is_gone(dice: list[int], gone: bool) -> None:
    scene = RegimentScene()
    unit = scene.unit(0, square(ld=2), (41, 20), models=10, files=5, facing=EAST, fleeing=1)
    scene.unit(0, None, (10, 10))
    scene.unit(1, None, (10, 46))
    battle = scene.battle("movement", dice=[*FAILS, *dice])
    assert (battle.units.place[unit] == DESTROYED) is gone
    assert battle.units.alive[unit] == (0 if gone else 10)
    assert not any(battle.models.on_table[k] for k in range(unit.first, unit.first + 10)) or not gone
    assert bool(told(battle, OFF)) is gone
    if gone:
        assert share_of(battle, unit.row) == ("wap.victory.dead-or-fled", 100)
    else:
        assert pose(battle, unit)[0] == pytest.approx(47.0)


@pytest.mark.rule("wap.compulsory.flee.off-table")
def test_who_is_pushed_past_an_obstruction_over_the_edge_is_gone_too() -> None:
    """A flight of 3" would end on a rock that leaves too little room behind it."""
    scene = RegimentScene()
    unit = scene.unit(0, square(ld=2), (40, 20), models=10, files=5, facing=EAST, fleeing=1)
    scene.unit(0, None, (10, 10))
    scene.area("impassable", 42, 10, 45, 30)
    scene.unit(1, None, (10, 46))
    battle = scene.battle("movement", dice=[*FAILS, 1, 2, 1])
    assert battle.units.place[unit] == DESTROYED
    assert dice_left(battle) == 1
