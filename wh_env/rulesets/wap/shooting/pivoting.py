"""War machines turn towards what they fire at (wap.machine.fire.pivot)."""

from __future__ import annotations

from math import atan2, pi

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.blocks import set_block
from wh_env.rulesets.wap.basics.passage import ground_to_stand_in
from wh_env.rulesets.wap.basics.room import may_stand
from wh_env.rulesets.wap.shooting.machine_eyes import HALF_ARC
from wh_env.rulesets.wap.ways.poses import degrees, turned_in, turned_on_centre


def turn_needed(g: BattleCore, unit: int, x: float, y: float) -> float:
    """The angle in radians, to the left above 0, by which a machine has to turn on its middle to point at (x, y)."""
    m, k = g.models, g.units.first[unit]
    return (atan2(y - m.y[k], x - m.x[k]) - m.facing[k] + pi) % (2.0 * pi) - pi


def point_at(g: BattleCore, unit: int, x: float, y: float) -> None:
    """Turn a machine on its middle until it points at (x, y), which must lie in its front arc. That is no move. It
    stays as it stands if it would lie on another unit or on impassable ground.
    """
    u, setup, turn = g.units, g.setup, turn_needed(g, unit, x, y)
    facing = turned_in(u.facing[unit] + max(-HALF_ARC, min(HALF_ARC, turn)))
    pose = turned_on_centre(g, unit, facing)
    room = g.work.call(
        may_stand,
        g.troops,
        ground_to_stand_in(g, unit),
        setup.corners,
        setup.length,
        setup.width,
        unit,
        *pose,
        u.files[unit],
        0.0,
        g.work.block,
    )
    if not room:
        return
    set_block(g, unit, *pose, u.files[unit])
    if g.recorder is not None:
        g.note("wap.machine.fire.pivot", "turns to fire", unit=unit, facing=degrees(facing))
