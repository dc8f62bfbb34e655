"""Straight moves and wheels in three manners: on the ground, through the air, and through impassable ground in which a
move may not end (wap.special.fly.move, wap.special.ethereal.movement).

A ``Way`` has the obstacles that matter only where a move ends behind all others, marked ``ENDS_MARK``.
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.near import Way
from wh_env.core.tables import Array
from wh_env.rulesets.wap.ways.aloft import landing_along, wheels_aloft
from wh_env.rulesets.wap.ways.poses import Pose, wheeled_to
from wh_env.rulesets.wap.ways.ways import ENDS_MARK, LEAST, may_end, straight_limit, wheel_ends

AHEAD = (1.0, 0.0)


def on_the_way(way: Way, *, aloft: bool = False) -> Way:
    """The obstacles of ``way`` that bar the way itself; to a flyer none does."""
    near, n = way.near, 0 if aloft else way.n
    while n > 0 and near["mark"][n - 1] == ENDS_MARK:
        n -= 1
    return Way(near, way.points, n, way.body, way.rows)


def leads_through(way: Way) -> bool:
    """Whether there are obstacles that matter only where a move ends."""
    return way.n > 0 and bool(way.near["mark"][way.n - 1] == ENDS_MARK)


def farthest_end(
    g: BattleCore, way: Way, pose: Pose, direction: tuple[float, float], most: float, *, aloft: bool = False
) -> float:
    """Inches, up to ``most``, to the farthest place straight on where a unit may end; below 0: it may end nowhere.
    ``direction``: ahead and to the left, as ``straight_limit`` takes it.
    """
    size = (g.setup.length, g.setup.width)
    through = not aloft and leads_through(way)
    if not aloft:
        most = float(
            g.work.call(straight_limit, on_the_way(way) if through else way, *pose, *direction, float(most), *size)
        )
    if aloft or through:
        most = float(g.work.call(landing_along, way, *pose, *direction, float(most), *size))
    return most


def mark_wheels(
    g: BattleCore, way: Way, pose: Pose, front: float, side: float, left: float, step: float, going_on: bool,
    mask: Array, *, aloft: bool = False,
) -> float:  # fmt: skip
    """Mark in ``mask`` the wheels to one side that a unit can make (``ways.wheel_ends``). Returns the greatest angle,
    radians.
    """
    through, size = not aloft and leads_through(way), (g.setup.length, g.setup.width)
    bars = on_the_way(way) if through else way
    limit = float(
        g.work.call(wheels_aloft if aloft else wheel_ends, bars, *pose, front, side, left, step, going_on, *size, mask)
    )
    if not through:
        return limit
    for slot in mask.nonzero()[0].tolist():
        angle = limit if slot == len(mask) - 1 else (slot + 1) * step
        turned = wheeled_to(pose, front, side, angle)
        mask[slot] = bool(g.work.call(may_end, way, *turned, *size)) or (
            going_on and farthest_end(g, way, turned, AHEAD, left - front * angle) > LEAST
        )
    return limit
