"""How fast battles are played at random in batches, in one process or spread over two."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

import numpy as np

import wh_env
from wh_env.core.tables import Array

from .play import Round, ruleset_of

BATCH = 64
HALF = 150  # steps, about half a battle: so many are played before anything is measured
STEPS_A_BATTLE = (
    11  # of a round, for each of the battles that others play in theirs: with 32, each of a batch is played once
)
STRETCHES = 24  # in which processes are compared, one after the other
Clock = Callable[[], float]


class Gains(NamedTuple):
    """How many times the decisions a second of a batch in one process are made.

    Attributes:
        processes: by a batch spread over two processes.
        programs: by two programs with a batch each that know nothing of each other, which is what the machine gives.
    """

    processes: float
    programs: float


class Batch:
    """``BATCH`` battles at once, observations and masks included, played at random; learners answer for both seats.

    Several processes play two such parts each, which are stepped as they finish (``send``, ``recv``). ``before``: steps that are played at once.
    """

    def __init__(self, name: str, processes: int = 1, before: int = HALF) -> None:
        self.parts = 1 if processes == 1 else 2 * processes
        form: dict[str, Any] = {"battle": name, "opponent": None, "copy": False, "illegal": "raise"}
        if processes > 1:
            form |= {"processes": processes, "parts": self.parts}
        self.env: Any = wh_env.vector_env(BATCH * self.parts, ruleset_of(name), **form)
        self.begin()
        self.play(before * self.parts)

    def begin(self) -> None:
        """Begin all battles, always the same ones, which are then played by the same choices."""
        self._generator = np.random.default_rng(1)
        _, infos = self.env.reset(seed=1)
        self._masks = [infos["action_mask"][BATCH * part : BATCH * (part + 1)] for part in range(self.parts)]

    def play(self, steps: float, seconds: float = np.inf, clock: Clock = time.perf_counter) -> float:
        """Play so many steps of ``BATCH`` battles, or so long; decisions a second."""
        if self.parts == 1:
            return self._count(self.step, steps, seconds, clock)
        for part in range(self.parts):
            self.env.send(part, self._actions(part))
        for _ in range(self.parts):  # from here on all processes are busy
            self._exchange()
        rate = self._count(self._exchange, steps, seconds, clock)
        for _ in range(self.parts):
            self._receive()
        return rate

    def _count(self, step: Callable[[], None], steps: float, seconds: float, clock: Clock) -> float:
        taken, began = 0, clock()
        while taken < steps and clock() - began < seconds:
            step()
            taken += 1
        return taken * BATCH / (clock() - began)

    def step(self) -> None:
        """One step of a batch in this process."""
        self._masks[0] = self.env.step(self._actions(0))[-1]["action_mask"]

    def _exchange(self) -> None:
        part = self._receive()
        self.env.send(part, self._actions(part))

    def _actions(self, part: int) -> Array:
        return random_actions(self._masks[part], self._generator)

    def _receive(self) -> int:
        part, *_, infos = self.env.recv()
        self._masks[part] = infos["action_mask"]
        return int(part)


class Program:
    """A batch in a process of its own that plays for a while whenever it is told to."""

    def __init__(self, name: str, before: int) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, there = context.Pipe()
        self._process = context.Process(target=play_when_told, args=(there, name, before), daemon=True)
        self._process.start()
        self._pipe.recv()

    def beside(self, batch: Batch, seconds: float) -> float:
        """Decisions a second of both, while ``batch`` plays here."""
        self._pipe.send(seconds)
        return batch.play(np.inf, seconds) + float(self._pipe.recv())

    def close(self) -> None:
        """End the process."""
        self._pipe.send(0.0)
        self._process.join()


def play_when_told(pipe: Connection, name: str, before: int) -> None:
    """What the process of a ``Program`` does."""
    batch = Batch(name, before=before)
    pipe.send(0.0)
    while (seconds := pipe.recv()) > 0.0:
        pipe.send(batch.play(np.inf, seconds))


def batched(name: str, count: int) -> Round:
    """A batch in this process, from the beginning of its battles on; ``count``: of the battles that others play in a round."""
    batch = Batch(name, before=0)

    def play() -> Iterator[int]:
        batch.begin()
        for _ in range(STEPS_A_BATTLE * count):
            batch.step()
            yield BATCH

    return play


def gains(name: str, seconds: float, before: int = HALF) -> Gains:
    """What two processes gain by the clock, the median of many stretches; about so many seconds for each.

    They take turns, because on a shared machine other programs halve the speed of one core or both for seconds at a time.
    """
    one, two, other = Batch(name, before=before), Batch(name, 2, before), Program(name, before)
    stretch = seconds / STRETCHES
    rates: list[tuple[float, float, float]] = []
    try:
        for _ in range(STRETCHES):
            rates.append((one.play(np.inf, stretch), two.play(np.inf, stretch), other.beside(one, stretch)))
    finally:
        other.close()
        for batch in (one, two):
            batch.env.close()
    alone, spread, beside = np.array(rates).T
    return Gains(float(np.median(spread / alone)), float(np.median(beside / alone)))


def random_actions(masks: Array, generator: np.random.Generator) -> Array:
    """A random legal action for each row of ``masks``."""
    rows, size = masks.shape
    legal = masks.reshape(-1).view(np.bool_).nonzero()[0]
    starts = np.searchsorted(legal, np.arange(rows + 1) * size)
    counts = np.diff(starts)
    chosen: Array = legal[starts[:-1] + (generator.random(rows) * counts).astype(np.int64)]
    return chosen - np.arange(rows) * size
