"""Ways of setting a unit up, and the places that each of them allows (mission.only-war.deploy, deploy.*,
reserves.place.*).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import pi
from typing import Any

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.features import Region
from wh_env.core.frozen import frozen
from wh_env.core.geometry.formation_mask import place_mask, place_possible
from wh_env.core.geometry.placement import ALL_EDGES, new_place, zone_cell
from wh_env.core.geometry.shapes import extent
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.deploy.barred import Barred, barred, formation, kept_out, leave_out
from wh_env.rulesets.w40k.deploy.beside import BESIDE, cells_beside, conditions
from wh_env.rulesets.w40k.deploy.kept_clear import arrives_beside, deep_strike_from, kept_clear
from wh_env.rulesets.w40k.deploy.overhang import cells_inside, room_inside, spans
from wh_env.rulesets.w40k.deploy.zones import division_of, facing_of, zone_of
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.questions.move_limits import AIRCRAFT, CONSOLIDATE, NORMAL, surroundings
from wh_env.rulesets.w40k.questions.strength import living

ANYWHERE = frozen(np.zeros((0, 2), np.float64))
NO_MORE = new_place()  # no further conditions
# ways of setting up, also codes of `units.reserve`. RETURNING: AIRCRAFT in Strategic Reserves that must come back.
# JUST_LEFT: AIRCRAFT that went there in this battle round and cannot come back in it
DEPLOYMENT_ZONE, DEEP_STRIKE, STRATEGIC, INFILTRATION, RETURNING, JUST_LEFT = range(6)
# from Strategic Reserves in the strip along one table edge, facing inwards or along the edge: for units so large that
# the grid over the whole table has no cell for them. The edges are y = 0, its opposite, x = 0, its opposite
STRIPS = range(16, 24)
OWN_EDGE = 24  # from Strategic Reserves by the own edge, at any distance from enemies
# destroyed models come back to their unit, which stands on the battlefield (25 is an answer, see ``reinforcements``)
RETURNED = 26
TOUCHING = 1e-3  # inches from an edge within which a model touches it


def where(g: BattleCore, unit: int, way: int, facing: float | None = None) -> tuple[Array, Array, Array]:
    """The area in which the unit may be set up in this way: zone (empty: anywhere), area to keep out of, further
    conditions.

    ``facing``: radians, ``None`` for the facing in formation. Deployment is wholly within the own zone. Infiltrators
    keep a distance from the enemy zone and enemy models, Deep Strike from enemies. Strategic Reserves also stand wholly
    near an edge and, in early battle rounds, outside the enemy zone.
    """
    owner = g.units.owner[unit]
    if way in BESIDE:
        zone, place = conditions(g, unit, way)
        return zone, ANYWHERE, place
    if way == RETURNED:
        return ANYWHERE, ANYWHERE, NO_MORE
    placing = edition(g).placing
    if way == DEEP_STRIKE:
        return ANYWHERE, ANYWHERE, new_place(min_enemy=deep_strike_from(g, unit))
    if way == OWN_EDGE:
        row = sum(1 for _ in living(g, unit))  # in one rank, so that all of them reach the edge
        place = new_place(edge_reach=placing.own_edge, edges=1 << edge_of(g, owner), columns=row)
        return zone_of(g, owner), ANYWHERE, place
    if way in (STRATEGIC, RETURNING) and placing.aircraft_anywhere and g.units.keywords[unit] & AIRCRAFT:
        return ANYWHERE, ANYWHERE, new_place(min_enemy=placing.strategic)
    if way in (STRATEGIC, RETURNING):
        avoid = zone_of(g, 1 - owner) if g.clock.round[0] < placing.enemy_zone else ANYWHERE
        edges = ALL_EDGES if placing.enemy_edge else ALL_EDGES & ~(1 << edge_of(g, 1 - owner))
        return ANYWHERE, avoid, new_place(min_enemy=placing.strategic, edge_band=placing.edge, edges=edges)
    if way in STRIPS:
        avoid = zone_of(g, 1 - owner) if g.clock.round[0] < placing.enemy_zone else ANYWHERE
        edge = (way - STRIPS.start) // 2
        depth = strip_depth(g, unit, way, facing_by(g, unit, way) if facing is None else facing)
        place = new_place(min_enemy=placing.strategic)
        if depth > placing.edge:
            place = new_place(min_enemy=placing.strategic, edge_reach=TOUCHING, edges=1 << edge)
        return strip(g, edge, depth), avoid, place
    if way == INFILTRATION:
        avoid = division_of(g).margins[0 if owner != g.clock.attacker[0] else 1]
        return ANYWHERE, avoid, new_place(min_enemy=placing.infiltrators)
    return zone_of(g, owner), ANYWHERE, NO_MORE


def edge_of(g: BattleCore, player: int) -> int:
    """The number of the player's own table edge, along which its zone lies. 0: y = 0, 1: its opposite, 2: x = 0, 3: its
    opposite.
    """
    facing = facing_of(g, player)
    return 0 if facing == pi / 2 else 1 if facing == -pi / 2 else 2 if facing == 0.0 else 3


def strip_depth(g: BattleCore, unit: int, way: int, facing: float) -> float:
    """The depth in inches of the strip along the table edge of this way for the unit with this facing: that of
    Strategic Reserves, or more for models too wide for it whichever way they are turned (reserves.strategic.large).
    """
    m, placing = g.models, edition(g).placing
    upright = (way - STRIPS.start) // 2 < 2
    wide = [k for k in living(g, unit) if 2.0 * min(m.half_a[k], m.half_b[k]) > placing.edge + TOUCHING]
    if not placing.large_touch or not wide:
        return placing.edge
    return max(
        2.0 * float(extent(m.rows, k, facing, 0.0, 1.0) if upright else extent(m.rows, k, facing, 1.0, 0.0))
        for k in wide
    )


def placing_limits(g: BattleCore, way: int) -> Array:
    """The limits of a set-up in this way: the unit may be engaged only at its own edge."""
    limits: Array = g.work.limits[CONSOLIDATE if way == OWN_EDGE else NORMAL, False]
    return limits


def strip(g: BattleCore, edge: int, band: float) -> Array:
    """A rectangle: the area within ``band`` inches of one table edge."""
    x0, y0, x1, y1 = 0.0, 0.0, g.setup.length, g.setup.width
    if edge == 0:
        y1 = band
    elif edge == 1:
        y0 = y1 - band
    elif edge == 2:
        x1 = band
    else:
        x0 = x1 - band
    return frozen(np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)]))


def facing_by(g: BattleCore, unit: int, way: int) -> float:
    """The facing, in radians, of a unit that is set up in formation in this way."""
    if way in STRIPS:
        edge, along = divmod(way - STRIPS.start, 2)
        return (pi / 2, -pi / 2, 0.0, pi)[edge] + along * pi / 2
    return wide_room(g, unit)[1] if wide(g, unit, way) else facing_of(g, g.units.owner[unit])


def strips_with_room(g: BattleCore, unit: int) -> list[int]:
    """The strips along table edges in which the unit, from Strategic Reserves, finds room."""
    shut = -1 if edition(g).placing.enemy_edge else edge_of(g, 1 - g.units.owner[unit])
    return [way for way in STRIPS if (way - STRIPS.start) // 2 != shut and finds_room(g, unit, way)]


def cells_for(g: BattleCore, unit: int, cells: Array, way: int | None = None) -> int:
    """Mark the cells, of a grid over the zone's bounding box, in which the unit can be set up. Returns their number.

    ``way``: ``None`` for the way in which the unit is kept in Reserves.
    """
    way = g.units.reserve[unit] if way is None else way
    if way in BESIDE:
        return cells_beside(g, unit, way, facing_of(g, g.units.owner[unit]), cells)
    return _allowed(g, unit, way, keepers(g, unit, way), wide(g, unit, way), barred(g, unit, None), cells)


def _allowed(
    g: BattleCore, unit: int, way: int, far: Array | None, at_home: bool, rules: Sequence[Barred], cells: Array
) -> int:
    """``cells_for`` of a unit in formation.

    ``far`` (``keepers``) and ``rules`` (``barred``) forbid places. ``at_home``: parts of models that reach out beyond
    bases count, too (``wide``).
    """
    found = int(g.work.call(place_mask, *_formation(g, unit, way), cells))
    if not found or not (at_home or rules or far is not None):
        return found
    zone, _, place = where(g, unit, way)
    facing = facing_by(g, unit, way)
    if at_home:
        found = cells_inside(g, unit, zone, wide_room(g, unit)[0], place, facing, cells)
    if far is not None:
        found = kept_out(g, unit, zone, place, facing, placing_limits(g, way), far, cells)
    if not rules:
        return found
    return leave_out(cells, rules, facing, formation(g, unit, zone, place, facing, placing_limits(g, way)))


def wide(g: BattleCore, unit: int, way: int) -> bool:
    """Whether the unit is being deployed and has models with parts beyond their bases (deploy.zone.large-models)."""
    return way == DEPLOYMENT_ZONE and spans(g, unit)


def wide_room(g: BattleCore, unit: int) -> tuple[Array, float]:
    """``room_inside`` for the unit in its player's deployment zone."""
    owner = g.units.owner[unit]
    return room_inside(g, unit, zone_of(g, owner), NO_MORE, facing_of(g, owner))


def keepers(g: BattleCore, unit: int, way: int) -> Array | None:
    """``kept_clear`` for a set-up in this way; None if no model can keep the unit away, as at its own edge
    (rare.prevent-reinforcements, .own-edge).
    """
    arrives = way in (DEEP_STRIKE, STRATEGIC, RETURNING) or way in STRIPS or (way in BESIDE and arrives_beside(g, unit))
    return kept_clear(g, unit) if arrives else None


def finds_room(g: BattleCore, unit: int, way: int | None = None) -> bool:
    """Whether ``cells_for`` would mark any cell."""
    way = g.units.reserve[unit] if way is None else way
    cells = g.work.cells
    if way in BESIDE:
        return cells_beside(g, unit, way, facing_of(g, g.units.owner[unit]), cells, any_will_do=True) > 0
    far, at_home, rules = keepers(g, unit, way), wide(g, unit, way), barred(g, unit, None)
    if at_home or rules or far is not None:
        return _allowed(g, unit, way, far, at_home, rules, cells) > 0
    return bool(g.work.call(place_possible, *_formation(g, unit, way)))


def _formation(g: BattleCore, unit: int, way: int) -> tuple[Any, ...]:
    """The arguments of the kernels that look for room for the unit in formation."""
    work, grid = g.work, g.setup.space.grid
    zone, avoid, place = where(g, unit, way)
    return (
        *surroundings(g, unit, placing_limits(g, way)),
        zone,
        avoid,
        place,
        facing_by(g, unit, way),
        grid,
        grid,
        work.scratch,
        work.marks,
    )


def cell_place(g: BattleCore, unit: int, cell: int, facing: float | None = None) -> tuple[float, float]:
    """Centre of a cell of the set-up grid, in inches. ``facing``: radians, ``None`` for the facing in formation."""
    zone, _, _ = where(g, unit, g.units.reserve[unit], facing)
    return centre_of(g, zone, cell)


def centre_of(g: BattleCore, zone: Array, cell: int) -> tuple[float, float]:
    """Centre of a cell of the grid over a zone, in inches."""
    grid = g.setup.space.grid
    x, y = g.work.call(zone_cell, zone, g.work.limits[NORMAL, False], grid, grid, cell)
    return float(x), float(y)


def formation_region(g: BattleCore, unit: int) -> Region:
    """The region of the set-up grid, which lies over the box round the zone as in ``zone_cell``."""
    zone, grid = where(g, unit, g.units.reserve[unit])[0], g.setup.space.grid
    corners = zone.tolist() or [(0.0, 0.0), (g.setup.length, g.setup.width)]
    x0, x1 = min(x for x, _ in corners), max(x for x, _ in corners)
    y0, y1 = min(y for _, y in corners), max(y for _, y in corners)
    part = (grid - 1) / grid / 2
    first, last = centre_of(g, zone, 0), centre_of(g, zone, grid * grid - 1)
    return Region((x0 + x1) / 2, (y0 + y1) / 2, (x1 - x0) * part, (y1 - y0) * part, *first, *last)
