"""Charge moves of a whole unit, and whether one is possible. The arguments are those of ``melee_moves``.

The arrangements are built greedily, model by model. If none of them ends in coherency, the whole unit makes the same
move; against several targets, moves of fewer inches are tried too. So in rare crowded positions a possible charge is
not found.
"""

from __future__ import annotations

from math import hypot, inf

import numpy as np

from wh_env.core.geometry.areas import engages_across, model_engages_unit_across
from wh_env.core.geometry.barriers import widest
from wh_env.core.geometry.board import Board, with_blocks
from wh_env.core.geometry.contact_paths import approach, find_path_into_contact, find_path_to_barrier
from wh_env.core.geometry.melee_moves import gather_near_model, goal_of, surroundings
from wh_env.core.geometry.melee_search import (
    CHARGE,
    Squad,
    closer,
    closest_goal,
    copy_pose,
    copy_poses,
    in_range_of_unit,
    may_be_linked,
    put_back,
    sort_by_distance,
    squad_of,
    take,
    touches_enemy,
    unit_fault,
)
from wh_env.core.geometry.paths import (
    ON_FOOT,
    SAME_FOR_ALL,
    allowance,
    choose_surface,
    limits_row,
    passes_through,
    set_pose,
)
from wh_env.core.geometry.readonly import read_only
from wh_env.core.geometry.shapes import (
    EPS,
    SLACK,
    gap,
    member,
    member_count,
    overlap_at,
    overlaps_in_height,
    polygon_outline_gap,
    stands_in,
    within_reach_at,
)
from wh_env.core.geometry.single import find_way, near_blocks, near_models
from wh_env.core.geometry.sweeps import box_missed
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import Array

_MADE, _NOBODY, _FAILED = 1, 2, 3  # the charge is made; no model reaches some target; the unit ends against the rules
_TOGETHER = 3  # the attempt at which all models make the same move
_DEEP = 5.0 * SLACK  # inches: an overlap this deep lasts through the start of every way
_SHORT = 0.49  # share of Engagement Range: the steps in distance at which places without contact are tried


@kernel
def is_stuck_in_block(models: Array, blocks: Array, corners: Array, limits: Array, i: int) -> bool:
    """Whether model ``i`` certainly cannot move: it stands in a block that it would have to climb first and that is too
    high for it.
    """
    own = limits_row(limits, i)
    own_limits = limits[own : own + 1]
    if own_limits[0]["through_air"] != ON_FOOT:
        return False
    m = models[i]
    x = m["x"]
    y = m["y"]
    most = max(allowance(models, own_limits, i), own_limits[0]["low"]) + SLACK
    for b in range(len(blocks)):
        block = blocks[b]
        bottom = max(m["z"], block["z_low"])
        if block["z_high"] - bottom <= most or block["z_low"] >= m["z"] + m["height"] - SLACK:
            continue
        if box_missed(models, i, x, y, x, y, blocks, b) or passes_through(models, blocks, own_limits, i, b):
            continue
        # so deep that it is in it at the start of every way
        if (
            polygon_outline_gap(
                m["shape"],
                m["half_a"] - _DEEP,
                m["half_b"] - _DEEP,
                m["facing"],
                x,
                y,
                corners,
                block["first"],
                block["count"],
            )
            <= 0.0
        ):
            return True
    return False


@inner_kernel
def _start_free(board: Board, squad: Squad, i: int) -> bool:
    """Whether no other model of the unit overlaps the place where model ``i`` stands."""
    models = board.models
    m = models[i]
    for k in range(member_count(board.units, squad.u)):
        j = member(board.units, squad.u, k)
        if j == i or not stands_in(models, j, squad.u):
            continue
        q = models[j]
        if overlaps_in_height(m["z"], m["height"], q["z"], q["height"]) and overlap_at(
            models, i, m["x"], m["y"], m["facing"], j, q["x"], q["y"], q["facing"]
        ):
            return False
    return True


@inner_kernel
def _would_engage(board: Board, squad: Squad, dx: float, dy: float) -> bool:
    """Whether the models, moved by (dx, dy), would be in Engagement Range of every target; of any target, unless
    ``limits["need_all"]`` is set.

    Heights are not compared, except that each model keeps its own.
    """
    models, units, engage = board.models, board.units, board.limits[0]["engage"]
    across_areas = board.limits[0]["engage_across"] > 0.0
    for t in range(len(units)):
        if board.targets[t] == 0:
            continue
        in_range = False
        for k in range(squad.n):
            i = squad.rows[k]
            m = models[i]
            x = m["x"] + dx
            y = m["y"] + dy
            for o in range(member_count(units, t)):
                j = member(units, t, o)
                in_range = in_range or (
                    stands_in(models, j, t) and within_reach_at(models, i, x, y, m["z"], m["facing"], j, engage, inf)
                )
            in_range = in_range or (
                across_areas
                and model_engages_unit_across(
                    models, units, board.blocks, board.corners, i, x, y, m["z"], m["facing"], t, inf
                )
            )
        if in_range != (board.limits[0]["need_all"] != 0):
            return in_range
    return bool(board.limits[0]["need_all"] != 0)


@inner_kernel
def _move_all_by(board: Board, squad: Squad, leader: int, dx: float, dy: float) -> bool:
    """Move all models by (dx, dy), each in a straight line, if every one of them can and comes closer to a target;
    False if one cannot.

    The models in front move first. If the first model that moves must reach a target, that is ``leader`` (a row). If it
    returns False, some models may have moved.
    """
    models, units, blocks, corners, objectives, limits, targets = board
    rows, spare = squad.rows, squad.spare
    for k in range(squad.n):
        i = rows[k]
        key = -(models[i]["x"] * dx + models[i]["y"] * dy)
        if i == leader and limits[0]["need_all"] == 0:
            key = -inf
        o = k
        while o > 0 and spare[o - 1] > key:
            spare[o] = spare[o - 1]
            rows[o] = rows[o - 1]
            o -= 1
        spare[o] = key
        rows[o] = i
    for k in range(squad.n):
        i = rows[k]
        m = models[i]
        f = m["facing"]
        x = m["x"] + dx
        y = m["y"] + dy
        copy_pose(models, i, squad.start)
        own = limits_row(limits, i)
        own_limits = limits[own : own + 1]
        allowed = allowance(models, own_limits, i)
        z = choose_surface(models, blocks, corners, own_limits, i, x, y, f, m["z"], allowed)
        if z < 0.0 or not closer(models, units, objectives, limits, targets, CHARGE, -1, i, squad.start, x, y, z, f):
            return False
        nn = near_models(models, limits, m["x"], m["y"], allowed + m["radius"], squad.near)
        p = find_way(
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
            False,
            False,
        )
        if p == 0:
            return False
        set_pose(models, i, x, y, z, f)
    return True


@inner_kernel
def _charge_in_step(board: Board, squad: Squad) -> bool:
    """Move all models of the unit by the same displacement, as one of them goes up to the nearest model of a target;
    True if that makes a legal charge.

    If it returns False no model has moved.
    """
    models, limits, rows = board.models, board.limits, squad.rows
    movers = np.empty_like(rows)
    movers[:] = rows
    for k in range(squad.n):
        if is_stuck_in_block(models, board.blocks, board.corners, limits, movers[k]):
            return False
    for k in range(squad.n):
        i = movers[k]
        for t in range(len(board.units)):
            if board.targets[t] == 0:
                continue
            goal = closest_goal(models, limits, board.targets, i, t)
            if goal < 0:
                continue
            ahead_x = models[goal]["x"] - models[i]["x"]
            ahead_y = models[goal]["y"] - models[i]["y"]
            apart = gap(models, i, goal)
            far = hypot(ahead_x, ahead_y)
            for steps_short in range(3):
                away = apart - 0.002 - _SHORT * steps_short * limits[0]["engage"]
                if away <= 0.0 or away > allowance(models, limits, i) or far <= 0.0:
                    continue
                dx = away * ahead_x / far
                dy = away * ahead_y / far
                if not _would_engage(board, squad, dx, dy):
                    continue
                if _move_all_by(board, squad, i, dx, dy) and unit_fault(board, squad) == 0:
                    return True
                put_back(models, rows, squad.n, squad.starts)
    return False


@inner_kernel
def _engage_all_with_one(board: Board, squad: Squad, room: Array) -> int:
    """Move one model to a place where it engages all targets at once, if some model can reach such a place. Returns how
    many moved, 0 or 1.

    ``room``: blocks, room for the blocks near one model.
    """
    lim = board.limits[0]
    for k in range(3 * squad.n):
        i = squad.rows[k // 3]
        if is_stuck_in_block(board.models, board.blocks, board.corners, board.limits, i):
            continue
        nb, nn = gather_near_model(board, squad, i, room)
        close = Board(
            board.models,
            board.units,
            read_only(room[:nb]),
            board.corners,
            board.objectives,
            board.limits,
            board.targets,
        )
        p = find_path_into_contact(close, squad, i, -1, -2, 0, nn, _SHORT * (k % 3) * lim["engage"], True, False)
        if p > 0:
            take(board, squad, i, squad.points, p, 1)
            return 1
    return 0


@inner_kernel
def _engage_with_one(board: Board, squad: Squad, t: int, number: int, over: float, room: Array) -> bool:
    """Move the model nearest to target ``t`` that can engage it, and mark it as the ``number``-th that moved; False if
    none can.

    ``over``: the longest reach across any barrier, inches. ``room``: as ``_engage_all_with_one``.
    """
    models, limits = board.models, board.limits
    lim = limits[0]
    reach = max(lim["engage"], lim["engage_across"], over)
    for k in range(squad.n):
        i = squad.rows[k]
        if squad.flags[i] != 0:
            continue
        goal = closest_goal(models, limits, board.targets, i, t)
        if goal < 0 or gap(models, i, goal) - reach > allowance(models, limits, i) + EPS:
            return False
        if is_stuck_in_block(models, board.blocks, board.corners, limits, i):
            continue
        nb, nn = gather_near_model(board, squad, i, room)
        close = Board(
            board.models,
            board.units,
            read_only(room[:nb]),
            board.corners,
            board.objectives,
            board.limits,
            board.targets,
        )
        p = find_path_into_contact(close, squad, i, goal, t, 0, nn, 0.0, False, False)
        if p > 0:
            take(board, squad, i, squad.points, p, number)
            return True
        # first ask whether there may be a way that ends near enough; only then look for the best one
        near = max(lim["engage"], lim["engage_across"]) + SLACK
        p = approach(close, squad, i, goal, 0, nn, near)
        if p > 0:
            p = approach(close, squad, i, goal, 0, nn, 0.0)
        end = squad.best[max(p, 1) - 1]
        if p > 0 and (
            within_reach_at(models, i, end[0], end[1], end[2], end[3], goal, lim["engage"], lim["engage_z"])
            or (
                lim["engage_across"] > 0.0
                and engages_across(
                    models, board.blocks, board.corners, i, end[0], end[1], end[2], end[3], goal, lim["engage_z"]
                )
            )
        ):
            take(board, squad, i, squad.best, p, number)
            return True
        if over > 0.0:
            p = find_path_to_barrier(board, squad, i, goal, t, 0, nn)
            if p > 0:
                take(board, squad, i, squad.points, p, number)
                return True
    return False


@inner_kernel
def _move_after_others(
    board: Board, squad: Squad, i: int, link: int, number: int, touch: bool, over: float, room: Array
) -> bool:
    """Move model ``i`` after the others so that it is in coherency with ``link`` of the models already moved; False if
    it has no such way.

    It goes into contact (if ``touch``), up to a barrier that lies before a target, or closer to a target. ``number``,
    ``over`` and ``room``: as ``_engage_with_one``.
    """
    models = board.models
    m = models[i]
    if not may_be_linked(board, squad, i, m["x"], m["y"], allowance(models, board.limits, i) + SLACK, link):
        return False
    if is_stuck_in_block(models, board.blocks, board.corners, board.limits, i):
        return False
    goal = goal_of(board, squad, i)
    nb, nn = gather_near_model(board, squad, i, room)
    close = Board(
        board.models, board.units, read_only(room[:nb]), board.corners, board.objectives, board.limits, board.targets
    )
    p = 0
    if touch:
        p = find_path_into_contact(close, squad, i, goal, -2, link, nn, 0.0, False, False)
    if p == 0 and over > 0.0:
        t = models[goal]["unit"]
        if not in_range_of_unit(board, squad.u, t):
            p = find_path_to_barrier(board, squad, i, goal, t, link, nn)
    if p > 0:
        take(board, squad, i, squad.points, p, number)
        return True
    p = approach(close, squad, i, goal, link, nn, 0.0)
    if p > 0:
        take(board, squad, i, squad.best, p, number)
    return p > 0


@inner_kernel
def _move_all_others(board: Board, squad: Squad, moved: int, touch: bool, over: float, room: Array) -> None:
    """Move the models that have not moved yet, the nearest first, each in coherency with models moved before it, until
    no more can move.

    ``moved``: how many have moved. A model that has no way is tried again after others have moved.
    """
    n = squad.n
    big = n >= board.limits[0]["coherency_big"]
    tried = squad.labels  # by model: how many had moved when it was last found to have no way
    tried[:] = -1
    for loose in range(2):
        if loose == 1 and big:
            tried[:] = -1  # now one neighbour is enough
        progress = True
        while progress:
            progress = False
            for k in range(n):
                i = squad.rows[k]
                if squad.flags[i] != 0 or tried[i] == moved:
                    continue
                link = min(moved, 2 if big and loose == 0 else 1)
                if _move_after_others(board, squad, i, link, moved + 1, touch, over, room):
                    moved += 1
                    progress = True
                else:
                    tried[i] = moved


@inner_kernel
def _charge_one_by_one(board: Board, squad: Squad, attempt: int, room: Array) -> int:
    """Make the charge model by model, in the way of this ``attempt`` (0 to 2). Returns ``_MADE``, ``_NOBODY`` or
    ``_FAILED``; the models stay where they ended.
    """
    units, lim = board.units, board.limits[0]
    squad.flags[:] = 0
    over = widest(board.blocks)
    moved = _engage_all_with_one(board, squad, room) if attempt == 1 else 0
    # first one model for every target that is not engaged yet; if any target will do, for those that can be reached
    for t in range(len(units)):
        if board.targets[t] == 0 or in_range_of_unit(board, squad.u, t):
            continue
        sort_by_distance(board, squad, t)
        if _engage_with_one(board, squad, t, moved + 1, over, room):
            moved += 1
            if attempt > 1 and lim["need_all"] == 0:
                break
        elif lim["need_all"] != 0:
            return _NOBODY
    if moved == 0 and lim["need_all"] == 0:
        return _NOBODY
    sort_by_distance(board, squad, -2)
    _move_all_others(board, squad, moved, attempt < 2, over, room)
    return _MADE if unit_fault(board, squad) == 0 else _FAILED


@inner_kernel
def _move_into_contact_last(board: Board, squad: Squad) -> None:
    """After all other moves, look at each model that is not in contact. If it could go from its start to a place in
    contact with which the charge stays legal, move it there instead.
    """
    models, starts = board.models, squad.starts
    for k in range(squad.n):
        i = squad.rows[k]
        if touches_enemy(models, i):
            continue
        copy_poses(models, squad.rows, squad.n, squad.finals)
        set_pose(models, i, starts[4 * i], starts[4 * i + 1], starts[4 * i + 2], starts[4 * i + 3])
        p = 0
        reach = allowance(models, board.limits, i) + models[i]["radius"]
        nn = near_models(models, board.limits, starts[4 * i], starts[4 * i + 1], reach, squad.near)
        if _start_free(board, squad, i):
            p = find_path_into_contact(board, squad, i, -1, -2, 0, nn, 0.0, False, True)
        if p > 0:
            take(board, squad, i, squad.points, p, squad.n)
        else:
            put_back(models, squad.rows, squad.n, squad.finals)


@inner_kernel
def _unit_within_reach(board: Board, squad: Squad, t: int, reach: float, more: float) -> bool:
    """Whether some model of the unit is at most ``more + reach`` inches from some model of unit ``t``, heights
    ignored.
    """
    models = board.models
    for k in range(squad.n):
        i = squad.rows[k]
        m = models[i]
        for o in range(member_count(board.units, t)):
            j = member(board.units, t, o)
            q = models[j]
            far = m["radius"] + q["radius"] + reach + more + EPS
            dx = q["x"] - m["x"]
            dy = q["y"] - m["y"]
            if dx * dx + dy * dy <= far * far and stands_in(models, j, t):
                if gap(models, i, j) - reach <= more:
                    return True
    return False


@inner_kernel
def _charge_up_to(board: Board, squad: Squad, inches: float, ask: bool) -> bool:
    """Charge with moves of at most ``inches``; True if it can be done. With ``ask`` no model moves."""
    models, limits = board.models, board.limits
    for k in range(len(limits)):
        limits[k]["mode"] = SAME_FOR_ALL
        limits[k]["extra"] = inches
    wanted = 0
    near = 0
    reach = max(limits[0]["engage"], limits[0]["engage_across"], widest(board.blocks))
    for t in range(len(board.units)):
        if board.targets[t] == 0:
            continue
        wanted += 1
        if _unit_within_reach(board, squad, t, reach, inches + EPS):
            near += 1
        elif limits[0]["need_all"] != 0:
            return False
    if near == 0 or squad.n == 0:
        return False
    _, cx, cy, span = surroundings(board, squad, inches)
    nearby = near_blocks(board.blocks, cx, cy, span)
    room = np.empty_like(nearby)
    around = with_blocks(board, nearby)
    copy_poses(models, squad.rows, squad.n, squad.starts)
    hopeless = False
    for attempt in range(4):
        # against one target attempt 1 does what attempt 0 does; without hope attempts 2 and 3 cannot help
        if (attempt == 1 and wanted == 1) or (attempt >= 2 and hopeless):
            continue
        if attempt == _TOGETHER:
            squad.flags[:] = 1
            outcome = _MADE if _charge_in_step(around, squad) else _FAILED
        else:
            outcome = _charge_one_by_one(around, squad, attempt, room)
        # the last moves into contact do not decide whether the charge is possible
        if outcome == _MADE and not ask and limits[0]["need_all"] != 0:
            _move_into_contact_last(around, squad)
        if outcome != _MADE or ask:
            put_back(models, squad.rows, squad.n, squad.starts)
        if outcome == _MADE:
            return True
        hopeless = outcome == _NOBODY and (wanted == 1 or limits[0]["need_all"] == 0)
    return False


# One kernel both makes the move and answers whether it is possible: two would each contain a copy of all they call.
@kernel
def charge(
    models: Array,
    units: Array,
    blocks: Array,
    corners: Array,
    objectives: Array,
    limits: Array,
    targets: Array,
    u: int,
    roll: float,
    scratch: Array,
    marks: Array,
    ask: bool,
) -> bool:
    """``charge_apply``; with ``ask``, ``charge_possible``."""
    board = Board(models, units, blocks, corners, objectives, limits, targets)
    wanted = 0
    for t in range(len(units)):
        wanted += targets[t] != 0
    inches = roll
    while inches >= 1.0:
        squad = squad_of(models, units, u, CHARGE, -1, 0.0, scratch, marks)
        if _charge_up_to(board, squad, inches, ask):
            return True
        if wanted < 2:
            return False
        # with fewer inches there are fewer places, and the greedy search may find one that suits all targets
        inches -= 1.0
    return False


def charge_apply(
    models: Array,
    units: Array,
    blocks: Array,
    corners: Array,
    objectives: Array,
    limits: Array,
    targets: Array,
    u: int,
    roll: float,
    scratch: Array,
    marks: Array,
) -> bool:
    """Charge with unit ``u``: move every model up to ``roll`` inches so that all conditions of a charge hold. Returns
    False, and nothing moves, if none is found.

    The unit ends engaged with every unit that ``targets`` flags and with no other, in coherency; each model ends closer
    to a target, and in base contact if it can (rules charge.condition.*, charge.move.*, charge.failed). A model that
    has no way closer stays. ``limits`` are set to allow ``roll`` inches.

    ``scratch``, ``marks``: as ``rigid.scratch_sizes`` says.
    """
    return bool(charge(models, units, blocks, corners, objectives, limits, targets, u, roll, scratch, marks, False))


def charge_possible(
    models: Array,
    units: Array,
    blocks: Array,
    corners: Array,
    objectives: Array,
    limits: Array,
    targets: Array,
    u: int,
    roll: float,
    scratch: Array,
    marks: Array,
) -> bool:
    """Whether ``charge_apply`` would succeed; nothing moves. ``limits`` are set to allow ``roll`` inches."""
    return bool(charge(models, units, blocks, corners, objectives, limits, targets, u, roll, scratch, marks, True))
