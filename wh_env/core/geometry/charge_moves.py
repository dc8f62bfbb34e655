"""Charge moves made for a whole unit, or whether one can be made; what ``melee_moves`` says of its arguments holds here too.

The arrangements are built greedily, model by model; where none of them holds together, the unit goes as it stands, and towards
several targets with fewer inches. So in rare crowded positions one that exists is not found.
"""

from __future__ import annotations

from math import hypot, inf

import numpy as np

from wh_env.core.geometry.barriers import widest
from wh_env.core.geometry.melee_moves import surroundings
from wh_env.core.geometry.melee_search import (
    CHARGE,
    approach,
    by_distance,
    closer,
    closest_goal,
    keep_pose,
    keep_poses,
    put_back,
    seek_barrier,
    seek_contact,
    take,
    touches_enemy,
    unit_fault,
)
from wh_env.core.geometry.paths import SAME_FOR_ALL, allowance, choose_surface, limits_row, set_pose
from wh_env.core.geometry.rigid import gather_unit
from wh_env.core.geometry.shapes import (
    EPS,
    gap,
    member,
    member_count,
    overlap_at,
    overlaps_in_height,
    stands_in,
    units_engaged,
    within_reach_at,
)
from wh_env.core.geometry.single import blocks_within, find_way, near_blocks, near_models
from wh_env.core.kernel import kernel
from wh_env.core.tables import Array

_MADE, _NOBODY, _FAILED = 1, 2, 3  # a charge is made, nobody reaches one of its targets, it ends against the rules
_TOGETHER = 3  # the attempt at which all models make the same move


@kernel
def _start_free(models: Array, i: int, u: int, units: Array) -> bool:
    """True if no other model of the unit stands on the place of model ``i``."""
    m = models[i]
    for k in range(member_count(units, u)):
        j = member(units, u, k)
        if j == i or not stands_in(models, j, u):
            continue
        q = models[j]
        if overlaps_in_height(m["z"], m["height"], q["z"], q["height"]) and overlap_at(
            models, i, m["x"], m["y"], m["facing"], j, q["x"], q["y"], q["facing"]
        ):
            return False
    return True


@kernel
def _would_engage(
    models: Array, units: Array, limits: Array, targets: Array, rows: Array, n: int, dx: float, dy: float
) -> bool:
    """True if models moved by (dx, dy) would be near enough to every target in plan."""
    for t in range(len(units)):
        if targets[t] == 0:
            continue
        some = False
        for k in range(n):
            i = rows[k]
            m = models[i]
            for o in range(member_count(units, t)):
                j = member(units, t, o)
                some = some or (
                    stands_in(models, j, t)
                    and within_reach_at(
                        models, i, m["x"] + dx, m["y"] + dy, m["z"], m["facing"], j, limits[0]["engage"], inf
                    )
                )  # fmt: skip
        if not some:
            return False
    return True


@kernel
def _all_by(
    models: Array, units: Array, blocks: Array, corners: Array, objectives: Array, limits: Array, targets: Array,
    rows: Array, n: int, near: Array, spare: Array, points: Array, start: Array, dx: float, dy: float,
) -> bool:  # fmt: skip
    """Move all models by (dx, dy), each in a straight line and closer to a target, those ahead first; False if some cannot."""
    for k in range(n):
        i = rows[k]
        key = -(models[i]["x"] * dx + models[i]["y"] * dy)
        o = k
        while o > 0 and spare[o - 1] > key:
            spare[o] = spare[o - 1]
            rows[o] = rows[o - 1]
            o -= 1
        spare[o] = key
        rows[o] = i
    for k in range(n):
        i = rows[k]
        m = models[i]
        f = m["facing"]
        x = m["x"] + dx
        y = m["y"] + dy
        keep_pose(models, i, start)
        own = limits_row(limits, i)
        mine = limits[own : own + 1]
        allowed = allowance(models, mine, i)
        z = choose_surface(models, blocks, corners, mine, i, x, y, f, m["z"], allowed)
        if z < 0.0 or not closer(models, units, objectives, limits, targets, CHARGE, -1, i, start, x, y, z, f):
            return False
        nn = near_models(models, limits, m["x"], m["y"], allowed + m["radius"], near)
        p = find_way(
            models, blocks, corners, objectives, mine, targets, i, x, y, z, f, points, near, nn, -1, False, False
        )  # fmt: skip
        if p == 0:
            return False
        set_pose(models, i, x, y, z, f)
    return True


@kernel
def _go_together(
    models: Array, units: Array, blocks: Array, corners: Array, objectives: Array, limits: Array, targets: Array,
    u: int, rows: Array, n: int, near: Array, labels: Array, starts: Array, spare: Array, points: Array, start: Array,
) -> bool:  # fmt: skip
    """Move all models of the unit alike, as one of them goes up to the nearest model of a target, so that it may charge."""
    mine = np.empty_like(rows)
    mine[:] = rows
    for k in range(n):
        i = mine[k]
        for t in range(len(units)):
            if targets[t] == 0:
                continue
            goal = closest_goal(models, limits, targets, i, t)
            if goal < 0:
                continue
            ahead_x = models[goal]["x"] - models[i]["x"]
            ahead_y = models[goal]["y"] - models[i]["y"]
            apart = gap(models, i, goal)
            far = hypot(ahead_x, ahead_y)
            for short in range(3):
                away = apart - 0.002 - 0.49 * short * limits[0]["engage"]
                if away <= 0.0 or away > allowance(models, limits, i) or far <= 0.0:
                    continue
                dx = away * ahead_x / far
                dy = away * ahead_y / far
                if not _would_engage(models, units, limits, targets, rows, n, dx, dy):
                    continue
                if _all_by(
                    models, units, blocks, corners, objectives, limits, targets, rows, n, near, spare, points, start, dx, dy
                ):  # fmt: skip
                    fault = unit_fault(
                        models, units, blocks, corners, objectives, limits, targets, CHARGE, -1, u, 0.0, labels
                    )  # fmt: skip
                    if fault == 0:
                        return True
                put_back(models, rows, n, starts)
    return False


@kernel
def _arrange(
    models: Array, units: Array, blocks: Array, corners: Array, objectives: Array, limits: Array, targets: Array,
    u: int, attempt: int, rows: Array, n: int, near: Array, labels: Array, flags: Array, own: Array,
    finals: Array, spare: Array, points: Array, best: Array, start: Array,
) -> int:  # fmt: skip
    """One way of making the charge, model by model: ``_MADE``, ``_NOBODY`` or ``_FAILED``."""
    lim = limits[0]
    flags[:] = 0
    moved = 0
    over = widest(blocks)
    if attempt == 1:
        # one model that engages all targets at once
        for k in range(3 * n):
            i = rows[k // 3]
            m = models[i]
            reach = allowance(models, limits, i) + m["radius"]
            nn = near_models(models, limits, m["x"], m["y"], reach, near)
            close = blocks_within(blocks, m["x"], m["y"], reach + 2.0 * EPS, own)
            p = seek_contact(
                models, units, close, corners, objectives, limits, targets, CHARGE, -1, u, 0.0, i, -2, 0, rows, n, near, nn,
                flags, 0.49 * (k % 3) * lim["engage"], True, False, finals, spare, labels, points,
            )  # fmt: skip
            if p > 0:
                moved = 1
                take(models, i, points, p, flags, moved)
                break
    # someone for every target first
    for t in range(len(units)):
        if targets[t] == 0 or units_engaged(models, units, u, t, lim["engage"], lim["engage_z"]):
            continue
        by_distance(models, limits, targets, rows, n, t, spare)
        done = False
        for k in range(n):
            i = rows[k]
            if flags[i] != 0:
                continue
            goal = closest_goal(models, limits, targets, i, t)
            if goal < 0 or gap(models, i, goal) - max(lim["engage"], over) > allowance(models, limits, i) + EPS:
                break
            m = models[i]
            reach = allowance(models, limits, i) + m["radius"]
            nn = near_models(models, limits, m["x"], m["y"], reach, near)
            close = blocks_within(blocks, m["x"], m["y"], reach + 2.0 * EPS, own)
            p = seek_contact(
                models, units, close, corners, objectives, limits, targets, CHARGE, goal, u, 0.0, i, t, 0, rows, n, near, nn,
                flags, 0.0, False, False, finals, spare, labels, points,
            )  # fmt: skip
            if p > 0:
                moved += 1
                take(models, i, points, p, flags, moved)
                done = True
                break
            p = approach(
                models, units, close, corners, objectives, limits, targets, CHARGE, goal, u, i, goal, 0, rows, n, near, nn,
                flags, start, points, best,
            )  # fmt: skip
            end = best[max(p, 1) - 1]
            if p > 0 and within_reach_at(
                models, i, end[0], end[1], end[2], end[3], goal, lim["engage"], lim["engage_z"]
            ):  # fmt: skip
                moved += 1
                take(models, i, best, p, flags, moved)
                done = True
                break
            if over > 0.0:
                p = seek_barrier(
                    models, units, blocks, corners, objectives, limits, targets, CHARGE, goal, i, t, 0, rows, n, near, nn, flags,
                    start, points,
                )  # fmt: skip
                if p > 0:
                    moved += 1
                    take(models, i, points, p, flags, moved)
                    done = True
                    break
        if not done:
            return _NOBODY
    # then the others, nearest first, each in coherency with those moved before; later ones may open the way
    by_distance(models, limits, targets, rows, n, -2, spare)
    labels[:] = -1  # how many had moved when a model was last found to have no way
    for loose in range(2):
        if loose == 1 and n >= lim["coherency_big"]:
            labels[:] = -1  # now one neighbour is enough
        again = True
        while again:
            again = False
            for k in range(n):
                i = rows[k]
                if flags[i] != 0 or labels[i] == moved:
                    continue
                link = min(moved, 2 if n >= lim["coherency_big"] and loose == 0 else 1)
                goal = closest_goal(models, limits, targets, i, -2)
                m = models[i]
                reach = allowance(models, limits, i) + m["radius"]
                nn = near_models(models, limits, m["x"], m["y"], reach, near)
                close = blocks_within(blocks, m["x"], m["y"], reach + 2.0 * EPS, own)
                p = 0
                if attempt < 2:
                    p = seek_contact(
                        models, units, close, corners, objectives, limits, targets, CHARGE, goal, u, 0.0, i, -2, link, rows, n,
                        near, nn, flags, 0.0, False, False, finals, spare, labels, points,
                    )  # fmt: skip
                if p == 0 and over > 0.0:
                    t = models[goal]["unit"]
                    if not units_engaged(models, units, u, t, lim["engage"], lim["engage_z"]):
                        p = seek_barrier(
                            models, units, blocks, corners, objectives, limits, targets, CHARGE, goal, i, t, link, rows, n, near,
                            nn, flags, start, points,
                        )  # fmt: skip
                if p > 0:
                    moved += 1
                    take(models, i, points, p, flags, moved)
                    again = True
                    continue
                p = approach(
                    models, units, close, corners, objectives, limits, targets, CHARGE, goal, u, i, goal, link, rows, n, near, nn,
                    flags, start, points, best,
                )  # fmt: skip
                if p > 0:
                    moved += 1
                    take(models, i, best, p, flags, moved)
                    again = True
                else:
                    labels[i] = moved
    if unit_fault(models, units, blocks, corners, objectives, limits, targets, CHARGE, -1, u, 0.0, labels) != 0:
        return _FAILED
    return _MADE


@kernel
def _charge_once(
    models: Array, units: Array, blocks: Array, corners: Array, objectives: Array, limits: Array, targets: Array,
    u: int, attempt: int, rows: Array, n: int, near: Array, labels: Array, flags: Array, own: Array,
    starts: Array, finals: Array, spare: Array, points: Array, best: Array, start: Array, ask: bool,
) -> int:  # fmt: skip
    """One way of making the charge: ``_MADE``, ``_NOBODY`` or ``_FAILED``. ``ask``: nobody need move on once it is sure to be made."""
    if attempt == _TOGETHER:
        flags[:] = 1
        if not _go_together(
            models, units, blocks, corners, objectives, limits, targets, u, rows, n, near, labels, starts, spare, points, start
        ):  # fmt: skip
            return _FAILED
    else:
        made = _arrange(
            models, units, blocks, corners, objectives, limits, targets, u, attempt, rows, n, near, labels, flags, own,
            finals, spare, points, best, start,
        )  # fmt: skip
        if made != _MADE:
            return made
    if ask:
        return _MADE
    # whoever can still end in contact from where it started moves there instead, after all others
    for k in range(n):
        i = rows[k]
        if touches_enemy(models, i):
            continue
        keep_poses(models, rows, n, finals)
        set_pose(models, i, starts[4 * i], starts[4 * i + 1], starts[4 * i + 2], starts[4 * i + 3])
        p = 0
        nn = near_models(
            models, limits, starts[4 * i], starts[4 * i + 1], allowance(models, limits, i) + models[i]["radius"], near
        )
        if _start_free(models, i, u, units):
            p = seek_contact(
                models, units, blocks, corners, objectives, limits, targets, CHARGE, -1, u, 0.0, i, -2, 0, rows, n, near, nn,
                flags, 0.0, False, True, finals, spare, labels, points,
            )  # fmt: skip
        if p > 0:
            take(models, i, points, p, flags, n)
        else:
            put_back(models, rows, n, finals)
    return _MADE


@kernel
def _within_reach_of(models: Array, units: Array, rows: Array, n: int, t: int, reach: float, more: float) -> bool:
    """True if some model of ``rows`` is at most ``more`` plus ``reach`` inches from some model of unit ``t``."""
    for k in range(n):
        m = models[rows[k]]
        for o in range(member_count(units, t)):
            j = member(units, t, o)
            q = models[j]
            far = m["radius"] + q["radius"] + reach + more + EPS
            dx = q["x"] - m["x"]
            dy = q["y"] - m["y"]
            if dx * dx + dy * dy <= far * far and stands_in(models, j, t):
                if gap(models, rows[k], j) - reach <= more:
                    return True
    return False


@kernel
def _charge_within(
    models: Array, units: Array, blocks: Array, corners: Array, objectives: Array, limits: Array, targets: Array,
    u: int, inches: float, scratch: Array, marks: Array, ask: bool,
) -> bool:  # fmt: skip
    """Charge with moves of so many inches; with ``ask`` nothing is moved."""
    total = len(models)
    for k in range(len(limits)):
        limits[k]["mode"] = SAME_FOR_ALL
        limits[k]["extra"] = inches
    rows = marks[:total]
    near = marks[total : 2 * total]
    labels = marks[2 * total : 3 * total]
    flags = marks[3 * total : 4 * total]
    points = scratch[:8].reshape((2, 4))
    best = scratch[8:16].reshape((2, 4))
    start = scratch[16:20]
    starts = scratch[24 : 24 + 4 * total]
    finals = scratch[24 + 4 * total : 24 + 8 * total]
    spare = scratch[24 + 8 * total : 32 + 12 * total]
    n = gather_unit(models, units, u, rows)
    wanted = 0
    over = widest(blocks)
    for t in range(len(units)):
        if targets[t] == 0:
            continue
        wanted += 1
        if not _within_reach_of(models, units, rows, n, t, max(limits[0]["engage"], over), inches + EPS):
            return False
    if wanted == 0 or n == 0:
        return False
    _, cx, cy, reach = surroundings(models, limits, rows, n, inches, near)
    nearby = near_blocks(blocks, cx, cy, reach)
    own = np.empty_like(nearby)
    keep_poses(models, rows, n, starts)
    hopeless = False
    for attempt in range(4):
        # the later ways go to a single target as the first one does
        if (attempt == 1 and wanted == 1) or (attempt >= 2 and hopeless):
            continue
        made = _charge_once(
            models, units, nearby, corners, objectives, limits, targets, u, attempt, rows, n, near, labels, flags, own,
            starts, finals, spare, points, best, start, ask,
        )  # fmt: skip
        if made != _MADE or ask:
            put_back(models, rows, n, starts)
        if made == _MADE:
            return True
        hopeless = wanted == 1 and made == _NOBODY
    return False


@kernel
def _charge(
    models: Array, units: Array, blocks: Array, corners: Array, objectives: Array, limits: Array, targets: Array,
    u: int, roll: float, scratch: Array, marks: Array, ask: bool,
) -> bool:  # fmt: skip
    """``charge_apply``, or with ``ask`` ``charge_possible``."""
    wanted = 0
    for t in range(len(units)):
        wanted += targets[t] != 0
    inches = roll
    while inches >= 1.0:
        if _charge_within(
            models, units, blocks, corners, objectives, limits, targets, u, inches, scratch, marks, ask
        ):  # fmt: skip
            return True
        if wanted < 2:
            return False
        # models that can reach more places find a common one less easily, and fewer inches than the roll are a Charge move too
        inches -= 1.0
    return False


@kernel
def charge_apply(
    models: Array, units: Array, blocks: Array, corners: Array, objectives: Array, limits: Array, targets: Array,
    u: int, roll: float, scratch: Array, marks: Array,
) -> bool:  # fmt: skip
    """Charge with unit ``u``: every model up to ``roll`` inches so that all conditions hold; else False and no change.

    It ends engaged with every unit that ``targets`` flags, never near another, in coherency, each model closer to a
    target and in base contact where it can be (rules w10.charge.condition.*, w10.charge.move.*, w10.charge.failed).
    A model that has no way to get closer stays. ``limits`` are set to allow ``roll`` inches.
    """
    return _charge(models, units, blocks, corners, objectives, limits, targets, u, roll, scratch, marks, False)


@kernel
def charge_possible(
    models: Array, units: Array, blocks: Array, corners: Array, objectives: Array, limits: Array, targets: Array,
    u: int, roll: float, scratch: Array, marks: Array,
) -> bool:  # fmt: skip
    """True if ``charge_apply`` would succeed; nothing is moved."""
    return _charge(models, units, blocks, corners, objectives, limits, targets, u, roll, scratch, marks, True)
