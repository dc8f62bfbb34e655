"""Compile the kernels of a game in advance, in as many processes as there are cores.

``wh_env/rulesets/<id>/kernels.json`` lists them (made by ``scripts/kernels.py``). The first battle of a game waits
until all of its kernels are in the cache, in place of a wait at each first call. A mark in the cache folder says that
they are cached; then preparing costs nothing.
"""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numba

from wh_env.core.files import replacing
from wh_env.core.kernel_cache import folder_for_kernels
from wh_env.core.kernel_crew import Crew, Progress, cores, processes_for
from wh_env.core.kernel_plan import Plan, Wanted, dispatcher_of, not_kept, read, written
from wh_env.core.kernel_turns import turn

# uses of kernels, in the order of a list: each kernel is listed under its first use
BATTLE, FULL, OBSERVATION, POLICIES, OTHERS = "battle", "full", "observation", "policies", "others"
USES = (BATTLE, FULL, OBSERVATION, POLICIES, OTHERS)
FILE = "kernels.json"
WORTH = 8.0  # seconds of compiling from which on more processes are started
ROOM = 1 << 22  # bytes that must fit into the cache folder
PATIENCE = 900.0  # seconds that others wait for whoever compiles
OFF = "WH_ENV_WARM"  # with the value 0 in the environment kernels are compiled when they are first called
MARKS = "warmed"
Watch = Callable[[str, Plan], AbstractContextManager[Progress | None]]


@dataclass(frozen=True)
class Warmed:
    """The result of preparing kernels.

    Attributes:
        plan: the plan that was carried out.
        processes: number of processes.
        seconds: elapsed time.
        spent: processor time in seconds, by row of the plan.
    """

    plan: Plan
    processes: int
    seconds: float
    spent: dict[int, float]

    def times(self) -> list[Wanted]:
        """The compiled kernels, with their compile times in seconds."""
        return [replace(self.plan.wanted[row], seconds=seconds) for row, seconds in self.spent.items()]

    @property
    def failed(self) -> list[str]:
        """Names of the listed kernels that could not be compiled."""
        return [w.kernel for row, w in enumerate(self.plan.wanted) if row not in self.spent]


def listed(ruleset: str, uses: Sequence[str] = USES) -> list[Wanted]:
    """The kernels that a game needs for these uses; empty if it has no list."""
    file = files("wh_env.rulesets") / ruleset / FILE
    if not file.is_file():
        return []
    return [w for w in read(file.read_text(encoding="utf-8")) if w.use in uses]


def prepare(ruleset: str, *uses: str) -> None:
    """Compile the kernels of a game into the cache, if that is allowed here and worth it.

    Otherwise each kernel is compiled at its first call. Happens once in a process; the error stream says what it waits
    for.
    """
    if may_start():
        _prepare(ruleset, uses)


def may_start() -> bool:
    """Whether this process may start others that compile: not a child process, nor a thread beside the main one."""
    return (
        not numba.config.DISABLE_JIT
        and os.environ.get(OFF) != "0"
        and bool(sys.executable)
        and not getattr(sys, "frozen", False)
        and multiprocessing.parent_process() is None
        and threading.current_thread() is threading.main_thread()
        and cores() > 1
    )


@cache
def _prepare(ruleset: str, uses: tuple[str, ...]) -> None:
    wanted = listed(ruleset, uses)
    folder = folder_for_kernels()
    if not wanted or folder is None or (mark := _mark(folder, wanted)).exists():
        return
    missing = not_kept(wanted)
    if missing and (sum(w.seconds for w in missing) < WORTH or not _has_room(folder)):
        return
    try:
        mark.parent.mkdir(exist_ok=True)
        with turn(mark, PATIENCE):
            if not mark.exists():  # no other process has done it meanwhile
                done = _compiled(ruleset, not_kept(wanted), cores(), telling)
                with replacing(mark) as draft:
                    draft.write_text(written(done.times()), encoding="utf-8")
    except OSError:
        pass  # no process can be started, nothing can be written: as without


def _has_room(folder: Path) -> bool:
    """Whether compiled kernels fit into the folder; on a full disk the processes would compile for nothing."""
    try:
        with tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(bytes(ROOM))
            probe.flush()
    except OSError:
        return False
    return True


def warm(
    ruleset: str,
    uses: Sequence[str] = USES,
    processes: int | None = None,
    watch: Watch | None = None,
) -> Warmed:
    """Compile the kernels of a game that the cache lacks.

    Args:
        ruleset: id of the game.
        uses: the uses that the kernels serve.
        processes: the most processes; None: one for each core.
        watch: shows the progress.

    Raises:
        OSError: no process can be started.
    """
    return _compiled(ruleset, not_kept(listed(ruleset, uses)), processes or cores(), watch)


def _compiled(ruleset: str, missing: Sequence[Wanted], most: int, watch: Watch | None) -> Warmed:
    began = time.perf_counter()
    plan = Plan(missing)
    if not plan.wanted:
        return Warmed(plan, 0, 0.0, {})
    processes = processes_for(plan, most)
    with watch(ruleset, plan) if watch is not None else nullcontext() as progress:
        spent = Crew(plan, processes, progress).run()
    return Warmed(plan, processes, time.perf_counter() - began, spent)


def marked(folder: Path) -> list[Wanted]:
    """The kernels that were compiled in advance into a cache folder, with their compile times."""
    found = [file.read_text(encoding="utf-8") for file in sorted((folder / MARKS).glob("*"))]
    return [w for text in found for w in read(text)]


def _mark(folder: Path, wanted: Sequence[Wanted]) -> Path:
    """The file that records that these kernels, with their present sources, were compiled for this processor."""
    digest = hashlib.sha256(llvm.get_host_cpu_name().encode())
    for w in wanted:
        dispatcher = dispatcher_of(w.kernel)
        digest.update(repr((w.kernel, w.takes, None if dispatcher is None else dispatcher._cache.place)).encode())
    return folder / MARKS / digest.hexdigest()[:24]


@contextmanager
def telling(ruleset: str, plan: Plan) -> Iterator[Progress | None]:
    """Report on the error stream what the process waits for: a bar on a terminal, else one line."""
    words = f"compiling {len(plan.wanted)} kernels of {ruleset} (first time only)"
    if not sys.stderr.isatty():
        print(words, file=sys.stderr, flush=True)
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns: list[Any] = [TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[kernels]}")]
    with Bar(*columns, TimeElapsedColumn(), console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(words, total=plan.seconds, kernels="")

        def progress(done: float, kernels: int) -> None:
            bar.update(task, completed=done, kernels=f"{kernels}/{len(plan.wanted)}")

        yield progress
