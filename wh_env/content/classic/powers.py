"""Psychic powers and disciplines as data, and the psychic profile of a datasheet."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Annotated, Any, ClassVar, Generic, Literal, Self, TypeVar

from pydantic import Field, model_validator

from wh_env.content.classic.schema import Psyker
from wh_env.content.errors import Expected
from wh_env.content.fields import Amount, Content, Few, Flag, Inches, Name, Some
from wh_env.rulesets.w40k.psychic.data import Affects, Discipline, Lasts, PsychicPower, PsychicProfile
from wh_env.rulesets.w40k.psychic.state import power_effects


def check_effect(effect: str, known: Collection[str]) -> None:
    """Check that the effect is known.

    Raises:
        Expected: it is not.
    """
    if effect not in known:
        raise Expected("one of " + ", ".join(sorted(known)), "is not known", "effect", effect)


class PowerSpec(Content):
    """A psychic power as data: its cost, its targets and its enumerated effect."""

    effects: ClassVar[Collection[str]]  # that the edition knows beside those of every power
    durations: ClassVar[Collection[str]] = ("turn", "next psychic")  # until phases that the edition has

    name: Name
    charge: Some
    effect: Name
    affects: Literal["psyker", "friend", "enemy", "closest", "friends near", "enemies near"] = "enemy"
    reach: Inches = 18.0
    visible: Flag = False
    amount: Amount = Amount()
    better: Few = 0  # from such a result of the Psychic test on (0: never) the amount is ``more``
    more: Amount = Amount()
    lasts: Literal["turn", "next psychic", "next command"] = "turn"
    beyond_leadership: Amount = Amount()  # mortal wounds besides, where the result exceeds the Leadership of the unit

    @model_validator(mode="after")
    def _known_effect(self) -> Self:
        check_effect(self.effect, power_effects(self.effects))
        if self.lasts not in self.durations:
            raise Expected("one of " + ", ".join(self.durations), "is no duration of the edition", "lasts", self.lasts)
        return self

    @property
    def power(self) -> PsychicPower:
        """The power as an object of the rules."""
        said: dict[str, Any] = {
            name: (value.dice, value.sides, value.plus) if isinstance(value, Amount) else value for name, value in self
        }
        said["affects"] = Affects[self.affects.upper().replace(" ", "_")]
        said["lasts"] = Lasts[self.lasts.upper().replace(" ", "_")]
        return PsychicPower(**said)


P = TypeVar("P", bound=PowerSpec)


class DisciplineSpec(Content, Generic[P]):
    """A psychic discipline."""

    name: Name
    powers: Annotated[tuple[P, ...], Field(min_length=1, max_length=12)]

    @property
    def discipline(self) -> Discipline:
        """The discipline as an object of the rules."""
        return Discipline(self.name, tuple(power.power for power in self.powers))


D = TypeVar("D", bound=DisciplineSpec[Any])


def named_once(disciplines: tuple[D, ...]) -> tuple[D, ...]:
    """The disciplines unchanged, after checking that their names and their powers' names differ.

    Raises:
        Expected: two names are equal.
    """
    names = [each.name for each in disciplines]
    powers = [power.name for each in disciplines for power in each.powers]
    for found in (names, powers):
        if len(set(found)) < len(found):
            raise Expected("different names for disciplines, and for powers", "do not differ", value=found)
    return disciplines


def profile_of(psyker: Psyker, disciplines: Sequence[DisciplineSpec[Any]]) -> PsychicProfile:
    """The psychic profile of a datasheet, with the disciplines of its army."""
    known = {each.name: each.discipline for each in disciplines}
    powers = {power.name: power for discipline in known.values() for power in discipline.powers}
    return PsychicProfile(
        manifests=psyker.manifest,
        denies=psyker.deny,
        powers=tuple(powers[name] for name in psyker.powers),
        learns=psyker.learns,
        disciplines=tuple(known[name] for name in psyker.disciplines),
        instead=known[psyker.instead] if psyker.instead is not None else None,
    )
