"""The direction in which broken units flee from a combat (wap.pursuit.flee-direction, wap.multi.flee.direction)."""

from __future__ import annotations

from math import pi

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.flush import side_out
from wh_env.rulesets.wap.basics.contacts import foes_of, side_towards
from wh_env.rulesets.wap.basics.dice import chosen_at_random
from wh_env.rulesets.wap.basics.strength import unit_strength


def settle_direction(g: BattleCore, unit: int) -> None:
    """Note from which side of its block a broken unit will flee: the side of the strongest enemy in contact, a die
    deciding between equals.

    Call it while the unit still stands where it fought; ``direction_of_flight`` then knows the direction even after the
    unit is destroyed.
    """
    foes = foes_of(g, unit)
    if not foes:
        return
    most = max(unit_strength(g, foe) for foe in foes)
    strongest = [foe for foe in foes if unit_strength(g, foe) == most]
    foe = strongest[chosen_at_random(g, len(strongest)) if len(strongest) > 1 else 0]
    g.units.flees_from[unit] = side_towards(g, unit, foe)
    if g.recorder is not None and len(foes) > 1:
        g.note("wap.multi.flee.direction", "turns from the strongest", unit=unit, target=foe)


def direction_of_flight(g: BattleCore, unit: int) -> float:
    """The direction in radians in which a broken unit flees, has fled or would have fled: straight away from the side
    at which the enemy stood.
    """
    u = g.units
    if u.fleeing[unit] or u.flees_from[unit] < 0:  # its facing is the direction
        return u.facing[unit]
    return float(side_out(u.facing[unit], u.flees_from[unit]) + pi)
