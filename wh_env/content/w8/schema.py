"""Schemas of the 8th edition's factions, armies and missions. Everything is frozen and refuses unknown keys."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from wh_env.content.classic import powers
from wh_env.content.classic.powers import named_once
from wh_env.content.classic.schema import ClassicDatasheet
from wh_env.content.errors import Expected
from wh_env.content.fields import Content, Count, Few, Flag, Name, Positive, Rounds, Some
from wh_env.content.w40k.schema import MANY, BattleSize, Markers, OtherAbility, ZoneRule
from wh_env.rulesets.w8.ruleset import EIGHTH_EDITION


class Datasheet(ClassicDatasheet):
    """One datasheet; armies are mustered by Power Rating."""

    points: Count = 0


class PowerSpec(powers.PowerSpec):
    """A psychic power as data, with an effect that the 8th edition knows."""

    effects: ClassVar[Collection[str]] = EIGHTH_EDITION.effects


class DisciplineSpec(powers.DisciplineSpec[PowerSpec]):
    """A psychic discipline."""


Disciplines = Annotated[tuple[DisciplineSpec, ...], Field(max_length=8), AfterValidator(named_once)]


class Faction(Content):
    """A faction: its keyword, rules, psychic disciplines."""

    name: Name
    keyword: Name
    rules: Annotated[tuple[OtherAbility, ...], Field(max_length=MANY)] = ()
    disciplines: Disciplines = ()


class ArmyUnit(Content):
    """One unit of an army."""

    datasheet: Name
    id: Name | None = None
    models: Some | None = (
        None  # not given: the smallest unit; one unit of a type may have fewer (w8.mission.armies.understrength)
    )
    equipment: dict[Name, dict[Name, Few]] = Field(default_factory=dict)
    embarked_in: Name | Count | None = None  # id or index of a TRANSPORT
    reserves: Literal["deep-strike"] | None = None
    warlord: Flag = False

    @model_validator(mode="before")
    @classmethod
    def _one_datasheet(cls, data: Any) -> Any:
        sheet = data.get("datasheet") if isinstance(data, Mapping) else None
        if isinstance(sheet, list | tuple | Mapping):
            raise Expected("the name of one datasheet", "is not one datasheet", "datasheet", sheet)
        return data


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


class Mission(Content):
    """The numbers of a mission (w8.mission.*)."""

    name: Name
    ruleset: Name
    sizes: Annotated[tuple[MissionSize, ...], Field(min_length=1, max_length=MANY)]
    rounds: Rounds
    markers: Markers
    zones: ZoneRule  # room for armies that are drawn; players divide the battlefield

    def size(self, name: str) -> MissionSize | None:
        """The size of that name, whatever the case."""
        return next((size for size in self.sizes if size.name.lower() == name.lower()), None)

    @model_validator(mode="after")
    def _of_this_edition(self) -> Self:
        if self.ruleset != EIGHTH_EDITION.id:
            raise Expected(
                f"a mission of the ruleset {EIGHTH_EDITION.id}", "is another ruleset", "ruleset", self.ruleset
            )
        return self
