"""Feeding mutated inputs to their doors in child processes, and counting what comes of them.

Every input follows from the seed, its kind and its number, so a child that dies takes nothing with it: the number that it was at says
which input did it, and the next child goes on behind.
"""

from __future__ import annotations

import multiprocessing
import resource
import signal
import time
import traceback
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from multiprocessing.connection import Connection, wait
from typing import Any, Protocol

import numpy as np

SOURCES = (
    ".yaml_inputs:ContentFiles",
    ".yaml_inputs:TrainingFiles",
    ".yaml_inputs:TournamentFiles",
    ".yaml_inputs:TacticsFiles",
    ".dict_inputs:InlineBattles",
    ".dict_inputs:Calls",
    ".results:ResultsFiles",
    ".states:States",
    ".replays:Replays",
    ".weights:WeightFiles",
)
CLEAN, VALID, FOREIGN, CRASH, HANG = "clean error", "valid", "foreign exception", "crash", "hang"
VERDICTS = (CLEAN, VALID, FOREIGN, CRASH, HANG)
FAULTS = (FOREIGN, CRASH, HANG)
START_SECONDS = 900.0  # of a child, before its first input: what it needs is loaded, and compiled the first time


class Source(Protocol):
    """A kind of input."""

    name: str

    def make(self, rng: np.random.Generator) -> bytes:
        """One mutated input, valid ones among them; the same for the same generator."""

    def feed(self, data: bytes) -> bool:
        """Hand it to its door and use what comes out.

        Returns:
            True: valid and used. False: refused with a documented error. Any other exception is a fault.
        """


@dataclass(frozen=True)
class Finding:
    """An input that did what no input may do."""

    kind: str
    number: int
    verdict: str
    told: str


@dataclass
class Tally:
    """What came of the inputs: counts by kind and verdict, and what was found."""

    counts: dict[str, dict[str, int]] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)

    def add(self, kind: str, number: int, verdict: str, told: str) -> None:
        """Count an input."""
        self.counts.setdefault(kind, dict.fromkeys(VERDICTS, 0))[verdict] += 1
        if verdict in FAULTS:
            self.findings.append(Finding(kind, number, verdict, told))

    @property
    def inputs(self) -> int:
        """How many there were."""
        return sum(sum(row.values()) for row in self.counts.values())

    @property
    def clean(self) -> bool:
        """Whether nothing was found."""
        return not self.findings


@cache
def source(place: str) -> Source:
    """The source at ``module:Class``; a module that begins with a dot is one of this package."""
    module, _, name = place.partition(":")
    made: Source = getattr(import_module(module, __package__), name)()
    return made


def named(kinds: Sequence[str] = ()) -> tuple[str, ...]:
    """The places of the sources of these names; all of them when none is given.

    Raises:
        KeyError: a name that no source has.
    """
    by_name = {source(place).name: place for place in SOURCES}
    return tuple(by_name[kind] for kind in kinds) or SOURCES


def generator(seed: int, kind: str, number: int) -> np.random.Generator:
    """Where all chance of an input comes from."""
    return np.random.default_rng([seed, zlib.crc32(kind.encode()), number])


def made(place: str, seed: int, number: int) -> bytes:
    """An input again."""
    found = source(place)
    return found.make(generator(seed, found.name, number))


def run(
    places: Sequence[str],
    inputs: int,
    seed: int,
    *,
    first: int = 0,
    workers: int = 1,
    seconds: float = 120.0,
    megabytes: int = 4096,
    tell: Callable[[Tally], None] = lambda tally: None,
    tally: Tally | None = None,
) -> Tally:
    """Feed inputs ``first`` to ``first + inputs - 1``, the kinds in turn.

    Args:
        places: of the sources.
        inputs, seed, first: which inputs.
        workers: children at the same time.
        seconds: that one input may take. megabytes: of address space that a child may have beyond what it starts with.
        tell: called now and then.
        tally: what is counted into; it is up to date whenever this is left, by Ctrl-C too.
    """
    found = tally if tally is not None else Tally()
    limits = (seconds, megabytes)
    children = [
        _Child(places, seed, [first + n for n in range(inputs) if n // len(places) % workers == worker], limits)
        for worker in range(workers)
    ]
    try:
        going = [child for child in children if child.more()]
        while going:
            wait([child.pipe for child in going], timeout=1.0)
            for child in going:
                for kind, number, verdict, told in child.heard():
                    found.add(kind, number, verdict, told)
            tell(found)
            going = [child for child in going if child.more()]
    finally:
        for child in children:
            child.end()
    return found


class _Child:
    """A process that feeds some inputs, started again behind each one that ends it."""

    def __init__(self, places: Sequence[str], seed: int, numbers: Sequence[int], limits: tuple[float, int]) -> None:
        self.places, self.seed, self.limits = tuple(places), seed, limits
        self.left = list(numbers)
        self.process: Any = None
        self.pipe: Any = None
        self.started = False  # whether it has come to an input

    def more(self) -> bool:
        """Whether there is more to do; if so a process does it."""
        if self.left and self.process is None:
            context = multiprocessing.get_context("spawn")
            self.pipe, theirs = context.Pipe(duplex=False)
            arguments = (theirs, self.places, self.seed, tuple(self.left), self.limits[1])
            self.process = context.Process(target=_feed, args=arguments, daemon=True)
            self.process.start()
            theirs.close()
            self.since, self.started = time.monotonic(), False
        return bool(self.left)

    def heard(self) -> Iterator[tuple[str, int, str, str]]:
        """What came of inputs: kind, number, verdict and what is to be told."""
        try:
            while self.process is not None and self.pipe.poll():
                message = self.pipe.recv()
                self.since, self.started = time.monotonic(), True
                if message is not None:
                    yield self._done(*message)
                    if not self.left:
                        self.end()
        except (EOFError, OSError):
            self.process.join(5.0)
            code = self.process.exitcode
            told = f"signal {signal.Signals(-code).name}" if code is not None and code < 0 else f"exit code {code}"
            self.end()
            if not self.started:
                raise RuntimeError(f"a child process ended before its first input: {told}") from None
            yield self._done(CRASH, told)
        limit = self.limits[0] if self.started else START_SECONDS
        if self.process is not None and time.monotonic() - self.since > limit:
            self.end()
            yield self._done(HANG, f"more than {limit:g} s")

    def _done(self, verdict: str, told: str) -> tuple[str, int, str, str]:
        number = self.left.pop(0)
        return source(_place(self.places, number)).name, number, verdict, told

    def end(self) -> None:
        """End the process."""
        if self.process is not None:
            self.process.kill()
            self.process.join()
            self.pipe.close()
            self.process = None


def _place(places: Sequence[str], number: int) -> str:
    """The kinds take turns."""
    return places[number % len(places)]


def _feed(pipe: Connection, places: Sequence[str], seed: int, numbers: Sequence[int], megabytes: int) -> None:
    """What a child does: feed the inputs of these numbers, saying what came of each."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the program
    for place in places:
        found = source(place)
        found.make(generator(seed, found.name, 0))  # what they are made of is loaded
    with open("/proc/self/statm", encoding="ascii") as statm:
        held = int(statm.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (held + megabytes * 2**20,) * 2)
    pipe.send(None)
    for number in numbers:
        found = source(_place(places, number))
        data = found.make(generator(seed, found.name, number))
        try:
            verdict, told = (VALID if found.feed(data) else CLEAN), ""
        except BaseException:
            verdict, told = FOREIGN, traceback.format_exc()
        pipe.send((verdict, told))
