"""Marking the cells of a displacement window: where a unit on the ground cannot end, or not go straight, because of models.

Cells as in ``rigid``, their marks in words as ``cells`` says. Ends of a stretch of columns that rounding could decide, or
the shape of a base that is not round, are judged cell by cell.
"""

from __future__ import annotations

from math import cos, pi, sin, sqrt

import numpy as np

from wh_env.core.geometry.cells import (
    FAR,
    GROUND_BAD,
    LIVE,
    PATH_BAD,
    behind,
    bits,
    cells,
    disc_shadow,
    shadow,
    stretch,
    tangent_length,
)
from wh_env.core.geometry.paths import may_engage, on_marker_at
from wh_env.core.geometry.shapes import EPS, SLACK, _reach, gap_at, overlap_at, overlaps_in_height
from wh_env.core.geometry.sweeps import slide_hits
from wh_env.core.kernel import kernel
from wh_env.core.tables import CIRCLE, Array

NONE = -9.0  # as a margin: this model is no obstacle

_SURELY = 1e-3  # inches behind what is in the way that a search along a slide cannot miss it
_COMPASS = np.array([(cos(k * pi / 16.0), sin(k * pi / 16.0)) for k in range(32)])


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
    grid: int, step: float, row0: int, row1: int, words: Array,
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
            # circles in both bases that overlap: so do the bases
            inner = min(m["half_a"], m["half_b"]) + min(q["half_a"], q["half_b"])
            # where it may not end: a disc of displacements
            if keep or away or overlaps_in_height(0.0, m["height"], q["z"], q["height"]):
                r = both + apart + EPS if keep or away else both - SLACK
                ri = inner + apart if keep or away else inner - SLACK
                low, high = cells(cy - r, cy + r, step, grid)
                for row in range(max(low, row0), min(high, row1)):
                    dy = (row - half) * step
                    wide = r * r - (dy - cy) * (dy - cy)
                    open_cells = words[row, LIVE] & ~words[row, GROUND_BAD]
                    if wide <= 0.0 or open_cells == 0:
                        continue
                    wide = sqrt(wide)
                    first, last = cells(cx - wide, cx + wide, step, grid)
                    bad = bits(first, last)
                    if not round_pair and (bad & open_cells) != 0:
                        sure = 0
                        wide = ri * ri - (dy - cy) * (dy - cy)
                        if wide > 0.0:
                            wide = sqrt(wide)
                            sure0, sure1 = cells(cx - wide + EPS, cx + wide - EPS, step, grid)
                            sure = bits(sure0, sure1)
                        # those too near are neighbours: with one from either end so are all between them
                        y = m["y"] + dy
                        x = m["x"] - half * step
                        limit = apart if keep or away else NONE
                        while first < last and not (
                            ((open_cells >> first) & 1)
                            and (((sure >> first) & 1) or _too_near(models, i, x + first * step, y, j, limit))
                        ):
                            first += 1
                        while first < last - 1 and not (
                            ((open_cells >> (last - 1)) & 1)
                            and (((sure >> (last - 1)) & 1) or _too_near(models, i, x + (last - 1) * step, y, j, limit))
                        ):
                            last -= 1
                        bad = bits(first, last)
                    words[row, GROUND_BAD] |= bad
            # what lies in its shadow cannot be reached straight
            if margin != NONE:
                over = -SLACK if margin < 0.0 else margin + EPS
                mark_shadow(
                    models, i, j, margin, cx, cy, both + over, both + over if round_pair else inner + over,
                    grid, step, row0, row1, words,
                )  # fmt: skip


@kernel
def _too_near(models: Array, i: int, x: float, y: float, j: int, apart: float) -> bool:
    """True if model ``i`` put at (x, y) is within ``apart`` inches of ``j``; with ``NONE`` if they overlap."""
    f = models[i]["facing"]
    q = models[j]
    if apart == NONE:
        return overlap_at(models, i, x, y, f, j, q["x"], q["y"], q["facing"])
    return gap_at(models, i, x, y, f, j, q["x"], q["y"], q["facing"]) <= apart + EPS


@kernel
def _rim(models: Array, i: int, cut: float, c: float, s: float, nx: float, ny: float) -> tuple[float, float]:
    """The point of the outline of model ``i``, ``cut`` smaller, that lies farthest in the unit direction n of its facing."""
    m = models[i]
    a = m["half_a"] - cut
    if m["shape"] == CIRCLE:
        return a * nx, a * ny
    u, v = _reach(m["shape"], a, m["half_b"] - cut, c * nx + s * ny, c * ny - s * nx)
    return c * u - s * v, s * u + c * v


@kernel
def pair_tangents(
    models: Array, i: int, j: int, margin: float
) -> tuple[bool, float, float, float, float, float, float]:
    """Tangents from no displacement to those at which ``i`` is within ``margin`` of ``j``, as ``behind`` takes them.

    For bases of any shape. First False if no line is found that keeps them apart where they stand.
    """
    p = models[i]
    q = models[j]
    cx = q["x"] - p["x"]
    cy = q["y"] - p["y"]
    cut = 0.5 * SLACK if margin < 0.0 else 0.0
    edge = 0.0 if margin < 0.0 else margin + EPS
    ci = cos(p["facing"])
    si = sin(p["facing"])
    cj = cos(q["facing"])
    sj = sin(q["facing"])
    away = sqrt(cx * cx + cy * cy)
    best = -FAR
    nx = ny = 0.0
    turn = pi / 16.0
    # the normal of a line between them: a good guess, then better ones beside it
    for k in range(41 + 24):
        if k < 32:
            gx = _COMPASS[k, 0]
            gy = _COMPASS[k, 1]
        elif k < 40:
            c = ci if k < 36 else cj
            s = si if k < 36 else sj
            gx = c if k % 4 == 0 else (-c if k % 4 == 1 else (-s if k % 4 == 2 else s))
            gy = s if k % 4 == 0 else (-s if k % 4 == 1 else (c if k % 4 == 2 else -c))
        elif k == 40:
            gx = cx / max(away, EPS)
            gy = cy / max(away, EPS)
        else:
            step = turn if k % 2 == 0 else -turn
            gx = nx - step * ny
            gy = ny + step * nx
            far = sqrt(gx * gx + gy * gy)
            gx /= far
            gy /= far
        if gx * cx + gy * cy > 0.0:
            ux, uy = _rim(models, i, cut, ci, si, gx, gy)
            vx, vy = _rim(models, j, cut, cj, sj, gx, gy)
            apart = (cx - ux - vx) * gx + (cy - uy - vy) * gy - edge
            if apart > best:
                best = apart
                nx = gx
                ny = gy
        if k > 41 and k % 2 == 0:
            turn *= 0.5
    if best < 1e-6:
        return False, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    ax = ay = al = bx = by = bl = 0.0
    for side in (1.0, -1.0):
        # between the way to the middle of j, which meets it, and one along that line, which does not
        lx = cx / away
        ly = cy / away
        hx = side * ny
        hy = -side * nx
        tx = ty = 0.0
        for _ in range(40):
            gx = lx + hx
            gy = ly + hy
            far = sqrt(gx * gx + gy * gy)
            gx /= far
            gy /= far
            mx = -side * gy
            my = side * gx
            ux, uy = _rim(models, i, cut, ci, si, mx, my)
            vx, vy = _rim(models, j, cut, cj, sj, mx, my)
            tx = cx - ux - vx - edge * mx
            ty = cy - uy - vy - edge * my
            if tx * mx + ty * my >= 0.0:
                hx = gx
                hy = gy
            else:
                lx = gx
                ly = gy
        along = tx * hx + ty * hy
        if side > 0.0:
            ax, ay, al = hx, hy, along
        else:
            bx, by, bl = hx, hy, along
    return True, ax, ay, al, bx, by, bl


@kernel
def mark_shadow(
    models: Array, i: int, j: int, margin: float, cx: float, cy: float, outer: float, inner: float,
    grid: int, step: float, row0: int, row1: int, words: Array,
) -> None:  # fmt: skip
    """Mark the cells that model ``i`` does not reach straight because of ``j``, at (cx, cy) from it.

    It is in the way where the segment to a cell meets the disc of radius ``inner``, perhaps where it meets that of ``outer``.
    """
    half = grid // 2
    x = models[i]["x"]
    y = models[i]["y"]
    f = models[i]["facing"]
    length = tangent_length(cx, cy, outer)
    inside = length if outer == inner else tangent_length(cx, cy, inner)
    low, high = shadow(cy - outer, cy + outer, step, grid)
    known = outer == inner or row1 - row0 == 1  # not worth it for one row
    trusted = False
    ax = ay = al = bx = by = bl = 0.0
    for row in range(max(low, row0), min(high, row1)):
        open_cells = words[row, LIVE] & ~(words[row, GROUND_BAD] | words[row, PATH_BAD])
        if open_cells == 0:
            continue
        dy = (row - half) * step
        first = 0
        last = grid
        doubt = -1
        left = -FAR
        right = FAR
        if length >= 0.0:
            left, right = disc_shadow(cx, cy, outer, length, dy)
            first, last, doubt = stretch(left, right, step, grid)
        word = bits(first, last) & open_cells
        if word == 0:
            continue
        sure = word & ~doubt
        if outer != inner:
            if not known:
                known = True
                trusted, ax, ay, al, bx, by, bl = pair_tangents(models, i, j, margin)
            sure = 0
            if trusted:
                # nothing aside of the tangents is in the way, all between them and behind where they touch is
                a_side, b_side = behind(FAR, -FAR, ax, ay, 0.0, bx, by, 0.0, dy)
                if row == half:
                    a_side = 0.0 if ay <= 0.0 <= by else (-FAR if by <= 0.0 <= ay else FAR)
                    b_side = FAR if ay <= 0.0 <= by else (0.0 if by <= 0.0 <= ay else -FAR)
                first, last, doubt = stretch(max(left, a_side), min(right, b_side), step, grid)
                word = bits(first, last) & open_cells
                if word == 0:
                    continue
                left = FAR
                right = -FAR
                rise = by * bl - ay * al
                if rise != 0.0:
                    t = (dy - ay * al) / rise
                    if 0.0 <= t <= 1.0:
                        left = right = ax * al + t * (bx * bl - ax * al)
                left, right = behind(left, right, ax, ay, al, bx, by, bl, dy)
                left_cell, right_cell, _ = stretch(left + _SURELY, right - _SURELY, step, grid)
                sure = bits(left_cell, right_cell) & word
            if inside >= 0.0:
                left, right = disc_shadow(cx, cy, inner, inside, dy)
                a, b, doubt = stretch(left, right, step, grid)
                sure |= bits(a, b) & ~doubt & word
        if word != sure:
            # those in the way are neighbours: with one from either end so are all between them
            while first < last and not (
                ((word >> first) & 1)
                and (
                    ((sure >> first) & 1)
                    or slide_hits(models, i, x, y, x + (first - half) * step, y + dy, f, j, margin)
                )
            ):
                first += 1
            while first < last - 1 and not (
                ((word >> (last - 1)) & 1)
                and (
                    ((sure >> (last - 1)) & 1)
                    or slide_hits(models, i, x, y, x + (last - 1 - half) * step, y + dy, f, j, margin)
                )
            ):
                last -= 1
            word &= bits(first, last)
        words[row, PATH_BAD] |= word


@kernel
def mark_markers(
    models: Array, objectives: Array, limits: Array, rows: Array, n: int, grid: int, step: float, row0: int, row1: int,
    words: Array,
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
            for row in range(max(low, row0), min(high, row1)):
                y = m["y"] + (row - half) * step
                for col in range(first, last):
                    if ((words[row, LIVE] & ~words[row, GROUND_BAD]) >> col) & 1:
                        x = m["x"] + (col - half) * step
                        if on_marker_at(models, objectives, limits, i, x, y, 0.0, m["facing"]):
                            words[row, GROUND_BAD] |= 1 << col
