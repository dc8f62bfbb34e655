"""Schemas of datasheets that give WS, BS, S, A and Ld to models, with damage tables, Power and Battlefield Roles.

Every model is frozen and refuses unknown keys. Numbers are written as on a datasheet (``3+``, ``20-60``, ``x2``).
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from wh_env.content.classic.numbers import Level, Movement, Save, Skill
from wh_env.content.classic.weapons import Bearer, ClassicWeapon
from wh_env.content.errors import Expected
from wh_env.content.fields import Amount, Content, Count, Few, Flag, Length, Name, Roll, Some, Wounds
from wh_env.content.w40k import datasheets
from wh_env.content.w40k.datasheets import Names
from wh_env.content.w40k.schema import MANY

MOST_BRACKETS = 6

Role = Literal[
    "HQ", "Troops", "Elites", "Fast Attack", "Heavy Support", "Flyers", "Lords of War", "Fortifications",
    "Dedicated Transport",
]  # fmt: skip


class EquipmentOption(datasheets.EquipmentOption):
    """An equipment option that may also give its bearers an invulnerable save."""

    invuln: Roll | None = None  # of models with it, where better


class DamageRow(Content):
    """A row of a damage table: the characteristics that change at ``wounds`` wounds left or fewer."""

    wounds: Wounds
    M: Movement | None = None
    WS: Skill | None = None
    BS: Skill | None = None
    S: Few | None = None
    A: Amount | None = None


class ClassicModel(datasheets.ModelKind):
    """One kind of model of a unit with its characteristics."""

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
    options: Annotated[tuple[EquipmentOption, ...], Field(max_length=MANY)] = ()
    points: Count | None = None  # of each such model, where it is not that of the unit

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        rows = [row.wounds for row in self.damage]
        if rows != sorted(set(rows), reverse=True) or (rows and rows[0] >= self.W):
            expected = f"falling numbers of wounds below {self.W}"
            raise Expected(expected, "are the rows of the damage table", "damage", rows)
        if rows and any(self.movement(bracket).roll is not None for bracket in range(self.brackets)):
            raise Expected("no random Move beside a damage table", "is given", "M", str(self.M.roll))
        return self

    @property
    def brackets(self) -> int:
        """The number of rows of its damage table, including that of the unhurt model."""
        return 1 + len(self.damage)

    def bearer(self, bracket: int = 0) -> Bearer:
        """The characteristics that its weapons use, in a row of its damage table (0: unhurt).

        A row of the table states only the characteristics that change (w9.concepts.damaged).
        """
        row = self.damage[bracket - 1] if bracket else None

        def now(name: str) -> Any:
            changed = getattr(row, name) if row is not None else None
            return getattr(self, name) if changed is None else changed

        return Bearer(WS=now("WS"), BS=now("BS"), S=now("S"), A=now("A"))

    def movement(self, bracket: int = 0) -> Movement:
        """Its Move in a row of its damage table (0: unhurt)."""
        changed = self.damage[bracket - 1].M if bracket else None
        return self.M if changed is None else changed


class Transport(datasheets.Transport):
    """A TRANSPORT whose passengers may have to get out on arrival, or may shoot out of it."""

    drops: Flag = False  # its passengers get out as it is set up from Reserves
    open_topped: Flag = False  # its passengers shoot out of it
    shoots_engaged: Flag = False  # and do so with all weapons while it is engaged (w9.rare.shoot-embarked.engaged)


class Explosion(Content):
    """An explosion of a destroyed model.

    On a D6 of at least ``needed`` each unit within ``range`` inches suffers ``damage`` mortal wounds.
    """

    needed: Roll = 6
    range: Length = 6.0
    damage: Amount
    closest_enemy: Flag = False  # only the closest enemy unit within range suffers


class Psyker(Content):
    """How many powers a unit may attempt to manifest, and to deny, in a Psychic phase; powers it knows beside Smite."""

    manifest: Few
    deny: Few
    powers: Names = ()  # of disciplines of its faction
    learns: Few = 0  # how many more its player selects from ``disciplines``
    disciplines: Names = ()
    instead: Name | None = None  # a discipline that its player may take in place of these


class Split(Content):
    """A unit of at least ``of`` models may split: ``models`` of them become a unit of their own."""

    name: Name
    models: Some
    of: Some
    when: Literal["deployment-start", "command", "charge", "movement-end"] = "deployment-start"

    @model_validator(mode="after")
    def _some_stay(self) -> Self:
        if self.models >= self.of:
            raise Expected(f"below {self.of}", "is the whole unit", "models", self.models)
        return self


class ClassicAbilities(datasheets.NamedAbilities):
    """Abilities with their numbers, and the others by name."""

    transport: Transport | None = None
    psyker: Psyker | None = None
    explodes: Explosion | None = None
    teleport: Flag = False  # it can wait in reserves and arrive anywhere more than 9" away from enemies
    feel_no_pain: Roll | None = None
    passes_morale: Flag = False  # its Morale tests are passed without a roll
    splits: Split | None = None


class PowerRow(Content):
    """A unit of up to ``models`` models has the Power Rating ``power``."""

    models: Some
    power: Count


PowerRows = Annotated[tuple[PowerRow, ...], Field(max_length=MANY)]


class ClassicDatasheet(datasheets.Datasheet):
    """One datasheet. Points and Power that it lacks come from the ruleset's list (``prices.priced``)."""

    counts_points: ClassVar[bool] = True  # its edition does

    role: Role
    power: PowerRows = ()
    points: Count = 0  # of each model
    models: Annotated[tuple[ClassicModel, ...], Field(min_length=1, max_length=MANY)]
    weapons: Annotated[dict[Name, ClassicWeapon], Field(max_length=MANY)]
    abilities: ClassicAbilities = ClassicAbilities()

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        rows = [row.models for row in self.power]
        if rows and not self.sizes_fit(rows):
            raise Expected(self.sizes, "are the sizes with a Power Rating", "power", rows)
        if self.abilities.splits is not None and self.abilities.transport is not None:
            raise Expected(
                "nothing for a TRANSPORT", "is given beside transport", "abilities.splits", self.abilities.splits.name
            )
        if self.abilities.splits is not None and self.abilities.passes_morale:
            raise Expected(
                "nothing for a unit that passes its Morale tests",
                "is given",
                "abilities.splits",
                self.abilities.splits.name,
            )
        if self.abilities.psyker is not None and not any(self.model_has(m, "PSYKER") for m in self.models):
            raise Expected("the keyword PSYKER", "is no PSYKER", "keywords", list(self.keywords))
        return self

    @property
    def sizes(self) -> str:
        """The sizes that its Power is given for, in words."""
        return f"rising numbers of models within {self.smallest}-{self.largest}, up to the largest unit"

    def sizes_fit(self, rows: list[int]) -> bool:
        """Whether Power can be given for units of up to each of these numbers of models."""
        return rows == sorted(set(rows)) and rows[0] >= self.smallest and rows[-1] == self.largest

    @property
    def brackets(self) -> int:
        """The most rows that a damage table of its models has."""
        return max(model.brackets for model in self.models)

    @property
    def every_keyword(self) -> tuple[str, ...]:
        """Keywords, Faction keywords, and the Battlefield Role, which rules use like a keyword."""
        role = "FORTIFICATION" if self.role == "Fortifications" else self.role.upper()
        return (*self.keywords, *self.faction_keywords, role)

    def power_of(self, models: int) -> int:
        """Power Rating of a unit of ``models`` models."""
        return next(row.power for row in self.power if row.models >= models)
