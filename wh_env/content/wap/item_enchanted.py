"""Readers of the words that only enchanted items have."""

from __future__ import annotations

from wh_env.content.wap.effect_words import Words
from wh_env.content.wap.item_reading import BEARER, Readers, Reading
from wh_env.rulesets.wap.basics.carried import Moment
from wh_env.rulesets.wap.basics.effects import Effect, On, Until
from wh_env.rulesets.wap.basics.unit_changes import UnitChanges
from wh_env.rulesets.wap.items.uses import BeginsEffect, Heals
from wh_env.rulesets.wap.rule_book import WARD_SAVE

OWN_LEADERSHIP, APART = "others-use-leadership", "join-units"
LASTS = {"turn": Until.TURN, "phase": Until.PHASE}


def read_potion(reading: Reading, words: Words) -> None:
    """``trigger: start-of-any-phase``, ``stat``, ``by``, ``duration``, ``scope: bearer-not-mount``: a characteristic of
    the bearer rises for a time, when he wants.
    """
    reading.take(words, "trigger", "start-of-any-phase")
    reading.take(words, "scope", "bearer-not-mount")
    reading.take(words, "max", 10)
    until = LASTS[str(reading.take(words, "duration", *LASTS))]
    names, number = tuple(reading.stats(words)), reading.number(words.pop("by"))
    effect = Effect(reading.row.name, On.MODELS, until, raises_by=names, spares_mounts=True)
    reading.uses.append(BeginsEffect(Moment.START_OF_PHASE, effect, number))


def read_healing(reading: Reading, words: Words) -> None:
    """``trigger: start-of-own-turn``, ``heal``, ``scope: bearer-not-mount``: the bearer recovers lost Wounds."""
    reading.take(words, "trigger", "start-of-own-turn")
    reading.take(words, "scope", "bearer-not-mount")
    reading.uses.append(Heals(Moment.START_OF_TURN, reading.number(words.pop("heal"))))


def read_prevented(reading: Reading, words: Words) -> None:
    """``prevent``: other models may never use the bearer's Leadership; or he joins no unit."""
    if reading.take(words, "prevent", OWN_LEADERSHIP, APART) == APART:
        reading.stays_alone = True
    else:
        reading.acts(BEARER, whole=UnitChanges(shares_leadership=False, rule=reading.row.rule))


def read_extra_attack(reading: Reading, words: Words) -> None:
    """``extra_attack``, of a Strength ``s`` and ``weapon: none``: an attack beside those of the bearer."""
    told = dict(words.pop("extra_attack"))
    reading.take(told, "weapon", "none")
    reading.extra = (1, int(told.pop("s")))
    reading.finish(told)


def read_ward_against(reading: Reading, words: Words) -> None:
    """``ward``, ``versus: war-machine-shooting``: a ward save against shots of war machines alone."""
    reading.take(words, "versus", "war-machine-shooting")
    reading.gives(WARD_SAVE.of(f"{words.pop('ward')}+ against war machines"), reading.scope(words))


def read_building(reading: Reading, words: Words) -> None:
    """``trigger: before-deployment``, ``place: building``, ``in: own-deployment-zone``: it brings a building."""
    for key, known in (("trigger", "before-deployment"), ("place", "building"), ("in", "own-deployment-zone")):
        reading.take(words, key, known)
    reading.builds = True


READERS: Readers = (
    (frozenset({"trigger", "place", "in"}), read_building),
    (frozenset({"trigger", "stat", "by", "duration"}), read_potion),
    (frozenset({"trigger", "heal"}), read_healing),
    (frozenset({"prevent"}), read_prevented),
    (frozenset({"ward", "versus"}), read_ward_against),
    (frozenset({"extra_attack"}), read_extra_attack),
)
