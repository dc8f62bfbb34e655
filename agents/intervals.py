"""Confidence intervals for win rates: the share of points, a draw counting half."""

from __future__ import annotations

from math import expm1, pi, sqrt, tan
from statistics import NormalDist
from typing import Any

import numpy as np

from wh_env.core.tables import Array

LEVEL = 0.95


def z_of(level: float) -> float:
    """Standard deviations either side of the mean that hold ``level`` of a normal distribution."""
    return NormalDist().inv_cdf(0.5 + level / 2)


def student(level: float, freedom: int) -> float:
    """Standard errors either side of a mean that hold ``level`` of Student's distribution; to within one in a thousand from three degrees of
    freedom on (Hill, 1970), exact for one and two.

    Raises:
        ValueError: less than one degree of freedom.
    """
    if freedom < 1:
        raise ValueError(f"{freedom} degrees of freedom; expected 1 or more")
    outside = 1.0 - level
    if freedom == 1:
        return 1.0 / tan(outside * pi / 2)
    if freedom == 2:
        return sqrt(2.0 / (outside * (2.0 - outside)) - 2.0)
    n = float(freedom)
    a = 1.0 / (n - 0.5)
    b = 48.0 / (a * a)
    c = ((20700.0 * a / b - 98.0) * a - 16.0) * a + 96.36
    d = ((94.5 / (b + c) - 3.0) / b + 1.0) * sqrt(a * pi / 2) * n
    y = (d * outside) ** (2.0 / n)
    if y > a + 0.05:
        x = z_of(level)
        y = x * x
        if freedom < 5:
            c += 0.3 * (n - 4.5) * (x + 0.6)
        c += (((0.05 * d * x - 5.0) * x - 7.0) * x - 2.0) * x + b
        y = (((((0.4 * y + 6.3) * y + 36.0) * y + 94.5) / c - y - 3.0) / b + 1.0) * x
        y = expm1(a * y * y)
    else:
        tail = ((n + 6.0) / (n * y) - 0.089 * d - 0.822) * (n + 2.0) * 3.0
        y = ((1.0 / tail + 0.5 / (n + 4.0)) * y - 1.0) * (n + 1.0) / (n + 2.0) + 1.0 / y
    return sqrt(n * y)


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
