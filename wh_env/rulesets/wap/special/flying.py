"""Which units can fly, and how far (wap.special.fly.move, .mixed). Units flee and pursue on foot even if they can fly
(wap.special.fly.flee-pursue), so those rules do not use this module.
"""

from __future__ import annotations

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.frozen import frozen
from wh_env.core.kernel import kernel
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.blocks import stands_in
from wh_env.rulesets.wap.basics.effects import rows_with_power
from wh_env.rulesets.wap.basics.powers import GroundsAll
from wh_env.rulesets.wap.basics.profiles import change_with_host, host_of_row, own_movement, slowest_line
from wh_env.rulesets.wap.basics.special_rules import otherwise_ruled, own_rules
from wh_env.rulesets.wap.rule_book import BOOK, FLY

NO_FLIGHT = BOOK.lost_mask(FLY)  # the bits of ``units.lost_rules`` that take Fly away


def is_grounded(g: BattleCore) -> bool:
    """Whether nobody on the table flies now (wap.item.enchanted.orb-of-thunder)."""
    return bool(rows_with_power(g, GroundsAll))


def flyers_now(g: BattleCore) -> Array:
    """Whether each unit may use Fly, as far as its card, the equipment that it has now and what acts on all flyers say
    (bool).
    """
    flyers: Array = g.setup.statics["flyers"]
    if is_grounded(g):
        return frozen(np.zeros_like(flyers))
    others = otherwise_ruled(g)
    if not others:
        return flyers
    found = flyers.copy()
    found[others] = [is_flyer(g, unit) for unit in others]
    return frozen(found)


def is_flyer(g: BattleCore, unit: int) -> bool:
    """Whether a unit has Fly by its card or its equipment, even if something keeps it on the ground now."""
    return FLY in own_rules(g, unit)


@kernel
def flies_now(units: Array, flyers: Array, u: int) -> bool:
    """``can_fly`` of unit ``u``. ``flyers``: by unit, whether its card has Fly."""
    for c in range(len(units)):
        if c == u or stands_in(units, c, u):
            if not flyers[c] or units[c]["lost_rules"] & NO_FLIGHT != 0:
                return False
    return True


@kernel
def find_flight(
    models: Array, units: Array, lines: Array, profiles: Array, flyers: Array, wings: Array, u: int
) -> float:
    """``flight_of`` unit ``u``. ``profiles``: of the army list. ``wings``: by unit, the number of its Fly rule,
    inches.
    """
    if not flies_now(units, flyers, u):
        return 0.0
    least = float("inf")
    for c in range(len(units)):
        if c == u or stands_in(units, c, u):
            changed = own_movement(models, units, lines, c) - profiles[slowest_line(models, units, lines, c)]["m"]
            host = u if c != u else host_of_row(units, u)
            if host >= 0:
                changed += change_with_host(units, lines, profiles, c, host)
            least = min(least, max(0.0, wings[c] + changed))
    return float(least)


def can_fly(g: BattleCore, unit: int) -> bool:
    """Whether a unit can fly now: it can if all models in it can (wap.special.fly.mixed)."""
    found: bool = g.work.call(flies_now, g.units.rows, flyers_now(g), unit)
    return found


def flight_of(g: BattleCore, unit: int) -> float:
    """Inches that a unit flies in a normal move; 0: it cannot fly. This is the number of its Fly rule, changed by all
    that changes its Movement, of the slowest in the unit (wap.special.fly.move).
    """
    s = g.setup.statics
    found: float = g.work.call(
        find_flight, g.models.rows, g.units.rows, g.lines.rows, s["profiles"], flyers_now(g), s["wings"], unit
    )
    return found
