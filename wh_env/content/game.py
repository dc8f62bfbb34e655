"""The parts of a game that load, compile and draw its battles. The module ``games`` lists the games."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from wh_env.content.catalogues.comparing import Comparison
from wh_env.content.catalogues.importing import Importing
from wh_env.content.fields import Content
from wh_env.content.load import Source
from wh_env.content.rosters import Rosters
from wh_env.core.events import Event
from wh_env.core.procedures import Ruleset
from wh_env.core.setup import Delegate, Setup

D6 = Callable[[], int]
Trial = Callable[[Path], tuple[Source, dict[str, Any] | None]]


class RandomBattle(Protocol):
    """Draws a battle of a named size; ``how`` are fields of the game's own schema."""

    def __call__(self, size: str, rng: np.random.Generator, **how: Any) -> dict[str, Any]:
        """A drawn battle, as ``Battle.load`` takes it; nothing in it is random any more."""


@dataclass(frozen=True)
class Duel:
    """One model that carries every weapon of its datasheet against a unit, for computing the odds of attacks.

    Attributes:
        setup: model 0 and unit 0 are the attacker; model 1 and unit 1 are its Leader if it has one; the target and its
            Leader follow.
        attacker, target: names of their datasheets.
        weapons: for each weapon name of the attacker, how many models of its smallest unit carry it without options.
        leader, target_leader: names of the datasheets of the Leaders, or empty.
        loadouts: the weapons of each model of the attacker, and of its Leader; empty if the game does not give them.
        chosen: options of choices that are in force.
    """

    setup: Setup
    attacker: str
    target: str
    weapons: Mapping[str, int]
    leader: str = ""
    target_leader: str = ""
    loadouts: tuple[tuple[tuple[str, ...], ...], ...] = ()
    chosen: tuple[str, ...] = ()


@dataclass(frozen=True)
class Company:
    """Leaders and Stratagems of the two units of a duel.

    Attributes:
        leader, target_leader: names of the datasheets of their Leaders.
        attackers: number of models of the attacker; None: the smallest unit.
        stratagems: names of Stratagems used on one of the units; ``NAME: OPTION`` for those with options.
    """

    leader: str | None = None
    target_leader: str | None = None
    attackers: int | None = None
    stratagems: tuple[str, ...] = ()


@dataclass(frozen=True)
class Choice:
    """A choice of a player that a field of a file holds.

    Attributes:
        rules: ids of the catalogue's ``decision`` entries for it.
        schema, field: the field; ``Army``, ``units`` is the field ``units`` of army lists.
        options: the possible choices in words; anything else is a ``ContentError``.
        asked: the switch of ``rules`` with which a battle asks the players instead; empty: it never asks.
    """

    rules: tuple[str, ...]
    schema: type[Content]
    field: str
    options: str
    asked: str = ""


@dataclass(frozen=True)
class Game:
    """How battles of a ruleset are read and compiled.

    Attributes:
        ruleset: the game's procedures and decision kinds.
        load: loads and checks a battle by name, path or dict, with overrides; its ``config`` has ``ruleset`` and
            ``seed``.
        compile: compiles a loaded battle, with overriding rules and delegates, to a Setup. Its ``source`` is JSON with
            the fields ``battle`` and ``rules``, complete in itself.
        random_battle: draws battles; None: the game draws none.
        select_mission: the mission to play from the proposals of both players, and the event of the roll-off if there
            was one (the function passed rolls its dice); None: players propose no missions.
        trials: for each folder of configurations, how a file is tried: a battle by name, and its overrides.
        duel: an attacker against a target of a number of models (None: the smallest unit), by datasheet names; None:
            the game has no datasheets.
        led_duel: the same with Leaders and Stratagems; None: the game computes odds of single datasheets only.
        choices: the choices that players make in files before a battle.
        check_rules: checks rules that override those of a battle, as plain data (arguments: rules, file, field; raises
            ContentError); None: a call cannot override rules.
        schemas: the schemas of its files, by folder.
        comparison, importing: compare its datasheets with public catalogues, and make datasheets from them; None: the
            game reads no catalogues.
        rosters: builds armies of rosters of list builders; None: the game reads none.
    """

    ruleset: Ruleset
    load: Callable[[Source, Mapping[str, Any] | None], Any]
    compile: Callable[[Any, Mapping[str, Any] | None, Mapping[str, Delegate] | None], Setup]
    random_battle: RandomBattle | None = None
    select_mission: Callable[[tuple[Any, Any], D6], tuple[Any, Event | None]] | None = None
    duel: Callable[[str, str, int | None], Duel] | None = None
    led_duel: Callable[[str, str, int | None, Company], Duel] | None = None
    trials: Mapping[str, Trial] = field(default_factory=dict)
    choices: tuple[Choice, ...] = ()
    check_rules: Callable[[Any, str, str], dict[str, Any]] | None = None
    schemas: Mapping[str, type[Content]] = field(default_factory=dict)
    comparison: Comparison | None = None
    importing: Importing | None = None
    rosters: Rosters | None = None
