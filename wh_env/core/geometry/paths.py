"""What one move may do: its limits, the inches that it costs, and the verdict on a path.

All numbers and permissions of a move stand in ``limits``, an array with one row of ``MOVE_LIMITS``; nothing here knows
a ruleset. If models of one unit move by different rules, ``limits`` has one row for each row of ``models``; whatever
holds for the unit as a whole is then equal in all rows. Lengths are inches, angles radians. ``targets`` (int32, one
entry for each unit) is not 0 for units that a move may come close to where the limits say "only targets". ``points``
are the points of a path after its start, each ``x, y, z, facing``: on every leg the model first turns on the spot to
the facing of the next point, then slides there.

Vertical distance counts like this (rules move.terrain.*). A model stands on the highest top under its base that it has
climbed. If it runs into a solid block that is not low, it is lifted to its top; if it leaves its last support, it
drops; both heights count. A block whose bottom is above its head, or of a kind that the model may pass through, does
not stop it.
"""

from __future__ import annotations

from enum import IntEnum
from math import ceil, hypot, inf, pi, sqrt

import numpy as np

from wh_env.core.geometry.areas import engages_across, slide_engages, turn_engages
from wh_env.core.geometry.shapes import (
    EPS,
    SLACK,
    coherent,
    disc_gap_at,
    gap_at,
    horizontal_reach,
    inside_polygon_at,
    inside_table_at,
    overlap_at,
    overlaps_in_height,
    polygon_overlap_at,
    within_reach_at,
)
from wh_env.core.geometry.sweeps import (
    OVERLAP,
    box_missed,
    farthest_part,
    slide_hits,
    slide_span,
    turn_between,
    turn_hits,
)
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import CIRCLE, Array

NOBODY, ANYBODY, ONLY_TARGETS = 0, 1, 2  # which enemies a move may come within Engagement Range of

OWN_MOVE, SAME_FOR_ALL = (
    0,
    1,
)  # `mode` of limits: `extra` is added to each model's Move; `extra` is the allowance itself

# how a move counts heights: ON_FOOT with climbs; through the air, DIAGONALLY in a straight line if it starts or ends
# above the ground, LEVEL without any heights
ON_FOOT, DIAGONALLY, LEVEL = 0, 1, 2

MOVE_LIMITS = np.dtype(
    [
        ("big_keywords", "u8"),  # models with one of these must go round models of their own side with one of these
        ("air_keywords", "u8"),  # models with one of these may be passed over, and near to if enemies, in every move
        ("through_keywords", "u8"),  # models with one of these pass through blocks of the kinds in `through_kinds`
        ("floor_keywords", "u8"),  # models with one of these may end on blocks of `floor_kinds`; 0: all models may
        ("extra", "f8"),  # OWN_MOVE: added to each model's Move; SAME_FOR_ALL: the allowance
        ("engage", "f8"),  # Engagement Range, horizontally
        ("engage_z", "f8"),  # and vertically; below 0: `engage` and distances of set-ups are measured straight
        ("engage_across", "f8"),  # the longest reach across any area (BLOCK["engage"]); 0: there is none
        ("keep_away", "f8"),  # it must end farther than this horizontally from every enemy model; 0: no such rule
        ("low", "f8"),  # features up to this height cost nothing
        ("coherency", "f8"),  # the distance of unit coherency, horizontally
        ("coherency_z", "f8"),  # and vertically
        ("length", "f8"),  # of the table (x)
        ("width", "f8"),  # (y)
        ("marker", "f8"),  # radius of an objective marker on which no model can end; 0: models may stand on markers
        ("marker_z", "f8"),  # a model that ends at most so far above or below a marker stands on it
        ("barrier", "f8"),  # inches from a barrier within which a unit can be charged across it
        ("mode", "i4"),  # OWN_MOVE or SAME_FOR_ALL
        ("engage_path", "i4"),  # on the way: NOBODY, ANYBODY or ONLY_TARGETS
        ("engage_end", "i4"),  # at the end: the same
        ("over_enemies", "i4"),  # 1: it may pass over enemy models
        ("over_friends", "i4"),  # 1: it may pass over models of its own side
        ("over_big", "i4"),  # 1: models with `big_keywords` may pass over each other
        ("through_air", "i4"),  # ON_FOOT, DIAGONALLY or LEVEL
        ("air_end", "i4"),  # 1: it may end within Engagement Range of `air_keywords` enemies, if `engage_end` allows
        ("air_goal", "i4"),  # 1: `air_keywords` enemies are among those that it must move towards
        ("coherency_big", "i4"),  # in a unit of this many models or more each needs two neighbours
        ("cross_edge", "i4"),  # 1: it may leave the table
        ("through_kinds", "i4"),  # bits by block kind, see `through_keywords`
        ("floor_kinds", "i4"),  # bits by block kind, see `floor_keywords`
        ("prefer_high", "i4"),  # unit moves choose: 0 the surface nearest in height, 1 the highest one
        ("need_contact", "i4"),  # 1: a model that moves towards enemies in melee must end in base contact if it can
        ("need_closer", "i4"),  # 1: a model that charges must end closer to a target
        ("end_engaged", "i4"),  # 1: a unit that piles in or consolidates towards enemies must end engaged
        # 1: turns cost nothing, but no part of the base may end farther from where it began than the allowance
        ("by_ends", "i4"),
        ("need_all", "i4"),  # 1: a charge must reach every target; 0: the first model that moves must reach one
    ],
    align=True,
)


class Fault(IntEnum):
    """Why a move or a set-up is refused; 0 means that it is legal."""

    LEGAL = 0
    TOO_FAR = 1
    OFF_TABLE = 2
    CROSSES_ENEMY = 3
    CROSSES_FRIEND = 4
    CROSSES_BIG = 5
    ENGAGES_ON_THE_WAY = 6
    ENGAGES_AT_THE_END = 7
    OVERLAPS_MODEL = 8
    OVERLAPS_TERRAIN = 9
    MID_CLIMB = 10  # not wholly on the ground or on one top or floor
    ON_MARKER = 11
    NOT_COHERENT = 12
    NOT_CLOSER = 13
    NOT_CONTACT = 14  # could have ended in base contact
    NOT_ENGAGED = 15  # the unit does not end within Engagement Range of the units that it must engage
    IN_CONTACT = 16  # a model in base contact cannot make this move
    OUT_OF_ZONE = 17
    NOT_IN_UNIT = 18
    TOO_CLOSE = 19  # to an enemy, for a set-up or a move that keeps away
    NOT_IN_RANGE = 20  # of the objective marker


_TOO_FAR = int(Fault.TOO_FAR)
_OFF_TABLE = int(Fault.OFF_TABLE)
_CROSSES_ENEMY = int(Fault.CROSSES_ENEMY)
_CROSSES_FRIEND = int(Fault.CROSSES_FRIEND)
_CROSSES_BIG = int(Fault.CROSSES_BIG)
_ENGAGES_ON_THE_WAY = int(Fault.ENGAGES_ON_THE_WAY)
_ENGAGES_AT_THE_END = int(Fault.ENGAGES_AT_THE_END)
_OVERLAPS_MODEL = int(Fault.OVERLAPS_MODEL)
_OVERLAPS_TERRAIN = int(Fault.OVERLAPS_TERRAIN)
_MID_CLIMB = int(Fault.MID_CLIMB)
_ON_MARKER = int(Fault.ON_MARKER)
_NOT_COHERENT = int(Fault.NOT_COHERENT)
_NOT_IN_UNIT = int(Fault.NOT_IN_UNIT)
_TOO_CLOSE = int(Fault.TOO_CLOSE)

_ALL = -1  # in place of the number of listed rows: all models are looked at


def new_limits(length: float, width: float, **numbers: float) -> Array:
    """One row of ``MOVE_LIMITS`` for a table of ``length`` x ``width`` inches, with these ``numbers`` by column; all
    other columns are 0.

    Without numbers it is a plain move: each model's own Move, not over other models and not within reach of enemies.

    Raises:
        ValueError: there is no such column.
    """
    limits = np.zeros(1, MOVE_LIMITS)
    for name, value in {"length": length, "width": width, **numbers}.items():
        limits[name] = value
    return limits


@kernel
def limits_row(limits: Array, i: int) -> int:
    """The row of ``limits`` for model ``i``: its own, or 0 if there is only one row."""
    return i if len(limits) > 1 else 0


@kernel
def allowance(models: Array, limits: Array, i: int) -> float:
    """The inches that model ``i`` may move."""
    extra = limits[limits_row(limits, i)]["extra"]
    return float(extra if limits[0]["mode"] == SAME_FOR_ALL else extra + models[i]["move"])


@inner_kernel
def horizontal_distance_to_keep(limits: Array, inches: float, dz: float) -> float:
    """The horizontal inches that a model must keep from an enemy that is ``dz`` inches higher or lower, if it must be
    set up ``inches`` away; below 0: none.

    They differ from ``inches`` only if distances are measured straight (``engage_z`` below 0).
    """
    return horizontal_reach(inches, -1.0, dz) if limits[0]["engage_z"] < 0.0 else inches


@inner_kernel
def passes_through(models: Array, blocks: Array, limits: Array, i: int, b: int) -> bool:
    """Whether block ``b`` does not stop the movement of model ``i`` at all. Whether it can end there is another
    question.
    """
    if blocks[b]["solid"] == 0:
        return True
    lim = limits[0]
    if ((lim["through_kinds"] >> blocks[b]["kind"]) & 1) == 0:
        return False
    return bool((models[i]["keywords"] & lim["through_keywords"]) != 0)


@inner_kernel
def may_stand_on(models: Array, blocks: Array, limits: Array, i: int, b: int) -> bool:
    """Whether model ``i`` may end a move on the top of block ``b``, as far as the kind of the block and its keywords
    decide it.
    """
    if blocks[b]["walkable"] == 0:
        return False
    lim = limits[0]
    if ((lim["floor_kinds"] >> blocks[b]["kind"]) & 1) == 0:
        return True
    return bool(lim["floor_keywords"] == 0 or (models[i]["keywords"] & lim["floor_keywords"]) != 0)


# ---- the end of a move


@kernel
def terrain_fault_at(
    models: Array, blocks: Array, corners: Array, limits: Array, i: int, x: float, y: float, z: float, f: float
) -> int:
    """The ``Fault`` of model ``i`` standing at this pose, as far as terrain decides it: it overlaps a solid block, or
    is not wholly on the ground or on one top.

    Rules move.terrain.no-mid-climb, terrain.hills.movement, terrain.ruins.floors.
    """
    supported = z <= EPS
    height = models[i]["height"]
    r = models[i]["radius"]
    west = x - r
    east = x + r
    south = y - r
    north = y + r
    for b in range(len(blocks)):
        block = blocks[b]
        if east <= block["min_x"] or west >= block["max_x"] or north <= block["min_y"] or south >= block["max_y"]:
            continue
        if block["solid"] != 0 and overlaps_in_height(z, height, block["z_low"], block["z_high"] - block["z_low"]):
            if polygon_overlap_at(models, i, x, y, f, corners, block["first"], block["count"]):
                return _OVERLAPS_TERRAIN
        if not supported and abs(block["z_high"] - z) <= SLACK and may_stand_on(models, blocks, limits, i, b):
            supported = inside_polygon_at(models, i, x, y, f, corners, block["first"], block["count"])
    return 0 if supported else _MID_CLIMB


@inner_kernel
def end_surfaces(
    models: Array, blocks: Array, corners: Array, limits: Array, i: int, x: float, y: float, f: float, heights: Array
) -> int:
    """Fill ``heights`` (float64) with the heights at which model ``i`` can stand at (x, y) with facing ``f``: ground,
    tops, floors. Returns how many.

    They come in rising order, at most the lowest ``len(heights)``. Other models are ignored.
    """
    found = 0
    last = -1.0
    while found < len(heights):
        # the next height above the last one
        z = inf if last >= 0.0 else 0.0
        if last >= 0.0:
            for b in range(len(blocks)):
                top = blocks[b]["z_high"]
                if last + SLACK < top < z and may_stand_on(models, blocks, limits, i, b):
                    if not box_missed(models, i, x, y, x, y, blocks, b):
                        z = top
        if z == inf:
            break
        last = z
        if terrain_fault_at(models, blocks, corners, limits, i, x, y, z, f) == 0:
            heights[found] = z
            found += 1
    return found


@kernel
def choose_surface(
    models: Array,
    blocks: Array,
    corners: Array,
    limits: Array,
    i: int,
    x: float,
    y: float,
    f: float,
    z: float,
    climb: float,
) -> float:
    """The height at which a unit move sets model ``i`` down at (x, y), if it comes from height ``z``; -1 if there is
    none.

    Of the surfaces at most ``climb`` inches higher or lower, the one nearest in height to ``z`` (the lower of two), or
    with ``prefer_high`` the highest. Other models are ignored.
    """
    best = -1.0
    highest = limits[0]["prefer_high"] == 1
    last = -1.0
    while True:
        height = inf if last >= 0.0 else 0.0
        if last >= 0.0:
            for b in range(len(blocks)):
                top = blocks[b]["z_high"]
                if last + SLACK < top < height and not box_missed(models, i, x, y, x, y, blocks, b):
                    if may_stand_on(models, blocks, limits, i, b):
                        height = top
        if height == inf or height - z > climb + EPS:
            return best
        last = height
        if z - height > climb + EPS or (best >= 0.0 and not highest and abs(height - z) >= abs(best - z)):
            continue
        if terrain_fault_at(models, blocks, corners, limits, i, x, y, height, f) == 0:
            best = height
            if height >= z and not highest:
                return best  # all others are higher still


@inner_kernel
def may_engage(models: Array, limits: Array, targets: Array, i: int, j: int, mode: int, end: bool) -> bool:
    """Whether model ``i`` may come within Engagement Range of enemy model ``j`` in a move with this ``mode`` (NOBODY,
    ANYBODY or ONLY_TARGETS).

    ``end``: whether the question is about the end of the move and not about the way.
    """
    if (models[j]["keywords"] & limits[0]["air_keywords"]) != 0:
        if not end:
            return True
        if limits[0]["air_end"] == 0:
            return False
    if mode == ANYBODY:
        return True
    return bool(mode == ONLY_TARGETS and targets[models[j]["unit"]] != 0)


@inner_kernel
def models_fault_near(
    models: Array,
    blocks: Array,
    corners: Array,
    limits: Array,
    targets: Array,
    i: int,
    x: float,
    y: float,
    z: float,
    f: float,
    rows: Array,
    n: int,
    skip: int,
) -> int:
    """The ``Fault`` of model ``i`` standing at this pose, as far as other models decide it: it overlaps one, is engaged
    where it may not be, or is too close to an enemy.

    Only the ``n`` models of ``rows`` are looked at (``n`` -1: all models), but none of unit ``skip`` (-1: no
    exception). Rules move.models.through-friends, concepts.engagement-range.*.
    """
    lim = limits[0]
    owner = models[i]["owner"]
    height = models[i]["height"]
    # for most models the distance of the circles round the bases decides
    reach = models[i]["radius"] + max(lim["engage"], lim["engage_across"], lim["keep_away"]) + 2.0 * EPS
    for k in range(len(models) if n == _ALL else n):
        j = k if n == _ALL else rows[k]
        q = models[j]
        far = reach + q["radius"]
        dx = q["x"] - x
        dy = q["y"] - y
        if dx * dx + dy * dy > far * far:
            continue
        if q["on_table"] == 0 or j == i or q["unit"] == skip:
            continue
        if overlaps_in_height(z, height, q["z"], q["height"]):
            if overlap_at(models, i, x, y, f, j, q["x"], q["y"], q["facing"]):
                return _OVERLAPS_MODEL
        if q["owner"] != owner and not may_engage(models, limits, targets, i, j, lim["engage_end"], True):
            if within_reach_at(models, i, x, y, z, f, j, lim["engage"], lim["engage_z"]):
                return _ENGAGES_AT_THE_END
            if lim["engage_across"] > 0.0 and engages_across(
                models, blocks, corners, i, x, y, z, f, j, lim["engage_z"]
            ):
                return _ENGAGES_AT_THE_END
        if lim["keep_away"] > 0.0 and q["owner"] != owner:
            if gap_at(models, i, x, y, f, j, q["x"], q["y"], q["facing"]) <= lim["keep_away"] + EPS:
                return _TOO_CLOSE
    return 0


@inner_kernel
def on_marker_at(
    models: Array, objectives: Array, limits: Array, i: int, x: float, y: float, z: float, f: float
) -> bool:
    """Whether model ``i`` at this pose would stand on an objective marker on which no model may end (rule
    objective.move-over).
    """
    r = limits[0]["marker"]
    if r <= 0.0:
        return False
    for o in range(len(objectives)):
        mark = objectives[o]
        if mark["placed"] == 0 or abs(mark["z"] - z) > limits[0]["marker_z"]:
            continue
        far = r + models[i]["radius"]
        if abs(mark["x"] - x) < far and abs(mark["y"] - y) < far:
            if disc_gap_at(models, i, x, y, f, mark["x"], mark["y"], r - SLACK) <= 0.0:
                return True
    return False


@inner_kernel
def _end_fault(
    models: Array,
    blocks: Array,
    corners: Array,
    objectives: Array,
    limits: Array,
    targets: Array,
    i: int,
    x: float,
    y: float,
    z: float,
    f: float,
    rows: Array,
    n: int,
    skip: int,
) -> int:
    """``end_fault`` that looks only at the ``n`` models of ``rows`` (``n`` -1: all models)."""
    lim = limits[0]
    if lim["cross_edge"] == 0 and not inside_table_at(models, i, x, y, f, lim["length"], lim["width"]):
        return _OFF_TABLE
    fault = models_fault_near(models, blocks, corners, limits, targets, i, x, y, z, f, rows, n, skip)
    if fault != 0:
        return fault
    fault = terrain_fault_at(models, blocks, corners, limits, i, x, y, z, f)
    if fault != 0:
        return fault
    return _ON_MARKER if on_marker_at(models, objectives, limits, i, x, y, z, f) else 0


@kernel
def end_fault(
    models: Array,
    blocks: Array,
    corners: Array,
    objectives: Array,
    limits: Array,
    targets: Array,
    i: int,
    x: float,
    y: float,
    z: float,
    f: float,
    skip: int,
) -> int:
    """The ``Fault`` of model ``i`` ending a move, or being set up, at this pose: table edge, other models, terrain,
    objective markers.

    ``skip``: a unit whose models are ignored, -1: none.
    """
    return _end_fault(models, blocks, corners, objectives, limits, targets, i, x, y, z, f, targets, _ALL, skip)


# ---- a leg


@inner_kernel
def _keeps_level(
    models: Array,
    blocks: Array,
    corners: Array,
    limits: Array,
    i: int,
    x0: float,
    y0: float,
    h: float,
    x1: float,
    y1: float,
    f: float,
) -> bool:
    """Whether model ``i`` certainly has nothing to climb or to drop from on a slide from (x0, y0) at height ``h`` to
    (x1, y1).

    That is so if it stays on the ground or on one top and no high block is in its way.
    """
    low = limits[0]["low"]
    height = models[i]["height"]
    steady = h <= EPS
    for b in range(len(blocks)):
        if steady:
            break
        if abs(blocks[b]["z_high"] - h) <= SLACK and not box_missed(models, i, x0, y0, x1, y1, blocks, b):
            first = blocks[b]["first"]
            count = blocks[b]["count"]
            if inside_polygon_at(models, i, x0, y0, f, corners, first, count):
                steady = inside_polygon_at(models, i, x1, y1, f, corners, first, count)
    for b in range(len(blocks)):
        if not steady:
            break
        top = blocks[b]["z_high"]
        if top <= h + SLACK or (top - h <= low and top - blocks[b]["z_low"] <= low):
            continue
        if blocks[b]["z_low"] >= h + height - SLACK or box_missed(models, i, x0, y0, x1, y1, blocks, b):
            continue
        if passes_through(models, blocks, limits, i, b):
            continue
        t0, t1 = slide_span(models, i, x0, y0, x1, y1, f, corners, blocks[b]["first"], blocks[b]["count"])
        steady = t0 > t1
    return steady


@inner_kernel
def _blocks_on_way(
    models: Array,
    blocks: Array,
    corners: Array,
    i: int,
    x0: float,
    y0: float,
    x1: float,
    y1: float,
    f: float,
    spans: Array,
) -> int:
    """Fill ``spans`` (float64, blocks x 3) with the blocks that a slide meets: the part t0..t1 (0 to 1) of the slide on
    the block, and its row. Returns how many.
    """
    n = 0
    for b in range(len(blocks)):
        if blocks[b]["solid"] == 0 and blocks[b]["walkable"] == 0:
            continue
        if box_missed(models, i, x0, y0, x1, y1, blocks, b):
            continue
        t0, t1 = slide_span(models, i, x0, y0, x1, y1, f, corners, blocks[b]["first"], blocks[b]["count"])
        if t0 <= t1:
            spans[n, 0] = t0
            spans[n, 1] = t1
            spans[n, 2] = b
            n += 1
    return n


@kernel
def leg_climb(
    models: Array,
    blocks: Array,
    corners: Array,
    limits: Array,
    i: int,
    x0: float,
    y0: float,
    h: float,
    x1: float,
    y1: float,
    f: float,
) -> tuple[float, float]:
    """How model ``i`` climbs while it slides on foot from (x0, y0) at height ``h`` to (x1, y1) with facing ``f``.

    Returns:
        The vertical inches that count, up and down, and the height at which it ends.
    """
    if _keeps_level(models, blocks, corners, limits, i, x0, y0, h, x1, y1, f):
        return 0.0, h
    low = limits[0]["low"]
    height = models[i]["height"]
    # computed once for all steps of the loop below
    spans = np.empty((len(blocks), 3))
    on_way = _blocks_on_way(models, blocks, corners, i, x0, y0, x1, y1, f, spans)
    cost = 0.0
    t = 0.0
    for _ in range(4 * len(blocks) + 4):
        # at the point t: climb blocks in the way, drop to what is under the base, find the next point of change
        support = 0.0
        following = 2.0
        changed = True
        while changed:
            changed = False
            support = 0.0
            for o in range(on_way):
                b = int(spans[o, 2])
                block = blocks[b]
                if block["z_low"] >= h + height - SLACK:
                    continue
                if block["z_high"] > h + SLACK and passes_through(models, blocks, limits, i, b):
                    continue
                t0 = spans[o, 0]
                t1 = spans[o, 1]
                if t < t0:
                    following = min(following, t0)
                    continue
                if t1 < 1.0:
                    if t1 <= t:
                        continue
                    following = min(following, t1)
                top = block["z_high"]
                if top <= h + SLACK:
                    support = max(support, top)
                elif top - h > low or top - block["z_low"] > low:
                    cost += top - h
                    h = top
                    changed = True
        if support < h - SLACK:
            if h - support > low:
                cost += h - support
            h = support
        if following > 1.0:
            break
        t = following
    return cost, h


@inner_kernel
def leg_cost(
    models: Array,
    blocks: Array,
    corners: Array,
    limits: Array,
    i: int,
    x0: float,
    y0: float,
    z0: float,
    x1: float,
    y1: float,
    z1: float,
    f: float,
) -> float:
    """The inches that a straight slide of model ``i`` costs from one standing place to another, climbs included.

    Through the air it is the straight diagonal if an end is above the ground (move.fly.through-the-air), or the
    distance in plan (``LEVEL``).
    """
    along = hypot(x1 - x0, y1 - y0)
    if limits[0]["through_air"] == LEVEL:
        return along
    if limits[0]["through_air"] == DIAGONALLY and (z0 > EPS or z1 > EPS):
        return sqrt(along * along + (z1 - z0) * (z1 - z0))
    cost, h = leg_climb(models, blocks, corners, limits, i, x0, y0, z0, x1, y1, f)
    if abs(z1 - h) > limits[0]["low"]:
        cost += abs(z1 - h)
    return along + cost


@inner_kernel
def _leg_blocked(
    models: Array,
    limits: Array,
    targets: Array,
    i: int,
    x0: float,
    y0: float,
    z0: float,
    f0: float,
    x1: float,
    y1: float,
    z1: float,
    f1: float,
    rows: Array,
    n: int,
    skip: int,
) -> int:
    """``leg_blocked`` that looks only at the ``n`` models of ``rows`` (``n`` -1: all models), but not at those of unit
    ``skip``.
    """
    lim = limits[0]
    p = models[i]
    bottom = min(z0, z1)
    height = max(z0, z1) - bottom + p["height"]
    big = (p["keywords"] & lim["big_keywords"]) != 0 and lim["over_big"] == 0
    turning = p["shape"] != CIRCLE and turn_between(f0, f1) > 1e-9
    far = p["radius"] + lim["engage"] + EPS
    west = min(x0, x1) - far
    east = max(x0, x1) + far
    south = min(y0, y1) - far
    north = max(y0, y1) + far
    for k in range(len(models) if n == _ALL else n):
        j = k if n == _ALL else rows[k]
        q = models[j]
        r = q["radius"]
        if q["x"] + r < west or q["x"] - r > east or q["y"] + r < south or q["y"] - r > north:
            continue
        if q["on_table"] == 0 or j == i or q["unit"] == skip:
            continue
        crossing = 0
        if q["owner"] != p["owner"]:
            if not may_engage(models, limits, targets, i, j, lim["engage_path"], False):
                # a leg that climbs is at every height between its ends
                across = horizontal_reach(
                    lim["engage"], lim["engage_z"], max(0.0, bottom - q["z"], q["z"] - max(z0, z1))
                )
                if across >= 0.0:
                    if slide_hits(models, i, x0, y0, x1, y1, f1, j, across) or (
                        turning and turn_hits(models, i, x0, y0, f0, f1, j, across)
                    ):
                        # the fault is worse if the move crosses the base itself
                        if lim["over_enemies"] == 0 and (
                            slide_hits(models, i, x0, y0, x1, y1, f1, j, OVERLAP)
                            or (turning and turn_hits(models, i, x0, y0, f0, f1, j, OVERLAP))
                        ):
                            return _CROSSES_ENEMY
                        return _ENGAGES_ON_THE_WAY
            if lim["over_enemies"] == 0 and (q["keywords"] & lim["air_keywords"]) == 0:
                crossing = _CROSSES_ENEMY
        elif lim["over_friends"] == 0 and (q["keywords"] & lim["air_keywords"]) == 0:
            crossing = _CROSSES_FRIEND
        elif big and (q["keywords"] & lim["big_keywords"]) != 0:
            crossing = _CROSSES_BIG
        if crossing != 0 and overlaps_in_height(bottom, height, q["z"], q["height"]):
            if slide_hits(models, i, x0, y0, x1, y1, f1, j, OVERLAP) or (
                turning and turn_hits(models, i, x0, y0, f0, f1, j, OVERLAP)
            ):
                return crossing
    return 0


@kernel
def leg_blocked(
    models: Array,
    limits: Array,
    targets: Array,
    i: int,
    x0: float,
    y0: float,
    z0: float,
    f0: float,
    x1: float,
    y1: float,
    z1: float,
    f1: float,
) -> int:
    """The ``Fault`` of one leg of model ``i``, as far as other models decide it: it crosses a model, or passes too
    close to an enemy.

    At the start of the leg the model turns from ``f0`` to ``f1``, then it slides. Rules move.models.not-over-enemies,
    .through-friends, .monster-vehicle, move.normal.engagement, charge.condition.no-others.
    """
    return _leg_blocked(models, limits, targets, i, x0, y0, z0, f0, x1, y1, z1, f1, targets, _ALL, -1)


@inner_kernel
def _leg_engages(
    models: Array,
    blocks: Array,
    corners: Array,
    limits: Array,
    targets: Array,
    i: int,
    x0: float,
    y0: float,
    z0: float,
    f0: float,
    x1: float,
    y1: float,
    z1: float,
    f1: float,
    rows: Array,
    n: int,
    skip: int,
) -> int:
    """The ``Fault`` of one leg of model ``i`` that comes within Engagement Range of an enemy across an area; the
    arguments are those of ``_leg_blocked``.
    """
    lim = limits[0]
    p = models[i]
    for k in range(len(models) if n == _ALL else n):
        j = k if n == _ALL else rows[k]
        q = models[j]
        if q["on_table"] == 0 or q["owner"] == p["owner"] or q["unit"] == skip:
            continue
        if q["z"] < min(z0, z1) - lim["engage_z"] - EPS or q["z"] > max(z0, z1) + lim["engage_z"] + EPS:
            continue
        if not may_engage(models, limits, targets, i, j, lim["engage_path"], False):
            if p["shape"] != CIRCLE and turn_engages(models, blocks, corners, i, x0, y0, f0, f1, j):
                return _ENGAGES_ON_THE_WAY
            if slide_engages(models, blocks, corners, i, x0, y0, x1, y1, f1, j):
                return _ENGAGES_ON_THE_WAY
    return 0


@inner_kernel
def turn_fault(
    models: Array,
    blocks: Array,
    corners: Array,
    limits: Array,
    i: int,
    x: float,
    y: float,
    z: float,
    f0: float,
    f1: float,
) -> int:
    """The ``Fault`` of model ``i`` turning on the spot from ``f0`` to ``f1``: it crosses the table edge, or hits
    terrain that is not low.
    """
    lim = limits[0]
    angle = turn_between(f0, f1)
    sign = 1.0 if (f1 - f0) % (2.0 * pi) <= pi else -1.0
    steps = ceil(angle * models[i]["radius"] / 0.1)
    height = models[i]["height"]
    for k in range(1, steps + 1):
        f = f0 + sign * angle * k / steps
        if lim["cross_edge"] == 0 and not inside_table_at(models, i, x, y, f, lim["length"], lim["width"]):
            return _OFF_TABLE
        for b in range(len(blocks)):
            block = blocks[b]
            if block["z_high"] - z <= lim["low"] or passes_through(models, blocks, limits, i, b):
                continue
            if box_missed(models, i, x, y, x, y, blocks, b):
                continue
            if overlaps_in_height(z, height, block["z_low"], block["z_high"] - block["z_low"]):
                if polygon_overlap_at(models, i, x, y, f, corners, block["first"], block["count"]):
                    return _OVERLAPS_TERRAIN
    return 0


# ---- paths


@inner_kernel
def check_path_without_end(
    models: Array, blocks: Array, corners: Array, limits: Array, targets: Array, i: int, points: Array, n: int,
    rows: Array, listed: int, skip: int, climb1: float, height1: float,
) -> int:  # fmt: skip
    """``check_path`` without the end, only with the ``listed`` models of ``rows`` (-1: all), but not those of unit
    ``skip``.

    ``climb1``, ``height1``: what ``leg_climb`` says of the first leg, if the caller knows it; else ``climb1`` is below
    0.
    """
    lim = limits[0]
    p = models[i]
    x = p["x"]
    y = p["y"]
    h = p["z"]
    f = p["facing"]
    allowed = allowance(models, limits, i)
    level = lim["through_air"] == LEVEL
    air = level or (lim["through_air"] == DIAGONALLY and (h > EPS or points[n - 1, 2] > EPS))
    cost = 0.0
    for k in range(n):
        x1 = points[k, 0]
        y1 = points[k, 1]
        z1 = points[k, 2]
        f1 = points[k, 3]
        start = h
        along = hypot(x1 - x, y1 - y)
        if p["shape"] != CIRCLE:
            angle = turn_between(f, f1)
            if angle > 1e-9:
                # all parts of the base travel the slides; the one farthest from the centre travels most on a turn
                cost += 0.0 if lim["by_ends"] == 1 else angle * p["radius"]
                fault = 0 if air else turn_fault(models, blocks, corners, limits, i, x, y, h, f, f1)
                if fault != 0:
                    return fault
        if air:
            cost += along if level else sqrt(along * along + (z1 - h) * (z1 - h))
            h = z1
        else:
            cost += along
            if cost > allowed + EPS:
                return _TOO_FAR
            if k == 0 and climb1 >= 0.0:
                climb = climb1
                h = height1
            else:
                climb, h = leg_climb(models, blocks, corners, limits, i, x, y, h, x1, y1, f1)
            cost += climb
            # heights are measured from the last climb, so that many small steps do not make a free climb
            if abs(z1 - h) > lim["low"]:
                cost += abs(z1 - h)
                h = z1
        if cost > allowed + EPS:
            return _TOO_FAR
        if lim["cross_edge"] == 0 and not inside_table_at(models, i, x1, y1, f1, lim["length"], lim["width"]):
            return _OFF_TABLE
        fault = _leg_blocked(models, limits, targets, i, x, y, start, f, x1, y1, max(h, z1), f1, rows, listed, skip)
        if fault == 0 and lim["engage_across"] > 0.0:
            fault = _leg_engages(
                models, blocks, corners, limits, targets, i, x, y, start, f, x1, y1, max(h, z1), f1, rows, listed, skip
            )
        if fault != 0:
            return fault
        x = x1
        y = y1
        f = f1
    if lim["by_ends"] == 1 and p["shape"] != CIRCLE:
        along = farthest_part(models, i, x - p["x"], y - p["y"], p["facing"], f)
        high = 0.0 if level else h - p["z"]
        if along * along + high * high > (allowed + EPS) * (allowed + EPS):
            return _TOO_FAR
    return 0


@inner_kernel
def _check_path(
    models: Array,
    blocks: Array,
    corners: Array,
    objectives: Array,
    limits: Array,
    targets: Array,
    i: int,
    points: Array,
    n: int,
    rows: Array,
    listed: int,
    skip: int,
) -> int:
    """``check_path`` with at least one point, only with the ``listed`` models of ``rows`` (-1: all), but not those of
    unit ``skip``.
    """
    fault = check_path_without_end(
        models, blocks, corners, limits, targets, i, points, n, rows, listed, skip, -1.0, 0.0
    )
    if fault != 0:
        return fault
    end = points[n - 1]
    return _end_fault(
        models, blocks, corners, objectives, limits, targets, i, end[0], end[1], end[2], end[3], rows, listed, skip
    )


@inner_kernel
def check_path(
    models: Array,
    units: Array,
    blocks: Array,
    corners: Array,
    objectives: Array,
    limits: Array,
    targets: Array,
    i: int,
    points: Array,
    n: int,
) -> int:
    """The ``Fault`` of model ``i`` moving along the first ``n`` of ``points`` (float64, n x 4: x, y, z, facing); 0 if
    it is legal.

    It judges the whole path: the distance of the part of the base that travels farthest (move.models.distance), the
    table edge, other models and engagement on the way, and the end. It does not judge coherency, which is a matter of
    units. A path without points is no move and legal.
    """
    if n == 0:
        return 0
    return _check_path(models, blocks, corners, objectives, limits, targets, i, points, n, targets, _ALL, -1)


@kernel
def set_pose(models: Array, i: int, x: float, y: float, z: float, f: float) -> None:
    """Put model ``i`` at this pose."""
    models[i]["x"] = x
    models[i]["y"] = y
    models[i]["z"] = z
    models[i]["facing"] = f


@inner_kernel
def save_poses(models: Array, rows: Array, n: int, scratch: Array) -> None:
    """Copy the poses of the ``n`` models of ``rows`` to the first ``4 * n`` floats of ``scratch``."""
    for k in range(n):
        m = models[rows[k]]
        scratch[4 * k] = m["x"]
        scratch[4 * k + 1] = m["y"]
        scratch[4 * k + 2] = m["z"]
        scratch[4 * k + 3] = m["facing"]


@inner_kernel
def restore_poses(models: Array, rows: Array, n: int, scratch: Array) -> None:
    """Put the ``n`` models of ``rows`` back to the poses that ``save_poses`` copied."""
    for k in range(n):
        set_pose(models, rows[k], scratch[4 * k], scratch[4 * k + 1], scratch[4 * k + 2], scratch[4 * k + 3])


@inner_kernel
def is_coherent(models: Array, units: Array, limits: Array, u: int, marks: Array) -> bool:
    """Whether unit ``u`` is in coherency as these limits define it. ``marks``: int32 scratch, as long as ``models``."""
    lim = limits[0]
    return coherent(models, units, u, lim["coherency"], lim["coherency_z"], lim["coherency_big"], marks[: len(models)])


@kernel
def check_unit_move(
    models: Array,
    units: Array,
    blocks: Array,
    corners: Array,
    objectives: Array,
    limits: Array,
    targets: Array,
    u: int,
    order: Array,
    k: int,
    paths: Array,
    counts: Array,
    scratch: Array,
    marks: Array,
) -> tuple[int, int]:
    """Move the ``k`` models of ``order`` (rows of unit ``u``) one after another along their paths. Returns the
    ``Fault`` and the row of the model; (0, -1) if all is legal.

    Each path is judged with the models before it already moved; then the unit must be in coherency
    (concepts.coherency.move). On a fault every model goes back to where it stood.

    Args:
        paths: float64, k x points x 4. counts: points of each path. scratch: at least 4 * k floats. marks: int32, as
            long as ``models``.
    """
    save_poses(models, order, k, scratch)
    for n in range(k):
        i = order[n]
        fault = _NOT_IN_UNIT
        if models[i]["unit"] == u and models[i]["on_table"] == 1:
            fault = check_path(models, units, blocks, corners, objectives, limits, targets, i, paths[n], counts[n])
        if fault != 0:
            restore_poses(models, order, n, scratch)
            return fault, i
        if counts[n] > 0:
            end = paths[n, counts[n] - 1]
            set_pose(models, i, end[0], end[1], end[2], end[3])
    if not is_coherent(models, units, limits, u, marks):
        restore_poses(models, order, k, scratch)
        return _NOT_COHERENT, -1
    return 0, -1
