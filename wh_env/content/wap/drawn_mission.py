"""Draws a mission that a battle names ``random``: a die on the table of missions (wap.scenario.select.random)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from wh_env.content.errors import ContentError
from wh_env.content.load import RANDOM, names
from wh_env.content.wap.schema_battle import Battle, Random, Rules

FACES = 6
RULESET = "wap"


def rolled_mission(table: tuple[str, ...], known: tuple[str, ...], d6: Callable[[], int]) -> str:
    """The mission that a die names, re-rolled until that mission is known."""
    while True:
        name = table[d6() - 1]
        if name in known:
            return name


def with_mission(config: Battle, rules: Rules, file: str) -> Battle:
    """The battle with a random mission drawn; players who name one roll no die (wap.scenario.select.agree).

    Raises:
        ContentError: the mission is not random but ``random`` is given, or no mission of the table exists.
    """
    if config.mission != RANDOM:
        if config.random is not None:
            expected = "a mission that is random"
            raise ContentError(file, "random", config.random.model_dump(), expected, "has nothing to draw")
        return config
    known = tuple(name.removeprefix(f"{RULESET}/") for name in names("missions", RULESET))
    if not set(rules.scenarios) & set(known):
        raise ContentError(
            file, "rules.scenarios", list(rules.scenarios), f"one of {', '.join(known)} among them", "names none"
        )
    chance = np.random.default_rng((config.random or Random()).seed)
    name = rolled_mission(rules.scenarios, known, lambda: int(chance.integers(1, FACES + 1)))
    return config.model_copy(update={"mission": name, "random": None})
