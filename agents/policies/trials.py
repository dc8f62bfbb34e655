"""Trying out options on copies of a battle: how one is played on, and which is surely better than what would be done anyway.

All options meet the same dice, so what they share cancels out of their differences. The worse half is dropped again and again while the
others are tried twice as often (sequential halving: Karnin, Koren and Somekh, "Almost optimal exploration in multi-armed bandits", 2013);
of the last one the mean gain must exceed its standard error.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

import numpy as np

from wh_env import Battle
from wh_env.core.tables import Array

T = TypeVar("T", bound=Hashable)

EPSILON = 1e-9  # less is no gain


def play_on(battle: Battle, plan: Sequence[int], answer: Callable[[Battle, Array], int], turns: int, most: int) -> None:
    """Play until so many player turns have ended, or so many decisions were taken, or the battle is over.

    The seat that is asked first takes the actions of its plan, one a decision, until one is not legal; all else is answered.
    """
    clock = battle.clock
    seat, followed = clock.player[0], 0
    ended, turn = 0, (clock.round[0], clock.turn[0])
    for _ in range(most):
        if (clock.round[0], clock.turn[0]) != turn:
            ended, turn = ended + 1, (clock.round[0], clock.turn[0])
        if battle.over or ended == turns:
            return
        mask = battle.legal()
        if followed < len(plan) and clock.player[0] == seat:
            action = plan[followed]
            followed += 1
            if mask[action]:
                battle.apply(action)
                continue
            followed = len(plan)
        battle.apply(answer(battle, mask))


def never() -> bool:
    """No budget is ever spent."""
    return False


def race(
    default: T,
    rivals: Sequence[T],
    trial: Callable[[T, int], float],
    dice: np.random.Generator,
    samples: int,
    confirm: int,
    firm: float,
    most: int | None = None,
    spent: Callable[[], bool] = never,
    widen: Callable[[Sequence[T]], Sequence[T]] | None = None,
) -> T:
    """The rival that is surely better than the default, or else that one.

    Args:
        default: what is taken without proof. rivals: what may replace it; all are different.
        trial: what an option comes to on the dice of a seed; more is better. dice: where these seeds come from.
        samples: seeds that every option is tried on at first. confirm: seeds that the last one must have been tried on; at least 2.
        firm: standard errors by which it must be better on average.
        most: seeds after which a race that is still open ends with the default. Default: ``confirm``.
        spent: asked before each trial; true ends the race with what is known then.
        widen: other options that the ones still in the race (the default first) bring with them; asked after each round.
    """
    tried: dict[T, list[float]] = {option: [] for option in (default, *rivals)}
    seeds: list[int] = []
    left, count, most = list(rivals), samples, most or confirm
    while left:
        seeds += dice.integers(2**63, size=count - len(seeds)).tolist()
        open_ = _try_all((default, *left), seeds, tried, trial, spent)
        gains = {o: np.subtract(tried[o], tried[default][: len(tried[o])]) for o in left if tried[o]}
        # what made no difference at first is tried once more: its chance may only be small
        least = 0.0 if count == samples else EPSILON
        left = sorted((o for o in gains if gains[o].mean() >= least), key=lambda o: -gains[o].mean())
        proven = [o for o in left if len(gains[o]) >= confirm and _sure(gains[o], firm)]
        if not open_:
            return proven[0] if proven else default
        if len(left) == 1 and count >= confirm and (proven or count >= most):
            return proven[0] if proven else default
        left = left[: max(1, len(left) // 2)]
        if widen is not None:
            fresh = [option for option in widen((default, *left)) if option not in tried]
            tried.update((option, []) for option in fresh)
            left += fresh
        count *= 2
    return default


def _sure(gains: Array, firm: float) -> bool:
    """Whether the mean of some gains exceeds so many of its standard errors."""
    return bool(gains.mean() > firm * gains.std(ddof=1) / np.sqrt(len(gains)))


def _try_all(
    options: Sequence[T],
    seeds: Sequence[int],
    tried: dict[T, list[float]],
    trial: Callable[[T, int], float],
    spent: Callable[[], bool],
) -> bool:
    """Try options on the seeds they have not met yet, seed by seed; false: the budget was spent before all were."""
    for n, seed in enumerate(seeds):
        for option in options:
            if len(tried[option]) == n:
                if spent():
                    return False
                tried[option].append(trial(option, seed))
    return True
