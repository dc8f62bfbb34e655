"""The step of compulsory moves, and moves that units have to make besides flights."""

from __future__ import annotations

import pytest

from wh_env import Battle, ContentError
from wh_env.rulesets.wap.basics.special_rules import random_dice
from wh_env.rulesets.wap.ways.poses import middle_of
from wh_env.testing import choose, dice_left, kind, offered, slots, told
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene, UnitHandle, pose, square

WILD = square(rules=["Random Movement (2D6)"])


def wild(friend: float | None, dice: list[int], *, rock: float | None = None) -> tuple[Battle, UnitHandle]:
    """A unit that moves 2D6" and faces north; what is in its way begins so many inches ahead."""
    scene = RegimentScene()
    unit = scene.unit(0, WILD, (20, 10), models=10, files=5, facing=NORTH)
    if friend is not None:
        scene.unit(0, None, (20, 10 + friend), models=10, files=5, facing=SOUTH)
    if rock is not None:
        scene.area("impassable", 15, 10 + rock, 25, 12 + rock)
    scene.unit(0, None, (40, 6))
    scene.unit(1, None, (40, 46))
    return scene.battle("movement", dice=dice), unit


@pytest.mark.rule("wap.compulsory.step")
def test_fleeing_units_come_first_and_other_moves_after_all() -> None:
    scene = RegimentScene()
    wild_one = scene.unit(0, WILD, (10, 20), models=5, facing=NORTH)
    flees = scene.unit(0, None, (30, 20), models=5, facing=SOUTH, fleeing=1)
    scene.unit(0, None, (42, 6))
    scene.unit(1, None, (20, 46))
    battle = scene.battle("movement", dice=[6, 6, 2, 3, 4, 4])
    assert (kind(battle), battle.clock.subject[0]) == ("random-facing", wild_one.row)
    assert pose(battle, flees) == pytest.approx((30, 15, SOUTH))
    assert not told(battle, "wap.compulsory.other.rules")
    assert [note["step"] for note in told(battle, "wap.battle.turn.phases") if "step" in note][-1] == "compulsory moves"
    choose(battle, "angle", battle.setup.space.angles // 4)
    assert pose(battle, wild_one) == pytest.approx((10, 28, NORTH))
    assert [note["step"] for note in told(battle, "wap.battle.turn.phases") if "step" in note][-1] == "other moves"
    assert offered(battle, "select-to-move") == [2]


@pytest.mark.parametrize(
    ("friend", "rock", "goes"), [(6.0, None, 5.0), (9.5, None, 8.0), (None, 4.0, 3.0), (None, None, 8.0)]
)
@pytest.mark.rule("wap.compulsory.other.rules")
def test_other_compulsory_moves_follow_the_rules_of_movement(
    friend: float | None, rock: float | None, goes: float
) -> None:
    battle, unit = wild(friend, [4, 4], rock=rock)
    choose(battle, "angle", battle.setup.space.angles // 4)
    assert pose(battle, unit) == pytest.approx((20, 10 + goes, NORTH), abs=1e-5)
    assert dice_left(battle) == 0


@pytest.mark.rule("wap.compulsory.other.rules")
def test_such_a_unit_turns_on_its_centre_and_then_rolls() -> None:
    battle, unit = wild(None, [4, 3])
    before = middle_of(battle, unit.row, *pose(battle, unit))
    choose(battle, "angle", 0)
    x, y = middle_of(battle, unit.row, *pose(battle, unit))
    assert (x, y) == pytest.approx((before[0] + 7.0, before[1]))
    assert [event.kind for event in battle.events if event.data.get("unit") == unit.row][-2:] == ["turns", "is moved"]


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.rule("wap.compulsory.other.order")
def test_other_compulsory_moves_come_after_flights_in_any_order(first: int) -> None:
    scene = RegimentScene()
    units = [scene.unit(0, WILD, (x, 10), models=5, facing=NORTH) for x in (8, 20)]
    flees = scene.unit(0, None, (32, 20), models=5, facing=SOUTH, fleeing=1)
    scene.unit(1, None, (42, 46))
    battle = scene.battle("movement", detail="full", dice=[6, 6, 2, 3, 1, 2, 5, 5])
    assert pose(battle, flees) == pytest.approx((32, 15, SOUTH))
    assert (kind(battle), slots(battle, "own"), slots(battle, "done")) == ("compelled-next", [0, 1], [])
    choose(battle, "own", first)
    assert battle.clock.subject[0] == units[first].row
    for _ in range(2):
        choose(battle, "angle", battle.setup.space.angles // 4)
    assert [pose(battle, unit)[1] for unit in units] == [13.0, 20.0] if first == 0 else [20.0, 13.0]


def test_dice_in_place_of_a_movement_value() -> None:
    assert [random_dice((f"Random Movement ({dice})",)) for dice in ("D6", "2D6", "3D6")] == [1, 2, 3]
    assert random_dice(("Stubborn",)) == 0
    with pytest.raises(ContentError, match=r"rules\[0\]: 'Random Movement \(9D6\)'"):
        RegimentScene().unit(0, square(rules=["Random Movement (9D6)"]))
