"""Full detail: a unit's models are moved one by one, in any order (move.models.any-and-order)."""

from __future__ import annotations

from math import pi
from typing import ClassVar

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import INT_HIGH, amount, between, bits, code, row_of
from wh_env.core.features import Pending, Region
from wh_env.core.geometry.paths import allowance, end_fault
from wh_env.core.geometry.single import model_apply, model_mask
from wh_env.core.procedures import STEP, DecisionKind, Procedure, Steps, integer
from wh_env.core.tables import CIRCLE, Array
from wh_env.rulesets.w40k.codes import Moved
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.edition_parts.ways import Way
from wh_env.rulesets.w40k.move.coherency import in_coherency
from wh_env.rulesets.w40k.move.remembered import remember
from wh_env.rulesets.w40k.questions.engagements import forget_targets
from wh_env.rulesets.w40k.questions.move_limits import (
    ADVANCE,
    CHOSEN_MOVES,
    FALL_BACK,
    FALL_BACK_AROUND,
    NORMAL,
    SCOUT,
    engaged,
    limits_for,
)

BY_SCOUTS = -1  # a KIND beside those of ``Moved``: a Scouts move, of OVER hundredths of an inch
LOWEST = 0  # the lowest surface of a place
LEVELS = 4  # how many surfaces above each other can be chosen from


class MoveModels(Procedure):
    """Moves models until the player is done. The unit must then be in coherency, or all models are taken back."""

    class Step(Steps):
        BEGIN, SELECT, TURN, CLIMB, WINDOW, REFINE, END = range(7)

    UNIT = integer(row_of("units"))
    KIND = integer(code(BY_SCOUTS, *Moved))
    OVER = integer(bits(INT_HIGH))
    SLOT = integer(row_of("slots"))
    CELL = integer(row_of("cells"))
    ANGLE = integer(row_of("angles", none=True))
    TRIES = integer(amount())
    LEVEL = integer(between(LOWEST, LEVELS - 1))
    asks = ("select-model", "model-facing", "model-level", "model-to", "model-refine")

    def advance(self, g: BattleCore, f: int) -> int:
        Step = MoveModels.Step
        stack = g.stack
        unit, step = stack[f + MoveModels.UNIT], stack[f + STEP]
        owner = g.units.owner[unit]
        if step == Step.BEGIN:
            begin_move(g, unit)
            step = stack[f + STEP] = Step.SELECT
        if step == Step.SELECT:
            return g.ask(SelectModel, owner, unit)
        if step == Step.TURN:
            return g.ask(ModelFacing, owner, unit)
        if step == Step.CLIMB:
            if levels_in_reach(g, f) > 1 << LOWEST:
                return g.ask(ModelLevel, owner, unit)
            stack[f + MoveModels.LEVEL] = LOWEST
            step = stack[f + STEP] = Step.WINDOW
        if step == Step.WINDOW:
            return g.ask(ModelTo, owner, unit)
        if step == Step.REFINE:
            return g.ask(ModelRefine, owner, unit)
        return g.pop()


def begin_move(g: BattleCore, unit: int) -> None:
    """Store the places of the unit's models at the start of its move."""
    g.work.call(remember, g.models.rows, g.units.rows, g.origin.rows, unit)


def take_back(g: BattleCore, unit: int) -> None:
    """Put all models of the unit back where they stood at the start of the move (concepts.coherency.move)."""
    m, origin = g.models, g.origin
    for k in g.members(unit):
        m.moved[k] = 0
        m.x[k], m.y[k], m.z[k], m.facing[k] = origin.x[k], origin.y[k], origin.z[k], origin.facing[k]
    forget_targets(g)


def model_limits(g: BattleCore, f: int) -> Array:
    """Limits for the model being moved; in a Fall Back only declared models may cross enemies."""
    stack = g.stack
    unit, kind, model = stack[f + MoveModels.UNIT], stack[f + MoveModels.KIND], selected_model(g, f)
    if kind == Moved.ADVANCE:
        return limits_for(g, unit, ADVANCE, float(g.units.advance[unit]), model)
    if kind == BY_SCOUTS:
        return limits_for(g, unit, SCOUT, stack[f + MoveModels.OVER] / 100, model)
    if kind == Moved.FELL_BACK:
        over = stack[f + MoveModels.OVER] >> stack[f + MoveModels.SLOT] & 1
        return limits_for(g, unit, FALL_BACK if over else FALL_BACK_AROUND, 0.0, model)
    return limits_for(g, unit, NORMAL, 0.0, model)


def selected_model(g: BattleCore, f: int) -> int:
    """The model being moved."""
    return int(list(g.members(g.stack[f + MoveModels.UNIT]))[g.stack[f + MoveModels.SLOT]])


class SelectModel(DecisionKind):
    """After all models were taken back, ``done`` gives the move up: the unit stays, or falls back with all models
    alike.
    """

    name = "select-model"
    what = "Which model moves next; done when the unit may stay so; option 0 takes everything back."
    instead = "All models move alike, by `move-to`, `fall-back-to` or `scout-move`."
    keys: ClassVar[tuple[str, ...]] = (
        "move.models.any-and-order",
        "concepts.coherency.move",
        *CHOSEN_MOVES,
        "deploy.scouts.move",
    )
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit, space = g.stack[f + MoveModels.UNIT], g.setup.space
        moved = False
        for slot, k in enumerate(g.members(unit)):
            if g.models.moved[k]:
                moved = True
            else:
                mask[space.model + slot] = True
        mask[space.option] = moved
        may_end = in_coherency(g, unit)
        if may_end and g.stack[f + MoveModels.KIND] == Moved.FELL_BACK:
            may_end = not engaged(g, unit)
        if may_end and moved and g.stack[f + MoveModels.KIND] == BY_SCOUTS:
            may_end = all(may_stand(g, f, k) for k in g.members(unit))
        mask[0] = may_end or (not moved and g.stack[f + MoveModels.TRIES] > 0)

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        Step = MoveModels.Step
        stack, space = g.stack, g.setup.space
        unit = stack[f + MoveModels.UNIT]
        if action == 0:
            stack[f + STEP] = Step.END
            g.tell("move.models.any-and-order", "move ends", unit=unit)
        elif action == space.option:
            take_back(g, unit)
            stack[f + MoveModels.TRIES] += 1
        else:
            stack[f + MoveModels.SLOT] = action - space.model
            model = selected_model(g, f)
            stack[f + MoveModels.ANGLE] = -1
            stack[f + STEP] = Step.CLIMB if g.models.shape[model] == CIRCLE else Step.TURN

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        space = g.setup.space
        if action == space.option:
            return "take the move back"
        if action == 0:
            return "end the move"
        return f"move {g.setup.names['models'][list(g.members(g.stack[f + MoveModels.UNIT]))[action - space.model]]}"


def may_stand(g: BattleCore, f: int, model: int) -> bool:
    """Whether a model in a Scouts move may end the move where it stands now (deploy.scouts.distance)."""
    setup, m = g.setup, g.models
    limits = limits_for(g, g.stack[f + MoveModels.UNIT], SCOUT, g.stack[f + MoveModels.OVER] / 100, model)
    tables = (m.rows, setup.blocks, setup.corners, g.objectives.rows, limits, g.work.no_targets)
    return end_fault(*tables, model, m.x[model], m.y[model], m.z[model], m.facing[model], -1) == 0


class ModelFacing(DecisionKind):
    name = "model-facing"
    what = "The facing a model without a round base ends with: 24 directions, or as it stands (done)."
    instead = "Models keep their facing."
    keys = ("move.models.any-and-order", "move.models.path", "move.models.distance", *CHOSEN_MOVES)
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        space = g.setup.space
        mask[0] = True
        for angle in range(space.angles):
            mask[space.angle + angle] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        g.stack[f + MoveModels.ANGLE] = -1 if action == 0 else action - g.setup.space.angle
        g.stack[f + STEP] = MoveModels.Step.CLIMB

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        space = g.setup.space
        return "keep its facing" if action == 0 else f"face {360 * (action - space.angle) // space.angles} degrees"

    def pending(self, g: BattleCore, f: int) -> Pending:
        return Pending(model=selected_model(g, f))


def end_facing(g: BattleCore, f: int, model: int) -> float:
    """The facing, in radians, with which the model ends its move."""
    angle = g.stack[f + MoveModels.ANGLE]
    return g.models.facing[model] if angle < 0 else 2.0 * pi * angle / g.setup.space.angles


def window(g: BattleCore, f: int, model: int, limits: Array) -> tuple[float, float, float]:
    """Centre (x, y) and reach of the window of the coarse grid, inches."""
    return g.models.x[model], g.models.y[model], float(allowance(g.models.rows, limits, model))


def fill(
    g: BattleCore, model: int, limits: Array, level: int, facing: float, place: tuple[float, float, float], cells: Array
) -> int:
    """Mark where the model can end a move in a window, on surface ``level`` with ``facing``. Returns the number of
    cells.

    ``place``: centre (x, y) and reach of the window, inches.
    """
    ways = ways_of(g, model, limits)
    if ways:
        more = np.zeros_like(g.work.cells)
        cells[:] = False
        for way in ways:
            _fill(g, model, way.blocks, way.limits(limits), level, facing, place, more)
            cells[more] = True
        return int(np.count_nonzero(cells))
    return _fill(g, model, g.setup.blocks, limits, level, facing, place, cells)


def ways_of(g: BattleCore, model: int, limits: Array) -> tuple[Way, ...]:
    """The ways of a model that moves alone (``edition_parts.ways``). Empty if no terrain near its unit makes a
    difference.
    """
    ground = edition(g).ground
    if ground is None:
        return ()
    m, unit = g.models, g.models.unit[model]
    reach = max(float(allowance(m.rows, limits, k)) for k in g.members(unit))
    return ground.ways(g, unit, reach, by_model=True)


def _fill(
    g: BattleCore, model: int, blocks: Array, limits: Array, level: int, facing: float,
    place: tuple[float, float, float], cells: Array,
) -> int:  # fmt: skip
    """``fill`` with ``blocks`` as the terrain."""
    work = g.work
    cx, cy, reach = place
    return int(
        model_mask(
            g.models.rows,
            g.units.rows,
            blocks,
            g.setup.corners,
            g.objectives.rows,
            limits,
            work.no_targets,
            model,
            g.setup.space.grid,
            reach,
            level,
            cx,
            cy,
            facing,
            cells,
            work.scratch,
            work.marks,
        )
    )


def levels_in_reach(g: BattleCore, f: int) -> int:
    """A bit for each surface (lowest first) on which the model could end its move; the bit of the lowest is
    always set.
    """
    found = 1 << LOWEST
    if not len(g.setup.blocks):
        return found
    model, cells = selected_model(g, f), g.work.cells
    limits = model_limits(g, f)
    for level in range(LOWEST + 1, LEVELS):
        fill(g, model, limits, level, end_facing(g, f, model), window(g, f, model, limits), cells)
        cells[len(cells) // 2] = False
        found |= int(cells.any()) << level
    return found


def has_end(g: BattleCore, model: int, limits: Array) -> bool:
    """Whether the model, moved alone, has any place where it may end this move."""
    m, setup = g.models, g.setup
    x, y, z, facing = m.x[model], m.y[model], m.z[model], m.facing[model]
    tables = (m.rows, setup.blocks, setup.corners, g.objectives.rows, limits, g.work.no_targets)
    if end_fault(*tables, model, x, y, z, facing, -1) == 0:
        return True
    cells = g.work.cells
    for level in range(LEVELS if len(setup.blocks) else 1):
        fill(g, model, limits, level, facing, (x, y, float(allowance(m.rows, limits, model))), cells)
        cells[len(cells) // 2] = False
        if cells.any():
            return True
    return False


class ModelLevel(DecisionKind):
    name = "model-level"
    what = "On which surface the model ends where there are several above each other: the lowest (0), the next one, ..."
    instead = "The surface nearest in height, or by `move-level` as high as can be."
    keys = ("move.models.any-and-order", "move.terrain.climb", "move.fly.through-the-air", *CHOSEN_MOVES)
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        levels = levels_in_reach(g, f)
        for level in range(LEVELS):
            if levels >> level & 1:
                mask[g.setup.space.number + level] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        g.stack[f + MoveModels.LEVEL] = action - g.setup.space.number
        g.stack[f + STEP] = MoveModels.Step.WINDOW

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        level = action - g.setup.space.number
        return f"end on surface {level} from below" if level else "end on the lowest surface"

    def pending(self, g: BattleCore, f: int) -> Pending:
        return Pending(model=selected_model(g, f))


def cell_at(g: BattleCore, cx: float, cy: float, reach: float, cell: int) -> tuple[float, float]:
    """The place (x, y) of a cell of a window, inches."""
    grid = g.setup.space.grid
    step = 2.0 * reach / (grid - 1)
    return cx + (cell % grid - grid // 2) * step, cy + (cell // grid - grid // 2) * step


class ModelTo(DecisionKind):
    name = "model-to"
    what = "Where the model moves, in a window as wide as it can move; done: it stays."
    instead = "All models move alike, by `move-to`, `fall-back-to` or `scout-move`."
    keys: ClassVar[tuple[str, ...]] = (
        "move.models.any-and-order",
        "move.models.path",
        *CHOSEN_MOVES,
        "deploy.scouts.move",
    )
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        space = g.setup.space
        model = selected_model(g, f)
        limits = model_limits(g, f)
        mask[0] = True
        place, facing = window(g, f, model, limits), end_facing(g, f, model)
        fill(g, model, limits, g.stack[f + MoveModels.LEVEL], facing, place, g.mask[space.cell : space.angle])

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        if action == 0:
            g.models.moved[selected_model(g, f)] = 1
            g.stack[f + STEP] = MoveModels.Step.SELECT
            return
        g.stack[f + MoveModels.CELL] = action - g.setup.space.cell
        g.stack[f + STEP] = MoveModels.Step.REFINE

    def pending(self, g: BattleCore, f: int) -> Pending:
        model = selected_model(g, f)
        return Pending(Region.square(*window(g, f, model, model_limits(g, f))), model=model)


def _go(g: BattleCore, f: int, model: int, blocks: Array, limits: Array, x: float, y: float) -> int:
    """Move the model past these blocks. Returns the number of points of its path, -1 if it cannot."""
    work = g.work
    points = work.scratch[64:72].reshape((2, 4))
    return int(
        model_apply(
            g.models.rows,
            g.units.rows,
            blocks,
            g.setup.corners,
            g.objectives.rows,
            limits,
            work.no_targets,
            model,
            g.stack[f + MoveModels.LEVEL],
            x,
            y,
            end_facing(g, f, model),
            points,
            work.scratch,
            work.marks,
        )
    )


class ModelRefine(DecisionKind):
    name = "model-refine"
    what = "The exact place round the chosen cell, on a finer grid."
    instead = "The unit moves by exactly the chosen cell."
    keys: ClassVar[tuple[str, ...]] = ("move.models.any-and-order", *CHOSEN_MOVES, "deploy.scouts.move")
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        space = g.setup.space
        model = selected_model(g, f)
        limits = model_limits(g, f)
        place, facing = self.inner(g, f, model, limits), end_facing(g, f, model)
        fill(g, model, limits, g.stack[f + MoveModels.LEVEL], facing, place, g.mask[space.cell : space.angle])

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        model = selected_model(g, f)
        limits = model_limits(g, f)
        x, y = cell_at(g, *self.inner(g, f, model, limits), action - g.setup.space.cell)
        found = -1
        ways = ways_of(g, model, limits)
        for way in ways:
            found = _go(g, f, model, way.blocks, way.limits(limits), x, y)
            if found >= 0:
                edition(g).ground.went(g, g.stack[f + MoveModels.UNIT], way)  # type: ignore[union-attr]  # it has ways
                break
        if not ways:
            found = _go(g, f, model, g.setup.blocks, limits, x, y)
        if found < 0:
            raise RuntimeError(f"model {model} cannot move to {x:.2f}, {y:.2f} although its mask says so")
        g.models.moved[model] = 1
        g.stack[f + STEP] = MoveModels.Step.SELECT
        forget_targets(g)

    def pending(self, g: BattleCore, f: int) -> Pending:
        model = selected_model(g, f)
        return Pending(Region.square(*self.inner(g, f, model, model_limits(g, f))), model=model)

    @staticmethod
    def inner(g: BattleCore, f: int, model: int, limits: Array) -> tuple[float, float, float]:
        """The window round one coarse cell, out to its neighbours, because an illegal cell can contain legal places."""
        cx, cy, reach = window(g, f, model, limits)
        x, y = cell_at(g, cx, cy, reach, g.stack[f + MoveModels.CELL])
        return x, y, 2.0 * reach / (g.setup.space.grid - 1)
