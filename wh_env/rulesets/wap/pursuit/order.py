"""The order in which units move that flee from a combat, pursue out of it or have lost their target
(wap.multi.flee.order, .pursuit.order).
"""

from __future__ import annotations

from collections.abc import Sequence

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import row_of
from wh_env.core.procedures import STEP, DecisionKind, OfPlayer, Steps, integer
from wh_env.rulesets.wap.panic.directions import nearest_first


class InTurn(OfPlayer):
    """Moves the units of a player one after the other. If several wait, the player says which is next."""

    class Step(Steps):
        NEXT, MOVE, AFTER = range(3)

    UNIT = integer(row_of("units"))

    def waiting(self, g: BattleCore) -> Sequence[int]:
        """The units that have not moved yet, all of one player."""
        raise NotImplementedError

    def next_unit(self, g: BattleCore, f: int) -> int:
        """Choose the next unit if only one waits, and return it; -1: none waits, -2: the player must be asked."""
        waiting = self.waiting(g)
        if not waiting:
            return -1
        g.stack[f + InTurn.PLAYER] = g.units.owner[waiting[0]]
        if len(waiting) > 1:
            return -2
        take(g, f, waiting[0])
        return waiting[0]


def take(g: BattleCore, f: int, unit: int) -> None:
    """Make ``unit`` the one that moves next."""
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
