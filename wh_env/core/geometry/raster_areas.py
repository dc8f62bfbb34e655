"""Marking the cells of a displacement window: where a unit on the ground would be engaged across an area (see
``areas``).

The window is the one of ``rigid``, the marks are the words of ``cells``.
"""

from __future__ import annotations

from wh_env.core.geometry.areas import engages_across, slide_engages
from wh_env.core.geometry.cells import GROUND_BAD, LIVE, PATH_BAD, Window
from wh_env.core.geometry.paths import may_engage
from wh_env.core.geometry.shapes import EPS
from wh_env.core.geometry.sweeps import segment_near
from wh_env.core.kernel import inner_kernel
from wh_env.core.tables import Array


@inner_kernel
def mark_areas(
    models: Array,
    blocks: Array,
    corners: Array,
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
    """Mark the cells in which a unit may not end because it would be engaged with a near model across a block, and
    those to which that forbids the straight way.

    Cells that are ruled out already are skipped. The arguments are those of ``raster.mark_models``.
    """
    lim = limits[0]
    owner = models[rows[0]]["owner"]
    for o in range(nn):
        j = near[o]
        q = models[j]
        if q["owner"] == owner or q["z"] > lim["engage_z"] + EPS:
            continue
        may_not_end = not may_engage(models, limits, targets, rows[0], j, lim["engage_end"], True)
        may_not_pass = data[3 * len(models) + o] > 0.0
        if not may_not_end and not may_not_pass:
            continue
        for k in range(n):
            if area_near(models, blocks, rows[k], j, span):
                _mark_pair(models, blocks, corners, limits, rows[k], j, may_not_end, may_not_pass, window)


@inner_kernel
def area_near(models: Array, blocks: Array, i: int, j: int, span: float) -> bool:
    """False if certainly no block makes model ``i``, moved by at most ``span`` inches, engaged with model ``j`` across
    it.
    """
    m = models[i]
    q = models[j]
    dx = q["x"] - m["x"]
    dy = q["y"] - m["y"]
    away = dx * dx + dy * dy
    for b in range(len(blocks)):
        block = blocks[b]
        reach = block["engage"]
        far = m["radius"] + q["radius"] + reach + span + 4.0 * EPS
        if reach <= 0.0 or away > far * far:
            continue
        one = m["radius"] + reach + span + EPS
        two = q["radius"] + reach + EPS
        if (
            block["min_x"] - one <= m["x"] <= block["max_x"] + one
            and block["min_y"] - one <= m["y"] <= block["max_y"] + one
            and block["min_x"] - two <= q["x"] <= block["max_x"] + two
            and block["min_y"] - two <= q["y"] <= block["max_y"] + two
        ):
            return True
    return False


@inner_kernel
def _mark_pair(
    models: Array,
    blocks: Array,
    corners: Array,
    limits: Array,
    i: int,
    j: int,
    may_not_end: bool,
    may_not_pass: bool,
    window: Window,
) -> None:
    """Mark for model ``i`` and enemy ``j`` the cells in which it may not end (if ``may_not_end``) and those that it
    cannot reach straight (if ``may_not_pass``).
    """
    m = models[i]
    grid, step, row0, row1, words = window
    half = grid // 2
    vertical = limits[0]["engage_z"]
    qx = models[j]["x"] - m["x"]
    qy = models[j]["y"] - m["y"]
    # the circles round the bases are never farther apart than the bases
    far = limits[0]["engage_across"] + m["radius"] + models[j]["radius"] + 4.0 * EPS
    for row in range(row0, row1):
        dy = (row - half) * step
        y = m["y"] + dy
        for col in range(grid):
            if ((words[row, LIVE] & ~words[row, GROUND_BAD]) >> col) & 1 == 0:
                continue
            dx = (col - half) * step
            if not segment_near(qx, qy, dx, dy, far):
                continue
            x = m["x"] + dx
            if may_not_end and engages_across(models, blocks, corners, i, x, y, 0.0, m["facing"], j, vertical):
                words[row, GROUND_BAD] |= 1 << col
            elif may_not_pass and (words[row, PATH_BAD] >> col) & 1 == 0:
                if slide_engages(models, blocks, corners, i, m["x"], m["y"], x, y, m["facing"], j):
                    words[row, PATH_BAD] |= 1 << col
