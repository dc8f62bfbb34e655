"""Shares of a batch of battles: the battles that one process plays, in this process or in another, with the results in
shared arrays.
"""

from __future__ import annotations

import contextlib
import ctypes
import multiprocessing
import pickle
import signal
import traceback
from collections.abc import Sequence
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Semaphore
from typing import Any

import numpy as np
from gymnasium.vector.utils import CloudpickleWrapper

from wh_env.core.tables import Array
from wh_env.envs.duels import rows_of
from wh_env.envs.vector import BattleVectorEnv, Final

BEGIN, RESET, STEP, CLOSE = "begin", "reset", "step", "close"
ENDED = "a process of the batch has ended; close it and make another"
SECONDS_TO_CLOSE = 5.0
PATIENCE = 1.0  # seconds after which a waiting process checks that the asking process still lives


class Shared:
    """An array in memory that processes share. It is handed to a process when the process is started.

    Args:
        like: an array with its dtype and, except for the first axis, its shape. count: length of the first axis.
    """

    def __init__(self, like: Array, count: int) -> None:
        """See the class."""
        self.shape, self.dtype = (count, *like.shape[1:]), like.dtype
        size = int(np.prod(self.shape)) * like.dtype.itemsize
        self._raw: Any = multiprocessing.get_context("spawn").RawArray(ctypes.c_byte, max(1, size))

    def array(self) -> Array:
        """The array; it is the same memory in every process."""
        count = int(np.prod(self.shape))
        return np.frombuffer(self._raw, self.dtype, count).reshape(self.shape)


def shared(like: Any, count: int) -> Any:
    """``Shared`` arrays like those of a stack of observations, with ``count`` rows."""
    if isinstance(like, dict):
        return {name: shared(part, count) for name, part in like.items()}
    return Shared(like, count)


def arrays(parts: Any) -> Any:
    """The arrays of what ``shared`` returned."""
    return {name: arrays(part) for name, part in parts.items()} if isinstance(parts, dict) else parts.array()


class Share:
    """The parts of the battles that one process plays. Their results stand in its rows of the shared arrays.

    Args:
        parameters: of ``BattleVectorEnv``.
        memory: ``Shared`` arrays by name.
        parts: the rows of each part.
    """

    def __init__(self, parameters: dict[str, Any], memory: dict[str, Any], parts: Sequence[slice]) -> None:
        """See the class."""
        self._parameters, self._parts = parameters, parts
        self._rows = [{name: rows_of(arrays(part), where) for name, part in memory.items()} for where in parts]
        self._batches: dict[int, BattleVectorEnv] = {}

    def answer(self, command: str, at: int, *given: Any) -> list[Final]:
        """Begin, reset (with seeds and options) or step part ``at``; returns the battles that ended, with their places
        in the batch.
        """
        rows, where = self._rows[at], self._parts[at]
        ends: list[Final] = []
        if command == BEGIN:
            buffers = {name: rows[name] for name in ("observations", "masks")}
            count = where.stop - where.start
            batch = self._batches[at] = BattleVectorEnv(count, copy=False, buffers=buffers, **self._parameters)
            batch.duels.warned = True  # the asking process gives the warning
        elif command == RESET:
            self._batches[at].reset(seed=given[0], options=given[1])
        else:
            rows["terminated"][:], rows["truncated"][:], ends = self._batches[at].advance(rows["actions"])
            rows["rewards"][:] = self._batches[at].duels.rewards
        rows["seats"][:] = self._batches[at].duels.seats
        return [(where.start + place, end) for place, end in ends]


class Here:
    """A share that is played in this process, when answers are asked for."""

    def __init__(self, share: Share) -> None:
        """``share``: the share."""
        self._share = share
        self._queue: list[tuple[Any, ...]] = []

    def tell(self, *command: Any) -> None:
        """Queue a command."""
        self._queue.append(command)

    def answer(self) -> list[Final]:
        """Carry out the oldest command and return its answer."""
        return self._share.answer(*self._queue.pop(0))


class Beside:
    """A share that is played in another process.

    Args:
        context: how processes are started.
        parameters: of ``BattleVectorEnv``.
        given: memory and parts of the ``Share``.
    """

    def __init__(self, context: Any, parameters: dict[str, Any], *given: Any) -> None:
        """Start the process."""
        self.pipe, there = context.Pipe()
        self._asked = context.Semaphore(0)
        handed = CloudpickleWrapper(parameters.copy)  # type: ignore[arg-type]
        self.process = context.Process(target=work, args=(there, self._asked, handed, *given), daemon=True)
        self.process.start()
        there.close()

    def tell(self, *command: Any) -> None:
        """Send a command.

        Raises:
            RuntimeError: the process has ended.
        """
        try:
            self.pipe.send(command)
        except ConnectionError as error:
            raise RuntimeError(ENDED) from error
        self._asked.release()

    def answer(self) -> list[Final]:
        """The answer to the oldest command. Errors of the process are raised here.

        Raises:
            RuntimeError: the process has ended.
        """
        try:
            reply = self.pipe.recv()
        except (EOFError, ConnectionError) as error:
            raise RuntimeError(ENDED) from error
        if isinstance(reply, Exception):
            raise reply
        answer: list[Final] = reply
        return answer

    def close(self) -> None:
        """Tell the process to end."""
        with contextlib.suppress(OSError):
            self.pipe.send((CLOSE,))
        self._asked.release()

    def join(self) -> None:
        """Wait for the process to end, and terminate it after ``SECONDS_TO_CLOSE``."""
        self.process.join(SECONDS_TO_CLOSE)
        if self.process.is_alive():
            self.process.terminate()
        self.pipe.close()


def work(pipe: Connection, asked: Semaphore, parameters: Any, memory: dict[str, Any], parts: Sequence[slice]) -> None:
    """The main function of another process: it answers commands for its share until it is told to close."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the asking process
    share = Share(parameters.fn(), memory, parts)
    with contextlib.suppress(EOFError, OSError):  # the asking process has ended
        while (command := awaited(pipe, asked))[0] != CLOSE:
            reply: list[Final] | Exception
            try:
                reply = share.answer(*command)
            except Exception as error:
                reply = sendable(error)
            pipe.send(reply)


def awaited(pipe: Connection, asked: Semaphore) -> tuple[Any, ...]:
    """Wait for the next command and return it.

    It waits at a semaphore. A process that waits at the pipe would be woken on the core of the writing process, which
    goes on working there.
    """
    while not asked.acquire(timeout=PATIENCE) and not pipe.poll():
        pass  # no command yet, and the asking process still lives
    command: tuple[Any, ...] = pipe.recv()
    return command


def sendable(error: Exception) -> Exception:
    """The error with its traceback as a note; if it cannot be pickled, a RuntimeError with the traceback as text."""
    error.add_note(traceback.format_exc())
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(traceback.format_exc())
    return error
