"""How far units charge, flee and pursue: the dice, and what is made of them (wap.charge.distance,
wap.pursuit.flee-roll, wap.special.swiftstride.*).

Who charges ``aloft`` has the number of its Fly rule for its Movement, and Swiftstride for this charge
(wap.special.fly.charge).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import ON_TABLE, Array
from wh_env.rulesets.wap.basics.blocks import stands_in
from wh_env.rulesets.wap.basics.profiles import find_movement, movement_of
from wh_env.rulesets.wap.basics.special_rules import find_dice, movement_dice
from wh_env.rulesets.wap.special.flying import can_fly, find_flight, flies_now, flight_of
from wh_env.rulesets.wap.special.light_troops import FEIGNS, FIRED

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


@inner_kernel
def strides_on_foot(
    models: Array, units: Array, lines: Array, profiles: Array, swift: Array, dice: Array, u: int
) -> bool:
    """``is_swift`` of a unit on the ground; ``swift`` and ``dice``: by unit, whether the card says so, and the dice
    that it has in place of a Movement.
    """
    if not swift[u] or find_dice(units, dice, u) > 0 or find_movement(models, units, lines, profiles, u) < SWIFT_FROM:
        return False
    for c in range(len(units)):
        if not swift[c] and units[c]["drives"] == 0 and stands_in(units, c, u):
            return False
    return True


@kernel
def strides(
    models: Array,
    units: Array,
    lines: Array,
    profiles: Array,
    flyers: Array,
    wings: Array,
    swift: Array,
    dice: Array,
    u: int,
    aloft: bool,
) -> bool:
    """``is_swift``."""
    if aloft:
        return find_flight(models, units, lines, profiles, flyers, wings, u) >= SWIFT_FROM
    return strides_on_foot(models, units, lines, profiles, swift, dice, u)


@kernel
def find_farthest(
    models: Array,
    units: Array,
    lines: Array,
    profiles: Array,
    flyers: Array,
    wings: Array,
    swift: Array,
    dice: Array,
    u: int,
    aloft: bool,
) -> float:
    """``farthest_charge``."""
    if aloft:
        pace = find_flight(models, units, lines, profiles, flyers, wings, u)
    else:
        pace = find_movement(models, units, lines, profiles, u)
    far = strides(models, units, lines, profiles, flyers, wings, swift, dice, u, aloft)
    return pace + DIE * (2.0 if far else 1.0)


@kernel
def find_farthest_way(
    models: Array,
    units: Array,
    lines: Array,
    profiles: Array,
    flyers: Array,
    wings: Array,
    swift: Array,
    dice: Array,
    u: int,
) -> float:
    """``farthest_way``."""
    far = find_farthest(models, units, lines, profiles, flyers, wings, swift, dice, u, False)
    if not flies_now(units, flyers, u):
        return far
    return max(far, find_farthest(models, units, lines, profiles, flyers, wings, swift, dice, u, True))


@kernel
def find_farthest_ways(
    models: Array,
    units: Array,
    lines: Array,
    profiles: Array,
    flyers: Array,
    wings: Array,
    swift: Array,
    dice: Array,
    first: int,
    far: Array,
) -> None:
    """Write to ``far`` ``farthest_way`` of the units from ``first`` on; -1 of those that do not stand on the table by
    themselves.
    """
    for k in range(len(far)):
        u = first + k
        far[k] = -1.0
        if units[u]["place"] == ON_TABLE and units[u]["out_of"] < 0:
            far[k] = find_farthest_way(models, units, lines, profiles, flyers, wings, swift, dice, u)


def what_strides(g: BattleCore) -> tuple[Array, Array, Array, Array, Array, Array, Array, Array]:
    """The first arguments of these kernels."""
    s = g.setup.statics
    return g.models.rows, g.units.rows, g.lines.rows, s["profiles"], s["flyers"], s["wings"], s["swift"], s["dice"]


def is_swift(g: BattleCore, unit: int, aloft: bool = False) -> bool:
    """Whether Swiftstride helps a unit: all its models have it and its Movement is not too low
    (wap.special.swiftstride.whole-unit, .minimum); dice in place of a Movement leave no room for it
    (wap.special.random-movement.dice).
    """
    found: bool = g.work.call(strides, *what_strides(g), unit, aloft)
    return found


def is_fast(g: BattleCore, unit: int, aloft: bool = False) -> bool:
    """Whether a swift unit is of the faster kind."""
    return pace_of(g, unit, aloft) >= FAST_FROM


def charge_roll(g: BattleCore, unit: int, aloft: bool = False) -> ChargeRoll:
    """Roll for a charge: Movement plus the highest of two dice (wap.charge.distance, .failed); swift units add both
    dice, or the two highest of three (wap.special.swiftstride.slow, .fast).
    """
    swift = is_swift(g, unit, aloft)
    dice = tuple(g.d6() for _ in range(3 if swift and is_fast(g, unit, aloft) else 2))
    score = float(sum(sorted(dice)[-2:]) if swift else max(dice))
    return ChargeRoll(dice, pace_of(g, unit, aloft) + score, score)


def farthest_charge(g: BattleCore, unit: int, aloft: bool = False) -> float:
    """The most inches that a charge of the unit can reach (wap.charge.declare.impossible)."""
    found: float = g.work.call(find_farthest, *what_strides(g), unit, aloft)
    return found


def ways_to_charge(g: BattleCore, unit: int) -> tuple[bool, ...]:
    """Whether a unit charges through the air: False, True, or both, the way that reaches farther first
    (wap.special.fly.charge).
    """
    if not can_fly(g, unit):
        return (False,)
    return (True, False) if farthest_charge(g, unit, True) >= farthest_charge(g, unit) else (False, True)


def farthest_way(g: BattleCore, unit: int) -> float:
    """The most inches that a charge of the unit can reach on the ground or in the air."""
    found: float = g.work.call(find_farthest_way, *what_strides(g), unit)
    return found


def farthest_ways(g: BattleCore, units: range) -> Array:
    """The same of some units that follow one another; -1 of those that do not stand on the table by themselves."""
    far = np.empty(len(units))
    g.work.call(find_farthest_ways, *what_strides(g), units.start, far)
    return far


def flight_roll(g: BattleCore, unit: int) -> int:
    """Roll how far a unit flees or pursues (wap.compulsory.flee.distance, wap.pursuit.flee-roll, .pursuit-roll): swift
    units roll three dice and add all of them, or the two highest where they are slow or the rules are played by the
    table of the rule (wap.special.swiftstride.fast, .slow); not who has fired first
    (wap.special.fast-cavalry.fire-and-flee).
    """
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
