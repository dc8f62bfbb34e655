"""Setting units up on the battlefield: deployment, Infiltrators, Reserves (w10.mission.only-war.deploy, w10.deploy.*, w10.reserves.*)."""

from __future__ import annotations

from math import pi

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.placement import free_spot, new_place, place_apply, place_mask, zone_cell
from wh_env.core.tables import ON_TABLE, Array
from wh_env.rulesets.w10.limits import NORMAL
from wh_env.rulesets.w40k.profiles import Ability

ANYWHERE = np.zeros((0, 2), np.float64)
AWAY_FROM_ENEMIES = 9.0
EDGE_BAND = 6.0
DEEP_STRIKE, STRATEGIC = 1, 2
BACK_IN_COHERENCY = 4.0  # how far from its unit a returned model is looked a place for


def zone_of(g: BattleCore, player: int) -> Array:
    """The player's deployment zone."""
    zones: tuple[Array, Array] = g.setup.statics["zones"]
    return zones[0 if player == g.clock.attacker[0] else 1]


def facing_of(g: BattleCore, player: int) -> float:
    """Towards the other side of the table."""
    zone = zone_of(g, player)
    middle = zone.mean(axis=0)
    if g.setup.length >= g.setup.width:
        return pi / 2 if middle[1] < g.setup.width / 2 else -pi / 2
    return 0.0 if middle[0] < g.setup.length / 2 else pi


def where(g: BattleCore, unit: int) -> tuple[Array, Array, Array]:
    """Where the unit may be set up now: zone (empty: anywhere), area to keep out of, further conditions.

    Deployment: wholly within the own zone; Infiltrators: anywhere more than 9" from the enemy zone and enemy models.
    Reserves: Deep Strike more than 9" from enemies; Strategic Reserves also wholly within 6" of an edge and, in the second
    battle round, not in the enemy zone.
    """
    u = g.units
    owner = u.owner[unit]
    kind = u.reserve[unit]
    if kind == DEEP_STRIKE:
        return ANYWHERE, ANYWHERE, new_place(min_enemy=AWAY_FROM_ENEMIES)
    if kind == STRATEGIC:
        avoid = zone_of(g, 1 - owner) if g.clock.round[0] < 3 else ANYWHERE
        return ANYWHERE, avoid, new_place(min_enemy=AWAY_FROM_ENEMIES, edge_band=EDGE_BAND)
    if u.flags[unit] & int(Ability.INFILTRATORS):
        return ANYWHERE, grown(zone_of(g, 1 - owner), AWAY_FROM_ENEMIES), new_place(min_enemy=AWAY_FROM_ENEMIES)
    return zone_of(g, owner), ANYWHERE, new_place()


def grown(zone: Array, by: float) -> Array:
    """A zone along a table edge with a margin of ``by`` inches all round, so that keeping out of it keeps away."""
    middle = zone.mean(axis=0)
    return np.ascontiguousarray(zone + np.sign(zone - middle) * (by + 1e-3))


def cells_for(g: BattleCore, unit: int, cells: Array) -> int:
    """Mark where the unit can be set up now, as cells of a grid over the zone's bounding box; returns how many."""
    statics = g.setup.statics
    zone, avoid, place = where(g, unit)
    grid = g.setup.space.grid
    return int(
        place_mask(
            g.models.rows,
            g.units.rows,
            g.setup.blocks,
            g.setup.corners,
            g.objectives.rows,
            statics["limits"][NORMAL, False],
            statics["no_targets"],
            unit,
            zone,
            avoid,
            place,
            facing_of(g, g.units.owner[unit]),
            grid,
            grid,
            cells,
            statics["scratch"],
            statics["marks"],
        )
    )


def set_up_at(g: BattleCore, unit: int, cell: int) -> None:
    """Set the unit up in the cell, which ``cells_for`` has marked."""
    statics = g.setup.statics
    zone, avoid, place = where(g, unit)
    limits = statics["limits"][NORMAL, False]
    grid = g.setup.space.grid
    x, y = zone_cell(zone, limits, grid, grid, cell)
    done = place_apply(
        g.models.rows,
        g.units.rows,
        g.setup.blocks,
        g.setup.corners,
        g.objectives.rows,
        limits,
        statics["no_targets"],
        unit,
        zone,
        avoid,
        place,
        facing_of(g, g.units.owner[unit]),
        x,
        y,
        statics["scratch"],
        statics["marks"],
    )
    if not done:
        raise RuntimeError(f"unit {unit} cannot be set up in cell {cell} although its mask says so")
    g.units.place[unit] = ON_TABLE


def cell_place(g: BattleCore, unit: int, cell: int) -> tuple[float, float]:
    """Centre of a cell of the set-up grid, in inches."""
    zone, _, _ = where(g, unit)
    grid = g.setup.space.grid
    x, y = zone_cell(zone, g.setup.statics["limits"][NORMAL, False], grid, grid, cell)
    return float(x), float(y)


def set_up_beside(g: BattleCore, model: int, unit: int) -> bool:
    """Set a model up in coherency with its unit, out of Engagement Range; False if there is no room."""
    statics, m = g.setup.statics, g.models
    others = list(g.members(unit))
    if not others:
        return False
    near = others[0]
    return bool(
        free_spot(
            m.rows,
            g.units.rows,
            g.setup.blocks,
            g.setup.corners,
            g.objectives.rows,
            statics["limits"][NORMAL, False],
            statics["no_targets"],
            ANYWHERE,
            ANYWHERE,
            new_place(),
            model,
            m.x[near],
            m.y[near],
            m.facing[near],
            BACK_IN_COHERENCY,
            min(len(others), 2 if len(others) >= 6 else 1),
        )
    )
