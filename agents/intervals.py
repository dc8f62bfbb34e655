"""Confidence intervals of shares of points, in which a draw counts half, and of means."""

from __future__ import annotations

from math import expm1, pi, sqrt, tan
from statistics import NormalDist
from typing import Any

import numpy as np

from wh_env.core.tables import Array

LEVEL = 0.95


def z_of(level: float) -> float:
    """The number of standard deviations on either side of the mean that contain the share ``level`` of
    a normal distribution.
    """
    return NormalDist().inv_cdf(0.5 + level / 2)


def student(level: float, freedom: int) -> float:
    """The number of standard errors on either side of a mean that contain the share ``level`` of
    Student's distribution.

    Exact for one and two degrees of freedom, else within one in a thousand (Hill, 1970).

    Args:
        level: confidence level, between 0 and 1.
        freedom: degrees of freedom.

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
    """Wilson's score interval of a share of points.

    With draws it is rather too wide than too narrow, because results between win and loss vary less
    than wins and losses with the same mean.

    Args:
        points: points won; a number or an array of any shape.
        games: games played, same shape.
        level: confidence level.

    Returns:
        Lower and upper limits, same shape; 0 and 1 where no game was played.
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
    """How many games carry as much information as one independent game (Kish), at least 1.

    Games come in clusters that share their dice, so they are not independent.

    Args:
        points: points won in each cluster.
        games: games played in each cluster.
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
    """A share of points and its limits when games come in clusters such as mirrored pairs.

    The limits are Wilson's, for the number of independent games with the same information.

    Args:
        points: points won in each cluster.
        games: games played in each cluster.
        level: confidence level.

    Returns:
        Share, lower limit, upper limit; (0.5, 0, 1) without games.
    """
    total, played = float(np.sum(points)), float(np.sum(games))
    if not played:
        return 0.5, 0.0, 1.0
    effect = design_effect(points, games)
    low, high = wilson(total / effect, played / effect, level)
    return total / played, float(low), float(high)
