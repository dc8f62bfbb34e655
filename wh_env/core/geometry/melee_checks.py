"""Checks of moves in melee that are given model by model: charges, Pile-in and Consolidation moves."""

from __future__ import annotations

from wh_env.core.geometry.board import Board, with_blocks
from wh_env.core.geometry.contact_paths import approach, find_path_into_contact
from wh_env.core.geometry.melee_moves import (
    _IN_CONTACT,
    _NOT_CLOSER,
    _NOT_CONTACT,
    _NOT_ENGAGED,
    _NOT_IN_UNIT,
    goal_of,
    longest_move,
    surroundings,
)
from wh_env.core.geometry.melee_search import (
    CHARGE,
    TO_ENEMY,
    TO_MARKER,
    Squad,
    closest_marker,
    copy_pose,
    copy_poses,
    put_back,
    squad_of,
    take,
    touches_enemy,
    unit_fault,
)
from wh_env.core.geometry.path_checks import check_path
from wh_env.core.geometry.paths import SAME_FOR_ALL, is_coherent, limits_row, set_pose
from wh_env.core.geometry.shapes import within_reach
from wh_env.core.geometry.single import near_blocks
from wh_env.core.geometry.tied import closer_to_one
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import Array


@inner_kernel
def _follow_paths(board: Board, squad: Squad, order: Array, k: int, paths: Array, counts: Array) -> tuple[int, int]:
    """Move the first ``k`` models of ``order`` along their paths, one after another. Returns the ``Fault`` and the row
    of the first model that cannot; (0, -1) if all can.

    The models before it have moved then. ``paths``: float64, k x points x 4. ``counts``: points of each path; 0: the
    model stays.
    """
    models, limits = board.models, board.limits
    first = True
    for m in range(k):
        i = order[m]
        if models[i]["unit"] != squad.u or models[i]["on_table"] == 0 or squad.flags[i] != 0:
            return _NOT_IN_UNIT, i
        squad.flags[i] = m + 1
        if counts[m] == 0:
            continue
        if touches_enemy(models, i):
            return _IN_CONTACT, i
        goal = goal_of(board, squad, i)
        own = limits_row(limits, i)
        own_limits = limits[own : own + 1]
        fault = check_path(
            models,
            board.units,
            board.blocks,
            board.corners,
            board.objectives,
            own_limits,
            board.targets,
            i,
            paths[m],
            counts[m],
        )
        if fault != 0:
            return fault, i
        copy_pose(models, i, squad.start)
        end = paths[m, counts[m] - 1]
        if goal < 0 or not closer_to_one(
            models,
            board.units,
            board.objectives,
            limits,
            board.targets,
            squad.kind,
            goal,
            i,
            squad.start,
            end[0],
            end[1],
            end[2],
            end[3],
        ):
            return _NOT_CLOSER, i
        set_pose(models, i, end[0], end[1], end[2], end[3])
        if first and squad.kind == CHARGE and limits[0]["need_all"] == 0 and not _engages_target(board, i):
            return _NOT_ENGAGED, i
        first = False
    return 0, -1


@inner_kernel
def _engages_target(board: Board, i: int) -> bool:
    """Whether model ``i`` stands within Engagement Range of a model of a target."""
    lim = board.limits[0]
    for j in range(len(board.models)):
        q = board.models[j]
        if q["on_table"] == 1 and board.targets[q["unit"]] != 0:
            if within_reach(board.models, i, j, lim["engage"], lim["engage_z"]):
                return True
    return False


@inner_kernel
def _first_that_could_come_closer(board: Board, squad: Squad, nn: int) -> int:
    """The row of the first model that did not move although it has a way closer to its goal with which the unit stays
    in coherency; -1 if there is none.

    ``nn``: how many models of ``squad.near`` matter.
    """
    models, starts = board.models, squad.starts
    for k in range(squad.n):
        i = squad.rows[k]
        if touches_enemy(models, i) or _has_moved(models, i, starts):
            continue
        p = approach(board, squad, i, goal_of(board, squad, i), 0, nn, 0.0)
        if p > 0:
            take(board, squad, i, squad.best, p, squad.flags[i])
            held = is_coherent(models, board.units, board.limits, squad.u, squad.labels)
            put_back(models, squad.rows, squad.n, squad.finals)
            if held:
                return int(i)
    return -1


@inner_kernel
def _first_that_could_touch(board: Board, squad: Squad, order: Array, k: int, counts: Array, nn: int) -> int:
    """The row of the first model that did not end in contact although, when its turn came, it could have; -1 if there
    is none.

    The moves are replayed: models before it stand where they ended, later ones where they started. The models are left
    like that. The arguments are those of ``_follow_paths``.
    """
    models, starts, finals = board.models, squad.starts, squad.finals
    put_back(models, squad.rows, squad.n, starts)
    for m in range(k):
        i = order[m]
        if counts[m] == 0:
            continue
        set_pose(models, i, finals[4 * i], finals[4 * i + 1], finals[4 * i + 2], finals[4 * i + 3])
        if touches_enemy(models, i):
            continue
        set_pose(models, i, starts[4 * i], starts[4 * i + 1], starts[4 * i + 2], starts[4 * i + 3])
        only = -2 if squad.kind == CHARGE else -1
        if find_path_into_contact(board, squad, i, goal_of(board, squad, i), only, 0, nn, 0.0, False, True) > 0:
            return int(i)
        set_pose(models, i, finals[4 * i], finals[4 * i + 1], finals[4 * i + 2], finals[4 * i + 3])
    return -1


@inner_kernel
def _check_melee(board: Board, squad: Squad, order: Array, k: int, paths: Array, counts: Array) -> tuple[int, int]:
    """Make the move of the unit with these paths and check all its conditions. Returns the ``Fault`` and the row of the
    model, (0, -1) if it is legal; on a fault all models go back.
    """
    models, rows, n = board.models, squad.rows, squad.n
    if n == 0:
        return _NOT_IN_UNIT, -1
    nn, cx, cy, reach = surroundings(board, squad, longest_move(board, squad))
    around = with_blocks(board, near_blocks(board.blocks, cx, cy, reach))
    copy_poses(models, rows, n, squad.starts)
    squad.flags[:] = 0
    fault, row = _follow_paths(around, squad, order, k, paths, counts)
    if fault == 0:
        fault = unit_fault(board, squad)
    if fault == 0:
        copy_poses(models, rows, n, squad.finals)
        if squad.kind == TO_MARKER or (squad.kind == CHARGE and board.limits[0]["need_closer"] != 0):
            # a model that did not move must have had no way closer
            row = _first_that_could_come_closer(around, squad, nn)
            fault = 0 if row < 0 else _NOT_CLOSER
    if fault == 0 and squad.kind != TO_MARKER and board.limits[0]["need_contact"] != 0:
        row = _first_that_could_touch(around, squad, order, k, counts, nn)
        fault = 0 if row < 0 else _NOT_CONTACT
    put_back(models, rows, n, squad.starts if fault != 0 else squad.finals)
    return fault, row


@inner_kernel
def _has_moved(models: Array, i: int, starts: Array) -> bool:
    """Whether model ``i`` stands elsewhere than ``starts`` says."""
    m = models[i]
    dx = m["x"] - starts[4 * i]
    dy = m["y"] - starts[4 * i + 1]
    return bool(abs(dx) > 1e-9 or abs(dy) > 1e-9 or abs(m["z"] - starts[4 * i + 2]) > 1e-9)


@kernel
def check_melee(
    models: Array,
    units: Array,
    blocks: Array,
    corners: Array,
    objectives: Array,
    limits: Array,
    targets: Array,
    u: int,
    kind: int,
    control: float,
    order: Array,
    k: int,
    paths: Array,
    counts: Array,
    scratch: Array,
    marks: Array,
) -> tuple[int, int]:
    """``check_charge``, ``check_pile_in`` or ``check_consolidate``, as ``kind`` (``CHARGE``, ``TO_ENEMY``,
    ``TO_MARKER``) says. Does not set ``limits`` to the roll.
    """
    marker = closest_marker(models, units, objectives, limits, u) if kind == TO_MARKER else -1
    if kind == TO_MARKER and marker < 0:
        return _NOT_CLOSER, -1
    board = Board(models, units, blocks, corners, objectives, limits, targets)
    squad = squad_of(models, units, u, kind, marker, control, scratch, marks)
    return _check_melee(board, squad, order, k, paths, counts)


def check_charge(
    models: Array,
    units: Array,
    blocks: Array,
    corners: Array,
    objectives: Array,
    limits: Array,
    targets: Array,
    u: int,
    roll: float,
    order: Array,
    k: int,
    paths: Array,
    counts: Array,
    scratch: Array,
    marks: Array,
) -> tuple[int, int]:
    """Make the Charge move of unit ``u`` with these paths (as in ``paths.check_unit_move``). Returns the ``Fault`` and
    the row of the model, (0, -1) if it is legal.

    On a fault all models go back. ``limits`` are set to allow ``roll`` inches. Rules charge.condition.*, charge.move.*.
    """
    limits["mode"], limits["extra"] = SAME_FOR_ALL, roll
    board = models, units, blocks, corners, objectives, limits, targets
    fault, row = check_melee(*board, u, CHARGE, 0.0, order, k, paths, counts, scratch, marks)
    return int(fault), int(row)


def check_pile_in(
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
    """Make the Pile-in move (or Consolidation towards enemies) of unit ``u`` with these paths. Returns the ``Fault``
    and the row of the model, (0, -1) if it is legal.

    On a fault all models go back. Models without a path stay. Rules fight.pile-in*, fight.consolidate.closer.
    """
    board = models, units, blocks, corners, objectives, limits, targets
    fault, row = check_melee(*board, u, TO_ENEMY, 0.0, order, k, paths, counts, scratch, marks)
    return int(fault), int(row)


def check_consolidate(
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
    k: int,
    paths: Array,
    counts: Array,
    scratch: Array,
    marks: Array,
) -> tuple[int, int]:
    """Make the Consolidation move of unit ``u`` with these paths, towards enemies or the closest marker. Returns the
    ``Fault`` and the row of the model, (0, -1) if it is legal.

    On a fault all models go back. Whether the unit may go for the marker at all is not checked (``fight_move_possible``
    tells). Rules fight.consolidate*.
    """
    kind = TO_MARKER if to_marker else TO_ENEMY
    board = models, units, blocks, corners, objectives, limits, targets
    fault, row = check_melee(*board, u, kind, control, order, k, paths, counts, scratch, marks)
    return int(fault), int(row)
