"""Schemas of the 8th edition's factions, armies and missions. Every model is frozen and refuses unknown keys."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, Field, model_validator

from wh_env.content.classic import powers
from wh_env.content.classic.powers import named_once
from wh_env.content.classic.schema import ClassicAbilities, ClassicDatasheet
from wh_env.content.classic.weapons import ClassicWeapon
from wh_env.content.errors import ContentError, Expected
from wh_env.content.fields import Amount, Content, Length, Name, Positive, Roll
from wh_env.content.load import load_content
from wh_env.content.w40k import battles, schema
from wh_env.content.w40k.keywords import KeywordName
from wh_env.content.w40k.schema import MANY, BattleSize, OtherAbility
from wh_env.rulesets.w8.ruleset import EIGHTH_EDITION


class Affliction(Content):
    """Mortal wounds that units of the datasheet cause at the start of their player's turn.

    One die is rolled for each enemy unit within ``near`` inches of a model with ``keyword`` that is within ``range``
    inches of a model of the datasheet. On ``needed`` or more the enemy unit suffers ``damage`` mortal wounds.
    """

    name: Name
    keyword: KeywordName
    range: Length
    near: Length = 1.0
    needed: Roll = 4
    damage: Amount = Amount(plus=1)


class Abilities(ClassicAbilities):
    """Abilities, with those that afflict enemies at the start of turns."""

    afflictions: Annotated[tuple[Affliction, ...], Field(max_length=MANY)] = ()


class Armoury(Content):
    """Weapons that datasheets leave to another file (w8.datasheet.weapon.elsewhere)."""

    name: Name
    weapons: Annotated[dict[Name, ClassicWeapon], Field(min_length=1, max_length=MANY)]


class Datasheet(ClassicDatasheet):
    """One datasheet; armies are mustered by Power Rating.

    Weapons that the file does not describe come from its ``armoury``: the name of a list of weapons, or an inline list.
    """

    counts_points: ClassVar[bool] = False

    abilities: Abilities = Abilities()

    @classmethod
    def _shorthand(cls) -> tuple[str, ...]:
        return ("armoury",)

    @model_validator(mode="before")
    @classmethod
    def _from_the_armoury(cls, data: Any) -> Any:
        if not isinstance(data, Mapping) or "armoury" not in data:
            return data
        said = {key: value for key, value in data.items() if key != "armoury"}
        own = said.get("weapons", {})
        return {**said, "weapons": {**elsewhere(data), **own}} if isinstance(own, Mapping) else said


def elsewhere(data: Mapping[str, Any]) -> dict[str, Any]:
    """The weapons that a datasheet's models carry and that its armoury describes; ``data`` is the raw datasheet.

    Raises:
        Expected: there is no such armoury, or it has a fault.
    """
    try:
        weapons = load_content(Armoury, "armouries", data["armoury"], EIGHTH_EDITION.id).weapons
    except ContentError as error:
        raise Expected(error.expected, error.problem, "armoury", error.value) from error
    kinds = _mappings(data.get("models"))
    options = [option for kind in kinds for option in _mappings(kind.get("options"))]
    named = [each.get("weapons") for each in (*kinds, *options)]
    carried = {name for names in named if isinstance(names, list | tuple) for name in names if isinstance(name, str)}
    return {name: weapon for name, weapon in weapons.items() if name in carried}


def _mappings(value: object) -> list[Mapping[str, Any]]:
    """The mappings in a list; empty if the value is no list."""
    return [each for each in value if isinstance(each, Mapping)] if isinstance(value, list | tuple) else []


class PowerSpec(powers.PowerSpec):
    """A psychic power as data, with an effect that the 8th edition knows."""

    effects: ClassVar[Collection[str]] = EIGHTH_EDITION.effects


class DisciplineSpec(powers.DisciplineSpec[PowerSpec]):
    """A psychic discipline."""


Disciplines = Annotated[tuple[DisciplineSpec, ...], Field(max_length=8), AfterValidator(named_once)]


class Faction(schema.Faction):
    """A faction: its keyword, rules, psychic disciplines."""

    rules: Annotated[tuple[OtherAbility, ...], Field(max_length=MANY)] = ()
    disciplines: Disciplines = ()


class ArmyUnit(battles.ArmyUnit):
    """One unit of an army; one of a type may have too few models (w8.mission.armies.understrength)."""

    reserves: Literal["deep-strike"] | None = None


class Army(Content):
    """An army list. ``power_limit`` not given: that of the battle's size."""

    name: Name
    faction: Name | None = None  # its datasheets are of this one; not given: of any (w8.mission.armies)
    power_limit: Positive | None = None
    units: Annotated[tuple[ArmyUnit, ...], Field(min_length=1, max_length=100)]
    datasheets: Annotated[tuple[Datasheet, ...], Field(max_length=100)] = ()  # of its own, beside those of the ruleset
    disciplines: Disciplines = ()  # of its own, in place of those of its faction


class MissionSize(BattleSize):
    """One size of battle that a mission allows, in Power."""

    points: Positive = 1  # unused: armies are mustered by Power
    power: Positive

    @property
    def limit(self) -> int:
        """The most Power of an army."""
        return self.power


class Mission(battles.Mission):
    """The numbers of a mission (w8.mission.*). ``zones`` is room for drawn armies; players divide the battlefield."""

    sizes: Annotated[tuple[MissionSize, ...], Field(min_length=1, max_length=MANY)]
