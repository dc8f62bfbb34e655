"""The games by the ids of their rulesets. The field ``ruleset`` of a battle names its game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

import numpy as np

from wh_env.content.errors import ContentError, unknown
from wh_env.content.game import Company, Duel, Game
from wh_env.content.load import Source, raw_battle

RULESETS = ("epic", "w10", "w9", "w8", "wap")  # each is the ``GAME`` of the package of that name beside this module


class Games(Mapping[str, Game]):
    """The games by the ids of their rulesets.

    A game is imported when it is asked for, so that loading a battle does not import other games.
    """

    def __getitem__(self, ruleset: str) -> Game:
        if ruleset not in RULESETS:
            raise KeyError(ruleset)
        found: Game = import_module(f"wh_env.content.{ruleset}").GAME
        return found

    def __contains__(self, ruleset: object) -> bool:
        return ruleset in RULESETS

    def __iter__(self) -> Iterator[str]:
        return iter(RULESETS)

    def __len__(self) -> int:
        return len(RULESETS)


GAMES = Games()


def game_named(ruleset: str) -> Game:
    """The game with this id.

    Raises:
        ContentError: there is none.
    """
    if ruleset not in GAMES:
        raise unknown("<call>", "ruleset", ruleset, GAMES)
    return GAMES[ruleset]


def game_of(source: Source, overrides: Mapping[str, Any] | None = None) -> Game:
    """The game of a battle.

    Raises:
        ContentError: the battle cannot be read or names an unknown ruleset.
    """
    raw, file = raw_battle(source, overrides)
    if not isinstance(raw, Mapping):
        raise ContentError(file, "", raw, "a mapping with the fields of a battle", "is no mapping")
    if not isinstance(raw.get("ruleset"), str) or raw["ruleset"] not in GAMES:
        raise unknown(file, "ruleset", raw.get("ruleset"), GAMES)
    return GAMES[raw["ruleset"]]


def random_battle(ruleset: str, size: str, rng: np.random.Generator, **how: Any) -> dict[str, Any]:
    """A battle config with a drawn battlefield and two drawn armies.

    Args:
        ruleset: of the game.
        size: a size of battle that a mission of the game allows, e.g. ``incursion``, ``strike-force``.
        rng: the source of all randomness; it is advanced.
        how: options of the draw, by the game's own fields (40k editions: those of ``w40k.schema.Random`` except its
            seed).

    Returns:
        A dict that ``Battle.load`` takes; nothing in it is random any more.

    Raises:
        ContentError: the ruleset, the size or one of ``how`` is not known, the game draws no battles, or the draw
            fails.
    """
    draw = game_named(ruleset).random_battle
    if draw is None:
        known = [name for name, game in GAMES.items() if game.random_battle is not None]
        raise unknown("<random>", "ruleset", ruleset, known)
    return draw(size, rng, **how)


def duel(ruleset: str, attacker: str, target: str, models: int | None = None, company: Company | None = None) -> Duel:
    """An attacker against a target, by the names of their datasheets.

    See ``Game.duel`` and, with ``company``, ``Game.led_duel``.

    Raises:
        ContentError: the game has no datasheets (or, with ``company``, no units with Leaders), a name is not known, or
            a unit cannot have that many models.
    """
    game = game_named(ruleset)
    if company is not None:
        if game.led_duel is None:
            known = [name for name, other in GAMES.items() if other.led_duel is not None]
            expected = f"one of {', '.join(known)}"
            raise ContentError(
                "<call>", "ruleset", ruleset, expected, "has no odds of whole units, Leaders and Stratagems"
            )
        return game.led_duel(attacker, target, models, company)
    if game.duel is None:
        raise unknown("<call>", "ruleset", ruleset, [name for name, other in GAMES.items() if other.duel is not None])
    return game.duel(attacker, target, models)
