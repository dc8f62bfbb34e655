"""Paths of single units: what blocks them, where they may end, the shortest way round (epic.move.path, .distance,
epic.terrain.impassable).

A path is a chain of straight legs of the unit's centre. The centre may not enter impassable terrain. The base may not
overlap enemy units on the way; aerial and anti-grav units pass over them. Ways round turn at corners of terrain and at
corners of a polygon drawn round each enemy.

In this module ``rows[:n]`` are units that are near (``near_models``), ``walls[:w]`` pieces of terrain (``near_walls``),
and ``nodes`` the turning points.
"""

from __future__ import annotations

from math import cos, inf, pi, sin, sqrt

from wh_env.core.geometry.shapes import CONTACT, EPS, SLACK
from wh_env.core.geometry.sweeps import segment_near
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import Array
from wh_env.rulesets.epic.codes import AERIAL, DANGEROUS, IMPASSABLE, UNMOVED
from wh_env.rulesets.epic.terrain.ground import TINY, crossing, inside, passage

ROUND = 12  # corners of the polygon that goes round an enemy
OUTSET = 1e-3  # cm between turning points and the obstacle that they go round
TOUCHING = 0.02  # cm: bases are "not in contact" if the gap is larger

# columns of the nodes of a path
X, Y, LENGTH, BEFORE, SETTLED = range(5)


# ---------------------------------------------------------------- what is near


@inner_kernel
def near_models(models: Array, k: int, reach: float, margin: float, rows: Array) -> int:
    """Write into ``rows`` the units on the table that may come within ``margin`` cm of unit ``k`` while it moves up to
    ``reach`` cm (box test); returns how many.
    """
    n = 0
    m = models[k]
    for j in range(len(models)):
        q = models[j]
        if q["on_table"] == 0 or j == k:
            continue
        far = reach + margin + m["radius"] + q["radius"]
        if abs(q["x"] - m["x"]) <= far and abs(q["y"] - m["y"]) <= far:
            rows[n] = j
            n += 1
    return n


@kernel
def near_walls(models: Array, ground: Array, k: int, reach: float, bar: int, walls: Array) -> int:
    """Write into ``walls`` the pieces of terrain, of passage ``bar`` or worse, that may lie within ``reach`` cm of
    ``k`` (box test); returns how many.
    """
    n = 0
    m = models[k]
    for b in range(len(ground)):
        if passage(ground, b, m["rank"]) < bar:
            continue
        p = ground[b]
        if p["min_x"] <= m["x"] + reach and p["max_x"] >= m["x"] - reach:
            if p["min_y"] <= m["y"] + reach and p["max_y"] >= m["y"] - reach:
                walls[n] = b
                n += 1
    return n


@kernel
def touches_enemy(models: Array, k: int) -> bool:
    """Whether the base of unit ``k`` touches the base of an enemy where they stand."""
    return touches_enemy_at(models, k, models[k]["x"], models[k]["y"])


@inner_kernel
def touches_enemy_at(models: Array, k: int, x: float, y: float) -> bool:
    """Whether the base of unit ``k`` would touch the base of an enemy at (x, y)."""
    m = models[k]
    for j in range(len(models)):
        q = models[j]
        if q["on_table"] == 0 or q["owner"] == m["owner"]:
            continue
        far = m["radius"] + q["radius"] + CONTACT
        dx = q["x"] - x
        dy = q["y"] - y
        if dx * dx + dy * dy <= far * far:
            return True
    return False


# ---------------------------------------------------------------- ends and legs


@inner_kernel
def on_the_table(models: Array, numbers: Array, k: int, x: float, y: float) -> bool:
    """Whether the whole base of unit ``k`` at (x, y) would be on the table."""
    r = models[k]["radius"] - EPS
    return bool(x >= r and y >= r and x <= numbers[0]["length"] - r and y <= numbers[0]["width"] - r)


@inner_kernel
def end_free(
    models: Array, ground: Array, corners: Array, numbers: Array, k: int, x: float, y: float, clearance: float,
    skip: int, rows: Array, n: int, walls: Array, w: int,
) -> bool:  # fmt: skip
    """Whether unit ``k`` may end a move at (x, y): on the table, off impassable terrain, off other bases, and
    ``clearance`` cm from enemy bases.

    ``skip``: units of this formation that have not moved yet do not block, as they move along; -1: all units block.
    """
    if not on_the_table(models, numbers, k, x, y):
        return False
    m = models[k]
    for i in range(w):
        if inside(ground, corners, walls[i], x, y) and passage(ground, walls[i], m["rank"]) == IMPASSABLE:
            return False
    for i in range(n):
        q = models[rows[i]]
        if skip >= 0 and q["unit"] == skip and q["moved"] == UNMOVED and q["pinned"] == 0:
            continue
        far = m["radius"] + q["radius"] + (clearance - EPS if q["owner"] != m["owner"] else -SLACK)
        dx = q["x"] - x
        dy = q["y"] - y
        if dx * dx + dy * dy < far * far:
            return False
    return True


@inner_kernel
def leg_free(
    models: Array, ground: Array, corners: Array, k: int, x0: float, y0: float, x1: float, y1: float, bar: int,
    rows: Array, n: int, walls: Array, w: int,
) -> bool:  # fmt: skip
    """Whether unit ``k`` can go straight from (x0, y0) to (x1, y1), over no terrain of passage ``bar`` or worse and
    through no enemy.
    """
    m = models[k]
    dx = x1 - x0
    dy = y1 - y0
    if m["traits"] & AERIAL == 0:
        length = sqrt(dx * dx + dy * dy)
        for i in range(w):
            p = ground[walls[i]]
            if passage(ground, walls[i], m["rank"]) < bar:
                continue
            if p["min_x"] >= max(x0, x1) or p["max_x"] <= min(x0, x1):
                continue
            if p["min_y"] >= max(y0, y1) or p["max_y"] <= min(y0, y1):
                continue
            t0, t1 = crossing(corners, p["first"], p["count"], x0, y0, x1, y1)
            if (t1 - t0) * length > TINY:
                return False
    if m["traits"] == 0:
        for i in range(n):
            q = models[rows[i]]
            if q["owner"] != m["owner"] and q["on_table"] == 1:
                if segment_near(q["x"] - x0, q["y"] - y0, dx, dy, m["radius"] + q["radius"] - SLACK):
                    return False
    return True


# ---------------------------------------------------------------- ways round


@inner_kernel
def _add(models: Array, numbers: Array, k: int, x: float, y: float, reach: float, nodes: Array, count: int) -> int:
    """Add a turning point to ``nodes``, unless it is out of reach or off the table; returns the new number of nodes."""
    dx = x - nodes[0, X]
    dy = y - nodes[0, Y]
    if count >= len(nodes) or dx * dx + dy * dy > reach * reach or not on_the_table(models, numbers, k, x, y):
        return count
    nodes[count, X] = x
    nodes[count, Y] = y
    nodes[count, LENGTH] = inf
    nodes[count, BEFORE] = -1.0
    nodes[count, SETTLED] = 0.0
    return count + 1


@inner_kernel
def _add_corners(
    models: Array,
    ground: Array,
    corners: Array,
    numbers: Array,
    k: int,
    piece: int,
    reach: float,
    nodes: Array,
    count: int,
) -> int:
    """Add the turning points just outside the corners of a piece of terrain; returns the number of nodes."""
    first = ground[piece]["first"]
    size = ground[piece]["count"]
    for c in range(size):
        ax = corners[first + (c + size - 1) % size, 0]
        ay = corners[first + (c + size - 1) % size, 1]
        bx = corners[first + c, 0]
        by = corners[first + c, 1]
        cx = corners[first + (c + 1) % size, 0]
        cy = corners[first + (c + 1) % size, 1]
        before = sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay))
        after = sqrt((cx - bx) * (cx - bx) + (cy - by) * (cy - by))
        # outward normals of both edges
        ux = (by - ay) / before
        uy = (ax - bx) / before
        vx = (cy - by) / after
        vy = (bx - cx) / after
        out = OUTSET / (1.0 + ux * vx + uy * vy + 1e-9)
        count = _add(models, numbers, k, bx + out * (ux + vx), by + out * (uy + vy), reach, nodes, count)
    return count


@inner_kernel
def _next_node(nodes: Array, count: int, reach: float) -> int:
    """The node with the shortest way of those whose ways are not settled yet; -1: none is within reach."""
    here = -1
    for c in range(count):
        if nodes[c, SETTLED] == 0.0 and nodes[c, LENGTH] <= reach:
            if here < 0 or nodes[c, LENGTH] < nodes[here, LENGTH]:
                here = c
    return here


@inner_kernel
def ways_round(
    models: Array, ground: Array, corners: Array, numbers: Array, k: int, reach: float, bar: int,
    rows: Array, n: int, walls: Array, w: int, nodes: Array,
) -> int:  # fmt: skip
    """Find the shortest ways from where ``k`` stands to every turning point within ``reach`` cm; returns the number of
    nodes. ``bar``: terrain of this passage or worse is avoided.
    """
    m = models[k]
    nodes[0, X] = m["x"]
    nodes[0, Y] = m["y"]
    nodes[0, LENGTH] = 0.0
    nodes[0, BEFORE] = -1.0
    nodes[0, SETTLED] = 0.0
    count = 1
    if m["traits"] & AERIAL == 0:
        for i in range(w):
            if passage(ground, walls[i], m["rank"]) >= bar:
                count = _add_corners(models, ground, corners, numbers, k, walls[i], reach, nodes, count)
    if m["traits"] == 0:
        for i in range(n):
            q = models[rows[i]]
            if q["owner"] == m["owner"]:
                continue
            away = (m["radius"] + q["radius"]) / cos(pi / ROUND) + OUTSET
            for c in range(ROUND):
                angle = 2.0 * pi * c / ROUND
                count = _add(
                    models, numbers, k, q["x"] + away * cos(angle), q["y"] + away * sin(angle), reach, nodes, count
                )
    while True:
        here = _next_node(nodes, count, reach)
        if here < 0:
            return count
        nodes[here, SETTLED] = 1.0
        x = nodes[here, X]
        y = nodes[here, Y]
        for c in range(count):
            if nodes[c, SETTLED] == 1.0:
                continue
            dx = nodes[c, X] - x
            dy = nodes[c, Y] - y
            length = nodes[here, LENGTH] + sqrt(dx * dx + dy * dy)
            if length < nodes[c, LENGTH] and length <= reach:
                if leg_free(models, ground, corners, k, x, y, nodes[c, X], nodes[c, Y], bar, rows, n, walls, w):
                    nodes[c, LENGTH] = length
                    nodes[c, BEFORE] = here


@inner_kernel
def way_to(
    models: Array, ground: Array, corners: Array, k: int, x: float, y: float, bar: int,
    rows: Array, n: int, walls: Array, w: int, nodes: Array, count: int,
) -> tuple[float, int]:  # fmt: skip
    """(length, node): the length in cm of the shortest way to (x, y), infinite if there is none, and the last turning
    point on it.
    """
    best = inf
    last = -1
    for c in range(count):
        dx = x - nodes[c, X]
        dy = y - nodes[c, Y]
        length = nodes[c, LENGTH] + sqrt(dx * dx + dy * dy)
        if length < best:
            if leg_free(models, ground, corners, k, nodes[c, X], nodes[c, Y], x, y, bar, rows, n, walls, w):
                best = length
                last = c
    return best, last


@inner_kernel
def way_length(
    models: Array, ground: Array, corners: Array, numbers: Array, k: int, x: float, y: float, reach: float, bar: int,
    rows: Array, n: int, walls: Array, w: int, nodes: Array, count: int,
) -> tuple[float, int]:  # fmt: skip
    """(length, count): the length in cm of the shortest way of ``k`` to (x, y), infinite if it is longer than
    ``reach``.

    ``count``: turning points that ``ways_round`` has found for this unit, 0 if it was not called yet; returned with
    what a call added.
    """
    m = models[k]
    dx = x - m["x"]
    dy = y - m["y"]
    straight = sqrt(dx * dx + dy * dy)
    if straight > reach + EPS:
        return inf, count
    if leg_free(models, ground, corners, k, m["x"], m["y"], x, y, bar, rows, n, walls, w):
        return straight, count
    if count == 0:
        count = ways_round(models, ground, corners, numbers, k, reach, bar, rows, n, walls, w, nodes)
    length, _ = way_to(models, ground, corners, k, x, y, bar, rows, n, walls, w, nodes, count)
    if length > reach + EPS:
        return inf, count
    return length, count


@inner_kernel
def enters(
    models: Array, ground: Array, corners: Array, k: int, x0: float, y0: float, x1: float, y1: float, walls: Array,
    w: int,
) -> bool:  # fmt: skip
    """Whether the straight leg from (x0, y0) to (x1, y1) crosses terrain that is dangerous to ``k``."""
    length = sqrt((x1 - x0) * (x1 - x0) + (y1 - y0) * (y1 - y0))
    for i in range(w):
        if passage(ground, walls[i], models[k]["rank"]) == DANGEROUS:
            p = ground[walls[i]]
            t0, t1 = crossing(corners, p["first"], p["count"], x0, y0, x1, y1)
            if (t1 - t0) * length > TINY:
                return True
    return False
