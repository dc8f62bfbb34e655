"""What agents give away: regret by position, by theme and in all, with confidence intervals.

Regret is the value of best play less the mean value of the agent's plays, in the units of the position. To put positions of
different units together it is also told as a share of what uniformly random play gives away: 0 is best play, 1 is no
better than random.
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
        agent, position, theme: names. unit: of the values. plays: how many.
        best, best_error: value of best play with its standard error. mean, mean_error: of the agent's plays.
        stake: what random play gives away; random_error: standard error of the value of random play.
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
        """What the agent gives away, in units of the position."""
        return self.best - self.mean

    @property
    def error(self) -> float:
        """Standard error of the regret."""
        return hypot(self.best_error, self.mean_error)

    @property
    def share(self) -> float:
        """Regret as a share of that of random play."""
        return self.regret / self.stake

    @property
    def share_error(self) -> float:
        """Standard error of the share: best play stands above and below the line."""
        share = self.share
        parts = ((1 - share) * self.best_error, self.mean_error, share * self.random_error)
        return hypot(*parts) / self.stake


@dataclass(frozen=True)
class Summary:
    """The mean share over some positions, with limits at the level that was asked for."""

    agent: str
    positions: int
    share: float
    low: float
    high: float


def score(
    position: Position, solution: Solution, agent: str, plays: int, seed: int, told: Callable[[], None] | None = None
) -> Score:
    """Play a position so often with one agent; ``told`` is called after each play. Every agent meets the same dice.

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
    """The mean share of random play's regret over the positions, which are taken as they are, not as a sample of others."""
    own = [one for one in scores if one.agent == agent]
    if not own:
        return Summary(agent, 0, 0.0, 0.0, 0.0)
    share = sum(one.share for one in own) / len(own)
    half = z_of(level) * sqrt(sum(one.share_error**2 for one in own)) / len(own)
    return Summary(agent, len(own), share, share - half, share + half)


def by_theme(agent: str, scores: Sequence[Score], level: float) -> dict[str, Summary]:
    """Summaries by theme, in the order in which the themes come."""
    themes = dict.fromkeys(one.theme for one in scores)
    return {theme: summary(agent, [one for one in scores if one.theme == theme], level) for theme in themes}
