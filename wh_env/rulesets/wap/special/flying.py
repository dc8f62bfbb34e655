"""Who can fly, and how far (wap.special.fly.move, .mixed). Whoever flies away from a fight or after an enemy does so on
foot (wap.special.fly.flee-pursue): flights and pursuits ask for nothing of this.
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.kernel import kernel
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.blocks import stands_in
from wh_env.rulesets.wap.basics.profiles import own_movement, slowest_line
from wh_env.rulesets.wap.rule_book import BOOK, FLY

NO_FLIGHT = BOOK.lost_mask(FLY)  # of ``units.lost_rules``


def is_flyer(g: BattleCore, unit: int) -> bool:
    """Whether the models of a unit have wings, whatever keeps them on the ground now."""
    return FLY in g.setup.statics["abilities"][unit]


@kernel
def flies_now(units: Array, flyers: Array, u: int) -> bool:
    """``can_fly``; ``flyers``: by unit, whether the card says so."""
    for c in range(len(units)):
        if c == u or stands_in(units, c, u):
            if not flyers[c] or units[c]["lost_rules"] & NO_FLIGHT != 0:
                return False
    return True


@kernel
def find_flight(
    models: Array, units: Array, lines: Array, profiles: Array, flyers: Array, wings: Array, u: int
) -> float:
    """``flight_of``; ``profiles``: those of the army sheet, ``wings``: by unit, the number of its rule."""
    if not flies_now(units, flyers, u):
        return 0.0
    least = float("inf")
    for c in range(len(units)):
        if c == u or stands_in(units, c, u):
            changed = own_movement(models, units, lines, c) - profiles[slowest_line(models, units, lines, c)]["m"]
            least = min(least, max(0.0, wings[c] + changed))
    return float(least)


def can_fly(g: BattleCore, unit: int) -> bool:
    """Whether a unit can fly now: all its models can (wap.special.fly.mixed)."""
    found: bool = g.work.call(flies_now, g.units.rows, g.setup.statics["flyers"], unit)
    return found


def flight_of(g: BattleCore, unit: int) -> float:
    """Inches that a unit flies in a normal move: the number of the rule, more or less by what changes the Movement
    (wap.special.fly.move); those of the slowest in it; 0: it cannot fly.
    """
    s = g.setup.statics
    found: float = g.work.call(
        find_flight, g.models.rows, g.units.rows, g.lines.rows, s["profiles"], s["flyers"], s["wings"], unit
    )
    return found
