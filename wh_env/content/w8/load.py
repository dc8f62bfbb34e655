"""Reading the 8th edition's content: datasheets, factions, armies, missions, battles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from wh_env.content.classic.battles import Battle
from wh_env.content.classic.prices import PricedDatasheets
from wh_env.content.errors import ContentError, unknown
from wh_env.content.load import Source, load_content, names, raw_battle, slug, validate
from wh_env.content.w8.muster import Muster, muster
from wh_env.content.w8.random_army import draw_army
from wh_env.content.w8.schema import Armoury, Army, Datasheet, Faction, Mission
from wh_env.content.w40k import load
from wh_env.content.w40k.load import both_armies, fitting_battlefield, load_terrain
from wh_env.content.w40k.random_config import AtHand, drawn, draws
from wh_env.content.w40k.schema import BattleSize, Random
from wh_env.content.w40k.terrain import deployment_zones
from wh_env.rulesets.w8.numbers import GUIDELINES

RULESET = "w8"
SHEETS = PricedDatasheets(RULESET, Datasheet)
load_datasheet, load_datasheets = SHEETS.load, SHEETS.all
LoadedBattle = load.LoadedBattle[Battle, Mission, Muster]


def load_faction(source: Source) -> Faction:
    """A faction with its disciplines."""
    if isinstance(source, str) and "/" not in source and not source.endswith((".yaml", ".yml")):
        source = slug(source)
    return load_content(Faction, "factions", source, RULESET)


def load_armoury(source: Source) -> Armoury:
    """A list of weapons that datasheets refer to."""
    return load_content(Armoury, "armouries", source, RULESET)


def faction_names() -> list[str]:
    """File names of the shipped factions."""
    return [name.split("/")[1] for name in names("factions", RULESET)]


def load_army(source: Source) -> Army:
    """An army list, checked against its schema only; ``muster_army`` checks it against the datasheets."""
    return load_content(Army, "armies", source, RULESET)


def load_mission(source: Source) -> Mission:
    """A mission."""
    return load_content(Mission, "missions", source, RULESET)


def load_battle(source: Source, overrides: Mapping[str, Any] | None = None) -> LoadedBattle:
    """A battle by name (``w8/only-war-skirmish``), path or dict.

    Args:
        source: name, path or dict. A name or path may end in ``?`` and options for drawing the ``random`` parts.
        overrides: fields that replace those of the file; nested mappings are merged.
    """
    raw, file = raw_battle(source, overrides)
    config = validate(Battle, raw, file)
    if config.ruleset != RULESET:
        raise unknown(file, "ruleset", config.ruleset, [RULESET])
    mission = load_content(Mission, "missions", config.mission, RULESET, file, "mission")
    size = mission.size(config.size)
    if size is None:
        raise unknown(file, "size", config.size, [each.name for each in mission.sizes])
    if draws(config):
        how = config.random or Random()
        terrain = load_terrain(how.terrain, RULESET, file, "random.terrain")
        config = drawn(config, mission, size, at_hand(mission), terrain, np.random.default_rng(how.seed))
    elif config.random is not None:
        expected = "a battlefield or an army that is random"
        raise ContentError(file, "random", raw["random"], expected, "has nothing to draw")
    battlefield = fitting_battlefield(config, RULESET, file, mission.name, size, mission.markers)
    armies = both_armies(config, RULESET, file, Army, lambda army: muster_army(army, size.power))
    return LoadedBattle(config, mission, size, battlefield, deployment_zones(battlefield, mission.zones), armies)


def at_hand(mission: Mission) -> AtHand:
    """The shipped factions, and a function that draws an army from their datasheets."""
    found = {faction.name: faction for faction in (load_faction(name) for name in names("factions", RULESET))}

    def army(faction: str, size: BattleSize, chance: np.random.Generator, room: float, name: str) -> Army:
        allowed = mission.size(size.name)
        assert allowed is not None
        return draw_army(found[faction], load_datasheets(faction), allowed.power, room, chance, name)

    return AtHand(tuple(found), army, GUIDELINES)


def muster_army(army: Army, limit: int | None = None) -> Muster:
    """The army checked against the datasheets and its faction."""
    sheets = SHEETS.named((unit.datasheet for unit in army.units), army.datasheets, army.faction)
    faction = None
    if army.faction is not None and slug(army.faction) in faction_names():
        faction = load_faction(army.faction)
    elif army.faction is not None and not army.datasheets:
        raise unknown(army.source, "faction", army.faction, faction_names())
    if army.faction is None and not army.disciplines:  # its psykers know the powers of their own factions
        shipped = {slug(sheet.faction) for sheet in sheets.values()} & set(faction_names())
        known = {own.name: own for name in sorted(shipped) for own in load_faction(name).disciplines}
        return muster(army, sheets, None, limit, tuple(known.values()))
    return muster(army, sheets, faction, limit)
