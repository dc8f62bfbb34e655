"""Mixed units: beasts and those who drive them (wap.special.mixed-unit.*).

A master is a unit of one model that stands in the middle of the last rank of the beasts (column ``drives``), attached
to them as a character is, but leaves them never, slows nobody, and has none of their rules. Enemies who touch him
strike at him as at a character (wap.special.mixed-unit.combat). Beasts that are gone leave their masters as a unit.
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.joined import joined_to

ENOUGH = 5  # Unit Strength of the beasts up from which shots hit them alone


def is_master(g: BattleCore, unit: int) -> bool:
    """Whether a unit is one of those who drive another one."""
    return bool(g.units.drives[unit])


def masters_of(g: BattleCore, unit: int) -> list[int]:
    """The living masters who drive a unit."""
    return [row for row in joined_to(g, unit) if is_master(g, row)]


def may_hit_masters(g: BattleCore, unit: int) -> bool:
    """Whether shots at a mixed unit may hit its masters: few of the beasts are left
    (wap.special.mixed-unit.shooting).
    """
    return bool(masters_of(g, unit)) and g.units.alive[unit] * g.units.each[unit] < ENOUGH
