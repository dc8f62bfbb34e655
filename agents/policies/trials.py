"""Try options on copies of a battle, and find one that is surely better than a default.

All options meet the same dice, so that common luck cancels out of their differences. The worse half is
dropped again and again while the others are tried twice as often (sequential halving: Karnin, Koren and
Somekh, "Almost optimal exploration in multi-armed bandits", 2013). The last option must exceed the default by
a number of standard errors.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

import numpy as np

from wh_env import Battle
from wh_env.core.tables import Array

T = TypeVar("T", bound=Hashable)

EPSILON = 1e-9  # a smaller difference is no gain


def play_on(battle: Battle, plan: Sequence[int], answer: Callable[[Battle, Array], int], turns: int, most: int) -> None:
    """Play a battle until ``turns`` player turns have ended, ``most`` decisions were taken, or the battle is
    over.

    The seat that is asked first takes the actions of ``plan``, one a decision, until one of them is not
    legal. ``answer`` answers all other decisions.
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
    """The default for ``spent``: the budget is unlimited."""
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
    """The rival that is surely better than the default, else the default.

    Args:
        default: the option that needs no proof.
        rivals: options that may replace it; all different.
        trial: returns the value of an option on the dice of a seed; more is better.
        dice: draws these seeds.
        samples: number of seeds on which every option is tried at first.
        confirm: number of seeds on which the last option must have been tried, at least 2.
        firm: standard errors by which its mean must exceed that of the default.
        most: number of seeds after which an undecided race ends with the default; default: ``confirm``.
        spent: asked before each trial; true ends the race with what is known by then.
        widen: returns further options, given those still in the race (the default first); called after each
            round.
    """
    tried: dict[T, list[float]] = {option: [] for option in (default, *rivals)}
    seeds: list[int] = []
    left, count, most = list(rivals), samples, most or confirm
    while left:
        seeds += dice.integers(2**63, size=count - len(seeds)).tolist()
        in_budget = _try_all((default, *left), seeds, tried, trial, spent)
        gains = {o: np.subtract(tried[o], tried[default][: len(tried[o])]) for o in left if tried[o]}
        # an option without any effect so far is tried once more, because its effect may be rare
        least = 0.0 if count == samples else EPSILON
        left = sorted((o for o in gains if gains[o].mean() >= least), key=lambda o: -gains[o].mean())
        proven = [o for o in left if len(gains[o]) >= confirm and _sure(gains[o], firm)]
        if not in_budget:
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
    """Whether the mean of the gains exceeds ``firm`` standard errors."""
    return bool(gains.mean() > firm * gains.std(ddof=1) / np.sqrt(len(gains)))


def _try_all(
    options: Sequence[T],
    seeds: Sequence[int],
    tried: dict[T, list[float]],
    trial: Callable[[T, int], float],
    spent: Callable[[], bool],
) -> bool:
    """Try options on the seeds on which they were not tried yet, seed by seed. Returns whether the budget
    sufficed.
    """
    for n, seed in enumerate(seeds):
        for option in options:
            if len(tried[option]) == n:
                if spent():
                    return False
                tried[option].append(trial(option, seed))
    return True
