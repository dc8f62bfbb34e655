"""Order declaration: one order for each formation, secret until the movement phase (epic.orders.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import between, row_of
from wh_env.core.procedures import GO, STEP, DecisionKind, Procedure, Steps, integer
from wh_env.rulesets.epic.codes import Phase
from wh_env.rulesets.epic.orders.orders import needs_order, order_of
from wh_env.rulesets.epic.sequence.timing import start_phase


class OrderPhase(Procedure):
    """Each player gives orders without seeing the other's (epic.orders.declare, .secret)."""

    class Step(Steps):
        BEGIN, GIVE = range(2)

    SIDE = integer(between(0, 2))
    UNIT = integer(row_of("units"))
    asks = ("give-order",)

    def advance(self, g: BattleCore, f: int) -> int:
        stack = g.stack
        if stack[f + STEP] == OrderPhase.Step.BEGIN:
            start_phase(g, Phase.ORDERS)
            stack[f + STEP] = OrderPhase.Step.GIVE
        while stack[f + OrderPhase.SIDE] < 2:
            player = stack[f + OrderPhase.SIDE] ^ g.clock.attacker[0]
            for unit in g.units_of(player):
                if needs_order(g, unit):
                    stack[f + OrderPhase.UNIT] = unit
                    return g.ask(GiveOrder, player, unit)
            stack[f + OrderPhase.SIDE] += 1
        g.pop()
        return GO


class GiveOrder(DecisionKind):
    name = "give-order"
    what = "Which order a formation is given; all its units must obey it."
    keys = ("epic.orders.declare", "epic.orders.one-each", "epic.orders.secret")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        option = g.setup.space.option
        for number in range(len(g.setup.statics["orders"])):
            mask[option + number] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        g.units.order[g.stack[f + OrderPhase.UNIT]] = action - g.setup.space.option + 1

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        name = g.setup.statics["orders"][action - g.setup.space.option].name
        return f"{g.setup.names['units'][g.stack[f + OrderPhase.UNIT]]}: {name.replace('-', ' ')}"


def reveal(g: BattleCore) -> None:
    """Reveal all orders of both players (epic.orders.reveal)."""
    g.clock.revealed[0] = 1
    if g.recorder is not None:
        for unit in range(len(g.units.order)):
            order = order_of(g, unit)
            if order is not None:
                g.note("epic.orders.reveal", "order revealed", unit=unit, order=order.name)
