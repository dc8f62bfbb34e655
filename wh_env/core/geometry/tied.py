"""Ends of moves towards the closest enemy model if several are equally close (concepts.measure.tied-closest)."""

from __future__ import annotations

from wh_env.core.geometry.melee_search import TO_ENEMY, closer, distance_at, is_goal
from wh_env.core.geometry.shapes import EPS
from wh_env.core.kernel import kernel
from wh_env.core.tables import Array


@kernel
def closer_to_one(
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
    """``melee_search.closer``; or, for a move towards the enemy in which no contact is demanded, closer to another
    enemy model that was as close as ``goal``.

    The rule lets the moving player choose one of the equally close models.
    """
    if closer(models, units, objectives, limits, targets, kind, goal, i, start, x, y, z, f):
        return True
    if kind != TO_ENEMY or limits[0]["need_contact"] != 0:
        return False
    nearest = distance_at(models, i, start[0], start[1], start[2], start[3], goal)
    for j in range(len(models)):
        if j != goal and is_goal(models, limits, targets, i, j, -1):
            before = distance_at(models, i, start[0], start[1], start[2], start[3], j)
            if before <= nearest + EPS and distance_at(models, i, x, y, z, f, j) < before - 1e-6:
                return True
    return False
