"""What a unit may put into an attempt to cast a spell, and what becomes of bound spells that miscast."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.arcane import aid_of
from wh_env.rulesets.wap.codes import OF_ITEM
from wh_env.rulesets.wap.magic.in_play import forget_spell
from wh_env.rulesets.wap.magic.scrolls import dice_given
from wh_env.rulesets.wap.magic.spells import Casting, lore_of
from wh_env.rulesets.wap.magic.winds import dice_for_unit
from wh_env.rulesets.wap.magic.wizards import MORE_DICE, MOST_BONUS, bonus_of, is_bound, level_of, spell_at

MOST_BOUND = 3  # dice for a bound spell, the free one included (wap.magic.bound.max-dice)


def dice_for(g: BattleCore, unit: int, row: int, free: int) -> int:
    """The most dice of the pool for a spell (wap.magic.cast.dice, wap.magic.bound.max-dice)."""
    return min(most_of(g, unit, row, free) - dice_given(g, unit), dice_for_unit(g, unit))


def most_of(g: BattleCore, unit: int, row: int, free: int) -> int:
    """The most dice for a spell, besides the free die of a bound one."""
    if is_bound(g, row):
        return MOST_BOUND - free
    return level_of(g, unit) + MORE_DICE + aid_of(g, unit, "casting_dice")


def bonus_for(g: BattleCore, unit: int, row: int) -> int:
    """What a unit adds to the dice for a spell: half its level and what its items give, unless it is a bound spell,
    and what the lore gives (wap.magic.cast.bonus, .bonus-cap, wap.magic.bound.no-bonus, .attribute).
    """
    level = 0 if is_bound(g, row) else bonus_of(g, unit) + aid_of(g, unit, "casting")
    return min(MOST_BONUS, level + lore_of(g, spell_at(g, row)).attribute.adds(g, unit))


def bound_miscast(g: BattleCore, casting: Casting) -> None:
    """A bound spell has miscast: the item is dust, or the unit casts no more bound spells in this phase
    (wap.magic.bound.miscast-item, .miscast-innate).
    """
    if g.spellbook.source[casting.row] == OF_ITEM:
        forget_spell(g, casting.row, "wap.magic.bound.miscast-item")
    else:
        g.wizards.cannot_cast_bound[casting.caster] = 1
        g.note("wap.magic.bound.miscast-innate", "loses concentration", unit=casting.caster)
