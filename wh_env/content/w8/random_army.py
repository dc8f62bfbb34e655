"""Random armies by Power."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import numpy as np

from wh_env.content.classic.fielding import carrying, places_taken, write_out
from wh_env.content.errors import ContentError
from wh_env.content.w8.schema import Army, ArmyUnit, Datasheet, Faction
from wh_env.core.actions import ActionSpace

PACKING = 1.2  # table that a unit takes up, as a multiple of the area of its bases
LARGEST = 0.5  # share of units that are as large as they can be
OPTIONS = 0.5  # share of wargear options that are taken
EMBARKED, TELEPORT = 0.7, 0.5  # shares of TRANSPORTS that start with a unit in them, of units in reserve that can be


def area_of(sheet: Datasheet, models: int) -> float:
    """Square inches of table that a unit takes up, by the base of its last type of model."""
    half_a, half_b = sheet.models[-1].base.halves
    return PACKING * models * 4 * half_a * half_b


def draw_army(
    faction: Faction,
    sheets: Mapping[str, Datasheet],
    power: int,
    room: float,
    chance: np.random.Generator,
    name: str,
) -> Army:
    """An army of at most ``power`` Power: a CHARACTER as Warlord, then any units that fit.

    Args:
        faction, sheets: the faction and its datasheets.
        power: the limit.
        room: square inches that the units may take up.
        chance: the source of all randomness.
        name: of the army.

    Raises:
        ContentError: no CHARACTER fits the limit.
    """
    space = ActionSpace()
    largest = space.models - 2
    units: list[ArmyUnit] = []
    numbers: Counter[str] = Counter()
    heroes = [sheet for sheet in sheets.values() if sheet.has("CHARACTER")]
    while len(units) < space.units:
        wanted = heroes if not units else list(sheets.values())
        fits = {
            sheet.name: [
                models
                for models in range(sheet.smallest, min(sheet.largest, largest) + 1)
                if sheet.power_of(models) <= power and area_of(sheet, models) <= room
            ]
            for sheet in wanted
        }
        able = [sheet for sheet in wanted if fits[sheet.name]]
        if not able:
            break
        sheet = able[int(chance.integers(len(able)))]
        sizes = fits[sheet.name]
        models = sizes[-1] if chance.random() < LARGEST else sizes[int(chance.integers(len(sizes)))]
        numbers[sheet.name] += 1
        called = sheet.name.lower() if numbers[sheet.name] == 1 else f"{sheet.name.lower()} {numbers[sheet.name]}"
        waits = bool(sheet.abilities.teleport and units and chance.random() < TELEPORT)
        units.append(
            ArmyUnit(
                datasheet=sheet.name,
                id=called,
                models=models,
                equipment=equipment(sheet, models, chance),
                reserves="deep-strike" if waits else None,
                warlord=not units,
            )
        )
        power -= sheet.power_of(models)
        room -= area_of(sheet, models)
    if not units:
        raise ContentError(
            "<random>", "power", power, f"enough Power for a CHARACTER of {faction.name}", "is too little"
        )
    return Army(name=name, faction=faction.name, units=tuple(embarked(units, sheets, chance)))


def equipment(sheet: Datasheet, models: int, chance: np.random.Generator) -> dict[str, dict[str, int]]:
    """Random options for some of the models."""
    have = Counter(model.type.name for model in write_out(sheet, models, {}))
    chosen: dict[str, dict[str, int]] = {}
    for kind in sheet.models:
        free, taken = have[kind.name], {}
        for at in chance.permutation(len(kind.options)):
            option = kind.options[at]
            most = free
            if option.max is not None:
                most = min(most, option.max * (models // option.per if option.per is not None else 1))
            if most > 0 and chance.random() < OPTIONS:
                taken[option.name] = int(chance.integers(1, most + 1))
                free -= taken[option.name]
        if taken:
            chosen[kind.name] = taken
    return chosen


def embarked(units: list[ArmyUnit], sheets: Mapping[str, Datasheet], chance: np.random.Generator) -> list[ArmyUnit]:
    """The units, some of them embarked in a TRANSPORT."""
    found = list(units)
    for carrier in units:
        sheet = sheets[carrier.datasheet]
        transport = sheet.abilities.transport
        if (
            transport is None
            or not carrying(sheet, write_out(sheet, carrier.models, {}))
            or chance.random() >= EMBARKED
        ):
            continue
        for at, unit in enumerate(found):
            other = sheets[unit.datasheet]
            places = places_taken(transport, other, write_out(other, unit.models, unit.equipment))
            free = unit.embarked_in is None and unit.reserves is None and other.abilities.transport is None
            if places is not None and places <= transport.capacity and free:
                found[at] = unit.model_copy(update={"embarked_in": carrier.id})
                break
    return found
