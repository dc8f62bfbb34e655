"""The potential by which rewards are shaped, and which the values of a network therefore leave out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from wh_env.envs.rewards import survivors, victory_points


class Survivors:
    """The potential ``survivors``, computed for both seats at once and again only when models have fallen,
    because shaping asks for it often.
    """

    def __init__(self) -> None:
        self._battle: Any = None
        self._alive, self._lead = b"", 0.0

    def __call__(self, battle: Any, seat: int) -> float:
        """The potential for ``seat``."""
        alive = battle.models.rows["alive"].tobytes()
        if battle is not self._battle or alive != self._alive:
            self._battle, self._alive, self._lead = battle, alive, survivors(battle, 0)
        return self._lead if seat == 0 else -self._lead


POTENTIALS: dict[str, Callable[[], Callable[[Any, int], float]]] = {
    "survivors": Survivors,
    "victory_points": victory_points,
}


def potential_of(weights: Mapping[str, float]) -> Callable[[Any, int], float] | None:
    """The weighted sum of potentials, as a function of battle and seat.

    Args:
        weights: weights by name (``POTENTIALS``).

    Returns:
        The function; ``None`` if all weights are 0.
    """
    parts = [(POTENTIALS[name](), weight) for name, weight in weights.items() if weight]
    if not parts:
        return None
    return lambda battle, seat: sum(weight * part(battle, seat) for part, weight in parts)
