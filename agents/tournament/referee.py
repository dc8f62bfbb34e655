"""A process that plays games, and its supervisor: an agent that does not come back is stopped with the process."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
import traceback
from functools import lru_cache
from multiprocessing.connection import Connection, wait
from typing import Any

from agents.policies import Policy
from agents.processes import end_with_parent, one_thread
from agents.tournament.game import DEADLINE, ENGINE_SECONDS, LIMIT, NOBODY, PLAYER, SLOTS, Job, Outcome, play, too_long
from wh_env import Battle, ContentError
from wh_env.core.setup import Setup

GRACE = 0.5  # seconds after a deadline before a process is stopped: it may be about to notice itself
POLL = 0.25  # seconds between two looks at deadlines


# ---------------------------------------------------------------- in the process


def serve(connection: Connection, watch: Any) -> None:
    """Play jobs as they come in, until the other end is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the supervisor, which then ends this process
    threading.Thread(target=end_with_parent, daemon=True).start()
    # What agents print must not mix with what the program prints.
    sys.stdout.flush()
    os.dup2(2, 1)
    kept: dict[Any, Policy] = {}
    while True:
        try:
            job = connection.recv()
        except (EOFError, OSError):
            return
        connection.send(outcome_of(job, kept, watch))


def outcome_of(job: Job, kept: dict[Any, Policy], watch: Any) -> Outcome:
    """Load the battle of a job and play it."""
    watch[DEADLINE], watch[PLAYER] = time.monotonic() + ENGINE_SECONDS, NOBODY
    try:
        setup = setup_of(job.battle, repr(job.overrides), job.detail)
        battle = Battle(setup, job.seed)
    except ContentError as error:
        return Outcome(job.key).void(str(error))
    except Exception as error:
        return Outcome(job.key).void(f"the engine raised {type(error).__name__}: {error}", traceback.format_exc())
    return play(job, battle, kept, watch)


@lru_cache(maxsize=8)
def setup_of(battle: str, overrides: str, detail: str | None) -> Setup:
    """The compiled battle; ``overrides`` as Python text, because a cache needs keys."""
    import ast

    return Battle.load(battle, 0, detail=detail, overrides=ast.literal_eval(overrides)).setup


# ---------------------------------------------------------------- in the supervisor


class Referee:
    """Has one game after the other played in a process of its own, which it ends if a deadline passes.

    The process is started for the first game, and anew after it ended.
    """

    def __init__(self) -> None:
        self._context = multiprocessing.get_context("spawn")
        self._process: Any = None
        self._connection: Connection | None = None
        self._watch: Any = None
        self._job: Job | None = None
        self._began = 0.0

    def start(self, job: Job) -> None:
        """Have a game played; one at a time."""
        if self._process is None or not self._process.is_alive():
            self._open()
        self._job, self._began = job, time.monotonic()
        self._watch[DEADLINE], self._watch[PLAYER] = time.monotonic() + ENGINE_SECONDS, NOBODY
        self.connection.send(job)

    def _open(self) -> None:
        self.close()
        self._connection, far = self._context.Pipe()
        self._watch = self._context.RawArray("d", SLOTS)
        self._process = self._context.Process(target=serve, args=(far, self._watch), daemon=True)
        with one_thread():
            self._process.start()
        far.close()

    @property
    def connection(self) -> Connection:
        """Ready to be read when the game is over or its process has ended."""
        assert self._connection is not None
        return self._connection

    def outcome(self) -> Outcome | None:
        """What came of the game, or ``None`` while it goes on."""
        assert self._job is not None
        if self.connection.poll():
            try:
                return self._done(self.connection.recv())
            except (EOFError, OSError):
                return self._done(self._ended())
        if time.monotonic() > self._watch[DEADLINE] + GRACE:
            return self._done(self._overdue())
        return None

    def _done(self, outcome: Outcome) -> Outcome:
        self._job = None
        return outcome

    def _blank(self) -> Outcome:
        assert self._job is not None
        return Outcome(self._job.key, seconds=time.monotonic() - self._began)

    def _ended(self) -> Outcome:
        player = int(self._watch[PLAYER])
        self._process.join(5)
        code = self._process.exitcode
        self.close()
        words = f"the process ended (exit code {code})"
        return self._blank().void(words) if player == NOBODY else self._blank().forfeit(player, words)

    def _overdue(self) -> Outcome:
        job, player, limit = self._job, int(self._watch[PLAYER]), int(self._watch[LIMIT])
        assert job is not None
        self.close()
        if player == NOBODY:
            return self._blank().void(f"the engine did not come back within {ENGINE_SECONDS:g} s")
        return self._blank().forfeit(player, f"{too_long(job, limit)} and was stopped")

    def play(self, job: Job) -> Outcome:
        """Have a game played and wait for it."""
        self.start(job)
        while (outcome := self.outcome()) is None:
            wait([self.connection], POLL)
        return outcome

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
        if self._connection is not None:
            self._connection.close()
        self._process = self._connection = None


__all__ = ["POLL", "Referee"]
