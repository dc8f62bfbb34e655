"""The agents of the games that a process plays, each in its own process.

This module checks answers, time and memory of an agent from outside. Nothing of it is trusted, and nothing
can reach the battle or the other agent. Nothing that comes from an agent is unpickled.
"""

from __future__ import annotations

import json
import os
import pickle
import select
import signal
import socket
import sys
import time
from collections import OrderedDict
from collections.abc import Collection, Mapping
from contextlib import suppress
from typing import Any

from ..processes import can_look, descendants, end_all, is_being_ended, left_running, memory_of, thread_count
from .agent import BEGIN, HEAD, TABLE, TRACE, WILL
from .keeper import HERE, WORD, run_keeper

TICK = 0.05  # seconds between two checks of a process that is waited for
LONGEST = 1 << 18  # greatest length of an answer in bytes
OWN_THREADS = 2  # threads of an idle process: the agent's and the one that ends the process
KEPT = 8  # greatest number of processes that are kept for the next game of their agents
PATIENCE = 1.0  # seconds that a process gets to end after it closed its socket
HARM = "ended or stopped the process that keeps it"  # what an agent is told to have done
MIB = 1 << 20


class Failed(Exception):
    """An agent has lost the game by a fault. The message says which; ``trace`` is for its author."""

    def __init__(self, words: str, trace: str = "") -> None:
        self.trace = trace
        super().__init__(words)


class TooSlow(Exception):
    """An agent did not answer in time."""


class AgentProcess:
    """The process of one agent, which plays game after game under a keeper of its own.

    Args:
        spec, options: the agent, as for ``policies.make``.
        memory: MiB that the agent may hold, with everything that it started; ``None``: no limit.

    Raises:
        OSError: no process can be started.

    Attributes:
        pid: process id of the agent.
        keeper: process id of its keeper, which is its parent.
    """

    def __init__(self, spec: str, options: Mapping[str, Any], memory: int | None = None) -> None:
        self.memory = memory
        self._line, far = socket.socketpair()
        lifeline, self._lifeline = os.pipe()
        self._report, report = (end.detach() for end in socket.socketpair())
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        self.keeper = os.fork()
        if self.keeper == 0:
            run_keeper(far, lifeline, report, spec, options)
        far.close()
        os.close(lifeline)
        os.close(report)
        word = os.read(self._report, WORD.size)
        if not word:
            raise OSError("no process can be started for an agent")
        (self.pid,) = WORD.unpack(word)
        os.set_blocking(self._report, False)
        self._looked = time.monotonic()
        self._place: Any = None
        self._code: int | None = None
        self._answers = 0  # number of answers of the keeper so far

    # ---- asking

    def load_table(self, place: tuple[str, str, str | None], seconds: float) -> None:
        """Tell the agent's process which battle comes next; ``place`` holds the arguments of ``agent.setup_of``."""
        if place != self._place:
            self.ask(TABLE, pickle.dumps(place), seconds)
            self._place = place

    def begin(self, seed: int, seconds: float) -> None:
        """Prepare the agent for a game."""
        self.ask(BEGIN, b"%d" % seed, seconds)

    def check_can_play(self, seconds: float) -> None:
        """Ask whether the agent can play at this table. Call ``begin`` before.

        Raises:
            Failed: it cannot; the message says why.
        """
        self.ask(WILL, b"", seconds)

    def ask(self, request: int, body: bytes, seconds: float) -> int:
        """Send a request and return the action in the answer.

        Raises:
            Failed: the agent failed, has ended, or holds too much memory.
            TooSlow: it did not answer in time.
        """
        deadline = time.monotonic() + seconds
        try:
            self._send(HEAD.pack(len(body) + 1) + bytes((request,)) + body, deadline)
            (size,) = HEAD.unpack(self._receive(HEAD.size, deadline))
            if size > LONGEST:
                raise Failed("sent what is no answer")
            data = self._receive(size, deadline)
        except OSError:
            raise self._why_ended() from None
        self._check_keeper()
        if self.memory is not None and time.monotonic() - self._looked >= TICK:
            self._check_process()
        return self._read(data)

    def _send(self, data: bytes, deadline: float) -> None:
        """Send bytes until the deadline."""
        rest = memoryview(data)
        while rest:
            self._wait(deadline)
            try:
                rest = rest[self._line.send(rest) :]
            except TimeoutError:
                self._check_process()

    def _receive(self, size: int, deadline: float) -> bytes:
        """Receive ``size`` bytes until the deadline."""
        data = bytearray()
        while len(data) < size:
            self._wait(deadline)
            try:
                part = self._line.recv(size - len(data))
            except TimeoutError:
                self._check_process()
                continue
            if not part:
                raise self._why_ended()
            data += part
        return bytes(data)

    def _wait(self, deadline: float) -> None:
        """Set the timeout of the socket; raise ``TooSlow`` after the deadline."""
        left = deadline - time.monotonic()
        if left <= 0.0:
            raise TooSlow
        self._line.settimeout(min(left, TICK))

    @staticmethod
    def _read(data: bytes) -> int:
        """The action in an answer.

        Raises:
            Failed: the agent reports a fault, or sent something that is no answer.
        """
        try:
            answer = json.loads(data)
            if type(answer) is dict and type(answer.get("action")) is int and answer.keys() == {"action"}:
                return int(answer["action"])
            fault, trace = answer["fault"], answer["trace"]
            if type(fault) is not str or type(trace) is not str:
                raise TypeError
        except Exception:  # whatever is wrong with it
            raise Failed("sent what is no answer") from None
        raise Failed(fault, trace[: 2 * TRACE])

    # ---- looking after it

    def _check_process(self) -> None:
        """Raise ``Failed`` if the process has ended or holds too much memory."""
        self._looked = time.monotonic()
        self._check_keeper()
        if self._has_ended():
            raise self._why_ended()
        if self.memory is not None and memory_of(descendants(self.keeper)) > self.memory * MIB:
            raise Failed(f"used more than {self.memory} MiB of memory")

    def _check_keeper(self) -> None:
        """Raise ``Failed`` if the keeper does not run. Only its agent has a reason to end or stop it."""
        if not left_running(self.keeper):
            raise Failed(HARM)

    def see_keeper(self, seconds: float) -> None:
        """Check that the keeper still answers, because a signal sent to it may not have reached it yet.

        Raises:
            Failed: it does not run.
            TooSlow: it has not answered in time.
        """
        deadline, before = time.monotonic() + seconds, self._answers
        with suppress(OSError):
            os.write(self._report, b"?")
        while self._answers == before:
            self._check_keeper()
            if time.monotonic() > deadline:
                raise TooSlow
            select.select((self._report,), (), (), TICK)
            self._read_report()
        # one of its threads can answer while a signal is on its way to the other
        if is_being_ended(self.keeper):
            raise Failed(HARM)

    def _read_report(self) -> None:
        """Read the keeper's messages."""
        with suppress(OSError):
            while data := os.read(self._report, WORD.size):
                (word,) = WORD.unpack(data)
                if word == HERE:
                    self._answers += 1
                else:
                    self._code = word

    def _has_ended(self) -> bool:
        """Whether the agent's process has ended."""
        if self._code is None:
            self._read_report()
        return self._code is not None

    def _why_ended(self) -> Failed:
        """The error for an agent that has ended or closed its socket."""
        until = time.monotonic() + PATIENCE
        while not self._has_ended() and time.monotonic() < until:
            self._check_keeper()
            time.sleep(0.001)
        if self._code is None:
            return Failed("closed the line to its process")
        if self._code < 0:
            return Failed(f"the process was ended by {signal_name(-self._code)}")
        return Failed(f"the process ended (exit code {self._code})")

    @property
    def clean(self) -> bool:
        """Whether nothing else runs in the process now: no further threads, no started processes."""
        return can_look() and thread_count(self.pid) == OWN_THREADS and descendants(self.keeper) == [self.pid]

    def close(self) -> None:
        """End the process, its keeper and everything that it started."""
        self._line.close()
        keeper_runs = left_running(self.keeper)
        end_all(self.keeper)
        if not (keeper_runs and can_look()):
            end_all(self.pid, gone=self._has_ended())  # without its keeper, the agent's process has another parent
        os.close(self._lifeline)
        os.close(self._report)


def signal_name(number: int) -> str:
    """The name of a signal."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


class Agents:
    """The processes of agents, kept from game to game; the least recently used ones are ended first."""

    def __init__(self) -> None:
        self._processes: OrderedDict[Any, AgentProcess] = OrderedDict()

    def of(self, player: int, spec: str, options: Mapping[str, Any], memory: int | None) -> AgentProcess:
        """The process of the agent that plays a seat; started if there is none."""
        key = (player, spec, repr(sorted(options.items())), memory)
        if key not in self._processes:
            while len(self._processes) >= KEPT:
                self._processes.popitem(last=False)[1].close()
            self._processes[key] = AgentProcess(spec, options, memory)
        self._processes.move_to_end(key)
        return self._processes[key]

    def tidy(self, failed: Collection[AgentProcess] = ()) -> None:
        """After a game, end the processes that failed or left something running."""
        for key, agent in list(self._processes.items()):
            if agent in failed or not agent.clean:
                del self._processes[key]
                agent.close()

    @property
    def pids(self) -> list[int]:
        """Process ids of the agents."""
        return [agent.pid for agent in self._processes.values()]

    @property
    def keepers(self) -> list[int]:
        """Process ids of their keepers."""
        return [agent.keeper for agent in self._processes.values()]

    def close(self) -> None:
        """End all processes."""
        while self._processes:
            self._processes.popitem()[1].close()
