"""Random play in rounds of always the same battles: through the core API, with observations, and through the
environments.

A decision of one battle takes up to twice as long as a decision of another, so playing for a fixed time would
measure different work each time. A round is always the same work. It is an iterator that yields, after each
step, the number of decisions made; ``turns`` measures its speed.
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

CLONES = 20  # copies in one step
STEPS_OF_CLONES = 200  # steps of copying in one round
Round = Callable[[], Iterator[int]]  # starts a round


def battles(setup: Setup, count: int) -> Iterator[tuple[Battle, RandomPolicy]]:
    """Battles of one Setup with the dice seeds 0 to ``count - 1``, each with the policy that plays it."""
    for seed in range(count):
        yield Battle(setup, seed), RandomPolicy(seed)


def core(name: str, count: int) -> Round:
    """Rounds of ``count`` battles through the core API, masks included."""
    setup = Battle.load(name, 0).setup

    def play() -> Iterator[int]:
        for battle, policy in battles(setup, count):
            while not battle.over:
                battle.apply(policy.act(battle, battle.legal()))
                yield 1

    return play


def observed(name: str, count: int, form: str) -> Round:
    """Rounds in which the deciding player observes every decision; ``form`` is that of the observation."""
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
    """Rounds through ``raw_env`` (``env`` if ``wrapped``), with ``last`` and a random legal action from the
    mask.
    """
    make = wh_env.env if wrapped else wh_env.raw_env
    return aec_round(make(ruleset_of(name), battle=name), count)


def aec_round(played: Any, count: int) -> Round:
    """Rounds of ``count`` games of any PettingZoo AEC environment with masks in its observations."""
    battle: Any = None  # the random policy does not use it

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
    """Rounds of the Gymnasium view against a random opponent; decisions of both players count."""
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
    """Rounds of copying a battle in its third round."""
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
