"""Reforms: about the centre, no model too far, the whole turn; swift reforms; more ranks than files at narrow places."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest
from marching import (
    ADVANCE,
    BACK,
    FAR_AWAY,
    FORWARD,
    LEFT,
    MARCH,
    REFORM,
    RIGHT,
    STAY,
    SWIFT,
    ahead,
    alone,
    finish,
    go,
    leg,
    limit,
    manoeuvres,
)
from oracles.regiments import bases, least_displacement

from wh_env import Battle
from wh_env.rulesets.wap.battle.timing import start_turn
from wh_env.rulesets.wap.codes import COLUMN, RANKS
from wh_env.rulesets.wap.movement.aftermath import barred_from_shooting, counts_as_moved
from wh_env.testing import choose, kind, slots, told
from wh_env.testing.wap import EAST, NORTH, SOUTH, RegimentScene, UnitHandle, corners, pose, square

STEP = pi / 12  # from one facing to the next
KEEP = 24  # as far as it faces now: the slot ``done``


def reform(battle: Battle, unit: UnitHandle, files: int) -> None:
    """Choose a unit, a reform and its files."""
    go(battle, unit, REFORM)
    if kind(battle) == "reform-files":
        choose(battle, "number", files - 1)


@pytest.mark.rule("wap.move.reform")
def test_a_reform_keeps_the_centre() -> None:
    battle, unit = alone(at=(24.0, 26.0), card=square(m=8))  # 5 files by 4 ranks about (24, 24)
    reform(battle, unit, 10)
    assert kind(battle) == "reform-facing"
    choose(battle, "angle", 0)
    found = np.array(corners(battle, unit)) - 24.0
    assert (found.min(axis=0), found.max(axis=0)) == (pytest.approx([-1.0, -5.0]), pytest.approx([1.0, 5.0]))
    assert pose(battle, unit)[2] == EAST and battle.units.files[unit] == 10


@pytest.mark.rule("wap.move.reform")
def test_formations_within_the_limits_are_offered() -> None:
    battle, unit = alone(card=square(m=8))
    go(battle, unit, REFORM)
    assert slots(battle, "number") == list(range(4, 20))  # 5 to 20 files: no more ranks than files
    choose(battle, "number", 4)
    assert slots(battle, "angle") == list(range(24)) and not slots(battle, "done")


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.rule("wap.move.manoeuvre.cap")
def test_no_model_goes_too_far(seed: int) -> None:
    """Exactly those files and facings are offered for which some assignment of models to places moves none farther than 2 M."""
    chance = np.random.default_rng(seed)
    models, movement = int(chance.integers(6, 21)), int(chance.integers(2, 5))
    files = int(chance.integers(5, models + 1))
    facing = float(chance.uniform(-pi, pi))
    battle, unit = alone(models, files, (24.0, 24.0), card=square(m=movement), facing=facing)
    old = bases(models, files, 0.5, 0.5, 0.0, 24.0, 24.0, facing)
    depth = -(-models // files)
    middle = np.array([24.0, 24.0]) - np.array([np.cos(facing), np.sin(facing)]) * depth / 2
    go(battle, unit, REFORM)
    fine = 0
    for number in slots(battle, "number"):
        copy = battle.clone()
        choose(copy, "number", number)
        offered = set(slots(copy, "angle")) | ({KEEP} if slots(copy, "done") else set())
        ranks = -(-models // (number + 1))
        for slot in range(25):
            turned = facing if slot == KEEP else slot * STEP
            front = middle + np.array([np.cos(turned), np.sin(turned)]) * ranks / 2
            need = least_displacement(old, bases(models, number + 1, 0.5, 0.5, 0.0, *front, turned))
            if abs(need - 2 * movement) > 1e-3:
                assert (slot in offered) is (need < 2 * movement), (number, slot, need)
        fine += len(offered)
    assert fine
    assert {n + 1 for n in slots(battle, "number")} <= {n for n in range(1, models + 1) if -(-models // n) <= n}


@pytest.mark.parametrize(("models", "files", "need", "fine"), [(24, 6, 9.02, False), (20, 5, 7.52, True)])
@pytest.mark.rule("wap.move.manoeuvre.cap")
def test_a_long_line_folds_up_as_far_as_models_go(models: int, files: int, need: float, fine: bool) -> None:
    """A line facing about in four ranks, with M4: with 24 models somebody would go some 9 inches, with 20 no one more than 7.5."""
    battle, unit = alone(models, models, (24.0, 24.0))
    old = bases(models, models, 0.5, 0.5, 0.0, 24.0, 24.0, NORTH)
    assert least_displacement(old, bases(models, files, 0.5, 0.5, 0.0, 24.0, 21.5, SOUTH)) == pytest.approx(
        need, abs=0.1
    )
    go(battle, unit, REFORM)
    if files - 1 in slots(battle, "number"):
        choose(battle, "number", files - 1)
        assert (18 in slots(battle, "angle")) is fine
    else:
        assert not fine


@pytest.mark.rule("wap.move.manoeuvre.one-inch")
def test_a_reform_ends_an_inch_away() -> None:
    scene = RegimentScene()
    unit = scene.unit(0, square(m=8), (20, 20), models=10, files=5)  # 17.5 .. 22.5
    scene.unit(0, None, (26.5, 20), models=5, files=5, facing=NORTH)  # from 24
    scene.unit(1, None, FAR_AWAY)
    battle = scene.battle("movement")
    go(battle, unit, REFORM)
    assert [n + 1 for n in slots(battle, "number")] == [4, 5, 6, 7, 8, 9, 10]
    choose(battle, "number", 6 - 1)
    assert 6 in slots(battle, "angle")  # 17 .. 23: exactly an inch
    battle = scene.battle("movement")
    go(battle, unit, REFORM)
    choose(battle, "number", 7 - 1)
    assert 6 not in slots(battle, "angle") and 18 not in slots(battle, "angle")  # to 23.5
    assert 0 in slots(battle, "angle")


@pytest.mark.rule("wap.move.reform.cost")
def test_a_reform_takes_the_turn() -> None:
    for detail in ("squad", "full"):
        scene = RegimentScene()
        unit, other = scene.unit(0, None, (20, 20)), scene.unit(0, None, (40, 20))
        scene.unit(1, None, FAR_AWAY)
        battle = scene.battle("movement", detail=detail)
        reform(battle, unit, 5)
        choose(battle, "angle", 0)
        assert slots(battle, "own") == [other.number]  # no further movement
        assert barred_from_shooting(battle, unit.row) == "wap.move.reform.cost"
    battle, unit = alone()
    go(battle, unit, ADVANCE)
    leg(battle, FORWARD, ahead(1.0))
    assert kind(battle) == "leg" and 6 not in slots(battle, "option") and 7 not in slots(battle, "option")


# ---------------------------------------------------------------- swift reforms


@pytest.mark.rule("wap.command.musician.swift-reform")
def test_only_with_a_musician() -> None:
    battle, unit = alone(command=("musician",))
    assert SWIFT in manoeuvres(battle, unit)
    battle, unit = alone(command=("champion",))
    assert SWIFT not in manoeuvres(battle, unit)


@pytest.mark.rule("wap.command.musician.swift-reform.no-new-ranks")
def test_a_swift_reform_turns_on_the_spot() -> None:
    battle, unit = alone(at=(24.0, 26.0), command=("musician",), card=square(m=6))
    go(battle, unit, SWIFT)
    assert kind(battle) == "pivot-to" and not slots(battle, "number")
    choose(battle, "angle", 12)
    found = np.array(corners(battle, unit)) - 24.0
    assert (found.min(axis=0), found.max(axis=0)) == (pytest.approx([-2.0, -2.5]), pytest.approx([2.0, 2.5]))
    assert pose(battle, unit)[2] == pytest.approx(pi)
    assert battle.units.files[unit] == 5


@pytest.mark.rule("wap.command.musician.swift-reform.move-after")
def test_a_unit_moves_after_a_swift_reform() -> None:
    battle, unit = alone(at=(24.0, 26.0), command=("musician",))
    go(battle, unit, SWIFT)
    choose(battle, "angle", 0)
    assert kind(battle) == "manoeuvre"
    assert slots(battle, "option") == [STAY, ADVANCE, BACK, LEFT, RIGHT]
    assert counts_as_moved(battle, unit.row) and not barred_from_shooting(battle, unit.row)
    choose(battle, "option", ADVANCE)
    assert limit(battle, FORWARD) == 4.0
    leg(battle, FORWARD, ahead(4.0))
    finish(battle)
    assert pose(battle, unit) == pytest.approx((30.0, 24.0, EAST))


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.rule("wap.command.musician.swift-reform.shooting")
def test_a_swift_reform_counts_as_a_move_for_shooting(player: int) -> None:
    """Bows hit on 5+ after it, on 4+ without it; crossbows, which do not move and fire, do not shoot."""
    scene = RegimentScene()
    arms = {name: square(equipment=["hand weapon", name]) for name in ("bow", "crossbow")}
    bows, other_bows, crossbows, other_crossbows = (
        scene.unit(player, arms[name], (x, 20.0), models=5, files=5, facing=NORTH, command=("musician",))
        for name, x in (("bow", 8.0), ("bow", 18.0), ("crossbow", 28.0), ("crossbow", 38.0))
    )
    scene.unit(1 - player, None, (24, 29), models=40, files=40, facing=SOUTH)
    battle = scene.battle("movement", player=player, detail="full")
    for unit in (bows, crossbows):
        go(battle, unit, SWIFT)
        choose(battle, "angle", battle.setup.space.angles // 4)  # it looks north as before
        choose(battle, "option", STAY)
    choose(battle, "done")
    assert kind(battle) == "select-to-shoot"
    assert slots(battle, "own") == [bows.number, other_bows.number, other_crossbows.number]
    for unit in (bows, other_bows):
        choose(battle, "own", unit.number)
        if kind(battle) == "shoot-way":
            choose(battle, "option", 0)  # one shot each
    notes = {note["unit"]: note["needed"] for note in told(battle, "wap.shoot.hit.roll")}
    assert notes == {bows.row: 5, other_bows.row: 4}


@pytest.mark.parametrize("moves_on", [False, True])
@pytest.mark.rule("wap.command.musician.swift-reform.shooting")
def test_it_counts_whether_or_not_the_unit_moves_on_and_not_in_the_next_turn(moves_on: bool) -> None:
    """All of them may shoot still; who reforms in the ordinary way shoots no more."""
    scene = RegimentScene()
    bows = square(equipment=["hand weapon", "short bow"])
    unit = scene.unit(0, bows, (24.0, 26.0), models=20, files=5, command=("musician",))
    other = scene.unit(0, bows, (10.0, 26.0), models=20, files=5)
    scene.unit(0, None, (40, 8))  # that has still to move when they have
    scene.unit(1, None, FAR_AWAY)
    battle = scene.battle("movement", detail="full")
    go(battle, unit, SWIFT)
    choose(battle, "angle", 0)
    if moves_on:
        choose(battle, "option", ADVANCE)
        leg(battle, FORWARD, ahead(2.0))
        finish(battle)
    else:
        choose(battle, "option", STAY)
    reform(battle, other, 6)
    while kind(battle) == "reform-facing":
        battle.apply(battle.first_legal())
    assert counts_as_moved(battle, unit.row) and not barred_from_shooting(battle, unit.row)
    assert barred_from_shooting(battle, other.row) == "wap.move.reform.cost"
    start_turn(battle, 1)
    assert not counts_as_moved(battle, unit.row) and not barred_from_shooting(battle, other.row)


@pytest.mark.rule("wap.move.manoeuvre.cap", "wap.command.musician.swift-reform")
def test_a_swift_reform_is_a_reform() -> None:
    """A line of 20 with M4 cannot turn by a quarter; it can face about."""
    battle, unit = alone(20, 20, (24.0, 24.0), command=("musician",))
    go(battle, unit, SWIFT)
    assert 18 in slots(battle, "angle") and 0 not in slots(battle, "angle")


# ---------------------------------------------------------------- narrow places


def before_a_gap(
    wide: float, at: float = 19.0, files: int = 5, movement: int = 4, shape: int = RANKS
) -> tuple[Battle, UnitHandle]:
    """20 models with their front ``at`` a gap between two rocks from y = 20 to 22, on the line x = 24."""
    scene = RegimentScene()
    unit = scene.unit(0, square(m=movement), (24, at), models=20, files=files)
    scene.unit(1, None, FAR_AWAY)
    scene.area("impassable", 14, 20, 24 - wide / 2, 22)
    scene.area("impassable", 24 + wide / 2, 20, 34, 22)

    def as_column(battle: Battle) -> None:
        battle.units.shape[unit] = shape

    return scene.battle("movement", set_state=as_column), unit


@pytest.mark.rule("wap.core.unit.rank-limit-exception")
def test_more_ranks_than_files_before_a_gap() -> None:
    battle, unit = before_a_gap(5.0)
    go(battle, unit, REFORM)
    files = [n + 1 for n in slots(battle, "number")]
    assert 3 in files and 4 not in files and 5 in files  # an inch on either side leaves three
    choose(battle, "number", 2)
    assert battle.units.files[unit] == 3 and battle.units.shape[unit] == COLUMN
    assert pose(battle, unit)[2] == NORTH
    for gap in (7.5, 40.0):  # where a lawful formation passes none is needed
        battle, unit = before_a_gap(gap)
        go(battle, unit, REFORM)
        assert min(slots(battle, "number")) == 4


@pytest.mark.rule("wap.core.unit.rank-limit-exception")
def test_a_column_goes_on_and_widens_behind_the_gap() -> None:
    battle, unit = before_a_gap(5.0, at=21.0, files=3, shape=COLUMN)
    assert {ADVANCE, MARCH} <= set(manoeuvres(battle, unit))  # in the gap
    battle, unit = before_a_gap(5.0, at=33.0, files=3, shape=COLUMN)  # its rear is at 26
    assert manoeuvres(battle, unit) == [STAY, REFORM]
    choose(battle, "option", REFORM)
    assert min(slots(battle, "number")) == 4  # to at least 5 files
    choose(battle, "number", 4)
    choose(battle, "angle", 6)
    assert battle.units.shape[unit] == RANKS and battle.units.files[unit] == 5
