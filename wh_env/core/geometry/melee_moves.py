"""Charge, pile-in and consolidation moves: made for a whole unit, and judged where a player made them model by model.

``limits`` say what such a move may do (a charge: ``engage_path`` and ``engage_end`` = ONLY_TARGETS; pile-in and
consolidation: ANYBODY and an allowance of 3"). ``targets`` (int32, one entry a unit) flags the charge targets.
Inches and radians. ``scratch`` and ``marks`` as ``scratch_sizes`` says. ``order``: rows of the models in the order in
which they move, the rest following by distance; no rows: all by distance.

The arrangements are built greedily, so in rare crowded positions one that exists is not found. "If it can end in base
contact it must" is judged by the search that builds them: what it cannot find is not asked for.
"""

from __future__ import annotations

from math import hypot, inf

from wh_env.core.geometry.barriers import widest
from wh_env.core.geometry.melee_search import (
    CHARGE,
    TO_ENEMY,
    TO_MARKER,
    approach,
    by_distance,
    closer,
    closest_goal,
    closest_marker,
    keep_pose,
    keep_poses,
    put_back,
    seek_barrier,
    seek_contact,
    take,
    touches_enemy,
    unit_fault,
)
from wh_env.core.geometry.paths import SAME_FOR_ALL, Fault, allowance, check_path, is_coherent, set_pose
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
from wh_env.core.geometry.single import near_blocks, near_models
from wh_env.core.kernel import kernel
from wh_env.core.tables import Array

_NOT_COHERENT = int(Fault.NOT_COHERENT)
_NOT_CLOSER = int(Fault.NOT_CLOSER)
_NOT_CONTACT = int(Fault.NOT_CONTACT)
_IN_CONTACT = int(Fault.IN_CONTACT)
_NOT_IN_UNIT = int(Fault.NOT_IN_UNIT)


@kernel
def _surroundings(
    models: Array, limits: Array, rows: Array, n: int, reach: float, near: Array
) -> tuple[int, float, float, float]:
    """Fill ``near`` with the models that matter to moves of ``reach`` inches; how many, and the circle they are in."""
    cx = 0.0
    cy = 0.0
    spread = 0.0
    for k in range(n):
        cx += models[rows[k]]["x"] / n
        cy += models[rows[k]]["y"] / n
    for k in range(n):
        m = models[rows[k]]
        spread = max(spread, hypot(m["x"] - cx, m["y"] - cy) + m["radius"])
    return near_models(models, limits, cx, cy, reach + spread, near), cx, cy, reach + spread


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


# ---- charges


@kernel
def _charge_once(
    models: Array, units: Array, blocks: Array, corners: Array, objectives: Array, limits: Array, targets: Array,
    u: int, attempt: int, rows: Array, n: int, near: Array, labels: Array, flags: Array,
    starts: Array, finals: Array, spare: Array, points: Array, best: Array, start: Array,
) -> bool:  # fmt: skip
    lim = limits[0]
    flags[:] = 0
    moved = 0
    over = widest(blocks)
    if attempt == 1:
        # one model that engages all targets at once
        for k in range(3 * n):
            i = rows[k // 3]
            m = models[i]
            nn = near_models(models, limits, m["x"], m["y"], allowance(models, limits, i) + m["radius"], near)
            p = seek_contact(
                models, units, blocks, corners, objectives, limits, targets, CHARGE, -1, u, 0.0, i, -2, 0, rows, n, near, nn,
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
            nn = near_models(models, limits, m["x"], m["y"], allowance(models, limits, i) + m["radius"], near)
            p = seek_contact(
                models, units, blocks, corners, objectives, limits, targets, CHARGE, goal, u, 0.0, i, t, 0, rows, n, near, nn,
                flags, 0.0, False, False, finals, spare, labels, points,
            )  # fmt: skip
            if p > 0:
                moved += 1
                take(models, i, points, p, flags, moved)
                done = True
                break
            p = approach(
                models, units, blocks, corners, objectives, limits, targets, CHARGE, goal, u, i, goal, 0, rows, n, near, nn,
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
            return False
    # then the others, nearest first, each in coherency with those moved before; later ones may open the way
    by_distance(models, limits, targets, rows, n, -2, spare)
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
                m = models[i]
                nn = near_models(models, limits, m["x"], m["y"], allowance(models, limits, i) + m["radius"], near)
                p = 0
                if attempt < 2:
                    p = seek_contact(
                        models, units, blocks, corners, objectives, limits, targets, CHARGE, goal, u, 0.0, i, -2, link, rows, n,
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
                    models, units, blocks, corners, objectives, limits, targets, CHARGE, goal, u, i, goal, link, rows, n, near, nn,
                    flags, start, points, best,
                )  # fmt: skip
                if p > 0:
                    moved += 1
                    take(models, i, best, p, flags, moved)
                    again = True
    if unit_fault(models, units, blocks, corners, objectives, limits, targets, CHARGE, -1, u, 0.0, labels) != 0:
        return False
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
            moved += 1
            take(models, i, points, p, flags, moved)
        else:
            put_back(models, rows, n, finals)
    return True


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
    total = len(models)
    limits[0]["mode"] = SAME_FOR_ALL
    limits[0]["extra"] = roll
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
        if closest - max(limits[0]["engage"], widest(blocks)) > roll + EPS:
            return False
    if wanted == 0 or n == 0:
        return False
    _, cx, cy, reach = _surroundings(models, limits, rows, n, roll, near)
    nearby = near_blocks(blocks, cx, cy, reach)
    keep_poses(models, rows, n, starts)
    for attempt in range(3):
        if attempt == 1 and wanted == 1:
            continue
        if _charge_once(
            models, units, nearby, corners, objectives, limits, targets, u, attempt, rows, n, near, labels, flags,
            starts, finals, spare, points, best, start,
        ):  # fmt: skip
            return True
        put_back(models, rows, n, starts)
    return False


@kernel
def charge_possible(
    models: Array, units: Array, blocks: Array, corners: Array, objectives: Array, limits: Array, targets: Array,
    u: int, roll: float, scratch: Array, marks: Array,
) -> bool:  # fmt: skip
    """True if ``charge_apply`` would succeed; nothing is moved."""
    if not charge_apply(models, units, blocks, corners, objectives, limits, targets, u, roll, scratch, marks):
        return False
    n = gather_unit(models, units, u, marks)
    put_back(models, marks, n, scratch[24 : 24 + 4 * len(models)])
    return True


# ---- pile in, consolidate


@kernel
def _fight_move(
    models: Array, units: Array, blocks: Array, corners: Array, objectives: Array, limits: Array, targets: Array,
    kind: int, marker: int, u: int, control: float, order: Array, scratch: Array, marks: Array,
) -> int:  # fmt: skip
    """Move unit ``u`` towards its closest enemies or the marker; the number of models moved, -1 if it is not possible."""
    total = len(models)
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
    if n == 0:
        return -1
    most = 0.0
    for k in range(n):
        most = max(most, allowance(models, limits, rows[k]))
    nn, cx, cy, reach = _surroundings(models, limits, rows, n, most, near)
    nearby = near_blocks(blocks, cx, cy, reach)
    by_distance(models, limits, targets, rows, n, -1, spare)
    # the wanted order first, the rest behind it
    for k in range(len(order)):
        for o in range(k, n):
            if rows[o] == order[k]:
                while o > k:
                    rows[o] = rows[o - 1]
                    o -= 1
                rows[k] = order[k]
                break
    keep_poses(models, rows, n, starts)
    whole = is_coherent(models, units, limits, u, labels)
    # first everybody as far as he gets; if that tears the unit apart, no one may leave coherency, from the front or the rear
    for attempt in range(3 if whole else 1):
        moved = 0
        flags[:] = 0
        for k in range(n):
            i = rows[n - 1 - k] if attempt == 2 else rows[k]
            if touches_enemy(models, i):
                continue
            goal = marker if kind == TO_MARKER else closest_goal(models, limits, targets, i, -1)
            if goal < 0:
                continue
            m = models[i]
            nn = near_models(models, limits, m["x"], m["y"], allowance(models, limits, i) + m["radius"], near)
            p = 0
            if kind == TO_ENEMY:
                p = seek_contact(
                    models, units, nearby, corners, objectives, limits, targets, kind, goal, u, control, i, -1, 0, rows, n, near, nn,
                    flags, 0.0, False, False, finals, spare, labels, points,
                )  # fmt: skip
                if p > 0 and _accept(models, units, limits, u, i, points, p, flags, moved, attempt > 0, start, labels):
                    moved += 1
                    continue
                # further from its own enemy model it could not end; contact elsewhere is looked for by the same search
            p = approach(
                models, units, nearby, corners, objectives, limits, targets, kind, goal, u, i, goal, 0, rows, n, near, nn,
                flags, start, points, best,
            )  # fmt: skip
            if p > 0 and _accept(models, units, limits, u, i, best, p, flags, moved, attempt > 0, start, labels):
                moved += 1
        if (
            unit_fault(models, units, blocks, corners, objectives, limits, targets, kind, marker, u, control, labels)
            == 0
        ):
            return moved
        put_back(models, rows, n, starts)
    return -1


@kernel
def _accept(
    models: Array, units: Array, limits: Array, u: int, i: int, points: Array, k: int, flags: Array, moved: int,
    guard: bool, start: Array, labels: Array,
) -> bool:  # fmt: skip
    """Move model ``i`` along its path; with ``guard`` only if the unit keeps its coherency."""
    keep_pose(models, i, start)
    take(models, i, points, k, flags, moved + 1)
    if guard and not is_coherent(models, units, limits, u, labels):
        set_pose(models, i, start[0], start[1], start[2], start[3])
        flags[i] = 0
        return False
    return True


@kernel
def pile_in_apply(
    models: Array, units: Array, blocks: Array, corners: Array, objectives: Array, limits: Array, targets: Array,
    u: int, order: Array, scratch: Array, marks: Array,
) -> int:  # fmt: skip
    """Pile in with unit ``u``; the number of models moved, -1 (and nobody moved) if it is not possible.

    Each model not in base contact with an enemy model moves into contact if it can, else as close as found to its
    closest enemy model. The unit ends engaged and in coherency. Rules w10.fight.pile-in*.
    """
    return _fight_move(
        models, units, blocks, corners, objectives, limits, targets, TO_ENEMY, -1, u, 0.0, order, scratch, marks
    )


@kernel
def consolidate_apply(
    models: Array, units: Array, blocks: Array, corners: Array, objectives: Array, limits: Array, targets: Array,
    u: int, to_marker: bool, control: float, order: Array, scratch: Array, marks: Array,
) -> int:  # fmt: skip
    """Consolidate with unit ``u``, towards enemies or the closest objective marker; models moved, -1 if not possible.

    Towards a marker (only allowed where the other way is not possible, w10.fight.consolidate.objective) each model ends
    closer to it and the unit within ``control`` inches of it: measured to the marker's edge, ``limits["marker"]``.
    """
    if not to_marker:
        return _fight_move(
            models, units, blocks, corners, objectives, limits, targets, TO_ENEMY, -1, u, 0.0, order, scratch, marks
        )
    marker = closest_marker(models, units, objectives, limits, u)
    if marker < 0:
        return -1
    return _fight_move(
        models, units, blocks, corners, objectives, limits, targets, TO_MARKER, marker, u, control, order, scratch, marks
    )  # fmt: skip


@kernel
def fight_move_possible(
    models: Array, units: Array, blocks: Array, corners: Array, objectives: Array, limits: Array, targets: Array,
    u: int, to_marker: bool, control: float, scratch: Array, marks: Array,
) -> int:  # fmt: skip
    """How many models ``consolidate_apply`` (``to_marker`` False: ``pile_in_apply`` too) would move, -1; nothing is moved."""
    moved = consolidate_apply(
        models, units, blocks, corners, objectives, limits, targets, u, to_marker, control, marks[:0], scratch, marks
    )
    if moved > 0:
        n = gather_unit(models, units, u, marks)
        put_back(models, marks, n, scratch[24 : 24 + 4 * len(models)])
    return moved


# ---- explicit moves


@kernel
def _check_melee(
    models: Array, units: Array, blocks: Array, corners: Array, objectives: Array, limits: Array, targets: Array,
    kind: int, marker: int, u: int, control: float, order: Array, k: int, paths: Array, counts: Array, scratch: Array, marks: Array,
) -> tuple[int, int]:  # fmt: skip
    total = len(models)
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
    if n == 0:
        return _NOT_IN_UNIT, -1
    most = 0.0
    for r in range(n):
        most = max(most, allowance(models, limits, rows[r]))
    nn, cx, cy, reach = _surroundings(models, limits, rows, n, most, near)
    nearby = near_blocks(blocks, cx, cy, reach)
    keep_poses(models, rows, n, starts)
    flags[:] = 0
    fault = 0
    who = -1
    for m in range(k):
        i = order[m]
        who = i
        if models[i]["unit"] != u or models[i]["on_table"] == 0 or flags[i] != 0:
            fault = _NOT_IN_UNIT
            break
        flags[i] = m + 1
        if counts[m] == 0:
            continue
        if touches_enemy(models, i):
            fault = _IN_CONTACT
            break
        goal = marker if kind == TO_MARKER else closest_goal(models, limits, targets, i, -2 if kind == CHARGE else -1)
        fault = check_path(models, units, nearby, corners, objectives, limits, targets, i, paths[m], counts[m])
        if fault != 0:
            break
        keep_pose(models, i, start)
        end = paths[m, counts[m] - 1]
        if goal < 0 or not closer(
            models, units, objectives, limits, targets, kind, goal, i, start, end[0], end[1], end[2], end[3]
        ):
            fault = _NOT_CLOSER
            break
        set_pose(models, i, end[0], end[1], end[2], end[3])
    if fault == 0:
        who = -1
        fault = unit_fault(
            models, units, blocks, corners, objectives, limits, targets, kind, marker, u, control, labels
        )
    if fault == 0:
        keep_poses(models, rows, n, finals)
        if kind == CHARGE:
            # who did not move must have had no way closer
            for r in range(n):
                i = rows[r]
                if touches_enemy(models, i) or _went(models, i, starts):
                    continue
                goal = closest_goal(models, limits, targets, i, -2)
                p = approach(
                    models, units, nearby, corners, objectives, limits, targets, kind, goal, u, i, goal, 0, rows, n, near, nn,
                    flags, start, points, best,
                )  # fmt: skip
                if p > 0:
                    take(models, i, best, p, flags, flags[i])
                    held = is_coherent(models, units, limits, u, labels)
                    put_back(models, rows, n, finals)
                    if held:
                        fault = _NOT_CLOSER
                        who = i
                        break
    if fault == 0 and kind != TO_MARKER:
        # who did not end in contact must not have been able to, with those before it moved and the others not yet
        put_back(models, rows, n, starts)
        for m in range(k):
            i = order[m]
            if counts[m] == 0:
                continue
            set_pose(models, i, finals[4 * i], finals[4 * i + 1], finals[4 * i + 2], finals[4 * i + 3])
            if touches_enemy(models, i):
                continue
            set_pose(models, i, starts[4 * i], starts[4 * i + 1], starts[4 * i + 2], starts[4 * i + 3])
            only = -2 if kind == CHARGE else -1
            goal = closest_goal(models, limits, targets, i, only)
            p = seek_contact(
                models, units, nearby, corners, objectives, limits, targets, kind, goal, u, control, i, only, 0, rows, n, near, nn,
                flags, 0.0, False, True, finals, spare, labels, points,
            )  # fmt: skip
            if p > 0:
                fault = _NOT_CONTACT
                who = i
                break
            set_pose(models, i, finals[4 * i], finals[4 * i + 1], finals[4 * i + 2], finals[4 * i + 3])
    put_back(models, rows, n, starts if fault != 0 else finals)
    return fault, who


@kernel
def _went(models: Array, i: int, starts: Array) -> bool:
    """True if model ``i`` stands elsewhere than it started."""
    m = models[i]
    dx = m["x"] - starts[4 * i]
    dy = m["y"] - starts[4 * i + 1]
    return bool(abs(dx) > 1e-9 or abs(dy) > 1e-9 or abs(m["z"] - starts[4 * i + 2]) > 1e-9)


@kernel
def check_charge(
    models: Array, units: Array, blocks: Array, corners: Array, objectives: Array, limits: Array, targets: Array,
    u: int, roll: float, order: Array, k: int, paths: Array, counts: Array, scratch: Array, marks: Array,
) -> tuple[int, int]:  # fmt: skip
    """Make the Charge move of unit ``u`` with these paths (see ``check_unit_move``); ``(Fault, model row)``, (0, -1) if legal.

    On a fault every model goes back. Rules w10.charge.condition.*, w10.charge.move.*. ``limits`` are set to ``roll``.
    """
    limits[0]["mode"] = SAME_FOR_ALL
    limits[0]["extra"] = roll
    return _check_melee(
        models, units, blocks, corners, objectives, limits, targets, CHARGE, -1, u, 0.0, order, k, paths, counts, scratch, marks
    )  # fmt: skip


@kernel
def check_pile_in(
    models: Array, units: Array, blocks: Array, corners: Array, objectives: Array, limits: Array, targets: Array,
    u: int, order: Array, k: int, paths: Array, counts: Array, scratch: Array, marks: Array,
) -> tuple[int, int]:  # fmt: skip
    """Make the Pile-in (or Consolidation towards enemies) of unit ``u`` with these paths; ``(Fault, model row)``.

    On a fault every model goes back. Models without a path stay. Rules w10.fight.pile-in*, w10.fight.consolidate.closer.
    """
    return _check_melee(
        models, units, blocks, corners, objectives, limits, targets, TO_ENEMY, -1, u, 0.0, order, k, paths, counts, scratch, marks
    )  # fmt: skip


@kernel
def check_consolidate(
    models: Array, units: Array, blocks: Array, corners: Array, objectives: Array, limits: Array, targets: Array,
    u: int, to_marker: bool, control: float, order: Array, k: int, paths: Array, counts: Array, scratch: Array, marks: Array,
) -> tuple[int, int]:  # fmt: skip
    """Make the Consolidation of unit ``u`` with these paths, towards enemies or the closest marker; ``(Fault, model row)``.

    On a fault every model goes back. Whether the unit may go for the marker at all is the caller's question
    (``fight_move_possible``). Rules w10.fight.consolidate*.
    """
    kind = TO_MARKER if to_marker else TO_ENEMY
    marker = closest_marker(models, units, objectives, limits, u) if to_marker else -1
    if to_marker and marker < 0:
        return _NOT_CLOSER, -1
    return _check_melee(
        models, units, blocks, corners, objectives, limits, targets, kind, marker, u, control, order, k, paths, counts, scratch, marks
    )  # fmt: skip
