"""Readers of the words that only talismans have."""

from __future__ import annotations

from wh_env.content.wap.effect_words import Words
from wh_env.content.wap.item_reading import BEARER, Readers, Reading
from wh_env.rulesets.wap.basics.carried import Moment
from wh_env.rulesets.wap.basics.charms import Charm
from wh_env.rulesets.wap.basics.dice_changes import ARMOUR, DiceChanges
from wh_env.rulesets.wap.casualties.second_saves import RollsSaveAgain


def read_second_saves(reading: Reading, words: Words) -> None:
    """``reroll: failed``, ``rolls: armour-save``, ``optional: true``: the bearer rolls failed armour saves again."""
    reading.take(words, "reroll", "failed")
    reading.take(words, "optional", True)
    reading.acts(BEARER, dice=DiceChanges(failed=(str(reading.take(words, "rolls", ARMOUR)),)))


def read_second_save(reading: Reading, words: Words) -> None:
    """``reroll: one``, ``rolls: [armour-save, ward-save]``, ``optional: true``: he rolls one failed save again."""
    if words["reroll"] != "one":
        read_second_saves(reading, words)
        return
    for key, value in (("reroll", "one"), ("rolls", [ARMOUR, "ward-save"]), ("optional", True)):
        reading.take(words, key, value)
    reading.uses.append(RollsSaveAgain(Moment.FAILED_SAVE))


def read_charm(reading: Reading, words: Words) -> None:
    """``trigger: first-wound-suffered``, ``ward``: a ward save against the first wound."""
    reading.take(words, "trigger", "first-wound-suffered")
    reading.uses.append(Charm(Moment.FIRST_WOUND, needed=int(words.pop("ward"))))


READERS: Readers = (
    (frozenset({"reroll", "rolls", "optional"}), read_second_save),
    (frozenset({"trigger", "ward"}), read_charm),
)
