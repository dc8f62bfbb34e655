"""The worth of places to a regiment: the charges that it could make from there, and those that enemies could make on
it, by side.
"""

from __future__ import annotations

from math import cos, pi, sin

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.tables import ON_TABLE, Array
from wh_env.rulesets.wap.basics.effects import rows_in_use
from wh_env.rulesets.wap.basics.joined import joined_to
from wh_env.rulesets.wap.basics.profiles import movement_of
from wh_env.rulesets.wap.codes import FRONT, LEFT, REAR, RIGHT
from wh_env.rulesets.wap.special.flying import flight_of
from wh_env.rulesets.wap.special.stride import farthest_way
from wh_env.rulesets.wap.view.appraise_combat import worth_of_charges
from wh_env.rulesets.wap.ways.poses import depth_of, front_width

FALTER = 3.0  # inches by which a charge usually falls short of the farthest one
LATER = 0.75  # share of its worth that a charge keeps for each turn's march needed before it
DANGER = 0.6  # weight of the charges that enemies may make
OFF = 0.15  # share of a charge's worth to a unit that faces away from the enemy
SIDES = (FRONT, RIGHT, REAR, LEFT)
QUARTER = 0.25 * pi
KEPT = 12_500  # the greatest number of pairs of units whose values are cached
Key = tuple[int, ...]


class Standing:
    """The units on the table as they stand now, and the worth of charges between them.

    Attributes:
        x, y: their centres, inches. half: half the mean of width and depth.
        reach: inches of a charge that succeeds more often than not. walk: inches of a march.
    """

    def __init__(self, g: BattleCore, known: dict[Key, list[float]]) -> None:
        u = g.units
        self.g, self.known = g, known
        there = [unit for unit in range(len(u.owner)) if u.place[unit] == ON_TABLE]
        self.units = there
        count = len(u.owner)
        self.x, self.y, self.half, self.reach, self.walk = (np.zeros(count) for _ in range(5))
        for unit in there:
            deep, wide = depth_of(g, unit), front_width(g, unit)
            self.x[unit] = u.x[unit] - 0.5 * deep * cos(u.facing[unit])
            self.y[unit] = u.y[unit] - 0.5 * deep * sin(u.facing[unit])
            self.half[unit] = 0.25 * (deep + wide)
            self.reach[unit] = farthest_way(g, unit) - FALTER
            self.walk[unit] = 2.0 * max(movement_of(g, unit), flight_of(g, unit))
        self.worth: dict[tuple[int, int], list[float]] = {}

    def enemies(self, unit: int) -> list[int]:
        """Enemy units on the table."""
        owner = self.g.units.owner
        return [other for other in self.units if owner[other] != owner[unit]]

    def charge(self, unit: int, target: int) -> list[float]:
        """Points that a charge of a unit on another one is worth, for each of its sides: front, right, rear, left."""
        found = self.worth.get((unit, target))
        if found is None:
            key = (*state_of(self.g, unit), *state_of(self.g, target))
            found = self.known.get(key)
            if found is None:
                if len(self.known) >= KEPT:
                    self.known.clear()
                found = self.known[key] = worth_of_charges(self.g, unit, target, SIDES)
            self.worth[unit, target] = found
        return found


def state_of(g: BattleCore, unit: int) -> Key:
    """All of a unit's state on which a round of close combat depends, with the rows of characters in it, their rules
    and weapons.
    """
    u = g.units
    fresh = u.rounds[unit] == 0
    rules = (u.lost_rules[unit], u.gained_rules[unit], u.fresh_rules[unit], u.stupid[unit], u.chilled[unit])
    effects = (value for k in rows_in_use(g) for value in (g.effects.effect[k], g.effects.unit[k]))
    own = (
        unit,
        u.alive[unit],
        u.files[unit],
        u.fleeing[unit],
        u.charging[unit],
        fresh,
        u.weapon[unit],
        *rules,
        *effects,
    )
    if u.us[unit] == u.alive[unit] * u.each[unit]:  # no character is in it
        return own
    columns = (u.lost_rules, u.gained_rules, u.fresh_rules, u.chilled, u.weapon, u.cowers)
    joined = ((row, *(column[row] for column in columns)) for row in joined_to(g, unit))
    return (*own, -1, *(value for values in joined for value in values))


def quarters(x: float, y: float, f: float, px: Array, py: Array) -> Array:
    """The quarter of a block with this centre and facing in which each point lies, seen from the centre."""
    angle = np.arctan2(py - y, px - x) - f
    turned = np.mod(angle + QUARTER, 2.0 * pi) // (0.5 * pi)
    return np.asarray(np.array([FRONT, LEFT, REAR, RIGHT])[turned.astype(int) % 4])


def sides_at(x: Array | float, y: Array | float, f: Array | float, px: float, py: float) -> Array:
    """The quarter of each pose (centre and facing, radians) in which one point lies."""
    angle = np.arctan2(py - y, px - x) - f
    turned = np.mod(angle + QUARTER, 2.0 * pi) // (0.5 * pi)
    return np.asarray(np.array([FRONT, LEFT, REAR, RIGHT])[turned.astype(int) % 4])


def place_values(now: Standing, unit: int, xs: Array, ys: Array, fs: Array) -> Array:
    """The worth to a unit of standing at each pose, in points; arguments as for ``prospects_at``."""
    gain, danger = prospects_at(now, unit, xs, ys, fs)
    return np.asarray(gain - DANGER * danger)


def prospects_at(now: Standing, unit: int, xs: Array, ys: Array, fs: Array) -> tuple[Array, Array]:
    """The worth of the best charge that a unit could make from each pose, and of the worst that could be made on it
    there, in points.

    Args:
        now: the units as they stand.
        unit: the unit that is to stand there.
        xs, ys, fs: float64, shape (n,): its middle (inches) and facing (radians) in each pose.
    """
    g = now.g
    gain, danger = np.zeros(len(xs)), np.zeros(len(xs))
    for enemy in now.enemies(unit):
        ex, ey, ef = now.x[enemy], now.y[enemy], g.units.facing[enemy]
        apart = np.maximum(0.0, np.hypot(xs - ex, ys - ey) - now.half[enemy] - now.half[unit])
        ahead = sides_at(xs, ys, fs, ex, ey)
        offers = np.array(now.charge(unit, enemy))[quarters(ex, ey, ef, xs, ys)]
        turns = np.maximum(0.0, apart - now.reach[unit]) / max(1.0, now.walk[unit])
        near = LATER ** (turns + (turns > 0.0))
        gain = np.maximum(
            gain, np.maximum(offers, 0.05 * g.units.points[enemy]) * near * np.where(ahead == FRONT, 1.0, OFF)
        )
        if g.units.fleeing[enemy]:
            continue
        threat = np.array(now.charge(enemy, unit))[ahead]
        sees = quarters(ex, ey, ef, xs, ys) == FRONT
        danger = np.maximum(danger, np.maximum(0.0, threat) * (sees & (apart <= now.reach[enemy])))
    return gain, danger
