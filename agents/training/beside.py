"""The collector in a process of its own: battles are played beside the learning, which then shares no interpreter with them.

Rollouts come back through shared memory; calls, their results, errors and what there is to tell come through a pipe. The process hears
no Ctrl-C, and ends with the program that started it, however that ended.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
import sys
import threading
import time
import weakref
from collections.abc import Callable, Mapping, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import torch

from wh_env.envs.shares import sendable

from ..processes import end_with_parent, one_thread
from .collector import Collector, Rollout, Tell
from .config import TrainingConfig
from .learner import ENDED
from .pool import Pool

RETURNED, RAISED, TOLD = "returned", "raised", "told"
SILENCE = 0.1  # seconds between two reports
Ended = list[dict[str, Any]]


class CollectorLost(RuntimeError):
    """The process that plays the battles has ended."""


# ---------------------------------------------------------------- in the process


def serve(connection: Connection, config: TrainingConfig, folder: Path, rooms: Sequence[Any]) -> None:
    """Do what is asked, until the other end is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the program, which then ends this process
    threading.Thread(target=end_with_parent, daemon=True).start()
    made: list[Collector] = []

    def answer(name: str, arguments: tuple[Any, ...]) -> Any:
        if not made:
            made.append(Collector(config, folder, rooms))
        collector = made[0]
        if name == "collect":
            reports = Reports(connection, collector.pool)
            rollout = collector.collect(arguments[0], reports.add)
            reports.send()
            found: Any = rollout.games, rollout.seconds
        else:
            found = getattr(collector, name)(*arguments)
        return found, collector.pool.state(), collector.stage

    while True:
        try:
            name, arguments = connection.recv()
        except (EOFError, OSError):
            return
        try:
            reply = RETURNED, answer(name, arguments)
        except Exception as error:
            reply = RAISED, sendable(error)
        connection.send(reply)


class Reports:
    """Gathers what there is to tell of a rollout; too many words would keep the learner from its work."""

    def __init__(self, connection: Connection, pool: Pool) -> None:
        self._connection, self._pool, self._sent = connection, pool, time.monotonic()
        self._decisions, self._ended = 0, list[dict[str, Any]]()

    def add(self, decisions: int, ended: Ended) -> None:
        """So many decisions were made, and these battles ended."""
        self._decisions += decisions
        self._ended += [{name: value for name, value in info.items() if name != ENDED} for info in ended]
        if time.monotonic() - self._sent > SILENCE:
            self.send()

    def send(self) -> None:
        """All that was not sent yet."""
        if self._decisions:
            self._connection.send((TOLD, (self._decisions, self._ended, self._pool.state())))
        self._sent, self._decisions, self._ended = time.monotonic(), 0, []


# ---------------------------------------------------------------- in the program


class CollectorBeside:
    """A ``Collector`` in a process of its own, with the same methods; they wait for it, ``collect`` too.

    Errors raised there are raised here.

    Args:
        config: the run. folder: of its files. buffers: of the learner, filled in turn; they move to shared memory.
    """

    def __init__(self, config: TrainingConfig, folder: Path, buffers: Sequence[Any]) -> None:
        self.pool, self.stage = Pool(config.opponents), 0
        self.buffers = buffers
        # a server that forks is quick to give several processes, one after the other
        way = "spawn" if sys.platform == "win32" else "forkserver"
        context: Any = multiprocessing.get_context(way)
        if way == "forkserver":
            context.set_forkserver_preload([__name__])
        # without a name, so nothing is left of it however the program ends
        rooms = [context.RawArray("b", buffer.room) for buffer in buffers]
        for buffer, room in zip(buffers, rooms, strict=True):
            buffer.move(room)
        self._connection, far = context.Pipe()
        self._process = context.Process(target=serve, args=(far, config, folder.resolve(), rooms), daemon=True)
        with one_thread():
            self._process.start()
        far.close()
        self.close: Callable[[], Any] = weakref.finalize(self, end, self._connection, self._process)

    @property
    def pid(self) -> int:
        """Number of the process."""
        return int(self._process.pid)

    def _call(self, name: str, *arguments: Any, tell: Tell | None = None) -> Any:
        try:
            self._connection.send((name, arguments))
            while True:
                kind, what = self._connection.recv()
                if kind == RAISED:
                    raise what
                if kind == RETURNED:
                    break
                decisions, ended, pool = what
                self.pool.restore(pool)
                if tell is not None:
                    tell(decisions, ended)
        except (EOFError, OSError):
            self._process.join(5)
            words = f"the process that plays the battles has ended (exit code {self._process.exitcode})"
            raise CollectorLost(words) from None
        found, pool, self.stage = what
        self.pool.restore(pool)
        return found

    def load(self, weights: Mapping[str, torch.Tensor]) -> None:
        """As ``Collector.load``."""
        self._call("load", {name: tensor.cpu().numpy() for name, tensor in weights.items()})

    def collect(self, number: int, tell: Tell) -> Rollout:
        """As ``Collector.collect``."""
        games, seconds = self._call("collect", number, tell=tell)
        buffer = self.buffers[number % len(self.buffers)]
        buffer.filled()
        return Rollout(buffer, games, seconds)

    def admit(self, weights: bytes) -> str:
        """As ``Collector.admit``."""
        return str(self._call("admit", weights))

    def go_to(self, stage: int) -> None:
        """As ``Collector.go_to``."""
        self._call("go_to", stage)

    def state(self) -> dict[str, Any]:
        """As ``Collector.state``."""
        found: dict[str, Any] = self._call("state")
        return found

    def restore_pool(self, state: Mapping[str, Any]) -> None:
        """As ``Collector.restore_pool``."""
        self._call("restore_pool", state)

    def restore(self, state: Mapping[str, Any]) -> None:
        """As ``Collector.restore``."""
        self._call("restore", state)


def end(connection: Connection, process: Any) -> None:
    """End the process, whatever it does."""
    with contextlib.suppress(OSError):
        connection.close()
    process.kill()
    process.join()


__all__ = ["CollectorBeside", "CollectorLost"]
