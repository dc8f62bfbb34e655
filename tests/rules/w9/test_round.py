"""Battle rounds, turns, phases and the end of the battle (w9.round.*)."""

from __future__ import annotations

import pytest
from ninth import NinthScene

from wh_env.testing import dice_left, pick, ranged, sheet, told, words


def quiet(**options):
    """Two lone models that never get near each other."""
    scene = NinthScene()
    scene.unit(0, sheet("A"), at=(5, 5))
    scene.unit(1, sheet("B"), at=(55, 40))
    return scene.battle(**options)


def idle(battle, until=lambda battle: False):
    """Play on to the end of the battle; nobody moves."""
    while not battle.over and not until(battle):
        known = words(battle)
        stay = [action for action, text in known.items() if "Remain Stationary" in text]
        battle.apply(stay[0] if stay else battle.first_legal())


def turns(battle):
    return [(event["round"], event["player"]) for event in told(battle, "w9.round.structure")]


@pytest.mark.rule("w9.round.structure")
@pytest.mark.parametrize("first", [0, 1])
def test_each_player_has_one_turn_in_each_battle_round(first):
    battle = quiet(phase="mission", rules={"first_player": first})
    idle(battle)
    assert turns(battle) == [(number, player) for number in range(1, 6) for player in (first, 1 - first)]
    assert battle.result.rounds == 5


@pytest.mark.rule("w9.round.structure")
def test_the_next_round_begins_when_both_have_had_their_turn():
    """B's turn of round 1 ends: round 2, A's turn. A's turn ends: still round 1."""
    battle = quiet(phase="morale", active=1, first_player=0)
    assert (battle.clock.round[0], battle.clock.turn[0]) == (2, 0)
    battle = quiet(phase="morale", active=0, first_player=0)
    assert (battle.clock.round[0], battle.clock.turn[0]) == (1, 1)


@pytest.mark.rule("w9.round.first-player")
@pytest.mark.parametrize(("dice", "first"), [([2, 5], 1), ([5, 2], 0), ([3, 3, 1, 6], 1)])
def test_who_has_the_first_turn_has_it_in_every_round(dice, first):
    battle = quiet(phase="mission", dice=dice)
    idle(battle)
    assert [player for _, player in turns(battle)] == [first, 1 - first] * 5
    assert dice_left(battle) == 0


@pytest.mark.rule("w9.round.battle-end")
@pytest.mark.parametrize(("active", "over"), [(1, True), (0, False)])
def test_the_battle_ends_with_the_second_turn_of_round_5(active, over):
    """No Command phase follows; after the first turn of that round one does."""
    battle = quiet(phase="morale", active=active, round=5, first_player=0)
    assert bool(battle.over) is over
    following = [event["phase"] for event in told(battle, "w9.round.phases")][1:]
    assert following[:1] == ([] if over else ["Command"])


@pytest.mark.rule("w9.round.battle-end", "w9.mission.only-war.end")
@pytest.mark.parametrize("player", [0, 1])
def test_the_battle_ends_at_once_when_an_army_is_destroyed(player):
    """In the Shooting phase of round 3, although others could still shoot; with one more enemy unit it goes on."""
    for last in (True, False):
        scene = NinthScene()
        gun = {"gun": ranged(24, BS=2, S=8, AP=-6)}
        scene.unit(player, sheet("Guns", weapons=gun), at=(30, 20))
        scene.unit(player, sheet("More", weapons=gun), at=(34, 20))
        scene.unit(1 - player, sheet("Target", Sv=6), at=(30, 28))
        if not last:
            scene.unit(1 - player, sheet("Other"), at=(34, 28))
        battle = scene.battle("shooting", active=player, round=3, dice=[2, 2, 1])
        pick(battle, "Guns")
        if not last:
            pick(battle, "Target")
        assert bool(battle.over) is last
        if last:
            assert battle.result.rounds == 3
            assert battle.result.winner == player
