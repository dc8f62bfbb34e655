"""Assault phase: assault moves of charging formations, then the combats (epic.assault.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import count_of, flag, row_of
from wh_env.core.features import Pending
from wh_env.core.procedures import GO, STEP, ChooseUnit, DecisionKind, OfPlayer, Procedure, Steps, integer
from wh_env.core.tables import ON_TABLE, Array
from wh_env.rulesets.epic.assault.combat import Combats
from wh_env.rulesets.epic.codes import ASSAULTED, UNMOVED, Phase
from wh_env.rulesets.epic.move.cells import ANYWHERE, movers
from wh_env.rulesets.epic.move.engage import MOST_ENGAGING, engage_formation, engage_mask
from wh_env.rulesets.epic.move.paths import touches_enemy
from wh_env.rulesets.epic.move.plans import (
    cells_of,
    displacement,
    fine_cells,
    fine_displacement,
    group_count,
    is_coarse,
    moving,
    moving_finely,
    plan,
    remember,
)
from wh_env.rulesets.epic.move.unit_plans import PlanUnits
from wh_env.rulesets.epic.move.walk import Walk
from wh_env.rulesets.epic.orders.orders import order_of
from wh_env.rulesets.epic.sequence.initiative import AsksWhoFirst, WhoFirst, draw_initiative
from wh_env.rulesets.epic.sequence.timing import start_phase


class AssaultPhase(AsksWhoFirst):
    """The initiative is drawn, one player makes all assault moves and the other player after that, then combats are
    fought.
    """

    class Step(Steps):
        DRAW, ASK_WHO, FIRST_MOVES, SECOND_MOVES, FIGHT, END = range(6)

    asks = ("who-assaults-first",)

    def advance(self, g: BattleCore, f: int) -> int:
        Step = AssaultPhase.Step
        stack = g.stack
        step = stack[f + STEP]
        stack[f + STEP] = step + 1
        if step == Step.DRAW:
            start_phase(g, Phase.ASSAULT)
            draw_initiative(g)
        elif step == Step.ASK_WHO:
            return g.ask(WhoAssaultsFirst, g.clock.initiative[0])
        elif step == Step.FIRST_MOVES:
            g.push(AssaultMoves, stack[f + AssaultPhase.FIRST])
        elif step == Step.SECOND_MOVES:
            g.push(AssaultMoves, 1 - stack[f + AssaultPhase.FIRST])
        elif step == Step.FIGHT:
            g.push(Combats)
        else:
            return g.pop()
        return GO


class WhoAssaultsFirst(WhoFirst):
    name = "who-assaults-first"
    what = "Who makes all his assault moves first."
    keys = ("epic.assault.who-first",)


def may_assault(g: BattleCore, unit: int) -> bool:
    """Whether the formation has yet to make its assault move: its order allows one, and one of its units can move."""
    u = g.units
    if u.place[unit] != ON_TABLE or u.selected[unit] & ASSAULTED or u.retreating[unit]:
        return False
    order = order_of(g, unit)
    return order is not None and order.assault_move and g.work.call(movers, g.models.rows, u.rows, unit) > 0


class AssaultMoves(OfPlayer):
    """All assault moves of one player (epic.assault.who-first, .charge-move)."""

    class Step(Steps):
        BEGIN, MOVE = range(2)

    OVER = integer(flag())
    asks = ("select-to-assault",)

    def advance(self, g: BattleCore, f: int) -> int:
        player = g.stack[f + AssaultMoves.PLAYER]
        g.clock.turn[0] = player
        if g.stack[f + STEP] == AssaultMoves.Step.BEGIN:
            g.stack[f + STEP] = AssaultMoves.Step.MOVE
            g.models.rows["moved"] = UNMOVED
        if not g.stack[f + AssaultMoves.OVER] and any(may_assault(g, unit) for unit in g.units_of(player)):
            return g.ask(SelectToAssault, player)
        return g.pop()


class SelectToAssault(ChooseUnit):
    name = "select-to-assault"
    what = "Which charging formation moves next; done: the rest stay, none is obliged to engage."
    keys = ("epic.assault.charge-move",)
    declines = True

    def may(self, g: BattleCore, unit: int) -> bool:
        return may_assault(g, unit)

    def declined(self, g: BattleCore, f: int) -> None:
        g.stack[f + AssaultMoves.OVER] = 1

    def chosen(self, g: BattleCore, f: int, unit: int) -> None:
        g.units.selected[unit] |= ASSAULTED
        g.push(AssaultFormation, unit)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return "the rest stay" if action == 0 else g.default_words(action)


class AssaultFormation(Procedure):
    """One formation's assault move: which enemies its units engage, where the other units go; then all of them go
    there.
    """

    class Step(Steps):
        BEGIN, CHOOSE, REFINE, GO_THERE = range(4)

    UNIT = integer(row_of("units"))
    BOUND = integer(count_of("models"))
    CELL = integer(row_of("cells"))
    asks = ("assault-to", "assault-refine")

    def advance(self, g: BattleCore, f: int) -> int:
        Step = AssaultFormation.Step
        stack = g.stack
        unit, step = stack[f + AssaultFormation.UNIT], stack[f + STEP]
        owner = g.units.owner[unit]
        if step == Step.BEGIN:
            g.work.call(remember, g.models.rows, g.units.rows, g.origin.rows, unit)
            stack[f + AssaultFormation.BOUND] = max(1, group_count(g, unit))
            if g.setup.rules["detail"] == "full":
                stack[f + STEP] = Step.GO_THERE
                g.push(PlanUnits, unit, ANYWHERE, stack[f + AssaultFormation.BOUND])
                return GO
            step = stack[f + STEP] = Step.CHOOSE
        if step == Step.CHOOSE and g.work.call(movers, g.models.rows, g.units.rows, unit):
            return g.ask(AssaultTo, owner, unit)
        if step == Step.REFINE:
            return g.ask(AssaultRefine, owner, unit)
        g.pop()
        g.push(Walk, unit)
        return GO


def mark_engageable(g: BattleCore, f: int, mask: Array) -> int:
    """Mark the enemy formations that the formation can engage; returns how many. Slot i is the i-th formation of the
    enemy.
    """
    unit, statics = g.stack[f + AssaultFormation.UNIT], g.setup.statics
    enemy = 1 - g.units.owner[unit]
    return int(
        g.work.call(
            engage_mask,
            g.models.rows,
            g.units.rows,
            statics["ground"],
            g.setup.corners,
            statics["numbers"],
            unit,
            float(g.setup.rules["assault"]["infantry_move"]),
            g.stack[f + AssaultFormation.BOUND],
            g.players.first_unit[enemy],
            g.players.units[enemy],
            g.work.marks,
            g.work.labels,
            g.work.nodes,
            g.work.poses,
            g.work.spot,
            g.work.saved,
            mask,
        )
    )


def moves_as_one(g: BattleCore, unit: int) -> bool:
    """Whether all units out of contact have yet to move, so that they stay coherent if they move together."""
    u, m = g.units, g.models
    rows = range(u.first[unit], u.first[unit] + u.count[unit])
    return all(not (m.on_table[k] and m.moved[k]) or touches_enemy(m.rows, k) for k in rows)


class AssaultTo(DecisionKind):
    name = "assault-to"
    what = (
        "An enemy formation, of which as many units are engaged as can be, each by the shortest way; then the same is "
        "asked for those that are left: another one, a move of all of them (a cell), or done."
    )
    full = False
    keys = (
        "epic.assault.charge-move",
        "epic.assault.infantry-double",
        "epic.assault.shortest-path",
        "epic.assault.coherency",
    )

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        space = g.setup.space
        unit = g.stack[f + AssaultFormation.UNIT]
        mark_engageable(g, f, g.mask[space.enemy : space.cell])
        if moves_as_one(g, unit):
            cells_of(g, unit, ANYWHERE, g.mask[space.cell : space.angle])
            mask[space.cell + space.grid**2 // 2] = False  # to stay is to be done
        mask[0] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        Step = AssaultFormation.Step
        stack, space = g.stack, g.setup.space
        unit = stack[f + AssaultFormation.UNIT]
        if action == 0:
            stack[f + STEP] = Step.GO_THERE
        elif action < space.cell:
            engage(g, f, g.players.first_unit[1 - g.units.owner[unit]] + action - space.enemy)
        elif is_coarse(g, unit):
            stack[f + AssaultFormation.CELL], stack[f + STEP] = action - space.cell, Step.REFINE
        else:
            plan(g, unit, *displacement(g, unit, action - space.cell), ANYWHERE)
            stack[f + STEP] = Step.GO_THERE

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        unit, space = g.stack[f + AssaultFormation.UNIT], g.setup.space
        name = g.setup.names["units"][unit]
        if action == 0:
            return f"{name}: the rest stay"
        if action < space.cell:
            return f"{name} engages {g.default_words(action)}"
        dx, dy = displacement(g, unit, action - space.cell)
        return f"{name} moves {dx:+.1f}, {dy:+.1f} cm"

    def pending(self, g: BattleCore, f: int) -> Pending:
        return moving(g)


def engage(g: BattleCore, f: int, enemy: int) -> int:
    """Let the formation engage ``enemy`` with as many units as can; returns how many units do."""
    unit, statics = g.stack[f + AssaultFormation.UNIT], g.setup.statics
    done = engage_formation(
        g.models.rows,
        g.units.rows,
        statics["ground"],
        g.setup.corners,
        statics["numbers"],
        unit,
        enemy,
        float(g.setup.rules["assault"]["infantry_move"]),
        g.stack[f + AssaultFormation.BOUND],
        MOST_ENGAGING,
        g.work.marks,
        g.work.labels,
        g.work.nodes,
        g.work.poses,
        g.work.spot,
    )
    if g.recorder is not None:
        g.note("epic.assault.charge-move", "engages", unit=unit, target=enemy, units=int(done))
    return int(done)


class AssaultRefine(DecisionKind):
    name = "assault-refine"
    what = "Where exactly those go that do not engage: a cell of the second grid over the chosen one."
    full = False
    keys = ("epic.assault.charge-move",)

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        stack, space = g.stack, g.setup.space
        fine_cells(
            g,
            stack[f + AssaultFormation.UNIT],
            ANYWHERE,
            stack[f + AssaultFormation.CELL],
            g.mask[space.cell : space.angle],
        )

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        stack = g.stack
        unit = stack[f + AssaultFormation.UNIT]
        plan(
            g,
            unit,
            *fine_displacement(g, unit, stack[f + AssaultFormation.CELL], action - g.setup.space.cell),
            ANYWHERE,
        )
        stack[f + STEP] = AssaultFormation.Step.GO_THERE

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        unit = g.stack[f + AssaultFormation.UNIT]
        dx, dy = fine_displacement(g, unit, g.stack[f + AssaultFormation.CELL], action - g.setup.space.cell)
        return f"{g.setup.names['units'][unit]} moves {dx:+.2f}, {dy:+.2f} cm"

    def pending(self, g: BattleCore, f: int) -> Pending:
        return moving_finely(g, g.stack[f + AssaultFormation.CELL])
