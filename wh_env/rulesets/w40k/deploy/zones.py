"""Deployment zones: how the table is divided into them, which is whose."""

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
        zones: convex polygons, counter-clockwise, in inches.
        facings: of units that are deployed there.
        margins: each zone with the margin of Infiltrators.
    """

    zones: tuple[Array, Array]
    facings: tuple[float, float]
    margins: tuple[Array, Array]


def divided(edition: Edition, zones: tuple[Array, Array], along_x: bool, length: float, width: float) -> Division:
    """A division of a table of this size into these zones, which lie opposite each other ``along_x``, or else along y."""
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
    """What follows from the deployment zones and does not change: ``divisions``, of which the battle has one (``Edition.division``)."""
    pairs = edition.zones(zones, length, width)
    return {"divisions": tuple(divided(edition, each, along_x, length, width) for each, along_x in pairs)}


def division_of(g: BattleCore) -> Division:
    """How the table is divided into deployment zones."""
    own = edition(g)
    found: Division = g.setup.statics["divisions"][own.division(g)]
    return found


def zone_of(g: BattleCore, player: int) -> Array:
    """The player's deployment zone."""
    return division_of(g).zones[0 if player == g.clock.attacker[0] else 1]


def facing_of(g: BattleCore, player: int) -> float:
    """Towards the other side of the table."""
    return division_of(g).facings[0 if player == g.clock.attacker[0] else 1]


def grown(zone: Array, by: float) -> Array:
    """Everything within ``by`` inches of a convex zone (counter-clockwise), its corners rounded by short straight pieces."""
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
