"""Measure random play in batches, in one process or two."""

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
HALF = 150  # steps to play before a measurement, about half a battle
# Steps of a round for each battle in the rounds of other measurements: with 32, each battle of a batch is played once.
STEPS_A_BATTLE = 11
STRETCHES = 24  # number of alternating stretches in which processes are compared
Clock = Callable[[], float]


class Gains(NamedTuple):
    """Decisions a second compared with those of a batch in one process.

    Attributes:
        processes: factor for a batch spread over two processes.
        programs: factor for two independent programs with a batch each, which shows what the machine gives.
    """

    processes: float
    programs: float


class Batch:
    """``BATCH`` battles of random play at once, with observations and masks. Both seats are learners.

    With several processes each has two such parts, which are stepped as soon as they are ready (``send``,
    ``recv``).

    Args:
        name: the battle.
        processes: number of processes.
        before: number of steps to play at once, for each part.
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
        """Begin all battles again, always the same ones with the same choices."""
        self._generator = np.random.default_rng(1)
        _, infos = self.env.reset(seed=1)
        self._masks = [infos["action_mask"][BATCH * part : BATCH * (part + 1)] for part in range(self.parts)]

    def play(self, steps: float, seconds: float = np.inf, clock: Clock = time.perf_counter) -> float:
        """Play ``steps`` steps of ``BATCH`` battles, or for ``seconds``; returns decisions a second."""
        if self.parts == 1:
            return self._count(self.step, steps, seconds, clock)
        for part in range(self.parts):
            self.env.send(part, self._actions(part))
        for _ in range(self.parts):  # after these all processes are busy
            self._exchange()
        rate = self._count(self._exchange, steps, seconds, clock)
        for _ in range(self.parts):
            self._receive()
        return rate

    def _count(self, step: Callable[[], None], steps: float, seconds: float, clock: Clock) -> float:
        """Take steps until one of the limits; returns decisions a second."""
        played, began = 0, clock()
        while played < steps and clock() - began < seconds:
            step()
            played += 1
        return played * BATCH / (clock() - began)

    def step(self) -> None:
        """Take one step of a batch in this process."""
        self._masks[0] = self.env.step(self._actions(0))[-1]["action_mask"]

    def _exchange(self) -> None:
        """Receive the part that is ready and send it new actions."""
        part = self._receive()
        self.env.send(part, self._actions(part))

    def _actions(self, part: int) -> Array:
        """Random legal actions for a part."""
        return random_actions(self._masks[part], self._generator)

    def _receive(self) -> int:
        """Receive the part that is ready; returns its number."""
        part, *_, infos = self.env.recv()
        self._masks[part] = infos["action_mask"]
        return int(part)


class Program:
    """A batch in a separate process, which plays when it is told to.

    Args:
        name: the battle.
        before: number of steps to play at once.
    """

    def __init__(self, name: str, before: int) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, child_end = context.Pipe()
        self._process = context.Process(target=play_when_told, args=(child_end, name, before), daemon=True)
        self._process.start()
        self._pipe.recv()

    def beside(self, batch: Batch, seconds: float) -> float:
        """Decisions a second of both, while ``batch`` plays in this process for ``seconds``."""
        self._pipe.send(seconds)
        return batch.play(np.inf, seconds) + float(self._pipe.recv())

    def close(self) -> None:
        """End the process."""
        self._pipe.send(0.0)
        self._process.join()


def play_when_told(pipe: Connection, name: str, before: int) -> None:
    """Run in the process of a ``Program``: play for the received number of seconds, until 0."""
    batch = Batch(name, before=before)
    pipe.send(0.0)
    while (seconds := pipe.recv()) > 0.0:
        pipe.send(batch.play(np.inf, seconds))


def batched(name: str, count: int) -> Round:
    """A round of a batch in this process, from the beginning of its battles; ``count`` is the number of battles
    in the rounds of other measurements.
    """
    batch = Batch(name, before=0)

    def play() -> Iterator[int]:
        batch.begin()
        for _ in range(STEPS_A_BATTLE * count):
            batch.step()
            yield BATCH

    return play


def gains(name: str, seconds: float, before: int = HALF) -> Gains:
    """Measure what two processes gain by the clock, as the median of many short stretches, in about ``seconds``
    for each.

    They alternate, because on a shared machine other programs halve the speed of cores for seconds at a time.
    """
    one, two, program = Batch(name, before=before), Batch(name, 2, before), Program(name, before)
    stretch = seconds / STRETCHES
    rates: list[tuple[float, float, float]] = []
    try:
        for _ in range(STRETCHES):
            rates.append((one.play(np.inf, stretch), two.play(np.inf, stretch), program.beside(one, stretch)))
    finally:
        program.close()
        for batch in (one, two):
            batch.env.close()
    alone, spread, beside = np.array(rates).T
    return Gains(float(np.median(spread / alone)), float(np.median(beside / alone)))


def random_actions(masks: Array, generator: np.random.Generator) -> Array:
    """A random legal action for each row of ``masks``, int of shape (rows,)."""
    rows, size = masks.shape
    legal = masks.reshape(-1).view(np.bool_).nonzero()[0]
    starts = np.searchsorted(legal, np.arange(rows + 1) * size)
    counts = np.diff(starts)
    chosen: Array = legal[starts[:-1] + (generator.random(rows) * counts).astype(np.int64)]
    return chosen - np.arange(rows) * size
