"""Random play, step by step: battles one after the other through the core API, with observations, through the environments.

Each function yields after every decision what it counts for; ``turns`` measures how fast that goes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import wh_env
from wh_env import Battle
from wh_env.envs.observation import Observer
from wh_env.envs.spaces import fill_mask

from ..policies import RandomPolicy

WARM_UP = 5000  # decisions before anything is measured: most kernels are loaded when they are first needed
CLONES = 20  # copies that are made at a time


def battles(name: str) -> Iterator[Battle]:
    """Battles with one dice seed after the other, all of one setup."""
    setup = Battle.load(name, 0).setup
    seed = 0
    while True:
        yield Battle(setup, seed)
        seed += 1


def core(name: str) -> Iterator[int]:
    """Through the core API, masks included."""
    policy = RandomPolicy(1)
    for battle in battles(name):
        over = battle.clock.over
        while not over[0]:
            battle.apply(policy.act(battle, battle.legal()))
            yield 1


def observed(name: str, form: str) -> Iterator[int]:
    """The deciding player observes every decision, in one of the forms of observation."""
    policy = RandomPolicy(1)
    setup = next(battles(name)).setup
    observer, mask = Observer(setup, form), np.zeros(setup.space.size, np.int8)
    for battle in battles(name):
        over, player = battle.clock.over, battle.clock.player
        while not over[0]:
            observer.write(battle, player[0], observer.out)
            fill_mask(battle, player[0], mask)
            battle.apply(policy.act(battle, battle.legal()))
            yield 1


def aec(name: str, wrapped: bool = False) -> Iterator[int]:
    """``raw_env`` (``wrapped``: ``env``), with ``last`` and a random legal action from the mask."""
    make = wh_env.env if wrapped else wh_env.raw_env
    return asked(make(ruleset_of(name), battle=name))


def asked(played: Any) -> Iterator[int]:
    """Any PettingZoo AEC environment with masks in its observations."""
    policy, seed = RandomPolicy(1), 0
    battle: Any = None  # a random policy does not look at it
    while True:
        played.reset(seed=seed)
        for _ in played.agent_iter():
            observation, _, terminated, truncated, _ = played.last()
            if terminated or truncated:
                played.step(None)
                continue
            played.step(policy.act(battle, observation["action_mask"]))
            yield 1
        seed += 1


def single(name: str) -> Iterator[int]:
    """The Gymnasium view against a random opponent; decisions of both players count."""
    played = wh_env.single_env(ruleset_of(name), battle=name, opponent="random")
    policy, seed = RandomPolicy(1), 0
    while True:
        played.reset(seed=seed)
        over, counted = False, 0
        while not over:
            _, _, terminated, truncated, _ = played.step(policy.act(played.battle, played.action_masks()))
            over = terminated or truncated
            count = int(played.battle.clock.decisions[0])
            yield count - counted
            counted = count
        seed += 1


def clones(name: str) -> Iterator[int]:
    """Copies of a battle in its middle."""
    battle = next(battles(name))
    policy = RandomPolicy(1)
    while not battle.over and battle.clock.round[0] < 3:
        battle.apply(policy.act(battle, battle.legal()))
    clone = battle.clone
    while True:
        for _ in range(CLONES):
            clone()
        yield CLONES


def ruleset_of(name: str) -> str:
    """The ruleset of a battle."""
    return str(Battle.load(name, 0).setup.ruleset.id)
