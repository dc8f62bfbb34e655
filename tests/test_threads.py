"""Battles of one Setup are played in several threads at once and none notices the others."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from wh_env import Battle

# where rollouts begin: decisions after the start, by battle
STARTS = {
    ("w10/only-war-incursion", "squad"): 60,
    ("w10/only-war-skirmish", "full"): 100,
    ("w9/random-patrol?seed=3", "squad"): 60,
    ("w9/only-war-patrol", "full"): 100,
    ("w8/random-skirmish?seed=3", "squad"): 60,
    ("w8/only-war-skirmish", "full"): 100,
    ("epic/bridgehead", "squad"): 60,
    ("epic/broken-country", "full"): 100,
}
ROLLOUTS, THREADS = 64, 4


def play(battle: Battle, seed: int, decisions: int) -> Battle:
    """So many random decisions, or to the end."""
    chance = random.Random(seed)
    for _ in range(decisions):
        if battle.over:
            break
        legal = np.flatnonzero(battle.legal())
        battle.apply(int(legal[chance.randrange(len(legal))]))
    return battle


@pytest.mark.parametrize(("name", "detail"), STARTS)
def test_rollouts_in_threads_equal_those_in_one(name, detail):
    start = play(Battle.load(name, 7, detail=detail), 7, STARTS[name, detail])
    length = 80 if detail == "squad" else 40

    def rollout(seed: int) -> bytes:
        return play(start.clone(seed), seed, length).state_bytes()

    alone = [rollout(seed) for seed in range(ROLLOUTS)]
    with ThreadPoolExecutor(THREADS) as threads:
        beside = list(threads.map(rollout, range(ROLLOUTS)))
    assert beside == alone
    assert len(set(alone)) > ROLLOUTS // 2


def test_a_battle_that_moves_from_thread_to_thread_plays_the_same():
    battle = Battle.load("w10/only-war-incursion", 3)
    other = battle.clone()
    play(other, 3, 60)
    with ThreadPoolExecutor(THREADS) as threads:
        chance = random.Random(3)

        def step() -> None:
            legal = np.flatnonzero(battle.legal())
            battle.apply(int(legal[chance.randrange(len(legal))]))

        for _ in range(60):
            threads.submit(step).result()
    assert battle.state_bytes() == other.state_bytes()


@pytest.mark.parametrize(
    "name", ["w10/only-war-skirmish", "w9/only-war-patrol", "w8/only-war-skirmish", "epic/bridgehead"]
)
def test_living_battles_share_no_workspace(name):
    battle = Battle.load(name, 1)
    setup = battle.setup
    copies = [battle.clone(seed) for seed in range(4)]
    works = [copy.work for copy in copies]
    assert len({id(work) for work in [battle.work, *works]}) == 5
    assert not setup.idle
    copies.clear()  # what they held serves the next ones
    assert len(setup.idle) == 4
    again = battle.clone()
    assert any(again.work is work for work in works) and len(setup.idle) == 3


def test_a_clone_that_only_waits_holds_no_workspace():
    battle = play(Battle.load("w10/only-war-skirmish", 1), 1, 5)
    assert "work" in vars(battle) and "work" not in vars(battle.clone())
