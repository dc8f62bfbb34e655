"""Places that the kernels' masks allow and a rule for few units forbids: near terrain, or near models that keep units
away.

Such units are rare, so these rules are checked place by place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.placement import formation_offsets, gather_alive, zone_cell
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.deploy.fortifications import near_terrain_at, others, restricted
from wh_env.rulesets.w40k.deploy.kept_clear import clear_cells, too_near_at
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.questions.move_limits import NORMAL

Barred = Callable[[int, float, float, float, float], bool]  # arguments: model row, x, y, z, facing
Place = tuple[int, float, float, float]  # model row, x, y, z


def barred(g: BattleCore, unit: int, far: Array | None) -> list[Barred]:
    """The rules that forbid the unit some places. ``far``: by model row the inches that it keeps the unit away
    (``kept_clear``), or None.
    """
    models, found = g.models.rows, list[Barred]()
    if restricted(g, unit):
        features, inches, near = g.setup.features, edition(g).placing.from_features, others(g, unit)
        corners = g.setup.corners
        found.append(lambda i, x, y, z, f: bool(near_terrain_at(models, features, corners, i, x, y, f, inches, *near)))
    if far is not None:
        keeping, limits = far, g.work.limits[NORMAL, False]
        found.append(lambda i, x, y, z, f: bool(too_near_at(models, limits, i, x, y, z, f, keeping)))
    return found


def leave_out(cells: Array, rules: Sequence[Barred], facing: float, places: Callable[[int], Iterable[Place]]) -> int:
    """Clear the cells of a mask that put a model where a rule forbids it. ``places`` gives the models' places by cell.
    Returns the number of cells left.
    """
    for cell in np.flatnonzero(cells).tolist():
        if any(rule(*place, facing) for place in places(cell) for rule in rules):
            cells[cell] = False
    return int(np.count_nonzero(cells))


def kept_out(
    g: BattleCore, unit: int, zone: Array, place: Array, facing: float, limits: Array, far: Array, cells: Array
) -> int:
    """Clear the cells of a mask at which ``far`` (``kept_clear``) keeps the unit in formation away. Returns the number
    of cells left.
    """
    offsets = offsets_of(g, unit, place, facing)
    grid = g.setup.space.grid
    return int(g.work.call(clear_cells, g.models.rows, g.work.marks, offsets, zone, limits, grid, facing, far, cells))


def offsets_of(g: BattleCore, unit: int, place: Array, facing: float) -> Array:
    """Offsets of the models in formation from the centre of the unit (float64, models x 2, inches). Their rows are the
    first entries of ``work.marks``.
    """
    work, models = g.work, g.models.rows
    n = work.call(gather_alive, models, g.units.rows, unit, work.marks)
    offsets = np.zeros((n, 2))
    gap, columns = float(place[0]["gap"]), int(place[0]["columns"])
    work.call(formation_offsets, models, work.marks, n, facing, gap, columns, offsets)
    return offsets


def formation(
    g: BattleCore, unit: int, zone: Array, place: Array, facing: float, limits: Array
) -> Callable[[int], list[Place]]:
    """A function: the places of the unit's models on the ground, given a cell of the grid over the zone."""
    work, grid = g.work, g.setup.space.grid
    offsets = offsets_of(g, unit, place, facing)
    rows = [(i, dx, dy) for i, (dx, dy) in zip(work.marks[: len(offsets)].tolist(), offsets.tolist(), strict=True)]

    def at(cell: int) -> list[Place]:
        x, y = zone_cell(zone, limits, grid, grid, cell)
        return [(i, x + dx, y + dy, 0.0) for i, dx, dy in rows]

    return at
