"""Who can fly, and how far (wap.special.fly.move, .mixed). Whoever flies away from a fight or after an enemy does so on foot (wap.special.fly.flee-pursue):
flights and pursuits ask for nothing of this."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.kernel import kernel
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.blocks import stands_in
from wh_env.rulesets.wap.basics.profiles import own_movement, slowest_line
from wh_env.rulesets.wap.basics.special_rules import FLY, has, units_within


def is_flyer(g: BattleCore, unit: int) -> bool:
    """Whether the models of a unit have wings, whatever keeps them on the ground now."""
    return FLY in g.setup.statics["abilities"][unit]


def can_fly(g: BattleCore, unit: int) -> bool:
    """Whether a unit can fly now: all its models can (wap.special.fly.mixed)."""
    return has(g, unit, FLY) and all(has(g, row, FLY) for row in units_within(g, unit)[1:])


@kernel
def find_flight(models: Array, units: Array, lines: Array, profiles: Array, wings: Array, u: int) -> float:
    """Inches that the models of unit ``u``, and of the characters in it, fly: the number of their rule (``wings``), more or less by what changes their
    Movement (wap.special.fly.move); those of the slowest."""
    least = float("inf")
    for c in range(len(units)):
        if c == u or stands_in(units, c, u):
            changed = own_movement(models, units, lines, c) - profiles[slowest_line(models, units, lines, c)]["m"]
            least = min(least, max(0.0, wings[c] + changed))
    return float(least)


def flight_of(g: BattleCore, unit: int) -> float:
    """Inches that a unit flies in a normal move: those of the slowest in it; 0: it cannot fly."""
    if not can_fly(g, unit):
        return 0.0
    statics = g.setup.statics
    return find_flight(g.models.rows, g.units.rows, g.lines.rows, statics["profiles"], statics["wings"], unit)
