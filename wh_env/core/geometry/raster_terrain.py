"""Marking the cells of a displacement window: where a unit on the ground stands on terrain, or climbs over it.

Cells as in ``rigid``, their marks in words as ``cells`` says.
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
    behind,
    bits,
    cells,
    shadow,
    stretch,
    tangent_length,
)
from wh_env.core.geometry.paths import may_stand_on, passes_through
from wh_env.core.geometry.raster import disc_on_polygon
from wh_env.core.geometry.shapes import EPS, SLACK, overlaps_in_height, polygon_overlap_at
from wh_env.core.geometry.sweeps import slide_span
from wh_env.core.kernel import kernel
from wh_env.core.tables import CIRCLE, RECT, Array


@kernel
def _on_row(
    models: Array, i: int, y: float, x0: float, x1: float, corners: Array, first: int, count: int
) -> tuple[float, float]:
    """The stretch from ``x0`` to ``x1`` of places on the row ``y`` where model ``i`` overlaps a convex polygon."""
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


@kernel
def _tangents(
    models: Array, i: int, corners: Array, first: int, count: int
) -> tuple[bool, float, float, float, float, float, float]:
    """Tangents from no displacement to those at which model ``i`` overlaps a convex polygon, as ``behind`` takes them.

    First False if they cannot be trusted because the base touches the polygon at a corner. It must not overlap it.
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
                return False, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
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
                return False, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
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
    return True, ax, ay, al, bx, by, bl


@kernel
def _stands_on(models: Array, i: int, x: float, y: float, corners: Array, first: int, count: int) -> bool:
    """True if model ``i`` put at (x, y) overlaps a convex polygon."""
    m = models[i]
    if m["shape"] == CIRCLE:
        return disc_on_polygon(x, y, m["radius"] - SLACK, corners, first, count)
    return polygon_overlap_at(models, i, x, y, m["facing"], corners, first, count)


@kernel
def top_in_reach(
    models: Array, blocks: Array, limits: Array, i: int, x: float, y: float, along: float, most: float
) -> bool:
    """True if model ``i`` moved ``along`` inches to (x, y) may stand wholly on the top of some block it can climb to.

    ``most``: the inches it has. Boxes are looked at, not outlines: what is refused here is refused for sure.
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
        cost = sqrt(along * along + climb * climb) if lim["through_air"] == 1 else along + climb
        if cost <= most + EPS:
            return True
    return False


@kernel
def mark_terrain(
    models: Array, blocks: Array, corners: Array, limits: Array, rows: Array, n: int, most: float, grid: int, step: float,
    row0: int, row1: int, words: Array, walls: Array,
) -> int:  # fmt: skip
    """Mark where a model of a unit on the ground stands on a block or climbs over one; fill and count ``walls`` in its way."""
    half = grid // 2
    window = half * step + EPS
    lim = limits[0]
    nb = len(blocks)
    nw = 0
    # what some model of the unit may do, or all: most blocks are no matter to any
    some_on_floors = lim["floor_keywords"] == 0
    all_through = True
    tall = 0.0
    for k in range(n):
        m = models[rows[k]]
        some_on_floors = some_on_floors or (m["keywords"] & lim["floor_keywords"]) != 0
        all_through = all_through and (m["keywords"] & lim["through_keywords"]) != 0
        tall = max(tall, m["height"])
    lowest = 1e9  # the least that any climb onto something costs
    for b in range(nb):
        block = blocks[b]
        if block["walkable"] != 0 and (some_on_floors or ((lim["floor_kinds"] >> block["kind"]) & 1) == 0):
            lowest = min(lowest, block["z_high"] if block["z_high"] > lim["low"] else 0.0)
    if lim["through_air"] == 1 and lowest < 1e9:
        lowest = 0.0
    for b in range(nb):
        block = blocks[b]
        solid_block = block["solid"] != 0 and block["z_low"] < tall
        if not solid_block and (block["walkable"] == 0 or lim["prefer_high"] == 0):
            continue
        start = block["first"]
        count = block["count"]
        thick = block["z_high"] - block["z_low"]
        stops = False
        high_block = solid_block and (block["z_high"] > lim["low"] or thick > lim["low"])
        if all_through and ((lim["through_kinds"] >> block["kind"]) & 1) != 0:
            high_block = False
        for k in range(n):
            i = rows[k]
            m = models[i]
            r = m["radius"]
            x0 = block["min_x"] - m["x"] - r
            x1 = block["max_x"] - m["x"] + r
            y0 = block["min_y"] - m["y"] - r
            y1 = block["max_y"] - m["y"] + r
            if x0 > window or x1 < -window or y0 > window or y1 < -window:
                continue
            solid = solid_block and overlaps_in_height(0.0, m["height"], block["z_low"], thick)
            over = solid or (lim["prefer_high"] == 1 and may_stand_on(models, blocks, limits, i, b))
            in_way = high_block and block["z_low"] < m["height"] - SLACK
            if in_way and not passes_through(models, blocks, limits, i, b):
                stops = True
            else:
                in_way = False
            if not over and not in_way:
                continue
            west, east = shadow(x0, x1, step, grid) if in_way else cells(x0, x1, step, grid)
            low, high = shadow(y0, y1, step, grid) if in_way else cells(y0, y1, step, grid)
            box = bits(west, east)
            known = False  # the tangents
            inside = trusted = False
            ax = ay = al = bx = by = bl = 0.0
            for row in range(max(low, row0), min(high, row1)):
                dy = (row - half) * step
                live = words[row, LIVE] & box
                to_stand = live & ~words[row, ON_SOLID] if over and y0 <= dy <= y1 else 0
                to_climb = live & ~words[row, CLIMBS] if in_way else 0
                if (to_stand | to_climb) == 0:
                    continue
                left = FAR
                right = -FAR
                if y0 <= dy <= y1:
                    left, right = _on_row(
                        models, i, m["y"] + dy, m["x"] - window - 1.0, m["x"] + window + 1.0, corners, start, count
                    )
                    left -= m["x"]
                    right -= m["x"]
                if to_stand != 0:
                    first, last, doubt = stretch(left, right, step, grid)
                    on = bits(first, last) & to_stand
                    if on != 0:
                        for col in range(first, last):
                            if ((on >> col) & 1) == 0:
                                continue
                            dx = (col - half) * step
                            x = m["x"] + dx
                            y = m["y"] + dy
                            if (doubt >> col) & 1 and not _stands_on(models, i, x, y, corners, start, count):
                                continue
                            along = sqrt(dx * dx + dy * dy)
                            if solid and (
                                along + lowest > most + EPS
                                or not top_in_reach(models, blocks, limits, i, x, y, along, most)
                            ):
                                words[row, LIVE] &= ~(1 << col)
                            else:
                                words[row, ON_SOLID] |= 1 << col
                        to_climb &= words[row, LIVE]
                if to_climb == 0:
                    continue
                if not known:
                    known = True
                    t0, t1 = slide_span(models, i, m["x"], m["y"], m["x"], m["y"], m["facing"], corners, start, count)
                    inside = t0 <= t1
                    if not inside:
                        trusted, ax, ay, al, bx, by, bl = _tangents(models, i, corners, start, count)
                first = 0
                last = grid
                doubt = -1
                if inside:
                    doubt = 0
                elif trusted:
                    left, right = behind(left, right, ax, ay, al, bx, by, bl, dy)
                    first, last, doubt = stretch(left, right, step, grid)
                word = bits(first, last) & to_climb
                if word == 0:
                    continue
                for col in range(first, last):
                    if ((word >> col) & 1) == 0:
                        continue
                    dx = (col - half) * step
                    if (doubt >> col) & 1:
                        x = m["x"]
                        y = m["y"]
                        t0, t1 = slide_span(models, i, x, y, x + dx, y + dy, m["facing"], corners, start, count)
                        if t0 > t1:
                            continue
                    words[row, CLIMBS] |= 1 << col
                    if sqrt(dx * dx + dy * dy) + 2.0 * block["z_high"] > most + EPS:
                        words[row, TOO_HIGH] |= 1 << col
        if stops:
            walls[nw] = b
            nw += 1
    return nw
