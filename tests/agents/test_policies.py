"""Policies: they are legal, repeatable, and the greedy one is better than chance."""

from __future__ import annotations

import numpy as np
import pytest

from agents.match import play_battle
from agents.policies import Policy, RandomPolicy, UnknownPolicy, make
from wh_env import Battle

SKIRMISH = "w10/only-war-skirmish"


class FirstPolicy:
    """Takes the first legal action."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def act(self, battle, mask) -> int:
        return int(mask.argmax())

    def reset(self, seed: int) -> None:
        self.seed = seed


def test_greedy_beats_random():
    setup = Battle.load(SKIRMISH, 0).setup
    points = 0.0
    for seed in range(20):
        seat = seed % 2
        policies = [make("random", seed), make("random", seed)]
        policies[seat] = make("greedy", seed)
        result = play_battle(Battle(setup, seed), policies).result
        assert result is not None
        points += 0.5 if result.winner is None else float(result.winner == seat)
    assert points >= 12


@pytest.mark.parametrize("detail", ["squad", "full"])
def test_greedy_plays_every_decision(detail):
    battle = Battle.load(SKIRMISH, 3, detail=detail, rules={"formations": "choose", "markers": "players"})
    assert play_battle(battle, [make("greedy"), make("greedy")], max_decisions=4000).actions
    assert battle.over


def test_greedy_leaves_the_battle_as_it_is():
    battle = Battle.load(SKIRMISH, 4)
    policy = make("greedy")
    while not battle.over:
        mask = battle.legal()
        before = battle.state_bytes()
        action = policy.act(battle, mask)
        assert battle.state_bytes() == before
        assert mask[action]
        battle.apply(action)


def test_random_is_uniform_and_repeatable():
    battle = Battle.load(SKIRMISH, 0)
    mask = np.zeros(battle.setup.space.size, np.bool_)
    mask[[3, 50, 400]] = True
    policy = RandomPolicy(7)
    drawn = [policy.act(battle, mask) for _ in range(6000)]
    assert set(drawn) == {3, 50, 400}
    assert all(1850 < drawn.count(action) < 2150 for action in (3, 50, 400))
    policy.reset(7)
    assert [policy.act(battle, mask) for _ in range(6000)] == drawn


def test_policies_by_name():
    assert isinstance(make("random", 3), RandomPolicy)
    own = make(f"{__name__}:FirstPolicy", 5) if "." in __name__ else FirstPolicy(5)
    assert isinstance(own, Policy)
    with pytest.raises(UnknownPolicy, match="expected one of greedy, random, or module:Class"):
        make("clever")
    with pytest.raises(UnknownPolicy, match="cannot be imported"):
        make("agents.policies:NoSuchThing")
    with pytest.raises(UnknownPolicy, match="is no policy"):
        make("collections:Counter")


def test_a_match_can_be_stopped():
    battle = Battle.load(SKIRMISH, 0)
    calls = iter(range(100))
    played = play_battle(battle, [make("random"), make("random")], stop=lambda: next(calls) >= 10)
    assert len(played.actions) == 10
    assert played.result is None
