"""Where formations may go: coherency, and the cells of a move window (epic.move.*).

A cell stands for the displacement of every unit of the formation that can move. A coherent formation goes as it stands,
each unit in a straight line; a single unit may also go round what is in its way. A formation out of coherency closes
up: its largest group makes the displacement, and the others join it.
"""

from __future__ import annotations

from math import ceil, floor, hypot, inf, sqrt

from wh_env.core.geometry.shapes import EPS, SLACK
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import Array
from wh_env.rulesets.epic.codes import IMPASSABLE, PLANNED, UNMOVED
from wh_env.rulesets.epic.move.paths import end_free, leg_free, near_models, near_walls, way_length
from wh_env.rulesets.epic.terrain.ground import inside

# the units whose coherency is measured: all, those that are not pinned, those that touch no enemy where they stand now
EVERYBODY, FREE, OUT_OF_CONTACT = 0, 1, 2
# how a formation moves: anywhere, or away from the enemy (epic.move.retreating)
ANYWHERE, AWAY = 0, 1
INSIDE = 1e-6  # units that close up end this much within the coherency distance
ANGLES = 24  # places tried round a unit that is joined


@kernel
def can_go(models: Array, k: int, u: int) -> bool:
    """Whether unit ``k`` takes part in the move of formation ``u``: on the table, not pinned and not moved yet."""
    m = models[k]
    return bool(m["unit"] == u and m["on_table"] == 1 and m["pinned"] == 0 and m["moved"] == UNMOVED)


@kernel
def movers(models: Array, units: Array, u: int) -> int:
    """How many units of the formation can move."""
    n = 0
    for k in range(units[u]["first"], units[u]["first"] + units[u]["count"]):
        if can_go(models, k, u):
            n += 1
    return n


@inner_kernel
def nearest_enemy(models: Array, owner: int, x: float, y: float) -> float:
    """Distance in cm from (x, y) to the nearest unit of the other side."""
    best = inf
    for j in range(len(models)):
        q = models[j]
        if q["on_table"] == 1 and q["owner"] != owner:
            dx = q["x"] - x
            dy = q["y"] - y
            best = min(best, dx * dx + dy * dy)
    return sqrt(best)


# ---------------------------------------------------------------- as it stands


@kernel
def _block(ex: float, ey: float, far: float, cx: float, cy: float, step: float, grid: int, mask: Array) -> None:
    """Clear the cells whose displacement ends less than ``far`` from (ex, ey), except no displacement at all."""
    half = grid // 2
    low_c = 0
    high_c = grid - 1
    low_r = 0
    high_r = grid - 1
    if step > 0.0:
        low_c = max(0, ceil((ex - far - cx) / step) + half)
        high_c = min(grid - 1, floor((ex + far - cx) / step) + half)
        low_r = max(0, ceil((ey - far - cy) / step) + half)
        high_r = min(grid - 1, floor((ey + far - cy) / step) + half)
    for r in range(low_r, high_r + 1):
        dy = cy + (r - half) * step
        for c in range(low_c, high_c + 1):
            dx = cx + (c - half) * step
            if (dx - ex) * (dx - ex) + (dy - ey) * (dy - ey) < far * far and (dx != 0.0 or dy != 0.0):
                mask[r * grid + c] = False


@inner_kernel
def _away(
    models: Array, ground: Array, corners: Array, numbers: Array, k: int, alone: bool, skip: int, cx: float, cy: float,
    step: float, grid: int, allowance: float, clearance: float, marks: Array, nodes: Array, mask: Array,
) -> None:  # fmt: skip
    """Clear the cells that unit ``k`` cannot go to in a move away from the enemy. ``alone``: no other unit moves."""
    m = models[k]
    half = grid // 2
    rows = marks[: len(models)]
    walls = marks[len(models) :]
    n = near_models(models, k, allowance, clearance, rows)
    w = near_walls(models, ground, k, allowance, IMPASSABLE, walls)
    began = nearest_enemy(models, m["owner"], m["x"], m["y"])
    count = 0
    for cell in range(grid * grid):
        if not mask[cell]:
            continue
        dx = cx + (cell % grid - half) * step
        dy = cy + (cell // grid - half) * step
        x = min(max(m["x"] + dx, m["radius"]), numbers[0]["length"] - m["radius"])
        y = min(max(m["y"] + dy, m["radius"]), numbers[0]["width"] - m["radius"])
        stopped = x != m["x"] + dx or y != m["y"] + dy
        ended = nearest_enemy(models, m["owner"], x, y)
        nearer = ended < began - EPS or (ended <= began + EPS and not stopped)
        if nearer or not end_free(models, ground, corners, numbers, k, x, y, clearance, skip, rows, n, walls, w):
            mask[cell] = False
        elif alone:
            length, count = way_length(
                models, ground, corners, numbers, k, x, y, allowance, IMPASSABLE, rows, n, walls, w, nodes, count
            )
            mask[cell] = length < inf
        else:
            mask[cell] = leg_free(models, ground, corners, k, m["x"], m["y"], x, y, IMPASSABLE, rows, n, walls, w)


@inner_kernel
def _within_reach(
    models: Array,
    numbers: Array,
    u: int,
    first: int,
    last: int,
    cx: float,
    cy: float,
    step: float,
    grid: int,
    allowance: float,
    how: int,
    mask: Array,
) -> None:
    """Mark the cells within ``allowance`` cm. In a move to anywhere they must keep the units ``first .. last - 1`` on
    the table; in a move away units stop at the edge.
    """
    half = grid // 2
    reach = allowance + EPS
    low_x = -inf
    low_y = -inf
    high_x = inf
    high_y = inf
    if how == ANYWHERE:
        for k in range(first, last):
            if can_go(models, k, u):
                r = models[k]["radius"] - EPS
                low_x = max(low_x, r - models[k]["x"])
                low_y = max(low_y, r - models[k]["y"])
                high_x = min(high_x, numbers[0]["length"] - r - models[k]["x"])
                high_y = min(high_y, numbers[0]["width"] - r - models[k]["y"])
    for cell in range(grid * grid):
        dx = cx + (cell % grid - half) * step
        dy = cy + (cell // grid - half) * step
        mask[cell] = dx * dx + dy * dy <= reach * reach and (how == ANYWHERE or dx != 0.0 or dy != 0.0)
        if dx < low_x or dx > high_x or dy < low_y or dy > high_y:
            mask[cell] = dx == 0.0 and dy == 0.0


@inner_kernel
def _clear_round_units(
    models: Array,
    k: int,
    u: int,
    skip: int,
    cx: float,
    cy: float,
    step: float,
    grid: int,
    allowance: float,
    clearance: float,
    rows: Array,
    mask: Array,
) -> int:
    """Clear the cells in which unit ``k`` would stand too close to other units.

    Returns the number of enemies that may be in its way; ``rows`` begins with them.
    """
    m = models[k]
    enemies = 0
    for j in range(len(models)):
        q = models[j]
        if q["on_table"] == 0 or j == k:
            continue
        ex = q["x"] - m["x"]
        ey = q["y"] - m["y"]
        near = allowance + clearance + m["radius"] + q["radius"]
        if abs(ex) > near or abs(ey) > near or (skip >= 0 and can_go(models, j, u)):
            continue
        far = m["radius"] + q["radius"]
        if q["owner"] == m["owner"]:
            far -= SLACK
        else:
            far += clearance - EPS
            if m["traits"] == 0:
                rows[enemies] = j
                enemies += 1
        _block(ex, ey, far, cx, cy, step, grid, mask)
    return enemies


@inner_kernel
def _clear_unit(
    models: Array,
    ground: Array,
    corners: Array,
    numbers: Array,
    k: int,
    u: int,
    alone: bool,
    skip: int,
    cx: float,
    cy: float,
    step: float,
    grid: int,
    allowance: float,
    clearance: float,
    marks: Array,
    nodes: Array,
    mask: Array,
) -> None:
    """Clear the cells that unit ``k`` of formation ``u`` cannot go to in a move to anywhere."""
    half = grid // 2
    rows = marks[: len(models)]
    walls = marks[len(models) :]
    m = models[k]
    enemies = _clear_round_units(models, k, u, skip, cx, cy, step, grid, allowance, clearance, rows, mask)
    w = near_walls(models, ground, k, allowance, IMPASSABLE, walls)
    if enemies == 0 and w == 0:
        return
    count = 0
    for cell in range(grid * grid):
        if not mask[cell]:
            continue
        dx = cx + (cell % grid - half) * step
        dy = cy + (cell // grid - half) * step
        if dx == 0.0 and dy == 0.0:
            continue
        x = m["x"] + dx
        y = m["y"] + dy
        for i in range(w):
            if inside(ground, corners, walls[i], x, y):
                mask[cell] = False
        if not mask[cell]:
            continue
        if alone:
            length, count = way_length(
                models, ground, corners, numbers, k, x, y, allowance, IMPASSABLE, rows, enemies, walls, w, nodes,
                count,
            )  # fmt: skip
            mask[cell] = length < inf
        else:
            mask[cell] = leg_free(models, ground, corners, k, m["x"], m["y"], x, y, IMPASSABLE, rows, enemies, walls, w)


@kernel
def move_mask(
    models: Array, units: Array, ground: Array, corners: Array, numbers: Array, u: int, only: int,
    cx: float, cy: float, step: float, grid: int, allowance: float, clearance: float, how: int,
    marks: Array, nodes: Array, mask: Array,
) -> int:  # fmt: skip
    """Mark the cells of a window that the formation may move to as it stands; returns how many.

    Cell (column, row) is the displacement ``cx + (column - grid // 2) * step`` (y likewise). ``only``: the one unit
    that moves, -1: all that can. If ``how`` is ``AWAY``, each unit must end farther from the nearest enemy than it
    began, and stops at the table edge. Otherwise no displacement at all is always legal.
    """
    first = units[u]["first"]
    last = first + units[u]["count"]
    if only >= 0:
        first = only
        last = only + 1
    alone = only >= 0 or movers(models, units, u) == 1
    skip = -1 if only >= 0 else u
    _within_reach(models, numbers, u, first, last, cx, cy, step, grid, allowance, how, mask)
    for k in range(first, last):
        if not can_go(models, k, u):
            continue
        if how == AWAY:
            _away(
                models, ground, corners, numbers, k, alone, skip, cx, cy, step, grid, allowance, clearance, marks,
                nodes, mask,
            )  # fmt: skip
        else:
            _clear_unit(
                models, ground, corners, numbers, k, u, alone, skip, cx, cy, step, grid, allowance, clearance, marks,
                nodes, mask,
            )  # fmt: skip
    if how == AWAY:
        _unclash(models, numbers, u, first, last, cx, cy, step, grid, mask)
    total = 0
    for cell in range(grid * grid):
        total += mask[cell]
    return total


@inner_kernel
def _unclash(
    models: Array, numbers: Array, u: int, first: int, last: int, cx: float, cy: float, step: float, grid: int,
    mask: Array,
) -> None:  # fmt: skip
    """Clear the cells of a move away where two of the units ``first .. last - 1`` would overlap because they stop at
    the edge, or where no unit would move at all.
    """
    half = grid // 2
    for cell in range(grid * grid):
        if not mask[cell]:
            continue
        dx = cx + (cell % grid - half) * step
        dy = cy + (cell // grid - half) * step
        went = False
        for k in range(first, last):
            if not can_go(models, k, u):
                continue
            x = min(max(models[k]["x"] + dx, models[k]["radius"]), numbers[0]["length"] - models[k]["radius"])
            y = min(max(models[k]["y"] + dy, models[k]["radius"]), numbers[0]["width"] - models[k]["radius"])
            if abs(x - models[k]["x"]) + abs(y - models[k]["y"]) > EPS:
                went = True
            for j in range(k + 1, last):
                if not can_go(models, j, u):
                    continue
                ex = min(max(models[j]["x"] + dx, models[j]["radius"]), numbers[0]["length"] - models[j]["radius"])
                ey = min(max(models[j]["y"] + dy, models[j]["radius"]), numbers[0]["width"] - models[j]["radius"])
                if hypot(ex - x, ey - y) < models[k]["radius"] + models[j]["radius"] - EPS:
                    mask[cell] = False
        if not went:
            mask[cell] = False


@kernel
def place_at(models: Array, units: Array, numbers: Array, u: int, only: int, dx: float, dy: float, how: int) -> None:
    """Put the units that move where the legal displacement (dx, dy) takes them, and mark them as planned."""
    first = units[u]["first"]
    last = first + units[u]["count"]
    if only >= 0:
        first = only
        last = only + 1
    for k in range(first, last):
        if not can_go(models, k, u):
            continue
        x = models[k]["x"] + dx
        y = models[k]["y"] + dy
        if how == AWAY:
            x = min(max(x, models[k]["radius"]), numbers[0]["length"] - models[k]["radius"])
            y = min(max(y, models[k]["radius"]), numbers[0]["width"] - models[k]["radius"])
        models[k]["x"] = x
        models[k]["y"] = y
        models[k]["moved"] = PLANNED


# ---------------------------------------------------------------- closing up
