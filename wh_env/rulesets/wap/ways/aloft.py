"""Moves through the air: what is on the way does not matter, what is where they end does (wap.special.fly.move).

A flight is made of straight parts and wheels that cost what they cost on the ground. Arguments as for the kernels of
``ways``; margins are those of where the move begins.
"""

from __future__ import annotations

from math import pi

from wh_env.core.geometry.ranks import HALF_A, HALF_B, U, V, on_table_at
from wh_env.core.geometry.rects import TINY, edge_limit, ray_span
from wh_env.core.geometry.wheels import pose_after_wheel
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import Array
from wh_env.rulesets.wap.ways.ways import CLEAR, LEAST, TOO_NEAR, clear_at, may_end

NOWHERE = -1.0


@inner_kernel
def nearest_before(
    near: Array,
    points: Array,
    n: int,
    body: Array,
    rows: int,
    x: float,
    y: float,
    f: float,
    dx: float,
    dy: float,
    at: float,
) -> float:
    """The last place, from ``at`` inches along a unit direction back, where a body is clear of all that is near; below
    0: there is none before its start.
    """
    moved = True
    while moved and at >= 0.0:
        moved = False
        for k in range(rows):
            px, py = on_table_at(x, y, f, body[k, U], body[k, V])
            for o in range(n):
                row = near[o]
                t0, t1 = ray_span(
                    px,
                    py,
                    f,
                    body[k, HALF_A],
                    body[k, HALF_B],
                    dx,
                    dy,
                    points,
                    row["first"],
                    row["count"],
                    row["margin"],
                )
                if t0 + TINY < at < t1 - TINY:
                    at = t0
                    moved = True
    return at


@kernel
def landing_ahead(
    near: Array,
    points: Array,
    n: int,
    body: Array,
    rows: int,
    x: float,
    y: float,
    f: float,
    most: float,
    length: float,
    width: float,
) -> float:
    """The farthest place straight ahead, up to ``most`` inches, where a body that flies may land; ``NOWHERE``: there is
    none.
    """
    dx, dy = on_table_at(0.0, 0.0, f, 1.0, 0.0)
    at = min(most, edge_limit(body, rows, x, y, f, dx, dy, length, width))
    at = nearest_before(near, points, n, body, rows, x, y, f, dx, dy, at)
    if at < 0.0 or not may_end(near, points, n, body, rows, x + at * dx, y + at * dy, f, length, width):
        return NOWHERE
    return at


@kernel
def wheels_aloft(
    near: Array, points: Array, n: int, body: Array, rows: int, x: float, y: float, f: float, front: float, side: float,
    left: float, step: float, going_on: bool, length: float, width: float, mask: Array,
) -> float:  # fmt: skip
    """``ways.wheel_ends`` in the air: the wheels after which a body may land, or (``going_on``) from which it can fly
    straight on to where it may.
    """
    last = len(mask) - 1
    limit = min(2.0 * pi, left / front)
    for k in range(last + 1):
        angle = limit if k == last else (k + 1) * step
        mask[k] = False
        if angle > limit + 1e-9 or limit < LEAST:
            continue
        px, py, pf = pose_after_wheel(x, y, f, front, side, angle)
        mask[k] = may_end(near, points, n, body, rows, px, py, pf, length, width)
        if going_on and not mask[k]:
            rest = left - front * angle
            mask[k] = landing_ahead(near, points, n, body, rows, px, py, pf, rest, length, width) > LEAST
    return limit


@kernel
def pivots_aloft(
    near: Array,
    points: Array,
    n: int,
    body: Array,
    rows: int,
    cx: float,
    cy: float,
    depth: float,
    f: float,
    left: float,
    length: float,
    width: float,
    codes: Array,
) -> None:
    """``ways.pivot_ends`` in the air, where nobody is pushed: ``CLEAR`` where the body may land, or fly straight on to
    where it may.
    """
    angles = len(codes) - 1
    for k in range(angles + 1):
        facing = f if k == angles else k * 2.0 * pi / angles
        x, y = on_table_at(cx, cy, facing, 0.5 * depth, 0.0)
        fine = may_end(near, points, n, body, rows, x, y, facing, length, width)
        if not fine and left > 0.0:
            fine = landing_ahead(near, points, n, body, rows, x, y, facing, left, length, width) > LEAST
        codes[k] = CLEAR if fine else TOO_NEAR


@kernel
def keep_landings(
    near: Array,
    points: Array,
    n: int,
    body: Array,
    rows: int,
    f: float,
    half: float,
    window: Array,
    grid: int,
    mask: Array,
    turns: Array,
) -> int:
    """Of the marked cells of a grid only those stay marked where a body that comes there after its turn stands clear;
    returns how many. ``half``: inches from the cell's place to the middle of its front.
    """
    found = 0
    for cell in range(grid * grid):
        if not mask[cell]:
            continue
        facing = f + turns[cell]
        x, y = on_table_at(
            window[0] + (cell % grid) * window[2], window[1] + (cell // grid) * window[3], facing, half, 0.0
        )
        mask[cell] = clear_at(near, points, n, body, rows, x, y, facing)
        found += mask[cell]
    return found
