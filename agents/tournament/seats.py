"""The agents of the games that a process plays, each in a process of its own.

What an agent says, how long it takes and how much memory it holds are looked at from here; nothing of it is trusted, and none of it can
reach the battle or the other agent. Nothing that comes from an agent is unpickled.
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

from ..processes import can_look, descendants, end_all, left_running, memory_of, thread_count
from .agent import BEGIN, HEAD, TABLE, TRACE, WILL
from .keeper import HERE, WORD, keep

TICK = 0.05  # seconds between two looks at a process that is waited for
LONGEST = 1 << 18  # bytes of an answer
OWN_THREADS = 2  # of a process that does nothing: the agent's and the one that ends it
KEPT = 8  # processes of agents that are kept for their next game
PATIENCE = 1.0  # seconds that a process has to end after it closed its line
MIB = 1 << 20


class Failed(Exception):
    """An agent did what costs it the game: in words, with a trace for its author."""

    def __init__(self, words: str, trace: str = "") -> None:
        self.trace = trace
        super().__init__(words)


class Late(Exception):
    """An agent did not answer in time."""


class AgentProcess:
    """The process of one agent, for one game after the other, under a keeper of its own.

    Args:
        spec, options: what ``policies.make`` is given. memory: MiB that it may hold, with all that it starts.

    Raises:
        OSError: no process can be started.

    Attributes:
        pid: of the agent. keeper: of its parent.
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
            keep(far, lifeline, report, spec, options)
        far.close()
        os.close(lifeline)
        os.close(report)
        told = os.read(self._report, WORD.size)
        if not told:
            raise OSError("no process can be started for an agent")
        (self.pid,) = WORD.unpack(told)
        os.set_blocking(self._report, False)
        self._looked = time.monotonic()
        self._place: Any = None
        self._code: int | None = None
        self._answers = 0  # of the keeper

    # ---- asking

    def sit_down(self, place: tuple[str, str, str | None], seconds: float) -> None:
        """Tell it which battle comes: arguments of ``agent.setup_of``."""
        if place != self._place:
            self.ask(TABLE, pickle.dumps(place), seconds)
            self._place = place

    def begin(self, seed: int, seconds: float) -> None:
        """Have it ready for a game."""
        self.ask(BEGIN, b"%d" % seed, seconds)

    def agree(self, seconds: float) -> None:
        """See whether it can play at this table; it must be ready.

        Raises:
            Failed: it cannot, and says why.
        """
        self.ask(WILL, b"", seconds)

    def ask(self, request: int, body: bytes, seconds: float) -> int:
        """The action that it answers with.

        Raises:
            Failed: something went wrong in it, it has ended, or it holds too much memory. Late: it did not answer in time.
        """
        deadline = time.monotonic() + seconds
        try:
            self._send(HEAD.pack(len(body) + 1) + bytes((request,)) + body, deadline)
            (size,) = HEAD.unpack(self._take(HEAD.size, deadline))
            if size > LONGEST:
                raise Failed("sent what is no answer")
            data = self._take(size, deadline)
        except OSError:
            raise self._ended() from None
        self._look_at_keeper()
        if self.memory is not None and time.monotonic() - self._looked >= TICK:
            self._look()
        return self._read(data)

    def _send(self, data: bytes, deadline: float) -> None:
        rest = memoryview(data)
        while rest:
            self._wait(deadline)
            try:
                rest = rest[self._line.send(rest) :]
            except TimeoutError:
                self._look()

    def _take(self, size: int, deadline: float) -> bytes:
        data = bytearray()
        while len(data) < size:
            self._wait(deadline)
            try:
                part = self._line.recv(size - len(data))
            except TimeoutError:
                self._look()
                continue
            if not part:
                raise self._ended()
            data += part
        return bytes(data)

    def _wait(self, deadline: float) -> None:
        left = deadline - time.monotonic()
        if left <= 0.0:
            raise Late
        self._line.settimeout(min(left, TICK))

    @staticmethod
    def _read(data: bytes) -> int:
        """The action in an answer."""
        try:
            told = json.loads(data)
            if type(told) is dict and type(told.get("action")) is int and told.keys() == {"action"}:
                return int(told["action"])
            fault, trace = told["fault"], told["trace"]
            if type(fault) is not str or type(trace) is not str:
                raise TypeError
        except Exception:  # whatever is wrong with it
            raise Failed("sent what is no answer") from None
        raise Failed(fault, trace[: 2 * TRACE])

    # ---- looking after it

    def _look(self) -> None:
        """Look whether it is still there and how much memory it holds."""
        self._looked = time.monotonic()
        self._look_at_keeper()
        if self._gone():
            raise self._ended()
        if self.memory is not None and memory_of(descendants(self.keeper)) > self.memory * MIB:
            raise Failed(f"used more than {self.memory} MiB of memory")

    def _look_at_keeper(self) -> None:
        """Look whether the keeper runs, which only its agent has reason to end or to stop."""
        if not left_running(self.keeper):
            raise Failed("ended or stopped the process that keeps it")

    def see_keeper(self, seconds: float) -> None:
        """See whether the keeper still answers: a signal that was sent to it may not have reached it yet.

        Raises:
            Failed: it does not. Late: it has not answered in time.
        """
        deadline, before = time.monotonic() + seconds, self._answers
        with suppress(OSError):
            os.write(self._report, b"?")
        while self._answers == before:
            self._look_at_keeper()
            if time.monotonic() > deadline:
                raise Late
            select.select((self._report,), (), (), TICK)
            self._hear()

    def _hear(self) -> None:
        """Read what the keeper has said."""
        with suppress(OSError):
            while told := os.read(self._report, WORD.size):
                (word,) = WORD.unpack(told)
                if word == HERE:
                    self._answers += 1
                else:
                    self._code = word

    def _gone(self) -> bool:
        if self._code is None:
            self._hear()
        return self._code is not None

    def _ended(self) -> Failed:
        """It has ended, or cannot be reached any more."""
        until = time.monotonic() + PATIENCE
        while not self._gone() and time.monotonic() < until:
            self._look_at_keeper()
            time.sleep(0.001)
        if self._code is None:
            return Failed("closed the line to its process")
        if self._code < 0:
            return Failed(f"the process was ended by {signal_name(-self._code)}")
        return Failed(f"the process ended (exit code {self._code})")

    @property
    def clean(self) -> bool:
        """Whether nothing runs in it now: no further threads, no processes that it started."""
        return can_look() and thread_count(self.pid) == OWN_THREADS and descendants(self.keeper) == [self.pid]

    def close(self) -> None:
        """End it, its keeper and all that it started."""
        self._line.close()
        kept = left_running(self.keeper)
        end_all(self.keeper)
        if not (kept and can_look()):
            end_all(self.pid, gone=self._gone())  # a keeper that is gone has nothing under it any more
        os.close(self._lifeline)
        os.close(self._report)


def signal_name(number: int) -> str:
    """A signal in words."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


class Agents:
    """The processes of agents, kept from game to game, the last used longest."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Any, AgentProcess] = OrderedDict()

    def of(self, player: int, spec: str, options: Mapping[str, Any], memory: int | None) -> AgentProcess:
        """The process of the agent that plays this seat."""
        known = (player, spec, repr(sorted(options.items())), memory)
        if known not in self._kept:
            while len(self._kept) >= KEPT:
                self._kept.popitem(last=False)[1].close()
            self._kept[known] = AgentProcess(spec, options, memory)
        self._kept.move_to_end(known)
        return self._kept[known]

    def tidy(self, failed: Collection[AgentProcess] = ()) -> None:
        """A game is over: end those that failed or left something running."""
        for known, agent in list(self._kept.items()):
            if agent in failed or not agent.clean:
                del self._kept[known]
                agent.close()

    @property
    def pids(self) -> list[int]:
        """Their processes."""
        return [agent.pid for agent in self._kept.values()]

    @property
    def keepers(self) -> list[int]:
        """Those that keep them."""
        return [agent.keeper for agent in self._kept.values()]

    def close(self) -> None:
        """End all."""
        while self._kept:
            self._kept.popitem()[1].close()
