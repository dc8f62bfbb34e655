"""A unit and the characters who have joined it, asked as the one unit that they are (wap.character.combined.one-unit).

``has`` says whether a unit has a special rule: because of one model, of most of them or of all, as the entry of the
rule says (``rule_book.Covers``). The other functions ask the same of anything that may hold for a model. A character
who stands in another unit, or charges out of it, is himself alone if he is asked. A rule that harms those whom it
strikes asks ``most_of_those_struck``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.contacts import block_of
from wh_env.rulesets.wap.basics.profiles import lines_of, lines_there, wholly
from wh_env.rulesets.wap.basics.special_rules import is_known, line_has, model_has, models_have
from wh_env.rulesets.wap.rule_book import Covers, SpecialRule

Holds = Callable[[BattleCore, int], bool]  # what may hold for a model, a profile or a unit by its row


def has(g: BattleCore, unit: int, rule: SpecialRule) -> bool:
    """Whether a unit, with the characters who have joined it, has a special rule now, by whom the rule covers."""
    if rule.covers is Covers.OWN:
        return models_have(g, unit, rule)
    if not is_known(g, rule):
        return False
    if rule.covers is Covers.ANY:
        return any(has_bearer(g, row, rule) for row in wholly(g, unit))
    if rule.covers is Covers.EVERY:
        return all(models_have(g, row, rule) for row in wholly(g, unit))
    return most_models(g, unit, lambda g, model: model_has(g, model, rule))


def units_within(g: BattleCore, unit: int) -> list[int]:
    """Rows of the units that the models of a unit belong to: its own, and those that have joined it."""
    return wholly(g, unit)


def units_beside(g: BattleCore, unit: int) -> list[int]:
    """The same of the unit that a unit stands in, itself or that which it has joined: all whom what happens to the
    unit concerns."""
    return wholly(g, block_of(g, unit))


def any_unit(g: BattleCore, unit: int, holds: Holds) -> bool:
    """Whether something holds for the unit itself or for anybody who has joined it."""
    return any(holds(g, row) for row in wholly(g, unit))


def any_joined(g: BattleCore, unit: int, holds: Holds) -> bool:
    """Whether something holds for anybody who has joined the unit."""
    return any(holds(g, row) for row in wholly(g, unit)[1:])


def every_unit(g: BattleCore, unit: int, holds: Holds) -> bool:
    """Whether something holds for the unit itself and for everybody who has joined it."""
    return all(holds(g, row) for row in wholly(g, unit))


def bearers_within(g: BattleCore, unit: int, rule: SpecialRule) -> list[int]:
    """Rows of the units within a unit of which a model has a special rule now."""
    return [row for row in wholly(g, unit) if has_bearer(g, row, rule)] if is_known(g, rule) else []


def has_bearer(g: BattleCore, row: int, rule: SpecialRule) -> bool:
    """Whether a model of a unit has a special rule now, without those who have joined the unit."""
    if models_have(g, row, rule):
        return any(True for _ in g.members(row))
    lines = [line for line in lines_of(g, row) if line_has(g, line, rule)]
    return bool(lines) and any(g.models.line[k] in lines for k in g.members(row))


def any_profile(g: BattleCore, unit: int, holds: Holds) -> bool:
    """Whether something holds for a fighting profile of somebody living in a unit, mounts among them."""
    return any(holds(g, line) for row in wholly(g, unit) for line in lines_there(g, row))


def most_models(g: BattleCore, unit: int, holds: Holds) -> bool:
    """Whether something holds for more than half of the models of a unit."""
    return are_most(g, wholly(g, unit), holds)


def most_of_those_struck(g: BattleCore, row: int, holds: Holds) -> bool:
    """Whether something holds for more than half of the models that harm to a unit, or to a character in one, falls
    on: its own, nobody's who has joined it."""
    return are_most(g, (row,), holds)


def strength_of_those(g: BattleCore, unit: int, holds: Holds) -> int:
    """Unit Strength of the models of a unit for which something holds, each by what one of its own kind counts."""
    return sum(g.units.each[row] * counted(g, row, holds)[0] for row in wholly(g, unit))


def total_of(g: BattleCore, unit: int, column: memoryview) -> int:
    """The sum of a column of the table of units over a unit and those who have joined it."""
    return sum(column[row] for row in wholly(g, unit))


def are_most(g: BattleCore, rows: Iterable[int], holds: Holds) -> bool:
    """Whether something holds for more than half of the models of some units, without those who have joined them."""
    found = number = 0
    for row in rows:
        some, of = counted(g, row, holds)
        found, number = found + some, number + of
    return 2 * found > number


def counted(g: BattleCore, row: int, holds: Holds) -> tuple[int, int]:
    """For how many models of a unit something holds, without those who have joined it, and how many these are; models
    with one profile are alike."""
    known: dict[int, bool] = {}
    found = number = 0
    for k in g.members(row):
        line = g.models.line[k]
        if line not in known:
            known[line] = holds(g, k)
        found, number = found + known[line], number + 1
    return found, number


def is_stupid(g: BattleCore, unit: int) -> bool:
    """Whether the unit that a unit stands in has failed a test of Stupidity and passed none since: its models are
    immune to Psychology, it moves D6", shoots nothing, makes no combat reform, and its wizards do no magic
    (wap.special.stupidity.until-passed)."""
    return bool(g.units.stupid[block_of(g, unit)])
