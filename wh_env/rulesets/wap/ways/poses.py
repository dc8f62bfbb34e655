"""Poses of a block, the middle of its front edge and its facing: where it is after straight moves, wheels and turns
(wap.move.*).
"""

from __future__ import annotations

from math import cos, sin, tau

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.codes import TROOP_TYPES
from wh_env.rulesets.wap.ways.spans import front_edge, front_to_rear

Pose = tuple[float, float, float]  # middle of the front edge, facing
SAME = 1e-6  # radians between facings that are the same
CHARIOT = TROOP_TYPES.index("chariot")


def front_width(g: BattleCore, unit: int, files: int = 0) -> float:
    """Inches of its front edge, now or in so many files."""
    found: float = g.work.call(front_edge, g.units.rows, unit, files)
    return found


def depth_of(g: BattleCore, unit: int, files: int = 0) -> float:
    """Inches from its front edge to its rear."""
    found: float = g.work.call(front_to_rear, g.units.rows, unit, files)
    return found


def middle_of(g: BattleCore, unit: int, x: float, y: float, f: float, files: int = 0) -> tuple[float, float]:
    """The centre of the unit at a pose."""
    half = 0.5 * depth_of(g, unit, files)
    return x - half * cos(f), y - half * sin(f)


def block_at(x: float, y: float, f: float, deep: float) -> Pose:
    """The pose of a block with its centre at (x, y) that is ``deep`` inches deep."""
    return x + 0.5 * deep * cos(f), y + 0.5 * deep * sin(f), f


def wheeled_to(pose: Pose, width: float, side: float, angle: float) -> Pose:
    """The pose after a wheel about the front corner of a side: 1 the left, -1 the right one (wap.move.wheel.pivot)."""
    x, y, f = pose
    half, turned = 0.5 * side * width, f + side * angle
    return x - half * sin(f) + half * sin(turned), y + half * cos(f) - half * cos(turned), turned


def straight_on(pose: Pose, far: float) -> Pose:
    """The pose so many inches straight ahead, below 0 behind it."""
    x, y, f = pose
    return x + far * cos(f), y + far * sin(f), f


def turned_on_centre(g: BattleCore, unit: int, facing: float) -> Pose:
    """The pose of the unit after it has turned on its centre where it stands."""
    u = g.units
    cx, cy = middle_of(g, unit, u.x[unit], u.y[unit], u.facing[unit])
    return block_at(cx, cy, facing, depth_of(g, unit))


def turned_in(facing: float) -> float:
    """The same direction within a turn about 0, so that many wheels stay within the bounds of facings."""
    return facing - tau * round(facing / tau) if abs(facing) > tau else facing


def degrees(facing: float) -> int:
    """A direction for events and words: whole degrees, 0 .. 359."""
    return round(facing * 360.0 / tau) % 360


def lone(g: BattleCore, unit: int) -> bool:
    """Whether the unit is a single model that pivots freely; chariots do not (wap.move.single.pivot)."""
    return g.units.block[unit] == 1 and g.units.kind[unit] != CHARIOT
