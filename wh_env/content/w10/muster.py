"""Checks an army against the datasheets and writes out its models."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wh_env.content.errors import ContentError, together, unknown
from wh_env.content.w10.schema import Army, ArmyUnit, Datasheet, Detachment, Enhancement, Faction, ModelType, Transport
from wh_env.content.w40k.datasheets import EquipmentOption
from wh_env.rulesets.w40k.keywords import singular

MAX_SAME = 3  # units of one datasheet
MAX_SAME_MANY = 6  # of a BATTLELINE or DEDICATED TRANSPORT datasheet
MAX_ENHANCEMENTS = 3
STRATEGIC_PART = 4  # Strategic Reserves hold at most one part in four of the points limit


@dataclass(frozen=True)
class MusteredModel:
    """One model of an army: its type and equipment."""

    type: ModelType
    weapons: tuple[str, ...]
    option: str | None = None


@dataclass(frozen=True)
class MusteredUnit:
    """One unit of an army. ``leads`` and ``embarked_in`` are indices of units of the same army."""

    name: str
    datasheet: Datasheet
    models: tuple[MusteredModel, ...]
    points: int
    leads: int | None = None
    embarked_in: int | None = None
    reserves: str | None = None
    hover: bool = False
    warlord: bool = False
    enhancement: Enhancement | None = None
    splits: int = 0  # number of its models that can become a unit of their own, in editions that split units

    @property
    def warlord_model(self) -> int:
        """The number of the model that is the Warlord if the unit has it: the first CHARACTER."""
        sheet = self.datasheet
        return next(n for n, model in enumerate(self.models) if sheet.model_has(model.type, "CHARACTER"))


def roster_entry(unit: MusteredUnit) -> dict[str, Any]:
    """The entry of a unit in the Army Roster (w10.army.roster): models with weapons, Enhancement, WARLORD, points."""
    return {
        "name": unit.name,
        "datasheet": unit.datasheet.name,
        "models": [{"name": m.type.name, "weapons": m.weapons, "wargear": m.option} for m in unit.models],
        "enhancement": unit.enhancement.name if unit.enhancement else None,
        "warlord": unit.warlord,
        "points": unit.points,
    }


@dataclass(frozen=True)
class Muster:
    """An army without faults."""

    army: Army
    faction: Faction | None
    detachment: Detachment | None
    limit: int | None
    units: tuple[MusteredUnit, ...]

    @property
    def points(self) -> int:
        """Points of all units."""
        return sum(unit.points for unit in self.units)


def muster(
    army: Army, datasheets: Mapping[str, Datasheet], faction: Faction | None = None, limit: int | None = None
) -> Muster:
    """The army with its models written out.

    Args:
        army: the list.
        datasheets: by name.
        faction: its faction, for Detachments and Enhancements; None: they are not checked.
        limit: points limit; None: the army's own.

    Raises:
        ContentError: the first fault, the others in its ``others``.
    """
    check = _Check(army, datasheets, faction, limit)
    faults = check.run()
    if faults:
        raise together(faults)
    units = tuple(check.mustered(index) for index in range(len(army.units)))
    return Muster(army, faction, check.detachment, check.limit, units)


def army_faults(
    army: Army,
    datasheets: Mapping[str, Datasheet],
    faction: Faction | None = None,
    limit: int | None = None,
    *,
    factions: bool = True,
) -> list[ContentError]:
    """Every fault of the army; empty if it is legal. ``factions=False`` leaves out units of another faction."""
    return _Check(army, datasheets, faction, limit, factions).run()


def carries(model: MusteredModel, item: str) -> bool:
    """Whether a model has the weapon, wargear or option of this name."""
    option = next((o for o in model.type.options if o.name == model.option), None)
    items = model.type.wargear if option is None else option.wargear
    return item in model.weapons or item == model.option or item in items


def may_lead(sheet: Datasheet, models: Sequence[MusteredModel], target: str) -> bool:
    """Whether a Leader's models can lead units of the datasheet ``target`` (w10.deploy.leader.attach).

    Some Leaders need an item for that.
    """
    needed = sheet.abilities.leader_needs.get(target)
    return target in sheet.abilities.leader and (needed is None or any(carries(model, needed) for model in models))


def most_with(option: EquipmentOption, models: int, have: int) -> int:
    """How many of ``have`` models of a type may take the option in a unit of ``models`` models."""
    if option.max is None:
        return have
    return option.max * (models // option.per if option.per is not None else 1)


def write_out(unit: ArmyUnit, sheet: Datasheet) -> tuple[MusteredModel, ...]:
    """The models of a unit: the fixed ones of each type, then the rest in the datasheet's order of types."""
    wanted = unit.models if unit.models is not None else sheet.smallest
    counts = [model.min for model in sheet.models]
    for at, model in enumerate(sheet.models):
        counts[at] += max(0, min(model.max - model.min, wanted - sum(counts)))
    models: list[MusteredModel] = []
    for model, count in zip(sheet.models, counts, strict=True):
        own: list[MusteredModel] = []
        for name, number in unit.equipment.get(model.name, {}).items():
            option = next((o for o in model.options if o.name == name), None)
            if option is not None:
                own += [MusteredModel(model, option.weapons, name)] * number
        own = own[:count]
        models += [MusteredModel(model, model.weapons)] * (count - len(own)) + own
    return tuple(models)


def may_be_given(enhancement: Enhancement, sheet: Datasheet) -> bool:
    """Whether the keywords of a datasheet's models allow the Enhancement."""
    return enhancement.only is None or any(sheet.model_has(model, enhancement.only) for model in sheet.models)


def most_of(sheet: Datasheet) -> int:
    """The most units of a datasheet that an army can hold (w10.army.duplicates, w10.army.epic-heroes)."""
    if sheet.has("EPIC HERO"):
        return 1
    return MAX_SAME_MANY if sheet.has("BATTLELINE") or sheet.has("DEDICATED TRANSPORT") else MAX_SAME


def places_taken(transport: Transport, sheet: Datasheet, models: Sequence[MusteredModel]) -> int | None:
    """The places that the models of a unit take up in a TRANSPORT; None if it does not carry one of them."""
    held = [{singular(k) for k in (*sheet.keywords, *sheet.faction_keywords, *m.type.keywords)} for m in models]
    lists = (transport.allowed, transport.excluded, transport.one_of)
    allowed, excluded, one_of = ({singular(k) for k in names} for names in lists)
    if any(not allowed <= keywords or excluded & keywords for keywords in held):
        return None
    if one_of and any(not one_of & keywords for keywords in held):
        return None
    places = {singular(k): n for k, n in transport.places.items()}
    return sum(max((places[k] for k in keywords if k in places), default=1) for keywords in held)


def carrying(sheet: Datasheet, models: Sequence[MusteredModel]) -> list[int]:
    """Numbers of the models of a TRANSPORT unit that carry others: those with the keyword, else all."""
    if sheet.abilities.transport is None:
        return []
    having = [number for number, model in enumerate(models) if sheet.model_has(model.type, "TRANSPORT")]
    return having or list(range(len(models)))


class _Check:
    """One check of an army; it collects faults."""

    def __init__(
        self,
        army: Army,
        datasheets: Mapping[str, Datasheet],
        faction: Faction | None,
        limit: int | None,
        factions: bool = True,
    ) -> None:
        self.army = army
        self.factions = factions
        self.datasheets = datasheets
        self.faction = faction
        self.limit = limit if limit is not None else army.points_limit
        self.detachment: Detachment | None = None
        self.faults: list[ContentError] = []
        self.sheets: list[Datasheet | None] = [datasheets.get(unit.datasheet) for unit in army.units]

    def fault(self, field: str, value: object, expected: str, problem: str) -> None:
        self.faults.append(ContentError(self.army.source, field, value, expected, problem))

    def run(self) -> list[ContentError]:
        self.faults = []
        for index, unit in enumerate(self.army.units):
            sheet = self.sheets[index]
            if sheet is None:
                field = f"units[{index}].datasheet"
                self.faults.append(unknown(self.army.source, field, unit.datasheet, self.datasheets))
                continue
            if self.factions:
                self._faction(index, sheet)
            self._models(index, unit, sheet)
            self._equipment(index, unit, sheet)
        self._detachment()
        self._duplicates()
        self._characters()
        self._enhancements()
        self._leaders()
        self._transports()
        self._reserves()
        self._points()
        return self.faults

    # ---- one unit

    def _faction(self, index: int, sheet: Datasheet) -> None:
        keyword = self.faction.keyword if self.faction is not None else self.army.faction
        if singular(keyword) not in {singular(k) for k in sheet.faction_keywords}:
            found = ", ".join(sheet.faction_keywords)
            expected = f"a datasheet with the Faction keyword {keyword.upper()}"
            self.fault(f"units[{index}].datasheet", sheet.name, expected, f"is of {found}")

    def _models(self, index: int, unit: ArmyUnit, sheet: Datasheet) -> None:
        wanted = unit.models if unit.models is not None else sheet.smallest
        if not sheet.smallest <= wanted <= sheet.largest:
            low, high = sheet.smallest, sheet.largest
            expected = f"{low} models" if low == high else f"{low} to {high} models"
            self.fault(f"units[{index}].models", wanted, f"{expected} of {sheet.name}", "is not allowed")

    def _equipment(self, index: int, unit: ArmyUnit, sheet: Datasheet) -> None:
        file, models = self.army.source, write_out(unit, sheet)
        types = {model.name: model for model in sheet.models}
        for type_name, chosen in unit.equipment.items():
            field = f"units[{index}].equipment.{type_name}"
            if type_name not in types:
                self.faults.append(unknown(file, field, type_name, types))
                continue
            options = {option.name: option for option in types[type_name].options}
            have = sum(model.type.name == type_name for model in models)
            if sum(chosen.values()) > have:
                self.fault(field, sum(chosen.values()), f"at most {have} {type_name} in this unit", "have options")
            shared: Counter[str] = Counter()
            for name, number in chosen.items():
                option = options.get(name)
                if option is None:
                    self.faults.append(unknown(file, f"{field}.{name}", name, options))
                    continue
                most = most_with(option, len(models), have)
                if number > most:
                    self.fault(f"{field}.{name}", number, f"at most {most} with it", "is too many")
                if option.share is not None:
                    shared[option.share] += number
                    if shared[option.share] > most >= number:
                        expected = f"at most {most} with a {option.share}"
                        self.fault(f"{field}.{name}", shared[option.share], expected, "are too many")

    # ---- the whole army

    def _points(self) -> None:
        total = sum(self._cost(index) for index in range(len(self.army.units)))
        if self.limit is not None and total > self.limit:
            self.fault("units", total, f"at most {self.limit} points", "points are spent")

    def _cost(self, index: int) -> int:
        sheet = self.sheets[index]
        if sheet is None:
            return 0
        unit = self.army.units[index]
        models = write_out(unit, sheet)
        options = sum(o.points for m in models for o in m.type.options if o.name == m.option)
        enhancement = self._enhancement(unit)
        return sheet.cost(len(models)) + options + (enhancement.points if enhancement else 0)

    def _detachment(self) -> None:
        army = self.army
        if army.detachment is None:
            self.fault("detachment", None, "the name of a Detachment (step 4 of mustering)", "is given")
            return
        if self.faction is None:
            return
        known = {detachment.name: detachment for detachment in self.faction.detachments}
        self.detachment = known.get(army.detachment)
        if self.detachment is None:
            self.faults.append(unknown(army.source, "detachment", army.detachment, known))
            return
        names = [unit.datasheet for unit in army.units]
        for index, name in enumerate(names):
            if name in self.detachment.forbids:
                field = f"units[{index}].datasheet"
                self.fault(
                    field, name, f"none of {', '.join(self.detachment.forbids)}", "is forbidden by the Detachment"
                )
        for name in self.detachment.requires:
            if name not in names:
                self.fault("units", names, f"a unit of {name}, which the Detachment requires", "lack one")

    def _duplicates(self) -> None:
        counts: Counter[str] = Counter()
        for index, unit in enumerate(self.army.units):
            sheet = self.sheets[index]
            counts[unit.datasheet] += 1
            if sheet is None:
                continue
            most = most_of(sheet)
            if counts[unit.datasheet] == most + 1:
                self.fault(f"units[{index}].datasheet", unit.datasheet, f"at most {most} of it", "is there too often")
        ids: set[str] = set()
        for index, unit in enumerate(self.army.units):
            if unit.id is not None and unit.id in ids:
                self.fault(f"units[{index}].id", unit.id, "an id of its own", "stands twice")
            ids.update([unit.id] if unit.id is not None else [])

    def _characters(self) -> None:
        characters = [self._character(index) for index in range(len(self.army.units))]
        warlords = [index for index, unit in enumerate(self.army.units) if unit.warlord]
        if "warlord" in self.army.without:
            if warlords:
                self.fault("without", "warlord", "it only in a list without a Warlord", "has one")
            return
        if not any(characters) and None not in self.sheets:
            names = [unit.datasheet for unit in self.army.units]
            expected = "at least one CHARACTER unit (w10.army.character), or without: [warlord] to try the list"
            self.fault("units", names, expected, "have none")
        if len(warlords) != 1:
            expected = "exactly one unit with warlord: true (step 6 of mustering)"
            self.fault("units", len(warlords), expected, "units are Warlord")
        for index in warlords:
            sheet, name = self.sheets[index], self.army.units[index].datasheet
            if sheet is not None and not characters[index]:
                self.fault(f"units[{index}].warlord", name, "a CHARACTER", "is no CHARACTER")
            elif sheet is not None and sheet.abilities.no_warlord:
                self.fault(f"units[{index}].warlord", name, "another CHARACTER", "cannot be the Warlord")

    def _character(self, index: int) -> bool:
        """Whether some model of the unit is a CHARACTER (w10.concepts.keywords.model-or-unit)."""
        sheet = self.sheets[index]
        if sheet is None:
            return False
        return any(sheet.model_has(model.type, "CHARACTER") for model in write_out(self.army.units[index], sheet))

    def _enhancement(self, unit: ArmyUnit) -> Enhancement | None:
        known = self.detachment.enhancements if self.detachment is not None else ()
        return next((e for e in known if e.name == unit.enhancement), None)

    def _enhancements(self) -> None:
        chosen: list[str] = []
        for index, unit in enumerate(self.army.units):
            sheet, name, field = self.sheets[index], unit.enhancement, f"units[{index}].enhancement"
            if name is None:
                continue
            if self.detachment is not None and self._enhancement(unit) is None:
                known = [e.name for e in self.detachment.enhancements]
                self.faults.append(unknown(self.army.source, field, name, known))
            if sheet is not None and (not self._character(index) or sheet.has("EPIC HERO")):
                self.fault(field, name, "none: only CHARACTERS that are no EPIC HERO have one", f"is on {sheet.name}")
            bought = self._enhancement(unit)
            if sheet is not None and bought is not None and not may_be_given(bought, sheet):
                self.fault(field, name, f"a model with {bought.only}", f"is not open to {sheet.name}")
            if name in chosen:
                self.fault(field, name, "an Enhancement that no other unit has", "stands twice")
            chosen.append(name)
            if len(chosen) == MAX_ENHANCEMENTS + 1:
                self.fault(field, name, f"at most {MAX_ENHANCEMENTS} Enhancements in the army", "is one too many")

    # ---- formations

    def resolve(self, reference: str | int | None) -> int | None:
        """Index of the unit with this id or index; None if there is none."""
        units = self.army.units
        if isinstance(reference, int):
            return reference if reference < len(units) else None
        return next((at for at, unit in enumerate(units) if reference is not None and unit.id == reference), None)

    def _referred(self, index: int, what: str, reference: str | int | None) -> int | None:
        at = self.resolve(reference)
        if reference is not None and at is None:
            ids = [unit.id for unit in self.army.units if unit.id is not None]
            field = f"units[{index}].{what}"
            if isinstance(reference, int):
                self.fault(field, reference, f"the index of a unit, 0 to {len(self.army.units) - 1}", "is no unit")
            else:
                self.faults.append(unknown(self.army.source, field, reference, ids))
        return at

    def _leaders(self) -> None:
        led: dict[int, int] = {}
        for index, unit in enumerate(self.army.units):
            sheet, field = self.sheets[index], f"units[{index}].leads"
            at = self._referred(index, "leads", unit.leads)
            if at is None or sheet is None or self.sheets[at] is None:
                continue
            target = self.army.units[at].datasheet
            needed = sheet.abilities.leader_needs.get(target)
            if target not in sheet.abilities.leader:
                can = ", ".join(sheet.abilities.leader) or "nothing: it has no Leader ability"
                self.fault(field, target, f"a unit that {sheet.name} can lead: {can}", "cannot be led by it")
            elif not may_lead(sheet, write_out(unit, sheet), target):
                self.fault(
                    field, target, f"a {needed} of {sheet.name}, with which it can lead it", "cannot be led by it"
                )
            elif at in led:
                self.fault(field, target, "a unit that no other Leader leads", "is led already")
            led.setdefault(at, index)

    def carrier(self, index: int) -> int | None:
        """Index of the TRANSPORT that a unit starts in; a Leader starts where the unit it leads starts."""
        unit = self.army.units[index]
        at = self.resolve(unit.leads)
        if unit.embarked_in is None and at is not None:
            return self.resolve(self.army.units[at].embarked_in)
        return self.resolve(unit.embarked_in)

    def _transports(self) -> None:
        used: dict[int, list[int]] = {}  # places by model of the TRANSPORT unit
        for index, unit in enumerate(self.army.units):
            sheet, field = self.sheets[index], f"units[{index}].embarked_in"
            self._referred(index, "embarked_in", unit.embarked_in)
            at = self.carrier(index)
            carrier = self.sheets[at] if at is not None else None
            if at is None or sheet is None or carrier is None:
                continue
            bodyguard = self.resolve(unit.leads)
            if bodyguard is not None and self.resolve(self.army.units[bodyguard].embarked_in) != at:
                self.fault(field, unit.embarked_in, "the TRANSPORT of the unit that it leads", "parts an Attached unit")
            if unit.embarked_in is None:
                field = f"units[{bodyguard}].embarked_in"  # a Leader goes where the unit it leads goes
            transport = carrier.abilities.transport
            if transport is None:
                if unit.embarked_in is None:
                    continue
                self.fault(field, carrier.name, "a TRANSPORT", "carries no units")
                continue
            places = places_taken(transport, sheet, write_out(unit, sheet))
            if places is None:
                expected = f"a unit with {', '.join(transport.allowed)}"
                if transport.one_of:
                    expected += f", with {' or '.join(transport.one_of)}"
                if transport.excluded:
                    expected += f" and without {', '.join(transport.excluded)}"
                self.fault(field, sheet.name, expected, f"cannot embark in {carrier.name}")
                continue
            if bodyguard is None:
                self._aboard(index, at, places, used)

    def _aboard(self, index: int, at: int, places: int, used: dict[int, list[int]]) -> None:
        """Put a unit and the Leader attached to it into the first model of a TRANSPORT unit with room for both."""
        carrier = self.sheets[at]
        transport = carrier.abilities.transport if carrier is not None else None
        if carrier is None or transport is None:
            return
        for leader, sheet in zip(self.army.units, self.sheets, strict=True):
            if sheet is not None and self.resolve(leader.leads) == index:
                places += places_taken(transport, sheet, write_out(leader, sheet)) or 0
        taken = used.setdefault(at, [0] * len(carrying(carrier, write_out(self.army.units[at], carrier))))
        for number, before in enumerate(taken):
            if before + places <= transport.capacity:
                taken[number] += places
                return
        expected = f"at most {transport.capacity} in {carrier.name}"
        if len(taken) > 1:
            expected += f", in each of its {len(taken)} models (a unit goes into the first with room for all of it)"
        self.fault(f"units[{index}].embarked_in", places + min(taken), expected, "places are taken")

    def aircraft(self, index: int) -> bool:
        """Whether a unit starts the battle as AIRCRAFT and not in Hover mode."""
        sheet = self.sheets[index]
        return sheet is not None and sheet.has("AIRCRAFT") and not self.army.units[index].hover

    def in_aircraft(self, index: int) -> bool:
        """Whether a unit starts embarked in an AIRCRAFT, and so in Reserves."""
        carrier = self.carrier(index)
        return carrier is not None and self.aircraft(carrier)

    def _reserves(self) -> None:
        strategic = 0
        for index, unit in enumerate(self.army.units):
            sheet, field = self.sheets[index], f"units[{index}].reserves"
            if sheet is None:
                continue
            bodyguard = self.resolve(unit.leads)
            kind = unit.reserves
            if unit.hover and not sheet.abilities.hover:
                self.fault(
                    f"units[{index}].hover", True, "a unit with the Hover ability", f"is not open to {sheet.name}"
                )
            in_aircraft = self.in_aircraft(index)
            if in_aircraft and kind is None and bodyguard is None:
                expected = "deep-strike or strategic: what starts in an AIRCRAFT is in Reserves itself"
                self.fault(field, kind, expected, "is given")
            if kind is not None and unit.embarked_in is not None and not in_aircraft:
                self.fault(field, kind, "nothing for a unit that starts embarked", "is given beside embarked_in")
            if bodyguard is not None and kind is not None and kind != self.army.units[bodyguard].reserves:
                self.fault(field, kind, "the same as the unit that it leads", "parts an Attached unit")
            if bodyguard is not None:
                kind = self.army.units[bodyguard].reserves
            if kind == "deep-strike" and not sheet.abilities.deep_strike:
                self.fault(field, kind, "a unit whose models all have Deep Strike", f"is not open to {sheet.name}")
            if kind == "strategic" and sheet.has("FORTIFICATION"):
                self.fault(field, kind, "no FORTIFICATION", f"is not open to {sheet.name}")
            carrier = self.carrier(index)
            inside = carrier is not None and self.army.units[carrier].reserves == "strategic" and not in_aircraft
            # AIRCRAFT are in Strategic Reserves only once the battle has begun (w10.aircraft.reserves.points)
            if (kind == "strategic" and not self.aircraft(index)) or inside:
                strategic += self._cost(index)
        if self.limit is not None and strategic > self.limit // STRATEGIC_PART:
            expected = f"at most {self.limit // STRATEGIC_PART} points in Strategic Reserves"
            self.fault("units", strategic, expected, "points are in Strategic Reserves")

    # ---- the result

    def mustered(self, index: int) -> MusteredUnit:
        """The unit with its models written out; the army has no faults."""
        unit, sheet = self.army.units[index], self.sheets[index]
        assert sheet is not None
        same: Sequence[int] = [i for i, other in enumerate(self.army.units) if other.datasheet == unit.datasheet]
        name = unit.id or (sheet.name if len(same) == 1 else f"{sheet.name} {same.index(index) + 1}")
        return MusteredUnit(
            name=name,
            datasheet=sheet,
            models=write_out(unit, sheet),
            points=self._cost(index),
            leads=self.resolve(unit.leads),
            embarked_in=self.carrier(index),
            reserves=unit.reserves,
            hover=unit.hover,
            warlord=unit.warlord,
            enhancement=self._enhancement(unit),
        )
