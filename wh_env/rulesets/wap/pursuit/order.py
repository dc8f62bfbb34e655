"""In which order the units that flee from a combat, pursue out of it or have lost their target move
(wap.multi.flee.order, .pursuit.order).
"""

from __future__ import annotations

from collections.abc import Sequence

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import row_of
from wh_env.core.procedures import STEP, DecisionKind, OfPlayer, Steps, integer
from wh_env.rulesets.wap.panic.directions import nearest_first


class InTurn(OfPlayer):
    """Moves units one after the other, in the order of their player; the next one is asked for where there are several."""

    class Step(Steps):
        NEXT, MOVE, AFTER = range(3)

    UNIT = integer(row_of("units"))

    def waiting(self, g: BattleCore) -> Sequence[int]:
        """The units that have not moved yet, all of one player."""
        raise NotImplementedError

    def next_unit(self, g: BattleCore, f: int) -> int:
        """Ask for the next unit, or go on with the only one; -1: there is none left, -2: the player is asked."""
        waiting = self.waiting(g)
        if not waiting:
            return -1
        g.stack[f + InTurn.PLAYER] = g.units.owner[waiting[0]]
        if len(waiting) > 1:
            return -2
        take(g, f, waiting[0])
        return waiting[0]


def take(g: BattleCore, f: int, unit: int) -> None:
    """The next unit is this one."""
    g.stack[f + InTurn.UNIT], g.stack[f + STEP] = unit, InTurn.Step.MOVE


class CombatOrder(DecisionKind):
    name = "combat-order"
    what = "Which unit moves next, of several that flee from a combat, pursue, overrun or reform after it."
    policy = "The unit nearest to an enemy."
    keys = ("wap.multi.flee.order", "wap.multi.pursuit.order")
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        procedure = g.setup.ruleset.procedures[g.stack[f]]
        at = g.setup.space.own - g.players.first_unit[g.stack[f + InTurn.PLAYER]]
        for unit in procedure.waiting(g):
            mask[at + unit] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        take(g, f, g.players.first_unit[g.stack[f + InTurn.PLAYER]] + action - g.setup.space.own)

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        return nearest_first(g, mask)
