"""Checks of an army against its datasheets that the army lists of several editions share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from wh_env.content.classic.fielding import FieldedModel, FieldedUnit, carrying, cost, places_taken, write_out
from wh_env.content.classic.powers import DisciplineSpec
from wh_env.content.classic.schema import ClassicDatasheet
from wh_env.content.errors import ContentError, unknown
from wh_env.content.fields import Content
from wh_env.content.w40k.battles import ArmyUnit
from wh_env.rulesets.w40k.keywords import singular

L = TypeVar("L", bound=Content)
F = TypeVar("F", bound=Content)


@dataclass(frozen=True)
class ClassicMuster(Generic[L, F]):
    """An army without faults."""

    army: L
    faction: F | None
    limit: int | None
    units: tuple[FieldedUnit, ...]
    disciplines: tuple[DisciplineSpec[Any], ...]  # that its psykers may know powers of

    @property
    def points(self) -> int:
        """Points of all units."""
        return sum(unit.points for unit in self.units)

    @property
    def power(self) -> int:
        """Power Rating of all units."""
        return sum(unit.power for unit in self.units)


class ArmyCheck:
    """One check of an army; it collects faults.

    Args:
        source: the file of the list.
        keyword: the Faction keyword that its units must have.
        units: of the list; ``fields``: the place of each in the list.
        datasheets: by name.
        disciplines: whose powers its psykers may know.
    """

    def __init__(
        self,
        source: str,
        keyword: str,
        units: Sequence[ArmyUnit],
        fields: Sequence[str],
        datasheets: Mapping[str, ClassicDatasheet],
        disciplines: tuple[DisciplineSpec[Any], ...],
    ) -> None:
        self.source, self.keyword, self.datasheets, self.disciplines = source, keyword, datasheets, disciplines
        self.listed, self.fields = units, fields
        self.sheets: list[ClassicDatasheet | None] = [datasheets.get(unit.datasheet) for unit in units]
        self.faults: list[ContentError] = []

    def fault(self, field: str, value: object, expected: str, problem: str) -> None:
        self.faults.append(ContentError(self.source, field, value, expected, problem))

    def check_units(self) -> None:
        """Check each unit by itself."""
        for index, unit in enumerate(self.listed):
            sheet = self.sheets[index]
            if sheet is None:
                field = f"{self.fields[index]}.datasheet"
                self.faults.append(unknown(self.source, field, unit.datasheet, self.datasheets))
                continue
            self._faction(index, sheet)
            self._models(index, sheet)
            self._equipment(index, sheet)
            self._powers(index, sheet)

    def least(self, sheet: ClassicDatasheet) -> int:
        """The fewest models of a unit."""
        return sheet.smallest

    def excepted(self, sheet: ClassicDatasheet) -> bool:
        """Whether a unit need not share the Faction keyword of its army."""
        return False

    def models(self, index: int) -> tuple[FieldedModel, ...]:
        """The models of a unit; none if its datasheet is not known."""
        sheet, unit = self.sheets[index], self.listed[index]
        return () if sheet is None else write_out(sheet, unit.models, unit.equipment)

    def fielded(self, index: int, unit: ArmyUnit, reserves: str | None) -> FieldedUnit:
        """The unit with its models written out; the army has no faults."""
        sheet, models = self.sheets[index], self.models(index)
        assert sheet is not None
        same = [i for i, other in enumerate(self.listed) if other.datasheet == unit.datasheet]
        return FieldedUnit(
            name=unit.id or (sheet.name if len(same) == 1 else f"{sheet.name} {same.index(index) + 1}"),
            datasheet=sheet,
            models=models,
            points=cost(sheet, models),
            embarked_in=self.resolve(unit.embarked_in),
            reserves=reserves,
            warlord=unit.warlord,
        )

    def _faction(self, index: int, sheet: ClassicDatasheet) -> None:
        keyword = self.keyword
        if singular(keyword) not in {singular(k) for k in sheet.faction_keywords} and not self.excepted(sheet):
            expected = f"a datasheet with the Faction keyword {keyword.upper()}"
            self.fault(
                f"{self.fields[index]}.datasheet", sheet.name, expected, "is of " + ", ".join(sheet.faction_keywords)
            )

    def _models(self, index: int, sheet: ClassicDatasheet) -> None:
        unit = self.listed[index]
        wanted = unit.models if unit.models is not None else sheet.smallest
        low, high = self.least(sheet), sheet.largest
        if not low <= wanted <= high:
            expected = f"{low} models" if low == high else f"{low} to {high} models"
            self.fault(f"{self.fields[index]}.models", wanted, f"{expected} of {sheet.name}", "is not allowed")

    def _equipment(self, index: int, sheet: ClassicDatasheet) -> None:
        models = self.models(index)
        types = {model.name: model for model in sheet.models}
        for name, chosen in self.listed[index].equipment.items():
            field = f"{self.fields[index]}.equipment.{name}"
            if name not in types:
                self.faults.append(unknown(self.source, field, name, types))
                continue
            options = {option.name: option for option in types[name].options}
            have = sum(model.type.name == name for model in models)
            if sum(chosen.values()) > have:
                self.fault(field, sum(chosen.values()), f"at most {have} {name} in this unit", "have options")
            for picked, number in chosen.items():
                option = options.get(picked)
                if option is None:
                    self.faults.append(unknown(self.source, f"{field}.{picked}", picked, options))
                    continue
                most = have
                if option.max is not None:
                    most = option.max * (len(models) // option.per if option.per is not None else 1)
                if number > most:
                    self.fault(f"{field}.{picked}", number, f"at most {most} with it", "is too many")

    def _powers(self, index: int, sheet: ClassicDatasheet) -> None:
        psyker = sheet.abilities.psyker
        if psyker is None:
            return
        disciplines = [discipline.name for discipline in self.disciplines]
        powers = [power.name for discipline in self.disciplines for power in discipline.powers]
        instead = (psyker.instead,) if psyker.instead is not None else ()
        for kind, names, known in (
            ("powers", psyker.powers, powers),
            ("disciplines", psyker.disciplines, disciplines),
            ("instead", instead, disciplines),
        ):
            for name in names:
                if name not in known:
                    self.faults.append(unknown(sheet.source, f"abilities.psyker.{kind}", name, known))

    def check_ids(self) -> None:
        """Check that no id is used twice."""
        seen: set[str] = set()
        for index, unit in enumerate(self.listed):
            if unit.id is not None and unit.id in seen:
                self.fault(f"{self.fields[index]}.id", unit.id, "an id of its own", "stands twice")
            seen.update([unit.id] if unit.id is not None else [])

    def resolve(self, reference: str | int | None) -> int | None:
        """Index of the unit with this id or index; None if there is none."""
        if isinstance(reference, int):
            return reference if reference < len(self.listed) else None
        return next((at for at, u in enumerate(self.listed) if reference is not None and u.id == reference), None)

    def check_transports(self) -> None:
        """Check that units that start the battle embarked have room in their TRANSPORT."""
        taken: dict[int, list[int]] = {}  # places by model of the TRANSPORT unit
        for index, unit in enumerate(self.listed):
            sheet, field = self.sheets[index], f"{self.fields[index]}.embarked_in"
            at = self.resolve(unit.embarked_in)
            if unit.embarked_in is not None and at is None:
                ids = [u.id for u in self.listed if u.id is not None]
                self.faults.append(unknown(self.source, field, str(unit.embarked_in), ids))
            carrier = self.sheets[at] if at is not None else None
            if at is None or sheet is None or carrier is None:
                continue
            transport = carrier.abilities.transport
            if transport is None:
                self.fault(field, carrier.name, "a TRANSPORT", "carries no units")
                continue
            places = places_taken(transport, sheet, self.models(index))
            if places is None:
                expected = f"a unit with {', '.join(transport.allowed)}"
                if transport.excluded:
                    expected += f" and without {', '.join(transport.excluded)}"
                self.fault(field, sheet.name, expected, f"cannot embark in {carrier.name}")
                continue
            used = taken.setdefault(at, [0] * len(carrying(carrier, self.models(at))))
            room = next((n for n, before in enumerate(used) if before + places <= transport.capacity), None)
            if room is None:
                expected = f"at most {transport.capacity} in {carrier.name}"
                self.fault(field, places + min(used), expected, "places are taken")
            else:
                used[room] += places
