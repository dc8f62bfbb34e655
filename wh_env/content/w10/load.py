"""Reading the 10th edition's YAML files. Every loader takes a name, a path or a dict of the same schema."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from wh_env.content.errors import ContentError, together, unknown
from wh_env.content.load import (
    Source,
    config_root,
    display,
    find,
    from_file,
    load_content,
    names,
    raw_battle,
    slug,
    validate,
)
from wh_env.content.w10.muster import Muster, army_faults, muster
from wh_env.content.w10.random_army import draw_army
from wh_env.content.w10.schema import Army, Battle, Datasheet, Faction, Mission
from wh_env.content.w40k.load import load_battlefield, load_terrain
from wh_env.content.w40k.random_config import AtHand, drawn, draws
from wh_env.content.w40k.schema import Battlefield, BattleSize, Random, Zones
from wh_env.content.w40k.terrain import check_battlefield, check_objectives, deployment_zones, scale_battlefield
from wh_env.rulesets.w10.numbers import GUIDELINES

RULESET = "w10"
LONGEST_NAME = 200  # of a file


# ---------------------------------------------------------------- one kind each


def load_datasheet(source: Source, faction: str | None = None) -> Datasheet:
    """One datasheet by name (of a faction), path or dict."""
    if isinstance(source, Mapping):
        return validate(Datasheet, source, "<datasheet>")
    if isinstance(source, Path) or str(source).endswith((".yaml", ".yml")):
        path = find("datasheets", source)
        return from_file(Datasheet, path)
    found = _datasheet_files(faction, slug(str(source)))
    if not found:
        raise unknown("<call>", "datasheet", source, load_datasheets(faction))
    return from_file(Datasheet, found[0])


def load_datasheets(faction: str | None = None) -> dict[str, Datasheet]:
    """All datasheets of a faction (of all factions when not given), by name."""
    sheets: dict[str, Datasheet] = {}
    for path in _datasheet_files(faction, "*"):
        sheet = from_file(Datasheet, path)
        if path.stem != slug(sheet.name):
            raise ContentError(
                display(path), "name", sheet.name, f"a file named {slug(sheet.name)}.yaml", "names another"
            )
        sheets[sheet.name] = sheet
    return sheets


def _datasheet_files(faction: str | None, stem: str) -> list[Path]:
    root = config_root() / RULESET / "datasheets"
    factions = [path.name for path in root.iterdir() if path.is_dir()]
    if faction is not None and slug(faction) not in factions:
        raise unknown("<call>", "faction", faction, factions)
    if len(stem) > LONGEST_NAME:
        return []
    return sorted(root.glob(f"{slug(faction) if faction else '*'}/{stem}.yaml"))


def datasheets_of(army: Army) -> dict[str, Datasheet]:
    """The datasheets that an army uses: its own and those that are shipped; all of them where a name is not found."""
    own = {sheet.name: sheet for sheet in army.datasheets}
    needed = {unit.datasheet for unit in army.units} - own.keys()
    found: dict[str, Datasheet] = {}
    for name in sorted(needed):
        for path in _datasheet_files(None, slug(name)):
            sheet = from_file(Datasheet, path)
            if sheet.name == name:
                found[name] = sheet
    if needed - found.keys():
        found = load_datasheets()
    return {**found, **own}


def load_faction(source: Source) -> Faction:
    """A faction with its detachments."""
    if isinstance(source, str) and "/" not in source and not source.endswith((".yaml", ".yml")):
        source = slug(source)
    return load_content(Faction, "factions", source, RULESET)


def load_army(source: Source) -> Army:
    """An army list (its form only; ``muster`` checks it against the datasheets)."""
    return load_content(Army, "armies", source, RULESET)


def load_mission(source: Source) -> Mission:
    """A mission."""
    return load_content(Mission, "missions", source, RULESET)


# ---------------------------------------------------------------- battles


@dataclass(frozen=True)
class LoadedBattle:
    """A battle with everything that its names refer to, checked against each other."""

    config: Battle
    mission: Mission
    size: BattleSize
    battlefield: Battlefield
    zones: Zones
    armies: tuple[Muster, Muster]

    @property
    def inactive(self) -> dict[str, tuple[str, ...]]:
        """Abilities that are declared on datasheets but not played, by datasheet."""
        sheets = {unit.datasheet.name: unit.datasheet for army in self.armies for unit in army.units}
        return {name: sheet.inactive for name, sheet in sorted(sheets.items()) if sheet.inactive}


def load_battle(source: Source, overrides: Mapping[str, Any] | None = None) -> LoadedBattle:
    """A battle by name (``w10/only-war-incursion``), path or dict.

    Args:
        source: name, path or dict. After a ``?`` a name or path says how what the battle names ``random`` is drawn:
            ``w10/random-incursion?seed=7&layout=even`` (fields of ``schema.Random``).
        overrides: fields that replace those of the file; nested mappings are merged.
    """
    raw, file = raw_battle(source, overrides)
    config = validate(Battle, raw, file)
    if config.ruleset != RULESET:
        raise unknown(file, "ruleset", config.ruleset, [RULESET])

    mission = load_content(Mission, "missions", config.mission, RULESET, file, "mission")
    if mission.ruleset != RULESET:
        expected = f"a mission of the ruleset {RULESET}"
        raise ContentError(mission.source, "ruleset", mission.ruleset, expected, "is another ruleset")
    size = mission.size(config.size)
    if size is None:
        raise unknown(file, "size", config.size, [s.name for s in mission.sizes])
    if draws(config):
        how = config.random or Random()
        terrain = load_terrain(how.terrain, RULESET, file, "random.terrain")
        chance = np.random.default_rng(how.seed)
        config = drawn(config, mission, size, at_hand(), terrain, chance)
    elif config.random is not None:
        expected = "a battlefield or an army that is random"
        raise ContentError(file, "random", raw["random"], expected, "has nothing to draw")
    battlefield = load_battlefield(config.battlefield, RULESET, file, "battlefield")
    if config.scale:
        battlefield = scale_battlefield(battlefield, (size.min_length_in, size.min_width_in))
        check_battlefield(battlefield)
    length, width = max(battlefield.size), min(battlefield.size)
    if length < size.min_length_in or width < size.min_width_in:
        expected = f"at least [{size.min_length_in:g}, {size.min_width_in:g}] for {mission.name} at {size.name}"
        raise ContentError(battlefield.source, "size", list(battlefield.size), expected, "is too small")
    placed = battlefield.objectives or mission.markers.placed_by == "battlefield"
    if placed and len(battlefield.objectives) != mission.markers.number:
        expected = f"{mission.markers.number} objective markers for {mission.name}"
        raise ContentError(battlefield.source, "objectives", len(battlefield.objectives), expected, "markers are given")
    check_objectives(battlefield, mission.markers)

    musters: list[Muster] = []
    faults: list[ContentError] = []
    for at, entry in enumerate(config.armies):
        try:
            army = load_content(Army, "armies", entry, RULESET, file, f"armies[{at}]")
            musters.append(muster_army(army, size.points))
        except ContentError as fault:
            faults.append(fault)
    if faults:
        raise together(faults)
    zones = deployment_zones(battlefield, mission.zones)
    return LoadedBattle(config, mission, size, battlefield, zones, (musters[0], musters[1]))


def at_hand() -> AtHand:
    """The factions that are shipped, and how an army is drawn from their datasheets."""
    found = {faction.name: faction for faction in (load_faction(name) for name in names("factions", RULESET))}

    def army(faction: str, size: BattleSize, chance: np.random.Generator, room: float, name: str) -> Army:
        return draw_army(found[faction], load_datasheets(faction), size.points, chance, room, name)

    return AtHand(tuple(found), army, GUIDELINES)


def muster_army(army: Army, limit: int | None = None) -> Muster:
    """The army checked against the datasheets and its faction."""
    sheets = datasheets_of(army)
    faction = None
    known = [name.split("/")[1] for name in names("factions", RULESET)]
    if slug(army.faction) in known:
        faction = load_faction(army.faction)
    elif not army.datasheets:
        fault = unknown(army.source, "faction", army.faction, known)
        raise together([fault, *army_faults(army, sheets, None, limit, factions=False)])
    return muster(army, sheets, faction, limit)
