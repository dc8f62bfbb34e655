"""Fighting and charging across low barriers: blocks with a reach ``BLOCK["across"]`` above 0, in inches.

Two models stand on opposite sides of a barrier if the line between the centres of their bases crosses it.
"""

from __future__ import annotations

from math import sqrt

from wh_env.core.geometry.corridor import clip_polygon
from wh_env.core.geometry.shapes import CONTACT, EPS, gap_at, member, member_count, polygon_gap_at, stands_in
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import Array


@inner_kernel
def widest(blocks: Array) -> float:
    """The longest reach in inches across any barrier; 0 if there is no barrier."""
    reach = 0.0
    for b in range(len(blocks)):
        reach = max(reach, blocks[b]["across"])
    return reach


@inner_kernel
def barrier_between(
    models: Array, blocks: Array, corners: Array, i: int, x: float, y: float, z: float, f: float, j: int
) -> int:
    """The row of the first barrier that lies between model ``i`` at this pose and model ``j`` with both within its
    reach of each other; -1 if there is none.

    The distance is measured in a straight line between the bases, differences in height included.
    """
    q = models[j]
    dx = q["x"] - x
    dy = q["y"] - y
    for b in range(len(blocks)):
        reach = blocks[b]["across"]
        far = reach + models[i]["radius"] + q["radius"] + EPS
        if reach <= 0.0 or dx * dx + dy * dy > far * far:
            continue
        t0, t1 = clip_polygon(corners, blocks[b]["first"], blocks[b]["count"], x, y, q["x"], q["y"])
        if t0 >= t1:
            continue
        away = gap_at(models, i, x, y, f, j, q["x"], q["y"], q["facing"])
        if sqrt(away * away + (q["z"] - z) * (q["z"] - z)) <= reach + EPS:
            return b
    return -1


@inner_kernel
def model_reaches_across(models: Array, units: Array, blocks: Array, corners: Array, i: int, e: int) -> bool:
    """Whether model ``i`` has some model of unit ``e`` in reach on the other side of a barrier."""
    m = models[i]
    for n in range(member_count(units, e)):
        j = member(units, e, n)
        if stands_in(models, j, e):
            if barrier_between(models, blocks, corners, i, m["x"], m["y"], m["z"], m["facing"], j) >= 0:
                return True
    return False


@inner_kernel
def units_reach_across(models: Array, units: Array, blocks: Array, corners: Array, a: int, e: int) -> bool:
    """Whether any model of unit ``a`` has a model of unit ``e`` in reach on the other side of a barrier."""
    if widest(blocks) <= 0.0:
        return False
    for n in range(member_count(units, a)):
        i = member(units, a, n)
        if stands_in(models, i, a) and model_reaches_across(models, units, blocks, corners, i, e):
            return True
    return False


# ---- charges


@kernel
def beside(models: Array, units: Array, blocks: Array, corners: Array, limits: Array, t: int, b: int) -> bool:
    """Whether some model of unit ``t`` is so near to barrier ``b`` (``limits["barrier"]`` inches) that it can be
    charged across it.
    """
    for n in range(member_count(units, t)):
        j = member(units, t, n)
        if stands_in(models, j, t):
            q = models[j]
            away = polygon_gap_at(
                models, j, q["x"], q["y"], q["facing"], corners, blocks[b]["first"], blocks[b]["count"]
            )
            if away <= limits[0]["barrier"] + EPS:
                return True
    return False


@inner_kernel
def charges_across(
    models: Array,
    units: Array,
    blocks: Array,
    corners: Array,
    limits: Array,
    i: int,
    x: float,
    y: float,
    z: float,
    f: float,
    t: int,
) -> bool:
    """Whether model ``i`` at this pose ends a charge at unit ``t`` across a barrier: it touches the barrier, and ``t``
    has a model in reach behind it and one near it.
    """
    for n in range(member_count(units, t)):
        j = member(units, t, n)
        if not stands_in(models, j, t):
            continue
        b = barrier_between(models, blocks, corners, i, x, y, z, f, j)
        if b >= 0:
            first = blocks[b]["first"]
            if polygon_gap_at(models, i, x, y, f, corners, first, blocks[b]["count"]) <= CONTACT:
                if beside(models, units, blocks, corners, limits, t, b):
                    return True
    return False


@inner_kernel
def unit_charges_across(
    models: Array, units: Array, blocks: Array, corners: Array, limits: Array, u: int, t: int
) -> bool:
    """Whether some model of unit ``u``, where it stands, ends a charge at unit ``t`` across a barrier (see
    ``charges_across``).
    """
    if widest(blocks) <= 0.0:
        return False
    for n in range(member_count(units, u)):
        i = member(units, u, n)
        if stands_in(models, i, u):
            m = models[i]
            if charges_across(models, units, blocks, corners, limits, i, m["x"], m["y"], m["z"], m["facing"], t):
                return True
    return False


@inner_kernel
def _box_in_reach(models: Array, blocks: Array, b: int, i: int) -> bool:
    """Whether model ``i`` is near enough to the bounding box of barrier ``b`` to reach across it. Does not test that it
    is near enough to the barrier itself.
    """
    m = models[i]
    far = blocks[b]["across"] + m["radius"] + EPS
    return bool(
        blocks[b]["min_x"] - far <= m["x"] <= blocks[b]["max_x"] + far
        and blocks[b]["min_y"] - far <= m["y"] <= blocks[b]["max_y"] + far
    )


@kernel
def mark_units_facing_across(models: Array, units: Array, blocks: Array, corners: Array, found: Array) -> None:
    """Set ``found[u]`` to 1 for each unit that has an enemy model in reach on the other side of a barrier, to 0 for all
    others.
    """
    found[:] = 0
    for b in range(len(blocks)):
        if blocks[b]["across"] <= 0.0:
            continue
        for i in range(len(models)):
            m = models[i]
            if m["on_table"] == 0 or m["owner"] != 0 or not _box_in_reach(models, blocks, b, i):
                continue
            for j in range(len(models)):
                q = models[j]
                if q["on_table"] == 0 or q["owner"] == 0 or not _box_in_reach(models, blocks, b, j):
                    continue
                if found[m["unit"]] != 0 and found[q["unit"]] != 0:
                    continue
                if barrier_between(models, blocks, corners, i, m["x"], m["y"], m["z"], m["facing"], j) >= 0:
                    found[m["unit"]] = 1
                    found[q["unit"]] = 1
