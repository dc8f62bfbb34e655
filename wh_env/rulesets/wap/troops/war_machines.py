"""War machines: one model whose Wounds are its crew, with the Toughness of the machine against shots and that of the
crew against blows (wap.machine.profile, .crew.wounds, wap.troop.war-machine.*).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.profiles import lines_of
from wh_env.rulesets.wap.codes import WAR_MACHINE


def is_machine(g: BattleCore, unit: int) -> bool:
    """Whether a unit is a war machine."""
    return bool(g.units.kind[unit] == WAR_MACHINE)


def crew_left(g: BattleCore, unit: int) -> int:
    """The number of crew that a war machine has left (wap.machine.crew.wounds)."""
    left: int = g.models.wounds[g.units.first[unit]]
    return left


def chassis_line(g: BattleCore, unit: int) -> int:
    """The row in ``lines`` of the machine itself, of which only the Toughness counts (wap.machine.profile)."""
    return lines_of(g, unit)[-1]
