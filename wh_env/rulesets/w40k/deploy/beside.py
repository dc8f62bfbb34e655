"""Places beside a TRANSPORT for the units that leave it (transport.disembark.set-up, .emergency.distance)."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.frozen import frozen
from wh_env.core.geometry.beside import BAD, PER_CELL, UNASKED, beside_apply, beside_mask
from wh_env.core.geometry.placement import new_place
from wh_env.core.geometry.shapes import EPS, extent
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.deploy.kept_clear import arrives_beside, bar_spots, kept_clear
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.questions.hulls import hull_of
from wh_env.rulesets.w40k.questions.move_limits import NORMAL, surroundings
from wh_env.rulesets.w40k.questions.strength import living

DISEMBARK, EMERGENCY = 8, 9  # ways of setting up, as codes of `units.reserve`
BESIDE = (DISEMBARK, EMERGENCY)


def conditions(g: BattleCore, unit: int, way: int) -> tuple[Array, Array]:
    """A rectangle round the TRANSPORT of the unit that holds every place in reach, and a ``new_place`` with the
    distance that models must keep to it.
    """
    m, hull, transports = g.models, hull_of(g, unit), edition(g).transports
    inches = transports.disembark if way == DISEMBARK else transports.emergency
    x, y, f = m.x[hull], m.y[hull], m.facing[hull]
    reach, large = inches, transports.large
    if large:
        # a base too large to be wholly within ``inches`` reaches beyond
        reach = max([inches, *(large + 2.0 * m.radius[k] for k in living(g, unit) if is_large(g, k, inches))])
    dx, dy = extent(m.rows, hull, f, 1.0, 0.0) + reach, extent(m.rows, hull, f, 0.0, 1.0) + reach
    zone = frozen(np.array([(x - dx, y - dy), (x + dx, y - dy), (x + dx, y + dy), (x - dx, y + dy)]))
    return zone, new_place(near=inches, near_large=large, near_model=hull)


def is_large(g: BattleCore, model: int, inches: float) -> bool:
    """Whether the base of the model is wider than ``inches`` whichever way it is turned (rare.disembark-large)."""
    m = g.models
    return 2.0 * min(m.half_a[model], m.half_b[model]) > inches + EPS


@cache
def lattice_tables(side: int) -> tuple[Array, Array]:
    """Tables for a lattice with ``side`` points a side inside a padded one (see ``core.geometry.beside``): the steps
    between its points, the shortest first, and a mask of the padded lattice, ``BAD`` outside and ``UNASKED`` inside.
    """
    steps, pad = np.arange(1 - side, side), side - 1
    columns, rows = (part.ravel() for part in np.meshgrid(steps, steps))
    order = np.argsort(columns**2 + rows**2, kind="stable")
    blank = np.full((side + 2 * pad, side + 2 * pad), BAD, np.uint8)
    blank[pad : pad + side, pad : pad + side] = UNASKED
    columns, rows = columns[order], rows[order]
    return frozen(np.stack([rows * len(blank) + columns, columns, rows]).astype(np.int32)), frozen(blank.ravel())


def _arguments(g: BattleCore, unit: int, way: int, facing: float, *more: Any) -> tuple[Any, ...]:
    """The arguments of the kernels; ``more`` comes last."""
    grid = g.setup.space.grid
    zone, place = conditions(g, unit, way)
    order, blank = lattice_tables(PER_CELL * grid)
    if arrives_beside(g, unit) and (far := kept_clear(g, unit)) is not None:
        blank = open_spots(g, unit, zone, facing, far, blank)
    return (
        *surroundings(g, unit),
        place,
        facing,
        zone,
        grid,
        order,
        blank,
        np.empty((max(1, g.units.alive[unit]), len(blank)), np.uint8),
        *more,
    )


def open_spots(g: BattleCore, unit: int, zone: Array, facing: float, far: Array, blank: Array) -> Array:
    """A copy of ``blank`` with the spots barred at which a model of the unit is kept away (``kept_clear``).

    The lattice lies over ``zone``, a rectangle. A spot that is barred for one base is barred for all bases of the unit.
    """
    m, side = g.models, PER_CELL * g.setup.space.grid
    step = (zone[2] - zone[0]) / side
    x, y = zone[0] + step / 2
    spots = blank.copy()
    bases = {(m.shape[k], m.half_a[k], m.half_b[k]): k for k in living(g, unit)}
    for k in bases.values():
        given = g.work.limits[NORMAL, False], k, float(x), float(y), float(step[0]), float(step[1]), side, facing, far
        g.work.call(bar_spots, m.rows, *given, spots)
    return frozen(spots)


def cells_beside(g: BattleCore, unit: int, way: int, facing: float, cells: Array, any_will_do: bool = False) -> int:
    """Mark the cells of a grid over the rectangle (``conditions``) round which the whole unit finds room. Returns their
    number.

    The first model stands in the cell, the others as near to it as possible.
    """
    work = g.work
    return int(work.call(beside_mask, *_arguments(g, unit, way, facing, cells, work.scratch, work.marks, any_will_do)))


def set_up_beside_at(g: BattleCore, unit: int, way: int, facing: float, cell: int) -> None:
    """Set the unit up in a cell that ``cells_beside`` has marked.

    Raises:
        RuntimeError: the unit finds no room there.
    """
    if not beside_apply(*_arguments(g, unit, way, facing, cell, g.work.scratch, g.work.marks)):
        raise RuntimeError(f"unit {unit} cannot be set up in cell {cell} although its mask says so")
