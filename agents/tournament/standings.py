"""Standings, ratings, payoffs, first turns and armies, computed from the results and the config."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from wh_env.core.tables import Array

from ..intervals import wilson
from ..payoffs import Payoffs, alpha_rank, nash_average, payoffs
from ..ratings import Contest, Ratings, fit
from .config import TournamentConfig
from .game import FORFEIT, VOID
from .results import Row


@dataclass(frozen=True)
class Standing:
    """An agent's line of the standings. ``share`` is its share of points, a draw counting half, with the limits
    ``low`` and ``high``.
    """

    agent: str
    rating: float
    rating_low: float
    rating_high: float
    games: int
    wins: int
    draws: int
    losses: int
    forfeits: int
    share: float
    low: float
    high: float
    nash: float | None
    alpha_rank: float


@dataclass(frozen=True)
class Share:
    """A share of points with its limits."""

    name: str
    games: int
    share: float
    low: float
    high: float


@dataclass(frozen=True)
class Summary:
    """Everything that a tournament reports.

    Attributes:
        standings: the agents, best first.
        ratings: ratings of the agents.
        payoffs: agent against agent.
        first_turns: share of points of the player who moved first, over all battles and for each battle.
        armies: army against army; ``None`` if only one pair of lists was played.
        army_ratings: ratings of the armies, or ``None``.
        faults: games that were forfeited.
        void: games that do not count.
        games: number of games that count.
        missing: number of scheduled games that are not played yet.
    """

    standings: tuple[Standing, ...]
    ratings: Ratings
    payoffs: Payoffs
    first_turns: tuple[Share, ...]
    armies: Payoffs | None
    army_ratings: Ratings | None
    faults: tuple[Row, ...]
    void: tuple[Row, ...]
    games: int
    missing: int

    def data(self) -> dict[str, Any]:
        """The summary as plain data, for JSON."""
        return {
            "standings": [asdict(standing) for standing in self.standings],
            "first_turn_rating": asdict(self.ratings.first_turn) if self.ratings.first_turn else None,
            "draw_chance": self.ratings.draw,
            "superior": self.ratings.superior.tolist(),
            "payoffs": payoff_data(self.payoffs),
            "first_turns": [asdict(share) for share in self.first_turns],
            "armies": payoff_data(self.armies) if self.armies else None,
            "army_ratings": (
                {name: asdict(r) for name, r in zip(self.army_ratings.players, self.army_ratings.ratings, strict=True)}
                if self.army_ratings
                else None
            ),
            "forfeits": [row.key for row in self.faults],
            "void": [row.key for row in self.void],
            "played": self.games,
            "missing": self.missing,
        }


def payoff_data(matrix: Payoffs) -> dict[str, Any]:
    """A payoff matrix as plain data."""
    low, high = matrix.interval()
    share = [[None if np.isnan(value) else value for value in row] for row in matrix.share.tolist()]
    return {
        "players": list(matrix.players),
        "games": matrix.games.tolist(),
        "share": share,
        "low": low.tolist(),
        "high": high.tolist(),
    }


def summarise(config: TournamentConfig, rows: Sequence[Row], missing: int = 0) -> Summary:
    """The summary of the games in ``rows``, which must be in the order of the schedule."""
    counted = [row for row in rows if row.counts]
    names = [agent.name for agent in config.agents]
    contests = [contest_of(row, row.agent0, row.agent1) for row in counted]
    ratings = fit(contests, names, anchor=config.anchor, resamples=config.resamples, seed=config.seed)
    matrix = payoffs(contests, names)
    share = matrix.filled(ratings.expected())
    nash, alpha = nash_weights(share), alpha_rank(share)
    standings = [
        standing(name, at, counted, ratings, matrix, None if nash is None else float(nash[at]), float(alpha[at]))
        for at, name in enumerate(names)
    ]
    armies, army_ratings = army_results(config, counted)
    return Summary(
        standings=tuple(sorted(standings, key=lambda line: -line.rating)),
        ratings=ratings,
        payoffs=matrix,
        first_turns=tuple(first_turns(counted)),
        armies=armies,
        army_ratings=army_ratings,
        faults=tuple(row for row in rows if row.how == FORFEIT),
        void=tuple(row for row in rows if row.how == VOID),
        games=len(counted),
        missing=missing,
    )


def contest_of(row: Row, first_name: str, second_name: str) -> Contest:
    """A game as a contest between ``first_name`` in seat 0 and ``second_name`` in seat 1.

    The two games of a mirrored pair form a cluster. A forfeited game has no first turn, because it was lost
    for another reason.
    """
    cluster = (row.round, row.battle, row.battlefield, *sorted((row.agent0, row.agent1)), row.pair, row.seed)
    first = None if row.how == FORFEIT else row.first_player
    return Contest(first_name, second_name, row.points, first, cluster)


def nash_weights(share: Array) -> Array | None:
    """The Nash average; ``None`` if scipy is not installed."""
    try:
        return nash_average(share)[0]
    except ImportError:
        return None


def standing(
    name: str, at: int, rows: Iterable[Row], ratings: Ratings, matrix: Payoffs, nash: float | None, alpha: float
) -> Standing:
    """One agent's line.

    Args:
        name: the agent.
        at: its row in ``ratings`` and ``matrix``.
        rows: the games that count.
        ratings, matrix: ratings and payoffs.
        nash, alpha: its weights.
    """
    games = int(matrix.games[at].sum())
    share, low, high = matrix.total(at)
    mine = [row for row in rows if name in (row.agent0, row.agent1)]
    draws = sum(row.winner is None for row in mine)
    wins = sum(row.winner is not None and (row.agent0, row.agent1)[row.winner] == name for row in mine)
    forfeits = sum(row.at_fault is not None and (row.agent0, row.agent1)[row.at_fault] == name for row in mine)
    rating = ratings.ratings[at]
    return Standing(
        agent=name,
        rating=rating.value,
        rating_low=rating.low,
        rating_high=rating.high,
        games=games,
        wins=wins,
        draws=draws,
        losses=games - wins - draws,
        forfeits=forfeits,
        share=share,
        low=low,
        high=high,
        nash=nash,
        alpha_rank=alpha,
    )


def first_turns(rows: Iterable[Row]) -> list[Share]:
    """The share of points of the player who moved first, without forfeited games."""
    points: dict[str, list[float]] = {"all": []}
    for row in rows:
        if row.first_player is not None and row.how != FORFEIT:
            shares = row.points if row.first_player == 0 else 1 - row.points
            points["all"].append(shares)
            points.setdefault(row.battle, []).append(shares)
    if len(points) == 2:
        del points["all"]  # with a single battle both lines would be the same
    return [share_of(name, shares) for name, shares in points.items() if shares]


def share_of(name: str, points: Sequence[float]) -> Share:
    """A share of points with Wilson's limits; ``points`` are those of each game."""
    low, high = wilson(sum(points), len(points))
    return Share(name, len(points), sum(points) / len(points), float(low), float(high))


def army_results(config: TournamentConfig, rows: Iterable[Row]) -> tuple[Payoffs | None, Ratings | None]:
    """Payoffs and ratings of the armies over all agents, without forfeited games; agents play both sides of
    every pairing. (``None``, ``None``) if no two different armies met.
    """
    games = [contest_of(row, row.army0, row.army1) for row in rows if row.how != FORFEIT and row.army0 != row.army1]
    if not games:
        return None, None
    names = sorted({name for game in games for name in (game.a, game.b)})
    return payoffs(games, names), fit(games, names, resamples=config.resamples, seed=config.seed)
