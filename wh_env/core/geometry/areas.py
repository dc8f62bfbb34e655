"""Engagement Range across areas: footprints of terrain (blocks) with a reach ``BLOCK["engage"]`` above 0, in inches.

Two models are engaged across an area if they are within this reach of each other and a shortest line between their
bases passes over the footprint (w9.terrain.obscuring.engagement-range). This comes in addition to plain Engagement
Range. The shortest line leads to the footprint, over it, and on to the other base, so at least one of the models is
within half the reach of the footprint.

Where several lines are equally short (hulls that face each other with their sides), one of them that passes over the
footprint is enough.
"""

from __future__ import annotations

from math import atan2, ceil, hypot, pi, sqrt
from typing import NamedTuple

from wh_env.core.geometry.shapes import (
    EPS,
    SLACK,
    extent,
    face,
    member,
    member_count,
    outline_way,
    polygon_outline_gap,
    stands_in,
)
from wh_env.core.geometry.sweeps import segment_near, turn_between
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import CIRCLE, RECT, Array

_FINE = 0.005  # inches: the shortest step of a search along a slide ...
_STEP = 0.05  # ... and the longest one for bases that are not round, as their nearest points may run along the outlines
_ARC = 0.05  # inches that the part of a base farthest from its centre travels between two checks of a turn


class Lines(NamedTuple):
    """The shortest lines between two bases. If there are several, they are parallel and fill a rectangle; ``wide`` is 0
    if there is one.
    """

    gap: float  # their length in inches; 0: the bases meet and there are no lines
    x: float  # the centre of the rectangle
    y: float
    angle: float  # the direction of the lines, radians
    wide: float  # half the width of the rectangle across the lines, inches


@inner_kernel
def shortest_lines(models: Array, i: int, x: float, y: float, f: float, j: int) -> Lines:
    """The shortest lines between model ``i`` at the pose (x, y, f) and model ``j`` where it stands, seen from above."""
    p = models[i]
    q = models[j]
    nx = x - q["x"]
    ny = y - q["y"]
    if p["shape"] != CIRCLE or q["shape"] != CIRCLE:
        nx, ny = outline_way(
            p["shape"], p["half_a"], p["half_b"], f, q["shape"], q["half_a"], q["half_b"], q["facing"], -nx, -ny
        )
    length = sqrt(nx * nx + ny * ny)
    if length <= EPS:
        return Lines(0.0, 0.0, 0.0, 0.0, 0.0)
    nx /= length
    ny /= length
    # n points along the lines: first where they start and end, then the stretch beside n that both bases share
    start = x * nx + y * ny - extent(models, i, f, -nx, -ny)
    end = q["x"] * nx + q["y"] * ny + extent(models, j, q["facing"], nx, ny)
    if start - end <= EPS:
        return Lines(0.0, 0.0, 0.0, 0.0, 0.0)
    low, high = face(p["shape"], p["half_a"], p["half_b"], x, y, f, -nx, -ny, -ny, nx)
    low1, high1 = face(q["shape"], q["half_a"], q["half_b"], q["x"], q["y"], q["facing"], nx, ny, -ny, nx)
    low = max(low, low1)
    high = min(high, high1)
    along = 0.5 * (start + end)
    beside = 0.5 * (low + high)
    return Lines(
        start - end, along * nx - beside * ny, along * ny + beside * nx, atan2(ny, nx), max(0.0, 0.5 * (high - low))
    )


@inner_kernel
def _distance_to_engaging(
    models: Array, blocks: Array, corners: Array, b: int, i: int, x: float, y: float, f: float, j: int
) -> float:
    """An estimate in inches of how far model ``i`` at a pose is from being engaged with model ``j`` across block ``b``;
    at most 0 if it is.

    It is the larger of two distances: from the shortest line to the footprint, and from the gap to the reach of the
    block. It is ``_FINE`` if the bases touch, as there is no line between them then.
    """
    lines = shortest_lines(models, i, x, y, f, j)
    if lines.gap <= 0.0:
        return _FINE
    # a line that only starts or ends at the edge does not pass over it
    away = polygon_outline_gap(
        RECT,
        max(0.0, 0.5 * lines.gap - SLACK),
        lines.wide,
        lines.angle,
        lines.x,
        lines.y,
        corners,
        blocks[b]["first"],
        blocks[b]["count"],
    )
    return float(max(away, lines.gap - blocks[b]["engage"] - EPS))


@inner_kernel
def _may_part(models: Array, blocks: Array, b: int, i: int, x0: float, y0: float, x1: float, y1: float, j: int) -> bool:
    """False if block ``b`` certainly does not lie between model ``i``, sliding from (x0, y0) to (x1, y1), and model
    ``j`` within its reach.

    It looks at boxes and circles only, so True proves nothing.
    """
    block = blocks[b]
    reach = block["engage"]
    if reach <= 0.0:
        return False
    r = models[i]["radius"] + reach + EPS
    if block["max_x"] < min(x0, x1) - r or block["min_x"] > max(x0, x1) + r:
        return False
    if block["max_y"] < min(y0, y1) - r or block["min_y"] > max(y0, y1) + r:
        return False
    q = models[j]
    r = q["radius"] + reach + EPS
    if abs(q["x"] - 0.5 * (block["min_x"] + block["max_x"])) > r + 0.5 * (block["max_x"] - block["min_x"]):
        return False
    if abs(q["y"] - 0.5 * (block["min_y"] + block["max_y"])) > r + 0.5 * (block["max_y"] - block["min_y"]):
        return False
    return segment_near(q["x"] - x0, q["y"] - y0, x1 - x0, y1 - y0, models[i]["radius"] + r + EPS)


@inner_kernel
def engages_across(
    models: Array,
    blocks: Array,
    corners: Array,
    i: int,
    x: float,
    y: float,
    z: float,
    f: float,
    j: int,
    vertical: float,
) -> bool:
    """Whether model ``i`` at this pose is engaged with model ``j`` across some block, with bases at most ``vertical``
    inches apart in height.
    """
    q = models[j]
    if abs(z - q["z"]) > vertical + EPS:
        return False
    # the circles round the bases are never farther apart than the bases
    dx = q["x"] - x
    dy = q["y"] - y
    squared_distance = dx * dx + dy * dy
    radii = q["radius"] + models[i]["radius"] + 2.0 * EPS
    for b in range(len(blocks)):
        far = blocks[b]["engage"] + radii
        if squared_distance > far * far:
            continue
        if (
            _may_part(models, blocks, b, i, x, y, x, y, j)
            and _distance_to_engaging(models, blocks, corners, b, i, x, y, f, j) <= 0.0
        ):
            return True
    return False


@inner_kernel
def slide_engages(
    models: Array, blocks: Array, corners: Array, i: int, x0: float, y0: float, x1: float, y1: float, f: float, j: int
) -> bool:
    """Whether model ``i``, sliding from (x0, y0) to (x1, y1), comes to be engaged with model ``j`` across some block.
    Heights are not compared.

    The nearest points of round bases move no faster than the sliding base, so the search misses only stretches of less
    than ``_FINE`` inches; for other bases, of less than ``_STEP`` inches.
    """
    length = hypot(x1 - x0, y1 - y0)
    p = models[i]
    q = models[j]
    longest = length if p["shape"] == CIRCLE and q["shape"] == CIRCLE else _STEP
    for b in range(len(blocks)):
        if not _may_part(models, blocks, b, i, x0, y0, x1, y1, j):
            continue
        at = 0.0
        last = length
        if length > 0.0:
            # search only the part of the slide on which the models are near enough to each other
            dx = (x1 - x0) / length
            dy = (y1 - y0) / length
            foot = (q["x"] - x0) * dx + (q["y"] - y0) * dy
            aside = (q["x"] - x0) * dy - (q["y"] - y0) * dx
            far = blocks[b]["engage"] + p["radius"] + q["radius"] + 2.0 * EPS
            half = sqrt(max(0.0, far * far - aside * aside))
            at = max(0.0, foot - half)
            last = min(length, foot + half)
        while True:
            t = at / length if length > 0.0 else 0.0
            x = x0 + t * (x1 - x0)
            y = y0 + t * (y1 - y0)
            to_go = _distance_to_engaging(models, blocks, corners, b, i, x, y, f, j)
            if to_go <= 0.0:
                return True
            if at >= last:
                break
            at = min(last, at + max(_FINE, min(to_go, longest)))
    return False


@inner_kernel
def turn_engages(
    models: Array, blocks: Array, corners: Array, i: int, x: float, y: float, f0: float, f1: float, j: int
) -> bool:
    """Whether model ``i``, turning on the spot from facing ``f0`` to ``f1``, comes to be engaged with model ``j``
    across some block.

    The turn is checked in steps (``_ARC``). Heights are not compared.
    """
    angle = turn_between(f0, f1)
    sign = 1.0 if (f1 - f0) % (2.0 * pi) <= pi else -1.0
    steps = ceil(angle * models[i]["radius"] / _ARC)
    for b in range(len(blocks)):
        if _may_part(models, blocks, b, i, x, y, x, y, j):
            for k in range(1, steps + 1):
                f = f0 + sign * angle * k / steps
                if _distance_to_engaging(models, blocks, corners, b, i, x, y, f, j) <= 0.0:
                    return True
    return False


# ---- units


@inner_kernel
def model_engaged_across(
    models: Array, blocks: Array, corners: Array, i: int, x: float, y: float, z: float, f: float, vertical: float
) -> bool:
    """Whether model ``i`` at this pose is engaged with any enemy model on the table across some block; ``vertical`` as
    in ``engages_across``.
    """
    owner = models[i]["owner"]
    for j in range(len(models)):
        if models[j]["on_table"] == 1 and models[j]["owner"] != owner:
            if engages_across(models, blocks, corners, i, x, y, z, f, j, vertical):
                return True
    return False


@inner_kernel
def unit_engaged_across(models: Array, units: Array, blocks: Array, corners: Array, u: int, vertical: float) -> bool:
    """Whether any model of unit ``u`` is engaged with any enemy model across some block."""
    for n in range(member_count(units, u)):
        i = member(units, u, n)
        if stands_in(models, i, u):
            p = models[i]
            if model_engaged_across(models, blocks, corners, i, p["x"], p["y"], p["z"], p["facing"], vertical):
                return True
    return False


@inner_kernel
def model_engages_unit_across(
    models: Array,
    units: Array,
    blocks: Array,
    corners: Array,
    i: int,
    x: float,
    y: float,
    z: float,
    f: float,
    e: int,
    vertical: float,
) -> bool:
    """Whether model ``i`` at this pose is engaged with any model of unit ``e`` across some block."""
    for n in range(member_count(units, e)):
        j = member(units, e, n)
        if stands_in(models, j, e) and engages_across(models, blocks, corners, i, x, y, z, f, j, vertical):
            return True
    return False


@kernel
def units_engaged_across(
    models: Array, units: Array, blocks: Array, corners: Array, a: int, e: int, vertical: float
) -> bool:
    """Whether any model of unit ``a`` is engaged with any model of unit ``e`` across some block."""
    for n in range(member_count(units, a)):
        i = member(units, a, n)
        if stands_in(models, i, a):
            p = models[i]
            if model_engages_unit_across(
                models, units, blocks, corners, i, p["x"], p["y"], p["z"], p["facing"], e, vertical
            ):
                return True
    return False


@kernel
def models_engaged_across(models: Array, blocks: Array, corners: Array, i: int, j: int, vertical: float) -> bool:
    """Whether models ``i`` and ``j``, where they stand, are engaged with each other across some block."""
    p = models[i]
    return engages_across(models, blocks, corners, i, p["x"], p["y"], p["z"], p["facing"], j, vertical)
