"""How a table is divided into two deployment zones, and each zone into areas to which dice send units (wap.scenario.*).

A mission has one such division, or several between which a player chooses; ``clock.division`` holds the one that the
battle has.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from wh_env.core.battle import BattleCore
from wh_env.core.tables import Array

Pair = tuple[float, float]


class Zone(NamedTuple):
    """An area in which units are deployed.

    Attributes:
        polygon: (corners, 2), convex, counter-clockwise, inches.
        bounds: left, right, lower and upper limit, inches.
    """

    polygon: Array
    bounds: tuple[float, float, float, float]


class Division(NamedTuple):
    """Two halves of a table. The second half is the first one turned by half a turn about the centre of the table.

    Attributes:
        zones: of either side.
        areas: for each area that a die may name, its part in either zone.
        facings: of either side, towards the other one, radians.
        way: the facing of the first side as a direction (x, y).
        lengthwise: the sides face each other along the length of the table.
        sides: names of the places of the sides.
        edges: the table edge over which the reserves of either side arrive (``movement.reinforcements``).
    """

    zones: tuple[Zone, Zone]
    areas: tuple[tuple[Zone, Zone], ...]
    facings: Pair
    way: Pair
    lengthwise: bool
    sides: tuple[str, str]
    edges: tuple[int, int]


def division_of(g: BattleCore) -> Division:
    """The division of the table that the battle has."""
    divisions: Any = g.setup.statics["divisions"]
    found: Division = divisions[g.clock.division[0]]
    return found


def side_of(g: BattleCore, player: int) -> int:
    """0 for the player who has the first side of the table (the southern or western one), 1 for the other player."""
    return int(player != g.clock.attacker[0])


def zone_of(g: BattleCore, player: int) -> Array:
    """The player's deployment zone, a convex polygon."""
    return division_of(g).zones[side_of(g, player)].polygon


def ahead_of(g: BattleCore, player: int) -> float:
    """The direction from the player's side to the other side, radians."""
    return division_of(g).facings[side_of(g, player)]
