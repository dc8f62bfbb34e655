"""Readers for the words of spells with templates and lines (``spells``)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from wh_env.content.wap.effect_words import Words
from wh_env.content.wap.spell_targets import DENIED, NATURES, NO_ARMOUR, read_each_model
from wh_env.rulesets.wap.codes import CHARACTERISTICS
from wh_env.rulesets.wap.magic.deeds_templates import Ordeal, Strikes, StrikesAlong
from wh_env.rulesets.wap.magic.spells import Aim, Deed, Template
from wh_env.rulesets.wap.shooting.aims import ENDLESS
from wh_env.rulesets.wap.shooting.templates import ROUND
from wh_env.rulesets.wap.weapons.hit import Hit

if TYPE_CHECKING:
    from wh_env.content.wap.schema_magic import SpellRow
    from wh_env.content.wap.spells import Reading


# words for targets: what is chosen, and the round template that is laid there
PLACES: Mapping[str, tuple[Aim, str]] = MappingProxyType(
    {
        "small-template": (Aim.SPOT, "small"),
        "large-template": (Aim.SPOT, "large"),
        "template-small-anywhere": (Aim.SPOT, "small"),
        "template-large-anywhere": (Aim.SPOT, "large"),
        "template-small": (Aim.NOBODY, "small"),
        "template-large": (Aim.NOBODY, "large"),
        "point": (Aim.POINT, ""),
        "line": (Aim.WAY, ""),
        "line-from-caster": (Aim.WAY, ""),
    }
)
UNLIMITED = "unlimited"  # a range
MULTIPLE = "multiple-wounds-"
IN_UNIT = "model-in-unit"


def inches_of(row: SpellRow) -> float:
    """The range of a version of a spell."""
    return row.range if not isinstance(row.range, str) else ENDLESS if row.range == UNLIMITED else 0.0


def template_of(row: SpellRow) -> Template | None:
    """The template of a version of a spell; a line without a length is as long as the range."""
    aim, size = PLACES.get(row.target, (None, ""))
    if aim is Aim.WAY:
        return Template(length=row.length or inches_of(row))
    return Template(radius=ROUND[size]) if size else None


def read_hit(reading: Reading, words: Words) -> Hit:
    """``s``, ``rules``, ``deny``: a hit; without a Strength, a wound."""
    takes, nature, ignores = reading.number(1), 0, False
    for rule in words.pop("rules", ()):
        if rule.startswith(MULTIPLE):
            takes = reading.number(rule.removeprefix(MULTIPLE))
        elif rule == NO_ARMOUR:
            ignores = True
        elif rule in NATURES:
            nature |= NATURES[rule]
        else:
            raise reading.refuse("effects", rule, "one of " + ", ".join((*NATURES, NO_ARMOUR, f"{MULTIPLE}D3")))
    for save in words.pop("deny", ()):
        if save not in DENIED:
            raise reading.refuse("effects", save, "one of " + ", ".join(DENIED))
        nature |= DENIED[save]
    return Hit(int(words.pop("s", 0)), ignores_armour=ignores, takes=takes, nature=nature)


def read_ordeal(reading: Reading, words: Words) -> Ordeal:
    """``test`` and ``fail``, or a hit at once: what each model suffers."""
    if "test" not in words:
        one(reading, words, "hits")
        return Ordeal(read_hit(reading, words))
    name = str(words.pop("test")).lower()
    if name not in CHARACTERISTICS:
        raise reading.refuse("effects", name, "one of " + ", ".join(CHARACTERISTICS))
    fail = dict(words.pop("fail"))
    wounds = "wounds" in fail
    one(reading, fail, "wounds" if wounds else "hits")
    ordeal = Ordeal(read_hit(reading, fail), name, wounds)
    if fail:
        raise reading.refuse("effects", sorted(fail)[0], "a word that the game can play")
    return ordeal


def one(reading: Reading, words: Words, key: str) -> None:
    """Take the number of hits or wounds of each model: always 1."""
    number = words.pop(key, None)
    if number != 1:
        raise reading.refuse("effects", number, f"{key}: 1")


def beneath(reading: Reading, words: Words, *, swept: bool) -> Deed:
    """``scatter``, which may stand beside the effects: models beneath a round template."""
    scatter = reading.number(words.pop("scatter", reading.row.scatter))
    return Strikes(read_ordeal(reading, words), scatter, swept)


def on_line(reading: Reading, words: Words) -> Deed:
    """``as: cannon-bounce``: models on a line, struck in turn."""
    if words.pop("as", None) != "cannon-bounce":
        raise reading.refuse("effects", "model-on-line", "as: cannon-bounce")
    return StrikesAlong(read_ordeal(reading, words), bounces=True)


# which models suffer, by the word ``each``
EACH: Mapping[str, Callable[[Reading, Words], Deed]] = MappingProxyType(
    {
        "model-under-template": lambda reading, words: beneath(reading, words, swept=False),
        "model-swept-by-template": lambda reading, words: beneath(reading, words, swept=True),
        "model-under-line": lambda reading, words: StrikesAlong(read_ordeal(reading, words)),
        "model-on-line": on_line,
    }
)


def read_each(reading: Reading, words: Words) -> None:
    """``each``: models of the target, or those that a template or a line touches."""
    if words["each"] == IN_UNIT:
        read_each_model(reading, words)
        return
    each = words.pop("each")
    if each not in EACH:
        raise reading.refuse("effects", each, "one of " + ", ".join(EACH))
    reading.deeds.append(EACH[each](reading, words))


def read_casualty(reading: Reading, words: Words) -> None:
    """``trigger: any-casualty``, ``test: panic``: a unit that loses a model by the spell takes a Panic test."""
    before = reading.deeds[-1] if reading.deeds else None
    if words.pop("test") != "panic" or not isinstance(before, StrikesAlong | Strikes):
        raise reading.refuse("effects", words, "test: panic, after what a template does")
    reading.take(words, "trigger", "any-casualty")
    reading.deeds[-1] = replace(before, ordeal=replace(before.ordeal, frightens=True))
