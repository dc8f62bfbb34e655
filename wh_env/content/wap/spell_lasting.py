"""Readers of the words of spells that change dice, saves and tests for a time, and of what comes with them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from wh_env.content.wap.effect_words import Words
from wh_env.rulesets.wap.basics.dice_changes import ROLLS, UNCHANGED
from wh_env.rulesets.wap.codes import CHARACTERISTICS
from wh_env.rulesets.wap.magic.deeds_lasting import Chills, PutsByRule, Rallies

if TYPE_CHECKING:
    from wh_env.content.wap.spells import Reading

BOTH = "both"  # kinds of attacks: shooting and close combat
SPARES_MOUNTS = ("unit-except-mounts", "models-not-mounts")
NATURAL = "natural-armour"
FACES = {"ones": True, "sixes": False}  # faces that are rolled again, and whether that is left to the player
ICE = ["ice-attack"]
TREACHEROUS = "all-but-open-and-impassable-is-dangerous"
MINDRAZOR = {"in": "close-combat", "ignore": "weapon-strength-bonus", "armour_modifier_from": "value-used"}


def change_dice(reading: Reading, **fields: Any) -> None:
    """Set fields of what the effect does to dice."""
    reading.lasting["dice"] = replace(reading.lasting.get("dice", UNCHANGED), **fields)


def read_scope(reading: Reading, words: Words) -> None:
    """``scope``: mounts are left out, also of what else the spell gives the unit."""
    if "scope" in words:
        reading.take(words, "scope", *SPARES_MOUNTS)
        reading.lasting["spares_mounts"] = True


def read_dice(reading: Reading, words: Words, *, key: str) -> None:
    """``to_hit``, ``to_wound``, ``to_hit_against``: a number that is added to dice, in shooting and close combat."""
    reading.take(words, "attacks", BOTH)
    read_scope(reading, words)
    change_dice(reading, **{key: int(words.pop(key))})


def read_armour(reading: Reading, words: Words) -> None:
    """``armour_save``, ``except``, ``stacks``: points that are added to armour saves."""
    worn = "except" in words
    reading.take(words, "except", None, NATURAL)
    change_dice(reading, **{"worn_armour" if worn else "armour": int(words.pop("armour_save"))})
    if reading.take(words, "stacks", None, True):
        reading.lasting["adds_up"] = True


def read_rerolls(reading: Reading, words: Words) -> None:
    """``reroll``, ``rolls``, ``optional``: 1s may be rolled again, 6s must be."""
    face, rolls = words.pop("reroll"), tuple(words.pop("rolls"))
    if face not in FACES or not set(rolls) <= set(ROLLS):
        raise reading.refuse("effects", (face, *rolls), "one of " + ", ".join((*FACES, *ROLLS)))
    reading.take(words, "optional", FACES[face])
    change_dice(reading, **{face: rolls})


def read_blind_shots(reading: Reading, words: Words, *, key: str, field: str) -> None:
    """``non_bs_shots_need``, ``non_bs_shots_against_need``: the die that shots need for which Ballistic Skill does not
    count.
    """
    change_dice(reading, **{field: int(words.pop(key))})


def read_strength(reading: Reading, words: Words) -> None:
    """``strength_for_wounding``: a characteristic takes the place of Strength in close combat."""
    for key, value in MINDRAZOR.items():
        reading.take(words, key, value)
    read_scope(reading, words)
    name = str(words.pop("strength_for_wounding")).lower()
    if name not in CHARACTERISTICS:
        raise reading.refuse("effects", name, "one of " + ", ".join(CHARACTERISTICS))
    change_dice(reading, strength=name)


def read_grant_by_rule(reading: Reading, words: Words) -> None:
    """``grant``, ``if_has``: other special rules for units that have one already."""
    reading.add("grants", *(reading.rule(rule) for rule in words.pop("grant")))
    ((had, instead),) = words.pop("if_has").items()
    rule, _ = reading.rule(had)
    reading.puts = partial(PutsByRule, had=rule, instead=tuple(map(reading.rule, instead)))


def read_ice(reading: Reading, words: Words) -> None:
    """``rules``: the spell is an Ice Attack."""
    reading.take(words, "rules", ICE, tuple(ICE))
    reading.deeds.append(Chills())


def read_rally(reading: Reading, words: Words) -> None:
    """``rally``: a fleeing unit rallies."""
    reading.take(words, "rally", "immediately")
    reading.deeds.append(Rallies())


def read_passes(reading: Reading, words: Words) -> None:
    """``auto_pass``: the unit passes Leadership tests."""
    reading.take(words, "auto_pass", "leadership-tests")
    reading.lasting["passes_tests"] = True


def read_treacherous(reading: Reading, words: Words) -> None:
    """``terrain``, ``dangerous_fails_on``: terrain is dangerous to the unit."""
    reading.take(words, "terrain", TREACHEROUS)
    reading.lasting["treacherous"] = int(words.pop("dangerous_fails_on"))


# readers by the words that an effect must have
LASTING: tuple[tuple[frozenset[str], Callable[[Reading, Words], None]], ...] = (
    *((frozenset({key}), partial(read_dice, key=key)) for key in ("to_hit", "to_wound", "to_hit_against")),
    (frozenset({"armour_save"}), read_armour),
    (frozenset({"reroll", "rolls"}), read_rerolls),
    (frozenset({"non_bs_shots_need"}), partial(read_blind_shots, key="non_bs_shots_need", field="blind_shots")),
    (
        frozenset({"non_bs_shots_against_need"}),
        partial(read_blind_shots, key="non_bs_shots_against_need", field="blind_shots_against"),
    ),
    (frozenset({"strength_for_wounding"}), read_strength),
    (frozenset({"grant", "if_has"}), read_grant_by_rule),
    (frozenset({"rally"}), read_rally),
    (frozenset({"auto_pass"}), read_passes),
    (frozenset({"terrain", "dangerous_fails_on"}), read_treacherous),
)
# ... that are words of other readers too, so it comes last
ICY: tuple[frozenset[str], Callable[[Reading, Words], None]] = (frozenset({"rules"}), read_ice)
