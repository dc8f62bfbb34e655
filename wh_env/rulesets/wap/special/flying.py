"""Who can fly, and how far (wap.special.fly.move, .mixed). Whoever flies away from a fight or after an enemy does so on foot (wap.special.fly.flee-pursue):
flights and pursuits ask for nothing of this."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.profiles import own_movement, slowest_line
from wh_env.rulesets.wap.basics.special_rules import FLY, has, units_within


def is_flyer(g: BattleCore, unit: int) -> bool:
    """Whether the models of a unit have wings, whatever keeps them on the ground now."""
    return FLY in g.setup.statics["abilities"][unit]


def can_fly(g: BattleCore, unit: int) -> bool:
    """Whether a unit can fly now: all its models can (wap.special.fly.mixed)."""
    return all(has(g, row, FLY) for row in units_within(g, unit))


def own_flight(g: BattleCore, unit: int) -> float:
    """Inches that the models of a unit fly: the number of their rule, more or less by what changes their Movement (wap.special.fly.move)."""
    line = slowest_line(g, unit)
    changed = own_movement(g, unit) - float(g.setup.statics["profiles"][line]["m"])
    return max(0.0, float(g.setup.statics["wings"][unit]) + changed)


def flight_of(g: BattleCore, unit: int) -> float:
    """Inches that a unit flies in a normal move: those of the slowest in it; 0: it cannot fly."""
    return min(own_flight(g, row) for row in units_within(g, unit)) if can_fly(g, unit) else 0.0
