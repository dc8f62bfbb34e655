"""The dice of a casting or dispelling attempt: free dice for sixes, and chances (wap.magic.cast.irresistible,
wap.magic.dispel.irresistible).
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.dice import FACES

LEAST = 3  # a natural total below it fails (wap.magic.cast.not-enough, wap.magic.dispel.not-enough)


class Thrown(NamedTuple):
    """The dice of an attempt as they fell: those of the pool, and a free die for each 6 among them."""

    dice: tuple[int, ...]
    free: tuple[int, ...]

    @property
    def total(self) -> int:
        """The natural total."""
        return sum(self.dice) + sum(self.free)

    @property
    def number(self) -> int:
        """How many dice were rolled, free ones included (wap.magic.miscast.roll)."""
        return len(self.dice) + len(self.free)

    @property
    def ones(self) -> int:
        """How many dice show a 1 (wap.magic.miscast.all-dice, wap.magic.miscast.natural)."""
        return self.dice.count(1) + self.free.count(1)


def throw_spell_dice(g: BattleCore, number: int, *, doubles: bool = False) -> Thrown:
    """Roll so many dice, and a free die for each 6; a 6 on a free die brings no further one. ``doubles``: two dice that
    show the same from 2 to 5 bring one too (wap.item.arcane.power-scroll).
    """
    dice = tuple(g.d6() for _ in range(number))
    pairs = sum(dice.count(face) // 2 for face in range(2, FACES)) if doubles else 0
    return Thrown(dice, tuple(g.d6() for _ in range(dice.count(FACES) + pairs)))


@cache
def totals(number: int) -> tuple[float, ...]:
    """The chance of each natural total of so many dice with their free dice; the index is the total."""
    one = [0.0] * (2 * FACES + 1)
    for face in range(1, FACES):
        one[face] = 1.0 / FACES
    for free in range(1, FACES + 1):
        one[FACES + free] += 1.0 / FACES**2
    found = [1.0]
    for _ in range(number):
        more = [0.0] * (len(found) + 2 * FACES)
        for total, chance in enumerate(found):
            for face, share in enumerate(one):
                more[total + face] += chance * share
        found = more
    return tuple(found)


@cache
def chance_of(number: int, needed: int) -> float:
    """The chance that so many dice reach a natural total of ``needed``; less than 3 is never enough."""
    return sum(totals(number)[max(LEAST, needed) :])


@cache
def chance_of_miscast(number: int) -> float:
    """The chance that two or more of so many dice and their free dice show a 1 (wap.magic.miscast.trigger)."""
    none, one = 1.0, 0.0  # no die shows a 1, a single one does
    of_none = 4 / FACES + 1 / FACES * 5 / FACES  # a die, with its free die, that brings no 1
    of_one = 1 / FACES + 1 / FACES**2  # ... that brings one
    for _ in range(number):
        none, one = none * of_none, one * of_none + none * of_one
    return 1.0 - none - one
