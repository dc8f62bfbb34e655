"""Random armies by Power."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import numpy as np

from wh_env.content.classic.drawing import EMBARKED, LARGEST, TELEPORT, area_of, random_equipment
from wh_env.content.classic.fielding import carrying, places_taken, write_out
from wh_env.content.errors import ContentError
from wh_env.content.w8.schema import Army, ArmyUnit, Datasheet, Faction
from wh_env.core.actions import ActionSpace


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
                equipment=random_equipment(sheet, models, chance),
                reserves="deep-strike" if waits else None,
                warlord=not units,
            )
        )
        power -= sheet.power_of(models)
        room -= area_of(sheet, models)
    if not units:
        expected = f"enough Power for a CHARACTER of {faction.name}"
        raise ContentError("<random>", "power", power, expected, "is too little")
    return Army(name=name, faction=faction.name, units=tuple(embarked(units, sheets, chance)))


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
