"""Setting units up on the battlefield: deployment, Infiltrators, Reserves (mission.only-war.deploy, deploy.*,
reserves.place.*).

Squad detail sets a unit up in formation on a cell of a grid; full detail sets it up model by model (``PlaceModels``).
"""

from __future__ import annotations

from math import hypot, pi
from typing import Any, ClassVar

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import between, row_of
from wh_env.core.features import Pending, Region
from wh_env.core.geometry.paths import set_pose
from wh_env.core.geometry.placement import place_apply
from wh_env.core.geometry.spots import spot_height, spot_mask
from wh_env.core.procedures import GO, STEP, DecisionKind, Procedure, Steps, integer
from wh_env.core.tables import CIRCLE, ON_TABLE, Array
from wh_env.rulesets.w40k.deploy.barred import Place, barred, leave_out
from wh_env.rulesets.w40k.deploy.beside import BESIDE, set_up_beside_at
from wh_env.rulesets.w40k.deploy.overhang import inside
from wh_env.rulesets.w40k.deploy.places import (
    cell_place,
    cells_for,
    centre_of,
    facing_by,
    formation_region,
    keepers,
    placing_limits,
    where,
    wide,
    wide_room,
)
from wh_env.rulesets.w40k.deploy.zones import facing_of
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.questions.engagements import forget_targets
from wh_env.rulesets.w40k.questions.move_limits import NORMAL, surroundings
from wh_env.rulesets.w40k.questions.strength import living

LEVELS = 4  # the most surfaces above each other among which a player can choose


# ---------------------------------------------------------------- in formation


def set_up_at(g: BattleCore, unit: int, cell: int) -> None:
    """Set the unit up in the cell, which ``cells_for`` has marked."""
    if g.units.reserve[unit] in BESIDE:
        set_up_beside_at(g, unit, g.units.reserve[unit], facing_of(g, g.units.owner[unit]), cell)
        return
    work = g.work
    zone, avoid, place = where(g, unit, g.units.reserve[unit])
    x, y = centre_of(g, zone, cell)
    facing = facing_by(g, unit, g.units.reserve[unit])
    around = surroundings(g, unit, placing_limits(g, g.units.reserve[unit]))
    arguments = *around, zone, avoid, place, facing, x, y, work.scratch, work.marks
    if not work.call(place_apply, *arguments):
        raise RuntimeError(f"unit {unit} cannot be set up in cell {cell} although its mask says so")


class InFormation(DecisionKind):
    """Base of the decisions that set a unit up in formation."""

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        space = g.setup.space
        cells_for(g, g.clock.subject[0], g.mask[space.cell : space.angle])

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        set_up_at(g, g.clock.subject[0], action - g.setup.space.cell)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        unit = g.clock.subject[0]
        x, y = cell_place(g, unit, action - g.setup.space.cell)
        return f"set up {g.setup.names['units'][unit]} at {x:.1f}, {y:.1f}"

    def pending(self, g: BattleCore, f: int) -> Pending:
        unit = g.clock.subject[0]
        return Pending(formation_region(g, unit), slots=list(living(g, unit)))


# ---------------------------------------------------------------- model by model

# rules by which a unit is set up; at full detail each of its models has a place of its own
SET_UP_RULES = (
    "mission.only-war.deploy",
    "mission.only-war.deploy.after",
    "deploy.infiltrators",
    "move.reinforcements.arrive",
    "reserves.arrive",
    "deploy.deep-strike.arrive",
    "stratagem.rapid-ingress",
    "transport.disembark.set-up",
    "transport.disembark.from-reserves",
    "transport.destroyed.disembark",
    "transport.emergency.distance",
    "deploy.fortification",
    "rare.resurrected.set-up",
)


class PlaceModels(Procedure):
    """Sets a unit up one model after the other, each in coherency with the models before it, on any surface it may
    stand on.

    If a model finds no place, all models are taken up again and the unit is set up in formation, for which there is
    room.
    """

    class Step(Steps):
        NEXT, FACE, SURFACE, COARSE, FINE, TOGETHER = range(6)

    UNIT = integer(row_of("units"))
    MODEL = integer(row_of("models"))
    ANGLE = integer(row_of("angles", none=True))
    LEVEL = integer(between(0, LEVELS - 1))
    CELL = integer(row_of("cells"))
    asks: ClassVar[tuple[str, ...]] = ("place-facing", "place-level", "place-model", "place-exactly", "place-together")

    def advance(self, g: BattleCore, f: int) -> int:
        Step = PlaceModels.Step
        stack = g.stack
        unit, step = stack[f + PlaceModels.UNIT], stack[f + STEP]
        owner = g.units.owner[unit]
        if step == Step.NEXT:
            model = next((k for k in living(g, unit) if not g.models.on_table[k]), -1)
            if model < 0:
                return g.pop()
            if self.is_next(g, f, model):
                step = Step.FACE
            else:
                for k in living(g, unit):
                    g.models.on_table[k] = 0
                forget_targets(g)
                step = stack[f + STEP] = Step.TOGETHER
        if step == Step.FACE:
            if g.models.shape[stack[f + PlaceModels.MODEL]] != CIRCLE:
                return g.ask(PlaceFacing, owner, unit)
            step = stack[f + STEP] = Step.SURFACE
        if step == Step.SURFACE:
            if len(levels(g)) > 1:
                return g.ask(PlaceLevel, owner, unit)
            step = stack[f + STEP] = Step.COARSE
        if step == Step.COARSE:
            return g.ask(PlaceModel, owner, unit)
        if step == Step.FINE:
            return g.ask(PlaceExactly, owner, unit)
        return g.ask(PlaceTogether, owner, unit)

    @staticmethod
    def is_next(g: BattleCore, f: int, model: int) -> bool:
        """Start to set up ``model`` if it fits anywhere. Returns whether it does."""
        stack = g.stack
        stack[f + PlaceModels.MODEL], stack[f + PlaceModels.ANGLE], stack[f + PlaceModels.LEVEL] = model, -1, 0
        found = any(fits(g, f, angle, level) for angle in facings(g, f) for level in levels(g))
        if found:
            stack[f + STEP] = PlaceModels.Step.FACE
        return found

    def mark(self, g: BattleCore, f: int, angle: int, level: int, inner: bool, cells: Array) -> int:
        """``fits`` for this procedure: in coherency with the models that stand, not engaged."""
        unit = g.stack[f + PlaceModels.UNIT]
        rows = list(living(g, unit))
        needed = min(sum(g.models.on_table[k] for k in rows), 2 if len(rows) >= edition(g).measures.large_unit else 1)
        limits = placing_limits(g, g.units.reserve[unit])
        window = np.array(grid_at(g, f, inner, angle))
        return mark_spots(g, f, angle, level, window, cells, limits, g.work.no_targets, needed)


def facings(g: BattleCore, f: int) -> range:
    """Numbers of the facings to choose from. A round base has only -1, the facing of the army."""
    return range(-1, 0) if g.models.shape[g.stack[f + PlaceModels.MODEL]] == CIRCLE else range(g.setup.space.angles)


def levels(g: BattleCore) -> range:
    """Numbers of the surfaces to choose from."""
    return range(LEVELS if g.setup.blocks["walkable"].any() else 1)


def facing_at(g: BattleCore, f: int, angle: int) -> float:
    """The facing with number ``angle``, radians; below 0: the facing in formation."""
    if angle < 0:
        return facing_by(g, g.stack[f + PlaceModels.UNIT], g.units.reserve[g.stack[f + PlaceModels.UNIT]])
    return 2.0 * pi * angle / g.setup.space.angles


def grid_at(g: BattleCore, f: int, inner: bool, angle: int) -> tuple[float, float, float, float]:
    """First place (x, y) and steps (dx, dy) in inches of the grid for the next model. ``inner``: of the finer grid
    within the chosen cell.

    The first model of a unit has a grid over the zone, with the facing number ``angle``. Later models have a window
    round the models that stand, as wide as coherency allows.
    """
    unit, model, grid = g.stack[f + PlaceModels.UNIT], g.stack[f + PlaceModels.MODEL], g.setup.space.grid
    m, half = g.models, grid // 2
    others = [k for k in living(g, unit) if m.on_table[k]]
    if others:
        x = sum(m.x[k] for k in others) / len(others)
        y = sum(m.y[k] for k in others) / len(others)
        far = max(hypot(m.x[k] - x, m.y[k] - y) + m.radius[k] for k in others)
        dx = dy = (far + edition(g).measures.coherency + m.radius[model]) / half
        x0, y0 = x - half * dx, y - half * dy
    else:
        facing = facing_at(g, f, angle)
        x0, y0 = cell_place(g, unit, 0, facing)
        x1, y1 = cell_place(g, unit, grid * grid - 1, facing)
        dx, dy = (x1 - x0) / (grid - 1), (y1 - y0) / (grid - 1)
    if not inner:
        return x0, y0, dx, dy
    cell = g.stack[f + PlaceModels.CELL]
    x, y = x0 + cell % grid * dx, y0 + cell // grid * dy
    return x - half * dx / grid, y - half * dy / grid, dx / grid, dy / grid


def chosen_grid(g: BattleCore, f: int, inner: bool) -> tuple[float, float, float, float]:
    """``grid_at`` with the chosen facing."""
    return grid_at(g, f, inner, g.stack[f + PlaceModels.ANGLE])


def fits(g: BattleCore, f: int, angle: int, level: int, inner: bool = False, cells: Array | None = None) -> int:
    """Mark where the model can be set up with this facing on this surface. Returns the number of cells."""
    procedure: Any = g.setup.ruleset.procedures[g.stack[f]]
    return int(procedure.mark(g, f, angle, level, inner, g.work.cells if cells is None else cells))


def mark_spots(
    g: BattleCore,
    f: int,
    angle: int,
    level: int,
    window: Array,
    cells: Array,
    limits: Array,
    targets: Array,
    needed: int,
) -> int:
    """Mark where in a window (see ``spot_mask``) the model of the frame can be set up in coherency with ``needed``
    models that already stand. Returns the number of cells.

    ``limits`` and ``targets`` say which enemies it may be within Engagement Range of.
    """
    work, stack = g.work, g.stack
    unit, model = stack[f + PlaceModels.UNIT], stack[f + PlaceModels.MODEL]
    facing = facing_at(g, f, angle)
    zone, avoid, place = where(g, unit, g.units.reserve[unit], facing)
    models, blocks, corners, grid = g.models.rows, g.setup.blocks, g.setup.corners, g.setup.space.grid
    found = int(
        spot_mask(
            models,
            g.units.rows,
            blocks,
            corners,
            g.objectives.rows,
            limits,
            targets,
            zone,
            avoid,
            place,
            model,
            facing,
            level,
            needed,
            window,
            grid,
            cells,
            work.scratch,
        )
    )
    if wide(g, unit, g.units.reserve[unit]) and model in g.setup.statics["spans"]:
        at = np.arange(grid * grid)
        x, y = window[0] + at % grid * window[2], window[1] + at // grid * window[3]
        cells &= inside(wide_room(g, unit)[0], x, y, facing, g.setup.statics["spans"][model])
        found = int(cells.sum())
    rules = barred(g, unit, keepers(g, unit, g.units.reserve[unit])) if found else []
    if not rules:
        return found

    def spot(cell: int) -> list[Place]:
        x, y = window[0] + cell % grid * window[2], window[1] + cell // grid * window[3]
        z = spot_height(models, blocks, corners, limits, model, x, y, facing, level, work.scratch)
        return [(model, x, y, z)]

    return leave_out(cells, rules, facing, spot)


def placing(g: BattleCore, f: int, region: Region | None = None) -> Pending:
    """The pending placement of the model of the frame. ``region``: the cells, if the decision is about its place."""
    return Pending(region, model=g.stack[f + PlaceModels.MODEL], slots=list(living(g, g.stack[f + PlaceModels.UNIT])))


class PlaceFacing(DecisionKind):
    name = "place-facing"
    what = "The facing of the model that is set up next, for bases that are not round."
    instead = "The unit faces the other side of the table, or as `arrive-by` says."
    keys = SET_UP_RULES
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        for angle in facings(g, f):
            if any(fits(g, f, angle, level) for level in levels(g)):
                mask[g.setup.space.angle + angle] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        g.stack[f + PlaceModels.ANGLE] = action - g.setup.space.angle
        g.stack[f + STEP] = PlaceModels.Step.SURFACE

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        space = g.setup.space
        return f"facing {360.0 * (action - space.angle) / space.angles:g} degrees"

    def pending(self, g: BattleCore, f: int) -> Pending:
        return placing(g, f)


class PlaceLevel(DecisionKind):
    name = "place-level"
    what = "The surface that the model is set up on: 0 the lowest at its place, 1 the next one above, ..."
    instead = "Units are set up on the ground."
    keys = ("terrain.ruins.floors", *SET_UP_RULES)
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        for level in levels(g):
            if fits(g, f, g.stack[f + PlaceModels.ANGLE], level):
                mask[g.setup.space.number + level] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        g.stack[f + PlaceModels.LEVEL] = action - g.setup.space.number
        g.stack[f + STEP] = PlaceModels.Step.COARSE

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        level = action - g.setup.space.number
        return f"on surface {level} above the lowest" if level else "on the lowest surface"

    def pending(self, g: BattleCore, f: int) -> Pending:
        return placing(g, f)


class PlaceModel(DecisionKind):
    name = "place-model"
    what = "Where the next model of the unit is set up: a cell of the grid over the zone."
    instead = "The unit is set up in formation by `deploy-to`, `arrive-at` or `disembark-at`."
    keys = ("concepts.coherency.set-up", *SET_UP_RULES)
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        space = g.setup.space
        fits(
            g,
            f,
            g.stack[f + PlaceModels.ANGLE],
            g.stack[f + PlaceModels.LEVEL],
            False,
            g.mask[space.cell : space.angle],
        )

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        g.stack[f + PlaceModels.CELL] = action - g.setup.space.cell
        g.stack[f + STEP] = PlaceModels.Step.FINE

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return words(g, f, action, False)

    def pending(self, g: BattleCore, f: int) -> Pending:
        return placing(g, f, Region.of_grid(*chosen_grid(g, f, False), g.setup.space.grid))


class PlaceExactly(DecisionKind):
    name = "place-exactly"
    what = "The exact place of the model within the chosen cell, on a grid as fine again."
    instead = "The formation stands on the middle of the cell."
    keys = SET_UP_RULES
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        space = g.setup.space
        fits(
            g, f, g.stack[f + PlaceModels.ANGLE], g.stack[f + PlaceModels.LEVEL], True, g.mask[space.cell : space.angle]
        )

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        stack, work = g.stack, g.work
        model, facing = stack[f + PlaceModels.MODEL], facing_at(g, f, stack[f + PlaceModels.ANGLE])
        x, y = spot(g, f, action, True)
        limits = work.limits[NORMAL, False]
        blocks, corners = g.setup.blocks, g.setup.corners
        z = spot_height(
            g.models.rows, blocks, corners, limits, model, x, y, facing, stack[f + PlaceModels.LEVEL], work.scratch
        )
        set_pose(g.models.rows, model, x, y, z, facing)
        g.models.on_table[model] = 1
        forget_targets(g)
        stack[f + STEP] = PlaceModels.Step.NEXT

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return words(g, f, action, True)

    def pending(self, g: BattleCore, f: int) -> Pending:
        return placing(g, f, Region.of_grid(*chosen_grid(g, f, True), g.setup.space.grid))


class PlaceTogether(InFormation):
    name = "place-together"
    what = (
        "Where the unit is set up in formation after all, because models set up one by one have left no room for the "
        "next."
    )
    instead = "It is in formation from the start."
    keys = ("concepts.coherency.set-up", *SET_UP_RULES)
    squad = False

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        super().answer(g, f, action)
        g.stack[f + STEP] = PlaceModels.Step.NEXT


def spot(g: BattleCore, f: int, action: int, inner: bool) -> tuple[float, float]:
    """The place of a cell, inches."""
    cell, grid = action - g.setup.space.cell, g.setup.space.grid
    x0, y0, dx, dy = chosen_grid(g, f, inner)
    return x0 + cell % grid * dx, y0 + cell // grid * dy


def words(g: BattleCore, f: int, action: int, inner: bool) -> str:
    """The description of a cell for these decisions."""
    x, y = spot(g, f, action, inner)
    return f"{g.setup.names['models'][g.stack[f + PlaceModels.MODEL]]} at {x:.2f}, {y:.2f}"


def finish_set_up(g: BattleCore, unit: int) -> None:
    """The unit is set up: it stands on the battlefield and is no Reserves unit."""
    g.units.place[unit] = ON_TABLE
    g.units.reserve[unit] = 0
    forget_targets(g)


def start_set_up(g: BattleCore, unit: int, squad: type[InFormation]) -> int:
    """Ask where the unit is set up: in formation or, at full detail, model by model. There must be room for it."""
    if g.setup.rules["detail"] == "full":
        g.push(PlaceModels, unit)
        return GO
    return g.ask(squad, g.units.owner[unit], unit)
