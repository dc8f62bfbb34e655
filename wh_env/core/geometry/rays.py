"""Bodies that go straight on until they may stop: fleeing and pursuing units, scattered markers.

The kernels find the stretches of the way on which the body may not stop, and the first free place behind them
(compulsory.flee.ends-on). The body and the obstacles are as in ``rects``. ``spans`` is float64 room, ``rows * n`` x 2.
"""

from __future__ import annotations

from math import inf

from wh_env.core.geometry.ranks import HALF_A, HALF_B, U, V, on_table_at
from wh_env.core.geometry.rects import TINY, ray_span
from wh_env.core.kernel import inner_kernel
from wh_env.core.tables import Array


@inner_kernel
def ray_spans(
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
    spans: Array,
) -> int:
    """Fill ``spans`` with the stretches, in inches along the unit direction (dx, dy), on which the body is nearer to an
    obstacle than its margin. Returns how many.

    They may overlap and are in no order.
    """
    found = 0
    for k in range(rows):
        px, py = on_table_at(x, y, f, body[k, U], body[k, V])
        for o in range(n):
            row = near[o]
            t0, t1 = ray_span(
                px, py, f, body[k, HALF_A], body[k, HALF_B], dx, dy, points, row["first"], row["count"], row["margin"]
            )
            if t0 < t1 and t1 > 0.0:
                spans[found, 0] = t0
                spans[found, 1] = t1
                found += 1
    return found


@inner_kernel
def first_free(spans: Array, count: int, at: float) -> float:
    """The first place on the way, from ``at`` inches on, that lies in none of the ``count`` spans."""
    moved = True
    while moved:
        moved = False
        for k in range(count):
            if spans[k, 0] + TINY < at < spans[k, 1]:
                at = spans[k, 1]
                moved = True
    return at


@inner_kernel
def distance_to_free_stop(
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
    spans: Array,
) -> float:
    """The inches that a body goes which passes through everything and would stop after ``at`` inches: ``at``, or more
    until it keeps all margins.
    """
    return first_free(spans, ray_spans(near, points, n, body, rows, x, y, f, dx, dy, spans), at)


@inner_kernel
def ray_crossed(
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
    most: float,
    entered: Array,
) -> int:
    """Which obstacles a body passes over on its first ``most`` inches. Returns how many.

    ``entered`` (float64, n) becomes, for each obstacle, the inches after which the body first overlaps it (0: it does
    at the start; ``inf``: never).
    """
    found = 0
    for o in range(n):
        row = near[o]
        entered[o] = inf
        for k in range(rows):
            px, py = on_table_at(x, y, f, body[k, U], body[k, V])
            t0, t1 = ray_span(
                px, py, f, body[k, HALF_A], body[k, HALF_B], dx, dy, points, row["first"], row["count"], 0.0
            )
            if t0 < t1 and t1 > 0.0 and t0 < most:
                entered[o] = min(entered[o], max(0.0, t0))
        if entered[o] < inf:
            found += 1
    return found
