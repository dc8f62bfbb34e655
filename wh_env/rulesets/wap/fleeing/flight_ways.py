"""The path of a fleeing unit: where it stops, what it passes through (wap.compulsory.flee.ignore-obstacles, .ends-on,
.off-table).
"""

from __future__ import annotations

from math import cos, inf, sin

import numpy as np

from wh_env.core.geometry.near import Way, near_polygon, near_rect
from wh_env.core.geometry.rays import distance_to_free_stop, ray_crossed
from wh_env.core.geometry.rects import TINY, body_inside, edge_limit, ray_span
from wh_env.core.geometry.shapes import EPS
from wh_env.core.kernel import kernel
from wh_env.core.setup import Setup
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.blocks import unit_body
from wh_env.rulesets.wap.codes import IMPASSABLE
from wh_env.rulesets.wap.tables import PARTS


class FlightRoom:
    """Scratch memory for the paths of fleeing units.

    Attributes:
        spans: stretches of a path. entered: inches that a unit has gone when it comes to each obstacle.
        touched: bool, one for each model of a unit.
        margins, stretches: for each obstacle the inches to keep from it, and the stretch of a path that is nearer.
    """

    __slots__ = ("entered", "margins", "spans", "stretches", "touched")

    def __init__(self, setup: Setup) -> None:
        units = setup.layout.view(setup.template, "units")
        rows = max(1, len(setup.layout.view(setup.template, "parts")) + len(setup.statics["ground"]))
        self.spans, self.entered = np.zeros((PARTS * rows, 2)), np.zeros(rows)
        self.margins, self.stretches = np.zeros(rows), np.zeros((rows, 2))
        self.touched = np.zeros(max(1, int(units["count"].max(initial=1))), np.bool_)


@kernel
def surround(
    parts: Array, units: Array, ground: Array, corners: Array, u: int, one_inch: float, room: Way
) -> tuple[int, int]:
    """Fill ``body`` with the rectangles of unit ``u``, ``near`` and ``points`` with the obstacles: all other units
    (``mark``: the row) and impassable ground (``mark``: -1 - its row). Returns the numbers of rows of ``near`` and
    ``body``.
    """
    near, points, body = room.near, room.points, room.body
    unit = units[u]
    rows = unit_body(unit, unit["block"], unit["files"], body)
    n = 0
    for k in range(len(parts)):
        p = parts[k]
        if p["on_table"] == 1 and p["unit"] != u and units[p["unit"]]["garrison"] < 0:
            n = near_rect(near, points, n, p["x"], p["y"], p["facing"], p["half_a"], p["half_b"], one_inch, p["unit"])
    for b in range(len(ground)):
        piece = ground[b]
        if piece["passage"] == IMPASSABLE:
            n = near_polygon(near, points, n, corners, piece["first"], piece["count"], one_inch, -1 - b)
    return n, rows


@kernel
def flight_way(
    way: Way, x: float, y: float, f: float, far: float, length: float, width: float, spans: Array, entered: Array
) -> tuple[float, bool]:
    """How far a body flees straight ahead.

    Args:
        far: inches that it would go. entered: becomes, for each obstacle, the inches it has gone when it comes to it;
            inf: it does not.

    Returns:
        The inches it goes, and whether it leaves the table, which it does as soon as it touches an edge.
    """
    near, points, n, body, rows = way
    dx = cos(f)
    dy = sin(f)
    stop = distance_to_free_stop(near, points, n, body, rows, x, y, f, dx, dy, far, spans)
    edge = edge_limit(body, rows, x, y, f, dx, dy, length, width)
    gone = edge <= stop + TINY
    most = min(edge, stop)
    ray_crossed(near, points, n, body, rows, x, y, f, dx, dy, most, entered)
    if not body_inside(body, rows, x + most * dx, y + most * dy, f, length, width, EPS):
        gone = True  # it has turned so that it hangs over an edge
    return most, gone


@kernel
def touched_models(
    models: Array,
    units: Array,
    ground: Array,
    corners: Array,
    u: int,
    row: int,
    feature: int,
    far: float,
    touched: Array,
) -> float:
    """Mark the models of ``row`` (unit ``u`` or a character in it) whose bases pass over a terrain feature within
    ``far`` inches straight ahead of ``u``. Returns the inches that the first of them has gone by then; inf: none does.
    """
    unit = units[row]
    dx = cos(units[u]["facing"])
    dy = sin(units[u]["facing"])
    first = inf
    for at in range(unit["count"]):
        touched[at] = False
        m = models[unit["first"] + at]
        if m["on_table"] == 0:
            continue
        for b in range(len(ground)):
            piece = ground[b]
            if piece["feature"] != feature:
                continue
            t0, t1 = ray_span(
                m["x"],
                m["y"],
                m["facing"],
                unit["base_a"],
                unit["base_b"],
                dx,
                dy,
                corners,
                piece["first"],
                piece["count"],
                0.0,
            )
            if t0 < t1 and t1 > 0.0 and t0 < far:
                touched[at] = True
                first = min(first, max(0.0, t0))
    return first
