"""How the models of a unit are moved: all together (squad detail) or model by model (move.models.*)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import code, flag, row_of
from wh_env.core.features import Pending, Region
from wh_env.core.geometry.regroup import regroup_apply, regroup_mask
from wh_env.core.geometry.rigid import rigid_apply, rigid_mask
from wh_env.core.geometry.straight_moves import stands_over, unit_allowance
from wh_env.core.kernel import kernel
from wh_env.core.procedures import GO, STEP, DecisionKind, Steps, integer
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.codes import Moved
from wh_env.rulesets.w40k.deploy.zones import facing_of
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.edition_parts.ways import Way
from wh_env.rulesets.w40k.move.coherency import in_coherency
from wh_env.rulesets.w40k.move.model_moves import MoveModels
from wh_env.rulesets.w40k.questions.engagements import forget_targets
from wh_env.rulesets.w40k.questions.move_limits import (
    ADVANCE,
    CHOSEN_MOVES,
    FALL_BACK,
    NORMAL,
    Arguments,
    limits_for,
    surroundings,
)
from wh_env.rulesets.w40k.reaction.windows import Interruptible

ADVANCED = int(Moved.ADVANCE)
REGROUP_GAP = 0.25  # inches between the bases of a unit that closes up
NAMES: dict[int, str] = {Moved.NORMAL: NORMAL, Moved.ADVANCE: ADVANCE, Moved.FELL_BACK: FALL_BACK}
RULES = {
    Moved.NORMAL: "move.normal",
    Moved.ADVANCE: "move.advance.move",
    Moved.FELL_BACK: "move.fall-back.move",
}


def limits_of(g: BattleCore, unit: int, kind: int) -> Array:
    """Limits of a Normal move, an Advance (with its roll) or a Fall Back of the unit."""
    extra = float(g.units.advance[unit]) if kind == ADVANCED else 0.0
    return limits_for(g, unit, NAMES[kind], extra)


def allowed(g: BattleCore, unit: int, limits: Array) -> float:
    """Inches that the slowest model of the unit can move within these limits."""
    return float(g.work.call(unit_allowance, g.models.rows, g.units.rows, limits, unit))


def moving(g: BattleCore, limits: Array) -> Pending:
    """The subject of the waiting decision moves as one, within these limits."""
    reach = allowed(g, g.clock.subject[0], limits)
    return Pending(Region.square(0.0, 0.0, reach), moves=True)


def fill_cells(g: BattleCore, unit: int, limits: Array, cells: Array, stay: bool = True) -> int:
    """Mark in ``cells`` where the unit can move: all models alike or, if that is impossible, regrouped. Returns the
    number of cells.

    The window spans the allowance of its slowest model both ways. The centre cell means no move and is legal only if
    ``stay``.
    """
    work, ground = g.work, edition(g).ground
    if ground is None:
        together: Arguments = (*surroundings(g, unit, limits), g.setup.space.grid, cells, work.scratch, work.marks)
        found = int(work.call(rigid_mask, *together))
    else:
        found = ground.mark_cells(g, unit, limits, cells)
    if not stay and cells[len(cells) // 2]:
        cells[len(cells) // 2] = False
        found -= 1
    return found or _fill_regrouped(g, unit, limits, cells)


def ways_of(g: BattleCore, unit: int, limits: Array) -> Sequence[Way]:
    """The ways in which models of the unit may move, each its own (``edition_parts.ways``). If terrain makes no
    difference: one, past the blocks of the battlefield.
    """
    ground, reach = edition(g).ground, allowed(g, unit, limits)
    ways = () if ground is None else ground.ways(g, unit, reach)
    return [way for way in ways if way.less < reach] or [Way(g.setup.blocks, 0.0, 0, on_foot=False)]


def _past(g: BattleCore, unit: int, limits: Array, way: Way) -> Arguments:
    """The first arguments of the kernels that regroup a unit on one of its ways."""
    return *surroundings(g, unit, way.limits(limits), way.blocks), *anew(g, unit, limits)


def _fill_regrouped(g: BattleCore, unit: int, limits: Array, cells: Array) -> int:
    """``fill_cells`` for a unit whose models cannot move alike: the cells where it can regroup on one of its ways."""
    work = g.work
    more = np.zeros_like(work.cells)
    for way in ways_of(g, unit, limits):
        regrouped: Arguments = (*_past(g, unit, limits, way), more, work.scratch, work.marks)
        if work.call(regroup_mask, *regrouped):
            cells[more] = True
    return int(np.count_nonzero(cells))


def anew(g: BattleCore, unit: int, limits: Array) -> Arguments:
    """How a unit regroups: facing (radians), gap between models (inches), size of the grid, and its reach (inches)."""
    reach = allowed(g, unit, limits)
    return facing_of(g, g.units.owner[unit]), REGROUP_GAP, g.setup.space.grid, reach


def path_of(g: BattleCore, points: int) -> list[tuple[float, float]]:
    """The first ``points`` points of the path that a unit has just taken, as displacements in inches."""
    return [(float(x), float(y)) for x, y in g.work.trail[:points].tolist()]


def move_to_cell(g: BattleCore, unit: int, limits: Array, cell: int, stay: bool = True) -> int:
    """Move the unit to a legal cell. Returns the number of points of its path (``path_of``), 0 if it regrouped.

    Raises:
        RuntimeError: the unit cannot move there.
    """
    points = _together(g, unit, limits, cell) if stay or cell != g.setup.space.grid**2 // 2 else -1
    if points >= 0:
        return points
    work = g.work
    for way in ways_of(g, unit, limits):
        regrouped: Arguments = (*_past(g, unit, limits, way), cell, work.scratch, work.marks)
        if work.call(regroup_apply, *regrouped):
            return 0
    raise RuntimeError(f"unit {unit} cannot move to cell {cell} although its mask says so")


def _together(g: BattleCore, unit: int, limits: Array, cell: int) -> int:
    """Move all models of the unit alike. Returns the number of points in ``trail``, -1 if they cannot."""
    work, ground = g.work, edition(g).ground
    if ground is not None:
        return ground.move_together(g, unit, limits, cell)
    around = surroundings(g, unit, limits)
    together: Arguments = (*around, g.setup.space.grid, cell, work.trail, work.scratch, work.marks)
    return int(work.call(rigid_apply, *together))


@kernel
def ends_over(models: Array, units: Array, blocks: Array, limits: Array, unit: int, grid: int, cell: int) -> bool:
    """Whether some model of a unit that moves to the cell would have a surface to stand on below or above it."""
    step = 2.0 * unit_allowance(models, units, limits, unit) / (grid - 1)
    dx = (cell % grid - grid // 2) * step
    dy = (cell // grid - grid // 2) * step
    return bool(stands_over(models, units, blocks, unit, dx, dy))


def can_climb_there(g: BattleCore, unit: int, limits: Array, cell: int) -> bool:
    """Whether a unit that moves to the cell could choose to end higher (on the floor of a building, on a hill)."""
    m = g.models
    if not g.work.call(ends_over, m.rows, g.units.rows, g.setup.blocks, limits, unit, g.setup.space.grid, cell):
        return False
    rows = list(g.members(unit))
    stood = m.rows[rows]
    heights = []
    for high in (0, 1):
        limits[0]["prefer_high"] = high
        heights.append([m.z[k] for k in rows] if _together(g, unit, limits, cell) >= 0 else [])
        m.rows[rows] = stood
    limits[0]["prefer_high"] = 0
    return bool(heights[1]) and heights[0] != heights[1]


def has_any_move(g: BattleCore, unit: int) -> bool:
    """Whether the unit can end a move in coherency (concepts.coherency.move). Not to move counts if it is in coherency.

    True at full detail, where its player has to find a move.
    """
    return g.setup.rules["detail"] == "full" or may_end(g, unit, Moved.NORMAL)


def may_end(g: BattleCore, unit: int, kind: int) -> bool:
    """Whether the unit, moved alike or regrouped, may end a move of this kind anywhere. Not to move counts if it is in
    coherency.
    """
    return in_coherency(g, unit) or fill_cells(g, unit, limits_of(g, unit, kind), g.work.cells) > 0


class MoveUnit(Interruptible):
    """A Normal move or an Advance of a unit. ``MARK``: enemies shot at it first. If no legal move is left then, it
    stays.
    """

    class Step(Steps):
        BEGIN, CLIMB, END = range(3)

    KIND = integer(code(*NAMES))
    CELL = integer(row_of("cells"))
    MARK = integer(flag())
    asks = ("move-to", "move-level")

    def advance(self, g: BattleCore, f: int) -> int:
        Step = MoveUnit.Step
        stack = g.stack
        unit, step = stack[f + MoveUnit.UNIT], stack[f + STEP]
        if step == Step.END:
            return self.end(g, f)
        stack[f + STEP] = Step.END
        if step == Step.CLIMB:
            return g.ask(MoveLevel, g.units.owner[unit], unit)
        if g.setup.rules["detail"] == "full":
            g.push(MoveModels, unit, stack[f + MoveUnit.KIND])
            return GO
        if stack[f + MoveUnit.MARK] and not may_end(g, unit, stack[f + MoveUnit.KIND]):
            return g.pop()
        return g.ask(MoveTo, g.units.owner[unit], unit)

    def end(self, g: BattleCore, f: int) -> int:
        """The move of this frame is made."""
        return g.pop()


class MoveTo(DecisionKind):
    name = "move-to"
    what = "Squad detail: where the unit goes, as a displacement of all its models; the centre cell is no movement."
    full = False
    keys: ClassVar[tuple[str, ...]] = ("move.models.any-and-order", "move.models.path", *CHOSEN_MOVES)

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit = g.stack[f + MoveUnit.UNIT]
        space = g.setup.space
        fill_cells(g, unit, limits_of(g, unit, g.stack[f + MoveUnit.KIND]), g.mask[space.cell : space.angle])

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        cell = action - g.setup.space.cell
        unit = g.stack[f + MoveUnit.UNIT]
        limits = limits_of(g, unit, g.stack[f + MoveUnit.KIND])
        if len(g.setup.blocks) and can_climb_there(g, unit, limits, cell):
            g.stack[f + MoveUnit.CELL], g.stack[f + STEP] = cell, MoveUnit.Step.CLIMB
        else:
            carry_out(g, f, limits, cell)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        unit = g.stack[f + MoveUnit.UNIT]
        dx, dy = cell_displacement(g, unit, limits_of(g, unit, g.stack[f + MoveUnit.KIND]), action - g.setup.space.cell)
        return f"{g.setup.names['units'][unit]} moves {dx:+.1f}, {dy:+.1f} inches"

    def pending(self, g: BattleCore, f: int) -> Pending:
        return moving(g, limits_of(g, g.stack[f + MoveUnit.UNIT], g.stack[f + MoveUnit.KIND]))


def carry_out(g: BattleCore, f: int, limits: Array, cell: int) -> None:
    """Make the move of the frame to the cell, which ends it."""
    unit = g.stack[f + MoveUnit.UNIT]
    points = move_to_cell(g, unit, limits, cell)
    forget_targets(g)
    if g.recorder is not None:
        g.tell(RULES[Moved(g.stack[f + MoveUnit.KIND])], "unit moves", unit=unit, path=path_of(g, points))
    mover: MoveUnit = g.setup.ruleset.procedures[g.stack[f]]
    mover.end(g, f)


class MoveLevel(DecisionKind):
    name = "move-level"
    what = (
        "Squad detail: where the unit could end on different heights: as near as can be to its own, or as high as it "
        "can."
    )
    full = False
    keys = ("move.models.any-and-order", "move.terrain.climb", "move.fly.through-the-air", *CHOSEN_MOVES)

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        option = g.setup.space.option
        mask[option] = mask[option + 1] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        limits = limits_of(g, g.stack[f + MoveUnit.UNIT], g.stack[f + MoveUnit.KIND])
        limits[0]["prefer_high"] = action > g.setup.space.option
        carry_out(g, f, limits, g.stack[f + MoveUnit.CELL])
        limits[0]["prefer_high"] = 0

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return "climb as high as it can" if action > g.setup.space.option else "keep its height"


def cell_displacement(g: BattleCore, unit: int, limits: Array, cell: int) -> tuple[float, float]:
    """The displacement in inches that a cell of the move window stands for."""
    grid = g.setup.space.grid
    step = 2.0 * allowed(g, unit, limits) / (grid - 1)
    return (cell % grid - grid // 2) * step, (cell // grid - grid // 2) * step
