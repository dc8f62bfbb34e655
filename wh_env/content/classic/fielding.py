"""Units that take part in a battle: models written out with their equipment, and places in TRANSPORTS."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wh_env.content.classic.schema import ClassicDatasheet, ClassicModel, EquipmentOption, Psyker, Transport
from wh_env.rulesets.w40k.keywords import singular

Equipment = Mapping[str, Mapping[str, int]]  # type of model -> option -> number of models that have it


@dataclass(frozen=True)
class FieldedModel:
    """One model: its type and equipment."""

    type: ClassicModel
    weapons: tuple[str, ...]
    option: EquipmentOption | None = None


@dataclass(frozen=True)
class FieldedUnit:
    """One unit of an army.

    ``embarked_in`` is the index of a unit of the same army, ``detachment`` that of a Detachment (None: in none).
    """

    name: str
    datasheet: ClassicDatasheet
    models: tuple[FieldedModel, ...]
    points: int
    leads: None = None
    embarked_in: int | None = None
    reserves: str | None = None
    warlord: bool = False
    detachment: int | None = None
    splits: int = 0  # number of its models that can become a unit of their own

    @property
    def power(self) -> int:
        """Its Power Rating."""
        return self.datasheet.power_of(len(self.models))

    @property
    def psyker(self) -> Psyker | None:
        """The psychic powers of its datasheet."""
        return self.datasheet.abilities.psyker

    @property
    def least_move(self) -> float | None:
        """The lower of two Move values in inches; None if the unit has one value."""
        least = [model.type.M.least for model in self.models if model.type.M.least is not None]
        return float(min(least)) if least else None

    @property
    def warlord_model(self) -> int:
        """The number of the model that is the Warlord if the unit has it: the first CHARACTER, else the first."""
        sheet = self.datasheet
        return next((n for n, m in enumerate(self.models) if sheet.model_has(m.type, "CHARACTER")), 0)


def roster_entry(unit: FieldedUnit) -> dict[str, Any]:
    """The entry of a unit in an army roster: models with weapons, Battlefield Role, points, Power."""
    options = [model.option.name if model.option is not None else None for model in unit.models]
    rows = zip(unit.models, options, strict=True)
    return {
        "name": unit.name,
        "datasheet": unit.datasheet.name,
        "models": [{"name": m.type.name, "weapons": m.weapons, "wargear": option} for m, option in rows],
        "role": unit.datasheet.role,
        "warlord": unit.warlord,
        "points": unit.points,
        "power": unit.power,
    }


def write_out(sheet: ClassicDatasheet, wanted: int | None, equipment: Equipment) -> tuple[FieldedModel, ...]:
    """The models of a unit: the fixed ones of each type, then the rest in the datasheet's order of types.

    Args:
        sheet: its datasheet.
        wanted: number of models; None: the smallest unit.
        equipment: options; unknown ones are left out.
    """
    counts = [model.min for model in sheet.models]
    spare = (sheet.smallest if wanted is None else wanted) - sheet.smallest
    models: list[FieldedModel] = []
    for at, model in enumerate(sheet.models):
        more = max(0, min(model.max - model.min, spare))
        spare -= more
        chosen = equipment.get(model.name, {})
        options = [option for name in chosen for option in model.options if option.name == name]
        own = [FieldedModel(model, o.weapons, o) for o in options for _ in range(chosen[o.name])][: counts[at] + more]
        models += [FieldedModel(model, model.weapons)] * (counts[at] + more - len(own)) + own
    return tuple(models if wanted is None else models[:wanted])


def cost(sheet: ClassicDatasheet, models: Sequence[FieldedModel]) -> int:
    """Points of a unit: of each model, and of its options."""
    each = sum(sheet.points if model.type.points is None else model.type.points for model in models)
    return each + sum(model.option.points for model in models if model.option is not None)


def places_taken(transport: Transport, sheet: ClassicDatasheet, models: Sequence[FieldedModel]) -> int | None:
    """The places that the models of a unit take up in a TRANSPORT (w9.transport.capacity).

    None if the TRANSPORT does not carry one of them.
    """
    allowed, excluded = ({singular(k) for k in names} for names in (transport.allowed, transport.excluded))
    places = {singular(k): n for k, n in transport.places.items()}
    total = 0
    for model in models:
        keywords = {singular(k) for k in (*sheet.every_keyword, *model.type.keywords)}
        if not allowed <= keywords or excluded & keywords:
            return None
        total += max((places[k] for k in keywords if k in places), default=1)
    return total


def carrying(sheet: ClassicDatasheet, models: Sequence[FieldedModel]) -> list[int]:
    """Numbers of the models of a TRANSPORT unit that carry others: those with the keyword, else all."""
    if sheet.abilities.transport is None:
        return []
    having = [number for number, model in enumerate(models) if sheet.model_has(model.type, "TRANSPORT")]
    return having or list(range(len(models)))
