"""Random battles of the Epic-scale game as configurations; environments draw them at every reset."""

from __future__ import annotations

from typing import Any

import numpy as np

from wh_env.content.epic.drawing import drawn, written
from wh_env.content.epic.load import RULESET, formations_at_hand, load_rules
from wh_env.content.epic.schema import Battle, Random
from wh_env.content.load import RANDOM, validate


def random_battle(size: str, rng: np.random.Generator, **how: Any) -> dict[str, Any]:
    """A battle config with a drawn battlefield and two drawn armies.

    Args:
        size: ``patrol`` or ``company``.
        rng: the source of all randomness; it is advanced.
        how: fields of ``Random`` except its seed and size: ``factions``.

    Returns:
        A dict that ``Battle.load`` takes; nothing in it is random any more.

    Raises:
        ContentError: the size or one of ``how`` is not known, or the draw fails.
    """
    options = validate(Random, {**how, "size": size}, "<random>")
    parts = {"battlefield": RANDOM, "armies": (RANDOM, RANDOM), "random": options}
    config = Battle.model_validate({"name": f"Random, {size}", "ruleset": RULESET, **parts})
    return written(drawn(config, load_rules(), formations_at_hand(), "<random>", rng))
