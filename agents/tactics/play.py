"""Playing a position: the agent makes the decisions of its player, the greedy policy those of the other, up to the horizon."""

from __future__ import annotations

from collections.abc import Callable
from zlib import crc32

import numpy as np

from wh_env import Battle

from ..policies.base import Policy, Seated
from ..policies.greedy import GreedyPolicy
from .position import Position

MOST = 2000  # decisions; a position that takes more has no horizon


class Opponent:
    """The other player of a position; there is no chance in what it does."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self._greedy = GreedyPolicy()

    def settle(self, battle: Battle) -> bool:
        """Play until the agent must decide; whether the horizon came before.

        Raises:
            RuntimeError: the position does not come to an end.
        """
        position, clock = self.position, battle.clock
        for _ in range(MOST):
            if position.over(battle):
                return True
            if clock.player[0] == position.player:
                return False
            battle.apply(self._greedy.act(battle, battle.legal()))
        raise RuntimeError(f"position {position.name}: the horizon was not reached within {MOST} decisions")


def seeds_of(position: Position, seed: int, what: str, count: int) -> list[int]:
    """Seeds for so many plays of a position, the same whoever plays them."""
    source = np.random.SeedSequence([seed, crc32(position.name.encode()), crc32(what.encode())])
    return [int(number) for number in source.generate_state(count, np.uint64)]


def play(
    position: Position, opponent: Opponent, seed: int, act: Callable[[Battle], int], first: int | None = None
) -> float:
    """What comes of one play with the dice of ``seed``; ``first`` answers the first decision in the place of ``act``."""
    battle = position.begin(seed)
    if first is not None:
        battle.apply(first)
    for _ in range(MOST):
        if opponent.settle(battle):
            return position.value(battle)
        battle.apply(act(battle))
    raise RuntimeError(f"position {position.name}: the horizon was not reached within {MOST} decisions")


def play_policy(position: Position, opponent: Opponent, seed: int, policy: Policy, own: int) -> float:
    """One play of a policy, whose own random numbers follow from ``own``."""
    seated = Seated(policy)
    seated.reset(own)
    return play(position, opponent, seed, lambda battle: int(seated.act(battle, battle.legal())))
