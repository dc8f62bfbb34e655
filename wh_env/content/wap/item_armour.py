"""Readers of the words that only magic armour has."""

from __future__ import annotations

from dataclasses import replace

from wh_env.content.wap.effect_words import Words
from wh_env.content.wap.item_reading import BEARER, Readers, Reading
from wh_env.rulesets.wap.basics.carried import Moment
from wh_env.rulesets.wap.basics.charms import Charm
from wh_env.rulesets.wap.basics.dice_changes import DiceChanges
from wh_env.rulesets.wap.basics.effects import Effect, On, Until
from wh_env.rulesets.wap.items.rivals import DazesRival
from wh_env.rulesets.wap.weapons.saves import points_of


def read_save(reading: Reading, words: Words) -> None:
    """``armour_save``: the save that the piece gives by itself."""
    points = points_of(int(words.pop("armour_save")))
    reading.piece = replace(reading.magic_armour, combat=points, shooting=points)


def read_fixed_save(reading: Reading, words: Words) -> None:
    """``armour_save``, ``fixed: true``: the save of the wearer, which nothing improves."""
    reading.take(words, "fixed", True)
    reading.piece = replace(reading.magic_armour, fixed=points_of(int(words.pop("armour_save"))))


def read_save_against_shots(reading: Reading, words: Words) -> None:
    """``armour_save``, ``versus: shooting``: the save of the wearer against shooting attacks."""
    reading.take(words, "versus", "shooting")
    reading.piece = replace(reading.magic_armour, fixed_shooting=points_of(int(words.pop("armour_save"))))


def read_points(reading: Reading, words: Words) -> None:
    """``armour_save``, ``instead_of``: the points that the piece adds, and those of the mundane one."""
    piece = reading.magic_armour
    reading.take(words, "instead_of", piece.combat)
    points = int(words.pop("armour_save"))
    reading.piece = replace(piece, combat=points, shooting=points)


def read_hitting(reading: Reading, words: Words) -> None:
    """``to_hit_against``, ``in: close-combat``: added to the dice to hit of blows at the wearer."""
    reading.take(words, "in", "close-combat")
    reading.acts(BEARER, dice=DiceChanges(to_strike_against=int(words.pop("to_hit_against"))))


def read_wounding(reading: Reading, words: Words) -> None:
    """``reroll: successful``, ``rolls: to-wound-against``, ``forced: true``: dice that have wounded the wearer are
    rolled again.
    """
    reading.take(words, "reroll", "successful")
    reading.take(words, "rolls", "to-wound-against")
    reading.take(words, "forced", True)
    reading.acts(BEARER, dice=DiceChanges(wounds_again=True))


def read_charm(reading: Reading, words: Words) -> None:
    """``trigger: first-hit-suffered``, ``roll: D6``, ``on_roll``, ``ignore: hit``: a die may ignore the first hit."""
    reading.take(words, "trigger", "first-hit-suffered")
    reading.take(words, "roll", "D6")
    reading.take(words, "ignore", "hit")
    reading.uses.append(Charm(Moment.FIRST_HIT, needed=int(str(words.pop("on_roll")).removesuffix("+"))))


def read_discord(reading: Reading, words: Words) -> None:
    """``trigger: start-of-close-combat-phase``, ``target``, ``test``, ``fail``: an enemy character in contact who fails
    a Leadership test is dazed for the phase.
    """
    reading.take(words, "trigger", "start-of-close-combat-phase")
    reading.take(words, "target", "enemy-character-in-contact")
    reading.take(words, "test", "Ld")
    reading.take(words, "fail", {"prevent": "attacks", "automatically_hit": True, "duration": "phase"})
    dazed = Effect(reading.row.name, On.MODELS, Until.PHASE, dazes=True, spares_mounts=True)
    reading.uses.append(DazesRival(Moment.START_OF_COMBAT, dazed))


READERS: Readers = (
    (frozenset({"armour_save", "fixed"}), read_fixed_save),
    (frozenset({"armour_save", "versus"}), read_save_against_shots),
    (frozenset({"armour_save", "instead_of"}), read_points),
    (frozenset({"armour_save"}), read_save),
    (frozenset({"to_hit_against", "in"}), read_hitting),
    (frozenset({"reroll", "rolls", "forced"}), read_wounding),
    (frozenset({"trigger", "roll", "on_roll", "ignore"}), read_charm),
    (frozenset({"trigger", "target", "test", "fail"}), read_discord),
)
