"""Battles from which inputs are made, of every ruleset that has an environment."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from wh_env import Battle
from wh_env.content.load import config_root
from wh_env.core.procedures import Ruleset
from wh_env.envs.registry import DEFAULT_RULESET, environment, rulesets
from wh_env.rulesets.w40k.edition import Edition

Start = tuple[str, dict[str, Any]]


def default_battle() -> str:
    """The small battle of the default ruleset."""
    return environment(DEFAULT_RULESET).skirmish


def other_battles() -> list[str]:
    """The small battles of the other rulesets."""
    return [environment(ruleset).skirmish for ruleset in rulesets() if ruleset != DEFAULT_RULESET]


def one_battle_each() -> tuple[str, ...]:
    """The small battle of each ruleset, the default ruleset first."""
    return (default_battle(), *other_battles())


@cache
def ruleset_of(battle: str) -> Ruleset:
    """The ruleset of a battle."""
    ruleset: Ruleset = Battle.load(battle, 1).setup.ruleset
    return ruleset


def default_edition() -> Edition:
    """The 40k edition of the default battle."""
    ruleset = ruleset_of(default_battle())
    assert isinstance(ruleset, Edition)
    return ruleset


def random_battles(ruleset: str) -> list[str]:
    """Names of the battles of a ruleset that draw armies or battlefields at random."""
    return [f"{ruleset}/{file.stem}" for file in sorted((config_root() / ruleset / "battles").glob("random-*.yaml"))]


def small_battles() -> tuple[Start, ...]:
    """The small battle of each ruleset at squad detail, as name and options of ``Battle.load``."""
    return tuple((name, {"detail": "squad"}) for name in one_battle_each())


def starts() -> Iterator[Start]:
    """Battles of each ruleset as name and options: small and large, at both details, random ones, and with every
    optional choice asked.
    """
    for number, ruleset in enumerate((DEFAULT_RULESET, *(name for name in rulesets() if name != DEFAULT_RULESET))):
        known = environment(ruleset)
        yield known.skirmish, {"detail": "squad"}
        yield known.battle, {"detail": "full"}
        asked = dict(ruleset_of(known.skirmish).by_players)
        if asked:
            yield known.skirmish, {"detail": "full", "rules": asked}
        for at, name in enumerate(random_battles(ruleset)):
            yield (
                f"{name}?seed={number + at + 3}",
                {"detail": ("squad", "full")[at % 2], "rules": asked if at == 0 else {}},
            )
