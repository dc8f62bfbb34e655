"""Who is engaged in close combat."""

from __future__ import annotations

from math import hypot

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import SLACK
from wh_env.core.kernel import kernel
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.blocks import part_gap
from wh_env.rulesets.wap.tables import PARTS


@kernel
def touches_enemy(parts: Array, units: Array, u: int) -> bool:
    """Whether unit ``u`` touches an enemy unit, neither of them fleeing."""
    unit = units[u]
    if unit["fleeing"] == 1:
        return False
    for k in range(unit["first_part"], unit["first_part"] + PARTS):
        p = parts[k]
        if p["on_table"] == 0:
            continue
        for o in range(len(parts)):
            q = parts[o]
            if q["on_table"] == 0 or q["owner"] == unit["owner"] or units[q["unit"]]["fleeing"] == 1:
                continue
            if hypot(p["x"] - q["x"], p["y"] - q["y"]) <= p["radius"] + q["radius"] + SLACK and part_gap(p, q) <= SLACK:
                return True
    return False


def engaged(g: BattleCore, unit: int) -> bool:
    """Whether the unit is in close combat: it touches an enemy."""
    return bool(touches_enemy(g.parts.rows, g.units.rows, unit))
