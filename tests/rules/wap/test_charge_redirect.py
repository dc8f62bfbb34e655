"""Redirected charges."""

from __future__ import annotations

import pytest
from charging import FLEE, HOLD, charge, charged, facing_off, react
from marching import FAR_AWAY

from wh_env import Battle
from wh_env.rulesets.wap.codes import REDIRECTED
from wh_env.testing import choose, dice_left, kind, slots, told
from wh_env.testing.play import words
from wh_env.testing.wap import RegimentScene, UnitHandle, square


def two_targets(**fields: object) -> tuple[RegimentScene, UnitHandle, UnitHandle, UnitHandle]:
    """A unit with two enemies before it, X and Y, 9" and 6" away."""
    scene = RegimentScene()
    unit = scene.unit(0, None, (24, 12), models=10, files=5, **fields)
    x = scene.unit(1, None, (27.5, 21), models=4, files=4)
    y = scene.unit(1, None, (20.5, 18), models=4, files=4)
    return scene, unit, x, y


def redirecting(battle: Battle) -> list[int]:
    """The own units that may redirect their charge."""
    return slots(battle, "own") if kind(battle) == "redirect" else []


@pytest.mark.parametrize(("roll", "passes"), [([3, 4], True), ([4, 4], False)])
@pytest.mark.rule("wap.charge.redirect")
def test_a_charge_is_redirected_by_a_test(roll: list[int], passes: bool) -> None:
    """Ld 7: with a 7 the unit charges Y, who reacts; with an 8 its charge stays on X, who has fled 2"."""
    scene, unit, x, y = two_targets()
    battle = scene.battle("movement", dice=[1, 1, *roll, 6, 6])
    charge(battle, unit, x)
    react(battle, FLEE)
    assert (redirecting(battle), slots(battle, "done")) == ([unit.number], [0])
    choose(battle, "own", unit.number)
    assert [note["passed"] for note in told(battle, "wap.charge.redirect") if "passed" in note] == [passes]
    if not passes:
        measured = told(battle, "wap.charge.success")  # it is carried out at once: nobody else charges
        assert [(note["target"], note["passed"]) for note in measured] == [(x.row, False)]
        return
    assert (kind(battle), battle.clock.subject[0]) == ("charge-reaction", y.row)
    assert charged(battle, unit) == [y.row]
    assert battle.charges.first[0] == x.row
    react(battle, HOLD)
    assert [(note["target"], note["passed"]) for note in told(battle, "wap.charge.success")] == [(y.row, True)]


@pytest.mark.rule("wap.charge.redirect")
def test_a_charge_may_be_kept() -> None:
    scene, unit, x, _ = two_targets()
    battle = scene.battle("movement", dice=[1, 1, 6, 6])
    charge(battle, unit, x)
    react(battle, FLEE)
    choose(battle, "done")
    assert not [note for note in told(battle, "wap.charge.redirect") if "passed" in note]
    assert [note["target"] for note in told(battle, "wap.charge.success")] == [x.row]
    assert dice_left(battle) == 0


@pytest.mark.parametrize("second", [False, True])
@pytest.mark.rule("wap.charge.redirect.second-flees")
def test_where_the_second_target_flees_too_either_is_charged(second: bool) -> None:
    scene, unit, x, y = two_targets()
    battle = scene.battle("movement", dice=[1, 1, 3, 4, 1, 1, 6, 6])
    charge(battle, unit, x)
    react(battle, FLEE)
    choose(battle, "own", unit.number)
    react(battle, FLEE)
    assert (kind(battle), slots(battle, "enemy"), slots(battle, "done")) == ("charge-target", [x.number, y.number], [])
    assert all("flees" in said for said in words(battle).values())
    chosen = y if second else x
    choose(battle, "enemy", chosen.number)
    assert [note["target"] for note in told(battle, "wap.charge.success")] == [chosen.row]
    assert dice_left(battle) == 0  # no further test


@pytest.mark.rule("wap.charge.redirect.no-target")
def test_without_another_target_nobody_is_asked() -> None:
    """The other enemy stands in the front arc and 10.5" away."""
    scene = RegimentScene()
    unit = scene.unit(0, None, (24, 12), models=10, files=5)
    x = scene.unit(1, None, (27.5, 19), models=4, files=4)
    scene.unit(1, None, (20.5, 22.5), models=4, files=4)
    battle = scene.battle("movement", dice=[1, 1, 6, 6])
    charge(battle, unit, x)
    react(battle, FLEE)
    assert kind(battle) != "redirect" and told(battle, "wap.charge.distance")
    assert not battle.units.did[unit] & REDIRECTED


@pytest.mark.parametrize("passes", [True, False])
@pytest.mark.rule("wap.charge.redirect.once")
def test_a_unit_redirects_once_a_turn(passes: bool) -> None:
    """A third enemy is there: after the test, whatever came of it, there is no second one. Another unit is asked on its own account."""
    scene, unit, x, y = two_targets()
    scene.unit(1, None, (24, 20), models=1)
    battle = scene.battle("movement", dice=[1, 1, *([3, 4] if passes else [6, 6]), 1, 1, 6, 6])
    charge(battle, unit, x)
    react(battle, FLEE)
    choose(battle, "own", unit.number)
    if passes:
        choose(battle, "enemy", y.number)
        react(battle, FLEE)
        assert kind(battle) == "charge-target"
        choose(battle, "enemy", x.number)
    tests = [note for note in told(battle, "wap.charge.redirect") if "passed" in note]
    assert [note["passed"] for note in tests] == [passes]
    assert kind(battle) != "redirect"


def test_a_champion_lets_the_test_be_taken_again() -> None:
    """wap.command.champion.follow-me.redirect; at the squad detail a failed test is rolled again unasked."""
    scene, unit, x, y = two_targets(command=["champion"])
    battle = scene.battle("movement", dice=[1, 1, 6, 6, 3, 4])
    charge(battle, unit, x)
    react(battle, FLEE)
    choose(battle, "own", unit.number)
    assert told(battle, "wap.command.champion.follow-me.redirect")[0]["passed"]
    assert (kind(battle), battle.clock.subject[0]) == ("charge-reaction", y.row)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
@pytest.mark.rule("wap.charge.several.redirect")
def test_several_chargers_of_one_who_flees_may_each_redirect(order: tuple[int, int]) -> None:
    """X holds against A and flees from B: both may try, in either order, once each."""
    scene = RegimentScene()
    a = scene.unit(0, None, (20, 12), models=5)
    b = scene.unit(0, None, (26.5, 12), models=5)
    x = scene.unit(1, None, (23, 18), models=5)
    scene.unit(1, None, (15, 17), models=2)
    scene.unit(1, None, (31.5, 17), models=2)
    battle = scene.battle("movement", dice=[1, 1, 3, 3, 3, 3])
    charge(battle, a, x)
    react(battle, HOLD)
    charge(battle, b, x)
    react(battle, FLEE)
    units = (a, b)
    assert redirecting(battle) == [a.number, b.number]
    for n in order:
        assert units[n].number in redirecting(battle)
        choose(battle, "own", units[n].number)
        if kind(battle) == "charge-target":
            assert x.number not in slots(battle, "enemy")
            choose(battle, "enemy", slots(battle, "enemy")[0])
        react(battle, HOLD)
        assert x.row not in charged(battle, units[n])
    assert [note["unit"] for note in told(battle, "wap.charge.redirect") if "passed" in note] == [
        units[n].row for n in order
    ]


@pytest.mark.rule("wap.special.terror.charging")
def test_a_redirected_charge_on_the_terrible_needs_courage() -> None:
    """Y causes Terror: the test fails, Z and the first charge are left."""
    scene = RegimentScene()
    unit = scene.unit(0, None, (24, 12), models=10, files=5)
    x = scene.unit(1, None, (28.5, 21), models=3, files=3)
    y = scene.unit(1, square(rules=["Terror"]), (19.5, 18), models=3, files=3)
    z = scene.unit(1, None, (24, 20), models=2, files=2)
    battle = scene.battle("movement", dice=[1, 1, 3, 4, 6, 6, 6, 6])
    charge(battle, unit, x)
    react(battle, FLEE)
    choose(battle, "own", unit.number)
    choose(battle, "enemy", y.number)
    assert (kind(battle), slots(battle, "enemy"), slots(battle, "done")) == ("charge-target", [z.number], [0])
    choose(battle, "done")
    assert [note["target"] for note in told(battle, "wap.charge.success")] == [x.row]


def test_who_holds_leaves_nothing_to_redirect() -> None:
    scene, unit, foe = facing_off(6.0)
    scene.unit(1, None, FAR_AWAY)
    battle = scene.battle("movement", dice=[6, 6])
    charge(battle, unit, foe)
    react(battle, HOLD)
    assert not told(battle, "wap.charge.redirect")
