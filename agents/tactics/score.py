"""The regret of agents by position, by theme and over all, with confidence intervals.

Regret is the value of best play minus the mean value of the agent's plays, in the unit of the position. To
combine positions of different units it is also given as a share of the regret of random play: 0 is best play,
1 is no better than random.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import hypot, sqrt

from ..intervals import z_of
from ..policies import make
from .play import Opponent, play_policy, seeds_of
from .position import Position
from .solution import Solution
from .solve import mean_error


@dataclass(frozen=True)
class Score:
    """An agent in one position.

    Attributes:
        agent, position, theme: names.
        unit: unit of the values.
        plays: number of plays.
        best, best_error: value of best play and its standard error.
        mean, mean_error: mean value of the agent's plays and its standard error.
        stake: regret of random play.
        random_error: standard error of the value of random play.
    """

    agent: str
    position: str
    theme: str
    unit: str
    plays: int
    best: float
    best_error: float
    mean: float
    mean_error: float
    stake: float
    random_error: float

    @property
    def regret(self) -> float:
        """The regret in the unit of the position."""
        return self.best - self.mean

    @property
    def error(self) -> float:
        """The standard error of the regret."""
        return hypot(self.best_error, self.mean_error)

    @property
    def share(self) -> float:
        """The regret as a share of that of random play."""
        return self.regret / self.stake

    @property
    def share_error(self) -> float:
        """The standard error of the share. The error of best play enters both numerator and denominator."""
        share = self.share
        parts = ((1 - share) * self.best_error, self.mean_error, share * self.random_error)
        return hypot(*parts) / self.stake


@dataclass(frozen=True)
class Summary:
    """The mean share over some positions, with the limits of its interval."""

    agent: str
    positions: int
    share: float
    low: float
    high: float


def score(
    position: Position, solution: Solution, agent: str, plays: int, seed: int, told: Callable[[], None] | None = None
) -> Score:
    """Play a position with one agent. Every agent meets the same dice.

    Args:
        position, solution: the position and its best value.
        agent: the agent, as for ``policies.make``.
        plays: number of plays.
        seed: seed of dice and agent.
        told: called after each play.

    Raises:
        UnknownPolicy: there is no such agent.
    """
    opponent, policy = Opponent(position), make(agent, seed)
    dice, own = (seeds_of(position, seed, what, plays) for what in ("plays", "agent"))
    values = []
    for one, other in zip(dice, own, strict=True):
        values.append(play_policy(position, opponent, one, policy, other % 2**32))
        if told is not None:
            told()
    mean, error = mean_error(values)
    return Score(
        agent=agent,
        position=position.name,
        theme=position.theme,
        unit=position.worth.unit,
        plays=plays,
        best=solution.value,
        best_error=solution.error,
        mean=mean,
        mean_error=error,
        stake=solution.stake,
        random_error=solution.random_error,
    )


def summary(agent: str, scores: Iterable[Score], level: float) -> Summary:
    """The mean share of an agent over its scores. The interval covers the dice; the positions are taken as
    given.
    """
    own = [one for one in scores if one.agent == agent]
    if not own:
        return Summary(agent, 0, 0.0, 0.0, 0.0)
    share = sum(one.share for one in own) / len(own)
    half = z_of(level) * sqrt(sum(one.share_error**2 for one in own)) / len(own)
    return Summary(agent, len(own), share, share - half, share + half)


def by_theme(agent: str, scores: Sequence[Score], level: float) -> dict[str, Summary]:
    """Summaries by theme, in the order of the themes in ``scores``."""
    themes = dict.fromkeys(one.theme for one in scores)
    return {theme: summary(agent, [one for one in scores if one.theme == theme], level) for theme in themes}
