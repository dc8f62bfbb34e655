"""Schemas of datasheets that give WS, BS, S, A and Ld to models, with damage tables, Power and Battlefield Roles.

Everything is frozen and refuses unknown keys. Numbers are written as on a datasheet (``3+``, ``20-60``, ``x2``).
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from wh_env.content.classic.numbers import Level, Movement, Save, Skill
from wh_env.content.classic.weapons import Bearer, ClassicWeapon
from wh_env.content.errors import Expected
from wh_env.content.fields import Amount, Content, Count, Few, Flag, Length, Name, Roll, Size, Some, Wounds
from wh_env.content.w40k.keywords import KeywordName
from wh_env.content.w40k.schema import MANY, Aura, Base, OtherAbility
from wh_env.rulesets.w40k.keywords import singular

Names = Annotated[tuple[Name, ...], Field(max_length=100)]
Keywords = Annotated[tuple[KeywordName, ...], Field(max_length=100)]
Carried = Annotated[tuple[Name, ...], Field(max_length=MANY)]  # weapons of one model
MOST_BRACKETS = 6

Role = Literal[
    "HQ", "Troops", "Elites", "Fast Attack", "Heavy Support", "Flyers", "Lords of War", "Fortifications",
    "Dedicated Transport",
]  # fmt: skip


class EquipmentOption(Content):
    """Other equipment that models of a type can have instead of the default: the whole new set."""

    name: Name
    weapons: Carried
    max: Some | None = None  # so many models in the unit ...
    per: Some | None = None  # ... for every so many models of the unit (not given: at all)
    points: Count = 0
    invuln: Roll | None = None  # of models with it, where better


class DamageRow(Content):
    """A row of a damage table: what changes while the model has so many wounds left or fewer."""

    wounds: Wounds
    M: Movement | None = None
    WS: Skill | None = None
    BS: Skill | None = None
    S: Few | None = None
    A: Amount | None = None


class ClassicModel(Content):
    """One kind of model of a unit with its characteristics."""

    name: Name
    min: Few
    max: Some
    M: Movement
    WS: Skill
    BS: Skill
    S: Few
    T: Some
    W: Wounds
    A: Amount
    Ld: Level
    Sv: Save
    invuln: Roll | None = None
    invuln2: Roll | None = None
    fnp: Roll | None = None  # it ignores a wound lost on such a roll
    damage: Annotated[tuple[DamageRow, ...], Field(max_length=MOST_BRACKETS)] = ()
    base: Base
    height_in: Size
    weapons: Carried
    options: Annotated[tuple[EquipmentOption, ...], Field(max_length=MANY)] = ()
    keywords: Keywords = ()  # beyond those of the unit (a CHARACTER among others)
    points: Count | None = None  # of each such model, where it is not that of the unit

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.min > self.max:
            raise Expected(f"at most max ({self.max})", "is above max", "min", self.min)
        rows = [row.wounds for row in self.damage]
        if rows != sorted(set(rows), reverse=True) or (rows and rows[0] >= self.W):
            expected = f"falling numbers of wounds below {self.W}"
            raise Expected(expected, "are the rows of the damage table", "damage", rows)
        return self

    @property
    def brackets(self) -> int:
        """Rows of its damage table, with that of the datasheet itself."""
        return 1 + len(self.damage)

    def bearer(self, bracket: int = 0) -> Bearer:
        """What it brings to its weapons, in a row of its damage table (0: unhurt); a row says only what it changes (w9.concepts.damaged)."""
        row = self.damage[bracket - 1] if bracket else None

        def now(name: str) -> Any:
            changed = getattr(row, name) if row is not None else None
            return getattr(self, name) if changed is None else changed

        return Bearer(WS=now("WS"), BS=now("BS"), S=now("S"), A=now("A"))

    def movement(self, bracket: int = 0) -> Movement:
        """Its Move in a row of its damage table."""
        changed = self.damage[bracket - 1].M if bracket else None
        return self.M if changed is None else changed


class Transport(Content):
    """What each model of a TRANSPORT carries: models that have all of ``allowed`` and none of ``excluded``."""

    capacity: Some
    allowed: Keywords
    excluded: Keywords = ()
    places: dict[KeywordName, Some] = Field(default_factory=dict)  # models with the keyword take up so many places
    drops: Flag = False  # its passengers get out as it is set up from Reserves


class Explosion(Content):
    """What a destroyed model may do to all units around it: a D6 of at least ``needed``, mortal wounds to each unit within ``range``."""

    needed: Roll = 6
    range: Length = 6.0
    damage: Amount


class Psyker(Content):
    """How many powers a unit may attempt to manifest, and to deny, in a Psychic phase; powers it knows beside Smite."""

    manifest: Few
    deny: Few
    powers: Names = ()  # of disciplines of its faction
    learns: Few = 0  # how many more its player selects from ``disciplines``
    disciplines: Names = ()


class ClassicAbilities(Content):
    """Abilities with their numbers, and the others by name."""

    transport: Transport | None = None
    psyker: Psyker | None = None
    explodes: Explosion | None = None
    teleport: Flag = False  # it can wait in reserves and arrive anywhere more than 9" away from enemies
    feel_no_pain: Roll | None = None
    auras: Annotated[tuple[Aura, ...], Field(max_length=MANY)] = ()
    other: Annotated[tuple[OtherAbility, ...], Field(max_length=MANY)] = ()


class PowerRow(Content):
    """A unit of up to ``models`` models has the Power Rating ``power``."""

    models: Some
    power: Count


class ClassicDatasheet(Content):
    """One datasheet."""

    name: Name
    faction: Name
    faction_keywords: Annotated[Names, Field(min_length=1)]
    keywords: Annotated[Keywords, Field(min_length=1)]
    role: Role
    power: Annotated[tuple[PowerRow, ...], Field(min_length=1, max_length=MANY)]
    points: Count  # of each model
    models: Annotated[tuple[ClassicModel, ...], Field(min_length=1, max_length=MANY)]
    weapons: Annotated[dict[Name, ClassicWeapon], Field(max_length=MANY)]
    abilities: ClassicAbilities = ClassicAbilities()

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        for at, model in enumerate(self.models):
            for name in (*model.weapons, *(w for option in model.options for w in option.weapons)):
                if name not in self.weapons:
                    expected = "one of " + ", ".join(sorted(self.weapons))
                    raise Expected(expected, "is not known", f"models[{at}].weapons", name)
        if len({model.name for model in self.models}) < len(self.models):
            raise Expected("different names for the types of models")
        rows = [row.models for row in self.power]
        if rows != sorted(set(rows)) or rows[0] < self.smallest or rows[-1] != self.largest:
            expected = f"rising numbers of models within {self.smallest}-{self.largest}, up to the largest unit"
            raise Expected(expected, "are the sizes with a Power Rating", "power", rows)
        if self.abilities.psyker is not None and not any(self.model_has(m, "PSYKER") for m in self.models):
            raise Expected("the keyword PSYKER", "is no PSYKER", "keywords", list(self.keywords))
        return self

    @property
    def smallest(self) -> int:
        """Fewest models in a unit."""
        return sum(model.min for model in self.models)

    @property
    def largest(self) -> int:
        """Most models in a unit."""
        return sum(model.max for model in self.models)

    @property
    def brackets(self) -> int:
        """Most rows of a damage table of its models."""
        return max(model.brackets for model in self.models)

    def has(self, keyword: str) -> bool:
        """Whether the unit has a keyword (Faction keywords and its Battlefield Role included), whatever the case and number."""
        return singular(keyword) in {singular(k) for k in self.every_keyword}

    def model_has(self, kind: ClassicModel, keyword: str) -> bool:
        """Whether models of a type have a keyword, of their own or of the unit."""
        return self.has(keyword) or singular(keyword) in {singular(k) for k in kind.keywords}

    @property
    def every_keyword(self) -> tuple[str, ...]:
        """Keywords, Faction keywords, and the Battlefield Role, which rules ask for in the same way."""
        role = "FORTIFICATION" if self.role == "Fortifications" else self.role.upper()
        return (*self.keywords, *self.faction_keywords, role)

    def power_of(self, models: int) -> int:
        """Power Rating of a unit of so many models."""
        return next(row.power for row in self.power if row.models >= models)

    @property
    def inactive(self) -> tuple[str, ...]:
        """Names of its abilities that are declared but not played."""
        return tuple(o.name for o in (*self.abilities.auras, *self.abilities.other) if not o.active)
