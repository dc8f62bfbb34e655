"""How far units charge, flee and pursue: the dice, and what is made of them (wap.charge.distance, wap.pursuit.flee-roll, wap.special.swiftstride.*).

Who charges ``aloft`` has the number of its Fly rule for its Movement, and Swiftstride for this charge (wap.special.fly.charge).
"""

from __future__ import annotations

from typing import NamedTuple

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.profiles import movement_of
from wh_env.rulesets.wap.basics.special_rules import has, movement_dice, units_within
from wh_env.rulesets.wap.special.flying import can_fly, flight_of
from wh_env.rulesets.wap.special.light_troops import FEIGNS, FIRED
from wh_env.rulesets.wap.special.mixed_units import is_master

SWIFT_FROM = 4.0  # Movement below which Swiftstride is of no use (wap.special.swiftstride.minimum)
FAST_FROM = 7.0  # Movement from which it is of the better kind (wap.special.swiftstride.fast)
DIE = 6


class ChargeRoll(NamedTuple):
    """The dice of a charge, the inches that it reaches, and those that the unit goes if that is not enough."""

    dice: tuple[int, ...]
    reaches: float
    falls_short: float


def pace_of(g: BattleCore, unit: int, aloft: bool = False) -> float:
    """Inches that stand for its Movement, on the ground or in the air."""
    return flight_of(g, unit) if aloft else movement_of(g, unit)


def is_swift(g: BattleCore, unit: int, aloft: bool = False) -> bool:
    """Whether Swiftstride helps a unit: all its models have it and its Movement is not too low (wap.special.swiftstride.whole-unit, .minimum); dice in place
    of a Movement leave no room for it (wap.special.random-movement.dice)."""
    if aloft:
        return flight_of(g, unit) >= SWIFT_FROM
    if not has(g, unit, "Swiftstride") or movement_dice(g, unit) or movement_of(g, unit) < SWIFT_FROM:
        return False
    return all(has(g, kind, "Swiftstride") for kind in units_within(g, unit) if kind == unit or not is_master(g, kind))


def is_fast(g: BattleCore, unit: int, aloft: bool = False) -> bool:
    """Whether a swift unit is of the faster kind."""
    return pace_of(g, unit, aloft) >= FAST_FROM


def charge_roll(g: BattleCore, unit: int, aloft: bool = False) -> ChargeRoll:
    """Roll for a charge: Movement plus the highest of two dice (wap.charge.distance, .failed); swift units add both dice, or the two highest of three
    (wap.special.swiftstride.slow, .fast)."""
    swift = is_swift(g, unit, aloft)
    dice = tuple(g.d6() for _ in range(3 if swift and is_fast(g, unit, aloft) else 2))
    score = float(sum(sorted(dice)[-2:]) if swift else max(dice))
    return ChargeRoll(dice, pace_of(g, unit, aloft) + score, score)


def farthest_charge(g: BattleCore, unit: int, aloft: bool = False) -> float:
    """The most inches that a charge of the unit can reach (wap.charge.declare.impossible)."""
    return pace_of(g, unit, aloft) + DIE * (2.0 if is_swift(g, unit, aloft) else 1.0)


def ways_to_charge(g: BattleCore, unit: int) -> tuple[bool, ...]:
    """Whether a unit charges through the air: False, True, or both, the way that reaches farther first (wap.special.fly.charge)."""
    if not can_fly(g, unit):
        return (False,)
    return (True, False) if farthest_charge(g, unit, True) >= farthest_charge(g, unit) else (False, True)


def farthest_way(g: BattleCore, unit: int) -> float:
    """The most inches that a charge of the unit can reach on the ground or in the air."""
    return farthest_charge(g, unit, ways_to_charge(g, unit)[0])


def flight_roll(g: BattleCore, unit: int) -> int:
    """Roll how far a unit flees or pursues (wap.compulsory.flee.distance, wap.pursuit.flee-roll, .pursuit-roll): swift units roll three dice and add all
    of them, or the two highest where they are slow or the rules are played by the table of the rule (wap.special.swiftstride.fast, .slow); not who has fired first (wap.special.fast-cavalry.fire-and-flee)."""
    dice, fired = movement_dice(g, unit), g.units.fleeing[unit] and g.units.feigned[unit] == FIRED
    if fired:
        g.units.feigned[unit] = FEIGNS
    if dice or fired or not is_swift(g, unit):
        return g.roll(dice or g.setup.rules["flight_dice"])
    by_table, fast = g.setup.rules["swift_flight"] == "table", is_fast(g, unit)
    if by_table and not fast:
        return g.roll(g.setup.rules["flight_dice"])
    rolled = sorted(g.d6() for _ in range(3))
    return sum(rolled if fast and not by_table else rolled[-2:])
