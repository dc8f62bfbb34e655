"""Full detail: the order in which models pile in or consolidate (w10.fight.pile-in.order, w10.fight.consolidate.closer)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import GO, STEP, DecisionKind, Procedure, V
from wh_env.rulesets.w10.melee import TOWARDS_ENEMY, consolidate, pile_in

UNIT, GOAL, CONSOLIDATES = V, V + 1, V + 2


class CloseOrder(Procedure):
    """Asks for one model after the other, then moves them in that order; the rest follow from the nearest on."""

    def advance(self, g: BattleCore, f: int) -> int:
        stack = g.stack
        unit = stack[f + UNIT]
        if stack[f + STEP] == 0:
            for k in g.members(unit):
                g.models.moved[k] = 0
            stack[f + STEP] = 1
        if stack[f + STEP] == 1:
            return g.ask(NextToClose, g.units.owner[unit], unit)
        moved = g.models.moved
        order = sorted((k for k in g.members(unit) if moved[k]), key=lambda k: moved[k])
        if stack[f + CONSOLIDATES]:
            count = consolidate(g, unit, stack[f + GOAL], order)
            towards_enemy = stack[f + GOAL] == TOWARDS_ENEMY
            rule = "w10.fight.consolidate.enemy" if towards_enemy else "w10.fight.consolidate.objective"
        else:
            count, rule = pile_in(g, unit, order), "w10.fight.pile-in"
        if g.recorder is not None:
            g.note(rule, "closes in", unit=unit, moved=count, order=order)
        g.pop()
        return GO


class NextToClose(DecisionKind):
    """Which model moves next; done: the others follow from the nearest on."""

    name = "close-order"
    rules = ("w10.fight.pile-in.order", "w10.fight.consolidate.closer")
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        mask[0] = True
        for slot, k in enumerate(g.members(g.stack[f + UNIT])):
            if not g.models.moved[k]:
                mask[g.setup.space.model + slot] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        if action == 0:
            g.stack[f + STEP] = 2
            return
        rows = list(g.members(g.stack[f + UNIT]))
        g.models.moved[rows[action - g.setup.space.model]] = 1 + max(g.models.moved[k] for k in rows)
