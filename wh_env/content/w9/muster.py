"""Checks an army against datasheets and Detachments, and writes out its models (w9.army.*)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import compress

from wh_env.content.classic.fielding import FieldedUnit, cost
from wh_env.content.classic.muster import ArmyCheck, ClassicMuster
from wh_env.content.classic.schema import ClassicDatasheet, Role
from wh_env.content.errors import ContentError, together, unknown
from wh_env.content.w9.schema import (
    Army,
    ArmySize,
    ArmyUnit,
    DetachmentType,
    Faction,
    StratagemSpec,
    Tables,
)
from wh_env.content.w40k.compile import SUMMONED
from wh_env.rulesets.w40k.keywords import singular

TRANSPORT_ROLE: Role = "Dedicated Transport"


@dataclass(frozen=True)
class Muster(ClassicMuster[Army, Faction]):
    """An army without faults."""

    battle_forged: bool
    cp: int  # in its pool when the battle begins
    stratagems: tuple[StratagemSpec, ...]  # of its Faction
    bound: tuple[frozenset[str], ...]  # by Detachment the Faction keywords that all its units have

    @property
    def keyword(self) -> str:
        """The keyword of its Faction."""
        return self.faction.keyword if self.faction is not None else self.army.faction

    def has_access(self, keyword: str, sub_faction: str | None) -> bool:
        """Whether all units of one of its Detachments have the Faction keyword, and ``sub_faction`` unless it is None.

        See (w9.stratagem.faction, .sub-faction).
        """
        wanted = {singular(word) for word in (keyword, sub_faction) if word is not None}
        return any(wanted <= bound for bound in self.bound)


def muster(
    army: Army,
    datasheets: Mapping[str, ClassicDatasheet],
    tables: Tables,
    size: ArmySize | None = None,
    faction: Faction | None = None,
    limit: int | None = None,
) -> Muster:
    """The army with its models written out.

    Args:
        army: the list.
        datasheets: by name.
        tables: Detachments and their costs.
        size: of the battle; None: neither Detachments nor Command points are counted.
        faction: of the army; None: the faction's name is the units' keyword, and psychic disciplines are the army's
            own.
        limit: points limit; None: the army's own.

    Raises:
        ContentError: the first fault, the others in its ``others``.
    """
    check = _Check(army, datasheets, tables, size, faction, limit)
    faults = check.run()
    if faults:
        raise together(faults)
    units = tuple(check.mustered(index) for index in range(len(check.units)))
    return Muster(
        army,
        faction,
        check.limit,
        units,
        check.disciplines,
        check.battle_forged,
        max(0, check.pool()),
        check.stratagems,
        check.bound(),
    )


def army_faults(
    army: Army,
    datasheets: Mapping[str, ClassicDatasheet],
    tables: Tables,
    size: ArmySize | None = None,
    faction: Faction | None = None,
    limit: int | None = None,
) -> list[ContentError]:
    """Every fault of the army; empty if it is legal."""
    return _Check(army, datasheets, tables, size, faction, limit).run()


class _Check(ArmyCheck):
    """One check of an army in Detachments."""

    def __init__(
        self,
        army: Army,
        datasheets: Mapping[str, ClassicDatasheet],
        tables: Tables,
        size: ArmySize | None,
        faction: Faction | None,
        limit: int | None,
    ) -> None:
        self.army = army
        self.tables = tables
        self.size = size
        self.limit = limit if limit is not None else army.points_limit
        own = army.disciplines or (faction.disciplines if faction is not None else ())
        self.stratagems = army.stratagems or (faction.stratagems if faction is not None else ())
        self.units: list[ArmyUnit] = [unit for _, _, unit in army.every_unit]
        self.within = [detachment for _, detachment, _ in army.every_unit]
        keyword = faction.keyword if faction is not None else army.faction
        fields = [field for field, _, _ in army.every_unit]
        super().__init__(army.source, keyword, self.units, fields, datasheets, own)

    def run(self) -> list[ContentError]:
        self.faults = []
        self.check_units()
        self.check_ids()
        self._detachments()
        self._warlord()
        self.check_transports()
        self._reserves()
        self._points()
        return self.faults

    # ---- one unit

    # ---- the whole army

    def _points(self) -> None:
        sheets = enumerate(self.sheets)
        total = sum(cost(sheet, self.models(index)) for index, sheet in sheets if sheet is not None)
        if self.limit is not None and total > self.limit:
            self.fault("units", total, f"at most {self.limit} points", "points are spent")

    def _types(self) -> list[DetachmentType | None]:
        return [self.tables.detachments.get(detachment.type) for detachment in self.army.detachments]

    def _detachments(self) -> None:
        """Check the number, costs and slots of Detachments (w9.army.detachments)."""
        army, types = self.army, self._types()
        for at, (detachment, kind) in enumerate(zip(army.detachments, types, strict=True)):
            if kind is None:
                field = f"detachments[{at}].type"
                self.faults.append(unknown(army.source, field, detachment.type, self.tables.detachments))
            else:
                self._slots(at, detachment.type, kind)
        if self.size is None or not army.detachments or None in types:
            return
        if len(types) > self.size.detachments:
            expected = f"at most {self.size.detachments} at {self.size.name}"
            self.fault("detachments", len(types), expected, "Detachments are too many")
        if self.pool() < 0:
            expected = f"Detachments for at most {self.size.cp} Command points at {self.size.name}"
            self.fault("detachments", [d.type for d in army.detachments], expected, "cost too many Command points")

    def _slots(self, at: int, name: str, kind: DetachmentType) -> None:
        mine = [index for index, detachment in enumerate(self.within) if detachment == at]
        sheets = [sheet for sheet in (self.sheets[index] for index in mine) if sheet is not None]
        field = f"detachments[{at}].units"
        if kind.units:
            if len(mine) != kind.units:
                self.fault(field, len(mine), f"{kind.units} in a Detachment {name}", "units are in it")
            return
        counts = Counter(sheet.role for sheet in sheets)
        for role, (least, most) in kind.slots.items():
            if not least <= counts[role] <= most and None not in (self.sheets[index] for index in mine):
                self.fault(field, counts[role], f"{least} to {most} {role} in a Detachment {name}", f"{role} are in it")
        infantry = sum(sheet.has("INFANTRY") for sheet in sheets)
        room = infantry if kind.transports else 0
        if counts[TRANSPORT_ROLE] > room:
            expected = f"at most {room}: one for each INFANTRY unit of the Detachment"
            self.fault(field, counts[TRANSPORT_ROLE], expected, "Dedicated Transports are in it")
        for role in sorted(set(counts) - {*kind.slots, TRANSPORT_ROLE}):
            self.fault(field, role, "a Battlefield Role of " + ", ".join(kind.slots), f"has no slot in {name}")

    def pool(self) -> int:
        """Command points at the start of the battle: those of its size less the cost of Detachments.

        The Detachment of the WARLORD gets its refund. An army that is not Battle-forged has none.
        """
        if self.size is None or not self.battle_forged:
            return 0
        leads = {at for at, unit in zip(self.within, self.units, strict=True) if unit.warlord}
        spent = sum(
            kind.cp - (kind.refund if at in leads else 0) for at, kind in enumerate(self._types()) if kind is not None
        )
        return self.size.cp - spent

    @property
    def battle_forged(self) -> bool:
        """Whether all units are in Detachments and share a Faction keyword that is not too general.

        Excepted units need not share it (w9.army.battle-forged).
        """
        general = {singular(k) for k in self.tables.general_keywords}
        mustered = [unit.reserves != SUMMONED for unit in self.units]  # a summoned unit is in no army yet
        bound = [sheet for sheet in compress(self.sheets, mustered) if sheet is not None and not self.excepted(sheet)]
        held = [{singular(k) for k in sheet.faction_keywords} - general for sheet in bound]
        return None not in compress(self.within, mustered) and bool(held) and bool(set.intersection(*held))

    def bound(self) -> tuple[frozenset[str], ...]:
        """For each Detachment, the Faction keywords shared by its units but exceptions (w9.stratagem.faction)."""
        found = []
        for at in range(len(self.army.detachments)):
            mine = [sheet for sheet, within in zip(self.sheets, self.within, strict=True) if within == at]
            held = [{singular(k) for k in s.faction_keywords} for s in mine if s is not None and not self.excepted(s)]
            found.append(frozenset(set.intersection(*held) if held else ()))
        return tuple(found)

    def excepted(self, sheet: ClassicDatasheet) -> bool:
        """Whether a unit need not share the Faction keyword of its army."""
        exceptions = {singular(k) for k in self.tables.exceptions}
        return not exceptions.isdisjoint(singular(k) for k in sheet.faction_keywords)

    def _warlord(self) -> None:
        """Check w9.army.warlord: exactly one unit, no Fortification."""
        chosen = [index for index, unit in enumerate(self.units) if unit.warlord]
        if len(chosen) != 1:
            self.fault("units", len(chosen), "exactly one unit with warlord: true", "units are WARLORD")
        for index in chosen:
            sheet = self.sheets[index]
            if sheet is not None and sheet.role == "Fortifications":
                self.fault(f"{self.fields[index]}.warlord", sheet.name, "no Fortification", "is a Fortification")

    # ---- before the battle

    def _reserves(self) -> None:
        for index, unit in enumerate(self.units):
            sheet, field = self.sheets[index], f"{self.fields[index]}.reserves"
            carrier = self.resolve(unit.embarked_in)
            if carrier is not None and self.units[carrier].reserves == SUMMONED:
                where = f"{self.fields[index]}.embarked_in"
                self.fault(where, unit.embarked_in, "a TRANSPORT that begins the battle", "is summoned")
            if sheet is None or unit.reserves is None:
                continue
            if unit.embarked_in is not None:
                self.fault(
                    field, unit.reserves, "nothing for a unit that starts embarked", "is given beside embarked_in"
                )
            if unit.reserves == SUMMONED and (self.within[index] is not None or unit.warlord):
                self.fault(
                    field, unit.reserves, "a unit in no Detachment and no WARLORD", f"is not open to {sheet.name}"
                )
            if unit.reserves == "deep-strike" and not sheet.abilities.teleport:
                self.fault(field, unit.reserves, "a unit with teleport", f"is not open to {sheet.name}")
            if unit.reserves == "strategic" and sheet.role == "Fortifications":
                self.fault(field, unit.reserves, "no Fortification", f"is not open to {sheet.name}")
            if unit.reserves == "strategic" and not self.battle_forged:
                self.fault(field, unit.reserves, "a Battle-forged army", "is not open to this army")

    # ---- the result

    def mustered(self, index: int) -> FieldedUnit:
        """The unit with its models written out; the army has no faults."""
        unit = self.fielded(index, self.units[index], self.units[index].reserves)
        splits = unit.datasheet.abilities.splits
        spare = splits.models if splits and len(unit.models) >= splits.of else 0
        return replace(unit, detachment=self.within[index], splits=spare)
