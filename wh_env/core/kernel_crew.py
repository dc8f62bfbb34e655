"""Compiling a plan of kernels by several processes, each started anew: no copy of this one, nothing that needs its main module.

The process that has the plan hands out one kernel at a time (a line of JSON to a worker, a line back) and waits. A worker whose master ends sees
the end of its input and ends too; a worker that dies costs its kernel, which is compiled when it is needed.
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
ENOUGH = 1.05  # fewer processes are taken where they need no more than so many times as long
SWEEP = 40  # kernels between two looks for garbage, which take an eighth of the time if Python has its way
Progress = Callable[[float, int], None]  # seconds of the plan that are done, kernels that are done


def cores() -> int:
    """How many processes this one may keep busy."""
    try:
        return max(1, len(os.sched_getaffinity(0)))
    except AttributeError:  # not on every system
        return max(1, os.cpu_count() or 1)


def processes_for(plan: Plan, most: int) -> int:
    """How many of ``most`` processes are of use."""
    best = plan.lasts(most)
    return next(count for count in range(1, most + 1) if plan.lasts(count) <= best * ENOUGH)


class Crew:
    """The processes that compile a plan.

    Args:
        plan: what is compiled.
        processes: how many.
        progress: called in this thread about four times a second.
    """

    def __init__(self, plan: Plan, processes: int, progress: Progress | None = None) -> None:
        self.plan, self.processes, self.progress = plan, processes, progress
        self.queue: Queue = plan.queue()
        self.changed = threading.Condition()
        self.spent: dict[int, float] = {}  # by row, seconds of processor time that it took to compile
        self.workers: list[subprocess.Popen[str]] = []

    def run(self) -> dict[int, float]:
        """Compile everything; whatever ends it (Ctrl-C) ends the processes.

        Returns:
            Seconds of processor time by row of the plan, of those that were compiled.

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
        """Give a worker one kernel after the other."""
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
                pass  # it is gone
            with self.changed:
                self.queue.finish(row)
                if answer and (seconds := json.loads(answer)) is not None:
                    self.spent[row] = seconds
                self.changed.notify_all()
            if not answer:
                return


def _started() -> subprocess.Popen[str]:
    """A worker."""
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
    """What a worker does: compile what it is told to until its input ends."""
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
    """Compile a kernel for types in words; the seconds of processor time that it took, None if it cannot be."""
    began = time.process_time()
    try:
        dispatcher: Any = dispatcher_of(kernel)
        dispatcher.compile(tuple(map(type_of, takes)))
    except Exception:  # a list that is out of date: whoever needs the kernel compiles it
        return None
    return time.process_time() - began
