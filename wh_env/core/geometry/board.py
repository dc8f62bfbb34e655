"""The tables that kernels judge moves by, as one named tuple.

If Python passes a tuple to a kernel, that costs more time than the arrays in it; if a kernel makes it, it costs
nothing. So a kernel that Python calls takes arrays and makes the tuple.
"""

from __future__ import annotations

from typing import NamedTuple

from wh_env.core.kernel import inner_kernel
from wh_env.core.tables import Array


class Board(NamedTuple):
    """Where everything stands and what a move may do.

    Attributes:
        models, units, blocks, corners, objectives: tables (``core.tables``). ``blocks`` may hold only the blocks that
            are near.
        limits: rows of ``MOVE_LIMITS``.
        targets: int32, one entry for each unit: not 0 if a move may come close to it where the limits say "only
            targets".
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
    """The same board with ``blocks`` in place of its own."""
    return Board(board.models, board.units, blocks, board.corners, board.objectives, board.limits, board.targets)
