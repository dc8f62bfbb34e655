"""The policy ``random``: every legal action with the same probability."""

from __future__ import annotations

import numpy as np

from wh_env import Battle
from wh_env.core.tables import Array

BLOCK = 4096  # random numbers drawn at once


class RandomPolicy:
    """Draws among the legal actions with equal probability, from a generator of its own; the battle's dice are
    not used.
    """

    def __init__(self, seed: int = 0) -> None:
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Start the generator again from ``seed``."""
        self._generator = np.random.default_rng(seed)
        self._numbers: list[float] = []

    def act(self, battle: Battle, mask: Array) -> int:
        """A random legal action."""
        numbers = self._numbers
        if not numbers:
            numbers = self._numbers = self._generator.random(BLOCK).tolist()
        options = mask.nonzero()[0]
        return options.item(int(numbers.pop() * len(options)))
