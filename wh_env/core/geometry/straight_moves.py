"""Straight moves of a whole unit: whether all its models can make the same displacement."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from wh_env.core.geometry.areas import slide_engages
from wh_env.core.geometry.board import Board
from wh_env.core.geometry.cells import (
    FAR,
)
from wh_env.core.geometry.path_checks import _check_path
from wh_env.core.geometry.paths import (
    DIAGONALLY,
    LEVEL,
    allowance,
    choose_surface,
    is_coherent,
    passes_through,
)
from wh_env.core.geometry.raster import NONE
from wh_env.core.geometry.shapes import (
    EPS,
    SLACK,
    member,
    member_count,
    overlap_at,
    overlaps_in_height,
    stands_in,
)
from wh_env.core.geometry.sweeps import segment_near, slide_hits, slide_span
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import CIRCLE, Array


class Movers(NamedTuple):
    """The models of a unit that move together, and what may be in their way."""

    u: int
    rows: Array  # their rows in `models`
    n: int  # how many
    near: Array  # rows of the models that may be in the way or too close
    nn: int  # how many
    walls: Array  # rows of the blocks that may be in the way
    nw: int  # how many
    areas: Array  # copies of the blocks across which a near enemy may be engaged
    # float64, in parts as long as `models`: x, y, radius and margin on the way of the near models; the heights at which
    # the models of the unit end; then one pose
    data: Array
    labels: Array  # int32 scratch, by model
    # numbers that stopped the last slide (of the model in `rows`, of the other in `near`; -1: none), and numbers in
    # `rows` of the models that made the last exact cell illegal by their height and by their path
    hint: Array


class Bulk(NamedTuple):
    """The extent of a unit as a whole, in inches."""

    least: float  # the smallest allowance of its models
    most: float  # the largest
    tall: float  # height of its tallest model
    flat: bool  # whether all stand on the ground
    big: bool  # whether one has `big_keywords`
    west: float  # the box round the circles round its bases
    south: float
    east: float
    north: float
    x0: float  # the box round its bases
    y0: float
    x1: float
    y1: float


@inner_kernel
def gather_unit(models: Array, units: Array, u: int, rows: Array) -> int:
    """Fill ``rows`` with the models of unit ``u`` on the table; returns how many."""
    n = 0
    for k in range(member_count(units, u)):
        i = member(units, u, k)
        if stands_in(models, i, u):
            rows[n] = i
            n += 1
    return n


@kernel
def unit_allowance(models: Array, units: Array, limits: Array, u: int) -> float:
    """The inches that every model of unit ``u`` may move: the smallest allowance of its models on the table; 0 if it
    has none.
    """
    best = 1e9
    for k in range(member_count(units, u)):
        i = member(units, u, k)
        if stands_in(models, i, u):
            best = min(best, allowance(models, limits, i))
    return best if best < 1e9 else 0.0


@inner_kernel
def stands_over(models: Array, units: Array, blocks: Array, u: int, dx: float, dy: float) -> bool:
    """Whether the centre of some model of unit ``u``, moved by (dx, dy), lies in the bounding box of a block on which
    models can stand.
    """
    for k in range(member_count(units, u)):
        i = member(units, u, k)
        if stands_in(models, i, u):
            x = models[i]["x"] + dx
            y = models[i]["y"] + dy
            for b in range(len(blocks)):
                if (
                    blocks[b]["walkable"] != 0
                    and blocks[b]["min_x"] <= x <= blocks[b]["max_x"]
                    and blocks[b]["min_y"] <= y <= blocks[b]["max_y"]
                ):
                    return True
    return False


@inner_kernel
def _stopped_by(board: Board, movers: Movers, k: int, o: int, ax: float, ay: float, dx: float, dy: float) -> bool:
    """Whether near model number ``o`` is in the way of the ``k``-th model of the unit, which slides by (dx, dy)
    starting from the displacement (ax, ay).
    """
    models, data = board.models, movers.data
    i = movers.rows[k]
    j = movers.near[o]
    total = len(models)
    margin = data[3 * total + o]
    over = -SLACK if margin < 0.0 else margin + EPS
    x = models[i]["x"] + ax
    y = models[i]["y"] + ay
    if not segment_near(data[o] - x, data[total + o] - y, dx, dy, models[i]["radius"] + data[2 * total + o] + over):
        return False
    return (models[i]["shape"] == CIRCLE and models[j]["shape"] == CIRCLE) or slide_hits(
        models, i, x, y, x + dx, y + dy, models[i]["facing"], j, margin
    )


@inner_kernel
def _unit_slides_freely(board: Board, movers: Movers, bulk: Bulk, ax: float, ay: float, bx: float, by: float) -> bool:
    """Whether all models of a unit on the ground can slide from displacement a to displacement b: no model, area or
    wall is in the way.
    """
    models, blocks = board.models, board.blocks
    rows, n, data, hint = movers.rows, movers.n, movers.data, movers.hint
    dx = bx - ax
    dy = by - ay
    total = len(models)
    # the pair of models that stopped the last slide often stops this one too
    if hint[0] >= 0.0 and _stopped_by(board, movers, int(hint[0]), int(hint[1]), ax, ay, dx, dy):
        return False
    west = bulk.west + min(ax, bx)
    east = bulk.east + max(ax, bx)
    south = bulk.south + min(ay, by)
    north = bulk.north + max(ay, by)
    for o in range(movers.nn):
        margin = data[3 * total + o]
        far = data[2 * total + o] + max(margin, 0.0) + 2.0 * EPS
        if margin == NONE or data[o] + far < west or data[o] - far > east:
            continue
        if data[total + o] + far < south or data[total + o] - far > north:
            continue
        for k in range(n):
            if _stopped_by(board, movers, k, o, ax, ay, dx, dy):
                hint[0] = k
                hint[1] = o
                return False
    if len(movers.areas) > 0 and _unit_slide_engages(board, movers, ax, ay, bx, by):
        return False
    for w in range(movers.nw):
        b = movers.walls[w]
        block = blocks[b]
        if block["max_x"] < west or block["min_x"] > east or block["max_y"] < south or block["min_y"] > north:
            continue
        for k in range(n):
            i = rows[k]
            x = models[i]["x"] + ax
            y = models[i]["y"] + ay
            r = models[i]["radius"]
            if max(x, x + dx) + r <= block["min_x"] or min(x, x + dx) - r >= block["max_x"]:
                continue
            if max(y, y + dy) + r <= block["min_y"] or min(y, y + dy) - r >= block["max_y"]:
                continue
            if block["z_low"] >= models[i]["height"] - SLACK or passes_through(models, blocks, board.limits, i, b):
                continue
            t0, t1 = slide_span(
                models, i, x, y, x + dx, y + dy, models[i]["facing"], board.corners, block["first"], block["count"]
            )
            if t0 <= t1:
                return False
    return True


@inner_kernel
def _unit_slide_engages(board: Board, movers: Movers, ax: float, ay: float, bx: float, by: float) -> bool:
    """Whether a model of a unit on the ground, sliding from displacement a to b, comes to be engaged across an area
    with a model that it must keep away from.
    """
    models, data = board.models, movers.data
    total = len(models)
    across = board.limits[0]["engage_across"] + 4.0 * EPS
    for o in range(movers.nn):
        if data[3 * total + o] <= 0.0:
            continue
        for k in range(movers.n):
            i = movers.rows[k]
            m = models[i]
            x = data[o] - m["x"] - ax
            y = data[total + o] - m["y"] - ay
            # the circles round the bases are never farther apart than the bases
            if segment_near(x, y, bx - ax, by - ay, m["radius"] + data[2 * total + o] + across) and slide_engages(
                models,
                movers.areas,
                board.corners,
                i,
                m["x"] + ax,
                m["y"] + ay,
                m["x"] + bx,
                m["y"] + by,
                m["facing"],
                movers.near[o],
            ):
                return True
    return False


@inner_kernel
def _straight_move_legal(board: Board, movers: Movers, dx: float, dy: float) -> bool:
    """Whether the straight move of the whole unit by (dx, dy) is legal, climbs included. The heights at which its
    models end are then in ``movers.data``.
    """
    models, units, blocks, corners, objectives, limits, targets = board
    rows, n, data, hint = movers.rows, movers.n, movers.data, movers.hint
    point = data[5 * len(models) : 5 * len(models) + 4].reshape((1, 4))
    along = sqrt(dx * dx + dy * dy)
    air = limits[0]["through_air"]
    # first the cheaper question, at what height each would stand, beginning with the model that failed last time
    for o in range(n):
        k = (o + int(hint[2])) % n
        i = rows[k]
        m = models[i]
        left = allowance(models, limits, i)
        climb = sqrt(max(0.0, left * left - along * along)) if air == DIAGONALLY else left - along
        climb = FAR if air == LEVEL else max(climb, limits[0]["low"])
        z = choose_surface(models, blocks, corners, limits, i, m["x"] + dx, m["y"] + dy, m["facing"], m["z"], climb)
        if z < 0.0:
            hint[2] = k
            return False
        data[4 * len(models) + k] = z
    even = True
    lift = data[4 * len(models)] - models[rows[0]]["z"]
    for k in range(n):
        if abs((data[4 * len(models) + k] - models[rows[k]]["z"]) - lift) > EPS:
            even = False
    for o in range(n):
        k = (o + int(hint[3])) % n
        i = rows[k]
        m = models[i]
        point[0, 0] = m["x"] + dx
        point[0, 1] = m["y"] + dy
        point[0, 2] = data[4 * len(models) + k]
        point[0, 3] = m["facing"]
        if (
            _check_path(
                models, blocks, corners, objectives, limits, targets, i, point, 1, movers.near, movers.nn, movers.u
            )
            != 0
        ):
            hint[3] = k
            return False
    if even:
        return True
    # the models do not all rise alike: check overlaps and coherency with the models where they would stand
    _move_and_swap_heights(models, rows, n, dx, dy, data)
    legal = is_coherent(models, units, limits, movers.u, movers.labels)
    for k in range(n):
        p = models[rows[k]]
        for o in range(k):
            q = models[rows[o]]
            if overlaps_in_height(p["z"], p["height"], q["z"], q["height"]) and overlap_at(
                models, rows[k], p["x"], p["y"], p["facing"], rows[o], q["x"], q["y"], q["facing"]
            ):
                legal = False
    _move_and_swap_heights(models, rows, n, -dx, -dy, data)
    return legal


@inner_kernel
def _move_and_swap_heights(models: Array, rows: Array, n: int, dx: float, dy: float, data: Array) -> None:
    """Move the models by (dx, dy) and exchange their heights with those in ``data``. A second call with (-dx, -dy) puts
    them back.
    """
    for k in range(n):
        m = models[rows[k]]
        m["x"] += dx
        m["y"] += dy
        z = m["z"]
        m["z"] = data[4 * len(models) + k]
        data[4 * len(models) + k] = z
