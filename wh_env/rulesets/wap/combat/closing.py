"""Units that casualties have parted are brought together again (wap.combat.gap.after-casualties)."""

from __future__ import annotations

from math import cos, pi, sin

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.flush import overlap_of, side_out
from wh_env.core.kernel import kernel
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.blocks import set_block
from wh_env.rulesets.wap.basics.contacts import foes_of, hull_of, side_towards

NARROW = 1e-6  # inches: a gap that is none


@kernel
def gap_between(units: Array, u: int, o: int, side: int, other: int) -> float:
    """Inches between a side of a block and the side of another one that looks at it."""
    x, y, a, b = hull_of(units, u)
    ox, oy, oa, ob = hull_of(units, o)
    apart, _, _ = overlap_of(x, y, units[u]["facing"], a, b, side, ox, oy, units[o]["facing"], oa, ob, other)
    return float(apart)


def close_gaps(g: BattleCore, unit: int) -> None:
    """Move every enemy that the losses of a unit have left without contact straight up to it."""
    u = g.units
    if u.files[unit] == 0:
        return
    for foe in foes_of(g, unit):
        if u.files[foe] == 0:
            continue
        side, other = side_towards(g, unit, foe), side_towards(g, foe, unit)
        far = float(gap_between(u.rows, unit, foe, side, other))
        if not NARROW < far < g.setup.length + g.setup.width:
            continue
        way = side_out(u.facing[unit], side) + pi
        set_block(g, foe, u.x[foe] + far * cos(way), u.y[foe] + far * sin(way), u.facing[foe], u.files[foe])
        if g.recorder is not None:
            g.note("wap.combat.gap.after-casualties", "closes up", unit=foe, target=unit, far=round(far, 2))
