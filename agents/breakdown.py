"""Explain the difference between two army lists: means and intervals over the accounts of their games
(see ``ledger``).

Games come in mirrored pairs that share their dice, so a pair counts as one observation: the mean of
its two games. Intervals are Student's t.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from wh_env.core.tables import Array

from .intervals import LEVEL, student
from .ledger import Side


@dataclass(frozen=True)
class Mean:
    """A mean over pairs of games with the limits of its interval, ``low`` and ``high``; both are
    ``None`` if there is only one pair.
    """

    mean: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class UnitPart:
    """What one unit did, in points per game.

    Attributes:
        name, points: name and points value of the unit.
        killed: points that the unit took from enemy units.
        lost: points that the unit lost.
        balance: ``killed`` minus ``lost``.
        otherwise: the part of ``lost`` that no enemy took (flight, tests, mishaps).
    """

    name: str
    points: float
    killed: Mean
    lost: Mean
    balance: Mean
    otherwise: Mean


@dataclass(frozen=True)
class ListPart:
    """What one army list did, in points per game.

    Attributes:
        army: name of the list.
        units: one entry for each unit, in the order of the list.
        killed, lost, otherwise: sums over all units, as in ``UnitPart``.
    """

    army: str
    units: tuple[UnitPart, ...]
    killed: Mean
    lost: Mean
    otherwise: Mean


@dataclass(frozen=True)
class RoundPart:
    """What was scored in one battle round, per game.

    Attributes:
        number: the battle round, from 1.
        vp: victory points scored by the first list and by the other.
        lead: victory points of the first list minus those of the other.
        markers: objective markers that each list held when the round ended.
        markers_lead: markers of the first list minus those of the other.
    """

    number: int
    vp: tuple[Mean, Mean]
    lead: Mean
    markers: tuple[Mean, Mean]
    markers_lead: Mean


@dataclass(frozen=True)
class Breakdown:
    """The explanation of a match-up.

    Attributes:
        pairs: number of mirrored pairs of games.
        lists: the first list and the other one.
        trade: points that the first list killed minus points that it lost to the other list.
        rounds: the battle rounds, in order.
        kills: for each list, mean points per game that each of its units (rows) took from each enemy unit
            (columns).
    """

    pairs: int
    lists: tuple[ListPart, ListPart]
    trade: Mean
    rounds: tuple[RoundPart, ...]
    kills: tuple[tuple[tuple[float, ...], ...], tuple[tuple[float, ...], ...]]


Game = tuple[Side, Side]  # the first list's side, the other's


class Accounts:
    """Collects the accounts of mirrored pairs of games and turns them into a ``Breakdown``.

    Args:
        level: confidence level of the intervals.
    """

    def __init__(self, level: float = LEVEL) -> None:
        self.level = level
        self.pairs: list[list[Game]] = []

    def add(self, games: Sequence[Game]) -> None:
        """Add the games of one pair, each as (side of the first list, side of the other list)."""
        self.pairs.append(list(games))

    def found(self, armies: tuple[str, str]) -> Breakdown | None:
        """The breakdown of the pairs added so far; ``None`` before the first pair.

        Args:
            armies: names of the two lists.

        Raises:
            ValueError: the units of a list were not the same in all games.
        """
        if not self.pairs:
            return None
        first = self.pairs[0][0]
        for pair in self.pairs:
            for game in pair:
                if any(side.names != known.names for side, known in zip(game, first, strict=True)):
                    raise ValueError(f"units {game[0].names} and {game[1].names}; expected those of the first game")
        one, other = (self._list(number, name) for number, name in enumerate(armies))
        return Breakdown(
            pairs=len(self.pairs),
            lists=(one, other),
            trade=self._mean(self._pair_means(lambda g: np.sum(g[0].killed) - np.sum(g[1].killed))),
            rounds=self._rounds(),
            kills=(self._kills(0), self._kills(1)),
        )

    def _pair_means(self, quantity: Callable[[Game], Any]) -> Array:
        """The mean of ``quantity(game)`` in each pair; the first axis of the result counts the pairs."""
        return np.array([np.mean([quantity(game) for game in pair], axis=0) for pair in self.pairs], float)

    def _kills(self, number: int) -> tuple[tuple[float, ...], ...]:
        """Mean points that each unit of list ``number`` (rows) took from each enemy unit (columns)."""
        kills_by_pair = self._pair_means(lambda game: np.array(game[number].killed)).mean(0)
        return tuple(map(tuple, kills_by_pair.tolist()))

    def _mean(self, values: Array) -> Mean:
        """The mean of one value per pair, with its interval."""
        mean, count = float(values.mean()), len(values)
        if count < 2:
            return Mean(mean, None, None)
        half = student(self.level, count - 1) * float(values.std(ddof=1)) / count**0.5
        return Mean(mean, mean - half, mean + half)

    def _list(self, number: int, army: str) -> ListPart:
        """The part of list ``number`` (0: the first list), whose name is ``army``."""
        killed = self._pair_means(lambda g: np.array(g[number].killed).sum(axis=1))
        lost = self._pair_means(lambda g: np.array(g[number].lost))
        otherwise = self._pair_means(lambda g: np.array(g[number].otherwise))
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
        """All battle rounds; a game that ended early counts its last markers in the missing rounds."""
        most = max(len(game[0].vp) for pair in self.pairs for game in pair)

        def points(number: int) -> Array:
            """Victory points of a list, shape (pairs, rounds)."""
            return self._pair_means(lambda game: padded(game[number].vp, most, 0.0))

        def markers(number: int) -> Array:
            """Markers that a list holds, shape (pairs, rounds)."""
            return self._pair_means(lambda game: padded(game[number].markers, most, game[number].markers[-1]))

        vp, held = [points(0), points(1)], [markers(0), markers(1)]
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
    """The values, extended to ``length`` by repeating ``last``."""
    return np.array([*values, *[last] * (length - len(values))])
