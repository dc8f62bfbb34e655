"""Schemas of the Epic-scale game's YAML files.

Lengths are centimetres. Every model is frozen and refuses unknown keys.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from wh_env.content.errors import Expected
from wh_env.content.fields import (
    Content,
    Count,
    Day,
    Drawing,
    Few,
    Flag,
    Inches,
    Length,
    Name,
    Point,
    Polygon,
    Positive,
    Roll,
    Rounds,
    Seed,
    Some,
    Spec,
)
from wh_env.rulesets.epic.codes import PASSAGE, RANKS, TRAITS

Centimetres = Inches  # at least 0
Whole = Annotated[int, Field(strict=True, ge=-100, le=100)]
TableSide = Annotated[float, Field(strict=True, ge=20, le=1000, allow_inf_nan=False)]
Radius = Annotated[float, Field(strict=True, ge=0.1, le=50, allow_inf_nan=False)]
MANY = 64  # entries of a list
Dice = Annotated[int, Field(strict=True, ge=1, le=6)]
MOST_UNITS = 30  # in a formation: slots of the action space
NEEDED = (7, 8, 9)

# ---------------------------------------------------------------- army sheets and armies


class Weapon(Content):
    """A weapon of a unit card."""

    name: Name
    range_cm: Length
    dice: Annotated[int, Field(strict=True, ge=1, le=20)]
    to_hit: Roll
    save_modifier: Few = 0
    turret: Flag = False  # fires all round


class Card(Content):
    """A unit card (epic.profile.card)."""

    rank: Annotated[Literal["infantry", "light-vehicle", "heavy-vehicle"], Field(alias="class")]
    traits: tuple[Literal["anti-grav", "aerial"], ...] = ()
    move_cm: Centimetres
    save: Roll | None  # null: none
    assault_factor: Whole
    weapons: Annotated[tuple[Weapon, ...], Field(max_length=8)] = ()

    @model_validator(mode="after")
    def _one_shot(self) -> Self:
        if self.rank == "infantry" and len(self.weapons) > 1:
            raise Expected(
                "at most one weapon (a model of infantry fires once)", "has too many", "weapons", len(self.weapons)
            )
        return self

    @property
    def is_vehicle(self) -> bool:
        """Whether it is a vehicle, a formation of its own."""
        return self.rank != "infantry"

    @property
    def rank_code(self) -> int:
        """Its pinning class."""
        return RANKS[self.rank]

    @property
    def trait_bits(self) -> int:
        """Bits of its traits."""
        return sum(TRAITS[trait] for trait in set(self.traits))


class Sheet(Content):
    """The reference sheet of an army (epic.profile.army)."""

    name: Name
    strategic_value: Few
    morale: Roll
    cards: Annotated[dict[Name, Card], Field(max_length=MANY)]
    data_source: Name | None = Field(default=None, alias="source")  # where its numbers are from ...
    as_of: Day | None = None  # ... and of when they are


class FormationEntry(Content):
    """One formation of an army: a number of units of each card; a squad of infantry or a single vehicle."""

    name: Name
    units: Annotated[dict[Name, Some], Field(min_length=1, max_length=MANY)]

    @property
    def size(self) -> int:
        """Number of units."""
        return sum(self.units.values())


class Army(Content):
    """An army: its sheet and its formations."""

    name: Name
    sheet: Spec | dict[str, Any]
    formations: Annotated[tuple[FormationEntry, ...], Field(min_length=1, max_length=MANY)]


# ---------------------------------------------------------------- battlefields


class Feature(Content):
    """A terrain feature: a kind from the rules' terrain table, and its outline on the table."""

    kind: Name
    polygon: Polygon
    mirror: Flag = False  # it stands a second time, turned by half a turn about the centre of the table


class Battlefield(Content):
    """A table with its terrain and objectives."""

    name: Name
    size: tuple[TableSide, TableSide] | None = None  # not given: that of the rules
    features: Annotated[tuple[Feature, ...], Field(max_length=MANY)] = ()
    objectives: Annotated[tuple[Point, ...], Field(max_length=32)] = ()


# ---------------------------------------------------------------- rules


class Counters(Content):
    """Initiative counters by Strategic Value."""

    higher: Some
    lower: Some
    equal: Some

    @model_validator(mode="after")
    def _enough(self) -> Self:
        if min(self.higher + self.lower, 2 * self.equal) < 3:
            raise Expected("at least 3 counters in the cup: three are drawn in a turn")
        return self


class Order(Content):
    """The actions that an order allows."""

    move: Annotated[float, Field(strict=True, ge=0, le=10, allow_inf_nan=False)] = 0.0  # times the Movement
    move_cm: Centimetres | None = None  # instead of it
    fires: Flag
    reroll_natural_ones: Flag = False
    reaction_to_hit: Whole | None = None  # fires in the enemy's movement with this modifier; not given: it does not
    assault_move: Flag = False


class Retreat(Content):
    """Effects of retreat."""

    move: Annotated[float, Field(strict=True, gt=0, le=10, allow_inf_nan=False)]
    assault_factor: Whole


class Ground(Content):
    """One row of the terrain table."""

    infantry: Literal["normal", "dangerous", "impassable"] = "normal"
    vehicle: Literal["normal", "dangerous", "impassable"] = "normal"
    cover: Annotated[int, Field(strict=True, ge=-100, le=0)] = 0  # to-hit modifier of shots at whatever is in it
    sight: Literal["clear", "blocks"] | Length = "clear"  # a length: so deep can be seen into and out of it
    carries: Flag = False  # other features may stand on it

    @property
    def passages(self) -> tuple[int, int]:
        """Passage codes for infantry and for vehicles."""
        return PASSAGE[self.infantry], PASSAGE[self.vehicle]


class Assault(Content):
    """Numbers of the assault phase."""

    dice: Annotated[int, Field(strict=True, ge=1, le=20)]  # of each side in a combat
    infantry_move: Annotated[
        float, Field(strict=True, gt=0, le=10, allow_inf_nan=False)
    ]  # times the Movement, if that lets it engage


class Broken(Content):
    """Points for enemy formations at their break point: ``points`` for every ``every`` starting units or part of it."""

    points: Count
    every: Positive
    vehicle_counts: Positive


class Rules(Content):
    """The numbers and tables of the game; see ``configs/epic/rules.yaml``."""

    table_cm: tuple[TableSide, TableSide]
    turns: Rounds
    deployment: Literal["alternate", "one-army-first", "secret"]
    deployment_depth_cm: Length
    attacker: Annotated[int, Field(strict=True, ge=0, le=1)] | None = None  # has the south edge; not given: by lot
    counters: Counters
    orders: Annotated[dict[Name, Order], Field(min_length=1, max_length=16)]
    retreat: Retreat
    coherency_cm: Length
    clearance_cm: Centimetres
    fine_cm: Radius
    infantry_radius_cm: Radius
    vehicle_radius_cm: Radius
    terrain: Annotated[dict[Name, Ground], Field(max_length=MANY)]
    second_die: dict[int, Dice]
    cover_save: Count
    best_save: Annotated[int, Field(strict=True, ge=2, le=6)]
    rear_save_modifier: Count
    assault: Assault
    objective_points: Count
    objective_reach_cm: Length
    broken: Broken

    @model_validator(mode="after")
    def _seven_eight_nine(self) -> Self:
        if tuple(sorted(self.second_die)) != NEEDED:
            raise Expected("a second die for 7, 8 and 9", "is not that", "second_die", self.second_die)
        return self


# ---------------------------------------------------------------- battles


class Random(Drawing):
    """How the ``random`` parts of a battle are drawn; fields that are not given have their defaults."""

    size: Literal["patrol", "company"] = "company"  # of the armies
    factions: tuple[Name | None, Name | None] = (None, None)  # sheets of player 0 and of player 1; null: any


class Battle(Content):
    """A battle: its armies and its battlefield. Names refer to other files; each may be given inline."""

    name: Name
    ruleset: Literal["epic"]
    battlefield: Spec | dict[str, Any]
    armies: tuple[Spec | dict[str, Any], Spec | dict[str, Any]]  # of player 0 and of player 1
    rules: dict[str, Any] = Field(default_factory=dict)  # replace those of configs/epic/rules.yaml, by name
    detail: Literal["full", "squad"] = "squad"
    seed: Seed | None = None
    random: Random | None = None  # how a battlefield or armies named ``random`` are drawn
