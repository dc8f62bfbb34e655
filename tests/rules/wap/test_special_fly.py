"""Flyers: how far and over what they fly, where they land, how they charge, and that they flee and pursue on foot."""

from __future__ import annotations

from math import cos, hypot, pi, sin
from typing import Any

import numpy as np
import pytest
from charging import HOLD, charge, over, react
from heroes import hero
from marching import ADVANCE, FINISH, FORWARD, MARCH, MOST, PIVOT, ahead, select
from oracles.outlines import SCENES, body_gaps, placed
from oracles.wap_moves import Table
from results import scored
from results import side as score_of

from wh_env import Battle, ContentError
from wh_env.rulesets.wap.basics.blocks import distance
from wh_env.rulesets.wap.basics.special_rules import find_again, lose
from wh_env.rulesets.wap.casualties.changed_profiles import recompute
from wh_env.rulesets.wap.charge.targets import ways_open
from wh_env.rulesets.wap.codes import CHARGED, FAILED, MARCHED
from wh_env.rulesets.wap.movement.going import FLY, FLY_FAR
from wh_env.rulesets.wap.pursuit.ways import straight_on
from wh_env.rulesets.wap.rule_book import FEAR
from wh_env.rulesets.wap.rule_book import FLY as WINGS
from wh_env.rulesets.wap.shooting.shots import IN_PHASE, ways_of, who_fire
from wh_env.rulesets.wap.special.flying import can_fly, flight_of
from wh_env.rulesets.wap.special.light_troops import feint_of, has_vanguard, is_skirmishing
from wh_env.rulesets.wap.special.stride import charge_roll, flight_roll
from wh_env.testing import choose, kind, slots, told
from wh_env.testing.wap import RegimentScene, UnitHandle, corners, pose, square

FEW = max(4, SCENES // 20)
AIR, FOOT = 0, 1  # options of how to charge, where the air reaches farther


def wings(inches: int = 10, **values: Any) -> dict[str, Any]:
    return square(**{"rules": [f"Fly ({inches})"], **values})


def over_a_friend(detail: str = "full", **values: Any) -> tuple[Battle, UnitHandle]:
    """A single flyer, five inches before it a friend three inches deep."""
    scene = RegimentScene()
    unit = scene.unit(0, wings(**values), (24, 10), models=1)
    scene.unit(0, None, (24, 18), models=15, files=5)
    scene.unit(1, None, (24, 46), models=5)
    return scene.battle("movement", detail=detail), unit


# ---------------------------------------------------------------- moves


@pytest.mark.rule("wap.special.fly.move")
def test_it_flies_over_a_unit_and_lands_an_inch_behind_it() -> None:
    battle, unit = over_a_friend()
    select(battle, unit)
    assert {ADVANCE, FLY, MARCH, FLY_FAR} <= set(slots(battle, "option"))
    choose(battle, "option", FLY)
    choose(battle, "option", FORWARD)
    assert slots(battle, "number") == [*range(ahead(10.0) + 1), MOST]
    choose(battle, "number", ahead(7.0))
    assert FINISH not in slots(battle, "option")  # over the friend
    choose(battle, "option", FORWARD)
    assert slots(battle, "number")[-1] == MOST
    choose(battle, "number", MOST)
    if kind(battle) == "leg":
        choose(battle, "option", FINISH)
    assert pose(battle, unit)[:2] == pytest.approx((24.0, 20.0), abs=1e-4)
    assert not battle.units.did[unit] & MARCHED and told(battle, "wap.special.fly.move")[-1]["far"] == 10.0


@pytest.mark.rule("wap.special.fly.move")
def test_what_slows_it_slows_its_flight() -> None:
    """Eight inches would end on the friend: it lands an inch before him."""
    battle, unit = over_a_friend()
    recompute(battle, unit.row, [("m", -2)])
    assert flight_of(battle, unit.row) == 8.0
    select(battle, unit)
    choose(battle, "option", FLY)
    choose(battle, "option", FORWARD)
    assert slots(battle, "number") == [*range(ahead(4.0) + 1), MOST]
    scene = RegimentScene()
    mount = {"m": 8, "ws": 3, "bs": 0, "s": 3, "t": 3, "w": 1, "i": 3, "a": 1, "ld": 5}
    barded = wings(type="cavalry", base_mm=[25, 50], mount=mount, equipment=["hand weapon", "barding"])
    knights = scene.unit(0, barded, (24, 10), models=5)
    scene.unit(1, None, (24, 40))
    assert flight_of(scene.battle(), knights.row) == 9.0


@pytest.mark.rule("wap.special.fly.move")
def test_at_squad_detail_only_cells_where_it_can_land_are_offered() -> None:
    battle, unit = over_a_friend("squad")
    select(battle, unit)
    choose(battle, "option", FLY)
    xs, ys = battle.pending().cells(battle.setup.space.grid)
    fine = set(slots(battle, "cell"))
    friend = placed(np.array([(-1.5, 0.0, 1.5, 2.5)]), 24.0, 18.0, pi / 2)[0, 0]
    for cell, (x, y) in enumerate(zip(xs, ys, strict=True)):
        far = hypot(x - 24.0, y - 9.5)
        facing = np.arctan2(y - 9.5, x - 24.0) if far > 1e-3 else pi / 2
        gap = float(body_gaps(np.array([(0.0, 0.0, 0.5, 0.5)]), x, y, facing, friend)[0])
        if abs(gap - 1.0) > 1e-3 and far < 9.99 and 1.0 < x < 47.0 and y > 1.0:
            assert (cell in fine) is (gap > 1.0), (x, y, gap)
    assert any(y > 19.0 for cell, y in enumerate(ys) if cell in fine)


@pytest.mark.rule("wap.special.fly.move")
def test_it_flies_over_rock_and_dangerous_ground_without_a_test() -> None:
    for ground in ("impassable", "dangerous"):
        scene = RegimentScene()
        unit = scene.unit(0, wings(), (24, 10), models=5, files=5)
        scene.area(ground, 10, 13, 38, 16)
        scene.unit(1, None, (24, 46), models=5)
        battle = scene.battle("movement", detail="full", dice=[1] * 12)
        select(battle, unit)
        choose(battle, "option", FLY_FAR)
        choose(battle, "option", FORWARD)
        choose(battle, "number", MOST)
        if kind(battle) == "leg":
            choose(battle, "option", FINISH)
        assert pose(battle, unit)[1] == pytest.approx(30.0) and battle.units.alive[unit] == 5
        assert not told(battle, "wap.terrain.dangerous.test")


def spread_out(models: int, files: int) -> np.ndarray:
    """Rectangles of a loose block on bases of one inch."""
    whole, rest = divmod(models, files)
    deep = 1.5 * whole - 0.5
    found = [(-deep / 2, 0.0, deep / 2, (1.5 * files - 0.5) / 2)] if whole else []
    if rest:
        found.append((-1.5 * whole - 0.5, 0.0, 0.5, (1.5 * rest - 0.5) / 2))
    return np.array(found)


def aloft(seed: int, detail: str) -> tuple[Battle, UnitHandle, Table, float, int]:
    """Flyers of random files and facing among others and a rock: battle, unit, table, front width, inches of a flight."""
    chance = np.random.default_rng(seed)
    length, width = 30.0, 26.0
    while True:
        models = int(chance.integers(2, 13))
        files = min(models, int(chance.integers(2, 7)))
        inches = int(chance.integers(5, 12))
        at = (float(chance.uniform(5, length - 5)), float(chance.uniform(5, width - 5)))
        facing = float(chance.choice([chance.uniform(-pi, pi), pi / 2]))
        plan, polygons = RegimentScene((length, width)), []
        unit = plan.unit(0, wings(inches), at, models=models, files=files, facing=facing)
        low = np.array(at) + chance.uniform(-8, 6, 2)
        rock = np.array([low, low + (3, 0), low + (2.5, 2.5), low + (0.5, 2)]).clip(0.1, (length - 0.1, width - 0.1))
        for player in (0, 1, 1):
            place = (np.array(at) + chance.uniform(-9, 9, 2)).clip(0.1, (length, width))
            few, turned = int(chance.integers(3, 12)), float(chance.uniform(-pi, pi))
            plan.unit(player, None, (float(place[0]), float(place[1])), models=few, files=3, facing=turned)
        plan.feature("impassable", [(float(x), float(y)) for x, y in rock])
        try:
            battle = plan.battle("movement", detail=detail)
        except ContentError:
            continue
        for row in range(1, 4):
            outline = np.array(corners(battle, row)).reshape(-1, 4, 2)
            polygons += [corner[::-1] for corner in outline]
        table = Table(spread_out(models, files), (*at, facing), [rock, *polygons], length, width)
        if min(table.gaps) < 0.02 or table.inside(*at, facing)[0] < 0.0:
            continue
        if kind(battle) == "declare-charge":
            choose(battle, "done")
        if kind(battle) != "select-to-move" or unit.number not in slots(battle, "own"):
            continue
        choose(battle, "own", unit.number)
        if FLY not in slots(battle, "option"):
            continue
        choose(battle, "option", FLY)
        if kind(battle) in ("move-to", "leg"):  # it has anywhere to go
            return battle, unit, table, 1.5 * files - 0.5, inches


def lands(table: Table, x: float, y: float, f: float) -> bool | None:
    """Whether a block may land at a pose; None: it is too close to tell."""
    room = min(
        float(np.atleast_1d(table.spare(np.array([x]), np.array([y]), np.array([f])))[0]),
        float(table.inside(x, y, f)[0]),
    )
    return None if abs(room) < 1e-3 else room > 0.0


@pytest.mark.parametrize("seed", range(FEW))
@pytest.mark.rule("wap.special.fly.move", "wap.special.fly.skirmish")
def test_cells_of_flights_against_all_wheels(seed: int) -> None:
    """Every cell: the cheaper of the two wheels that lead there, whatever is in the way, and whether it may land so."""
    battle, unit, table, width, inches = aloft(seed, "squad")
    x, y, f = pose(battle, unit)
    xs, ys = battle.pending().cells(battle.setup.space.grid)
    fine, judged = set(slots(battle, "cell")), 0
    for cell, (px, py) in enumerate(zip(xs, ys, strict=True)):
        ways = []
        for side in (1.0, -1.0):
            cx, cy = x - side * sin(f) * width / 2, y + side * cos(f) * width / 2
            square_of = (px - cx) ** 2 + (py - cy) ** 2 - width**2 / 4
            if square_of < 0.0:
                continue
            angle = (side * (np.arctan2(py - cy, px - cx) - f) + np.arctan2(width / 2, square_of**0.5)) % (2 * pi)
            angle = 0.0 if angle > 2 * pi - 1e-6 else angle
            ways.append((width * angle + square_of**0.5, f + side * angle))
        ways = [way for way in ways if way[0] <= inches + 1e-3 and table.inside(px, py, way[1])[0] > -1e-3]
        if any(abs(cost - inches) < 2e-3 for cost, _ in ways) or (
            len(ways) == 2 and abs(ways[0][0] - ways[1][0]) < 1e-6
        ):
            continue
        verdict = lands(table, px, py, min(ways)[1]) if ways else False
        if verdict is not None:
            judged += 1
            assert (cell in fine) is verdict, (cell, px, py)
    assert judged > 60 and fine


@pytest.mark.parametrize("seed", range(FEW))
@pytest.mark.rule("wap.special.fly.move")
def test_every_flight_that_is_begun_can_be_ended(seed: int) -> None:
    """Legs at random: straight ones go just as far as there is a place to land, and the unit may finish just where it could land."""
    start, unit, table, _, inches = aloft(seed, "full")
    chance, looked = np.random.default_rng(seed), 0
    for _ in range(6):
        battle = start.clone()
        while kind(battle) in ("leg", "leg-length") and battle.clock.subject[0] == unit.row:
            if kind(battle) == "leg":
                looked += judged(battle, unit, table, inches)
            legal = np.flatnonzero(battle.legal())
            finish = battle.setup.space.option + FINISH
            if kind(battle) == "leg" and chance.random() < 0.8 and len(legal) > 1:
                legal = legal[legal != finish]
            battle.apply(int(chance.choice(legal)))
        assert lands(table, *pose(battle, unit)) is not False
    assert looked > 3 or min(table.gaps) < 1.0  # it may be too close to somebody to tell


def judged(battle: Battle, unit: UnitHandle, table: Table, inches: float) -> bool:
    """Compare what is offered in the middle of a flight; whether it could be told that the unit may finish or not."""
    u = battle.units
    x, y, f = u.px[unit], u.py[unit], u.pf[unit]
    verdict = lands(table, x, y, f)
    if verdict is not None:
        assert (FINISH in slots(battle, "option")) is verdict
    way = np.arange(0.01, max(0.0, inches - u.spent[unit]) + 0.005, 0.01)
    where = (x + way * cos(f), y + way * sin(f), np.full(len(way), f))
    room = np.minimum(table.spare(*where), [float(table.inside(*place)[0]) for place in zip(*where, strict=True)])
    sure, past = way[room > 1e-3].max(initial=0.0), way[room > -1e-3].max(initial=0.0)
    if sure > 0.0:
        copy = battle.clone()
        choose(copy, "option", FORWARD)
        if kind(copy) == "leg-length":
            steps = [slot for slot in slots(copy, "number") if slot != MOST]
            assert int(sure / 0.5) <= len(steps) <= int((past + 0.02) / 0.5)
    return verdict is not None


@pytest.mark.rule("wap.special.fly.march")
def test_a_marching_flight_is_twice_as_long() -> None:
    for option, far in ((FLY, 10.0), (FLY_FAR, 20.0), (ADVANCE, 4.0), (MARCH, 8.0)):
        scene = RegimentScene()
        unit = scene.unit(0, wings(), (24, 10), models=1)
        scene.unit(0, None, (4, 4), models=5)
        scene.unit(1, None, (24, 46), models=5)
        battle = scene.battle("movement", detail="full")
        select(battle, unit)
        choose(battle, "option", option)
        choose(battle, "option", FORWARD)
        choose(battle, "number", MOST)
        if kind(battle) == "leg":
            choose(battle, "option", FINISH)
        assert pose(battle, unit)[1] == pytest.approx(10.0 + far)
        assert bool(battle.units.did[unit] & MARCHED) is (option in (FLY_FAR, MARCH))


@pytest.mark.rule("wap.special.fly.march")
def test_enemies_in_sight_keep_it_from_that() -> None:
    """It fails the test to march, and flies as far as in a normal move."""
    scene = RegimentScene()
    unit = scene.unit(0, wings(ld=5), (24, 10), models=1)
    scene.unit(1, None, (30, 14), models=5)
    battle = scene.battle("movement", detail="full", dice=[6, 6])
    select(battle, unit)
    choose(battle, "option", FLY_FAR)
    assert FLY in slots(battle, "option") and FLY_FAR not in slots(battle, "option")
    choose(battle, "option", FLY)
    choose(battle, "option", FORWARD)
    choose(battle, "number", MOST)
    if kind(battle) == "leg":
        choose(battle, "option", FINISH)
    assert pose(battle, unit)[1] == pytest.approx(20.0)


@pytest.mark.rule("wap.special.fly.mixed")
def test_who_has_lost_his_wings_keeps_all_on_the_ground() -> None:
    scene = RegimentScene()
    host = scene.unit(0, wings(9), (24, 10), models=6, files=3)
    lord = scene.unit(0, hero(rules=["Fly (9)"]), inside=host, models=1, post=1)
    scene.unit(1, None, (24, 40), models=5)
    battle = scene.battle("movement")
    assert can_fly(battle, host.row) and flight_of(battle, host.row) == 9.0
    lose(battle, lord.row, WINGS)
    assert not can_fly(battle, host.row) and flight_of(battle, host.row) == 0.0
    copy = battle.clone()
    select(copy, host)
    assert ADVANCE in slots(copy, "option") and FLY not in slots(copy, "option")
    assert ways_open(copy, host.row, 2) == []
    find_again(battle, lord.row, WINGS)
    select(battle, host)
    assert {FLY, FLY_FAR} <= set(slots(battle, "option"))
    with pytest.raises(ValueError, match="lose: 'Fear'; expected one of Frenzy, Fly"):
        lose(battle, lord.row, FEAR)


@pytest.mark.rule("wap.special.fly.mixed")
def test_the_slowest_wings_count() -> None:
    scene = RegimentScene()
    host = scene.unit(0, wings(9), (24, 10), models=6, files=3)
    scene.unit(0, hero(rules=["Fly (7)"]), inside=host, models=1, post=1)
    scene.unit(1, None, (24, 40), models=5)
    assert flight_of(scene.battle(), host.row) == 7.0


@pytest.mark.rule("wap.special.fly.move")
def test_a_character_flies_out_of_his_unit() -> None:
    """Over everybody; he lands an inch from all, his own unit too."""
    scene = RegimentScene()
    host = scene.unit(0, wings(9), (24, 20), models=8, files=4)
    lord = scene.unit(0, hero(rules=["Fly (9)"]), inside=host, models=1, post=1)
    wall = scene.unit(0, None, (24, 25), models=16, files=8)
    scene.unit(1, None, (24, 46), models=5)
    battle = scene.battle("movement")
    select(battle, lord)
    choose(battle, "option", FLY)
    _, ys = battle.pending().cells(battle.setup.space.grid)
    there = [cell for cell in slots(battle, "cell") if ys[cell] > 26.0]
    assert there
    choose(battle, "cell", there[0])
    while kind(battle) in ("move-refine", "pivot-to"):
        battle.apply(battle.first_legal())
    assert pose(battle, lord)[1] > 26.0
    assert min(distance(battle, lord.row, other.row) for other in (host, wall)) >= 1.0 - 1e-3
    assert battle.units.block[host] == 8


@pytest.mark.rule("wap.special.fly.move")
def test_a_single_model_turns_in_the_air() -> None:
    """Above others it turns only where it can still land."""
    battle, unit = over_a_friend()
    select(battle, unit)
    choose(battle, "option", FLY)
    choose(battle, "option", FORWARD)
    choose(battle, "number", ahead(5.0))
    assert PIVOT in slots(battle, "option") and FINISH not in slots(battle, "option")
    choose(battle, "option", PIVOT)
    angles = slots(battle, "angle")
    directions = battle.setup.space.angles
    assert {0, directions // 4, directions // 2} <= set(angles)  # past the friend, over him, away from him
    assert directions // 4 + 1 not in angles  # five inches that way end too near to him
    choose(battle, "angle", directions // 4)
    if kind(battle) == "leg":
        choose(battle, "option", FORWARD)
    assert slots(battle, "number")[-1] == MOST
    assert not told(battle, "wap.move.one-inch.pivot-push-other")


# ---------------------------------------------------------------- charges


@pytest.mark.rule("wap.special.fly.charge")
@pytest.mark.parametrize(
    ("inches", "dice", "far"), [(10, (2, 4, 6), 20.0), (7, (1, 1, 3), 11.0), (5, (2, 6), 13.0), (3, (2, 5), 8.0)]
)
def test_dice_of_a_charge_through_the_air(inches: int, dice: tuple[int, ...], far: float) -> None:
    """The Fly number and the two highest of three dice; both dice below 7, the highest of two below 4."""
    scene = RegimentScene()
    unit = scene.unit(0, wings(inches), (24, 10), models=3)
    scene.unit(1, None, (24, 40))
    assert charge_roll(scene.battle(run=False, dice=dice), unit.row, True).reaches == far
    assert charge_roll(scene.battle(run=False, dice=(2, 5)), unit.row).reaches == 9.0


def behind_a_screen(
    detail: str = "squad", dice: tuple[int, ...] = (), gap: float = 15.0, **values: Any
) -> tuple[Battle, UnitHandle, UnitHandle, UnitHandle]:
    """A single big flyer, a screen of friends right before it, and behind that an enemy that it sees over their heads."""
    scene = RegimentScene((60.0, 48.0))
    card = wings(**{"type": "monstrous beast", "base_mm": [50, 50], "w": 3, **values})
    unit = scene.unit(0, card, (30, 8), models=1)
    screen = scene.unit(0, None, (30, 11), models=20, files=20)
    foe = scene.unit(1, None, (30, 8 + gap), models=15, files=5)
    return scene.battle("movement", detail=detail, dice=dice), unit, screen, foe


@pytest.mark.rule("wap.special.fly.charge")
def test_it_charges_over_its_friends() -> None:
    battle, unit, _, foe = behind_a_screen(dice=(2, 1, 4))
    assert ways_open(battle, unit.row, foe.row) == [True]
    charge(battle, unit, foe)
    react(battle, HOLD)
    over(battle)
    assert battle.units.did[unit] & CHARGED and battle.units.fights[unit] == 1
    assert pose(battle, unit)[1] == pytest.approx(23.0, abs=0.01)
    assert told(battle, "wap.special.fly.charge") and told(battle, "wap.charge.distance")[-1]["far"] == 16.0
    battle, unit, _, foe = behind_a_screen(rules=[])
    assert kind(battle) != "declare-charge" or unit.number not in slots(battle, "own")


@pytest.mark.rule("wap.special.fly.charge")
def test_it_must_see_whom_it_charges() -> None:
    """Small flyers do not see over the heads of others of their size."""
    scene = RegimentScene((60.0, 48.0))
    unit = scene.unit(0, wings(), (30, 8), models=3, files=3)
    scene.unit(0, None, (30, 11), models=20, files=20)
    foe = scene.unit(1, None, (30, 20), models=15, files=5)
    battle = scene.battle("movement")
    assert kind(battle) != "declare-charge" or unit.number not in slots(battle, "own")
    assert foe.row in (0, 1, 2)


@pytest.mark.rule("wap.special.fly.charge")
def test_it_stands_on_nobody_when_it_has_arrived() -> None:
    """Somebody stands right before the enemy: there is no place for the charge."""
    scene = RegimentScene((60.0, 48.0))
    card = wings(type="monstrous beast", base_mm=[50, 50], w=3)
    unit = scene.unit(0, card, (30, 8), models=1)
    foe = scene.unit(1, None, (30, 20), models=10, files=5)
    scene.unit(0, None, (30, 18.9), models=9, files=9)
    battle = scene.battle("movement")
    assert ways_open(battle, unit.row, foe.row) == []


@pytest.mark.rule("wap.special.fly.charge", "wap.special.fly.move")
@pytest.mark.parametrize(("option", "dice"), [(AIR, (1, 1, 2)), (FOOT, (6, 6))])
def test_its_player_says_whether_it_charges_through_the_air(option: int, dice: tuple[int, ...]) -> None:
    scene = RegimentScene()
    unit = scene.unit(0, wings(), (24, 10), models=3, files=3)
    foe = scene.unit(1, None, (24, 18), models=10, files=5)
    battle = scene.battle("movement", detail="full", dice=dice)
    assert ways_open(battle, unit.row, foe.row) == [True, False]
    charge(battle, unit, foe)
    assert kind(battle) == "charge-how"
    choose(battle, "option", option)
    react(battle, HOLD)
    over(battle)
    assert told(battle, "wap.charge.distance")[-1]["far"] == (13.0 if option == AIR else 10.0)
    assert battle.units.did[unit] & CHARGED


@pytest.mark.rule("wap.special.fly.charge")
def test_a_charge_that_falls_short_flies_too() -> None:
    """Five inches towards the enemy, over the screen, an inch behind it; with fewer it lands before it."""
    for dice, y in (((1, 3, 4), 15.0), ((1, 1, 2), 9.0)):
        battle, unit, screen, foe = behind_a_screen(dice=dice, gap=21.0)
        charge(battle, unit, foe)
        react(battle, HOLD)
        over(battle)
        assert battle.units.did[unit] & FAILED
        assert distance(battle, unit.row, screen.row) >= 1.0 - 1e-3
        assert pose(battle, unit)[1] == pytest.approx(y, abs=0.02)


@pytest.mark.rule("wap.special.fly.charge")
def test_who_is_charged_from_the_air_counts_the_wings_when_he_shoots() -> None:
    """Enemies within their Movement are not shot at; a charge through the air has the Fly number for that."""
    for rules, offered in ((["Fly (10)"], False), ([], True)):
        scene = RegimentScene()
        unit = scene.unit(0, square(m=6, rules=rules), (24, 10), models=3, files=3)
        foe = scene.unit(1, square(equipment=["hand weapon", "bow"]), (24, 19), models=10, files=5)
        battle = scene.battle("movement")
        charge(battle, unit, foe)
        assert (1 in slots(battle, "option")) is offered


# ---------------------------------------------------------------- on foot


@pytest.mark.rule("wap.special.fly.flee-pursue")
def test_they_flee_with_the_dice_of_who_walks() -> None:
    for m, dice, far in ((2, (3, 5), 8), (6, (3, 5, 6), 11), (8, (3, 5, 6), 14)):
        scene = RegimentScene()
        card = wings(m=m, type="monstrous beast", base_mm=[50, 50], w=3)
        unit = scene.unit(0, card, (24, 10), models=2, files=2)
        scene.unit(1, None, (24, 40))
        assert flight_roll(scene.battle(run=False, dice=dice), unit.row) == far


@pytest.mark.rule("wap.special.fly.flee-pursue")
def test_friends_and_rock_stop_who_pursues() -> None:
    for rock in (True, False):
        scene = RegimentScene()
        unit = scene.unit(0, wings(type="monstrous beast", base_mm=[50, 50], w=3), (24, 10), models=2, files=2)
        if rock:
            scene.area("impassable", 18, 15, 30, 16)
        else:
            scene.unit(0, None, (24, 16), models=5, files=5)
        scene.unit(1, None, (40, 40))
        end = straight_on(scene.battle(run=False), unit.row, 9.0)
        assert end.far == pytest.approx(4.0, abs=1e-4)


@pytest.mark.rule("wap.special.fly.flee-pursue")
def test_a_pursuit_after_a_charge_through_the_air_goes_on_foot() -> None:
    """It does not pass over a friend."""
    scene = RegimentScene()
    unit = scene.unit(0, wings(), (24, 20), models=5, files=5)
    scene.unit(0, None, (24, 27), models=10, files=5)
    foe = scene.unit(1, None, (24, 46), models=5)
    battle = scene.battle(run=False)
    battle.charges.unit[0], battle.charges.target[0], battle.charges.aloft[0] = unit.row, foe.row, 1
    battle.units.did[unit] = CHARGED
    end = straight_on(battle, unit.row, 12.0)
    assert end.far == pytest.approx(4.0, abs=1e-3)


# ---------------------------------------------------------------- as skirmishers


def big(**values: Any) -> dict[str, Any]:
    return wings(
        **{"type": "monstrous infantry", "base_mm": [40, 40], "w": 3, "equipment": ["hand weapon", "bow"], **values}
    )


@pytest.mark.rule("wap.special.fly.skirmish")
def test_winged_monstrous_infantry() -> None:
    scene = RegimentScene()
    unit = scene.unit(0, big(), (24, 10), models=9, files=3)
    foe = scene.unit(1, None, (24, 24), models=5)
    battle = scene.battle("shooting", run=False)
    assert is_skirmishing(battle, unit.row) and battle.units.spacing[unit] == 0.5
    assert not has_vanguard(battle, unit.row) and feint_of(battle, unit.row) == ""
    way = ways_of(battle, unit.row, foe.row, IN_PHASE)[0]
    assert len(who_fire(battle, unit.row, foe.row, way, IN_PHASE)) == 9
    for card, ranks, steady in ((big(), False, False), (big(rules=[]), True, True)):
        scene = RegimentScene()
        unit = scene.unit(0, card, (24, 24), models=9, files=3, spacing=0.0)
        foe = scene.beside(unit, 1, models=5, files=5)
        battle = scored(scene, unit, {(foe, unit): 9})
        assert (score_of(battle, 0)["ranks"] > 0, bool(battle.units.steadfast[unit])) == (ranks, steady)


@pytest.mark.rule("wap.special.fly.skirmish")
@pytest.mark.parametrize(
    ("values", "advances"),
    [
        ({"rules": ["Fly (10)", "Vanguard"]}, True),
        ({"rules": ["Fly (10)"]}, False),
        ({"rules": ["Fly (10)", "Vanguard"], "type": "monstrous infantry", "base_mm": [40, 40]}, False),
        ({"rules": ["Fly (10)", "Vanguard"], "equipment": ["hand weapon", "medium armour", "shield"]}, True),
        ({"rules": ["Fly (10)", "Vanguard"], "equipment": ["hand weapon", "heavy armour", "shield"]}, False),
    ],
)
def test_which_flyers_move_before_the_battle(values: dict[str, Any], advances: bool) -> None:
    """Not those of Unit Strength 3 or more, nor with an armour save better than 4+."""
    scene = RegimentScene()
    unit = scene.unit(0, wings(**values), (24, 10), models=5)
    scene.unit(1, None, (24, 40))
    battle = scene.battle(run=False)
    assert has_vanguard(battle, unit.row) is advances
    lose(battle, unit.row, WINGS)  # it is no other creature for that
    assert has_vanguard(battle, unit.row) is advances
