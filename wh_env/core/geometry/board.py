"""The tables that moves are judged by, as kernels hand them to each other in one piece.

A tuple handed over by Python costs more than the arrays in it, one made inside a kernel costs nothing: so the kernel that Python calls
takes arrays and makes it.
"""

from __future__ import annotations

from typing import NamedTuple

from wh_env.core.kernel import inner_kernel
from wh_env.core.tables import Array


class Board(NamedTuple):
    """Where everything stands and what a move may do.

    ``blocks`` may be only those near enough to matter. ``limits``: rows of ``MOVE_LIMITS``. ``targets`` (int32, by unit): whom a
    move may come close to where the limits say "only targets".
    """

    models: Array
    units: Array
    blocks: Array
    corners: Array
    objectives: Array
    limits: Array
    targets: Array


@inner_kernel
def with_blocks(board: Board, blocks: Array) -> Board:
    """The same board with these blocks only."""
    return Board(board.models, board.units, blocks, board.corners, board.objectives, board.limits, board.targets)
