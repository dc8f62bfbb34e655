"""Moves of flyers: obstacles on the way do not matter, those at the end do (wap.special.fly.move).

A flight is made of straight parts and wheels, which cost as much as on the ground. The kernels take the arguments of
those in ``ways``; margins are those at the pose where the move begins.
"""

from __future__ import annotations

from math import pi

from wh_env.core.geometry.near import Way
from wh_env.core.geometry.ranks import HALF_A, HALF_B, U, V, on_table_at
from wh_env.core.geometry.rects import TINY, edge_limit, ray_span
from wh_env.core.geometry.wheels import Cells, pose_after_wheel
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import Array
from wh_env.rulesets.wap.ways.ways import CLEAR, LEAST, TOO_NEAR, clear_at, may_end

NOWHERE = -1.0


@inner_kernel
def nearest_before(way: Way, x: float, y: float, f: float, dx: float, dy: float, at: float) -> float:
    """The last place, at most ``at`` inches along the unit direction (dx, dy), where a body is clear of all rows of
    ``near``. Below 0: there is none between there and its start.
    """
    near, points, n, body, rows = way
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
def landing_along(
    way: Way, x: float, y: float, f: float, ahead: float, aside: float, most: float, length: float, width: float
) -> float:
    """Inches to the farthest place, up to ``most`` inches straight on, where a flying body may land; the direction is
    that of ``ways.straight_limit``. ``NOWHERE``: there is none.
    """
    body, rows = way.body, way.rows
    dx, dy = on_table_at(0.0, 0.0, f, ahead, aside)
    at = min(most, edge_limit(body, rows, x, y, f, dx, dy, length, width))
    at = nearest_before(way, x, y, f, dx, dy, at)
    if at < 0.0 or not may_end(way, x + at * dx, y + at * dy, f, length, width):
        return NOWHERE
    return at


@kernel
def wheels_aloft(
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
    """``ways.wheel_ends`` for a flyer. Marks the wheels after which the body may land, and with ``going_on`` also those
    after which it can fly straight on to a place to land. Returns the greatest angle, radians.
    """
    last = len(mask) - 1
    limit = min(2.0 * pi, left / front)
    for k in range(last + 1):
        angle = limit if k == last else (k + 1) * step
        mask[k] = False
        if angle > limit + 1e-9 or limit < LEAST:
            continue
        px, py, pf = pose_after_wheel(x, y, f, front, side, angle)
        mask[k] = may_end(way, px, py, pf, length, width)
        if going_on and not mask[k]:
            rest = left - front * angle
            mask[k] = landing_along(way, px, py, pf, 1.0, 0.0, rest, length, width) > LEAST
    return limit


@kernel
def pivots_aloft(
    way: Way, cx: float, cy: float, depth: float, f: float, left: float, length: float, width: float, codes: Array
) -> None:
    """``ways.pivot_ends`` for a flyer, which pushes no other unit. ``CLEAR``: the body may land at this facing, or fly
    straight on, up to ``left`` inches, to a place to land.
    """
    angles = len(codes) - 1
    for k in range(angles + 1):
        facing = f if k == angles else k * 2.0 * pi / angles
        x, y = on_table_at(cx, cy, facing, 0.5 * depth, 0.0)
        fine = may_end(way, x, y, facing, length, width)
        if not fine and left > 0.0:
            fine = landing_along(way, x, y, facing, 1.0, 0.0, left, length, width) > LEAST
        codes[k] = CLEAR if fine else TOO_NEAR


@kernel
def keep_landings(way: Way, f: float, half: float, cells: Cells) -> int:
    """Unmark the marked cells of a grid where a body, turned by ``turns`` (radians), would not stand clear. Returns how
    many cells stay marked. ``half``: inches from the cell's place to the middle of the body's front edge.
    """
    window, grid, mask, turns = cells.window, cells.grid, cells.mask, cells.turns
    found = 0
    for cell in range(grid * grid):
        if not mask[cell]:
            continue
        facing = f + turns[cell]
        x, y = on_table_at(
            window[0] + (cell % grid) * window[2], window[1] + (cell // grid) * window[3], facing, half, 0.0
        )
        mask[cell] = clear_at(way, x, y, facing)
        found += mask[cell]
    return found
