"""Charges against enemies that defend an obstacle: how far they go, where they end, who then fights whom."""

from __future__ import annotations

import pytest

from tests.arming import rider
from tests.walls import FAR, NEAR, across, are_in_contact, charged_across
from wh_env import Battle
from wh_env.rulesets.wap.basics.contacts import foes_of, row_between, side_towards
from wh_env.rulesets.wap.basics.ground import features_of
from wh_env.rulesets.wap.basics.profiles import characteristic
from wh_env.rulesets.wap.charge.reach import gap_to
from wh_env.rulesets.wap.codes import FRONT
from wh_env.rulesets.wap.combat.fighters import groups_of
from wh_env.rulesets.wap.result.scoring import score_combat
from wh_env.rulesets.wap.weapons.blows import blow_of
from wh_env.testing import script, told
from wh_env.testing.wap import UnitHandle, fight, fight_again, pose, square


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
@pytest.mark.parametrize(("example", "bonus"), [("wall", 0), ("ghost-fence", 0), (None, 1)])
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
