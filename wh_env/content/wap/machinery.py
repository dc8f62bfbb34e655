"""War machines' weapons and misfire tables (``configs/wap/machines.yaml``): schemas, and what they compile to."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from wh_env.content.errors import Expected, unknown
from wh_env.content.fields import Content, Few, Flag, Name
from wh_env.content.wap.armoury import MANY, WeaponRow, Words
from wh_env.rulesets.wap.basics.dice import number_of
from wh_env.rulesets.wap.rule_book import DICE, MOVE_OR_FIRE, SLOW_TO_FIRE
from wh_env.rulesets.wap.weapons.hit import ONE, Number
from wh_env.rulesets.wap.weapons.machines import Machine, Misfire

MULTIPLE = re.compile(r"Multiple Wounds \((.+)\)")
FACES = re.compile(r"([1-6])(?:-([1-6]))?")
Strength = Annotated[int, Field(strict=True, ge=1, le=10)]
Toughness = Annotated[int, Field(strict=True, ge=1, le=10)]


class MachineRow(Content):
    """The profile of a war machine's weapon."""

    weapon: Name
    kind: Literal["bolt thrower", "cannon", "stone thrower", "fire thrower"]
    min_range: Few = 0  # inches
    range: Few = 0  # inches; 0: that of its template
    strength: Strength
    strength_centre: Strength | None = None  # of the hit under the hole of its template
    rules: Words = ()
    general: Words = (MOVE_OR_FIRE.name, SLOW_TO_FIRE.name)  # rules of all machines (wap.machine.fire.default-rules)
    bounce: Name | None = None  # Wounds that hits of a bounce take; those of ``rules`` are of the direct hit
    fires_from: Literal["muzzle", "arm"] = "muzzle"  # wap.machine.measure.firing-point
    instead: Annotated[tuple[WeaponRow, ...], Field(max_length=2)] = ()  # that it may fire in place of its shot
    misfires: Name | None = None  # its misfire table; none: it cannot misfire

    @model_validator(mode="after")
    def _understood(self) -> Self:
        self.compiled({})
        if self.min_range > self.range:
            raise Expected(f"at most the range, {self.range}", "is too far", "min_range", self.min_range)
        return self

    def compiled(self, tables: dict[str, tuple[Misfire, ...]]) -> Machine:
        """The weapon, with its misfire table among ``tables``.

        Raises:
            Expected: a word in the row has no meaning.
        """
        words = (*self.rules, *self.general)
        row = WeaponRow(weapon=self.weapon, range=self.range, strength=self.strength, rules=words)
        multiple = next((match[1] for rule in self.rules if (match := MULTIPLE.fullmatch(rule))), None)
        direct = ONE if multiple is None else number_of(multiple)
        return Machine(
            kind=self.kind,
            weapon=row.compiled(),
            least=self.min_range,
            centre=self.strength_centre or 0,
            direct=direct,
            bounce=direct if self.bounce is None else self._dice(self.bounce),
            arm=self.fires_from == "arm",
            others=tuple(
                other.model_copy(update={"rules": (*other.rules, *self.general)}).compiled() for other in self.instead
            ),
            misfires=tables.get(self.misfires or "", ()),
        )

    @staticmethod
    def _dice(words: str) -> Number:
        if not DICE.fits(words):
            raise Expected("a number such as D3", "is no number of Wounds", "bounce", words)
        return number_of(words)


class MisfireRow(Content):
    """One result of a misfire table."""

    d6: Name | int  # faces of the die, such as 2-3
    result: Name
    destroyed: Flag = False
    wounds: Few = 0  # without armour save
    turns: Annotated[int, Field(strict=True, ge=1, le=2)] = 1  # of its player, this one included, without a shot

    @property
    def faces(self) -> range:
        """The faces of the die that it stands for; empty: they are not written well."""
        match = FACES.fullmatch(str(self.d6))
        return range(int(match[1]), int(match[2] or match[1]) + 1) if match else range(0)

    def compiled(self, table: str) -> Misfire:
        """The result, of the table of this name."""
        return Misfire(self.result, table, self.destroyed, self.wounds, self.turns)


class Machines(Content):
    """War machines' weapons and misfire tables; see ``configs/wap/machines.yaml``."""

    machines: Annotated[tuple[MachineRow, ...], Field(max_length=MANY)]
    misfires: dict[Name, Annotated[tuple[MisfireRow, ...], Field(max_length=6)]]

    @model_validator(mode="after")
    def _whole(self) -> Self:
        for name, rows in self.misfires.items():
            told = [face for row in rows for face in row.faces]
            if told != [1, 2, 3, 4, 5, 6]:
                raise Expected("each face of a D6 once, from 1 to 6", "are others", f"misfires.{name}", told)
        for at, row in enumerate(self.machines):
            if row.misfires is not None and row.misfires not in self.misfires:
                told_of = unknown("", "", row.misfires, self.misfires).expected
                raise Expected(told_of, "is no misfire table", f"machines[{at}].misfires", row.misfires)
        return self

    def tables(self) -> dict[str, tuple[Misfire, ...]]:
        """The misfire tables by name: the results of a D6, from 1 to 6."""
        return {
            name: tuple(row.compiled(name) for row in rows for _ in row.faces) for name, rows in self.misfires.items()
        }

    @cached_property
    def by_name(self) -> Mapping[str, Machine]:
        """The machines' weapons by name."""
        misfires = self.tables()
        return MappingProxyType({row.weapon: row.compiled(misfires) for row in self.machines})


class Engine(Content):
    """What makes a card that of a war machine."""

    weapon: Name  # of ``configs/wap/machines.yaml``
    toughness: Toughness  # of the machine, against shots (wap.machine.profile)
