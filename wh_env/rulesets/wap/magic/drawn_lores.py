"""Lores that are drawn before spells are chosen, for units that an item makes wizards
(wap.item.enchanted.wizarding-hat).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.carried import item_at, rows_carried, show
from wh_env.rulesets.wap.basics.dice import one_at_random
from wh_env.rulesets.wap.magic.spells import lore_of
from wh_env.rulesets.wap.magic.wizards import rows_of, spell_at


def draw_lores(g: BattleCore) -> None:
    """The battle begins: each of these units uses one of the lores at random. Both players know it, as they know the
    spells of wizards (wap.magic.spells.open).
    """
    for unit, lores in g.setup.statics["drawn_lores"].items():
        drawn, rows = lores[one_at_random(g, len(lores))], rows_of(g, unit)
        for row, spell in zip(rows, drawn, strict=False):  # bound spells and those that it may be taught follow
            g.spellbook.spell[row] = spell
        k = next(k for k in rows_carried(g) if g.items.unit[k] == unit and item_at(g, k).draws_lore)
        show(g, k)
        g.note(item_at(g, k).rule, "draws a lore", unit=unit, name=lore_of(g, spell_at(g, rows[0])).name)
