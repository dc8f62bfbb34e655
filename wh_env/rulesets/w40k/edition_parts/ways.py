"""Ways in which a unit may make the same move: each has its own obstacles and its own distance.

An edition with terrain that slows down models that cross it has a ``Ground``, which lists the ways. A unit can reach a
place if one of its ways leads there.
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
BLOCKED = (int(Fault.TOO_FAR), int(Fault.OVERLAPS_TERRAIN))  # faults of moves through blocks that are infinitely high


class Way(NamedTuple):
    """One of the ways to make a move.

    Attributes:
        blocks: the terrain that models must go around (``BLOCK``, frozen).
        less: inches taken off the distance of each model.
        leaves: a number of the edition that is kept for the unit after a model has moved this way.
        on_foot: whether models that can FLY move on foot, too.
    """

    blocks: Array
    less: float
    leaves: int
    on_foot: bool

    def limits(self, limits: Array) -> Array:
        """A copy of the limits of the move, changed for this way."""
        own: Array = limits_on(limits, self.less, self.on_foot)
        return own


# a way as kernels take it, beside its blocks: ``less`` and ``on_foot`` of ``Way``
WAY = np.dtype([("less", "f8"), ("on_foot", "i4")], align=True)


def way_rows(*ways: Way) -> Array:
    """Rows of ``WAY``, read-only, one for each of the ways."""
    rows: Array = np.array([(way.less, way.on_foot) for way in ways], WAY)
    rows.flags.writeable = False
    return rows


def first_legal(faults: Iterable[int]) -> int:
    """``Fault`` of a move, given its faults on each of its ways in order. LEGAL if one of them is. Otherwise the fault
    on the first way, or on the last way if the first one is blocked (``BLOCKED``).
    """
    first = last = LEGAL
    for number, last in enumerate(faults):
        if last == LEGAL:
            return LEGAL
        if number == 0:
            first = last
    return last if first in BLOCKED else first


class Ground:
    """Terrain that slows down models that move over it."""

    def mark_cells(self, g: BattleCore, unit: int, limits: Array, cells: Array) -> int:
        """Mark in ``cells`` where the unit can go if all its models move alike (``rigid_mask``), on any of its ways.
        Returns the number of cells.
        """
        raise NotImplementedError

    def move_together(self, g: BattleCore, unit: int, limits: Array, cell: int) -> int:
        """Move all models of the unit alike to ``cell`` (``rigid_apply``), by the first of its ways that leads there.
        Returns the number of points of the path in ``trail``, -1 if no way leads there.
        """
        raise NotImplementedError

    def ways(self, g: BattleCore, unit: int, reach: float, *, by_model: bool = False) -> tuple[Way, ...]:
        """The ways of the unit to move up to ``reach`` inches, in order of preference. Empty: no such terrain matters.

        A unit whose models move alike has two ways at most. The second has no more blocks and no more inches than the
        first.

        ``by_model``: the models of the unit move one by one, and a way that one of them took can bind the others.
        """
        raise NotImplementedError

    def went(self, g: BattleCore, unit: int, way: Way) -> None:
        """A model of the unit has moved by ``way``. The models of the unit move one by one."""
        raise NotImplementedError

    def charged(self, g: BattleCore, unit: int, way: Way) -> None:
        """The unit has made its Charge move by ``way``."""
        raise NotImplementedError
