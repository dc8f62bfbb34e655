"""Rally tests of units that flee: when, in which order, on which Leadership, and what comes of them."""

from __future__ import annotations

from itertools import permutations
from math import hypot

import pytest

from wh_env import Battle
from wh_env.rulesets.wap.codes import FLED, RALLIED
from wh_env.rulesets.wap.movement.aftermath import barred_from_shooting
from wh_env.rulesets.wap.ways.poses import middle_of
from wh_env.testing import choose, dice_left, kind, offered, pick, slots, told
from wh_env.testing.wap import NORTH, SOUTH, WEST, RegimentScene, UnitHandle, places, pose, ranks, square

TEST, FLIGHT = "wap.compulsory.rally.test", "wap.compulsory.flee.distance"


def fleeing(
    dice: list[int], *, models: int = 15, lost: int = 5, ld: int = 7, detail: str = "squad", facing: float = SOUTH
) -> tuple[Battle, UnitHandle]:
    """A unit that flees, alone on its side of the table but for one that stands."""
    scene = RegimentScene()
    unit = scene.unit(0, square(ld=ld), (20, 20), models=models, lost=lost, files=5, facing=facing, fleeing=1)
    scene.unit(0, None, (40, 6))
    scene.unit(1, None, (20, 46))
    return scene.battle("movement", dice=dice, detail=detail), unit


@pytest.mark.parametrize(("dice", "rallies"), [([4, 3], True), ([4, 4, 1, 2], False)])
@pytest.mark.rule("wap.compulsory.rally.test")
def test_who_passes_a_leadership_test_stops_fleeing(dice: list[int], rallies: bool) -> None:
    battle, unit = fleeing(dice)
    assert bool(battle.units.fleeing[unit]) is not rallies
    assert dice_left(battle) == 0
    assert [(note["leadership"], note["passed"]) for note in told(battle, TEST)] == [(7, rallies)]
    assert bool(battle.units.did[unit] & RALLIED) is rallies


@pytest.mark.parametrize("order", list(permutations(range(3))))
@pytest.mark.rule("wap.compulsory.rally.order")
def test_fleeing_units_test_in_any_order_and_all_of_them(order: tuple[int, ...]) -> None:
    scene = RegimentScene()
    for x in (8, 20, 32):
        scene.unit(0, None, (x, 30), models=5, facing=SOUTH, fleeing=1)
    scene.unit(0, None, (42, 6))
    scene.unit(1, None, (20, 46))
    battle = scene.battle("movement", detail="full", dice=[6, 6, 1, 2] * 3)
    left = [0, 1, 2]
    for unit in order[:2]:
        assert (kind(battle), slots(battle, "own"), slots(battle, "done")) == ("compelled-next", left, [])
        choose(battle, "own", unit)
        left.remove(unit)
    assert [note["unit"] for note in told(battle, TEST)] == list(order)
    assert (kind(battle), dice_left(battle)) == ("select-to-move", 0)


@pytest.mark.rule("wap.compulsory.rally.fled-this-turn")
def test_who_began_to_flee_this_turn_does_not_try_to_rally() -> None:
    """A friend flees through the unit, which panics in the middle of the step and makes its flight; in its next turn it tests."""
    scene = RegimentScene()
    scene.unit(0, None, (20, 30), models=12, facing=SOUTH, fleeing=1)
    unit = scene.unit(0, None, (20, 24), models=5, facing=NORTH)
    scene.unit(0, None, (40, 6))
    scene.unit(1, None, (20, 46))
    battle = scene.battle("movement", dice=[6, 6, 4, 4, 5, 4, 1, 2])
    assert battle.units.fleeing[unit] and battle.units.did[unit] & FLED
    assert dice_left(battle) == 0
    assert [note["unit"] for note in told(battle, TEST)] == [0]
    assert [event.data["unit"] for event in battle.events if event.kind == "flees"] == [0, unit.row]
    for _ in range(40):
        if battle.clock.round[0] == 2 and kind(battle) == "select-to-move":
            break
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    assert unit.row in [note["unit"] for note in told(battle, TEST)]


@pytest.mark.parametrize(
    ("left", "dice", "value", "rallies"),
    [(5, [2, 2], 4, True), (5, [2, 3, 1, 1], 4, False), (6, [3, 4], 7, True)],
)
@pytest.mark.rule("wap.compulsory.rally.quarter")
def test_a_quarter_of_the_models_rallies_on_half_its_leadership(
    left: int, dice: list[int], value: int, rallies: bool
) -> None:
    battle, unit = fleeing(dice, models=left, lost=20 - left)
    assert battle.units.strength[unit] == 20
    notes = told(battle, "wap.compulsory.rally.quarter" if left == 5 else TEST)
    assert [(note["leadership"], note["passed"]) for note in notes] == [(value, rallies)]
    assert bool(battle.units.fleeing[unit]) is not rallies


@pytest.mark.rule("wap.compulsory.rally.failed")
def test_who_fails_flees_before_the_next_unit_is_dealt_with() -> None:
    scene = RegimentScene()
    first = scene.unit(0, None, (10, 20), models=10, facing=SOUTH, fleeing=1)
    second = scene.unit(0, None, (30, 20), models=10, facing=WEST, fleeing=1)
    scene.unit(1, None, (20, 46))
    battle = scene.battle("movement", detail="full", dice=[6, 6, 2, 6, 6, 6, 1, 1])
    choose(battle, "own", 0)
    assert pose(battle, first) == pytest.approx((10, 12, SOUTH))
    assert pose(battle, second) == pytest.approx((28, 20, WEST))
    happened = [(event.kind, event.data["unit"]) for event in battle.events if event.rule in (TEST, FLIGHT)]
    assert happened == [("leadership test", 0), ("flees", 0), ("leadership test", 1), ("flees", 1)]
    assert battle.units.fleeing[first] and battle.units.fleeing[second]


@pytest.mark.rule("wap.compulsory.rally.reform")
def test_a_rallied_unit_reforms_at_once() -> None:
    battle, unit = fleeing([3, 3], models=20, lost=0)
    before = places(battle, unit)
    centre = middle_of(battle, unit.row, *pose(battle, unit))
    assert kind(battle) == "reform-files"
    choose(battle, "number", 4)
    assert kind(battle) == "reform-facing"
    choose(battle, "angle", battle.setup.space.angles // 4)
    assert ranks(battle, unit) == [5, 5, 5, 5]
    assert pose(battle, unit)[2] == pytest.approx(NORTH)
    assert middle_of(battle, unit.row, *pose(battle, unit)) == pytest.approx(centre)
    after = places(battle, unit)
    farthest = max(min(hypot(x - ox, y - oy) for ox, oy in before) for x, y in after)
    assert farthest <= 8.0 + 1e-6
    assert not battle.units.fleeing[unit]


@pytest.mark.rule("wap.compulsory.rally.reform")
def test_no_model_of_a_rallied_unit_goes_farther_than_twice_its_movement() -> None:
    """Twelve files of slow models cannot be turned about: an outer one would have to go 11"."""
    scene = RegimentScene()
    unit = scene.unit(0, square(m=2, ld=10), (20, 20), models=12, files=12, facing=SOUTH, fleeing=1)
    scene.unit(1, None, (20, 46))
    battle = scene.battle("movement", dice=[1, 1])
    assert kind(battle) == "reform-files" and 11 in slots(battle, "number")
    choose(battle, "number", 11)
    quarter = battle.setup.space.angles // 4
    assert quarter * 3 in slots(battle, "angle") and quarter in slots(battle, "angle")
    assert 0 not in slots(battle, "angle")  # a quarter turn would
    assert unit.row == battle.clock.subject[0]


@pytest.mark.rule("wap.compulsory.rally.limits")
def test_a_rallied_unit_does_nothing_more_in_this_phase() -> None:
    battle, unit = fleeing([3, 3], models=20, lost=0)
    choose(battle, "number", 4)
    pick(battle, "facing 90 degrees")
    assert offered(battle, "select-to-move") == [1]
    choose(battle, "done")
    assert pose(battle, unit)[2] == pytest.approx(NORTH)


@pytest.mark.parametrize(("dice", "barred"), [([3, 3], "wap.compulsory.rally.limits"), ([6, 6, 1, 1], "")])
@pytest.mark.rule("wap.compulsory.rally.limits")
def test_a_rallied_unit_does_not_shoot_in_this_turn(dice: list[int], barred: str) -> None:
    battle, unit = fleeing(dice, models=20, lost=0)
    assert barred_from_shooting(battle, unit.row) == barred
    assert barred_from_shooting(battle, 1) == ""
