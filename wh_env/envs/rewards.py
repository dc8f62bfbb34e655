"""Rewards, as functions that an environment is given; the rules know nothing of the worth of a battle.

A reward has two parts:

- ``final(battle, seat)``: the worth of the end of a battle for a seat. By default 1 for a win, 0 for a draw, -1 for a
  loss.
- ``potential(battle, seat)``: optional shaping. A transition from state *s* to state *s'* additionally pays ``gamma *
  P(s') - P(s)``, with 0 as the potential of an ended battle.

Shaping of this form does not change which policy is best (Ng, Harada and Russell, 1999): along a whole battle the
discounted sum of the shaping is ``-P(first state)`` whatever was played, because all terms between cancel out. It tells
a learner earlier what it would have learnt from the end. That holds if ``gamma`` is the learner's own discount and if
its transitions are counted from one of its decisions to its next, which environments do. A truncated battle has not
ended: its last state keeps its potential, as a learner that bootstraps there expects.

Both parts are made zero-sum: a seat gets half the difference between its own value and the other's. A function that is
antisymmetric already (the outcome, a margin) stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from wh_env.content.errors import unknown
from wh_env.core.battle import BattleCore

Worth = Callable[[Any, int], float]


def outcome(battle: BattleCore, seat: int) -> float:
    """The outcome of an ended battle: 1 if ``seat`` has won, 0 for a draw, -1 if it has lost."""
    winner = battle.clock.winner[0]
    return 0.0 if winner < 0 else 1.0 if winner == seat else -1.0


@dataclass(frozen=True)
class Margin:
    """The lead of a seat in victory points, divided by ``scale``."""

    scale: float

    def __call__(self, battle: BattleCore, seat: int) -> float:
        """The lead of ``seat``."""
        points = battle.players.vp
        return (points[seat] - points[1 - seat]) / self.scale


def victory_points(scale: float = 50.0) -> Worth:
    """A function that returns the lead of a seat in victory points divided by ``scale`` (not clipped), for the end or
    as a potential.

    Raises:
        ValueError: ``scale`` is not positive.
    """
    if not scale > 0:
        raise ValueError(f"victory_points: scale {scale} is not valid; expected a number above 0")

    return Margin(scale)


def survivors(battle: BattleCore, seat: int) -> float:
    """The share of its army, by points, that a seat still has, minus that of the other seat: -1 to 1; a potential.

    A unit counts by the share of its models that are left.
    """
    units = battle.units.rows
    alive = np.concatenate([[0], np.cumsum(battle.models.rows["alive"])])
    left_in_unit = alive[units["first"] + units["count"]] - alive[units["first"]]
    own = units["owner"] == seat
    parts = []
    for side in (own, ~own):
        points = units["points"][side]
        all_points = float(points.sum())
        parts.append(
            float((points * left_in_unit[side] / units["count"][side]).sum() / all_points) if all_points else 0.0
        )
    return parts[0] - parts[1]


@dataclass(frozen=True)
class Reward:
    """What an environment pays; see the module.

    Attributes:
        final: worth of an ended battle for a seat.
        potential: shaping; ``None``: none.
        gamma: the learner's discount for each decision of its own; only shaping uses it.
        forfeit: what a seat gets instead of ``final`` if its illegal action ended the battle.

    With ``gamma`` below 1 each seat's shaping is discounted at its own decisions. So it is right for each learner, and
    the shaping of both seats no longer sums to exactly 0.
    """

    final: Worth = outcome
    potential: Worth | None = None
    gamma: float = 1.0
    forfeit: float = -1.0

    def __post_init__(self) -> None:
        """Raises:
        ValueError: ``gamma`` is no discount.
        """
        if not 0.0 < self.gamma <= 1.0:
            raise ValueError(f"Reward: gamma {self.gamma} is not valid; expected a discount above 0, at most 1")

    def ended(self, battle: BattleCore, seat: int) -> float:
        """The worth of the ended battle for ``seat``; that for the other seat is the negative."""
        if self.final is outcome:
            return outcome(battle, seat)
        return 0.5 * (float(self.final(battle, seat)) - float(self.final(battle, 1 - seat)))

    def standing(self, battle: BattleCore, seat: int) -> float:
        """The potential, for ``seat``, of a battle that goes on; that for the other seat is the negative. 0 without
        shaping.
        """
        if self.potential is None:
            return 0.0
        return 0.5 * (float(self.potential(battle, seat)) - float(self.potential(battle, 1 - seat)))


NAMED: dict[str, Reward] = {
    "outcome": Reward(),
    "margin": Reward(final=victory_points()),
}


def make_reward(reward: str | Worth | Reward) -> Reward:
    """A ``Reward`` from a name (``outcome``: win, draw or loss; ``margin``: the lead in victory points at the end,
    divided by 50), from a function of the ended battle and a seat, or from a ``Reward``, which stays as it is.

    Raises:
        ContentError: no reward has that name.
    """
    if isinstance(reward, Reward):
        return reward
    if callable(reward):
        return Reward(final=reward)
    if reward not in NAMED:
        raise unknown("<env>", "reward", reward, NAMED)
    return NAMED[reward]
