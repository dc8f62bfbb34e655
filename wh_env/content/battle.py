"""``Battle``: the engine's battle, with loading by name, resuming from bytes and explaining rules."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from numbers import Integral
from typing import Any, Self

import numpy as np

from wh_env.content.errors import ContentError
from wh_env.content.games import game_of
from wh_env.content.load import Source
from wh_env.content.plain import plain
from wh_env.content.rulebook import rule_text
from wh_env.content.warming import BATTLE, prepare
from wh_env.core.battle import FORMAT, MAGIC, BattleCore
from wh_env.core.dice import roll_d6
from wh_env.core.events import Event
from wh_env.core.frozen import thawed
from wh_env.core.sealed import Unreadable, json_of, same_version, unsealed
from wh_env.core.setup import Delegate, Setup
from wh_env.core.tables import DICE
from wh_env.core.validation import Validator

MISSION_STREAM = 0x4D495353  # the dice before a battle are not those of the battle


@lru_cache(maxsize=64)
def setup_from_source(source: str) -> Setup:
    """The Setup that was compiled from this text (``Setup.source``), with the delegates of its level of detail."""
    data = json.loads(source)
    game = game_of(data["battle"])
    return game.compile(game.load(data["battle"], None), data["rules"], None)


MOST_SOURCE = 1 << 22  # characters of a setup as JSON
WRITTEN_OUT = ("mission", "battlefield", "rules")  # fields that a source holds as mappings, not by names


@lru_cache(maxsize=8)
def setup_from_elsewhere(source: str) -> Setup:
    """The Setup of a battle that a file holds as JSON.

    Raises:
        ContentError: the text is no battle, or refers to other files.
    """
    file = "<bytes>"
    if len(source) > MOST_SOURCE:
        raise ContentError(file, "source", len(source), f"at most {MOST_SOURCE} characters", "characters are too many")
    try:
        data = json_of(source.encode(), "source")
    except Unreadable as error:
        raise refused(file, error) from None
    battle = data.get("battle") if isinstance(data, dict) else None
    if not isinstance(battle, dict) or not isinstance(data.get("rules"), dict):
        raise ContentError(file, "source", shown(data), "a mapping with the mappings battle and rules")
    armies = battle.get("armies")
    parts = {name: [battle[name]] for name in WRITTEN_OUT if battle.get(name) is not None}
    for name, listed in {**parts, "armies": armies}.items():
        if not isinstance(listed, list) or not all(isinstance(part, dict) for part in listed):
            raise ContentError(file, f"source.battle.{name}", shown(listed), "all that its names refer to written out")
    try:
        setup = setup_from_source(source)
    except ContentError:
        raise
    except Exception as error:
        problem = f"cannot be compiled ({type(error).__name__}: {error})"
        raise ContentError(file, "source", shown(battle), "a battle with everything written out", problem) from error
    return replace(setup, outside=True)


@lru_cache(maxsize=8)
def _validator(source: str) -> Validator:
    return Validator(setup_from_elsewhere(source))


def shown(value: object) -> str:
    """The first 60 characters of a value's ``repr``, for a message."""
    return repr(value)[:60]


def refused(file: str, error: Unreadable) -> ContentError:
    """The error of a sealed file as a ContentError."""
    return ContentError(file, error.field, error.value, error.expected, error.problem)


SEED_BITS, COPY_BITS = 63, 64  # of a battle's seed, which files keep; of a copy's, which searches draw


def checked_seed(seed: Any, bits: int = SEED_BITS) -> int:
    """The seed as an int.

    Raises:
        ContentError: it is no whole number of at most ``bits`` bits.
    """
    if isinstance(seed, bool) or not isinstance(seed, Integral) or abs(int(seed)) >= 1 << bits:
        raise ContentError("<call>", "seed", seed, f"a whole number of at most {bits} bits")
    return int(seed)


def _proposals(missions: Any) -> tuple[Any, Any]:
    """The missions that the players propose."""
    found = plain(missions, "<call>", "missions")
    if not isinstance(found, list) or len(found) != 2:
        raise ContentError("<call>", "missions", missions, "a mission of each player", "is not that")
    return found[0], found[1]


class Battle(BattleCore):
    """A battle between two armies, from deployment to its winner.

    While ``decision`` is not ``None`` a player must answer it. ``legal()`` is the mask of legal actions, ``describe``
    puts an action in words, and ``apply`` answers and plays on to the next decision. The tables of the state are
    attributes (``battle.units.alive[u]``), see ``BattleCore``.
    """

    @classmethod
    def load(
        cls,
        source: Source,
        seed: int | None = None,
        *,
        detail: str | None = None,
        record: bool = False,
        rules: Mapping[str, Any] | None = None,
        overrides: Mapping[str, Any] | None = None,
        delegates: Mapping[str, Delegate] | None = None,
        missions: tuple[Any, Any] | None = None,
    ) -> Self:
        """A new battle.

        Args:
            source: a battle config by name (``w10/only-war-incursion``; ``w10/random-incursion?seed=7`` draws one), by
                path, or as a dict of the same schema.
            seed: of the dice; None: that of the config, else 0.
            detail: ``squad`` (decisions that carry tactics) or ``full`` (every decision of the rules).
            record: keep events.
            rules: numbers and switches by name that override those of the mission.
            overrides: fields of the config to replace.
            delegates: policies, by decision kind, that answer instead of the player.
            missions: the mission that each player proposes, in place of the config's mission; for games with
                ``Game.select_mission``.

        Raises:
            ContentError: the content is wrong; the error names file, field, value and what was expected.
        """
        if overrides is not None and not isinstance(overrides, Mapping):
            raise ContentError("<call>", "overrides", overrides, "a mapping with fields of a battle", "is no mapping")
        seed = None if seed is None else checked_seed(seed)
        changes: dict[str, Any] = {} if overrides is None else plain(overrides, "<call>", "overrides")
        if detail is not None:
            changes["detail"] = detail
        game = game_of(source, changes)
        rolled = None
        if missions is not None:
            if game.select_mission is None:
                expected = f"none: players propose no missions in {game.ruleset.id}"
                raise ContentError("<call>", "missions", missions, expected)
            dice = np.zeros(1, DICE)
            dice["seed_low"], dice["seed_high"] = (seed or 0) & 0xFFFFFFFF, MISSION_STREAM
            changes["mission"], rolled = game.select_mission(
                _proposals(missions), lambda: roll_d6(dice, np.zeros(1, np.uint8))
            )
        loaded = game.load(source, changes)
        setup = game.compile(loaded, rules, delegates)
        prepare(game.ruleset.id, BATTLE)
        battle = cls(setup, seed if seed is not None else loaded.config.seed or 0, record=record)
        if rolled is not None and battle.recorder is not None:
            battle.recorder.insert(0, rolled)
        return battle

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """The battle that ``to_bytes`` saved, at exactly that point, with the delegates of its level of detail.

        A digest detects damage. The state itself is checked too (``core.validation``), since anybody can write one. A
        fault that these checks miss raises ``BrokenState`` in play.

        Raises:
            ContentError: the data hold no battle, are damaged, or come from another version of the format or of wh_env;
                or no battle could have this state. The error names table, row, column, value and what was expected.
        """
        file = "<bytes>"
        try:
            header, (text, state) = unsealed(bytes(data), MAGIC, FORMAT, "a saved battle", 2)
            same_version(header)
        except Unreadable as error:
            raise refused(file, error) from None
        try:
            source = text.decode()
        except UnicodeDecodeError as error:
            raise ContentError(file, "source", text[:40], "text in UTF-8", f"cannot be read ({error.reason})") from None
        setup = setup_from_elsewhere(source)
        if header.get("layout") != setup.layout_digest:
            expected = f"{setup.layout_digest}, that of its tables"
            raise ContentError(file, "header.layout", header.get("layout"), expected, "is another layout")
        return cls._restored(source, state)

    @classmethod
    def _restored(cls, source: str, state: bytes) -> Self:
        setup = setup_from_elsewhere(source)
        if len(state) != setup.layout.size:
            raise ContentError("<bytes>", "state", len(state), f"{setup.layout.size} bytes", "is the size of the state")
        prepare(setup.ruleset.id, BATTLE)
        battle = object.__new__(cls)
        battle._bind(setup, np.frombuffer(state, np.uint8).copy(), record=False)
        fault = _validator(source).fault(battle)
        if fault is not None:
            raise ContentError("<bytes>", f"state.{fault.where}", fault.value, fault.expected, "cannot be")
        try:
            setup.ruleset.resume(battle)
            sound = battle.over or bool(battle.legal().any())
        except Exception as error:
            told = f"{type(error).__name__}: {error}"
            raise ContentError(
                "<bytes>", "state", told, "a state that says what is legal", "is what it leads to"
            ) from error
        if not sound:
            kind = setup.ruleset.kinds[battle.clock.kind[0]].name
            raise ContentError("<bytes>", "state.clock.kind", kind, "a decision with an option", "has none")
        return battle

    def _seed(self, seed: int) -> None:
        super()._seed(seed if type(seed) is int and abs(seed) < 1 << COPY_BITS else checked_seed(seed, COPY_BITS))

    def roster(self, player: int) -> list[dict[str, Any]]:
        """The Army Roster of a player, which both players see from the start: a row for each unit.

        Raises:
            IndexError: there is no such player.
        """
        if player not in (0, 1):
            raise IndexError(f"player {player!r}: expected 0 or 1")
        return list(thawed(self.setup.statics["rosters"][player]))

    def explain(self, event: Event) -> str:
        """Title, text and source reference of the rule that an event applied."""
        return rule_text(event.rule)
