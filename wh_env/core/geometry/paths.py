"""What one move may do: its limits, the inches it costs, and the verdict on a path.

All numbers and permissions of a move come in ``limits``, an array of one row of ``MOVE_LIMITS``; nothing here knows a
ruleset. Where models of one unit move by different rules, ``limits`` has a row for each row of models; what holds for the
unit as a whole is the same in all of them. Lengths in inches, angles in radians. ``targets`` (int32, one entry a unit) flags the units that a move may
come close to where the limits say "only targets". ``points`` are the points of a path after its start, each
``x, y, z, facing``: on every leg the model first turns to the facing of the next point, then slides there.

How vertical distance counts (rules move.terrain.*): a model stands on the highest top under its base that it has
climbed; running into a solid block that is not low lifts it to the top, leaving the last support drops it, and both
count. Blocks with a bottom above its head, and those of a kind that it may pass through, do not stop it.
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
    inside_polygon_at,
    inside_table_at,
    overlap_at,
    overlaps_in_height,
    polygon_overlap_at,
    reach_across,
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

NOBODY, ANYBODY, ONLY_TARGETS = 0, 1, 2  # whom a move may come within engagement range of

OWN_MOVE, SAME_FOR_ALL = 0, 1  # allowance modes

# how moves through the air are measured: not at all, as a straight diagonal if they start or end above the ground, or
# without their height
ON_FOOT, DIAGONALLY, LEVEL = 0, 1, 2

MOVE_LIMITS = np.dtype(
    [
        ("big_keywords", "u8"),  # who must go around others of these keywords on its own side
        ("air_keywords", "u8"),  # models that anyone may pass over, and enemies to pass near to, in every kind of move
        ("through_keywords", "u8"),  # models that pass through blocks of the kinds in `through_kinds`
        ("floor_keywords", "u8"),  # models that may end on blocks of the kinds in `floor_kinds` (0: all may)
        ("extra", "f8"),  # OWN_MOVE: added to each model's Move; SAME_FOR_ALL: the allowance
        ("engage", "f8"),  # engagement range, horizontally
        ("engage_z", "f8"),  # and vertically; below 0: `engage` is a straight line, as is what set-ups keep to enemies
        ("engage_across", "f8"),  # the longest reach of any block across it (BLOCK["engage"]), 0: there is none
        ("keep_away", "f8"),  # must end more than so many inches horizontally from every enemy model, 0: no such rule
        ("low", "f8"),  # features up to this height cost nothing
        ("coherency", "f8"),
        ("coherency_z", "f8"),
        ("length", "f8"),  # of the table (x)
        ("width", "f8"),  # (y)
        ("marker", "f8"),  # radius of an objective marker that no model can end on, 0: may be stood on
        ("marker_z", "f8"),  # who ends no farther above or below it stands on it
        ("barrier", "f8"),  # inches from a barrier within which a unit can be charged across it
        ("mode", "i4"),
        ("engage_path", "i4"),  # NOBODY, ANYBODY or ONLY_TARGETS
        ("engage_end", "i4"),
        ("over_enemies", "i4"),
        ("over_friends", "i4"),
        ("over_big", "i4"),
        ("through_air", "i4"),  # ON_FOOT, DIAGONALLY or LEVEL
        ("air_end", "i4"),  # may end within engagement range of `air_keywords` enemies (if engage_end lets it)
        ("air_goal", "i4"),  # `air_keywords` enemies are among those that it must move towards
        ("coherency_big", "i4"),  # from so many models on each needs two neighbours
        ("cross_edge", "i4"),  # may leave the table
        ("through_kinds", "i4"),  # bits by block kind, see `through_keywords`
        ("floor_kinds", "i4"),  # bits by block kind, see `floor_keywords`
        ("prefer_high", "i4"),  # unit moves choose: 0 the surface nearest in height, 1 the highest one
        ("need_contact", "i4"),  # a model that closes in and can end in base contact must
        ("need_closer", "i4"),  # a model that charges must end closer to a target
        ("end_engaged", "i4"),  # a unit that piles in or consolidates towards enemies must end engaged
        (
            "by_ends",
            "i4",
        ),  # 1: a turn costs nothing, but no part of the base ends farther from where it began than the model may move
        ("need_all", "i4"),  # a charge must reach every target; else the first model that moves one of them
    ],
    align=True,
)


class Fault(IntEnum):
    """Why a move or placement is refused; 0 is legal."""

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
    NOT_ENGAGED = 15  # the unit does not end within engagement range of whom it must
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

_ALL = -1  # as a number of listed rows: look at every model


def new_limits(length: float, width: float, **numbers: float) -> Array:
    """A row of limits on a table of this size (inches) with these numbers by column; columns that are not named are 0.

    That is a plain move of each model's own Move, past nobody and within reach of nobody.

    Raises:
        ValueError: there is no such column.
    """
    limits = np.zeros(1, MOVE_LIMITS)
    for name, value in {"length": length, "width": width, **numbers}.items():
        limits[name] = value
    return limits


@kernel
def limits_row(limits: Array, i: int) -> int:
    """The row of ``limits`` that holds for model ``i``: its own, or the only one."""
    return i if len(limits) > 1 else 0


@kernel
def allowance(models: Array, limits: Array, i: int) -> float:
    """Inches that model ``i`` may move."""
    extra = limits[limits_row(limits, i)]["extra"]
    return float(extra if limits[0]["mode"] == SAME_FOR_ALL else extra + models[i]["move"])


@inner_kernel
def kept_across(limits: Array, inches: float, dz: float) -> float:
    """How far across models that are set up so many inches from enemies keep away at a difference in height; below 0: not at all."""
    return reach_across(inches, -1.0, dz) if limits[0]["engage_z"] < 0.0 else inches


@inner_kernel
def passes_through(models: Array, blocks: Array, limits: Array, i: int, b: int) -> bool:
    """True if block ``b`` does not stop model ``i`` at all (it still cannot end inside it)."""
    if blocks[b]["solid"] == 0:
        return True
    lim = limits[0]
    if ((lim["through_kinds"] >> blocks[b]["kind"]) & 1) == 0:
        return False
    return bool((models[i]["keywords"] & lim["through_keywords"]) != 0)


@inner_kernel
def may_stand_on(models: Array, blocks: Array, limits: Array, i: int, b: int) -> bool:
    """True if model ``i`` may end a move on the top of block ``b``."""
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
    """``Fault`` of standing at this pose with regard to terrain: it overlaps a solid block or is not fully supported.

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
    """How many heights model ``i`` can stand at here (ground, tops, floors); the lowest ``len(heights)`` are filled in.

    ``heights`` (float64) comes back in rising order. Other models are not looked at.
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
    models: Array, blocks: Array, corners: Array, limits: Array, i: int, x: float, y: float, f: float, z: float,
    climb: float,
) -> float:  # fmt: skip
    """The height at which a unit move sets model ``i`` down at (x, y), coming from height ``z``; -1 if there is none.

    The surface nearest in height to ``z`` (the lower of two), or with ``prefer_high`` the highest one, among those no
    more than ``climb`` inches up or down.
    """
    best = -1.0
    high = limits[0]["prefer_high"] == 1
    last = -1.0
    while True:
        at = inf if last >= 0.0 else 0.0
        if last >= 0.0:
            for b in range(len(blocks)):
                top = blocks[b]["z_high"]
                if last + SLACK < top < at and not box_missed(models, i, x, y, x, y, blocks, b):
                    if may_stand_on(models, blocks, limits, i, b):
                        at = top
        if at == inf or at - z > climb + EPS:
            return best
        last = at
        if z - at > climb + EPS or (best >= 0.0 and not high and abs(at - z) >= abs(best - z)):
            continue
        if terrain_fault_at(models, blocks, corners, limits, i, x, y, at, f) == 0:
            best = at
            if at >= z and not high:
                return best  # all others are higher still


@inner_kernel
def may_engage(models: Array, limits: Array, targets: Array, i: int, j: int, mode: int, end: bool) -> bool:
    """True if ``i`` may come within engagement range of the enemy model ``j`` (``end``: at the end of the move)."""
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
    models: Array, blocks: Array, corners: Array, limits: Array, targets: Array, i: int, x: float, y: float, z: float, f: float,
    rows: Array, n: int, skip: int,
) -> int:  # fmt: skip
    """``Fault`` of model ``i`` standing at this pose: on top of another model, or engaged where it may not end so.

    Only the ``n`` models of ``rows`` (-1: all) are looked at, but for those of unit ``skip`` (-1: none). Rules
    move.models.through-friends, concepts.engagement-range.*.
    """
    lim = limits[0]
    owner = models[i]["owner"]
    height = models[i]["height"]
    # most models stand so far away that their circles settle it
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
            ):  # fmt: skip
                return _ENGAGES_AT_THE_END
        if lim["keep_away"] > 0.0 and q["owner"] != owner:
            if gap_at(models, i, x, y, f, j, q["x"], q["y"], q["facing"]) <= lim["keep_away"] + EPS:
                return _TOO_CLOSE
    return 0


@inner_kernel
def on_marker_at(
    models: Array, objectives: Array, limits: Array, i: int, x: float, y: float, z: float, f: float
) -> bool:
    """True if model ``i`` at this pose would stand on an objective marker (rule objective.move-over)."""
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
    models: Array, blocks: Array, corners: Array, objectives: Array, limits: Array, targets: Array,
    i: int, x: float, y: float, z: float, f: float, rows: Array, n: int, skip: int,
) -> int:  # fmt: skip
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
    models: Array, blocks: Array, corners: Array, objectives: Array, limits: Array, targets: Array,
    i: int, x: float, y: float, z: float, f: float, skip: int,
) -> int:  # fmt: skip
    """``Fault`` of model ``i`` ending (or being set up) at this pose; models of unit ``skip`` (-1: none) do not count."""
    return _end_fault(models, blocks, corners, objectives, limits, targets, i, x, y, z, f, targets, _ALL, skip)


# ---- a leg


@inner_kernel
def _keeps_level(
    models: Array, blocks: Array, corners: Array, limits: Array, i: int,
    x0: float, y0: float, h: float, x1: float, y1: float, f: float,
) -> bool:  # fmt: skip
    """True if for sure there is nothing to climb or to drop from: the ground or one top all the way, and no high block in the way."""
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
    models: Array, blocks: Array, corners: Array, i: int, x0: float, y0: float, x1: float, y1: float, f: float, spans: Array
) -> int:  # fmt: skip
    """Fill ``spans`` (float64, blocks x 3) with the parts t0..t1 of a slide on a block each, and its row; returns how many."""
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
    models: Array, blocks: Array, corners: Array, limits: Array, i: int,
    x0: float, y0: float, h: float, x1: float, y1: float, f: float,
) -> tuple[float, float]:  # fmt: skip
    """Vertical inches that model ``i`` climbs while it slides from (x0, y0) at height ``h``, and the height it ends at."""
    if _keeps_level(models, blocks, corners, limits, i, x0, y0, h, x1, y1, f):
        return 0.0, h
    low = limits[0]["low"]
    height = models[i]["height"]
    # found once for all the steps below
    spans = np.empty((len(blocks), 3))
    on_way = _blocks_on_way(models, blocks, corners, i, x0, y0, x1, y1, f, spans)
    cost = 0.0
    t = 0.0
    for _ in range(4 * len(blocks) + 4):
        # run into what stands in the way here, stand on what is under the base, find where that changes
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
    models: Array, blocks: Array, corners: Array, limits: Array, i: int,
    x0: float, y0: float, z0: float, x1: float, y1: float, z1: float, f: float,
) -> float:  # fmt: skip
    """Inches that a straight slide of model ``i`` costs from one standing place to another, climbs included.

    Through the air with an end above the ground it is the straight diagonal (move.fly.through-the-air), or what it is on the plan.
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
    models: Array, limits: Array, targets: Array, i: int, x0: float, y0: float, z0: float, f0: float,
    x1: float, y1: float, z1: float, f1: float, rows: Array, n: int, skip: int,
) -> int:  # fmt: skip
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
                across = reach_across(
                    lim["engage"], lim["engage_z"], max(0.0, bottom - q["z"], q["z"] - max(z0, z1))
                )  # fmt: skip
                if across >= 0.0:
                    if slide_hits(models, i, x0, y0, x1, y1, f1, j, across) or (
                        turning and turn_hits(models, i, x0, y0, f0, f1, j, across)
                    ):
                        # say so if the base itself is crossed
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
    models: Array, limits: Array, targets: Array, i: int, x0: float, y0: float, z0: float, f0: float,
    x1: float, y1: float, z1: float, f1: float,
) -> int:  # fmt: skip
    """``Fault`` of a leg of model ``i`` with regard to other models: whom it crosses or passes too close to.

    It turns from ``f0`` to ``f1`` at the start, then slides. Rules move.models.not-over-enemies, .through-friends,
    .monster-vehicle, move.normal.engagement, charge.condition.no-others.
    """
    return _leg_blocked(models, limits, targets, i, x0, y0, z0, f0, x1, y1, z1, f1, targets, _ALL, -1)


@inner_kernel
def _leg_engages(
    models: Array, blocks: Array, corners: Array, limits: Array, targets: Array, i: int, x0: float, y0: float, z0: float,
    f0: float, x1: float, y1: float, z1: float, f1: float, rows: Array, n: int, skip: int,
) -> int:  # fmt: skip
    """``Fault`` of a leg of model ``i`` with regard to engagement range across blocks; else as ``_leg_blocked``."""
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
    models: Array, blocks: Array, corners: Array, limits: Array, i: int, x: float, y: float, z: float, f0: float, f1: float
) -> int:  # fmt: skip
    """``Fault`` of turning on the spot with regard to the table edge and to terrain that is not low."""
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
def check_way(
    models: Array, blocks: Array, corners: Array, limits: Array, targets: Array, i: int, points: Array, n: int,
    rows: Array, listed: int, skip: int, climb1: float, height1: float,
) -> int:  # fmt: skip
    """``check_path`` without a look at the end. ``climb1`` and ``height1``: what ``leg_climb`` says of the first leg, where it was
    asked already (``climb1`` < 0: it was not)."""
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
                # every part travels the slides; the one farthest from the centre travels most on a turn
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
            # small steps are not added up to a free climb: the height counts from the last climb
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
            )  # fmt: skip
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
    models: Array, blocks: Array, corners: Array, objectives: Array, limits: Array, targets: Array,
    i: int, points: Array, n: int, rows: Array, listed: int, skip: int,
) -> int:  # fmt: skip
    fault = check_way(models, blocks, corners, limits, targets, i, points, n, rows, listed, skip, -1.0, 0.0)
    if fault != 0:
        return fault
    end = points[n - 1]
    return _end_fault(
        models, blocks, corners, objectives, limits, targets, i, end[0], end[1], end[2], end[3], rows, listed, skip
    )


@inner_kernel
def check_path(
    models: Array, units: Array, blocks: Array, corners: Array, objectives: Array, limits: Array, targets: Array,
    i: int, points: Array, n: int,
) -> int:  # fmt: skip
    """``Fault`` of model ``i`` moving along the first ``n`` of ``points`` (float64: x, y, z, facing); 0 if it is legal.

    The whole path is judged: distance with the part of the base that travels longest (move.models.distance), table
    edge, models and engagement on the way, the end. Coherency is judged for units, not here. No points: no move, legal.
    """
    if n == 0:
        return 0
    return _check_path(models, blocks, corners, objectives, limits, targets, i, points, n, targets, _ALL, -1)


@kernel
def set_pose(models: Array, i: int, x: float, y: float, z: float, f: float) -> None:
    """Put model ``i`` down at this pose."""
    models[i]["x"] = x
    models[i]["y"] = y
    models[i]["z"] = z
    models[i]["facing"] = f


@inner_kernel
def save_poses(models: Array, rows: Array, n: int, scratch: Array) -> None:
    """Keep the poses of ``n`` models in the first 4 n floats of ``scratch``."""
    for k in range(n):
        m = models[rows[k]]
        scratch[4 * k] = m["x"]
        scratch[4 * k + 1] = m["y"]
        scratch[4 * k + 2] = m["z"]
        scratch[4 * k + 3] = m["facing"]


@inner_kernel
def restore_poses(models: Array, rows: Array, n: int, scratch: Array) -> None:
    """Put ``n`` models back to the poses that ``save_poses`` kept."""
    for k in range(n):
        set_pose(models, rows[k], scratch[4 * k], scratch[4 * k + 1], scratch[4 * k + 2], scratch[4 * k + 3])


@inner_kernel
def is_coherent(models: Array, units: Array, limits: Array, u: int, marks: Array) -> bool:
    """True if unit ``u`` is in coherency under these limits; ``marks`` (int32, as long as ``models``) is scratch."""
    lim = limits[0]
    return coherent(models, units, u, lim["coherency"], lim["coherency_z"], lim["coherency_big"], marks[: len(models)])


@kernel
def check_unit_move(
    models: Array, units: Array, blocks: Array, corners: Array, objectives: Array, limits: Array, targets: Array,
    u: int, order: Array, k: int, paths: Array, counts: Array, scratch: Array, marks: Array,
) -> tuple[int, int]:  # fmt: skip
    """Move ``k`` models of unit ``u`` one after another; ``(Fault, model row)``, ``(0, -1)`` if all is legal.

    ``order``: rows of the models that move; ``paths`` (float64, k x points x 4) and ``counts`` their paths. Each is judged
    with the models before it already moved, then the unit must be in coherency (concepts.coherency.move). On a fault
    every model goes back to where it stood. ``scratch``: at least 4 k floats; ``marks``: int32 as long as ``models``.
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
