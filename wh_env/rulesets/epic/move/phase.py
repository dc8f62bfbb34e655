"""Movement phase: who moves first, which formation moves, and where to (epic.move.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import between, flag, row_of
from wh_env.core.features import Pending
from wh_env.core.procedures import GO, STEP, ChooseUnit, DecisionKind, OfPlayer, Procedure, Steps, integer
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.epic.codes import MOVED, UNMOVED, Phase
from wh_env.rulesets.epic.fire.aim import seen_by_enemy
from wh_env.rulesets.epic.move.cells import ANYWHERE, AWAY, can_go, movers
from wh_env.rulesets.epic.move.plans import (
    allowance_of,
    cells_of,
    displacement,
    fine_cells,
    fine_displacement,
    is_coarse,
    moving,
    moving_finely,
    plan,
    remember,
    scattered,
)
from wh_env.rulesets.epic.move.unit_plans import PlanUnits, planned
from wh_env.rulesets.epic.move.walk import Walk
from wh_env.rulesets.epic.orders.phase import reveal
from wh_env.rulesets.epic.sequence.initiative import AsksWhoFirst, WhoFirst, draw_initiative
from wh_env.rulesets.epic.sequence.timing import start_phase


class MovementPhase(AsksWhoFirst):
    """The initiative is drawn, the orders are revealed, then one player makes all moves, and the other player after
    that.
    """

    class Step(Steps):
        DRAW, ASK_WHO, FIRST_MOVES, SECOND_MOVES, END = range(5)

    asks = ("who-moves-first",)

    def advance(self, g: BattleCore, f: int) -> int:
        Step = MovementPhase.Step
        stack = g.stack
        step = stack[f + STEP]
        stack[f + STEP] = step + 1
        if step == Step.DRAW:
            start_phase(g, Phase.MOVEMENT)
            g.models.rows["moved"] = UNMOVED  # clears marks of deployment or of the last assault phase
            draw_initiative(g)
            reveal(g)
        elif step == Step.ASK_WHO:
            return g.ask(WhoMovesFirst, g.clock.initiative[0])
        elif step == Step.FIRST_MOVES:
            g.push(Moves, stack[f + MovementPhase.FIRST])
        elif step == Step.SECOND_MOVES:
            g.push(Moves, 1 - stack[f + MovementPhase.FIRST])
        else:
            return g.pop()
        return GO


class WhoMovesFirst(WhoFirst):
    name = "who-moves-first"
    what = "Who makes all his moves first."
    keys = ("epic.move.who-first",)


def may_move(g: BattleCore, unit: int) -> bool:
    """Whether the formation has yet to move and may move at all: its order, or retreat, allows a distance above 0."""
    u = g.units
    return u.place[unit] == ON_TABLE and not u.selected[unit] & MOVED and allowance_of(g, unit) > 0.0


def way_of(g: BattleCore, unit: int) -> int:
    """``AWAY`` if the formation retreats in sight of the enemy and must move away from it (epic.move.retreating), else
    ``ANYWHERE``.
    """
    if not g.units.retreating[unit]:
        return ANYWHERE
    seen = seen_by_enemy(g.models.rows, g.units.rows, g.setup.statics["ground"], g.setup.corners, unit)
    return AWAY if seen else ANYWHERE


def one_by_one(g: BattleCore, unit: int) -> bool:
    """Whether the units of the formation are placed one by one (full detail)."""
    several = g.setup.rules["detail"] == "full" and g.work.call(movers, g.models.rows, g.units.rows, unit) > 1
    return several and not scattered(g, unit)


def can_get_away(g: BattleCore, unit: int) -> bool:
    """Whether a formation that must move away from the enemy can do so, as one or, at full detail, with some of its
    units.
    """
    cells, rows = g.work.cells, g.members(unit)
    if cells_of(g, unit, AWAY, cells):
        return True
    return one_by_one(g, unit) and any(
        can_go(g.models.rows, k, unit) and cells_of(g, unit, AWAY, cells, k) > 0 for k in rows
    )


class Moves(OfPlayer):
    """All moves of one player, one formation after the other (epic.move.all-at-once)."""

    OVER = integer(flag())
    asks = ("select-to-move",)

    def advance(self, g: BattleCore, f: int) -> int:
        player = g.stack[f + Moves.PLAYER]
        g.clock.turn[0] = player
        if not g.stack[f + Moves.OVER] and any(may_move(g, unit) for unit in g.units_of(player)):
            return g.ask(SelectToMove, player)
        return g.pop()


class SelectToMove(ChooseUnit):
    name = "select-to-move"
    what = (
        "Which formation moves next; done: the rest stay where they are. Those that must move away have to be moved "
        "first."
    )
    keys = ("epic.move.all-at-once", "epic.move.retreating")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        player = g.stack[f + Moves.PLAYER]
        first, own = g.players.first_unit[player], g.setup.space.own
        free = True
        for unit in g.units_of(player):
            if may_move(g, unit):
                if way_of(g, unit) == AWAY:
                    if not can_get_away(g, unit):
                        continue  # nowhere to go
                    free = False
                mask[own + unit - first] = True
        mask[0] = free

    def declined(self, g: BattleCore, f: int) -> None:
        g.stack[f + Moves.OVER] = 1
        g.note("epic.move.all-at-once", "the rest stay", player=g.stack[f + Moves.PLAYER])

    def chosen(self, g: BattleCore, f: int, unit: int) -> None:
        g.units.selected[unit] |= MOVED
        g.push(MoveFormation, unit, way_of(g, unit))

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return "the rest stay" if action == 0 else g.default_words(action)


class MoveFormation(Procedure):
    """One formation's move: its destination is chosen, then its units go there."""

    class Step(Steps):
        BEGIN, REFINE, BY_UNITS, GO_THERE, END = range(5)

    UNIT = integer(row_of("units"))
    HOW = integer(between(ANYWHERE, AWAY))
    CELL = integer(row_of("cells"))
    asks = ("move-to", "move-refine")

    def advance(self, g: BattleCore, f: int) -> int:
        Step = MoveFormation.Step
        stack = g.stack
        unit, step = stack[f + MoveFormation.UNIT], stack[f + STEP]
        if step == Step.BEGIN:
            g.work.call(remember, g.models.rows, g.units.rows, g.origin.rows, unit)
            if one_by_one(g, unit):
                stack[f + STEP] = Step.BY_UNITS
                g.push(PlanUnits, unit, stack[f + MoveFormation.HOW], 1)
                return GO
            return g.ask(MoveTo, g.units.owner[unit], unit)
        if step == Step.BY_UNITS and stack[f + MoveFormation.HOW] == AWAY and not planned(g, unit):
            if cells_of(g, unit, AWAY, g.work.cells):
                return g.ask(MoveTo, g.units.owner[unit], unit)  # it must move away: as one, then
        if step == Step.REFINE:
            return g.ask(MoveRefine, g.units.owner[unit], unit)
        g.pop()
        g.push(Walk, unit)
        return GO


class MoveTo(DecisionKind):
    name = "move-to"
    what = (
        "Where the formation goes: a displacement of all its units; one that is out of coherency closes up on the way."
    )
    keys = (
        "epic.move.distance",
        "epic.move.path",
        "epic.move.coherency",
        "epic.move.no-contact",
        "epic.move.retreating",
    )

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        space = g.setup.space
        cells_of(g, g.stack[f + MoveFormation.UNIT], g.stack[f + MoveFormation.HOW], g.mask[space.cell : space.angle])

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        stack = g.stack
        unit, cell = stack[f + MoveFormation.UNIT], action - g.setup.space.cell
        if is_coarse(g, unit) and not scattered(g, unit):
            stack[f + MoveFormation.CELL], stack[f + STEP] = cell, MoveFormation.Step.REFINE
            return
        stack[f + STEP] = MoveFormation.Step.GO_THERE
        plan(g, unit, *displacement(g, unit, cell), stack[f + MoveFormation.HOW])

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        unit = g.stack[f + MoveFormation.UNIT]
        dx, dy = displacement(g, unit, action - g.setup.space.cell)
        return f"{g.setup.names['units'][unit]} moves {dx:+.1f}, {dy:+.1f} cm"

    def pending(self, g: BattleCore, f: int) -> Pending:
        return moving(g)


class MoveRefine(DecisionKind):
    name = "move-refine"
    what = "Where exactly: a cell of the second grid over the chosen one."
    policy = "The middle of the chosen cell."
    keys = ("epic.move.distance",)

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        stack, space = g.stack, g.setup.space
        fine_cells(
            g,
            stack[f + MoveFormation.UNIT],
            stack[f + MoveFormation.HOW],
            stack[f + MoveFormation.CELL],
            g.mask[space.cell : space.angle],
        )

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        stack = g.stack
        unit = stack[f + MoveFormation.UNIT]
        stack[f + STEP] = MoveFormation.Step.GO_THERE
        plan(
            g,
            unit,
            *fine_displacement(g, unit, stack[f + MoveFormation.CELL], action - g.setup.space.cell),
            stack[f + MoveFormation.HOW],
        )

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        unit = g.stack[f + MoveFormation.UNIT]
        dx, dy = fine_displacement(g, unit, g.stack[f + MoveFormation.CELL], action - g.setup.space.cell)
        return f"{g.setup.names['units'][unit]} moves {dx:+.2f}, {dy:+.2f} cm"

    def pending(self, g: BattleCore, f: int) -> Pending:
        return moving_finely(g, g.stack[f + MoveFormation.CELL])

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        return g.setup.space.cell + g.setup.space.grid**2 // 2
