"""Quarters of the battlefield (w9.mission.quarters), and the secondary objective that counts them."""

from __future__ import annotations

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.frozen import frozen
from wh_env.core.geometry.shapes import inside_polygon_at
from wh_env.core.tables import ON_TABLE, Array

QUARTERS = "quarters"  # in ``rules["secondaries"]``


def quarters(length: float, width: float) -> tuple[Array, ...]:
    """The four equal quarters of a battlefield: corners in inches, counter-clockwise, shape (4, 2) each."""
    found = []
    for x0, x1 in ((0.0, length / 2), (length / 2, length)):
        for y0, y1 in ((0.0, width / 2), (width / 2, width)):
            found.append(frozen(np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], np.float64)))
    return tuple(found)


def wholly_within(g: BattleCore, unit: int, area: Array) -> bool:
    """Whether the unit is on the battlefield and every part of its models is inside a convex area, corners (n, 2) in
    inches (w9.concepts.wholly-within).
    """
    m = g.models
    return g.units.place[unit] == ON_TABLE and all(
        inside_polygon_at(m.rows, k, m.x[k], m.y[k], m.facing[k], area, 0, len(area)) for k in g.members(unit)
    )


def quarters_held(g: BattleCore, player: int) -> int:
    """The number of quarters of the battlefield that at least one unit of the player is wholly within."""
    areas, units = quarters(g.setup.length, g.setup.width), g.units_of(player)
    return sum(any(wholly_within(g, unit, area) for unit in units) for area in areas)
