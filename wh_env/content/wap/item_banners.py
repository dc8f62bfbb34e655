"""Readers of the words that only magic banners have."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from wh_env.content.wap.effect_words import Words
from wh_env.content.wap.item_reading import UNIT, Readers, Reading
from wh_env.rulesets.wap.basics.dice_changes import DiceChanges
from wh_env.rulesets.wap.basics.effects import On
from wh_env.rulesets.wap.basics.unit_changes import AS_EVER, BREAK, CHARGE, LEADERSHIP
from wh_env.rulesets.wap.rule_book import FRIGHTENING, WARD_SAVE
from wh_env.rulesets.wap.tables import MOST

AGAIN = {
    BREAK: "failed",
    CHARGE: "one",
    LEADERSHIP: "first-failed",
}  # by the roll that may be made again, how the tables say so
FEARED = ["fear"]


def act_on_whole(reading: Reading, **fields: Any) -> None:
    """The banner changes what its unit as a whole rolls and adds up."""
    now = next((effect.whole for effect in reading.effects if effect.on is On.UNIT), AS_EVER)
    reading.acts(UNIT, whole=replace(now, rule=reading.row.rule, **fields))


def read_result(reading: Reading, words: Words) -> None:
    """``combat_resolution``: a number that the unit adds to its combat result, rolled each time."""
    act_on_whole(reading, result=reading.number(words.pop("combat_resolution")))


def read_first_hits(reading: Reading, words: Words) -> None:
    """``to_hit``, ``in``, ``when: first-round``: added to dice to hit in the first round of each combat."""
    reading.take(words, "in", "close-combat")
    reading.take(words, "when", "first-round")
    reading.acts(UNIT, dice=DiceChanges(to_hit_first=int(words.pop("to_hit"))))


def read_ward_against(reading: Reading, words: Words) -> None:
    """``ward``, ``versus: shooting``: a ward save against shooting alone."""
    against = reading.take(words, "versus", "shooting")
    reading.gives(WARD_SAVE.of(f"{words.pop('ward')}+ against {against}"), reading.scope(words))


def read_fear_in(reading: Reading, words: Words) -> None:
    """``grant: [fear]``, ``versus: fly``: the unit causes Fear in models that fly."""
    reading.take(words, "grant", FEARED)
    against = str(reading.take(words, "versus", "fly"))
    reading.gives(FRIGHTENING.of(against.capitalize()), reading.scope(words))


def read_rally(reading: Reading, words: Words) -> None:
    """``stat: Ld``, ``by``, ``when: rally-test``: Leadership added when the unit tries to rally."""
    reading.take(words, "stat", "Ld")
    reading.take(words, "max", MOST)
    reading.take(words, "when", "rally-test")
    act_on_whole(reading, rally=int(words.pop("by")))


def read_own_leadership(reading: Reading, words: Words) -> None:
    """``stat: Ld``, ``by``, ``scope: own-unit``: Leadership that a General in the unit does not lend to others."""
    reading.take(words, "stat", "Ld")
    reading.take(words, "max", MOST)
    reading.take(words, "scope", "own-unit")
    reading.acts(UNIT, changes=(("ld", int(words.pop("by"))),))
    act_on_whole(reading, is_lent=False)


def read_prevented(reading: Reading, words: Words) -> None:
    """``prevent: use-inspiring-presence``: the unit does not use the Leadership of a General who is not in it."""
    reading.take(words, "prevent", "use-inspiring-presence")
    act_on_whole(reading, is_inspired=False)


def read_again(reading: Reading, words: Words) -> None:
    """``reroll``, ``rolls``, ``optional``: a roll that the unit may make again."""
    roll = str(reading.take(words, "rolls", *AGAIN))
    reading.take(words, "reroll", AGAIN[roll])
    reading.take(words, "optional", True)
    act_on_whole(reading, again=(roll,))


READERS: Readers = (
    (frozenset({"reroll"}), read_again),
    (frozenset({"combat_resolution"}), read_result),
    (frozenset({"to_hit", "when"}), read_first_hits),
    (frozenset({"ward", "versus"}), read_ward_against),
    (frozenset({"grant", "versus"}), read_fear_in),
    (frozenset({"stat", "when"}), read_rally),
    (frozenset({"stat", "scope"}), read_own_leadership),
    (frozenset({"prevent"}), read_prevented),
)
