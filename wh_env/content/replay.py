"""Replays: setup, seed and actions of a battle, with hashes on the way, so that replaying can be checked byte by byte.

A replay file is::

    magic "WHRP" · format (uint16) · length of the header (uint32) · header (JSON)
    actions (uint16 each) · checkpoints (8 bytes each: hash of the state after every ``interval`` actions)
    final state (zlib) · hash of everything before (16 bytes)

all little-endian. The header names the version of wh_env, the setup as JSON, the seed, the agents and the result.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import os
import struct
import tempfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from wh_env.content.battle import Battle, _setup_from_source
from wh_env.content.errors import ContentError
from wh_env.core.battle import IllegalAction

MAGIC = b"WHRP"
FORMAT = 1
INTERVAL = 64
HEAD = struct.Struct("<4sHI")
MARK = 8  # bytes of a checkpoint
SEAL = 16  # bytes of the hash at the end


def engine_version() -> str:
    """The version of wh_env that runs."""
    try:
        return importlib.metadata.version("wh-env")
    except importlib.metadata.PackageNotFoundError:
        return "unknown"


def state_hash(battle: Battle, size: int = MARK) -> bytes:
    """Hash of the bare state."""
    return hashlib.blake2b(battle.state_bytes(), digest_size=size).digest()


@dataclass
class Replay:
    """One battle as it was played.

    Attributes:
        source: the setup as JSON (``Setup.source``). seed: of the dice.
        actions: every answer to a decision, in order.
        agents: names of the two policies. seeds: of the policies.
        marks: hashes of the state after every ``interval`` actions.
        final: the state after the last action.
        complete: whether the battle was played to its end. winner, victory_points, rounds: how it stands there.
        version: of wh_env that played it.
    """

    source: str
    seed: int
    actions: list[int]
    marks: list[bytes]
    final: bytes
    agents: tuple[str, str] = ("", "")
    seeds: tuple[int, int] = (0, 0)
    complete: bool = True
    winner: int | None = None
    victory_points: tuple[int, int] = (0, 0)
    rounds: int = 0
    interval: int = INTERVAL
    version: str = field(default_factory=engine_version)
    file: str = "<replay>"

    def new_battle(self, *, record: bool = False) -> Battle:
        """The battle before its first action."""
        return Battle(_setup_from_source(self.source), self.seed, record=record)

    def play(self, *, record: bool = False) -> Iterator[Battle]:
        """The battle before every action and after the last one (always the same object).

        Raises:
            ContentError: an action is not legal where it is taken.
        """
        battle = self.new_battle(record=record)
        yield battle
        for number, action in enumerate(self.actions):
            try:
                battle.apply(action)
            except IllegalAction as error:
                raise ContentError(
                    self.file, f"actions[{number}]", action, "a legal action", f"cannot be replayed ({error})"
                ) from error
            yield battle

    def verify(self, progress: Callable[[int, int], None] | None = None) -> Battle:
        """Replay everything and compare all hashes on the way and the final state byte by byte; returns the battle at its end.

        Raises:
            ContentError: where the battle differs first.
        """
        battle: Battle | None = None
        for done, battle in enumerate(self.play()):
            if done and done % self.interval == 0:
                mark, found = self.marks[done // self.interval - 1], state_hash(battle)
                if mark != found:
                    where = f"checkpoints[{done // self.interval - 1}] (after {done} actions)"
                    raise ContentError(
                        self.file, where, mark.hex(), f"{found.hex()}, the hash of the state replayed", "differs"
                    )
                if progress is not None:
                    progress(done, len(self.actions))
        assert battle is not None
        state = battle.state_bytes()
        if state != self.final:
            where, value, expected = first_difference(battle, self.final)
            raise ContentError(self.file, f"final state: {where}", value, f"{expected}, as replayed", "differs")
        return battle

    # ---- file

    def to_bytes(self) -> bytes:
        """The whole file."""
        header = {
            name: value for name, value in asdict(self).items() if name not in ("actions", "marks", "final", "file")
        }
        header["count"] = len(self.actions)
        text = json.dumps(header, sort_keys=True, separators=(",", ":")).encode()
        parts = [HEAD.pack(MAGIC, FORMAT, len(text)), text, np.array(self.actions, "<u2").tobytes(), *self.marks]
        body = b"".join([*parts, zlib.compress(self.final, 6)])
        return body + hashlib.blake2b(body, digest_size=SEAL).digest()

    def write(self, file: str | Path) -> None:
        """Write the file in one step: there is either the old file or the whole new one."""
        path = Path(file)
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as out:
                out.write(self.to_bytes())
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise


class Recorder:
    """Collects what a replay needs while a battle is played; tell it after every action."""

    def __init__(self, battle: Battle, seed: int, interval: int = INTERVAL) -> None:
        self.battle = battle
        self.seed = seed
        self.interval = interval
        self.actions: list[int] = []
        self.marks: list[bytes] = []

    def add(self, action: int) -> None:
        """``action`` was applied."""
        self.actions.append(action)
        if len(self.actions) % self.interval == 0:
            self.marks.append(state_hash(self.battle))

    def replay(self, agents: Sequence[str] = ("", ""), seeds: Sequence[int] = (0, 0)) -> Replay:
        """The replay up to here."""
        battle = self.battle
        result = battle.result
        return Replay(
            source=battle.setup.source,
            seed=self.seed,
            actions=list(self.actions),
            marks=list(self.marks),
            final=battle.state_bytes(),
            agents=(agents[0], agents[1]),
            seeds=(seeds[0], seeds[1]),
            complete=battle.over,
            winner=result.winner if result else None,
            victory_points=(battle.players.vp[0], battle.players.vp[1]),
            rounds=battle.clock.round[0],
            interval=self.interval,
        )


HEADER: dict[str, type] = {
    "source": str,
    "seed": int,
    "agents": list,
    "seeds": list,
    "complete": bool,
    "victory_points": list,
    "rounds": int,
    "interval": int,
    "version": str,
    "count": int,
}


def read_replay(file: str | Path) -> Replay:
    """The replay in a file.

    Raises:
        ContentError: there is none, it is damaged, or another version wrote it.
    """
    path = Path(file)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ContentError(str(path), "", str(path), "a replay file", f"cannot be read ({error.strerror})") from error
    return parse_replay(data, str(path))


def parse_replay(data: bytes, file: str = "<replay>") -> Replay:
    """The replay in ``data``; see ``read_replay``."""
    if len(data) < HEAD.size + SEAL:
        raise ContentError(file, "length", len(data), f"at least {HEAD.size + SEAL} bytes", "is too short for a replay")
    magic, version, length = HEAD.unpack_from(data)
    if magic != MAGIC:
        raise ContentError(file, "magic", magic, f"{MAGIC!r}, the start of a replay", "is not one")
    if version != FORMAT:
        raise ContentError(file, "format", version, f"{FORMAT}", "is another version of the file format")
    seal, found = data[-SEAL:], hashlib.blake2b(data[:-SEAL], digest_size=SEAL).digest()
    if seal != found:
        raise ContentError(
            file, "seal", seal.hex(), f"{found.hex()}, the hash of the file", "does not fit: the file is damaged"
        )
    header = _header(data[HEAD.size : HEAD.size + length], file)
    if header["version"] != engine_version():
        expected = f"{engine_version()}, the version that runs"
        raise ContentError(file, "header.version", header["version"], expected, "is another version of wh_env")
    count, interval = header.pop("count"), header["interval"]
    at = HEAD.size + length
    marks_at = at + 2 * count
    final_at = marks_at + MARK * (count // interval)
    try:
        final = zlib.decompress(data[final_at:-SEAL])
    except zlib.error as error:
        raise ContentError(
            file, "final state", f"{len(data) - SEAL - final_at} bytes", "a zlib stream", f"{error}"
        ) from error
    header["agents"], header["seeds"] = tuple(header["agents"]), tuple(header["seeds"])
    header["victory_points"] = tuple(header["victory_points"])
    return Replay(
        actions=np.frombuffer(data[at:marks_at], "<u2").tolist(),
        marks=[data[k : k + MARK] for k in range(marks_at, final_at, MARK)],
        final=final,
        file=file,
        **header,
    )


def _header(text: bytes, file: str) -> dict[str, Any]:
    try:
        header = json.loads(text)
    except ValueError as error:
        raise ContentError(file, "header", text[:40], "JSON", f"cannot be read ({error})") from error
    if not isinstance(header, dict):
        raise ContentError(file, "header", type(header).__name__, "a mapping")
    for name, kind in HEADER.items():
        if not isinstance(header.get(name), kind):
            raise ContentError(file, f"header.{name}", header.get(name), f"a value of type {kind.__name__}")
    if header["count"] < 0 or header["interval"] < 1:
        raise ContentError(file, "header.interval", header["interval"], "at least 1")
    return header


def first_difference(battle: Battle, other: bytes) -> tuple[str, object, object]:
    """Where the state of ``battle`` and the bytes ``other`` differ first: table, row and column, and both values."""
    layout = battle.setup.layout
    if len(other) != layout.size:
        return "length", len(other), layout.size
    theirs = np.frombuffer(other, np.uint8).copy()
    for spec in layout.specs:
        mine, stored = layout.view(battle.buffer, spec.name), layout.view(theirs, spec.name)
        for column in spec.dtype.names or ("",):
            a, b = (mine[column], stored[column]) if column else (mine, stored)
            rows = np.argwhere(np.ascontiguousarray(a) != np.ascontiguousarray(b))
            if len(rows):
                row = tuple(rows[0].tolist())
                place = f"{spec.name}[{', '.join(map(str, row))}]" + (f".{column}" if column else "")
                return place, b[row].item(), a[row].item()
    return "padding", "bytes", "bytes"
