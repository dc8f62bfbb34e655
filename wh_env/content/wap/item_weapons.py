"""Readers of the words that only magic weapons have."""

from __future__ import annotations

from dataclasses import replace

from wh_env.content.wap.effect_words import Words
from wh_env.content.wap.item_reading import BEARER, WEAPON, Readers, Reading
from wh_env.rulesets.wap.basics.effects import Effect, On, Until
from wh_env.rulesets.wap.rule_book import NEVER_LOST

RIVALS = "enemy-character-in-contact-with-bearer-or-unit"


def read_hits(reading: Reading, words: Words) -> None:
    """``trigger: hit``, ``hits``: each hit in close combat counts as so many."""
    reading.take(words, "trigger", "hit")
    reading.weapon = replace(reading.magic_weapon, hits=int(words.pop("hits")))


def read_to_hit(reading: Reading, words: Words) -> None:
    """``to_hit``, ``scope: weapon-attacks``: added to dice to hit."""
    reading.take(words, "scope", WEAPON)
    weapon = reading.magic_weapon
    reading.weapon = replace(weapon, hitting=weapon.hitting + int(words.pop("to_hit")))


def read_wound_on(reading: Reading, words: Words) -> None:
    """``wound_on``, ``if: better-than-normal``, ``scope: weapon-attacks``: the score that always wounds."""
    reading.take(words, "if", "better-than-normal")
    reading.take(words, "scope", WEAPON)
    reading.weapon = replace(reading.magic_weapon, at_worst=int(words.pop("wound_on")))


def read_never_lost(reading: Reading, words: Words) -> None:
    """``grant``, ``never_lost``: special rules that the bearer can never lose."""
    reading.take(words, "never_lost", True)
    for rule in words.pop("grant"):
        reading.gives(reading.rule(rule).rule.of(NEVER_LOST), BEARER)


def read_rivals(reading: Reading, words: Words) -> None:
    """``per``, ``stat``, ``by``, ``fixed_at``: characteristics of the bearer grow with enemy characters in contact."""
    reading.take(words, "per", RIVALS)
    reading.take(words, "by", 1)
    reading.take(words, "fixed_at", "start-of-combat-round")
    reading.effects.append(
        Effect(
            reading.row.name,
            On.MODELS,
            Until.BATTLE,
            raises_by=tuple(reading.stats(words)),
            while_caster_lives=True,
            counts_rivals=True,
        )
    )


def read_curse(reading: Reading, words: Words) -> None:
    """``trigger: unsaved-wound``, ``versus``, ``duration: game``, ``scope: wounded-model``, and ``grant`` or ``stat``,
    ``by``, ``min``: what characters and monsters have from each wound, to the end of the battle. What a character
    loses his mount does not.
    """
    reading.take(words, "trigger", "unsaved-wound")
    reading.take(words, "versus", ["monster", "character"])
    reading.take(words, "duration", "game")
    reading.take(words, "scope", "wounded-model")
    effect = Effect(reading.row.name, On.MODELS, Until.BATTLE)
    if "grant" in words:
        effect = replace(effect, grants=tuple(reading.rule(rule) for rule in words.pop("grant")))
        curses = (effect, effect)
    else:
        reading.take(words, "min", 1)
        change = int(words.pop("by"))
        effect = replace(effect, changes=tuple((name, change) for name in reading.stats(words)), adds_up=True)
        curses = (replace(effect, spares_mounts=True), effect)
    reading.weapon = replace(reading.magic_weapon, curses=curses)


READERS: Readers = (
    (frozenset({"trigger", "hits"}), read_hits),
    (frozenset({"to_hit"}), read_to_hit),
    (frozenset({"wound_on"}), read_wound_on),
    (frozenset({"grant", "never_lost"}), read_never_lost),
    (frozenset({"per", "stat"}), read_rivals),
    (frozenset({"trigger", "versus"}), read_curse),
)
