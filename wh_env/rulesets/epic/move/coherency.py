"""Groups of a formation: which units stand in coherency, and closing up to the largest group."""

from __future__ import annotations

from math import cos, hypot, inf, pi, sin

from wh_env.core.geometry.shapes import EPS
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import Array
from wh_env.rulesets.epic.codes import IMPASSABLE, PLANNED, UNMOVED
from wh_env.rulesets.epic.move.cells import ANGLES, AWAY, FREE, INSIDE, OUT_OF_CONTACT, can_go, nearest_enemy
from wh_env.rulesets.epic.move.paths import end_free, leg_free, near_models, near_walls, touches_enemy


@kernel
def groups(models: Array, units: Array, u: int, reach: float, who: int, labels: Array) -> int:
    """Label the groups of units linked by distances of at most ``reach`` cm between centres, from 1 on; returns how
    many groups (epic.move.coherency).

    ``labels`` has an entry for every row of ``models``. ``who``: the units that count; the others get 0.
    """
    first = units[u]["first"]
    last = first + units[u]["count"]
    for k in range(first, last):
        counts = models[k]["on_table"] == 1
        if counts and who == FREE:
            counts = models[k]["pinned"] == 0
        elif counts and who == OUT_OF_CONTACT:
            counts = not touches_enemy(models, k)
        labels[k] = -1 if counts else 0
    found = 0
    far = (reach + EPS) * (reach + EPS)
    for k in range(first, last):
        if labels[k] != -1:
            continue
        found += 1
        labels[k] = found
        grown = True
        while grown:
            grown = False
            for i in range(first, last):
                if labels[i] != found:
                    continue
                for j in range(first, last):
                    if labels[j] == -1:
                        dx = models[i]["x"] - models[j]["x"]
                        dy = models[i]["y"] - models[j]["y"]
                        if dx * dx + dy * dy <= far:
                            labels[j] = found
                            grown = True
    return found


@inner_kernel
def largest_group(units: Array, u: int, found: int, labels: Array) -> int:
    """Label of the group with the most units; of equal ones the first."""
    best = 1
    most = 0
    for label in range(1, found + 1):
        size = 0
        for k in range(units[u]["first"], units[u]["first"] + units[u]["count"]):
            if labels[k] == label:
                size += 1
        if size > most:
            most = size
            best = label
    return best


@inner_kernel
def _free_along(
    models: Array,
    ground: Array,
    corners: Array,
    numbers: Array,
    k: int,
    u: int,
    ux: float,
    uy: float,
    far: float,
    clearance: float,
    rows: Array,
    n: int,
    walls: Array,
    w: int,
) -> float:
    """How many cm unit ``k`` can go straight in the direction (ux, uy), at most ``far``; 0: none.

    The other arguments are those of ``end_free``.
    """
    x0, y0 = models[k]["x"], models[k]["y"]
    along = far
    while along > 0.0:
        x = x0 + along * ux
        y = y0 + along * uy
        if end_free(models, ground, corners, numbers, k, x, y, clearance, u, rows, n, walls, w):
            if leg_free(models, ground, corners, k, x0, y0, x, y, IMPASSABLE, rows, n, walls, w):
                return along
        along -= 0.25
    return 0.0


@kernel
def join(
    models: Array, units: Array, ground: Array, corners: Array, numbers: Array, u: int, k: int, label: int,
    allowance: float, clearance: float, marks: Array, labels: Array,
) -> float:  # fmt: skip
    """Move unit ``k`` within coherency distance of the group ``label`` by the shortest free way.

    Returns 0, or the cm that are missing if it cannot get there: then it goes straight towards the group as far as it
    can.
    """
    m = models[k]
    x0, y0 = m["x"], m["y"]
    coherency = numbers[0]["coherency"]
    rows, walls = marks[: len(models)], marks[len(models) :]
    n = near_models(models, k, allowance, clearance, rows)
    w = near_walls(models, ground, k, allowance, IMPASSABLE, walls)
    best, best_x, best_y = inf, x0, y0
    nearest, towards = inf, -1
    for i in range(units[u]["first"], units[u]["first"] + units[u]["count"]):
        if labels[i] != label:
            continue
        gx, gy = models[i]["x"], models[i]["y"]
        apart = hypot(x0 - gx, y0 - gy)
        if apart < nearest:
            nearest, towards = apart, i
        if apart <= coherency + EPS:
            if end_free(models, ground, corners, numbers, k, x0, y0, clearance, u, rows, n, walls, w):
                best, best_x, best_y = 0.0, x0, y0
                break
        if apart - coherency > allowance or apart - coherency >= best:
            continue
        ux = (x0 - gx) / apart if apart > 0.0 else 1.0
        uy = (y0 - gy) / apart if apart > 0.0 else 0.0
        for a in range(2 * ANGLES):
            away = coherency - INSIDE if a < ANGLES else 0.5 * (coherency + m["radius"] + models[i]["radius"])
            turn = 2.0 * pi * ((a % ANGLES + 1) // 2) / ANGLES
            turn = -turn if a % 2 == 0 else turn
            c, s = cos(turn), sin(turn)
            x, y = gx + away * (ux * c - uy * s), gy + away * (ux * s + uy * c)
            length = hypot(x - x0, y - y0)
            if length >= best or length > allowance + EPS:
                continue
            if end_free(models, ground, corners, numbers, k, x, y, clearance, u, rows, n, walls, w):
                if leg_free(models, ground, corners, k, x0, y0, x, y, IMPASSABLE, rows, n, walls, w):
                    best, best_x, best_y = length, x, y
                    if a == 0:
                        break
    missing = 0.0
    if best == inf:
        along = 0.0
        if towards >= 0 and nearest > 0.0:
            ux = (models[towards]["x"] - x0) / nearest
            uy = (models[towards]["y"] - y0) / nearest
            far = min(allowance, nearest)
            along = _free_along(models, ground, corners, numbers, k, u, ux, uy, far, clearance, rows, n, walls, w)
            if along > 0.0:
                best_x, best_y = x0 + along * ux, y0 + along * uy
        missing = max(nearest - along - coherency, EPS)
    models[k]["x"], models[k]["y"], models[k]["moved"] = best_x, best_y, PLANNED
    labels[k] = label
    return missing


@inner_kernel
def close_up(
    models: Array, units: Array, ground: Array, corners: Array, numbers: Array, u: int, found: int, allowance: float,
    clearance: float, marks: Array, labels: Array,
) -> float:  # fmt: skip
    """Let every unit that can move join the largest of ``found`` groups, the nearest first. Returns the largest
    distance in cm that a unit misses coherency by, 0 if none does.
    """
    main = largest_group(units, u, found, labels)
    first = units[u]["first"]
    last = first + units[u]["count"]
    missing = 0.0
    while True:
        next_one = -1
        nearest = inf
        for k in range(first, last):
            if labels[k] <= 0 or labels[k] == main:
                continue
            for i in range(first, last):
                if labels[i] == main:
                    apart = hypot(models[i]["x"] - models[k]["x"], models[i]["y"] - models[k]["y"])
                    if apart < nearest:
                        nearest = apart
                        next_one = k
        if next_one < 0:
            return missing
        if can_go(models, next_one, u):
            missing = max(
                missing,
                join(
                    models, units, ground, corners, numbers, u, next_one, main, allowance, clearance, marks, labels
                ),
            )  # fmt: skip
        else:
            missing = max(missing, nearest - numbers[0]["coherency"])
            labels[next_one] = main


@inner_kernel
def keep_places(models: Array, units: Array, u: int, poses: Array) -> None:
    """Write x, y and ``moved`` of the units of formation ``u`` into ``poses``."""
    for k in range(units[u]["first"], units[u]["first"] + units[u]["count"]):
        poses[k, 0] = models[k]["x"]
        poses[k, 1] = models[k]["y"]
        poses[k, 2] = models[k]["moved"]


@inner_kernel
def put_back(models: Array, units: Array, u: int, poses: Array) -> None:
    """Restore x, y and ``moved`` of the units of formation ``u`` from ``poses``."""
    for k in range(units[u]["first"], units[u]["first"] + units[u]["count"]):
        models[k]["x"] = poses[k, 0]
        models[k]["y"] = poses[k, 1]
        models[k]["moved"] = int(poses[k, 2])


@kernel
def regroup(
    models: Array, units: Array, ground: Array, corners: Array, numbers: Array, u: int, dx: float, dy: float,
    allowance: float, clearance: float, marks: Array, labels: Array,
) -> float:  # fmt: skip
    """Move the largest group by (dx, dy) and let the others join it. Returns the cm that are missing (see
    ``close_up``); infinite if the group itself cannot make the move. The units stay where that takes them.
    """
    found = groups(models, units, u, numbers[0]["coherency"], FREE, labels)
    main = largest_group(units, u, found, labels)
    rows = marks[: len(models)]
    walls = marks[len(models) :]
    first = units[u]["first"]
    last = first + units[u]["count"]
    if hypot(dx, dy) > allowance + EPS:
        return inf
    for k in range(first, last):
        if labels[k] != main or (dx == 0.0 and dy == 0.0):
            continue
        m = models[k]
        n = near_models(models, k, allowance, clearance, rows)
        w = near_walls(models, ground, k, allowance, IMPASSABLE, walls)
        if not end_free(models, ground, corners, numbers, k, m["x"] + dx, m["y"] + dy, clearance, u, rows, n, walls, w):
            return inf
        if not leg_free(
            models, ground, corners, k, m["x"], m["y"], m["x"] + dx, m["y"] + dy, IMPASSABLE, rows, n, walls, w
        ):
            return inf
    for k in range(first, last):
        if labels[k] == main:
            models[k]["x"] += dx
            models[k]["y"] += dy
            models[k]["moved"] = PLANNED
    return close_up(models, units, ground, corners, numbers, u, found, allowance, clearance, marks, labels)


@kernel
def regroup_mask(
    models: Array, units: Array, ground: Array, corners: Array, numbers: Array, u: int, step: float, grid: int,
    allowance: float, clearance: float, how: int, marks: Array, poses: Array, gaps: Array, labels: Array, mask: Array,
) -> int:  # fmt: skip
    """Mark the cells that a formation out of coherency may move to; returns how many.

    If some cell brings all units together, only such cells are legal, else those where least is missing. The middle
    cell leaves the largest group where it is. If ``how`` is ``AWAY``, every unit that moves must end farther from the
    nearest enemy than it began.
    """
    half = grid // 2
    least = inf
    keep_places(models, units, u, poses)
    first = units[u]["first"]
    last = first + units[u]["count"]
    for cell in range(grid * grid):
        dx = (cell % grid - half) * step
        dy = (cell // grid - half) * step
        gap = regroup(
            models, units, ground, corners, numbers, u, dx, dy, allowance, clearance, marks, labels
        )  # fmt: skip
        if how == AWAY and gap < inf:
            for k in range(first, last):
                if models[k]["moved"] == PLANNED and poses[k, 2] == UNMOVED:
                    owner = models[k]["owner"]
                    began = nearest_enemy(models, owner, poses[k, 0], poses[k, 1])
                    if nearest_enemy(models, owner, models[k]["x"], models[k]["y"]) <= began + EPS:
                        gap = inf
                        break
        put_back(models, units, u, poses)
        gaps[cell] = gap
        least = min(least, gap)
    total = 0
    for cell in range(grid * grid):
        mask[cell] = gaps[cell] < inf and gaps[cell] <= least + EPS
        total += mask[cell]
    return total
