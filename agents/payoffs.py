"""The payoff matrix of a tournament, and two analyses for agents that beat each other in a circle:
Nash average and alpha-rank.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from wh_env.core.tables import Array

from .intervals import LEVEL, design_effect, wilson
from .ratings import Contest

POPULATION = 50  # population size of alpha-rank
INTENSITY = 10.0  # selection intensity of alpha-rank: how sharply a better payoff is preferred
TINY = 1e-9
LARGEST = 700.0  # greatest exponent that does not overflow a double


@dataclass(frozen=True)
class Payoffs:
    """Points of every player against every other.

    Attributes:
        players: names, in the order of rows and columns.
        points: [i, j]: points that i took from j, a draw counting half.
        games: [i, j]: number of games between i and j.
        effect: [i, j]: number of these games that carry as much information as one independent game
            (``design_effect`` of mirrored pairs).
    """

    players: tuple[str, ...]
    points: Array
    games: Array
    effect: Array

    @property
    def share(self) -> Array:
        """[i, j]: the share of points that i took from j; nan if they did not meet."""
        return np.where(self.games > 0, self.points / np.maximum(self.games, 1), np.nan)

    def interval(self, level: float = LEVEL) -> tuple[Array, Array]:
        """Lower and upper limits of ``share``."""
        return wilson(self.points / self.effect, self.games / self.effect, level)

    def total(self, player: int, level: float = LEVEL) -> tuple[float, float, float]:
        """A player's share of points against all others, with its lower and upper limit."""
        points, games = float(self.points[player].sum()), float(self.games[player].sum())
        if not games:
            return 0.5, 0.0, 1.0
        effect = games / float((self.games[player] / self.effect[player]).sum())
        low, high = wilson(points / effect, games / effect, level)
        return points / games, float(low), float(high)

    def filled(self, expected: Array) -> Array:
        """``share`` with one half on the diagonal, and the values of ``expected`` for pairs that did
        not meet.
        """
        share = np.where(self.games > 0, self.share, expected)
        np.fill_diagonal(share, 0.5)
        return share


def payoffs(contests: Iterable[Contest], players: Sequence[str] = ()) -> Payoffs:
    """The payoff matrix of the contests; ``players`` gives the order, other players follow in order of
    appearance.
    """
    games = list(contests)
    names = tuple(dict.fromkeys([*players, *(name for game in games for name in (game.a, game.b))]))
    place = {name: row for row, name in enumerate(names)}
    shape = (len(names), len(names))
    points, played, effect = np.zeros(shape), np.zeros(shape, int), np.ones(shape)
    clusters: dict[tuple[int, int], dict[Hashable, list[float]]] = {}
    for number, game in enumerate(games):
        i, j = place[game.a], place[game.b]
        points[i, j] += game.points
        points[j, i] += 1 - game.points
        played[i, j] += 1
        played[j, i] += 1
        share = game.points if i < j else 1 - game.points
        meeting = clusters.setdefault((min(i, j), max(i, j)), {})
        cluster = meeting.setdefault(number if game.cluster is None else ("cluster", game.cluster), [0.0, 0.0])
        cluster[0] += share
        cluster[1] += 1
    for (i, j), meeting in clusters.items():
        effect[i, j] = effect[j, i] = design_effect(*zip(*meeting.values(), strict=True))
    return Payoffs(names, points, played, effect)


def nash_average(share: Array) -> tuple[Array, Array]:
    """The Nash equilibrium of largest entropy when each of two sides picks a player, and each player's
    margin against it.

    Copies of a player share its weight, and weak players do not change the result (Balduzzi et al.
    2018, arXiv 1806.02643). Needs scipy.

    Args:
        share: [i, j]: share of points of i against j; share + share.T == 1.

    Returns:
        Weights (sum 1), and each player's mean margin (2 * share - 1) against them: 0 for players in the
        equilibrium, less for others.

    Raises:
        RuntimeError: the optimiser did not converge.
    """
    from scipy.optimize import linprog, minimize

    margin = np.asarray(2 * share - 1)
    margin = (margin - margin.T) / 2
    n = len(margin)
    limits = {"A_ub": margin, "b_ub": np.full(n, TINY), "A_eq": np.ones((1, n)), "b_eq": [1.0], "bounds": (0, 1)}
    # Maximise each player's weight in turn: this finds every player that is in any equilibrium.
    corners = np.array([linprog(-np.eye(n)[i], **limits).x for i in range(n)])
    support = np.flatnonzero(corners.max(axis=0) > 1e-6)
    weights = corners.mean(axis=0)
    if np.ptp(corners, axis=0).max() > 1e-6:
        inner = margin[:, support]
        solution = minimize(
            lambda p: p @ np.log(p),
            weights[support] / weights[support].sum(),
            jac=lambda p: np.log(p) + 1,
            bounds=[(1e-12, 1.0)] * len(support),
            constraints=[
                {"type": "eq", "fun": lambda p: p.sum() - 1, "jac": lambda p: np.ones(len(p))},
                {"type": "ineq", "fun": lambda p: TINY - inner @ p, "jac": lambda p: -inner},
            ],
            method="SLSQP",
            options={"ftol": 1e-12, "maxiter": 500},
        )
        if not solution.success:
            raise RuntimeError(f"the equilibrium of largest entropy was not found: {solution.message}")
        weights = np.zeros(n)
        weights[support] = solution.x
    weights = np.clip(weights, 0.0, 1.0)
    weights /= weights.sum()
    return weights, margin @ weights


def alpha_rank(share: Array, intensity: float = INTENSITY, population: int = POPULATION) -> Array:
    """How often each player would dominate a population in which better players replace worse ones
    (Omidshafiei et al. 2019).

    This is the stationary distribution of a Markov chain over players: a mutant j takes over a
    population of i with the fixation probability of their payoffs. Players in a circle all keep a
    share; a player that loses to all gets almost none.

    Args:
        share: [i, j]: share of points of i against j; share + share.T == 1.
        intensity: intensity of selection (alpha).
        population: size of the population (m).

    Returns:
        A distribution over the players (sum 1).
    """
    n = len(share)
    if n == 1:
        return np.ones(1)
    # [i, j]: advantage of mutant j against i
    gain = intensity * (share.T - share)
    gain = np.clip(gain, -LARGEST / population, LARGEST / population)
    even = np.abs(gain) < 1e-12
    safe = np.where(even, 1.0, gain)
    chain = np.where(even, 1 / population, np.expm1(-safe) / np.expm1(-population * safe)) / (n - 1)
    return stationary(chain)


def stationary(chain: Array) -> Array:
    """The stationary distribution of an irreducible Markov chain; [i, j] is the probability to go from
    i to j.

    It eliminates one state after the other without subtractions (Grassmann, Taksar and Heyman), so
    that very small probabilities stay exact. The diagonal is not read.
    """
    work = np.array(chain, float)
    n = len(work)
    for k in range(n - 1, 0, -1):
        work[:k, k] /= work[k, :k].sum()
        work[:k, :k] += np.outer(work[:k, k], work[k, :k])
    result = np.ones(n)
    for k in range(1, n):
        result[k] = result[:k] @ work[:k, k]
    return np.asarray(result / result.sum())
