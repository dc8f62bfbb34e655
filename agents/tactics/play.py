"""Play a position up to its horizon: the agent decides for its player, the greedy policy for the other."""

from __future__ import annotations

from collections.abc import Callable
from zlib import crc32

import numpy as np

from wh_env import Battle

from ..policies.base import Policy, Seated
from ..policies.greedy import GreedyPolicy
from .position import Position

MOST = 2000  # greatest number of decisions; a position that takes more never reaches its horizon


class Opponent:
    """The other player of a position, which uses no random numbers."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self._greedy = GreedyPolicy()

    def settle(self, battle: Battle) -> bool:
        """Play until the agent must decide, or the horizon is reached.

        Returns:
            Whether the horizon is reached.

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


def seeds_of(position: Position, seed: int, purpose: str, count: int) -> list[int]:
    """Seeds for ``count`` plays of a position, the same for every agent; different for each ``purpose``."""
    source = np.random.SeedSequence([seed, crc32(position.name.encode()), crc32(purpose.encode())])
    return [int(number) for number in source.generate_state(count, np.uint64)]


def play(
    position: Position, opponent: Opponent, seed: int, act: Callable[[Battle], int], first: int | None = None
) -> float:
    """Play a position once.

    Args:
        position: the position.
        opponent: its other player.
        seed: seed of the dice.
        act: returns the agent's action for a decision.
        first: the action for the first decision, in place of ``act``.

    Returns:
        The value at the horizon.

    Raises:
        RuntimeError: the horizon was not reached.
    """
    battle = position.begin(seed)
    if first is not None:
        battle.apply(first)
    for _ in range(MOST):
        if opponent.settle(battle):
            return position.value(battle)
        battle.apply(act(battle))
    raise RuntimeError(f"position {position.name}: the horizon was not reached within {MOST} decisions")


def play_policy(position: Position, opponent: Opponent, seed: int, policy: Policy, own: int) -> float:
    """Play a position once with a policy, whose random numbers follow from ``own``. Returns the value at the
    horizon.
    """
    seated = Seated(policy)
    seated.reset(own)
    return play(position, opponent, seed, lambda battle: int(seated.act(battle, battle.legal())))
