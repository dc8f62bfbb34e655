"""Pile-in and consolidation moves made for a whole unit; these and charges judged where a player made them model by model.

Charges are made in ``charge_moves``.

``limits`` say what such a move may do (a charge: ``engage_path`` and ``engage_end`` = ONLY_TARGETS; pile-in and
consolidation: ANYBODY and an allowance of 3"). ``targets`` (int32, one entry a unit) flags the charge targets.
Inches and radians. ``scratch`` and ``marks`` as ``scratch_sizes`` says. ``order``: rows of the models in the order in
which they move, the rest following by distance; no rows: all by distance.

The arrangements are built greedily, so in rare crowded positions one that exists is not found. "If it can end in base
contact it must" is judged by the search that builds them: what it cannot find is not asked for.
"""

from __future__ import annotations

from math import hypot

import numpy as np

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
    marker_distance,
    put_back,
    seek_contact,
    take,
    touches_enemy,
    unit_fault,
)
from wh_env.core.geometry.paths import SAME_FOR_ALL, Fault, allowance, check_path, is_coherent, limits_row, set_pose
from wh_env.core.geometry.rigid import gather_unit
from wh_env.core.geometry.shapes import EPS, SLACK, model_engaged_at
from wh_env.core.geometry.single import blocks_within, near_blocks, near_models
from wh_env.core.kernel import kernel
from wh_env.core.tables import Array

_NOT_COHERENT = int(Fault.NOT_COHERENT)
_NOT_CLOSER = int(Fault.NOT_CLOSER)
_NOT_CONTACT = int(Fault.NOT_CONTACT)
_IN_CONTACT = int(Fault.IN_CONTACT)
_NOT_IN_UNIT = int(Fault.NOT_IN_UNIT)


@kernel
def surroundings(
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


# ---- pile in, consolidate


@kernel
def _fight_move(
    models: Array, units: Array, blocks: Array, corners: Array, objectives: Array, limits: Array, targets: Array,
    kind: int, marker: int, u: int, control: float, order: Array, scratch: Array, marks: Array, ask: bool,
) -> int:  # fmt: skip
    """Move unit ``u`` towards its closest enemies or the marker; the number of models moved, -1 if it is not possible.

    ``ask``: nobody moves, and for any number of models 1 will do.
    """
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
    if ask and _out_of_reach(models, objectives, limits, rows, n, kind, marker, control, most):
        return -1
    nn, cx, cy, reach = surroundings(models, limits, rows, n, most, near)
    nearby = near_blocks(blocks, cx, cy, reach)
    own = np.empty_like(nearby)
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
            reach = allowance(models, limits, i) + m["radius"]
            nn = near_models(models, limits, m["x"], m["y"], reach, near)
            close = blocks_within(nearby, m["x"], m["y"], reach + 2.0 * EPS, own)
            p = 0
            if kind == TO_ENEMY:
                p = seek_contact(
                    models, units, close, corners, objectives, limits, targets, kind, goal, u, control, i, -1, 0, rows, n, near, nn,
                    flags, 0.0, False, False, finals, spare, labels, points,
                )  # fmt: skip
                if p > 0 and _accept(models, units, limits, u, i, points, p, flags, moved, attempt > 0, start, labels):
                    moved += 1
                    if (
                        ask
                        and whole
                        and _settled(
                            models, units, objectives, limits, kind, marker, u, control, i, attempt, moved, labels
                        )
                    ):
                        put_back(models, rows, n, starts)
                        return 1
                    continue
                # further from its own enemy model it could not end; contact elsewhere is looked for by the same search
            p = approach(
                models, units, close, corners, objectives, limits, targets, kind, goal, u, i, goal, 0, rows, n, near, nn,
                flags, start, points, best,
            )  # fmt: skip
            if p > 0 and _accept(models, units, limits, u, i, best, p, flags, moved, attempt > 0, start, labels):
                moved += 1
                if (
                    ask
                    and whole
                    and _settled(models, units, objectives, limits, kind, marker, u, control, i, attempt, moved, labels)
                ):
                    put_back(models, rows, n, starts)
                    return 1
        if (
            unit_fault(models, units, blocks, corners, objectives, limits, targets, kind, marker, u, control, labels)
            == 0
        ):
            if ask:
                put_back(models, rows, n, starts)
                return min(moved, 1)
            return moved
        put_back(models, rows, n, starts)
    return -1


@kernel
def _out_of_reach(
    models: Array, objectives: Array, limits: Array, rows: Array, n: int, kind: int, marker: int, control: float, most: float
) -> bool:  # fmt: skip
    """True if for sure no model of the unit, moving at most ``most`` inches, ends as near to an enemy model or the marker as
    some model must."""
    for k in range(n):
        m = models[rows[k]]
        if kind == TO_MARKER:
            away = marker_distance(models, objectives, limits, rows[k], m["x"], m["y"], m["facing"], marker)
            if away <= most + control + SLACK:
                return False
            continue
        reach = m["radius"] + most + limits[0]["engage"] + SLACK
        for j in range(len(models)):
            q = models[j]
            dx = q["x"] - m["x"]
            dy = q["y"] - m["y"]
            far = reach + q["radius"]
            if dx * dx + dy * dy <= far * far and q["on_table"] == 1 and q["owner"] != m["owner"]:
                return False
    return True


@kernel
def _settled(
    models: Array, units: Array, objectives: Array, limits: Array, kind: int, marker: int, u: int, control: float,
    i: int, attempt: int, moved: int, labels: Array,
) -> bool:  # fmt: skip
    """True if the move can be made for sure, now that ``i`` has moved: where coherency is guarded it only needs a model that
    ends near enough, as ``i`` does, and what the first model does unguarded it does guarded too, if the unit stays whole."""
    if attempt == 0 and (moved > 1 or not is_coherent(models, units, limits, u, labels)):
        return False
    m = models[i]
    if kind == TO_MARKER:
        away = marker_distance(models, objectives, limits, i, m["x"], m["y"], m["facing"], marker)
        return bool(abs(m["z"] - objectives[marker]["z"]) <= limits[0]["engage_z"] + EPS and away <= control + EPS)
    return model_engaged_at(
        models, i, m["x"], m["y"], m["z"], m["facing"], limits[0]["engage"], limits[0]["engage_z"]
    )  # fmt: skip


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
        models, units, blocks, corners, objectives, limits, targets, TO_ENEMY, -1, u, 0.0, order, scratch, marks, False
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
    return _consolidate(
        models, units, blocks, corners, objectives, limits, targets, u, to_marker, control, order, scratch, marks, False
    )


@kernel
def _consolidate(
    models: Array, units: Array, blocks: Array, corners: Array, objectives: Array, limits: Array, targets: Array,
    u: int, to_marker: bool, control: float, order: Array, scratch: Array, marks: Array, ask: bool,
) -> int:  # fmt: skip
    kind = TO_MARKER if to_marker else TO_ENEMY
    marker = closest_marker(models, units, objectives, limits, u) if to_marker else -1
    if to_marker and marker < 0:
        return -1
    return _fight_move(
        models, units, blocks, corners, objectives, limits, targets, kind, marker, u, control if to_marker else 0.0, order,
        scratch, marks, ask,
    )  # fmt: skip


@kernel
def fight_move_possible(
    models: Array, units: Array, blocks: Array, corners: Array, objectives: Array, limits: Array, targets: Array,
    u: int, to_marker: bool, control: float, scratch: Array, marks: Array,
) -> int:  # fmt: skip
    """What ``consolidate_apply`` (``to_marker`` False: ``pile_in_apply`` too) would say: 1 if it would move anybody, 0 if it is
    possible but nobody would move, -1 if it is not. Nothing is moved."""
    return _consolidate(
        models,
        units,
        blocks,
        corners,
        objectives,
        limits,
        targets,
        u,
        to_marker,
        control,
        marks[:0],
        scratch,
        marks,
        True,
    )


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
    nn, cx, cy, reach = surroundings(models, limits, rows, n, most, near)
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
        own = limits_row(limits, i)
        mine = limits[own : own + 1]
        fault = check_path(models, units, nearby, corners, objectives, mine, targets, i, paths[m], counts[m])
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
        if kind != TO_ENEMY:
            # who did not move must have had no way closer
            for r in range(n):
                i = rows[r]
                if touches_enemy(models, i) or _went(models, i, starts):
                    continue
                goal = marker if kind == TO_MARKER else closest_goal(models, limits, targets, i, -2)
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
    for r in range(len(limits)):
        limits[r]["mode"] = SAME_FOR_ALL
        limits[r]["extra"] = roll
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
