"""Feed mutated inputs to their readers in child processes, and count the results.

Every input follows from the seed, its kind and its number. If a child process dies, the last number shows
which input killed it, and a new child continues after it.
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
    ".rosters:Rosters",
    ".rosters:AbilityTexts",
)
CLEAN, VALID, FOREIGN, CRASH, HANG = "clean error", "valid", "foreign exception", "crash", "hang"
VERDICTS = (CLEAN, VALID, FOREIGN, CRASH, HANG)
FAULTS = (FOREIGN, CRASH, HANG)
START_SECONDS = 900.0  # greatest time of a child before its first input, in which it loads and compiles what it needs


class Source(Protocol):
    """A kind of input."""

    name: str

    def make(self, rng: np.random.Generator) -> bytes:
        """One input, mostly mutated; the same for the same generator."""

    def feed(self, data: bytes) -> bool:
        """Give an input to its reader and use the result.

        Returns:
            True if it was valid and used, False if it was refused with a documented error. Any other exception
            is a fault.
        """


@dataclass(frozen=True)
class Finding:
    """An input that caused a fault.

    Attributes:
        kind, number: which input.
        verdict: one of ``FAULTS``.
        details: what happened, such as a traceback.
    """

    kind: str
    number: int
    verdict: str
    details: str


@dataclass
class Tally:
    """Counts of inputs by kind and verdict, and the faults found."""

    counts: dict[str, dict[str, int]] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)

    def add(self, kind: str, number: int, verdict: str, details: str) -> None:
        """Count an input."""
        self.counts.setdefault(kind, dict.fromkeys(VERDICTS, 0))[verdict] += 1
        if verdict in FAULTS:
            self.findings.append(Finding(kind, number, verdict, details))

    @property
    def inputs(self) -> int:
        """Number of inputs."""
        return sum(sum(row.values()) for row in self.counts.values())

    @property
    def clean(self) -> bool:
        """Whether no fault was found."""
        return not self.findings


@cache
def source(place: str) -> Source:
    """The source at ``module:Class``; a module name that begins with a dot belongs to this package."""
    module, _, name = place.partition(":")
    instance: Source = getattr(import_module(module, __package__), name)()
    return instance


def places_of(kinds: Sequence[str] = ()) -> tuple[str, ...]:
    """The places (``module:Class``) of the sources with these names; of all sources if no name is given.

    Raises:
        KeyError: no source has this name.
    """
    by_name = {source(place).name: place for place in SOURCES}
    return tuple(by_name[kind] for kind in kinds) or SOURCES


def generator(seed: int, kind: str, number: int) -> np.random.Generator:
    """The random generator of an input."""
    return np.random.default_rng([seed, zlib.crc32(kind.encode()), number])


def input_of(place: str, seed: int, number: int) -> bytes:
    """Make an input again from the place of its source, the seed and its number."""
    inputs = source(place)
    return inputs.make(generator(seed, inputs.name, number))


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
    """Feed inputs ``first`` to ``first + inputs - 1``; the kinds take turns.

    Args:
        places: places of the sources.
        inputs: number of inputs.
        seed: seed of all inputs.
        first: number of the first input.
        workers: number of child processes.
        seconds: greatest time for one input.
        megabytes: address space that a child may use beyond that at its start.
        tell: called from time to time with the counts.
        tally: receives the counts; it is up to date even after Ctrl-C.

    Returns:
        The counts.
    """
    counts = tally if tally is not None else Tally()
    limits = (seconds, megabytes)
    children = [
        _Child(places, seed, [first + n for n in range(inputs) if n // len(places) % workers == worker], limits)
        for worker in range(workers)
    ]
    try:
        working = [child for child in children if child.ensure_running()]
        while working:
            wait([child.pipe for child in working], timeout=1.0)
            for child in working:
                for kind, number, verdict, details in child.verdicts():
                    counts.add(kind, number, verdict, details)
            tell(counts)
            working = [child for child in working if child.ensure_running()]
    finally:
        for child in children:
            child.end()
    return counts


class _Child:
    """A child process that feeds some inputs; it is started again after each input that ends it.

    Args:
        places: places of the sources.
        seed: seed of all inputs.
        numbers: numbers of its inputs.
        limits: seconds for one input, and megabytes of address space.
    """

    def __init__(self, places: Sequence[str], seed: int, numbers: Sequence[int], limits: tuple[float, int]) -> None:
        self.places, self.seed, self.limits = tuple(places), seed, limits
        self.left = list(numbers)
        self.process: Any = None
        self.pipe: Any = None
        self.started = False  # whether the process has reached its first input

    def ensure_running(self) -> bool:
        """Start the process if inputs are left and none runs. Returns whether inputs are left."""
        if self.left and self.process is None:
            context = multiprocessing.get_context("spawn")
            self.pipe, theirs = context.Pipe(duplex=False)
            arguments = (theirs, self.places, self.seed, tuple(self.left), self.limits[1])
            self.process = context.Process(target=_feed, args=arguments, daemon=True)
            self.process.start()
            theirs.close()
            self.since, self.started = time.monotonic(), False
        return bool(self.left)

    def verdicts(self) -> Iterator[tuple[str, int, str, str]]:
        """The results since the last call: kind, number, verdict and details of each input.

        Raises:
            RuntimeError: the process ended before its first input.
        """
        try:
            while self.process is not None and self.pipe.poll():
                message = self.pipe.recv()
                self.since, self.started = time.monotonic(), True
                if message is not None:
                    yield self._finish(*message)
                    if not self.left:
                        self.end()
        except (EOFError, OSError):
            self.process.join(5.0)
            code = self.process.exitcode
            details = f"signal {signal.Signals(-code).name}" if code is not None and code < 0 else f"exit code {code}"
            self.end()
            if not self.started:
                raise RuntimeError(f"a child process ended before its first input: {details}") from None
            yield self._finish(CRASH, details)
        limit = self.limits[0] if self.started else START_SECONDS
        if self.process is not None and time.monotonic() - self.since > limit:
            self.end()
            yield self._finish(HANG, f"more than {limit:g} s")

    def _finish(self, verdict: str, details: str) -> tuple[str, int, str, str]:
        """Remove the present input from the list and return its result."""
        number = self.left.pop(0)
        return source(_place(self.places, number)).name, number, verdict, details

    def end(self) -> None:
        """End the process."""
        if self.process is not None:
            self.process.kill()
            self.process.join()
            self.pipe.close()
            self.process = None


def _place(places: Sequence[str], number: int) -> str:
    """The source of input ``number``; the sources take turns."""
    return places[number % len(places)]


def _feed(pipe: Connection, places: Sequence[str], seed: int, numbers: Sequence[int], megabytes: int) -> None:
    """Run in the child process: feed the inputs with these numbers and report each result."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process handles Ctrl-C
    for place in places:
        inputs = source(place)
        inputs.make(generator(seed, inputs.name, 0))  # load the unchanged files before memory is limited
    with open("/proc/self/statm", encoding="ascii") as statm:
        baseline = int(statm.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (baseline + megabytes * 2**20,) * 2)
    pipe.send(None)
    for number in numbers:
        inputs = source(_place(places, number))
        data = inputs.make(generator(seed, inputs.name, number))
        try:
            verdict, details = (VALID if inputs.feed(data) else CLEAN), ""
        except BaseException:
            verdict, details = FOREIGN, traceback.format_exc()
        pipe.send((verdict, details))
