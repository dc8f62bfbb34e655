"""Rules due at the same moment, and cases left open (w10.concepts.sequencing.*, w10.concepts.disputes)."""

from __future__ import annotations

import pytest

from wh_env.rulesets.w40k.sequence.sequencing import TimedRule
from wh_env.testing import Scene, dice_left, pick, sheet, told, words

BY_TURN, BY_ROLL_OFF = "w10.concepts.sequencing.in-battle", "w10.concepts.sequencing.outside-turns"


def position():
    """A unit of player 0 whose only model has 1 of 2 wounds left, and a bystander on each side."""
    scene = Scene()
    unit = scene.unit(0, sheet("Hurt", W=2), at=(10, 10), wounds=[1])
    scene.unit(0, sheet("Friend"), at=(20, 5))
    scene.unit(1, sheet("Foe"), at=(50, 40))
    return scene, unit


def names(battle, rule):
    return [event["name"] for event in told(battle, rule)]


# ---------------------------------------------------------------- during the battle


@pytest.mark.rule("w10.concepts.sequencing.in-battle")
@pytest.mark.parametrize("active", [0, 1])
@pytest.mark.parametrize(("first", "alive", "wounds"), [("P", 0, 0), ("Q", 1, 1)])
def test_the_turn_player_orders_rules_of_both_players(active, first, alive, wounds):
    """P deals a mortal wound, Q heals one: with P first the unit is destroyed, with Q first it lives with 1 wound."""
    scene, unit = position()
    scene.rule(TimedRule("P", "charge", 0, "mortal", unit.row, 1, own_turn_only=False))
    scene.rule(TimedRule("Q", "charge", 1, "heal", unit.row, 1, own_turn_only=False))
    battle = scene.battle("charge", active=active, detail="full", round=2)
    assert battle.decision.kind == "due-order"
    assert battle.decision.player == active
    assert sorted(words(battle).values()) == ["P", "Q"]
    pick(battle, first)
    assert battle.units.alive[unit] == alive
    assert battle.models.wounds[0] == wounds
    # a rule on a unit that is no more is not resolved
    assert names(battle, BY_TURN) == (["P"] if first == "P" else ["Q", "P"])
    assert told(battle, BY_ROLL_OFF) == []


@pytest.mark.rule("w10.concepts.sequencing.in-battle")
def test_a_rule_of_the_own_turn_waits_for_it():
    """Only what falls due now is ordered: a rule "in your Charge phase" of the other player does not."""
    scene, unit = position()
    scene.rule(TimedRule("P", "charge", 0, "mortal", unit.row, 1))
    scene.rule(TimedRule("Q", "charge", 1, "heal", unit.row, 1))
    battle = scene.battle("charge", active=0, detail="full")
    assert names(battle, BY_TURN) == ["P"]
    assert battle.units.alive[unit] == 0


@pytest.mark.rule("w10.concepts.sequencing.in-battle")
def test_three_rules_are_ordered_one_after_the_other():
    scene, unit = position()
    for name in ("P", "Q", "R"):
        scene.rule(TimedRule(name, "command", 0, "heal", unit.row, 1))
    battle = scene.battle("command", detail="full")
    pick(battle, "R", kind="due-order")
    assert sorted(words(battle).values()) == ["P", "Q"]
    pick(battle, "Q", kind="due-order")
    assert names(battle, BY_TURN) == ["R", "Q", "P"]


# ---------------------------------------------------------------- outside turns


def outside(when, rolls, *, phase="end", active=1, round=1, first_player=0, **options):
    """Two rules on the hurt unit due at a moment outside any turn; the dice are those of the roll-off."""
    scene, unit = position()
    scene.rule(TimedRule("P", when, 0, "mortal", unit.row, 1))
    scene.rule(TimedRule("Q", when, 1, "heal", unit.row, 1))
    battle = scene.battle(
        phase, active=active, round=round, first_player=first_player, detail="full", dice=rolls, **options
    )
    return battle, unit


@pytest.mark.rule("w10.concepts.sequencing.outside-turns")
@pytest.mark.parametrize(("rolls", "winner"), [([3, 6], 1), ([6, 3], 0), ([2, 2, 1, 5], 1)])
def test_at_the_start_of_a_round_the_winner_of_a_roll_off_orders(rolls, winner):
    """A has the first turn of battle round 2; the roll-off decides all the same."""
    battle, unit = outside("round-start", rolls)
    assert battle.clock.round[0] == 2
    assert battle.clock.first_player[0] == 0
    assert battle.decision.kind == "due-order"
    assert battle.decision.player == winner
    assert dice_left(battle) == 0
    assert told(battle, "w10.command.gain-cp") == []  # before the first turn of the round
    pick(battle, "Q")
    assert battle.models.wounds[unit] == 1
    assert [event["name"] for event in told(battle, BY_ROLL_OFF) if "name" in event] == ["Q", "P"]


@pytest.mark.rule("w10.concepts.sequencing.outside-turns")
def test_at_the_end_of_a_round_the_winner_of_a_roll_off_orders():
    """B's turn of round 1 is over, round 2 has not begun: B wins 3 to 6 and lets the mortal wound come first."""
    battle, unit = outside("round-end", [3, 6])
    assert battle.clock.round[0] == 1
    assert battle.decision.kind == "due-order"
    assert battle.decision.player == 1
    pick(battle, "P")
    assert battle.units.alive[unit] == 0
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.concepts.sequencing.outside-turns")
def test_nothing_is_due_between_the_two_turns_of_a_round():
    """After A's turn the round is not over."""
    battle, _ = outside("round-end", [3, 6], active=0)
    assert battle.decision is not None
    assert battle.decision.kind != "due-order"
    assert (battle.clock.turn[0], battle.clock.round[0]) == (1, 1)
    assert dice_left(battle) == 2


@pytest.mark.rule("w10.concepts.sequencing.outside-turns")
def test_after_the_battle_the_winner_of_a_roll_off_orders():
    battle, unit = outside("after-battle", [5, 1], round=5)
    assert not battle.over
    assert battle.decision.player == 0
    pick(battle, "Q")
    assert battle.over
    assert battle.models.wounds[unit] == 1
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.concepts.sequencing.outside-turns")
def test_a_single_rule_needs_no_roll_off():
    scene, unit = position()
    scene.rule(TimedRule("Q", "round-start", 1, "heal", unit.row, 1))
    battle = scene.battle("end", active=1, round=1, detail="full", dice=[3, 6])
    assert battle.models.wounds[unit] == 2
    assert dice_left(battle) == 2


@pytest.mark.rule("w10.concepts.sequencing.outside-turns")
def test_a_rule_for_one_round_is_due_in_that_round_only():
    scene, unit = position()
    scene.rule(TimedRule("Q", "round-start", 1, "heal", unit.row, 1, round=3))
    battle = scene.battle("end", active=1, round=1, detail="full")
    assert battle.models.wounds[unit] == 1
    later, _ = position()
    later.rule(TimedRule("Q", "round-start", 1, "heal", unit.row, 1, round=3))
    assert later.battle("end", active=1, round=2, detail="full").models.wounds[unit] == 2


# ---------------------------------------------------------------- disputes

CASE = {
    "name": "who was wounded",
    "outcomes": [
        {"name": "X", "effect": "mortal", "unit": 0, "amount": 1},
        {"name": "Y", "effect": "heal", "unit": 0, "amount": 1},
    ],
}


def dispute(dice, case=CASE):
    """A rule of A's Command phase whose outcome is left open."""
    scene, unit = position()
    scene.rule(TimedRule("Open", "command", 0, "dispute", -1, 0))
    battle = scene.battle("command", detail="full", dice=dice, rules={"disputes": [case]})
    return battle, unit


@pytest.mark.rule("w10.concepts.disputes")
@pytest.mark.parametrize(("dice", "winner"), [([5, 3], 0), ([2, 2, 1, 6], 1)])
@pytest.mark.parametrize(("outcome", "wounds"), [("X", 0), ("Y", 2)])
def test_the_winner_of_the_roll_off_settles_an_open_case(dice, winner, outcome, wounds):
    battle, unit = dispute(dice)
    assert battle.decision.kind == "resolution"
    assert battle.decision.player == winner
    assert sorted(words(battle).values()) == ["X", "Y"]
    assert battle.models.wounds[unit] == 1
    pick(battle, outcome)
    assert battle.models.wounds[unit] == wounds
    assert told(battle, "w10.concepts.disputes")[-1] == {
        "case": "who was wounded", "outcome": outcome, "winner": winner,
    }  # fmt: skip
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.concepts.disputes")
def test_a_tie_is_rolled_again():
    battle, _ = dispute([2, 2, 1, 6])
    assert [event["rolls"] for event in told(battle, "w10.concepts.disputes")] == [(2, 2), (1, 6)]


@pytest.mark.rule("w10.concepts.disputes")
def test_at_squad_detail_the_winner_is_asked_too():
    scene, _ = position()
    scene.rule(TimedRule("Open", "command", 0, "dispute", -1, 0))
    battle = scene.battle("command", dice=[1, 4], rules={"disputes": [CASE]})
    assert battle.decision.kind == "resolution"
    assert battle.decision.player == 1


@pytest.mark.rule("w10.concepts.disputes")
def test_none_in_normal_play():
    """Nothing of the rules as they stand opens a case."""
    scene, _ = position()
    battle = scene.battle("command", detail="squad", round=5, active=1)
    while not battle.over:
        assert battle.decision.kind != "resolution"
        battle.apply(battle.first_legal())
    assert told(battle, "w10.concepts.disputes") == []
