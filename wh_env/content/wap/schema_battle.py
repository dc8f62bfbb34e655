"""Schemas of rules, battlefields, missions and battles of the game of regiments. Lengths are inches."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from wh_env.content.errors import Expected
from wh_env.content.fields import (
    Content,
    Count,
    Drawing,
    Few,
    Flag,
    Inches,
    Length,
    Name,
    Polygon,
    Rounds,
    Seed,
    Side,
    Some,
    Spec,
)
from wh_env.content.geometry import counter_clockwise, fault_of_polygon, is_convex
from wh_env.content.wap.schema_terrain import Cover, Kind

MANY = 64
Storeys = Annotated[int, Field(strict=True, ge=1, le=9)]
Percent = Annotated[int, Field(strict=True, ge=0, le=100)]
Face = Annotated[int, Field(strict=True, ge=1, le=6)]  # of a die
Chapter = Literal["battleline", "dawn-attack", "pass", "blood-and-glory", "meeting-engagement", "watchtower"]


class Degrees(Content):
    """The lead, in percent of the armies' points, from which a victory has each degree (wap.victory.result)."""

    minor: Annotated[Percent, Field(alias="minor victory")]
    solid: Annotated[Percent, Field(alias="solid victory")]
    massacre: Percent

    @model_validator(mode="after")
    def _rise(self) -> Degrees:
        """Check that each greater victory needs at least as much as the one before."""
        for name, less, more in (("solid victory", self.minor, self.solid), ("massacre", self.solid, self.massacre)):
            if more < less:
                raise Expected(f"at least {less}, as for a lesser victory", "is less", name, more)
        return self


class VictoryPoints(Content):
    """Victory points in percent of a unit's cost (wap.victory.points)."""

    destroyed: Percent
    scattered: Percent
    broken: Percent
    decimated: Percent
    wounded: Percent
    general: Few  # points for the enemy's General (wap.victory.points)
    standard: Few  # ... for each standard captured, and for that of the army (wap.victory.standards)
    battle_standard: Few


class Limits(Content):
    """Limits of an army list, in percent of the points of the game (wap.army.percentages) and per thousand points."""

    percent_of: Literal["game", "spent"]
    core_least: Percent
    special_most: Percent
    rare_most: Percent
    lords_most: Percent
    heroes_most: Percent
    characters_most: Percent  # Lords and Heroes together
    units_each: Annotated[
        int, Field(strict=True, ge=1, le=100_000)
    ]  # one unit for each such number of points (wap.army.units.minimum)
    units_by: Literal["table", "text"]
    duplicates_each: Annotated[
        int, Field(strict=True, ge=1, le=100_000)
    ]  # one more for each such number of points (wap.army.duplicates)
    special_duplicates_from: Count
    rare_duplicates_from: Count


class Rules(Content):
    """Numbers of the game; see ``configs/wap/rules.yaml``."""

    table: tuple[Side, Side]
    rounds: Rounds
    one_inch: Inches
    enemy_sighted: Inches
    rally_quarter: Percent
    flight_dice: Some
    swift_flight: Literal["text", "table"]
    panic_strength: Few
    panic_distance: Inches
    panic_casualties: Percent
    degrees: Degrees
    narrowest_ranked: Some
    best_rank_bonus: Few
    attack_strength: Few
    disorganising_strength: Few
    steadfast_strength: Few
    impassable_sight: Few
    victory: VictoryPoints
    command_points: Few
    army: Limits
    conceding: Flag
    two_books: Flag
    lists: Literal["open", "hidden"]
    cheap_unit: Few
    small_target: Few
    large_charger: Few
    run_down_strength: Few
    run_down_wounds: Few
    cover_sight: Few
    close_quarters: Inches
    close_quarters_strength: Few
    leaders_distance: Inches
    leaders_tall: Inches
    scenarios: tuple[Name, Name, Name, Name, Name, Name]  # missions by the die that names them


class Crossing(Content):
    """A bridge or a ford of a river: open ground for units that are not wider (wap.terrain.river.crossing)."""

    polygon: Polygon  # convex; it may reach beyond the banks
    wide: Length


class Feature(Content):
    """A terrain feature; one without a kind is open ground (wap.terrain.agreement)."""

    kind: Literal["open", "dangerous", "impassable", Kind] = "open"
    example: Name | None = None  # of its kind, in configs/wap/terrain
    cover: Cover | None = None  # for units behind it (wap.shoot.cover.light, .heavy); not given: that of its kind
    name: Name | None = None
    polygon: Polygon
    mirror: Flag = False  # it stands a second time, turned by half a turn about the centre of the table
    levels: Storeys | None = None  # of a hill; not given: one
    storeys: Storeys | None = None  # of a building; an example without them is sealed
    # models that may shoot from each storey of a building; not given: five (wap.building.shooting.five-per-storey)
    shooters: Annotated[int, Field(strict=True, ge=1, le=99)] | None = None
    crossings: Annotated[tuple[Crossing, ...], Field(max_length=8)] = ()  # of a river
    water: Flag = False  # impassable ground that is deep water, open to Aquatic units (wap.special.aquatic.movement)

    @model_validator(mode="after")
    def _of_its_kind(self) -> Feature:
        """Check that it says what its kind needs, and nothing that only another kind has."""
        if self.kind == "building" and self.storeys is None and self.example is None:  # wap.building.arcane.type
            raise Expected("a number of storeys, at least 1, beside `kind: building`", "is missing", "storeys")
        for field, kind in (
            ("levels", "hill"),
            ("storeys", "building"),
            ("shooters", "building"),
            ("crossings", "river"),
            ("water", "impassable"),
        ):
            if getattr(self, field) and self.kind != kind:
                raise Expected(f"{kind}, as the feature has {field}", f"has no {field}", "kind", self.kind)
        for at, bridge in enumerate(self.crossings):
            if fault_of_polygon(bridge.polygon) or not is_convex(counter_clockwise(bridge.polygon)):
                value = [list(point) for point in bridge.polygon]
                raise Expected("a convex polygon with an area", "is not one", f"crossings[{at}].polygon", value)
        return self


class Battlefield(Content):
    """A table with its terrain."""

    name: Name
    size: tuple[Side, Side] | None = None  # not given: that of the rules
    features: Annotated[tuple[Feature, ...], Field(max_length=MANY)] = ()


class Area(Content):
    """A part of a deployment zone that dice send units to (wap.scenario.dawn-attack.table).

    Left and right are as seen by a player who looks at the enemy.
    """

    dice: Annotated[tuple[Face, ...], Field(min_length=1, max_length=6)]
    name: Name
    where: Literal[
        "left", "right", "centre", "anywhere"
    ]  # within ``inches`` of a side of the table, or farther from both sides; or all of the zone
    inches: Inches = 0.0


class Deployment(Content):
    """Where and in which order armies are deployed, and the dice rolled before."""

    # the half of the table that each player has: along its length; one of its ends; the half on the player's side of a
    # line from corner to corner
    zones: Literal["halves", "ends", "corners"]
    beyond_centre: Length  # farther than this from the line between the halves
    from_sides: Inches = 0.0  # ... and from the edges of the table beside the zone
    order: Literal[
        "alternate", "whole"
    ]  # one unit each in turn; or the whole army of the player who chose his half, then the other
    areas: Annotated[
        tuple[Area, ...], Field(max_length=6)
    ] = ()  # before each unit is placed a D6 says where in the zone it goes
    # a D6 is rolled for each unit before an army is placed: on these faces the unit is late, and comes as a
    # reinforcement over the long edge of its half
    late: Annotated[tuple[Face, ...], Field(max_length=6)] = ()
    # the winner of the roll-off holds the feature that decides the battle, and may deploy a garrison in it; his
    # opponent chooses his half and deploys first (wap.scenario.watchtower.control, .side)
    tower_held: Flag = False

    @model_validator(mode="after")
    def _faces(self) -> Deployment:
        """Check that only zones with sides have areas, and that every face of the die names one area."""
        if self.areas and self.zones == "corners":
            raise Expected(
                "no areas in zones between corners", "have no left and no right side", "areas", len(self.areas)
            )
        faces = sorted(face for area in self.areas for face in area.dice)
        if self.areas and faces != [1, 2, 3, 4, 5, 6]:
            raise Expected("each face of a die once", "are those that areas name", "areas", faces)
        for field in ("areas", "late"):
            if getattr(self, field) and self.order != "whole":
                raise Expected(
                    "order: whole, as is rolled for an army or for each of its units",
                    "asks for no dice",
                    "order",
                    self.order,
                )
        return self


class FirstTurn(Content):
    """Which player has the first turn: a roll-off with 1 added for one player.

    With ``second-chooses`` a die of the player who deployed second decides which player chooses. With
    ``deployed-first`` the player who deployed first has it, and no die is rolled.
    """

    roll: Literal["finished-first", "fewer-units", "second-chooses", "deployed-first"]
    least: Face = 6  # the die with which he chooses, or more; with less his opponent does


class Fortitude(Content):
    """When an army leaves the field (wap.scenario.blood-and-glory.fortitude, .breaking-point).

    Its Fortitude counts its banners and its General.
    """

    general: Few  # the number of banners that the General counts as
    points: Annotated[
        int, Field(strict=True, ge=1, le=100_000)
    ]  # of the army for each point of its Breaking Point, fractions rounded up


class Control(Content):
    """The terrain feature that decides a battle.

    The player whose units that do not flee have more Unit Strength within ``within`` inches controls it.
    """

    feature: Name  # of the battlefield
    within: Inches
    garrison: Few = 0  # the most Unit Strength that a garrison of the feature counts in addition


class Tower(Content):
    """The building that stands in the centre of the table where the battlefield has none of its name
    (wap.scenario.watchtower.tower).
    """

    storeys: Some
    size: tuple[Length, Length]  # along the length and the width of the table


class Ends(Content):
    """When a battle of uncertain length ends: at the end of each game turn from ``turn`` on, if a D6 and the number of
    the turn make ``total`` or more (wap.scenario.watchtower.length).
    """

    turn: Rounds
    total: Some


class Mission(Content):
    """A scenario with its seven fields (wap.scenario.format).

    ``victory`` says how the winner is decided (wap.victory.by-scenario).
    """

    name: Name
    armies: Name
    battlefield: Name
    deployment: Deployment
    first_turn: FirstTurn
    rounds: Rounds
    victory: Literal["points", "control", "fortitude"]
    control: Control | None = None  # of ``victory: control``
    tower: Tower | None = None  # the feature that ``control`` names, unless the battlefield has one
    ends: Ends | None = None  # not given: after ``rounds`` game turns; given: then at the latest
    fortitude: Fortitude | None = None  # of ``victory: fortitude``
    long_edges: Literal["open", "impassable"] = "open"  # of the table (wap.scenario.pass.bottleneck.*)
    special_rules: Annotated[tuple[Name, ...], Field(max_length=16)]
    chapter: Chapter = "battleline"  # of the rules that events of the battle cite

    @model_validator(mode="after")
    def _decided(self) -> Mission:
        """Check that the fields that a kind of victory needs are given, and only for that kind."""
        if self.victory == "fortitude" and self.fortitude is None:
            raise Expected("what armies are worth beside `victory: fortitude`", "is missing", "fortitude")
        if self.victory != "fortitude" and self.fortitude is not None:
            raise Expected(
                "fortitude, as the mission says what armies are worth", "asks for no Fortitude", "victory", self.victory
            )
        if self.victory == "control" and self.control is None:
            raise Expected("a feature and a distance beside `victory: control`", "is missing", "control")
        if self.victory != "control" and self.control is not None:
            raise Expected("control, as the mission names a feature", "asks for no feature", "victory", self.victory)
        held = (("tower", self.tower), ("deployment.tower_held", self.deployment.tower_held or None))
        for field, value in held:
            if value is not None and self.control is None:
                raise Expected("`control`, which names the feature", "is of no feature", field)
        return self


# of drawn armies, by size
POINTS: Mapping[str, int] = MappingProxyType({"patrol": 500, "clash": 1000, "battle": 2000, "grand": 2500})


class Random(Drawing):
    """How the mission, the battlefield or an army is drawn if a battle names it ``random``."""

    size: Literal["patrol", "clash", "battle", "grand"] = "clash"  # of armies: 500, 1,000, 2,000, 2,500 points
    factions: tuple[Name | None, Name | None] = (None, None)  # sheets of player 0 and of player 1; null: any


class Battle(Content):
    """A battle: its armies, battlefield and mission. Names refer to other files; each may be given inline."""

    name: Name
    ruleset: Literal["wap"]
    battlefield: Spec | dict[str, Any]  # ``random``: laid out by chance (wap.battle.terrain.placing)
    mission: Spec | dict[str, Any]  # ``random``: by a die (wap.scenario.select.random)
    # of player 0 and of player 1; ``random``: drawn from an army sheet
    armies: tuple[Spec | dict[str, Any], Spec | dict[str, Any]]
    rules: dict[str, Any] = Field(default_factory=dict)  # replace those of configs/wap/rules.yaml, by name
    detail: Literal["full", "squad"] = "squad"
    seed: Seed | None = None
    points: Annotated[int, Field(strict=True, ge=1, le=100_000)] | None = None  # not given: of the dearer army
    random: Random | None = None
