"""A unit and the characters who have joined it, asked as one unit (wap.character.combined.one-unit).

``has`` says whether a unit has a special rule: because of one model, most of them or all, as the entry of the rule says
(``rule_book.Covers``). The other functions ask the same of any condition. A character who stands in another unit, or
charges out of it, is asked about himself alone. Rules that harm the models they strike use ``most_of_those_struck``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.contacts import block_of
from wh_env.rulesets.wap.basics.profiles import lines_of, lines_there, wholly
from wh_env.rulesets.wap.basics.special_rules import is_known, line_has, model_has, models_have
from wh_env.rulesets.wap.rule_book import Covers, SpecialRule

Holds = Callable[[BattleCore, int], bool]  # a condition on the row of a model, a profile or a unit


def has(g: BattleCore, unit: int, rule: SpecialRule) -> bool:
    """Whether a unit, with its joined characters, has a special rule now; ``rule.covers`` says how many models must
    have it.
    """
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
    """Rows of a unit and of the characters who have joined it."""
    return wholly(g, unit)


def units_beside(g: BattleCore, unit: int) -> list[int]:
    """Rows of all units in the block in which a unit stands: the unit that it has joined, or itself, with all joined
    characters.
    """
    return wholly(g, block_of(g, unit))


def any_unit(g: BattleCore, unit: int, holds: Holds) -> bool:
    """Whether ``holds`` is true of the unit or of a character who has joined it."""
    return any(holds(g, row) for row in wholly(g, unit))


def any_joined(g: BattleCore, unit: int, holds: Holds) -> bool:
    """Whether ``holds`` is true of a character who has joined the unit."""
    return any(holds(g, row) for row in wholly(g, unit)[1:])


def every_unit(g: BattleCore, unit: int, holds: Holds) -> bool:
    """Whether ``holds`` is true of the unit and of all characters who have joined it."""
    return all(holds(g, row) for row in wholly(g, unit))


def bearers_within(g: BattleCore, unit: int, rule: SpecialRule) -> list[int]:
    """Of the unit and its joined characters, the rows with a model that has a special rule now."""
    return [row for row in wholly(g, unit) if has_bearer(g, row, rule)] if is_known(g, rule) else []


def has_bearer(g: BattleCore, row: int, rule: SpecialRule) -> bool:
    """Whether a living model of a unit has a special rule now; joined characters do not count."""
    if models_have(g, row, rule):
        return any(True for _ in g.members(row))
    lines = [line for line in lines_of(g, row) if line_has(g, line, rule)]
    return bool(lines) and any(g.models.line[k] in lines for k in g.members(row))


def any_profile(g: BattleCore, unit: int, holds: Holds) -> bool:
    """Whether ``holds`` is true of the fighting profile of a living model of a unit or of a joined character, mounts
    included.
    """
    return any(holds(g, line) for row in wholly(g, unit) for line in lines_there(g, row))


def most_models(g: BattleCore, unit: int, holds: Holds) -> bool:
    """Whether ``holds`` is true of more than half of the models of a unit and its joined characters."""
    return are_most(g, wholly(g, unit), holds)


def most_of_those_struck(g: BattleCore, row: int, holds: Holds) -> bool:
    """Whether ``holds`` is true of more than half of the models that harm to a unit falls on: its own, without joined
    characters. ``row`` may be a character in a unit.
    """
    return are_most(g, (row,), holds)


def strength_of_those(g: BattleCore, unit: int, holds: Holds) -> int:
    """Unit Strength of the models of a unit and its joined characters of which ``holds`` is true."""
    return sum(g.units.each[row] * counted(g, row, holds)[0] for row in wholly(g, unit))


def total_of(g: BattleCore, unit: int, column: memoryview) -> int:
    """The sum of a column of the table of units over a unit and its joined characters."""
    return sum(column[row] for row in wholly(g, unit))


def are_most(g: BattleCore, rows: Iterable[int], holds: Holds) -> bool:
    """Whether ``holds`` is true of more than half of the models of the units ``rows``, without characters
    joined to them.
    """
    found = number = 0
    for row in rows:
        some, of = counted(g, row, holds)
        found, number = found + some, number + of
    return 2 * found > number


def counted(g: BattleCore, row: int, holds: Holds) -> tuple[int, int]:
    """(models of a unit of which ``holds`` is true, models of the unit), without joined characters. It is asked once
    for each profile.
    """
    known: dict[int, bool] = {}
    found = number = 0
    for k in g.members(row):
        line = g.models.line[k]
        if line not in known:
            known[line] = holds(g, k)
        found, number = found + known[line], number + 1
    return found, number


def is_stupid(g: BattleCore, unit: int) -> bool:
    """Whether the block in which a unit stands has failed a test of Stupidity and passed none since. It is then immune
    to Psychology, moves D6", does not shoot, makes no combat reform, and its wizards do no magic
    (wap.special.stupidity.until-passed).
    """
    return bool(g.units.stupid[block_of(g, unit)])
