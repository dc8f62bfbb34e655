"""Measure what positions are worth: compare the terms of ``tactician_value`` at the start of turns
with the lead at the end.

The greedy policy plays both sides and now and then takes a random action, so that positions differ
in more than dice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from wh_env import Battle
from wh_env.core.tables import Array

from .policies.greedy import GreedyPolicy
from .policies.tactician_reading import Reader
from .policies.tactician_value import Terms, terms

SLIPS = (0.0, 0.1, 0.25)  # shares of random actions; each battle uses one of them
FITTED = ("held", "near", "army", "strikes", "flights", "soon")


@dataclass(frozen=True)
class Sample:
    """A position at the start of a player turn, seen by the player whose turn it is.

    Attributes:
        terms: the terms of the position (see ``Terms``).
        gained: victory points by which the player's lead still changed until the end.
        side: (number of the battle's name, seat). The sides of a battle need not be equally strong, so each
            gets a constant of its own.
    """

    terms: Terms
    gained: float
    side: tuple[int, int]


@dataclass(frozen=True)
class Fit:
    """Least squares over the positions with a given number of turns left.

    Attributes:
        turns: number of turns left.
        samples: number of positions.
        weights: victory points for each unit of the terms in ``FITTED``, in that order.
        spread: standard deviation of ``Sample.gained``.
        error: standard deviation of the residuals.
    """

    turns: int
    samples: int
    weights: tuple[float, ...]
    spread: float
    error: float


def play(battle: Battle, side: int, rng: np.random.Generator) -> list[Sample]:
    """Play one battle and return its positions.

    Args:
        battle: a battle before its first action.
        side: number of the battle's name, kept in the samples.
        rng: draws the share of random actions, and these actions.
    """
    policy, slips = GreedyPolicy(), float(rng.choice(SLIPS))
    clock, turn = battle.clock, (0, 0)
    seen: list[tuple[int, Terms]] = []
    reader = Reader(battle.setup)
    while not battle.over:
        now = (clock.round[0], clock.turn[0])
        if now != turn and now[0] > 0:
            turn = now
            seen.append((now[1], terms(reader, battle, now[1])))
        mask = battle.legal()
        slip = rng.random() < slips
        battle.apply(int(rng.choice(np.flatnonzero(mask))) if slip else policy.act(battle, mask))
    vp = battle.players.vp
    return [Sample(t, vp[seat] - vp[1 - seat] - t.lead, (side, seat)) for seat, t in seen]


def gather(
    names: Sequence[str], games: int, seed: int, progress: Callable[[int], None] = lambda done: None
) -> list[Sample]:
    """The positions of ``games`` battles, which take ``names`` in turn.

    Args:
        names: names of battles; ``{game}`` in a name is replaced by the number of the game.
        games: number of battles.
        seed: seed of dice and random actions.
        progress: called with the number of battles played so far.
    """
    samples: list[Sample] = []
    for game in range(games):
        side = game % len(names)
        name = names[side].replace("{game}", str(game))
        samples += play(Battle.load(name, seed + game), side, np.random.default_rng([seed, game]))
        progress(game + 1)
    return samples


def fit(samples: Sequence[Sample]) -> list[Fit]:
    """One fit for each number of turns left, most turns first. Numbers of turns with too few positions
    are left out.
    """
    fits = []
    for turns in sorted({round(s.terms.turns) for s in samples}, reverse=True):
        chosen = [s for s in samples if round(s.terms.turns) == turns]
        sides = sorted({s.side for s in chosen})
        # a term that the game does not have is 0 in all positions
        present = [name for name in FITTED if any(getattr(s.terms, name) for s in chosen)]
        if len(chosen) <= len(present) + len(sides):
            continue
        rows: Array = np.array(
            [
                [*(getattr(s.terms, name) for name in present), *(float(s.side == side) for side in sides)]
                for s in chosen
            ]
        )
        gained: Array = np.array([s.gained for s in chosen])
        weights = np.linalg.lstsq(rows, gained, rcond=None)[0]
        residuals = gained - rows @ weights
        weight_of = dict(zip(present, weights.tolist(), strict=False))
        all_weights = tuple(weight_of.get(name, 0.0) for name in FITTED)
        fits.append(Fit(turns, len(chosen), all_weights, float(gained.std()), float(residuals.std())))
    return fits
