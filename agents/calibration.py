"""What positions turn out to be worth: the terms of ``tactician_value`` at the start of turns against the lead at the end.

Battles are played by the greedy policy for both sides, with slips, so that positions differ in more than dice.
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

SLIPS = (0.0, 0.1, 0.25)  # parts of the actions that are drawn instead, one of these by battle
FITTED = ("held", "near", "army", "strikes", "flights", "soon")


@dataclass(frozen=True)
class Sample:
    """A position at the start of a player turn, as the player sees it whose turn it is.

    Attributes:
        terms: see ``Terms``. gained: victory points by which the lead still changed. side: whose position it was (number of the
            battle's name, seat), as sides need not be even.
    """

    terms: Terms
    gained: float
    side: tuple[int, int]


@dataclass(frozen=True)
class Fit:
    """Least squares over the positions with so many turns left.

    Attributes:
        turns, samples: which and how many. weights: victory points for each unit of ``FITTED``.
        spread: standard deviation of what was gained. error: of what the fit leaves open.
    """

    turns: int
    samples: int
    weights: tuple[float, ...]
    spread: float
    error: float


def play(battle: Battle, side: int, rng: np.random.Generator) -> list[Sample]:
    """The positions of one battle, from before its first action; ``side`` is the number of its name."""
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
    """Positions of so many battles, taken from ``names`` in turn; ``{game}`` in a name is the number of the game."""
    samples: list[Sample] = []
    for game in range(games):
        side = game % len(names)
        name = names[side].replace("{game}", str(game))
        samples += play(Battle.load(name, seed + game), side, np.random.default_rng([seed, game]))
        progress(game + 1)
    return samples


def fit(samples: Sequence[Sample]) -> list[Fit]:
    """A fit for each number of turns left, the most first; each side has a constant of its own."""
    fits = []
    for turns in sorted({round(s.terms.turns) for s in samples}, reverse=True):
        chosen = [s for s in samples if round(s.terms.turns) == turns]
        sides = sorted({s.side for s in chosen})
        # what a game does not have is nothing in all of them
        there = [name for name in FITTED if any(getattr(s.terms, name) for s in chosen)]
        if len(chosen) <= len(there) + len(sides):
            continue
        rows: Array = np.array(
            [[*(getattr(s.terms, name) for name in there), *(float(s.side == side) for side in sides)] for s in chosen]
        )
        gained: Array = np.array([s.gained for s in chosen])
        weights = np.linalg.lstsq(rows, gained, rcond=None)[0]
        left = gained - rows @ weights
        found = dict(zip(there, weights.tolist(), strict=False))
        told = tuple(found.get(name, 0.0) for name in FITTED)
        fits.append(Fit(turns, len(chosen), told, float(gained.std()), float(left.std())))
    return fits
