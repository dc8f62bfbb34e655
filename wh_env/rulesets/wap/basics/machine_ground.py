"""Ground as war machines take it: all but open ground and hills is impassable to them, and a machine that was set up in
such ground only turns on the spot (wap.machine.terrain).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.room import in_rock
from wh_env.rulesets.wap.codes import WAR_MACHINE


def is_rooted(g: BattleCore, unit: int) -> bool:
    """Whether a unit is a war machine that stands in ground which it cannot enter, so that it may only turn."""
    statics = g.setup.statics
    closed: Array = statics["machine_ground"]
    if g.units.kind[unit] != WAR_MACHINE or closed is statics["ground"]:
        return False
    return bool(in_rock(g.parts.rows, g.units.rows, closed, g.setup.corners, unit))


def ground_for_moves(g: BattleCore, unit: int) -> Array:
    """The pieces of terrain as the moves of a unit meet them; a machine turns on the spot in any ground."""
    ground: Array = g.setup.statics["ground"]
    if g.units.kind[unit] != WAR_MACHINE or is_rooted(g, unit):
        return ground
    closed: Array = g.setup.statics["machine_ground"]
    return closed
