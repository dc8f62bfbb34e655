"""Random play, step by step, in rounds: the same battles each time, through the core API, with observations, through the environments.

A decision of one battle takes twice as long as one of another, so what is measured for so many seconds is another thing each time, and another
one on a faster host. A round is always the same work. It yields after every decision what that counts for; ``turns`` measures how fast that
goes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import wh_env
from wh_env import Battle
from wh_env.core.setup import Setup
from wh_env.envs.observation import Observer
from wh_env.envs.spaces import fill_mask

from ..policies import RandomPolicy

CLONES = 20  # copies that are made at a time
STEPS_OF_CLONES = 200  # of a round
Round = Callable[[], Iterator[int]]  # starts one


def battles(setup: Setup, count: int) -> Iterator[tuple[Battle, RandomPolicy]]:
    """Battles of one setup with dice seeds from 0, each with the policy that plays it."""
    for seed in range(count):
        yield Battle(setup, seed), RandomPolicy(seed)


def core(name: str, count: int) -> Round:
    """``count`` battles through the core API, masks included."""
    setup = Battle.load(name, 0).setup

    def play() -> Iterator[int]:
        for battle, policy in battles(setup, count):
            while not battle.over:
                battle.apply(policy.act(battle, battle.legal()))
                yield 1

    return play


def observed(name: str, count: int, form: str) -> Round:
    """The deciding player observes every decision, in one of the forms of observation."""
    setup = Battle.load(name, 0).setup
    observer, mask = Observer(setup, form), np.zeros(setup.space.size, np.int8)

    def play() -> Iterator[int]:
        for battle, policy in battles(setup, count):
            player = battle.clock.player
            while not battle.over:
                observer.write(battle, player[0], observer.out)
                fill_mask(battle, player[0], mask)
                battle.apply(policy.act(battle, battle.legal()))
                yield 1

    return play


def aec(name: str, count: int, wrapped: bool = False) -> Round:
    """``raw_env`` (``wrapped``: ``env``), with ``last`` and a random legal action from the mask."""
    make = wh_env.env if wrapped else wh_env.raw_env
    return asked(make(ruleset_of(name), battle=name), count)


def asked(played: Any, count: int) -> Round:
    """Any PettingZoo AEC environment with masks in its observations, ``count`` games of it."""
    battle: Any = None  # a random policy does not look at it

    def play() -> Iterator[int]:
        for seed in range(count):
            played.reset(seed=seed)
            policy = RandomPolicy(seed)
            for _ in played.agent_iter():
                observation, _, terminated, truncated, _ = played.last()
                if terminated or truncated:
                    played.step(None)
                    continue
                played.step(policy.act(battle, observation["action_mask"]))
                yield 1

    return play


def single(name: str, count: int) -> Round:
    """The Gymnasium view against a random opponent; decisions of both players count."""
    played = wh_env.single_env(ruleset_of(name), battle=name, opponent="random")

    def play() -> Iterator[int]:
        for seed in range(count):
            played.reset(seed=seed)
            policy = RandomPolicy(seed)
            over, counted = False, 0
            while not over:
                _, _, terminated, truncated, _ = played.step(policy.act(played.battle, played.action_masks()))
                over = terminated or truncated
                decided = int(played.battle.clock.decisions[0])
                yield decided - counted
                counted = decided

    return play


def clones(name: str) -> Round:
    """Copies of a battle in its middle."""
    battle, policy = next(battles(Battle.load(name, 0).setup, 1))
    while not battle.over and battle.clock.round[0] < 3:
        battle.apply(policy.act(battle, battle.legal()))
    clone = battle.clone

    def copy() -> Iterator[int]:
        for _ in range(STEPS_OF_CLONES):
            for _ in range(CLONES):
                clone()
            yield CLONES

    return copy


def ruleset_of(name: str) -> str:
    """The ruleset of a battle."""
    return str(Battle.load(name, 0).setup.ruleset.id)
