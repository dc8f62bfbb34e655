"""Whether battles are fair: one policy plays both sides of each, in mirrored pairs of games."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from .matchup import MatchUp, Question, Tally, estimate
from .tournament.backends import Backend

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T")
FAIR = 0.4, 0.6  # shares of points between which the first list of a fair battle lies
NEVER = -1.0  # a width that no interval reaches: all games are played


@dataclass(frozen=True)
class Fairness:
    """How fair a battle is.

    Attributes:
        battle: its name.
        armies: names of its two lists.
        games: number of games; half of them with the lists in each other's seats.
        share, low, high: share of points of the first list, a draw counting half, with its 95 % interval.
        first_turn: share of points of the player who moves first; ``None``: no game has a first player.
        draws: number of drawn games.
    """

    battle: str
    armies: tuple[str, str]
    games: int
    share: float
    low: float
    high: float
    first_turn: float | None
    draws: int

    @property
    def fair(self) -> bool:
        """Whether each side takes at least 40 % of the points."""
        return FAIR[0] <= self.share <= FAIR[1]

    @property
    def verdict(self) -> str:
        """``fair`` or ``unfair``; with ``perhaps`` if the interval holds values that say the opposite."""
        inside = FAIR[0] <= self.low and self.high <= FAIR[1]
        outside = self.high < FAIR[0] or self.low > FAIR[1]
        return ("" if inside or outside else "perhaps ") + ("fair" if self.fair else "unfair")


def of_matchup(battle: str, matchup: MatchUp) -> Fairness:
    """What the games of a match-up say about a battle."""
    return Fairness(
        battle,
        matchup.armies,
        matchup.games,
        matchup.share,
        matchup.low,
        matchup.high,
        matchup.first_turn,
        matchup.draws,
    )


def measure(question: Question, backend: Backend, watch: Callable[[MatchUp], None] | None = None) -> Fairness:
    """Play ``question.most`` games of a battle.

    Raises:
        ContentError: the battle is not known.
        PilotFailed: the pilot forfeited a game.
    """
    return of_matchup(question.battle, estimate(question, backend, watch, Tally(question)))


# ---------------------------------------------------------------- results that are kept


def settings(question: Question) -> dict[str, Any]:
    """What must be equal for a kept result to be used again."""
    return {"pilot": question.pilot, "most": question.most, "seed": question.seed, "detail": question.detail}


def kept(log: Path, wanted: Mapping[str, Any]) -> dict[str, Fairness]:
    """Results of a log that were measured with the ``wanted`` settings, by battle."""
    return {result.battle: result for result in rows_of(log, wanted, of_row)}


def of_row(row: dict[str, Any]) -> Fairness:
    """A result from its line in a log."""
    return Fairness(**{**row, "armies": tuple(row["armies"])})


def rows_of(log: Path, wanted: Mapping[str, Any], made: Callable[[dict[str, Any]], T]) -> list[T]:
    """Results of a log, made of the fields of the lines that were measured with the ``wanted`` settings. Lines that are
    no results, such as one that was cut short, are passed over.
    """
    found: list[T] = []
    for line in log.read_text(encoding="utf-8").splitlines() if log.exists() else ():
        try:
            row = json.loads(line)
            if all(row.pop(name) == value for name, value in wanted.items()):
                found.append(made(row))
        except (ValueError, KeyError, TypeError, AttributeError):
            continue
    return found


def keep(log: Path, result: DataclassInstance, measured: Mapping[str, Any]) -> None:
    """Add a result to a log, with the settings that it was measured with."""
    with log.open("a", encoding="utf-8") as file:
        file.write(json.dumps({**asdict(result), **measured}) + "\n")


# ---------------------------------------------------------------- words

HEAD = ("battle", "first list", "games", "first list takes", "95 %", "first turn takes", "drawn", "verdict")


def row_of(result: Fairness) -> tuple[str, ...]:
    """The cells of a result, under ``HEAD``."""
    return (
        result.battle,
        result.armies[0],
        str(result.games),
        percent(result.share),
        f"{100 * result.low:.0f} – {100 * result.high:.0f}",
        "" if result.first_turn is None else percent(result.first_turn),
        str(result.draws),
        result.verdict,
    )


def percent(share: float) -> str:
    """A share in percent."""
    return f"{100 * share:.0f} %"


def markdown(results: Iterable[Fairness]) -> str:
    """A table of results for a page of the docs."""
    rows = [HEAD, ("---",) * len(HEAD), *map(row_of, results)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in rows) + "\n"
