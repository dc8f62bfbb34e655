"""Command phase: its steps, Command points, other rules before Battle-shock (w10.command.*)."""

import pytest

from wh_env.content.battle import Battle
from wh_env.rulesets.w40k.sequence.sequencing import TimedRule
from wh_env.testing import Scene, dice_left, pick, play_until, sheet, told, words


def rules_told(battle: Battle) -> list[str]:
    """Ids of all events so far, in order."""
    return [event.rule for event in battle.events]


def two_armies(**unit: object) -> tuple[Scene, int]:
    """A scene with a unit of ten of player 0 (some lost) and one far away of player 1."""
    scene = Scene()
    mine = scene.unit(0, sheet("Mine"), at=(10, 10), models=10, **unit)  # type: ignore[arg-type]
    scene.unit(1, sheet("Theirs"), at=(10, 34), models=5)
    return scene, mine.row


def until_turn(battle: Battle, player: int, battle_round: int) -> None:
    """Play by first legal actions until that player's Movement phase begins."""
    for _ in range(500):
        clock = battle.clock
        if (clock.round[0], clock.turn[0], clock.phase[0]) == (battle_round, player, 2):
            return
        battle.apply(battle.first_legal())
    raise LookupError("the turn never came")


@pytest.mark.rule("w10.command.steps")
def test_gain_then_abilities_then_tests_then_the_end():
    """+1 CP for both, the ability, one Battle-shock test of 2D6, and only then the Movement phase."""
    scene, mine = two_armies(lost=range(6))
    scene.rule(TimedRule("Inspire", "command", 0, "heal", mine, 1))
    battle = scene.battle(phase="command", dice=[4, 3])
    assert dice_left(battle) == 0
    told_rules = [
        rule
        for rule in rules_told(battle)
        if rule.startswith(("w10.command", "w10.round.phases", "w10.concepts.sequencing"))
    ]
    assert told_rules == [
        "w10.round.phases",
        "w10.command.gain-cp",
        "w10.concepts.sequencing.in-battle",
        "w10.command.battle-shock.test",
        "w10.round.phases",
    ]
    assert tuple(battle.players.cp) == (1, 1)
    assert told(battle, "w10.command.battle-shock.test")[0]["roll"] == 7
    assert [phase["phase"] for phase in told(battle, "w10.round.phases")] == ["Command", "Movement"]


@pytest.mark.rule("w10.command.gain-cp")
def test_both_players_gain_one_cp_in_each_command_phase_and_keep_it():
    """0 each, then 1, 2 after the second turn, 4 after both Command phases of round 2."""
    scene, _ = two_armies()
    battle = scene.battle(phase="command", cp=(0, 0))
    assert tuple(battle.players.cp) == (1, 1)
    until_turn(battle, 1, 1)
    assert tuple(battle.players.cp) == (2, 2)
    until_turn(battle, 0, 2)
    assert tuple(battle.players.cp) == (3, 3)
    until_turn(battle, 1, 2)
    assert tuple(battle.players.cp) == (4, 4)
    # before anything else: the gain is the first thing told of each Command phase
    starts = [k for k, e in enumerate(battle.events) if e.rule == "w10.round.phases" and e.data["phase"] == "Command"]
    assert len(starts) == 4
    assert all(battle.events[k + 1].rule == "w10.command.gain-cp" for k in starts)


@pytest.mark.rule("w10.command.start-cp")
def test_no_cp_before_the_first_command_phase():
    """0 each while armies are deployed, 1 each once the first Command phase has started."""
    scene = Scene()
    scene.unit(0, sheet("Mine"), models=5)
    scene.unit(1, sheet("Theirs"), models=5)
    battle = scene.battle(phase="mission")
    assert battle.decision is not None
    assert battle.decision.kind == "deploy-to"
    assert tuple(battle.players.cp) == (0, 0)
    play_until(battle, "move-kind")
    assert battle.clock.round[0] == 1
    assert tuple(battle.players.cp) == (1, 1)


@pytest.mark.rule("w10.command.cp-cap")
def test_at_most_one_extra_cp_in_a_battle_round():
    """An ability gives 1 CP in the opponent's turn; another gives 0 in the own turn of that round; next round 1 again."""
    scene, _ = two_armies()
    # owned by player 1, who has the second turn: "every turn" is due in both turns of a round, "own" in the own one
    scene.rule(TimedRule("every turn", "command", 1, "cp", -1, 1, own_turn_only=False))
    scene.rule(TimedRule("own", "charge", 1, "cp", -1, 1))
    battle = scene.battle(phase="command")
    assert told(battle, "w10.command.cp-cap") == [{"player": 1, "wanted": 1, "gained": 1}]
    assert tuple(battle.players.cp) == (1, 2)
    until_turn(battle, 1, 1)  # the opponent's turn gave the one CP of the round
    assert [e["gained"] for e in told(battle, "w10.command.cp-cap")] == [1, 0]
    assert tuple(battle.players.cp) == (2, 3)  # the 2 CP of the two Command phases do not count
    until_turn(battle, 0, 2)
    assert [e["gained"] for e in told(battle, "w10.command.cp-cap")] == [1, 0, 0, 1]
    assert tuple(battle.players.cp) == (3, 5)


@pytest.mark.rule("w10.command.cp-cap")
def test_what_exceeds_the_cap_is_lost():
    """A rule that gives 2 CP gives 1; each player has a cap of their own."""
    scene, _ = two_armies()
    scene.rule(TimedRule("two", "command", 0, "cp", -1, 2))
    scene.rule(TimedRule("theirs", "command", 1, "cp", -1, 1, own_turn_only=False))
    battle = scene.battle(phase="command")
    assert sorted((e["player"], e["gained"]) for e in told(battle, "w10.command.cp-cap")) == [(0, 1), (1, 1)]
    assert tuple(battle.players.cp) == (2, 2)


@pytest.mark.rule("w10.command.other-rules")
def test_a_model_returned_in_the_command_step_spares_the_test():
    """4 of 10 with "return 1 model": 5 when the Battle-shock step comes, no test; without the rule it is taken."""
    scene, mine = two_armies(lost=range(6, 10))
    scene.unit(0, sheet("Other"), at=(40, 10), models=1)
    scene, mine = two_armies(lost=range(4, 10))
    scene.rule(TimedRule("Return", "command", 0, "return", mine, 1))
    battle = scene.battle(phase="command", dice=[1, 1])
    assert battle.units.alive[mine] == 5
    assert told(battle, "w10.command.battle-shock.test") == []
    assert dice_left(battle) == 2
    scene, mine = two_armies(lost=range(4, 10))
    battle = scene.battle(phase="command", dice=[1, 1])
    assert battle.units.alive[mine] == 4
    assert len(told(battle, "w10.command.battle-shock.test")) == 1
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.command.other-rules")
def test_the_turn_player_orders_the_rules_of_the_command_step():
    """Both rules are offered to the turn player, whoever owns them; both are resolved before any test."""
    scene, mine = two_armies(lost=range(6))
    scene.rule(TimedRule("first", "command", 0, "cp", -1, 1))
    scene.rule(TimedRule("second", "command", 1, "cp", -1, 1, own_turn_only=False))
    battle = scene.battle(phase="command", detail="full", dice=[6, 6])
    assert battle.decision is not None
    assert (battle.decision.kind, battle.decision.player) == ("due-order", 0)
    assert sorted(words(battle).values()) == ["first", "second"]
    assert dice_left(battle) == 2
    pick(battle, "second")
    assert [e["player"] for e in told(battle, "w10.command.cp-cap")] == [1, 0]
    assert told(battle, "w10.command.battle-shock.test")[0]["unit"] == mine
    assert dice_left(battle) == 0
