"""The direction in which a unit that panics flees, and the unit nearest to an enemy (wap.panic.direction.*)."""

from __future__ import annotations

from math import atan2, hypot

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import EPS
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.blocks import distance
from wh_env.rulesets.wap.morale.panic_causes import worst_source
from wh_env.rulesets.wap.ways.poses import middle_of


def closest_enemy(g: BattleCore, unit: int) -> int:
    """The nearest enemy unit on the table, -1: there is none."""
    u = g.units
    there = [other for other in g.units_of(1 - u.owner[unit]) if u.place[other] == ON_TABLE]
    return min(there, key=lambda other: distance(g, unit, other), default=-1)


def nearest_first(g: BattleCore, mask: memoryview) -> int:
    """The action of the unit nearest to an enemy among the own units that are offered."""
    own, player = g.setup.space.own, g.clock.player[0]

    def far(slot: int) -> float:
        unit = g.players.first_unit[player] + slot
        enemy = closest_enemy(g, unit)
        return distance(g, unit, enemy) if enemy >= 0 else 0.0

    offered = [slot for slot in range(g.players.units[player]) if mask[own + slot]]
    return own + min(offered, key=far)


def back_to(g: BattleCore, unit: int, other: int) -> float:
    """The direction from the centre of ``other`` to the centre of ``unit``, radians."""
    u = g.units
    return direction_from(g, unit, *middle_of(g, other, u.x[other], u.y[other], u.facing[other]))


def direction_from(g: BattleCore, unit: int, x: float, y: float) -> float:
    """The direction from a place to the centre of a unit, radians; the unit's facing if the centre is at that place."""
    u = g.units
    cx, cy = middle_of(g, unit, u.x[unit], u.y[unit], u.facing[unit])
    return atan2(cy - y, cx - x) if hypot(cx - x, cy - y) > EPS else u.facing[unit]


def away_from_enemies(g: BattleCore, unit: int, rule: str = "wap.panic.direction.other") -> tuple[str, float]:
    """A rule, and the direction in which a unit flees from the nearest enemy; its facing if there is none
    (wap.panic.direction.other).
    """
    enemy = closest_enemy(g, unit)
    return rule, back_to(g, unit, enemy) if enemy >= 0 else g.units.facing[unit]


def away_from_harm(g: BattleCore, unit: int) -> tuple[str, float]:
    """A rule, and the direction in which a unit flees from the enemy or terrain feature that has cost it the most
    models (wap.panic.direction.heavy); from the nearest enemy if there is no such source.
    """
    source, units = worst_source(g, unit), len(g.units.owner)
    if source < 0:
        return away_from_enemies(g, unit, "wap.panic.direction.heavy.nothing")
    if source < units:
        return "wap.panic.direction.heavy", back_to(g, unit, source)
    feature = g.setup.features[source - units]
    corners = g.setup.corners[feature["first"] : feature["first"] + feature["count"]]
    return "wap.panic.direction.heavy", direction_from(g, unit, *corners.mean(axis=0).tolist())
