"""What a game hands over so that its battles can be loaded, compiled and drawn; ``games`` lists the games that there are."""

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
from wh_env.core.events import Event
from wh_env.core.procedures import Ruleset
from wh_env.core.setup import Delegate, Setup

D6 = Callable[[], int]
Trial = Callable[[Path], tuple[Source, dict[str, Any] | None]]


class RandomBattle(Protocol):
    """Draws a battle of a size by its name; ``how`` are fields of the game's own schema."""

    def __call__(self, size: str, rng: np.random.Generator, **how: Any) -> dict[str, Any]:
        """A battle with nothing random in it any more, as ``Battle.load`` takes it."""


@dataclass(frozen=True)
class Duel:
    """One model that carries every weapon of its datasheet against a unit, for those who work out what attacks do.

    Attributes:
        setup: model 0 and unit 0 are the attacker's, model 1 and unit 1 its Leader's if it has one; then the target and its Leader.
        attacker, target: names of their datasheets.
        weapons: by the name of each of the attacker's weapons how many models of its smallest unit carry it without options.
        leader, target_leader: names of the datasheets of the Leaders, or none.
        loadouts: of the attacker and of its Leader the weapons of each model; empty where the game does not say.
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
    """What stands by the two units of a duel.

    Attributes:
        leader, target_leader: names of the datasheets of Leaders that lead them.
        attackers: models of the attacker; ``None``: the smallest unit.
        stratagems: names of Stratagems that were used on one of them; ``NAME: OPTION`` of those with options.
    """

    leader: str | None = None
    target_leader: str | None = None
    attackers: int | None = None
    stratagems: tuple[str, ...] = ()


@dataclass(frozen=True)
class Choice:
    """A choice that a field carries.

    Attributes:
        rules: ids of the catalogue whose ``decision`` it is.
        schema, field: where it is written down; ``Army``, ``units`` is the field ``units`` of army lists.
        options: what can be chosen, in words; anything else is a ``ContentError``.
        asked: the switch of ``rules`` with which the players are asked in the battle instead; empty: they never are.
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
        load: a battle by name, path or dict with overrides, checked; it has a ``config`` with ``ruleset`` and ``seed``.
        compile: that battle with rules and delegates that override its own as a Setup, whose ``source`` is JSON with the fields
            ``battle`` and ``rules``, complete in itself.
        random_battle: draws battles; ``None``: the game has nothing to draw from.
        select_mission: the mission to play out of the proposals of both players, and the event of the roll-off if there was one (its
            dice come from the function passed); ``None``: players propose no missions.
        trials: for each folder of its configurations how a file of it is tried: the battle by name, and what overrides it.
        duel: an attacker against a target of so many models (the smallest unit when not given), by the names of their datasheets;
            ``None``: the game has no datasheets.
        led_duel: the same of units with their Leaders and Stratagems; ``None``: the game works them out for single datasheets alone.
        choices: what players choose in files before there is a battle.
        check_rules: rules that override those of a battle, as plain data (the rules, file, field; raises ContentError); ``None``: a call
            cannot override any.
        schemas: what its files hold, by their folders.
        comparison, importing: how its datasheets are compared with public catalogues, and made of them; ``None``: there
        are no catalogues that it can read."""

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
