"""Marking the cells of a displacement window: where models keep a unit on the ground from ending, or from going
straight.

The window is the one of ``rigid``, the marks are the words of ``cells``. Cells that rounding could decide, and cells
that depend on the shape of a base that is not round, are judged one by one.
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
from wh_env.core.geometry.shapes import (
    EPS,
    SLACK,
    _support_point,
    gap_at,
    horizontal_reach,
    overlap_at,
    overlaps_in_height,
)
from wh_env.core.geometry.sweeps import slide_hits
from wh_env.core.kernel import inner_kernel
from wh_env.core.tables import CIRCLE, Array

NONE = -9.0  # in place of a margin: this model is no obstacle

_HALVINGS = 32  # halvings of an angle, after which it is far more exact than a stretch of cells
_SURELY = 1e-3  # inches behind an obstacle from which on a search along the slide certainly meets it
_COMPASS = np.array([(cos(k * pi / 16.0), sin(k * pi / 16.0)) for k in range(32)])


@inner_kernel
def disc_on_polygon(x: float, y: float, r: float, corners: Array, first: int, count: int) -> bool:
    """Whether a disc with centre (x, y) and radius ``r`` overlaps a convex polygon."""
    farthest_outside = -1e9
    nearest_squared = 1e18
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
            farthest_outside = max(farthest_outside, away)
            if away > 0.0:
                t = min(1.0, max(0.0, ((x - px) * ex + (y - py) * ey) / length2))
                gx = px + t * ex - x
                gy = py + t * ey - y
                nearest_squared = min(nearest_squared, gx * gx + gy * gy)
        px = qx
        py = qy
    return farthest_outside <= 0.0 or nearest_squared < r * r


@inner_kernel
def mark_models(
    models: Array,
    limits: Array,
    targets: Array,
    rows: Array,
    n: int,
    near: Array,
    nn: int,
    data: Array,
    span: float,
    window: Window,
) -> None:
    """Mark the cells in which a unit on the ground may not end because of the near models (``GROUND_BAD``), and those
    to which they stop the straight way (``PATH_BAD``).

    Args:
        rows: the ``n`` models of the unit. near: the ``nn`` models near it. data: as in ``rigid.Movers``; its margins
            say what each near model does on the way.
        span: inches that the unit may move. window: whose words are marked.
    """
    total = len(models)
    lim = limits[0]
    owner = models[rows[0]]["owner"]
    for o in range(nn):
        j = near[o]
        q = models[j]
        enemy = q["owner"] != owner
        across = horizontal_reach(lim["engage"], lim["engage_z"], q["z"])
        must_keep_range = (
            enemy and across >= 0.0 and not may_engage(models, limits, targets, rows[0], j, lim["engage_end"], True)
        )
        must_keep_away = enemy and lim["keep_away"] > 0.0
        apart = across if must_keep_range else 0.0
        if must_keep_away:
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
            # if the circles inside both bases overlap, so do the bases
            inner = min(m["half_a"], m["half_b"]) + min(q["half_a"], q["half_b"])
            if must_keep_range or must_keep_away:
                mark_ends(models, i, j, apart, cx, cy, both + apart + EPS, inner + apart, window)
            elif overlaps_in_height(0.0, m["height"], q["z"], q["height"]):
                mark_ends(models, i, j, NONE, cx, cy, both - SLACK, inner - SLACK, window)
            # cells in its shadow cannot be reached straight
            if margin != NONE:
                contact = -SLACK if margin < 0.0 else margin + EPS
                sure = both + contact if round_pair else inner + contact
                mark_shadow(models, i, j, margin, cx, cy, both + contact, sure, window)


@inner_kernel
def mark_ends(
    models: Array, i: int, j: int, apart: float, cx: float, cy: float, outer: float, inner: float, window: Window
) -> None:
    """Mark the cells in which model ``i`` ends within ``apart`` inches of model ``j`` (``NONE``: overlaps it), which
    stands at (cx, cy) from it.

    These displacements form a disc of radius ``outer`` for round bases; for others they lie within that disc and
    contain the disc of radius ``inner``.
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
            # the cells too near are one stretch: its first and its last cell settle those between them
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
    """Whether model ``i`` at (x, y) is within ``apart`` inches of model ``j``; with ``NONE``, whether they overlap."""
    f = models[i]["facing"]
    q = models[j]
    if apart == NONE:
        return overlap_at(models, i, x, y, f, j, q["x"], q["y"], q["facing"])
    return gap_at(models, i, x, y, f, j, q["x"], q["y"], q["facing"]) <= apart + EPS


@inner_kernel
def _rim_point(models: Array, i: int, cut: float, c: float, s: float, nx: float, ny: float) -> tuple[float, float]:
    """The point, from its centre, of the outline of model ``i`` made ``cut`` smaller all round that lies farthest in
    the unit direction n. ``c``, ``s``: cosine and sine of its facing.
    """
    m = models[i]
    a = m["half_a"] - cut
    if m["shape"] == CIRCLE:
        return a * nx, a * ny
    u, v = _support_point(m["shape"], a, m["half_b"] - cut, c * nx + s * ny, c * ny - s * nx)
    return c * u - s * v, s * u + c * v


class Pair(NamedTuple):
    """Two models; the second stands at (cx, cy) from the first."""

    i: int
    j: int
    cx: float
    cy: float
    cut: float  # inches by which both outlines are made smaller all round
    edge: float  # inches: if they are this near to each other, they meet
    ci: float  # cosine and sine of the facing of `i`
    si: float
    cj: float  # cosine and sine of the facing of `j`
    sj: float


@inner_kernel
def _clearance(models: Array, pair: Pair, nx: float, ny: float) -> tuple[float, float]:
    """The vector from the rim point of the first model to that of the second, each the farthest towards the other along
    the unit direction n.
    """
    ux, uy = _rim_point(models, pair.i, pair.cut, pair.ci, pair.si, nx, ny)
    vx, vy = _rim_point(models, pair.j, pair.cut, pair.cj, pair.sj, nx, ny)
    return pair.cx - ux - vx, pair.cy - uy - vy


@inner_kernel
def _parting_line(models: Array, pair: Pair, away: float) -> tuple[float, float, float]:
    """A line that separates two models whose centres are ``away`` inches apart: its unit normal, and by how many inches
    it separates them.

    The inches are below 0 if no such line is found.
    """
    if away < EPS:
        return 0.0, 0.0, -FAR
    # mostly the line at right angles to the way from one centre to the other separates them
    nx = pair.cx / away
    ny = pair.cy / away
    tx, ty = _clearance(models, pair, nx, ny)
    best = tx * nx + ty * ny - pair.edge
    if best > _SURELY:
        return nx, ny, best
    turn = pi / 16.0
    # first directions all round and along the sides, then better ones beside the best
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
def _tangent(models: Array, pair: Pair, away: float, nx: float, ny: float, side: float) -> tuple[float, float, float]:
    """Unit direction and length of the tangent on one side (``side`` 1 or -1). n: the normal of a line that separates
    the models.
    """
    # halve the angle between the direction to the middle of j, which meets it, and that of the line, which does not
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
    """Tangents from (0, 0) to the displacements at which model ``i`` is within ``margin`` inches of ``j``, for bases of
    any shape.

    They are not trusted if no line is found that separates the models where they stand.
    """
    p = models[i]
    q = models[j]
    cx = q["x"] - p["x"]
    cy = q["y"] - p["y"]
    cut = 0.5 * SLACK if margin < 0.0 else 0.0
    edge = 0.0 if margin < 0.0 else margin + EPS
    pair = Pair(i, j, cx, cy, cut, edge, cos(p["facing"]), sin(p["facing"]), cos(q["facing"]), sin(q["facing"]))
    away = sqrt(cx * cx + cy * cy)
    nx, ny, apart = _parting_line(models, pair, away)
    if apart < 1e-6:
        return no_tangents()
    ax, ay, al = _tangent(models, pair, away, nx, ny, 1.0)
    bx, by, bl = _tangent(models, pair, away, nx, ny, -1.0)
    return Tangents(True, ax, ay, al, bx, by, bl)


@inner_kernel
def _between_tangents(t: Tangents, left: float, right: float, row: int, window: Window) -> tuple[int, int, int]:
    """Of the cells of a row within ``left`` to ``right``: the first between the tangents, the one after the last, and
    the word of those certainly behind the obstacle.
    """
    grid, step, _, _, _ = window
    dy = (row - grid // 2) * step
    # cells outside the tangents are free; cells between them, behind the points where they touch, are not
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
def _stopped_cells(
    models: Array, i: int, j: int, margin: float, word: int, sure: int, first: int, last: int, row: int, window: Window
) -> int:
    """The cells of ``word``, among ``first`` to ``last - 1`` of a row, to which model ``j`` stops the straight way of
    model ``i``. ``sure``: cells for which that is known.
    """
    x = models[i]["x"]
    y = models[i]["y"]
    f = models[i]["facing"]
    half = window.grid // 2
    step = window.step
    dy = (row - half) * step
    # the stopped cells are one stretch: its first and its last cell settle those between them
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
    """Mark the cells that model ``i`` cannot reach straight because of model ``j``, which stands at (cx, cy) from it.

    The segment to a cell that meets the disc of radius ``inner`` round (cx, cy) is stopped; one that misses the disc of
    radius ``outer`` is not.
    """
    grid, step, row0, row1, words = window
    half = grid // 2
    length = tangent_length(cx, cy, outer)
    inside = length if outer == inner else tangent_length(cx, cy, inner)
    low, high = shadow(cy - outer, cy + outer, step, grid)
    known = outer == inner or row1 - row0 == 1  # for one row the tangents are not worth their time
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
            word = _stopped_cells(models, i, j, margin, word, sure, first, last, row, window)
        words[row, PATH_BAD] |= word


@inner_kernel
def mark_markers(models: Array, objectives: Array, limits: Array, rows: Array, n: int, window: Window) -> None:
    """Mark the cells in which a model of a unit on the ground would stand on an objective marker (``GROUND_BAD``)."""
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
