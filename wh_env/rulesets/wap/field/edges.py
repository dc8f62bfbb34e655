"""Edges of the table that count as impassable. The pieces of terrain for them lie outside the table, after all other
pieces (wap.scenario.pass.bottleneck.impassable).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.passage import ground_to_come_onto, passes_all_ground
from wh_env.rulesets.wap.special.flying import can_fly


def ground_for(g: BattleCore, unit: int) -> Array:
    """The pieces of terrain that may stop a unit which crosses an edge of the table. A unit that flies or is Ethereal
    is not stopped by pieces that stand for edges (wap.scenario.pass.bottleneck.entry, .pursuit).
    """
    ground, inner = ground_to_come_onto(g, unit), len(g.setup.statics["inner_ground"])
    if inner == len(ground):
        return ground
    return ground[:inner] if can_fly(g, unit) or passes_all_ground(g, unit) else ground
