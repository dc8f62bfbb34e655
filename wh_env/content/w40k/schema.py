"""Schemas that the YAML files of the 40k editions share.

They are bases, abilities by their effect, battlefields, markers and random draws. Every model is frozen and refuses
unknown keys. Lengths are inches unless a name says otherwise.
"""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from wh_env.content.errors import Expected
from wh_env.content.fields import (
    INCH,
    Content,
    Count,
    Drawing,
    Few,
    Flag,
    Inches,
    Length,
    Millimetres,
    Name,
    Point,
    Polygon,
    Positive,
    Real,
    Side,
    Size,
)
from wh_env.content.w40k.keywords import KeywordName
from wh_env.rulesets.w40k.attack.abilities import BEARERS, EFFECTS, GUARDS
from wh_env.rulesets.w40k.attack.conditions import STATES
from wh_env.rulesets.w40k.attack.granting import CHANGES, FLAGS, MADE, ONLY_SUFFERED, SUFFERED

MANY = 32  # entries of a list within a datasheet or a feature

# ---------------------------------------------------------------- datasheets


class Base(Content):
    """The base of a model: round or oval in millimetres, or a hull in inches [length, width]."""

    circle_mm: Millimetres | None = None
    oval_mm: tuple[Millimetres, Millimetres] | None = None
    hull_in: tuple[Size, Size] | None = None

    @model_validator(mode="after")
    def _one(self) -> Self:
        if sum(v is not None for v in (self.circle_mm, self.oval_mm, self.hull_in)) != 1:
            raise Expected("exactly one of circle_mm, oval_mm, hull_in")
        return self

    @property
    def halves(self) -> tuple[float, float]:
        """Half length along the facing and half width, in inches."""
        if self.circle_mm is not None:
            return self.circle_mm / INCH / 2, self.circle_mm / INCH / 2
        length, width = self.hull_in or (0.0, 0.0)
        if self.oval_mm is not None:
            length, width = self.oval_mm[0] / INCH, self.oval_mm[1] / INCH
        return length / 2, width / 2


States = Annotated[tuple[Name, ...], Field(max_length=4)]


def check_states(field: str, states: tuple[str, ...]) -> None:
    """Check that these are known states of units.

    Raises:
        Expected: one is not known.
    """
    for state in states:
        if state not in STATES:
            raise Expected("one of " + ", ".join(STATES), "is no state of a unit", field, state)


class Play(Content):
    """One effect of an ability, and the conditions under which it counts.

    ``effect`` is one of ``wh_env.rulesets.w40k.attack.granting.CHANGES``, on attacks that the unit makes or suffers, or
    one of ``attack.abilities.EFFECTS``. A field that is not given restricts nothing.
    """

    effect: Name
    by: Annotated[int, Field(strict=True, ge=-8, le=8)] = 0  # the amount, of effects that have one
    attacks: Literal["made", "suffered"] = "made"
    weapons: Literal["melee", "ranged"] | None = None
    weapon: Annotated[tuple[Name, ...], Field(max_length=MANY)] = ()  # only these, by name of weapon or profile
    against: Annotated[tuple[KeywordName, ...], Field(max_length=MANY)] = ()  # the other unit of the attack has one
    unless: Annotated[tuple[KeywordName, ...], Field(max_length=MANY)] = ()  # the other unit has none of these
    facing: States = ()  # the other unit of the attack is in all these states
    when: States = ()  # the unit is
    under: Name | None = None  # only while this option of any choice of its player is in force on the unit
    leading: Flag = False  # only while its bearer leads a unit
    own: Flag = False  # only the models that bear it, not the rest of their unit
    range: Length | None = None  # works on units within range of its bearers
    affects: Literal["friendly", "enemy"] = "friendly"
    keyword: KeywordName | Annotated[tuple[KeywordName, ...], Field(min_length=1, max_length=8)] | None = (
        None  # only units with it, or with all of them, are affected
    )
    bearers: KeywordName | None = None  # rules of armies: the models that have it; not given: all of the army
    chosen: Literal["unit", "target"] | None = (
        None  # only while the choice of the ability marks the unit, or the other one
    )
    option: Name | None = None  # of the choice
    choice_of: Name | None = None  # the choice is that of another ability of the army
    same_as: Name | None = None  # it counts once with the ability of that name

    @property
    def power_effect(self) -> str:
        """The effect by the name that powers use."""
        return (MADE if self.attacks == "made" else SUFFERED) + self.effect if self.effect in CHANGES else self.effect

    @property
    def keywords(self) -> tuple[str, ...]:
        """Units that are affected need all of these keywords."""
        return (self.keyword,) if isinstance(self.keyword, str) else self.keyword or ()

    @property
    def _is_about_attacks(self) -> bool:
        """Whether a condition is given that only attacks can meet."""
        other = self.against or self.unless or self.facing or self.chosen == "target"
        return bool(self.by or self.weapons or self.weapon or other)

    @model_validator(mode="after")
    def _known(self) -> Self:
        if self.effect in CHANGES:
            if self.attacks == "made" and self.effect in ONLY_SUFFERED:
                raise Expected("suffered", "is no change of attacks that a unit makes", "attacks", self.attacks)
            if (self.by == 0) != (self.effect in FLAGS):
                raise Expected("an amount for an effect that has one, and for no other", "does not fit", "by", self.by)
        elif self.effect not in EFFECTS:
            raise Expected("one of " + ", ".join((*CHANGES, *EFFECTS)), "is no effect", "effect", self.effect)
        elif self._is_about_attacks:
            raise Expected("an effect on attacks", "has no amount, weapons or targets", "effect", self.effect)
        if self.effect in GUARDS and (self.when or self.under):
            raise Expected("no states", "are not asked for saves and Feel No Pain", "when", self.when or self.under)
        if self.effect in BEARERS and self.range is not None:
            raise Expected("an effect on units", "is one on its bearers alone", "effect", self.effect)
        check_states("when", self.when)
        check_states("facing", self.facing)
        return self


class Instead(Content):
    """The effect of a choice on units that are under an option of another choice."""

    under: Name  # the option
    effect: Name
    amount: Count = 0


class Chooses(Content):
    """The choice that an ability gives its player. Chosen units are marked, and ``Play.chosen`` tests the mark."""

    when: Literal[
        "command",
        "any command",
        "fight",
        "shot",
        "battle",
        "charged",
        "turn end",
        "attacks",
        "targeted",
        "enemy moved",
        "fought",
        "friend destroyed",
        "turn begins",
    ]
    whom: Literal["enemy", "friend", "itself", "army"]
    options: Annotated[tuple[Name, ...], Field(max_length=8)] = ()
    lasts: Literal["attacks", "phase", "turn", "command", "battle"] = "command"
    must: Flag = False
    once: Flag = False  # each option once in a battle
    reach: Length | None = None
    keyword: KeywordName | Annotated[tuple[KeywordName, ...], Field(min_length=1, max_length=8)] | None = (
        None  # one of them
    )
    without: Annotated[tuple[KeywordName, ...], Field(max_length=8)] = ()  # a unit that can be chosen has none of these
    bearers: KeywordName | None = None  # of rules of armies: only while a model with it is on the battlefield
    engaged: Flag = False
    free: Flag = False  # its own unit is not engaged
    beyond: Length | None = None  # its own unit is farther than so from all enemies
    inside: Name | None = None  # only units on which the ability of that name is in force
    twice: Name | None = None  # two units on which the ability of that name is in force, or one
    unless: Name | None = None  # not while a choice of that ability is in force
    replaces: Name | None = None  # on the unit a choice of that ability ends
    needs: Annotated[int, Field(strict=True, ge=2, le=6)] | None = None  # the die that is needed; with less ...
    fails: Name | None = None  # ... this effect is carried out on the bearer's unit
    least: Few = 0  # of the Charge roll
    declines: Flag = False  # a policy does not use it
    times: Annotated[int, Field(strict=True, ge=1, le=6)] = 1  # it is chosen so often, one after the other
    weapons: Literal["melee", "ranged"] | None = None  # where attacks were declared
    effect: Name | None = None  # carried out at once on each unit that is chosen
    amount: Count = 0
    instead: Instead | None = None

    @property
    def keywords(self) -> tuple[str, ...]:
        """Chosen units need one of these keywords; empty: any unit can be chosen."""
        return (self.keyword,) if isinstance(self.keyword, str) else self.keyword or ()

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if (self.needs is None) != (self.fails is None):
            raise Expected("needs and fails together", "lacks the other", "needs", self.needs)
        if self.twice is not None and self.whom != "friend":
            raise Expected("friend, where two units can be chosen", "is one", "whom", self.whom)
        return self


class OtherAbility(Content):
    """An ability beyond the core ones. ``active: false``: declared and reported, not played.

    An active ability has an effect of ``wh_env.rulesets.w40k.attack.abilities.EFFECTS``. It works on the unit of the
    models that have it: all models of the datasheet, or with ``wargear`` those equipped with that option or weapon.
    """

    name: Name
    effect: Name
    active: Flag = False
    psychic: Flag = False
    wargear: Name | None = None
    keyword: KeywordName | None = None  # only units with it are affected
    chooses: Chooses | None = None
    plays: Annotated[tuple[Play, ...], Field(max_length=MANY)] = ()  # its effects; ``effect`` says them in words then

    @model_validator(mode="after")
    def _known_effect(self) -> Self:
        options = self.chooses.options if self.chooses is not None else ()
        for at, play in enumerate(self.plays):
            if play.choice_of is not None:
                continue
            if play.chosen is not None and self.chooses is None:
                raise Expected("an ability that chooses", "has no choice", f"plays[{at}].chosen", play.chosen)
            if play.option is not None and play.option not in options:
                raise Expected("one of " + ", ".join(options), "is no option", f"plays[{at}].option", play.option)
        told = bool(self.plays) or (self.chooses is not None and self.chooses.effect is not None)
        if self.active and not told and self.effect not in EFFECTS:
            raise Expected("one of " + ", ".join(EFFECTS), "is no effect that can be active", "effect", self.effect)
        return self


class Aura(OtherAbility):
    """An Aura ability: it works on units within range."""

    range: Length
    affects: Literal["friendly", "enemy"] = "friendly"

    @model_validator(mode="after")
    def _reaches_others(self) -> Self:
        if self.active and not self.plays and self.effect in BEARERS:
            raise Expected("an effect on units", "is one on its bearers alone", "effect", self.effect)
        return self


# ---------------------------------------------------------------- battlefields

FeatureKind = Literal["ruins", "woods", "crater", "barricade", "debris", "statue", "container", "hill", "building"]
FEATURE_KINDS: tuple[str, ...] = (
    "ruins", "woods", "crater", "barricade", "debris", "statue", "container", "hill", "building",
)  # fmt: skip


class Opening(Content):
    """A gap in a wall: from .. to inches along its line, z_low .. z_high inches above the wall's foot."""

    start: Annotated[Inches, Field(alias="from")]
    end: Annotated[Length, Field(alias="to")]
    z_low: Inches = 0.0
    z_high: Length

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.start >= self.end or self.z_low >= self.z_high:
            raise Expected("from below to, and z_low below z_high")
        return self


class Wall(Content):
    """A wall: a line with a thickness (and openings), or a polygon."""

    line: Annotated[tuple[Point, ...], Field(min_length=2, max_length=MANY)] | None = None
    thickness: Length = 0.25
    polygon: Polygon | None = None
    z: Inches = 0.0
    height: Length
    openings: Annotated[tuple[Opening, ...], Field(max_length=MANY)] = ()

    @model_validator(mode="after")
    def _one(self) -> Self:
        if (self.line is None) == (self.polygon is None):
            raise Expected("either line or polygon")
        if self.polygon is not None and self.openings:
            raise Expected("openings only in a wall given by its line")
        return self


class Floor(Content):
    """An upper floor; models stand at ``height``."""

    polygon: Polygon
    height: Length


class Mass(Content):
    """A solid piece of a feature."""

    polygon: Polygon
    z: Inches = 0.0
    height: Length  # of its top above the ground
    walkable: Flag | None = None  # not given: as the kind of the feature says


class Parts(Content):
    """The parts of a feature; if not given, solid kinds are one mass and others have no parts."""

    walls: Annotated[tuple[Wall, ...], Field(max_length=MANY)] = ()
    floors: Annotated[tuple[Floor, ...], Field(max_length=MANY)] = ()
    masses: Annotated[tuple[Mass, ...], Field(max_length=MANY)] = ()


class Shape(Content):
    """A kind of terrain feature without a place, its footprint in local coordinates."""

    kind: FeatureKind
    polygon: Polygon
    height: Inches
    parts: Parts | None = None


class Feature(Content):
    """A terrain feature on the battlefield: a template with a place, or an own shape (``at`` shifts it)."""

    id: Name | None = None
    template: Name | None = None
    kind: FeatureKind | None = None
    polygon: Polygon | None = None
    height: Inches | None = None
    parts: Parts | None = None
    at: Point | None = None
    rotation: Real = 0.0  # degrees, counter-clockwise, about the shape's own origin
    mirror: Flag = False  # place it a second time, turned by 180 degrees about the centre of the battlefield

    @model_validator(mode="after")
    def _template_or_shape(self) -> Self:
        own = [self.kind, self.polygon, self.height]
        if self.template is not None:
            if any(v is not None for v in (*own, self.parts)):
                raise Expected("either template, or kind, polygon and height")
            if self.at is None:
                raise Expected("at: where the template stands", "has no place")
        elif any(v is None for v in own):
            missing = [n for n, v in zip(("kind", "polygon", "height"), own, strict=True) if v is None]
            raise Expected("template, or kind, polygon and height", "lacks " + ", ".join(missing))
        return self


class Zones(Content):
    """Deployment zones as map data."""

    attacker: Polygon
    defender: Polygon


class Terrain(Content):
    """A set of terrain templates that battlefields share."""

    name: Name
    templates: Annotated[dict[Name, Shape], Field(max_length=100)]


class Battlefield(Content):
    """A table with its terrain. Inches; x along the first number of ``size``."""

    name: Name
    size: tuple[Side, Side]
    terrain: Name | None = None  # a terrain set whose templates are used
    templates: dict[Name, Shape] = Field(default_factory=dict, max_length=100)
    features: Annotated[tuple[Feature, ...], Field(max_length=100)] = ()
    objectives: Annotated[
        tuple[Point, ...], Field(max_length=MANY)
    ] = ()  # where markers stand that players do not place
    zones: Zones | None = None  # not given: as the mission says

    def shape(self, feature: Feature) -> Shape:
        """The shape of a feature, its template looked up."""
        if feature.template is not None:
            return self.templates[feature.template]
        assert feature.kind is not None
        assert feature.polygon is not None
        assert feature.height is not None
        return Shape(kind=feature.kind, polygon=feature.polygon, height=feature.height, parts=feature.parts)


# ---------------------------------------------------------------- missions and battles


class BattleSize(Content):
    """One size of battle a mission allows."""

    name: Name
    points: Positive
    hours_up_to: Positive | None = None
    min_width_in: Side  # of the short side
    min_length_in: Side

    @property
    def limit(self) -> int:
        """The most points of an army."""
        return self.points


class Faction(Content):
    """A faction: the fields of all editions."""

    name: Name
    keyword: Name


class Markers(Content):
    """Objective markers."""

    number: Annotated[int, Field(strict=True, ge=0, le=MANY)]
    from_edges_in: Inches  # more than so far from every battlefield edge
    apart_in: Inches  # more than so far from every other marker
    placed_by: Literal["players", "battlefield"]
    diameter_mm: Millimetres = 40.0
    range_in: Inches = 3.0
    range_vertical_in: Inches = 5.0


class ZoneRule(Content):
    """Deployment zones along both long edges: everything farther than a distance from the centre line."""

    from_centre_line_in: Length


RandomLayout = Literal["turned", "even"]


class Random(Drawing):
    """How the ``random`` parts of a battle are drawn; fields that are not given are drawn or have their defaults."""

    layout: RandomLayout = "turned"  # features stand twice, by half a turn; even: every board has the same ones
    markers: Literal["battlefield", "players"] = (
        "battlefield"  # whether battlefield or players place the objective markers
    )
    terrain: Name = "standard"  # terrain set that features are drawn from
    factions: tuple[Name | None, Name | None] = (None, None)  # of player 0 and of player 1
