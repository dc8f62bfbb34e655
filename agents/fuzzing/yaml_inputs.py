"""Mutated YAML files: content of battles of every ruleset, training runs, tournaments, positions of the tactics
benchmark.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from wh_env import Battle, ContentError
from wh_env.content.games import GAMES
from wh_env.content.load import config_root
from wh_env.content.reading import read_yaml

from ..tactics.themes import folder_of, load_theme
from ..tournament import config as tournaments
from ..training import config as training
from .battles import default_battle

Chance = np.random.Generator
DECISIONS = 16  # decisions to play of each valid battle
NUMBERS: tuple[Any, ...] = (
    -1, 0, 1, 2, 3, 12, 20, 32, 64, 99, 100, 101, 500, 1000, 1001, 10**5, 10**6, 2**31 - 1, 2**31, 2**63, 10**40,
    0.0, -0.0, 1e-300, 1e-9, 0.1, 0.5, 1.5, 6.0, 59.99, 99.9, 999.0, 1e4, 1e300, -1e300, float("inf"), float("nan"),
)  # fmt: skip
ODD: tuple[Any, ...] = (
    None, True, False, "", " ", "x", "x" * 121, "y" * 30_000, "a\tb", "a\nb", "a\x07b", "\u202eabc", "random",
    "null", "3+", "7+", "D6", "2D6+1", "99D6+99", "Melee", "melee", "N/A", "-", "20+", "../../../etc/passwd",
    default_battle(), "/dev/zero", "/", "x.yaml", "INFANTRY", "CHARACTER", [], {}, [[]], [1], {"a": 1}, [None],
    list(range(300)), {str(k): k for k in range(300)},
)  # fmt: skip
# raw YAML in place of a value: no plain data, or too much of it
RAW = (
    "2024-05-01", "1:30", "0x7fffffffffffffff", "1e400", "9" * 5000, ".inf", "!!binary aGk=",
    "!!python/object/apply:os.getcwd []", "!!set {a, b}", "!!timestamp 2001-12-14", "&a [*a]", "*nobody", "[" * 40,
    "[" * 30_000, "{a: " * 30_000, "- " * 500, '"\\ud800"', '"\\0"', "? [1]\n: 2", "{1.5: x}", "{null: x}",
    "{a: 1, a: 2}", "{<<: {name: x}}", "<<", "{<<: 1}", "---", "|", ">", "%", "@", "`", "\t", "!<x> y",
    "[{a: &x [1]}, *x]", "=", "''", '"', "{", "}", "\ufeff", "\x00", "\x85",
)  # fmt: skip
BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)
MARK = "MUTATED-HERE"


def pick(chance: Chance, among: Any) -> Any:
    """A random element of a sequence."""
    return among[int(chance.integers(len(among)))]


def paths_of(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths (keys and indices) of all values in plain data, the whole first."""
    paths = [at]
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        paths += paths_of(item, (*at, key))
    return paths


def replaced(value: Any, path: tuple[Any, ...], change: Callable[[Any], Any]) -> Any:
    """The data with the value at a path replaced by ``change(value)``."""
    if not path:
        return change(value)
    first, *rest = path
    if isinstance(value, dict):
        return {key: replaced(item, tuple(rest), change) if key == first else item for key, item in value.items()}
    return [replaced(item, tuple(rest), change) if at == first else item for at, item in enumerate(value)]


def copied(value: Any, path: tuple[Any, ...], other: tuple[Any, ...]) -> Any:
    """The data in which the value at path ``other`` also stands at ``path``."""
    found = value
    for key in other:
        found = found[key]
    return replaced(value, path, lambda _: found)


def changed_value(chance: Chance, value: Any) -> Any:
    """Another value to put in place of a value, often of the same type."""
    share = chance.random()
    if isinstance(value, int | float) and not isinstance(value, bool) and share < 0.7:
        near = (value + 1, value - 1, value * 2, -value, value / 2, value + 0.5, value * 10)
        return pick(chance, near if share < 0.35 else NUMBERS)
    if isinstance(value, str) and share < 0.3:
        return pick(chance, (value[:-1], value * 2, value.upper(), value + " ", value[::-1]))
    if isinstance(value, list) and share < 0.5:
        return pick(chance, (value[:-1], value * 2, value[::-1], [*value, *value[:1]], [value], value * 40))
    if isinstance(value, dict) and value and share < 0.5:
        name = pick(chance, list(value))
        without = {key: item for key, item in value.items() if key != name}
        return pick(
            chance, (without, {**value, "more": 1}, {**without, f"{name}x": value[name]}, [value], list(value.values()))
        )
    return pick(chance, NUMBERS if share > 0.75 else ODD)


def mutated(chance: Chance, value: Any) -> Any:
    """Plain data with one to three changes, mostly one."""
    for _ in range(1 if chance.random() < 0.6 else int(chance.integers(2, 4))):
        paths = paths_of(value)
        path = pick(chance, paths)
        if chance.random() < 0.15:  # copy a value from another place
            value = copied(value, path, pick(chance, paths))
        else:
            value = replaced(value, path, lambda old: changed_value(chance, old))
    return value


def yaml_of(value: Any) -> str:
    """Plain data as YAML."""
    text: str = yaml.dump(value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=10_000)
    return text


class _Dumper(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # type: ignore[misc]
    """Writes equal objects each time in full."""

    def ignore_aliases(self, data: Any) -> bool:
        """Never write an alias."""
        return True


def garbled(chance: Chance, data: bytes) -> bytes:
    """Change, cut, repeat or insert some bytes."""
    changed = bytearray(data)
    at = int(chance.integers(len(changed)))
    end = min(len(changed), at + int(chance.integers(1, 200)))
    case = int(chance.integers(6))
    if case == 0:
        for _ in range(int(chance.integers(1, 9))):
            changed[int(chance.integers(len(changed)))] = int(chance.integers(256))
    elif case == 1:
        del changed[at:end]
    elif case == 2:
        changed[at:at] = changed[at:end]
    elif case == 3:
        changed[at:at] = str(pick(chance, RAW)).encode()
    elif case == 4:
        del changed[at:]
    else:
        changed[at:at] = chance.bytes(int(chance.integers(1, 40)))
    return bytes(changed)


def mutation(chance: Chance, file: Path) -> bytes:
    """A YAML file with a mistake or a change in it; one in twenty is unchanged."""
    share = chance.random()
    if share < 0.05:
        return file.read_bytes()
    if share < 0.2:
        return garbled(chance, file.read_bytes())
    value = read_yaml(file)
    if share < 0.35:  # raw text in place of a value
        path = pick(chance, paths_of(value)[1:])
        raw = pick(chance, RAW)
        return yaml_of(replaced(value, path, lambda _: MARK)).replace(MARK, raw, 1).encode(errors="surrogatepass")
    if share < 0.37:
        return BOMB.encode() + file.read_bytes()
    return yaml_of(mutated(chance, value)).encode(errors="surrogatepass")


def play(battle: Battle, decisions: int = DECISIONS) -> None:
    """Play some random decisions."""
    chance = np.random.default_rng(0)
    for _ in range(decisions):
        if battle.over:
            return
        battle.apply(int(pick(chance, np.flatnonzero(battle.legal()))))


class _Files:
    """A source of mutated files; each mutation is written to a file before it is read."""

    name = ""

    @cached_property
    def files(self) -> list[Path]:
        """The unchanged files."""
        raise NotImplementedError

    @cached_property
    def folder(self) -> tempfile.TemporaryDirectory[str]:
        """The folder for inputs."""
        return tempfile.TemporaryDirectory(prefix="fuzz-")

    def make(self, rng: Chance) -> bytes:
        """A line with the path of an included file, then a mutation of it."""
        file = pick(rng, self.files)
        return str(file.relative_to(config_root())).encode() + b"\n" + mutation(rng, file)

    def feed(self, data: bytes) -> bool:
        """Load the file and use it. Returns whether it was accepted."""
        place, _, content = data.partition(b"\n")
        file = Path(self.folder.name) / "input.yaml"
        file.write_bytes(content)
        try:
            self.use(file, place.decode())
        except ContentError as error:
            str(error)
            return False
        return True

    def use(self, file: Path, place: str) -> None:
        """Load ``file``, a mutation of the included file at ``place``, and use the result."""
        raise NotImplementedError


class ContentFiles(_Files):
    """All content of battles of all rulesets."""

    name = "content"

    @cached_property
    def files(self) -> list[Path]:
        """The included files; each kind equally often."""
        root = config_root()
        by_kind: dict[tuple[str, ...], list[Path]] = {}
        for file in sorted(root.rglob("*.yaml")):
            place = file.relative_to(root).parts
            if place[0] in GAMES and len(place) > 2:
                by_kind.setdefault(place[:2], []).append(file)
        most = max(map(len, by_kind.values()))
        return [file for files in by_kind.values() for file in (files * most)[:most]]

    def use(self, file: Path, place: str) -> None:
        """Play a battle with the file."""
        ruleset, kind = place.split("/")[:2]
        battle, changes = GAMES[ruleset].trials[kind](file)
        if changes is not None or battle is file:
            play(Battle.load(battle, 1, overrides=changes))


class TrainingFiles(_Files):
    """Training runs, which are only loaded."""

    name = "training"

    @cached_property
    def files(self) -> list[Path]:
        """The included files."""
        return sorted((config_root() / training.FOLDER).glob("*.yaml"))

    def use(self, file: Path, place: str) -> None:
        """Load the file."""
        config = training.load_config(file)
        config.updates, config.lessons, config.network.parameters  # noqa: B018


class TournamentFiles(_Files):
    """Tournaments, which are only loaded."""

    name = "tournament"

    @cached_property
    def files(self) -> list[Path]:
        """The included files."""
        return sorted((config_root() / tournaments.FOLDER).glob("*.yaml"))

    def use(self, file: Path, place: str) -> None:
        """Load the file."""
        config = tournaments.load_config(file)
        config.swiss_rounds, config.model_dump_json()


class TacticsFiles(_Files):
    """Positions of the tactics benchmark, which are loaded, set up and played a little."""

    name = "tactics"

    @cached_property
    def files(self) -> list[Path]:
        """The included files."""
        return sorted(folder_of().parent.glob("*/*.yaml"))

    def use(self, file: Path, place: str) -> None:
        """Set up the first positions and play a little."""
        for position in load_theme(file)[:6]:
            position.action(position.best)
            play(position.begin(1), 4)
