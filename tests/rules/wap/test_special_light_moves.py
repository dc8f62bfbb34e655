"""How light troops move: skirmishers model by model round what is in their way, free reforms before and after a move, fast cavalry and who rides with it."""

from __future__ import annotations

from math import pi
from typing import Any

import numpy as np
import pytest
from charging import FLEE, charge, react
from core.test_detours import round_one
from heroes import hero, horse, rider
from marching import ADVANCE, BACK, FORWARD, LEFT, MARCH, MOST, REFORM, RIGHT, STAY, ahead, cell_of, finish, leg, select
from oracles.outlines import SCENES
from oracles.regiments import bases, least_displacement
from scipy.optimize import brentq

from wh_env import Battle
from wh_env.rulesets.wap.characters.joining import is_open_to
from wh_env.rulesets.wap.codes import MARCHED, MOVED
from wh_env.rulesets.wap.movement.aftermath import barred_from_shooting
from wh_env.rulesets.wap.movement.distances import move_of
from wh_env.rulesets.wap.movement.going import FLY, FREE_REFORM
from wh_env.rulesets.wap.special.light_troops import feint_of, has_vanguard, is_fast_cavalry, is_loose
from wh_env.testing import choose, kind, slots, told
from wh_env.testing.wap import NORTH, RegimentScene, UnitHandle, pose, square

LOOSE = {"rules": ["Skirmishers"]}


def light(**values: Any) -> dict[str, Any]:
    return square(**{**LOOSE, **values})


# ---------------------------------------------------------------- round things


def wall_of(half: float) -> list[tuple[float, float]]:
    """A thin wall two and a half inches before a model at (24, 9.5)."""
    return [(24 - half, 11.95), (24 + half, 11.95), (24 + half, 12.05), (24 - half, 12.05)]


def detour(half: float) -> float:
    """Inches of the way of the model in the middle to a place five inches ahead."""
    both = round_one(np.array(wall_of(half)), 1.5, (24.0, 9.5), (24.0, 14.5))
    assert both is not None
    return float(min(both))


WIDTH = brentq(lambda half: detour(half) - 6.5, 0.05, 3.0)


def at_a_wall(
    card: dict[str, Any] | None = None, detail: str = "full", half: float = WIDTH
) -> tuple[Battle, UnitHandle]:
    scene = RegimentScene()
    unit = scene.unit(0, card or light(m=5), (24, 10), models=5, files=5)
    scene.feature("impassable", wall_of(half))
    scene.unit(0, None, (4, 4), models=5)
    scene.unit(1, None, (24, 46), models=5)
    return scene.battle("movement", detail=detail), unit


@pytest.mark.rule("wap.special.skirmishers.movement")
def test_a_detour_of_a_model_counts_against_its_move() -> None:
    """It has to go six and a half inches to be five inches farther: too many for a move, not for a march."""
    assert detour(WIDTH) == pytest.approx(6.5)
    battle, unit = at_a_wall()
    select(battle, unit)
    copy = battle.clone()
    choose(copy, "option", ADVANCE)
    choose(copy, "option", FORWARD)
    assert ahead(5.0) not in slots(copy, "number")
    choose(battle, "option", MARCH)
    choose(battle, "option", FORWARD)
    assert ahead(5.0) in slots(battle, "number") and ahead(2.0) not in slots(
        battle, "number"
    )  # who would stand on the wall
    choose(battle, "number", ahead(5.0))
    assert battle.units.spent[unit] == pytest.approx(6.5, abs=0.02)
    finish(battle)
    assert pose(battle, unit)[1] == pytest.approx(15.0)


@pytest.mark.rule("wap.special.skirmishers.movement")
def test_a_narrow_thing_is_passed_within_a_move() -> None:
    battle, unit = at_a_wall(light(m=7), half=0.2)
    select(battle, unit)
    choose(battle, "option", ADVANCE)
    choose(battle, "option", FORWARD)
    assert ahead(5.0) in slots(battle, "number")


@pytest.mark.rule("wap.special.skirmishers.movement")
def test_others_stop_before_it() -> None:
    battle, unit = at_a_wall(square(m=5))
    select(battle, unit)
    choose(battle, "option", MARCH)
    leg(battle, FORWARD, MOST)
    finish(battle)
    assert pose(battle, unit)[1] == pytest.approx(10.95, abs=1e-3)


@pytest.mark.rule("wap.special.skirmishers.movement")
@pytest.mark.parametrize(("option", "there"), [(ADVANCE, False), (MARCH, True)])
def test_cells_behind_a_wall(option: int, there: bool) -> None:
    battle, unit = at_a_wall(detail="squad")
    select(battle, unit)
    choose(battle, "option", option)
    offered = [cell_of(battle, 24.0, y) in slots(battle, "cell") for y in (15.0,)]
    assert offered == [there]
    if there:
        choose(battle, "cell", cell_of(battle, 24.0, 15.0))
        if kind(battle) == "move-refine":
            choose(battle, "cell", cell_of(battle, 24.0, 15.0))
        assert battle.units.spent[unit] == pytest.approx(6.5, abs=0.02)


# ---------------------------------------------------------------- free reforms


def loose_unit(detail: str = "full", **values: Any) -> tuple[Battle, UnitHandle]:
    scene = RegimentScene()
    unit = scene.unit(0, light(**values), (24, 20), models=9, files=3)
    scene.unit(0, None, (4, 4), models=5)
    scene.unit(1, None, (24, 46), models=5)
    return scene.battle("movement", detail=detail), unit


def turn_left(battle: Battle, unit: UnitHandle, steps: int) -> float:
    """Reform freely, in as many files, facing so many steps to the left of the north; returns how far a model has to go at least."""
    slot = battle.setup.space.angles // 4 + steps
    where = pose(battle, unit)
    old = bases(9, 3, 0.5, 0.5, 0.5, *where)
    choose(battle, "option", FREE_REFORM)
    if kind(battle) == "reform-files":
        choose(battle, "number", 2)
    choose(battle, "angle", slot)
    facing = slot * 2 * pi / battle.setup.space.angles
    middle = np.array(where[:2]) - 2.0 * np.array([np.cos(where[2]), np.sin(where[2])])
    front = middle + 2.0 * np.array([np.cos(facing), np.sin(facing)])
    assert pose(battle, unit)[:2] == pytest.approx(tuple(front))
    return least_displacement(old, bases(9, 3, 0.5, 0.5, 0.5, *front, facing))


@pytest.mark.rule("wap.special.skirmishers.reform")
def test_a_reform_before_a_march_leaves_less_of_it() -> None:
    battle, unit = loose_unit()
    select(battle, unit)
    assert {FREE_REFORM, REFORM} <= set(slots(battle, "option"))
    cost = turn_left(battle, unit, 2)
    assert kind(battle) == "manoeuvre" and not {FREE_REFORM, REFORM} & set(slots(battle, "option"))
    assert 0.5 < cost < 3.0 and battle.units.strayed[unit] == pytest.approx(cost, abs=1e-3)
    choose(battle, "option", MARCH)
    x, y, _ = pose(battle, unit)
    leg(battle, FORWARD, MOST)
    finish(battle)
    gone = np.hypot(pose(battle, unit)[0] - x, pose(battle, unit)[1] - y)
    assert gone == pytest.approx(8.0 - cost, abs=1e-3)
    assert kind(battle) == "select-to-move"  # nothing is left for another reform
    assert battle.units.did[unit] & MARCHED and len(told(battle, "wap.special.skirmishers.reform")) == 1


@pytest.mark.rule("wap.special.skirmishers.reform")
@pytest.mark.parametrize("march", [2.0, 4.0, 6.5])
def test_a_reform_after_a_march_has_what_is_left(march: float) -> None:
    """Just the facings and files in which no model goes farther than that, whoever goes where."""
    battle, unit = loose_unit()
    select(battle, unit)
    cost = turn_left(battle, unit, 1)
    choose(battle, "option", MARCH)
    leg(battle, FORWARD, ahead(march))
    finish(battle)
    left = 8.0 - cost - march
    where = pose(battle, unit)
    old = bases(9, 3, 0.5, 0.5, 0.5, *where)
    middle = np.array(where[:2]) - 2.0 * np.array([np.cos(where[2]), np.sin(where[2])])
    assert kind(battle) == "manoeuvre" and slots(battle, "option") == [STAY, FREE_REFORM]
    choose(battle, "option", FREE_REFORM)
    if kind(battle) == "reform-files":
        choose(battle, "number", 2)
    found, angles = set(slots(battle, "angle")), battle.setup.space.angles
    for slot in range(angles):
        facing = slot * 2 * pi / angles
        front = middle + 2.0 * np.array([np.cos(facing), np.sin(facing)])
        spare = left - least_displacement(old, bases(9, 3, 0.5, 0.5, 0.5, *front, facing))
        if abs(spare) > 2e-3:
            assert (slot in found) is (spare > 0.0), (slot, spare)


@pytest.mark.rule("wap.special.skirmishers.reform")
def test_it_may_stay_as_it_is_when_it_has_moved() -> None:
    battle, unit = loose_unit("squad")
    select(battle, unit)
    choose(battle, "option", BACK)
    choose(battle, "number", 3)
    assert kind(battle) == "manoeuvre"
    before = pose(battle, unit)
    choose(battle, "option", STAY)
    assert pose(battle, unit) == before and battle.units.did[unit] & MOVED
    assert kind(battle) == "select-to-move" and unit.number not in slots(battle, "own")


@pytest.mark.rule("wap.special.skirmishers.reform")
def test_others_do_not_reform_freely() -> None:
    battle, unit = loose_unit(rules=[])
    select(battle, unit)
    assert REFORM in slots(battle, "option") and FREE_REFORM not in slots(battle, "option")
    choose(battle, "option", ADVANCE)
    leg(battle, FORWARD, 1)
    finish(battle)
    assert kind(battle) == "select-to-move"


@pytest.mark.rule("wap.special.skirmishers.reform", "wap.special.fly.skirmish")
def test_flyers_count_their_wings() -> None:
    """With two inches nobody gets from three files into nine; with twice ten in the air they do, and are too tired to walk then."""
    for rules, there in ((["Fly (10)"], True), (["Skirmishers"], False)):
        battle, unit = loose_unit(rules=rules, m=1)
        select(battle, unit)
        choose(battle, "option", FREE_REFORM)
        assert (8 in slots(battle, "number")) is there
    battle, unit = loose_unit(rules=["Fly (10)"], m=1)
    select(battle, unit)
    choose(battle, "option", FREE_REFORM)
    choose(battle, "number", 8)
    choose(battle, "done") if slots(battle, "done") else choose(battle, "angle", battle.setup.space.angles // 4)
    assert battle.units.strayed[unit] > 2.0
    assert ADVANCE not in slots(battle, "option") and FLY in slots(battle, "option")


@pytest.mark.rule("wap.special.skirmishers.reform", "wap.move.manoeuvre.cap")
@pytest.mark.parametrize("seed", range(max(4, SCENES // 20)))
def test_no_model_goes_farther_than_twice_its_movement(seed: int) -> None:
    """Moves at random: the reforms, whoever goes where, and what the move costs, together."""
    chance = np.random.default_rng(seed)
    scene = RegimentScene()
    unit = scene.unit(0, light(m=int(chance.integers(3, 7))), (24, 20), models=int(chance.integers(4, 13)), files=4)
    scene.unit(0, None, (30, 28), models=5)
    scene.unit(1, None, (24, 46), models=5)
    start = scene.battle("movement", detail="full")
    select(start, unit)
    for _ in range(20):
        battle, gone, where, pays = start.clone(), 0.0, None, 1.0
        while battle.clock.subject[0] == unit.row and kind(battle) != "select-to-move":
            u = battle.units
            if kind(battle) == "reform-facing":
                where = (u.files[unit], *pose(battle, unit))
            action = int(chance.choice(np.flatnonzero(battle.legal())))
            if kind(battle) == "manoeuvre" and action - battle.setup.space.option in (BACK, LEFT, RIGHT):
                pays = 0.5  # it goes at half speed
            battle.apply(action)
            if where is not None:
                count = u.alive[unit]
                old = bases(count, where[0], 0.5, 0.5, 0.5, *where[1:])
                gone += least_displacement(old, bases(count, u.files[unit], 0.5, 0.5, 0.5, *pose(battle, unit)))
                where = None
        gone += battle.units.spent[unit] * pays
        assert gone <= 2.0 * move_of(battle, unit.row) + 2e-3


# ---------------------------------------------------------------- fast cavalry

FAST = {"rules": ["Fast Cavalry"], "equipment": ["hand weapon", "bow"]}


def riders(*lord: dict[str, Any], detail: str = "full", **values: Any) -> tuple[Battle, UnitHandle]:
    """Five of fast cavalry with Movement 8, and a character in it."""
    scene = RegimentScene()
    unit = scene.unit(0, horse(**{**FAST, **values}), (24, 20), models=5, files=5)
    for card in lord:
        scene.unit(0, card, inside=unit, models=1)
    scene.unit(0, None, (4, 4), models=5)
    scene.unit(1, None, (24, 46), models=5)
    return scene.battle("movement", detail=detail), unit


@pytest.mark.rule("wap.special.fast-cavalry.reform")
def test_fast_cavalry_reforms_before_and_after_a_march() -> None:
    """After fourteen inches of sixteen a turn of one step is near enough, a turn about is not."""
    battle, unit = riders()
    select(battle, unit)
    assert FREE_REFORM in slots(battle, "option")
    choose(battle, "option", MARCH)
    leg(battle, FORWARD, ahead(14.0))
    finish(battle)
    assert slots(battle, "option") == [STAY, FREE_REFORM]
    choose(battle, "option", FREE_REFORM)
    if kind(battle) == "reform-files":
        choose(battle, "number", 4)
    north = battle.setup.space.angles // 4
    assert north + 1 in slots(battle, "angle") and north + 6 not in slots(battle, "angle")
    choose(battle, "angle", north + 1)
    assert battle.units.did[unit] & MARCHED and len(told(battle, "wap.special.fast-cavalry.reform")) == 1
    assert pose(battle, unit)[2] == pytest.approx(NORTH + 2 * pi / battle.setup.space.angles)
    battle, unit = riders(rules=[])
    select(battle, unit)
    assert FREE_REFORM not in slots(battle, "option")


@pytest.mark.rule("wap.special.fast-cavalry.reform")
def test_none_when_it_charges() -> None:
    scene = RegimentScene()
    unit = scene.unit(0, horse(**FAST), (24, 20), models=5, files=5)
    foe = scene.unit(1, None, (24, 26), models=5)
    battle = scene.battle("movement", dice=[6, 6, 6])
    charge(battle, unit, foe)
    react(battle, 0)
    if kind(battle) == "declare-charge":
        choose(battle, "done")
    assert not told(battle, "wap.special.fast-cavalry.reform")
    assert kind(battle) != "select-to-move" or unit.number not in slots(battle, "own")


@pytest.mark.rule("wap.special.fast-cavalry.characters")
def test_who_rides_with_fast_cavalry_is_as_fast() -> None:
    """All six keep the free reforms, the vanguard move of twelve inches, feigned flight and shots on the march."""
    scene = RegimentScene()
    unit = scene.unit(0, horse(**FAST), (24, 20), models=5, files=3)
    lord = scene.unit(0, rider(), inside=unit, models=1)
    mounted, on_foot = scene.unit(0, rider(), (10, 10), models=1), scene.unit(0, hero(), (14, 10), models=1)
    scene.unit(1, None, (24, 46), models=5)
    battle = scene.battle("movement", detail="full")
    assert is_fast_cavalry(battle, unit.row) and is_loose(battle, unit.row) and has_vanguard(battle, unit.row)
    assert not has_vanguard(battle, lord.row)
    assert feint_of(battle, unit.row) == "wap.special.fast-cavalry.feigned-flight"
    assert battle.units.block[unit] == 6
    assert is_open_to(battle, mounted.row, unit.row) and not is_open_to(battle, on_foot.row, unit.row)
    select(battle, unit)
    assert FREE_REFORM in slots(battle, "option")
    choose(battle, "option", MARCH)
    leg(battle, FORWARD, ahead(6.0))
    finish(battle)
    assert slots(battle, "option") == [STAY, FREE_REFORM]
    assert barred_from_shooting(battle, unit.row) == ""


@pytest.mark.rule("wap.special.fast-cavalry.armour-limit")
@pytest.mark.parametrize(
    ("armour", "keeps"),
    [(("medium armour", "shield"), True), (("heavy armour",), True), (("heavy armour", "shield"), False)],
)
def test_heavy_armour_of_one_slows_all(armour: tuple[str, ...], keeps: bool) -> None:
    """No free reforms, feigned flight, fire and flee, nor shots on the march."""
    battle, unit = riders(rider(equipment=["hand weapon", *armour]))
    assert is_fast_cavalry(battle, unit.row) is keeps
    assert bool(feint_of(battle, unit.row)) is keeps
    select(battle, unit)
    assert (FREE_REFORM in slots(battle, "option")) is keeps
    choose(battle, "option", MARCH)
    leg(battle, FORWARD, ahead(6.0))
    finish(battle)
    assert (kind(battle) == "manoeuvre") is keeps
    assert (barred_from_shooting(battle, unit.row) == "") is keeps


@pytest.mark.rule("wap.special.fast-cavalry.armour-limit")
@pytest.mark.parametrize(("armour", "offered"), [(("medium armour", "shield"), 4), (("heavy armour", "shield"), 3)])
def test_heavy_armour_and_fire_and_flee(armour: tuple[str, ...], offered: int) -> None:
    scene = RegimentScene()
    unit = scene.unit(1, horse(**FAST), (24, 25), models=5, files=5)
    scene.unit(1, rider(equipment=["hand weapon", *armour]), inside=unit, models=1)
    charger = scene.unit(0, square(m=8), (24, 13), models=20, files=5)
    battle = scene.battle("movement")
    charge(battle, charger, unit)
    assert len(slots(battle, "option")) == offered and FLEE in slots(battle, "option")
