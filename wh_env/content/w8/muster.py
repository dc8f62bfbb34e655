"""Checks an army against its datasheets and a limit of Power (w8.mission.armies), and writes out its models."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from wh_env.content.classic.fielding import FieldedUnit
from wh_env.content.classic.muster import ArmyCheck, ClassicMuster
from wh_env.content.classic.schema import ClassicDatasheet
from wh_env.content.errors import ContentError, together
from wh_env.content.w8.schema import Army, Datasheet, DisciplineSpec, Faction
from wh_env.rulesets.w40k.keywords import singular

WORTH = 20  # points that stand for one Power, where units are weighed against each other


class Muster(ClassicMuster[Army, Faction]):
    """An army without faults."""


def muster(
    army: Army,
    datasheets: Mapping[str, Datasheet],
    faction: Faction | None = None,
    limit: int | None = None,
    disciplines: tuple[DisciplineSpec, ...] = (),
) -> Muster:
    """The army with its models written out.

    Args:
        army: the list.
        datasheets: by name.
        faction: its faction; None: psychic disciplines are the army's own.
        limit: of Power; None: the army's own.
        disciplines: of an army that has neither a faction nor disciplines of its own.

    Raises:
        ContentError: the first fault, the others in its ``others``.
    """
    check = _Check(army, datasheets, faction, limit, disciplines)
    faults = check.run()
    if faults:
        raise together(faults)
    units = tuple(check.mustered(index) for index in range(len(army.units)))
    return Muster(army, faction, check.limit, units, check.disciplines)


class _Check(ArmyCheck):
    """One check of an army by Power."""

    def __init__(
        self,
        army: Army,
        datasheets: Mapping[str, Datasheet],
        faction: Faction | None,
        limit: int | None,
        disciplines: tuple[DisciplineSpec, ...],
    ) -> None:
        self.army = army
        self.any_faction = army.faction is None
        self.limit = limit if limit is not None else army.power_limit
        own = army.disciplines or (faction.disciplines if faction is not None else disciplines)
        keyword = faction.keyword if faction is not None else army.faction or ""
        fields = [f"units[{n}]" for n in range(len(army.units))]
        super().__init__(army.source, keyword, army.units, fields, datasheets, own)

    def run(self) -> list[ContentError]:
        """Every fault of the army; empty if it is legal."""
        self.check_units()
        self.check_ids()
        self.check_transports()
        self._understrength()
        self._warlord()
        self._reserves()
        self._power()
        return self.faults

    def excepted(self, sheet: ClassicDatasheet) -> bool:
        """Whether units need not share a Faction keyword: true for an army without a faction."""
        return self.any_faction

    def least(self, sheet: ClassicDatasheet) -> int:
        """A unit may have fewer models than its datasheet asks for (w8.mission.armies.understrength)."""
        return 1

    def _understrength(self) -> None:
        small: Counter[str] = Counter()
        for index, (unit, sheet) in enumerate(zip(self.army.units, self.sheets, strict=True)):
            if sheet is None or unit.models is None or unit.models >= sheet.smallest:
                continue
            small[singular(sheet.name)] += 1
            if small[singular(sheet.name)] > 1:
                expected = f"one unit of {sheet.name} with fewer than {sheet.smallest} models"
                self.fault(f"{self.fields[index]}.models", unit.models, expected, "is a second one")

    def _warlord(self) -> None:
        chosen = [index for index, unit in enumerate(self.army.units) if unit.warlord]
        if len(chosen) > 1:
            self.fault("units", len(chosen), "at most one unit with warlord: true", "units have the Warlord")

    def _reserves(self) -> None:
        for index, (unit, sheet) in enumerate(zip(self.army.units, self.sheets, strict=True)):
            if sheet is None or unit.reserves is None:
                continue
            field = f"{self.fields[index]}.reserves"
            if unit.embarked_in is not None:
                self.fault(
                    field, unit.reserves, "nothing for a unit that starts embarked", "is given beside embarked_in"
                )
            if not sheet.abilities.teleport:
                self.fault(field, unit.reserves, "a unit with teleport", f"is not open to {sheet.name}")

    def _power(self) -> None:
        sheets = enumerate(self.sheets)
        total = sum(sheet.power_of(len(self.models(index))) for index, sheet in sheets if sheet is not None)
        if self.limit is not None and total > self.limit:
            self.fault("units", total, f"at most {self.limit} Power", "Power is spent")

    def mustered(self, index: int) -> FieldedUnit:
        """The unit with its models written out; the army has no faults."""
        unit = self.fielded(index, self.army.units[index], self.army.units[index].reserves)
        return replace(unit, points=WORTH * unit.power)
