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
from wh_env.content.w40k.battles import Battle, Mission
from wh_env.content.w40k.datasheets import Datasheet
from wh_env.content.w40k.schema import Battlefield, BattleSize, Terrain, Zones
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


class Fielded(Protocol):
    """A unit that takes part."""

    @property
    def datasheet(self) -> Datasheet:
        """Its datasheet."""


class Mustered(Protocol):
    """An army without faults."""

    @property
    def army(self) -> Content:
        """Its army list."""

    @property
    def units(self) -> Sequence[Fielded]:
        """Its units."""


M = TypeVar("M", bound=Mission)
A = TypeVar("A", bound=Mustered)


@dataclass(frozen=True)
class LoadedBattle(Generic[M, A]):
    """A battle with all content that its names refer to, checked against each other.

    Mission and armies are those of the edition.
    """

    config: Battle
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


def fitting_battlefield(config: Battle, mission: Mission, file: str, size: BattleSize) -> Battlefield:
    """The battlefield of a battle, large enough for its size; it has the mission's number of markers, or none.

    Args:
        config, mission, file: the battle, its mission and where the battle stands.
        size: of the battle; with ``config.scale`` the battlefield is scaled to its smallest table.

    Raises:
        ContentError: the battlefield is too small, or markers do not fit.
    """
    battlefield = load_battlefield(config.battlefield, config.ruleset, file, "battlefield")
    if config.scale:
        battlefield = scale_battlefield(battlefield, (size.min_length_in, size.min_width_in))
        check_battlefield(battlefield)
    length, width = max(battlefield.size), min(battlefield.size)
    if length < size.min_length_in or width < size.min_width_in:
        expected = f"at least [{size.min_length_in:g}, {size.min_width_in:g}] for {mission.name} at {size.name}"
        raise ContentError(battlefield.source, "size", list(battlefield.size), expected, "is too small")
    markers, places = mission.markers, mission.marker_places(battlefield.size)
    if places is not None:
        moved = battlefield.model_copy(update={"objectives": places})
        moved._source = battlefield.source
        battlefield = moved
    placed = battlefield.objectives or markers.placed_by == "battlefield"
    if placed and len(battlefield.objectives) != markers.number:
        expected = f"{markers.number} objective markers for {mission.name}"
        raise ContentError(battlefield.source, "objectives", len(battlefield.objectives), expected, "markers are given")
    check_objectives(battlefield, markers)
    return battlefield


F = TypeVar("F", bound=Content)


def both_armies(config: Battle, file: str, schema: type[F], muster: Callable[[F], A]) -> tuple[A, A]:
    """The armies of a battle, read by ``schema`` and checked by ``muster``.

    Raises:
        ContentError: the first fault of either, the others in its ``others``.
    """
    found: list[A] = []
    faults: list[ContentError] = []
    for at, entry in enumerate(config.armies):
        try:
            found.append(muster(load_content(schema, "armies", entry, config.ruleset, file, f"armies[{at}]")))
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


def source_of(loaded: LoadedBattle[Any, Any], rules: Mapping[str, Any], beside: Sequence[str] = ()) -> str:
    """The battle as one JSON text with all content that it refers to.

    Args:
        loaded, rules: the battle, and rules that override its own.
        beside: attributes of a mustered army that are written with its list, beside the datasheets of its units.
    """
    armies = []
    for army in loaded.armies:
        sheets = {unit.datasheet.name: unit.datasheet for unit in army.units}
        kinds = {"datasheets": sheets.values(), **{name: getattr(army, name) for name in beside}}
        armies.append({**written(army.army), **{name: [written(own) for own in kinds[name]] for name in kinds}})
    config = {
        **written(loaded.config),
        "armies": armies,
        "mission": written(loaded.mission),
        "battlefield": written(loaded.battlefield),
        "scale": False,
    }
    return json.dumps({"battle": config, "rules": dict(sorted(rules.items()))}, separators=(",", ":"))
