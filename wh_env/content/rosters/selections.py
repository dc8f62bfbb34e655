"""A roster as a tree of selections, each with number, points and characteristics."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from wh_env.content.catalogues.entries import Line as Profile
from wh_env.content.catalogues.telling import name_of, text_of
from wh_env.content.errors import ContentError

__all__ = [
    "ABILITY",
    "ENHANCEMENTS",
    "FACTION",
    "MELEE",
    "POINTS",
    "RANGED",
    "UNIT",
    "Profile",
    "Roster",
    "Selection",
    "roster_of",
]
RANGED, MELEE, UNIT, ABILITY = "Ranged Weapons", "Melee Weapons", "Unit", "Abilities"
POINTS, POWER = ("pts", "points"), ("pl", "power")
ENHANCEMENTS = "enhancements"
FACTION = "Faction: "


@dataclass(frozen=True)
class Selection:
    """An item of a roster.

    Attributes:
        kind: unit, model or upgrade.
        number: how many of it.
        points, power: of all of them, without what is inside.
        group: the group it was chosen from.
    """

    name: str
    kind: str
    number: int
    points: int
    group: str
    categories: tuple[str, ...]
    profiles: tuple[Profile, ...]
    rules: tuple[str, ...]
    inside: tuple[Selection, ...] = field(repr=False)
    power: int = 0

    def all(self) -> Iterator[Selection]:
        """The selection and all selections inside it."""
        yield self
        for one in self.inside:
            yield from one.all()

    @property
    def total(self) -> int:
        """Points of the selection and of all inside it."""
        return sum(one.points for one in self.all())

    @property
    def total_power(self) -> int:
        """Power of the selection and of all inside it."""
        return sum(one.power for one in self.all())

    def profiles_of(self, *kinds: str) -> list[Profile]:
        """Profiles of these kinds that the selection itself has."""
        return [profile for profile in self.profiles if profile.kind in kinds]


@dataclass(frozen=True)
class Force:
    """A part of a roster: its book and its selections."""

    book: str
    selections: tuple[Selection, ...]


@dataclass(frozen=True)
class Roster:
    """A roster as it was read."""

    name: str
    game: str
    forces: tuple[Force, ...]


def roster_of(raw: Mapping[str, Any], file: str) -> Roster:
    """A roster from the tree of a file.

    Raises:
        ContentError: a part has the wrong form; the error names its place.
    """
    forces = [
        force
        for at, one in enumerate(items(raw, "forces", file, "roster"))
        for force in forces_of(one, file, f"forces[{at}]")
    ]
    return Roster(name_of(raw.get("name"), "Imported army"), name_of(raw.get("gameSystemName")), tuple(forces))


def forces_of(raw: Mapping[str, Any], file: str, place: str) -> list[Force]:
    """A force and the forces within it."""
    chosen = [
        selection_of(one, file, f"{place}.selections[{n}]")
        for n, one in enumerate(items(raw, "selections", file, place))
    ]
    within = [
        force
        for n, one in enumerate(items(raw, "forces", file, place))
        for force in forces_of(one, file, f"{place}.forces[{n}]")
    ]
    return [Force(name_of(raw.get("catalogueName"), "unknown"), tuple(chosen)), *within]


def items(raw: Mapping[str, Any], name: str, file: str, place: str) -> list[Mapping[str, Any]]:
    """The mappings of a list; empty if the list is missing."""
    found = raw.get(name)
    if found is None:
        return []
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise ContentError(file, f"{place}.{name}", type(found).__name__, "a list of entries", "is none")
    return found


def selection_of(raw: Mapping[str, Any], file: str, place: str) -> Selection:
    """A selection with all selections inside it."""
    number = whole(raw.get("number", 1), file, f"{place}.number")
    if not 0 <= number <= 1000:
        raise ContentError(file, f"{place}.number", number, "0 to 1000")
    points, power = costs_of(raw, POINTS, file, place), costs_of(raw, POWER, file, place)
    inside = [
        selection_of(one, file, f"{place}.selections[{n}]")
        for n, one in enumerate(items(raw, "selections", file, place))
    ]
    return Selection(
        name=name_of(raw.get("name"), "unnamed"),
        kind=str(raw.get("type", "upgrade")),
        number=number,
        points=points,
        group=str(raw.get("group", "")),
        categories=tuple(name_of(one.get("name")) for one in items(raw, "categories", file, place)),
        profiles=tuple(profile_of(one, file, place) for one in items(raw, "profiles", file, place)),
        rules=tuple(name_of(one.get("name")) for one in items(raw, "rules", file, place)),
        inside=tuple(inside),
        power=power,
    )


def costs_of(raw: Mapping[str, Any], kinds: tuple[str, ...], file: str, place: str) -> int:
    """The costs of a selection in a currency, by its names."""
    cost = sum(
        whole(one.get("value", 0), file, f"{place}.costs")
        for one in items(raw, "costs", file, place)
        if str(one.get("name", "")).strip().lower() in kinds
    )
    if not 0 <= cost <= 100_000:
        raise ContentError(file, f"{place}.costs", cost, "0 to 100000 points")
    return cost


def profile_of(raw: Mapping[str, Any], file: str, place: str) -> Profile:
    """A profile from its entry."""
    values = {
        name_of(one.get("name")): text_of(str(one.get("$text", one.get("value", ""))))
        for one in items(raw, "characteristics", file, f"{place}.profiles")
    }
    return Profile(name_of(raw.get("name"), "unnamed"), str(raw.get("typeName", "")).strip(), values)


def whole(value: Any, file: str, place: str) -> int:
    """A whole number; it may be written as text or with a fraction of 0."""
    try:
        number = float(value)
        if number == int(number) and not isinstance(value, bool):
            return int(number)
    except (TypeError, ValueError, OverflowError):
        pass
    raise ContentError(file, place, value, "a whole number")
