"""Marking the cells of a displacement window: where a unit on the ground cannot end, or not go straight, because of models.

Cells as in ``rigid``, their marks in words as ``cells`` says. Ends of a stretch of columns that rounding could decide, or
the shape of a base that is not round, are judged cell by cell.
"""

from __future__ import annotations

from math import cos, pi, sin, sqrt
from typing import NamedTuple

import numpy as np

from wh_env.core.geometry.cells import (
    FAR,
    GROUND_BAD,
    LIVE,
    PATH_BAD,
    Tangents,
    Window,
    behind,
    bits,
    cells,
    disc_shadow,
    no_tangents,
    shadow,
    stretch,
    tangent_length,
)
from wh_env.core.geometry.paths import may_engage, on_marker_at
from wh_env.core.geometry.shapes import EPS, SLACK, _reach, gap_at, overlap_at, overlaps_in_height, reach_across
from wh_env.core.geometry.sweeps import slide_hits
from wh_env.core.kernel import inner_kernel
from wh_env.core.tables import CIRCLE, Array

NONE = -9.0  # as a margin: this model is no obstacle

_HALVINGS = 32  # of an angle, which leaves far less of it than a stretch of cells is unsure by
_SURELY = 1e-3  # inches behind what is in the way that a search along a slide cannot miss it
_COMPASS = np.array([(cos(k * pi / 16.0), sin(k * pi / 16.0)) for k in range(32)])


@inner_kernel
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


@inner_kernel
def mark_models(
    models: Array, limits: Array, targets: Array, rows: Array, n: int, near: Array, nn: int, data: Array, span: float,
    window: Window,
) -> None:  # fmt: skip
    """Mark where a unit on the ground may not end because of the near models, and what it cannot reach straight."""
    total = len(models)
    lim = limits[0]
    owner = models[rows[0]]["owner"]
    for o in range(nn):
        j = near[o]
        q = models[j]
        enemy = q["owner"] != owner
        across = reach_across(lim["engage"], lim["engage_z"], q["z"])
        keep = enemy and across >= 0.0 and not may_engage(models, limits, targets, rows[0], j, lim["engage_end"], True)
        away = enemy and lim["keep_away"] > 0.0
        apart = across if keep else 0.0
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
            if keep or away:
                mark_ends(models, i, j, apart, cx, cy, both + apart + EPS, inner + apart, window)
            elif overlaps_in_height(0.0, m["height"], q["z"], q["height"]):
                mark_ends(models, i, j, NONE, cx, cy, both - SLACK, inner - SLACK, window)
            # what lies in its shadow cannot be reached straight
            if margin != NONE:
                over = -SLACK if margin < 0.0 else margin + EPS
                mark_shadow(
                    models, i, j, margin, cx, cy, both + over, both + over if round_pair else inner + over, window
                )  # fmt: skip


@inner_kernel
def mark_ends(
    models: Array, i: int, j: int, apart: float, cx: float, cy: float, outer: float, inner: float, window: Window
) -> None:
    """Mark the cells in which model ``i`` ends within ``apart`` inches of ``j`` (``NONE``: on it), which is at (cx, cy) from it.

    A disc of displacements: of radius ``outer`` for round bases, else at most that, and at least of radius ``inner``.
    """
    m = models[i]
    grid, step, row0, row1, words = window
    half = grid // 2
    round_pair = m["shape"] == CIRCLE and models[j]["shape"] == CIRCLE
    low, high = cells(cy - outer, cy + outer, step, grid)
    for row in range(max(low, row0), min(high, row1)):
        dy = (row - half) * step
        wide = outer * outer - (dy - cy) * (dy - cy)
        open_cells = words[row, LIVE] & ~words[row, GROUND_BAD]
        if wide <= 0.0 or open_cells == 0:
            continue
        wide = sqrt(wide)
        first, last = cells(cx - wide, cx + wide, step, grid)
        bad = bits(first, last)
        if not round_pair and (bad & open_cells) != 0:
            sure = 0
            wide = inner * inner - (dy - cy) * (dy - cy)
            if wide > 0.0:
                wide = sqrt(wide)
                sure0, sure1 = cells(cx - wide + EPS, cx + wide - EPS, step, grid)
                sure = bits(sure0, sure1)
            # those too near are neighbours: with one from either end so are all between them
            y = m["y"] + dy
            x = m["x"] - half * step
            while first < last and not (
                ((open_cells >> first) & 1)
                and (((sure >> first) & 1) or _too_near(models, i, x + first * step, y, j, apart))
            ):
                first += 1
            while first < last - 1 and not (
                ((open_cells >> (last - 1)) & 1)
                and (((sure >> (last - 1)) & 1) or _too_near(models, i, x + (last - 1) * step, y, j, apart))
            ):
                last -= 1
            bad = bits(first, last)
        words[row, GROUND_BAD] |= bad


@inner_kernel
def _too_near(models: Array, i: int, x: float, y: float, j: int, apart: float) -> bool:
    """True if model ``i`` put at (x, y) is within ``apart`` inches of ``j``; with ``NONE`` if they overlap."""
    f = models[i]["facing"]
    q = models[j]
    if apart == NONE:
        return overlap_at(models, i, x, y, f, j, q["x"], q["y"], q["facing"])
    return gap_at(models, i, x, y, f, j, q["x"], q["y"], q["facing"]) <= apart + EPS


@inner_kernel
def _rim(models: Array, i: int, cut: float, c: float, s: float, nx: float, ny: float) -> tuple[float, float]:
    """The point of the outline of model ``i``, ``cut`` smaller, that lies farthest in the unit direction n of its facing."""
    m = models[i]
    a = m["half_a"] - cut
    if m["shape"] == CIRCLE:
        return a * nx, a * ny
    u, v = _reach(m["shape"], a, m["half_b"] - cut, c * nx + s * ny, c * ny - s * nx)
    return c * u - s * v, s * u + c * v


class Pair(NamedTuple):
    """Two models, of which the second stands at (cx, cy) from the first."""

    i: int
    j: int
    cx: float
    cy: float
    cut: float  # by so much both are taken smaller all round
    edge: float  # this near to each other they meet
    ci: float  # cosine and sine of their facings
    si: float
    cj: float
    sj: float


@inner_kernel
def _clearance(models: Array, pair: Pair, nx: float, ny: float) -> tuple[float, float]:
    """The way from the rim of the first model to that of the second, both at their farthest in the unit direction n towards each
    other."""
    ux, uy = _rim(models, pair.i, pair.cut, pair.ci, pair.si, nx, ny)
    vx, vy = _rim(models, pair.j, pair.cut, pair.cj, pair.sj, nx, ny)
    return pair.cx - ux - vx, pair.cy - uy - vy


@inner_kernel
def _parting(models: Array, pair: Pair, away: float) -> tuple[float, float, float]:
    """The normal of a line that keeps two models apart whose centres are ``away`` from each other, and by how much it does."""
    if away < EPS:
        return 0.0, 0.0, -FAR
    # mostly the line across the way from one to the other will do
    nx = pair.cx / away
    ny = pair.cy / away
    tx, ty = _clearance(models, pair, nx, ny)
    best = tx * nx + ty * ny - pair.edge
    if best > _SURELY:
        return nx, ny, best
    turn = pi / 16.0
    # a good guess, then better ones beside it
    for k in range(40 + 24):
        if k < 32:
            gx = _COMPASS[k, 0]
            gy = _COMPASS[k, 1]
        elif k < 40:
            c = pair.ci if k < 36 else pair.cj
            s = pair.si if k < 36 else pair.sj
            gx = c if k % 4 == 0 else (-c if k % 4 == 1 else (-s if k % 4 == 2 else s))
            gy = s if k % 4 == 0 else (-s if k % 4 == 1 else (c if k % 4 == 2 else -c))
        else:
            step = turn if k % 2 == 0 else -turn
            gx = nx - step * ny
            gy = ny + step * nx
            far = sqrt(gx * gx + gy * gy)
            gx /= far
            gy /= far
        if gx * pair.cx + gy * pair.cy > 0.0:
            tx, ty = _clearance(models, pair, gx, gy)
            apart = tx * gx + ty * gy - pair.edge
            if apart > best:
                best = apart
                nx = gx
                ny = gy
        if k > 40 and k % 2 == 1:
            turn *= 0.5
    return nx, ny, best


@inner_kernel
def _tangent(
    models: Array, pair: Pair, away: float, nx: float, ny: float, side: float
) -> tuple[float, float, float]:  # fmt: skip
    """Unit direction and length of the tangent on one side; n: the normal of a line that keeps the models apart."""
    # between the way to the middle of j, which meets it, and one along that line, which does not
    lx = pair.cx / away
    ly = pair.cy / away
    hx = side * ny
    hy = -side * nx
    tx = ty = 0.0
    for _ in range(_HALVINGS):
        gx = lx + hx
        gy = ly + hy
        far = sqrt(gx * gx + gy * gy)
        gx /= far
        gy /= far
        mx = -side * gy
        my = side * gx
        tx, ty = _clearance(models, pair, mx, my)
        tx -= pair.edge * mx
        ty -= pair.edge * my
        if tx * mx + ty * my >= 0.0:
            hx = gx
            hy = gy
        else:
            lx = gx
            ly = gy
    return hx, hy, tx * hx + ty * hy


@inner_kernel
def pair_tangents(models: Array, i: int, j: int, margin: float) -> Tangents:
    """Tangents from no displacement to those at which ``i`` is within ``margin`` of ``j``, for bases of any shape.

    They cannot be trusted if no line is found that keeps the models apart where they stand.
    """
    p = models[i]
    q = models[j]
    cx = q["x"] - p["x"]
    cy = q["y"] - p["y"]
    cut = 0.5 * SLACK if margin < 0.0 else 0.0
    edge = 0.0 if margin < 0.0 else margin + EPS
    pair = Pair(
        i, j, cx, cy, cut, edge, cos(p["facing"]), sin(p["facing"]), cos(q["facing"]), sin(q["facing"])
    )  # fmt: skip
    away = sqrt(cx * cx + cy * cy)
    nx, ny, apart = _parting(models, pair, away)
    if apart < 1e-6:
        return no_tangents()
    ax, ay, al = _tangent(models, pair, away, nx, ny, 1.0)
    bx, by, bl = _tangent(models, pair, away, nx, ny, -1.0)
    return Tangents(True, ax, ay, al, bx, by, bl)


@inner_kernel
def _between_tangents(
    t: Tangents, left: float, right: float, row: int, window: Window
) -> tuple[int, int, int]:  # fmt: skip
    """Of the cells of a row within ``left`` .. ``right`` the first one between the tangents, the one after the last, and the word of
    those that are surely behind where they touch."""
    grid, step, _, _, _ = window
    dy = (row - grid // 2) * step
    # nothing aside of the tangents is in the way, all between them and behind where they touch is
    a_side, b_side = behind(FAR, -FAR, Tangents(True, t.ax, t.ay, 0.0, t.bx, t.by, 0.0), dy)
    if row == grid // 2:
        a_side = 0.0 if t.ay <= 0.0 <= t.by else (-FAR if t.by <= 0.0 <= t.ay else FAR)
        b_side = FAR if t.ay <= 0.0 <= t.by else (0.0 if t.by <= 0.0 <= t.ay else -FAR)
    first, last, _ = stretch(max(left, a_side), min(right, b_side), step, grid)
    left = FAR
    right = -FAR
    rise = t.by * t.bl - t.ay * t.al
    if rise != 0.0:
        along = (dy - t.ay * t.al) / rise
        if 0.0 <= along <= 1.0:
            left = right = t.ax * t.al + along * (t.bx * t.bl - t.ax * t.al)
    left, right = behind(left, right, t, dy)
    left_cell, right_cell, _ = stretch(left + _SURELY, right - _SURELY, step, grid)
    return first, last, bits(left_cell, right_cell)


@inner_kernel
def _stopped(
    models: Array, i: int, j: int, margin: float, word: int, sure: int, first: int, last: int, row: int, window: Window
) -> int:
    """Those cells of a row, among ``first`` .. ``last`` - 1 of ``word``, that ``j`` stops model ``i`` on its way to, as it does for
    sure where ``sure`` says so."""
    x = models[i]["x"]
    y = models[i]["y"]
    f = models[i]["facing"]
    half = window.grid // 2
    step = window.step
    dy = (row - half) * step
    # those in the way are neighbours: with one from either end so are all between them
    while first < last and not (
        ((word >> first) & 1)
        and (((sure >> first) & 1) or slide_hits(models, i, x, y, x + (first - half) * step, y + dy, f, j, margin))
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
    return word & bits(first, last)


@inner_kernel
def mark_shadow(
    models: Array, i: int, j: int, margin: float, cx: float, cy: float, outer: float, inner: float, window: Window
) -> None:
    """Mark the cells that model ``i`` does not reach straight because of ``j``, at (cx, cy) from it.

    It is in the way where the segment to a cell meets the disc of radius ``inner``, perhaps where it meets that of ``outer``.
    """
    grid, step, row0, row1, words = window
    half = grid // 2
    length = tangent_length(cx, cy, outer)
    inside = length if outer == inner else tangent_length(cx, cy, inner)
    low, high = shadow(cy - outer, cy + outer, step, grid)
    known = outer == inner or row1 - row0 == 1  # not worth it for one row
    tangents = no_tangents()
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
                tangents = pair_tangents(models, i, j, margin)
            sure = 0
            if tangents.trusted:
                first, last, sure = _between_tangents(tangents, left, right, row, window)
                word = bits(first, last) & open_cells
                if word == 0:
                    continue
                sure &= word
            if inside >= 0.0:
                left, right = disc_shadow(cx, cy, inner, inside, dy)
                a, b, doubt = stretch(left, right, step, grid)
                sure |= bits(a, b) & ~doubt & word
        if word != sure:
            word = _stopped(models, i, j, margin, word, sure, first, last, row, window)
        words[row, PATH_BAD] |= word


@inner_kernel
def mark_markers(
    models: Array, objectives: Array, limits: Array, rows: Array, n: int, window: Window
) -> None:  # fmt: skip
    """Mark where a model of a unit on the ground would stand on an objective marker."""
    grid, step, row0, row1, words = window
    half = grid // 2
    lim = limits[0]
    for o in range(len(objectives)):
        mark = objectives[o]
        if mark["placed"] == 0 or abs(mark["z"]) > lim["marker_z"]:
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
