"""A whole unit moved by one displacement: masks of the legal cells, and the moves themselves.

A displacement window has ``grid`` x ``grid`` cells (``grid`` is odd) and spans ``reach`` inches each way. Cell ``row *
grid + column`` is the displacement ``((column - half) * step, (row - half) * step)`` with ``half = grid // 2`` and
``step = 2 * reach / (grid - 1)``. All models make the same move without turning: straight, or with one bend at the same
one of 16 points at half the reach. Moves with a bend stay on the ground and never climb; straight moves may climb. Each
model ends on the surface nearest in height to where it stood, or with ``prefer_high`` on the highest that it can reach.
The centre cell, which moves nobody, is legal for a unit in coherency.

Mask and move run the same code: a move is the same computation for one cell.
"""

from __future__ import annotations

from math import cos, pi, sin
from typing import NamedTuple

import numpy as np

from wh_env.core.geometry.board import Board
from wh_env.core.geometry.cells import (
    CLIMBS,
    GROUND_BAD,
    LIVE,
    ON_SOLID,
    PATH_BAD,
    TOO_HIGH,
    WORDS,
    Window,
    box_inside,
    window_rows,
)
from wh_env.core.geometry.paths import (
    allowance,
    is_coherent,
    may_engage,
)
from wh_env.core.geometry.raster import NONE, mark_markers, mark_models
from wh_env.core.geometry.raster_areas import mark_areas
from wh_env.core.geometry.raster_terrain import mark_terrain
from wh_env.core.geometry.readonly import read_only
from wh_env.core.geometry.shapes import (
    EPS,
    extent,
    horizontal_reach,
    overlaps_in_height,
)
from wh_env.core.geometry.straight_moves import (
    Bulk,
    Movers,
    _straight_move_legal,
    _unit_slides_freely,
    gather_unit,
    unit_allowance,
)
from wh_env.core.geometry.sweeps import OVERLAP
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import Array

BENDS = 16  # points through which a move with a bend may go, evenly all round
BEND_X = np.array([cos(2.0 * pi * k / BENDS) for k in range(BENDS)])
BEND_Y = np.array([sin(2.0 * pi * k / BENDS) for k in range(BENDS)])
MOST_CELLS = 61  # the most cells a side of a window: a row is the bits of one integer


def scratch_sizes(models: int, blocks: int, grid: int) -> tuple[int, int]:
    """The lengths of the float64 array ``scratch`` and the int32 array ``marks`` that the move kernels need, for these
    numbers of models and blocks and ``grid`` cells a side.

    Raises:
        ValueError: ``grid`` is above 61 (a row of cells is the bits of one integer).
    """
    if grid > MOST_CELLS:
        raise ValueError(f"grid is {grid}, expected at most {MOST_CELLS} cells a row")
    return max(grid * grid, 64) + 16 * models + 64 + 3 * BENDS + WORDS * grid, 4 * models + blocks + grid * grid


@inner_kernel
def _bulk(models: Array, limits: Array, rows: Array, n: int) -> Bulk:
    """The extent of the ``n`` models of ``rows`` as a whole."""
    least = 1e9
    most = 0.0
    tall = 0.0
    flat = True
    big = False
    west = south = 1e9
    east = north = -1e9
    x0 = y0 = 1e9
    x1 = y1 = -1e9
    for k in range(n):
        i = rows[k]
        m = models[i]
        own = allowance(models, limits, i)
        least = min(least, own)
        most = max(most, own)
        tall = max(tall, m["height"])
        flat = flat and m["z"] <= EPS
        big = big or (m["keywords"] & limits[0]["big_keywords"]) != 0
        r = m["radius"]
        west = min(west, m["x"] - r)
        east = max(east, m["x"] + r)
        south = min(south, m["y"] - r)
        north = max(north, m["y"] + r)
        ex = extent(models, i, m["facing"], 1.0, 0.0)
        ey = extent(models, i, m["facing"], 0.0, 1.0)
        x0 = min(x0, m["x"] - ex)
        x1 = max(x1, m["x"] + ex)
        y0 = min(y0, m["y"] - ey)
        y1 = max(y1, m["y"] + ey)
    return Bulk(least, most, tall, flat, big, west, south, east, north, x0, y0, x1, y1)


@inner_kernel
def _neighbours(
    models: Array, limits: Array, targets: Array, u: int, first: int, bulk: Bulk, span: float, near: Array, data: Array
) -> int:
    """List in ``near`` and ``data`` (see ``Movers``) the models that may be in the way of unit ``u`` or too close to
    it; returns how many.

    ``first``: a model of the unit. ``span``: inches that the unit may move.
    """
    total = len(models)
    lim = limits[0]
    nn = 0
    owner = models[first]["owner"]
    for j in range(total):
        q = models[j]
        far = q["radius"] + max(lim["engage"], lim["engage_across"], lim["keep_away"]) + EPS + span
        if q["x"] + far < bulk.west or q["x"] - far > bulk.east:
            continue
        if q["y"] + far < bulk.south or q["y"] - far > bulk.north:
            continue
        if q["on_table"] == 0 or q["unit"] == u:
            continue
        near[nn] = j
        data[nn] = q["x"]
        data[total + nn] = q["y"]
        data[2 * total + nn] = q["radius"]
        margin = NONE
        across = horizontal_reach(lim["engage"], lim["engage_z"], q["z"])
        level = overlaps_in_height(0.0, bulk.tall, q["z"], q["height"])
        if q["owner"] != owner:
            if lim["over_enemies"] == 0 and level and (q["keywords"] & lim["air_keywords"]) == 0:
                margin = OVERLAP
            if across >= 0.0 and not may_engage(models, limits, targets, first, j, lim["engage_path"], False):
                margin = across
        elif level:
            both_big = bulk.big and (q["keywords"] & lim["big_keywords"]) != 0
            shut = lim["over_friends"] == 0 and (q["keywords"] & lim["air_keywords"]) == 0
            if shut or (both_big and lim["over_big"] == 0):
                margin = OVERLAP
        data[3 * total + nn] = margin
        nn += 1
    return nn


@inner_kernel
def _blocks_near(blocks: Array, bulk: Bulk, span: float) -> Array:
    """Copies of the blocks that matter within ``span`` inches of the unit. The copy saves ten passes over all blocks
    for each cell.
    """
    nearby = np.empty_like(blocks)
    n = 0
    for b in range(len(blocks)):
        block = blocks[b]
        far = span + block["engage"]
        if block["max_x"] + far < bulk.west or block["min_x"] - far > bulk.east:
            continue
        if block["max_y"] + far < bulk.south or block["min_y"] - far > bulk.north:
            continue
        if block["solid"] != 0 or block["walkable"] != 0 or block["engage"] != 0.0:
            nearby[n] = block
            n += 1
    return read_only(nearby[:n])


@inner_kernel
def _areas_near(models: Array, blocks: Array, owner: int, near: Array, nn: int) -> Array:
    """Copies of the blocks across which a model of another owner than ``owner``, among the first ``nn`` of ``near``,
    may be engaged at all.
    """
    areas = np.empty_like(blocks)
    n = 0
    for b in range(len(blocks)):
        block = blocks[b]
        if block["engage"] <= 0.0:
            continue
        for o in range(nn):
            q = models[near[o]]
            far = q["radius"] + block["engage"] + EPS
            if (
                q["owner"] != owner
                and block["min_x"] - far <= q["x"] <= block["max_x"] + far
                and block["min_y"] - far <= q["y"] <= block["max_y"] + far
            ):
                areas[n] = block
                n += 1
                break
    return read_only(areas[:n])


@inner_kernel
def _find_bend(board: Board, movers: Movers, bulk: Bulk, dx: float, dy: float, at_half: float, bends: Array) -> int:
    """The number of the first point at ``at_half`` inches through which the unit can go to (dx, dy) with one bend; -1
    if there is none.

    ``bends``: for each point, 1 if the unit can reach it, 0 if not, -1 if that is not known yet.
    """
    for k in range(BENDS):
        wx = at_half * BEND_X[k]
        wy = at_half * BEND_Y[k]
        gx = dx - wx
        gy = dy - wy
        rest = bulk.least + EPS - at_half
        if bends[k] == 0.0 or rest < 0.0 or gx * gx + gy * gy > rest * rest:
            continue
        if bends[k] < 0.0:
            inside = box_inside(bulk.x0 + wx, bulk.y0 + wy, bulk.x1 + wx, bulk.y1 + wy, board.limits)
            bends[k] = 1.0 if inside and _unit_slides_freely(board, movers, bulk, 0.0, 0.0, wx, wy) else 0.0
            if bends[k] == 0.0:
                continue
        if _unit_slides_freely(board, movers, bulk, wx, wy, dx, dy):
            return k
    return -1


@inner_kernel
def _judge_cells(
    board: Board, movers: Movers, bulk: Bulk, window: Window, at_half: float, exactly: bool, bends: Array, codes: Array
) -> None:
    """Fill in the codes (see ``Room``) of the cells of the window.

    With ``exactly``, cells in doubt are judged as any path. Otherwise it is one cell that can be reached only with a
    bend, and if all models stay on the ground their heights (0) are put into ``movers.data``.
    """
    grid, step, row0, row1, words = window
    half = grid // 2
    total = len(board.models)
    may_bend = bulk.flat and not (bulk.big and movers.n > 1 and board.limits[0]["over_big"] == 0)
    for row in range(row0, row1):
        dy = (row - half) * step
        live = words[row, LIVE]
        on_solid = words[row, ON_SOLID] if bulk.flat else live
        hidden = words[row, PATH_BAD] | words[row, CLIMBS]
        live &= on_solid | ~words[row, GROUND_BAD]
        plain = live & ~(on_solid | hidden)  # all of them stay on the ground
        for col in range(grid if plain != 0 else 0):
            codes[row * grid + col] |= (plain >> col) & 1
        if plain != 0 and not exactly:
            movers.data[4 * total : 4 * total + movers.n] = 0.0
        live &= ~plain
        for col in range(grid if live != 0 else 0):
            if ((live >> col) & 1) == 0:
                continue
            c = row * grid + col
            dx = (col - half) * step
            solid = ((on_solid >> col) & 1) != 0
            exact = solid or (((words[row, PATH_BAD] | words[row, TOO_HIGH]) >> col) & 1) == 0
            if exact and exactly and _straight_move_legal(board, movers, dx, dy):
                codes[c] = 1
                continue
            if may_bend and not solid:
                k = _find_bend(board, movers, bulk, dx, dy, at_half, bends)
                if k >= 0:
                    codes[c] = 2 + k


@inner_kernel
def _drop_known(known: Array, words: Array, grid: int, row0: int, row1: int) -> tuple[int, int]:
    """Clear the cells that have a code in ``known`` from the live cells. Returns the first row with a live cell and the
    one after the last.
    """
    first = row1
    last = row0
    for row in range(row0, row1):
        bits = 0
        for col in range(grid):
            if known[row * grid + col] != 0:
                bits |= 1 << col
        words[row, LIVE] &= ~bits
        if words[row, LIVE] != 0:
            first = min(first, row)
            last = row + 1
    return first, last


class Room(NamedTuple):
    """The arrays that the search for displacements writes: parts of ``scratch`` and ``marks``."""

    rows: Array
    near: Array
    labels: Array
    walls: Array
    codes: Array  # by cell: 0 illegal, 1 straight, 2 + k with a bend at point k
    bends: Array
    hint: Array
    words: Array


@inner_kernel
def _room_for_cells(total: int, blocks: int, grid: int, scratch: Array, marks: Array) -> Room:
    """The room for ``total`` models and ``blocks`` blocks."""
    at = 8 * total + 8
    codes = 3 * total + blocks
    return Room(
        marks[:total],
        marks[total : 2 * total],
        marks[2 * total : 3 * total],
        marks[3 * total : codes],
        marks[codes : codes + grid * grid],
        scratch[at : at + 2 * BENDS],
        scratch[at + 2 * BENDS : at + 2 * BENDS + 4],
        scratch[at + 3 * BENDS : at + 3 * BENDS + WORDS * grid].view(np.int64).reshape((grid, WORDS)),
    )


@inner_kernel
def _live_rows(
    bulk: Bulk, limits: Array, grid: int, step: float, only: int, second_way: bool, codes: Array, words: Array
) -> tuple[int, int]:
    """Start the rows of the window: cells out of reach or over the table edge are not live.

    With ``only`` at least 0, only that cell is live; with ``second_way``, cells that have a code are not live. Returns
    the first row with a live cell and the one after the last.
    """
    half = grid // 2
    row = only // grid if only >= 0 else -1
    row0, row1 = window_rows(bulk.x0, bulk.y0, bulk.x1, bulk.y1, bulk.least, limits, step, grid, row, second_way, words)
    words[half, LIVE] &= ~(1 << half)
    if only >= 0:
        row0 = row
        row1 = row + 1
        words[row, LIVE] &= 1 << (only % grid)
    elif second_way:
        row0, row1 = _drop_known(codes, words, grid, row0, row1)
    return row0, row1


class Asked(NamedTuple):
    """The cells whose codes are asked for.

    Attributes:
        u, n: the unit and how many models it has.
        grid, step, reach: cells a side, inches from one to the next, inches each way.
        only: the one cell that is asked for; below 0: all.
    """

    u: int
    n: int
    grid: int
    step: float
    reach: float
    only: int


@inner_kernel
def _judge_way(board: Board, room: Room, asked: Asked, nn: int, again: bool, scratch: Array) -> tuple[bool, int]:
    """Fill in the codes of cells that the unit reaches past the blocks of ``board`` by its limits.

    ``again``: only of cells without a code; ``nn`` models are near and marked already.

    Returns:
        Whether the one cell that is asked for is reached straight, which leaves its code to the caller; and how many
        models are near.
    """
    models, units, blocks, corners, objectives, lim, targets = board
    u, n, grid, step, reach, only = asked
    rows, near, words = room.rows, room.near, room.words
    bulk = _bulk(models, lim, rows, n)
    span = min(bulk.least, reach * 1.5)
    row0, row1 = _live_rows(bulk, lim, grid, step, only, again, room.codes, words)
    if row0 >= row1:
        return False, nn
    possible = only >= 0 and words[row0, LIVE] != 0
    window = Window(grid, step, row0, row1, words)

    # what may be in the way or too close
    if not again:
        nn = _neighbours(models, lim, targets, u, rows[0], bulk, span, near, scratch)
    nearby = _blocks_near(blocks, bulk, span)
    across = lim[0]["engage_across"] > 0.0
    areas = _areas_near(models, nearby, models[rows[0]]["owner"], near, nn) if across else nearby[:0]
    nw = 0
    if bulk.flat:
        if not again:
            mark_models(models, lim, targets, rows, n, near, nn, scratch, span, window)
            if len(areas) > 0:
                mark_areas(models, areas, corners, lim, targets, rows, n, near, nn, scratch, span, window)
            if lim[0]["marker"] > 0.0:
                mark_markers(models, objectives, lim, rows, n, window)
        nw = mark_terrain(models, nearby, corners, lim, rows, n, bulk.most, window, room.walls)

    # the verdict on each cell
    room.hint[0] = -1.0
    room.hint[2] = room.hint[3] = 0.0
    room.bends[:BENDS] = -1.0
    past = Board(models, units, nearby, corners, objectives, lim, targets)
    movers = Movers(u, rows, n, near, nn, room.walls, nw, areas, scratch, room.labels, room.hint)
    if possible and _cell_reached_straight(past, movers, bulk, words[row0], only, grid, step):
        return True, nn
    _judge_cells(past, movers, bulk, window, 0.5 * min(bulk.least, reach), only < 0, room.bends, room.codes)
    return False, nn


@inner_kernel
def _rigid_codes(
    board: Board,
    u: int,
    grid: int,
    reach: float,
    only: int,
    scratch: Array,
    marks: Array,
    other_blocks: Array,
    other_limits: Array,
    ways: int,
) -> int:
    """Fill in the codes (see ``Room``) of all cells, or with ``only`` at least 0 of that cell. Returns the number of
    models; 0 if the unit is not in coherency.

    With two ``ways``, cells without a code are judged again with ``other_blocks`` and ``other_limits``. These must
    allow no more inches and treat models alike, because what models rule out is computed once; and there must be no
    more of the other blocks.
    """
    models, units, blocks, corners, objectives, limits, targets = board
    room = _room_for_cells(len(models), len(blocks), grid, scratch, marks)
    codes, centre = room.codes, grid // 2 * (grid + 1)
    step = 2.0 * reach / (grid - 1) if grid > 1 else 1.0
    n = gather_unit(models, units, u, room.rows)
    codes[:] = 0
    if n == 0 or not is_coherent(models, units, limits, u, room.labels):
        return 0
    if only == centre or not reach > 0.0:  # a window without extent has only its centre cell
        codes[centre] = 1 if only == centre or only < 0 else 0
        return n
    asked = Asked(u, n, grid, step, reach, only)
    straight, nn = _judge_way(board, room, asked, 0, False, scratch)
    if ways > 1 and not straight:
        other = Board(models, units, other_blocks, corners, objectives, other_limits, targets)
        straight, nn = _judge_way(other, room, asked, nn, True, scratch)
    if straight:
        codes[only] = 1
        return n
    codes[centre] = 1 if only < 0 else 0
    return n


@inner_kernel
def _cell_reached_straight(
    board: Board, movers: Movers, bulk: Bulk, word: Array, only: int, grid: int, step: float
) -> bool:
    """Whether the one cell in doubt (``only``, by its marks in ``word``) can be reached straight, judged as any path.

    False for a cell without a doubt, which ``_judge_cells`` settles.
    """
    clean = (word[LIVE] & ~(word[GROUND_BAD] | word[PATH_BAD] | word[CLIMBS] | word[ON_SOLID])) != 0
    if bulk.flat and clean:
        return False
    return _straight_move_legal(board, movers, (only % grid - grid // 2) * step, (only // grid - grid // 2) * step)


@kernel
def rigid_mask(
    models: Array,
    units: Array,
    blocks: Array,
    corners: Array,
    objectives: Array,
    limits: Array,
    targets: Array,
    u: int,
    grid: int,
    mask: Array,
    scratch: Array,
    marks: Array,
) -> int:
    """Mark in ``mask`` (``grid * grid`` entries) the displacements that all models of unit ``u`` can make together. The
    window reaches as far as the slowest model may move.

    Returns how many cells are marked; 0 if the unit is not in coherency (see ``placement.regroup_mask``). ``scratch``,
    ``marks``: as ``scratch_sizes`` says.
    """
    board = Board(models, units, blocks, corners, objectives, limits, targets)
    reach = unit_allowance(models, units, limits, u)
    return rigid_mask_in_window(board, u, grid, reach, blocks, limits, 1, mask, scratch, marks)


@inner_kernel
def rigid_mask_in_window(
    board: Board,
    u: int,
    grid: int,
    reach: float,
    other_blocks: Array,
    other_limits: Array,
    ways: int,
    mask: Array,
    scratch: Array,
    marks: Array,
) -> int:
    """``rigid_mask`` in a window of ``reach`` inches each way. With two ``ways``, also the cells that can be reached
    past ``other_blocks`` by ``other_limits`` (see ``_rigid_codes``).
    """
    _rigid_codes(board, u, grid, reach, -1, scratch, marks, other_blocks, other_limits, ways)
    at = 3 * len(board.models) + len(board.blocks)
    found = 0
    for c in range(grid * grid):
        mark = marks[at + c] != 0
        mask[c] = mark
        found += mark
    return found


@kernel
def rigid_apply(
    models: Array,
    units: Array,
    blocks: Array,
    corners: Array,
    objectives: Array,
    limits: Array,
    targets: Array,
    u: int,
    grid: int,
    cell: int,
    trail: Array,
    scratch: Array,
    marks: Array,
) -> int:
    """Move unit ``u`` by the displacement of ``cell``. Returns the number of points of its path; -1, and nothing moves,
    if it is not legal.

    The path is the same for every model: ``trail`` (float64, 2 x 2) becomes its displacements from the start. The
    centre cell is legal, has no points and moves nobody. It succeeds for exactly the cells of ``rigid_mask``.
    """
    board = Board(models, units, blocks, corners, objectives, limits, targets)
    reach = unit_allowance(models, units, limits, u)
    return rigid_apply_in_window(board, u, grid, reach, cell, trail, scratch, marks)


@inner_kernel
def rigid_apply_in_window(
    board: Board, u: int, grid: int, reach: float, cell: int, trail: Array, scratch: Array, marks: Array
) -> int:
    """``rigid_apply`` in a window of ``reach`` inches each way."""
    models, blocks, limits = board.models, board.blocks, board.limits
    total = len(models)
    n = _rigid_codes(board, u, grid, reach, cell, scratch, marks, blocks, limits, 1)
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
    at_half = 0.5 * min(_smallest_allowance(models, limits, rows, n), reach)
    trail[0, 0] = at_half * BEND_X[code - 2]
    trail[0, 1] = at_half * BEND_Y[code - 2]
    trail[1, 0] = dx
    trail[1, 1] = dy
    return 2


@inner_kernel
def _smallest_allowance(models: Array, limits: Array, rows: Array, n: int) -> float:
    """The smallest allowance, in inches, of the ``n`` models of ``rows``."""
    least = 1e9
    for k in range(n):
        least = min(least, allowance(models, limits, rows[k]))
    return least
