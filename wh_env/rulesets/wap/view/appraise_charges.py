"""The worth of charges and of reactions to them."""

from __future__ import annotations

from functools import cache
from itertools import product
from math import ceil, cos, sin

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import EPS
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.blocks import distance
from wh_env.rulesets.wap.basics.declared_charges import charges_aloft, charges_of
from wh_env.rulesets.wap.characters.charging_out import as_if_out
from wh_env.rulesets.wap.charge.reach import sides_of_charge
from wh_env.rulesets.wap.panic.directions import back_to
from wh_env.rulesets.wap.special.stride import is_fast, is_swift, pace_of, ways_to_charge
from wh_env.rulesets.wap.view.appraise_combat import worth_left, worth_of_charge, worth_of_charges
from wh_env.rulesets.wap.ways.poses import depth_of, middle_of

FLIGHT = 7.0  # inches that a unit flees on average
EDGE = 2.0  # ... and inches that it may well go farther
SCATTERED = 0.4  # share of its cost that a unit is assumed to lose by fleeing
SHORT = 0.05  # ... by a charge that falls short
SPAN = 20  # inches that dice are added up to


@cache
def reaches(dice: int, best: int) -> tuple[float, ...]:
    """The chances that the ``best`` highest of ``dice`` D6 add up to at least n, for n from 0 to ``SPAN``."""
    scores = [sum(sorted(rolled)[-best:]) for rolled in product(range(1, 7), repeat=dice)]
    return tuple(sum(score >= n for score in scores) / len(scores) for n in range(SPAN + 1))


def chance_to_reach(g: BattleCore, unit: int, far: float) -> float:
    """The chance of a charge over ``far`` inches (wap.charge.distance, wap.special.swiftstride.fast, .slow). The unit
    moves as declared, else in the way that reaches farthest.
    """
    aloft = charges_aloft(g, unit) if charges_of(g, unit) else ways_to_charge(g, unit)[0]
    swift = is_swift(g, unit, aloft)
    odds = reaches(3 if swift and is_fast(g, unit, aloft) else 2, 2 if swift else 1)
    needed = far - pace_of(g, unit, aloft)
    return odds[max(0, ceil(needed - EPS))] if needed <= SPAN else 0.0


def worth_of_declaring(g: BattleCore, unit: int, target: int) -> float:
    """Points that a declared charge is worth, with its chance to fall short. A character that leaves its unit for it is
    judged as standing alone.
    """
    with as_if_out(g, unit):
        return worth_of_charging(g, unit, target)


def worth_of_charging(g: BattleCore, unit: int, target: int) -> float:
    """Points that a charge of a unit on the table is worth; see ``worth_of_declaring``."""
    p = chance_to_reach(g, unit, distance(g, unit, target))
    if p == 0.0:
        return -SHORT * worth_left(g, unit)
    sides = sides_of_charge(g, unit, target)
    gain = sum(worth_of_charges(g, unit, target, sides)) / max(1, len(sides))
    return p * gain - (1.0 - p) * SHORT * worth_left(g, unit)


def worth_of_holding(g: BattleCore, unit: int, charger: int, side: int) -> float:
    """Points that it is worth to await a charge; at most 0 unless the charger is expected to lose."""
    p = chance_to_reach(g, charger, distance(g, unit, charger))
    return -p * worth_of_charge(g, charger, unit, side)


def worth_of_fleeing(g: BattleCore, unit: int, charger: int) -> float:
    """Points that it is worth to flee from a charge. A unit that comes to an edge of the table counts as lost."""
    away, u = back_to(g, unit, charger), g.units
    x, y = middle_of(g, unit, u.x[unit], u.y[unit], u.facing[unit])
    far = FLIGHT + 0.5 * depth_of(g, unit) + EDGE
    x, y = x + far * cos(away), y + far * sin(away)
    if not (0.0 < x < g.setup.length and 0.0 < y < g.setup.width):
        return -worth_left(g, unit)
    caught = chance_to_reach(g, charger, distance(g, unit, charger) + FLIGHT)
    return -worth_left(g, unit) * (caught + SCATTERED * (1.0 - caught))


def own_slots(g: BattleCore, mask: Array) -> list[tuple[int, int]]:
    """The legal actions in the slots of own units, each with its unit."""
    space = g.setup.space
    first = g.players.first_unit[g.clock.player[0]]
    return [(int(space.own + slot), int(first + slot)) for slot in np.flatnonzero(mask[space.own : space.enemy])]


def enemy_slots(g: BattleCore, mask: Array) -> list[tuple[int, int]]:
    """The legal actions in the slots of enemy units, each with its unit."""
    space = g.setup.space
    first = g.players.first_unit[1 - g.clock.player[0]]
    return [(int(space.enemy + slot), int(first + slot)) for slot in np.flatnonzero(mask[space.enemy : space.cell])]
