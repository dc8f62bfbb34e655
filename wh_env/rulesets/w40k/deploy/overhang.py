"""Models with parts that reach out beyond their bases, and their deployment (deploy.zone.large-models).

``Setup.statics["spans"]``: by row of such a model half the length and half the width of a box round all its parts,
inches.
"""

from __future__ import annotations

from math import pi

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.frozen import frozen
from wh_env.core.geometry.formation_mask import place_mask
from wh_env.core.geometry.placement import formation_offsets, gather_alive
from wh_env.core.geometry.shapes import EPS
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.questions.move_limits import surroundings
from wh_env.rulesets.w40k.questions.strength import living

ANYWHERE = frozen(np.zeros((0, 2), np.float64))


def spans(g: BattleCore, unit: int) -> bool:
    """Whether a model of the unit has parts that reach out beyond its base."""
    known = g.setup.statics["spans"]
    return bool(known) and any(k in known for k in living(g, unit))


def inside(zone: Array, x: Array, y: Array, facing: float, half: tuple[float, float]) -> Array:
    """By place of its centre (float64 arrays ``x``, ``y``): whether a box lies in a convex zone. ``half``: its half
    lengths; ``facing`` in radians.
    """
    good = np.ones(len(x), np.bool_)
    for (x0, y0), (x1, y1) in zip(zone, np.roll(zone, -1, axis=0), strict=True):
        normal = np.array([y1 - y0, x0 - x1]) / np.hypot(x1 - x0, y1 - y0)
        ahead = abs(np.cos(facing) * normal[0] + np.sin(facing) * normal[1])
        across = abs(np.cos(facing) * normal[1] - np.sin(facing) * normal[0])
        out = (x - x0) * normal[0] + (y - y0) * normal[1] + half[0] * ahead + half[1] * across
        good &= out <= EPS
    return good


def cells_inside(
    g: BattleCore, unit: int, zone: Array, bounds: Array, place: Array, facing: float, cells: Array
) -> int:
    """Clear the cells of a mask (``place_mask`` over ``zone``) at which a part of a model reaches out of ``bounds``.
    Returns the number of cells left.
    """
    work, grid, known = g.work, g.setup.space.grid, g.setup.statics["spans"]
    n = gather_alive(g.models.rows, g.units.rows, unit, work.marks)
    offsets = work.scratch[: 2 * n].reshape((n, 2))
    gap, columns = float(place[0]["gap"]), int(place[0]["columns"])
    formation_offsets(g.models.rows, work.marks, n, facing, gap, columns, offsets)
    low, high = zone.min(axis=0), zone.max(axis=0)
    at = np.arange(grid * grid)
    x = low[0] + (at % grid + 0.5) * (high[0] - low[0]) / grid
    y = low[1] + (at // grid + 0.5) * (high[1] - low[1]) / grid
    for model, (dx, dy) in zip(work.marks[:n].tolist(), offsets.tolist(), strict=True):
        if model in known:
            cells &= inside(bounds, x + dx, y + dy, facing, known[model])
    return int(cells.sum())


def room_inside(g: BattleCore, unit: int, zone: Array, place: Array, forward: float) -> tuple[Array, float]:
    """The area that no part of the unit may reach out of when it is deployed, and a facing (radians) with which the
    unit finds room in it. Facings are tried from ``forward`` on.

    The area is the zone if any facing allows that, else the battlefield (deploy.zone.battlefield-edge).
    """
    work, grid, angles = g.work, g.setup.space.grid, g.setup.space.angles
    length, width = g.setup.length, g.setup.width
    table = frozen(np.array([(0.0, 0.0), (length, 0.0), (length, width), (0.0, width)]))
    cells = np.zeros_like(work.cells)
    for bounds in (zone, table):
        for turn in range(angles):
            facing = forward + 2.0 * pi * turn / angles
            around = *surroundings(g, unit), zone, ANYWHERE, place, facing, grid, grid, work.scratch, work.marks, cells
            if place_mask(*around) and cells_inside(g, unit, zone, bounds, place, facing, cells):
                return bounds, facing
    return table, forward
