"""A collector in a separate process, so that battles are played while the network learns, without sharing a
Python interpreter.

Rollouts return through shared memory; calls, results, errors and progress pass through a pipe. The process
ignores Ctrl-C and ends with the program that started it.
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
SILENCE = 0.1  # least seconds between two progress reports
Ended = list[dict[str, Any]]


class CollectorLost(RuntimeError):
    """The process that plays the battles has ended."""


# ---------------------------------------------------------------- in the process


def serve(connection: Connection, config: TrainingConfig, folder: Path, rooms: Sequence[Any]) -> None:
    """Run in the process: carry out calls until the other end is closed.

    Args:
        connection: to the program.
        config: the run.
        folder: folder of its files.
        rooms: shared memory for rollouts.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the program handles Ctrl-C and then ends this process
    threading.Thread(target=end_with_parent, daemon=True).start()
    collectors: list[Collector] = []

    def answer(name: str, arguments: tuple[Any, ...]) -> Any:
        if not collectors:
            collectors.append(Collector(config, folder, rooms))
        collector = collectors[0]
        if name == "collect":
            reports = Reports(connection, collector.pool)
            rollout = collector.collect(arguments[0], reports.add)
            reports.send()
            result: Any = rollout.games, rollout.seconds
        else:
            result = getattr(collector, name)(*arguments)
        return result, collector.pool.state(), collector.stage

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
    """Collects the progress of a rollout and sends it now and then, because many messages would delay the
    learner.
    """

    def __init__(self, connection: Connection, pool: Pool) -> None:
        self._connection, self._pool, self._sent = connection, pool, time.monotonic()
        self._decisions, self._ended = 0, list[dict[str, Any]]()

    def add(self, decisions: int, ended: Ended) -> None:
        """Add a number of decisions, and battles that ended."""
        self._decisions += decisions
        self._ended += [{name: value for name, value in info.items() if name != ENDED} for info in ended]
        if time.monotonic() - self._sent > SILENCE:
            self.send()

    def send(self) -> None:
        """Send everything that was not sent yet."""
        if self._decisions:
            self._connection.send((TOLD, (self._decisions, self._ended, self._pool.state())))
        self._sent, self._decisions, self._ended = time.monotonic(), 0, []


# ---------------------------------------------------------------- in the program


class CollectorBeside:
    """A ``Collector`` in a separate process, with the same methods. All of them wait for the result; errors
    raised there are raised here.

    Args:
        config: the run.
        folder: folder of its files.
        buffers: buffers of the learner, filled in turn; they are moved to shared memory.
    """

    def __init__(self, config: TrainingConfig, folder: Path, buffers: Sequence[Any]) -> None:
        self.pool, self.stage = Pool(config.opponents), 0
        self.buffers = buffers
        # a fork server starts further processes quickly
        way = "spawn" if sys.platform == "win32" else "forkserver"
        context: Any = multiprocessing.get_context(way)
        if way == "forkserver":
            context.set_forkserver_preload([__name__])
        # memory without a name leaves nothing behind, however the program ends
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
        """Id of the process."""
        return int(self._process.pid)

    def _call(self, name: str, *arguments: Any, tell: Tell | None = None) -> Any:
        """Call a method of the collector and wait for its result; ``tell`` receives progress.

        Raises:
            CollectorLost: the process has ended.
        """
        try:
            self._connection.send((name, arguments))
            while True:
                kind, value = self._connection.recv()
                if kind == RAISED:
                    raise value
                if kind == RETURNED:
                    break
                decisions, ended, pool = value
                self.pool.restore(pool)
                if tell is not None:
                    tell(decisions, ended)
        except (EOFError, OSError):
            self._process.join(5)
            words = f"the process that plays the battles has ended (exit code {self._process.exitcode})"
            raise CollectorLost(words) from None
        found, pool, self.stage = value
        self.pool.restore(pool)
        return found

    def load(self, weights: Mapping[str, torch.Tensor]) -> None:
        """See ``Collector.load``."""
        self._call("load", {name: tensor.cpu().numpy() for name, tensor in weights.items()})

    def collect(self, number: int, tell: Tell) -> Rollout:
        """See ``Collector.collect``."""
        games, seconds = self._call("collect", number, tell=tell)
        buffer = self.buffers[number % len(self.buffers)]
        buffer.filled()
        return Rollout(buffer, games, seconds)

    def admit(self, weights: bytes) -> str:
        """See ``Collector.admit``."""
        return str(self._call("admit", weights))

    def go_to(self, stage: int) -> None:
        """See ``Collector.go_to``."""
        self._call("go_to", stage)

    def state(self) -> dict[str, Any]:
        """See ``Collector.state``."""
        found: dict[str, Any] = self._call("state")
        return found

    def restore_pool(self, state: Mapping[str, Any]) -> None:
        """See ``Collector.restore_pool``."""
        self._call("restore_pool", state)

    def restore(self, state: Mapping[str, Any]) -> None:
        """See ``Collector.restore``."""
        self._call("restore", state)


def end(connection: Connection, process: Any) -> None:
    """End the process, whatever it is doing."""
    with contextlib.suppress(OSError):
        connection.close()
    process.kill()
    process.join()


__all__ = ["CollectorBeside", "CollectorLost"]
