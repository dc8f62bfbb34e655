"""How fast battles are played at random, one after the other: through the core API, with observations, through the environments.

Rates are decisions by second of processor time of one core, so that other programs on the machine disturb them little.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import wh_env
from agents.policies import RandomPolicy
from wh_env import Battle
from wh_env.envs.observation import Observer
from wh_env.envs.spaces import fill_mask

WARM_UP = 15  # battles before anything is measured: most kernels are loaded when they are first needed


def battles(name: str) -> Iterator[Battle]:
    """Battles with one dice seed after the other, all of one setup; the first one is not to be measured."""
    setup = Battle.load(name, 0).setup
    seed = 0
    while True:
        yield Battle(setup, seed)
        seed += 1


def rate(name: str, seconds: float, play: Callable[[Battle, RandomPolicy], int]) -> float:
    """Decisions a second of whole battles, for about so long, after some battles to warm up."""
    policy = RandomPolicy(1)
    games = battles(name)
    for _ in range(WARM_UP):
        play(next(games), policy)
    decisions, spent = 0, 0.0
    while spent < seconds:
        battle = next(games)
        began = time.process_time()
        decisions += play(battle, policy)
        spent += time.process_time() - began
    return decisions / spent


def play_core(battle: Battle, policy: RandomPolicy) -> int:
    """A battle through the core API; how many decisions it had."""
    count, over = 0, battle.clock.over
    while not over[0]:
        battle.apply(policy.act(battle, battle.legal()))
        count += 1
    return count


def observing(form: str) -> Callable[[Battle, RandomPolicy], int]:
    """A battle of which the deciding player observes every decision, in one of the forms of observation."""
    observers: dict[int, Observer] = {}

    def play(battle: Battle, policy: RandomPolicy) -> int:
        observer = observers.get(id(battle.setup)) or observers.setdefault(
            id(battle.setup), Observer(battle.setup, form)
        )
        mask = np.zeros(battle.setup.space.size, np.int8)
        count, over, player = 0, battle.clock.over, battle.clock.player
        while not over[0]:
            observer.write(battle, player[0], observer.out)
            fill_mask(battle, player[0], mask)
            battle.apply(policy.act(battle, battle.legal()))
            count += 1
        return count

    return play


def aec_rate(name: str, seconds: float, wrapped: bool = False) -> float:
    """Decisions a second of ``raw_env`` (``wrapped``: ``env``), with ``last`` and a random legal action from the mask."""
    make = wh_env.env if wrapped else wh_env.raw_env
    played = make(ruleset_of(name), battle=name)
    return agents_rate(played, seconds, RandomPolicy(1), WARM_UP)


def agents_rate(played: Any, seconds: float, policy: RandomPolicy, warm_up: int) -> float:
    """Decisions a second of any PettingZoo AEC environment with masks in its observations."""
    decisions, spent, seed = 0, 0.0, 0
    battle: Any = None  # a random policy does not look at it
    while spent < seconds:
        played.reset(seed=seed)
        began, count = time.process_time(), 0
        for _ in played.agent_iter():
            observation, _, terminated, truncated, _ = played.last()
            if terminated or truncated:
                played.step(None)
                continue
            played.step(policy.act(battle, observation["action_mask"]))
            count += 1
        if seed >= warm_up:
            decisions += count
            spent += time.process_time() - began
        seed += 1
    played.close()
    return decisions / spent


def single_rate(name: str, seconds: float) -> float:
    """Decisions a second, both players', of the Gymnasium view against a random opponent."""
    played = wh_env.single_env(ruleset_of(name), battle=name, opponent="random")
    policy = RandomPolicy(1)
    decisions, spent, seed = 0, 0.0, 0
    while spent < seconds:
        played.reset(seed=seed)
        began, over = time.process_time(), False
        while not over:
            _, _, terminated, truncated, _ = played.step(policy.act(played.battle, played.action_masks()))
            over = terminated or truncated
        if seed >= WARM_UP:
            decisions += int(played.battle.clock.decisions[0])
            spent += time.process_time() - began
        seed += 1
    played.close()
    return decisions / spent


def clone_time(name: str, seconds: float) -> float:
    """Microseconds for a copy of a battle in its middle."""
    battle = next(battles(name))
    policy = RandomPolicy(1)
    while not battle.over and battle.clock.round[0] < 3:
        battle.apply(policy.act(battle, battle.legal()))
    count, began = 0, time.process_time()
    while time.process_time() - began < min(seconds, 1.0):
        for _ in range(1000):
            battle.clone()
        count += 1000
    return (time.process_time() - began) / count * 1e6


def ruleset_of(name: str) -> str:
    """The ruleset of a battle."""
    return str(Battle.load(name, 0).setup.ruleset.id)
