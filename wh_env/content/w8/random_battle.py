"""Random battles of the 8th edition as configurations; environments draw them at every reset."""

from __future__ import annotations

from typing import Any

import numpy as np

from wh_env.content.classic.battles import Battle
from wh_env.content.w8.load import RULESET, at_hand, load_mission
from wh_env.content.w40k.random_config import draw_battle, played


def random_battle(size: str, rng: np.random.Generator, **how: Any) -> dict[str, Any]:
    """A battle config with a drawn battlefield and two drawn armies; see ``draw_battle``."""
    return draw_battle(
        Battle, RULESET, load_mission, at_hand(load_mission(played(RULESET, load_mission, size)[0])), size, rng, how
    )
