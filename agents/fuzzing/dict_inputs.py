"""Mutated arguments of calls: battles as mappings, ``rules=``, ``overrides=``, options of environments, with
foreign objects among the values.

An input is a seed of eight bytes, because not every such argument has a form in bytes.
"""

from __future__ import annotations

import datetime
import decimal
import json
from collections import OrderedDict, UserDict
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from wh_env import Battle, ContentError
from wh_env.content.w40k.rules import CHOICES, RANGES, rolls_of
from wh_env.envs.registry import DEFAULT_RULESET
from wh_env.envs.single import BattleEnv
from wh_env.rulesets.w40k.attack.modifiers import EFFECTS
from wh_env.rulesets.w40k.edition_parts.stratagem_book import MODES

from .battles import default_battle, default_edition, one_battle_each, other_battles, random_battles
from .yaml_inputs import NUMBERS, ODD, Chance, mutated, paths_of, pick, play, replaced

QUERIES = (
    "?seed=x", "?seed=-1", "?seed=99999999999999999999", "?seed=[", "?seed=7&seed=8", "?layout=odd",
    "?factions=[a, b]", "?", "?=&=", "?a", "?seed=!!python/name:os", "?terrain=../x", "?seed=&a [*a]",
    "?" + "a" * 5000, "?seed=1e999", "?markers=players", "?seed=7",
)  # fmt: skip


class OddText(str):
    """Text that raises an error when it is compared or printed."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("no comparisons")

    def __hash__(self) -> int:
        return 7

    def __str__(self) -> str:
        raise RuntimeError("no words")

    __repr__ = __str__


class OddNumber(int):
    """A number that equals everything and raises an error when it is used as an index or ordered."""

    def __index__(self) -> int:
        raise RuntimeError("no index")

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 1

    def __lt__(self, other: object) -> Any:
        raise RuntimeError("no order")

    __gt__ = __le__ = __ge__ = __lt__


class OddMapping(Mapping[Any, Any]):
    """A broken mapping; ``oddity``: 0 raises for every item, 1 never ends, 2 has a negative length."""

    def __init__(self, oddity: int) -> None:
        self.oddity = oddity

    def __getitem__(self, key: Any) -> Any:
        if self.oddity == 0:
            raise RuntimeError("no items")
        return OddMapping(self.oddity)

    def __iter__(self) -> Iterator[Any]:
        number = 0
        while self.oddity == 1 or number < 3:
            yield f"key {number}"
            number += 1

    def __len__(self) -> int:
        return -1 if self.oddity == 2 else 3


class Unhappy:
    """An object that raises an error for every attribute."""

    def __getattribute__(self, name: str) -> Any:
        if name == "__class__":
            return Unhappy
        raise RuntimeError("no attributes")

    def __repr__(self) -> str:
        raise RuntimeError("no words")


def cycle() -> dict[str, Any]:
    """A mapping that contains itself."""
    mapping: dict[str, Any] = {"name": "x"}
    mapping["more"] = [mapping]
    return mapping


def deep(levels: int) -> Any:
    """A list nested ``levels`` deep."""
    nested: Any = 1
    for _ in range(levels):
        nested = [nested]
    return nested


FOREIGN: tuple[Callable[[Any], Any], ...] = (
    lambda old: np.int64(old) if isinstance(old, int) and abs(old) < 2**62 else np.int64(3),
    lambda old: np.float32(old) if isinstance(old, int | float) else np.float32("nan"),
    lambda old: np.uint8(old) if isinstance(old, int) and 0 <= old < 256 else np.bool_(True),
    lambda old: np.array(old) if isinstance(old, int | float) else np.zeros((2, 2)),
    lambda old: np.datetime64("2024-01-01"),
    lambda old: OddText(old) if isinstance(old, str) else OddText("x"),
    lambda old: OddNumber(old) if isinstance(old, int) else OddNumber(1),
    lambda old: OddMapping(0),
    lambda old: OddMapping(1),
    lambda old: OddMapping(2),
    lambda old: Unhappy(),
    lambda old: cycle(),
    lambda old: deep(31),
    lambda old: deep(100_000),
    lambda old: MappingProxyType(old) if isinstance(old, dict) else MappingProxyType({}),
    lambda old: OrderedDict(old) if isinstance(old, dict) else OrderedDict(a=1),
    lambda old: UserDict(old) if isinstance(old, dict) else UserDict(),
    lambda old: tuple(old) if isinstance(old, list) else (1, 2),
    lambda old: {1, 2},
    lambda old: iter([1]),
    lambda old: b"bytes",
    lambda old: bytearray(10**6),
    lambda old: decimal.Decimal("1.5"),
    lambda old: 1 + 2j,
    lambda old: datetime.date(2024, 1, 1),
    lambda old: Path("/dev/zero"),
    lambda old: "\ud800",
    lambda old: {None: 1},
    lambda old: {1.5: 1, True: 2},
    lambda old: {("a",): 1},
    lambda old: {OddText("name"): 1},
    lambda old: [old] * 200_000,
    lambda old: old,
    lambda old: type,  # a class; calling it to draw a battle returns a wrong object without an error
    lambda old: lambda *_: None,
)


def foreign(chance: Chance, value: Any) -> Any:
    """Plain data in which one value is replaced by an object that a YAML file cannot hold."""
    path = pick(chance, paths_of(value))
    return replaced(value, path, pick(chance, FOREIGN))


def changed(chance: Chance, value: Any) -> Any:
    """Plain data with a foreign object in it, otherwise mutated, or unchanged."""
    share = chance.random()
    if share < 0.05:
        return value
    return foreign(chance, value) if share < 0.5 else mutated(chance, value)


class _Seeds:
    """A source whose inputs are seeds."""

    name = ""

    def make(self, rng: Chance) -> bytes:
        """Eight random bytes, the seed of the call."""
        return rng.bytes(8)

    def feed(self, data: bytes) -> bool:
        """Make the call and play a little. Returns whether the call was accepted."""
        try:
            self.call(np.random.default_rng(int.from_bytes(data, "little")))
        except ContentError as error:
            str(error)
            return False
        return True

    def call(self, chance: Chance) -> None:
        """Make a call with arguments drawn from a generator."""
        raise NotImplementedError


class InlineBattles(_Seeds):
    """Whole battles as mappings, in which every name is replaced by its content."""

    name = "inline"

    @cached_property
    def battles(self) -> list[dict[str, Any]]:
        """Unchanged battles in this form."""
        return [json.loads(Battle.load(name, 1).setup.source)["battle"] for name in one_battle_each()]

    def call(self, chance: Chance) -> None:
        """Load a changed battle and play it."""
        play(Battle.load(changed(chance, pick(chance, self.battles)), 1))


class Calls(_Seeds):
    """Arguments of ``Battle.load`` and of the environment."""

    name = "calls"

    def call(self, chance: Chance) -> None:
        """Make one of six kinds of calls with changed arguments."""
        case = int(chance.integers(6))
        if case == 0:
            play(Battle.load(default_battle(), 1, rules=changed(chance, rules(chance))))
        elif case == 1:
            raw = {
                "turns": 4,
                "coherency_cm": 6,
                "orders": {},
                "counters": {"higher": 3},
                "assault": {"dice": 2},
                "fine_cm": 1.0,
            }
            play(Battle.load(pick(chance, other_battles()), 1, rules=changed(chance, raw)))
        elif case == 2:
            some = {
                "scale": True,
                "detail": "full",
                "seed": 3,
                "attacker": 1,
                "battlefield": "skirmish-1",
                "size": "Combat Patrol",
            }
            name = pick(chance, list(some))
            play(Battle.load(default_battle(), 1, overrides=changed(chance, {name: some[name]})))
        elif case == 3:
            names = (*random_battles(DEFAULT_RULESET), *one_battle_each(), "random-skirmish")
            name = pick(chance, names) + pick(chance, QUERIES)
            play(Battle.load(name, 1))
        elif case == 4:
            source = pick(
                chance,
                (
                    pick(chance, ODD),
                    pick(chance, FOREIGN)(default_battle()),
                    Path(str(pick(chance, ODD)).replace("\0", "")),
                ),
            )
            seed = pick(chance, (1, pick(chance, NUMBERS), pick(chance, FOREIGN)(1)))
            detail = pick(chance, (None, "full", pick(chance, ODD), pick(chance, FOREIGN)("full")))
            missions = pick(
                chance, (None, None, ("only-war", "only-war"), pick(chance, FOREIGN)(["only-war", "only-war"]))
            )
            play(Battle.load(pick(chance, (source, default_battle())), seed, detail=detail, missions=missions))
        else:
            env = self.environment
            options = {"battle": default_battle(), "rules": rules(chance), "seat": 1}
            name = pick(chance, list(options))
            env.reset(seed=1, options={name: changed(chance, options[name])})
            for _ in range(4):
                env.step(int(pick(chance, np.flatnonzero(env.action_masks()))))

    @cached_property
    def environment(self) -> BattleEnv:
        """The environment of all calls, made once."""
        return BattleEnv(DEFAULT_RULESET, default_battle())


def rules(chance: Chance) -> dict[str, Any]:
    """Valid ``rules`` for a call."""
    played = default_edition()
    core = played.core_rules
    known: dict[str, Any] = {
        **{
            name: type(core[name])(most if chance.random() < 0.3 else core[name])
            for name, (_, most) in RANGES.items()
            if name in core
        },
        **{name: pick(chance, words) for name, words in CHOICES.items()},
        "stratagems": {name: pick(chance, list(MODES)) for name in list(played.stratagems.names)[:3]},
        "rerolls": [{"player": 0, "roll": pick(chance, rolls_of(played)), "unit": 1, "results": [1, 2]}],
        "modifiers": [{"effect": pick(chance, list(EFFECTS)), "keyword": "INFANTRY", "of": "model", "player": 1}],
        "disputes": [{"name": "case", "outcomes": [{"name": "a", "effect": "mortal", "unit": 0, "amount": 1}]}],
    }
    return {name: known[name] for name in list(known) if chance.random() < 0.3} or {"rounds": 3}
