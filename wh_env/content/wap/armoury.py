"""The tables of weapons and armour (wap.weapon.melee.table, wap.armour.table): schemas and the meaning of words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Annotated, Any, Self

from pydantic import Field, model_validator

from wh_env.content.errors import Expected
from wh_env.content.fields import Content, Few, Name
from wh_env.rulesets.wap.codes import TROOP_TYPES
from wh_env.rulesets.wap.rule_book import ALWAYS_STRIKES_FIRST, ALWAYS_STRIKES_LAST, IGNORES_ARMOUR_SAVES
from wh_env.rulesets.wap.weapons.arms import ALWAYS, CHARGED_IN_FRONT, CHARGES, NO_SAVE, Piece, Weapon

MANY = 64
Words = Annotated[tuple[Name, ...], Field(max_length=16)]
TYPE_OF = dict(
    zip(("IN", "IM", "Ca", "CM", "Nu", "BG", "BM", "Mo", "Ch", "MG", "Au"), range(len(TROOP_TYPES)), strict=True)
)

# words of a weapon's profile, the attribute they set, and whether they have a number
NUMBERED = (
    (re.compile(r"([+-][0-9]) Attacks?"), "attacks"),
    (re.compile(r"([+-][0-9]) Initiative"), "initiative"),
    (re.compile(r"Strength Bonus \(([1-9])\)"), "bonus"),
    (re.compile(r"Fight in Extra Ranks \(([1-9])\)"), "ranks"),
    (re.compile(r"Armour Piercing \(([1-9])\)"), "piercing"),
    (re.compile(r"Parry \(([2-6])\+\)"), "parry"),
)
FLAGS = {
    "requires two hands": "two_hands",
    ALWAYS_STRIKES_FIRST.name: "first",
    ALWAYS_STRIKES_LAST.name: "last",
    IGNORES_ARMOUR_SAVES.name: "ignores_armour",
    "magic weapon": "magic",
}
OTHERS = re.compile(
    r"Multiple Shots \([1-9]\)|Volley Fire|Quick to Fire|Slow to Fire|Move or Fire"
    r"|Poisoned Attacks|Lightning Attacks|Flaming Attacks|Ice Attacks"
    r"|Magical Attacks|Killing Blow|Heroic Killing Blow|Sniper|Multiple Wounds \((?:[2-9]?D[36](?:\+[1-9])?|[1-9])\)"
)
MODIFIER = re.compile(r"(?:user )?\+([1-9])")
CHARGED_FRONT_ONLY = re.compile(
    r"\* in turns in which charged in the front(?:; Strength Bonus only against ((?:\w\w, )*\w\w))?"
)
CHARGES_ONLY = re.compile(r"\* in turns in which the model charges, only against the unit charged(; mounted only)?")
POINTS = re.compile(r"\+([1-6])/([1-6])\+")
PARRIES = re.compile(r"Parry \(([2-6])\+\) with a hand weapon only")
SLOWS = re.compile(r"-([1-9]) Movement of the model")
FACES = re.compile(r"infantry \+([1-9]) more against shooting from the front")
HELD = ("shield", "buckler")


class WeaponRow(Content):
    """A row of the tables of weapons."""

    weapon: Name
    range: Few = 0
    strength: Few | Name
    rules: Words = ()
    condition: Name | None = None

    @model_validator(mode="after")
    def _understood(self) -> Self:
        self.compiled()
        return self

    def compiled(self) -> Weapon:
        """The weapon.

        Raises:
            Expected: a word in the row has no meaning.
        """
        found: dict[str, Any] = {"name": self.weapon, "range": self.range, **self._strength()}
        starred, others = set(), []
        for at, words in enumerate(self.rules):
            word = words.removesuffix("*")
            name, value = _attribute(word)
            if not name and not OTHERS.fullmatch(word):
                known = "+1 Attack, -2 Initiative, Strength Bonus (1), Fight in Extra Ranks (1), Armour Piercing (1)"
                raise Expected(
                    f"one of {known}, Parry (6+), {', '.join(FLAGS)}", "is no rule of weapons", f"rules[{at}]", words
                )
            if not name:
                others.append(words)
            else:
                found[name] = value
            if words.endswith("*"):
                starred.add(name or words)
        if starred and self.condition is None:
            raise Expected("words that say when what is starred holds", "are missing", "condition", self.condition)
        found |= {"starred": frozenset(starred), "rules": tuple(others)}
        return Weapon(**found, **({} if self.range else self._condition()))

    def _strength(self) -> dict[str, int]:
        if isinstance(self.strength, int):
            return {"fixed": self.strength}
        match = MODIFIER.fullmatch(self.strength)
        if match is None and self.strength != "user":
            raise Expected("user, +1, or a number", "is no Strength", "strength", self.strength)
        return {"strength": int(match[1])} if match else {}

    def _condition(self) -> dict[str, Any]:
        if self.condition is None:
            return {"when": ALWAYS}
        if match := CHARGES_ONLY.fullmatch(self.condition):
            return {"when": CHARGES, "mounted": match[1] is not None}
        match = CHARGED_FRONT_ONLY.fullmatch(self.condition)
        types = match[1].split(", ") if match and match[1] else []
        if match is None or any(name not in TYPE_OF for name in types):
            words = "* in turns in which charged in the front[; Strength Bonus only against BG, Ca, ...]"
            words += ", or: * in turns in which the model charges, only against the unit charged[; mounted only]"
            raise Expected(words, "is no condition", "condition", self.condition)
        return {"when": CHARGED_IN_FRONT, "against": frozenset(TYPE_OF[name] for name in types)}


def _attribute(word: str) -> tuple[str, int | bool]:
    """The attribute of a weapon that a rule sets, and its value; an empty name if there is none."""
    for pattern, name in NUMBERED:
        if match := pattern.fullmatch(word):
            return name, int(match[1])
    return FLAGS.get(word, ""), True


class Weapons(Content):
    """Weapons; see ``configs/wap/weapons.yaml``."""

    combat: Annotated[tuple[WeaponRow, ...], Field(max_length=MANY)]
    missile: Annotated[tuple[WeaponRow, ...], Field(max_length=MANY)]

    @model_validator(mode="after")
    def _ranges(self) -> Self:
        for table, has_range in (("combat", False), ("missile", True)):
            for at, row in enumerate(getattr(self, table)):
                if bool(row.range) != has_range:
                    what = "a range in inches" if has_range else "no range: a weapon for close combat"
                    raise Expected(what, "is not that", f"{table}[{at}].range", row.range)
        return self

    @cached_property
    def by_name(self) -> Mapping[str, Weapon]:
        """The weapons by name."""
        return MappingProxyType({row.weapon: row.compiled() for row in (*self.combat, *self.missile)})


class ArmourRow(Content):
    """A row of the table of armour."""

    armour: Name
    combat: Name
    shooting: Name
    rules: Words = ()

    @model_validator(mode="after")
    def _understood(self) -> Self:
        self.compiled()
        return self

    def compiled(self) -> Piece:
        """The piece of armour.

        Raises:
            Expected: a word in the row has no meaning.
        """
        found: dict[str, Any] = {"name": self.armour, "guards": self.armour in HELD}
        for column in ("combat", "shooting"):
            found[column] = points_in(getattr(self, column), column)
        for at, words in enumerate(self.rules):
            for pattern, name in ((PARRIES, "parry"), (SLOWS, "slower"), (FACES, "faced")):
                if match := pattern.fullmatch(words):
                    found[name] = int(match[1])
                    break
            else:
                known = "Parry (6+) with a hand weapon only, infantry +1 more against shooting from the front"
                raise Expected(
                    f"one of {known}, -1 Movement of the model", "is no rule of armour", f"rules[{at}]", words
                )
        return Piece(**found)


def points_in(words: str, field: str) -> int:
    """Points of armour in words such as ``+2/5+``: the modifier, and the save that it gives alone.

    The rule is wap.armour.general.stacking.

    Raises:
        Expected: the words are no armour, or modifier and save do not agree.
    """
    if words == "none":
        return 0
    match = POINTS.fullmatch(words)
    if match is None or int(match[1]) + int(match[2]) != NO_SAVE:
        raise Expected(
            "none, or one of " + ", ".join(f"+{n}/{NO_SAVE - n}+" for n in range(1, NO_SAVE)),
            "is no armour",
            field,
            words,
        )
    return int(match[1])


class Armoury(Content):
    """Armour; see ``configs/wap/armour.yaml``."""

    armour: Annotated[tuple[ArmourRow, ...], Field(max_length=MANY)]

    @cached_property
    def by_name(self) -> Mapping[str, Piece]:
        """The pieces of armour by name."""
        return MappingProxyType({row.armour: row.compiled() for row in self.armour})
