"""Replays: setup, seed and actions of a battle, with hashes on the way, so that replaying can be checked byte by byte.

A replay file is sealed (``core.sealed``). Its header names the version of wh_env, the layout of the state, the setup as
JSON, the seed, the agents and the result. Its parts are the actions (uint16 each), the checkpoints (8 bytes each: hash
of the state after every ``interval`` actions) and the final state (zlib). No number in it is trusted: the inflated
state must be as long as the header says, and at most ``MOST_STATE`` bytes.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from wh_env.content.battle import MOST_SOURCE, Battle, refused, setup_from_elsewhere
from wh_env.content.errors import ContentError
from wh_env.core.files import write_whole
from wh_env.core.reports import BrokenState, IllegalAction
from wh_env.core.sealed import Unreadable, same_version, sealed, unsealed
from wh_env.core.sealed import engine_version as engine_version

MAGIC = b"WHRP"
FORMAT = 2
INTERVAL = 64
MARK = 8  # bytes of a checkpoint
MOST_ACTIONS = 1_000_000  # of a battle
MOST_STATE = 1 << 24  # bytes of a state
MOST_NAME = 500  # characters of an agent's name


def state_hash(battle: Battle, size: int = MARK) -> bytes:
    """Hash of the battle's state, ``size`` bytes."""
    return hashlib.blake2b(battle.state_bytes(), digest_size=size).digest()


@dataclass
class Replay:
    """A battle as it was played.

    Attributes:
        source: the setup as JSON (``Setup.source``). seed: of the dice.
        actions: every answer to a decision, in order.
        agents: names of the two policies. seeds: of the policies.
        marks: hashes of the state after every ``interval`` actions.
        final: the state after the last action.
        complete: whether the battle was played to its end.
        winner, victory_points, rounds: the result after the last action.
        layout: of the state (``Setup.layout_digest``).
        version: the version of wh_env that played it.
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
    layout: str = ""
    version: str = field(default_factory=engine_version)
    file: str = "<replay>"

    def new_battle(self, *, record: bool = False) -> Battle:
        """The battle before its first action.

        Raises:
            ContentError: the setup cannot be compiled, or its tables differ from those of the replay.
        """
        try:
            setup = setup_from_elsewhere(self.source)
        except ContentError as error:
            if error.file != "<bytes>":
                raise
            told = error.field, error.value, error.expected, error.problem, error.others
            raise ContentError(self.file, *told) from error
        if self.layout != setup.layout_digest:
            expected = f"{setup.layout_digest}, that of its tables"
            raise ContentError(self.file, "header.layout", self.layout, expected, "is another layout")
        try:
            return Battle(setup, self.seed, record=record)
        except BrokenState as error:
            expected = "a battle that can begin"
            raise ContentError(self.file, "source", str(error), expected, "is what it leads to") from error

    def play(self, *, record: bool = False) -> Iterator[Battle]:
        """Yield the battle before its first action and after each action (always the same object).

        Raises:
            ContentError: an action is not legal.
        """
        battle = self.new_battle(record=record)
        yield battle
        for number, action in enumerate(self.actions):
            try:
                battle.apply(action)
            except (IllegalAction, BrokenState) as error:
                raise ContentError(
                    self.file, f"actions[{number}]", action, "a legal action", f"cannot be replayed ({error})"
                ) from error
            yield battle

    def verify(self, progress: Callable[[int, int], None] | None = None) -> Battle:
        """Replay all actions and return the battle at its end.

        The hashes, the final state and the result in the header must agree with the replayed battle.

        Raises:
            ContentError: at the first difference.
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
        for name, found in told_of(battle).items():
            if getattr(self, name) != found:
                raise ContentError(self.file, f"header.{name}", getattr(self, name), f"{found}, as replayed", "differs")
        return battle

    # ---- file

    def to_bytes(self) -> bytes:
        """The replay file as bytes."""
        header = {
            name: value for name, value in asdict(self).items() if name not in ("actions", "marks", "final", "file")
        }
        header.update(count=len(self.actions), state=len(self.final))
        parts = [np.array(self.actions, "<u2").tobytes(), b"".join(self.marks), zlib.compress(self.final, 6)]
        return sealed(MAGIC, FORMAT, header, parts)

    def write(self, file: str | Path) -> None:
        """Write the file in one step: there is either the old file or the whole new one."""
        write_whole(file, self.to_bytes())


class Recorder:
    """Collects the data of a replay while a battle is played; ``add`` must be called after every action."""

    def __init__(self, battle: Battle, seed: int, interval: int = INTERVAL) -> None:
        self.battle = battle
        self.seed = seed
        self.interval = interval
        self.actions: list[int] = []
        self.marks: list[bytes] = []

    def add(self, action: int) -> None:
        """Record that ``action`` was applied."""
        self.actions.append(action)
        if len(self.actions) % self.interval == 0:
            self.marks.append(state_hash(self.battle))

    def take_back(self) -> None:
        """Remove the last action, which was undone."""
        self.actions.pop()
        del self.marks[len(self.actions) // self.interval :]

    def replay(self, agents: Sequence[str] = ("", ""), seeds: Sequence[int] = (0, 0)) -> Replay:
        """The replay up to here."""
        battle = self.battle
        return Replay(
            source=battle.setup.source,
            seed=self.seed,
            actions=list(self.actions),
            marks=list(self.marks),
            final=battle.state_bytes(),
            agents=(agents[0], agents[1]),
            seeds=(seeds[0], seeds[1]),
            interval=self.interval,
            layout=battle.setup.layout_digest,
            **told_of(battle),
        )


def told_of(battle: Battle) -> dict[str, Any]:
    """The fields of the header that describe the result of a battle so far."""
    result = battle.result
    return {
        "complete": battle.over,
        "winner": result.winner if result else None,
        "victory_points": (battle.players.vp[0], battle.players.vp[1]),
        "rounds": battle.clock.round[0],
    }


SEEDS = 2**64
COUNTS = 2**31

# fields of a header besides the version: types, and the first number (or length of a text) that is too large
HEADER: dict[str, tuple[type, int]] = {
    "source": (str, MOST_SOURCE),
    "seed": (int, SEEDS),
    "complete": (bool, 0),
    "rounds": (int, COUNTS),
    "interval": (int, COUNTS),
    "count": (int, MOST_ACTIONS + 1),
    "state": (int, MOST_STATE + 1),
    "layout": (str, MOST_NAME),
}
PAIRS: dict[str, tuple[type, int]] = {
    "agents": (str, MOST_NAME),
    "seeds": (int, SEEDS),
    "victory_points": (int, COUNTS),
}


def read_replay(file: str | Path) -> Replay:
    """The replay in a file.

    Raises:
        ContentError: the file cannot be read, is damaged, or was written by another version.
    """
    path = Path(file)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ContentError(str(path), "", str(path), "a replay file", f"cannot be read ({error.strerror})") from error
    return parse_replay(data, str(path))


def parse_replay(data: bytes, file: str = "<replay>") -> Replay:
    """The replay in ``data``; see ``read_replay``."""
    try:
        header, (actions, marks, final) = unsealed(data, MAGIC, FORMAT, "a replay", 3)
        same_version(header)
        _check_header(header)
        count, size = header.pop("count"), header.pop("state")
        _check_length("actions", actions, 2 * count)
        _check_length("checkpoints", marks, MARK * (count // header["interval"]))
        state = inflated(final, size)
    except Unreadable as error:
        raise refused(file, error) from None
    for name in PAIRS:
        header[name] = tuple(header[name])
    return Replay(
        actions=np.frombuffer(actions, "<u2").tolist(),
        marks=[marks[k : k + MARK] for k in range(0, len(marks), MARK)],
        final=state,
        file=file,
        **header,
    )


def _check_header(header: dict[str, Any]) -> None:
    for name in sorted({*header} - {*HEADER, *PAIRS, "winner", "version"}):
        raise Unreadable(f"header.{name}", header[name], "no such field", "is not known")
    for name, (kind, end) in HEADER.items():
        _check_value(f"header.{name}", header.get(name), kind, end)
    for name, (kind, end) in PAIRS.items():
        pair = header.get(name)
        if not isinstance(pair, list) or len(pair) != 2:
            raise Unreadable(f"header.{name}", pair, "a list of two, one for each player")
        for player, value in enumerate(pair):
            _check_value(f"header.{name}[{player}]", value, kind, end)
    if header.get("winner") not in (None, 0, 1) or isinstance(header.get("winner"), bool):
        raise Unreadable("header.winner", header.get("winner"), "0, 1, or null for none")
    if header["interval"] < 1:
        raise Unreadable("header.interval", header["interval"], "at least 1")


def _check_value(field: str, value: object, kind: type, end: int) -> None:
    if type(value) is not kind:
        raise Unreadable(field, value, f"a value of type {kind.__name__}")
    if isinstance(value, str) and len(value) > end:
        raise Unreadable(field, len(value), f"at most {end} characters", "characters are too many")
    low = -SEEDS if end == SEEDS else 0
    if type(value) is int and not low <= value < end:
        raise Unreadable(field, value, f"{low} to {end - 1}")


def _check_length(field: str, part: bytes, wanted: int) -> None:
    if len(part) != wanted:
        raise Unreadable(field, f"{len(part)} bytes", f"{wanted} bytes, by what the header says", "is another length")


def inflated(part: bytes, size: int) -> bytes:
    """The ``size`` bytes of a zlib stream; never more are inflated.

    Raises:
        Unreadable: it is no zlib stream, or its length differs.
    """
    stream = zlib.decompressobj()
    try:
        found = stream.decompress(part, size + 1)
    except zlib.error as error:
        raise Unreadable("final state", f"{len(part)} bytes", "a zlib stream", f"{error}") from None
    if len(found) != size or not stream.eof or stream.unused_data:
        raise Unreadable("final state", f"{len(part)} bytes", f"a zlib stream of {size} bytes", "is not one")
    return found


def first_difference(battle: Battle, other: bytes) -> tuple[str, object, object]:
    """The first difference between the state of ``battle`` and the bytes ``other``: its place, and both values."""
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
