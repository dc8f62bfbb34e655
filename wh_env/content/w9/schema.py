"""Schemas of the 9th edition's YAML files: its tables, factions, armies in Detachments, missions, battles."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, ClassVar, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from wh_env.content.classic import powers
from wh_env.content.classic.powers import check_effect, named_once
from wh_env.content.classic.schema import ClassicDatasheet, Role
from wh_env.content.errors import Expected
from wh_env.content.fields import (
    Amount,
    Content,
    Count,
    Few,
    Flag,
    Inches,
    Name,
    Positive,
    Some,
)
from wh_env.content.w40k import battles, schema
from wh_env.content.w40k.datasheets import Names
from wh_env.content.w40k.keywords import KeywordName
from wh_env.content.w40k.schema import MANY, Markers, OtherAbility
from wh_env.rulesets.w9.actions.data import Action, Near, PsychicAction, When, Whose
from wh_env.rulesets.w9.codes import Phase
from wh_env.rulesets.w9.ruleset import NINTH_EDITION
from wh_env.rulesets.w9.stratagems.book import FACTION, FACTION_EFFECTS

Away = Annotated[float, Field(ge=-100, le=100, allow_inf_nan=False)]  # inches from the centre of the battlefield

# ---------------------------------------------------------------- tables


class ArmySize(Content):
    """The limits that a size of battle sets for Battle-forged armies (w9.army.battle-size)."""

    name: Name
    cp: Few
    detachments: Some
    unconfirmed: Names = ()  # fields that no source confirms


class DetachmentType(Content):
    """A Detachment: its cost, and least and most units of each Battlefield Role (w9.army.detachments)."""

    cp: Few
    refund: Few = 0  # if the WARLORD is in it
    slots: dict[Role, tuple[Few, Few]] = Field(default_factory=dict)
    units: Few = 0  # units of any Battlefield Role, in place of slots
    transports: Flag = True  # a Dedicated Transport for each INFANTRY unit
    unconfirmed: Names = ()

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if bool(self.slots) == bool(self.units):
            raise Expected("either slots or a number of units of any role")
        for role, (least, most) in self.slots.items():
            if least > most:
                raise Expected("least and most units", "do not rise", f"slots.{role}", [least, most])
        return self


class Tables(Content):
    """``configs/w9/rules.yaml``: sizes of battles, Detachments, Faction keywords too general for an army to share."""

    sizes: Annotated[tuple[ArmySize, ...], Field(min_length=1, max_length=MANY)]
    detachments: Annotated[dict[Name, DetachmentType], Field(min_length=1, max_length=MANY)]
    general_keywords: Names = ()
    exceptions: Names = ()  # Faction keywords of units that need not share that of their army

    def size(self, name: str) -> ArmySize | None:
        """The size of this name in any case; None: there is none."""
        return next((size for size in self.sizes if size.name.lower() == name.lower()), None)


# ---------------------------------------------------------------- factions


class PowerSpec(powers.PowerSpec):
    """A psychic power as data, with an effect that the 9th edition knows."""

    effects: ClassVar[Collection[str]] = NINTH_EDITION.effects
    durations: ClassVar[Collection[str]] = (*powers.PowerSpec.durations, "next command")


class DisciplineSpec(powers.DisciplineSpec[PowerSpec]):
    """A psychic discipline."""


Disciplines = Annotated[tuple[DisciplineSpec, ...], Field(max_length=8), AfterValidator(named_once)]


MOMENT = Literal[
    "ends-move",
    "movement-ends",
    "targets-selected",
    "ends-charge",
    "has-fought",
    "before-morale-test",
    "before-battle",
    "round-ends",
]
TURN = Literal["either", "own", "opponent's"]


class StratagemSpec(Content):
    """A Stratagem of a Faction as data, or of one of its sub-factions (w9.stratagem.faction, .sub-faction)."""

    name: Name
    cp: Few
    moment: MOMENT
    turn: TURN = "either"
    effect: Name
    amount: Count = 0
    keyword: KeywordName | None = None  # of units that it can be used on
    faction: Name | None = None  # its Faction keyword; not given: that of the file or army that it stands in
    sub_faction: Name | None = None  # a Faction keyword

    @model_validator(mode="after")
    def _known_effect(self) -> Self:
        check_effect(self.effect, FACTION_EFFECTS)
        return self


Stratagems = Annotated[tuple[StratagemSpec, ...], Field(max_length=len(FACTION))]


class Faction(schema.Faction):
    """A faction: its keyword, rules, psychic disciplines and Stratagems."""

    rules: Annotated[tuple[OtherAbility, ...], Field(max_length=MANY)] = ()
    disciplines: Disciplines = ()
    stratagems: Stratagems = ()


# ---------------------------------------------------------------- armies


class ArmyUnit(battles.ArmyUnit):
    """One unit of an army; a TRANSPORT's index is counted through all Detachments."""

    reserves: Literal["deep-strike", "strategic", "summoned"] | None = None


class ArmyDetachment(Content):
    """A Detachment of an army with its units."""

    type: Name
    units: Annotated[tuple[ArmyUnit, ...], Field(min_length=1, max_length=100)]


class Army(Content):
    """An army list. ``points_limit`` not given: the limit of the battle's size."""

    name: Name
    faction: Name
    points_limit: Positive | None = None
    detachments: Annotated[tuple[ArmyDetachment, ...], Field(max_length=16)] = ()
    units: Annotated[tuple[ArmyUnit, ...], Field(max_length=100)] = ()  # in no Detachment: it is not Battle-forged then
    datasheets: Annotated[
        tuple[ClassicDatasheet, ...], Field(max_length=100)
    ] = ()  # datasheets of its own, beside those of the ruleset
    disciplines: Disciplines = ()  # of its own, in place of those of its faction
    stratagems: Stratagems = ()  # likewise

    @model_validator(mode="after")
    def _some(self) -> Self:
        if not self.every_unit:
            raise Expected("at least one unit, in a Detachment or outside", "are none", "units", [])
        return self

    @property
    def every_unit(self) -> tuple[tuple[str, int | None, ArmyUnit], ...]:
        """(field, Detachment (None: in none), unit) of each unit, in counting order."""
        found: list[tuple[str, int | None, ArmyUnit]] = []
        for at, detachment in enumerate(self.detachments):
            found += [(f"detachments[{at}].units[{n}]", at, unit) for n, unit in enumerate(detachment.units)]
        return (*found, *((f"units[{n}]", None, unit) for n, unit in enumerate(self.units)))


# ---------------------------------------------------------------- missions and battles


class MissionMarkers(Markers):
    """Objective markers that the players, the battlefield or the mission places.

    ``at`` lists (along, across) offsets in inches from the centre of the battlefield.
    """

    placed_by: Literal["players", "battlefield", "mission"]  # type: ignore[assignment]
    at: Annotated[tuple[tuple[Away, Away], ...], Field(max_length=MANY)] = ()

    @model_validator(mode="after")
    def _by_mission(self) -> Self:
        if (self.placed_by == "mission") != bool(self.at):
            raise Expected(
                "places if the mission says where markers stand, and only then", "are given", "at", len(self.at)
            )
        if self.at and len(self.at) != self.number:
            raise Expected(f"{self.number} places", "are given", "at", len(self.at))
        return self

    def places(self, size: tuple[float, float]) -> tuple[tuple[float, float], ...]:
        """Places of the markers on a battlefield of this size, in its coordinates (w9.mission.crossfire-map)."""
        length, width = size
        return tuple(
            (length / 2 + along, width / 2 + across) if length >= width else (length / 2 + across, width / 2 + along)
            for along, across in self.at
        )


class ActionSpec(Content):
    """An action that units may perform in a mission (w9.actions.definition); it starts and ends at ends of phases."""

    name: Name
    starts: Literal["command", "movement", "psychic", "shooting", "charge", "fight", "morale"]
    starts_in: Literal["own", "opponents"] = "own"  # turn
    ends: Literal["command", "movement", "psychic", "shooting", "charge", "fight", "morale"] = "morale"
    ends_in: Literal["own", "opponents"] = "own"
    keyword: KeywordName | None = None  # of units that may perform it
    marker: Inches = 0.0  # how near to an objective marker they start it, 0: anywhere
    several: Flag = False  # more than one unit may start it in a battle round
    effect: Name = "none"
    amount: Count = 0

    @model_validator(mode="after")
    def _known_effect(self) -> Self:
        check_effect(self.effect, NINTH_EDITION.effects)
        return self

    @property
    def action(self) -> Action:
        """The action as an object of the rules."""
        return Action(
            self.name,
            When(Phase[self.starts.upper()], Whose[self.starts_in.upper()]),
            When(Phase[self.ends.upper()], Whose[self.ends_in.upper()]),
            keyword=self.keyword or "",
            marker=self.marker,
            several=self.several,
            effect=self.effect,
            amount=self.amount,
        )


class PsychicActionSpec(Content):
    """A psychic action of a mission (w9.actions.psychic)."""

    name: Name
    charge: Some
    effect: Name = "none"
    amount: Amount = Amount()
    near: Literal["anywhere", "centre", "marker"] = "anywhere"
    reach: Inches = 0.0  # how near the psyker has to be

    @model_validator(mode="after")
    def _known_effect(self) -> Self:
        check_effect(self.effect, NINTH_EDITION.effects)
        return self

    @property
    def action(self) -> PsychicAction:
        """The psychic action as an object of the rules."""
        amount = (self.amount.dice, self.amount.sides, self.amount.plus)
        near = Near[self.near.upper()]
        return PsychicAction(self.name, self.charge, self.effect, reach=self.reach, amount=amount, near=near)


class Mission(battles.Mission):
    """The numbers of a mission (w9.mission.only-war.*)."""

    first_scoring_round: Some = 1
    vp_each_marker: Count
    vp_more_markers: Count
    vp_warlord: Count
    markers: MissionMarkers
    crusade: Flag = False  # its steps have the numbers of Crusade missions
    actions: Annotated[tuple[ActionSpec, ...], Field(max_length=MANY)] = ()
    psychic_actions: Annotated[tuple[PsychicActionSpec, ...], Field(max_length=MANY)] = ()
    unconfirmed: Names = ()

    def marker_places(self, size: tuple[float, float]) -> tuple[tuple[float, float], ...] | None:
        """The places that the mission gives its markers (w9.mission.crossfire-map); None: it gives none."""
        return self.markers.places(size) if self.markers.at else None
