"""Readers of the words of magic items that hold a bound spell (wap.magic.bound.*) or make their bearer a wizard."""

from __future__ import annotations

from wh_env.content.load import validate
from wh_env.content.wap.effect_words import Words
from wh_env.content.wap.item_reading import Readers, Reading
from wh_env.content.wap.schema_magic import BoundRow, SpellRow, WizardRow
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


def read_own_spell(reading: Reading, words: Words) -> None:
    """``bound_spell: own``, ``power_level``, ``type``, ``duration``, ``target``, and the words of an effect: the item
    holds a spell of no lore, which has its name.
    """
    reading.take(words, "bound_spell", "own")
    told = {key: words.pop(key) for key in ("type", "duration", "target")}
    row = {"name": reading.row.name, "rule": reading.row.rule, "number": 0, "cast": words.pop("power_level"), **told}
    reading.bound = validate(SpellRow, {**row, "effects": [dict(words)]}, f"{reading.file}: {reading.place}")
    words.clear()


def read_wizard(reading: Reading, words: Words) -> None:
    """``wizard_level``, ``lore: random``: the bearer is a wizard of one of the eight lores."""
    reading.take(words, "lore", "random")
    reading.wizard = WizardRow(level=int(words.pop("wizard_level")), lores=EIGHT)


READERS: Readers = (
    (frozenset({"bound_spell", "power_level", "type", "duration", "target"}), read_own_spell),
    (frozenset({"bound_spell", "power_level"}), read_bound),
    (frozenset({"wizard_level", "lore"}), read_wizard),
)
