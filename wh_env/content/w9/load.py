"""Reading the 9th edition's YAML files. Every loader takes a name, a path or a dict of the same schema."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from wh_env.content.classic.battles import Battle
from wh_env.content.classic.prices import PricedDatasheets
from wh_env.content.classic.schema import ClassicDatasheet
from wh_env.content.errors import ContentError, together, unknown
from wh_env.content.load import Source, config_root, from_file, load_content, names, raw_battle, slug, validate
from wh_env.content.w9.muster import Muster, army_faults, muster
from wh_env.content.w9.random_army import Drawing
from wh_env.content.w9.schema import Army, ArmySize, Faction, Mission, Tables
from wh_env.content.w40k import load
from wh_env.content.w40k.load import both_armies, fitting_battlefield, load_terrain
from wh_env.content.w40k.random_config import AtHand, drawn, draws
from wh_env.content.w40k.schema import BattleSize, Random
from wh_env.content.w40k.terrain import deployment_zones
from wh_env.rulesets.w9.numbers import GUIDELINES

RULESET = "w9"
SHEETS = PricedDatasheets(RULESET, ClassicDatasheet)
load_datasheet, load_datasheets = SHEETS.load, SHEETS.all
LoadedBattle = load.LoadedBattle[Battle, Mission, Muster]


def load_tables() -> Tables:
    """Sizes of battles and Detachments (``configs/w9/rules.yaml``)."""
    return from_file(Tables, config_root() / RULESET / "rules.yaml")


def load_faction(source: Source) -> Faction:
    """A faction with its disciplines."""
    if isinstance(source, str) and "/" not in source and not source.endswith((".yaml", ".yml")):
        source = slug(source)
    return load_content(Faction, "factions", source, RULESET)


def faction_names() -> list[str]:
    """File names of the shipped factions."""
    return [name.split("/")[1] for name in names("factions", RULESET)]


def shipped_faction(name: str) -> Faction | None:
    """The shipped faction of that name; None: there is none."""
    return load_faction(name) if slug(name) in faction_names() else None


def load_army(source: Source) -> Army:
    """An army list, checked against its schema only; ``muster_army`` checks it against the datasheets."""
    return load_content(Army, "armies", source, RULESET)


def load_mission(source: Source) -> Mission:
    """A mission."""
    return load_content(Mission, "missions", source, RULESET)


def load_battle(source: Source, overrides: Mapping[str, Any] | None = None) -> LoadedBattle:
    """A battle by name (``w9/only-war-patrol``), path or dict.

    Args:
        source: name, path or dict. A name or path may end in ``?`` and options for drawing the ``random`` parts
            (``w9/random-incursion?seed=7&layout=even``).
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
    size, own = mission.size(config.size), load_tables().size(config.size)
    if size is None or own is None:
        known = {s.name for s in mission.sizes} & {s.name for s in load_tables().sizes}
        raise unknown(file, "size", config.size, known)
    if draws(config):
        how = config.random or Random()
        terrain = load_terrain(how.terrain, RULESET, file, "random.terrain")
        config = drawn(config, mission, size, at_hand(), terrain, np.random.default_rng(how.seed))
    elif config.random is not None:
        expected = "a battlefield or an army that is random"
        raise ContentError(file, "random", raw["random"], expected, "has nothing to draw")
    markers = mission.markers
    places = (lambda field: markers.places(field.size)) if markers.at else None
    battlefield = fitting_battlefield(config, RULESET, file, mission.name, size, markers, places)
    armies = both_armies(config, RULESET, file, Army, lambda army: muster_army(army, own, size.points))
    zones = deployment_zones(battlefield, mission.zones)
    return LoadedBattle(config, mission, size, battlefield, zones, armies)


def at_hand() -> AtHand:
    """The shipped factions, and a function that draws an army from their datasheets."""
    found = {faction.name: faction for faction in (load_faction(name) for name in names("factions", RULESET))}
    tables = load_tables()

    def army(faction: str, size: BattleSize, chance: np.random.Generator, room: float, name: str) -> Army:
        own = tables.size(size.name)
        if own is None:
            raise unknown("<random>", "size", size.name, [each.name for each in tables.sizes])
        drawing = Drawing(found[faction], load_datasheets(faction), tables, own, size.points, room, chance)
        return drawing.army(name)

    return AtHand(tuple(found), army, GUIDELINES)


def muster_army(army: Army, size: ArmySize | None = None, limit: int | None = None) -> Muster:
    """The army checked against the datasheets, its faction and the Detachments of the battle's size."""
    sheets = SHEETS.named((unit.datasheet for _, _, unit in army.every_unit), army.datasheets, army.faction)
    tables = load_tables()
    faction = shipped_faction(army.faction)
    if faction is None and not army.datasheets:
        fault = unknown(army.source, "faction", army.faction, faction_names())
        raise together([fault, *army_faults(army, sheets, tables, size, None, limit)])
    return muster(army, sheets, tables, size, faction, limit)
