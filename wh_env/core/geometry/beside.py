"""Setting a unit up in a small area round a model: as close together as there is room (units that leave a TRANSPORT).

The area is a lattice of ``3 * grid`` points a side, nine to each cell of the action grid. The first model stands in the
chosen cell, as near to its middle as it can, each further one on the free point nearest to it that keeps it in coherency.
What a point is good for is judged by ``placement.place_fault_at`` once for each kind of base (``legal``: 0 not asked, 1 yes,
2 no).
"""

from __future__ import annotations

from wh_env.core.geometry.paths import set_pose
from wh_env.core.geometry.placement import gather_alive, place_fault_at
from wh_env.core.geometry.shapes import EPS, SLACK, disc_gap_at, gap_at, overlap_at, overlaps_in_height
from wh_env.core.geometry.single import near_blocks
from wh_env.core.kernel import kernel
from wh_env.core.tables import CIRCLE, Array

PER_CELL = 3
IN_CELL = PER_CELL * PER_CELL  # so many of the shortest steps stay in the cell
SCATTER = 101  # a prime that divides no side of a grid in use


@kernel
def kinds_of_base(models: Array, limits: Array, rows: Array, n: int, kinds: Array) -> int:
    """Number the models that are alike for setting up; ``kinds[k]`` is the number of ``rows[k]``. Returns how many kinds."""
    lim = limits[0]
    matter = lim["through_keywords"] | lim["floor_keywords"] | lim["big_keywords"] | lim["air_keywords"]
    count = 0
    for k in range(n):
        p = models[rows[k]]
        kinds[k] = -1
        for o in range(k):
            q = models[rows[o]]
            if (
                p["shape"] == q["shape"]
                and p["half_a"] == q["half_a"]
                and p["half_b"] == q["half_b"]
                and p["height"] == q["height"]
                and (p["keywords"] ^ q["keywords"]) & matter == 0
            ):
                kinds[k] = kinds[o]
                break
        if kinds[k] < 0:
            kinds[k] = count
            count += 1
    return count


@kernel
def _ruled_out(models: Array, place: Array, i: int, x: float, y: float, slack: float) -> bool:
    """True if for sure no place within ``slack`` of (x, y) is wholly near enough to the hull and clear of it: asked before
    the dear question what a point is good for. Only for round bases."""
    j = place[0]["near_model"]
    if j < 0 or models[i]["shape"] != CIRCLE:
        return False
    q = models[j]
    r = models[i]["half_a"]
    away = disc_gap_at(models, j, q["x"], q["y"], q["facing"], x, y, 0.0)
    if away + r - slack > place[0]["near"] + EPS:
        return True
    stands = q["on_table"] == 1 and overlaps_in_height(0.0, models[i]["height"], q["z"], q["height"])
    return bool(stands and away + slack < r - SLACK)


@kernel
def _pack(
    models: Array, units: Array, blocks: Array, corners: Array, objectives: Array, limits: Array, targets: Array,
    u: int, zone: Array, place: Array, facing: float, x0: float, y0: float, sx: float, sy: float, side: int,
    start: int, order: Array, legal: Array, rows: Array, n: int, kinds: Array, spots: Array,
) -> int:  # fmt: skip
    """Find points for the models ``rows`` round the point ``start``, the middle of a cell; fills ``spots``, returns for how many
    there is room."""
    neighbours = 2 if n >= limits[0]["coherency_big"] else 1
    far = limits[0]["coherency"] + EPS
    row = start // side
    column = start % side
    after = 0  # the points before this one of `order` were tried for the model before
    for k in range(n):
        i = rows[k]
        spots[k] = -1
        tries = 2 if k > 0 and kinds[k] == kinds[k - 1] else 1
        for attempt in range(tries):
            begin = after if tries == 2 and attempt == 0 else 0
            end = len(order) if k > 0 else IN_CELL
            for o in range(begin, end):
                c = column + order[o, 0]
                r = row + order[o, 1]
                if c < 0 or r < 0 or c >= side or r >= side:
                    continue
                spot = r * side + c
                if legal[kinds[k], spot] == 2:
                    continue
                x = x0 + c * sx
                y = y0 + r * sy
                near = 0
                clear = True
                for q in range(k):
                    qx = x0 + (spots[q] % side) * sx
                    qy = y0 + (spots[q] // side) * sy
                    if overlap_at(models, i, x, y, facing, rows[q], qx, qy, facing):
                        clear = False
                        break
                    if near < neighbours and gap_at(models, i, x, y, facing, rows[q], qx, qy, facing) <= far:
                        near += 1
                if not clear or near < min(k, neighbours):
                    continue
                if legal[kinds[k], spot] == 0 and _ruled_out(models, place, i, x, y, 0.0):
                    legal[kinds[k], spot] = 2
                if legal[kinds[k], spot] == 0:
                    fault = place_fault_at(
                        models, blocks, corners, objectives, limits, targets, zone, zone, place, i, x, y, 0.0, facing, u
                    )
                    legal[kinds[k], spot] = 1 if fault == 0 else 2
                if legal[kinds[k], spot] == 1:
                    spots[k] = spot
                    after = o + 1
                    break
            if spots[k] >= 0:
                break
        if spots[k] < 0:
            return k
    return n


@kernel
def beside_mask(
    models: Array, units: Array, blocks: Array, corners: Array, objectives: Array, limits: Array, targets: Array,
    u: int, zone: Array, place: Array, facing: float, x0: float, y0: float, sx: float, sy: float, grid: int,
    order: Array, legal: Array, mask: Array, marks: Array, any_will_do: bool,
) -> int:  # fmt: skip
    """Mark the cells round which every living model of unit ``u`` finds room; returns how many.

    Point ``(c, r)`` of the lattice is ``(x0 + c * sx, y0 + r * sy)``; ``zone``: a polygon without corners; ``order``: steps
    (columns, rows) to other points, the nearest first; ``legal``: uint8, zeros, a row for each living model. ``any_will_do``
    stops at the first cell.
    """
    total = len(models)
    rows = marks[:total]
    kinds = marks[total : 2 * total]
    spots = marks[2 * total : 3 * total]
    n = gather_alive(models, units, u, rows)
    kinds_of_base(models, limits, rows, n, kinds)
    side = PER_CELL * grid
    blocks = near_blocks(
        blocks, x0 + 0.5 * side * sx, y0 + 0.5 * side * sy, 0.5 * side * max(sx, sy) + models[rows[0]]["radius"]
    )
    found = 0
    for c in range(grid * grid):
        mask[c] = 0
    for k in range(grid * grid):
        # to find any cell, look all over the area rather than from one corner on
        c = k * SCATTER % (grid * grid) if any_will_do else k
        start = (PER_CELL * (c // grid) + PER_CELL // 2) * side + PER_CELL * (c % grid) + PER_CELL // 2
        x = x0 + (start % side) * sx
        y = y0 + (start // side) * sy
        if n == 0 or _ruled_out(models, place, rows[0], x, y, PER_CELL // 2 * (sx + sy)):
            continue
        if n == _pack(
            models, units, blocks, corners, objectives, limits, targets, u, zone, place, facing, x0, y0, sx, sy, side,
            start, order, legal, rows, n, kinds, spots,
        ):  # fmt: skip
            mask[c] = 1
            found += 1
            if any_will_do:
                break
    return found


@kernel
def beside_apply(
    models: Array, units: Array, blocks: Array, corners: Array, objectives: Array, limits: Array, targets: Array,
    u: int, zone: Array, place: Array, facing: float, x0: float, y0: float, sx: float, sy: float, grid: int,
    order: Array, legal: Array, cell: int, marks: Array,
) -> bool:  # fmt: skip
    """Set unit ``u`` up round the cell; True for exactly the cells of ``beside_mask``, else nothing changes."""
    total = len(models)
    rows = marks[:total]
    kinds = marks[total : 2 * total]
    spots = marks[2 * total : 3 * total]
    n = gather_alive(models, units, u, rows)
    kinds_of_base(models, limits, rows, n, kinds)
    side = PER_CELL * grid
    start = (PER_CELL * (cell // grid) + PER_CELL // 2) * side + PER_CELL * (cell % grid) + PER_CELL // 2
    if n == 0 or n != _pack(
        models, units, blocks, corners, objectives, limits, targets, u, zone, place, facing, x0, y0, sx, sy, side,
        start, order, legal, rows, n, kinds, spots,
    ):  # fmt: skip
        return False
    for k in range(n):
        set_pose(models, rows[k], x0 + (spots[k] % side) * sx, y0 + (spots[k] // side) * sy, 0.0, facing)
        models[rows[k]]["on_table"] = 1
    return True
