"""Battles that inputs start from: those of every ruleset that has an environment."""

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


def main() -> str:
    """A small battle of the ruleset that environments play which name none."""
    return environment(DEFAULT_RULESET).skirmish


def others() -> list[str]:
    """Small battles of the other rulesets."""
    return [environment(ruleset).skirmish for ruleset in rulesets() if ruleset != DEFAULT_RULESET]


def every() -> tuple[str, ...]:
    """A small battle of each ruleset, ``main`` first."""
    return (main(), *others())


@cache
def ruleset_of(battle: str) -> Ruleset:
    """The ruleset of a battle."""
    ruleset: Ruleset = Battle.load(battle, 1).setup.ruleset
    return ruleset


def edition() -> Edition:
    """The edition of ``main``."""
    found = ruleset_of(main())
    assert isinstance(found, Edition)
    return found


def drawn(ruleset: str) -> list[str]:
    """Battles of the ruleset that are drawn by chance."""
    return [f"{ruleset}/{file.stem}" for file in sorted((config_root() / ruleset / "battles").glob("random-*.yaml"))]


def small() -> tuple[Start, ...]:
    """One of each ruleset, played by squads."""
    return tuple((name, {"detail": "squad"}) for name in every())


def starts() -> Iterator[Start]:
    """Those of each ruleset: small and large, at both details, drawn by chance, and with all that players may settle asked."""
    for number, ruleset in enumerate((DEFAULT_RULESET, *(name for name in rulesets() if name != DEFAULT_RULESET))):
        known = environment(ruleset)
        yield known.skirmish, {"detail": "squad"}
        yield known.battle, {"detail": "full"}
        asked = dict(ruleset_of(known.skirmish).by_players)
        if asked:
            yield known.skirmish, {"detail": "full", "rules": asked}
        for at, name in enumerate(drawn(ruleset)):
            yield (
                f"{name}?seed={number + at + 3}",
                {"detail": ("squad", "full")[at % 2], "rules": asked if at == 0 else {}},
            )
