"""Charges at units that flee: they are run down, and nobody fights."""

from __future__ import annotations

from math import pi

import pytest
from charging import FLEE, charge, over, react
from placing import placed

from wh_env import Battle
from wh_env.core.tables import DESTROYED, ON_TABLE
from wh_env.rulesets.wap.basics.engaged import engaged
from wh_env.rulesets.wap.basics.strength import unit_strength
from wh_env.rulesets.wap.charge.places import move_into_contact
from wh_env.rulesets.wap.charge.reform_after import offer_reform
from wh_env.rulesets.wap.charge.run_down import run_down
from wh_env.rulesets.wap.codes import CHARGED
from wh_env.testing import choose, dice_left, kind, slots, told
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene, UnitHandle, pose, square


def caught(chargers: int, fleers: int, files: int = 5, **more: object) -> tuple[Battle, UnitHandle, UnitHandle]:
    """A charge that reaches a unit fleeing straight away, and the run-down."""
    scene = RegimentScene()
    unit = scene.unit(0, square(m=4, ld=7), (24, 10), models=chargers, files=min(files, chargers))
    target = scene.unit(1, None, (24, 24), models=fleers, files=files, facing=NORTH, fleeing=1)
    scene.unit(1, None, (44, 40))
    battle = scene.battle("movement", run=False, **more)  # type: ignore[arg-type]
    place = placed(battle, unit, target)
    assert place is not None
    move_into_contact(battle, unit.row, place, "wap.charge.fleeing.contact")
    run_down(battle, unit.row, target.row, destroys=True)
    return battle, unit, target


@pytest.mark.rule("wap.charge.fleeing.contact")
def test_there_is_no_combat() -> None:
    for chargers in (6, 10):
        battle, unit, target = caught(chargers, 20)
        assert told(battle, "wap.charge.fleeing.contact")[-1]["place"] == (24.0, 20.0)  # its rear
        assert battle.clock.step[0] == 0 or not engaged(battle, unit.row)
        assert not engaged(battle, unit.row) and not engaged(battle, target.row)
        assert not battle.contacts.rows["a"].max() >= 0


@pytest.mark.rule("wap.charge.fleeing.us10")
@pytest.mark.parametrize(("chargers", "left"), [(10, 0), (9, 12)])
def test_unit_strength_10_removes_all(chargers: int, left: int) -> None:
    battle, unit, target = caught(chargers, 30)
    assert unit_strength(battle, unit.row) == chargers
    assert battle.units.alive[target] == left
    assert (battle.units.place[target] == DESTROYED) is (left == 0)


@pytest.mark.rule("wap.charge.fleeing.wounds")
def test_two_wounds_for_each_point_without_saves() -> None:
    battle, _, target = caught(6, 20, dice=[6])
    assert battle.units.alive[target] == 8
    assert dice_left(battle) == 1  # nobody rolls
    assert told(battle, "wap.charge.fleeing.wounds")[-1]["amount"] == 12
    scene = RegimentScene()
    unit = scene.unit(0, None, (24, 20), models=10, files=5)
    target = scene.unit(1, None, (24, 24.5), models=20, files=5, facing=NORTH, fleeing=1)
    battle = scene.battle("movement", run=False)
    run_down(battle, unit.row, target.row, destroys=False)
    assert battle.units.place[target] == DESTROYED  # 20 wounds at Unit Strength 10


@pytest.mark.rule("wap.charge.fleeing.survivors")
@pytest.mark.parametrize(("chargers", "fleers", "rear"), [(6, 20, 22.0), (1, 21, 20.0), (2, 5, 23.0)])
def test_it_stops_an_inch_behind_those_who_are_left(chargers: int, fleers: int, rear: float) -> None:
    """Whole ranks fall, or not so much as one: the charger goes on, or back."""
    battle, unit, target = caught(chargers, fleers)
    assert battle.units.alive[target] == fleers - 2 * chargers
    assert battle.units.fleeing[target] and battle.units.place[target] == ON_TABLE
    assert pose(battle, target)[1] == pytest.approx(24.0)
    assert pose(battle, unit)[1] == pytest.approx(rear - 1.0)
    assert pose(battle, unit)[2] == pytest.approx(NORTH)


def after(dice: list[int], detail: str = "full") -> tuple[Battle, UnitHandle]:
    """A unit of Leadership 7 that has destroyed fleers, and may test."""
    battle, unit, target = caught(10, 10, dice=dice, detail=detail)
    offer_reform(battle, unit.row, [target.row])
    battle.run()
    return battle, unit


@pytest.mark.rule("wap.charge.fleeing.reform")
def test_who_has_destroyed_fleers_may_try_to_reform() -> None:
    battle, unit = after([3, 3])
    assert kind(battle) == "test-to-reform" and slots(battle, "option") == [0, 1]
    refused = battle.clone()
    choose(refused, "option", 0)
    assert dice_left(refused) == 2 and kind(refused) != "reform-files"
    choose(battle, "option", 1)
    assert kind(battle) == "reform-files"
    choose(battle, "number", 9)
    assert kind(battle) == "reform-facing"
    choose(battle, "angle", 0)
    assert battle.units.files[unit] == 10 and pose(battle, unit)[2] % (2 * pi) == pytest.approx(0.0)


@pytest.mark.rule("wap.charge.fleeing.reform")
def test_a_failed_test_leaves_it_as_it_is() -> None:
    battle, unit = after([5, 3])
    before = pose(battle, unit)
    choose(battle, "option", 1)
    assert kind(battle) != "reform-files" and dice_left(battle) == 0
    assert pose(battle, unit) == before and battle.units.files[unit] == 5
    assert told(battle, "wap.charge.fleeing.reform")[-1]["passed"] is False
    asked, _ = after([3, 3], detail="squad")
    assert kind(asked) == "reform-files"


@pytest.mark.rule("wap.charge.fleeing.reform")
def test_it_needs_fleers_that_are_destroyed() -> None:
    battle, unit, target = caught(6, 20)
    depth = battle.stack_depth if hasattr(battle, "stack_depth") else None
    offer_reform(battle, unit.row, [target.row])
    assert depth is None or battle.stack_depth == depth
    battle.run()
    assert kind(battle) != "test-to-reform"


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.rule("wap.charge.fleeing.no-more-move")
def test_it_moves_no_more(player: int) -> None:
    """In play: it charges who flees, runs him down, fails the test to reform, and is not offered among those that still move."""
    scene = RegimentScene()
    unit = scene.unit(player, square(m=6, ld=2), (24, 10), models=10, files=5, facing=NORTH)
    other = scene.unit(player, None, (44, 4), models=5, facing=NORTH)
    scene.unit(1 - player, None, (24, 18), models=20, files=5, facing=NORTH, fleeing=1)
    scene.unit(1 - player, None, (44, 44))
    battle = scene.battle("movement", player=player, dice=[1, 1, 6, 6, 6, 6, 6, 6])
    choose(battle, "own", unit.number)
    while kind(battle) != "select-to-move":
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    assert told(battle, "wap.charge.fleeing.contact") and battle.units.did[unit] & CHARGED
    assert not engaged(battle, unit.row)
    assert slots(battle, "own") == [other.number]


@pytest.mark.rule("wap.charge.move.maximise", "wap.special.skirmishers.formation")
@pytest.mark.parametrize("aside", [0.3, 0.45, 0.8])
def test_whom_it_catches_of_skirmishers_it_touches_as_many_as_it_can(aside: float) -> None:
    """A front of 1.80" over the three bases of 20 mm with half an inch between them, which lie along 1.79"."""
    scene = RegimentScene(rules={"small_target": 0})
    unit = scene.unit(0, square(base_mm=[22.9, 22.9]), (24 + aside, 10), models=4, files=2)
    foe = scene.unit(1, square(base_mm=[20, 20], rules=["Skirmishers"]), (24, 15), models=6, files=3)
    scene.unit(0, None, (8, 4), models=5)
    battle = scene.battle("movement", dice=[1, 1, 6, 6])
    charge(battle, unit, foe)
    react(battle, FLEE)
    over(battle)
    assert [event["contacts"] for event in told(battle, "wap.charge.fleeing.contact")] == [2 + 3]


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(("fleers", "left"), [(8, 0), (20, 4)])
@pytest.mark.rule("wap.charge.fleeing.contact", "wap.charge.fleeing.reform")
def test_all_who_reach_fleers_are_in_contact_before_these_are_run_down(
    player: int, detail: str, fleers: int, left: int
) -> None:
    """Two units of four reach them with sixes: eight wounds each. Neither charge fails, though the first slays eight;
    both may try to reform then."""
    scene = RegimentScene()
    y, there, facing = (12, 18, NORTH) if player == 0 else (36, 30, SOUTH)
    units = [scene.unit(player, None, (x, y), models=4, files=4) for x in (20, 28)]
    foe = scene.unit(1 - player, None, (24, there), models=fleers, files=8, facing=facing, fleeing=1)
    battle = scene.battle("movement", player=player, dice=[1, 1, *[6] * 4, *[1] * 9], detail=detail)
    for unit in units:
        charge(battle, unit, foe)
    over(battle)
    while kind(battle) in ("charge-order", "charge-place"):
        battle.apply(battle.first_legal())
    order = [event.rule for event in battle.events if "fleeing" in event.rule]
    assert order[:3] == ["wap.charge.fleeing.contact"] * 2 + ["wap.charge.fleeing.wounds"]
    assert battle.units.alive[foe] == left and not told(battle, "wap.charge.failed")
    asked = 0
    while kind(battle) in ("test-to-reform", "reform-files", "reform-facing"):
        asked += kind(battle) == "test-to-reform"
        choose(battle, "option", 0) if kind(battle) == "test-to-reform" else battle.apply(battle.first_legal())
    tests = asked or len(told(battle, "wap.charge.fleeing.reform"))
    assert tests == (0 if left else 2)
