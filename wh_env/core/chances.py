"""How likely sums of D6 are, and the numbers of a ruleset that plans count on: distances, and how far charges come."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from wh_env.core.tables import Array

FACES = range(1, 7)  # of a D6


@cache
def ways(dice: int) -> tuple[int, ...]:
    """In how many ways so many D6 (0 or more) add up to each total, by total from 0 to the highest, ``6 * dice``."""
    found = [1]
    for _ in range(dice):
        longer = [0] * (len(found) + max(FACES))
        for total, count in enumerate(found):
            for face in FACES:
                longer[total + face] += count
        found = longer
    return tuple(found)


@cache
def at_least(dice: int) -> Array:
    """The chance that so many D6 add up to at least n: float64 by n, from 0 to the first total out of reach."""
    counts = ways(dice)
    odds: Array = np.array([sum(counts[n:]) / len(FACES) ** dice for n in range(len(counts) + 1)])
    odds.setflags(write=False)
    return odds


def mean(dice: int) -> float:
    """What so many D6 add up to on average."""
    return dice * (FACES[0] + FACES[-1]) / 2


@dataclass(frozen=True)
class Chances:
    """Numbers of a ruleset that plans count on, in its unit of length.

    Attributes:
        engaged: distance of models that fight each other.
        charge_reach: distance within which a charge is declared.
        charge_dice: number of D6 of a Charge roll.
        marker: distance from the edge of a marker within which models count there.
    """

    engaged: float
    charge_reach: float
    charge_dice: int
    marker: float

    @property
    def charge(self) -> Array:
        """The chance that a Charge roll comes to at least n; see ``at_least``."""
        return at_least(self.charge_dice)

    @property
    def charge_mean(self) -> float:
        """What a Charge roll comes to on average."""
        return mean(self.charge_dice)

    def reaches(self, distance: Array) -> Array:
        """The chance that a charge over each of these straight distances succeeds, in the shape of ``distance``.

        It is 0 beyond the reach of charges, and for ``inf``.
        """
        needed = np.clip(np.ceil(distance - self.engaged - 1e-3), 0, len(self.charge) - 1).astype(np.int64)
        return np.where(distance > self.charge_reach + self.engaged, 0.0, self.charge[needed])
