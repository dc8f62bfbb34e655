"""Which battle an environment plays next: always the same one, one of several, or a new one from a generator."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from wh_env.content.battle import Battle, checked_seed
from wh_env.content.errors import ContentError, unknown
from wh_env.content.load import Source, is_drawn_anew, merge, raw_battle
from wh_env.content.plain import plain
from wh_env.core.setup import Setup
from wh_env.envs.observation import FORMS, Observer
from wh_env.envs.registry import environment

Generator = np.random.Generator
Maker = Callable[[Generator], Source]
BattleChoice = Source | Sequence[Source] | Maker
KEPT = 64  # compiled battles that are kept


@dataclass(frozen=True)
class Ground:
    """A battle ready to be played.

    Attributes:
        setup: its Setup. observer: observes battles of it. table: a battle on which others are played
            (``BattleCore.apply_on``).
    """

    setup: Setup
    observer: Observer
    table: Battle


def checked_options(options: Mapping[str, Any] | None, known: Sequence[str]) -> dict[str, Any]:
    """The options of a reset as a dict.

    Raises:
        ContentError: one is not among ``known``, or ``rules`` are given for a saved battle, which keeps its own.
    """
    chosen = {} if options is None else dict(options)
    for name in chosen:
        if type(name) is not str or name not in known:
            raise unknown("<reset>", "options", name, known)
    if "seat" in chosen:
        chosen["seat"] = plain(chosen["seat"], "<reset>", "options.seat")
    if is_saved(chosen.get("battle")) and chosen.get("rules") is not None:
        expected = "no rules beside a saved battle, which keeps its own"
        raise ContentError("<reset>", "options.rules", chosen["rules"], expected)
    return chosen


def is_saved(battle: Any) -> bool:
    """Whether this is a battle that has begun, or the bytes of one."""
    return isinstance(battle, Battle | bytes | bytearray | memoryview)


class Pool:
    """Some battles, of which the oldest is replaced now and then."""

    def __init__(self, size: int, renew: int) -> None:
        """``size``: how many battles. ``renew``: how many draws until one is replaced."""
        self.size, self.renew = size, renew
        self.kept: list[Ground] = []  # oldest first
        self.draws = 0

    def draw(self, random: Generator, make: Callable[[], Ground]) -> Ground:
        """A new battle while the pool is not full and at every ``renew``-th draw; otherwise one of those in the
        pool.
        """
        self.draws += 1
        if len(self.kept) < self.size or self.draws % self.renew == 0:
            self.kept.append(make())
            del self.kept[: -self.size]
            return self.kept[-1]
        return self.kept[int(random.integers(len(self.kept)))]


def checked_reset_seed(seed: Any) -> int:
    """The seed of a ``reset`` as an int.

    Raises:
        ContentError: it is no whole number, or below 0.
    """
    number = checked_seed(seed)
    if number < 0:
        raise ContentError("<reset>", "seed", seed, "a whole number from 0 on")
    return number


def checked_count(name: str, value: Any) -> int:
    """A parameter that counts something, as an int.

    Raises:
        ContentError: it is no whole number from 1 on.
    """
    number = plain(value, "<env>", name)
    if isinstance(number, bool) or not isinstance(number, int) or number < 1:
        raise ContentError("<env>", name, value, "a whole number from 1 on")
    return number


def name_of(source: Source) -> str:
    """A text that is equal for equal battles. Mappings in another order count as different, because the order of
    equipment matters.
    """
    return json.dumps(str(source) if isinstance(source, Path) else source, default=repr)


def checked_mapping(rules: Any) -> dict[str, Any]:
    """Rules as plain data. The battle's loader checks what they say.

    Raises:
        ContentError: they are no mapping.
    """
    if not isinstance(rules, Mapping):
        raise ContentError("<env>", "rules", rules, "a mapping of rules by name", "is no mapping")
    found: dict[str, Any] = plain(rules, "<env>", "rules")
    return found


def one_battle(source: Any) -> Source:
    """A battle: a name or path as it is, a mapping as plain data.

    Raises:
        ContentError: it is neither.
    """
    if isinstance(source, str | Path):
        return source
    if not isinstance(source, Mapping):
        raise ContentError("<env>", "battle", source, "a name, a path or a mapping", "is none")
    found: dict[Any, Any] = plain(source, "<env>", "battle")
    return found


def with_seed(raw: Mapping[str, Any], random: Generator) -> dict[str, Any]:
    """The battle ``raw`` with a new seed for its random parts; a suite has one for each of its draws, so that each is
    compiled once and kept.
    """
    among = (raw.get("random") or {}).get("among") or ()
    return merge(raw, {"random": {"seed": int(random.integers(len(among) or 1 << 62))}})


class BattleSource:
    """Draws battles of one ruleset.

    Args:
        ruleset: the game; battles of others are refused.
        battle: a battle by name, path or dict; a list of such, one of which is drawn; a function of a numpy generator
            that returns one; ``None``: the ruleset's own. A battle that names something ``random`` is another one each
            time, unless it names its seed (``<name>?seed=7``). The draws of a suite are kept after their first time.
        detail: ``squad`` or ``full``; ``None``: as the battle says.
        observation: form of the observation.
        rules: numbers and switches that override those of the mission.
        pool: keep so many of the battles that would be made again each time (which takes some tens of milliseconds) and
            draw among them; the oldest is replaced every ``renew`` draws.
        renew: see ``pool``.
    """

    def __init__(
        self,
        ruleset: str,
        battle: BattleChoice | None = None,
        detail: str | None = "squad",
        observation: str = "vector",
        rules: Mapping[str, Any] | None = None,
        pool: int | None = None,
        renew: int = 16,
    ) -> None:
        """See the class.

        Raises:
            ContentError: there is no such ruleset, or a parameter is not valid.
        """
        if observation not in FORMS:
            raise unknown("<env>", "observation", observation, FORMS)
        self.ruleset = ruleset
        self.battle: BattleChoice = environment(ruleset).battle if battle is None else battle
        self.detail = detail
        self.observation = observation
        self.rules = {} if rules is None else checked_mapping(rules)
        if isinstance(self.battle, Sequence) and not isinstance(self.battle, str) and not self.battle:
            raise ContentError("<env>", "battle", self.battle, "at least one battle", "is empty")
        self.pool = None if pool is None else checked_count("pool", pool)
        self.renew = checked_count("renew", renew)
        self._kept: OrderedDict[str, Ground] = OrderedDict()
        self._pools: dict[str, Pool] = {}
        self._makers: dict[str, Maker | None] = {}

    def any(self) -> Ground:
        """A battle of the source, for its spaces, which are the same for all battles of a ruleset."""
        if callable(self.battle):
            return self._ground(environment(self.ruleset).battle, {})
        one = self.battle if isinstance(self.battle, str | Path | Mapping) else self.battle[0]
        return self._ground(one, self.rules)

    def forget(self) -> None:
        """Empty the pools, so that what is drawn from now on follows from the generators alone."""
        self._pools.clear()

    def draw(
        self, random: Generator, battle: BattleChoice | None = None, rules: Mapping[str, Any] | None = None
    ) -> Ground:
        """The next battle. ``battle`` and ``rules`` hold for this one only.

        Raises:
            ContentError: it is not valid, or of another ruleset.
        """
        chosen = self.battle if battle is None else battle
        numbers = self.rules if rules is None else {**self.rules, **checked_mapping(rules)}
        if not callable(chosen):
            if isinstance(chosen, list | tuple) and chosen:
                chosen = chosen[int(random.integers(len(chosen)))]
            chosen = one_battle(chosen)
        make = chosen if callable(chosen) else self._maker(chosen)
        if make is None:
            return self._ground(chosen, numbers)  # type: ignore[arg-type]
        if self.pool is None or battle is not None or rules is not None:
            return self._ground(one_battle(make(random)), numbers)
        key = "" if callable(chosen) else name_of(chosen)
        pool = self._pools.setdefault(key, Pool(self.pool, self.renew))
        return pool.draw(random, lambda: self._ground(one_battle(make(random)), numbers))

    def resume(self, saved: Battle | bytes) -> tuple[Ground, Battle]:
        """The ``Ground`` for a saved battle (a ``Battle`` or its ``to_bytes``), and a copy of the battle.

        Raises:
            ContentError: it is of another ruleset, has another action space, or the bytes are no battle.
        """
        battle = saved.clone() if isinstance(saved, Battle) else Battle.from_bytes(bytes(saved))
        setup = battle.setup
        if setup.ruleset.id != self.ruleset:
            expected = f"a battle of ruleset {self.ruleset}"
            raise ContentError("<reset>", "options.battle", setup.ruleset.id, expected, "is the ruleset of the battle")
        space = self.any().setup.space
        if setup.space != space:
            raise ContentError(
                "<reset>", "options.battle", setup.space, f"{space}", "is the action space of the battle"
            )
        key = f"layout {id(setup.layout)}"  # the Ground keeps the layout, so that no other gets its id
        if key not in self._kept:
            self._keep(key, Ground(setup, Observer(setup, self.observation), battle.clone()))
        return self._kept[key], battle

    def _keep(self, key: str, ground: Ground) -> None:
        """Keep a compiled battle; forget the oldest if there are too many."""
        self._kept[key] = ground
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)

    def _maker(self, source: Source) -> Maker | None:
        """A function that makes new battles from one that names something ``random``; ``None`` if it is always the
        same.
        """
        key = name_of(source)
        if key not in self._makers:
            if len(self._makers) >= KEPT:
                self._makers.clear()
            self._makers[key] = partial(with_seed, raw_battle(source)[0]) if is_drawn_anew(source) else None
        return self._makers[key]

    def _ground(self, source: Source, rules: Mapping[str, Any]) -> Ground:
        """The compiled battle for this source and these rules, kept if it was compiled before.

        Raises:
            ContentError: as ``draw``.
        """
        key = name_of(source) + json.dumps(rules, default=repr)
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        table = Battle.load(source, 0, detail=self.detail, rules=rules or None)
        setup = table.setup
        if setup.ruleset.id != self.ruleset:
            expected = f"a battle of ruleset {self.ruleset}"
            raise ContentError("<env>", "battle", source, expected, f"is of {setup.ruleset.id}")
        ground = Ground(setup, Observer(setup, self.observation), table)
        self._keep(key, ground)
        return ground
