"""Edges of the table that count as impassable. The pieces of terrain for them lie outside the table, after all other
pieces (wap.scenario.pass.bottleneck.impassable).
"""

from __future__ import annotations

from typing import Any

from wh_env.core.battle import BattleCore
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.combined_unit import has
from wh_env.rulesets.wap.rule_book import ETHEREAL
from wh_env.rulesets.wap.special.flying import can_fly


def ground_for(g: BattleCore, unit: int) -> Array:
    """The pieces of terrain that may stop a unit which crosses an edge of the table. A unit that flies or is Ethereal
    is not stopped by pieces that stand for edges (wap.scenario.pass.bottleneck.entry, .pursuit).
    """
    statics: Any = g.setup.statics
    ground: Array = statics["ground"]
    inner: Array = statics["inner_ground"]
    if len(inner) == len(ground):
        return ground
    return inner if can_fly(g, unit) or has(g, unit, ETHEREAL) else ground
