"""Mixed units: beasts and the masters who drive them (wap.special.mixed-unit.*).

A master is a unit of one model in the middle of the last rank of the beasts (column ``drives``). It is attached to them
as a character is, but never leaves them, does not slow them and has none of their rules. Enemies in contact with a
master strike at it as at a character (wap.special.mixed-unit.combat). When the beasts are destroyed the masters remain
as a unit.
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.joined import joined_to

ENOUGH = 5  # Unit Strength of the beasts from which on shots hit the beasts alone


def is_master(g: BattleCore, unit: int) -> bool:
    """Whether a unit is a master that drives beasts."""
    return bool(g.units.drives[unit])


def masters_of(g: BattleCore, unit: int) -> list[int]:
    """The living masters that drive unit ``unit``."""
    return [row for row in joined_to(g, unit) if is_master(g, row)]


def may_hit_masters(g: BattleCore, unit: int) -> bool:
    """Whether shots at a mixed unit may hit its masters, because few beasts are left
    (wap.special.mixed-unit.shooting).
    """
    return bool(masters_of(g, unit)) and g.units.alive[unit] * g.units.each[unit] < ENOUGH
