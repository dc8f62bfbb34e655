"""Finds, reads and checks terrain sets, battlefields and battles of the 40k editions."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from wh_env.content.errors import ContentError, together
from wh_env.content.fields import Content
from wh_env.content.load import Source, load_content, own_roots
from wh_env.content.w40k.datasheets import Datasheet
from wh_env.content.w40k.schema import Battlefield, BattleSize, Markers, Terrain, Zones
from wh_env.content.w40k.terrain import check_battlefield, check_objectives, scale_battlefield


def load_terrain(source: Source, ruleset: str | None = None, file: str = "<call>", field: str = "") -> Terrain:
    """A set of terrain templates."""
    return load_content(Terrain, "terrain", source, ruleset, file, field)


def load_battlefield(source: Source, ruleset: str | None = None, file: str = "<call>", field: str = "") -> Battlefield:
    """A battlefield with its templates; its terrain is checked.

    Args:
        source: a name, a path or a mapping.
        ruleset: where names without a ruleset are looked for; None: in the ruleset of the file.
        file, field: where the source stands, for messages.
    """
    found = load_content(Battlefield, "battlefields", source, ruleset, file, field)
    if found.terrain is not None:
        shared = load_content(
            Terrain, "terrain", found.terrain, ruleset or ruleset_in(found.source), found.source, "terrain"
        )
        merged = found.model_copy(update={"templates": {**shared.templates, **found.templates}})
        merged._source = found.source
        found = merged
    check_battlefield(found)
    return found


def ruleset_in(source: str) -> str | None:
    """The ruleset of a file in ``configs`` or in the user's content, given as messages show it; None: in neither."""
    for root in own_roots():
        if Path(source).is_relative_to(root):
            return Path(source).relative_to(root).parts[0]
    parts = source.split("/")
    return parts[1] if parts[0] == "configs" and len(parts) > 2 else None


# ---------------------------------------------------------------- battles


class Config(Protocol):
    """The fields of a battle config that this module reads, in any edition."""

    @property
    def battlefield(self) -> Source:
        """Its battlefield."""

    @property
    def armies(self) -> tuple[Source, Source]:
        """Its armies."""

    @property
    def scale(self) -> bool:
        """Whether a battlefield of another size is scaled to fit."""


class Fielded(Protocol):
    """A unit that takes part."""

    @property
    def datasheet(self) -> Datasheet:
        """Its datasheet."""


class Mustered(Protocol):
    """An army without faults."""

    @property
    def units(self) -> Sequence[Fielded]:
        """Its units."""


C = TypeVar("C")
M = TypeVar("M")
A = TypeVar("A", bound=Mustered)


@dataclass(frozen=True)
class LoadedBattle(Generic[C, M, A]):
    """A battle with all content that its names refer to, checked against each other.

    Config, mission and armies are those of the edition.
    """

    config: C
    mission: M
    size: BattleSize
    battlefield: Battlefield
    zones: Zones
    armies: tuple[A, A]

    @property
    def inactive(self) -> dict[str, tuple[str, ...]]:
        """Abilities that datasheets declare and that are not played, by datasheet."""
        sheets = {unit.datasheet.name: unit.datasheet for army in self.armies for unit in army.units}
        return {name: sheet.inactive for name, sheet in sorted(sheets.items()) if sheet.inactive}


def fitting_battlefield(
    config: Config,
    ruleset: str,
    file: str,
    mission: str,
    size: BattleSize,
    markers: Markers,
    places: Callable[[Battlefield], tuple[tuple[float, float], ...]] | None = None,
) -> Battlefield:
    """The battlefield of a battle, large enough for its size; it has the mission's number of markers, or none.

    Args:
        config, ruleset, file: of the battle.
        mission: its name.
        size: of the battle; with ``config.scale`` the battlefield is scaled to its smallest table.
        markers: of the mission.
        places: computes the places that the mission gives its markers; None: it gives none.

    Raises:
        ContentError: the battlefield is too small, or markers do not fit.
    """
    battlefield = load_battlefield(config.battlefield, ruleset, file, "battlefield")
    if config.scale:
        battlefield = scale_battlefield(battlefield, (size.min_length_in, size.min_width_in))
        check_battlefield(battlefield)
    length, width = max(battlefield.size), min(battlefield.size)
    if length < size.min_length_in or width < size.min_width_in:
        expected = f"at least [{size.min_length_in:g}, {size.min_width_in:g}] for {mission} at {size.name}"
        raise ContentError(battlefield.source, "size", list(battlefield.size), expected, "is too small")
    if places is not None:
        moved = battlefield.model_copy(update={"objectives": places(battlefield)})
        moved._source = battlefield.source
        battlefield = moved
    placed = battlefield.objectives or markers.placed_by == "battlefield"
    if placed and len(battlefield.objectives) != markers.number:
        expected = f"{markers.number} objective markers for {mission}"
        raise ContentError(battlefield.source, "objectives", len(battlefield.objectives), expected, "markers are given")
    check_objectives(battlefield, markers)
    return battlefield


F = TypeVar("F", bound=Content)


def both_armies(config: Config, ruleset: str, file: str, schema: type[F], muster: Callable[[F], A]) -> tuple[A, A]:
    """The armies of a battle, read by ``schema`` and checked by ``muster``.

    Raises:
        ContentError: the first fault of either, the others in its ``others``.
    """
    found: list[A] = []
    faults: list[ContentError] = []
    for at, entry in enumerate(config.armies):
        try:
            found.append(muster(load_content(schema, "armies", entry, ruleset, file, f"armies[{at}]")))
        except ContentError as fault:
            faults.append(fault)
    if faults:
        raise together(faults)
    return found[0], found[1]


def written(content: Content) -> dict[str, Any]:
    """Content as plain data that a loader reads back.

    Mappings keep their order, as the order of a unit's equipment decides which of its models carries an item.
    """
    return content.model_dump(mode="json", by_alias=True, exclude_none=True)


def written_army(army: Content, units: Sequence[Fielded]) -> dict[str, Any]:
    """An army list with the datasheets of its units written out."""
    sheets = {unit.datasheet.name: unit.datasheet for unit in units}
    return {**written(army), "datasheets": [written(sheet) for sheet in sheets.values()]}


def source_of(
    loaded: LoadedBattle[Any, Any, Any], armies: Sequence[Mapping[str, Any]], rules: Mapping[str, Any]
) -> str:
    """The battle as one JSON text with all content that it refers to.

    ``armies`` are mappings as ``written_army`` makes them.
    """
    config = {
        **written(loaded.config),
        "armies": list(armies),
        "mission": written(loaded.mission),
        "battlefield": written(loaded.battlefield),
        "scale": False,
    }
    return json.dumps({"battle": config, "rules": dict(sorted(rules.items()))}, separators=(",", ":"))
