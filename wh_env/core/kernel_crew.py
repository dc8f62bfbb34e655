"""Compiles a plan of kernels in several processes. Each is started anew, so that it needs neither a copy of this
process nor its main module.

The master process hands out one kernel at a time (a line of JSON to a worker, a line back) and waits. If the master
ends, a worker sees the end of its input and ends too. If a worker dies, the kernel that it had is not compiled now but
when it is needed.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from wh_env.core.kernel_plan import Plan, Queue, dispatcher_of
from wh_env.core.kernel_words import type_of

PROGRAM = "from wh_env.core.kernel_crew import work; work()"
ROOT = Path(__file__).resolve().parents[2]
ENOUGH = 1.05  # fewer processes are used if they need at most this many times as long
SWEEP = 40  # kernels between two garbage collections; with Python's default they take an eighth of the time
Progress = Callable[[float, int], None]  # is given the seconds of the plan and the kernels that are done


def cores() -> int:
    """How many processes this process may keep busy at once."""
    try:
        return max(1, len(os.sched_getaffinity(0)))
    except AttributeError:  # not on every system
        return max(1, os.cpu_count() or 1)


def processes_for(plan: Plan, most: int) -> int:
    """The fewest of at most ``most`` processes that compile the plan about as fast as ``most`` do (``ENOUGH``)."""
    best = plan.lasts(most)
    return next(count for count in range(1, most + 1) if plan.lasts(count) <= best * ENOUGH)


class Crew:
    """The worker processes that compile one plan.

    Args:
        plan: the kernels.
        processes: how many workers.
        progress: called in the thread of ``run`` about four times a second.
    """

    def __init__(self, plan: Plan, processes: int, progress: Progress | None = None) -> None:
        """See the class."""
        self.plan, self.processes, self.progress = plan, processes, progress
        self.queue: Queue = plan.queue()
        self.changed = threading.Condition()
        self.spent: dict[int, float] = {}  # seconds of processor time that each compiled row of the plan took
        self.workers: list[subprocess.Popen[str]] = []

    def run(self) -> dict[int, float]:
        """Compile all kernels of the plan. The workers end with this call, even if an exception (Ctrl-C) ends it.

        Returns:
            The seconds of processor time that each compiled kernel took, by row of the plan.

        Raises:
            OSError: no process can be started.
        """
        try:
            threads = []
            for _ in range(self.processes):
                worker = _started()
                self.workers.append(worker)
                threads.append(threading.Thread(target=self._serve, args=(worker,), daemon=True))
                threads[-1].start()
            while any(thread.is_alive() for thread in threads):
                with self.changed:
                    self.changed.wait(0.25)
                    done = sum(self.plan.wanted[row].seconds for row in self.spent)
                if self.progress is not None:
                    self.progress(done, len(self.spent))
        finally:
            for worker in self.workers:
                worker.kill()
                worker.wait()
                for pipe in (worker.stdin, worker.stdout):
                    assert pipe is not None
                    pipe.close()
        return self.spent

    def _serve(self, worker: subprocess.Popen[str]) -> None:
        """Hand kernels to one worker, one after another, until the queue is empty or the worker is gone."""
        assert worker.stdin is not None
        assert worker.stdout is not None
        while True:
            with self.changed:
                while (row := self.queue.take()) is None:
                    if self.queue.done:
                        return
                    self.changed.wait()
            answer = ""
            try:
                wanted = self.plan.wanted[row]
                worker.stdin.write(json.dumps([wanted.kernel, wanted.takes]) + "\n")
                worker.stdin.flush()
                answer = worker.stdout.readline()
            except (OSError, ValueError):
                pass  # the worker is gone
            with self.changed:
                self.queue.finish(row)
                if answer and (seconds := json.loads(answer)) is not None:
                    self.spent[row] = seconds
                self.changed.notify_all()
            if not answer:
                return


def _started() -> subprocess.Popen[str]:
    """Start a worker process."""
    path = os.pathsep.join(part for part in (str(ROOT), os.environ.get("PYTHONPATH", "")) if part)
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, "PYTHONPATH": path},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def work() -> None:
    """The main function of a worker: compile each kernel that a line of its input names, and answer with a line, until
    the input ends.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that started it
    answers, sys.stdout = sys.stdout, sys.stderr
    gc.disable()
    for count, line in enumerate(sys.stdin, 1):
        kernel, takes = json.loads(line)
        answers.write(json.dumps(compiled(kernel, takes)) + "\n")
        answers.flush()
        if count % SWEEP == 0:
            gc.collect()


def compiled(kernel: str, takes: Sequence[str]) -> float | None:
    """Compile the kernel of this name for types given as words; returns the seconds of processor time, None if it
    cannot be compiled.
    """
    began = time.process_time()
    try:
        dispatcher: Any = dispatcher_of(kernel)
        dispatcher.compile(tuple(map(type_of, takes)))
    except Exception:  # the list is out of date; the kernel is compiled when it is needed
        return None
    return time.process_time() - began
