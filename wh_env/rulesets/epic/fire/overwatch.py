"""Overwatch: fire in the enemy's movement, at a formation that has just finished its move (epic.orders.overwatch)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import flag, row_of
from wh_env.core.procedures import DecisionKind, Procedure, integer
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.epic.fire.eligible import may_fire, reacts
from wh_env.rulesets.epic.fire.phase import Fire
from wh_env.rulesets.epic.orders.orders import order_of


class Reactions(Procedure):
    """Formations on overwatch fire at the formation that moved, one after the other, until their player decides to
    wait.
    """

    MOVED = integer(row_of("units"))
    WAITS = integer(flag())
    asks = ("overwatch",)

    def advance(self, g: BattleCore, f: int) -> int:
        stack = g.stack
        moved = stack[f + Reactions.MOVED]
        player = 1 - g.units.owner[moved]
        if not stack[f + Reactions.WAITS] and g.units.place[moved] == ON_TABLE:
            if any(reacts(g, unit) and may_fire(g, unit, moved) for unit in g.units_of(player)):
                return g.ask(React, player, moved)
        return g.pop()


class React(DecisionKind):
    name = "overwatch"
    what = "Which formation on overwatch fires at the enemy that has finished its move; done: they wait."
    keys = ("epic.orders.overwatch",)

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        moved = g.stack[f + Reactions.MOVED]
        player = 1 - g.units.owner[moved]
        first, own = g.players.first_unit[player], g.setup.space.own
        for unit in g.units_of(player):
            if reacts(g, unit) and may_fire(g, unit, moved):
                mask[own + unit - first] = True
        mask[0] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        if action == 0:
            g.stack[f + Reactions.WAITS] = 1
            return
        moved = g.stack[f + Reactions.MOVED]
        unit = g.players.first_unit[1 - g.units.owner[moved]] + action - g.setup.space.own
        order = order_of(g, unit)
        if order is not None and order.reaction_to_hit is not None:
            g.note("epic.orders.overwatch", "fires in the enemy's movement", unit=unit, target=moved)
            g.push(Fire, unit, moved, order.reaction_to_hit)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        if action == 0:
            return "wait"
        name = g.setup.names["units"][g.stack[f + Reactions.MOVED]]
        return f"{g.default_words(action)} fires at {name}"
