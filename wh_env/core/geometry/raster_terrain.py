"""Marking the cells of a displacement window: where a unit on the ground ends on terrain, or climbs over it on the way.

The window is the one of ``rigid``, the marks are the words of ``cells``.
"""

from __future__ import annotations

from math import cos, sin, sqrt

from wh_env.core.geometry.cells import (
    CLIMBS,
    FAR,
    GRAZES,
    LIVE,
    ON_SOLID,
    TOO_HIGH,
    Tangents,
    Window,
    behind,
    bits,
    cells,
    no_tangents,
    shadow,
    stretch,
    tangent_length,
)
from wh_env.core.geometry.paths import DIAGONALLY, LEVEL, ON_FOOT, may_stand_on, passes_through
from wh_env.core.geometry.raster import disc_on_polygon
from wh_env.core.geometry.shapes import EPS, SLACK, overlaps_in_height, polygon_overlap_at
from wh_env.core.geometry.sweeps import slide_span
from wh_env.core.kernel import inner_kernel
from wh_env.core.tables import CIRCLE, RECT, Array


@inner_kernel
def _overlap_on_row(
    models: Array, i: int, y: float, x0: float, x1: float, corners: Array, first: int, count: int
) -> tuple[float, float]:
    """The stretch, between ``x0`` and ``x1``, of places on the line at height ``y`` at which model ``i`` overlaps a
    convex polygon; left > right if there is none.
    """
    m = models[i]
    if m["shape"] != CIRCLE:
        t0, t1 = slide_span(models, i, x0, y, x1, y, m["facing"], corners, first, count)
        return (x0 + t0 * (x1 - x0), x0 + t1 * (x1 - x0)) if t0 <= t1 else (FAR, -FAR)
    r = m["half_a"] - SLACK
    left = FAR
    right = -FAR
    px = corners[first + count - 1, 0]
    py = corners[first + count - 1, 1]
    for k in range(first, first + count):
        qx = corners[k, 0]
        qy = corners[k, 1]
        wide = r * r - (y - qy) * (y - qy)
        if wide > 0.0:
            wide = sqrt(wide)
            left = min(left, qx - wide)
            right = max(right, qx + wide)
        # the edge p-q moved out by r
        ex = qx - px
        ey = qy - py
        if ey != 0.0:
            out = r / sqrt(ex * ex + ey * ey)
            t = (y - py + out * ex) / ey
            if 0.0 <= t <= 1.0:
                at = px + t * ex + out * ey
                left = min(left, at)
                right = max(right, at)
        px = qx
        py = qy
    return left, right


@inner_kernel
def _tangents(models: Array, i: int, corners: Array, first: int, count: int) -> Tangents:
    """Tangents from (0, 0) to the displacements at which model ``i`` overlaps a convex polygon, which it must not
    overlap where it stands.

    They are not trusted if the base touches the polygon at a corner.
    """
    m = models[i]
    a = m["half_a"] - SLACK
    b = m["half_b"] - SLACK
    c = 1.0
    s = 0.0
    flat = 1.0  # across its facing an oval stretched by this is a circle
    if m["shape"] != CIRCLE:
        c = cos(m["facing"])
        s = sin(m["facing"])
        if m["shape"] != RECT:
            flat = a / b
    ax = ay = al = bx = by = bl = 0.0
    for k in range(first, first + count):
        u = c * (corners[k, 0] - m["x"]) + s * (corners[k, 1] - m["y"])
        v = (c * (corners[k, 1] - m["y"]) - s * (corners[k, 0] - m["x"])) * flat
        length = 0.0
        if m["shape"] != RECT:
            length = tangent_length(u, v, a)
            if length <= 0.0:
                return no_tangents()
        for o in range(4 if m["shape"] == RECT else 2):
            if m["shape"] == RECT:
                gu = u + (a if o % 2 == 0 else -a)
                gv = v + (b if o < 2 else -b)
            else:
                side = a if o == 0 else -a
                along = length / (u * u + v * v)
                gu = (length * u + side * v) * along
                gv = (length * v - side * u) * along / flat
            far = sqrt(gu * gu + gv * gv)
            if far * far < GRAZES:
                return no_tangents()
            gx = (c * gu - s * gv) / far
            gy = (s * gu + c * gv) / far
            if k == first and o == 0:
                ax = bx = gx
                ay = by = gy
                al = bl = far
            if ax * gy - ay * gx < 0.0:
                ax = gx
                ay = gy
                al = far
            if bx * gy - by * gx > 0.0:
                bx = gx
                by = gy
                bl = far
    return Tangents(True, ax, ay, al, bx, by, bl)


@inner_kernel
def _stands_on(models: Array, i: int, x: float, y: float, corners: Array, first: int, count: int) -> bool:
    """Whether model ``i`` at (x, y) overlaps a convex polygon."""
    m = models[i]
    if m["shape"] == CIRCLE:
        return disc_on_polygon(x, y, m["radius"] - SLACK, corners, first, count)
    return polygon_overlap_at(models, i, x, y, m["facing"], corners, first, count)


@inner_kernel
def top_in_reach(
    models: Array, blocks: Array, limits: Array, i: int, x: float, y: float, along: float, most: float
) -> bool:
    """False if model ``i``, moved ``along`` inches to (x, y), certainly cannot stand there wholly on the top of a block
    that it can climb with ``most`` inches in all.

    It looks at the boxes of the blocks and not at their outlines, so True proves nothing.
    """
    lim = limits[0]
    m = models[i]
    r = min(m["half_a"], m["half_b"]) - SLACK
    for b in range(len(blocks)):
        block = blocks[b]
        if x - r < block["min_x"] or x + r > block["max_x"] or y - r < block["min_y"] or y + r > block["max_y"]:
            continue
        if not may_stand_on(models, blocks, limits, i, b):
            continue
        climb = block["z_high"] if block["z_high"] > lim["low"] else 0.0
        if lim["through_air"] == LEVEL:
            climb = 0.0
        cost = sqrt(along * along + climb * climb) if lim["through_air"] == DIAGONALLY else along + climb
        if cost <= most + EPS:
            return True
    return False


@inner_kernel
def _cheapest_climb(models: Array, blocks: Array, limits: Array, rows: Array, n: int) -> float:
    """The fewest inches that any model of the unit needs to climb onto any block; 1e9 if there is no block on which it
    may stand.
    """
    lim = limits[0]
    # what some model of the unit may do: most blocks are no matter to any
    on_floors = lim["floor_keywords"] == 0
    for k in range(n):
        on_floors = on_floors or (models[rows[k]]["keywords"] & lim["floor_keywords"]) != 0
    lowest = 1e9
    for b in range(len(blocks)):
        block = blocks[b]
        if block["walkable"] != 0 and (on_floors or ((lim["floor_kinds"] >> block["kind"]) & 1) == 0):
            lowest = min(lowest, block["z_high"] if block["z_high"] > lim["low"] else 0.0)
    return 0.0 if lim["through_air"] != ON_FOOT and lowest < 1e9 else lowest


@inner_kernel
def _mark_standing(
    models: Array,
    blocks: Array,
    corners: Array,
    limits: Array,
    i: int,
    b: int,
    solid: bool,
    row: int,
    left: float,
    right: float,
    to_stand: int,
    lowest: float,
    most: float,
    window: Window,
) -> None:
    """Mark the cells of a row, among ``to_stand``, in which model ``i`` ends on block ``b``, which it does from
    ``left`` to ``right``.

    If the block is ``solid`` and no top is in reach there, the cell is ruled out.

    Args:
        lowest: inches of the cheapest climb. most: inches that the unit may move.
    """
    grid, step, _, _, words = window
    m = models[i]
    start = blocks[b]["first"]
    count = blocks[b]["count"]
    dy = (row - grid // 2) * step
    y = m["y"] + dy
    first, last, doubt = stretch(left, right, step, grid)
    on = bits(first, last) & to_stand
    if solid and lowest > most + EPS:
        # no climb is possible at all, so the cells are ruled out without a look at each
        words[row, LIVE] &= ~(on & ~doubt)
        on &= doubt
    if on == 0:
        return
    for col in range(first, last):
        if ((on >> col) & 1) == 0:
            continue
        dx = (col - grid // 2) * step
        x = m["x"] + dx
        if (doubt >> col) & 1 and not _stands_on(models, i, x, y, corners, start, count):
            continue
        along = sqrt(dx * dx + dy * dy)
        if solid and (along + lowest > most + EPS or not top_in_reach(models, blocks, limits, i, x, y, along, most)):
            words[row, LIVE] &= ~(1 << col)
        else:
            words[row, ON_SOLID] |= 1 << col


@inner_kernel
def _mark_climbs(
    models: Array,
    blocks: Array,
    corners: Array,
    i: int,
    b: int,
    row: int,
    first: int,
    last: int,
    doubt: int,
    word: int,
    most: float,
    window: Window,
) -> None:
    """Mark the cells of a row, among ``first`` to ``last - 1`` of ``word``, on the straight way to which model ``i``
    climbs over block ``b``.

    The cells in ``doubt`` are judged one by one. ``most``: inches that the unit may move, climbs included.
    """
    grid, step, _, _, words = window
    m = models[i]
    x = m["x"]
    y = m["y"]
    dy = (row - grid // 2) * step
    climbs = word
    doubt &= word
    for col in range(first, last if doubt != 0 else first):
        if (doubt >> col) & 1:
            dx = (col - grid // 2) * step
            t0, t1 = slide_span(
                models, i, x, y, x + dx, y + dy, m["facing"], corners, blocks[b]["first"], blocks[b]["count"]
            )
            if t0 > t1:
                climbs &= ~(1 << col)
    words[row, CLIMBS] |= climbs
    up_and_down = 2.0 * blocks[b]["z_high"]
    too_high = climbs
    if up_and_down <= most + EPS:  # otherwise it is too high for every cell
        for col in range(first, last):
            dx = (col - grid // 2) * step
            if sqrt(dx * dx + dy * dy) + up_and_down <= most + EPS:
                too_high &= ~(1 << col)
    words[row, TOO_HIGH] |= too_high


@inner_kernel
def _columns_of(x0: float, x1: float, step: float, grid: int, in_way: bool) -> int:
    """Bits of the cells of a row between ``x0`` and ``x1``; with ``in_way`` also of those behind them."""
    west, east = shadow(x0, x1, step, grid) if in_way else cells(x0, x1, step, grid)
    return bits(west, east)


@inner_kernel
def _overlap_beside(
    models: Array, i: int, dy: float, reach: float, corners: Array, start: int, count: int
) -> tuple[float, float]:
    """Where model ``i``, displaced by ``dy``, overlaps a block: from which displacement along x to which, inches.

    ``reach``: the farthest displacement of the window, inches.
    """
    m = models[i]
    west, east = m["x"] - reach - 1.0, m["x"] + reach + 1.0
    left, right = _overlap_on_row(models, i, m["y"] + dy, west, east, corners, start, count)
    return left - m["x"], right - m["x"]


@inner_kernel
def _cells_behind(
    left: float, right: float, tangents: Tangents, dy: float, inside: bool, step: float, grid: int
) -> tuple[int, int, int]:
    """The cells of a row that may lie behind a block that the row crosses between ``left`` and ``right``.

    Returns what ``stretch`` does. All cells are behind, without doubt, if the model stands ``inside`` the block; all
    are in doubt if the tangents are not to be trusted.
    """
    if inside:
        return 0, grid, 0
    if not tangents.trusted:
        return 0, grid, -1
    left, right = behind(left, right, tangents, dy)
    return stretch(left, right, step, grid)


@inner_kernel
def _mark_block(
    models: Array,
    blocks: Array,
    corners: Array,
    limits: Array,
    i: int,
    b: int,
    over: bool,
    solid: bool,
    in_way: bool,
    lowest: float,
    most: float,
    window: Window,
) -> None:
    """Mark what block ``b`` does to model ``i``.

    Args:
        over: whether to mark the cells in which it ends on the block. solid: whether it may end there only on a top in
            reach.
        in_way: whether to mark the cells behind the block. lowest, most: as in ``_mark_standing``.
    """
    grid, step, row0, row1, words = window
    block = blocks[b]
    start, count = block["first"], block["count"]
    m = models[i]
    reach = grid // 2 * step + EPS
    y0 = block["min_y"] - m["y"] - m["radius"]
    y1 = block["max_y"] - m["y"] + m["radius"]
    low, high = shadow(y0, y1, step, grid) if in_way else cells(y0, y1, step, grid)
    box = _columns_of(block["min_x"] - m["x"] - m["radius"], block["max_x"] - m["x"] + m["radius"], step, grid, in_way)
    known = inside = False  # the tangents, and whether there are none because the model stands on the block
    tangents = no_tangents()
    for row in range(max(low, row0), min(high, row1)):
        dy = (row - grid // 2) * step
        live = words[row, LIVE] & box
        to_stand = live & ~words[row, ON_SOLID] if over and y0 <= dy <= y1 else 0
        to_climb = live & ~words[row, CLIMBS] if in_way else 0
        if (to_stand | to_climb) == 0:
            continue
        left, right = FAR, -FAR
        if y0 <= dy <= y1:
            left, right = _overlap_beside(models, i, dy, reach, corners, start, count)
        if to_stand != 0:
            _mark_standing(
                models, blocks, corners, limits, i, b, solid, row, left, right, to_stand, lowest, most, window
            )
            to_climb &= words[row, LIVE]
        if to_climb == 0:
            continue
        if not known:
            known = True
            t0, t1 = slide_span(models, i, m["x"], m["y"], m["x"], m["y"], m["facing"], corners, start, count)
            inside = t0 <= t1
            if not inside:
                tangents = _tangents(models, i, corners, start, count)
        first, last, doubt = _cells_behind(left, right, tangents, dy, inside, step, grid)
        word = bits(first, last) & to_climb
        if word != 0:
            _mark_climbs(models, blocks, corners, i, b, row, first, last, doubt, word, most, window)


@inner_kernel
def mark_terrain(
    models: Array,
    blocks: Array,
    corners: Array,
    limits: Array,
    rows: Array,
    n: int,
    most: float,
    window: Window,
    walls: Array,
) -> int:
    """Mark the cells in which a model of a unit on the ground ends on a block, and those to which one climbs. Fills
    ``walls`` with the rows of the blocks in the way; returns how many.
    """
    reach = window.grid // 2 * window.step + EPS
    lim = limits[0]
    nw = 0
    lowest = _cheapest_climb(models, blocks, limits, rows, n)
    all_through = True
    tall = 0.0
    for k in range(n):
        all_through = all_through and (models[rows[k]]["keywords"] & lim["through_keywords"]) != 0
        tall = max(tall, models[rows[k]]["height"])
    for b in range(len(blocks)):
        block = blocks[b]
        solid_block = block["solid"] != 0 and block["z_low"] < tall
        if not solid_block and (block["walkable"] == 0 or lim["prefer_high"] == 0):
            continue
        thick = block["z_high"] - block["z_low"]
        stops = False
        high_block = solid_block and (block["z_high"] > lim["low"] or thick > lim["low"])
        if all_through and ((lim["through_kinds"] >> block["kind"]) & 1) != 0:
            high_block = False
        for k in range(n):
            i = rows[k]
            m = models[i]
            r = m["radius"]
            if block["min_x"] - m["x"] - r > reach or block["max_x"] - m["x"] + r < -reach:
                continue
            if block["min_y"] - m["y"] - r > reach or block["max_y"] - m["y"] + r < -reach:
                continue
            solid = solid_block and overlaps_in_height(0.0, m["height"], block["z_low"], thick)
            over = solid or (lim["prefer_high"] == 1 and may_stand_on(models, blocks, limits, i, b))
            in_way = high_block and block["z_low"] < m["height"] - SLACK
            in_way = in_way and lim["through_air"] != LEVEL and not passes_through(models, blocks, limits, i, b)
            stops = stops or in_way
            if over or in_way:
                _mark_block(models, blocks, corners, limits, i, b, over, solid, in_way, lowest, most, window)
        if stops:
            walls[nw] = b
            nw += 1
    return nw
