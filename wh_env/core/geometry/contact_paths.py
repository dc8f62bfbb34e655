"""Paths into base contact and as near to an enemy or a marker as found, over barriers too."""

from __future__ import annotations

from math import atan2, cos, hypot, inf, pi, sin, sqrt

import numpy as np

from wh_env.core.geometry.areas import model_engages_unit_across
from wh_env.core.geometry.barriers import barrier_between, beside, charges_across
from wh_env.core.geometry.board import Board
from wh_env.core.geometry.contact_gaps import MOST_ANGLES, gap_angles, way_round
from wh_env.core.geometry.legs import leg_cost
from wh_env.core.geometry.melee_search import (
    _DIRECTIONS,
    _LOOSE,
    _PLACES,
    _SPACING,
    _TOUCH,
    CHARGE,
    TO_ENEMY,
    TO_MARKER,
    Squad,
    closer,
    contact_place,
    copy_pose,
    copy_poses,
    distance_at,
    is_goal,
    linked,
    marker_distance,
    may_be_linked,
    put_back,
    unit_fault,
)
from wh_env.core.geometry.paths import allowance, choose_surface, limits_row, models_fault_near, set_pose
from wh_env.core.geometry.shapes import (
    CONTACT,
    EPS,
    extent,
    gap,
    gap_at,
    member,
    member_count,
    overlap_at,
    overlaps_in_height,
    stands_in,
    within_reach_at,
)
from wh_env.core.geometry.single import find_path, find_way
from wh_env.core.kernel import inner_kernel
from wh_env.core.tables import Array


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
def _distance_in_plan(board: Board, i: int, x: float, y: float, goal: int, to_marker: bool, most: float) -> float:
    """Inches in plan from model ``i`` at (x, y) to ``goal``, an enemy model or a marker.

    Returns ``inf`` for enemies that are surely ``most`` inches or more away.
    """
    models, objectives = board.models, board.objectives
    m = models[i]
    if to_marker:
        return float(marker_distance(models, objectives, board.limits, i, x, y, m["facing"], goal))
    q = models[goal]
    # the circles round the bases are never farther apart than the bases
    farthest_useful = most + m["radius"] + q["radius"]
    if (q["x"] - x) * (q["x"] - x) + (q["y"] - y) * (q["y"] - y) >= farthest_useful * farthest_useful:
        return inf
    return float(gap_at(models, i, x, y, m["facing"], goal, q["x"], q["y"], q["facing"]))


@inner_kernel
def approach(board: Board, squad: Squad, i: int, goal: int, link: int, nn: int, within: float) -> int:
    """Fill ``squad.best`` with a path for model ``i`` that ends as near to ``goal`` as found; how many points, 0: none.

    ``goal``: an enemy model or marker. ``within`` > 0: answer only whether a path may end so near in plan (inches)."""
    models, units, blocks, corners, objectives, limits, targets = board
    m = models[i]
    f = m["facing"]
    copy_pose(models, i, squad.start)
    limits_i = limits[limits_row(limits, i) :][:1]
    allowed = allowance(models, limits_i, i)
    to_marker = squad.kind == TO_MARKER
    gx = objectives[goal]["x"] if to_marker else models[goal]["x"]
    gy = objectives[goal]["y"] if to_marker else models[goal]["y"]
    gz = objectives[goal]["z"] if to_marker else models[goal]["z"]
    apart = _distance_in_plan(board, i, m["x"], m["y"], goal, to_marker, inf)
    best = apart if to_marker else distance_at(models, i, m["x"], m["y"], m["z"], f, goal)
    # if so, a place nearer to the goal than the best one so far is closer in the sense of the rule
    any_gain_counts = squad.kind != CHARGE or _is_nearest_of_unit(models, units, i, goal)
    towards = atan2(gy - m["y"], gx - m["x"])
    nearest = within if within > 0.0 else inf
    found = 0
    # tries 0 to 8 go straight, the rest with a bend if no straight way leads closer
    for o in range(14):
        bent, a = o // 9, o % 9
        if bent == 1 and (found > 0 or within > 0.0):
            break
        turn = pi / 12.0 * ((a + 1) // 2)
        angle = towards + (turn if a % 2 == 1 else -turn)
        c, s = cos(angle), sin(angle)
        far = min(allowed, apart + 0.5 if a > 0 else apart - _TOUCH)
        step = -3 if a == 0 else -1
        while True:
            step += 1
            away = _length_of_try(board, i, limits_i, far, apart, c, s, gz, step)
            if away < 0.05:
                if step < 0:
                    continue
                break
            x, y = m["x"] + away * c, m["y"] + away * s
            least = _distance_in_plan(board, i, x, y, goal, to_marker, best)
            if least >= best - 1e-6 or least > nearest or not may_be_linked(board, squad, i, x, y, 0.0, link):
                continue
            for level in range(1 if abs(gz - m["z"]) <= CONTACT else 2):
                z = choose_surface(models, blocks, corners, limits_i, i, x, y, f, gz if level == 0 else m["z"], allowed)
                d = least if to_marker else sqrt(least * least + (z - gz) * (z - gz))
                if z < 0.0 or d >= best - 1e-6 or (link > 0 and linked(board, squad, i, x, y, z, f) < link):
                    continue
                if not any_gain_counts and not closer(
                    models, units, objectives, limits, targets, squad.kind, goal, i, squad.start, x, y, z, f
                ):
                    continue
                ends = (x, y, z, f, squad.points, squad.near, nn, -1, bent == 1 or within > 0.0, False)
                k = find_way(models, blocks, corners, objectives, limits_i, targets, i, *ends)
                if k > 0 and within > 0.0:
                    return k
                if k > 0:
                    best = d
                    found = k
                    _copy_path(squad.points, k, squad.best)
    return found


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
