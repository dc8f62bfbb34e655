"""How far a block can go among obstacles: straight moves, wheels, and pivots on the spot (wap.move.one-inch, .wheel.*).

``gather`` collects the obstacles once for a move: parts of other units and impassable ground. Each has a margin, the
inches to be kept from it: one, or the gap where the move begins if that is smaller. So a unit that starts nearer may
leave, but not come nearer.

The other kernels take a ``Way`` and a pose: the middle of the front edge (inches) and the facing (radians).
``length, width``: of the table, inches. Reforms are in ``reform_ways``.
"""

from __future__ import annotations

from math import cos, hypot, inf, pi, sin

import numpy as np

from wh_env.core.geometry.near import Way, near_polygon, near_rect, remove_marked, set_margin
from wh_env.core.geometry.ranks import HALF_A, HALF_B, U, V, on_table_at
from wh_env.core.geometry.rects import (
    TINY,
    body_gap,
    body_inside,
    edge_limit,
    keep_apart,
    margin_of,
    rect_gap,
    slide_limit,
)
from wh_env.core.geometry.shapes import EPS, SLACK
from wh_env.core.geometry.sweeps import segment_near
from wh_env.core.geometry.wheels import Cells, pose_after_wheel, wheel_limit, wheel_mask
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.blocks import unit_body
from wh_env.rulesets.wap.codes import IMPASSABLE

# ``near["mark"]`` of a piece of ground, and of one that matters only where a move ends; of a part of a unit: its row
GROUND_MARK, ENDS_MARK = -1, -2
CLEAR, TOO_NEAR, TOUCHES = 1, 0, 2  # outcomes of a pivot: allowed, not allowed, allowed if a unit is pushed
LOOSE = 4.0 * TINY  # inches by which a move that went to its limit may miss a margin
LEAST = 1e-3  # inches or radians: shorter wheels, and shorter ways back on to the table, do not count
SHORTEST = 0.5 * LEAST  # inches: shorter straight legs do not count


@inner_kernel
def body_reach(body: Array, rows: int) -> float:
    """Inches from the middle of the front edge of a body to its farthest corner."""
    reach = 0.0
    for k in range(rows):
        reach = max(reach, hypot(abs(body[k, U]) + body[k, HALF_A], abs(body[k, V]) + body[k, HALF_B]))
    return reach


@kernel
def gather(
    parts: Array,
    units: Array,
    ground: Array,
    corners: Array,
    u: int,
    px: float,
    py: float,
    pf: float,
    reach: float,
    one_inch: float,
    room: Way,
) -> tuple[int, int]:
    """Fill ``room`` with the rectangles of unit ``u``, and with the obstacles that it may meet within ``reach`` inches.

    No margin is more than the gap at (px, py, pf), the pose to which the move has led so far. Returns the numbers of
    rows of ``near`` and of ``body``.
    """
    near, points, body = room.near, room.points, room.body
    unit = units[u]
    x = unit["x"]
    y = unit["y"]
    rows = unit_body(unit, unit["block"], max(1, unit["files"]), body)
    size = body_reach(body, rows)
    n = 0
    for k in range(len(parts)):
        part = parts[k]
        if part["on_table"] == 0 or part["unit"] == u or units[part["unit"]]["garrison"] >= 0:
            continue  # a garrison is no obstacle besides its building
        if hypot(part["x"] - x, part["y"] - y) > reach + size + part["radius"] + one_inch:
            continue
        n = near_rect(
            near,
            points,
            n,
            part["x"],
            part["y"],
            part["facing"],
            part["half_a"],
            part["half_b"],
            one_inch,
            part["unit"],
        )
    far = reach + size + one_inch
    for b in range(len(ground)):
        piece = ground[b]
        if piece["passage"] != IMPASSABLE:
            continue
        if x + far < piece["min_x"] or x - far > piece["max_x"] or y + far < piece["min_y"] or y - far > piece["max_y"]:
            continue
        n = near_polygon(near, points, n, corners, piece["first"], piece["count"], one_inch, GROUND_MARK)
    keep_apart(near, points, n, body, rows, x, y, unit["facing"], one_inch)
    if px != x or py != y or pf != unit["facing"]:
        for o in range(n):
            near[o]["margin"] = min(near[o]["margin"], margin_of(body_gap(near, points, o, body, rows, px, py, pf)))
    return n, rows


@kernel
def add_pieces(way: Way, x: float, y: float, f: float, corners: Array, pieces: Array, apart: float, mark: int) -> int:
    """Add pieces of ground to the ``n`` obstacles on the way of a body at a pose, which keeps ``apart`` inches from
    them or what it has; returns how many there are then.
    """
    near, points, n, body, rows = way
    for b in range(len(pieces)):
        n = near_polygon(near, points, n, corners, pieces[b]["first"], pieces[b]["count"], apart, mark)
        near[n - 1]["margin"] = min(apart, margin_of(body_gap(near, points, n - 1, body, rows, x, y, f)))
    return n


@inner_kernel
def least_gap(margin: float) -> float:
    """The least gap in inches that counts as keeping a margin. With a margin of 0 outlines may touch."""
    return -SLACK if margin == 0.0 else margin - LOOSE


@inner_kernel
def clear_at(way: Way, x: float, y: float, f: float) -> bool:
    """Whether a body keeps its margin to all obstacles at a pose."""
    n, body, rows = way.n, way.body, way.rows
    reach = body_reach(body, rows)
    for o in range(n):
        if is_too_near(way, o, reach, x, y, f):
            return False
    return True


@inner_kernel
def is_too_near(way: Way, o: int, reach: float, x: float, y: float, f: float) -> bool:
    """Whether a body at a pose does not keep its margin to row ``o``. ``reach``: inches within which all of the body
    lies around (x, y).
    """
    near, points, body, rows = way.near, way.points, way.body, way.rows
    row = near[o]
    margin = least_gap(row["margin"])
    if hypot(row["x"] - x, row["y"] - y) > reach + row["radius"] + max(0.0, margin):
        return False
    return body_gap(near, points, o, body, rows, x, y, f) < margin


@inner_kernel
def comes_near(near: Array, n: int, x: float, y: float, dx: float, dy: float, size: float) -> bool:
    """Whether a body within ``size`` inches of its middle could come nearer than its margin to an obstacle while its
    middle goes from (x, y) by (dx, dy).
    """
    for o in range(n):
        row = near[o]
        if segment_near(row["x"] - x, row["y"] - y, dx, dy, size + row["radius"] + max(0.0, row["margin"]) + LEAST):
            return True
    return False


# ---------------------------------------------------------------- straight, and wheels


@kernel
def straight_limit(
    way: Way, x: float, y: float, f: float, ahead: float, aside: float, most: float, length: float, width: float
) -> float:
    """Inches that a body can go straight, up to ``most``: ahead (``ahead`` 1) or back (-1), to the left (``aside`` 1)
    or right (-1).

    Any shorter way is free too. A body that hangs over the edge of the table must end wholly on it, else the answer is
    0.
    """
    near, points, n, body, rows = way
    dx = ahead * cos(f) - aside * sin(f)
    dy = ahead * sin(f) + aside * cos(f)
    limit = min(most, edge_limit(body, rows, x, y, f, dx, dy, length, width))
    if limit > 0.0:
        limit = slide_limit(near, points, n, body, rows, x, y, f, dx, dy, limit)
    if not body_inside(body, rows, x + limit * dx, y + limit * dy, f, length, width, EPS):
        return 0.0
    return limit


@kernel
def wheel_ends(
    way: Way,
    x: float,
    y: float,
    f: float,
    front: float,
    side: float,
    left: float,
    step: float,
    going_on: bool,
    length: float,
    width: float,
    mask: Array,
) -> float:
    """Mark in ``mask`` (bool) the wheels to one side after which the unit may end, and with ``going_on`` also those
    after which it can go straight on to a place where it may end.

    Slot ``k`` is the angle ``(k + 1) * step`` in radians; the last slot is the greatest possible angle, which is
    returned. ``left``: the inches that the wheel may cost. A wheel can be impossible while a greater one is possible
    only because of the edge of the table: a block may hang over it on its way (wap.move.table.overhang).
    """
    near, points, n, body, rows = way
    last = len(mask) - 1
    most = min(2.0 * pi, left / front)
    limit = wheel_limit(near, points, n, body, rows, x, y, f, front, side, most)
    for k in range(last + 1):
        angle = limit if k == last else (k + 1) * step
        mask[k] = False
        if angle > limit + 1e-9 or limit < LEAST:
            continue
        px, py, pf = pose_after_wheel(x, y, f, front, side, angle)
        mask[k] = body_inside(body, rows, px, py, pf, length, width, EPS)
        if going_on and not mask[k]:
            rest = left - front * angle
            mask[k] = straight_limit(way, px, py, pf, 1.0, 0.0, rest, length, width) > LEAST
    return limit


@kernel
def open_ways(
    way: Way,
    x: float,
    y: float,
    f: float,
    front: float,
    movement: float,
    step: float,
    going_on: bool,
    length: float,
    width: float,
    mask: Array,
) -> int:
    """The directions in which a unit with ``movement`` inches can move at all: bit 0 straight ahead or by a wheel, 1
    back, 2 to the left, 3 to the right.

    Other arguments as for ``wheel_ends``, which writes to ``mask`` here.
    """
    found = 0
    for k in range(4):
        ahead = 1.0 - 2.0 * k if k < 2 else 0.0
        aside = 5.0 - 2.0 * k if k > 1 else 0.0
        most = movement if k == 0 else 0.5 * movement
        if straight_limit(way, x, y, f, ahead, aside, most, length, width) >= SHORTEST:
            found |= 1 << k
    if found & 1 == 0:
        for k in range(2):
            side = 1.0 - 2.0 * k
            wheel_ends(way, x, y, f, front, side, movement, step, going_on, length, width, mask)
            for slot in range(len(mask)):
                if mask[slot]:
                    found |= 1
    return found


@kernel
def cells_to(
    way: Way, x: float, y: float, f: float, front: float, allowance: float, length: float, width: float, cells: Cells
) -> int:
    """Mark the cells that the middle of the front edge reaches by a wheel and a straight move
    (``core.geometry.wheels.wheel_mask``). Returns how many.
    """
    return wheel_mask(way, x, y, f, front, allowance, length, width, cells)


@kernel
def lone_cells(
    way: Way, x: float, y: float, f: float, allowance: float, length: float, width: float, cells: Cells
) -> int:
    """Mark the cells that the middle of a single model's base reaches by a pivot towards them and a straight move
    (wap.move.single.pivot). Returns how many.

    As ``cells_to``, but (x, y) is the middle of the base, and ``turns`` are the pivots in radians.
    """
    window, grid, mask, costs, turns = cells
    near, points, n, body = way.near, way.points, way.n, way.body
    half = body[0, HALF_A]
    size = hypot(half, abs(body[0, V]) + body[0, HALF_B])
    found = 0
    for cell in range(grid * grid):
        px = window[0] + (cell % grid) * window[2]
        py = window[1] + (cell // grid) * window[3]
        dx = px - x
        dy = py - y
        far = hypot(dx, dy)
        costs[cell] = inf
        turns[cell] = 0.0
        mask[cell] = False
        if far > allowance + EPS:
            continue
        facing = f
        if far > LEAST:
            dx /= far
            dy /= far
            facing = np.arctan2(dy, dx)
        amid = size <= px <= length - size and size <= py <= width - size  # the base is on the table at any facing
        passes = far > LEAST and comes_near(near, n, x, y, px - x, py - y, size)
        if far > LEAST and (passes or not amid):
            fx, fy = on_table_at(x, y, facing, half, 0.0)
            if passes:
                if not clear_at(Way(near, points, n, body, 1), fx, fy, facing):
                    continue
                if slide_limit(near, points, n, body, 1, fx, fy, facing, dx, dy, far) < far - 1e-9:
                    continue
            if not amid and not body_inside(body, 1, fx + far * dx, fy + far * dy, facing, length, width, EPS):
                continue
        turn = facing - f
        turns[cell] = turn - 2.0 * pi * np.floor((turn + pi) / (2.0 * pi))
        costs[cell] = far
        mask[cell] = True
        found += 1
    return found


# ---------------------------------------------------------------- on the spot


@kernel
def pivot_ends(
    way: Way, cx: float, cy: float, depth: float, f: float, length: float, width: float, codes: Array
) -> None:
    """Write the outcomes of pivots on the centre (cx, cy) to ``codes`` (int64): slot ``k`` for the facing ``k * 2 pi /
    (len(codes) - 1)``, the last slot for the facing ``f``.

    A pivot is judged by its end alone (wap.move.one-inch.pivot). ``CLEAR``: allowed. ``TOO_NEAR``: near an obstacle or
    over the edge of the table. ``TOUCHES``: in contact, so that a unit must be pushed (.pivot-back, .pivot-push-other).
    ``depth``: of the block, inches.
    """
    near, points, n, body, rows = way
    angles = len(codes) - 1
    for k in range(angles + 1):
        facing = f if k == angles else k * 2.0 * pi / angles
        x, y = on_table_at(cx, cy, facing, 0.5 * depth, 0.0)
        codes[k] = TOO_NEAR
        if clear_at(way, x, y, facing):
            if body_inside(body, rows, x, y, facing, length, width, EPS):
                codes[k] = CLEAR
            continue
        for o in range(n):
            if body_gap(near, points, o, body, rows, x, y, facing) <= 0.0:
                codes[k] = TOUCHES
                break


# ---------------------------------------------------------------- pushed apart


@inner_kernel
def least_axis(
    x: float, y: float, f: float, a: float, b: float, points: Array, first: int, count: int
) -> tuple[float, float, float]:
    """The unit direction in which a rectangle leaves a convex polygon by the shortest way, and minus its depth in the
    polygon along it (at most 0 if they overlap).
    """
    c = cos(f)
    s = sin(f)
    depth = -inf
    bx = 1.0
    by = 0.0
    for k in range(count + 4):
        if k < count:
            i = first + k
            j = first + (k + 1) % count
            nx = points[j, 1] - points[i, 1]
            ny = points[i, 0] - points[j, 0]
            size = hypot(nx, ny)
            nx /= size
            ny /= size
        else:
            side = k - count
            ahead = (1.0 if side == 0 else -1.0) if side < 2 else 0.0
            aside = (1.0 if side == 2 else -1.0) if side > 1 else 0.0
            nx = ahead * c - aside * s
            ny = ahead * s + aside * c
        high = -inf  # how far the polygon reaches in the direction, inches
        for o in range(first, first + count):
            high = max(high, nx * points[o, 0] + ny * points[o, 1])
        low = nx * x + ny * y - a * abs(nx * c + ny * s) - b * abs(ny * c - nx * s)
        if low - high > depth:
            depth = low - high
            bx = nx
            by = ny
    return bx, by, depth


@kernel
def way_out(way: Way, x: float, y: float, f: float, o: int, most: float, step: float) -> tuple[float, float]:
    """(dx, dy) in inches by which a body leaves the obstacle that row ``o`` of ``near`` is part of: straight away from
    it, by the least distance that keeps the margin to all of it.

    The direction is that in which the deepest rectangle of the body leaves the row by the shortest way. If nothing
    overlaps, it leads away from the row's middle. ``most``: inches that are tried. ``step``: inches between tries,
    before a bisection.
    """
    near, points, n, body, rows = way
    mark = near[o]["mark"]
    least = inf
    for k in range(n):  # if the obstacle is a unit, start from its nearest rectangle
        if mark != GROUND_MARK and near[k]["mark"] == mark:
            gap = body_gap(near, points, k, body, rows, x, y, f)
            if gap < least:
                least = gap
                o = k
    deepest = 0.0
    c = cos(f)
    s = sin(f)
    dx = x - near[o]["x"]
    dy = y - near[o]["y"]
    size = hypot(dx, dy)
    if size < LEAST:
        dx, dy, size = -c, -s, 1.0
    dx /= size
    dy /= size
    for k in range(rows):
        px, py = on_table_at(x, y, f, body[k, U], body[k, V])
        a = body[k, HALF_A]
        b = body[k, HALF_B]
        if rect_gap(px, py, f, a, b, points, near[o]["first"], near[o]["count"]) > 0.0:
            continue
        nx, ny, depth = least_axis(px, py, f, a, b, points, near[o]["first"], near[o]["count"])
        if depth <= deepest:
            deepest = depth
            dx = nx
            dy = ny
    low = 0.0
    high = 0.0
    while high < most and not _free_of(way, x + high * dx, y + high * dy, f, o, mark):
        low = high
        high += step
    for _ in range(40):
        middle = 0.5 * (low + high)
        if _free_of(way, x + middle * dx, y + middle * dy, f, o, mark):
            high = middle
        else:
            low = middle
    return high * dx, high * dy


@inner_kernel
def _free_of(way: Way, x: float, y: float, f: float, at: int, mark: int) -> bool:
    """Whether a body keeps its margin to row ``at``. If that is part of a unit, to all rows of the unit."""
    near, points, n, body, rows = way
    for o in range(n):
        if o != at and (mark == GROUND_MARK or near[o]["mark"] != mark):
            continue
        if body_gap(near, points, o, body, rows, x, y, f) < near[o]["margin"]:
            return False
    return True


@kernel
def rows_in_the_way(way: Way, x: float, y: float, f: float, found: Array) -> int:
    """Write to ``found`` (int64) the rows of ``near`` to which a body at a pose does not keep its margin. Returns how
    many.
    """
    near, points, n, body, rows = way
    count = 0
    for o in range(n):
        row = near[o]
        margin = least_gap(row["margin"])
        if body_gap(near, points, o, body, rows, x, y, f) < margin:
            found[count] = o
            count += 1
    return count


@kernel
def may_end(way: Way, x: float, y: float, f: float, length: float, width: float) -> bool:
    """Whether a body may end a move at a pose: on the table, and clear."""
    body, rows = way.body, way.rows
    return body_inside(body, rows, x, y, f, length, width, EPS) and clear_at(way, x, y, f)


@kernel
def leave_block(way: Way, mark: int, margin: float, x: float, y: float, f: float, length: float, width: float) -> int:
    """Set the margin to the rows of one ``mark`` if a body at a pose already keeps it and is on the table; else remove
    these rows from ``near``. Returns how many rows are left.
    """
    near, n, body, rows = way.near, way.n, way.body, way.rows
    set_margin(near, n, mark, margin)
    out = body_inside(body, rows, x, y, f, length, width, EPS)
    reach = body_reach(body, rows)
    for o in range(n):
        if out and near[o]["mark"] == mark:
            out = not is_too_near(way, o, reach, x, y, f)
    return n if out else remove_marked(near, n, mark)


@kernel
def keep_clear(
    way: Way,
    x0: float,
    y0: float,
    step: float,
    grid: int,
    f: float,
    half: float,
    length: float,
    width: float,
    turns: Array,
    mask: Array,
) -> int:
    """Unmark the marked cells of a grid where a single model may not end, turned from the facing ``f`` by ``turns``.
    Returns how many stay marked. ``half``: half the depth of its base, inches.
    """
    found = 0
    for cell in range(grid * grid):
        if mask[cell]:
            facing = f + turns[cell]
            x = x0 + cell % grid * step + half * cos(facing)
            y = y0 + cell // grid * step + half * sin(facing)
            mask[cell] = may_end(way, x, y, facing, length, width)
            found += mask[cell]
    return found


# ---------------------------------------------------------------- lanes


@kernel
def lane_ahead(near: Array, points: Array, n: int, x: float, y: float, f: float, behind: float, ahead: float) -> float:
    """Inches between the obstacles to the left and to the right of the line straight ahead of (x, y), from ``behind``
    inches behind it to ``ahead`` before it (wap.core.unit.rank-limit-exception). ``inf``: one side is open. 0: an
    obstacle lies on the line.
    """
    c = cos(f)
    s = sin(f)
    left = inf
    right = -inf
    for o in range(n):
        first = near[o]["first"]
        count = near[o]["count"]
        low = inf
        high = -inf
        for k in range(count):
            i = first + k
            j = first + (k + 1) % count
            pu = c * (points[i, 0] - x) + s * (points[i, 1] - y)
            pv = c * (points[i, 1] - y) - s * (points[i, 0] - x)
            qu = c * (points[j, 0] - x) + s * (points[j, 1] - y)
            qv = c * (points[j, 1] - y) - s * (points[j, 0] - x)
            t0 = 0.0
            t1 = 1.0
            # the part of the edge within the strip
            if abs(qu - pu) < 1e-12:
                if pu < -behind or pu > ahead:
                    continue
            else:
                ta = (-behind - pu) / (qu - pu)
                tb = (ahead - pu) / (qu - pu)
                t0 = max(t0, min(ta, tb))
                t1 = min(t1, max(ta, tb))
                if t0 > t1:
                    continue
            va = pv + t0 * (qv - pv)
            vb = pv + t1 * (qv - pv)
            low = min(low, va, vb)
            high = max(high, va, vb)
        if low > high:
            continue
        if low <= 0.0 <= high:
            return 0.0
        if low > 0.0:
            left = min(left, low)
        else:
            right = max(right, high)
    return left - right
