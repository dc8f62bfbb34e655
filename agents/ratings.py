"""Ratings computed from a whole tournament at once: Bradley-Terry with draws (Davidson) and first turn
(Davidson and Beaver).

A player of strength s against one of strength t wins, draws or loses with weights exp(x / 2), nu
and exp(-x / 2). Here x = s - t, plus the first-turn effect if the player moves first, or minus it
if the other does. In this model a draw is worth exactly half a win, the order of games does not
matter, and the likelihood has a single maximum. Weak normal priors keep ratings finite for players
that won or lost every game.

Intervals come from a bootstrap over mirrored pairs, because games played with the same dice are not
independent.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from math import log

import numpy as np

from wh_env.core.tables import Array

from .intervals import LEVEL

ELO = 400.0 / log(10.0)  # rating points of one unit of strength: 400 points are odds of ten to one
PRIOR = 5.0  # standard deviation of the prior of a strength (870 points) about 0
# Standard deviations of the priors of the first-turn effect, and of the logarithm of a draw's weight (mean DRAW). Where
# one side wins nearly every game, the games say nothing about these two.
PRIOR_TURN, PRIOR_DRAW = 1.0, 1.5
DRAW = -1.0  # a chance of a draw of 16 % between equals
STEP = 2.0  # longest Newton step of one parameter
STEPS = 200
PRECISE = 1e-9
# Before resampling, every pairing gets one more mirrored pair, split evenly. Otherwise a pairing that one side won
# throughout would be taken as certain.
UNSEEN = 1.0


@dataclass(frozen=True)
class Contest:
    """One game, as input of the ratings.

    Attributes:
        a, b: names of the players.
        points: points of ``a``: 1, 0.5 or 0.
        first: the player who moved first: 0 for ``a``, 1 for ``b``, ``None`` if the game had no first player.
        cluster: games with the same value are resampled together (the two games of a mirrored pair).
    """

    a: str
    b: str
    points: float
    first: int | None = None
    cluster: Hashable = None


@dataclass(frozen=True)
class Estimate:
    """A value with the limits of its interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Ratings:
    """Strengths in rating points, relative to their mean or to the ``anchor``, whose rating is then 0.

    Attributes:
        players: names.
        ratings: estimates, in the order of ``players``.
        first_turn: rating points that the first turn is worth; ``None`` if no game had a first player.
        draw: the chance of a draw between equals; 0 if no draw occurred.
        samples: bootstrap ratings, shape (resamples, players).
        superior: [i, j]: the share of resamples in which i is stronger than j.
        anchor: the player whose rating is 0; ``None``: the mean is 0.
    """

    players: tuple[str, ...]
    ratings: tuple[Estimate, ...]
    first_turn: Estimate | None
    draw: float
    samples: Array
    superior: Array
    anchor: str | None = None

    def expected(self) -> Array:
        """[i, j]: the expected share of points of i against j, if each moves first in half of the
        games.
        """
        strength = np.array([rating.value for rating in self.ratings]) / ELO
        turn = self.first_turn.value / ELO if self.first_turn else 0.0
        weight = self.draw / (1 - self.draw) * 2  # nu; the weights of win and loss between equals are 1 each
        x = strength[:, None] - strength[None, :]
        return (expected_points(x + turn, weight) + expected_points(x - turn, weight)) / 2


def expected_points(x: Array, draw_weight: float) -> Array:
    """Expected points of a player whose strength exceeds the other's by ``x``; ``draw_weight`` is nu."""
    win, loss = np.exp(x / 2), np.exp(-x / 2)
    return np.asarray((win + draw_weight / 2) / (win + draw_weight + loss))


# ---------------------------------------------------------------- the fit


@dataclass(frozen=True)
class Cells:
    """Counts of games. A cell is a pair of players together with which of them moved first; results
    are win, draw, loss of the first player of the pair.

    Attributes:
        design: (cells, players + 1): coefficients of the difference of strength; the last column is the first
            turn.
        clusters: (clusters, cells * 3): how often each result occurred in a cluster.
        stratum: (clusters,): number of the pair of players of each cluster.
    """

    design: Array
    clusters: Array
    stratum: Array

    @property
    def total(self) -> Array:
        """Results counted over all clusters, shape (cells, 3)."""
        return np.asarray(self.clusters.sum(axis=0).reshape(-1, 3))


def count(contests: Sequence[Contest], players: Sequence[str]) -> Cells:
    """Count the contests in cells; ``players`` gives the columns of the design."""
    place = {player: row for row, player in enumerate(players)}
    cells: dict[tuple[int, int, int], int] = {}
    clusters: dict[Hashable, int] = {}
    strata: dict[tuple[int, int], int] = {}
    entries: list[tuple[int, int]] = []
    stratum: list[int] = []
    for number, game in enumerate(contests):
        i, j, points, first = place[game.a], place[game.b], game.points, game.first
        if i > j:
            i, j, points, first = j, i, 1 - points, None if first is None else 1 - first
        cell = cells.setdefault((i, j, 0 if first is None else 1 - 2 * first), len(cells))
        pair = strata.setdefault((i, j), len(strata))
        key = (pair, number if game.cluster is None else ("cluster", game.cluster))
        row = clusters.setdefault(key, len(clusters))
        if row == len(stratum):
            stratum.append(pair)
        entries.append((row, cell * 3 + round(2 * (1 - points))))
    design = np.zeros((len(cells), len(players) + 1))
    for (i, j, turn), cell in cells.items():
        design[cell, i], design[cell, j], design[cell, -1] = 1.0, -1.0, turn
    counts = np.zeros((len(clusters), len(cells) * 3))
    np.add.at(counts, tuple(np.array(entries, int).reshape(-1, 2).T), 1.0)
    return Cells(design, counts, np.array(stratum, int))


def maximise(design: Array, counts: Array, draws: bool) -> Array:
    """The most likely parameters by Newton's method, for many sets of counts at once.

    Args:
        design: (cells, p): columns for strengths, then the first turn.
        counts: (sets, cells, 3): wins, draws, losses.
        draws: whether draws are possible.

    Returns:
        (sets, p + 1): the weights of the columns of ``design``, then the logarithm of the weight of a draw.
    """
    sets, p = len(counts), design.shape[1]
    games = counts.sum(axis=2)
    margin = (counts[:, :, 0] - counts[:, :, 2]) / 2
    drawn = counts[:, :, 1].sum(axis=1)
    middle = np.append(np.zeros(p), DRAW)
    precision = np.array([PRIOR] * (p - 1) + [PRIOR_TURN, PRIOR_DRAW]) ** -2.0
    params = np.tile(middle, (sets, 1))
    hessian = np.zeros((sets, p + 1, p + 1))
    for _ in range(STEPS):
        x = params[:, :p] @ design.T
        win, loss = np.exp(x / 2), np.exp(-x / 2)
        draw = np.exp(params[:, p, None]) if draws else np.zeros((sets, 1))
        total = win + draw + loss
        mean = (win - loss) / total / 2
        share = draw / total
        gradient = np.empty((sets, p + 1))
        gradient[:, :p] = (margin - games * mean) @ design
        gradient[:, p] = drawn - (games * share).sum(axis=1)
        gradient -= (params - middle) * precision
        hessian[:, :p, :p] = (design.T * (games * ((1 - share) / 4 - mean**2))[:, None, :]) @ design
        hessian[:, :p, p] = hessian[:, p, :p] = (-games * mean * share) @ design
        hessian[:, p, p] = (games * share * (1 - share)).sum(axis=1)
        step = np.linalg.solve(hessian + np.diag(precision), gradient[:, :, None])[:, :, 0]
        longest = np.abs(step).max(axis=1, keepdims=True)
        params += step * np.minimum(1.0, STEP / np.maximum(longest, 1e-12))
        if longest.max() < PRECISE:
            break
    return params


def resample(cells: Cells, resamples: int, generator: np.random.Generator) -> tuple[Array, Array]:
    """Draw tournaments from this one. Each pairing gets one cluster less than it had, because a sample
    varies less about its own mean than about the true mean.

    Args:
        cells: the counted games.
        resamples: number of tournaments to draw.
        generator: source of random numbers.

    Returns:
        Their counts, shape (resamples, cells, 3), and the mean of these counts, shape (cells, 3).
    """
    drawn = np.zeros((resamples, cells.clusters.shape[1]))
    mean = np.zeros(cells.clusters.shape[1])
    for pair in np.unique(cells.stratum):
        mine = cells.clusters[cells.stratum == pair]
        kinds, times = np.unique(mine, axis=0, return_counts=True)
        total = mine.sum(axis=0).reshape(-1, 3)
        # the additional pair: as many games as a cluster has on average, in the cells of this pairing, split evenly
        even = np.zeros_like(total)
        even[:, [0, 2]] = total.sum(axis=1, keepdims=True) / len(mine) / 2
        weights = np.append(times, UNSEEN) / (len(mine) + UNSEEN)
        clusters = np.vstack([kinds, even.reshape(1, -1)])
        number = max(1, len(mine) - 1)
        drawn += generator.multinomial(number, weights, size=resamples) @ clusters
        mean += number * weights @ clusters
    return drawn.reshape(resamples, -1, 3), mean.reshape(-1, 3)


def limits(samples: Array, shift: Array, level: float) -> tuple[Array, Array]:
    """Limits of each column of ``samples``: their quantiles, widened to include the quantiles about
    the estimate.

    The additional pair of each pairing moves samples towards equality; adding ``shift`` moves them
    back.
    """
    tail = (1 - level) / 2
    low, high = np.quantile(samples, [tail, 1 - tail], axis=0)
    return np.minimum(low, low + shift), np.maximum(high, high + shift)


def fit(
    contests: Iterable[Contest],
    players: Sequence[str] = (),
    *,
    anchor: str | None = None,
    resamples: int = 1000,
    seed: int = 0,
    level: float = LEVEL,
) -> Ratings:
    """Fit the ratings of all players.

    Args:
        contests: every game.
        players: order of the players; others follow in order of appearance.
        anchor: the player whose rating is 0; ``None``: the mean rating is 0.
        resamples: number of bootstrap samples.
        seed: seed of the bootstrap.
        level: confidence level of the intervals.

    Raises:
        ValueError: the anchor played no game and is not among the players.
    """
    games = list(contests)
    names = tuple(dict.fromkeys([*players, *(name for game in games for name in (game.a, game.b))]))
    if anchor is not None and anchor not in names:
        raise ValueError(f"anchor {anchor!r} is not among the players; expected one of {', '.join(names)}")
    cells = count(games, names)
    total = cells.total
    draws = bool(total[:, 1].any())
    generator = np.random.default_rng(seed)
    drawn, mean = resample(cells, resamples, generator)
    estimates = maximise(cells.design, np.stack([total, mean]), draws)
    spread = maximise(cells.design, drawn, draws)
    n = len(names)
    zero = [names.index(anchor)] if anchor is not None else list(range(n))
    for params in (estimates, spread):
        params[:, :n] -= params[:, zero].mean(axis=1, keepdims=True)
        params[:, : n + 1] *= ELO
    strengths, centre = estimates
    low, high = limits(spread[:, : n + 1], (strengths - centre)[: n + 1], level)
    rated = [Estimate(*map(float, values)) for values in zip(strengths, low, high)]
    samples = spread[:, :n]
    weight = float(np.exp(strengths[n + 1])) if draws else 0.0
    return Ratings(
        players=names,
        ratings=tuple(rated[:n]),
        first_turn=rated[n] if cells.design[:, n].any() else None,
        draw=weight / (2 + weight),
        samples=samples,
        superior=(samples[:, :, None] > samples[:, None, :]).mean(axis=0),
        anchor=anchor,
    )
