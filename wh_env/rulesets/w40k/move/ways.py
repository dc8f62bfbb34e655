"""Ways in which a unit may make the same move: past different obstacles, with more or fewer inches.

An edition with terrain that slows down who crosses it has a ``Ground``, which says what they are. A place is in reach if one of them leads there.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.paths import ON_FOOT, Fault
from wh_env.core.geometry.rigid import BEND_X, BEND_Y, _least, _rigid_codes
from wh_env.core.kernel import kernel
from wh_env.core.tables import Array

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
        own = limits.copy()
        own["extra"] -= self.less
        if self.on_foot:
            own["through_air"] = ON_FOOT
        return own


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

    def ways(self, g: BattleCore, unit: int, reach: float, *, by_model: bool = False) -> tuple[Way, ...]:
        """The ways of the unit to move up to ``reach`` inches, the first one first; none: it moves as if there were no such terrain.

        ``by_model``: its models move one by one, and what some of them did binds the others.
        """
        raise NotImplementedError

    def went(self, g: BattleCore, unit: int, way: Way) -> None:
        """A model of the unit, whose models move one by one, has moved that way."""
        raise NotImplementedError


@kernel
def add_reachable(
    models: Array, units: Array, blocks: Array, corners: Array, objectives: Array, limits: Array, targets: Array,
    u: int, grid: int, reach: float, mask: Array, scratch: Array, marks: Array,
) -> int:  # fmt: skip
    """Mark in ``mask``, beside what is marked there, the displacements that all models of unit ``u`` can make together; returns how
    many are new.

    As ``core.geometry.rigid.rigid_mask``, but the window reaches ``reach`` inches each way, however far the models may move.
    """
    _rigid_codes(models, units, blocks, corners, objectives, limits, targets, u, grid, reach, -1, scratch, marks)
    at = 3 * len(models) + len(blocks)
    found = 0
    for c in range(grid * grid):
        if marks[at + c] != 0 and mask[c] == 0:
            mask[c] = 1
            found += 1
    return found


@kernel
def move_together(
    models: Array, units: Array, blocks: Array, corners: Array, objectives: Array, limits: Array, targets: Array,
    u: int, grid: int, reach: float, cell: int, trail: Array, scratch: Array, marks: Array,
) -> int:  # fmt: skip
    """Move unit ``u`` by the displacement of ``cell`` of the window of ``add_reachable``; the number of points of its path, -1 if it cannot.

    As ``core.geometry.rigid.rigid_apply``; ``trail`` (float64, 2 x 2) comes back with the displacements from its start.
    """
    n = _rigid_codes(models, units, blocks, corners, objectives, limits, targets, u, grid, reach, cell, scratch, marks)
    total = len(models)
    code = marks[3 * total + len(blocks) + cell]
    half = grid // 2
    if n == 0 or code == 0:
        return -1
    if cell == half * grid + half:
        return 0
    step = 2.0 * reach / (grid - 1)
    dx = (cell % grid - half) * step
    dy = (cell // grid - half) * step
    rows = marks[:total]
    for k in range(n):
        m = models[rows[k]]
        m["x"] += dx
        m["y"] += dy
        if code == 1:
            m["z"] = scratch[4 * total + k]
    if code == 1:
        trail[0, 0] = dx
        trail[0, 1] = dy
        return 1
    at_half = 0.5 * min(_least(models, limits, rows, n), reach)
    trail[0, 0] = at_half * BEND_X[code - 2]
    trail[0, 1] = at_half * BEND_Y[code - 2]
    trail[1, 0] = dx
    trail[1, 1] = dy
    return 2
