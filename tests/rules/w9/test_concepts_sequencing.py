"""Rules that fall due at the same moment (w9.concepts.sequencing.*)."""

from __future__ import annotations

import pytest
from ninth import NinthScene

from wh_env.rulesets.w40k.sequence.sequencing import TimedRule
from wh_env.testing import dice_left, kind, pick, sheet, told, words

BY_TURN, BY_ROLL_OFF = "w9.concepts.sequencing.turn", "w9.concepts.sequencing.round"


def position():
    """A unit of player 0 whose only model has 1 of 2 wounds left, and a bystander on each side."""
    scene = NinthScene()
    unit = scene.unit(0, sheet("Hurt", W=2), at=(10, 10), wounds=[1])
    scene.unit(0, sheet("Friend"), at=(20, 5))
    scene.unit(1, sheet("Foe"), at=(50, 40))
    return scene, unit


def names(battle, rule):
    return [event["name"] for event in told(battle, rule) if "name" in event]


# ---------------------------------------------------------------- during a turn


@pytest.mark.rule("w9.concepts.sequencing.turn")
@pytest.mark.parametrize("active", [0, 1])
@pytest.mark.parametrize("order", ["PQR", "RQP", "QPR"])
def test_the_player_whose_turn_it_is_orders_the_rules_of_both(active, order):
    """Two rules of the active player and one of the other, due at once: the active player is asked, the other is not."""
    scene, _ = position()
    for name, owner in zip("PQR", (active, active, 1 - active), strict=True):
        scene.rule(TimedRule(name, "command", owner, "none", -1, 0, own_turn_only=False))
    battle = scene.battle("command", active=active, detail="full")
    asked = []
    for name in order[:-1]:
        asked.append((kind(battle), battle.decision.player))
        left = sorted(set("PQR") - set(names(battle, BY_TURN)))
        assert sorted(words(battle).values()) == left
        pick(battle, name)
    assert asked == [("due-order", active)] * 2  # the last one is not asked
    assert names(battle, BY_TURN) == list(order)


@pytest.mark.rule("w9.concepts.sequencing.turn")
@pytest.mark.parametrize(("first", "alive"), [("heal", 1), ("wound", 0)])
def test_the_order_decides_what_comes_of_them(first, alive):
    """Healed before it suffers a mortal wound the model lives; the other way round it is destroyed."""
    scene, unit = position()
    scene.rule(TimedRule("wound", "command", 0, "mortal", unit.row, 1))
    scene.rule(TimedRule("heal", "command", 1, "heal", unit.row, 1, own_turn_only=False))
    battle = scene.battle("command", detail="full")
    pick(battle, first)
    assert battle.units.alive[unit] == alive


# ---------------------------------------------------------------- outside a turn


def outside(when, rolls, *, active=1, round=1, **options):
    """A rule of either player due at a moment outside any turn; the dice are those of the roll-off."""
    scene, unit = position()
    scene.rule(TimedRule("P", when, 0, "mortal", unit.row, 1))
    scene.rule(TimedRule("Q", when, 1, "heal", unit.row, 1))
    return scene.battle("morale", active=active, round=round, detail="full", dice=rolls, **options), unit


@pytest.mark.rule("w9.concepts.sequencing.round")
@pytest.mark.parametrize(("when", "after"), [("round-start", 2), ("round-end", 1)])
@pytest.mark.parametrize(("rolls", "winner"), [([2, 6], 1), ([6, 3], 0), ([2, 2, 1, 5], 1)])
@pytest.mark.parametrize(("first", "alive"), [("P", 0), ("Q", 1)])
def test_the_winner_of_a_roll_off_orders_them(when, after, rolls, winner, first, alive):
    battle, unit = outside(when, rolls)
    assert battle.clock.round[0] == after
    assert (kind(battle), battle.decision.player) == ("due-order", winner)
    assert dice_left(battle) == 0
    pick(battle, first)
    assert battle.units.alive[unit] == alive
    assert names(battle, BY_ROLL_OFF)[0] == first


@pytest.mark.rule("w9.concepts.sequencing.round")
def test_at_the_start_of_the_first_battle_round():
    """A rolls 2, B 6: B chooses which of the two is resolved first; then the first turn begins."""
    scene = NinthScene()
    for player in (0, 1):
        scene.unit(player, sheet(f"Unit {player}"))
        scene.rule(TimedRule(f"rule {player}", "round-start", player, "none", -1, 0, round=1))
    battle = scene.battle("mission", dice=[2, 6], rules={"first_player": 0})
    while battle.clock.round[0] == 0:
        battle.apply(battle.first_legal())
    assert [event["rolls"] for event in told(battle, BY_ROLL_OFF) if "rolls" in event] == [(2, 6)]
    assert sorted(names(battle, BY_ROLL_OFF)) == ["rule 0", "rule 1"]


@pytest.mark.rule("w9.concepts.sequencing.round")
def test_after_the_battle_the_winner_of_a_roll_off_orders():
    battle, unit = outside("after-battle", [5, 1], round=5)
    assert not battle.over
    assert battle.decision.player == 0
    pick(battle, "Q")
    assert battle.over
    assert battle.units.alive[unit] == 1


@pytest.mark.rule("w9.concepts.sequencing.round")
def test_one_rule_alone_needs_no_roll_off():
    scene, unit = position()
    scene.rule(TimedRule("Q", "round-start", 1, "heal", unit.row, 1))
    battle = scene.battle("morale", active=1, detail="full", dice=[3, 6])
    assert battle.models.wounds[unit] == 2
    assert dice_left(battle) == 2


@pytest.mark.rule("w9.concepts.sequencing.round")
def test_between_the_two_turns_of_a_round_nothing_of_it_is_due():
    battle, _ = outside("round-end", [3, 6], active=0)
    assert kind(battle) != "due-order"
    assert dice_left(battle) == 2
