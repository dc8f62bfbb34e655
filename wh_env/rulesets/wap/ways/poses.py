"""Poses of a block, and where straight moves, wheels and turns bring it (wap.move.*). A pose is (x, y) of the middle of
the front edge in inches, and the facing in radians.
"""

from __future__ import annotations

from math import cos, sin, tau

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.contacts import is_one_model
from wh_env.rulesets.wap.codes import TROOP_TYPES
from wh_env.rulesets.wap.ways.spans import front_edge, front_to_rear

Pose = tuple[float, float, float]  # middle of the front edge, facing
SAME = 1e-6  # radians between facings that are the same
CHARIOT = TROOP_TYPES.index("chariot")


def front_width(g: BattleCore, unit: int, files: int = 0) -> float:
    """Inches of the unit's front edge, in ``files`` files; 0: in its present ones."""
    found: float = g.work.call(front_edge, g.units.rows, unit, files)
    return found


def depth_of(g: BattleCore, unit: int, files: int = 0) -> float:
    """Inches from the unit's front edge to its rear, in ``files`` files; 0: in its present ones."""
    found: float = g.work.call(front_to_rear, g.units.rows, unit, files)
    return found


def middle_of(g: BattleCore, unit: int, x: float, y: float, f: float, files: int = 0) -> tuple[float, float]:
    """(x, y) of the unit's centre at a pose, inches."""
    half = 0.5 * depth_of(g, unit, files)
    return x - half * cos(f), y - half * sin(f)


def block_at(x: float, y: float, f: float, deep: float) -> Pose:
    """The pose of a block ``deep`` inches deep whose centre is at (x, y)."""
    return x + 0.5 * deep * cos(f), y + 0.5 * deep * sin(f), f


def wheeled_to(pose: Pose, width: float, side: float, angle: float) -> Pose:
    """The pose after a wheel by ``angle`` radians about the left (``side`` 1) or right (-1) front corner
    (wap.move.wheel.pivot).
    """
    x, y, f = pose
    half, turned = 0.5 * side * width, f + side * angle
    return x - half * sin(f) + half * sin(turned), y + half * cos(f) - half * cos(turned), turned


def straight_on(pose: Pose, far: float) -> Pose:
    """The pose ``far`` inches straight ahead; below 0: behind."""
    x, y, f = pose
    return x + far * cos(f), y + far * sin(f), f


def turned_on_centre(g: BattleCore, unit: int, facing: float) -> Pose:
    """The pose of the unit after it has turned on its centre to ``facing``."""
    u = g.units
    cx, cy = middle_of(g, unit, u.x[unit], u.y[unit], u.facing[unit])
    return block_at(cx, cy, facing, depth_of(g, unit))


def turned_in(facing: float) -> float:
    """The facing (radians) with whole turns taken off if it is beyond one turn, so that facings stay in their bounds
    after many wheels.
    """
    return facing - tau * round(facing / tau) if abs(facing) > tau else facing


def degrees(facing: float) -> int:
    """A facing in whole degrees, 0 .. 359, for events and words."""
    return round(facing * 360.0 / tau) % 360


def lone(g: BattleCore, unit: int) -> bool:
    """Whether the unit is a single model that pivots freely; chariots do not (wap.move.single.pivot)."""
    return is_one_model(g, unit) and g.units.kind[unit] != CHARIOT
