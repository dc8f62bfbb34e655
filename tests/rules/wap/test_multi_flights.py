"""Flights and pursuits of combats with more than two units."""

from __future__ import annotations

from math import atan2, cos, pi, sin

import pytest
from results import rescored, scored, side

from wh_env import Battle
from wh_env.rulesets.wap.basics.blocks import distance
from wh_env.rulesets.wap.basics.contacts import foes_of
from wh_env.rulesets.wap.codes import FRONT, HELD, LEFT, REAR, RIGHT, WON
from wh_env.rulesets.wap.ways.poses import middle_of
from wh_env.testing import choose, dice_left, kind, pick, slots, told
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene, UnitHandle, fought, may_move, other_combats, pose

FLEE, PURSUIT = "wap.pursuit.flee-roll", "wap.pursuit.pursuit-roll"


def one_against_two(
    dice: list[int], *, outcome: str = "broken", detail: str = "squad"
) -> tuple[Battle, UnitHandle, UnitHandle, UnitHandle]:
    """``a`` has ``b`` in front and ``c`` at its left flank; ``b`` is broken, ``c`` is broken or holds."""
    scene = RegimentScene()
    a = scene.unit(0, None, (24, 20), models=20, files=5)
    b = scene.beside(a, 1, models=10, files=5)
    c = scene.beside(a, 1, side=LEFT, models=5)
    other_combats(scene)
    broken, held = ([b, c], []) if outcome == "broken" else ([b], [c])
    state = fought(won=[a], broken=broken, held=held)
    return scene.battle("combat", dice=dice, detail=detail, set_state=state), a, b, c


@pytest.mark.rule("wap.multi.pursuit.one")
def test_a_winner_pursues_one_of_several_or_restrains_himself() -> None:
    battle, a, b, c = one_against_two([6, 6, 6, 5, 1, 1])
    at = [b.number, c.number]
    assert (kind(battle), slots(battle, "enemy"), slots(battle, "done")) == ("pursue", at, [0])
    assert not told(battle, FLEE)
    choose(battle, "enemy", c.number)
    assert [(note["unit"], note["roll"]) for note in told(battle, FLEE)] == [(b.row, 12), (c.row, 11)]
    assert [note["unit"] for note in told(battle, PURSUIT)] == [a.row]
    assert dice_left(battle) == 0


@pytest.mark.rule("wap.pursuit.restrain-test")
def test_who_fails_to_restrain_himself_still_says_whom_he_pursues() -> None:
    battle, a, b, c = one_against_two([6, 6, 6, 6, 6, 5, 1, 1])
    choose(battle, "done")
    assert (kind(battle), slots(battle, "enemy"), slots(battle, "done")) == ("pursue", [b.number, c.number], [])
    choose(battle, "enemy", b.number)
    assert dice_left(battle) == 0 and [note["unit"] for note in told(battle, PURSUIT)] == [a.row]


@pytest.mark.rule("wap.multi.pursuit.held")
def test_who_still_fights_an_enemy_may_not_pursue() -> None:
    battle, a, b, c = one_against_two([3, 4], outcome="held")
    assert kind(battle) != "pursue" and dice_left(battle) == 0
    assert not told(battle, PURSUIT) and not told(battle, "wap.pursuit.restrain-test")
    assert battle.units.fleeing[b] == 1
    assert foes_of(battle, a.row) == [c.row] and pose(battle, a) == (24, 20, NORTH)


def several_against_one(
    dice: list[int], *, strengths: tuple[int, int, int] = (10, 5, 3), models: int = 30, detail: str = "squad", pursue: int = 3
) -> tuple[Battle, list[UnitHandle], UnitHandle]:  # fmt: skip
    """``b`` is fought by three in front, right and left flank; so many of them pursue, the others restrain themselves."""
    scene = RegimentScene((60, 60))
    b = scene.unit(1, None, (30, 30), models=models, files=10)
    sides = (FRONT, RIGHT, LEFT)
    units = [scene.beside(b, 0, side=side, models=n, files=min(n, 5)) for side, n in zip(sides, strengths, strict=True)]
    other_combats(scene)
    battle = scene.battle("combat", dice=dice, detail=detail, set_state=fought(won=units, broken=[b]))
    for n in range(3):
        choose(battle, "enemy", b.number) if n < pursue else choose(battle, "done")
    return battle, units, b


@pytest.mark.parametrize(
    ("rolls", "left"),
    [(([3, 3], [2, 4], [1, 5]), 30), (([1, 5], [4, 4], [3, 4]), 30 - 16), (([4, 4], [3, 3], [2, 3]), 30 - 20)],
)
@pytest.mark.rule("wap.multi.flee.beat-all", "wap.multi.flee.caught-by-several")
def test_each_pursuer_who_rolls_as_much_inflicts_his_wounds(rolls: tuple[list[int], ...], left: int) -> None:
    battle, _, b = several_against_one([3, 4, *rolls[0], *rolls[1], *rolls[2]])
    assert battle.units.alive[b] == left
    assert bool(told(battle, "wap.pursuit.escaped")) is (left == 30)


@pytest.mark.parametrize(
    ("strengths", "die", "side"),
    [((10, 8, 9), [], FRONT), ((5, 8, 6), [], RIGHT), ((5, 12, 12), [1], RIGHT), ((5, 12, 12), [5, 2], LEFT), ((5, 12, 12), [2], LEFT)],
)  # fmt: skip
@pytest.mark.rule("wap.multi.flee.direction")
def test_the_back_is_turned_on_the_strongest_enemy_in_contact(
    strengths: tuple[int, int, int], die: list[int], side: int
) -> None:
    scene = RegimentScene((60, 60))
    b = scene.unit(1, None, (30, 30), models=30, files=10)
    sides = (FRONT, RIGHT, LEFT)
    units = [scene.beside(b, 0, side=s, models=n, files=min(n, 4)) for s, n in zip(sides, strengths, strict=True)]
    other_combats(scene)
    battle = scene.battle(
        "combat", dice=[6, 6, 1, 1, 1, 1, 1, 1, *die], set_state=fought(won=units, broken=[b])
    )  # fmt: skip
    for _ in range(3):
        choose(battle, "enemy", b.number)
    facing = pose(battle, b)[2]
    away = SOUTH - 0.5 * pi * side + pi
    assert (cos(facing), sin(facing)) == pytest.approx((cos(away), sin(away)), abs=1e-9)
    order = [unit.row for unit in units]
    assert [note["target"] for note in told(battle, "wap.multi.flee.direction")] == [order[sides.index(side)]]


@pytest.mark.rule("wap.multi.flee.overlap")
def test_turning_into_an_enemy_of_the_combat_does_not_prevent_the_flight_and_costs_nothing() -> None:
    """Ten wide, attacked hardest in the flank: it turns into the unit in front of it and flees on from there."""
    scene = RegimentScene((60, 60))
    b = scene.unit(1, None, (30, 30), models=20, files=10)
    front = scene.beside(b, 0, models=5)
    flank = scene.beside(b, 0, side=RIGHT, models=8, files=4)
    other_combats(scene)
    battle = scene.battle("combat", dice=[6, 4, 1, 1, 1, 1], set_state=fought(won=[front, flank], broken=[b]))
    for _ in range(2):
        choose(battle, "enemy", b.number)
    assert battle.units.alive[b] == 20 and battle.units.fleeing[b] == 1
    x, y = middle_of(battle, b.row, *pose(battle, b))
    assert (x, y) == pytest.approx((30 + 10, 31))


@pytest.mark.rule("wap.multi.flee.order", "wap.pursuit.flee-move")
def test_the_loser_orders_his_flights_and_each_is_whole_with_its_panic_before_the_next() -> None:
    scene = RegimentScene((60, 60))
    a = scene.unit(0, None, (30, 20), models=30, files=10)
    b = scene.beside(a, 1, along=2.5, models=12, files=4)
    c = scene.beside(a, 1, along=-2.5, models=8, files=4)
    f = scene.unit(1, None, (27.5, 28.5), models=10, files=5, facing=NORTH)
    other_combats(scene)
    for first in (b, c):
        # flee rolls of both, the pursuit roll; the Panic test of f is passed
        battle = scene.battle(
            "combat", dice=[3, 4, 2, 3, 1, 1, 1, 1], detail="full", set_state=fought(won=[a], broken=[b, c])
        )
        choose(battle, "enemy", c.number)
        assert (kind(battle), battle.decision.player) == ("combat-order", 1)
        assert slots(battle, "own") == [b.number, c.number]
        choose(battle, "own", first.number)
        moves = [event for event in battle.events if event.kind in ("flees", "leadership test")]
        told_units = [event.data["unit"] for event in moves]
        assert told_units == ([b.row, f.row, c.row] if first is b else [c.row, b.row, f.row])


def two_pursuers(dice: list[int], *, detail: str = "full") -> tuple[Battle, UnitHandle, UnitHandle, UnitHandle]:
    """A large and a small unit have broken ``b`` from two sides at a right angle."""
    scene = RegimentScene((60, 60))
    b = scene.unit(1, None, (30, 30), models=25, files=5)
    large = scene.beside(b, 0, side=FRONT, models=20, files=5)
    small = scene.beside(b, 0, side=RIGHT, along=0.0, models=5, files=5)
    other_combats(scene)
    battle = scene.battle("combat", dice=dice, detail=detail, set_state=fought(won=[large, small], broken=[b]))
    choose(battle, "enemy", b.number)
    choose(battle, "enemy", b.number)
    return battle, large, small, b


@pytest.mark.rule("wap.multi.pursuit.stops-short", "wap.multi.pursuit.direction")
def test_a_pursuer_stops_an_inch_before_who_outran_him() -> None:
    """The figure of the source: red flees 7 inches, the small unit turns and moves 6, which would bring it to him."""
    battle, large, small, b = two_pursuers([3, 4, 1, 1, 3, 3])
    assert (kind(battle), battle.decision.player) == ("combat-order", 0)
    start = middle_of(battle, small.row, *pose(battle, small))
    choose(battle, "own", small.number)
    x, y = middle_of(battle, b.row, *pose(battle, b))
    facing = pose(battle, small)[2]
    assert facing == pytest.approx(atan2(y - start[1], x - start[0]))
    assert battle.units.alive[b] == 25
    assert distance(battle, small.row, b.row) >= 1.0 - 1e-3
    del large


@pytest.mark.rule("wap.multi.pursuit.friends", "wap.multi.pursuit.order")
@pytest.mark.parametrize("first", ["small", "large"])
def test_who_pursues_later_stops_an_inch_before_a_friend_who_has_moved_into_his_way(first: str) -> None:
    battle, large, small, b = two_pursuers([6, 6, 4, 6, 3, 4])
    one, other = (small, large) if first == "small" else (large, small)
    choose(battle, "own", one.number)
    moves = [event.data for event in battle.events if event.rule == "wap.pursuit.move"]
    assert [move["unit"] for move in moves] == [one.row, other.row]
    assert moves[0]["far"] == pytest.approx(7.0 if first == "small" else 10.0, abs=0.01)
    assert moves[1]["far"] < (10.0 if first == "small" else 7.0)
    assert distance(battle, one.row, other.row) == pytest.approx(1.0, abs=1e-3)
    del b


@pytest.mark.rule("wap.multi.pursuit.order")
def test_the_order_of_two_pursuers_one_behind_the_other() -> None:
    scene = RegimentScene((60, 60))
    b = scene.unit(1, None, (30, 30), models=12, files=12, facing=SOUTH)
    a = scene.beside(b, 0, along=3.5, models=5)
    d = scene.beside(b, 0, along=-3.5, models=5)
    other_combats(scene)
    battle = scene.battle(
        "combat", dice=[6, 6, 4, 4, 3, 3], detail="full", set_state=fought(won=[a, d], broken=[b])
    )  # fmt: skip
    choose(battle, "enemy", b.number)
    choose(battle, "enemy", b.number)
    assert (kind(battle), slots(battle, "own")) == ("combat-order", [a.number, d.number])
    choose(battle, "own", d.number)
    assert [note["unit"] for note in told(battle, "wap.pursuit.move")] == [d.row, a.row]
    pursued = {note["unit"]: note["far"] for note in told(battle, "wap.pursuit.move")}
    assert pursued[d.row] == pytest.approx(6.0)
    assert distance(battle, a.row, d.row) >= 1.0 - 1e-3 and pursued[a.row] <= 8.0


@pytest.mark.rule("wap.multi.pursuit.direction")
def test_each_pursuer_turns_to_the_enemy_that_he_has_chosen_where_that_has_fled_to() -> None:
    for chosen in ("b", "c"):
        battle, a, b, c = one_against_two([3, 4, 5, 4, 3, 3])
        prey = b if chosen == "b" else c
        start = middle_of(battle, a.row, *pose(battle, a))
        # c stands at the left flank, to the west, and flees west
        choose(battle, "enemy", prey.number)
        [note] = told(battle, "wap.pursuit.move")
        assert note["facing"] % 360 == (90 if chosen == "b" else 180)
        assert note["far"] == pytest.approx(6.0)
        del start


def test_a_unit_broken_by_two_of_which_one_is_behind_it_flees_through_the_other() -> None:
    """The stronger stands in its rear: it flees forwards, through the one in front, and pays for that."""
    scene = RegimentScene((60, 60))
    b = scene.unit(1, None, (30, 30), models=20, files=5)
    front = scene.beside(b, 0, side=FRONT, models=5)
    rear = scene.beside(b, 0, side=REAR, models=8, files=4)
    other_combats(scene)
    dice = [6, 6, 1, 1, 1, 1, *([2] * 20)]
    battle = scene.battle("combat", dice=dice, set_state=fought(won=[front, rear], broken=[b]))
    for _ in range(2):
        choose(battle, "enemy", b.number)
    assert battle.units.alive[b] == 15
    assert cos(pose(battle, b)[2] - SOUTH) == pytest.approx(1.0)
    assert dice_left(battle) == 0


@pytest.mark.rule("wap.multi.no-enemy-left")
def test_who_has_no_enemy_left_while_his_side_fights_on_is_out_of_it_and_free() -> None:
    from wh_env.rulesets.wap.casualties.removing import remove_unit

    scene = RegimentScene((60, 60))
    a = scene.unit(0, None, (20, 20), models=15, files=5)
    b = scene.beside(a, 1, models=5)
    d = scene.unit(0, None, (40, 20), models=15, files=5)
    c = scene.beside(d, 1, models=10, files=5)
    other_combats(scene)
    battle = scene.battle("combat", set_state=fought(won=[a, d], held=[b, c], then=lambda g: remove_unit(g, b.row)))
    assert kind(battle) == "after-victory"
    pick(battle, "stays")
    assert battle.units.fights[a] == 0 and battle.units.fights[d] == 1
    assert may_move(battle, a.row) and not may_move(battle, d.row)


@pytest.mark.parametrize("survivors", [0, 1])
@pytest.mark.rule("wap.multi.no-enemy-left")
def test_nothing_but_its_wounds_counts_of_who_has_no_enemy_left(survivors: int) -> None:
    """``a`` charged the rear of ``b``, of which it has left so many; its friend ``d`` fights both ``b`` and ``c``."""
    scene = RegimentScene((60, 60))
    d = scene.unit(0, None, (24, 24), models=10, files=10)
    b = scene.beside(d, 1, along=3.0, models=5 + survivors, files=5 + survivors)
    c = scene.beside(d, 1, along=-3.0, models=20, files=5)
    a = scene.beside(b, 0, side=REAR, models=15, files=5, command=("standard", "musician"))
    battle = scored(scene, c, {(a, b): 5}, charging=[a])
    battle = rescored(battle, {(d, c): 6})
    assert battle.units.us[a] == 15 and battle.units.alive[b] == survivors
    mine = side(battle, 0)
    told_of_a = [mine[part] for part in ("wounds", "charge", "ranks", "standards", "arcs", "outnumber")]
    assert told_of_a == ([11, 1, 2, 1, 2, 1] if survivors else [11, 0, 0, 0, 0, 0])
    theirs = side(battle, 1)
    assert theirs["outnumber"] == (0 if survivors else 1)
    # 20 against 10, or against 25
    assert battle.units.outcome[c] == HELD and battle.units.steadfast[c] == (0 if survivors else 1)
    assert battle.units.outcome[a] == WON
