"""Charges are carried out: order, dice, success."""

from __future__ import annotations

import pytest
from charging import FLEE, HOLD, charge, facing_off, react
from marching import FAR_AWAY

from wh_env import Battle
from wh_env.core.tables import DESTROYED
from wh_env.rulesets.wap.basics.contacts import foes_of
from wh_env.rulesets.wap.basics.declared_charges import enter
from wh_env.rulesets.wap.charge.charge_rolls import roll_together, within_reach
from wh_env.rulesets.wap.charge.resolve import come_to_blows
from wh_env.rulesets.wap.codes import CHARGED, FAILED, FRONT, HOLDS
from wh_env.testing import choose, dice_left, kind, slots, told
from wh_env.testing.play import script, words
from wh_env.testing.wap import RegimentScene, UnitHandle, pose, square


def stopped(scene: RegimentScene, dice: list[int], detail: str = "full") -> Battle:
    """A battle at full detail, in which charges are carried out one by one."""
    return scene.battle("movement", dice=dice, detail=detail)


def ends(battle: Battle) -> None:
    """The first of the places where a charge may end."""
    if kind(battle) == "charge-place":
        choose(battle, "number", 0)


def two_pairs() -> tuple[RegimentScene, list[UnitHandle]]:
    scene = RegimentScene()
    a = scene.unit(0, None, (12, 12), models=5)
    b = scene.unit(0, None, (36, 12), models=5)
    x = scene.unit(1, None, (12, 19), models=5)
    y = scene.unit(1, None, (36, 19), models=5)
    return scene, [a, b, x, y]


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.rule("wap.charge.resolve.order")
def test_charges_are_carried_out_in_any_order_one_after_the_other(first: int) -> None:
    scene, units = two_pairs()
    battle = stopped(scene, [3, 3, 4, 4])
    for n in (0, 1):
        charge(battle, units[n], units[n + 2])
        react(battle, HOLD)
    assert (kind(battle), slots(battle, "own"), slots(battle, "done")) == ("charge-order", [0, 1], [])
    assert list(words(battle).values()) == ["unit 00 against unit 10", "unit 01 against unit 11"]
    assert dice_left(battle) == 4
    choose(battle, "own", first)
    ends(battle)
    ends(battle)
    done = [event.kind for event in battle.events if event.kind in ("charge roll", "charges into contact")]
    assert done == ["charge roll", "charges into contact"] * 2  # the first had moved before the second's dice
    assert [event.data["unit"] for event in battle.events if event.kind == "charge roll"] == [first, 1 - first]


@pytest.mark.rule("wap.charge.distance")
def test_movement_and_the_highest_die() -> None:
    scene, unit, foe = facing_off(9.0)
    battle = scene.battle("movement", dice=[2, 5])
    charge(battle, unit, foe)
    react(battle, HOLD)
    rolled = told(battle, "wap.charge.distance")[0]
    assert (rolled["dice"], rolled["far"]) == ((2, 5), 9.0)


@pytest.mark.parametrize(("gap", "arrives"), [(9.0, True), (9.1, False)])
@pytest.mark.rule("wap.charge.success")
def test_a_charge_succeeds_if_it_reaches_as_far_as_its_target_is(gap: float, arrives: bool) -> None:
    scene, unit, foe = facing_off(gap)
    scene.unit(0, None, (8, 40), models=1)
    battle = scene.battle("movement", dice=[5, 2])
    charge(battle, unit, foe)
    react(battle, HOLD)
    assert told(battle, "wap.charge.success")[0]["passed"] == arrives
    moved = [note["unit"] for note in told(battle, "wap.charge.move.contact")]
    assert moved == ([unit.row] if arrives else [])
    if not arrives:
        assert kind(battle) == "select-to-move" and battle.units.did[unit] & FAILED
        assert pose(battle, unit)[1] == pytest.approx(17.0) and slots(battle, "own") == [1]


@pytest.mark.rule("wap.charge.success")
def test_a_unit_that_has_charged_is_in_contact_and_counts_as_charging() -> None:
    """A second charge is still to be carried out, so that the battle waits."""
    scene, units = two_pairs()
    third = scene.unit(0, None, (24, 12), models=5)
    fourth = scene.unit(1, None, (24, 19), models=5)
    battle = stopped(scene, [3, 3])
    for n in (0, 1):
        charge(battle, units[n], units[n + 2])
        react(battle, HOLD)
    charge(battle, third, fourth)
    react(battle, HOLD)
    choose(battle, "own", 0)
    ends(battle)
    assert kind(battle) == "charge-order" and slots(battle, "own") == [1, 2]
    assert foes_of(battle, units[0].row) == [units[2].row]
    assert battle.units.did[0] == CHARGED and battle.units.charging[0] == 1
    assert pose(battle, units[0])[1] == pytest.approx(19.0)


@pytest.mark.parametrize(("dice", "met"), [([1, 4], 1), ([1, 6], 2), ([1, 2], 0)])
@pytest.mark.rule("wap.charge.distance.two-targets")
def test_of_several_targets_those_within_reach_are_charged(dice: list[int], met: int) -> None:
    """X at 7", Y at 9", and a place against both; with 8" it goes against X alone and does not touch Y."""
    scene = RegimentScene()
    unit = scene.unit(0, None, (24, 12), models=5)
    x = scene.unit(1, None, (22, 19), models=3, files=3)
    y = scene.unit(1, None, (29.5, 21), models=3, files=3)
    scene.unit(1, None, FAR_AWAY)
    battle = scene.battle("movement", run=False)
    rows = [enter(battle, unit.row, foe.row, FRONT, HOLDS) for foe in (x, y)]
    script(battle, dice)
    roll_together(battle, [unit.row])
    assert [note["passed"] for note in told(battle, "wap.charge.success")] == [met > 0, met > 1]
    assert within_reach(battle, unit.row) == rows[:met]
    if met == 1:
        assert come_to_blows(battle, unit.row, rows[:1], "wap.charge.move.contact")
        assert foes_of(battle, unit.row) == [x.row]


@pytest.mark.rule("wap.charge.resolve.order", "wap.charge.several.together")
def test_units_that_charge_the_same_target_are_rolled_for_together() -> None:
    """A (M4) rolls 1 and 3, B (M8) 2 and 6: 7" and 14" are known before either moves, and C, who charges another, rolls later."""
    scene = RegimentScene()
    a = scene.unit(0, None, (20, 12), models=3, files=3)
    b = scene.unit(0, square(m=8), (26, 12), models=3, files=3)
    c = scene.unit(0, None, (40, 12), models=3, files=3)
    x = scene.unit(1, None, (23, 19), models=10)
    z = scene.unit(1, None, (40, 19), models=3, files=3)
    battle = stopped(scene, [1, 3, 2, 6])
    for unit, foe in ((a, x), (b, x), (c, z)):
        charge(battle, unit, foe)
        react(battle, HOLD)
    assert slots(battle, "own") == [0, 1, 2]
    choose(battle, "own", b.number)
    ends(battle)
    kinds = [
        (event.kind, event.data["unit"])
        for event in battle.events
        if event.kind in ("charge roll", "charges into contact")
    ]
    assert kinds[:3] == [("charge roll", a.row), ("charge roll", b.row), ("charges into contact", b.row)]
    assert [note["far"] for note in told(battle, "wap.charge.distance")][:2] == [7.0, 14.0]
    ends(battle)
    order = [event.data["unit"] for event in battle.events if event.kind == "charge roll"]
    assert order == [a.row, b.row, c.row]


def test_whose_target_is_gone_goes_straight_on() -> None:
    """X flees off the table; there is nobody else to charge."""
    scene = RegimentScene()
    unit = scene.unit(0, None, (24, 33), models=5)
    foe = scene.unit(1, None, (24, 41), models=5)
    scene.unit(1, None, (4, 10), models=5)
    battle = scene.battle("movement", dice=[6, 6, 2, 5])
    charge(battle, unit, foe)
    react(battle, FLEE)
    assert battle.units.place[foe] == DESTROYED
    assert told(battle, "wap.charge.failed")[0]["far"] == 5.0


@pytest.mark.parametrize("slot", [0, 1])
@pytest.mark.rule("wap.charge.move.wheel")
def test_at_full_detail_the_player_says_where_a_charge_ends(slot: int) -> None:
    """Three models against ten: they have several places with as many in contact."""
    scene = RegimentScene()
    unit = scene.unit(0, None, (24, 12), models=3, files=3)
    foe = scene.unit(1, None, (24, 18), models=10, files=10)
    battle = stopped(scene, [3, 3])
    charge(battle, unit, foe)
    react(battle, HOLD)
    assert kind(battle) == "charge-place" and len(slots(battle, "number")) > 1
    assert len(set(words(battle).values())) == len(words(battle))
    said = list(words(battle).values())[slot]
    choose(battle, "number", slot)
    x, y = told(battle, "wap.charge.move.contact")[0]["place"]
    assert f"{x:.2f}, {y:.2f}" in said
