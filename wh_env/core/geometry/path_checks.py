"""The verdict on the whole path of a model, and on the paths of all models of a unit."""

from __future__ import annotations

from math import hypot, sqrt

from wh_env.core.geometry.legs import Pose, _leg_blocked, _leg_engages, leg_climb, turn_fault
from wh_env.core.geometry.paths import (
    _ALL,
    _NOT_COHERENT,
    _NOT_IN_UNIT,
    _OFF_TABLE,
    _TOO_FAR,
    DIAGONALLY,
    LEVEL,
    _end_fault,
    allowance,
    is_coherent,
    set_pose,
)
from wh_env.core.geometry.shapes import (
    EPS,
    inside_table_at,
)
from wh_env.core.geometry.sweeps import (
    farthest_part,
    turn_between,
)
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import CIRCLE, Array


@inner_kernel
def check_path_without_end(
    models: Array, blocks: Array, corners: Array, limits: Array, targets: Array, i: int, points: Array, n: int,
    rows: Array, listed: int, skip: int, climb1: float, height1: float,
) -> int:  # fmt: skip
    """``check_path`` without the end, only with the ``listed`` models of ``rows`` (-1: all), but not those of unit
    ``skip``.

    ``climb1``, ``height1``: what ``leg_climb`` says of the first leg, if the caller knows it; else ``climb1`` is below
    0.
    """
    lim, p = limits[0], models[i]
    x, y, h, f = p["x"], p["y"], p["z"], p["facing"]
    allowed = allowance(models, limits, i)
    level = lim["through_air"] == LEVEL
    air = level or (lim["through_air"] == DIAGONALLY and (h > EPS or points[n - 1, 2] > EPS))
    cost = 0.0
    for k in range(n):
        x1, y1, z1, f1 = points[k, 0], points[k, 1], points[k, 2], points[k, 3]
        bottom = h
        along = hypot(x1 - x, y1 - y)
        if p["shape"] != CIRCLE:
            angle = turn_between(f, f1)
            if angle > 1e-9:
                # all parts of the base travel the slides; the one farthest from the centre travels most on a turn
                cost += 0.0 if lim["by_ends"] == 1 else angle * p["radius"]
                fault = 0 if air else turn_fault(models, blocks, corners, limits, i, x, y, h, f, f1)
                if fault != 0:
                    return fault
        if air:
            cost += along if level else sqrt(along * along + (z1 - h) * (z1 - h))
            h = z1
        else:
            cost += along
            if cost > allowed + EPS:
                return _TOO_FAR
            climb, h = climb1, height1
            if k > 0 or climb1 < 0.0:
                climb, h = leg_climb(models, blocks, corners, limits, i, x, y, bottom, x1, y1, f1)
            cost += climb
            # heights are measured from the last climb, so that many small steps do not make a free climb
            if abs(z1 - h) > lim["low"]:
                cost += abs(z1 - h)
                h = z1
        if cost > allowed + EPS:
            return _TOO_FAR
        if lim["cross_edge"] == 0 and not inside_table_at(models, i, x1, y1, f1, lim["length"], lim["width"]):
            return _OFF_TABLE
        start, end = Pose(x, y, bottom, f), Pose(x1, y1, max(h, z1), f1)
        fault = _leg_blocked(models, limits, targets, i, start, end, rows, listed, skip)
        if fault == 0 and lim["engage_across"] > 0.0:
            fault = _leg_engages(models, blocks, corners, limits, targets, i, start, end, rows, listed, skip)
        if fault != 0:
            return fault
        x, y, f = x1, y1, f1
    if lim["by_ends"] == 1 and p["shape"] != CIRCLE:
        along = farthest_part(models, i, x - p["x"], y - p["y"], p["facing"], f)
        high = 0.0 if level else h - p["z"]
        if along * along + high * high > (allowed + EPS) * (allowed + EPS):
            return _TOO_FAR
    return 0


@inner_kernel
def _check_path(
    models: Array,
    blocks: Array,
    corners: Array,
    objectives: Array,
    limits: Array,
    targets: Array,
    i: int,
    points: Array,
    n: int,
    rows: Array,
    listed: int,
    skip: int,
) -> int:
    """``check_path`` with at least one point, only with the ``listed`` models of ``rows`` (-1: all), but not those of
    unit ``skip``.
    """
    fault = check_path_without_end(
        models, blocks, corners, limits, targets, i, points, n, rows, listed, skip, -1.0, 0.0
    )
    if fault != 0:
        return fault
    end = points[n - 1]
    return _end_fault(
        models, blocks, corners, objectives, limits, targets, i, end[0], end[1], end[2], end[3], rows, listed, skip
    )


@inner_kernel
def check_path(
    models: Array,
    units: Array,
    blocks: Array,
    corners: Array,
    objectives: Array,
    limits: Array,
    targets: Array,
    i: int,
    points: Array,
    n: int,
) -> int:
    """The ``Fault`` of model ``i`` moving along the first ``n`` of ``points`` (float64, n x 4: x, y, z, facing); 0 if
    it is legal.

    It judges the whole path: the distance of the part of the base that travels farthest (move.models.distance), the
    table edge, other models and engagement on the way, and the end. It does not judge coherency, which is a matter of
    units. A path without points is no move and legal.
    """
    if n == 0:
        return 0
    return _check_path(models, blocks, corners, objectives, limits, targets, i, points, n, targets, _ALL, -1)


@inner_kernel
def save_poses(models: Array, rows: Array, n: int, scratch: Array) -> None:
    """Copy the poses of the ``n`` models of ``rows`` to the first ``4 * n`` floats of ``scratch``."""
    for k in range(n):
        m = models[rows[k]]
        scratch[4 * k] = m["x"]
        scratch[4 * k + 1] = m["y"]
        scratch[4 * k + 2] = m["z"]
        scratch[4 * k + 3] = m["facing"]


@inner_kernel
def restore_poses(models: Array, rows: Array, n: int, scratch: Array) -> None:
    """Put the ``n`` models of ``rows`` back to the poses that ``save_poses`` copied."""
    for k in range(n):
        set_pose(models, rows[k], scratch[4 * k], scratch[4 * k + 1], scratch[4 * k + 2], scratch[4 * k + 3])


@kernel
def check_unit_move(
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
    """Move the ``k`` models of ``order`` (rows of unit ``u``) one after another along their paths. Returns the
    ``Fault`` and the row of the model; (0, -1) if all is legal.

    Each path is judged with the models before it already moved; then the unit must be in coherency
    (concepts.coherency.move). On a fault every model goes back to where it stood.

    Args:
        paths: float64, k x points x 4. counts: points of each path. scratch: at least 4 * k floats. marks: int32, as
            long as ``models``.
    """
    save_poses(models, order, k, scratch)
    for n in range(k):
        i = order[n]
        fault = _NOT_IN_UNIT
        if models[i]["unit"] == u and models[i]["on_table"] == 1:
            fault = check_path(models, units, blocks, corners, objectives, limits, targets, i, paths[n], counts[n])
        if fault != 0:
            restore_poses(models, order, n, scratch)
            return fault, i
        if counts[n] > 0:
            end = paths[n, counts[n] - 1]
            set_pose(models, i, end[0], end[1], end[2], end[3])
    if not is_coherent(models, units, limits, u, marks):
        restore_poses(models, order, k, scratch)
        return _NOT_COHERENT, -1
    return 0, -1
