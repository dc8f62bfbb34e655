"""Engagement range across areas: footprints (blocks with a reach BLOCK["engage"], in inches).

Two models are within engagement range of each other, besides where they are that near anyway, while they are within this reach
of each other and a shortest line between their bases passes over the footprint (w9.terrain.obscuring.engagement-range). Such a
line is no longer than two ways to the footprint and the way over it, so one of the models is within half the reach of it.

Where several lines are equally short (hulls that face each other with their sides) one of them is enough.
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

_FINE = 0.005  # inches that a search along a slide advances at least ...
_STEP = 0.05  # ... and at most, where the nearest points of bases may run along them faster than these slide
_ARC = 0.05  # inches that the part of a base farthest from its centre turns between two looks


class Lines(NamedTuple):
    """The shortest lines between two bases: a rectangle, ``wide`` 0 where there is but one."""

    gap: float  # their length; 0: the bases meet, and there is none
    x: float  # the middle of them all
    y: float
    angle: float  # where they point
    wide: float  # half


@inner_kernel
def shortest_lines(models: Array, i: int, x: float, y: float, f: float, j: int) -> Lines:
    """The shortest lines between model ``i`` at a pose and model ``j``."""
    p = models[i]
    q = models[j]
    nx = x - q["x"]
    ny = y - q["y"]
    if p["shape"] != CIRCLE or q["shape"] != CIRCLE:
        nx, ny = outline_way(
            p["shape"], p["half_a"], p["half_b"], f, q["shape"], q["half_a"], q["half_b"], q["facing"], -nx, -ny
        )  # fmt: skip
    length = sqrt(nx * nx + ny * ny)
    if length <= EPS:
        return Lines(0.0, 0.0, 0.0, 0.0, 0.0)
    nx /= length
    ny /= length
    # along n, where they start and end; beside it, what both bases have there
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
    )  # fmt: skip


@inner_kernel
def _to_go(models: Array, blocks: Array, corners: Array, b: int, i: int, x: float, y: float, f: float, j: int) -> float:
    """How far block ``b`` is from parting model ``i`` at a pose from ``j`` within its reach, in inches; at most 0 where it does."""
    lines = shortest_lines(models, i, x, y, f, j)
    if lines.gap <= 0.0:
        return _FINE
    # a line that only starts or ends at the edge does not pass over it
    away = polygon_outline_gap(
        RECT, max(0.0, 0.5 * lines.gap - SLACK), lines.wide, lines.angle, lines.x, lines.y,
        corners, blocks[b]["first"], blocks[b]["count"],
    )  # fmt: skip
    return float(max(away, lines.gap - blocks[b]["engage"] - EPS))


@inner_kernel
def _between(models: Array, blocks: Array, b: int, i: int, x0: float, y0: float, x1: float, y1: float, j: int) -> bool:
    """False if for sure block ``b`` never parts model ``i``, sliding from (x0, y0) to (x1, y1), from ``j`` within its reach."""
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
    models: Array, blocks: Array, corners: Array, i: int, x: float, y: float, z: float, f: float, j: int, vertical: float
) -> bool:  # fmt: skip
    """True if model ``i`` at this pose is within engagement range of ``j`` across a block, ``vertical`` inches up or down."""
    q = models[j]
    if abs(z - q["z"]) > vertical + EPS:
        return False
    # the circles round the bases are never farther apart than the bases
    dx = q["x"] - x
    dy = q["y"] - y
    away = dx * dx + dy * dy
    both = q["radius"] + models[i]["radius"] + 2.0 * EPS
    for b in range(len(blocks)):
        far = blocks[b]["engage"] + both
        if away > far * far:
            continue
        if _between(models, blocks, b, i, x, y, x, y, j) and _to_go(models, blocks, corners, b, i, x, y, f, j) <= 0.0:
            return True
    return False


@inner_kernel
def slide_engages(
    models: Array, blocks: Array, corners: Array, i: int, x0: float, y0: float, x1: float, y1: float, f: float, j: int
) -> bool:
    """True if model ``i`` comes within engagement range of ``j`` across a block while it slides, whatever their heights.

    The line between round bases moves no faster than the one that slides, so the search leaves nothing out but what is slid through
    in less than ``_FINE`` inches; with other bases, ``_STEP``.
    """
    length = hypot(x1 - x0, y1 - y0)
    p = models[i]
    q = models[j]
    longest = length if p["shape"] == CIRCLE and q["shape"] == CIRCLE else _STEP
    for b in range(len(blocks)):
        if not _between(models, blocks, b, i, x0, y0, x1, y1, j):
            continue
        at = 0.0
        last = length
        if length > 0.0:
            # only where the other is near enough
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
            go = _to_go(models, blocks, corners, b, i, x, y, f, j)
            if go <= 0.0:
                return True
            if at >= last:
                break
            at = min(last, at + max(_FINE, min(go, longest)))
    return False


@inner_kernel
def turn_engages(
    models: Array, blocks: Array, corners: Array, i: int, x: float, y: float, f0: float, f1: float, j: int
) -> bool:
    """True if model ``i`` comes within engagement range of ``j`` across a block while it turns on the spot, whatever their heights."""
    angle = turn_between(f0, f1)
    sign = 1.0 if (f1 - f0) % (2.0 * pi) <= pi else -1.0
    steps = ceil(angle * models[i]["radius"] / _ARC)
    for b in range(len(blocks)):
        if _between(models, blocks, b, i, x, y, x, y, j):
            for k in range(1, steps + 1):
                f = f0 + sign * angle * k / steps
                if _to_go(models, blocks, corners, b, i, x, y, f, j) <= 0.0:
                    return True
    return False


# ---- units


@inner_kernel
def model_engaged_across(
    models: Array, blocks: Array, corners: Array, i: int, x: float, y: float, z: float, f: float, vertical: float
) -> bool:
    """True if model ``i`` at this pose is within engagement range of any enemy model on the table across a block."""
    owner = models[i]["owner"]
    for j in range(len(models)):
        if models[j]["on_table"] == 1 and models[j]["owner"] != owner:
            if engages_across(models, blocks, corners, i, x, y, z, f, j, vertical):
                return True
    return False


@inner_kernel
def unit_engaged_across(models: Array, units: Array, blocks: Array, corners: Array, u: int, vertical: float) -> bool:
    """True if any model of unit ``u`` is within engagement range of any enemy model across a block."""
    for n in range(member_count(units, u)):
        i = member(units, u, n)
        if stands_in(models, i, u):
            p = models[i]
            if model_engaged_across(
                models, blocks, corners, i, p["x"], p["y"], p["z"], p["facing"], vertical
            ):  # fmt: skip
                return True
    return False


@inner_kernel
def model_engages_unit_across(
    models: Array, units: Array, blocks: Array, corners: Array, i: int, x: float, y: float, z: float, f: float, e: int,
    vertical: float,
) -> bool:  # fmt: skip
    """True if model ``i`` at this pose is within engagement range of any model of unit ``e`` across a block."""
    for n in range(member_count(units, e)):
        j = member(units, e, n)
        if stands_in(models, j, e) and engages_across(models, blocks, corners, i, x, y, z, f, j, vertical):
            return True
    return False


@kernel
def units_engaged_across(
    models: Array, units: Array, blocks: Array, corners: Array, a: int, e: int, vertical: float
) -> bool:
    """True if any model of unit ``a`` is within engagement range of any model of unit ``e`` across a block."""
    for n in range(member_count(units, a)):
        i = member(units, a, n)
        if stands_in(models, i, a):
            p = models[i]
            if model_engages_unit_across(
                models, units, blocks, corners, i, p["x"], p["y"], p["z"], p["facing"], e, vertical
            ):  # fmt: skip
                return True
    return False


@kernel
def models_engaged_across(models: Array, blocks: Array, corners: Array, i: int, j: int, vertical: float) -> bool:
    """True if models ``i`` and ``j`` are within engagement range of each other across a block."""
    p = models[i]
    return engages_across(models, blocks, corners, i, p["x"], p["y"], p["z"], p["facing"], j, vertical)
