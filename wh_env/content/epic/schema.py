"""Schemas of the Epic-scale game's YAML files. Lengths are centimetres; everything is frozen and refuses unknown keys."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from wh_env.content.errors import Expected
from wh_env.content.fields import Content, Count, Flag, Inches, Length, Name, Point, Polygon, Positive, Real, Roll
from wh_env.rulesets.epic.codes import PASSAGE, RANKS, TRAITS

Centimetres = Inches  # at least 0
Whole = Annotated[int, Field(strict=True)]
Dice = Annotated[int, Field(strict=True, ge=1, le=6)]
MOST_UNITS = 30  # in a formation: slots of the action space
NEEDED = (7, 8, 9)

# ---------------------------------------------------------------- army sheets and armies


class Weapon(Content):
    """A weapon of a unit card."""

    name: Name
    range_cm: Length
    dice: Positive
    to_hit: Roll
    save_modifier: Count = 0
    turret: Flag = False  # fires all round


class Card(Content):
    """A unit card (epic.profile.card)."""

    rank: Annotated[Literal["infantry", "light-vehicle", "heavy-vehicle"], Field(alias="class")]
    traits: tuple[Literal["anti-grav", "aerial"], ...] = ()
    move_cm: Centimetres
    save: Roll | None  # null: none
    assault_factor: Whole
    weapons: tuple[Weapon, ...] = ()

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
    strategic_value: Count
    morale: Roll
    cards: dict[Name, Card]


class FormationEntry(Content):
    """One formation of an army: so many units of each card; a squad of infantry or a single vehicle."""

    name: Name
    units: Annotated[dict[Name, Positive], Field(min_length=1)]

    @property
    def size(self) -> int:
        """Number of units."""
        return sum(self.units.values())


class Army(Content):
    """An army: its sheet and its formations."""

    name: Name
    sheet: Name | dict[str, Any]
    formations: Annotated[tuple[FormationEntry, ...], Field(min_length=1)]


# ---------------------------------------------------------------- battlefields


class Feature(Content):
    """A terrain feature: a kind of the rules' terrain table and its outline on the table."""

    kind: Name
    polygon: Polygon
    mirror: Flag = False  # it stands a second time, turned by half a turn about the centre of the table


class Battlefield(Content):
    """A table with its terrain and objectives."""

    name: Name
    size: tuple[Length, Length] | None = None  # not given: that of the rules
    features: tuple[Feature, ...] = ()
    objectives: tuple[Point, ...] = ()


# ---------------------------------------------------------------- rules


class Counters(Content):
    """Initiative counters by Strategic Value."""

    higher: Positive
    lower: Positive
    equal: Positive

    @model_validator(mode="after")
    def _enough(self) -> Self:
        if min(self.higher + self.lower, 2 * self.equal) < 3:
            raise Expected("at least 3 counters in the cup: three are drawn in a turn")
        return self


class Order(Content):
    """What an order allows."""

    move: Annotated[Real, Field(ge=0)] = 0.0  # times the Movement
    move_cm: Centimetres | None = None  # instead of it
    fires: Flag
    reroll_natural_ones: Flag = False
    reaction_to_hit: Whole | None = None  # fires in the enemy's movement with this modifier; not given: it does not
    assault_move: Flag = False


class Retreat(Content):
    """Effects of retreat."""

    move: Length
    assault_factor: Whole


class Ground(Content):
    """One row of the terrain table."""

    infantry: Literal["normal", "dangerous", "impassable"] = "normal"
    vehicle: Literal["normal", "dangerous", "impassable"] = "normal"
    cover: Annotated[int, Field(strict=True, le=0)] = 0  # to-hit modifier of shots at infantry in it
    sight: Literal["clear", "blocks"] | Length = "clear"  # a length: so deep can be seen into and out of it
    carries: Flag = False  # other features may stand on it

    @property
    def passages(self) -> tuple[int, int]:
        """Codes for infantry and for vehicles."""
        return PASSAGE[self.infantry], PASSAGE[self.vehicle]


class Assault(Content):
    """Numbers of the assault phase."""

    dice: Positive  # of each side in a combat
    infantry_move: Length  # times the Movement, if that lets it engage


class Broken(Content):
    """Points for enemy formations at their break point: ``points`` for every ``every`` starting units or part of it."""

    points: Count
    every: Positive
    vehicle_counts: Positive


class Rules(Content):
    """The numbers and tables of the game; see ``configs/epic/rules.yaml``."""

    table_cm: tuple[Length, Length]
    turns: Positive
    deployment: Literal["alternate", "one-army-first", "secret"]
    deployment_depth_cm: Length
    attacker: Annotated[int, Field(strict=True, ge=0, le=1)] | None = None  # has the south edge; not given: by lot
    counters: Counters
    orders: Annotated[dict[Name, Order], Field(min_length=1, max_length=16)]
    retreat: Retreat
    coherency_cm: Length
    clearance_cm: Centimetres
    fine_cm: Length
    infantry_radius_cm: Length
    vehicle_radius_cm: Length
    terrain: dict[Name, Ground]
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


class Battle(Content):
    """A battle: by whom and where. Names refer to other files; each may be given inline."""

    name: Name
    ruleset: Literal["epic"]
    battlefield: Name | dict[str, Any]
    armies: tuple[Name | dict[str, Any], Name | dict[str, Any]]  # of player 0 and of player 1
    rules: dict[str, Any] = Field(default_factory=dict)  # replace those of configs/epic/rules.yaml, by name
    detail: Literal["full", "squad"] = "squad"
    seed: Count | None = None
