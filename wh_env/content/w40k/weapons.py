"""Weapons: profiles as in the weapon tables of datasheets."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Self

from pydantic import BeforeValidator, Field, model_serializer, model_validator

from wh_env.content.errors import Expected
from wh_env.content.fields import MOST_LENGTH, Amount, Content, Count, Few, Name, read_roll
from wh_env.content.w40k.keywords import KeywordName
from wh_env.rulesets.w40k.profiles import WeaponAbility

_WEAPON_ABILITY = re.compile(r"^(?P<name>[A-Za-z][A-Za-z -]*?)(?:\s+(?P<number>[0-9]*D?[0-9]+(?:\+[0-9]+)?))?$")
_ANTI = re.compile(r"^anti-(?P<keyword>[A-Za-z][A-Za-z' -]*?)\s+(?P<value>[2-6])\+$", re.IGNORECASE)
MOST_AMOUNT = 20  # of Sustained Hits and the like, each for every hit
MOST_STRENGTH_DICE = 9  # odds go through every sum of them
_NUMBERED = {WeaponAbility.RAPID_FIRE, WeaponAbility.MELTA, WeaponAbility.SUSTAINED_HITS}


class WeaponRule(Content):
    """One weapon ability, as a datasheet writes it: ``Rapid Fire 1``, ``Melta D3``, ``Anti-VEHICLE 4+``."""

    ability: Name
    amount: Amount | None = None
    keyword: KeywordName | None = None
    value: Count = 0

    @model_validator(mode="before")
    @classmethod
    def _read(cls, data: Any) -> Any:
        if isinstance(data, Mapping):
            return data
        expected = "a weapon ability such as " + ", ".join(
            a.name.replace("_", " ").title() for a in WeaponAbility if a.name
        )
        if not isinstance(data, str):
            raise Expected(expected)
        anti = _ANTI.match(data.strip())
        if anti:
            return {"ability": "ANTI", "keyword": anti["keyword"].upper(), "value": int(anti["value"])}
        match = _WEAPON_ABILITY.match(data.strip())
        name = match["name"].upper().replace(" ", "_").replace("-", "_") if match else ""
        if match is None or name not in WeaponAbility.__members__ or name == "ANTI":
            raise Expected(expected + ", Anti-KEYWORD 4+", "is not known")
        if (WeaponAbility[name] in _NUMBERED) != (match["number"] is not None):
            with_or_without = "with a number" if WeaponAbility[name] in _NUMBERED else "without a number"
            raise Expected(f"{match['name']} {with_or_without}")
        return {"ability": name, "amount": match["number"]} if match["number"] else {"ability": name}

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if self.ability not in WeaponAbility.__members__:
            raise Expected("the name of a weapon ability", "is not known", "ability", self.ability)
        anti = self.ability == "ANTI"
        if anti != (self.keyword is not None) or (anti and not 2 <= self.value <= 6):
            raise Expected("a keyword and a roll for Anti, as in Anti-VEHICLE 4+, and for nothing else")
        if (self.flag in _NUMBERED) != (self.amount is not None):
            raise Expected("a number for " + ", ".join(sorted(a.name or "" for a in _NUMBERED)) + " and nothing else")
        if self.amount is not None and self.amount.maximum > MOST_AMOUNT:
            raise Expected(f"a number of at most {MOST_AMOUNT}")
        return self

    @model_serializer
    def _write(self) -> str:
        return str(self)

    def __str__(self) -> str:
        if self.ability == "ANTI":
            return f"Anti-{self.keyword} {self.value}+"
        name = self.ability.replace("_", "-" if self.ability == "TWIN_LINKED" else " ").title()
        return f"{name} {self.amount}" if self.amount is not None else name

    @property
    def flag(self) -> WeaponAbility:
        """Its bit."""
        return WeaponAbility[self.ability]


def _range(value: object) -> object:
    if isinstance(value, str) and value.strip().lower() == "melee":
        return 0
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
        raise Expected("a range in inches above 0, or melee")
    return value


def _skill(value: object) -> object:
    return 0 if value in ("N/A", "-", None) or value == 0 else read_roll(value)


def _ap(value: object) -> object:
    if isinstance(value, bool) or not isinstance(value, int) or not -6 <= value <= 0:
        raise Expected("0 or a negative number such as -1")
    return value


class WeaponProfile(Content):
    """One line of a weapon table. ``range`` 0 means melee; ``skill`` 0 means none (Torrent)."""

    name: Name | None = None
    range: Annotated[float, Field(le=MOST_LENGTH, allow_inf_nan=False), BeforeValidator(_range)]
    A: Amount
    skill: Annotated[int, BeforeValidator(_skill)] = 0
    S: Amount
    AP: Annotated[int, BeforeValidator(_ap)] = 0
    D: Amount
    abilities: Annotated[tuple[WeaponRule, ...], Field(max_length=32)] = ()

    @model_validator(mode="after")
    def _skill_or_torrent(self) -> Self:
        if not self.skill and not self.flags & WeaponAbility.TORRENT:
            raise Expected("a BS or WS such as 3+ (only Torrent weapons have none)", "is no skill", "skill", self.skill)
        if self.S.dice > MOST_STRENGTH_DICE:
            raise Expected(f"a Strength of at most {MOST_STRENGTH_DICE} dice", "is too much", "S", str(self.S))
        return self

    @model_validator(mode="after")
    def _once(self) -> Self:
        """Check that each ability is given once, and Anti once for each keyword."""
        seen: set[tuple[str, str | None]] = set()
        for at, rule in enumerate(self.abilities):
            if (rule.ability, rule.keyword) in seen:
                field = f"abilities[{at}]"
                raise Expected("each ability once, Anti once for each keyword", "stands twice", field, str(rule))
            seen.add((rule.ability, rule.keyword))
        return self

    @property
    def melee(self) -> bool:
        """Whether it is a melee weapon."""
        return self.range == 0

    @property
    def flags(self) -> WeaponAbility:
        """The bits of all its abilities."""
        flags = WeaponAbility(0)
        for rule in self.abilities:
            flags |= rule.flag
        return flags

    def amount(self, ability: WeaponAbility) -> Amount:
        """The number of a numbered ability (0 if the profile lacks it)."""
        return next((r.amount for r in self.abilities if r.flag == ability and r.amount is not None), Amount())


class Weapon(Content):
    """A weapon with one or more profiles; one profile may be written without ``profiles``."""

    profiles: Annotated[tuple[WeaponProfile, ...], Field(min_length=1, max_length=8)]
    slot: Few | None = None  # weapons of one model with the same slot exclude each other

    @classmethod
    def _shorthand(cls) -> tuple[str, ...]:
        return tuple(WeaponProfile.model_fields)

    @model_validator(mode="before")
    @classmethod
    def _one_profile(cls, data: Any) -> Any:
        if isinstance(data, Mapping) and "profiles" not in data:
            own = {key: value for key, value in data.items() if key != "slot"}
            slot = {"slot": data["slot"]} if "slot" in data else {}
            return {"profiles": [own], **slot}
        return data
