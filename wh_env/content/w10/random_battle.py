"""Random battles, battlefields and armies as configurations; environments draw them at every reset.

All randomness comes from the ``numpy`` generator passed: an equal generator gives the same configuration in any
process. Each configuration can be written to YAML and read back by the loaders.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from wh_env.content.load import validate
from wh_env.content.w10.load import RULESET, at_hand, load_datasheets, load_faction, load_mission
from wh_env.content.w10.random_army import draw_army
from wh_env.content.w10.schema import Army, Battle
from wh_env.content.w40k.load import load_battlefield, load_terrain
from wh_env.content.w40k.random_config import draw_battle, field_for, played, write_down
from wh_env.content.w40k.schema import Battlefield, Random
from wh_env.rulesets.w10.numbers import GUIDELINES


def random_battle(size: str, rng: np.random.Generator, **how: Any) -> dict[str, Any]:
    """A battle config with a drawn battlefield and two drawn armies; see ``draw_battle``."""
    return draw_battle(Battle, RULESET, load_mission, at_hand(), size, rng, how)


def random_battlefield(size: str, rng: np.random.Generator, **how: Any) -> Battlefield:
    """A battlefield for a size of battle, with its templates; see ``random_battle``."""
    _, mission, battle_size = played(RULESET, load_mission, size)
    options = validate(Random, how, "<random>")
    terrain = load_terrain(options.terrain, RULESET)
    return load_battlefield(write_down(field_for(mission, battle_size, terrain, options, rng, GUIDELINES)), RULESET)


def random_army(faction: str, points: int, rng: np.random.Generator) -> Army:
    """An army of a faction for a points limit, from the shipped datasheets; see ``draw_army``."""
    drawn_from = load_faction(faction)
    sheets = load_datasheets(drawn_from.name)
    return draw_army(drawn_from, sheets, points, rng, name=f"Random {drawn_from.name}")
