"""The cells of a zone in which a unit can be set up in formation on the ground, and whether there is any.

``zone``, ``avoid`` and ``place`` are as in ``placement``. The formation (``formation_offsets``) is centred on the
middle of a cell (``zone_cell``). A mask is made row by row; the verdict on a cell does not depend on how many rows are
computed. A row of cells is the bits of one integer, as in ``cells``, so a row has at most ``rigid.MOST_CELLS`` cells.
"""

from __future__ import annotations

from math import ceil, floor, hypot, inf, sqrt
from typing import NamedTuple

import numpy as np

from wh_env.core.geometry.areas import engages_across
from wh_env.core.geometry.board import Board
from wh_env.core.geometry.cells import bits
from wh_env.core.geometry.paths import horizontal_distance_to_keep, may_engage
from wh_env.core.geometry.placement import (
    coherent_offsets,
    formation_offsets,
    gather_alive,
    in_box_at_edge,
    is_near_edge_at,
    is_near_model_at,
    zone_cell,
)
from wh_env.core.geometry.raster import disc_on_polygon
from wh_env.core.geometry.shapes import (
    EPS,
    SLACK,
    disc_gap_at,
    extent,
    gap_at,
    horizontal_reach,
    overlap_at,
    overlaps_in_height,
    polygon_overlap_at,
)
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import CIRCLE, Array


class Formation(NamedTuple):
    """A unit in formation, and the grid of places for its centre: the cell in column col, row r lies at ``(x0 + col *
    sx, y0 + r * sy)``.
    """

    u: int
    facing: float
    n: int  # how many models; 0 if the formation would not be coherent
    rows: Array  # their rows in `models`
    offsets: Array  # n x 2: their places from the centre, inches
    far: float  # radius of the circle round the formation
    west: float  # its bounding box, from the centre
    east: float
    south: float
    north: float
    x0: float
    y0: float
    x1: float
    y1: float
    sx: float
    sy: float


class Cells(NamedTuple):
    """Rows ``low`` to ``high - 1`` of the mask: bit col of ``words[row]`` (int64) is set while the cell is possible."""

    nx: int
    low: int
    high: int
    words: Array


@kernel
def _formation(
    models: Array,
    units: Array,
    limits: Array,
    u: int,
    zone: Array,
    place: Array,
    facing: float,
    nx: int,
    ny: int,
    scratch: Array,
    marks: Array,
) -> Formation:
    """Unit ``u`` in formation. Its model rows are written to ``marks``, their offsets to ``scratch``."""
    n = gather_alive(models, units, u, marks)
    offsets = scratch[: 2 * n].reshape((n, 2))
    far = 0.0
    if n > 0:
        far = formation_offsets(models, marks, n, facing, place[0]["gap"], place[0]["columns"], offsets)
        if not coherent_offsets(models, marks, n, offsets, facing, limits):
            n = 0
    x0, y0 = zone_cell(zone, limits, nx, ny, 0)
    x1, y1 = zone_cell(zone, limits, nx, ny, nx * ny - 1)
    sx = (x1 - x0) / (nx - 1) if nx > 1 else 1.0
    sy = (y1 - y0) / (ny - 1) if ny > 1 else 1.0
    west = south = inf
    east = north = -inf
    for k in range(n):
        i = marks[k]
        ex = extent(models, i, facing, 1.0, 0.0)
        ey = extent(models, i, facing, 0.0, 1.0)
        west = min(west, offsets[k, 0] - ex)
        east = max(east, offsets[k, 0] + ex)
        south = min(south, offsets[k, 1] - ey)
        north = max(north, offsets[k, 1] + ey)
    return Formation(u, facing, n, marks, offsets, far, west, east, south, north, x0, y0, x1, y1, sx, sy)


@inner_kernel
def _cells_between(fm: Formation, nx: int, west: float, east: float) -> int:
    """The word of the columns whose cells lie between x = ``west`` and x = ``east``."""
    return bits(max(0, ceil((west - fm.x0) / fm.sx)), min(nx - 1, floor((east - fm.x0) / fm.sx)) + 1)


@inner_kernel
def _mark_area(models: Array, limits: Array, fm: Formation, zone: Array, place: Array, cells: Cells) -> None:
    """Mark the cells in which the formation stands on the table, in the zone and near enough to a table edge, as
    ``place`` demands. Nothing else is checked.

    In the edge band (``edge_band``) all its models must be near the same edge.
    """
    nx, low, high, words = cells
    lim = limits[0]
    band = place[0]["edge_band"]
    edges = place[0]["edges"]
    for row in range(low, high):
        y = fm.y0 + row * fm.sy
        words[row] = 0
        if y + fm.south < -EPS or y + fm.north > lim["width"] + EPS:
            continue
        for col in range(nx):
            x = fm.x0 + col * fm.sx
            fits = x + fm.west >= -EPS and x + fm.east <= lim["length"] + EPS
            if fits and band > 0.0:
                fits = in_box_at_edge(x + fm.west, y + fm.south, x + fm.east, y + fm.north, limits, band, edges)
            if fits and place[0]["edge_reach"] > 0.0:
                for k in range(fm.n):
                    px = x + fm.offsets[k, 0]
                    py = y + fm.offsets[k, 1]
                    fits = fits and is_near_edge_at(models, fm.rows[k], px, py, fm.facing, limits, place)
            if fits:
                words[row] |= 1 << col
    for g in range(len(zone)):
        o = g + 1 if g + 1 < len(zone) else 0
        ux = zone[o, 1] - zone[g, 1]
        uy = zone[g, 0] - zone[o, 0]
        length = hypot(ux, uy)
        if length <= 0.0:
            continue
        ux /= length
        uy /= length
        out = -inf
        for k in range(fm.n):
            reach = extent(models, fm.rows[k], fm.facing, ux, uy)
            out = max(out, fm.offsets[k, 0] * ux + fm.offsets[k, 1] * uy + reach)
        out += -zone[g, 0] * ux - zone[g, 1] * uy
        for row in range(low, high):
            beyond = 0
            for col in range(nx):
                if (fm.x0 + col * fm.sx) * ux + (fm.y0 + row * fm.sy) * uy + out > EPS:
                    beyond |= 1 << col
            words[row] &= ~beyond


@inner_kernel
def _clear_models(models: Array, limits: Array, targets: Array, fm: Formation, place: Array, cells: Cells) -> None:
    """Clear the cells in which another model would overlap the formation or be too near: Engagement Range where it may
    not end, ``min_enemy``.
    """
    nx, low, high, words = cells
    rows, offsets, facing = fm.rows, fm.offsets, fm.facing
    lim = limits[0]
    owner = models[rows[0]]["owner"]
    bottom = fm.y0 + low * fm.sy
    top = fm.y0 + (high - 1) * fm.sy
    for j in range(len(models)):
        q = models[j]
        if q["on_table"] == 0 or q["unit"] == fm.u:
            continue
        kept_distance = -1.0
        if q["owner"] != owner:
            may_be_engaged = may_engage(models, limits, targets, rows[0], j, lim["engage_end"], True)
            if not may_be_engaged:
                kept_distance = horizontal_reach(lim["engage"], lim["engage_z"], q["z"])
            if place[0]["min_enemy"] > 0.0:
                kept_distance = max(kept_distance, horizontal_distance_to_keep(limits, place[0]["min_enemy"], q["z"]))
        more = kept_distance + EPS if kept_distance >= 0.0 else -SLACK
        reach = fm.far + q["radius"] + more
        if q["x"] + reach < fm.x0 or q["x"] - reach > fm.x1 or q["y"] + reach < bottom or q["y"] - reach > top:
            continue
        for k in range(fm.n):
            i = rows[k]
            m = models[i]
            if kept_distance < 0.0 and not overlaps_in_height(0.0, m["height"], q["z"], q["height"]):
                continue
            r = m["radius"] + q["radius"] + more
            cx = q["x"] - offsets[k, 0]
            cy = q["y"] - offsets[k, 1]
            both_round = m["shape"] == CIRCLE and q["shape"] == CIRCLE
            box = _cells_between(fm, nx, cx - r - EPS, cx + r + EPS)
            first_row = max(low, ceil((cy - r - fm.y0) / fm.sy))
            for row in range(first_row, min(high - 1, floor((cy + r - fm.y0) / fm.sy)) + 1):
                if words[row] & box == 0:
                    continue
                y = fm.y0 + row * fm.sy
                wide = r * r - (y - cy) * (y - cy)
                if wide <= 0.0:
                    continue
                wide = sqrt(wide)
                near = _cells_between(fm, nx, cx - wide, cx + wide)
                if both_round:
                    words[row] &= ~near
                    continue
                near &= words[row]
                for col in range(nx if near != 0 else 0):
                    if (near >> col) & 1 == 0:
                        continue
                    px = fm.x0 + col * fm.sx + offsets[k, 0]
                    py = y + offsets[k, 1]
                    if kept_distance >= 0.0:
                        if gap_at(models, i, px, py, facing, j, q["x"], q["y"], q["facing"]) <= more:
                            words[row] &= ~(1 << col)
                    elif overlap_at(models, i, px, py, facing, j, q["x"], q["y"], q["facing"]):
                        words[row] &= ~(1 << col)


@inner_kernel
def _clear_areas(board: Board, fm: Formation, cells: Cells) -> None:
    """Clear the cells in which a model would be engaged with an enemy across a block where it may not be."""
    models, _, blocks, corners, _, limits, targets = board
    nx, low, high, words = cells
    lim = limits[0]
    first = fm.rows[0]
    for j in range(len(models)):
        q = models[j]
        if q["on_table"] == 0 or q["owner"] == models[first]["owner"] or q["z"] > lim["engage_z"] + EPS:
            continue
        if may_engage(models, limits, targets, first, j, lim["engage_end"], True):
            continue
        for k in range(fm.n):
            i = fm.rows[k]
            r = models[i]["radius"] + q["radius"] + lim["engage_across"] + EPS
            cx = q["x"] - fm.offsets[k, 0] - fm.x0
            cy = q["y"] - fm.offsets[k, 1] - fm.y0
            first_row = max(low, ceil((cy - r) / fm.sy))
            for row in range(first_row, min(high - 1, floor((cy + r) / fm.sy)) + 1):
                for col in range(max(0, ceil((cx - r) / fm.sx)), min(nx - 1, floor((cx + r) / fm.sx)) + 1):
                    px = fm.x0 + col * fm.sx + fm.offsets[k, 0]
                    py = fm.y0 + row * fm.sy + fm.offsets[k, 1]
                    if (words[row] >> col) & 1 and engages_across(
                        models, blocks, corners, i, px, py, 0.0, fm.facing, j, lim["engage_z"]
                    ):
                        words[row] &= ~(1 << col)


@inner_kernel
def _clear_polygon(
    models: Array,
    fm: Formation,
    cells: Cells,
    corners: Array,
    start: int,
    count: int,
    bx0: float,
    by0: float,
    bx1: float,
    by1: float,
    ceiling: float,
    round_too: bool,
) -> None:
    """Clear the cells in which a model that is taller than ``ceiling`` would overlap a convex polygon.

    Args:
        corners, start, count: the polygon. bx0, by0, bx1, by1: its bounding box. round_too: use the exact test for
            discs for round bases.
    """
    nx, low, high, words = cells
    rows, offsets, facing = fm.rows, fm.offsets, fm.facing
    for k in range(fm.n):
        i = rows[k]
        m = models[i]
        r = m["radius"]
        if m["height"] <= ceiling:
            continue
        cx = fm.x0 + offsets[k, 0]
        cy = fm.y0 + offsets[k, 1]
        first = max(0, ceil((bx0 - r - cx) / fm.sx))
        last = min(nx - 1, floor((bx1 + r - cx) / fm.sx))
        box = bits(first, last + 1)
        for row in range(max(low, ceil((by0 - r - cy) / fm.sy)), min(high - 1, floor((by1 + r - cy) / fm.sy)) + 1):
            if words[row] & box == 0:
                continue
            for col in range(first, last + 1):
                if (words[row] >> col) & 1 == 0:
                    continue
                px = fm.x0 + col * fm.sx + offsets[k, 0]
                py = fm.y0 + row * fm.sy + offsets[k, 1]
                if m["shape"] == CIRCLE and round_too:
                    on = disc_on_polygon(px, py, r - SLACK, corners, start, count)
                else:
                    on = polygon_overlap_at(models, i, px, py, facing, corners, start, count)
                if on:
                    words[row] &= ~(1 << col)


@inner_kernel
def _clear_terrain(models: Array, blocks: Array, corners: Array, fm: Formation, avoid: Array, cells: Cells) -> None:
    """Clear the cells in which a model would overlap a solid block or the area ``avoid``."""
    bottom = fm.y0 + cells.low * fm.sy
    top = fm.y0 + (cells.high - 1) * fm.sy
    for b in range(len(blocks)):
        block = blocks[b]
        if (
            block["solid"] == 0
            or block["max_x"] + fm.far < fm.x0
            or block["min_x"] - fm.far > fm.x1
            or block["max_y"] + fm.far < bottom
            or block["min_y"] - fm.far > top
            or not overlaps_in_height(0.0, inf, block["z_low"], block["z_high"] - block["z_low"])
        ):
            continue
        _clear_polygon(
            models,
            fm,
            cells,
            corners,
            block["first"],
            block["count"],
            block["min_x"],
            block["min_y"],
            block["max_x"],
            block["max_y"],
            block["z_low"] + SLACK,
            True,
        )
    if len(avoid) > 0:
        bx0 = by0 = inf
        bx1 = by1 = -inf
        for g in range(len(avoid)):
            bx0 = min(bx0, avoid[g, 0])
            bx1 = max(bx1, avoid[g, 0])
            by0 = min(by0, avoid[g, 1])
            by1 = max(by1, avoid[g, 1])
        _clear_polygon(models, fm, cells, avoid, 0, len(avoid), bx0, by0, bx1, by1, -inf, False)


@inner_kernel
def _clear_markers(models: Array, objectives: Array, limits: Array, fm: Formation, cells: Cells) -> None:
    """Clear the cells in which a model would stand on an objective marker (see ``paths.on_marker_at``)."""
    nx, low, high, words = cells
    rows, offsets, facing = fm.rows, fm.offsets, fm.facing
    radius = limits[0]["marker"]
    if radius <= 0.0:
        return
    for o in range(len(objectives)):
        mark = objectives[o]
        if mark["placed"] == 0 or abs(mark["z"]) > limits[0]["marker_z"]:
            continue
        for k in range(fm.n):
            i = rows[k]
            far = radius + models[i]["radius"]
            cx = mark["x"] - fm.x0 - offsets[k, 0]
            cy = mark["y"] - fm.y0 - offsets[k, 1]
            first = max(0, ceil((cx - far - EPS) / fm.sx))
            last = min(nx - 1, floor((cx + far + EPS) / fm.sx))
            first_row = max(low, ceil((cy - far - EPS) / fm.sy))
            for row in range(first_row, min(high - 1, floor((cy + far + EPS) / fm.sy)) + 1):
                for col in range(first, last + 1):
                    if (words[row] >> col) & 1 == 0:
                        continue
                    px = fm.x0 + col * fm.sx + offsets[k, 0]
                    py = fm.y0 + row * fm.sy + offsets[k, 1]
                    if abs(mark["x"] - px) < far and abs(mark["y"] - py) < far:
                        if disc_gap_at(models, i, px, py, facing, mark["x"], mark["y"], radius - SLACK) <= 0.0:
                            words[row] &= ~(1 << col)


@inner_kernel
def _clear_far(models: Array, fm: Formation, place: Array, cells: Cells) -> None:
    """Clear the cells in which some model would not be near enough to the model that ``place`` names
    (``near_model``).
    """
    nx, low, high, words = cells
    carrier = place[0]["near_model"]
    for row in range(low, high):
        for col in range(nx):
            if (words[row] >> col) & 1 == 0:
                continue
            for k in range(fm.n):
                px = fm.x0 + col * fm.sx + fm.offsets[k, 0]
                py = fm.y0 + row * fm.sy + fm.offsets[k, 1]
                if not is_near_model_at(
                    models, fm.rows[k], px, py, fm.facing, carrier, place[0]["near"], place[0]["near_large"]
                ):
                    words[row] &= ~(1 << col)
                    break


@inner_kernel
def _any_marked(cells: Cells) -> bool:
    """Whether any cell is marked."""
    found = 0
    for row in range(cells.low, cells.high):
        found |= cells.words[row]
    return found != 0


@inner_kernel
def _mark_rows(board: Board, fm: Formation, zone: Array, avoid: Array, place: Array, cells: Cells) -> bool:
    """Mark the cells in which the formation can be set up; returns whether there is one."""
    models, _, blocks, corners, objectives, limits, targets = board
    _mark_area(models, limits, fm, zone, place, cells)
    if not _any_marked(cells):
        return False
    _clear_models(models, limits, targets, fm, place, cells)
    if not _any_marked(cells):
        return False
    if limits[0]["engage_across"] > 0.0:
        _clear_areas(board, fm, cells)
    _clear_terrain(models, blocks, corners, fm, avoid, cells)
    _clear_markers(models, objectives, limits, fm, cells)
    if place[0]["near_model"] >= 0:
        _clear_far(models, fm, place, cells)
    return _any_marked(cells)


@kernel
def place_mask(
    models: Array,
    units: Array,
    blocks: Array,
    corners: Array,
    objectives: Array,
    limits: Array,
    targets: Array,
    u: int,
    zone: Array,
    avoid: Array,
    place: Array,
    facing: float,
    nx: int,
    ny: int,
    scratch: Array,
    marks: Array,
    mask: Array,
) -> int:
    """Mark the cells of the zone (see ``zone_cell``) in which unit ``u`` can be set up in formation on the ground;
    returns how many.

    Args:
        zone, avoid, place: as in ``placement``. facing: radians. nx, ny: columns and rows of the grid.
        scratch: float64, at least 2 for each model of the unit and one for each row of cells. marks: int32, as long as
            ``models``.
        mask: by cell, set to 0 or 1.
    """
    mask[: nx * ny] = 0
    fm = _formation(models, units, limits, u, zone, place, facing, nx, ny, scratch, marks)
    if fm.n == 0:
        return 0
    board = Board(models, units, blocks, corners, objectives, limits, targets)
    words = scratch[2 * fm.n : 2 * fm.n + ny].view(np.int64)
    found = 0
    if _mark_rows(board, fm, zone, avoid, place, Cells(nx, 0, ny, words)):
        for row in range(ny):
            for col in range(nx):
                mark = (words[row] >> col) & 1
                mask[row * nx + col] = mark != 0
                found += mark
    return found


@kernel
def place_possible(
    models: Array,
    units: Array,
    blocks: Array,
    corners: Array,
    objectives: Array,
    limits: Array,
    targets: Array,
    u: int,
    zone: Array,
    avoid: Array,
    place: Array,
    facing: float,
    nx: int,
    ny: int,
    scratch: Array,
    marks: Array,
) -> bool:
    """Whether ``place_mask`` would mark any cell; the arguments are the same.

    It stops at the first row that has a cell. It goes from the middle row outwards, or, if there is an edge band, from
    the outer rows inwards, because most cells lie there.
    """
    fm = _formation(models, units, limits, u, zone, place, facing, nx, ny, scratch, marks)
    if fm.n == 0:
        return False
    board = Board(models, units, blocks, corners, objectives, limits, targets)
    words = scratch[2 * fm.n : 2 * fm.n + ny].view(np.int64)
    middle = ny // 2
    banded = place[0]["edge_band"] > 0.0
    for k in range(2 * middle + 1):
        away = (k + 1) // 2
        if banded and k > 0:
            away = middle + 1 - away
        row = middle + (away if k % 2 == 1 else -away)
        if row < ny and _mark_rows(board, fm, zone, avoid, place, Cells(nx, row, row + 1, words)):
            return True
    return False
