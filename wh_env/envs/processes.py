"""Many battles at once, spread over processes: each steps its own batch and writes into arrays that all of them share."""

from __future__ import annotations

import contextlib
import ctypes
import multiprocessing
import pickle
import signal
import time
import traceback
from collections.abc import Sequence
from multiprocessing.connection import Connection, wait
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import CloudpickleWrapper, batch_space

from wh_env.content.errors import ContentError
from wh_env.core.tables import Array
from wh_env.envs.duels import copied, rows_of
from wh_env.envs.vector import BattleVectorEnv, Final, infos_of, seeds_of

BEGIN, RESET, STEP, CLOSE = "begin", "reset", "step", "close"
ENDED = "a process of the batch has ended; close it and make another"
SECONDS_TO_CLOSE = 5.0
AWAKE = 0.003  # seconds that a process looks for the next command before it sleeps


class Shared:
    """An array in memory that processes share; it is handed to a process when that is started.

    Args:
        like: an array of its dtype and, but for the first axis, its shape. count: length of the first axis.
    """

    def __init__(self, like: Array, count: int) -> None:
        self.shape, self.dtype = (count, *like.shape[1:]), like.dtype
        size = int(np.prod(self.shape)) * like.dtype.itemsize
        self._raw: Any = multiprocessing.get_context("spawn").RawArray(ctypes.c_byte, max(1, size))

    def array(self) -> Array:
        """The array; the same memory in every process."""
        count = int(np.prod(self.shape))
        return np.frombuffer(self._raw, self.dtype, count).reshape(self.shape)


def shared(like: Any, count: int) -> Any:
    """Shared arrays like those of one stack of observations."""
    if isinstance(like, dict):
        return {name: shared(part, count) for name, part in like.items()}
    return Shared(like, count)


def arrays(parts: Any) -> Any:
    """The arrays of what ``shared`` made."""
    return {name: arrays(part) for name, part in parts.items()} if isinstance(parts, dict) else parts.array()


def work(pipe: Connection, parameters: Any, memory: dict[str, Any], first: int, count: int) -> None:
    """What a process does: steps ``count`` battles, whose results stand in the shared arrays from row ``first`` on."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the business of the process that asks
    rows = {name: rows_of(arrays(part), slice(first, first + count)) for name, part in memory.items()}
    buffers = {name: rows[name] for name in ("observations", "masks")}
    batch: BattleVectorEnv | None = None
    command: tuple[Any, ...] = (BEGIN,)
    while command[0] != CLOSE:
        ends: list[Final] = []
        try:
            if batch is None:
                batch = BattleVectorEnv(count, copy=False, buffers=buffers, **parameters.fn())
            elif command[0] == RESET:
                batch.reset(seed=command[1], options=command[2])
            else:
                rows["terminated"][:], rows["truncated"][:], ends = batch.advance(rows["actions"])
                rows["rewards"][:] = batch.duels.rewards
            rows["seats"][:] = batch.duels.seats
            pipe.send([(first + at, end) for at, end in ends])
        except Exception as error:
            pipe.send(sendable(error))
        try:
            command = awaited(pipe)
        except (EOFError, OSError):  # whoever asked is gone
            return


def awaited(pipe: Connection) -> tuple[Any, ...]:
    """The next command. It is looked for a while before the process goes to sleep: a core that sleeps between steps wakes slowly, and cold."""
    until = time.perf_counter() + AWAKE
    while not pipe.poll() and time.perf_counter() < until:
        time.sleep(0)  # whoever else wants the core gets it
    command: tuple[Any, ...] = pipe.recv()
    return command


def sendable(error: Exception) -> Exception:
    """The error with where it arose; in words where it cannot be pickled."""
    error.add_note(traceback.format_exc())
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(traceback.format_exc())
    return error


class ProcessVectorEnv(VectorEnv[Any, Any, Any]):
    """``BattleVectorEnv`` over several processes; battle *i* plays the same in both.

    ``step_async`` and ``step_wait`` are ``step`` in two halves, so that the caller can do something meanwhile. ``send`` and ``recv`` step the
    battles of one process at a time, whichever is ready: no process waits for the others.

    Args:
        num_envs: how many battles in all.
        processes: over how many processes.
        copy: hand out copies of observations and masks. Without, they are views to read, which the next step overwrites as far as
            they change.
        start_method: ``spawn``, ``forkserver`` or ``fork``; not given: ``forkserver`` where there is one. A program that starts
            processes so has to have its own start under ``if __name__ == "__main__":``.
        others: as of ``BattleVectorEnv``; they go to the processes by cloudpickle.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        ruleset: str = "w10",
        battle: Any = None,
        *,
        processes: int = 2,
        copy: bool = True,
        start_method: str | None = None,
        **parameters: Any,
    ) -> None:
        if not 1 <= processes <= num_envs:
            expected = f"a number from 1 to num_envs, {num_envs}"
            raise ContentError("<env>", "processes", processes, expected)
        self.num_envs = num_envs
        self.copy = copy
        # one battle here: faults in the parameters are found before a process is started
        sample = BattleVectorEnv(1, ruleset, battle, **parameters)
        self.single_observation_space: spaces.Space[Any] = sample.single_observation_space
        self.single_action_space: spaces.Space[Any] = sample.single_action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        one = np.zeros(1)
        memory = {
            "observations": shared(sample.duels.observations, num_envs),
            "masks": Shared(sample.duels.masks, num_envs),
            "rewards": Shared(one, num_envs),
            "terminated": Shared(one.astype(np.bool_), num_envs),
            "truncated": Shared(one.astype(np.bool_), num_envs),
            "seats": Shared(one.astype(np.int64), num_envs),
            "actions": Shared(one.astype(np.int64), num_envs),
        }
        self._rows = {name: arrays(part) for name, part in memory.items()}
        known = multiprocessing.get_all_start_methods()
        context: Any = multiprocessing.get_context(start_method or ("forkserver" if "forkserver" in known else "spawn"))
        handed: Any = CloudpickleWrapper({"ruleset": ruleset, "battle": battle, **parameters}.copy)  # type: ignore[arg-type]
        self._pipes: list[Connection] = []
        self._workers: list[Any] = []
        self._slices: list[tuple[int, int]] = []
        self._sent: list[int] = []  # parts whose step was begun, in that order
        first = 0
        for number in range(processes):
            count = num_envs // processes + (number < num_envs % processes)
            here, there = context.Pipe()
            worker = context.Process(target=work, args=(there, handed, memory, first, count), daemon=True)
            worker.start()
            there.close()
            self._pipes.append(here)
            self._workers.append(worker)
            self._slices.append((first, count))
            first += count
        self._collect()

    @property
    def players(self) -> Array:
        """As of ``BattleVectorEnv``."""
        seats: Array = self._rows["seats"].copy()
        return seats

    def action_masks(self) -> Array:
        """Which actions are legal, bool of shape (N, actions)."""
        masks: Array = self._rows["masks"].astype(np.bool_)
        return masks

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """As of ``BattleVectorEnv``."""
        self._none_sent()
        chosen = dict(options or {})
        which = chosen.pop("reset_mask", None)
        if seed is None or isinstance(seed, int | np.integer):
            super().reset(seed=None if seed is None else int(seed))
        seeds = seeds_of(seed, self.num_envs)
        for pipe, (first, count) in zip(self._pipes, self._slices, strict=True):
            part = chosen if which is None else {**chosen, "reset_mask": which[first : first + count]}
            self._tell(pipe, (RESET, seeds[first : first + count], part))
        self._collect()
        return self._observations(), self._infos()

    def step(self, actions: Any) -> tuple[Any, Array, Array, Array, dict[str, Any]]:
        """As of ``BattleVectorEnv``; with ``illegal="raise"`` the processes that had no illegal action have stepped."""
        self.step_async(actions)
        return self.step_wait()

    def step_async(self, actions: Any) -> None:
        """Begin a step."""
        self._none_sent()
        chosen = np.asarray(actions)
        if chosen.shape != (self.num_envs,):
            raise ValueError(f"actions have shape {chosen.shape}; expected ({self.num_envs},), one for each battle")
        self._rows["actions"][:] = chosen
        for pipe in self._pipes:
            self._tell(pipe, (STEP,))

    def step_wait(self) -> tuple[Any, Array, Array, Array, dict[str, Any]]:
        """The results of the step that was begun."""
        infos: dict[str, Any] = {}
        for at, told in self._collect():
            infos = self._add_info(infos, told, at)
        rows = self._rows
        ends = rows["terminated"].copy(), rows["truncated"].copy()
        return self._observations(), rows["rewards"].copy(), *ends, {**infos, **self._infos()}

    @property
    def parts(self) -> list[slice]:
        """Which battles each process plays."""
        return [slice(first, first + count) for first, count in self._slices]

    def send(self, part: int, actions: Any) -> None:
        """Begin a step of the battles of one process (``parts[part]``); ``actions``: one for each of them.

        Raises:
            RuntimeError: the last step of the part was not received, or the process has ended.
        """
        if part in self._sent:
            raise RuntimeError(f"send: a step of part {part} was begun; call recv() first")
        first, count = self._slices[part]
        chosen = np.asarray(actions)
        if chosen.shape != (count,):
            raise ValueError(
                f"actions have shape {chosen.shape}; expected ({count},), one for each battle of part {part}"
            )
        self._rows["actions"][first : first + count] = chosen
        self._tell(self._pipes[part], (STEP,))
        self._sent.append(part)

    def recv(self) -> tuple[int, Any, Array, Array, Array, dict[str, Any]]:
        """The process that is ready (of several the one that was sent to first), and of its battles what ``step`` returns.

        Raises:
            RuntimeError: no step of a part was begun, or the process has ended.
        """
        if not self._sent:
            raise RuntimeError("recv: no step of a part was begun; call send() first")
        ready = wait([self._pipes[part] for part in self._sent])
        part = next(part for part in self._sent if self._pipes[part] in ready)
        self._sent.remove(part)
        infos: dict[str, Any] = {}
        for at, told in self._collect([self._pipes[part]]):
            infos = self._add_info(infos, told, at)
        where = self.parts[part]
        rows = {name: rows_of(array, where) for name, array in self._rows.items()}
        observations, masks = rows["observations"], rows["masks"]
        if self.copy:
            observations, masks = copied(observations), masks.copy()
        plain = infos_of(masks, rows["seats"].copy())
        ends = rows["rewards"].copy(), rows["terminated"].copy(), rows["truncated"].copy()
        return part, observations, *ends, {**rows_of(infos, where), **plain}

    def _none_sent(self) -> None:
        if self._sent:
            raise RuntimeError(f"steps of parts {self._sent} were begun; call recv() first")

    @staticmethod
    def _tell(pipe: Connection, command: tuple[Any, ...]) -> None:
        try:
            pipe.send(command)
        except ConnectionError as error:
            raise RuntimeError(ENDED) from error

    def _collect(self, pipes: Sequence[Connection] | None = None) -> list[Any]:
        """An answer of every process (or of those of ``pipes``); all of them are read before an error is raised."""
        answers: list[Any] = []
        faults: list[BaseException] = []
        for pipe in pipes or self._pipes:
            try:
                told = pipe.recv()
            except (EOFError, ConnectionError) as error:
                told = RuntimeError(ENDED)
                told.__cause__ = error
            if isinstance(told, BaseException):
                faults.append(told)
            else:
                answers += told or []
        if faults:
            raise faults[0]
        return answers

    def _observations(self) -> Any:
        return copied(self._rows["observations"]) if self.copy else self._rows["observations"]

    def _infos(self) -> dict[str, Any]:
        masks = self._rows["masks"]
        return infos_of(masks.copy() if self.copy else masks, self._rows["seats"].copy())

    def close_extras(self, **_kwargs: Any) -> None:
        """End the processes."""
        for pipe in self._pipes:
            with contextlib.suppress(OSError):
                pipe.send((CLOSE,))
        for worker in self._workers:
            worker.join(SECONDS_TO_CLOSE)
            if worker.is_alive():
                worker.terminate()
        for pipe in self._pipes:
            pipe.close()

    def __del__(self) -> None:
        if not getattr(self, "closed", True) and hasattr(self, "_pipes"):
            self.close()
