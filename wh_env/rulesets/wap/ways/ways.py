"""Ways of a block among what is near it: how far it goes straight, wheels, and where pivots on the spot end
(wap.move.one-inch, .wheel.*).

What is near is gathered once for a move (``gather``): parts of other units and impassable ground, each with the inches
to be kept from it: one, or what the gap is where the move begins, so that a unit that is nearer may leave and not come
nearer. The other kernels take ``near, points, n, body, rows`` as ``core.geometry.rects`` does, and a pose: the middle
of the front edge and the facing. Ways of reforms are in ``reform_ways``.
"""

from __future__ import annotations

from math import cos, hypot, inf, pi, sin

import numpy as np

from wh_env.core.geometry.near import near_polygon, near_rect, remove_marked, set_margin
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
from wh_env.core.geometry.wheels import pose_after_wheel, wheel_limit, wheel_mask
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.blocks import unit_body
from wh_env.rulesets.wap.codes import IMPASSABLE

GROUND_MARK = -1  # ``near["mark"]``: a piece of ground; a unit has its row
CLEAR, TOO_NEAR, TOUCHES = 1, 0, 2  # what ends a pivot: it may stand there, not, or it must be pushed apart
LOOSE = 4.0 * TINY  # inches by which a margin may be missed after a way that went to its limit
LEAST = 1e-3  # inches, or radians: shorter wheels, and ways back on to the table, are none
SHORTEST = 0.5 * LEAST  # ... straight legs


@inner_kernel
def body_reach(body: Array, rows: int) -> float:
    """Inches from the middle of its front edge to the farthest corner of a body."""
    reach = 0.0
    for k in range(rows):
        reach = max(reach, hypot(abs(body[k, U]) + body[k, HALF_A], abs(body[k, V]) + body[k, HALF_B]))
    return reach


@kernel
def gather(
    parts: Array, units: Array, ground: Array, corners: Array, u: int, px: float, py: float, pf: float, reach: float,
    one_inch: float, body: Array, near: Array, points: Array,
) -> tuple[int, int]:  # fmt: skip
    """Fill ``body`` with the rectangles of unit ``u``, and ``near`` and ``points`` with what it may meet on a way of
    ``reach`` inches, with the inches to be kept from it: no more than there are at (px, py, pf), where the move has led
    so far. Returns how many rows of each there are: near, body.
    """
    unit = units[u]
    x = unit["x"]
    y = unit["y"]
    rows = unit_body(unit, unit["block"], max(1, unit["files"]), body)
    size = body_reach(body, rows)
    n = 0
    for k in range(len(parts)):
        part = parts[k]
        if part["on_table"] == 0 or part["unit"] == u:
            continue
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


@inner_kernel
def least_gap(margin: float) -> float:
    """The least gap that keeps a margin; a margin of 0 lets outlines touch."""
    return -SLACK if margin == 0.0 else margin - LOOSE


@inner_kernel
def clear_at(near: Array, points: Array, n: int, body: Array, rows: int, x: float, y: float, f: float) -> bool:
    """Whether a body may end a move at a pose: nowhere nearer than it must keep away."""
    reach = body_reach(body, rows)
    for o in range(n):
        if is_too_near(near, points, o, body, rows, reach, x, y, f):
            return False
    return True


@inner_kernel
def is_too_near(
    near: Array, points: Array, o: int, body: Array, rows: int, reach: float, x: float, y: float, f: float
) -> bool:
    """Whether a body, no part of which is farther than ``reach`` from (x, y), is nearer to row ``o`` than it must keep
    away.
    """
    row = near[o]
    margin = least_gap(row["margin"])
    if hypot(row["x"] - x, row["y"] - y) > reach + row["radius"] + max(0.0, margin):
        return False
    return body_gap(near, points, o, body, rows, x, y, f) < margin


@inner_kernel
def comes_near(near: Array, n: int, x: float, y: float, dx: float, dy: float, size: float) -> bool:
    """Whether a body within ``size`` inches of its middle could come nearer than its margin to anything on the way of
    its middle from (x, y) by (dx, dy).
    """
    for o in range(n):
        row = near[o]
        if segment_near(row["x"] - x, row["y"] - y, dx, dy, size + row["radius"] + max(0.0, row["margin"]) + LEAST):
            return True
    return False


# ---------------------------------------------------------------- straight, and wheels


@kernel
def straight_limit(
    near: Array, points: Array, n: int, body: Array, rows: int, x: float, y: float, f: float,
    ahead: float, aside: float, most: float, length: float, width: float,
) -> float:  # fmt: skip
    """How far a body goes, up to ``most`` inches, along the direction ``ahead`` before it (-1: behind it) or ``aside``
    to its left (-1: right).

    Any shorter way is free too. A body that hangs over the edge of the table goes only where it comes wholly on it
    again: else 0.
    """
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
    near: Array, points: Array, n: int, body: Array, rows: int, x: float, y: float, f: float, front: float, side: float,
    left: float, step: float, going_on: bool, length: float, width: float, mask: Array,
) -> float:  # fmt: skip
    """Mark in ``mask`` (bool) the wheels to one side after which the unit may end, or (``going_on``) from which it can
    go straight on to where it may.

    Slot ``k`` of it is the angle ``(k + 1) * step``, the last one the greatest angle there is, which is returned;
    ``left``: the inches it may cost. Only the edge of the table makes a wheel impossible while a greater one is not: a
    block may hang over it on its way (wap.move.table.overhang).
    """
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
            mask[k] = (
                straight_limit(near, points, n, body, rows, px, py, pf, 1.0, 0.0, rest, length, width) > LEAST
            )  # fmt: skip
    return limit


@kernel
def open_ways(
    near: Array, points: Array, n: int, body: Array, rows: int, x: float, y: float, f: float, front: float,
    movement: float, step: float, going_on: bool, length: float, width: float, mask: Array,
) -> int:  # fmt: skip
    """Which ways are open at all to a unit with so much Movement: bit 0 straight ahead or a wheel, 1 back, 2 to the
    left, 3 to the right.

    The rest as for ``wheel_ends``, whose slots ``mask`` is room for.
    """
    found = 0
    for way in range(4):
        ahead = 1.0 - 2.0 * way if way < 2 else 0.0
        aside = 5.0 - 2.0 * way if way > 1 else 0.0
        most = movement if way == 0 else 0.5 * movement
        if straight_limit(near, points, n, body, rows, x, y, f, ahead, aside, most, length, width) >= SHORTEST:
            found |= 1 << way
    if found & 1 == 0:
        for way in range(2):
            side = 1.0 - 2.0 * way
            wheel_ends(
                near, points, n, body, rows, x, y, f, front, side, movement, step, going_on, length, width, mask
            )  # fmt: skip
            for k in range(len(mask)):
                if mask[k]:
                    found |= 1
    return found


@kernel
def cells_to(
    near: Array, points: Array, n: int, body: Array, rows: int, x: float, y: float, f: float, front: float,
    allowance: float, length: float, width: float, window: Array, grid: int, mask: Array, costs: Array, turns: Array,
) -> int:  # fmt: skip
    """``core.geometry.wheels.wheel_mask``: cells that the middle of the front edge reaches by a wheel and a straight
    move.
    """
    return wheel_mask(
        near, points, n, body, rows, x, y, f, front, allowance, length, width, window, grid, mask, costs, turns
    )  # fmt: skip


@kernel
def lone_cells(
    near: Array, points: Array, n: int, body: Array, x: float, y: float, f: float, allowance: float,
    length: float, width: float, window: Array, grid: int, mask: Array, costs: Array, turns: Array,
) -> int:  # fmt: skip
    """Mark the cells that the middle of a single model's base reaches by a pivot towards them and a straight move
    (wap.move.single.pivot).

    As ``cells_to``, but that poses have the base's middle in place of its front edge's; ``turns`` is the pivot.
    """
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
        amid = size <= px <= length - size and size <= py <= width - size  # it lies on the table whatever its facing
        passes = far > LEAST and comes_near(near, n, x, y, px - x, py - y, size)
        if far > LEAST and (passes or not amid):
            fx, fy = on_table_at(x, y, facing, half, 0.0)
            if passes:
                if not clear_at(near, points, n, body, 1, fx, fy, facing):
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
    near: Array, points: Array, n: int, body: Array, rows: int, cx: float, cy: float, depth: float, f: float,
    length: float, width: float, codes: Array,
) -> None:  # fmt: skip
    """What becomes of pivots on the centre (cx, cy): ``codes[k]`` for facing ``k * 2 pi / (len(codes) - 1)``, the last
    one for facing ``f``.

    A pivot is judged by its end alone (wap.move.one-inch.pivot): ``CLEAR``, ``TOO_NEAR`` to something or over the edge
    of the table, or ``TOUCHES``: it stands only if somebody is pushed (.pivot-back, .pivot-push-other). ``depth``: of
    the whole block.
    """
    angles = len(codes) - 1
    for k in range(angles + 1):
        facing = f if k == angles else k * 2.0 * pi / angles
        x, y = on_table_at(cx, cy, facing, 0.5 * depth, 0.0)
        codes[k] = TOO_NEAR
        if clear_at(near, points, n, body, rows, x, y, facing):
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
    """The direction in which a rectangle leaves a convex polygon that it overlaps by the shortest way, and how deep it
    stands in it there (at most 0).
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
        high = -inf  # of the polygon along the direction
        for o in range(first, first + count):
            high = max(high, nx * points[o, 0] + ny * points[o, 1])
        low = nx * x + ny * y - a * abs(nx * c + ny * s) - b * abs(ny * c - nx * s)
        if low - high > depth:
            depth = low - high
            bx = nx
            by = ny
    return bx, by, depth


@kernel
def way_out(
    near: Array, points: Array, n: int, body: Array, rows: int, x: float, y: float, f: float, o: int, most: float,
    step: float,
) -> tuple[float, float]:  # fmt: skip
    """How a body leaves what row ``o`` of ``near`` is a part of: straight away from it, by the least distance that
    leaves the margin to all of it.

    The direction is that in which the deepest of its rectangles leaves the row by the shortest way; where nothing
    overlaps, from the row's middle.
    ``most``: inches that are tried, ``step``: how finely they are looked at before the last bisection.
    """
    mark = near[o]["mark"]
    least = inf
    for k in range(n):  # of a unit, the rectangle that is nearest
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
    while high < most and not _free_of(near, points, n, body, rows, x + high * dx, y + high * dy, f, o, mark):
        low = high
        high += step
    for _ in range(40):
        middle = 0.5 * (low + high)
        if _free_of(near, points, n, body, rows, x + middle * dx, y + middle * dy, f, o, mark):
            high = middle
        else:
            low = middle
    return high * dx, high * dy


@inner_kernel
def _free_of(
    near: Array, points: Array, n: int, body: Array, rows: int, x: float, y: float, f: float, at: int, mark: int
) -> bool:
    """Whether a body keeps its margin to row ``at``, or to every row with its mark where that is a unit."""
    for o in range(n):
        if o != at and (mark == GROUND_MARK or near[o]["mark"] != mark):
            continue
        if body_gap(near, points, o, body, rows, x, y, f) < near[o]["margin"]:
            return False
    return True


@kernel
def rows_in_the_way(
    near: Array, points: Array, n: int, body: Array, rows: int, x: float, y: float, f: float, found: Array
) -> int:
    """Write to ``found`` (int64) the rows of ``near`` to which a body at a pose does not keep its margin; returns how
    many.
    """
    count = 0
    for o in range(n):
        row = near[o]
        margin = least_gap(row["margin"])
        if body_gap(near, points, o, body, rows, x, y, f) < margin:
            found[count] = o
            count += 1
    return count


@kernel
def may_end(
    near: Array,
    points: Array,
    n: int,
    body: Array,
    rows: int,
    x: float,
    y: float,
    f: float,
    length: float,
    width: float,
) -> bool:
    """Whether a body may end a move at a pose: on the table, and clear."""
    return body_inside(body, rows, x, y, f, length, width, EPS) and clear_at(near, points, n, body, rows, x, y, f)


@kernel
def leave_block(
    near: Array,
    points: Array,
    n: int,
    mark: int,
    margin: float,
    body: Array,
    rows: int,
    x: float,
    y: float,
    f: float,
    length: float,
    width: float,
) -> int:
    """So many inches are to be kept from the rows of a mark if a body that stands at a pose is out of them, and on the
    table; else they are taken out of what is near. Returns how many rows are left.
    """
    set_margin(near, n, mark, margin)
    out = body_inside(body, rows, x, y, f, length, width, EPS)
    reach = body_reach(body, rows)
    for o in range(n):
        if out and near[o]["mark"] == mark:
            out = not is_too_near(near, points, o, body, rows, reach, x, y, f)
    return n if out else remove_marked(near, n, mark)


@kernel
def keep_clear(
    near: Array, points: Array, n: int, body: Array, rows: int, x0: float, y0: float, step: float, grid: int, f: float,
    half: float, length: float, width: float, turns: Array, mask: Array,
) -> int:  # fmt: skip
    """Of the marked cells of a grid leave those where a single model may end, ``half`` its depth, turned from the
    facing ``f`` by ``turns``; returns how many.
    """
    found = 0
    for cell in range(grid * grid):
        if mask[cell]:
            facing = f + turns[cell]
            x = x0 + cell % grid * step + half * cos(facing)
            y = y0 + cell // grid * step + half * sin(facing)
            mask[cell] = may_end(near, points, n, body, rows, x, y, facing, length, width)
            found += mask[cell]
    return found


# ---------------------------------------------------------------- lanes


@kernel
def lane_ahead(near: Array, points: Array, n: int, x: float, y: float, f: float, behind: float, ahead: float) -> float:
    """Inches between what lies to the left and to the right of the line straight ahead of (x, y), from ``behind`` it to
    ``ahead`` of it; ``inf``: one side is open; 0: the line is blocked (wap.core.unit.rank-limit-exception).
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
