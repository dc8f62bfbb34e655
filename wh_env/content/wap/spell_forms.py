"""Words of spells that turn a wizard into something else, and the rows of units that such forms are in a battle."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from wh_env.content.wap.effect_words import Words
from wh_env.content.wap.regiment import Regiment
from wh_env.content.wap.schema_units import INCH, Card, Profile
from wh_env.rulesets.wap.basics.effects import Effect, On, Until
from wh_env.rulesets.wap.codes import CHARACTERISTICS, TROOP_TYPES
from wh_env.rulesets.wap.magic.shapes import Shape, Transforms, shapes_among

if TYPE_CHECKING:
    from wh_env.content.wap.magic import Wizardry
    from wh_env.content.wap.spells import Reading

# special rules as the catalogue writes those of a form, and as cards do
WINGS, BREATH = re.compile(r"fly-(\d+)"), re.compile(r"breath-s(\d+)-flaming")
ON_FOOT = ("infantry", "monstrous infantry")  # troop types of wizards who can take another form
BASES = {"monster": 50.0}  # the smallest base of a troop type, mm (wap.troop.general.types)


def read_transform(reading: Reading, words: Words) -> None:
    """``transform``: the characteristics, the troop type and the special rules of the form."""
    told = dict(words.pop("transform"))
    kind, rules = told.pop("troop_type"), tuple(rule_called(reading, rule) for rule in told.pop("rules"))
    profile = tuple((name.lower(), int(value)) for name, value in told.items())
    if kind not in BASES or kind not in TROOP_TYPES:
        raise reading.refuse("effects.transform", kind, "one of " + ", ".join(BASES))
    if sorted(name for name, _ in profile) != sorted(CHARACTERISTICS):
        raise reading.refuse("effects.transform", sorted(told), "the nine characteristics")
    if reading.row.duration != "remains-in-play":
        raise reading.refuse("duration", reading.row.duration, "remains-in-play")
    effect = Effect(reading.row.name, On.MODELS, Until.BATTLE, while_caster_lives=True)
    reading.deeds.append(Transforms(effect, Shape(kind, profile, rules)))


def rule_called(reading: Reading, words: str) -> str:
    """A special rule of a form as cards write it."""
    if found := WINGS.fullmatch(words):
        return f"Fly ({found[1]})"
    if found := BREATH.fullmatch(words):
        return f"Breath Attack (S{found[1]}, Flaming Attacks)"
    raise reading.refuse("effects.transform", words, "fly-N or breath-sN-flaming")


def shape_for(unit: Regiment, row: int, magic: Wizardry) -> Shape | None:
    """The form that a unit (``row``) can take by a spell that it may come to know; None: it can take none."""
    if unit.card.type not in ON_FOOT or unit.card.mount is not None:
        return None
    found = [
        shape
        for known in magic.rows
        if known.unit == row and magic.may_know(known)
        for shape in shapes_among(deed for version in magic.spells[known.spell].versions for deed in version.deeds)
    ]
    return found[0] if found else None


def form_of(unit: Regiment, shape: Shape) -> Regiment:
    """The form of a unit as a unit of its own, which has nothing of its equipment."""
    base = BASES[shape.kind]
    card = Card.model_validate(
        {
            "type": shape.kind,
            "base_mm": (base, base),
            "profile": Profile(**dict(shape.profile)),
            "rules": shape.rules,
            "points": 0,
            "character": True,
            "size": (1, 1),
            "command": (),
        }
    )
    assert card.base[0] == base / INCH
    return Regiment(f"{unit.name} as a {shape.kind}", card, 1, 1, names=unit.names, army=unit.army)


def with_forms(
    armies: Sequence[Sequence[Regiment]], magic: Wizardry
) -> tuple[tuple[list[Regiment], list[Regiment]], tuple[int, ...]]:
    """The units of both armies, with the other forms of their wizards behind them, and for each unit row the row of its
    other form; -1: it has none.
    """
    first = 0
    found, pairs = list[list[Regiment]](), list[tuple[int, int, int]]()
    for player, army in enumerate(armies):
        more = list[Regiment]()
        for at, unit in enumerate(army):
            shape = shape_for(unit, first + at, magic)
            if shape is not None:
                pairs.append((player, at, len(army) + len(more)))
                more.append(replace(form_of(unit, shape), inside=-1))
        first += len(army)
        found.append([*army, *more])
    forms = [-1] * (len(found[0]) + len(found[1]))
    for player, at, form in pairs:
        before = player * len(found[0])
        forms[before + at] = before + form
    return (found[0], found[1]), tuple(forms)
