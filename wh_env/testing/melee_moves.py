"""Judging Charge, Pile-in and Consolidation moves that are given model by model.

    fault = check_charge_move(battle, unit, [enemy], roll=7, paths={0: [(12.0, 10.0)], 1: [(12.0, 11.5), (13.0, 11.5)]})

``paths`` maps the number of a model in its unit (an attached Leader's models follow the Bodyguard's) to the points that
it moves through after its start: ``(x, y)``, ``(x, y, z)`` or ``(x, y, z, facing)``; height and facing not given stay
as they were. The models move in the order of the mapping, models without a path stay. The engine's own validators
judge; a legal move is made, after a fault every model stands where it stood.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import SupportsIndex

import numpy as np

from wh_env.content.battle import Battle
from wh_env.core.geometry.paths import Fault
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.fight.close_moves import TOWARDS_ENEMY, close_reach, consolidation, judge
from wh_env.rulesets.w40k.questions.engagements import forget_targets
from wh_env.rulesets.w40k.questions.move_limits import CHARGE, CONSOLIDATE, PILE_IN

Paths = Mapping[int, Sequence[Sequence[float]]]


def check_charge_move(
    battle: Battle, unit: SupportsIndex, targets: Iterable[SupportsIndex], roll: float, paths: Paths
) -> Fault:
    """Make the Charge move of ``unit`` at ``targets`` with these paths, or return its fault; ``roll`` in inches."""
    flags = np.zeros(len(battle.units.rows), np.int32)
    for target in targets:
        flags[target.__index__()] = 1
    return _judged(battle, unit.__index__(), CHARGE, TOWARDS_ENEMY, float(roll), flags, paths)


def check_pile_in_move(battle: Battle, unit: SupportsIndex, paths: Paths) -> Fault:
    """Make the Pile-in of ``unit`` with these paths, or return its fault."""
    nobody = battle.work.no_targets
    return _judged(battle, unit.__index__(), PILE_IN, TOWARDS_ENEMY, close_reach(battle, PILE_IN), nobody, paths)


def check_consolidation(battle: Battle, unit: SupportsIndex, paths: Paths) -> Fault:
    """Make the Consolidation of ``unit`` with these paths, or return its fault.

    It goes towards the closest enemies, or towards the closest objective marker if only that is possible.
    """
    row, nobody = unit.__index__(), battle.work.no_targets
    return _judged(
        battle, row, CONSOLIDATE, consolidation(battle, row), close_reach(battle, CONSOLIDATE), nobody, paths
    )


def _judged(battle: Battle, unit: int, kind: str, goal: int, reach: float, targets: Array, paths: Paths) -> Fault:
    order, points, counts = _written(battle, unit, paths)
    fault = Fault(judge(battle, unit, kind, goal, reach, targets, order, points, counts))
    if fault == Fault.LEGAL:
        forget_targets(battle)
    return fault


def _written(battle: Battle, unit: int, paths: Paths) -> tuple[Array, Array, Array]:
    """The models in the order of ``paths``, their points as an array, and the number of points of each."""
    u, m = battle.units, battle.models
    numbered = [
        k for row in (unit, u.leader[unit]) if row >= 0 for k in range(u.first[row], u.first[row] + u.count[row])
    ]
    longest = max((len(points) for points in paths.values()), default=0)
    given = np.zeros((len(paths), max(1, longest), 4))
    order = np.array([numbered[number] for number in paths], np.int32)
    for row, points in enumerate(paths.values()):
        z, facing = m.z[order[row]], m.facing[order[row]]
        for at, point in enumerate(points):
            z = point[2] if len(point) > 2 else z
            facing = point[3] if len(point) > 3 else facing
            given[row, at] = point[0], point[1], z, facing
    return order, given, np.array([len(points) for points in paths.values()], np.int32)
