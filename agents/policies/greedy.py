"""The greedy policy: it takes the option with the best expected value and looks no further than the present
decision.

The ruleset estimates the value of options (``Ruleset.appraiser``), from what is open on the table.
"""

from __future__ import annotations

from wh_env import Battle
from wh_env.core.procedures import Appraiser
from wh_env.core.setup import Setup
from wh_env.core.tables import Array


class GreedyPolicy:
    """Takes the option with the best expected value. It uses no random numbers, so ``seed`` has no effect."""

    def __init__(self, seed: int = 0) -> None:
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Forget the last battle."""
        self._setup: Setup | None = None
        self._appraiser: Appraiser | None = None

    def act(self, battle: Battle, mask: Array) -> int:
        """The legal action with the best expected value."""
        if self._appraiser is None or battle.setup is not self._setup:
            self._setup = battle.setup
            self._appraiser = battle.setup.ruleset.appraiser(battle.setup)
        return self._appraiser.best(battle, mask)
