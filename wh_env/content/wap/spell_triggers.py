"""Readers for the words of spells that last and act again and again (``spells``)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wh_env.content.wap.spell_templates import read_hit
from wh_env.rulesets.wap.magic.deeds_triggers import Burns, Stabs

if TYPE_CHECKING:
    from wh_env.content.wap.spells import Reading

Words = dict[str, Any]
OF_CAGE = {"trigger": "target-moves-flees-or-pursues", "once": True, "hits": 1, "each": "model-in-unit"}
OF_THORNS = {"trigger": "end-of-magic-phase", "scope": "enemy-units-in-contact"}


def take(reading: Reading, words: Words, expected: Words) -> None:
    """Take words out that must be as expected."""
    for key, value in expected.items():
        if words.pop(key, None) != value:
            raise reading.refuse("effects", key, f"{key}: {value}")


def read_cage(reading: Reading, words: Words) -> None:
    """``trigger: target-moves-flees-or-pursues``: each model of the target takes a hit if the target moves."""
    take(reading, words, OF_CAGE)
    reading.lasting["trap"] = Burns(read_hit(reading, words), reading.row.rule)


def read_thorns(reading: Reading, words: Words) -> None:
    """``trigger: end-of-magic-phase``: enemies in contact take hits."""
    take(reading, words, OF_THORNS)
    reading.lasting["thorns"] = Stabs(reading.number(words.pop("hits")), read_hit(reading, words))
