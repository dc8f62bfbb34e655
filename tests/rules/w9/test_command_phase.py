"""Command phase and Command points (w9.command.*)."""

from __future__ import annotations

import pytest
from ninth import NinthScene

from wh_env.rulesets.w40k.sequence.sequencing import TimedRule
from wh_env.testing import kind, sheet, told, words


def position(*, marker=False, hurt=False):
    """A unit of either player, far from each other; two markers beside that of player 0 if wanted."""
    scene = NinthScene()
    mine = scene.unit(0, sheet("Mine", W=2), at=[(10, 10), (12, 10)], wounds=[1, 2] if hurt else None)
    scene.unit(1, sheet("Theirs", W=2), at=[(50, 40), (52, 40)])
    if marker:
        scene.marker(10, 13)
        scene.marker(12, 7)
    return scene, mine


def until_turn(battle, player, battle_round):
    """Play until the Movement phase of that turn; nobody moves."""
    while (battle.clock.round[0], battle.clock.turn[0]) != (battle_round, player):
        stay = [action for action, text in words(battle).items() if "Stationary" in text]
        battle.apply(stay[0] if stay else battle.first_legal())


# ---------------------------------------------------------------- the bonus


@pytest.mark.rule("w9.command.cp-bonus")
@pytest.mark.parametrize(("active", "cp"), [(0, (5, 6)), (1, (4, 7))])
def test_only_the_active_player_gains_the_bonus(active, cp):
    scene, _ = position()
    battle = scene.battle("command", active=active, cp=(4, 6))
    assert tuple(battle.players.cp) == cp
    assert told(battle, "w9.command.cp-bonus") == [{"player": active, "cp": cp[active]}]


@pytest.mark.rule("w9.command.cp-bonus")
@pytest.mark.parametrize("active", [0, 1])
def test_an_army_that_is_not_battle_forged_gains_none(active):
    scene, _ = position()
    forged = [True, True]
    forged[active] = False
    battle = scene.battle("command", active=active, cp=(4, 4), rules={"battle_forged": tuple(forged)})
    assert tuple(battle.players.cp) == (4, 4)
    assert told(battle, "w9.command.cp-bonus") == []
    until_turn(battle, 1 - active, 1 if active == 0 else 2)
    assert battle.players.cp[1 - active] == 5


@pytest.mark.rule("w9.command.cp-bonus")
def test_it_comes_before_anything_else_in_every_own_command_phase():
    scene, mine = position(hurt=True)
    scene.rule(TimedRule("Mend", "command", 0, "heal", mine.row, 1))
    battle = scene.battle("command", cp=(4, 6))
    until_turn(battle, 0, 3)
    assert tuple(battle.players.cp) == (7, 8)
    starts = [k for k, e in enumerate(battle.events) if e.kind == "phase" and e.data["phase"] == "Command"]
    assert len(starts) == 5
    assert all(battle.events[k + 1].rule == "w9.command.cp-bonus" for k in starts)


# ---------------------------------------------------------------- what follows


@pytest.mark.rule("w9.command.rules")
def test_the_bonus_then_the_abilities_then_the_score():
    """A has 3 CP, an ability and two markers: 4 CP, the ability, 2 VP, and then the Movement phase."""
    scene, mine = position(marker=True, hurt=True)
    scene.rule(TimedRule("Mend", "command", 0, "heal", mine.row, 1))
    battle = scene.battle("command", cp=(3, 0), round=2)
    assert battle.players.cp[0] == 4
    assert battle.players.vp[0] == 2
    order = [(event.rule, event.kind) for event in battle.events]
    wanted = [
        ("w9.command.cp-bonus", "Battle-forged bonus"),
        ("w9.concepts.sequencing.turn", "timed rule"),
        ("w9.mission.only-war.primary", "victory points"),
        ("w9.round.phases", "phase"),
    ]
    assert [entry for entry in order if entry in wanted][1:] == wanted
    assert [event.data["phase"] for event in battle.events if event.kind == "phase"] == ["Command", "Movement"]


@pytest.mark.rule("w9.command.rules")
@pytest.mark.parametrize("active", [0, 1])
def test_the_active_player_orders_its_abilities(active):
    scene, _ = position()
    for name in ("first", "second"):
        scene.rule(TimedRule(name, "command", active, "none", -1, 0))
    battle = scene.battle("command", active=active, detail="full")
    assert (kind(battle), battle.decision.player) == ("due-order", active)
    assert sorted(words(battle).values()) == ["first", "second"]
    assert battle.players.cp[active] == 1  # the bonus was gained before


@pytest.mark.rule("w9.command.rules")
def test_an_ability_of_the_own_command_phase_waits_for_it():
    scene, _ = position()
    scene.rule(TimedRule("theirs", "command", 1, "none", -1, 0))
    battle = scene.battle("command", active=0)
    assert told(battle, "w9.concepts.sequencing.turn") == []
    until_turn(battle, 1, 1)
    assert [event["name"] for event in told(battle, "w9.concepts.sequencing.turn")] == ["theirs"]


# ---------------------------------------------------------------- Command points


@pytest.mark.rule("w9.command.cp-gain-limit")
@pytest.mark.parametrize("player", [0, 1])
def test_of_two_refunds_in_a_battle_round_the_second_is_lost(player):
    """1 by the bonus and 1 by the first ability; in the next round an ability counts again."""
    scene, _ = position()
    scene.rule(TimedRule("one", "command", player, "cp", -1, 1))
    scene.rule(TimedRule("two", "charge", player, "cp", -1, 1))
    battle = scene.battle("command", active=player, first_player=player, round=2)
    assert battle.players.cp[player] == 2
    until_turn(battle, 1 - player, 2)
    assert battle.players.cp[player] == 2
    assert [e["gained"] for e in told(battle, "w9.command.cp-gain-limit")] == [1, 0]
    until_turn(battle, player, 3)
    assert battle.players.cp[player] == 4
    assert battle.players.cp[1 - player] == 1  # the limit is one for each player


@pytest.mark.rule("w9.command.cp-gain-limit")
def test_what_a_mission_grants_at_the_start_of_a_command_phase_does_not_count():
    """Three CP a Command phase, and one by an ability."""
    scene, _ = position()
    scene.rule(TimedRule("one", "command", 0, "cp", -1, 2))
    battle = scene.battle("command", rules={"cp_each_command_phase": 3})
    assert battle.players.cp[0] == 4
    assert told(battle, "w9.command.cp-gain-limit") == [{"player": 0, "wanted": 2, "gained": 1}]
