"""Front, flanks and rear: four quarters of 90 degrees from the corners of a base or of a block (wap.core.facing.*)."""

from __future__ import annotations

from math import cos, sin

from wh_env.core.battle import BattleCore
from wh_env.core.kernel import kernel
from wh_env.rulesets.wap.codes import FRONT, LEFT, REAR, RIGHT


@kernel
def quarter_at(x: float, y: float, f: float, half_a: float, half_b: float, px: float, py: float) -> int:
    """In which quarter of a rectangle at this pose a point lies: FRONT, RIGHT, REAR or LEFT; on a ray it is the front or the rear."""
    dx = px - x
    dy = py - y
    ahead = cos(f) * dx + sin(f) * dy
    aside = cos(f) * dy - sin(f) * dx
    out = abs(aside) - half_b
    if ahead - half_a >= out:
        return FRONT
    if -ahead - half_a >= out:
        return REAR
    return LEFT if aside > 0.0 else RIGHT


def quarter_of(g: BattleCore, unit: int, x: float, y: float) -> int:
    """In which quarter of a unit a point lies: rays run from the corners of its formation, a short rear rank taken as a whole one."""
    u = g.units
    ranks = -(-u.block[unit] // max(1, u.files[unit]))
    half_a = ranks * u.base_a[unit] + 0.5 * max(0, ranks - 1) * u.spacing[unit]
    half_b = (
        u.files[unit] * u.base_b[unit] + 0.5 * max(0, u.files[unit] - 1) * u.spacing[unit] + 0.5 * abs(u.wider[unit])
    )
    f = u.facing[unit]
    return int(
        g.work.call(quarter_at, u.x[unit] - cos(f) * half_a, u.y[unit] - sin(f) * half_a, f, half_a, half_b, x, y)
    )
