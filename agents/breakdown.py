"""Where the difference between two army lists comes from: the accounts of their games (``ledger``), as means with intervals.

Games come in mirrored pairs that share their dice, so a pair is one observation: the mean of its two games. Intervals are Student's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from wh_env.core.tables import Array

from .intervals import LEVEL, student
from .ledger import Side


@dataclass(frozen=True)
class Mean:
    """A mean over pairs of games. ``low`` and ``high`` are its limits, ``None`` where one pair says nothing of them."""

    mean: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class UnitPart:
    """What a unit did for its points, a game.

    Attributes:
        name, points: of the unit.
        killed: points that it took from the enemy. lost: points that it lost. balance: the first less the second.
        otherwise: the part of what it lost that no enemy took.
    """

    name: str
    points: float
    killed: Mean
    lost: Mean
    balance: Mean
    otherwise: Mean


@dataclass(frozen=True)
class ListPart:
    """What a list did, a game: its units, and their sums."""

    army: str
    units: tuple[UnitPart, ...]
    killed: Mean
    lost: Mean
    otherwise: Mean


@dataclass(frozen=True)
class RoundPart:
    """A battle round, a game: victory points that either list scored, the first list's lead in them, markers that either held as it ended."""

    number: int
    vp: tuple[Mean, Mean]
    lead: Mean
    markers: tuple[Mean, Mean]
    markers_lead: Mean


@dataclass(frozen=True)
class Breakdown:
    """Where the difference comes from.

    Attributes:
        pairs: of games that it is the mean of.
        lists: the first list and the other one.
        trade: points that the first list killed less those that it lost.
        rounds: one after the other.
        kills: for each list, mean points that each of its units (rows) took from each enemy unit (columns).
    """

    pairs: int
    lists: tuple[ListPart, ListPart]
    trade: Mean
    rounds: tuple[RoundPart, ...]
    kills: tuple[tuple[tuple[float, ...], ...], tuple[tuple[float, ...], ...]]


Game = tuple[Side, Side]  # the first list's side, the other's


class Accounts:
    """Adds the accounts of pair after pair up."""

    def __init__(self, level: float = LEVEL) -> None:
        self.level = level
        self.pairs: list[list[Game]] = []

    def add(self, games: Sequence[Game]) -> None:
        """The games of a pair, each as the first list's side and the other's."""
        self.pairs.append(list(games))

    def found(self, armies: tuple[str, str]) -> Breakdown | None:
        """What is known by now; ``None`` before the first pair.

        Raises:
            ValueError: the lists were not the same in all games.
        """
        if not self.pairs:
            return None
        first = self.pairs[0][0]
        for pair in self.pairs:
            for game in pair:
                if any(side.names != known.names for side, known in zip(game, first, strict=True)):
                    raise ValueError(f"units {game[0].names} and {game[1].names}; expected those of the first game")
        one, other = (self._list(number, name) for number, name in enumerate(armies))
        sides = (0, 1)
        return Breakdown(
            pairs=len(self.pairs),
            lists=(one, other),
            trade=self._mean(self._of(lambda g: np.sum(g[0].killed) - np.sum(g[1].killed))),
            rounds=self._rounds(),
            kills=tuple(
                tuple(map(tuple, self._of(lambda g, n=n: np.array(g[n].killed)).mean(0).tolist())) for n in sides
            ),  # type: ignore[arg-type]
        )

    def _of(self, what: Any) -> Array:
        """A quantity of games, as its mean in each pair."""
        return np.array([np.mean([what(game) for game in pair], axis=0) for pair in self.pairs], float)

    def _mean(self, values: Array) -> Mean:
        mean, count = float(values.mean()), len(values)
        if count < 2:
            return Mean(mean, None, None)
        half = student(self.level, count - 1) * float(values.std(ddof=1)) / count**0.5
        return Mean(mean, mean - half, mean + half)

    def _list(self, number: int, army: str) -> ListPart:
        killed = self._of(lambda g: np.array(g[number].killed).sum(axis=1))
        lost = self._of(lambda g: np.array(g[number].lost))
        otherwise = self._of(lambda g: np.array(g[number].otherwise))
        side = self.pairs[0][0][number]
        units = tuple(
            UnitPart(
                name=name,
                points=side.points[unit],
                killed=self._mean(killed[:, unit]),
                lost=self._mean(lost[:, unit]),
                balance=self._mean(killed[:, unit] - lost[:, unit]),
                otherwise=self._mean(otherwise[:, unit]),
            )
            for unit, name in enumerate(side.names)
        )
        sums = (self._mean(part.sum(axis=1)) for part in (killed, lost, otherwise))
        return ListPart(army, units, *sums)

    def _rounds(self) -> tuple[RoundPart, ...]:
        most = max(len(game[0].vp) for pair in self.pairs for game in pair)
        vp = [self._of(lambda g, n=n: padded(g[n].vp, most, 0.0)) for n in (0, 1)]
        held = [self._of(lambda g, n=n: padded(g[n].markers, most, g[n].markers[-1])) for n in (0, 1)]
        return tuple(
            RoundPart(
                number=at + 1,
                vp=(self._mean(vp[0][:, at]), self._mean(vp[1][:, at])),
                lead=self._mean(vp[0][:, at] - vp[1][:, at]),
                markers=(self._mean(held[0][:, at]), self._mean(held[1][:, at])),
                markers_lead=self._mean(held[0][:, at] - held[1][:, at]),
            )
            for at in range(most)
        )


def padded(values: Sequence[float], length: int, last: float) -> Array:
    """The values, with ``last`` behind them."""
    return np.array([*values, *[last] * (length - len(values))])
