"""How far units charge, flee and pursue: the dice, and how they are added (wap.charge.distance, wap.pursuit.flee-roll,
wap.special.swiftstride.*).

A unit that charges ``aloft`` (in flight) uses the number of its Fly rule as its Movement, and has Swiftstride for this
charge (wap.special.fly.charge).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.frozen import frozen
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import ON_TABLE, Array
from wh_env.rulesets.wap.basics.blocks import stands_in
from wh_env.rulesets.wap.basics.carried import show_givers
from wh_env.rulesets.wap.basics.profiles import find_movement, movement_of
from wh_env.rulesets.wap.basics.special_rules import find_dice, models_have, movement_dice, otherwise_ruled
from wh_env.rulesets.wap.rule_book import SWIFTSTRIDE
from wh_env.rulesets.wap.special.flying import can_fly, find_flight, flies_now, flight_of, flyers_now
from wh_env.rulesets.wap.special.light_troops import FEIGNS, FIRED

SWIFT_FROM = 4.0  # the least Movement with which Swiftstride helps (wap.special.swiftstride.minimum)
FAST_FROM = 7.0  # the least Movement of fast Swiftstride (wap.special.swiftstride.fast)
DIE = 6


class ChargeRoll(NamedTuple):
    """The dice of a charge, the inches that it reaches, and the inches that the unit goes if the charge fails."""

    dice: tuple[int, ...]
    reaches: float
    falls_short: float


def pace_of(g: BattleCore, unit: int, aloft: bool = False) -> float:
    """The unit's Movement in inches, on the ground or in flight."""
    return flight_of(g, unit) if aloft else movement_of(g, unit)


@inner_kernel
def strides_on_foot(
    models: Array, units: Array, lines: Array, profiles: Array, swift: Array, dice: Array, u: int
) -> bool:
    """``is_swift`` of unit ``u`` on the ground. ``swift``: by unit, whether it has Swiftstride. ``dice``: by
    unit, the dice that it has in place of a Movement.
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
    """``is_swift`` of unit ``u``."""
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
    """``farthest_charge`` of unit ``u``."""
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
    """``farthest_way`` of unit ``u``."""
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
    """Write to ``far`` (float64) ``farthest_way`` of the units from ``first`` on; -1 for those that are not on the
    table.
    """
    for k in range(len(far)):
        u = first + k
        far[k] = -1.0
        if units[u]["place"] == ON_TABLE:
            far[k] = find_farthest_way(models, units, lines, profiles, flyers, wings, swift, dice, u)


def what_strides(g: BattleCore) -> tuple[Array, Array, Array, Array, Array, Array, Array, Array]:
    """The first arguments of these kernels, from ``models`` to ``dice``."""
    s = g.setup.statics
    return (
        g.models.rows,
        g.units.rows,
        g.lines.rows,
        s["profiles"],
        flyers_now(g),
        s["wings"],
        swift_units(g),
        s["dice"],
    )


def swift_units(g: BattleCore) -> Array:
    """Whether each unit has Swiftstride now (bool): by its card, by the equipment that it has now, or by an effect, as
    nothing else gives it (wap.item.banner.banner-of-swiftness).
    """
    by_card: Array = g.setup.statics["swift"]
    if SWIFTSTRIDE not in g.setup.statics["of_effects"] and not otherwise_ruled(g):
        return by_card
    found = np.array([models_have(g, unit, SWIFTSTRIDE) for unit in range(len(by_card))], np.bool_)
    return frozen(found)


def is_swift(g: BattleCore, unit: int, aloft: bool = False) -> bool:
    """Whether Swiftstride helps a unit: all its models have it, and its Movement is not too low
    (wap.special.swiftstride.whole-unit, .minimum). It does not help a unit with dice in place of a Movement
    (wap.special.random-movement.dice).
    """
    found: bool = g.work.call(strides, *what_strides(g), unit, aloft)
    return found


def is_fast(g: BattleCore, unit: int, aloft: bool = False) -> bool:
    """Whether the unit's Movement is high enough for fast Swiftstride."""
    return pace_of(g, unit, aloft) >= FAST_FROM


def charge_roll(g: BattleCore, unit: int, aloft: bool = False) -> ChargeRoll:
    """Roll for a charge: Movement plus the higher of two D6 (wap.charge.distance, .failed). Swift units add both dice;
    fast ones add the two highest of three (wap.special.swiftstride.slow, .fast).
    """
    swift = is_swift(g, unit, aloft)
    if swift:
        show_givers(g, unit, SWIFTSTRIDE)
    dice = tuple(g.d6() for _ in range(3 if swift and is_fast(g, unit, aloft) else 2))
    score = float(sum(sorted(dice)[-2:]) if swift else max(dice))
    return ChargeRoll(dice, pace_of(g, unit, aloft) + score, score)


def farthest_charge(g: BattleCore, unit: int, aloft: bool = False) -> float:
    """The most inches that a charge of the unit can reach, on the ground or ``aloft``
    (wap.charge.declare.impossible).
    """
    found: float = g.work.call(find_farthest, *what_strides(g), unit, aloft)
    return found


def ways_to_charge(g: BattleCore, unit: int) -> tuple[bool, ...]:
    """The ways in which the unit can charge: False on the ground, True in flight. The one that reaches farther comes
    first (wap.special.fly.charge).
    """
    if not can_fly(g, unit):
        return (False,)
    return (True, False) if farthest_charge(g, unit, True) >= farthest_charge(g, unit) else (False, True)


def farthest_way(g: BattleCore, unit: int) -> float:
    """The most inches that a charge of the unit can reach, on the ground or in flight."""
    found: float = g.work.call(find_farthest_way, *what_strides(g), unit)
    return found


def farthest_ways(g: BattleCore, units: range) -> Array:
    """``farthest_way`` of each unit in ``units`` (float64); -1 for those that are not on the table."""
    far = np.empty(len(units))
    g.work.call(find_farthest_ways, *what_strides(g), units.start, far)
    return far


def flight_roll(g: BattleCore, unit: int) -> int:
    """Roll the inches that a unit flees or pursues (wap.compulsory.flee.distance, wap.pursuit.flee-roll,
    .pursuit-roll).

    Fast units roll three D6 and add all of them, slow swift ones the two highest. If the rules are played by the table
    of the rule, only fast units have three dice, and add the two highest (wap.special.swiftstride.fast, .slow). A unit
    that has fired before it flees rolls the usual dice (wap.special.fast-cavalry.fire-and-flee). A unit with dice in
    place of a Movement rolls these.
    """
    dice, fired = movement_dice(g, unit), g.units.fleeing[unit] and g.units.feigned[unit] == FIRED
    if fired:
        g.units.feigned[unit] = FEIGNS
    if dice or fired or not is_swift(g, unit):
        return g.roll(dice or g.setup.rules["flight_dice"])
    show_givers(g, unit, SWIFTSTRIDE)
    by_table, fast = g.setup.rules["swift_flight"] == "table", is_fast(g, unit)
    if by_table and not fast:
        return g.roll(g.setup.rules["flight_dice"])
    rolled = sorted(g.d6() for _ in range(3))
    return sum(rolled if fast and not by_table else rolled[-2:])
