"""Random battles of the 9th edition as configurations; environments draw them at every reset."""

from __future__ import annotations

from typing import Any

import numpy as np

from wh_env.content.classic.battles import Battle
from wh_env.content.w9.load import RULESET, at_hand, load_mission
from wh_env.content.w40k.random_config import draw_battle


def random_battle(size: str, rng: np.random.Generator, **how: Any) -> dict[str, Any]:
    """A battle config with a drawn battlefield and two drawn armies; see ``draw_battle``."""
    return draw_battle(Battle, RULESET, load_mission, at_hand(), size, rng, how)
