"""Pile-in and consolidation moves of a whole unit; and checks of these moves and of charges where the player moves
model by model.

``charge_moves`` makes charge moves.

Common arguments: ``limits`` say what the move may do (for a charge ``engage_path`` and ``engage_end`` are ONLY_TARGETS,
for pile-in and consolidation ANYBODY). ``targets`` (int32, one entry for each unit) flags the charge targets.
``scratch`` and ``marks`` are as ``rigid.scratch_sizes`` says. ``order`` holds rows of models in the order in which they
move; the others follow by distance. Inches and radians.

The arrangements are built greedily, so in rare crowded positions a possible one is not found. The rule that a model
must end in base contact if it can is judged by the same search: what it does not find is not demanded.
"""

from __future__ import annotations

from math import hypot

import numpy as np

from wh_env.core.geometry.areas import model_engaged_across
from wh_env.core.geometry.board import Board, with_blocks
from wh_env.core.geometry.contact_paths import approach, find_path_into_contact
from wh_env.core.geometry.engaged import model_engaged_at
from wh_env.core.geometry.melee_search import (
    CHARGE,
    TO_ENEMY,
    TO_MARKER,
    Squad,
    closest_goal,
    closest_marker,
    copy_pose,
    copy_poses,
    marker_distance,
    put_back,
    reaches_marker,
    sort_by_distance,
    squad_of,
    take,
    touches_enemy,
    unit_fault,
)
from wh_env.core.geometry.paths import Fault, allowance, is_coherent, set_pose
from wh_env.core.geometry.readonly import read_only
from wh_env.core.geometry.shapes import EPS, SLACK
from wh_env.core.geometry.single import copy_blocks, near_blocks, near_models
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import Array

_NOT_COHERENT = int(Fault.NOT_COHERENT)
_NOT_CLOSER = int(Fault.NOT_CLOSER)
_NOT_CONTACT = int(Fault.NOT_CONTACT)
_NOT_ENGAGED = int(Fault.NOT_ENGAGED)
_IN_CONTACT = int(Fault.IN_CONTACT)
_NOT_IN_UNIT = int(Fault.NOT_IN_UNIT)


@kernel
def surroundings(board: Board, squad: Squad, reach: float) -> tuple[int, float, float, float]:
    """Fill ``squad.near`` with the models that matter to moves of at most ``reach`` inches. Returns how many, and
    centre x, y and radius of the circle that contains all such moves.
    """
    models, rows, n = board.models, squad.rows, squad.n
    cx = 0.0
    cy = 0.0
    spread = 0.0
    for k in range(n):
        cx += models[rows[k]]["x"] / n
        cy += models[rows[k]]["y"] / n
    for k in range(n):
        m = models[rows[k]]
        spread = max(spread, hypot(m["x"] - cx, m["y"] - cy) + m["radius"])
    return near_models(models, board.limits, cx, cy, reach + spread, squad.near), cx, cy, reach + spread


@inner_kernel
def longest_move(board: Board, squad: Squad) -> float:
    """The most inches that any model of the unit may move."""
    most = 0.0
    for k in range(squad.n):
        most = max(most, allowance(board.models, board.limits, squad.rows[k]))
    return most


@inner_kernel
def gather_near_model(board: Board, squad: Squad, i: int, room: Array) -> tuple[int, int]:
    """Copy to ``room`` the blocks that matter to a move of model ``i``, and fill ``squad.near`` with the models that
    do. Returns how many blocks and how many models.
    """
    m = board.models[i]
    reach = allowance(board.models, board.limits, i) + m["radius"]
    nn = near_models(board.models, board.limits, m["x"], m["y"], reach, squad.near)
    return copy_blocks(board.blocks, m["x"], m["y"], reach + 2.0 * EPS, room), nn


@inner_kernel
def goal_of(board: Board, squad: Squad, i: int) -> int:
    """What model ``i`` must move towards: the row of the closest enemy model (for a charge: of a target), or the row of
    the marker; -1 if there is none.
    """
    if squad.kind == TO_MARKER:
        return squad.marker
    return closest_goal(board.models, board.limits, board.targets, i, -2 if squad.kind == CHARGE else -1)


# ---- pile in, consolidate


@inner_kernel
def _put_first(squad: Squad, order: Array) -> None:
    """Move the models of ``order`` to the front of ``squad.rows``, in their order."""
    rows = squad.rows
    for k in range(len(order)):
        for o in range(k, squad.n):
            if rows[o] == order[k]:
                while o > k:
                    rows[o] = rows[o - 1]
                    o -= 1
                rows[k] = order[k]
                break


@inner_kernel
def _move_closer(board: Board, squad: Squad, i: int, number: int, guard: bool, room: Array) -> bool:
    """Move model ``i`` into contact with an enemy, or else closer to its goal, and mark it as the ``number``-th that
    moved. Returns whether it moved.

    With ``guard`` it moves only if the unit is in coherency then. A model in contact does not move. ``room``: room for
    blocks.
    """
    if touches_enemy(board.models, i):
        return False
    goal = goal_of(board, squad, i)
    if goal < 0:
        return False
    nb, nn = gather_near_model(board, squad, i, room)
    close = Board(
        board.models, board.units, read_only(room[:nb]), board.corners, board.objectives, board.limits, board.targets
    )
    if squad.kind == TO_ENEMY:
        k = find_path_into_contact(close, squad, i, goal, -1, 0, nn, 0.0, False, False)
        if k > 0 and _take_if_coherent(board, squad, i, squad.points, k, number, guard):
            return True
        # contact with any other enemy model that ends closer to its goal was tried by the same search
    k = approach(close, squad, i, goal, 0, nn, 0.0)
    return k > 0 and _take_if_coherent(board, squad, i, squad.best, k, number, guard)


@inner_kernel
def _fight_move(board: Board, squad: Squad, order: Array, ask: bool) -> int:
    """Move the unit towards its closest enemies or the marker. Returns the number of models that moved, -1 if the move
    is not possible.

    With ``ask`` no model moves, and 1 stands for any number of models above 0.
    """
    models, n = board.models, squad.n
    if n == 0:
        return -1
    most = longest_move(board, squad)
    if ask and _out_of_reach(board, squad, most):
        return -1
    _, cx, cy, reach = surroundings(board, squad, most)
    nearby = near_blocks(board.blocks, cx, cy, reach)
    room = np.empty_like(nearby)
    around = with_blocks(board, nearby)
    sort_by_distance(board, squad, -1)
    _put_first(squad, order)
    copy_poses(models, squad.rows, n, squad.starts)
    whole = is_coherent(models, board.units, board.limits, squad.u, squad.labels)
    # first every model as far as it can; if that breaks coherency, each only while it holds, from the front or rear
    for attempt in range(3 if whole else 1):
        moved = 0
        squad.flags[:] = 0
        for k in range(n):
            i = squad.rows[n - 1 - k] if attempt == 2 else squad.rows[k]
            if _move_closer(around, squad, i, moved + 1, attempt > 0, room):
                moved += 1
                if ask and whole and _is_surely_possible(board, squad, i, attempt, moved):
                    put_back(models, squad.rows, n, squad.starts)
                    return 1
        if unit_fault(board, squad) == 0:
            if ask:
                put_back(models, squad.rows, n, squad.starts)
                return min(moved, 1)
            return moved
        put_back(models, squad.rows, n, squad.starts)
    return -1


@inner_kernel
def _out_of_reach(board: Board, squad: Squad, most: float) -> bool:
    """Whether certainly no model of the unit, moving at most ``most`` inches, can end as near to an enemy or the marker
    as some model must.
    """
    models, limits = board.models, board.limits
    if squad.kind == TO_ENEMY and limits[0]["end_engaged"] == 0:
        return False
    for k in range(squad.n):
        i = squad.rows[k]
        m = models[i]
        if squad.kind == TO_MARKER:
            away = marker_distance(models, board.objectives, limits, i, m["x"], m["y"], m["facing"], squad.marker)
            if away <= most + squad.control + SLACK:
                return False
            continue
        reach = m["radius"] + most + max(limits[0]["engage"], limits[0]["engage_across"]) + SLACK
        for j in range(len(models)):
            q = models[j]
            dx = q["x"] - m["x"]
            dy = q["y"] - m["y"]
            far = reach + q["radius"]
            if dx * dx + dy * dy <= far * far and q["on_table"] == 1 and q["owner"] != m["owner"]:
                return False
    return True


@inner_kernel
def _is_surely_possible(board: Board, squad: Squad, i: int, attempt: int, moved: int) -> bool:
    """Whether the whole move is certainly possible now that model ``i`` has moved as the ``moved``-th: the model ends
    near enough, and coherency is kept.

    In attempt 0, which does not keep coherency, only the first move counts: if the unit is in coherency after it,
    attempt 1 makes the same move.
    """
    limits = board.limits
    if attempt == 0 and (moved > 1 or not is_coherent(board.models, board.units, limits, squad.u, squad.labels)):
        return False
    if squad.kind == TO_MARKER:
        return reaches_marker(board, squad, i)
    if limits[0]["end_engaged"] == 0:
        return True
    m = board.models[i]
    high = limits[0]["engage_z"]
    if model_engaged_at(board.models, i, m["x"], m["y"], m["z"], m["facing"], limits[0]["engage"], high):
        return True
    return limits[0]["engage_across"] > 0.0 and model_engaged_across(
        board.models, board.blocks, board.corners, i, m["x"], m["y"], m["z"], m["facing"], high
    )


@inner_kernel
def _take_if_coherent(board: Board, squad: Squad, i: int, path: Array, k: int, number: int, guard: bool) -> bool:
    """Move model ``i`` to the end of its ``path`` of ``k`` points, as the ``number``-th that moved; with ``guard`` only
    if the unit is in coherency then. Returns whether it moved.
    """
    start = squad.start
    copy_pose(board.models, i, start)
    take(board, squad, i, path, k, number)
    if guard and not is_coherent(board.models, board.units, board.limits, squad.u, squad.labels):
        set_pose(board.models, i, start[0], start[1], start[2], start[3])
        squad.flags[i] = 0
        return False
    return True


# One kernel makes all these moves and answers about them: several would each contain a copy of all they call.
@kernel
def fight_move(
    models: Array,
    units: Array,
    blocks: Array,
    corners: Array,
    objectives: Array,
    limits: Array,
    targets: Array,
    u: int,
    to_marker: bool,
    control: float,
    order: Array,
    scratch: Array,
    marks: Array,
    ask: bool,
) -> int:
    """``consolidate_apply``, or ``pile_in_apply`` if ``to_marker`` is False; with ``ask``, ``fight_move_possible``."""
    marker = -1
    if to_marker:
        marker = closest_marker(models, units, objectives, limits, u)
        if marker < 0:
            return -1
    board = Board(models, units, blocks, corners, objectives, limits, targets)
    kind = TO_MARKER if to_marker else TO_ENEMY
    return _fight_move(board, squad_of(models, units, u, kind, marker, control, scratch, marks), order, ask)


def pile_in_apply(
    models: Array,
    units: Array,
    blocks: Array,
    corners: Array,
    objectives: Array,
    limits: Array,
    targets: Array,
    u: int,
    order: Array,
    scratch: Array,
    marks: Array,
) -> int:
    """Pile in with unit ``u``. Returns the number of models that moved; -1, and no model moves, if it is not possible.

    Each model that is not in base contact with an enemy moves into contact if it can, otherwise as close to its closest
    enemy model as the search finds. The unit ends engaged and in coherency (rules fight.pile-in*).
    """
    board = models, units, blocks, corners, objectives, limits, targets
    return int(fight_move(*board, u, False, 0.0, order, scratch, marks, False))


def consolidate_apply(
    models: Array,
    units: Array,
    blocks: Array,
    corners: Array,
    objectives: Array,
    limits: Array,
    targets: Array,
    u: int,
    to_marker: bool,
    control: float,
    order: Array,
    scratch: Array,
    marks: Array,
) -> int:
    """Consolidate with unit ``u``, towards enemies or (``to_marker``) the closest objective marker. Returns the number
    of models that moved; -1, and no model moves, if it is not possible.

    Towards a marker, each model ends closer to it, and some model within ``control`` inches of its edge
    (``limits["marker"]`` is its radius). Whether the unit may go for the marker at all (fight.consolidate.objective) is
    not checked here.
    """
    board = models, units, blocks, corners, objectives, limits, targets
    return int(fight_move(*board, u, to_marker, control, order, scratch, marks, False))


def fight_move_possible(
    models: Array,
    units: Array,
    blocks: Array,
    corners: Array,
    objectives: Array,
    limits: Array,
    targets: Array,
    u: int,
    to_marker: bool,
    control: float,
    scratch: Array,
    marks: Array,
) -> int:
    """What ``consolidate_apply`` (or ``pile_in_apply``, if ``to_marker`` is False) would do: 1 if some model would
    move, 0 if the move is possible but none would, -1 if it is not possible. Nothing moves.
    """
    board = models, units, blocks, corners, objectives, limits, targets
    return int(fight_move(*board, u, to_marker, control, marks[:0], scratch, marks, True))


# ---- explicit moves
