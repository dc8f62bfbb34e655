"""Places in base contact in narrow gaps: the angles at which gaps between bases and terrain begin and end, and ways
that bend closely round a base.

Let a round base move round another one in contact. The stretches that are free end at angles at which it just touches a
third base or a block, has just moved as far as it may, is just closer than it started, or just gets past what is in its
way. Every gap wider than twice ``_NUDGE`` contains a place that near to one of these angles. For bases of other shapes
such angles are not computed; places 2.5 degrees apart all round are tried.
"""

from __future__ import annotations

from math import acos, asin, atan2, cos, hypot, inf, pi, sin, sqrt

import numpy as np

from wh_env.core.geometry.board import Board
from wh_env.core.geometry.legs import leg_climb
from wh_env.core.geometry.path_checks import check_path_without_end
from wh_env.core.geometry.paths import ON_FOOT
from wh_env.core.geometry.shapes import EPS
from wh_env.core.kernel import inner_kernel
from wh_env.core.tables import CIRCLE, Array

MOST_ANGLES = 512
_NUDGE = 0.002  # inches between a place that is just possible and the place that is tried
_FAN = 144  # places tried all round if a base is not round
_CLEAR = 0.001  # inches kept from an obstacle that a way bends round
_MOST_OBSTACLES = 64  # further obstacles are ignored, so ways round them are not found


@inner_kernel
def _add_beside(angles: Array, n: int, at: float, nudge: float) -> int:
    """Append to the ``n`` angles the two angles ``nudge`` radians beside ``at``, if there is room. Returns how many
    there are then.
    """
    if n + 2 > len(angles):
        return n
    angles[n] = at - nudge
    angles[n + 1] = at + nudge
    return n + 2


@inner_kernel
def _add_circle_crossings(
    angles: Array, n: int, x: float, y: float, r: float, cx: float, cy: float, far: float, nudge: float
) -> int:
    """Append the directions from (x, y) in which the circle of radius ``r`` round it crosses the circle of radius
    ``far`` round (cx, cy). Returns the number of angles.
    """
    dx = cx - x
    dy = cy - y
    d = hypot(dx, dy)
    if d <= EPS or d > r + far or d < abs(r - far):
        return n
    half = acos(min(1.0, max(-1.0, (r * r + d * d - far * far) / (2.0 * r * d))))
    middle = atan2(dy, dx)
    n = _add_beside(angles, n, middle - half, nudge)
    return _add_beside(angles, n, middle + half, nudge)


@inner_kernel
def _add_line_crossings(
    angles: Array, n: int, x: float, y: float, r: float, px: float, py: float, ux: float, uy: float, nudge: float
) -> int:
    """Append the directions from (x, y) in which the circle of radius ``r`` round it crosses the line through (px, py)
    with the unit direction (ux, uy). Returns the number of angles.
    """
    along = (x - px) * ux + (y - py) * uy
    fx = px + along * ux - x
    fy = py + along * uy - y
    left = r * r - fx * fx - fy * fy
    if left <= 0.0:
        return n
    half = sqrt(left)
    n = _add_beside(angles, n, atan2(fy - half * uy, fx - half * ux), nudge)
    return _add_beside(angles, n, atan2(fy + half * uy, fx + half * ux), nudge)


@inner_kernel
def _add_ways_past_circle(
    angles: Array,
    n: int,
    x: float,
    y: float,
    r: float,
    x0: float,
    y0: float,
    cx: float,
    cy: float,
    far: float,
    nudge: float,
) -> int:
    """Append the directions from (x, y) in which straight ways from (x0, y0) that just pass the circle of radius
    ``far`` round (cx, cy) meet the circle of radius ``r`` round (x, y). Returns the number of angles.
    """
    d = hypot(cx - x0, cy - y0)
    if d <= far:
        return n
    middle = atan2(cy - y0, cx - x0)
    half = asin(far / d)
    n = _add_line_crossings(angles, n, x, y, r, x0, y0, cos(middle - half), sin(middle - half), nudge)
    return _add_line_crossings(angles, n, x, y, r, x0, y0, cos(middle + half), sin(middle + half), nudge)


@inner_kernel
def _add_block_angles(
    board: Board, angles: Array, n: int, x: float, y: float, r: float, i: int, b: int, nudge: float
) -> int:
    """Append the directions from (x, y) in which model ``i``, centred on the circle of radius ``r``, just touches block
    ``b`` or just gets past one of its corners. Returns the number of angles.
    """
    own = board.models[i]["radius"]
    x0 = board.models[i]["x"]
    y0 = board.models[i]["y"]
    first = board.blocks[b]["first"]
    last = first + board.blocks[b]["count"] - 1
    for k in range(first, last + 1):
        before = last if k == first else k - 1
        px = board.corners[before, 0]
        py = board.corners[before, 1]
        ex = board.corners[k, 0] - px
        ey = board.corners[k, 1] - py
        length = hypot(ex, ey)
        if length <= 0.0:
            continue
        ex /= length
        ey /= length
        n = _add_circle_crossings(angles, n, x, y, r, px, py, own, nudge)
        n = _add_ways_past_circle(angles, n, x, y, r, x0, y0, px, py, own, nudge)
        n = _add_line_crossings(angles, n, x, y, r, px + own * ey, py - own * ex, ex, ey, nudge)
        n = _add_line_crossings(angles, n, x, y, r, px - own * ey, py + own * ex, ex, ey, nudge)
    return n


@inner_kernel
def gap_angles(
    board: Board, rows: Array, nn: int, i: int, e: int, goal: int, r: float, allowed: float, link: float, angles: Array
) -> int:
    """Fill ``angles`` with directions from model ``e`` (radians) in which gaps for model ``i`` may begin or end, sorted
    by how far they turn from the direction of ``i``. Returns how many.

    Args:
        rows: the ``nn`` models that may matter. goal: the model that ``i`` must end closer to, -1: none.
        r: inches between the centres of ``i`` and ``e``. allowed: inches that ``i`` may move.
        link: the distance of coherency in inches; 0 if coherency does not matter.
    """
    models, blocks = board.models, board.blocks
    m = models[i]
    x = models[e]["x"]
    y = models[e]["y"]
    towards = atan2(m["y"] - y, m["x"] - x)
    nudge = _NUDGE / r
    n = 0
    round_bases = m["shape"] == CIRCLE and models[e]["shape"] == CIRCLE
    fan = not round_bases
    for k in range(nn):
        j = rows[k]
        q = models[j]
        if j == i:
            continue
        far = m["radius"] + q["radius"]
        if hypot(q["x"] - x, q["y"] - y) > r + far + allowed + link:
            continue
        fan = fan or q["shape"] != CIRCLE
        if not round_bases:
            continue
        if j != e:
            n = _add_circle_crossings(angles, n, x, y, r, q["x"], q["y"], far, nudge)
        if q["owner"] != m["owner"]:
            n = _add_ways_past_circle(angles, n, x, y, r, m["x"], m["y"], q["x"], q["y"], far, nudge)
        elif link > 0.0:
            n = _add_circle_crossings(angles, n, x, y, r, q["x"], q["y"], far + link, nudge)
    if round_bases:
        n = _add_circle_crossings(angles, n, x, y, r, m["x"], m["y"], allowed, nudge)
        if goal >= 0:
            q = models[goal]
            n = _add_circle_crossings(
                angles, n, x, y, r, q["x"], q["y"], hypot(q["x"] - m["x"], q["y"] - m["y"]), nudge
            )
        for b in range(len(blocks)):
            n = _add_block_angles(board, angles, n, x, y, r, i, b, nudge)
    if fan:
        for k in range(min(_FAN, len(angles) - n)):
            turn = 2.0 * pi / _FAN * ((k + 1) // 2)
            angles[n] = towards + (turn if k % 2 == 1 else -turn)
            n += 1
    _order_by_turn(angles, n, towards)
    return n


@inner_kernel
def _order_by_turn(angles: Array, n: int, towards: float) -> None:
    """Sort ``n`` directions by how far they turn from ``towards``, so that their order depends neither on rows nor on
    the side of the table.
    """
    for k in range(n):
        turn = (angles[k] - towards + pi) % (2.0 * pi) - pi
        o = k
        while o > 0 and (abs(angles[o - 1]), angles[o - 1]) > (abs(turn), turn):
            angles[o] = angles[o - 1]
            o -= 1
        angles[o] = turn
    for k in range(n):
        angles[k] += towards


@inner_kernel
def _add_circle(
    x0: float, y0: float, x: float, y: float, allowed: float, cx: float, cy: float, far: float, found: Array, n: int
) -> int:
    """Append a circle (cx, cy, ``far``) to the ``n`` of ``found`` if a way from (x0, y0) to (x, y) of at most
    ``allowed`` inches can touch it. Returns how many there are then.
    """
    if n == len(found) or hypot(cx - x0, cy - y0) + hypot(cx - x, cy - y) > allowed + 2.0 * far:
        return n
    found[n, 0] = cx
    found[n, 1] = cy
    found[n, 2] = far
    return n + 1


@inner_kernel
def _obstacles(board: Board, i: int, x: float, y: float, allowed: float, rows: Array, nn: int, found: Array) -> int:
    """Fill ``found`` (rows of x, y, radius) with the circles that the centre of model ``i`` must stay out of on a way
    to (x, y) of at most ``allowed`` inches: round enemy bases and corners of blocks. Returns how many.
    """
    models, blocks, corners = board.models, board.blocks, board.corners
    m = models[i]
    n = 0
    for k in range(nn):
        q = models[rows[k]]
        if q["owner"] != m["owner"]:
            n = _add_circle(m["x"], m["y"], x, y, allowed, q["x"], q["y"], m["radius"] + q["radius"] + _CLEAR, found, n)
    for b in range(len(blocks)):
        first = blocks[b]["first"]
        for k in range(first, first + blocks[b]["count"]):
            far = m["radius"] + _CLEAR
            n = _add_circle(m["x"], m["y"], x, y, allowed, corners[k, 0], corners[k, 1], far, found, n)
    return n


@inner_kernel
def _ray_meets_line(x: float, y: float, u: float, px: float, py: float, v: float) -> tuple[float, float, float]:
    """Where the ray from (x, y) in the direction ``u`` (radians) meets the line through (px, py) in the direction
    ``v``: x, y, and inches along the ray.

    The inches are 0 if they are parallel, negative if the point lies behind (x, y).
    """
    across = cos(u) * sin(v) - sin(u) * cos(v)
    if abs(across) < 1e-9:
        return x, y, 0.0
    along = ((px - x) * sin(v) - (py - y) * cos(v)) / across
    return x + along * cos(u), y + along * sin(u), along


@inner_kernel
def _put_bends(
    x0: float,
    y0: float,
    x: float,
    y: float,
    leaves: Array,
    comes: Array,
    turn: float,
    back: float,
    twice: bool,
    points: Array,
) -> float:
    """Put into ``points`` (rows with x, y) the bends of a way from (x0, y0) to (x, y) that leaves closely past one
    circle and arrives closely past another. Returns its length in inches; infinite if there is no such way.

    Args:
        leaves, comes: the two circles (x, y, radius). turn, back: on which side of each the way passes, 1 or -1.
        twice: whether it bends twice, with a middle leg that touches both circles, or once.
    """
    d0 = hypot(leaves[0] - x0, leaves[1] - y0)
    d1 = hypot(comes[0] - x, comes[1] - y)
    if d0 <= leaves[2] or d1 <= comes[2]:
        return inf
    first_direction = atan2(leaves[1] - y0, leaves[0] - x0) + turn * asin(leaves[2] / d0)
    last_direction = atan2(comes[1] - y, comes[0] - x) + back * asin(comes[2] / d1)
    px = x
    py = y
    middle = last_direction
    if twice:
        # the line that touches both circles; it has the first to its right (1) or left (-1), as the first leg has,
        # the second as the last
        apart = hypot(comes[0] - leaves[0], comes[1] - leaves[1])
        lean = turn * leaves[2] + back * comes[2]
        if apart <= EPS:
            if turn == back:
                return inf
            middle = atan2(y - y0, x - x0)
        elif abs(lean) > apart:
            return inf
        else:
            middle = atan2(comes[1] - leaves[1], comes[0] - leaves[0]) - asin(lean / apart)
        px = leaves[0] - turn * leaves[2] * sin(middle)
        py = leaves[1] + turn * leaves[2] * cos(middle)
    wx, wy, along = _ray_meets_line(x0, y0, first_direction, px, py, middle)
    vx, vy, beyond = (
        _ray_meets_line(x, y, last_direction, px, py, middle)
        if twice
        else _ray_meets_line(x, y, last_direction, wx, wy, first_direction)
    )
    if along <= 0.0 or beyond <= 0.0:
        return inf
    points[0, 0] = wx
    points[0, 1] = wy
    points[1, 0] = vx
    points[1, 1] = vy
    return along + hypot(vx - wx, vy - wy) + beyond


@inner_kernel
def way_round(
    board: Board,
    own_limits: Array,
    i: int,
    x: float,
    y: float,
    z: float,
    f: float,
    allowed: float,
    rows: Array,
    nn: int,
    points: Array,
) -> int:
    """A way of model ``i`` to this pose that bends once or twice round enemies and corners. Fills ``points`` (3 x 4: x,
    y, z, facing) and returns how many points it has; 0 if none is found.

    A way with one bend can be drawn tight until either leg just gets past something, one with two bends until the
    middle leg does too. So every way with no more bends is found, as far as the obstacles of ``_obstacles`` go.

    Args:
        own_limits: the row of limits of model ``i``. allowed: inches that it may move. rows: the ``nn`` models that may
            matter.
    """
    models, _, blocks, corners, _, _, targets = board
    x0, y0, z0 = models[i]["x"], models[i]["y"], models[i]["z"]
    circles = np.empty((_MOST_OBSTACLES, 3))
    count = _obstacles(board, i, x, y, allowed, rows, nn, circles)
    pairs = 4 * count * count
    # of first legs past each side of each circle: the inches from which on their climbs make ways too long, and these
    # climbs; a longer leg climbs no less
    steep = np.zeros((2 * count, 2))
    steep[:, 0] = inf
    for number in range(2 * pairs):
        twice = number >= pairs
        pair = number % pairs
        leave, come = pair // 4 // count, pair // 4 % count
        turn = 1.0 if pair % 2 == 0 else -1.0
        back = 1.0 if pair % 4 < 2 else -1.0
        inches = _put_bends(x0, y0, x, y, circles[leave], circles[come], turn, back, twice, points)
        if inches > allowed + EPS:
            continue
        side = 2 * leave + pair % 2
        wx, wy = points[0, 0], points[0, 1]
        along = hypot(wx - x0, wy - y0)
        if along >= steep[side, 0] and inches + steep[side, 1] > allowed + EPS:
            continue
        climb, h = leg_climb(models, blocks, corners, own_limits, i, x0, y0, z0, wx, wy, f)
        if own_limits[0]["through_air"] == ON_FOOT and inches + climb > allowed + EPS:
            steep[side, 0], steep[side, 1] = along, climb
            continue
        k = 3 if twice else 2
        points[k - 1, 0], points[k - 1, 1] = x, y
        points[:k, 2], points[:k, 3] = z, f
        points[0, 2] = h
        if (
            check_path_without_end(models, blocks, corners, own_limits, targets, i, points, k, rows, nn, -1, climb, h)
            == 0
        ):
            return k
    return 0
