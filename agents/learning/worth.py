"""The potential by which rewards are shaped, and which a network's values therefore leave out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from wh_env.envs.rewards import survivors, victory_points

POTENTIALS: dict[str, Callable[[Any, int], float]] = {"survivors": survivors, "victory_points": victory_points()}


def potential_of(weights: Mapping[str, float]) -> Callable[[Any, int], float] | None:
    """The weighted sum of potentials (names as in ``POTENTIALS``), as a function of battle and seat; ``None``: all weights are 0."""
    parts = [(POTENTIALS[name], weight) for name, weight in weights.items() if weight]
    if not parts:
        return None
    return lambda battle, seat: sum(weight * part(battle, seat) for part, weight in parts)
