"""Random battles, battlefields and armies as configurations: what environments draw anew at every reset.

Everything comes from the ``numpy`` generator that is passed: the same state of it gives the same configuration, in any
process. Each can be written to YAML and read back by the loaders.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from wh_env.content.errors import unknown
from wh_env.content.load import (
    at_hand,
    load_battlefield,
    load_datasheets,
    load_faction,
    load_mission,
    load_terrain,
    names,
    slug,
    validate,
)
from wh_env.content.w10.random_army import draw_army
from wh_env.content.w10.random_config import RANDOM, drawn, field_for, write_down
from wh_env.content.w10.schema import Army, Battle, Battlefield, BattleSize, Mission, Random


def random_battle(ruleset: str, size: str, rng: np.random.Generator, **how: Any) -> dict[str, Any]:
    """A battle config with a battlefield and two armies of its own.

    Args:
        ruleset: e.g. ``w10``.
        size: a size of battle that a mission of the ruleset allows, e.g. ``incursion``, ``strike-force``.
        rng: where all chance comes from; it is advanced.
        how: fields of ``schema.Random`` but its seed: ``layout``, ``markers``, ``terrain``, ``factions``.

    Returns:
        A dict that ``Battle.load`` takes; nothing in it is random any more.

    Raises:
        ContentError: the ruleset, the size or one of ``how`` is not known, or something cannot be drawn.
    """
    name, mission, battle_size = _played(ruleset, size)
    options = validate(Random, how, "<random>")
    config = Battle(
        name=f"Random, {battle_size.name}",
        ruleset=ruleset,
        mission=name,
        size=battle_size.name,
        battlefield=RANDOM,
        armies=(RANDOM, RANDOM),
        random=options,
    )
    terrain = load_terrain(options.terrain, ruleset)
    return write_down(drawn(config, mission, battle_size, at_hand(ruleset), terrain, rng))


def random_battlefield(ruleset: str, size: str, rng: np.random.Generator, **how: Any) -> Battlefield:
    """A battlefield for a size of battle, its templates looked up; see ``random_battle``."""
    _, mission, battle_size = _played(ruleset, size)
    options = validate(Random, how, "<random>")
    terrain = load_terrain(options.terrain, ruleset)
    return load_battlefield(write_down(field_for(mission, battle_size, terrain, options, rng)), ruleset)


def random_army(ruleset: str, faction: str, points: int, rng: np.random.Generator) -> Army:
    """An army of a faction for a points limit, out of the datasheets that are shipped; see ``draw_army``."""
    drawn_from = load_faction(faction, ruleset)
    sheets = load_datasheets(ruleset, drawn_from.name)
    return draw_army(drawn_from, sheets, points, rng, name=f"Random {drawn_from.name}")


def _played(ruleset: str, size: str) -> tuple[str, Mission, BattleSize]:
    """The first mission of a ruleset that allows a size of battle: its file's name, itself, the size."""
    sizes: list[str] = []
    for name in names("missions", ruleset):
        mission = load_mission(name)
        for allowed in mission.sizes:
            if slug(allowed.name) == slug(size):
                return name.rpartition("/")[2], mission, allowed
            sizes.append(slug(allowed.name))
    raise unknown("<random>", "size", size, sizes)
