"""A process that plays games, and its supervisor. Agents run in further processes, which the playing process
starts and ends (``seats``).
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
import traceback
from multiprocessing.connection import Connection, wait
from typing import Any

from wh_env import Battle, ContentError

from ..processes import adopt_orphans, can_restrict_signals, end_orphans, end_with_parent, is_stopped, one_thread
from .agent import setup_of
from .game import ENGINE_SECONDS, NOBODY, Job, Outcome, Tell, play, tell_nobody
from .seats import Agents

POLL = 0.25  # seconds between two checks of deadlines
ENDING = 2.0  # seconds that a process gets to end its agents and itself


# ---------------------------------------------------------------- in the process


def serve(connection: Connection, watch: Any) -> None:
    """Play jobs as they come in, until the other end is closed.

    Args:
        connection: to the supervisor.
        watch: two shared numbers: the time until which the supervisor should wait, and the seat that is asked.
    """
    os.setpgid(0, 0)  # so that Ctrl-Z, which stops the program's group, does not stop this process
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the supervisor handles Ctrl-C and then ends this process
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    threading.Thread(target=end_with_parent, daemon=True).start()
    adopt_orphans()
    # What agents print must not mix with what the program prints.
    sys.stdout.flush()
    os.dup2(2, 1)
    agents = Agents()

    def tell(until: float, asked: int) -> None:
        watch[0], watch[1] = until, asked

    try:
        while True:
            try:
                job = connection.recv()
            except (EOFError, OSError):
                return
            outcome = outcome_of(job, agents, tell)
            end_orphans(agents.keepers)
            connection.send(outcome)
    finally:
        agents.close()
        end_orphans(())


def outcome_of(job: Job, agents: Agents, tell: Tell = tell_nobody) -> Outcome:
    """Load the battle of a job and play it; an error of the engine makes the game void."""
    tell(time.monotonic() + ENGINE_SECONDS, NOBODY)
    try:
        setup = setup_of(job.battle, repr(job.overrides), job.detail)
        battle = Battle(setup, job.seed, record=job.account)
    except ContentError as error:
        return Outcome(job.key).void(str(error))
    except Exception as error:
        return Outcome(job.key).void(f"the engine raised {type(error).__name__}: {error}", traceback.format_exc())
    return play(job, battle, agents, tell)


# ---------------------------------------------------------------- in the supervisor


class Referee:
    """Has games played one after the other in a separate process, which it ends if a deadline passes.

    The process is started for the first game, and again after it ended.
    """

    def __init__(self) -> None:
        self._context = multiprocessing.get_context("spawn")
        self._process: Any = None
        self._connection: Connection | None = None
        self._watch: Any = None
        self._job: Job | None = None
        self._began = 0.0

    def start(self, job: Job) -> None:
        """Start a game. Only one game may run at a time."""
        if self._process is None or not self._process.is_alive():
            self._open()
        self._job, self._began = job, time.monotonic()
        self._watch[:] = time.monotonic() + ENGINE_SECONDS, NOBODY
        self.connection.send(job)

    def _open(self) -> None:
        """Start the process."""
        self.close()
        self._connection, far = self._context.Pipe()
        self._watch = self._context.RawArray("d", 2)
        self._process = self._context.Process(target=serve, args=(far, self._watch), daemon=True)
        with one_thread():
            self._process.start()
        far.close()

    @property
    def connection(self) -> Connection:
        """The connection to the process. It is readable when the game is over or the process has ended."""
        assert self._connection is not None
        return self._connection

    def outcome(self) -> Outcome | None:
        """The outcome of the game, or ``None`` while it runs."""
        assert self._job is not None
        if self.connection.poll():
            try:
                return self._finish(self.connection.recv())
            except (EOFError, OSError):
                return self._finish(self._outcome_of_ended_process())
        if self._blames_agents() and is_stopped(self._process.pid):
            return self._finish(self._harmed("stopped"))
        if time.monotonic() > self._watch[0]:
            self.close()
            return self._finish(self._blank().void(f"the engine did not come back within {ENGINE_SECONDS:g} s"))
        return None

    def _finish(self, outcome: Outcome) -> Outcome:
        """Mark the game as over and return its outcome."""
        self._job = None
        return outcome

    def _blank(self) -> Outcome:
        """An outcome of the present game without a result."""
        assert self._job is not None
        return Outcome(self._job.key, seconds=time.monotonic() - self._began)

    def _outcome_of_ended_process(self) -> Outcome:
        """The outcome if the process has ended: a forfeit if the asked agent killed it, else void."""
        self._process.join(5)
        code = self._process.exitcode
        if code is not None and code < 0 and self._blames_agents():
            return self._harmed("ended")
        self.close()
        return self._blank().void(f"the engine's process ended (exit code {code})")

    def _blames_agents(self) -> bool:
        """Whether a signal to the process must come from the agent that is asked: one is asked, and the system
        does not prevent it.
        """
        return self._watch[1] != NOBODY and not can_restrict_signals()

    def _harmed(self, how: str) -> Outcome:
        """The forfeit of the asked agent, which ended or stopped the process."""
        asked = int(self._watch[1])
        self.close()
        return self._blank().forfeit(asked, f"{how} the process that plays the game")

    def play(self, job: Job) -> Outcome:
        """Play a game and wait for its outcome."""
        self.start(job)
        while (outcome := self.outcome()) is None:
            wait([self.connection], POLL)
        return outcome

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.terminate()
            self._process.join(ENDING)
            self._process.kill()
            self._process.join()
        if self._connection is not None:
            self._connection.close()
        self._process = self._connection = None


__all__ = ["POLL", "Referee"]
