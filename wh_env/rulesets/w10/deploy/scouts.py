"""Scouts moves at the start of the first battle round (w10.deploy.scouts.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import row_of
from wh_env.core.features import Pending
from wh_env.core.procedures import STEP, DecisionKind, OfPlayer, Steps, integer
from wh_env.core.tables import ON_TABLE, Array
from wh_env.rulesets.w40k.codes import Moved, Selected
from wh_env.rulesets.w40k.move.model_moves import BY_SCOUTS, MoveModels
from wh_env.rulesets.w40k.move.unit_moves import fill_cells, move_to_cell, moving, path_of
from wh_env.rulesets.w40k.profiles import Ability, Keyword
from wh_env.rulesets.w40k.questions.engagements import forget_targets
from wh_env.rulesets.w40k.questions.hulls import embarked_in
from wh_env.rulesets.w40k.questions.move_limits import SCOUT, limits_for
from wh_env.rulesets.w40k.transport.transports import Embark, carriers_beside

HAS_SCOUTS = int(Ability.SCOUTS)
DEDICATED = int(Keyword.DEDICATED_TRANSPORT)


def own_distance(g: BattleCore, unit: int) -> float:
    """The x of Scouts x" if every model of the unit has it, the smallest if they differ; else 0. Inches."""
    u = g.units
    if not u.flags[unit] & HAS_SCOUTS:
        return 0.0
    listed: list[float] = g.setup.statics["scout_distance"]
    return min(listed[row] for row in (unit, u.leader[unit]) if row >= 0 and listed[row] > 0)


def scout_distance(g: BattleCore, unit: int) -> float:
    """Inches that the unit may move by Scouts. A DEDICATED TRANSPORT moves as the units embarked in it, if each has
    Scouts (w10.deploy.scouts.move, .dedicated-transport).
    """
    own = own_distance(g, unit)
    if not g.units.keywords[unit] & DEDICATED:
        return own
    aboard = [own_distance(g, row) for row in embarked_in(g, unit)]
    return max(own, min(aboard)) if aboard else own


def can_scout(g: BattleCore, unit: int) -> bool:
    """Whether the unit may still make its Scouts move."""
    u = g.units
    return u.place[unit] == ON_TABLE and not u.selected[unit] & Selected.SCOUT and scout_distance(g, unit) > 0


def scout_limits(g: BattleCore, unit: int) -> Array:
    """The limits of the move: a Normal move of x" that ends more than 9" from all enemy models."""
    return limits_for(g, unit, SCOUT, scout_distance(g, unit))


class Scouts(OfPlayer):
    """Scouts moves: all of the first player's units, then the other's (w10.deploy.scouts.order). After such a Normal
    move a unit may embark (w10.transport.embark).
    """

    class Step(Steps):
        SELECT, MOVE, MOVED = range(3)

    UNIT = integer(row_of("units"))
    SIDE = UNIT  # until a unit is chosen: the player who chooses one
    asks = ("select-scouts", "scout-move", "embark")

    def fits(self, g: BattleCore, f: int) -> bool:
        """Whether the unit that moves has Scouts."""
        return g.stack[f + STEP] != Scouts.Step.MOVE or scout_distance(g, g.stack[f + Scouts.UNIT]) > 0.0

    def advance(self, g: BattleCore, f: int) -> int:
        Step = Scouts.Step
        stack = g.stack
        step, unit = stack[f + STEP], stack[f + Scouts.UNIT]
        if step == Step.MOVE:
            return g.ask(ScoutMove, g.units.owner[unit], unit)
        if step == Step.MOVED:
            stack[f + STEP] = Step.SELECT
            if carriers_beside(g, unit):
                return g.ask(Embark, g.units.owner[unit], unit)
        player = stack[f + Scouts.PLAYER]
        for side in (player, 1 - player):
            if any(can_scout(g, unit) for unit in g.units_of(side)):
                stack[f + Scouts.SIDE] = side
                return g.ask(SelectScouts, side)
        return g.pop()


class SelectScouts(DecisionKind):
    name = "select-scouts"
    what = "Which of the own units with Scouts is next to move, or not to."
    keys = ("w10.deploy.scouts.order",)
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        player = g.stack[f + Scouts.SIDE]
        at = g.setup.space.own - g.players.first_unit[player]
        for unit in g.units_of(player):
            if can_scout(g, unit):
                mask[at + unit] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit = g.players.first_unit[g.stack[f + Scouts.SIDE]] + action - g.setup.space.own
        g.units.selected[unit] |= Selected.SCOUT
        g.stack[f + Scouts.UNIT] = unit
        g.stack[f + STEP] = Scouts.Step.MOVE


class ScoutMove(DecisionKind):
    name = "scout-move"
    what = (
        "Where a unit with Scouts moves before the first turn (done: it does not move); at full detail option 0: "
        "model by model."
    )
    keys = (
        "w10.deploy.scouts.move",
        "w10.deploy.scouts.distance",
        "w10.deploy.scouts.dedicated-transport",
        "w10.move.models.any-and-order",
    )

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        space, unit = g.setup.space, g.stack[f + Scouts.UNIT]
        mask[0] = True
        if g.setup.rules["detail"] == "full":
            mask[space.option] = True
            return
        fill_cells(g, unit, scout_limits(g, unit), g.mask[space.cell : space.angle])

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit = g.stack[f + Scouts.UNIT]
        g.stack[f + STEP] = Scouts.Step.MOVED if action else Scouts.Step.SELECT
        g.units.moved[unit] = Moved.NORMAL if action else Moved.NOT_YET
        if action == g.setup.space.option:
            g.note("w10.deploy.scouts.move", "Scouts move", unit=unit)
            g.push(MoveModels, unit, BY_SCOUTS, round(100 * scout_distance(g, unit)))
        elif action:
            points = move_to_cell(g, unit, scout_limits(g, unit), action - g.setup.space.cell)
            forget_targets(g)
            if g.recorder is not None:
                g.note("w10.deploy.scouts.move", "Scouts move", unit=unit, path=path_of(g, points))

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return "Scouts move, model by model" if action == g.setup.space.option else g.default_words(action)

    def pending(self, g: BattleCore, f: int) -> Pending:
        return moving(g, scout_limits(g, g.stack[f + Scouts.UNIT]))
