"""Setting up units: compact formations, and single models as near as possible to a point; closing up a scattered unit.

All numbers and permissions stand in ``limits`` (see ``paths``) and in ``place``, one row of ``PLACE_RULES``. ``zone``
and ``avoid`` are convex polygons (float64, n x 2, counter-clockwise): every model must stand wholly in ``zone`` and
with no part in ``avoid``. A ``zone`` without rows is the whole table, an ``avoid`` without rows is empty. Formations
are set up on the ground. Inches and radians.
"""

from __future__ import annotations

from functools import lru_cache
from math import ceil, cos, hypot, inf, pi, sin

import numpy as np

from wh_env.core.frozen import frozen
from wh_env.core.geometry.paths import Fault, end_fault, horizontal_distance_to_keep, is_coherent, set_pose
from wh_env.core.geometry.shapes import (
    EPS,
    disc_gap_at,
    extent,
    gap_at,
    inside_polygon_at,
    member,
    member_count,
    polygon_overlap_at,
    within_reach_at,
)
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import CIRCLE, RECT, Array

PLACE_RULES = np.dtype(
    [
        (
            "min_enemy",
            "f8",
        ),  # farther than so many inches from every enemy model (`horizontal_distance_to_keep`); 0: no such rule
        ("edge_band", "f8"),  # wholly within so many inches of one of `edges`; 0: no such rule
        ("edge_reach", "f8"),  # with some part within so many inches of one of `edges`; 0: no such rule
        ("near", "f8"),  # wholly within so many inches of model `near_model`
        ("near_large", "f8"),  # for a base too large for that: with some part within so many inches; 0: no such rule
        ("gap", "f8"),  # inches between bases in a formation
        ("near_model", "i4"),  # a row of models; -1: no such rule
        ("columns", "i4"),  # models in a rank of a formation; 0: `formation_offsets` chooses
        ("edges", "i4"),  # bits of table edges: 1 y = 0, 2 the opposite one, 4 x = 0, 8 the opposite one
    ],
    align=True,
)

_OUT_OF_ZONE = int(Fault.OUT_OF_ZONE)
_TOO_CLOSE = int(Fault.TOO_CLOSE)


ALL_EDGES = 15


def new_place(near_model: int = -1, edges: int = ALL_EDGES, **numbers: float) -> Array:
    """One row of ``PLACE_RULES`` with these ``numbers`` by column (inches), a gap of 0.25" in formations and 0 in all
    other columns. It is read-only.

    Raises:
        ValueError: there is no such column.
    """
    return _cached_place(near_model, edges, tuple(numbers.items()))


@lru_cache(1024)
def _cached_place(near_model: int, edges: int, numbers: tuple[tuple[str, float], ...]) -> Array:
    """``new_place`` with hashable arguments, so that equal rows are made once."""
    place = np.zeros(1, PLACE_RULES)
    for name, value in (("gap", 0.25), ("near_model", near_model), ("edges", edges), *numbers):
        place[name] = value
    return frozen(place)


@kernel
def gather_alive(models: Array, units: Array, u: int, rows: Array) -> int:
    """Fill ``rows`` with the living models of unit ``u``, whether on the table or not; returns how many."""
    n = 0
    for k in range(member_count(units, u)):
        i = member(units, u, k)
        if models[i]["alive"] == 1 and models[i]["unit"] == u:
            rows[n] = i
            n += 1
    return n


@kernel
def formation_offsets(
    models: Array, rows: Array, n: int, facing: float, gap: float, columns: int, offsets: Array
) -> float:
    """Arrange the ``n`` models of ``rows`` as a compact block in ranks: fill ``offsets`` (float64, n x 2) with their
    places from the block's centre.

    All models have the facing ``facing`` and stand ``gap`` inches from their neighbours, each with its own base.
    ``columns``: models in a rank; 0: one rank for up to three models, else two ranks or more of up to five. Returns the
    radius of the circle round the block.
    """
    if columns <= 0:
        columns = n if n <= 3 else min(5, (n + 1) // 2)
    c = cos(facing)
    s = sin(facing)
    ahead = 0.0
    wide = 0.0
    k = 0
    while k < n:
        last = min(n, k + columns)
        depth = 0.0
        for o in range(k, last):
            depth = max(depth, float(models[rows[o]]["half_a"]))
        across = 0.0
        for o in range(k, last):
            m = models[rows[o]]
            half = m["half_a"] if m["shape"] == CIRCLE else m["half_b"]
            # the fronts of a rank's bases are in line, so that all reach up to the gap whatever their size
            offsets[o, 0] = -(ahead + m["half_a"])
            offsets[o, 1] = across + half
            across += 2.0 * half + gap
        wide = max(wide, across - gap)
        ahead += 2.0 * depth + gap
        k = last
    ahead -= gap
    far = 0.0
    for o in range(n):
        u = offsets[o, 0] + 0.5 * ahead
        v = offsets[o, 1] - 0.5 * wide
        far = max(far, hypot(u, v) + models[rows[o]]["radius"])
        offsets[o, 0] = c * u - s * v
        offsets[o, 1] = s * u + c * v
    return far


@inner_kernel
def wholly_within_at(models: Array, i: int, x: float, y: float, f: float, j: int, inches: float) -> bool:
    """Whether every part of model ``i`` at this pose is within ``inches`` of the base or hull of model ``j``, heights
    ignored.

    Of an oval base 32 points of the outline are measured (rules transport.disembark.set-up, .emergency.distance).
    """
    m = models[i]
    q = models[j]
    if m["shape"] == CIRCLE:
        return bool(disc_gap_at(models, j, q["x"], q["y"], q["facing"], x, y, 0.0) + m["half_a"] <= inches + EPS)
    c = cos(f)
    s = sin(f)
    for k in range(4 if m["shape"] == RECT else 32):
        if m["shape"] == RECT:
            a = m["half_a"] if k % 2 == 0 else -m["half_a"]
            b = m["half_b"] if k < 2 else -m["half_b"]
        else:
            a = m["half_a"] * cos(pi * k / 16.0)
            b = m["half_b"] * sin(pi * k / 16.0)
        px = x + c * a - s * b
        py = y + s * a + c * b
        if disc_gap_at(models, j, q["x"], q["y"], q["facing"], px, py, 0.0) > inches + EPS:
            return False
    return True


@inner_kernel
def is_near_model_at(
    models: Array, i: int, x: float, y: float, f: float, j: int, near: float, near_large: float
) -> bool:
    """Whether model ``i`` at this pose is wholly within ``near`` inches of model ``j``.

    If ``near_large`` is not 0 and the base is too large for that however it is turned, some part of it must be within
    ``near_large`` inches instead (rule rare.disembark-large).
    """
    m = models[i]
    q = models[j]
    if near_large > 0.0 and 2.0 * min(m["half_a"], m["half_b"]) > near + EPS:
        return bool(gap_at(models, i, x, y, f, j, q["x"], q["y"], q["facing"]) <= near_large + EPS)
    return bool(wholly_within_at(models, i, x, y, f, j, near))


@inner_kernel
def in_box_at_edge(
    west: float, south: float, east: float, north: float, limits: Array, band: float, edges: int
) -> bool:
    """Whether a box lies wholly within ``band`` inches of one of the table edges of ``edges`` (bits as in
    ``PLACE_RULES``).
    """
    return bool(
        ((edges & 1) != 0 and north <= band + EPS)
        or ((edges & 2) != 0 and south >= limits[0]["width"] - band - EPS)
        or ((edges & 4) != 0 and east <= band + EPS)
        or ((edges & 8) != 0 and west >= limits[0]["length"] - band - EPS)
    )


@inner_kernel
def is_near_edge_at(models: Array, i: int, x: float, y: float, f: float, limits: Array, place: Array) -> bool:
    """Whether model ``i`` at this pose is as near to the table edges as ``place`` demands (rules reserves.place.*)."""
    rules = place[0]
    edges = rules["edges"]
    ex = extent(models, i, f, 1.0, 0.0)
    ey = extent(models, i, f, 0.0, 1.0)
    if rules["edge_band"] > 0.0:
        if not in_box_at_edge(x - ex, y - ey, x + ex, y + ey, limits, rules["edge_band"], edges):
            return False
    # in the box with its sides exchanged, the side at an edge is the part of the base nearest to that edge
    reach = rules["edge_reach"]
    return bool(reach <= 0.0 or in_box_at_edge(x + ex, y + ey, x - ex, y - ey, limits, reach, edges))


@inner_kernel
def place_fault_at(
    models: Array,
    blocks: Array,
    corners: Array,
    objectives: Array,
    limits: Array,
    targets: Array,
    zone: Array,
    avoid: Array,
    place: Array,
    i: int,
    x: float,
    y: float,
    z: float,
    f: float,
    skip: int,
) -> int:
    """The ``Fault`` of setting up model ``i`` at this pose. ``skip``: a unit whose models are ignored, -1: none.

    It must stand wholly in the zone, near enough to edges and ``near_model``, far enough from enemies, on a legal
    surface, overlapping nothing, and not engaged if ``limits`` forbid it. Rules concepts.engagement-range.no-set-up,
    mission.only-war.deploy, reserves.place.*.
    """
    rules = place[0]
    if len(zone) > 0 and not inside_polygon_at(models, i, x, y, f, zone, 0, len(zone)):
        return _OUT_OF_ZONE
    if len(avoid) > 0 and polygon_overlap_at(models, i, x, y, f, avoid, 0, len(avoid)):
        return _OUT_OF_ZONE
    if not is_near_edge_at(models, i, x, y, f, limits, place):
        return _OUT_OF_ZONE
    near = rules["near_model"]
    if near >= 0 and not is_near_model_at(models, i, x, y, f, near, rules["near"], rules["near_large"]):
        return _OUT_OF_ZONE
    if rules["min_enemy"] > 0.0:
        owner = models[i]["owner"]
        far = rules["min_enemy"] + EPS
        for j in range(len(models)):
            q = models[j]
            if q["on_table"] == 1 and q["owner"] != owner:
                reach = far + models[i]["radius"] + q["radius"]
                if abs(q["x"] - x) <= reach and abs(q["y"] - y) <= reach:
                    across = horizontal_distance_to_keep(limits, rules["min_enemy"], z - q["z"])
                    if gap_at(models, i, x, y, f, j, q["x"], q["y"], q["facing"]) <= across + EPS:
                        return _TOO_CLOSE
    return end_fault(models, blocks, corners, objectives, limits, targets, i, x, y, z, f, skip)


@kernel
def zone_cell(zone: Array, limits: Array, nx: int, ny: int, cell: int) -> tuple[float, float]:
    """Centre (x, y) of ``cell`` in a grid of ``nx`` x ``ny`` cells over the bounding box of the zone."""
    x0 = 0.0
    y0 = 0.0
    x1 = float(limits[0]["length"])
    y1 = float(limits[0]["width"])
    if len(zone) > 0:
        x0 = y0 = inf
        x1 = y1 = -inf
        for k in range(len(zone)):
            x0 = min(x0, zone[k, 0])
            x1 = max(x1, zone[k, 0])
            y0 = min(y0, zone[k, 1])
            y1 = max(y1, zone[k, 1])
    return x0 + (cell % nx + 0.5) * (x1 - x0) / nx, y0 + (cell // nx + 0.5) * (y1 - y0) / ny


@inner_kernel
def _gap_in_formation(models: Array, rows: Array, offsets: Array, f: float, k: int, o: int) -> float:
    """Inches between the bases at the places ``k`` and ``o`` of a formation."""
    return gap_at(models, rows[k], offsets[k, 0], offsets[k, 1], f, rows[o], offsets[o, 0], offsets[o, 1], f)


@inner_kernel
def coherent_offsets(models: Array, rows: Array, n: int, offsets: Array, facing: float, limits: Array) -> bool:
    """Whether a formation keeps its models in coherency (ranks of very different bases may not). For more than 64
    models it is True without a check.
    """
    needed = 0 if n < 2 else (1 if n < limits[0]["coherency_big"] else 2)
    far = limits[0]["coherency"] + EPS
    reached = 1  # models connected to the first one so far
    linked = np.uint64(1)  # the same models as bits
    grown = True
    if n > 64:
        return True
    while grown:
        grown = False
        for k in range(n):
            if (linked >> np.uint64(k)) & np.uint64(1):
                continue
            for o in range(n):
                if (linked >> np.uint64(o)) & np.uint64(1) and _gap_in_formation(
                    models, rows, offsets, facing, k, o
                ) <= far:
                    linked |= np.uint64(1) << np.uint64(k)
                    reached += 1
                    grown = True
                    break
    if reached < n:
        return False
    for k in range(n):
        count = 0
        for o in range(n):
            if o != k and _gap_in_formation(models, rows, offsets, facing, k, o) <= far:
                count += 1
        if count < needed:
            return False
    return True


@kernel
def place_apply(
    models: Array,
    units: Array,
    blocks: Array,
    corners: Array,
    objectives: Array,
    limits: Array,
    targets: Array,
    u: int,
    zone: Array,
    avoid: Array,
    place: Array,
    facing: float,
    x: float,
    y: float,
    scratch: Array,
    marks: Array,
) -> bool:
    """Set up unit ``u`` in formation round (x, y), with facing ``facing``. Returns False, and nothing changes, if
    ``place_fault_at`` refuses a model or the formation is not coherent.

    Every living model of the unit comes onto the table at height 0.
    """
    n = gather_alive(models, units, u, marks)
    if n == 0:
        return False
    offsets = scratch[: 2 * n].reshape((n, 2))
    formation_offsets(models, marks, n, facing, place[0]["gap"], place[0]["columns"], offsets)
    if not coherent_offsets(models, marks, n, offsets, facing, limits):
        return False
    for k in range(n):
        if (
            place_fault_at(
                models,
                blocks,
                corners,
                objectives,
                limits,
                targets,
                zone,
                avoid,
                place,
                marks[k],
                x + offsets[k, 0],
                y + offsets[k, 1],
                0.0,
                facing,
                u,
            )
            != 0
        ):
            return False
    band = place[0]["edge_band"]
    if band > 0.0 and not _all_at_one_edge(models, marks, n, offsets, x, y, facing, limits, band):
        return False
    for k in range(n):
        set_pose(models, marks[k], x + offsets[k, 0], y + offsets[k, 1], 0.0, facing)
        models[marks[k]]["on_table"] = 1
    return True


@inner_kernel
def _all_at_one_edge(
    models: Array, rows: Array, n: int, offsets: Array, x: float, y: float, f: float, limits: Array, band: float
) -> bool:
    """Whether all models of a formation are wholly within ``band`` inches of the same table edge, whichever it is."""
    for edge in range(4):
        all_near = True
        for k in range(n):
            ex = extent(models, rows[k], f, 1.0, 0.0)
            ey = extent(models, rows[k], f, 0.0, 1.0)
            px = x + offsets[k, 0]
            py = y + offsets[k, 1]
            if edge == 0:
                all_near = all_near and px + ex <= band + EPS
            elif edge == 1:
                all_near = all_near and px - ex >= limits[0]["length"] - band - EPS
            elif edge == 2:
                all_near = all_near and py + ey <= band + EPS
            else:
                all_near = all_near and py - ey >= limits[0]["width"] - band - EPS
        if all_near:
            return True
    return False


@kernel
def set_up_model_near(
    models: Array,
    units: Array,
    blocks: Array,
    corners: Array,
    objectives: Array,
    limits: Array,
    targets: Array,
    zone: Array,
    avoid: Array,
    place: Array,
    i: int,
    x: float,
    y: float,
    f: float,
    far: float,
    neighbours: int,
) -> bool:
    """Set up model ``i`` on the ground as near as possible to (x, y), at most ``far`` inches away. Returns False if
    there is no place.

    Places on rings 0.25" apart are tried. The model must be within coherency distance of ``neighbours`` models of its
    unit that are on the table already. Rule concepts.coherency.set-up; to destroy a model that has no place is up to
    the caller.
    """
    lim = limits[0]
    u = models[i]["unit"]
    ring = 0
    while ring * 0.25 <= far:
        r = ring * 0.25
        around = 1 if ring == 0 else max(8, ceil(2.0 * pi * r / 0.35))
        for k in range(around):
            px = x + r * cos(2.0 * pi * k / around)
            py = y + r * sin(2.0 * pi * k / around)
            if neighbours > 0:
                count = 0
                for o in range(member_count(units, u)):
                    j = member(units, u, o)
                    if j != i and models[j]["on_table"] == 1 and models[j]["unit"] == u:
                        if within_reach_at(models, i, px, py, 0.0, f, j, lim["coherency"], lim["coherency_z"]):
                            count += 1
                if count < neighbours:
                    continue
            if (
                place_fault_at(
                    models, blocks, corners, objectives, limits, targets, zone, avoid, place, i, px, py, 0.0, f, -1
                )
                == 0
            ):
                set_pose(models, i, px, py, 0.0, f)
                models[i]["on_table"] = 1
                return True
        ring += 1
    return False


@kernel
def set_up_one_by_one(
    models: Array,
    units: Array,
    blocks: Array,
    corners: Array,
    objectives: Array,
    limits: Array,
    targets: Array,
    u: int,
    zone: Array,
    avoid: Array,
    place: Array,
    x: float,
    y: float,
    f: float,
    far: float,
    marks: Array,
) -> int:
    """Set up as many models of unit ``u`` as possible round (x, y), one by one, each in coherency. Returns how many.

    A model without a place stays off the table. If the models do not form one coherent unit in the end (one lacks a
    second neighbour), the last ones are taken off again until they do. ``far``: inches from (x, y) at most. ``marks``:
    int32 scratch, twice as long as ``models``.
    """
    n = gather_alive(models, units, u, marks)
    big = limits[0]["coherency_big"]
    placed = 0
    for k in range(n):
        models[marks[k]]["on_table"] = 0
    for k in range(n):
        needed = min(placed, 2 if n >= big else 1)
        if set_up_model_near(
            models,
            units,
            blocks,
            corners,
            objectives,
            limits,
            targets,
            zone,
            avoid,
            place,
            marks[k],
            x,
            y,
            f,
            far,
            needed,
        ):
            placed += 1
    labels = marks[len(models) : 2 * len(models)]
    k = n - 1
    while k >= 0 and placed > 1 and not is_coherent(models, units, limits, u, labels):
        if models[marks[k]]["on_table"] == 1:
            models[marks[k]]["on_table"] = 0
            placed -= 1
        k -= 1
    return placed
