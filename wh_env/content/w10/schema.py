"""Schemas of the 10th edition's YAML files: datasheets, factions, armies, missions.

Every model is frozen and refuses unknown keys. Numbers are written as on a datasheet (``3+``, ``D6+1``, ``Melee``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from wh_env.content.errors import Expected
from wh_env.content.fields import (
    Amount,
    Content,
    Count,
    Day,
    Few,
    Flag,
    Length,
    Move,
    Name,
    Positive,
    Roll,
    Some,
    Wounds,
)
from wh_env.content.w40k import battles, datasheets, schema
from wh_env.content.w40k.datasheets import Names
from wh_env.content.w40k.keywords import KeywordName
from wh_env.content.w40k.schema import MANY, OtherAbility
from wh_env.content.w40k.weapons import Weapon
from wh_env.rulesets.w40k.profiles import Ability, WeaponAbility

# ---------------------------------------------------------------- datasheets


class ModelType(datasheets.ModelKind):
    """One kind of model of a unit with its characteristics."""

    M: Move  # 0 for "-"
    M_roll: Amount | None = None  # a random Move; written as ``M: 2D6``
    T: Some
    Sv: Roll
    W: Wounds
    Ld: Roll
    OC: Few
    invuln: Roll | None = None
    invuln2: Roll | None = None
    fnp: Roll | None = None

    @model_validator(mode="before")
    @classmethod
    def _random_move(cls, data: Any) -> Any:
        if isinstance(data, Mapping) and isinstance(data.get("M"), str) and "D" in data["M"].upper():
            return {**data, "M": 0, "M_roll": data["M"]}
        return data


class Transport(datasheets.Transport):
    """A TRANSPORT whose passengers may fire from it; if ``one_of`` names keywords, they need one of them."""

    one_of: datasheets.Keywords = ()
    firing_deck: Few = 0


class Abilities(datasheets.NamedAbilities):
    """Core abilities with their numbers, and the others by name."""

    leader: Names = ()  # datasheets it can be attached to
    leader_needs: Annotated[dict[Name, Name], Field(max_length=MANY)] = Field(
        default_factory=dict
    )  # to some only with this weapon or item
    no_warlord: Flag = False
    transport: Transport | None = None
    deep_strike: Flag = False
    scouts: Length | None = None
    infiltrators: Flag = False
    hover: Flag = False
    lone_operative: Flag = False
    stealth: Flag = False
    fights_first: Flag = False
    feel_no_pain: Roll | None = None
    deadly_demise: Amount | None = None
    damaged: Count | None = None  # -1 to hit at this number of wounds or fewer


class PointsRow(Content):
    """A unit of up to ``models`` models costs ``points``."""

    models: Some
    points: Count


PointsRows = Annotated[tuple[PointsRow, ...], Field(max_length=MANY)]


class PointsList(Content):
    """Points of units, by datasheet, and of Enhancements: one dated list for all armies of the ruleset."""

    data_source: Name = Field(alias="source")
    as_of: Day
    points: Annotated[dict[Name, PointsRows], Field(max_length=2000)]
    enhancements: Annotated[dict[Name, Count], Field(max_length=2000)] = Field(default_factory=dict)


class Datasheet(datasheets.Datasheet):
    """One datasheet."""

    models: Annotated[tuple[ModelType, ...], Field(min_length=1, max_length=MANY)]
    weapons: Annotated[dict[Name, Weapon], Field(max_length=MANY)]
    abilities: Abilities = Abilities()
    points: PointsRows = ()  # not given: those of the list of points (``points.priced``)

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        rows = [row.models for row in self.points]
        expected = f"rising numbers of models within {self.smallest}-{self.largest}"
        if not self.sizes_fit(rows):
            raise Expected(expected, "are the sizes with points", "points", rows)
        return self

    def sizes_fit(self, rows: list[int]) -> bool:
        """Whether units of these sizes can have points: rising numbers within the allowed sizes."""
        return rows == sorted(set(rows)) and all(self.smallest <= row <= self.largest for row in rows)

    def cost(self, models: int) -> int:
        """Points of a unit of ``models`` models, without options."""
        return next((row.points for row in self.points if row.models >= models), self.points[-1].points)

    @property
    def core(self) -> Ability:
        """The bits of its core abilities."""
        a = self.abilities
        every_fnp = a.feel_no_pain or all(model.fnp for model in self.models)
        psychic = any(o.psychic for o in (*a.other, *a.auras)) or any(
            p.flags & WeaponAbility.PSYCHIC for w in self.weapons.values() for p in w.profiles
        )
        held = {
            Ability.LEADER: a.leader,
            Ability.DEEP_STRIKE: a.deep_strike,
            Ability.SCOUTS: a.scouts,
            Ability.INFILTRATORS: a.infiltrators,
            Ability.HOVER: a.hover,
            Ability.LONE_OPERATIVE: a.lone_operative,
            Ability.STEALTH: a.stealth,
            Ability.FIGHTS_FIRST: a.fights_first,
            Ability.FIRING_DECK: a.transport and a.transport.firing_deck,
            Ability.DEADLY_DEMISE: a.deadly_demise,
            Ability.FEEL_NO_PAIN: every_fnp,
            Ability.PSYCHIC: psychic,
            Ability.AURA: a.auras,
        }
        flags = Ability(0)
        for bit, has in held.items():
            if has:
                flags |= bit
        return flags


class Enhancement(OtherAbility):
    """An upgrade for a CHARACTER."""

    points: Count
    only: KeywordName | None = None  # for models with it


class Stratagem(OtherAbility):
    """A Stratagem of a Detachment: its cost, and when and on which unit it is used (``chooses``).

    Each Stratagem can be used once in a phase.
    """

    cp: Annotated[int, Field(strict=True, ge=1, le=9)]

    @model_validator(mode="after")
    def _chooses(self) -> Self:
        if self.active and (self.chooses is None or self.chooses.whom in ("army", "enemy")):
            raise Expected("chooses, with whom: friend or itself", "says on whom it is used", "chooses", self.chooses)
        return self


class Detachment(Content):
    """Detachment rules of a faction."""

    name: Name
    rules: tuple[OtherAbility, ...] = ()
    requires: tuple[Name, ...] = ()  # datasheets
    forbids: tuple[Name, ...] = ()
    enhancements: tuple[Enhancement, ...] = ()
    stratagems: Annotated[tuple[Stratagem, ...], Field(max_length=12)] = ()


class Faction(schema.Faction):
    """A faction: its keyword, army rules and detachments."""

    rules: tuple[OtherAbility, ...] = ()
    detachments: tuple[Detachment, ...] = ()


# ---------------------------------------------------------------- armies


class ArmyUnit(battles.ArmyUnit):
    """One unit of an army."""

    leads: Name | Count | None = None  # id or index of the unit that this Leader starts attached to
    reserves: Literal["deep-strike", "strategic"] | None = None
    hover: Flag = False  # an AIRCRAFT starts the battle in Hover mode
    enhancement: Name | None = None


class Army(Content):
    """An army list. ``points_limit`` not given: the limit of the battle's size.

    ``without`` names what the rules ask for and the list lacks on purpose, to be tried in play: ``warlord``, a
    CHARACTER unit that holds the Warlord.
    """

    name: Name
    faction: Name
    detachment: Name | None = None
    points_limit: Positive | None = None
    without: Annotated[tuple[Literal["warlord"], ...], Field(max_length=1)] = ()
    units: Annotated[tuple[ArmyUnit, ...], Field(min_length=1, max_length=100)]
    datasheets: Annotated[
        tuple[Datasheet, ...], Field(max_length=100)
    ] = ()  # datasheets of its own, beside those of the ruleset


# ---------------------------------------------------------------- missions


class Score(Content):
    """Victory points for held objective markers."""

    name: Name
    first_scoring_round: Some
    vp_each_marker: Count
    max_vp_per_turn: Count
    max_vp_total: Count


class Mission(battles.Mission):
    """The numbers of a mission."""

    primary: Annotated[tuple[Score, ...], Field(min_length=1, max_length=1)]
    special_rules: Annotated[tuple[OtherAbility, ...], Field(max_length=MANY)] = ()
    attacker: Literal["roll-off"] = "roll-off"
    first_turn: Literal["roll-off"] = "roll-off"

    @model_validator(mode="after")
    def _played(self) -> Self:
        """Refuse what the engine does not play: a total limit that cuts off points, special rules with an effect."""
        score = self.primary[0]
        most = score.max_vp_per_turn * max(0, self.rounds - score.first_scoring_round + 1)
        if score.max_vp_total < most:
            expected = f"at least {most}, which {self.rounds} battle rounds allow: only turns are limited"
            raise Expected(expected, "is too little", "primary[0].max_vp_total", score.max_vp_total)
        for at, rule in enumerate(self.special_rules):
            if rule.active:
                expected = "false: special rules of missions are declared and not played"
                raise Expected(expected, "is not played", f"special_rules[{at}].active", True)
        return self
