"""Units that a rule splits into two (w9.rare.split-units.*)."""

from __future__ import annotations

from functools import cache

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import count_of, row_of
from wh_env.core.procedures import GO, DecisionKind, Procedure, integer
from wh_env.core.tables import DEPLOYING, EMBARKED, ON_TABLE, RESERVE
from wh_env.rulesets.w40k.attack.casualties import refresh_unit
from wh_env.rulesets.w40k.edition import Edition, edition
from wh_env.rulesets.w40k.questions.engagements import forget_targets
from wh_env.rulesets.w40k.questions.parts import parts
from wh_env.rulesets.w40k.questions.strength import living

# columns of ``units`` about its models, not about what the unit did or suffers
OF_ITS_MODELS = (
    "owner",
    "first",
    "count",
    "alive",
    "strength",
    "own_strength",
    "points",
    "capacity",
    "leader",
    "bodyguard",
)
ANY_NUMBER = 1009  # a number of units that no table has as rows for another reason


def split(g: BattleCore, owner: int, unit: int, amount: int) -> None:
    """The effect of a rule: ``amount`` models of the unit (0: as many as its datasheet says) become a separate unit, if
    the unit has more models than that.
    """
    splits, u = g.setup.statics["splits"], g.units
    if unit not in splits or len(parts(g, unit)) > 1 or u.place[unit] not in (DEPLOYING, ON_TABLE, RESERVE, EMBARKED):
        return
    spare, number = splits[unit]
    number = amount or number
    if u.alive[unit] <= number:
        return
    carry_over(g, unit, spare)
    u.strength[spare], u.alive[spare] = number, 0
    u.strength[unit] -= number
    g.push(SplitUnit, unit, number)
    g.note("w9.rare.split-units", "unit splits", unit=unit, amount=number)


@cache
def by_unit(own: Edition) -> tuple[str, ...]:
    """Names of the edition's tables with one row for each unit; some of them have one column for each unit as well."""
    return tuple(table.name for table in own.tables(ANY_NUMBER, 1) if table.rows == ANY_NUMBER)


def carry_over(g: BattleCore, unit: int, spare: int) -> None:
    """Copy to row ``spare``, the new unit, what the unit did and the effects in force on it (w9.rare.split-units). An
    action in progress and the mark of While We Stand, We Fight stay with the first part.
    """
    rows = g.units.rows
    for column in rows.dtype.names or ():
        if column not in OF_ITS_MODELS:
            rows[column][spare] = rows[column][unit]
    for name in by_unit(edition(g)):
        table = g.setup.layout.view(g.buffer, name)
        table[spare] = table[unit]
        if table.ndim > 1:
            table[:, spare] = table[:, unit]
    if len(g.hulls):
        g.hulls[spare] = g.hulls[unit]
    g.standing[spare] = 0
    g.acting.now[spare] = 0


class SplitUnit(Procedure):
    """Models of the unit move to its second part, one by one."""

    UNIT = integer(row_of("units"))
    LEFT = integer(count_of("models"))
    asks = ("split-model",)

    def advance(self, g: BattleCore, f: int) -> int:
        unit = g.stack[f + SplitUnit.UNIT]
        if g.stack[f + SplitUnit.LEFT]:
            return g.ask(SplitModel, g.units.owner[unit], unit)
        for row in parts(g, unit):
            refresh_unit(g, row)
        forget_targets(g)
        g.pop()
        return GO


class SplitModel(DecisionKind):
    name = "split-model"
    what = "Which model of a unit that splits goes over to its second part next."
    policy = "The last one."
    keys = ("w9.deploy.at-the-start", "w9.rare.split-units")
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        for slot, _ in enumerate(living(g, g.stack[f + SplitUnit.UNIT])):
            mask[g.setup.space.model + slot] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit = g.stack[f + SplitUnit.UNIT]
        model = list(living(g, unit))[action - g.setup.space.model]
        g.models.unit[model] = spare = parts(g, unit)[1]
        g.units.alive[unit] -= 1
        g.units.alive[spare] += 1
        g.stack[f + SplitUnit.LEFT] -= 1

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        return int(g.setup.space.model + g.units.alive[g.stack[f + SplitUnit.UNIT]] - 1)
