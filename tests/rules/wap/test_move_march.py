"""Marches: twice the Movement, the test that enemies in sight call for, what a march forbids."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from charging import HOLD, charge, facing_off, over, react
from marching import (
    ADVANCE,
    BACK,
    FAR_AWAY,
    FORWARD,
    LEFT,
    MARCH,
    MOST,
    REFORM,
    RIGHT,
    STAY,
    WHEEL_LEFT,
    WHEEL_RIGHT,
    ahead,
    alone,
    cell_of,
    finish,
    go,
    leg,
    limit,
    places_to_go,
    select,
)
from marching import manoeuvres as offered

from wh_env import Battle
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.codes import MARCHED, MOVED
from wh_env.rulesets.wap.movement.aftermath import barred_from_shooting, counts_as_moved
from wh_env.testing import choose, dice_left, kind, slots, told
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene, UnitHandle, fought, pose, square


@pytest.mark.rule("wap.move.march.double")
def test_a_march_is_twice_the_movement() -> None:
    battle, unit = alone(at=(20.0, 10.0))
    go(battle, unit, MARCH)
    assert limit(battle, FORWARD) == 8.0
    leg(battle, FORWARD, ahead(8.0))
    finish(battle)
    assert pose(battle, unit) == pytest.approx((20.0, 18.0, NORTH))
    squad, unit = alone(at=(20.0, 10.0), detail="squad")
    go(squad, unit, MARCH)
    places = places_to_go(squad)
    assert max(places[:, 1]) == pytest.approx(18.0)
    assert np.hypot(*(places - (20.0, 10.0)).T).max() <= 8.0 + 1e-6


def sighted(
    gap: float,
    dice: Sequence[int] = (),
    *,
    fleeing: int = 0,
    detail: str = "full",
    command: Sequence[str] = (),
    **more: object,
) -> tuple[Battle, UnitHandle]:
    """A unit with M4 and Ld 7 that begins ``gap`` inches from an enemy; another unit of its side waits for its turn."""
    scene = RegimentScene()
    unit = scene.unit(0, square(**more), (20, 10), models=10, command=command)
    scene.unit(0, None, (44, 4))
    scene.unit(1, None, (20, 10 + gap), fleeing=fleeing)
    return scene.battle("movement", detail=detail, dice=dice), unit


@pytest.mark.rule("wap.move.march.test")
def test_an_enemy_in_sight_calls_for_a_test() -> None:
    battle, unit = sighted(7.9, [3, 4])
    go(battle, unit, MARCH)
    assert dice_left(battle) == 0
    assert told(battle, "wap.move.march.test")[-1]["passed"] is True
    assert limit(battle, FORWARD) == pytest.approx(6.9)  # 8" but for the inch
    for gap, fleeing in ((8.1, 0), (7.9, 1)):
        battle, unit = sighted(gap, [6, 6], fleeing=fleeing)
        go(battle, unit, MARCH)
        assert dice_left(battle) == 2 and kind(battle) == "leg"
        assert not told(battle, "wap.move.march.test")


@pytest.mark.rule("wap.move.march.test")
def test_who_passes_marches_all_the_way() -> None:
    scene = RegimentScene()
    unit = scene.unit(0, None, (20, 10), models=10)
    scene.unit(1, None, (32, 9), facing=NORTH)
    battle = scene.battle("movement", detail="full", dice=[3, 4])
    go(battle, unit, MARCH)
    assert dice_left(battle) == 0
    assert limit(battle, FORWARD) == 8.0


@pytest.mark.rule("wap.move.march.test", "wap.core.ldtest.highest")
def test_a_champion_lends_his_leadership() -> None:
    champion = {"m": 4, "ws": 3, "bs": 3, "s": 3, "t": 3, "w": 1, "i": 3, "a": 2, "ld": 8}
    for command, after in ((("champion",), "leg"), ((), "manoeuvre")):
        battle, unit = sighted(7.0, [4, 4], ld=6, champion=champion, command=command)
        go(battle, unit, MARCH)
        assert kind(battle) == after


@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.rule("wap.move.march.failed")
def test_who_fails_moves_normally(detail: str) -> None:
    battle, unit = sighted(7.9, [4, 4], detail=detail)
    go(battle, unit, MARCH)
    assert kind(battle) == "manoeuvre"
    assert slots(battle, "option") == [
        STAY,
        ADVANCE,
        BACK,
        LEFT,
        RIGHT,
    ]  # no second try, and no reform: it counts as having marched
    choose(battle, "option", ADVANCE)
    if detail == "full":
        assert limit(battle, FORWARD) == 4.0
        leg(battle, FORWARD, MOST)
        assert pose(battle, unit)[1] == pytest.approx(14.0)
    else:
        assert max(places_to_go(battle)[:, 1]) == pytest.approx(14.0)


@pytest.mark.rule("wap.move.march.counts", "wap.move.march.no-shooting")
def test_who_fails_counts_as_having_marched() -> None:
    battle, unit = sighted(7.9, [6, 6])
    go(battle, unit, MARCH)
    choose(battle, "option", STAY)
    assert pose(battle, unit) == (20.0, 10.0, NORTH)
    assert battle.units.did[unit] & MARCHED and not battle.units.did[unit] & MOVED
    assert barred_from_shooting(battle, unit.row) == "wap.move.march.no-shooting"
    assert slots(battle, "own") == [1]


@pytest.mark.rule("wap.move.march.no-shooting")
def test_who_marched_does_not_shoot() -> None:
    for manoeuvre, far, barred in ((MARCH, 4.5, True), (MARCH, 1.0, True), (ADVANCE, 4.0, False)):
        battle, unit = sighted(9.0)
        go(battle, unit, manoeuvre)
        leg(battle, FORWARD, ahead(far))
        finish(battle)
        assert (barred_from_shooting(battle, unit.row) != "") is barred
        assert counts_as_moved(battle, unit.row)


@pytest.mark.rule("wap.move.march.limits")
def test_a_march_is_no_reform_and_no_step_aside() -> None:
    battle, unit = alone(detail="squad")
    assert set(offered(battle, unit)) == {STAY, ADVANCE, MARCH, BACK, LEFT, RIGHT, REFORM}
    choose(battle, "option", MARCH)
    assert kind(battle) == "move-to"
    choose(battle, "cell", battle.setup.space.grid * 10 + 8)
    assert kind(battle) == "end-wheel"  # and nothing after it
    choose(battle, "number", 0)
    assert kind(battle) == "select-to-move" and battle.clock.turn[0] == 1


@pytest.mark.rule("wap.move.single")
def test_single_models_move_and_march_like_units() -> None:
    for manoeuvre, far in ((ADVANCE, 6.0), (MARCH, 12.0)):
        battle, unit = alone(1, 1, card=square(m=6, type="monster", base_mm=[50, 50]), at=(20.0, 10.0))
        assert battle.units.place[unit] == ON_TABLE
        go(battle, unit, manoeuvre)
        assert limit(battle, FORWARD) == far
        assert {1, 2} <= set(slots(battle, "option"))  # wheels
        leg(battle, FORWARD, ahead(far))
        finish(battle)
        assert pose(battle, unit) == pytest.approx((20.0, 10.0 + far, NORTH))
    squad, unit = alone(1, 1, card=square(m=6), at=(20.0, 10.0), detail="squad")
    select(squad, unit)
    assert {ADVANCE, MARCH} <= set(slots(squad, "option"))


@pytest.mark.rule("wap.move.summary")
def test_how_far_units_go() -> None:
    """With a Movement of 4 and dice of 2 and 5: 4", 8", a charge of 9", a failed one of 5", a flight and a pursuit of 7"."""
    for manoeuvre, far in ((ADVANCE, 4.0), (MARCH, 8.0)):
        battle, unit = alone(at=(20.0, 10.0))
        go(battle, unit, manoeuvre)
        assert limit(battle, FORWARD) == far
    for gap, end in ((9.0, 9.0), (9.8, 5.0)):  # of a charge that arrives, and of one that fails
        scene, unit, target = facing_off(gap, card=square(m=4))
        battle = scene.battle("movement", dice=[2, 5])
        charge(battle, unit, target)
        if kind(battle) == "charge-reaction":
            react(battle, HOLD)
        over(battle)
        assert pose(battle, unit) == pytest.approx((24.0, 12.0 + end, NORTH))
    scene = RegimentScene()
    flees = scene.unit(0, square(ld=2), (24, 30), models=5, facing=SOUTH, fleeing=1)
    scene.unit(1, None, (44, 46))
    battle = scene.battle("movement", dice=[6, 6, 2, 5])  # it fails to rally
    assert pose(battle, flees) == pytest.approx((24.0, 23.0, SOUTH))
    scene = RegimentScene()
    winner = scene.unit(0, None, (24, 24), models=5, facing=NORTH)
    loser = scene.beside(winner, 1, models=5)
    far_off = scene.unit(1, None, (4, 4), models=5)
    battle = scene.battle("combat", dice=[6, 6, 2, 5], set_state=fought(won=[winner], broken=[loser]))
    while kind(battle) is not None and not told(battle, "wap.pursuit.pursuit-roll"):
        battle.apply(battle.first_legal())
    assert battle.units.place[far_off] == ON_TABLE
    assert pose(battle, winner) == pytest.approx((24.0, 31.0, NORTH))


# ---------------------------------------------------------------- dangerous ground


def before_a_mire(detail: str, x0: float = 10.0, x1: float = 30.0) -> tuple[Battle, UnitHandle]:
    """Ten men in two ranks, 2" south of a mire that is 2" deep; their march of 8" leads through it."""
    scene = RegimentScene()
    unit = scene.unit(0, None, (20, 10), models=10)
    scene.unit(1, None, FAR_AWAY)
    scene.area("dangerous", x0, 12, x1, 14)
    return scene.battle("movement", detail=detail, dice=[1, 1, 2, 3, 4, 5, 6, 6, 2, 3]), unit


@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.rule("wap.terrain.dangerous.test")
def test_a_march_through_a_mire(detail: str) -> None:
    for manoeuvre, far, lost, left in ((MARCH, 8.0, 2, 0), (ADVANCE, 4.0, 0, 10), (MARCH, 1.0, 0, 10)):
        battle, unit = before_a_mire(detail)
        go(battle, unit, manoeuvre)
        if detail == "full":
            leg(battle, FORWARD, ahead(far))
            finish(battle)
        else:
            choose(battle, "cell", cell_of(battle, 20.0, 10.0 + far))
            if kind(battle) == "end-wheel":
                choose(battle, "number", 0)
        assert battle.units.alive[unit] == 10 - lost
        assert dice_left(battle) == left


@pytest.mark.rule("wap.terrain.dangerous.test")
def test_only_those_who_come_across_it_test() -> None:
    """The mire lies before the two files on the left, from 17.5 to 19.5; a quarter of a wheel to the right leads nobody into it."""
    battle, unit = before_a_mire("full", 10.0, 19.4)
    go(battle, unit, MARCH)
    leg(battle, FORWARD, ahead(8.0))
    finish(battle)
    assert dice_left(battle) == 6
    battle, unit = before_a_mire("full", 10.0, 17.0)
    go(battle, unit, MARCH)
    leg(battle, WHEEL_RIGHT, 8)
    finish(battle)
    assert dice_left(battle) == 10
    battle, unit = before_a_mire("full", 10.0, 30.0)
    go(battle, unit, MARCH)
    leg(battle, WHEEL_LEFT, 8)  # the outer corner of five comes to y = 10 + 5 sin 45
    finish(battle)
    assert dice_left(battle) == 10 - sum(1 for file in range(5) for rank in range(2) if highest(file, rank) >= 12.0)


@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.rule("wap.terrain.dangerous.test")
def test_who_falls_in_one_mire_does_not_test_in_the_next(detail: str) -> None:
    """Ten test in the first and two fall, so eight test in the second: 18 dice, and none for panic."""
    scene = RegimentScene()
    unit = scene.unit(0, square(rules=["Immunity (Panic)"]), (20, 10), models=10)
    scene.unit(1, None, FAR_AWAY)
    for south in (12, 15):
        scene.area("dangerous", 10, south, 30, south + 1)
    battle = scene.battle("movement", detail=detail, dice=[1, 1, *[2] * 8, 1, *[2] * 7, 6])
    go(battle, unit, MARCH)
    if detail == "full":
        leg(battle, FORWARD, ahead(8.0))
        finish(battle)
    else:
        choose(battle, "cell", cell_of(battle, 20.0, 18.0))
        if kind(battle) == "end-wheel":
            choose(battle, "number", 0)
    assert battle.units.alive[unit] == 7
    assert dice_left(battle) == 1


def highest(file: int, rank: int) -> float:
    """y of the highest corner of a base after that wheel about (17.5, 10), files counted from the left."""
    t = np.pi / 4
    return max(10.0 + np.sin(t) * u + np.cos(t) * v for u in (file, file + 1.0) for v in (-rank, -rank - 1.0))
