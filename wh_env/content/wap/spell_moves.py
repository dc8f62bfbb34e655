"""Readers of spells that move units, bring models back, or strengthen other spells."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from wh_env.content.wap.effect_words import Words
from wh_env.content.wap.spell_targets import hits_alone, rules_called
from wh_env.rulesets.wap.basics.powers import GhostToShots
from wh_env.rulesets.wap.magic.deeds_moves import Flies, Pushes, Restores
from wh_env.rulesets.wap.magic.nets import Net
from wh_env.rulesets.wap.magic.thrones import Empowers, Shield

SPARED = ("characters", "character-mounts")  # models that ``resurrect`` never heals
RIDERS = 2  # Wounds of a rider for one (``battle.restoring``)


def read_resurrect(reading: Any, words: Words) -> None:
    """``resurrect``: Wounds' worth of models that come back; a rider counts as two, characters do not count."""
    reading.take(words, "cavalry_counts", RIDERS)
    reading.take(words, "except", list(SPARED))
    reading.deeds.append(Restores(reading.number(words.pop("resurrect"))))


def read_push(reading: Any, words: Words) -> None:
    """``push``: inches away from the wizard."""
    reading.take(words, "direction", "away-from-caster")
    reading.deeds.append(Pushes(reading.number(words.pop("push"))))


def read_collision(reading: Any, words: Words) -> None:
    """``collision``: hits of those that a pushed unit runs into, and of itself."""
    reading.take(words, "trigger", "collision")
    hits, strength = reading.number(words.pop("hits")), int(words.pop("s"))
    reading.deeds[-1] = replace(reading.deeds[-1], hits=hits, strength=strength)


def read_stuck(reading: Any, words: Words) -> None:
    """``if_cannot_move``: hits of a unit that cannot be pushed."""
    told = dict(words.pop("if_cannot_move"))
    hits, strength = reading.number(told.pop("hits")), int(told.pop("s"))
    reading.finish(told)
    reading.deeds[-1] = replace(reading.deeds[-1], stuck=hits, stuck_strength=strength)


def read_move(reading: Any, words: Words) -> None:
    """``move``: a flight, as a remaining move."""
    told = words.pop("move")
    reading.take(words, "duration", None, "instant")
    if {**told, "distance": 0} != {"mode": "fly", "distance": 0, "as": "remaining-moves"}:
        raise reading.refuse("effects", told, "a flight as a remaining move")
    reading.deeds.append(Flies(int(told["distance"])))


def read_ghostly(reading: Any, words: Words) -> None:
    """``grant: [ethereal]``, ``versus: shooting``: the target is Ethereal to shooting attacks alone."""
    reading.take(words, "grant", ["ethereal"])
    reading.take(words, "versus", "shooting")
    add_power(reading, GhostToShots())


def read_shield(reading: Any, words: Words) -> None:
    """``own-miscast``: miscasts are ignored on a die."""
    for key, expected in (("trigger", "own-miscast"), ("roll", "D6"), ("then", "ignore-miscast")):
        reading.take(words, key, expected)
    add_power(reading, Shield(int(str(words.pop("on_roll")).removesuffix("+"))))


def read_net(reading: Any, words: Words) -> None:
    """``test`` with ``prevent: action``: the target tests each time that it acts, and takes hits if it fails."""
    reading.take(words, "trigger", ["moves-in-movement-phase", "shoots", "casts"])
    test, fail = str(words.pop("test")).lower(), dict(words.pop("fail"))
    reading.take(fail, "prevent", "action")
    ((rules, other),) = fail.pop("versus").items()
    number, more, strength = reading.number(fail.pop("hits")), hits_alone(reading, other), int(fail.pop("s"))
    reading.finish(fail)
    add_power(reading, Net(test, number, strength, rules_called(reading, rules), more))


def read_empowers(reading: Any, words: Words) -> None:
    """``improve_spells``: other spells of the lore are cast as ``empowered`` says."""
    words.pop("improve_spells")
    add_power(reading, Empowers(reading.lore))


def add_power(reading: Any, power: object) -> None:
    """Give the effect of the spell a power."""
    reading.lasting["powers"] = (*reading.lasting.get("powers", ()), power)


READERS = (
    (frozenset({"resurrect"}), read_resurrect),
    (frozenset({"push"}), read_push),
    (frozenset({"trigger", "hits", "s"}), read_collision),
    (frozenset({"if_cannot_move"}), read_stuck),
    (frozenset({"move"}), read_move),
    (frozenset({"grant", "versus"}), read_ghostly),
    (frozenset({"trigger", "then"}), read_shield),
    (frozenset({"trigger", "test", "fail"}), read_net),
    (frozenset({"improve_spells"}), read_empowers),
)
