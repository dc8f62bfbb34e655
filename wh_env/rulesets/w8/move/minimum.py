"""Models with two Move values must move at least the lower of them, or are destroyed (w8.move.minimum.*).

``statics["least_move"]`` has the lower value by unit row; ``None`` for units with one Move value. An Advance adds to
the higher value only (w8.move.advance.two-values).
"""

from __future__ import annotations

from math import hypot

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import row_of
from wh_env.core.geometry.paths import allowance
from wh_env.core.geometry.spots import spot_height
from wh_env.core.procedures import GO, STEP, Procedure, Steps, integer
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.attack.brackets import bracket_of
from wh_env.rulesets.w40k.attack.casualties import Demises, settle
from wh_env.rulesets.w40k.move.displacement import displacement_at, least_displacement
from wh_env.rulesets.w40k.move.fall_back import lose_model
from wh_env.rulesets.w40k.move.model_moves import LEVELS, cell_at, fill
from wh_env.rulesets.w40k.move.unit_moves import move_to_cell
from wh_env.rulesets.w40k.questions.engagements import forget_targets

EPS = 1e-4


def least_move(g: BattleCore, unit: int) -> float:
    """Inches that each part of each model of the unit has to end from where it started; 0 for a unit with one Move
    value.
    """
    statics, model = g.setup.statics, g.units.first[unit]
    if statics["least_move"][unit] is None:
        return 0.0
    if model in statics["degrading"]:  # the damage table has both values
        return float(statics["bracket_least"][model, bracket_of(g, model)])
    return float(statics["least_move"][unit])


def far_enough(g: BattleCore, unit: int) -> bool:
    """Whether every model of the unit stands as far from where it started as its minimum move demands
    (w8.move.minimum).
    """
    least = least_move(g, unit)
    return not least or all(least_displacement(g, k) >= least - EPS for k in g.members(unit))


def drop_near_cells(g: BattleCore, unit: int, limits: Array, cells: Array, stay: bool = True) -> int:
    """Clear the ``cells`` for a unit moved as one that are nearer than its minimum move; returns how many are left.
    ``stay``: whether it may end where it stands.
    """
    least = least_move(g, unit)
    if not least:
        return int(np.count_nonzero(cells))
    rows = list(g.members(unit))
    stood = g.models.rows[rows]
    for cell in np.flatnonzero(cells).tolist():
        # a unit that regroups moves its models by different displacements, and they may end higher: try, then measure
        move_to_cell(g, unit, limits, cell, stay)
        cells[cell] = far_enough(g, unit)
        g.models.rows[rows] = stood
    return int(np.count_nonzero(cells))


def drop_near_places(
    g: BattleCore, model: int, limits: Array, level: int, place: tuple[float, float, float], facing: float, cells: Array
) -> int:  # fmt: skip
    """Clear the ``cells`` for one model moved alone that are nearer than its minimum move; returns how many are left.
    ``level``: the surface that it ends on; ``place``: centre (x, y) and reach of the window, inches; ``facing``: the
    model's facing at the end, radians.
    """
    least = least_move(g, g.models.unit[model])
    if least:
        for cell in np.flatnonzero(cells).tolist():
            x, y = cell_at(g, *place, cell)
            z = end_height(g, model, limits, level, x, y, facing)
            cells[cell] = displacement_at(g, model, x, y, z, facing) >= least - EPS
    return int(np.count_nonzero(cells))


def end_height(g: BattleCore, model: int, limits: Array, level: int, x: float, y: float, facing: float) -> float:
    """The height, in inches, at which the model ends a move to (x, y) on surface ``level``."""
    m, setup = g.models, g.setup
    if hypot(x - m.x[model], y - m.y[model]) < EPS:
        return float(m.z[model])  # it stays
    return float(
        spot_height(m.rows, setup.blocks, setup.corners, limits, model, x, y, facing, level, g.work.scratch[:LEVELS])
    )


def has_far_end(g: BattleCore, model: int, limits: Array) -> bool:
    """Whether the model, moved alone with its present facing, has a place where it may end its minimum move."""
    m, cells = g.models, g.work.cells
    place, facing = (m.x[model], m.y[model], float(allowance(m.rows, limits, model))), m.facing[model]
    for level in range(LEVELS if len(g.setup.blocks) else 1):
        fill(g, model, limits, level, facing, place, cells)
        if drop_near_places(g, model, limits, level, place, facing, cells):
            return True
    return False


def destroy(g: BattleCore, unit: int, models: list[int]) -> None:
    """These models of the unit cannot make their minimum move. They are destroyed and count as slain
    (w8.move.minimum.destroyed).
    """
    for model in models:
        g.note("w8.move.minimum.destroyed", "cannot make its minimum move and is destroyed", model=model)
        lose_model(g, unit, model)
    forget_targets(g)
    g.push(Crash, unit)


class Crash(Procedure):
    """Models of a unit are destroyed in its move: units embarked in them disembark (w8.transport.destroyed), then the
    models are removed.
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
