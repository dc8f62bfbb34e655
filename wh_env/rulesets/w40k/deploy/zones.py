"""Deployment zones: how they divide the table, and which belongs to which player."""

from __future__ import annotations

from math import cos, pi
from typing import Any, NamedTuple

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.frozen import frozen
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.edition import Edition, edition

CORNER = 16  # points that round the corner of a zone grown by a distance


class Division(NamedTuple):
    """A division of the table into two deployment zones.

    Attributes:
        zones: convex polygons, counter-clockwise, inches.
        facings: of units that are deployed there, radians.
        margins: each zone grown by the distance of Infiltrators.
    """

    zones: tuple[Array, Array]
    facings: tuple[float, float]
    margins: tuple[Array, Array]


def divided(edition: Edition, zones: tuple[Array, Array], along_x: bool, length: float, width: float) -> Division:
    """A division of a table of this size into ``zones``. They lie opposite each other along x if ``along_x``, else
    along y.
    """
    half = (length if along_x else width) / 2

    def facing(zone: Array) -> float:
        middle = zone.mean(axis=0)
        if along_x:
            return 0.0 if middle[0] < half else pi
        return pi / 2 if middle[1] < half else -pi / 2

    reach = edition.placing.infiltrators
    margins = frozen(grown(zones[0], reach)), frozen(grown(zones[1], reach))
    return Division((frozen(zones[0]), frozen(zones[1])), (facing(zones[0]), facing(zones[1])), margins)


def zone_statics(edition: Edition, zones: tuple[Array, Array], length: float, width: float) -> dict[str, Any]:
    """Fixed facts about deployment zones: ``divisions``, of which the battle uses one (``Edition.division``)."""
    pairs = edition.zones(zones, length, width)
    return {"divisions": tuple(divided(edition, each, along_x, length, width) for each, along_x in pairs)}


def division_of(g: BattleCore) -> Division:
    """The division of the table into deployment zones that the battle uses."""
    own = edition(g)
    found: Division = g.setup.statics["divisions"][own.division(g)]
    return found


def zone_of(g: BattleCore, player: int) -> Array:
    """The player's deployment zone."""
    return division_of(g).zones[0 if player == g.clock.attacker[0] else 1]


def facing_of(g: BattleCore, player: int) -> float:
    """The facing from the player's zone towards the other side of the table, radians."""
    return division_of(g).facings[0 if player == g.clock.attacker[0] else 1]


def grown(zone: Array, by: float) -> Array:
    """The area within ``by`` inches of a convex zone (counter-clockwise), a polygon with corners rounded by short
    straight pieces.
    """
    out = []
    piece = pi / 2 / CORNER
    reach = (by + 1e-3) / cos(piece / 2)  # the pieces lie outside the circle
    for k in range(len(zone)):
        before, after = zone[k] - zone[k - 1], zone[(k + 1) % len(zone)] - zone[k]
        first = np.arctan2(-before[0], before[1])
        turn = (np.arctan2(-after[0], after[1]) - first) % (2 * pi)
        for angle in first + np.linspace(0.0, turn, max(2, int(turn / piece) + 2)):
            out.append(zone[k] + reach * np.array([np.cos(angle), np.sin(angle)]))
    return np.ascontiguousarray(out)
