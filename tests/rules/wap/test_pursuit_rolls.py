"""Choices of winners, flee and pursuit rolls, who is caught and what that costs."""

from __future__ import annotations

from math import cos, pi, sin
from typing import Any

import pytest

from wh_env import Battle
from wh_env.core.tables import DESTROYED
from wh_env.rulesets.wap.codes import FRONT, LEFT, REAR, RIGHT
from wh_env.testing import choose, dice_left, kind, pick, slots, told
from wh_env.testing.wap import RegimentScene, UnitHandle, fought, other_combats, pose, square

FLEE, PURSUIT = "wap.pursuit.flee-roll", "wap.pursuit.pursuit-roll"


def duel(
    dice: list[int], *, winner: dict[str, Any] | None = None, models: int = 20, losers: int = 20, lost_by: int = 1,
    detail: str = "squad", along: float = 0.0, command: tuple[str, ...] = (), loser: dict[str, Any] | None = None,
) -> tuple[Battle, UnitHandle, UnitHandle]:  # fmt: skip
    """``a`` of player 0 has broken ``b``, front to front, in the middle of a bare table; the dice are those from the choice on."""
    scene = RegimentScene()
    a = scene.unit(0, square(**(winner or {})), (24, 20), models=models, files=5, command=command)
    b = scene.beside(a, 1, square(**(loser or {})), along=along, models=losers, files=5)
    other_combats(scene)
    battle = scene.battle("combat", dice=dice, detail=detail, set_state=fought(won=[a], broken=[b], lost_by=lost_by))
    return battle, a, b


@pytest.mark.rule("wap.pursuit.choice", "wap.pursuit.broken-flees")
def test_the_winner_pursues_or_tries_to_restrain_himself_before_any_die() -> None:
    battle, a, b = duel([6, 5, 3, 3])
    assert (kind(battle), battle.decision.player) == ("pursue", 0)
    assert (slots(battle, "enemy"), slots(battle, "done"), len(battle.decision.options)) == ([0], [0], 2)
    assert dice_left(battle) == 4 and not told(battle, FLEE)
    choose(battle, "enemy", 0)
    assert [note["roll"] for note in told(battle, FLEE)] == [11]
    assert battle.units.fleeing[b] == 1 and not battle.units.fleeing[a]


@pytest.mark.parametrize(("dice", "stays"), [([3, 4, 2, 3], True), ([4, 4, 2, 3, 1, 1], False)])
@pytest.mark.rule("wap.pursuit.restrain-test")
def test_who_restrains_himself_tests_on_his_leadership(dice: list[int], stays: bool) -> None:
    battle, a, _ = duel(dice)
    choose(battle, "done")
    assert dice_left(battle) == 0
    assert bool(told(battle, PURSUIT)) is not stays
    assert (pose(battle, a) == pytest.approx((24.0, 20.0, pose(battle, a)[2]))) is stays
    assert (kind(battle) == "after-victory") is stays


@pytest.mark.parametrize(("ld", "lost_by", "dice", "stays"), [
    (8, 3, [2, 3], True), (8, 3, [3, 3], False), (8, 1, [3, 4], True), (8, 1, [4, 4], False),
])  # fmt: skip
@pytest.mark.rule("wap.special.frenzy.restrain")
def test_the_frenzied_test_with_what_they_have_won_by(ld: int, lost_by: int, dice: list[int], stays: bool) -> None:
    battle, _, _ = duel([*dice, 6, 6, 1, 1], winner={"rules": ["Frenzy"], "ld": ld}, lost_by=lost_by)
    choose(battle, "done")
    assert [(note["leadership"], note["passed"]) for note in told(battle, "wap.special.frenzy.restrain")] == [
        (ld - lost_by, stays)
    ]
    assert bool(told(battle, PURSUIT)) is not stays


def test_who_is_not_frenzied_tests_without_it() -> None:
    battle, _, _ = duel([4, 3, 6, 6], winner={"ld": 7}, lost_by=5)
    choose(battle, "done")
    assert [note["leadership"] for note in told(battle, "wap.pursuit.restrain-test") if "leadership" in note] == [7]


@pytest.mark.parametrize(("dice", "stays"), [([3, 3, 3, 4], True), ([3, 3, 4, 5], False)])
@pytest.mark.rule("wap.special.hatred.restrain")
def test_haters_roll_a_passed_test_again(dice: list[int], stays: bool) -> None:
    battle, _, _ = duel([*dice, 6, 6, 1, 1], winner={"rules": ["Hatred"], "ld": 8})
    choose(battle, "done")
    assert bool(told(battle, PURSUIT)) is not stays
    assert dice_left(battle) == (2 if stays else 0)


def test_haters_do_not_roll_a_failed_test_again() -> None:
    battle, _, _ = duel([4, 5, 6, 6, 1, 1], winner={"rules": ["Hatred"], "ld": 8})
    choose(battle, "done")
    assert dice_left(battle) == 0 and told(battle, PURSUIT)


@pytest.mark.parametrize(("again", "stays"), [([3, 2], True), ([5, 3], False)])
@pytest.mark.rule("wap.command.champion.follow-me.restrain")
def test_a_champion_lets_a_failed_test_be_rolled_again(again: list[int], stays: bool) -> None:
    battle, _, _ = duel([6, 4, *again, 6, 6, 1, 1], command=("champion",), detail="full")
    choose(battle, "done")
    assert (kind(battle), dice_left(battle)) == ("reroll", 6)
    choose(battle, "option", 0)
    assert bool(told(battle, PURSUIT)) is not stays


@pytest.mark.rule("wap.command.champion.follow-me.restrain")
def test_the_player_may_leave_it_at_that_and_without_a_champion_there_is_no_second_roll() -> None:
    battle, _, _ = duel([6, 4, 6, 6, 1, 1], command=("champion",), detail="full")
    choose(battle, "done")
    choose(battle, "done")
    assert told(battle, PURSUIT) and dice_left(battle) == 0
    battle, _, _ = duel([6, 4, 6, 6, 1, 1], detail="full")
    choose(battle, "done")
    assert told(battle, PURSUIT) and dice_left(battle) == 0


def test_a_hater_with_a_champion_rolls_twice_at_most() -> None:
    battle, _, _ = duel([6, 4, 3, 2, 6, 6, 1, 1], winner={"rules": ["Hatred"]}, command=("champion",))
    choose(battle, "done")
    assert not told(battle, PURSUIT) and dice_left(battle) == 2


@pytest.mark.parametrize(("pursuit", "caught"), [([3, 4], True), ([6, 6], True), ([3, 3], False)])
@pytest.mark.rule("wap.pursuit.caught", "wap.pursuit.escaped", "wap.pursuit.pursuit-roll")
def test_who_rolls_as_much_as_the_fleeing_unit_catches_it(pursuit: list[int], caught: bool) -> None:
    battle, _, b = duel([3, 4, *pursuit], models=5, losers=20)
    choose(battle, "enemy", 0)
    assert [note["roll"] for note in told(battle, PURSUIT)] == [sum(pursuit)]
    assert battle.units.alive[b] == (10 if caught else 20)
    assert battle.units.fleeing[b] == 1
    assert pose(battle, b)[1] == pytest.approx(20 + (2 if caught else 4) + 7)
    assert bool(told(battle, "wap.pursuit.escaped")) is not caught


@pytest.mark.parametrize(("strength", "left"), [(10, 5), (6, 13)])
@pytest.mark.rule("wap.pursuit.caught.wounds")
def test_a_caught_unit_suffers_two_wounds_for_each_point_and_is_not_destroyed_outright(
    strength: int, left: int
) -> None:
    battle, _, b = duel([2, 2, 5, 4], models=strength, losers=25, loser={"w": 1})
    choose(battle, "enemy", 0)
    assert battle.units.alive[b] == left


def test_wounds_of_a_caught_unit_gather_on_its_models() -> None:
    battle, _, b = duel([2, 2, 5, 4], models=5, losers=10, loser={"w": 3})
    choose(battle, "enemy", 0)
    assert battle.units.alive[b] == 7  # 10 wounds: three models, and one wound on a fourth


@pytest.mark.rule("wap.pursuit.caught.survivors")
def test_survivors_flee_all_the_same_and_the_pursuer_stops_an_inch_behind_them() -> None:
    battle, a, b = duel([2, 3, 4, 5], models=10, losers=25)
    choose(battle, "enemy", 0)
    assert battle.units.alive[b] == 5
    # their single rank stood at y 20 to 21; it fled 5 inches and shows its rear at 25
    assert pose(battle, b)[1] == pytest.approx(26.0)
    assert pose(battle, a)[1] == pytest.approx(24.0)


@pytest.mark.parametrize("roll", [(5, 3), (6, 4)])
@pytest.mark.rule("wap.pursuit.caught.destroyed", "wap.pursuit.move.full")
def test_a_unit_that_wipes_out_who_it_caught_goes_all_its_way(roll: tuple[int, int]) -> None:
    battle, a, b = duel([1, 2, *roll], models=10, losers=12)
    choose(battle, "enemy", 0)
    assert battle.units.place[b] == DESTROYED
    assert pose(battle, a)[:2] == pytest.approx((24.0, 20.0 + sum(roll)))


@pytest.mark.parametrize("side", [FRONT, RIGHT, REAR, LEFT])
@pytest.mark.rule("wap.pursuit.flee-direction", "wap.multi.flee.overlap")
def test_a_broken_unit_flees_straight_away_from_the_side_that_was_fought(side: int) -> None:
    """Not from the centre of the enemy: the offset along the side makes no difference."""
    scene = RegimentScene()
    b = scene.unit(1, None, (24, 24), models=20, files=10)
    a = scene.beside(b, 0, side=side, along=0.75, models=5)
    other_combats(scene)
    battle = scene.battle("combat", dice=[3, 4, 1, 1], set_state=fought(won=[a], broken=[b]))
    x, y, facing = pose(battle, b)
    before = pose(battle, a)
    pick(battle, "pursues")
    after = pose(battle, b)
    out = facing - 0.5 * pi * side + pi
    assert (cos(after[2]), sin(after[2])) == pytest.approx((cos(out), sin(out)), abs=1e-9)
    cx, cy = x - cos(facing), y - sin(facing)
    assert after[:2] == pytest.approx((cx + 8 * cos(out), cy + 8 * sin(out)))
    assert before != pose(battle, a)


@pytest.mark.rule("wap.pursuit.move.example", "wap.pursuit.flee-move", "wap.pursuit.flee-roll")
def test_the_worked_example_of_a_flight_and_a_pursuit() -> None:
    battle, a, b = duel([4, 5, 2, 4], models=20, losers=15)
    choose(battle, "enemy", 0)
    assert pose(battle, b)[1] == pytest.approx(23.0 + 9.0)
    assert pose(battle, a)[1] == pytest.approx(26.0)
    names = [event.rule for event in battle.events]
    order = [
        FLEE,
        PURSUIT,
        "wap.pursuit.escaped",
        "wap.pursuit.flee-direction",
        "wap.pursuit.flee-move",
        "wap.pursuit.move",
    ]
    assert [rule for rule in names if rule in order] == order
