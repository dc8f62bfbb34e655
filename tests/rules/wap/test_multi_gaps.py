"""Gaps that casualties leave in combats, and units that slide together."""

from __future__ import annotations

from math import cos, pi, sin
from typing import Any

import pytest

from wh_env import Battle
from wh_env.rulesets.wap.basics.contacts import foes_of, side_towards
from wh_env.rulesets.wap.casualties.removing import suffer
from wh_env.rulesets.wap.codes import FRONT, LEFT, REAR, RIGHT
from wh_env.rulesets.wap.combat.close_combat import FightCombat
from wh_env.testing import told
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene, UnitHandle, fought, other_combats, pose, square

MM25 = 25 / 25.4


def small() -> dict[str, Any]:
    return square(base_mm=[25, 25])


@pytest.mark.rule("wap.combat.gap.after-casualties")
def test_who_took_a_rear_rank_away_moves_up() -> None:
    scene = RegimentScene()
    b = scene.unit(1, small(), (24, 24), models=10, files=5)
    x = scene.beside(b, 0, small(), side=REAR, models=5)
    battle = scene.battle("combat", run=False)
    before, stays = pose(battle, x), pose(battle, b)
    suffer(battle, b.row, 5)
    assert foes_of(battle, b.row) == [x.row]
    assert pose(battle, b) == stays
    assert pose(battle, x)[:2] == pytest.approx((before[0], before[1] - MM25))
    assert told(battle, "wap.combat.gap.after-casualties")


@pytest.mark.parametrize("lost", [4, 5])
@pytest.mark.rule("wap.multi.gap")
def test_only_a_rank_that_is_gone_leaves_a_gap(lost: int) -> None:
    scene = RegimentScene()
    b = scene.unit(1, small(), (24, 24), models=15, files=5)
    a = scene.beside(b, 0, small(), side=REAR, models=5)
    c = scene.beside(b, 0, small(), side=FRONT, models=5)
    battle = scene.battle("combat", run=False)
    before, front = pose(battle, a), pose(battle, c)
    suffer(battle, b.row, lost)
    assert foes_of(battle, b.row) == sorted([a.row, c.row])
    assert pose(battle, a)[1] == pytest.approx(before[1] - (MM25 if lost == 5 else 0))
    assert pose(battle, c) == front
    assert side_towards(battle, b.row, a.row) == REAR
    assert len(told(battle, "wap.multi.gap")) == (1 if lost == 5 else 0)


@pytest.mark.rule("wap.multi.gap.limits")
def test_who_would_meet_an_enemy_of_another_combat_stays_and_the_other_comes_back_to_him() -> None:
    """``e`` stands where ``a`` would come to touch it; what held ``b`` in front follows."""
    scene = RegimentScene()
    b = scene.unit(1, small(), (24, 24), models=15, files=5, facing=SOUTH)
    a = scene.beside(b, 0, small(), side=REAR, models=7, files=7)
    c = scene.beside(b, 0, small(), side=FRONT, models=5)
    # beside b, its rear edge less than a base before the front of a, where that overhangs
    scene.unit(1, small(), (24 + 3.2 * MM25 + 1.0, 24 + 3 * MM25 - 0.5), models=2, files=2, facing=NORTH)
    battle = scene.battle("combat", run=False)
    before = {unit: pose(battle, unit) for unit in (a, b, c)}
    suffer(battle, b.row, 5)
    assert pose(battle, a) == before[a]
    assert pose(battle, b)[1] == pytest.approx(before[b][1] + MM25)
    assert pose(battle, c)[1] == pytest.approx(before[c][1] + MM25)
    assert foes_of(battle, b.row) == sorted([a.row, c.row]) and foes_of(battle, a.row) == [b.row]
    assert [note["unit"] for note in told(battle, "wap.multi.gap.limits")] == [b.row]


@pytest.mark.parametrize(("y", "moves"), [(44.7, True), (45.2, False)])
@pytest.mark.rule("wap.multi.gap.limits")
def test_who_would_leave_the_table_stays_and_the_other_comes_back_to_him(y: float, moves: bool) -> None:
    """``a`` of thirteen files looks north-east; an inch ahead, its left corner is 47.88" or 48.38" up a table of 48"."""
    scene = RegimentScene()
    b = scene.unit(1, None, (30, y), models=15, files=5, facing=0.25 * pi)
    a = scene.beside(b, 0, side=REAR, models=13, files=13)
    battle = scene.battle("combat", run=False)
    before = {unit: pose(battle, unit) for unit in (a, b)}
    suffer(battle, b.row, 5)
    assert foes_of(battle, b.row) == [a.row]
    for unit, far in ((a, 1.0 if moves else 0.0), (b, 0.0 if moves else -1.0)):
        x, y, facing = before[unit]
        assert pose(battle, unit) == pytest.approx((x + far * cos(facing), y + far * sin(facing), facing))
    assert [note["unit"] for note in told(battle, "wap.multi.gap.limits")] == ([] if moves else [b.row])


@pytest.mark.parametrize("side", [LEFT, RIGHT])
def test_who_stands_at_the_end_of_a_rank_that_grows_shorter_follows_it(side: int) -> None:
    scene = RegimentScene()
    b = scene.unit(1, None, (24, 24), models=5, files=5)
    a = scene.beside(b, 0, side=side, models=5)
    battle = scene.battle("combat", run=False)
    before = pose(battle, a)
    suffer(battle, b.row, 2)
    assert foes_of(battle, b.row) == [a.row]
    assert abs(pose(battle, a)[0] - before[0]) == pytest.approx(1.0)
    assert pose(battle, a)[1] == pytest.approx(before[1])


def test_who_stands_before_the_end_of_a_rank_that_grows_shorter_comes_along_it() -> None:
    """It covered the outer model only; that one has gone, and it moves aside by as little as brings corner to corner."""
    scene = RegimentScene()
    b = scene.unit(1, None, (24, 24), models=7, files=7)
    a = scene.beside(b, 0, along=5.5, models=5)
    battle = scene.battle("combat", run=False)
    before = pose(battle, a)
    suffer(battle, b.row, 4)
    assert foes_of(battle, b.row) == [a.row]
    assert abs(pose(battle, a)[0] - before[0]) == pytest.approx(1.5)
    assert pose(battle, a)[1] == pytest.approx(before[1])


# ---------------------------------------------------------------- slides


def stand_apart(
    along: float, *, x: dict[str, Any], y: dict[str, Any], turn: int = 0, rock: float = 0.0, third: bool = False
) -> tuple[Battle, UnitHandle, UnitHandle]:
    """``y`` of player 1 lies along the front of ``x``, so many inches aside; the combat is over but for slides."""
    scene = RegimentScene()
    big = scene.unit(0, None, (24, 24), **x)
    small_one = scene.beside(big, 1, along=along, **y)
    other_combats(scene)
    if rock:
        scene.area("impassable", 24 - rock - 1, 24.2, 24 - rock, 25)
    if third:
        scene.beside(big, 1, along=4.0, models=3, files=3)

    def then(battle: Battle) -> None:
        battle.stack[battle.frame + 1] = FightCombat.Step.SLIDE

    battle = scene.battle("combat", player=turn, set_state=fought(won=[big], held=[small_one], then=then))
    return battle, big, small_one


@pytest.mark.parametrize(("along", "ends"), [(3.5, 0.5), (-3.5, -0.5), (1.0, 1.0), (0.5, 0.5), (1.5, 1.5)])
@pytest.mark.rule("wap.break.reform.slide")
def test_the_weaker_unit_slides_until_its_whole_front_is_in_contact(along: float, ends: float) -> None:
    """Five files and four: with an inch aside or an inch and a half every model of the four touches, by a corner at least."""
    battle, x, y = stand_apart(along, x={"models": 20, "files": 5}, y={"models": 8, "files": 4})
    assert pose(battle, x) == (24, 24, NORTH)
    assert pose(battle, y)[:2] == pytest.approx((24 - ends, 24))
    assert foes_of(battle, x.row) == [y.row]
    assert len(told(battle, "wap.break.reform.slide")) == (along != ends)


@pytest.mark.parametrize("turn", [0, 1])
@pytest.mark.rule("wap.break.reform.slide")
def test_of_equals_that_of_the_player_whose_turn_it_is_slides(turn: int) -> None:
    battle, x, y = stand_apart(3, x={"models": 10, "files": 5}, y={"models": 10, "files": 5}, turn=turn)
    moved = (pose(battle, x)[0] != 24, pose(battle, y)[0] != 21)
    assert moved == (turn == 0, turn == 1)
    assert pose(battle, x)[0] == pytest.approx(pose(battle, y)[0])


@pytest.mark.rule("wap.break.reform.slide")
def test_the_stronger_of_two_does_not_slide_though_it_is_narrower() -> None:
    battle, x, y = stand_apart(3.5, x={"models": 7, "files": 7}, y={"models": 16, "files": 4})
    assert pose(battle, y)[0] == pytest.approx(24 - 3.5)
    assert pose(battle, x)[0] == pytest.approx(24 - 3.5 + 1.5)


def test_a_slide_ends_where_there_is_no_more_room_and_is_not_made_among_three() -> None:
    battle, _, y = stand_apart(-4, x={"models": 20, "files": 5}, y={"models": 8, "files": 4}, third=True)
    assert pose(battle, y)[0] == pytest.approx(28) and not told(battle, "wap.break.reform.slide")
    scene_rock, _, y = stand_apart(-4, x={"models": 20, "files": 5}, y={"models": 8, "files": 4}, rock=-0.5)
    assert pose(scene_rock, y)[0] == pytest.approx(27.5)
