"""Several units that charge one target share its side, if there is room."""

from __future__ import annotations

from itertools import pairwise

import pytest
from charging import HOLD, charge, over, react

from wh_env import Battle
from wh_env.rulesets.wap.basics.contacts import foes_of
from wh_env.rulesets.wap.charge.places import move_into_contact
from wh_env.rulesets.wap.charge.sharing import arrangements
from wh_env.rulesets.wap.codes import CHARGED, FAILED, FRONT
from wh_env.testing import choose, kind, slots, told
from wh_env.testing.wap import RegimentScene, UnitHandle, corners, pose, square


def facing(
    places: list[tuple[float, int]], wide: int, models: int | None = None, card: dict | None = None
) -> tuple[RegimentScene, list[UnitHandle], UnitHandle]:
    """Units by x and files, 7.5" before a target."""
    scene = RegimentScene(rules={"small_target": 0})
    units = [scene.unit(0, card or square(m=4), (x, 12.5), models=2 * files, files=files) for x, files in places]
    return scene, units, scene.unit(1, None, (24, 20), models=models or 3 * wide, files=wide)


def covered(battle: Battle, unit: UnitHandle, target: UnitHandle) -> float:
    """Inches of the target's front that a unit lies along."""
    fronts = [[x for x, y in corners(battle, one) if abs(y - pose(battle, target)[1]) < 1e-6] for one in (unit, target)]
    return min(map(max, fronts)) - max(map(min, fronts))


def resolved(
    scene: RegimentScene,
    units: list[UnitHandle],
    target: UnitHandle,
    dice: list[int],
    order: list[int],
    places: tuple[int, ...] = (),
) -> Battle:
    """All of them charge; the player has them move in an order."""
    battle = scene.battle("movement", dice=dice, detail="full")
    for unit in units:
        charge(battle, unit, target)
        react(battle, HOLD)
    over(battle)
    left, ends = list(order), list(places)
    while kind(battle) in ("charge-order", "charge-place"):
        if kind(battle) == "charge-order":
            choose(battle, "own", left.pop(0))
        else:
            choose(battle, "number", ends.pop(0) if ends else 0)
    return battle


@pytest.mark.rule("wap.charge.several.share")
@pytest.mark.parametrize("order", [[0, 1], [1, 0]])
def test_two_units_share_a_front_evenly(order: list[int]) -> None:
    scene, units, target = facing([(21, 5), (27, 5)], 6)
    battle = resolved(scene, units, target, [6, 6, 6, 6], order)
    assert foes_of(battle, target.row) == [unit.row for unit in units]
    assert [covered(battle, unit, target) for unit in units] == pytest.approx([3.0, 3.0], abs=0.02)
    assert pose(battle, units[0])[0] < pose(battle, units[1])[0]


@pytest.mark.rule("wap.charge.several.share")
def test_the_player_says_who_stands_left() -> None:
    """Both orders from left to right that are reached are offered."""
    scene, units, target = facing([(23, 3), (26.5, 3)], 4)
    battle = scene.battle("movement")
    plans = arrangements(battle, target.row, [(unit.row, FRONT) for unit in units])
    assert plans
    for plan in plans:
        assert sorted(unit for unit, _ in plan) == [unit.row for unit in units]
        copy = battle.clone()
        for unit, place in plan:
            move_into_contact(copy, unit, place, "wap.charge.move.contact")
        assert foes_of(copy, target.row) == [unit.row for unit in units]


@pytest.mark.rule("wap.charge.several.maximise")
def test_most_models_come_before_an_even_share() -> None:
    """A on bases of an inch, B on bases of two: each base of B that gives way lets two of A in."""
    scene = RegimentScene(rules={"small_target": 0})
    wide = square(m=4, base_mm=[50.8, 50.8])
    a = scene.unit(0, square(m=4), (20, 12.5), models=10, files=5)
    b = scene.unit(0, wide, (28, 12.5), models=3, files=3)
    target = scene.unit(1, None, (24, 20), models=18, files=6)
    battle = scene.battle("movement")
    (plan, *_) = arrangements(battle, target.row, [(a.row, FRONT), (b.row, FRONT)])
    for unit, place in plan:
        move_into_contact(battle, unit, place, "wap.charge.move.contact")
    shares = covered(battle, a, target), covered(battle, b, target)
    best = max(
        contacts(edge) for edge in (n / 20 for n in range(-40, 41))
    )  # of all rows of both, by the place where they meet
    assert contacts(shares[0] - 3.0) == best
    assert shares[0] > shares[1]


def contacts(edge: float) -> int:
    """Models in contact where A ends and B begins ``edge`` inches from the middle of a front of six."""
    eps = 1e-6
    own = sum(1 for n in range(5) if edge - n >= -3.0 - eps) + sum(1 for n in range(3) if edge + 2 * n <= 3.0 + eps)
    return own + 6


@pytest.mark.rule("wap.charge.several.no-room")
@pytest.mark.parametrize("order", [[0, 1, 2], [2, 0, 1], [1, 2, 0]])
def test_the_player_says_who_finds_no_room(order: list[int]) -> None:
    scene, units, target = facing([(18, 5), (24, 5), (30, 5)], 1, 1)
    first = 1 if order == [1, 2, 0] else 0  # the middle one makes room on its left, or on its right
    battle = resolved(scene, units, target, [6, 5, 6, 4, 6, 3], order, (first,))
    arrived = [event["unit"] for event in told(battle, "wap.charge.move.contact")]
    assert sorted(arrived) == sorted(units[n].row for n in order[:2])
    left = units[order[2]]
    note = told(battle, "wap.charge.failed")
    assert len(note) == 1 and note[0]["unit"] == left.row and 0.0 <= note[0]["far"] <= 6.0


@pytest.mark.rule("wap.charge.several.share", "wap.charge.unusual.fails")
@pytest.mark.parametrize("order", [[0, 1], [1, 0]])
def test_who_stands_behind_another_charger_moves_after_him_or_fails(order: list[int]) -> None:
    """The first to move finds his place with all others where they stand."""
    scene = RegimentScene(rules={"small_target": 0})
    units = [scene.unit(0, square(m=6), at, models=10, files=5) for at in ((26, 9.5), (24, 13))]
    target = scene.unit(1, None, (24, 20), models=30, files=10)
    battle = resolved(scene, units[::-1], target, [6] * 4, order)
    fails = order == [0, 1]
    assert [note["unit"] for note in told(battle, "wap.charge.failed")] == ([units[0].row] if fails else [])
    assert foes_of(battle, target.row) == [unit.row for unit in units[fails:]]


def test_looking_for_room_moves_nobody() -> None:
    scene, units, target = facing([(18, 5), (24, 5), (30, 5)], 6)
    battle = scene.battle("movement")
    before = battle.to_bytes()
    arrangements(battle, target.row, [(unit.row, FRONT) for unit in units])
    assert battle.to_bytes() == before


def test_units_of_a_row_do_not_overlap() -> None:
    scene, units, target = facing([(16, 5), (24, 4), (31, 3)], 10)
    battle = scene.battle("movement")
    (plan, *_) = arrangements(battle, target.row, [(unit.row, FRONT) for unit in units])
    for unit, place in plan:
        move_into_contact(battle, unit, place, "wap.charge.move.contact")
    ends = sorted((pose(battle, unit)[0], battle.units.files[unit] / 2) for unit in units)
    for (x, half), (other, half2) in pairwise(ends):
        assert x + half <= other - half2 + 1e-3
    assert not any(battle.units.did[unit] & FAILED for unit in units)
    assert all(battle.units.did[unit] & CHARGED for unit in units) and slots(battle, "done") is not None
