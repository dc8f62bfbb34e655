"""Schemas of troop types, weapons, armour, army sheets and armies of the game of regiments."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from wh_env.content.errors import Expected, unknown
from wh_env.content.fields import Content, Count, Few, Flag, Millimetres, Name, Some, Spec
from wh_env.content.wap.armoury import WeaponRow
from wh_env.content.wap.machinery import Engine
from wh_env.content.wap.schema_items import Allowance, ItemRow
from wh_env.content.wap.schema_magic import BoundRow, Level, WizardRow
from wh_env.content.wap.schema_powers import AuraRow
from wh_env.rulesets.wap import rule_book
from wh_env.rulesets.wap.codes import ROLES, TROOP_TYPES
from wh_env.rulesets.wap.rule_book import BREATH_ATTACK, MIXED_UNIT
from wh_env.rulesets.wap.special.names import fault_of, names_of_immunity

Points = Annotated[int, Field(strict=True, ge=1, le=100_000)]  # of a game
MANY = 64  # entries of a list
MOST_MODELS = 100  # of a unit
INCH = 25.4  # mm to the pace (wap.core.measure.unit)
RULE_FIELDS = ("rules", "champion_rules", "mount_rules", "beast_rules")
MOUNTED = ("cavalry", "monstrous cavalry")
BASE = re.compile(r"([0-9]{1,3})x([0-9]{1,3})")


def read_characteristic(value: object) -> object:
    """A dash reads as 0 (wap.profile.zero)."""
    return 0 if value == "-" else value


# wap.profile.range
Characteristic = Annotated[int, Field(strict=True, ge=0, le=10), BeforeValidator(read_characteristic)]
Type = Literal[
    "infantry", "monstrous infantry", "cavalry", "monstrous cavalry", "swarm", "war beast", "monstrous beast",
    "monster", "chariot", "war machine", "shrine",
]  # fmt: skip


def read_role(value: object) -> object:
    """A command model by its name in an army list (wap.command.naming).

    A name that is no standard bearer and no musician is the champion's, whatever the title.
    """
    if not isinstance(value, str) or not value.strip():
        return value
    called = value.strip().lower()
    return (
        "standard" if called in ("standard", "standard bearer") else "musician" if called == "musician" else "champion"
    )


Role = Annotated[Literal["champion", "standard", "musician"], BeforeValidator(read_role)]
Short = Annotated[tuple[Name, ...], Field(max_length=16)]
Category = Literal["lord", "hero", "core", "special", "rare"]
CHARACTERS = ("lord", "hero")
RIDDEN = ("monster", "chariot", "shrine")  # mounts that may be had as units too (wap.army.duplicates.mounts)
# limits that a list may do without, by their words
Limit = Literal[
    "general",
    "units",
    "core",
    "special",
    "rare",
    "characters",
    "expendable",
    "special characters",
    "limited choices",
    "duplicates",
]
Figures = Annotated[int, Field(strict=True, ge=1, le=6)]


class Profile(Content):
    """The nine characteristics; none may be missing (wap.profile.nine)."""

    m: Characteristic
    ws: Characteristic
    bs: Characteristic
    s: Characteristic
    t: Characteristic
    w: Characteristic
    i: Characteristic
    a: Characteristic
    ld: Characteristic


class TroopType(Content):
    """A row of the table of troop types, as in the rule (wap.troop.general.types)."""

    type: Type
    abbr: Name
    unit_strength: Few | Name  # a number, or the name of what is counted
    los: Few
    rank: Few | Name  # models that make one, or why there is none
    support: Few | Name
    rules: Short = ()
    bases_mm: Annotated[tuple[Name, ...], Field(max_length=16)]

    @property
    def each(self) -> int:
        """Unit Strength of a model; 0: it depends on Wounds or crew."""
        return self.unit_strength if isinstance(self.unit_strength, int) else 0

    @property
    def full_rank(self) -> int:
        """The number of models that make a rank, 0: none does."""
        return self.rank if isinstance(self.rank, int) else 0

    @property
    def listed(self) -> list[tuple[int, int]]:
        """The listed bases as (shorter, longer) side in mm."""
        found = [BASE.search(text) for text in self.bases_mm if "crew" not in text and "max" not in text]
        return [(min(map(int, f.groups())), max(map(int, f.groups()))) for f in found if f]

    def allows(self, width: float, depth: float) -> bool:
        """Whether a base has a listed size, or is at least as large as one on both sides (wap.troop.general.bases)."""
        short, long = min(width, depth), max(width, depth)
        largest = [
            BASE.search(text) for text in self.bases_mm if "max" in text
        ]  # of shrines (wap.troop.shrine.profile)
        if any(f and (short > min(map(int, f.groups())) or long > max(map(int, f.groups()))) for f in largest):
            return False
        return not self.listed or any(short >= a and long >= b for a, b in self.listed)


class TroopTypes(Content):
    """The table of troop types; see ``configs/wap/troop-types.yaml``."""

    types: Annotated[tuple[TroopType, ...], Field(max_length=MANY)]

    @model_validator(mode="after")
    def _all(self) -> Self:
        named = tuple(row.type for row in self.types)
        if named != TROOP_TYPES:
            raise Expected("each type once: " + ", ".join(TROOP_TYPES), "are others", "types", named)
        return self

    def row(self, name: str) -> TroopType:
        """The troop type of this name."""
        return self.types[TROOP_TYPES.index(name)]


class Masters(Content):
    """The pack masters of a mixed unit (wap.special.mixed-unit.formation)."""

    number: Annotated[int, Field(strict=True, ge=1, le=4)] = 1  # of them in each unit
    type: Type = "infantry"
    base_mm: tuple[Millimetres, Millimetres]
    profile: Profile
    equipment: Short = ()
    rules: Short = ()
    points: Count = 0  # each

    def card(self) -> Card:
        """The card of one pack master."""
        own = {name: getattr(self, name) for name in ("type", "base_mm", "profile", "equipment", "rules", "points")}
        return Card(**own, size=(1, 1), command=())


class Card(Content):
    """A kind of unit of an army sheet."""

    type: Type
    category: Category | None = None  # every card of a sheet has one (wap.army.percentages)
    limit: Some | None = None  # the most of them in an army: 1 of a choice marked 0-1 (wap.army.limited-choices)
    special_character: Flag = False  # there is but one of him (wap.army.special-characters)
    rides: Name | None = (
        None  # the card as which the character's mount may be had as a unit (wap.army.duplicates.mounts)
    )
    base_mm: tuple[Millimetres, Millimetres]  # width, depth
    profile: Profile
    masters: Masters | None = None  # the pack masters of a mixed unit
    figures: Figures = 1  # riders or crew with ``profile`` on each model
    mount: Profile | None = None  # their mount: a horse, a monster, the body of a chariot or of a shrine
    crew: Profile | None = None  # other figures that ride with them
    crew_figures: Figures = 1
    machine: Engine | None = None  # of a war machine; ``profile`` and ``crew`` are its crew's
    beasts: Profile | None = None  # that draw a chariot, bear a shrine
    beasts_figures: Figures = 1
    extra: Few = 0  # of crew and beasts those bought in addition (wap.troop.chariot.unit-strength)
    armour: Annotated[int, Field(strict=True, ge=1, le=6)] | None = None  # save of the body of a chariot or shrine
    mount_equipment: Short = ()  # missile weapons of the mount, or fixed to it
    champion: Profile | None = None  # not given: one Attack more than the others
    equipment: Short = ()
    weapons: Annotated[tuple[WeaponRow, ...], Field(max_length=4)] = ()  # that only it has, for its equipment to name
    rules: Short = ()
    mount_rules: Short = ()  # of its mounts (wap.troop.cavalry.rules-scope)
    beast_rules: Short = ()  # of beasts that draw it (wap.troop.chariot.rules)
    champion_rules: Short = ()  # that its champion has besides
    points: Count  # a model
    character: Flag = False  # each is a unit of one model, which may join others (wap.character.definition)
    wizard: WizardRow | None = None  # not given: it is no wizard
    bound: Annotated[tuple[BoundRow, ...], Field(max_length=4)] = ()  # bound spells that it can cast
    auras: Annotated[tuple[AuraRow, ...], Field(max_length=4)] = ()  # what friends of its army near it have of it
    items: Allowance | None = None  # magic items that each may have; not given: none
    banner: Count | None = None  # points of the magic banner that it may have; not given: it may have none
    size: tuple[Some, Some] = (1, MOST_MODELS)
    command: Annotated[tuple[Role, ...], Field(max_length=3)] = ("champion", "standard", "musician")
    options: Annotated[dict[Name, Count], Field(max_length=16)] = Field(default_factory=dict)  # points a model
    # weapons that its champion may buy for himself alone, and their points (wap.command.champion.equipment)
    champion_options: Annotated[dict[Name, Count], Field(max_length=16)] = Field(default_factory=dict)

    @property
    def base(self) -> tuple[float, float]:
        """Width and depth of a base in inches."""
        return self.base_mm[0] / INCH, self.base_mm[1] / INCH

    @property
    def is_mounted(self) -> bool:
        """Whether its models use weapons as riders do."""
        return self.type in MOUNTED or self.mount is not None

    @property
    def body(self) -> Profile:
        """The profile whose Wounds and Toughness count for a monster, a chariot or a shrine."""
        return self.mount or self.profile

    @model_validator(mode="after")
    def _known(self) -> Self:
        if self.character and self.size != (1, 1):
            raise Expected("[1, 1]", "are no characters", "size", list(self.size))
        if (self.wizard is not None or self.bound) and self.size != (1, 1):
            field = "wizard" if self.wizard is not None else "bound"
            raise Expected("a card of one model", "is one of a unit", field, "given")
        if self.category is not None and (self.category in CHARACTERS) != self.character:
            whose = (
                "lord or hero, as it is a character"
                if self.character
                else "core, special or rare, as it is no character"
            )
            raise Expected(whose, "is not", "category", self.category)
        of_characters = {"special_character": self.special_character, "rides": self.rides, "items": self.items}
        field = next((name for name, value in of_characters.items() if value), "")
        if not self.character and field:  # wap.item.general.one-per-family
            raise Expected("a character", "is no unit's", field, getattr(self, field))
        if (self.masters is not None) != (MIXED_UNIT.name in self.rules):
            field, value = ("masters", None) if self.masters is None else ("rules", list(self.rules))
            raise Expected("both `masters` and the rule Mixed Unit, or neither", "has one of them alone", field, value)
        alone = ("monster", "shrine")
        if self.type in alone and self.size == (1, MOST_MODELS):
            object.__setattr__(self, "size", (1, 1))
        if self.type in alone and self.size != (1, 1):
            raise Expected("[1, 1]", "fight alone", "size", list(self.size))
        breathing = next(
            (name for name in RULE_FIELDS for rule in getattr(self, name) if rule.startswith(BREATH_ATTACK.name)), ""
        )
        if breathing and (self.size != (1, 1) or breathing not in ("rules", "mount_rules")):
            raise Expected(
                "no Breath Attack but of a model that is a unit by itself",
                "has one",
                breathing,
                list(getattr(self, breathing)),
            )
        if any(aura.inside for aura in self.auras):
            raise Expected("auras without `inside`, as it is no building", "have it", "auras", "given")
        self._machine()
        ridden = self.beasts or self.armour or self.mount_equipment or (self.crew and self.machine is None)
        if ridden and self.mount is None:
            raise Expected("a mount that they belong to", "is missing", "mount", None)
        if self.size[0] > self.size[1]:
            raise Expected("least and most models", "do not rise", "size", list(self.size))
        for field in RULE_FIELDS:
            for at, rule in enumerate(getattr(self, field)):
                fault = fault_of(rule)
                if fault is not None:
                    expected, problem, name = fault
                    names = names_of_immunity() if rule.startswith("Immunity (") else rule_book.BOOK.names
                    told = expected or unknown("", "", name, names).expected
                    raise Expected(told, problem, f"{field}[{at}]", rule)
        return self

    def _machine(self) -> None:
        """Check the fields of a war machine (wap.machine.crew.wounds, wap.troop.war-machine.profile).

        Raises:
            Expected: a field of a war machine is missing, or does not fit.
        """
        if (self.type == "war machine") != (self.machine is not None):
            field, value = ("machine", None) if self.machine is None else ("type", self.type)
            raise Expected("both the type war machine and `machine`, or neither", "has one of them alone", field, value)
        if self.machine is None:
            return
        if self.size == (1, MOST_MODELS):
            object.__setattr__(self, "size", (1, 1))
            object.__setattr__(self, "command", ())
        if self.size != (1, 1):
            raise Expected("[1, 1]", "fight alone", "size", list(self.size))
        if self.command:
            raise Expected("[]", "are not to be had", "command", list(self.command))
        if self.mount is not None:
            raise Expected("none, as a war machine has no mount", "is one", "mount", self.mount.model_dump())
        for name, profile in (("profile", self.profile), ("crew", self.crew)):
            if profile is not None and profile.w != 1:
                raise Expected(
                    "1, as each crewman is a Wound (wap.machine.crew.wounds)", "is not", f"{name}.w", profile.w
                )


Alignment = Literal["order", "destruction", "neutral"]


class Sheet(Content):
    """The units that an army may have."""

    name: Name
    alignment: Alignment = "neutral"
    book: Name | None = None  # the army book that it is or expands (wap.ally.blood-bound); not given: its name
    items: Annotated[tuple[ItemRow, ...], Field(max_length=MANY)] = ()  # magic items that only its armies may have
    # what common magic items cost its armies, in place of their own points (wap.item.general.common-items)
    prices: Annotated[dict[Name, Count], Field(max_length=MANY)] = Field(default_factory=dict)
    cards: Annotated[dict[Name, Card], Field(min_length=1, max_length=MANY)]


class Entry(Content):
    """One unit of an army."""

    card: Name
    name: Name | None = None  # not given: that of the card
    models: Annotated[int, Field(strict=True, ge=1, le=MOST_MODELS)]
    files: Annotated[int, Field(strict=True, ge=1, le=32)] | None = (
        None  # not given: as many as it has ranks, at least 5
    )
    command: Annotated[tuple[Role, ...], Field(max_length=3)] = ()
    options: Short = ()
    champion_option: Name | None = None  # the weapon that its champion has bought
    inside: Annotated[Name | None, Field(alias="in")] = None  # the unit that a character is deployed in, by its name
    general: Flag = False  # it is the General of the army
    battle_standard: Flag = False  # it bears the standard of the army
    level: Level | None = None  # of a wizard; not given: that of the card
    lores: Annotated[tuple[Name, ...], Field(max_length=4)] = ()  # that a wizard uses; not needed if he has no choice
    items: Annotated[tuple[Name, ...], Field(max_length=8)] = ()  # magic items of a character
    banner: Name | None = None  # the magic banner of its standard bearer, or of the Battle Standard Bearer

    @model_validator(mode="after")
    def _once(self) -> Self:
        if len(set(self.command)) < len(self.command):
            raise Expected("each of " + ", ".join(ROLES) + " once", "names one twice", "command", self.command)
        return self


class OneArmy(Content):
    """One army: its sheet and its units."""

    name: Name
    sheet: Spec | dict[str, Any]
    # of the game, if the battle names none; of an ally, its share of them; not given: the army's own cost
    points: Points | None = None
    without: Annotated[
        tuple[Limit, ...], Field(max_length=16)
    ] = ()  # limits of army lists that it knowingly does not keep
    units: Annotated[tuple[Entry, ...], Field(min_length=1, max_length=32)]

    def number_of(self, name: str | None) -> int:
        """The number of the unit with this name, -1: there is none."""
        return next(
            (n for n, entry in enumerate(self.units) if name is not None and name == (entry.name or entry.card)), -1
        )

    @model_validator(mode="after")
    def _leaders(self) -> Self:
        for field in ("general", "battle_standard"):
            at = [n for n, entry in enumerate(self.units) if getattr(entry, field)]
            if len(at) > 1:
                raise Expected("one unit of the army at most", "is a second one", f"units[{at[1]}].{field}", True)
        bearer = next((n for n, entry in enumerate(self.units) if entry.battle_standard), None)
        if bearer is not None and not any(entry.general and not entry.battle_standard for entry in self.units):
            raise Expected(
                "a General in another unit (wap.general.bsb.who)",
                "leaves none",
                f"units[{bearer}].battle_standard",
                True,
            )
        return self


class Ally(OneArmy):
    """Another army of the same side (wap.ally.*)."""

    player: Name | None = None  # who leads it; not given: the player of the main army, out of a second army book


class Army(OneArmy):
    """The army of a side, and its allies."""

    allies: Annotated[tuple[Ally, ...], Field(max_length=3)] = ()

    @model_validator(mode="after")
    def _leads_one(self) -> Self:
        """Check that each player of the side leads one army, and that no two armies have one name."""
        for field in ("player", "name"):
            known = [self.name] if field == "name" else []
            for n, ally in enumerate(self.allies):
                value = getattr(ally, field)
                if value is not None and value in known:
                    raise Expected(f"another {field} than before", "is there twice", f"allies[{n}].{field}", value)
                known.append(value)
        return self
