"""How far units charge, flee and pursue: the dice, and what is made of them (wap.charge.distance, wap.pursuit.flee-roll, wap.special.swiftstride.*)."""

from __future__ import annotations

from typing import NamedTuple

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.profiles import movement_of
from wh_env.rulesets.wap.basics.special_rules import movement_dice


class ChargeRoll(NamedTuple):
    """The dice of a charge, the inches that it reaches, and those that the unit goes if that is not enough."""

    dice: tuple[int, ...]
    reaches: float
    falls_short: float


def charge_roll(g: BattleCore, unit: int) -> ChargeRoll:
    """Roll for a charge: Movement plus the highest of two dice (wap.charge.distance, .failed)."""
    dice = (g.d6(), g.d6())
    return ChargeRoll(dice, movement_of(g, unit) + max(dice), float(max(dice)))


def farthest_charge(g: BattleCore, unit: int) -> float:
    """The most inches that a charge of the unit can reach (wap.charge.declare.impossible)."""
    return movement_of(g, unit) + 6.0


def flight_roll(g: BattleCore, unit: int) -> int:
    """Roll how far a unit flees or pursues (wap.compulsory.flee.distance, wap.pursuit.flee-roll, .pursuit-roll)."""
    return g.roll(movement_dice(g, unit) or g.setup.rules["flight_dice"])
