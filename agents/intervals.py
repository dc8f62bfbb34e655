"""Confidence intervals for win rates: the share of points, a draw counting half."""

from __future__ import annotations

from statistics import NormalDist
from typing import Any

import numpy as np

from wh_env.core.tables import Array

LEVEL = 0.95


def z_of(level: float) -> float:
    """Standard deviations either side of the mean that hold ``level`` of a normal distribution."""
    return NormalDist().inv_cdf(0.5 + level / 2)


def wilson(points: Any, games: Any, level: float = LEVEL) -> tuple[Array, Array]:
    """Wilson's score interval of a share of points; arrays of any (equal) shape.

    With draws it is too wide rather than too narrow: results between win and loss vary less than wins and losses with the
    same mean. Without games it is (0, 1).
    """
    points, games = np.asarray(points, float), np.asarray(games, float)
    z = z_of(level)
    n = np.where(games > 0, games, 1.0)
    share = np.where(games > 0, points / n, 0.5)
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * np.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    low = np.where(games > 0, np.clip(middle - half, 0.0, 1.0), 0.0)
    high = np.where(games > 0, np.clip(middle + half, 0.0, 1.0), 1.0)
    return low, high


def design_effect(points: Any, games: Any) -> float:
    """How many games say as much as one independent game (Kish), when games come in clusters that share their dice; at least 1.

    Args:
        points: of each cluster. games: likewise.
    """
    points, games = np.asarray(points, float), np.asarray(games, float)
    clusters, total = len(games), games.sum()
    if clusters < 2:
        return 1.0
    share = points.sum() / total
    independent = total * share * (1 - share)
    if independent <= 0:
        return 1.0
    seen = ((points - games * share) ** 2).sum() * clusters / (clusters - 1)
    return max(1.0, float(seen / independent))


def clustered(points: Any, games: Any, level: float = LEVEL) -> tuple[float, float, float]:
    """Share of points and its limits when games come in clusters (mirrored pairs): Wilson's interval for as many independent
    games as say the same.

    Args:
        points: of each cluster. games: likewise.
    """
    total, played = float(np.sum(points)), float(np.sum(games))
    if not played:
        return 0.5, 0.0, 1.0
    effect = design_effect(points, games)
    low, high = wilson(total / effect, played / effect, level)
    return total / played, float(low), float(high)
