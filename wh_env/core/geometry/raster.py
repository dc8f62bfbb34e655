"""Marking the cells of a displacement window: where a unit on the ground cannot end, or not go straight, and why.

Cells as in ``rigid``: a base that must stay clear of another one is a disc of displacements it may not end in, and what
lies in the shadow of that disc, seen from no displacement, cannot be reached straight. Marks are bits.
"""

from __future__ import annotations

from math import ceil, floor, sqrt

from wh_env.core.geometry.paths import may_engage, may_stand_on, on_marker_at, passes_through
from wh_env.core.geometry.shapes import (
    EPS,
    SLACK,
    gap_at,
    overlap_at,
    overlaps_in_height,
    polygon_overlap_at,
    within_reach_at,
)
from wh_env.core.geometry.sweeps import segment_near, slide_hits, slide_span
from wh_env.core.kernel import kernel
from wh_env.core.tables import CIRCLE, Array

NONE = -9.0  # as a margin: this model is no obstacle

# what is known of a cell while the mask is made
DEAD, GROUND_BAD, PATH_BAD, CLIMBS, ON_SOLID = 1, 2, 4, 8, 16


@kernel
def cells(low: float, high: float, step: float, grid: int) -> tuple[int, int]:
    """First column (or row) with a displacement of at least ``low``, and the one after the last of at most ``high``."""
    half = grid // 2
    return max(0, ceil(low / step) + half), min(grid, floor(high / step) + half + 1)


@kernel
def shadow(low: float, high: float, step: float, grid: int) -> tuple[int, int]:
    """Columns (or rows) whose straight way from no displacement meets ``low`` .. ``high``."""
    if low > 0.0:
        return cells(low, grid * step, step, grid)
    if high < 0.0:
        return cells(-grid * step, high, step, grid)
    return 0, grid


@kernel
def box_inside(x0: float, y0: float, x1: float, y1: float, limits: Array) -> bool:
    """True if a box does not cross the table edge, or may."""
    lim = limits[0]
    if lim["cross_edge"] == 1:
        return True
    return bool(x0 >= -EPS and y0 >= -EPS and x1 <= lim["length"] + EPS and y1 <= lim["width"] + EPS)


@kernel
def disc_on_polygon(x: float, y: float, r: float, corners: Array, first: int, count: int) -> bool:
    """True if a disc overlaps a convex polygon."""
    best = -1e9
    near = 1e18
    px = corners[first + count - 1, 0]
    py = corners[first + count - 1, 1]
    for k in range(first, first + count):
        qx = corners[k, 0]
        qy = corners[k, 1]
        ex = qx - px
        ey = qy - py
        length2 = ex * ex + ey * ey
        if length2 > 0.0:
            away = ((x - px) * ey - (y - py) * ex) / sqrt(length2)
            if away >= r:
                return False
            best = max(best, away)
            if away > 0.0:
                t = min(1.0, max(0.0, ((x - px) * ex + (y - py) * ey) / length2))
                gx = px + t * ex - x
                gy = py + t * ey - y
                near = min(near, gx * gx + gy * gy)
        px = qx
        py = qy
    return best <= 0.0 or near < r * r


@kernel
def mark_models(
    models: Array, limits: Array, targets: Array, rows: Array, n: int, near: Array, nn: int, data: Array, span: float,
    grid: int, step: float, codes: Array,
) -> None:  # fmt: skip
    """Mark where a unit on the ground may not end because of the near models, and what it cannot reach straight."""
    total = len(models)
    half = grid // 2
    lim = limits[0]
    owner = models[rows[0]]["owner"]
    for o in range(nn):
        j = near[o]
        q = models[j]
        enemy = q["owner"] != owner
        keep = (
            enemy
            and q["z"] <= lim["engage_z"] + EPS
            and not may_engage(models, limits, targets, rows[0], j, lim["engage_end"], True)
        )
        away = enemy and lim["keep_away"] > 0.0
        apart = lim["engage"] if keep else 0.0
        if away:
            apart = max(apart, lim["keep_away"])
        margin = data[3 * total + o]
        for k in range(n):
            i = rows[k]
            m = models[i]
            cx = q["x"] - m["x"]
            cy = q["y"] - m["y"]
            both = m["radius"] + q["radius"]
            far = both + max(apart, margin) + EPS + span
            if cx * cx + cy * cy > far * far:
                continue
            round_pair = m["shape"] == CIRCLE and q["shape"] == CIRCLE
            level = overlaps_in_height(0.0, m["height"], q["z"], q["height"])
            # where it may not end: a disc of displacements
            if keep or away or level:
                r = both + apart + EPS if keep or away else both - SLACK
                low, high = cells(cy - r, cy + r, step, grid)
                for row in range(low, high):
                    dy = (row - half) * step
                    wide = r * r - (dy - cy) * (dy - cy)
                    if wide <= 0.0:
                        continue
                    wide = sqrt(wide)
                    first, last = cells(cx - wide, cx + wide, step, grid)
                    for c in range(row * grid + first, row * grid + last):
                        if round_pair:
                            codes[c] |= GROUND_BAD
                        elif (codes[c] & (DEAD | GROUND_BAD)) == 0:
                            x = m["x"] + (c - row * grid - half) * step
                            y = m["y"] + dy
                            f = m["facing"]
                            g = q["facing"]
                            bad = keep and within_reach_at(models, i, x, y, 0.0, f, j, lim["engage"], lim["engage_z"])
                            if not bad and away:
                                bad = gap_at(models, i, x, y, f, j, q["x"], q["y"], g) <= lim["keep_away"] + EPS
                            if bad or (level and overlap_at(models, i, x, y, f, j, q["x"], q["y"], g)):
                                codes[c] |= GROUND_BAD
            # what lies in its shadow cannot be reached straight
            if margin != NONE:
                r = both + (-SLACK if margin < 0.0 else margin + EPS)
                first, last = shadow(cx - r, cx + r, step, grid)
                low, high = shadow(cy - r, cy + r, step, grid)
                x = m["x"]
                y = m["y"]
                for row in range(low, high):
                    dy = (row - half) * step
                    for col in range(first, last):
                        c = row * grid + col
                        if (codes[c] & (DEAD | PATH_BAD)) != 0:
                            continue
                        dx = (col - half) * step
                        if segment_near(cx, cy, dx, dy, r):
                            if round_pair or slide_hits(models, i, x, y, x + dx, y + dy, m["facing"], j, margin):
                                codes[c] |= PATH_BAD


@kernel
def mark_markers(
    models: Array, objectives: Array, limits: Array, rows: Array, n: int, grid: int, step: float, codes: Array
) -> None:  # fmt: skip
    """Mark where a model of a unit on the ground would stand on an objective marker."""
    half = grid // 2
    lim = limits[0]
    for o in range(len(objectives)):
        mark = objectives[o]
        if mark["placed"] == 0 or abs(mark["z"]) > 1.0:
            continue
        for k in range(n):
            i = rows[k]
            m = models[i]
            cx = mark["x"] - m["x"]
            cy = mark["y"] - m["y"]
            r = m["radius"] + lim["marker"]
            first, last = cells(cx - r, cx + r, step, grid)
            low, high = cells(cy - r, cy + r, step, grid)
            for row in range(low, high):
                y = m["y"] + (row - half) * step
                for col in range(first, last):
                    c = row * grid + col
                    if (codes[c] & (DEAD | GROUND_BAD)) == 0:
                        x = m["x"] + (col - half) * step
                        if on_marker_at(models, objectives, limits, i, x, y, 0.0, m["facing"]):
                            codes[c] |= GROUND_BAD


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
    codes: Array, tops: Array, walls: Array,
) -> int:  # fmt: skip
    """Mark where a model of a unit on the ground stands on a block or climbs over one; fill and count ``walls`` in its way."""
    half = grid // 2
    window = half * step + EPS
    lim = limits[0]
    nb = len(blocks)
    nw = 0
    lowest = 1e9  # the least that any climb onto something costs
    for b in range(nb):
        block = blocks[b]
        for k in range(n):
            if may_stand_on(models, blocks, limits, rows[k], b):
                lowest = min(lowest, block["z_high"] if block["z_high"] > lim["low"] else 0.0)
    if lim["through_air"] == 1 and lowest < 1e9:
        lowest = 0.0
    for b in range(nb):
        block = blocks[b]
        start = block["first"]
        count = block["count"]
        thick = block["z_high"] - block["z_low"]
        stops = False
        high_block = block["z_high"] > lim["low"] or block["z_high"] - block["z_low"] > lim["low"]
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
            stand = may_stand_on(models, blocks, limits, i, b)
            solid = block["solid"] != 0 and overlaps_in_height(0.0, m["height"], block["z_low"], thick)
            if solid or (stand and lim["prefer_high"] == 1):
                first, last = cells(x0, x1, step, grid)
                low, high = cells(y0, y1, step, grid)
                for row in range(low, high):
                    dy = (row - half) * step
                    for col in range(first, last):
                        c = row * grid + col
                        if (codes[c] & (DEAD | ON_SOLID)) != 0:
                            continue
                        dx = (col - half) * step
                        x = m["x"] + dx
                        y = m["y"] + dy
                        # the circle round the base misses the block, the circle in it does not, or it has to be looked at
                        on = disc_on_polygon(x, y, r - SLACK, corners, start, count)
                        if on and m["shape"] != CIRCLE:
                            inner = min(m["half_a"], m["half_b"]) - SLACK
                            on = disc_on_polygon(x, y, inner, corners, start, count) or polygon_overlap_at(
                                models, i, x, y, m["facing"], corners, start, count
                            )
                        if on:
                            along = sqrt(dx * dx + dy * dy)
                            if solid and (
                                along + lowest > most + EPS
                                or not top_in_reach(models, blocks, limits, i, x, y, along, most)
                            ):
                                codes[c] |= DEAD
                            else:
                                codes[c] |= ON_SOLID
            in_way = high_block and block["z_low"] < m["height"] - SLACK
            if in_way and not passes_through(models, blocks, limits, i, b):
                stops = True
                first, last = shadow(x0, x1, step, grid)
                low, high = shadow(y0, y1, step, grid)
                for row in range(low, high):
                    dy = (row - half) * step
                    for col in range(first, last):
                        c = row * grid + col
                        if (codes[c] & (DEAD | CLIMBS)) != 0:
                            continue
                        dx = (col - half) * step
                        # clear of the box round the block on the way?
                        t0 = 0.0
                        t1 = 1.0
                        if dx > 0.0:
                            t0 = max(t0, x0 / dx)
                            t1 = min(t1, x1 / dx)
                        elif dx < 0.0:
                            t0 = max(t0, x1 / dx)
                            t1 = min(t1, x0 / dx)
                        if dy > 0.0:
                            t0 = max(t0, y0 / dy)
                            t1 = min(t1, y1 / dy)
                        elif dy < 0.0:
                            t0 = max(t0, y1 / dy)
                            t1 = min(t1, y0 / dy)
                        if t0 >= t1:
                            continue
                        x = m["x"]
                        y = m["y"]
                        t0, t1 = slide_span(models, i, x, y, x + dx, y + dy, m["facing"], corners, start, count)
                        if t0 <= t1:
                            codes[c] |= CLIMBS
                            tops[c] = block["z_high"]
        if stops:
            walls[nw] = b
            nw += 1
    return nw
