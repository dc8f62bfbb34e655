"""Ways in which a unit may make the same move: past different obstacles, with more or fewer inches.

An edition with terrain that slows down who crosses it has a ``Ground``, which says what they are. A place is in reach if one of them leads there.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.paths import Fault
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.edition_parts.way_limits import limits_on

LEGAL = int(Fault.LEGAL)
BLOCKED = (int(Fault.TOO_FAR), int(Fault.OVERLAPS_TERRAIN))  # what becomes of moves through what is endlessly high


class Way(NamedTuple):
    """One of the ways to make a move.

    Attributes:
        blocks: what stands in the way (``BLOCK``, frozen). less: inches taken off each model's distance.
        leaves: what is remembered of the unit once a model has moved so, a number of the edition's.
        on_foot: whether who can FLY is kept off by what models walk around.
    """

    blocks: Array
    less: float
    leaves: int
    on_foot: bool

    def limits(self, limits: Array) -> Array:
        """A copy of the limits of the move that holds for this way."""
        own: Array = limits_on(limits, self.less, self.on_foot)
        return own


# of ways as kernels take them beside the blocks that stand in each: ``less`` and ``on_foot``
WAY = np.dtype([("less", "f8"), ("on_foot", "i4")], align=True)


def way_rows(*ways: Way) -> Array:
    """Rows of ``WAY``."""
    rows: Array = np.array([(way.less, way.on_foot) for way in ways], WAY)
    rows.flags.writeable = False
    return rows


def first_legal(faults: Iterable[int]) -> int:
    """``Fault`` of a move that is judged on one way after the other: legal if it is on one of them, else what is wrong on the first
    one, or on the last if the first leads into what it goes around."""
    first = last = LEGAL
    for number, last in enumerate(faults):
        if last == LEGAL:
            return LEGAL
        if number == 0:
            first = last
    return last if first in BLOCKED else first


class Ground:
    """Terrain that slows down who moves over it."""

    def mark_cells(self, g: BattleCore, unit: int, limits: Array, cells: Array) -> int:
        """Mark where the unit can go if all its models move alike (``rigid_mask``): wherever one of its ways leads. Returns how many there are."""
        raise NotImplementedError

    def move_together(self, g: BattleCore, unit: int, limits: Array, cell: int) -> int:
        """Move all models of the unit alike to that cell (``rigid_apply``), by the first of its ways that leads there: how many points the path
        in ``trail`` has, -1 if none does."""
        raise NotImplementedError

    def ways(self, g: BattleCore, unit: int, reach: float, *, by_model: bool = False) -> tuple[Way, ...]:
        """The ways of the unit to move up to ``reach`` inches, the first one first; none: it moves as if there were no such terrain.

        Of a unit that moves as one there are two at most; the second has no more blocks and inches than the first.

        ``by_model``: its models move one by one, and what some of them did binds the others.
        """
        raise NotImplementedError

    def went(self, g: BattleCore, unit: int, way: Way) -> None:
        """A model of the unit, whose models move one by one, has moved that way."""
        raise NotImplementedError

    def charged(self, g: BattleCore, unit: int, way: Way) -> None:
        """The unit has made its Charge move that way."""
        raise NotImplementedError
