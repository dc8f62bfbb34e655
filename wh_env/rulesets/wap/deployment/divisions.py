"""How a table is divided into two deployment zones, and each zone into areas that dice send units to (wap.scenario.*).

A mission has one such division or, where a player chooses between them, several; which of them a battle has stands in ``clock.division``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from wh_env.core.battle import BattleCore
from wh_env.core.tables import Array

Pair = tuple[float, float]


class Zone(NamedTuple):
    """A place to deploy in.

    Attributes:
        polygon: convex, counter-clockwise, inches.
        bounds: how far it goes: from left to right, from its lower edge to its upper one.
    """

    polygon: Array
    bounds: tuple[float, float, float, float]


class Division(NamedTuple):
    """Two halves of a table; the second is the first, turned by half a turn about the centre of the table.

    Attributes:
        zones: of either side.
        areas: for each area that a die may name, the part of either zone.
        facings: of either side, towards the other one.
        way: the same of the first side as a direction.
        lengthwise: the sides face each other along the length of the table.
        sides: where they are, in words.
        edges: the edge of the table over which the reserves of either side come (``movement.reinforcements``).
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
    """0 for the player who has the first side of the table (the southern, the western one), 1 for the other."""
    return int(player != g.clock.attacker[0])


def zone_of(g: BattleCore, player: int) -> Array:
    """The player's deployment zone, a convex polygon."""
    return division_of(g).zones[side_of(g, player)].polygon


def ahead_of(g: BattleCore, player: int) -> float:
    """The direction from the player's side to the other."""
    return division_of(g).facings[side_of(g, player)]
