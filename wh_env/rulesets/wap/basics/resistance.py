"""Magic Resistance (wap.special.magic-resistance.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.arcane import resistance_by_items
from wh_env.rulesets.wap.basics.combined_unit import units_beside
from wh_env.rulesets.wap.basics.special_rules import is_known, parameters
from wh_env.rulesets.wap.rule_book import MAGIC_RESISTANCE


def resistance_of(g: BattleCore, unit: int) -> int:
    """The Magic Resistance of a unit: the highest of it and of the characters in it; 0: none
    (wap.special.magic-resistance.unit).
    """
    by_items = resistance_by_items(g)
    if not is_known(g, MAGIC_RESISTANCE):
        return by_items
    found = (int(words) for row in units_beside(g, unit) for words in parameters(g, row, MAGIC_RESISTANCE))
    return max((by_items, *found))
