"""Readers of the words of magic items that exchange something with the enemy."""

from __future__ import annotations

from wh_env.content.wap.effect_words import Words
from wh_env.content.wap.item_reading import Readers, Reading
from wh_env.rulesets.wap.basics.carried import Moment
from wh_env.rulesets.wap.items.exchanges import ExchangesWounds


def read_exchange(reading: Reading, words: Words) -> None:
    """``trigger: start-of-any-close-combat-phase``, ``swap: remaining-wounds``, ``with: enemy-model-in-contact``."""
    known = {
        "trigger": "start-of-any-close-combat-phase",
        "swap": "remaining-wounds",
        "with": "enemy-model-in-contact",
        "duration": "game",
    }
    for key, value in known.items():
        reading.take(words, key, value)
    reading.uses.append(ExchangesWounds(Moment.START_OF_PHASE))


READERS: Readers = ((frozenset({"trigger", "swap", "with"}), read_exchange),)
