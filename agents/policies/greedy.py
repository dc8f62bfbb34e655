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
    """Takes the option with the best expected value.

    Args:
        seed: has no effect, as it uses no random numbers.
        declines: kinds of decisions, separated by spaces, that it answers with "done" wherever that is legal.
            So it shows what such a decision is worth: ``declines=cast-by cast-at-once`` never casts a spell.
    """

    def __init__(self, seed: int = 0, declines: str = "") -> None:
        self.declines = frozenset(declines.split())
        self.reset(seed)

    def refuses(self, setup: Setup) -> str:
        """Why it cannot play battles of this Setup: they have no such kind of decision that it declines."""
        unknown = sorted(self.declines - {kind.name for kind in setup.ruleset.kinds})
        return f"there are no decisions {', '.join(unknown)} to decline" if unknown else ""

    def reset(self, seed: int) -> None:
        """Forget the last battle."""
        self._setup: Setup | None = None
        self._appraiser: Appraiser | None = None

    def act(self, battle: Battle, mask: Array) -> int:
        """The legal action with the best expected value."""
        if self._appraiser is None or battle.setup is not self._setup:
            self._setup = battle.setup
            self._appraiser = battle.setup.ruleset.appraiser(battle.setup)
        if mask[0] and self.declines and battle.setup.ruleset.kinds[battle.clock.kind[0]].name in self.declines:
            return 0
        return self._appraiser.best(battle, mask)
