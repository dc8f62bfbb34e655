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
from math import inf

import numpy as np

from wh_env.core.geometry.areas import engages_across
from wh_env.core.geometry.engaged import coherent
from wh_env.core.geometry.shapes import (
    EPS,
    SLACK,
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
    box_missed,
)
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import Array

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


# ---- paths


@kernel
def set_pose(models: Array, i: int, x: float, y: float, z: float, f: float) -> None:
    """Put model ``i`` at this pose."""
    models[i]["x"] = x
    models[i]["y"] = y
    models[i]["z"] = z
    models[i]["facing"] = f


@inner_kernel
def is_coherent(models: Array, units: Array, limits: Array, u: int, marks: Array) -> bool:
    """Whether unit ``u`` is in coherency as these limits define it. ``marks``: int32 scratch, as long as ``models``."""
    lim = limits[0]
    return coherent(models, units, u, lim["coherency"], lim["coherency_z"], lim["coherency_big"], marks[: len(models)])
