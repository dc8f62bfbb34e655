"""Enemy units that a unit with FLY has moved over, and rules that make one of them suffer (w9.rare.edge-abilities)."""

from __future__ import annotations

from math import hypot

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import row_of
from wh_env.core.geometry.shapes import gap, overlap_at
from wh_env.core.procedures import STEP, DecisionKind, Procedure, Steps, integer
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.w40k.profiles import Keyword
from wh_env.rulesets.w40k.sequence.effects import take_effect

FLY = int(Keyword.FLY)
DICE = {"D3": (1, 3), "D6": (1, 6)}  # amounts that are rolled
HALVINGS = 40


def passes_over(g: BattleCore, model: int, other: int) -> bool:
    """Whether the base of ``model`` passed over the base of ``other`` on the straight line from where its unit began to
    move to where it stands, with its present facing.
    """
    rows, m, origin = g.models.rows, g.models, g.origin
    end = m.x[model], m.y[model]
    x, y, dx, dy = origin.x[model], origin.y[model], end[0] - origin.x[model], end[1] - origin.y[model]
    length = hypot(dx, dy)
    if not length:
        return False
    # the part of the way at which the two are nearest, judged by the circles round their bases
    ahead = ((m.x[other] - x) * dx + (m.y[other] - y) * dy) / length**2
    beside = min(1.0, max(0.0, ahead))
    if hypot(m.x[other] - x - beside * dx, m.y[other] - y - beside * dy) >= m.radius[model] + m.radius[other]:
        return False

    def away(part: float) -> float:
        m.x[model], m.y[model] = x + part * dx, y + part * dy
        return float(gap(rows, model, other))

    # the distance of two convex outlines is convex along the way: it falls, is 0 while they overlap, and rises
    low, high = 0.0, 1.0
    while away(0.5 * (low + high)) > 0.0 and (high - low) * length > 1e-6:
        left, right = low + (high - low) / 3.0, high - (high - low) / 3.0
        if away(left) < away(right):
            high = right
        else:
            low = left
    first = last = 0.5 * (low + high)
    low, high = (0.0 if away(0.0) > 0.0 else first), (1.0 if away(1.0) > 0.0 else last)
    for _ in range(HALVINGS):
        before, after = 0.5 * (low + first), 0.5 * (last + high)
        low, first = (low, before) if away(before) <= 0.0 else (before, first)
        last, high = (after, high) if away(after) <= 0.0 else (last, after)
    m.x[model], m.y[model] = end
    part = 0.5 * (first + last)
    at = x + part * dx, y + part * dy, m.facing[model]
    return bool(overlap_at(rows, model, *at, other, m.x[other], m.y[other], m.facing[other]))


def moved_over(g: BattleCore, unit: int) -> list[int]:
    """Enemy units that a model of the unit moved over in the move that has just ended. Empty if the unit has no FLY."""
    u = g.units
    if not u.keywords[unit] & FLY:
        return []
    enemies = [enemy for enemy in g.units_of(1 - u.owner[unit]) if u.place[enemy] == ON_TABLE]
    own = list(g.members(unit))
    return [enemy for enemy in enemies if any(passes_over(g, k, j) for k in own for j in g.members(enemy))]


def amount_of(g: BattleCore, amount: int | str) -> int:
    """The amount that a rule states; a name of ``DICE`` is rolled."""
    return g.roll(*DICE[amount]) if isinstance(amount, str) else amount


class SufferBelow(Procedure):
    """The player selects one enemy unit that the unit has moved over; it suffers the effect of row ``ROW`` of
    ``rules["moved"]``.
    """

    class Step(Steps):
        SELECT, END = range(2)

    UNIT = integer(row_of("units"))
    ROW = integer(row_of("moved_rules"))
    asks = ("moved-over",)

    def advance(self, g: BattleCore, f: int) -> int:
        unit = g.stack[f + SufferBelow.UNIT]
        if g.stack[f + STEP] == SufferBelow.Step.END or not moved_over(g, unit):
            return g.pop()
        g.stack[f + STEP] = SufferBelow.Step.END
        return g.ask(MovedOver, g.units.owner[unit], unit)

    @staticmethod
    def suffers(g: BattleCore, f: int, enemy: int) -> None:
        """Apply the effect of the row to the selected enemy unit."""
        row = g.setup.rules["moved"][g.stack[f + SufferBelow.ROW]]
        take_effect(g, row["effect"], g.units.owner[g.stack[f + SufferBelow.UNIT]], enemy, amount_of(g, row["amount"]))


class MovedOver(DecisionKind):
    name = "moved-over"
    what = "Which of the enemy units that the unit has moved over suffers from its ability."
    keys = ("w9.rare.edge-abilities",)

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit = g.stack[f + SufferBelow.UNIT]
        at = g.setup.space.enemy - g.players.first_unit[1 - g.units.owner[unit]]
        for enemy in moved_over(g, unit):
            mask[at + enemy] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        first = g.players.first_unit[1 - g.units.owner[g.stack[f + SufferBelow.UNIT]]]
        SufferBelow.suffers(g, f, first + action - g.setup.space.enemy)
