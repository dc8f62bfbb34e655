"""What a policy is."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from wh_env import Battle
from wh_env.core.tables import Array


@runtime_checkable
class Policy(Protocol):
    """Answers the decisions of one player.

    It reads the battle and must not change it; what it needs to try out it tries on ``battle.clone(seed=...)``, whose dice are
    not those of the battle.
    """

    def act(self, battle: Battle, mask: Array) -> int:
        """A legal action for the waiting decision; ``mask`` is ``battle.legal()``, valid until the action is applied."""

    def reset(self, seed: int) -> None:
        """A new battle begins; everything random from here on follows from ``seed``."""
