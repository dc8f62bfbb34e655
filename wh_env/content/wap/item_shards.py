"""Readers of the words of magic items that spoil saves."""

from __future__ import annotations

from wh_env.content.wap.effect_words import Words
from wh_env.content.wap.item_reading import BEARER, Readers, Reading
from wh_env.rulesets.wap.basics.powers import SpoilsWards


def read_spoiled_wards(reading: Reading, words: Words) -> None:
    """``reroll: successful``, ``rolls: ward-save``, ``forced: true``, ``scope: bearer-and-units-in-contact``: passed
    ward saves of the bearer, and of units in contact with him, are rolled again.
    """
    known = {"reroll": "successful", "rolls": "ward-save", "forced": True, "scope": "bearer-and-units-in-contact"}
    for key, value in known.items():
        reading.take(words, key, value)
    reading.acts(BEARER, powers=(SpoilsWards(),))


READERS: Readers = ((frozenset({"reroll", "rolls", "forced", "scope"}), read_spoiled_wards),)
