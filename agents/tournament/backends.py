"""Backends that play games: processes of this machine, or Ray. Outcomes come in the order in which games end."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from multiprocessing.connection import wait
from typing import Any, Protocol, Self

from .game import Job, Outcome
from .referee import POLL, Referee

BACKENDS = ("local", "ray")


class NoBackend(RuntimeError):
    """A backend needs something that is not installed. The message says what to install."""


class Backend(Protocol):
    """Plays jobs. It is a context manager that ends everything it started."""

    def play(self, jobs: Iterable[Job]) -> Iterator[Outcome]:
        """Play the jobs and yield an outcome for each, in the order in which games end."""

    def __enter__(self) -> Self:
        """Enter the context; nothing is started before it is needed."""

    def __exit__(self, *_: object) -> None:
        """End all processes, whatever they are doing."""


class LocalBackend:
    """Processes of this machine, each with a supervisor (``Referee``) in this process."""

    def __init__(self, processes: int) -> None:
        self.referees = [Referee() for _ in range(processes)]

    def play(self, jobs: Iterable[Job]) -> Iterator[Outcome]:
        """Play the jobs and yield an outcome for each, in the order in which games end."""
        waiting, idle = iter(jobs), list(reversed(self.referees))
        busy: list[Referee] = []
        more_jobs = True
        while more_jobs or busy:
            while more_jobs and idle:
                job = next(waiting, None)
                if job is None:
                    more_jobs = False
                    break
                referee = idle.pop()
                referee.start(job)
                busy.append(referee)
            wait([referee.connection for referee in busy], POLL)
            for referee in list(busy):
                outcome = referee.outcome()
                if outcome is not None:
                    busy.remove(referee)
                    idle.append(referee)
                    yield outcome

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for referee in self.referees:
            referee.close()


class RayBackend:
    """Actors of a Ray cluster. Each has a separate process beside it, so that time limits hold there too.

    Args:
        processes: number of actors.
        address: address of a running cluster; ``None``: start one on this machine.

    Raises:
        NoBackend: Ray is not installed (extra ``ray``).
    """

    def __init__(self, processes: int, address: str | None = None) -> None:
        try:
            import ray
        except ImportError as error:
            raise NoBackend(f"backend ray: {error}; pip install 'wh-env[ray]'") from error

        self._ray = ray
        self._mine = not ray.is_initialized()
        if self._mine:
            path = os.pathsep.join(part or os.getcwd() for part in sys.path)
            local: dict[str, Any] = {} if address else {"num_cpus": processes, "include_dashboard": False}
            ray.init(
                address=address,
                runtime_env={"env_vars": {"PYTHONPATH": path}},
                log_to_driver=False,
                logging_level="ERROR",
                **local,
            )
        remote = ray.remote(num_cpus=1)(Referee)
        self.actors = [remote.remote() for _ in range(processes)]

    def play(self, jobs: Iterable[Job]) -> Iterator[Outcome]:
        """Play the jobs and yield an outcome for each, in the order in which games end."""
        waiting, idle = iter(jobs), list(reversed(self.actors))
        busy: dict[Any, Any] = {}
        more_jobs = True
        while more_jobs or busy:
            while more_jobs and idle:
                job = next(waiting, None)
                if job is None:
                    more_jobs = False
                    break
                actor = idle.pop()
                busy[actor.play.remote(job)] = actor
            if not busy:
                return
            finished, _ = self._ray.wait(list(busy), num_returns=1)
            for reference in finished:
                idle.append(busy.pop(reference))
                yield self._ray.get(reference)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for actor in self.actors:
            self._ray.kill(actor)
        if self._mine:
            self._ray.shutdown()


def backend_of(name: str, processes: int, address: str | None = None) -> Backend:
    """The backend called ``name`` (one of ``BACKENDS``); ``address`` is that of a Ray cluster."""
    return RayBackend(processes, address) if name == "ray" else LocalBackend(processes)
