"""How the models of a unit are moved: all together (squad detail) or model by model (w10.move.models.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.placement import regroup_apply, regroup_mask
from wh_env.core.geometry.rigid import rigid_apply, rigid_mask, unit_allowance
from wh_env.core.geometry.shapes import coherent
from wh_env.core.procedures import GO, STEP, DecisionKind, Procedure, V
from wh_env.core.tables import Array
from wh_env.rulesets.w10 import codes
from wh_env.rulesets.w10.codes import Moved
from wh_env.rulesets.w10.limits import ADVANCE, FALL_BACK, NORMAL, limits_for
from wh_env.rulesets.w10.model_moves import MoveModels
from wh_env.rulesets.w10.setting_up import facing_of

UNIT, KIND = V, V + 1
REGROUP_GAP = 0.25  # inches between the bases of a unit that closes up
NAMES = {Moved.NORMAL: NORMAL, Moved.ADVANCE: ADVANCE, Moved.FELL_BACK: FALL_BACK}
RULES = {
    Moved.NORMAL: "w10.move.normal",
    Moved.ADVANCE: "w10.move.advance.move",
    Moved.FELL_BACK: "w10.move.fall-back.move",
}


def limits_of(g: BattleCore, unit: int, kind: int) -> Array:
    """Limits of a Normal move, an Advance (with its roll) or a Fall Back of the unit."""
    extra = float(g.units.advance[unit]) if kind == Moved.ADVANCE else 0.0
    return limits_for(g, unit, NAMES[Moved(kind)], extra)


def in_coherency(g: BattleCore, unit: int) -> bool:
    """w10.concepts.coherency.*, on the models that stand on the table."""
    return bool(
        coherent(
            g.models.rows,
            g.units.rows,
            unit,
            codes.COHERENCY_HORIZONTAL,
            codes.COHERENCY_VERTICAL,
            codes.LARGE_UNIT,
            g.setup.statics["labels"],
        )
    )


def fill_cells(g: BattleCore, unit: int, limits: Array, cells: Array) -> int:
    """Mark in ``cells`` where the unit can move: as it stands, or regrouped if it is out of coherency. Returns how many.

    The window spans the allowance of its slowest model both ways; the centre cell is no move.
    """
    statics = g.setup.statics
    m, u = g.models.rows, g.units.rows
    found = rigid_mask(
        m,
        u,
        g.setup.blocks,
        g.setup.corners,
        g.objectives.rows,
        limits,
        statics["no_targets"],
        unit,
        g.setup.space.grid,
        unit_allowance(m, u, limits, unit),
        cells,
        statics["scratch"],
        statics["marks"],
    )
    if found:
        return int(found)
    return int(
        regroup_mask(
            m,
            u,
            g.setup.blocks,
            g.setup.corners,
            g.objectives.rows,
            limits,
            statics["no_targets"],
            unit,
            facing_of(g, g.units.owner[unit]),
            REGROUP_GAP,
            g.setup.space.grid,
            unit_allowance(m, u, limits, unit),
            cells,
            statics["scratch"],
            statics["marks"],
        )
    )


def move_to_cell(g: BattleCore, unit: int, limits: Array, cell: int) -> list[tuple[float, float]]:
    """Move the unit to a legal cell; returns the points of its path as displacements."""
    statics = g.setup.statics
    m, u = g.models.rows, g.units.rows
    trail = statics["trail"]
    points = rigid_apply(
        m,
        u,
        g.setup.blocks,
        g.setup.corners,
        g.objectives.rows,
        limits,
        statics["no_targets"],
        unit,
        g.setup.space.grid,
        unit_allowance(m, u, limits, unit),
        cell,
        trail,
        statics["scratch"],
        statics["marks"],
    )
    if points < 0:
        done = regroup_apply(
            m,
            u,
            g.setup.blocks,
            g.setup.corners,
            g.objectives.rows,
            limits,
            statics["no_targets"],
            unit,
            facing_of(g, g.units.owner[unit]),
            REGROUP_GAP,
            g.setup.space.grid,
            unit_allowance(m, u, limits, unit),
            cell,
            statics["scratch"],
            statics["marks"],
        )
        if not done:
            raise RuntimeError(f"unit {unit} cannot move to cell {cell} although its mask says so")
        return []
    return [(float(trail[k, 0]), float(trail[k, 1])) for k in range(points)]


def has_any_move(g: BattleCore, unit: int) -> bool:
    """Whether a move of the unit can end in coherency at all (w10.concepts.coherency.move); not moving is one if it is."""
    if in_coherency(g, unit):
        return True
    return fill_cells(g, unit, limits_of(g, unit, Moved.NORMAL), g.setup.statics["cells"]) > 0


def can_fall_back(g: BattleCore, unit: int) -> bool:
    """Whether the unit has a legal end for a Fall Back (w10.move.fall-back.end)."""
    return fill_cells(g, unit, limits_of(g, unit, Moved.FELL_BACK), g.setup.statics["cells"]) > 0


class MoveUnit(Procedure):
    """A Normal move or an Advance of a unit."""

    def advance(self, g: BattleCore, f: int) -> int:
        stack = g.stack
        if stack[f + STEP]:
            return g.pop()
        stack[f + STEP] = 1
        unit = stack[f + UNIT]
        if g.setup.rules["detail"] == "full":
            g.push(MoveModels, unit, stack[f + KIND])
            return GO
        return g.ask(MoveTo, g.units.owner[unit], unit)


class MoveTo(DecisionKind):
    """Squad detail: where the unit goes, as a displacement of all its models; the centre cell is no movement."""

    name = "move-to"
    rules = ("w10.move.models.any-and-order", "w10.move.models.path", "w10.move.normal", "w10.move.advance.move")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit = g.stack[f + UNIT]
        space = g.setup.space
        fill_cells(g, unit, limits_of(g, unit, g.stack[f + KIND]), g.mask[space.cell : space.angle])

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit, kind = g.stack[f + UNIT], g.stack[f + KIND]
        path = move_to_cell(g, unit, limits_of(g, unit, kind), action - g.setup.space.cell)
        if g.recorder is not None:
            g.note(RULES[Moved(kind)], "unit moves", unit=unit, path=path)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        unit = g.stack[f + UNIT]
        dx, dy = cell_displacement(g, unit, limits_of(g, unit, g.stack[f + KIND]), action - g.setup.space.cell)
        return f"{g.setup.names['units'][unit]} moves {dx:+.1f}, {dy:+.1f} inches"


def cell_displacement(g: BattleCore, unit: int, limits: Array, cell: int) -> tuple[float, float]:
    """The displacement in inches that a cell of the move window stands for."""
    grid = g.setup.space.grid
    step = 2.0 * float(unit_allowance(g.models.rows, g.units.rows, limits, unit)) / (grid - 1)
    return (cell % grid - grid // 2) * step, (cell // grid - grid // 2) * step
