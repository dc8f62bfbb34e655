"""The greedy policy: of every decision the option with the best expected value, looking no further than that.

What an option is worth the ruleset says (``Ruleset.appraiser``); it reads only what lies open on the table.
"""

from __future__ import annotations

from wh_env import Battle
from wh_env.core.procedures import Appraiser
from wh_env.core.setup import Setup
from wh_env.core.tables import Array


class GreedyPolicy:
    """Takes the option with the best expected value; there is no chance in it."""

    def __init__(self, seed: int = 0) -> None:
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Forget the last battle."""
        self._setup: Setup | None = None
        self._appraiser: Appraiser | None = None

    def act(self, battle: Battle, mask: Array) -> int:
        """The best option."""
        if self._appraiser is None or battle.setup is not self._setup:
            self._setup = battle.setup
            self._appraiser = battle.setup.ruleset.appraiser(battle.setup)
        return self._appraiser.best(battle, mask)
