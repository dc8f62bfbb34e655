"""Reading the 10th edition's YAML files. Every loader takes a name, a path or a dict of the same schema."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from wh_env.content.errors import ContentError, together, unknown
from wh_env.content.load import (
    Source,
    load_content,
    names,
    raw_battle,
    slug,
    validate,
)
from wh_env.content.w10.muster import Muster, army_faults, muster
from wh_env.content.w10.points import PricedDatasheets
from wh_env.content.w10.random_army import draw_army
from wh_env.content.w10.schema import Army, Battle, Datasheet, Faction, Mission
from wh_env.content.w40k import load
from wh_env.content.w40k.load import both_armies, fitting_battlefield, load_terrain
from wh_env.content.w40k.random_config import AtHand, drawn, draws
from wh_env.content.w40k.schema import BattleSize, Random
from wh_env.content.w40k.terrain import deployment_zones
from wh_env.rulesets.w10.numbers import GUIDELINES

RULESET = "w10"
SHEETS = PricedDatasheets(RULESET, Datasheet)
load_datasheet, load_datasheets = SHEETS.load, SHEETS.all
LoadedBattle = load.LoadedBattle[Battle, Mission, Muster]


# ---------------------------------------------------------------- one kind each


def load_faction(source: Source) -> Faction:
    """A faction with its detachments."""
    if isinstance(source, str) and "/" not in source and not source.endswith((".yaml", ".yml")):
        source = slug(source)
    return load_content(Faction, "factions", source, RULESET)


def load_army(source: Source) -> Army:
    """An army list, checked against its schema only; ``muster`` checks it against the datasheets."""
    return load_content(Army, "armies", source, RULESET)


def load_mission(source: Source) -> Mission:
    """A mission."""
    return load_content(Mission, "missions", source, RULESET)


# ---------------------------------------------------------------- battles


def load_battle(source: Source, overrides: Mapping[str, Any] | None = None) -> LoadedBattle:
    """A battle by name (``w10/only-war-incursion``), path or dict.

    Args:
        source: name, path or dict. A name or path may end in ``?`` and options for drawing the ``random`` parts:
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
    battlefield = fitting_battlefield(config, RULESET, file, mission.name, size, mission.markers)
    armies = both_armies(config, RULESET, file, Army, lambda army: muster_army(army, size.points))
    zones = deployment_zones(battlefield, mission.zones)
    return LoadedBattle(config, mission, size, battlefield, zones, armies)


def at_hand() -> AtHand:
    """The shipped factions, and a function that draws an army from their datasheets."""
    found = {faction.name: faction for faction in (load_faction(name) for name in names("factions", RULESET))}

    def army(faction: str, size: BattleSize, chance: np.random.Generator, room: float, name: str) -> Army:
        return draw_army(found[faction], load_datasheets(faction), size.points, chance, room, name)

    return AtHand(tuple(found), army, GUIDELINES)


def muster_army(army: Army, limit: int | None = None) -> Muster:
    """The army checked against the datasheets and its faction."""
    sheets = SHEETS.named((unit.datasheet for unit in army.units), army.datasheets, army.faction)
    faction = None
    known = [name.split("/")[1] for name in names("factions", RULESET)]
    if slug(army.faction) in known:
        faction = load_faction(army.faction)
    elif not army.datasheets:
        fault = unknown(army.source, "faction", army.faction, known)
        raise together([fault, *army_faults(army, sheets, None, limit, factions=False)])
    return muster(army, sheets, faction, limit)
