"""Dice, D3, X+ and roll-offs (w10.concepts.dice.*, w10.concepts.roll-off.*)."""

from __future__ import annotations

import pytest

from wh_env.testing import Scene, dice_left, pick, play_until, ranged, sheet, told


def shooting(weapon, dice, *, detail="squad", rules=None, **target):
    """One model with ``weapon`` shoots a unit 10" away; the battle after its attacks."""
    scene = Scene()
    scene.unit(0, sheet("Guns", weapons={"gun": weapon}), at=(10, 10))
    scene.unit(1, sheet("Target", **target), at=[(10, 20), (12, 20), (14, 20), (16, 20), (18, 20), (20, 20)])
    battle = scene.battle("shooting", dice=dice, detail=detail, rules=rules)
    pick(battle, "Guns")
    return battle


@pytest.mark.rule("w10.concepts.dice.d6")
def test_2d6_are_added_up():
    scene = Scene()
    scene.unit(0, sheet("Chargers"), at=(10, 10))
    scene.unit(1, sheet("Target"), at=(10, 20))
    battle = scene.battle("charge", dice=[3, 5])
    pick(battle, "Chargers")
    play_until(battle, "select-to-fight")
    (roll,) = told(battle, "w10.charge.roll")
    assert roll["roll"] == 8
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.concepts.dice.d6")
@pytest.mark.parametrize(
    ("amount", "dice", "attacks"), [("3D6", [1, 1, 6], 8), ("2D6", [3, 5], 8), ("D6", [4], 4), ("2D6+2", [1, 1], 4)]
)
def test_so_many_d6_are_added_up(amount, dice, attacks):
    battle = shooting(ranged(24, A=amount, S=3), [*dice, *[1] * attacks])
    (roll,) = told(battle, "w10.shoot.attacks.number")
    assert roll["result"] == attacks
    assert len(told(battle, "w10.attack.hit.roll")) == attacks
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.concepts.dice.d3")
@pytest.mark.parametrize(("die", "attacks"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3)])
def test_a_d3_is_a_d6_halved_rounding_up(die, attacks):
    battle = shooting(ranged(24, A="D3"), [die, *[1] * attacks])
    (roll,) = told(battle, "w10.shoot.attacks.number")
    assert roll["result"] == attacks
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.concepts.dice.d3")
def test_several_d3_are_halved_one_by_one():
    # 1 and 1 are 1 each: 2, where half of their sum would be 1
    battle = shooting(ranged(24, A="2D3"), [1, 1, 1, 1])
    assert told(battle, "w10.shoot.attacks.number")[0]["result"] == 2
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.concepts.dice.notation")
def test_3_plus_succeeds_on_3_4_5_and_6():
    battle = shooting(ranged(24, A=6, BS=3), [1, 2, 3, 4, 5, 6, *[1] * 4])
    hits = {roll["die"]: roll["result"] > 0 for roll in told(battle, "w10.attack.hit.roll")}
    assert hits == {1: False, 2: False, 3: True, 4: True, 5: True, 6: True}
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.concepts.dice.notation")
@pytest.mark.parametrize(("die", "lost"), [(1, True), (2, True), (3, False), (6, False)])
def test_1_to_2_matches_1_and_2_only(die, lost):
    """A Desperate Escape test is failed on 1-2; a Battle-shocked model that Falls Back takes one."""
    scene = Scene()
    unit = scene.unit(0, sheet("Runner"), at=(30, 20), shocked=1)
    other = scene.unit(0, sheet("Bystander"), at=(50, 5))
    scene.unit(1, sheet("Foe"), at=(30, 21.5))
    battle = scene.battle("movement", dice=[die])
    pick(battle, "Runner")
    pick(battle, "Fall Back")
    play_until(battle, "select-to-shoot")
    assert battle.units.alive[unit] == (0 if lost else 1)
    assert battle.units.alive[other] == 1
    assert dice_left(battle) == 0


def mission(dice, **options):
    scene = Scene()
    scene.unit(0, sheet("A one"), at=(10, 5))
    scene.unit(1, sheet("B one"), at=(10, 40))
    return scene.battle("mission", attacker=None, dice=dice, **options)


@pytest.mark.rule("w10.concepts.roll-off")
def test_the_higher_die_wins_and_a_tie_is_rolled_again():
    """The winner of this roll-off is the Attacker and deploys first."""
    battle = mission([4, 4, 2, 5])
    assert [roll["rolls"] for roll in told(battle, "w10.mission.attacker-defender")] == [(4, 4), (2, 5)]
    assert battle.decision.player == 1
    assert battle.clock.attacker[0] == 1
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.concepts.roll-off")
@pytest.mark.parametrize(("dice", "winner"), [([5, 2], 0), ([1, 2], 1), ([6, 6, 1, 1, 6, 1], 0)])
def test_each_player_rolls_one_d6(dice, winner):
    battle = mission(dice)
    assert battle.clock.attacker[0] == winner
    assert dice_left(battle) == 0


EVERY_REROLL = [
    {"player": player, "roll": roll}
    for player in (0, 1)
    for roll in ("charge", "advance", "battle-shock", "attacks", "hit", "wound", "damage", "hazardous", "save")
]


@pytest.mark.rule("w10.concepts.roll-off.no-changes")
def test_a_lost_roll_off_is_not_offered_for_re_rolling():
    """Player 0 loses 2 to 5, with a Command point and with every re-roll there is: the next decision is the deployment."""
    battle = mission([2, 5], detail="full", cp=(1, 0), rules={"rerolls": EVERY_REROLL})
    assert battle.decision.kind == "place-model"
    assert battle.decision.player == 1
    assert battle.clock.attacker[0] == 1
    assert battle.players.cp[0] == 1
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.concepts.roll-off.no-changes")
def test_modifiers_do_not_touch_a_roll_off():
    scene = Scene()
    scene.unit(0, sheet("A one"), at=(10, 5))
    scene.unit(1, sheet("B one"), at=(10, 40))
    rows = [{"effect": effect, "keyword": "INFANTRY", "player": 0} for effect in ("+1 to hit", "+1 to wound")]
    battle = scene.battle("mission", attacker=None, dice=[4, 5], rules={"modifiers": rows})
    assert told(battle, "w10.mission.attacker-defender") == [{"rolls": (4, 5)}]
    assert battle.clock.attacker[0] == 1
