"""Models with two Move values have to move at least the lower of them, or are destroyed (w8.move.minimum.*).

``statics["least_move"]`` has the lower value by unit row, ``None`` for all others; an Advance adds to the higher one
alone (w8.move.advance.two-values).
"""

from __future__ import annotations

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import row_of
from wh_env.core.geometry.paths import allowance
from wh_env.core.procedures import GO, STEP, Procedure, Steps, integer
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.attack.brackets import bracket_of
from wh_env.rulesets.w40k.attack.casualties import Demises, settle
from wh_env.rulesets.w40k.move.displacement import displacement_at, least_displacement
from wh_env.rulesets.w40k.move.fall_back import lose_model
from wh_env.rulesets.w40k.move.model_moves import LEVELS, cell_at, fill
from wh_env.rulesets.w40k.move.unit_moves import cell_displacement, move_to_cell
from wh_env.rulesets.w40k.questions.engagements import forget_targets

EPS = 1e-4


def least_move(g: BattleCore, unit: int) -> float:
    """Inches that each part of each model of the unit has to end from where it started; 0: it has one Move value."""
    statics, model = g.setup.statics, g.units.first[unit]
    if statics["least_move"][unit] is None:
        return 0.0
    if model in statics["degrading"]:  # the row of its wounds says both values
        return float(statics["bracket_least"][model, bracket_of(g, model)])
    return float(statics["least_move"][unit])


def far_enough(g: BattleCore, unit: int) -> bool:
    """Whether every model of the unit stands as far from where it started as it has to (w8.move.minimum)."""
    least = least_move(g, unit)
    return not least or all(least_displacement(g, k) >= least - EPS for k in g.members(unit))


def drop_near_cells(g: BattleCore, unit: int, limits: Array, cells: Array, stay: bool = True) -> int:
    """Leave out of ``cells``, places for the unit as one, those that are nearer than it has to move; returns how many
    are left.

    ``stay``: whether it may end where it stands.
    """
    least = least_move(g, unit)
    if not least:
        return int(np.count_nonzero(cells))
    rows = list(g.members(unit))
    stood = g.models.rows[rows]
    for cell in np.flatnonzero(cells).tolist():
        if len(rows) == 1:
            cells[cell] = np.hypot(*cell_displacement(g, unit, limits, cell)) >= least - EPS
            continue
        # they may have to regroup
        move_to_cell(g, unit, limits, cell, stay)
        cells[cell] = far_enough(g, unit)
        g.models.rows[rows] = stood
    return int(np.count_nonzero(cells))


def drop_near_places(
    g: BattleCore, model: int, place: tuple[float, float, float], facing: float, cells: Array
) -> int:  # fmt: skip
    """The same for one model moved alone in a window (``place``: its centre and reach, inches), which ends with that
    facing.
    """
    least = least_move(g, g.models.unit[model])
    if least:
        for cell in np.flatnonzero(cells).tolist():
            x, y = cell_at(g, *place, cell)
            cells[cell] = displacement_at(g, model, x, y, g.models.z[model], facing) >= least - EPS
    return int(np.count_nonzero(cells))


def has_far_end(g: BattleCore, model: int, limits: Array) -> bool:
    """Whether the model, moved alone as it faces, has a place where it may end such a move."""
    m, cells = g.models, g.work.cells
    place, facing = (m.x[model], m.y[model], float(allowance(m.rows, limits, model))), m.facing[model]
    for level in range(LEVELS if len(g.setup.blocks) else 1):
        fill(g, model, limits, level, facing, place, cells)
        if drop_near_places(g, model, place, facing, cells):
            return True
    return False


def destroy(g: BattleCore, unit: int, models: list[int]) -> None:
    """These models of the unit cannot make their minimum move: they are destroyed, and count as slain
    (w8.move.minimum.destroyed).
    """
    for model in models:
        g.note("w8.move.minimum.destroyed", "cannot make its minimum move and is destroyed", model=model)
        lose_model(g, unit, model)
    forget_targets(g)
    g.push(Crash, unit)


class Crash(Procedure):
    """Models of a unit are destroyed in its move: who is embarked in them disembarks (w8.transport.destroyed), then
    they are removed.
    """

    class Step(Steps):
        WRECKS, END = range(2)

    UNIT = integer(row_of("units"))

    def advance(self, g: BattleCore, f: int) -> int:
        if g.stack[f + STEP] == Crash.Step.WRECKS:
            g.stack[f + STEP] = Crash.Step.END
            g.push(Demises)
            return GO
        g.pop()
        settle(g)
        return GO
