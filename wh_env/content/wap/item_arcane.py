"""Readers of the words that only arcane items have."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from wh_env.content.wap.effect_words import Words
from wh_env.content.wap.item_reading import BEARER, Reader, Readers, Reading, read_grant
from wh_env.rulesets.wap.basics.carried import Moment, Use
from wh_env.rulesets.wap.basics.effects import Effect, On, Until
from wh_env.rulesets.wap.codes import CHARACTERISTICS
from wh_env.rulesets.wap.magic.attempt_items import Blocks, Doubles, GivesDice, Misleads
from wh_env.rulesets.wap.magic.luck import RollsAgain
from wh_env.rulesets.wap.magic.phase_items import AddsPower, Punishes, Teaches
from wh_env.rulesets.wap.magic.scrolls import Destroys, Leeches, Rebounds, Scroll
from wh_env.rulesets.wap.magic.swaying import Sways
from wh_env.rulesets.wap.magic.toads import Hexes, Toad
from wh_env.rulesets.wap.rule_book import LOREMASTER

MOMENTS = {"enemy-spell-cast": Moment.ENEMY_SPELL, "spell-in-play": Moment.SPELL_IN_PLAY}
ROLLS = {"casting-roll": Moment.CASTING_ROLL, "dispel-roll": Moment.DISPEL_ROLL, "miscast-roll": Moment.MISCAST}
WOUND, NO_ARMOUR = 1, ["ignores-armour-saves"]


def adds(word: str, name: str) -> Reader:
    """A reader of a number that the item adds: ``Aids``."""

    def read(reading: Reading, words: Words) -> None:
        reading.aids = replace(reading.aids, **{name: int(words.pop(word))})

    return read


def chance(reading: Reading, words: Words) -> int:
    """``on_roll: 4+`` of a D6: the least roll."""
    reading.take(words, "roll", "D6")
    return int(str(words.pop("on_roll")).removesuffix("+"))


def wounds(reading: Reading, words: Words, scope: str) -> int:
    """``wounds``, ``rules: [ignores-armour-saves]``, ``scope``: Wounds of a wizard without armour saves."""
    reading.take(words, "scope", scope)
    reading.take(words, "rules", NO_ARMOUR)
    return int(words.pop("wounds"))


def read_master(reading: Reading, words: Words) -> None:
    """``grant: [loremaster]``: of the first lore that the wizard uses."""
    if words["grant"] == ["loremaster"]:
        words.pop("grant")
        reading.masters = True
        reading.given.append(LOREMASTER.of())
    else:
        read_grant(reading, words)


def read_free_dice(reading: Reading, words: Words) -> None:
    """``trigger``, ``instead_of: dispel``, ``free_dispel_dice``: it dispels with dice of its own."""
    named, number = words.pop("trigger"), int(words.pop("free_dispel_dice"))
    reading.take(words, "instead_of", "dispel")
    for name in [named] if isinstance(named, str) else named:
        reading.uses.append(Scroll(MOMENTS[name], free_dice=number))


def read_forgets(reading: Reading, words: Words) -> None:
    """``roll``, ``on_roll``, ``forget: that-spell``: the caster forgets the spell that it dispels."""
    for key, value in (("forget", "that-spell"), ("scope", "casting-wizard"), ("duration", "game")):
        reading.take(words, key, value)
    reading.take(words, "except", "innate-bound-spell")
    use = reading.uses.pop()
    if not isinstance(use, Scroll):
        raise reading.refuse("effects", "forget", "a scroll that dispels before it")
    reading.uses.append(Destroys(use.moment, free_dice=use.free_dice, on=chance(reading, words)))


def instead(reading: Reading, words: Words) -> Moment:
    """``trigger: enemy-spell-cast``, ``instead_of: dispel``, ``then: after-resolution``: the moment of a scroll."""
    reading.take(words, "trigger", "enemy-spell-cast")
    reading.take(words, "instead_of", "dispel")
    reading.take(words, "then", None, "after-resolution")
    return Moment.ENEMY_SPELL


def read_rebounds(reading: Reading, words: Words) -> None:
    """``per: power-die-used``, ``roll``, ``on_roll``, ``wounds``: the spell costs its caster Wounds."""
    reading.take(words, "per", "power-die-used")
    if wounds(reading, words, "casting-wizard") != WOUND:
        raise reading.refuse("effects", "wounds", "1 Wound for each die")
    reading.uses.append(Rebounds(instead(reading, words), on=chance(reading, words)))


def read_leeches(reading: Reading, words: Words) -> None:
    """``dispel_dice: power-dice-used``: its player gains dice."""
    reading.take(words, "dispel_dice", "power-dice-used")
    reading.uses.append(Leeches(instead(reading, words)))


def read_shields(reading: Reading, words: Words) -> None:
    """``grant: [magic-resistance-3]``, ``scope: target``, ``duration: that-spell``."""
    (granted,) = words.pop("grant")
    reading.take(words, "scope", "target")
    reading.take(words, "duration", "that-spell")
    reading.aids = replace(reading.aids, resistance=int(reading.rule(granted).parameter))
    reading.uses.append(Scroll(instead(reading, words)))


def read_sways(reading: Reading, words: Words) -> None:
    """``test: Ld``, ``fail: {choose_target: scroll-user, none: no-effect}``: its bearer takes the spell over."""
    reading.take(words, "test", "Ld")
    reading.take(words, "scope", "casting-wizard")
    reading.take(words, "fail", {"choose_target": "scroll-user", "none": "no-effect"})
    reading.uses.append(Sways(instead(reading, words)))


def read_hexes(reading: Reading, words: Words) -> None:
    """``test: {roll: D6, at_most: wizard-level}``, ``fail``: the wizard becomes a toad until a die frees him."""
    moment = instead(reading, words)
    reading.take(words, "scope", "casting-wizard")
    reading.take(words, "test", {"roll": "D6", "at_most": "wizard-level"})
    fail = words.pop("fail")
    told = dict(fail) if isinstance(fail, dict) else {}
    until = dict(told.pop("until"))
    for key, value in {"transform": "toad", "prevent": ["channelling", "casting", "equipment"]}.items():
        reading.take(told, key, value)
    reading.take(told, "stat", "all-but-W")
    least = int(told.pop("set"))
    sets = tuple((name, least) for name in CHARACTERISTICS if name != "w")
    reading.take(until, "at", "start-of-own-magic-phase")
    toad = Toad(reading.row.rule, chance(reading, until))
    reading.finish(until)
    reading.finish(told)
    effect = Effect(reading.row.name, On.MODELS, Until.BATTLE, sets=sets, spares_mounts=True, powers=(toad,))
    reading.uses.append(Hexes(moment, effect=effect))


def read_keeps(reading: Reading, words: Words) -> None:
    """``trigger: end-of-any-magic-phase``, ``store_dice``: it keeps dice."""
    reading.take(words, "trigger", "end-of-any-magic-phase")
    reading.aids = replace(reading.aids, stores=int(words.pop("store_dice")))


def read_releases(reading: Reading, words: Words) -> None:
    """``trigger: start-of-any-magic-phase``, ``at_least: stored``: what becomes of the dice that it keeps."""
    known = {"trigger": "start-of-any-magic-phase", "roll": "D6", "at_least": "stored", "then": "add-to-pool"}
    for key, value in {**known, "else": "lost"}.items():
        reading.take(words, key, value)


def read_own_dice(reading: Reading, words: Words) -> None:
    """``trigger: start-of-own-magic-phase``, ``power_dice``, ``reserved: owner``: dice for its bearer alone."""
    reading.take(words, "trigger", "start-of-own-magic-phase")
    reading.take(words, "reserved", "owner")
    reading.aids = replace(reading.aids, own_dice=int(words.pop("power_dice")))


def read_power(reading: Reading, words: Words) -> None:
    """``trigger: start-of-own-magic-phase``, ``power_dice``: dice for the pool."""
    reading.take(words, "trigger", "start-of-own-magic-phase")
    reading.uses.append(AddsPower(Moment.OWN_MAGIC, dice=reading.number(words.pop("power_dice"))))


def read_price(reading: Reading, words: Words) -> None:
    """``wounds``, ``scope: bearer``: what these dice cost."""
    use, number = reading.uses.pop(), wounds(reading, words, BEARER)
    if not isinstance(use, AddsPower):
        raise reading.refuse("effects", "wounds", "something that the Wounds are the price of, before them")
    reading.uses.append(replace(use, wounds=number))


def read_punishes(reading: Reading, words: Words) -> None:
    """``trigger: own-spell-dispelled-by-wizard``, ``duration: phase``, ``roll``, ``on_roll``, ``wounds``."""
    reading.take(words, "trigger", "own-spell-dispelled-by-wizard")
    reading.take(words, "duration", "phase")
    if wounds(reading, words, "dispelling-wizard") != WOUND:
        raise reading.refuse("effects", "wounds", "1 Wound")
    reading.uses.append(Punishes(Moment.OWN_MAGIC, on=chance(reading, words)))


def on_target(word: str, make: Callable[[Reading, object], Use]) -> Reader:
    """A reader of ``trigger: enemy-spell-targets-friendly-unit``, and of what the item does to the spell."""

    def read(reading: Reading, words: Words) -> None:
        reading.take(words, "trigger", "enemy-spell-targets-friendly-unit")
        reading.uses.append(make(reading, words.pop(word)))

    return read


def blocking(reading: Reading, value: object) -> Use:
    """``spell: no-effect``."""
    reading.take({"spell": value}, "spell", "no-effect")
    return Blocks(Moment.TARGETED)


def misleading(reading: Reading, value: object) -> Use:
    """``redirect: {direction: random, distance: 3D6}``."""
    told = dict(value) if isinstance(value, dict) else {}
    reading.take(told, "direction", "random")
    distance = reading.number(told.pop("distance"))
    reading.finish(told)
    return Misleads(Moment.TARGETED, distance=distance)


def read_doubles(reading: Reading, words: Words) -> None:
    """``trigger: casting-attempt``, ``doubles_as: ultimate-power-6``, ``except: double-1``."""
    known = {"trigger": "casting-attempt", "doubles_as": "ultimate-power-6", "except": "double-1"}
    for key, value in known.items():
        reading.take(words, key, value)
    reading.uses.append(Doubles(Moment.ATTEMPT))


def read_dice(reading: Reading, words: Words) -> None:
    """``trigger: casting-attempt``, ``casting_dice``: dice for one spell."""
    reading.take(words, "trigger", "casting-attempt")
    reading.uses.append(GivesDice(Moment.ATTEMPT, dice=reading.number(words.pop("casting_dice"))))


def read_rerolls(reading: Reading, words: Words) -> None:
    """``trigger``, ``reroll``, ``optional``: dice that are rolled again."""
    named = words.pop("trigger")
    reading.take(words, "reroll", "one", "chosen-dice")
    reading.take(words, "optional", True)
    for name in [named] if isinstance(named, str) else named:
        reading.uses.append(RollsAgain(ROLLS[name]))


def read_teaches(reading: Reading, words: Words) -> None:
    """``trigger: own-side-dispels``, ``learn: that-spell``: its bearer learns a spell."""
    known = {"trigger": "own-side-dispels", "except": "bound-spell", "learn": "that-spell", "max_number": "by-level"}
    for key, value in {**known, "duration": "game"}.items():
        reading.take(words, key, value)
    reading.learns = True
    reading.uses.append(Teaches(Moment.SPELL_DISPELLED))


READERS: Readers = (
    (frozenset({"channel"}), adds("channel", "channel")),
    (frozenset({"casting"}), adds("casting", "casting")),
    (frozenset({"dispel"}), adds("dispel", "dispel")),
    (frozenset({"max_casting_dice"}), adds("max_casting_dice", "casting_dice")),
    (frozenset({"spells_known"}), adds("spells_known", "spells")),
    (frozenset({"instead_of", "free_dispel_dice"}), read_free_dice),
    (frozenset({"forget"}), read_forgets),
    (frozenset({"instead_of", "per", "wounds"}), read_rebounds),
    (frozenset({"instead_of", "dispel_dice"}), read_leeches),
    (frozenset({"instead_of", "grant"}), read_shields),
    (frozenset({"instead_of", "then", "test", "fail"}), read_hexes),
    (frozenset({"instead_of", "test", "fail"}), read_sways),
    (frozenset({"grant"}), read_master),
    (frozenset({"trigger", "store_dice"}), read_keeps),
    (frozenset({"trigger", "at_least"}), read_releases),
    (frozenset({"trigger", "power_dice", "reserved"}), read_own_dice),
    (frozenset({"trigger", "power_dice"}), read_power),
    (frozenset({"trigger", "wounds"}), read_punishes),
    (frozenset({"wounds"}), read_price),
    (frozenset({"trigger", "spell"}), on_target("spell", blocking)),
    (frozenset({"trigger", "redirect"}), on_target("redirect", misleading)),
    (frozenset({"trigger", "doubles_as"}), read_doubles),
    (frozenset({"trigger", "casting_dice"}), read_dice),
    (frozenset({"trigger", "reroll"}), read_rerolls),
    (frozenset({"trigger", "learn"}), read_teaches),
)
