"""The marker that a model counts for if it is within range of several (w9.objective.one-marker)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import row_of
from wh_env.core.procedures import DecisionKind, Procedure, integer
from wh_env.rulesets.w9.objective.control import markers_near, undecided


class Counting(Procedure):
    """Before models are counted for points: their players say which marker each model between several counts for."""

    MODEL = integer(row_of("models"))
    asks = ("count-for",)

    def advance(self, g: BattleCore, f: int) -> int:
        model = undecided(g)
        if model < 0:
            return g.pop()
        g.stack[f + Counting.MODEL] = model
        return g.ask(CountFor, g.models.owner[model], g.models.unit[model])


class CountFor(DecisionKind):
    name = "count-for"
    what = "For which objective marker a model counts in this turn that is within range of several."
    policy = "The nearest one."
    keys = ("w9.objective.one-marker",)
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        for marker in markers_near(g, g.stack[f + Counting.MODEL]):
            mask[g.setup.space.option + marker] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        model, marker = g.stack[f + Counting.MODEL], action - g.setup.space.option
        g.counted_for[model] = marker + 1
        g.note("w9.objective.one-marker", "counts for one marker", model=model, marker=marker)

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        model, o = g.stack[f + Counting.MODEL], g.objectives
        x, y = g.models.x[model], g.models.y[model]
        near = markers_near(g, model)
        return g.setup.space.option + min(near, key=lambda k: ((o.x[k] - x) ** 2 + (o.y[k] - y) ** 2, k))

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return f"counts for marker {action - g.setup.space.option + 1}"
