"""Full detail: a unit's models are moved one by one, in any order (w10.move.models.any-and-order)."""

from __future__ import annotations

from math import pi

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.paths import allowance
from wh_env.core.geometry.shapes import coherent
from wh_env.core.geometry.single import model_apply, model_mask
from wh_env.core.procedures import STEP, DecisionKind, Procedure, V
from wh_env.core.tables import CIRCLE, Array
from wh_env.rulesets.w10 import codes
from wh_env.rulesets.w10.codes import Moved
from wh_env.rulesets.w10.limits import ADVANCE, FALL_BACK, FALL_BACK_AROUND, NORMAL, limits_for

UNIT, KIND, OVER, SLOT, CELL, ANGLE, TRIES = V, V + 1, V + 2, V + 3, V + 4, V + 5, V + 6
NEAREST = -1

# steps of MoveModels
BEGIN, SELECT, TURN, WINDOW, REFINE = range(5)


class MoveModels(Procedure):
    """Moves models until the player is done; the unit must be in coherency then, or everything is taken back."""

    def advance(self, g: BattleCore, f: int) -> int:
        stack = g.stack
        unit, step = stack[f + UNIT], stack[f + STEP]
        owner = g.units.owner[unit]
        if step == BEGIN:
            begin_move(g, unit)
            step = stack[f + STEP] = SELECT
        if step == SELECT:
            return g.ask(SelectModel, owner, unit)
        if step == TURN:
            return g.ask(ModelFacing, owner, unit)
        if step == WINDOW:
            return g.ask(ModelTo, owner, unit)
        if step == REFINE:
            return g.ask(ModelRefine, owner, unit)
        return g.pop()


END = REFINE + 1


def begin_move(g: BattleCore, unit: int) -> None:
    """Remember where the models stand; none of them has been moved."""
    m, origin = g.models, g.origin
    for k in g.members(unit):
        m.moved[k] = 0
        origin.x[k], origin.y[k], origin.z[k], origin.facing[k] = m.x[k], m.y[k], m.z[k], m.facing[k]


def take_back(g: BattleCore, unit: int) -> None:
    """All models of the unit go back to where they stood (w10.concepts.coherency.move)."""
    m, origin = g.models, g.origin
    for k in g.members(unit):
        m.moved[k] = 0
        m.x[k], m.y[k], m.z[k], m.facing[k] = origin.x[k], origin.y[k], origin.z[k], origin.facing[k]


def in_coherency(g: BattleCore, unit: int) -> bool:
    """Whether the unit is in coherency as it stands."""
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


def model_limits(g: BattleCore, f: int) -> Array:
    """Limits for the model being moved; in a Fall Back only declared models may cross enemies."""
    stack = g.stack
    unit, kind = stack[f + UNIT], stack[f + KIND]
    if kind == Moved.ADVANCE:
        return limits_for(g, unit, ADVANCE, float(g.units.advance[unit]))
    if kind == Moved.FELL_BACK:
        over = stack[f + OVER] >> stack[f + SLOT] & 1
        return limits_for(g, unit, FALL_BACK if over else FALL_BACK_AROUND, 0.0)
    return limits_for(g, unit, NORMAL, 0.0)


def selected_model(g: BattleCore, f: int) -> int:
    """The model being moved."""
    return list(g.members(g.stack[f + UNIT]))[g.stack[f + SLOT]]


class SelectModel(DecisionKind):
    """Which model moves next; done when the unit may stay so; option 0 takes everything back."""

    name = "select-model"
    rules = ("w10.move.models.any-and-order", "w10.concepts.coherency.move")
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit, space = g.stack[f + UNIT], g.setup.space
        moved = False
        for slot, k in enumerate(g.members(unit)):
            if g.models.moved[k]:
                moved = True
            else:
                mask[space.model + slot] = True
        mask[space.option] = moved
        may_end = in_coherency(g, unit)
        if may_end and g.stack[f + KIND] == Moved.FELL_BACK:
            may_end = not engaged_models(g, unit)
        mask[0] = may_end or (not moved and g.stack[f + TRIES] > 0)

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        stack, space = g.stack, g.setup.space
        unit = stack[f + UNIT]
        if action == 0:
            stack[f + STEP] = END
            if g.recorder is not None:
                g.note("w10.move.models.any-and-order", "move ends", unit=unit)
        elif action == space.option:
            take_back(g, unit)
            stack[f + TRIES] += 1
        else:
            stack[f + SLOT] = action - space.model
            model = selected_model(g, f)
            stack[f + ANGLE] = -1
            stack[f + STEP] = WINDOW if g.models.shape[model] == CIRCLE else TURN

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        space = g.setup.space
        if action == space.option:
            return "take the move back"
        if action == 0:
            return "end the move"
        return f"move {g.setup.names['models'][list(g.members(g.stack[f + UNIT]))[action - space.model]]}"


def engaged_models(g: BattleCore, unit: int) -> bool:
    """Whether the unit is within Engagement Range of any enemy model."""
    from wh_env.core.geometry.shapes import unit_engaged

    return bool(
        unit_engaged(g.models.rows, g.units.rows, unit, codes.ENGAGEMENT_HORIZONTAL, codes.ENGAGEMENT_VERTICAL)
    )


class ModelFacing(DecisionKind):
    """The facing a model without a round base ends with: 24 directions, or as it stands (done)."""

    name = "model-facing"
    rules = ("w10.move.models.path", "w10.move.models.distance")
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        space = g.setup.space
        mask[0] = True
        for angle in range(space.angles):
            mask[space.angle + angle] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        g.stack[f + ANGLE] = -1 if action == 0 else action - g.setup.space.angle
        g.stack[f + STEP] = WINDOW


def end_facing(g: BattleCore, f: int, model: int) -> float:
    """The facing the model ends its move with."""
    angle = g.stack[f + ANGLE]
    return float(g.models.facing[model]) if angle < 0 else 2.0 * pi * angle / g.setup.space.angles


def window(g: BattleCore, f: int, model: int, limits: Array) -> tuple[float, float, float]:
    """Centre and reach of the window of the coarse grid."""
    return g.models.x[model], g.models.y[model], float(allowance(g.models.rows, limits, model))


def fill(g: BattleCore, f: int, model: int, limits: Array, cx: float, cy: float, reach: float, cells: Array) -> int:
    """Mark the places of a window that the model can move to."""
    statics = g.setup.statics
    return int(
        model_mask(
            g.models.rows,
            g.units.rows,
            g.setup.blocks,
            g.setup.corners,
            g.objectives.rows,
            limits,
            statics["no_targets"],
            model,
            g.setup.space.grid,
            reach,
            NEAREST,
            cx,
            cy,
            end_facing(g, f, model),
            cells,
            statics["scratch"],
            statics["marks"],
        )
    )


def cell_at(g: BattleCore, cx: float, cy: float, reach: float, cell: int) -> tuple[float, float]:
    """Where a cell of a window lies."""
    grid = g.setup.space.grid
    step = 2.0 * reach / (grid - 1)
    return cx + (cell % grid - grid // 2) * step, cy + (cell // grid - grid // 2) * step


class ModelTo(DecisionKind):
    """Where the model moves, in a window as wide as it can move; done: it stays."""

    name = "model-to"
    rules = ("w10.move.models.any-and-order", "w10.move.models.path")
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        space = g.setup.space
        model = selected_model(g, f)
        limits = model_limits(g, f)
        mask[0] = True
        fill(g, f, model, limits, *window(g, f, model, limits), g.mask[space.cell : space.angle])

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        if action == 0:
            g.models.moved[selected_model(g, f)] = 1
            g.stack[f + STEP] = SELECT
            return
        g.stack[f + CELL] = action - g.setup.space.cell
        g.stack[f + STEP] = REFINE


class ModelRefine(DecisionKind):
    """The exact place within the chosen cell, on a grid as fine again."""

    name = "model-refine"
    rules = ("w10.move.models.any-and-order",)
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        space = g.setup.space
        model = selected_model(g, f)
        limits = model_limits(g, f)
        fill(g, f, model, limits, *self.inner(g, f, model, limits), g.mask[space.cell : space.angle])

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        statics = g.setup.statics
        model = selected_model(g, f)
        limits = model_limits(g, f)
        x, y = cell_at(g, *self.inner(g, f, model, limits), action - g.setup.space.cell)
        points = statics["scratch"][64:72].reshape((2, 4))
        found = model_apply(
            g.models.rows,
            g.units.rows,
            g.setup.blocks,
            g.setup.corners,
            g.objectives.rows,
            limits,
            statics["no_targets"],
            model,
            NEAREST,
            x,
            y,
            end_facing(g, f, model),
            points,
            statics["scratch"],
            statics["marks"],
        )
        if found < 0:
            raise RuntimeError(f"model {model} cannot move to {x:.2f}, {y:.2f} although its mask says so")
        g.models.moved[model] = 1
        g.stack[f + STEP] = SELECT

    @staticmethod
    def inner(g: BattleCore, f: int, model: int, limits: Array) -> tuple[float, float, float]:
        """The window of one coarse cell."""
        cx, cy, reach = window(g, f, model, limits)
        x, y = cell_at(g, cx, cy, reach, g.stack[f + CELL])
        return x, y, reach / (g.setup.space.grid - 1)



