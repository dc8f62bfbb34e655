"""Full detail: Charge, Pile-in and Consolidation moves made model by model (charge.move, fight.pile-in.order).

The player names a model and a cell of the window: the model ends in base contact if the cell holds such a place, else
at the middle of the cell. The whole move is judged at the end: ``done`` is offered only where the move is legal. Until
then the player can take it back, or leave the whole move to the engine.
"""

from __future__ import annotations

from math import atan2, hypot, pi

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import MOST_ATTACKS, amount, between, row_of
from wh_env.core.features import Pending, Region
from wh_env.core.geometry.melee_search import CHARGE as TO_TARGETS
from wh_env.core.geometry.melee_search import (
    TO_ENEMY,
    TO_MARKER,
    closest_goal,
    closest_marker,
    contact_place,
    is_goal,
    touches_enemy,
)
from wh_env.core.geometry.paths import choose_surface, set_pose
from wh_env.core.geometry.shapes import CONTACT, EPS, gap
from wh_env.core.geometry.single import NEAREST, find_path, model_mask
from wh_env.core.geometry.tied import closer_to_one
from wh_env.core.procedures import STEP, DecisionKind, Procedure, Steps, integer
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.edition_parts.ways import Way
from wh_env.rulesets.w40k.fight.close_moves import (
    TOWARDS_ENEMY,
    TOWARDS_MARKER,
    charge_unit,
    charge_ways,
    charged,
    consolidate,
    intervene,
    intervenes,
    judge,
    pile_in,
)
from wh_env.rulesets.w40k.move.model_moves import begin_move, cell_at, take_back
from wh_env.rulesets.w40k.questions.engagements import forget_targets
from wh_env.rulesets.w40k.questions.move_limits import CHARGE, CONSOLIDATE, PILE_IN, limits_for, own_limits

KINDS = (CHARGE, PILE_IN, CONSOLIDATE, PILE_IN)
CHARGES, PILES_IN, CONSOLIDATES, INTERVENES = range(4)
DIRECTIONS = 36  # places in base contact tried round each enemy model
MOST_TRIES = 3  # how often the player may take a move back
POINTS = 2  # points of a path that the engine finds


class CloseMoves(Procedure):
    """The player moves models of a unit one by one. ``KIND``: kind of move. ``GOAL``: towards the enemy or a marker.
    ``REACH``: inches.
    """

    class Step(Steps):
        BEGIN, SELECT, PLACE, ENGINE, END = range(5)

    UNIT = integer(row_of("units"))
    KIND = integer(between(CHARGES, INTERVENES))
    GOAL = integer(between(0, 3))
    REACH = integer(between(0, MOST_ATTACKS))
    SLOT = integer(row_of("slots"))
    TRIES = integer(amount())
    asks = ("close-order", "close-to")

    def advance(self, g: BattleCore, f: int) -> int:
        Step = CloseMoves.Step
        stack = g.stack
        unit, step = stack[f + CloseMoves.UNIT], stack[f + STEP]
        owner = g.units.owner[unit]
        if step == Step.BEGIN:
            begin_move(g, unit)
            step = stack[f + STEP] = Step.SELECT
        if step == Step.SELECT:
            return g.ask(NextToClose, owner, unit)
        if step == Step.PLACE:
            return g.ask(CloseTo, owner, unit)
        if step == Step.ENGINE:
            by_engine(g, f)
        elif stack[f + CloseMoves.KIND] == CHARGES and edition(g).ground is not None:
            charged(g, unit, next(way for way in ways_of(g, f) if legal_on(g, f, way)))
        forget_targets(g)
        if g.recorder is not None:
            origin, m = g.origin, g.models
            order = in_order(g, unit)
            moved = sum(
                1 for k in g.members(unit) if (m.x[k], m.y[k], m.z[k]) != (origin.x[k], origin.y[k], origin.z[k])
            )
            g.tell(
                RULES[stack[f + CloseMoves.KIND], stack[f + CloseMoves.GOAL]],
                "closes in",
                unit=unit,
                moved=moved,
                order=order,
            )
        return g.pop()


RULES = {
    (CHARGES, TOWARDS_ENEMY): "charge.move.closer",
    (PILES_IN, TOWARDS_ENEMY): "fight.pile-in",
    (CONSOLIDATES, TOWARDS_ENEMY): "fight.consolidate.enemy",
    (CONSOLIDATES, TOWARDS_MARKER): "fight.consolidate.objective",
    (INTERVENES, TOWARDS_ENEMY): "charge.heroic-intervention.move",
}


def by_engine(g: BattleCore, f: int) -> None:
    """Make the whole move by the engine, from where the models stood."""
    stack = g.stack
    unit, kind = stack[f + CloseMoves.UNIT], stack[f + CloseMoves.KIND]
    take_back(g, unit)
    if kind == CHARGES:
        charge_unit(g, unit, stack[f + CloseMoves.REACH])
    elif kind == PILES_IN:
        pile_in(g, unit)
    elif kind == INTERVENES:
        intervene(g, unit)
    else:
        consolidate(g, unit, stack[f + CloseMoves.GOAL])


def in_order(g: BattleCore, unit: int) -> list[int]:
    """Rows of the models chosen so far, in the order in which they were chosen."""
    moved = g.models.moved
    return sorted((k for k in g.members(unit) if moved[k]), key=lambda k: moved[k])


def rules_of(g: BattleCore, f: int) -> tuple[Array, Array]:
    """The limits of the move and the charge targets (none for other moves)."""
    stack = g.stack
    limits = limits_for(
        g, stack[f + CloseMoves.UNIT], KINDS[stack[f + CloseMoves.KIND]], float(stack[f + CloseMoves.REACH])
    )
    return limits, g.charge_targets_array if stack[f + CloseMoves.KIND] == CHARGES else g.work.no_targets


def ways_of(g: BattleCore, f: int) -> tuple[Way, ...]:
    """The ways in which the unit may make the move."""
    stack = g.stack
    if stack[f + CloseMoves.KIND] != CHARGES:
        return (Way(g.setup.blocks, 0.0, 0, on_foot=False),)
    return charge_ways(g, stack[f + CloseMoves.UNIT], float(stack[f + CloseMoves.REACH]))


def places(g: BattleCore, f: int, model: int) -> dict[int, tuple[float, float, float]]:
    """The places (x, y, z) where the model may end, by cell of the window. Each is closer to its goal and has
    a path.
    """
    found: dict[int, tuple[float, float, float]] = {}
    for way in ways_of(g, f):
        found = places_on(g, f, model, way) | found
    return found


def places_on(g: BattleCore, f: int, model: int, way: Way) -> dict[int, tuple[float, float, float]]:
    """The ``places`` on one way of the unit."""
    stack, setup, m = g.stack, g.setup, g.models
    work, grid, reach = g.work, setup.space.grid, float(stack[f + CloseMoves.REACH])
    limits, targets = rules_of(g, f)
    limits = own_limits(way.limits(limits), model)
    models, units, blocks, corners, objectives = m.rows, g.units.rows, way.blocks, setup.corners, g.objectives.rows
    x0, y0, z0, facing = m.x[model], m.y[model], m.z[model], m.facing[model]
    start = np.array((x0, y0, z0, facing))
    only = -2 if stack[f + CloseMoves.KIND] == CHARGES else -1
    if stack[f + CloseMoves.GOAL] == TOWARDS_MARKER:
        kind, goal = TO_MARKER, int(closest_marker(models, units, objectives, limits, stack[f + CloseMoves.UNIT]))
    else:
        kind = TO_TARGETS if stack[f + CloseMoves.KIND] == CHARGES else TO_ENEMY
        goal = int(closest_goal(models, limits, targets, model, only))

    def nearer(x: float, y: float, z: float) -> bool:
        return bool(
            closer_to_one(models, units, objectives, limits, targets, kind, goal, model, start, x, y, z, facing)
        )

    cells, scratch, marks = work.cells, work.scratch, work.marks
    model_mask(
        models, units, blocks, corners, objectives, limits, targets,
        model, grid, reach, NEAREST, x0, y0, facing, cells, scratch, marks,
    )  # fmt: skip
    found: dict[int, tuple[float, float, float]] = {}
    for cell in np.flatnonzero(cells).tolist():
        x, y = cell_at(g, x0, y0, reach, cell)
        z = float(choose_surface(models, blocks, corners, limits, model, x, y, facing, z0, 1e6))
        if z >= 0.0 and nearer(x, y, z):
            found[cell] = (x, y, z)
    if kind == TO_MARKER:
        return found
    # a place in base contact replaces the middle of its cell
    points, closest = scratch[:8].reshape((POINTS, 4)), dict.fromkeys(range(grid * grid), reach)
    for enemy in range(len(m.x)):
        if not is_goal(models, limits, targets, model, enemy, only) or gap(models, model, enemy) > reach + EPS:
            continue
        ahead = atan2(y0 - m.y[enemy], x0 - m.x[enemy])
        for turn in range(DIRECTIONS):
            x, y = contact_place(models, model, facing, enemy, ahead + 2.0 * pi * turn / DIRECTIONS, 0.0)
            if hypot(x - x0, y - y0) > reach + EPS:
                continue
            step = 2.0 * reach / (grid - 1)
            cell = (round((y - y0) / step) + grid // 2) * grid + round((x - x0) / step) + grid // 2
            middle = cell_at(g, x0, y0, reach, cell)
            off = hypot(x - middle[0], y - middle[1])
            if off >= closest[cell]:
                continue
            z = float(choose_surface(models, blocks, corners, limits, model, x, y, facing, m.z[enemy], CONTACT))
            if z < 0.0 or not nearer(x, y, z):
                continue
            ends = (x, y, z, facing, points, marks)
            if find_path(models, blocks, corners, objectives, limits, targets, model, *ends, -1, -1, True):
                found[cell], closest[cell] = (x, y, z), off
    return found


def legal_so_far(g: BattleCore, f: int) -> bool:
    """Whether the unit may end its move now: the chosen models have moved, the others stay."""
    return any(legal_on(g, f, way) for way in ways_of(g, f))


def legal_on(g: BattleCore, f: int, way: Way) -> bool:
    """Whether the unit may end its move now, on one of its ways. All models stand where they were afterwards."""
    stack, setup, m, origin = g.stack, g.setup, g.models, g.origin
    unit = stack[f + CloseMoves.UNIT]
    limits, targets = rules_of(g, f)
    limits = way.limits(limits)
    order = in_order(g, unit)
    ends = [(m.x[k], m.y[k], m.z[k], m.facing[k]) for k in order]
    paths, counts = np.zeros((len(order), POINTS, 4)), np.zeros(len(order), np.int32)
    for k in order:
        set_pose(m.rows, k, origin.x[k], origin.y[k], origin.z[k], origin.facing[k])
    # find the path of each model again, with the models before it at their ends
    for number, (k, end) in enumerate(zip(order, ends, strict=True)):
        if end[:3] != (origin.x[k], origin.y[k], origin.z[k]):
            counts[number] = find_path(
                m.rows, way.blocks, setup.corners, g.objectives.rows, own_limits(limits, k), targets,
                k, *end, paths[number], g.work.marks, -1, -1, True,
            )  # fmt: skip
        set_pose(m.rows, k, *end)
    for k in order:
        set_pose(m.rows, k, origin.x[k], origin.y[k], origin.z[k], origin.facing[k])
    kind, goal = KINDS[stack[f + CloseMoves.KIND]], stack[f + CloseMoves.GOAL]
    fault = judge(
        g, unit, kind, goal, float(stack[f + CloseMoves.REACH]), targets, np.array(order, np.int32), paths, counts
    )
    for k, end in zip(order, ends, strict=True):
        set_pose(m.rows, k, *end)
    return fault == 0


class NextToClose(DecisionKind):
    name = "close-order"
    what = (
        "Which model moves next; done: the others stay; option 0 takes everything back, option 1 leaves the "
        "move to the engine."
    )
    instead = "The engine makes the whole move."
    keys = (
        "charge.difficult-ground",
        "charge.move",
        "fight.pile-in",
        "fight.pile-in.order",
        "fight.consolidate",
        "fight.consolidate.closer",
        "fight.consolidate.objective",
        "move.models.any-and-order",
        "stratagem.heroic-intervention",
        "charge.heroic-intervention.move",
    )
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit, space = g.stack[f + CloseMoves.UNIT], g.setup.space
        moved, intervening = False, g.stack[f + CloseMoves.KIND] == INTERVENES
        for slot, k in enumerate(g.members(unit)):
            if g.models.moved[k]:
                moved = True
            elif not touches_enemy(g.models.rows, k) and (not intervening or intervenes(g, k)):
                mask[space.model + slot] = True
        mask[space.option] = moved and g.stack[f + CloseMoves.TRIES] < MOST_TRIES
        mask[space.option + 1] = True
        mask[0] = moved and legal_so_far(g, f)

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        Step = CloseMoves.Step
        stack, space = g.stack, g.setup.space
        if action == 0:
            stack[f + STEP] = Step.END
        elif action == space.option:
            take_back(g, stack[f + CloseMoves.UNIT])
            stack[f + CloseMoves.TRIES] += 1
        elif action == space.option + 1:
            stack[f + STEP] = Step.ENGINE
        else:
            stack[f + CloseMoves.SLOT] = action - space.model
            stack[f + STEP] = Step.PLACE

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        space = g.setup.space
        if action == 0:
            return "end the move"
        if action == space.option:
            return "take the move back"
        if action == space.option + 1:
            return "leave the move to the engine"
        return f"move {g.setup.names['models'][list(g.members(g.stack[f + CloseMoves.UNIT]))[action - space.model]]}"


class CloseTo(DecisionKind):
    name = "close-to"
    what = "Where the model ends, in a window as wide as it can move; done: it stays."
    instead = "The engine makes the whole move."
    keys = (
        "charge.difficult-ground",
        "charge.move",
        "fight.pile-in",
        "fight.consolidate",
        "fight.consolidate.objective",
        "move.models.any-and-order",
        "stratagem.heroic-intervention",
        "charge.heroic-intervention.move",
    )
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        mask[0] = True
        for cell in places(g, f, self.model(g, f)):
            mask[g.setup.space.cell + cell] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        model = self.model(g, f)
        if action:
            x, y, z = places(g, f, model)[action - g.setup.space.cell]
            set_pose(g.models.rows, model, x, y, z, g.models.facing[model])
            forget_targets(g)
        g.models.moved[model] = 1 + max(g.models.moved[k] for k in g.members(g.stack[f + CloseMoves.UNIT]))
        g.stack[f + STEP] = CloseMoves.Step.SELECT

    def pending(self, g: BattleCore, f: int) -> Pending:
        model = self.model(g, f)
        return Pending(
            Region.square(g.models.x[model], g.models.y[model], float(g.stack[f + CloseMoves.REACH])), model=model
        )

    @staticmethod
    def model(g: BattleCore, f: int) -> int:
        """The model being moved."""
        return int(list(g.members(g.stack[f + CloseMoves.UNIT]))[g.stack[f + CloseMoves.SLOT]])
