"""Readers of the words of magic items that hold a bound spell (wap.magic.bound.*) or make their bearer a wizard."""

from __future__ import annotations

from wh_env.content.wap.effect_words import Words
from wh_env.content.wap.item_reading import Readers, Reading
from wh_env.content.wap.schema_magic import BoundRow, WizardRow
from wh_env.content.wap.spells import load_lore

RULE, LORE = "wap.lore.", 2  # the ids of spells of a lore begin so; which of the words between the dots names the lore

# wap.lore.general.eight-lores
EIGHT = ("fire", "metal", "life", "beasts", "heavens", "light", "shadow", "death")


def read_bound(reading: Reading, words: Words) -> None:
    """``bound_spell`` (the catalogue id of a spell of a lore), ``power_level``: the item holds that spell."""
    rule, power = str(words.pop("bound_spell")), int(words.pop("power_level"))
    if not rule.startswith(RULE):
        raise reading.refuse("effects.bound_spell", rule, f"the id of a spell, {RULE}...")
    lore = rule.split(".")[LORE]
    spell = next((row.name for row in load_lore(lore).spells if row.rule == rule), "")
    if not spell:
        raise reading.refuse("effects.bound_spell", rule, f"the id of a spell of the lore {lore}")
    reading.bound = BoundRow(lore=lore, spell=spell, power=power, item=True)


def read_wizard(reading: Reading, words: Words) -> None:
    """``wizard_level``, ``lore: random``: the bearer is a wizard of one of the eight lores."""
    reading.take(words, "lore", "random")
    reading.wizard = WizardRow(level=int(words.pop("wizard_level")), lores=EIGHT)


READERS: Readers = (
    (frozenset({"bound_spell", "power_level"}), read_bound),
    (frozenset({"wizard_level", "lore"}), read_wizard),
)
