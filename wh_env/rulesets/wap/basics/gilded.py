"""Units turned to gold, whose sight dazzles those near them (wap.lore.metal.final-transmutation.gold-fever)."""

from __future__ import annotations

from math import cos, hypot, inf, sin

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import EPS
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.blocks import distance
from wh_env.rulesets.wap.basics.contacts import block_of
from wh_env.rulesets.wap.tables import PARTS

DAZZLED = 12.0  # inches


def gap_to_place(g: BattleCore, unit: int, x: float, y: float) -> float:
    """Inches between a unit on the table and a point."""
    p, best = g.parts, inf
    for k in range(g.units.first_part[unit], g.units.first_part[unit] + PARTS):
        if p.on_table[k]:
            c, s = cos(p.facing[k]), sin(p.facing[k])
            ahead = abs(c * (x - p.x[k]) + s * (y - p.y[k])) - p.half_a[k]
            aside = abs(c * (y - p.y[k]) - s * (x - p.x[k])) - p.half_b[k]
            best = min(best, hypot(max(0.0, ahead), max(0.0, aside)))
    return best


def is_dazzled(g: BattleCore, unit: int) -> bool:
    """Whether a unit is within 12" of one of its side that was turned to gold, or is that unit. Of one that is
    destroyed the place counts where the middle of its front was last.
    """
    if not g.setup.statics["spells"]:
        return False
    u = g.units
    for other in g.units_of(u.owner[unit]):
        if g.wizards.gilded[other]:
            block = block_of(g, other)
            there = u.place[block] == ON_TABLE
            gap = distance(g, unit, block) if there else gap_to_place(g, unit, u.x[other], u.y[other])
            if block == unit or gap <= DAZZLED + EPS:
                return True
    return False


def may_dazzle(g: BattleCore) -> bool:
    """A quick look whether any unit was turned to gold."""
    return bool(g.setup.statics["spells"]) and any(g.wizards.gilded.tolist())
