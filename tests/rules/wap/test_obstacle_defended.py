"""Charges against enemies that defend an obstacle: how far they go, where they end, who then fights whom."""

from __future__ import annotations

from math import cos, radians, sin, tan

import pytest

from tests.arming import rider
from tests.charging import HOLD, charge, over, react
from tests.heroes import hero
from tests.walls import FAR, NEAR, across, are_in_contact, charged_across
from wh_env import Battle
from wh_env.rulesets.wap.basics.contacts import foes_of, row_between, side_towards
from wh_env.rulesets.wap.basics.ground import features_of
from wh_env.rulesets.wap.basics.obstacles import wall_before
from wh_env.rulesets.wap.basics.profiles import characteristic
from wh_env.rulesets.wap.casualties.removing import suffer
from wh_env.rulesets.wap.charge.reach import gap_to
from wh_env.rulesets.wap.codes import FRONT, LEFT, REAR, RIGHT
from wh_env.rulesets.wap.combat.fighters import groups_of
from wh_env.rulesets.wap.result.scoring import score_combat
from wh_env.rulesets.wap.weapons.blows import blow_of
from wh_env.testing import choose, kind, script, told
from wh_env.testing.wap import SOUTH, WEST, RegimentScene, UnitHandle, fight, fight_again, other_combats, pose, square


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.rule("wap.terrain.obstacle.defended.charge")
def test_the_charge_is_measured_to_the_obstacle_and_ends_there(player: int) -> None:
    scene, unit, target = across(player=player)
    battle = scene.battle("movement", player=player)
    assert gap_to(battle, unit.row, target.row) == pytest.approx(8.0)
    battle, unit, target = charged_across(dice=[4, 1], player=player)
    assert [event["passed"] for event in told(battle, "wap.charge.success")] == [True]
    assert pose(battle, unit)[:2] == pytest.approx((24.0, NEAR))
    assert pose(battle, target)[:2] == pytest.approx((24.0, FAR))
    assert are_in_contact(battle, unit, target)
    battle, unit, target = charged_across(dice=[3, 1], player=player)
    assert [event["passed"] for event in told(battle, "wap.charge.success")] == [False]
    assert not are_in_contact(battle, unit, target)


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.rule("wap.terrain.obstacle.defended.contact")
def test_all_files_of_both_fight_across_it(player: int) -> None:
    battle, unit, target = charged_across(player=player)
    for one, other in ((unit, target), (target, unit)):
        assert foes_of(battle, one.row) == [other.row]
        assert side_towards(battle, one.row, other.row) == FRONT
        groups = groups_of(battle, one.row, 1)
        assert sorted((behind, models) for _, behind, _, models in groups) == [(0, 5), (1, 5)]


def test_of_several_places_that_with_most_models_in_contact_is_taken() -> None:
    """A unit of three files that charges from the side comes before the middle of five."""
    battle, unit, _ = charged_across(models=(6, 10), files=(3, 5), gap=4.0)
    assert pose(battle, unit)[1] == pytest.approx(NEAR)
    assert sum(models for _, behind, _, models in groups_of(battle, unit.row, 1) if not behind) == 3


def needed(
    battle: Battle, unit: UnitHandle, target: UnitHandle, rule: str = "wap.combat.hit.roll"
) -> list[tuple[int, int]]:
    """(dice, result needed) of the rolls of a unit against another."""
    found = [event for event in told(battle, rule) if (event["unit"], event["target"]) == (unit.row, target.row)]
    return [(event["amount"], event["needed"]) for event in found]


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.rule("wap.terrain.obstacle.defended.penalty")
def test_who_charges_across_hits_worse_in_that_turn_alone(player: int) -> None:
    battle, unit, target = charged_across(player=player)
    script(battle, [1] * 40)
    fight(battle, unit)
    assert needed(battle, unit, target) == [(10, 5)]
    assert needed(battle, target, unit) == [(10, 4)]
    fight_again(battle, unit, [1] * 40)
    assert needed(battle, unit, target)[1:] == [(10, 4)]
    assert are_in_contact(battle, unit, target)


@pytest.mark.rule("wap.terrain.obstacle.defended.no-charge-bonus")
@pytest.mark.parametrize(("example", "bonus"), [("wall", 0), ("ghost fence", 0), (None, 1)])
@pytest.mark.parametrize("player", [0, 1])
def test_nothing_is_gained_by_the_charge(player: int, example: str | None, bonus: int) -> None:
    rules = ["Impact Hits (1)", "Devastating Charge"]
    mine = rider("lance", rules=rules)
    battle, unit, target = charged_across(
        example, [6, 6, *[6] * 5 * (example is not None)], player=player, mine=mine, theirs=square(i=3), models=(5, 10)
    )
    line = battle.units.first_line[unit.row]
    blow = blow_of(battle, unit.row, line, target.row)
    plain = characteristic(battle, line, "i")
    assert (blow.strength, blow.attacks) == (3 + 2 * bonus, 1 + bonus)
    script(battle, [1] * 60)
    fight(battle, unit)
    assert len(told(battle, "wap.special.impact-hits.number")) == bonus
    score_combat(battle)
    (as_it_stands,) = (e for e in told(battle, "wap.result.state") if e["unit"] == unit.row)
    assert as_it_stands["charge"] == bonus
    assert (blow.initiative > plain) == bool(bonus)


@pytest.mark.rule("wap.terrain.obstacle.defended.no-charge-bonus")
@pytest.mark.parametrize(("example", "bonus"), [("wall", 0), ("ghost fence", 0), (None, 1)])
@pytest.mark.parametrize("player", [0, 1])
def test_characters_in_the_charging_unit_gain_nothing_either(player: int, example: str | None, bonus: int) -> None:
    """Three Attacks of a hero with a Devastating Charge are four on open ground; at a wall they need a 5, as all do."""
    scene, unit, target = across(example, theirs=square(i=1), player=player, models=(9, 10))
    scene.unit(player, hero(ws=3, a=3, rules=["Devastating Charge"]), models=1, inside=unit)
    other_combats(scene)
    battle = scene.battle("movement", player=player, dice=[6, 6])
    charge(battle, unit, target)
    react(battle, HOLD)
    over(battle)
    if kind(battle) == "select-to-move":
        choose(battle, "done")
    script(battle, [1] * 40)
    fight(battle, unit)
    assert (3 + bonus, 4 + (example == "wall")) in needed(battle, unit, target)


def test_spears_gain_by_being_charged_across_it() -> None:
    """What a weapon gives against a charge is no bonus of the charge."""
    battle, unit, target = charged_across(theirs=square(equipment=["spear (infantry)"]))
    free, foe, other = charged_across(None, theirs=square(equipment=["spear (infantry)"]), gap=9.0)
    blows = [
        blow_of(one, b.row, one.units.first_line[b.row], a.row)
        for one, a, b in ((battle, unit, target), (free, foe, other))
    ]
    assert blows[0] == blows[1]


@pytest.mark.rule("wap.terrain.obstacle.not-defended")
@pytest.mark.parametrize("player", [0, 1])
def test_an_obstacle_that_nobody_touches_only_lies_in_the_way(player: int) -> None:
    battle, unit, target = charged_across(behind=0.5, player=player, gap=7.0)
    assert pose(battle, unit)[1] == pytest.approx(FAR + 0.5)
    assert battle.contacts.across[row_between(battle, unit.row, target.row)] == 0
    script(battle, [1] * 40)
    fight(battle, unit)
    assert needed(battle, unit, target) == [(10, 4)]
    score_combat(battle)
    (as_it_stands,) = (e for e in told(battle, "wap.result.state") if e["unit"] == unit.row)
    assert as_it_stands["charge"] == 1
    (ground,) = features_of(battle)
    assert ground.outline == ((14.0, NEAR), (34.0, NEAR), (34.0, FAR), (14.0, FAR))


def turned(x: float, y: float, long: float, deep: float, degrees: float) -> list[tuple[float, float]]:
    """The corners of a wall about (x, y)."""
    c, s = cos(radians(degrees)), sin(radians(degrees))
    at = ((-0.5 * long, -0.5 * deep), (0.5 * long, -0.5 * deep), (0.5 * long, 0.5 * deep), (-0.5 * long, 0.5 * deep))
    return [(x + c * a - s * b, y + s * a + c * b) for a, b in at]


@pytest.mark.parametrize(
    ("corners", "deep"),
    [
        (turned(24, 21.5, 12, 1, 0), 1.0),
        (turned(24, 21.65, 12, 0.5, 0), 0.6),  # a tenth of an inch away
        (turned(24, 21.2, 12, 1, 0), 0.0),  # more than a quarter of an inch
        (turned(26.4, 21.5, 1, 1, 0), 1.0),  # before the end of the front alone
        (turned(27.0, 21.5, 1, 1, 0), 0.0),  # beside it
        (turned(24, 19, 1, 6, 0), 0.0),  # its end
        (turned(24, 22, 12, 1, 0), 0.0),  # it stands on it
        (turned(24, 20.5, 12, 1, 45), 0.0),  # it runs away
        (turned(24, 21.35, 12, 1, 2), 1.0 + 0.15 + 2.5 * tan(radians(2))),
    ],
)
def test_which_obstacles_a_unit_defends(corners: list[tuple[float, float]], deep: float) -> None:
    """A front of five inches at 22" that looks south; its other sides defend nothing."""
    scene = RegimentScene()
    scene.feature("obstacle", corners, example="wall")
    unit = scene.unit(1, None, (24, 22), models=10, files=5, facing=SOUTH)
    scene.unit(0, None, (4, 4), models=5)
    battle = scene.battle("movement", run=False)
    found = wall_before(battle, unit.row, FRONT)
    assert (found.feature > 0) is (deep > 0.0)
    assert found.deep == pytest.approx(deep, abs=0.01)
    assert all(wall_before(battle, unit.row, side).feature == 0 for side in (RIGHT, REAR, LEFT))
    battle.units.fleeing[unit.row] = 1
    assert wall_before(battle, unit.row, FRONT).feature == 0


def test_the_flank_is_defended_too() -> None:
    """A wall along the flank holds those who charge it there."""
    scene = RegimentScene()
    scene.area("obstacle", 26.5, 18, 27.5, 26, example="wall")
    target = scene.unit(1, None, (24, 22), models=20, files=5, facing=SOUTH)
    unit = scene.unit(0, None, (34, 24), models=10, files=5, facing=WEST)
    other_combats(scene)
    battle = scene.battle("movement", dice=[6, 6])
    charge(battle, unit, target)
    react(battle, HOLD)
    over(battle)
    if kind(battle) == "select-to-move":
        choose(battle, "done")
    assert pose(battle, unit)[0] == pytest.approx(27.5)
    assert side_towards(battle, target.row, unit.row) == LEFT


def test_losses_do_not_draw_anybody_across() -> None:
    """Both stay where they are, and fight on; whoever is left alone is free."""
    battle, unit, target = charged_across(models=(10, 6), files=(5, 5))
    suffer(battle, target.row, 4)
    assert are_in_contact(battle, unit, target)
    assert pose(battle, unit)[:2] == pytest.approx((24.0, NEAR))
    assert battle.units.y[target.row] == FAR
    suffer(battle, target.row, 2)
    assert foes_of(battle, unit.row) == []
    assert battle.contacts.apart[0] == 0.0 or battle.contacts.a[0] >= 0


def test_units_on_both_sides_of_an_obstacle_do_not_fight_unless_one_charges() -> None:
    scene, unit, target = across(gap=0.0)
    battle = scene.battle("movement")
    assert not are_in_contact(battle, unit, target)
    assert gap_to(battle, unit.row, target.row) == pytest.approx(0.0)
