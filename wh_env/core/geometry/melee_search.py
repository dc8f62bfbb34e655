"""What charge, pile-in and consolidation moves search for: places in base contact, ways closer, and the conditions of
the unit.

``limits`` say what the move may do (for a charge ``engage_path`` and ``engage_end`` are ONLY_TARGETS); ``targets``
(int32, one entry for each unit) flags the charge targets. Inches and radians. Bases in contact stand on one level, at
most ``CONTACT`` apart.

Places in base contact are tried in 36 directions round an enemy model, the nearest enemy and the direction towards the
mover first, with paths from ``find_path`` (straight or with one bend). If none is found, the gaps between these
directions are searched (``contact_gaps``), with ways of at most two bends. Between round bases every gap wider than
0.004" is found; models do not turn. The rule that a model must end in base contact if it can is judged by the same
search: what it does not find is not demanded.
"""

from __future__ import annotations

from math import atan2, cos, hypot, inf, pi, sin, sqrt
from typing import NamedTuple

import numpy as np

from wh_env.core.geometry.areas import model_engages_unit_across, unit_engaged_across, units_engaged_across
from wh_env.core.geometry.barriers import barrier_between, beside, charges_across, unit_charges_across
from wh_env.core.geometry.board import Board
from wh_env.core.geometry.contact_gaps import MOST_ANGLES, gap_angles, way_round
from wh_env.core.geometry.paths import (
    Fault,
    allowance,
    choose_surface,
    is_coherent,
    leg_cost,
    limits_row,
    models_fault_near,
    set_pose,
)
from wh_env.core.geometry.rigid import gather_unit
from wh_env.core.geometry.shapes import (
    CONTACT,
    EPS,
    disc_gap_at,
    extent,
    gap,
    gap_at,
    member,
    member_count,
    overlap_at,
    overlaps_in_height,
    stands_in,
    unit_engaged,
    units_engaged,
    within_reach_at,
)
from wh_env.core.geometry.single import find_path, find_way
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import CIRCLE, Array

CHARGE, TO_ENEMY, TO_MARKER = 0, 1, 2  # kinds of move: a charge, a pile-in or consolidation, one towards a marker

_DIRECTIONS = 36
_TOUCH = 0.002  # inches between bases that are set in contact ...
_LOOSE = 0.006  # ... and inches more if nearer places cannot be reached
_SPACING = 0.25  # inches between the places along a barrier that are tried ...
_PLACES = 8  # ... how many of them on either side of the point straight across
_NOT_COHERENT = int(Fault.NOT_COHERENT)
_NOT_ENGAGED = int(Fault.NOT_ENGAGED)
_NOT_IN_RANGE = int(Fault.NOT_IN_RANGE)


class Squad(NamedTuple):
    """A unit that charges, piles in or consolidates, and memory to work in. A pose is four floats: x, y, z, facing."""

    u: int
    kind: int  # CHARGE, TO_ENEMY or TO_MARKER
    marker: int  # row of the marker that it moves towards, -1: none
    control: float  # inches from the marker's edge within which some model must end
    n: int  # how many of its models are on the table
    rows: Array  # their rows, in the order in which they move
    near: Array  # rows of the models that matter to the move that is searched
    labels: Array  # scratch, one number for each model
    flags: Array  # by model: k if it was the k-th to move, 0: it has not moved
    starts: Array  # poses by model: where it stood before the move
    finals: Array  # poses by model: where it ends
    spare: Array  # scratch, one pose for each model
    start: Array  # the pose from which the model in question moves
    points: Array  # 3 x 4, poses: the path that was found last
    best: Array  # 2 x 4, poses: the best path so far


@inner_kernel
def squad_of(
    models: Array, units: Array, u: int, kind: int, marker: int, control: float, scratch: Array, marks: Array
) -> Squad:
    """Unit ``u`` as a ``Squad`` whose arrays are parts of ``scratch`` and ``marks`` (as long as ``rigid.scratch_sizes``
    says).
    """
    total = len(models)
    rows = marks[:total]
    n = gather_unit(models, units, u, rows)
    return Squad(
        u,
        kind,
        marker,
        control,
        n,
        rows,
        marks[total : 2 * total],
        marks[2 * total : 3 * total],
        marks[3 * total : 4 * total],
        scratch[24 : 24 + 4 * total],
        scratch[24 + 4 * total : 24 + 8 * total],
        scratch[24 + 8 * total : 24 + 12 * total],
        scratch[20:24],
        scratch[:12].reshape((3, 4)),
        scratch[12:20].reshape((2, 4)),
    )


@inner_kernel
def copy_pose(models: Array, i: int, pose: Array) -> None:
    """Copy the pose of model ``i`` to ``pose`` (four floats)."""
    m = models[i]
    pose[0] = m["x"]
    pose[1] = m["y"]
    pose[2] = m["z"]
    pose[3] = m["facing"]


@inner_kernel
def copy_poses(models: Array, rows: Array, n: int, store: Array) -> None:
    """Copy the poses of the ``n`` models of ``rows`` to ``store``, which has four floats for every row of
    ``models``.
    """
    for k in range(n):
        copy_pose(models, rows[k], store[4 * rows[k] : 4 * rows[k] + 4])


@inner_kernel
def put_back(models: Array, rows: Array, n: int, store: Array) -> None:
    """Put the ``n`` models of ``rows`` at the poses that ``copy_poses`` copied to ``store``."""
    for k in range(n):
        i = rows[k]
        set_pose(models, i, store[4 * i], store[4 * i + 1], store[4 * i + 2], store[4 * i + 3])


@inner_kernel
def in_contact(models: Array, i: int, j: int) -> bool:
    """Whether models ``i`` and ``j`` are in base contact: on one level, and at most ``CONTACT`` apart."""
    return abs(models[i]["z"] - models[j]["z"]) <= CONTACT and gap(models, i, j) <= CONTACT


@kernel
def touches_enemy(models: Array, i: int) -> bool:
    """Whether model ``i`` is in base contact with an enemy model on the table."""
    m = models[i]
    for j in range(len(models)):
        q = models[j]
        # distance first: it rules out most rows with one predictable branch
        if abs(q["x"] - m["x"]) <= q["radius"] + m["radius"] + CONTACT:
            if abs(q["y"] - m["y"]) <= q["radius"] + m["radius"] + CONTACT + EPS:
                if q["on_table"] == 1 and q["owner"] != m["owner"] and in_contact(models, i, j):
                    return True
    return False


@kernel
def is_goal(models: Array, limits: Array, targets: Array, i: int, j: int, only: int) -> bool:
    """Whether model ``i`` may move towards model ``j``: an enemy on the table that is not an aircraft (unless
    ``limits["air_goal"]``).

    ``only``: a unit that ``j`` must belong to; -1: any unit; -2: any unit that ``targets`` flags.
    """
    q = models[j]
    if q["on_table"] == 0 or q["owner"] == models[i]["owner"]:
        return False
    lim = limits[limits_row(limits, i)]
    if (q["keywords"] & lim["air_keywords"]) != 0 and lim["air_goal"] == 0:
        return False
    if only == -2:
        return bool(targets[q["unit"]] != 0)
    return bool(only == -1 or q["unit"] == only)


@inner_kernel
def distance_at(models: Array, i: int, x: float, y: float, z: float, f: float, j: int) -> float:
    """Distance in inches from model ``i`` at a pose to model ``j``, in a straight line with the difference in
    height.
    """
    q = models[j]
    across = gap_at(models, i, x, y, f, j, q["x"], q["y"], q["facing"])
    return sqrt(across * across + (z - q["z"]) * (z - q["z"]))


@kernel
def closest_goal(models: Array, limits: Array, targets: Array, i: int, only: int) -> int:
    """Row of the enemy model closest to model ``i`` where it stands, the first of several equally close; -1 if there is
    none.

    Aircraft count only as ``is_goal`` says (aircraft.fight.ignored). ``only``: as in ``is_goal``.
    """
    m = models[i]
    best = inf
    closest = -1
    for j in range(len(models)):
        q = models[j]
        dx = q["x"] - m["x"]
        dy = q["y"] - m["y"]
        # the circles round the bases are never farther apart than the bases
        far = best + q["radius"] + m["radius"] + EPS
        if dx * dx + dy * dy < far * far and is_goal(models, limits, targets, i, j, only):
            if sqrt(dx * dx + dy * dy) - q["radius"] - m["radius"] < best:
                d = distance_at(models, i, m["x"], m["y"], m["z"], m["facing"], j)
                if d < best:
                    best = d
                    closest = j
    return closest


@kernel
def closest_marker(models: Array, units: Array, objectives: Array, limits: Array, u: int) -> int:
    """Row of the objective marker closest to unit ``u``; -1 if no marker is on the table."""
    best = inf
    closest = -1
    for o in range(len(objectives)):
        if objectives[o]["placed"] == 0:
            continue
        for k in range(member_count(units, u)):
            i = member(units, u, k)
            if stands_in(models, i, u):
                m = models[i]
                d = marker_distance(models, objectives, limits, i, m["x"], m["y"], m["facing"], o)
                if d < best:
                    best = d
                    closest = o
    return closest


@kernel
def marker_distance(
    models: Array, objectives: Array, limits: Array, i: int, x: float, y: float, f: float, o: int
) -> float:
    """Horizontal inches from model ``i`` at a pose to the edge of objective marker ``o``, whose radius is
    ``limits["marker"]``.
    """
    return disc_gap_at(models, i, x, y, f, objectives[o]["x"], objectives[o]["y"], limits[0]["marker"])


@inner_kernel
def closer(
    models: Array,
    units: Array,
    objectives: Array,
    limits: Array,
    targets: Array,
    kind: int,
    goal: int,
    i: int,
    start: Array,
    x: float,
    y: float,
    z: float,
    f: float,
) -> bool:
    """Whether model ``i`` at this pose is closer to what it must move towards than at the pose ``start``.

    Args:
        kind: for ``CHARGE``, closer to the nearest model of any one target is enough, and if ``limits["need_closer"]``
            is 0 every pose is; for ``TO_ENEMY``, closer to enemy model ``goal``; for ``TO_MARKER``, closer to marker
            ``goal``.
    """
    if kind == CHARGE and limits[0]["need_closer"] == 0:
        return True
    if kind == TO_ENEMY:
        return (
            distance_at(models, i, x, y, z, f, goal)
            < distance_at(models, i, start[0], start[1], start[2], start[3], goal) - 1e-6
        )
    if kind == TO_MARKER:
        return (
            marker_distance(models, objectives, limits, i, x, y, f, goal)
            < marker_distance(models, objectives, limits, i, start[0], start[1], start[3], goal) - 1e-6
        )
    for t in range(len(units)):
        if targets[t] == 0:
            continue
        before = inf
        after = inf
        for k in range(member_count(units, t)):
            j = member(units, t, k)
            if stands_in(models, j, t):
                before = min(before, distance_at(models, i, start[0], start[1], start[2], start[3], j))
                after = min(after, distance_at(models, i, x, y, z, f, j))
        if after < before - 1e-6:
            return True
    return False


@inner_kernel
def in_range_of_unit(board: Board, a: int, e: int) -> bool:
    """Whether any model of unit ``a`` is within Engagement Range of any model of unit ``e``, areas (``areas``)
    included.
    """
    lim = board.limits[0]
    if units_engaged(board.models, board.units, a, e, lim["engage"], lim["engage_z"]):
        return True
    return bool(
        lim["engage_across"] > 0.0
        and units_engaged_across(board.models, board.units, board.blocks, board.corners, a, e, lim["engage_z"])
    )


@inner_kernel
def unit_fault(board: Board, squad: Squad) -> int:
    """The ``Fault`` of the unit as it stands: 0 if it fulfils all conditions for the end of its move.

    A charge must engage its targets (all of them if ``need_all``); a move towards enemies must end engaged (if
    ``end_engaged``); a move towards a marker must end in range of it; and each must end in coherency.
    """
    models, units, limits = board.models, board.units, board.limits
    lim = limits[0]
    u = squad.u
    if squad.kind == CHARGE:
        reached = False
        for t in range(len(units)):
            if board.targets[t] == 0:
                continue
            if in_range_of_unit(board, u, t) or unit_charges_across(
                models, units, board.blocks, board.corners, limits, u, t
            ):
                reached = True
            elif lim["need_all"] != 0:
                return _NOT_ENGAGED
        if not reached and lim["need_all"] == 0:
            return _NOT_ENGAGED
    elif squad.kind == TO_ENEMY:
        if (
            lim["end_engaged"] != 0
            and not unit_engaged(models, units, u, lim["engage"], lim["engage_z"])
            and not (
                lim["engage_across"] > 0.0
                and unit_engaged_across(models, units, board.blocks, board.corners, u, lim["engage_z"])
            )
        ):
            return _NOT_ENGAGED
    else:
        near = False
        for k in range(member_count(units, u)):
            i = member(units, u, k)
            if stands_in(models, i, u) and reaches_marker(board, squad, i):
                near = True
        if not near:
            return _NOT_IN_RANGE
    return 0 if is_coherent(models, units, limits, u, squad.labels) else _NOT_COHERENT


@inner_kernel
def reaches_marker(board: Board, squad: Squad, i: int) -> bool:
    """Whether model ``i`` stands as near to the marker as some model of the unit must end, in plan and in height."""
    m = board.models[i]
    if abs(m["z"] - board.objectives[squad.marker]["z"]) > board.limits[0]["engage_z"] + EPS:
        return False
    away = marker_distance(board.models, board.objectives, board.limits, i, m["x"], m["y"], m["facing"], squad.marker)
    return away <= squad.control + EPS


@kernel
def contact_place(models: Array, i: int, f: float, j: int, angle: float, apart: float) -> tuple[float, float]:
    """The centre (x, y) of model ``i`` with facing ``f``, ``apart`` inches (0: base contact) from model ``j`` in the
    direction ``angle`` from it.
    """
    q = models[j]
    far = models[i]["radius"] + q["radius"] + _TOUCH + apart
    c = cos(angle)
    s = sin(angle)
    if models[i]["shape"] != CIRCLE or q["shape"] != CIRCLE:
        # start outside and move in by the gap that is left, until it is small enough
        for _ in range(60):
            left = gap_at(models, i, q["x"] + far * c, q["y"] + far * s, f, j, q["x"], q["y"], q["facing"])
            if left <= 2.0 * _TOUCH + apart:
                break
            far -= left - _TOUCH - apart
    return q["x"] + far * c, q["y"] + far * s


@inner_kernel
def linked(board: Board, squad: Squad, i: int, x: float, y: float, z: float, f: float) -> int:
    """How many of the models that have moved stand within coherency distance of model ``i`` at this pose."""
    lim = board.limits[0]
    count = 0
    for k in range(squad.n):
        j = squad.rows[k]
        if j != i and squad.flags[j] != 0:
            if within_reach_at(board.models, i, x, y, z, f, j, lim["coherency"], lim["coherency_z"]):
                count += 1
    return count


@inner_kernel
def may_be_linked(board: Board, squad: Squad, i: int, x: float, y: float, more: float, link: int) -> bool:
    """False if model ``i`` certainly cannot have ``link`` moved models within coherency distance anywhere within
    ``more`` inches of (x, y).
    """
    models = board.models
    reach = models[i]["radius"] + board.limits[0]["coherency"] + EPS + more
    count = 0
    for k in range(squad.n):
        q = models[squad.rows[k]]
        if squad.rows[k] != i and squad.flags[squad.rows[k]] != 0:
            dx = q["x"] - x
            dy = q["y"] - y
            far = reach + q["radius"]
            if dx * dx + dy * dy <= far * far:
                count += 1
    return count >= link


@inner_kernel
def conditions_hold_with(board: Board, squad: Squad, i: int, pose: Array) -> bool:
    """Whether the unit fulfils its conditions with model ``i`` at ``pose``, overlapping none of its unit, and its other
    models at ``squad.finals``.
    """
    models = board.models
    copy_poses(models, squad.rows, squad.n, squad.spare)
    put_back(models, squad.rows, squad.n, squad.finals)
    set_pose(models, i, pose[0], pose[1], pose[2], pose[3])
    holds = True
    for k in range(squad.n):
        j = squad.rows[k]
        q = models[j]
        if j != i and overlaps_in_height(pose[2], models[i]["height"], q["z"], q["height"]):
            if overlap_at(models, i, pose[0], pose[1], pose[3], j, q["x"], q["y"], q["facing"]):
                holds = False
    holds = holds and unit_fault(board, squad) == 0
    put_back(models, squad.rows, squad.n, squad.spare)
    return holds


@inner_kernel
def _engages_all_targets(board: Board, i: int, x: float, y: float, z: float, f: float) -> bool:
    """Whether model ``i`` at this pose is within Engagement Range of every unit that ``targets`` flags."""
    models, units, blocks, corners, _, limits, targets = board
    across = limits[0]["engage"]
    up = limits[0]["engage_z"]
    for t in range(len(units)):
        if targets[t] == 0:
            continue
        engaged = False
        for k in range(member_count(units, t)):
            j = member(units, t, k)
            if stands_in(models, j, t) and within_reach_at(models, i, x, y, z, f, j, across, up):
                engaged = True
                break
        if not engaged and limits[0]["engage_across"] > 0.0:
            engaged = model_engages_unit_across(models, units, blocks, corners, i, x, y, z, f, t, up)
        if not engaged:
            return False
    return True


@inner_kernel
def _may_engage_all_targets(
    models: Array, units: Array, limits: Array, targets: Array, i: int, e: int, apart: float
) -> bool:
    """False if model ``i``, ``apart`` inches from model ``e``, certainly cannot be within Engagement Range of every
    unit that ``targets`` flags, because one is too far from ``e``.
    """
    q = models[e]
    engage = max(limits[0]["engage"], limits[0]["engage_across"])
    reach = 2.0 * models[i]["radius"] + q["radius"] + apart + engage + CONTACT
    for t in range(len(units)):
        if targets[t] == 0:
            continue
        near = False
        for k in range(member_count(units, t)):
            j = member(units, t, k)
            dx = models[j]["x"] - q["x"]
            dy = models[j]["y"] - q["y"]
            far = reach + models[j]["radius"]
            if dx * dx + dy * dy <= far * far and stands_in(models, j, t):
                near = True
                break
        if not near:
            return False
    return True


@inner_kernel
def _next_enemy(
    board: Board, squad: Squad, i: int, nn: int, only: int, allowed: float, last_gap: float, last_row: int
) -> tuple[int, float]:
    """The enemy model that follows ``last_row`` (at the gap ``last_gap``) in the order of the gap from model ``i``,
    then of rows; and its gap in inches.

    The row is -1 if none follows within ``allowed`` inches. ``nn``: how many models of ``squad.near`` are looked at.
    """
    models = board.models
    m = models[i]
    best = inf
    e = -1
    for o in range(nn):
        j = squad.near[o]
        dx = models[j]["x"] - m["x"]
        dy = models[j]["y"] - m["y"]
        # the circles round the bases are never farther apart than the bases
        far = min(best, allowed + CONTACT) + models[j]["radius"] + m["radius"] + EPS
        if dx * dx + dy * dy > far * far or not is_goal(models, board.limits, board.targets, i, j, only):
            continue
        g = gap(models, i, j)
        if (g > last_gap or (g == last_gap and j > last_row)) and g < best:
            best = g
            e = j
    return (-1 if best > allowed + CONTACT else e), best


@inner_kernel
def find_path_into_contact(
    board: Board,
    squad: Squad,
    i: int,
    goal: int,
    only: int,
    link: int,
    nn: int,
    apart: float,
    cover: bool,
    verify: bool,
) -> int:
    """A path for model ``i`` into base contact with an enemy model. Fills ``squad.points`` and returns how many points
    it has; 0 if none is found.

    Args:
        goal: as in ``closer``. only: as in ``is_goal``. link: how many models that have moved must be within coherency
            distance of its end.
        nn: how many models of ``squad.near`` matter. apart: inches from the enemy to end at, 0: in contact.
        cover: it must end within Engagement Range of every target. verify: its end must pass ``conditions_hold_with``.
    """
    models, units, limits, targets = board.models, board.units, board.limits, board.targets
    own = limits_row(limits, i)
    allowed = allowance(models, limits[own : own + 1], i)
    copy_pose(models, i, squad.start)
    tight = False
    e = -1
    last_gap = -1.0
    while True:
        e, last_gap = _next_enemy(board, squad, i, nn, only, allowed, last_gap, e)
        if e < 0:
            break
        if cover and not _may_engage_all_targets(models, units, limits, targets, i, e, apart):
            continue
        tight = True
        towards = atan2(models[i]["y"] - models[e]["y"], models[i]["x"] - models[e]["x"])
        for a in range(_DIRECTIONS):
            turn = 2.0 * pi / _DIRECTIONS * ((a + 1) // 2)
            angle = towards + (turn if a % 2 == 1 else -turn)
            k = _path_to_contact_at(board, squad, i, goal, link, nn, e, angle, apart, cover, verify, False)
            if k > 0:
                return k
    return _seek_contact_in_gaps(board, squad, i, goal, only, link, nn, apart, cover, verify) if tight else 0


@inner_kernel
def _seek_contact_in_gaps(
    board: Board,
    squad: Squad,
    i: int,
    goal: int,
    only: int,
    link: int,
    nn: int,
    apart: float,
    cover: bool,
    verify: bool,
) -> int:
    """``find_path_into_contact`` for places in narrow gaps between the 36 directions."""
    models, units, limits, targets = board.models, board.units, board.limits, board.targets
    own = limits_row(limits, i)
    allowed = allowance(models, limits[own : own + 1], i)
    closest = goal if squad.kind == TO_ENEMY else -1
    coherency = limits[0]["coherency"] if link > 0 else 0.0
    angles = np.empty(MOST_ANGLES)
    e = -1
    last_gap = -1.0
    while True:
        e, last_gap = _next_enemy(board, squad, i, nn, only, allowed, last_gap, e)
        if e < 0:
            return 0
        if cover and not _may_engage_all_targets(models, units, limits, targets, i, e, apart):
            continue
        for loose in range(1 if apart > 0.0 else 2):
            away = apart + loose * _LOOSE
            between = models[i]["radius"] + models[e]["radius"] + _TOUCH + away
            n = gap_angles(board, squad.near, nn, i, e, closest, between, allowed, coherency, angles)
            for a in range(n):
                k = _path_to_contact_at(board, squad, i, goal, link, nn, e, angles[a], away, cover, verify, True)
                if k > 0:
                    return k


@inner_kernel
def _path_to_contact_at(
    board: Board,
    squad: Squad,
    i: int,
    goal: int,
    link: int,
    nn: int,
    e: int,
    angle: float,
    apart: float,
    cover: bool,
    verify: bool,
    tight: bool,
) -> int:
    """``find_path_into_contact`` with enemy model ``e`` at one place: in the direction ``angle`` from it.

    With ``tight``, ways that bend closely round obstacles are tried too.
    """
    models, units, blocks, corners, objectives, limits, targets = board
    q = models[e]
    f = models[i]["facing"]
    own = limits_row(limits, i)
    own_limits = limits[own : own + 1]
    allowed = allowance(models, own_limits, i)
    x, y = contact_place(models, i, f, e, angle, apart)
    if hypot(x - models[i]["x"], y - models[i]["y"]) > allowed + EPS:
        return 0
    if link > 0 and linked(board, squad, i, x, y, q["z"], f) < link:
        return 0
    if models_fault_near(models, blocks, corners, own_limits, targets, i, x, y, q["z"], f, squad.near, nn, -1) != 0:
        return 0
    if cover and not _engages_all_targets(board, i, x, y, q["z"], f):
        return 0
    z = choose_surface(models, blocks, corners, own_limits, i, x, y, f, q["z"], CONTACT)
    if z < 0.0 or not closer(models, units, objectives, limits, targets, squad.kind, goal, i, squad.start, x, y, z, f):
        return 0
    k = find_way(
        models,
        blocks,
        corners,
        objectives,
        own_limits,
        targets,
        i,
        x,
        y,
        z,
        f,
        squad.points,
        squad.near,
        nn,
        -1,
        True,
        z == q["z"],
    )
    if k == 0 and tight:
        k = way_round(board, own_limits, i, x, y, z, f, allowed, squad.near, nn, squad.points)
    return k if k > 0 and (not verify or conditions_hold_with(board, squad, i, squad.points[k - 1])) else 0


@inner_kernel
def _is_nearest_of_unit(models: Array, units: Array, i: int, j: int) -> bool:
    """Whether no other model of the unit of ``j`` is nearer to model ``i`` than ``j`` is."""
    m = models[i]
    t = models[j]["unit"]
    least = distance_at(models, i, m["x"], m["y"], m["z"], m["facing"], j)
    for k in range(member_count(units, t)):
        o = member(units, t, k)
        if stands_in(models, o, t) and distance_at(models, i, m["x"], m["y"], m["z"], m["facing"], o) < least:
            return False
    return True


@inner_kernel
def _copy_path(points: Array, count: int, kept: Array) -> None:
    """Copy the first ``count`` points of a path to ``kept``."""
    for p in range(count):
        for column in range(4):
            kept[p, column] = points[p, column]


@inner_kernel
def _length_of_try(
    board: Board, i: int, own_limits: Array, far: float, apart: float, c: float, s: float, gz: float, step: int
) -> float:
    """How many inches model ``i`` goes in the direction (c, s) at the try number ``step`` to come as close as possible
    to its goal.

    Args:
        far: the most that makes sense. apart: inches from it to the goal. gz: height of the goal.
        step: -2: what the climbs of the straight way leave; -1: just into Engagement Range; from 0 on: ``far``, then
            half an inch less each time.
    """
    m = board.models[i]
    if step == -2:
        climb = (
            leg_cost(
                board.models,
                board.blocks,
                board.corners,
                own_limits,
                i,
                m["x"],
                m["y"],
                m["z"],
                m["x"] + far * c,
                m["y"] + far * s,
                gz,
                m["facing"],
            )
            - far
        )
        return min(far, allowance(board.models, own_limits, i) - climb)
    if step == -1:
        return float(min(far, apart - board.limits[0]["engage"]))
    return far - 0.5 * step


@inner_kernel
def approach(board: Board, squad: Squad, i: int, goal: int, link: int, nn: int, within: float) -> int:
    """Fill ``squad.best`` with a path for model ``i`` that ends as near to ``goal`` as found; how many points, 0: none.

    ``goal``: an enemy model or marker. ``within`` > 0: answer only whether a path may end so near in plan (inches)."""
    models, units, blocks, corners, objectives, limits, targets = board
    m = models[i]
    f = m["facing"]
    copy_pose(models, i, squad.start)
    own = limits_row(limits, i)
    limits_i = limits[own : own + 1]
    allowed = allowance(models, limits_i, i)
    to_marker = squad.kind == TO_MARKER
    gx = objectives[goal]["x"] if to_marker else models[goal]["x"]
    gy = objectives[goal]["y"] if to_marker else models[goal]["y"]
    gz = objectives[goal]["z"] if to_marker else models[goal]["z"]
    if to_marker:
        apart = marker_distance(models, objectives, limits, i, m["x"], m["y"], f, goal)
        best = apart
    else:
        apart = gap(models, i, goal)
        best = distance_at(models, i, m["x"], m["y"], m["z"], f, goal)
    # if so, a place nearer to the goal than the best one so far is closer in the sense of the rule
    any_gain_counts = squad.kind != CHARGE or _is_nearest_of_unit(models, units, i, goal)
    towards = atan2(gy - m["y"], gx - m["x"])
    nearest = within if within > 0.0 else inf
    found = 0
    # tries 0 to 8 go straight, the rest with a bend if no straight way leads closer
    for o in range(14):
        bent = o // 9
        if bent == 1 and (found > 0 or within > 0.0):
            break
        a = o % 9
        turn = pi / 12.0 * ((a + 1) // 2)
        angle = towards + (turn if a % 2 == 1 else -turn)
        c = cos(angle)
        s = sin(angle)
        far = min(allowed, apart + 0.5 if a > 0 else apart - _TOUCH)
        step = -3 if a == 0 else -1
        while True:
            step += 1
            away = _length_of_try(board, i, limits_i, far, apart, c, s, gz, step)
            if away < 0.05:
                if step < 0:
                    continue
                break
            x = m["x"] + away * c
            y = m["y"] + away * s
            if to_marker:
                least = marker_distance(models, objectives, limits, i, x, y, f, goal)
            else:
                # the circles round the bases are never farther apart than the bases
                farthest_useful = best + m["radius"] + models[goal]["radius"]
                if (gx - x) * (gx - x) + (gy - y) * (gy - y) >= farthest_useful * farthest_useful:
                    continue
                least = gap_at(models, i, x, y, f, goal, gx, gy, models[goal]["facing"])
            if least >= best - 1e-6 or least > nearest or not may_be_linked(board, squad, i, x, y, 0.0, link):
                continue
            for level in range(1 if abs(gz - m["z"]) <= CONTACT else 2):
                z = choose_surface(models, blocks, corners, limits_i, i, x, y, f, gz if level == 0 else m["z"], allowed)
                if z < 0.0:
                    continue
                d = least if to_marker else sqrt(least * least + (z - gz) * (z - gz))
                if d >= best - 1e-6 or (link > 0 and linked(board, squad, i, x, y, z, f) < link):
                    continue
                if not any_gain_counts and not closer(
                    models, units, objectives, limits, targets, squad.kind, goal, i, squad.start, x, y, z, f
                ):
                    continue
                k = find_way(
                    models, blocks, corners, objectives, limits_i, targets, i, x, y, z, f, squad.points, squad.near,
                    nn, -1, bent == 1 or within > 0.0, False,
                )  # fmt: skip
                if k > 0 and within > 0.0:
                    return k
                if k > 0:
                    best = d
                    found = k
                    _copy_path(squad.points, k, squad.best)
    return found


@inner_kernel
def sort_by_distance(board: Board, squad: Squad, only: int) -> None:
    """Sort ``squad.rows`` by the distance of each model to the nearest enemy that it may move towards; ``only``: as in
    ``is_goal``.
    """
    models, rows, keys = board.models, squad.rows, squad.spare
    for k in range(squad.n):
        i = rows[k]
        goal = closest_goal(models, board.limits, board.targets, i, only)
        key = inf if goal < 0 else gap(models, i, goal)
        o = k
        while o > 0 and keys[o - 1] > key:
            keys[o] = keys[o - 1]
            rows[o] = rows[o - 1]
            o -= 1
        keys[o] = key
        rows[o] = i


@kernel
def take(board: Board, squad: Squad, i: int, path: Array, k: int, number: int) -> None:
    """Move model ``i`` to the end of its ``path`` of ``k`` points, and mark it as the ``number``-th that moved."""
    set_pose(board.models, i, path[k - 1, 0], path[k - 1, 1], path[k - 1, 2], path[k - 1, 3])
    squad.flags[i] = number


@inner_kernel
def _next_by_barrier(board: Board, i: int, t: int, allowed: float, least: float) -> tuple[float, float, float]:
    """The nearest place for model ``i`` that is more than ``least`` inches away, at a barrier with a model of unit
    ``t`` in reach behind it: its distance and x, y.

    The distance is infinite if there is none within ``allowed`` inches.
    """
    models, units, blocks, corners, _, limits, targets = board
    m = models[i]
    f = m["facing"]
    best = inf
    bx = 0.0
    by = 0.0
    for b in range(len(blocks)):
        if blocks[b]["across"] <= 0.0 or not beside(models, units, blocks, corners, limits, t, b):
            continue
        first = blocks[b]["first"]
        last = first + blocks[b]["count"] - 1
        for k in range(first, last + 1):
            before = last if k == first else k - 1
            px = corners[before, 0]
            py = corners[before, 1]
            ex = corners[k, 0] - px
            ey = corners[k, 1] - py
            length = sqrt(ex * ex + ey * ey)
            if length <= 0.0:
                continue
            ex /= length
            ey /= length
            out = extent(models, i, f, ey, -ex) + _TOUCH
            for o in range(member_count(units, t)):
                j = member(units, t, o)
                if not stands_in(models, j, t) or not is_goal(models, limits, targets, i, j, t):
                    continue
                foot = (models[j]["x"] - px) * ex + (models[j]["y"] - py) * ey
                for s in range(-_PLACES, _PLACES + 1):
                    along = min(length, max(0.0, foot + s * _SPACING))
                    x = px + along * ex + out * ey
                    y = py + along * ey - out * ex
                    away = hypot(x - m["x"], y - m["y"])
                    if away <= least or away >= best or away > allowed + EPS:
                        continue
                    if barrier_between(models, blocks, corners, i, x, y, m["z"], f, j) == b:
                        best = away
                        bx = x
                        by = y
    return best, bx, by


@inner_kernel
def find_path_to_barrier(board: Board, squad: Squad, i: int, goal: int, t: int, link: int, nn: int) -> int:
    """A path for model ``i`` up to a barrier with a model of unit ``t`` in reach behind it. Fills ``squad.points`` and
    returns how many points it has; 0 if none is found.

    Places along each side of the barrier are tried, the nearest first. ``goal``, ``link``, ``nn``: as in
    ``find_path_into_contact``.
    """
    models, units, blocks, corners, objectives, limits, targets = board
    m = models[i]
    f = m["facing"]
    own = limits_row(limits, i)
    own_limits = limits[own : own + 1]
    allowed = allowance(models, own_limits, i)
    copy_pose(models, i, squad.start)
    away = -1.0
    while True:
        away, x, y = _next_by_barrier(board, i, t, allowed, away)
        if away == inf:
            return 0
        z = choose_surface(models, blocks, corners, own_limits, i, x, y, f, m["z"], allowed)
        if z < 0.0 or not charges_across(models, units, blocks, corners, limits, i, x, y, z, f, t):
            continue
        if models_fault_near(models, blocks, corners, own_limits, targets, i, x, y, z, f, squad.near, nn, -1) != 0:
            continue
        if link > 0 and linked(board, squad, i, x, y, z, f) < link:
            continue
        if not closer(models, units, objectives, limits, targets, squad.kind, goal, i, squad.start, x, y, z, f):
            continue
        count = find_path(
            models,
            blocks,
            corners,
            objectives,
            own_limits,
            targets,
            i,
            x,
            y,
            z,
            f,
            squad.points,
            squad.near,
            nn,
            -1,
            True,
        )
        if count > 0:
            return count
