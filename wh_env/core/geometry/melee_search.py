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

from math import cos, inf, sin, sqrt
from typing import NamedTuple

from wh_env.core.geometry.areas import unit_engaged_across, units_engaged_across
from wh_env.core.geometry.barriers import unit_charges_across
from wh_env.core.geometry.board import Board
from wh_env.core.geometry.engaged import unit_engaged, units_engaged
from wh_env.core.geometry.paths import (
    Fault,
    is_coherent,
    limits_row,
    set_pose,
)
from wh_env.core.geometry.shapes import (
    CONTACT,
    EPS,
    disc_gap_at,
    gap,
    gap_at,
    member,
    member_count,
    stands_in,
    within_reach_at,
)
from wh_env.core.geometry.straight_moves import gather_unit
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
