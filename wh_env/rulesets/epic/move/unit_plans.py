"""Full detail: the units of a formation are placed one by one, in any order (epic.move.distance, .path, .coherency,
epic.assault.*).

Placing is planning; dice are rolled when the units set off. A plan that leaves the formation out of coherency is taken
back.
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import amount, between, count_of, row_of
from wh_env.core.features import Pending, Region
from wh_env.core.procedures import STEP, DecisionKind, Procedure, Steps, integer
from wh_env.rulesets.epic.basics.formation import listed
from wh_env.rulesets.epic.codes import Phase
from wh_env.rulesets.epic.event_fields import both_sides
from wh_env.rulesets.epic.move.cells import ANYWHERE, AWAY, can_go
from wh_env.rulesets.epic.move.engage import contact_way, engageable, put_in_contact
from wh_env.rulesets.epic.move.plans import (
    allowance_of,
    cells_of,
    displacement,
    fine_cells,
    fine_displacement,
    group_count,
    is_coarse,
    plan,
    take_back,
)

MOST_TRIES = 2


class PlanUnits(Procedure):
    """Units are placed until the player is done. The formation must be in at most ``BOUND`` groups then.

    After ``MOST_TRIES`` plans that were taken back, the formation stays where it was.
    """

    class Step(Steps):
        SELECT, PLACE, REFINE, ENGAGE, END = range(5)

    UNIT = integer(row_of("units"))
    HOW = integer(between(ANYWHERE, AWAY))
    BOUND = integer(count_of("models"))  # how many groups the formation may end in
    TRIES = integer(amount())  # how often everything was taken back
    SLOT = integer(row_of("slots"))  # of the unit that is being placed
    CELL = integer(row_of("cells"))
    TARGET = integer(row_of("units"))  # the enemy formation that it engages
    asks = ("select-unit", "place-unit", "refine-unit", "engage-unit")

    def fits(self, g: BattleCore, f: int) -> bool:
        """Whether slot ``SLOT`` is a unit of the formation."""
        return bool(g.stack[f + PlanUnits.SLOT] < g.units.count[g.stack[f + PlanUnits.UNIT]])

    def advance(self, g: BattleCore, f: int) -> int:
        Step = PlanUnits.Step
        stack = g.stack
        unit, step = stack[f + PlanUnits.UNIT], stack[f + STEP]
        owner = g.units.owner[unit]
        if step == Step.SELECT and stack[f + PlanUnits.TRIES] < MOST_TRIES:
            return g.ask(SelectUnit, owner, unit)
        if step == Step.PLACE:
            return g.ask(PlaceUnit, owner, unit)
        if step == Step.REFINE:
            return g.ask(RefineUnit, owner, unit)
        if step == Step.ENGAGE:
            return g.ask(EngageUnit, owner, stack[f + PlanUnits.TARGET])
        return g.pop()


def model_of(g: BattleCore, f: int) -> int:
    """Row of the unit that is being placed."""
    return int(g.units.first[g.stack[f + PlanUnits.UNIT]] + g.stack[f + PlanUnits.SLOT])


def planned_first(g: BattleCore, unit: int) -> int:
    """Row of the first unit of the formation that was placed in this move, -1 if none was."""
    u = g.units
    rows = range(u.first[unit], u.first[unit] + u.count[unit])
    return next((k for k in rows if g.models.moved[k] and g.models.on_table[k]), -1)


def planned(g: BattleCore, unit: int) -> bool:
    """Whether a unit of the formation was placed in this move."""
    return planned_first(g, unit) >= 0


def waiting(g: BattleCore, f: int) -> list[int]:
    """Slots of the units that can still be placed. In a move away from the enemy only those that have somewhere to
    go.
    """
    unit, how = g.stack[f + PlanUnits.UNIT], g.stack[f + PlanUnits.HOW]
    first = g.units.first[unit]
    slots = [k - first for k in range(first, first + g.units.count[unit]) if can_go(g.models.rows, k, unit)]
    if how == AWAY:
        cells = g.work.cells
        slots = [slot for slot in slots if cells_of(g, unit, how, cells, first + slot)]
    return slots


def targets(g: BattleCore, f: int, enemy: int) -> list[int]:
    """Slots of the units of the enemy formation that the unit being placed can engage."""
    statics = g.setup.statics
    one = g.mask[g.setup.space.model :].copy()
    one[:] = False
    engageable(
        g.models.rows, g.units.rows, statics["ground"], g.setup.corners, statics["numbers"], model_of(g, f), enemy,
        float(g.setup.rules["assault"]["infantry_move"]), g.work.marks, g.work.nodes, g.work.spot, one,
    )  # fmt: skip
    return [int(slot) for slot in one.nonzero()[0]]


class SelectUnit(DecisionKind):
    name = "select-unit"
    what = (
        "Which unit is placed next; done where the formation may stay so, the others do not move; option 0 takes all "
        "back."
    )
    instead = "All units move alike, by `move-to`; in the assault phase as `assault-to` says."
    keys = ("epic.move.distance", "epic.move.coherency", "epic.assault.coherency")
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        stack, space = g.stack, g.setup.space
        unit = stack[f + PlanUnits.UNIT]
        left = waiting(g, f)
        for slot in left:
            mask[space.model + slot] = True
        some = planned(g, unit)
        mask[0] = not (stack[f + PlanUnits.HOW] == AWAY and left) and (
            not some or group_count(g, unit) <= stack[f + PlanUnits.BOUND]
        )
        mask[space.option] = some and not mask[0]

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        stack = g.stack
        if action == 0:
            stack[f + STEP] = PlanUnits.Step.END
        elif action == g.setup.space.option:
            take_back(g.models.rows, g.units.rows, g.origin.rows, stack[f + PlanUnits.UNIT])
            stack[f + PlanUnits.TRIES] += 1
        else:
            stack[f + PlanUnits.SLOT], stack[f + STEP] = action - g.setup.space.model, PlanUnits.Step.PLACE

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        if action == 0:
            return "done"
        if action == g.setup.space.option:
            return "take everything back"
        return str(g.setup.names["models"][g.units.first[g.stack[f + PlanUnits.UNIT]] + action - g.setup.space.model])

    def pending(self, g: BattleCore, f: int) -> Pending:
        return Pending(slots=listed(g, g.stack[f + PlanUnits.UNIT]))


class PlaceUnit(DecisionKind):
    name = "place-unit"
    what = "Where the unit goes, or in the assault phase the enemy formation of which it engages a unit."
    instead = "All units move alike, by `move-to`; in the assault phase as `assault-to` says."
    keys = ("epic.move.distance", "epic.move.path", "epic.assault.charge-move")
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        stack, space = g.stack, g.setup.space
        unit = stack[f + PlanUnits.UNIT]
        found = []
        if g.clock.phase[0] == Phase.ASSAULT:
            enemy = 1 - g.units.owner[unit]
            first = g.players.first_unit[enemy]
            found = [e - first for e in g.units_of(enemy) if targets(g, f, e)]
        cells_of(g, unit, stack[f + PlanUnits.HOW], g.mask[space.cell : space.angle], model_of(g, f))
        for slot in found:
            mask[space.enemy + slot] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        Step = PlanUnits.Step
        stack, space = g.stack, g.setup.space
        unit, model = stack[f + PlanUnits.UNIT], model_of(g, f)
        if action < space.cell:
            first = g.players.first_unit[1 - g.units.owner[unit]]
            stack[f + PlanUnits.TARGET], stack[f + STEP] = first + action - space.enemy, Step.ENGAGE
            return
        cell = action - space.cell
        if is_coarse(g, unit, model):
            stack[f + PlanUnits.CELL], stack[f + STEP] = cell, Step.REFINE
            return
        plan(g, unit, *displacement(g, unit, cell, model), stack[f + PlanUnits.HOW], model)
        stack[f + STEP] = Step.SELECT

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        name = g.setup.names["models"][model_of(g, f)]
        if action < g.setup.space.cell:
            return f"{name} engages {g.default_words(action)}"
        dx, dy = displacement(g, g.stack[f + PlanUnits.UNIT], action - g.setup.space.cell, model_of(g, f))
        return f"{name} moves {dx:+.1f}, {dy:+.1f} cm"

    def pending(self, g: BattleCore, f: int) -> Pending:
        unit, k = g.stack[f + PlanUnits.UNIT], model_of(g, f)
        window = Region.square(g.models.x[k], g.models.y[k], allowance_of(g, unit, k))
        return Pending(window, model=k, slots=listed(g, unit))


class RefineUnit(DecisionKind):
    name = "refine-unit"
    what = "Where exactly the unit goes: a cell of the second grid over the chosen one."
    instead = "All units move alike, by `move-refine` or `assault-refine`."
    keys = ("epic.move.distance",)
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        stack, space = g.stack, g.setup.space
        cells = g.mask[space.cell : space.angle]
        fine_cells(
            g, stack[f + PlanUnits.UNIT], stack[f + PlanUnits.HOW], stack[f + PlanUnits.CELL], cells, model_of(g, f)
        )

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        stack = g.stack
        unit, model = stack[f + PlanUnits.UNIT], model_of(g, f)
        fine = fine_displacement(g, unit, stack[f + PlanUnits.CELL], action - g.setup.space.cell, model)
        plan(g, unit, *fine, stack[f + PlanUnits.HOW], model)
        stack[f + STEP] = PlanUnits.Step.SELECT

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        unit, model = g.stack[f + PlanUnits.UNIT], model_of(g, f)
        dx, dy = fine_displacement(g, unit, g.stack[f + PlanUnits.CELL], action - g.setup.space.cell, model)
        return f"{g.setup.names['models'][model]} moves {dx:+.2f}, {dy:+.2f} cm"

    def pending(self, g: BattleCore, f: int) -> Pending:
        unit, k = g.stack[f + PlanUnits.UNIT], model_of(g, f)
        dx, dy = displacement(g, unit, g.stack[f + PlanUnits.CELL], k)
        half = allowance_of(g, unit, k) / (g.setup.space.grid - 1)
        return Pending(Region.square(g.models.x[k] + dx, g.models.y[k] + dy, half), model=k, slots=listed(g, unit))


class EngageUnit(DecisionKind):
    name = "engage-unit"
    what = "Which enemy unit the unit engages; it takes the shortest way to it."
    instead = "As many units as can engage the formation of `assault-to`, each the unit to which its way is shortest."
    keys = ("epic.assault.charge-move", "epic.assault.infantry-double", "epic.assault.shortest-path")
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        for slot in targets(g, f, g.stack[f + PlanUnits.TARGET]):
            mask[g.setup.space.model + slot] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        stack, statics = g.stack, g.setup.statics
        model = model_of(g, f)
        target = g.units.first[stack[f + PlanUnits.TARGET]] + action - g.setup.space.model
        m, spot = g.models.rows, g.work.spot
        contact_way(
            m, statics["ground"], g.setup.corners, statics["numbers"], model, target,
            float(g.setup.rules["assault"]["infantry_move"]), g.work.marks, g.work.nodes, spot,
        )  # fmt: skip
        put_in_contact(m, model, spot)
        stack[f + STEP] = PlanUnits.Step.SELECT
        if g.recorder is not None:
            g.note("epic.assault.shortest-path", "engages", **both_sides(g, model, target))

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        target = g.units.first[g.stack[f + PlanUnits.TARGET]] + action - g.setup.space.model
        return f"{g.setup.names['models'][model_of(g, f)]} engages {g.setup.names['models'][target]}"

    def pending(self, g: BattleCore, f: int) -> Pending:
        return Pending(model=model_of(g, f), slots=listed(g, g.stack[f + PlanUnits.TARGET]))
