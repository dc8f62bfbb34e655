"""Weapons whose type says how often they shoot.

For a bearer, skill, Strength and attacks of their profiles are resolved.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, model_serializer, model_validator

from wh_env.content.classic.numbers import Strength
from wh_env.content.errors import Expected
from wh_env.content.fields import MOST_LENGTH, Amount, Content, Few, Name
from wh_env.content.w40k.weapons import MOST_AMOUNT, Weapon, WeaponProfile

MELEE = "Melee"
KINDS = ("Assault", "Heavy", "Rapid Fire", "Pistol", "Grenade")
_TYPE = re.compile(r"(?P<kind>" + "|".join(KINDS) + r")\s+(?P<number>[0-9]*D?[0-9]+(?:\+[0-9]+)?)", re.IGNORECASE)
# as files write them, and as the shared rows know them
ABILITIES: Mapping[str, str] = {
    "Blast": "Blast",
    "Automatic hits": "Torrent",
    "Not visible": "Indirect Fire",
    "Ignores Cover": "Ignores Cover",
    "Re-roll wounds": "Twin-linked",
    "Once": "One Shot",
    "Wounds cannot be ignored": "Unignorable",
    "Hit rolls of 6: 1 additional hit": "Sustained Hits 1",
    "Hit rolls of 6 wound": "Lethal Hits",
    "Hit rolls of 1 slay the bearer": "Overheats",
}
# by name the highest unmodified wound roll of attacks with it that may be made again
REROLLS: Mapping[str, int] = {"Plague Weapon": 1}


def _range(value: object) -> object:
    if isinstance(value, str) and value.strip().lower() == "melee":
        return 0
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
        raise Expected("a range in inches above 0, or melee")
    return value


def _ap(value: object) -> object:
    if isinstance(value, bool) or not isinstance(value, int) or not -6 <= value <= 0:
        raise Expected("0 or a negative number such as -1")
    return value


class WeaponType(Content):
    """``Assault 2``, ``Heavy D6``, ``Rapid Fire 1``, ``Pistol 1``, ``Grenade D6`` or ``Melee``."""

    kind: Literal["Assault", "Heavy", "Rapid Fire", "Pistol", "Grenade", "Melee"]
    shots: Amount = Amount()

    @model_validator(mode="before")
    @classmethod
    def _read(cls, data: Any) -> Any:
        if isinstance(data, Mapping):
            return data
        if isinstance(data, str):
            if data.strip().lower() == "melee":
                return {"kind": MELEE}
            found = _TYPE.fullmatch(data.strip())
            if found:
                kind = next(k for k in KINDS if k.lower() == found["kind"].lower())
                return {"kind": kind, "shots": found["number"]}
        raise Expected("a type with a number of attacks such as " + " 2, ".join(KINDS) + " 2, or Melee")

    @model_serializer
    def _write(self) -> str:
        return self.kind if self.kind == MELEE else f"{self.kind} {self.shots}"


class ClassicProfile(Content):
    """One line of a weapon table. The type gives the attacks of a ranged weapon; in melee they are the bearer's."""

    name: Name | None = None
    range: Annotated[float, Field(le=MOST_LENGTH, allow_inf_nan=False), BeforeValidator(_range)]
    type: WeaponType
    S: Strength
    AP: Annotated[int, BeforeValidator(_ap)] = 0
    D: Amount
    hit: Annotated[int, Field(strict=True, ge=-3, le=3)] = 0  # added to the hit rolls of attacks with it
    half_range_damage: Few = 0  # added to Damage within half range
    extra: Few = 0  # attacks with it beside those of the bearer, for each such weapon
    extra_pair: Few = 0  # the same, once, for a bearer of two of them (w9.weapon.pairs)
    only_extra: bool = False  # no other attacks are made with it
    abilities: Annotated[tuple[Name, ...], Field(max_length=16)] = ()

    @model_validator(mode="after")
    def _whole(self) -> Self:
        melee = self.type.kind == MELEE
        if melee != (self.range == 0):
            raise Expected("range melee and type Melee together", "do not go together", "type", self.type._write())
        if not melee and (self.extra or self.extra_pair or self.only_extra):
            raise Expected("extra attacks of melee weapons only", "is a ranged weapon", "extra", self.extra)
        if self.only_extra and not (self.extra or self.extra_pair):
            raise Expected("extra attacks where there are no others", "are none", "extra", self.extra)
        if self.half_range_damage > MOST_AMOUNT:
            raise Expected(f"at most {MOST_AMOUNT}", "is too much", "half_range_damage", self.half_range_damage)
        if self.type.kind == "Rapid Fire" and self.type.shots.maximum > MOST_AMOUNT:
            raise Expected(f"Rapid Fire of at most {MOST_AMOUNT}", "is too much", "type", self.type._write())
        for at, ability in enumerate(self.abilities):
            if ability not in ABILITIES and ability not in REROLLS:
                raise Expected(
                    "one of " + ", ".join((*ABILITIES, *REROLLS)), "is not known", f"abilities[{at}]", ability
                )
        if len(set(self.abilities)) < len(self.abilities):
            raise Expected("each ability once", "stand twice", "abilities", list(self.abilities))
        return self

    @property
    def melee(self) -> bool:
        """Whether it is a melee weapon."""
        return self.type.kind == MELEE

    def rules(self) -> list[str]:
        """Its abilities by the names of the shared weapon rows."""
        found = [ABILITIES[name] for name in self.abilities if name in ABILITIES]
        if self.type.kind == "Rapid Fire":
            found.append(f"Rapid Fire {self.type.shots}")  # twice the attacks within half range (w9.weapon.rapid-fire)
        elif not self.melee:
            found.append(self.type.kind)
        if self.half_range_damage:
            found.append(f"Melta {self.half_range_damage}")
        return found


class ClassicWeapon(Content):
    """A weapon with one or more profiles; one profile may be written without ``profiles``."""

    profiles: Annotated[tuple[ClassicProfile, ...], Field(min_length=1, max_length=8)]

    @classmethod
    def _shorthand(cls) -> tuple[str, ...]:
        return tuple(ClassicProfile.model_fields)

    @model_validator(mode="before")
    @classmethod
    def _one_profile(cls, data: Any) -> Any:
        if isinstance(data, Mapping) and "profiles" not in data:
            return {"profiles": [data]}
        return data

    @property
    def melee(self) -> bool:
        """Whether all its profiles are for melee."""
        return all(profile.melee for profile in self.profiles)


CLOSE_COMBAT = ClassicWeapon.model_validate({"range": "melee", "type": "Melee", "S": "User", "AP": 0, "D": 1})
CLOSE_COMBAT_NAME = "Close combat weapon"


class BorneProfile(WeaponProfile):
    """A profile as its bearer uses it.

    Attributes:
        hit: added to hit rolls.
        wound_reroll: the highest wound roll that may be re-rolled, 0: none.
        user: (Strength of the bearer, factor, plus); None: the weapon has a Strength of its own.
    """

    hit: int = 0
    wound_reroll: int = 0
    user: tuple[int, int, int] | None = None


class Bearer(Content):
    """The characteristics of a model that its weapons use: skills (0: none), Strength, Attacks."""

    WS: int
    BS: int
    S: int
    A: Amount


@lru_cache(maxsize=4096)
def resolved(weapon: ClassicWeapon, bearer: Bearer) -> Weapon | None:
    """The weapon for its bearer, with skill, Strength and attacks resolved.

    None if the bearer can use none of its profiles: it lacks the skill, or all attacks with the weapon are extra ones.
    """
    profiles = [
        _row(p, bearer, bearer.A if p.melee else p.type.shots, ()) for p in weapon.profiles if _usable(p, bearer)
    ]
    return Weapon(profiles=tuple(profiles)) if profiles else None


@lru_cache(maxsize=4096)
def extras(weapon: ClassicWeapon, bearer: Bearer, copies: int) -> Weapon | None:
    """The additional attacks that ``copies`` of the weapon give its bearer, as a separate weapon, or None."""
    profiles = []
    for profile in weapon.profiles:
        more = profile.extra * copies + (profile.extra_pair if copies > 1 else 0)
        if more and bearer.WS:
            profiles.append(_row(profile, bearer, Amount(plus=more), ("Extra Attacks",)))
    return Weapon(profiles=tuple(profiles)) if profiles else None


def _usable(profile: ClassicProfile, bearer: Bearer) -> bool:
    if profile.melee:
        return bearer.WS > 0 and not profile.only_extra
    return bearer.BS > 0 or "Automatic hits" in profile.abilities


def _row(profile: ClassicProfile, bearer: Bearer, attacks: Amount, more: tuple[str, ...]) -> BorneProfile:
    skill = bearer.WS if profile.melee else bearer.BS
    return BorneProfile.model_validate(
        {
            "name": profile.name,
            "range": profile.range,
            "A": attacks,
            "skill": skill,
            "S": profile.S.of(bearer.S),
            "AP": profile.AP,
            "D": profile.D,
            "hit": profile.hit,
            "wound_reroll": max((REROLLS.get(name, 0) for name in profile.abilities), default=0),
            "user": None if profile.S.fixed is not None else (bearer.S, profile.S.times, profile.S.plus),
            "abilities": [*profile.rules(), *more],
        }
    )
