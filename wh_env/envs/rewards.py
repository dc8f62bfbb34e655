"""Rewards, as functions that are handed to an environment; what a battle is worth is nothing that rules know.

A reward has two parts:

- ``final(battle, seat)``: what the end of a battle is worth to a seat. By default 1 for a win, 0 for a draw, -1 for a loss.
- ``potential(battle, seat)``: optional shaping. A transition from state *s* to state *s'* pays ``gamma * P(s') - P(s)`` on top,
  with the potential of an ended battle taken as zero.

Shaping of this form does not change which policy is best (Ng, Harada and Russell, 1999): along a whole battle the discounted
sum of the shaping is ``-P(first state)`` whatever was played, because all terms between cancel out. It tells a learner earlier
what it would have learnt from the end. That holds if ``gamma`` is the learner's own discount and if its transitions are
counted from one of its decisions to its next, which environments do. A truncated battle has not ended: its last state keeps
its potential, as a learner that bootstraps there expects.

Both parts are made zero-sum: a seat gets half the difference between its own value and the other's. Where a function is
antisymmetric already (the outcome, a margin) that is the function itself.
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
    """1 for a win of ``seat``, 0 for a draw, -1 for a loss; of an ended battle."""
    winner = battle.clock.winner[0]
    return 0.0 if winner < 0 else 1.0 if winner == seat else -1.0


@dataclass(frozen=True)
class Margin:
    """The lead in victory points, in units of ``scale`` points."""

    scale: float

    def __call__(self, battle: BattleCore, seat: int) -> float:
        points = battle.players.vp
        return float((points[seat] - points[1 - seat]) / self.scale)


def victory_points(scale: float = 50.0) -> Worth:
    """The lead of a seat in victory points, in units of ``scale`` points (not clipped); as an end or as a potential.

    Raises:
        ValueError: ``scale`` is not positive.
    """
    if not scale > 0:
        raise ValueError(f"victory_points: scale {scale} is not valid; expected a number above 0")

    return Margin(scale)


def survivors(battle: BattleCore, seat: int) -> float:
    """The part of its army, by points, that a seat still has, less that of the other seat: -1 to 1; a potential.

    A unit counts by the models it has left.
    """
    units = battle.units.rows
    alive = np.concatenate([[0], np.cumsum(battle.models.rows["alive"])])
    left = alive[units["first"] + units["count"]] - alive[units["first"]]
    mine = units["owner"] == seat
    parts = []
    for side in (mine, ~mine):
        points = units["points"][side]
        whole = float(points.sum())
        parts.append(float((points * left[side] / units["count"][side]).sum() / whole) if whole else 0.0)
    return parts[0] - parts[1]


@dataclass(frozen=True)
class Reward:
    """What an environment pays; see the module.

    Attributes:
        final: worth of an ended battle to a seat.
        potential: shaping; none when ``None``.
        gamma: the learner's discount a decision of its own; only shaping uses it.
        forfeit: what a seat gets, instead of ``final``, whose illegal action ended the battle.

    With ``gamma`` below 1 each seat's shaping is discounted at its own decisions, so that it is right for each learner and the
    shaping (alone) no longer sums to exactly zero.
    """

    final: Worth = outcome
    potential: Worth | None = None
    gamma: float = 1.0
    forfeit: float = -1.0

    def __post_init__(self) -> None:
        if not 0.0 < self.gamma <= 1.0:
            raise ValueError(f"Reward: gamma {self.gamma} is not valid; expected a discount above 0, at most 1")

    def ended(self, battle: BattleCore, seat: int) -> float:
        """Worth of the ended battle to ``seat``; that of the other seat is the negative."""
        if self.final is outcome:
            return outcome(battle, seat)
        return 0.5 * (float(self.final(battle, seat)) - float(self.final(battle, 1 - seat)))

    def standing(self, battle: BattleCore, seat: int) -> float:
        """The potential of a battle that goes on, to ``seat``; that of the other seat is the negative."""
        if self.potential is None:
            return 0.0
        return 0.5 * (float(self.potential(battle, seat)) - float(self.potential(battle, 1 - seat)))


NAMED: dict[str, Reward] = {
    "outcome": Reward(),
    "margin": Reward(final=victory_points()),
}


def make_reward(reward: str | Worth | Reward) -> Reward:
    """A reward by name (``outcome``: win, draw or loss; ``margin``: the lead in victory points at the end, by 50), as a function
    of the ended battle and a seat, or as it is.

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
