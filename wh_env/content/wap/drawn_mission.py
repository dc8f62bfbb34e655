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


def seed_of(config: Battle, file: str) -> int:
    """The seed of what is drawn for a battle; 0 if it names none.

    Raises:
        ContentError: nothing is random but ``random`` is given.
    """
    if config.random is not None and RANDOM not in (config.mission, config.battlefield, *config.armies):
        expected = "a mission, a battlefield or an army that is random"
        raise ContentError(file, "random", config.random.model_dump(), expected, "has nothing to draw")
    return (config.random or Random()).drawn


def with_mission(config: Battle, rules: Rules, file: str, seed: int) -> Battle:
    """The battle with a random mission drawn; players who name one roll no die (wap.scenario.select.agree).

    Raises:
        ContentError: no mission of the table exists.
    """
    drawn = config.model_copy(update={"random": None})
    if config.mission != RANDOM:
        return drawn
    known = tuple(name.removeprefix(f"{RULESET}/") for name in names("missions", RULESET))
    if not set(rules.scenarios) & set(known):
        raise ContentError(
            file, "rules.scenarios", list(rules.scenarios), f"one of {', '.join(known)} among them", "names none"
        )
    chance = np.random.default_rng(seed)
    name = rolled_mission(rules.scenarios, known, lambda: int(chance.integers(1, FACES + 1)))
    return drawn.model_copy(update={"mission": name})
