"""Readers for the words of spells that last and act again and again (``spells``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wh_env.content.wap.effect_words import Words
from wh_env.content.wap.spell_templates import read_hit
from wh_env.rulesets.wap.magic.deeds_triggers import Burns, Stabs

if TYPE_CHECKING:
    from wh_env.content.wap.spells import Reading

OF_CAGE: Words = {"trigger": "target-moves-flees-or-pursues", "once": True, "hits": 1, "each": "model-in-unit"}
OF_THORNS: Words = {"trigger": "end-of-magic-phase", "scope": "enemy-units-in-contact"}


def read_cage(reading: Reading, words: Words) -> None:
    """``trigger: target-moves-flees-or-pursues``: each model of the target takes a hit if the target moves."""
    for key, value in OF_CAGE.items():
        reading.take(words, key, value)
    reading.lasting["trap"] = Burns(read_hit(reading, words), reading.row.rule)


def read_thorns(reading: Reading, words: Words) -> None:
    """``trigger: end-of-magic-phase``: enemies in contact take hits."""
    for key, value in OF_THORNS.items():
        reading.take(words, key, value)
    reading.lasting["thorns"] = Stabs(reading.number(words.pop("hits")), read_hit(reading, words))
