"""Magic Resistance (wap.special.magic-resistance.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.arcane import resistance_by_items
from wh_env.rulesets.wap.basics.combined_unit import units_beside
from wh_env.rulesets.wap.basics.joined import is_character
from wh_env.rulesets.wap.basics.special_rules import is_known, parameters
from wh_env.rulesets.wap.rule_book import MAGIC_RESISTANCE


def resistance_of(g: BattleCore, unit: int) -> int:
    """The Magic Resistance of the models of a unit: the highest of their own and of the characters in the same unit;
    a character has none of the soldiers around him. 0: none (wap.special.magic-resistance.unit,
    wap.character.special-rules.not-shared).
    """
    by_items = resistance_by_items(g)
    if not is_known(g, MAGIC_RESISTANCE):
        return by_items
    lenders = (row for row in units_beside(g, unit) if row == unit or is_character(g, row))
    found = (int(words) for row in lenders for words in parameters(g, row, MAGIC_RESISTANCE))
    return max((by_items, *found))
