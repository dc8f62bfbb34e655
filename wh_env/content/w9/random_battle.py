"""Random battles of the 9th edition as configurations: what environments draw anew at every reset."""

from __future__ import annotations

from typing import Any

import numpy as np

from wh_env.content.load import RANDOM, validate
from wh_env.content.w9.load import RULESET, at_hand, load_mission
from wh_env.content.w9.schema import Battle
from wh_env.content.w40k.load import load_terrain
from wh_env.content.w40k.random_config import drawn, played, write_down
from wh_env.content.w40k.schema import Random


def random_battle(size: str, rng: np.random.Generator, **how: Any) -> dict[str, Any]:
    """A battle config with a battlefield and two armies of its own.

    Args:
        size: a size of battle that a mission allows, e.g. ``combat-patrol``, ``incursion``.
        rng: where all chance comes from; it is advanced.
        how: fields of ``w40k.schema.Random`` but its seed: ``layout``, ``markers``, ``terrain``, ``factions``.

    Returns:
        A dict that ``Battle.load`` takes; nothing in it is random any more.

    Raises:
        ContentError: the size or one of ``how`` is not known, or something cannot be drawn.
    """
    name, mission, battle_size = played(RULESET, load_mission, size)
    options = validate(Random, how, "<random>")
    config = Battle(
        name=f"Random, {battle_size.name}",
        ruleset=RULESET,
        mission=name,
        size=battle_size.name,
        battlefield=RANDOM,
        armies=(RANDOM, RANDOM),
        random=options,
    )
    terrain = load_terrain(options.terrain, RULESET)
    return write_down(drawn(config, mission, battle_size, at_hand(), terrain, rng))
