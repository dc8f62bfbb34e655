"""Charge, pile-in and consolidation moves: finding them for a whole unit, and judging explicit ones.

``limits`` say what such a move may do (for a charge: ``engage_path`` and ``engage_end`` = ONLY_TARGETS); ``targets``
(int32, one entry a unit) flags the charge targets. Inches and radians. Bases in contact stand on one level, at
most ``CONTACT`` apart. ``scratch`` and ``marks`` as ``scratch_sizes`` says.

Places in base contact are looked for in 36 directions round an enemy model, the nearest model and the direction
facing the mover first, with paths of ``find_path`` (straight or one bend) and without turning. "If it can end in base
contact it must" is judged by the same search, so what the search cannot find is not asked for.
"""

from __future__ import annotations

from math import atan2, cos, hypot, inf, pi, sin, sqrt

from wh_env.core.geometry.paths import (
    SAME_FOR_ALL,
    Fault,
    allowance,
    check_path,
    choose_surface,
    is_coherent,
    restore_poses,
    save_poses,
    set_pose,
)
from wh_env.core.geometry.rigid import gather_unit
from wh_env.core.geometry.shapes import (
    CONTACT,
    EPS,
    disc_gap_at,
    gap,
    gap_at,
    member,
    member_count,
    overlap_at,
    overlaps_in_height,
    stands_in,
    units_engaged,
    within_reach,
    within_reach_at,
)
from wh_env.core.geometry.single import find_path, near_blocks, near_models
from wh_env.core.kernel import kernel
from wh_env.core.tables import CIRCLE, Array

CHARGE, TO_ENEMY, TO_MARKER = 0, 1, 2  # kinds of move: a charge, a pile-in or consolidation, one towards a marker

_DIRECTIONS = 36
_TOUCH = 0.002  # bases in contact are set this far apart
_NOT_COHERENT = int(Fault.NOT_COHERENT)
_NOT_CLOSER = int(Fault.NOT_CLOSER)
_NOT_CONTACT = int(Fault.NOT_CONTACT)
_NOT_ENGAGED = int(Fault.NOT_ENGAGED)
_IN_CONTACT = int(Fault.IN_CONTACT)
_NOT_IN_UNIT = int(Fault.NOT_IN_UNIT)
_NOT_IN_RANGE = int(Fault.NOT_IN_RANGE)


@kernel
def in_contact(models: Array, i: int, j: int) -> bool:
    """True if models ``i`` and ``j`` are in base contact."""
    return abs(models[i]["z"] - models[j]["z"]) <= CONTACT and gap(models, i, j) <= CONTACT


@kernel
def touches_enemy(models: Array, i: int) -> bool:
    """True if model ``i`` is in base contact with an enemy model on the table."""
    m = models[i]
    for j in range(len(models)):
        q = models[j]
        if q["on_table"] == 1 and q["owner"] != m["owner"] and abs(q["x"] - m["x"]) <= q["radius"] + m["radius"] + CONTACT:
            if in_contact(models, i, j):
                return True
    return False


@kernel
def _is_goal(models: Array, limits: Array, targets: Array, i: int, j: int, only: int) -> bool:
    """True if ``i`` may move towards the model ``j``: an enemy, no aircraft it must avoid; of unit ``only`` (-1: any).

    ``only`` = -2: of any unit that ``targets`` flags.
    """
    q = models[j]
    if q["on_table"] == 0 or q["owner"] == models[i]["owner"]:
        return False
    if (q["keywords"] & limits[0]["air_keywords"]) != 0 and limits[0]["air_end"] == 0:
        return False
    if only == -2:
        return bool(targets[q["unit"]] != 0)
    return bool(only == -1 or q["unit"] == only)


@kernel
def _distance_at(models: Array, i: int, x: float, y: float, z: float, f: float, j: int) -> float:
    """Straight distance in inches from model ``i`` at a pose to model ``j``."""
    q = models[j]
    across = gap_at(models, i, x, y, f, j, q["x"], q["y"], q["facing"])
    return sqrt(across * across + (z - q["z"]) * (z - q["z"]))


@kernel
def closest_goal(models: Array, limits: Array, targets: Array, i: int, only: int) -> int:
    """Row of the enemy model closest to model ``i`` where it stands (the first of equals), -1 if there is none.

    Aircraft that it must avoid do not count (w10.aircraft.fight.ignored). ``only``: a unit, -1 any, -2 any target.
    """
    m = models[i]
    best = inf
    who = -1
    for j in range(len(models)):
        if _is_goal(models, limits, targets, i, j, only):
            q = models[j]
            rough = hypot(q["x"] - m["x"], q["y"] - m["y"]) - q["radius"] - m["radius"]
            if rough < best:
                d = _distance_at(models, i, m["x"], m["y"], m["z"], m["facing"], j)
                if d < best:
                    best = d
                    who = j
    return who


@kernel
def closest_marker(models: Array, units: Array, objectives: Array, limits: Array, u: int) -> int:
    """Row of the objective marker closest to unit ``u``, -1 without any on the table."""
    best = inf
    who = -1
    for o in range(len(objectives)):
        if objectives[o]["placed"] == 0:
            continue
        for k in range(member_count(units, u)):
            i = member(units, u, k)
            if stands_in(models, i, u):
                d = _marker_distance(models, objectives, limits, i, models[i]["x"], models[i]["y"], models[i]["facing"], o)
                if d < best:
                    best = d
                    who = o
    return who


@kernel
def _marker_distance(
    models: Array, objectives: Array, limits: Array, i: int, x: float, y: float, f: float, o: int
) -> float:
    return disc_gap_at(models, i, x, y, f, objectives[o]["x"], objectives[o]["y"], limits[0]["marker"])


@kernel
def _closer(
    models: Array, units: Array, objectives: Array, limits: Array, targets: Array, kind: int, goal: int, i: int,
    start: Array, x: float, y: float, z: float, f: float,
) -> bool:  # fmt: skip
    """True if model ``i`` at this pose is closer than it started to what it must move towards.

    ``goal``: the closest enemy model or the marker; a charging model only needs to be closer to one target unit.
    """
    if kind == TO_ENEMY:
        return _distance_at(models, i, x, y, z, f, goal) < _distance_at(
            models, i, start[0], start[1], start[2], start[3], goal
        ) - 1e-6  # fmt: skip
    if kind == TO_MARKER:
        return _marker_distance(models, objectives, limits, i, x, y, f, goal) < _marker_distance(
            models, objectives, limits, i, start[0], start[1], start[3], goal
        ) - 1e-6  # fmt: skip
    for t in range(len(units)):
        if targets[t] == 0:
            continue
        before = inf
        after = inf
        for k in range(member_count(units, t)):
            j = member(units, t, k)
            if stands_in(models, j, t):
                before = min(before, _distance_at(models, i, start[0], start[1], start[2], start[3], j))
                after = min(after, _distance_at(models, i, x, y, z, f, j))
        if after < before - 1e-6:
            return True
    return False


@kernel
def _unit_fault(
    models: Array, units: Array, objectives: Array, limits: Array, targets: Array, kind: int, goal: int, u: int,
    control: float, labels: Array,
) -> int:  # fmt: skip
    """``Fault`` of the unit as it stands: what such a move must end with."""
    lim = limits[0]
    if kind == CHARGE:
        for t in range(len(units)):
            if targets[t] != 0 and not units_engaged(models, units, u, t, lim["engage"], lim["engage_z"]):
                return _NOT_ENGAGED
    elif kind == TO_ENEMY:
        engaged = False
        for k in range(member_count(units, u)):
            i = member(units, u, k)
            if stands_in(models, i, u):
                for j in range(len(models)):
                    if models[j]["on_table"] == 1 and models[j]["owner"] != models[i]["owner"]:
                        if within_reach(models, i, j, lim["engage"], lim["engage_z"]):
                            engaged = True
        if not engaged:
            return _NOT_ENGAGED
    else:
        near = False
        for k in range(member_count(units, u)):
            i = member(units, u, k)
            if stands_in(models, i, u) and abs(models[i]["z"] - objectives[goal]["z"]) <= lim["engage_z"] + EPS:
                m = models[i]
                if _marker_distance(models, objectives, limits, i, m["x"], m["y"], m["facing"], goal) <= control + EPS:
                    near = True
        if not near:
            return _NOT_IN_RANGE
    return 0 if is_coherent(models, units, limits, u, labels) else _NOT_COHERENT


@kernel
def contact_place(models: Array, i: int, f: float, j: int, angle: float) -> tuple[float, float]:
    """Centre of model ``i`` (facing ``f``) in base contact with ``j``, in the direction ``angle`` seen from ``j``."""
    q = models[j]
    far = models[i]["radius"] + q["radius"] + _TOUCH
    c = cos(angle)
    s = sin(angle)
    if models[i]["shape"] != CIRCLE or q["shape"] != CIRCLE:
        # slide in from outside by the gap that is left
        for _ in range(60):
            left = gap_at(models, i, q["x"] + far * c, q["y"] + far * s, f, j, q["x"], q["y"], q["facing"])
            if left <= 2.0 * _TOUCH:
                break
            far -= left - _TOUCH
    return q["x"] + far * c, q["y"] + far * s


@kernel
def _linked(models: Array, limits: Array, i: int, x: float, y: float, z: float, f: float, rows: Array, n: int, flags: Array) -> int:
    """How many of the models moved so far stand within coherency distance of model ``i`` at this pose."""
    count = 0
    for k in range(n):
        j = rows[k]
        if j != i and flags[j] != 0:
            if within_reach_at(models, i, x, y, z, f, j, limits[0]["coherency"], limits[0]["coherency_z"]):
                count += 1
    return count


@kernel
def _would_hold(
    models: Array, units: Array, objectives: Array, limits: Array, targets: Array, kind: int, goal: int, u: int,
    control: float, rows: Array, n: int, finals: Array, i: int, pose: Array, spare: Array, labels: Array,
) -> bool:  # fmt: skip
    """True if the unit fulfils its conditions with ``i`` at ``pose`` and its other models at ``finals``."""
    save_poses(models, rows, n, spare)
    restore_poses(models, rows, n, finals)
    set_pose(models, i, pose[0], pose[1], pose[2], pose[3])
    good = True
    for k in range(n):
        j = rows[k]
        q = models[j]
        if j != i and overlaps_in_height(pose[2], models[i]["height"], q["z"], q["height"]):
            if overlap_at(models, i, pose[0], pose[1], pose[3], j, q["x"], q["y"], q["facing"]):
                good = False
    good = good and _unit_fault(models, units, objectives, limits, targets, kind, goal, u, control, labels) == 0
    restore_poses(models, rows, n, spare)
    return good


@kernel
def _seek_contact(
    models: Array, units: Array, blocks: Array, corners: Array, objectives: Array, limits: Array, targets: Array,
    kind: int, goal: int, u: int, control: float, i: int, only: int, link: int, rows: Array, n: int, near: Array, nn: int,
    flags: Array, verify: bool, finals: Array, spare: Array, labels: Array, points: Array,
) -> int:  # fmt: skip
    """A path for model ``i`` into base contact with an enemy model, in ``points``; the number of its points, 0 if none.

    ``only``: see ``_is_goal``. ``link``: it must end within coherency distance of so many models moved before.
    ``verify``: the unit must fulfil its conditions with all other models at ``finals``.
    """
    m = models[i]
    f = m["facing"]
    x0 = m["x"]
    y0 = m["y"]
    allowed = allowance(models, limits, i)
    start = spare[len(spare) - 4 :]
    save_poses(models, _one(i, labels), 1, start)
    last_gap = -1.0
    last_row = -1
    while True:
        best = inf
        e = -1
        for o in range(nn):
            j = near[o]
            if not _is_goal(models, limits, targets, i, j, only):
                continue
            g = gap(models, i, j)
            if (g > last_gap or (g == last_gap and j > last_row)) and g < best:
                best = g
                e = j
        if e < 0 or best > allowed + EPS:
            return 0
        last_gap = best
        last_row = e
        q = models[e]
        towards = atan2(y0 - q["y"], x0 - q["x"])
        for a in range(_DIRECTIONS):
            turn = 2.0 * pi / _DIRECTIONS * ((a + 1) // 2)
            x, y = contact_place(models, i, f, e, towards + (turn if a % 2 == 1 else -turn))
            if hypot(x - x0, y - y0) > allowed + EPS:
                continue
            if link > 0 and _linked(models, limits, i, x, y, q["z"], f, rows, n, flags) < link:
                continue
            z = choose_surface(models, blocks, corners, limits, i, x, y, f, q["z"], CONTACT)
            if z < 0.0 or not _closer(models, units, objectives, limits, targets, kind, goal, i, start, x, y, z, f):
                continue
            k = find_path(models, blocks, corners, objectives, limits, targets, i, x, y, z, f, points, near, nn, -1)
            if k == 0:
                continue
            if verify and not _would_hold(
                models, units, objectives, limits, targets, kind, goal, u, control, rows, n, finals, i, points[k - 1], spare, labels
            ):
                continue
            return k


@kernel
def _one(i: int, labels: Array) -> Array:
    """The row ``i`` as a list of one, kept in ``labels``."""
    labels[0] = i
    return labels[:1]


@kernel
def _approach(
    models: Array, units: Array, blocks: Array, corners: Array, objectives: Array, limits: Array, targets: Array,
    kind: int, goal: int, u: int, i: int, towards: int, link: int, rows: Array, n: int, near: Array, nn: int,
    flags: Array, start: Array, points: Array, best_points: Array,
) -> int:  # fmt: skip
    """A path for model ``i`` as close as found to the enemy model (or marker) ``towards``, in ``best_points``; its points."""
    m = models[i]
    f = m["facing"]
    save_poses(models, _one(i, flags[len(flags) - 1 :]), 1, start)
    allowed = allowance(models, limits, i)
    if kind == TO_MARKER:
        gx = objectives[towards]["x"]
        gy = objectives[towards]["y"]
        gz = objectives[towards]["z"]
        apart = _marker_distance(models, objectives, limits, i, m["x"], m["y"], f, towards)
        best = apart
    else:
        gx = models[towards]["x"]
        gy = models[towards]["y"]
        gz = models[towards]["z"]
        apart = gap(models, i, towards)
        best = _distance_at(models, i, m["x"], m["y"], m["z"], f, towards)
    ahead = atan2(gy - m["y"], gx - m["x"])
    found = 0
    for a in range(13):
        turn = pi / 12.0 * ((a + 1) // 2)
        angle = ahead + (turn if a % 2 == 1 else -turn)
        far = min(allowed, apart + 0.5 if a > 0 else apart - _TOUCH)
        step = 0
        while True:
            away = far - 0.5 * step
            step += 1
            if away < 0.05:
                break
            x = m["x"] + away * cos(angle)
            y = m["y"] + away * sin(angle)
            for level in range(2):
                if level == 1 and abs(gz - m["z"]) <= CONTACT:
                    break
                z = choose_surface(models, blocks, corners, limits, i, x, y, f, gz if level == 0 else m["z"], allowed)
                if z < 0.0:
                    continue
                if kind == TO_MARKER:
                    d = _marker_distance(models, objectives, limits, i, x, y, f, towards)
                else:
                    d = _distance_at(models, i, x, y, z, f, towards)
                if d >= best - 1e-6 or (link > 0 and _linked(models, limits, i, x, y, z, f, rows, n, flags) < link):
                    continue
                if not _closer(models, units, objectives, limits, targets, kind, goal, i, start, x, y, z, f):
                    continue
                k = find_path(models, blocks, corners, objectives, limits, targets, i, x, y, z, f, points, near, nn, -1)
                if k > 0:
                    best = d
                    found = k
                    best_points[:k] = points[:k]
    return found


@kernel
def _by_distance(models: Array, limits: Array, targets: Array, rows: Array, n: int, only: int) -> None:
    """Sort ``rows`` by the distance of each model to the nearest enemy it moves towards."""
    for k in range(1, n):
        o = k
        while o > 0:
            a = closest_goal(models, limits, targets, rows[o - 1], only)
            b = closest_goal(models, limits, targets, rows[o], only)
            if a < 0 or b < 0 or gap(models, rows[o - 1], a) <= gap(models, rows[o], b):
                break
            row = rows[o]
            rows[o] = rows[o - 1]
            rows[o - 1] = row
            o -= 1


@kernel
def _take(models: Array, i: int, points: Array, k: int, flags: Array, number: int) -> None:
    set_pose(models, i, points[k - 1, 0], points[k - 1, 1], points[k - 1, 2], points[k - 1, 3])
    flags[i] = number


# ---- charges


@kernel
def _charge_once(
    models: Array, units: Array, blocks: Array, corners: Array, objectives: Array, limits: Array, targets: Array,
    u: int, contact_first: bool, rows: Array, n: int, near: Array, nn: int, labels: Array, flags: Array, scratch: Array,
) -> bool:  # fmt: skip
    total = len(models)
    points = scratch[:8].reshape((2, 4))
    best = scratch[8:16].reshape((2, 4))
    starts = scratch[16 : 16 + 4 * total]
    spare = scratch[16 + 4 * total : 24 + 8 * total]
    start = scratch[24 + 8 * total : 28 + 8 * total]
    finals = scratch[28 + 8 * total : 28 + 8 * total + 4 * n]
    lim = limits[0]
    flags[:] = 0
    moved = 0
    # someone for every target first
    for t in range(len(units)):
        if targets[t] == 0 or units_engaged(models, units, u, t, lim["engage"], lim["engage_z"]):
            continue
        _by_distance(models, limits, targets, rows, n, t)
        done = False
        for k in range(n):
            i = rows[k]
            if flags[i] != 0:
                continue
            goal = closest_goal(models, limits, targets, i, t)
            if goal < 0 or gap(models, i, goal) - lim["engage"] > allowance(models, limits, i) + EPS:
                break
            p = _seek_contact(
                models, units, blocks, corners, objectives, limits, targets, CHARGE, goal, u, 0.0, i, t, 0, rows, n, near, nn,
                flags, False, finals, spare, labels, points,
            )  # fmt: skip
            if p > 0:
                moved += 1
                _take(models, i, points, p, flags, moved)
                done = True
                break
            p = _approach(
                models, units, blocks, corners, objectives, limits, targets, CHARGE, goal, u, i, goal, 0, rows, n, near, nn,
                flags, start, points, best,
            )  # fmt: skip
            if p > 0 and within_reach_at(
                models, i, best[p - 1, 0], best[p - 1, 1], best[p - 1, 2], best[p - 1, 3], goal, lim["engage"], lim["engage_z"]
            ):
                moved += 1
                _take(models, i, best, p, flags, moved)
                done = True
                break
        if not done:
            return False
    # then the others, nearest first, each in coherency with those moved before; later ones may open the way
    _by_distance(models, limits, targets, rows, n, -2)
    for loose in range(2):
        again = True
        while again:
            again = False
            for k in range(n):
                i = rows[k]
                if flags[i] != 0:
                    continue
                link = min(moved, 2 if n >= lim["coherency_big"] and loose == 0 else 1)
                goal = closest_goal(models, limits, targets, i, -2)
                p = 0
                if contact_first:
                    p = _seek_contact(
                        models, units, blocks, corners, objectives, limits, targets, CHARGE, goal, u, 0.0, i, -2, link, rows, n,
                        near, nn, flags, False, finals, spare, labels, points,
                    )  # fmt: skip
                if p > 0:
                    moved += 1
                    _take(models, i, points, p, flags, moved)
                    again = True
                    continue
                p = _approach(
                    models, units, blocks, corners, objectives, limits, targets, CHARGE, goal, u, i, goal, link, rows, n, near, nn,
                    flags, start, points, best,
                )  # fmt: skip
                if p > 0:
                    moved += 1
                    _take(models, i, best, p, flags, moved)
                    again = True
    if _unit_fault(models, units, objectives, limits, targets, CHARGE, -1, u, 0.0, labels) != 0:
        return False
    # whoever can still end in contact from where it started moves there instead, after all others
    for k in range(n):
        i = rows[k]
        if touches_enemy(models, i):
            continue
        save_poses(models, rows, n, finals)
        set_pose(models, i, starts[4 * k], starts[4 * k + 1], starts[4 * k + 2], starts[4 * k + 3])
        p = 0
        if _start_free(models, i, u, units):
            p = _seek_contact(
                models, units, blocks, corners, objectives, limits, targets, CHARGE, -1, u, 0.0, i, -2, 0, rows, n, near, nn,
                flags, True, finals, spare, labels, points,
            )  # fmt: skip
        if p > 0:
            moved += 1
            _take(models, i, points, p, flags, moved)
        else:
            restore_poses(models, rows, n, finals)
    return True


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
def charge_apply(
    models: Array, units: Array, blocks: Array, corners: Array, objectives: Array, limits: Array, targets: Array,
    u: int, roll: float, scratch: Array, marks: Array,
) -> bool:  # fmt: skip
    """Charge with unit ``u``: every model up to ``roll`` inches so that all conditions hold; else False and no change.

    It ends engaged with every unit that ``targets`` flags, never near another, in coherency, each model closer to a
    target and in base contact where it can be (rules w10.charge.condition.*, w10.charge.move.*, w10.charge.failed).
    A model that has no way to get closer stays. ``limits`` are set to allow ``roll`` inches. The arrangement is built
    greedily, so in rare crowded positions one that exists is not found.
    """
    total = len(models)
    limits[0]["mode"] = SAME_FOR_ALL
    limits[0]["extra"] = roll
    rows = marks[:total]
    near = marks[total : 2 * total]
    labels = marks[2 * total : 3 * total]
    flags = marks[3 * total : 4 * total + 1]
    n = gather_unit(models, units, u, rows)
    if n == 0:
        return False
    lim = limits[0]
    wanted = 0
    for t in range(len(units)):
        if targets[t] == 0:
            continue
        wanted += 1
        closest = inf
        for k in range(n):
            for o in range(member_count(units, t)):
                j = member(units, t, o)
                if stands_in(models, j, t):
                    closest = min(closest, gap(models, rows[k], j))
        if closest - lim["engage"] > roll + EPS:
            return False
    if wanted == 0:
        return False
    cx = 0.0
    cy = 0.0
    spread = 0.0
    for k in range(n):
        cx += models[rows[k]]["x"] / n
        cy += models[rows[k]]["y"] / n
    for k in range(n):
        m = models[rows[k]]
        spread = max(spread, hypot(m["x"] - cx, m["y"] - cy) + m["radius"])
    nn = near_models(models, limits, cx, cy, roll + spread, near)
    nearby = near_blocks(blocks, cx, cy, roll + spread)
    # the order of `rows` while moving; the poses to go back to are kept in the order of `gather_unit`
    for attempt in range(2):
        n = gather_unit(models, units, u, rows)
        _by_distance(models, limits, targets, rows, n, -2)
        starts = scratch[16 : 16 + 4 * total]
        save_poses(models, rows, n, starts)
        labels[:n] = rows[:n]
        order = scratch[28 + 12 * total : 28 + 12 * total + n]
        for k in range(n):
            order[k] = rows[k]
        if _charge_once(
            models, units, nearby, corners, objectives, limits, targets, u, attempt == 0, rows, n, near, nn, labels, flags, scratch
        ):
            return True
        for k in range(n):
            set_pose(models, int(order[k]), starts[4 * k], starts[4 * k + 1], starts[4 * k + 2], starts[4 * k + 3])
    return False
