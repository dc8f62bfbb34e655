"""Monte-Carlo tree search: legal, repeatable, and it finds what wins."""

from __future__ import annotations

import pytest

from agents.policies import make
from agents.policies.search import Node
from wh_env import Battle
from wh_env.testing import Scene, melee, sheet

SKIRMISH = "w10/only-war-skirmish"
QUICK = "search,simulations=4,prior=greedy,turns=1"
CLUBS = sheet("Clubs", W=2, weapons={"club": melee(A=2, WS=4, S=4)})


def test_plays_both_seats_legally():
    battle = Battle.load(SKIRMISH, 6)
    policies = [make(QUICK, 1), make(QUICK, 2)]
    for _ in range(40):
        mask, before = battle.legal().copy(), battle.state_bytes()
        action = policies[battle.clock.player[0]].act(battle, mask)
        assert mask[action]
        assert battle.state_bytes() == before
        battle.apply(action)


def test_same_seed_same_search():
    battle = Battle.load(SKIRMISH, 7)
    guide = make("greedy")
    for _ in range(60):
        battle.apply(guide.act(battle, battle.legal()))
    other = battle.clone(31337)  # other dice to come, which it must not see
    policy = make(QUICK, 5)
    action = policy.act(battle, battle.legal())
    policy.reset(5)
    assert policy.act(other, other.legal()) == action


def test_finds_the_move_that_wins():
    """Level on points and one turn left: standing on the free marker wins, anything else is a draw."""
    scene = Scene()
    scene.unit(0, CLUBS, at=[(20, 20), (21.5, 20)])
    scene.unit(1, CLUBS, at=[(50, 40), (51.5, 40)])
    scene.marker(28, 20)
    battle = scene.battle("movement", round=4, active=0, first_player=1, vp=(3, 3))
    # with no help: the prior is the first legal action, the walks are played at random
    policy = make(f"search,simulations=150,turns=3,rollout=random,prior={__name__}:First", 1)
    while battle.clock.phase[0] == 2 and battle.clock.turn[0] == 0:
        battle.apply(policy.act(battle, battle.legal()))
    assert battle.marker_distance(0, 0) <= 3.0


class First:
    """Takes the first legal action."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def act(self, battle, mask) -> int:
        return int(mask.argmax())

    def reset(self, seed: int) -> None:
        self.seed = seed


def test_a_node_follows_what_is_best_for_the_player_and_legal():
    node = Node()
    for action, total in ((1, -3.0), (2, 3.0), (3, 2.0)):
        node.open(action, 1 / 3)
        node.visits[-1], node.totals[-1] = 4, total
    everything = [True] * 4
    assert node.actions[node.choose(everything, 1.0)] == 2
    assert node.actions[node.choose(everything, -1.0)] == 1
    assert node.actions[node.choose([True, True, False, True], 1.0)] == 3
    assert node.choose([True, False, False, False], 1.0) == -1


def test_walks_are_counted_and_time_is_a_budget():
    battle = Battle.load(SKIRMISH, 8)
    guide = make("greedy")
    while battle.setup.ruleset.kinds[battle.clock.kind[0]].name != "move-to":
        battle.apply(guide.act(battle, battle.legal()))
    policy = make("search,simulations=20,prior=greedy,turns=1", 1)
    policy.act(battle, battle.legal())
    root = policy.search(battle, battle.legal(), guide.act(battle, battle.legal()))
    assert sum(root.visits) == 20
    assert len(root.actions) < battle.legal().sum()  # widening is progressive
    hasty = make("search,seconds=0.001,prior=greedy", 1)
    assert battle.legal()[hasty.act(battle, battle.legal())]


@pytest.mark.parametrize("option", ["simulations=0", "turns=0", "depth=0", "seconds=-1"])
def test_options_are_checked(option):
    with pytest.raises(ValueError, match=f"search: {option}; expected"):
        make(f"search,{option}")
