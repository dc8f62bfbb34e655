"""Which kernels battles need and in which order many processes best compile them.

A list of kernels names each with the types that it is compiled for (``kernel_words``), what it is needed for and about how long it takes. Which
kernel calls which is read from the code, so that a list needs to be renewed only when kernels come, go or take other arguments.
"""

from __future__ import annotations

import heapq
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from types import CodeType
from typing import Any

from wh_env.core.kernel_cache import DISPATCHERS, cache_folders

INNER = ".inner"
COUNTS = (1, 2, 4, 8, 16)  # of cores, for which people are told how long a plan takes


@dataclass(frozen=True)
class Wanted:
    """A kernel with the types of its arguments.

    Args:
        kernel: what its dispatcher is known by.
        takes: the types, in words.
        use: what it is needed for first.
        seconds: of processor time that it took to compile without what it calls, on whatever machine that was.
    """

    kernel: str
    takes: tuple[str, ...]
    use: str
    seconds: float


def read(text: str) -> list[Wanted]:
    """The list that ``written`` wrote."""
    return [Wanted(kernel, tuple(takes), use, seconds) for kernel, takes, use, seconds in json.loads(text)]


def written(wanted: Iterable[Wanted]) -> str:
    """A list as text, a line a kernel."""
    rows = sorted((w.kernel, w.takes, w.use, w.seconds) for w in wanted)
    return "[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n"


def dispatcher_of(kernel: str) -> Any:
    """What compiles a kernel of a list; None if there is none of this name."""
    if kernel not in DISPATCHERS:
        try:
            import_module(kernel.removesuffix(INNER).rpartition(".")[0])
        except ImportError:
            return None
    return DISPATCHERS.get(kernel)


def called_by(dispatcher: Any) -> set[str]:
    """The names of the dispatchers whose code a kernel calls."""
    known = dispatcher.py_func.__globals__
    found = (known.get(name) for name in _names(dispatcher.py_func.__code__))
    return {kernel.inner._cache.name for kernel in found if hasattr(kernel, "py_func") and hasattr(kernel, "inner")}


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield from _names(part)


def needed() -> set[tuple[str, tuple[Any, ...]]]:
    """Every kernel that this process has code of, and those that they call, with the types of their arguments: what is loaded from a file
    holds copies of small kernels, which are not loaded beside it."""
    found: set[tuple[str, tuple[Any, ...]]] = set()
    queue = [(name, kinds) for name, dispatcher in DISPATCHERS.items() for kinds in dispatcher.overloads]
    while queue:
        name, kinds = key = queue.pop()
        if key not in found and name in DISPATCHERS:
            found.add(key)
            DISPATCHERS[name].compile(kinds)
            queue += getattr(DISPATCHERS[name].overloads[kinds].library, "callees", [])
    return found


def not_kept(wanted: Sequence[Wanted]) -> list[Wanted]:
    """Those of a list of which nothing is kept; of a kernel that is wanted for several types all, if not as many are kept.

    What is kept is not read: it may be for other types, or damaged; then whoever needs it compiles it.
    """
    folders: dict[Path, list[str]] = {}
    counts: dict[str, int] = {}
    for name in {w.kernel for w in wanted}:
        dispatcher = dispatcher_of(name)
        if dispatcher is None:
            continue
        folder, stem = dispatcher._cache.place
        if folder not in folders:
            folders[folder] = [file for root in cache_folders() for file in _files(root / folder)]
        counts[name] = sum(file.startswith(stem) and file.endswith(".nbc") for file in folders[folder])
    many: dict[str, int] = {}
    for w in wanted:
        many[w.kernel] = many.get(w.kernel, 0) + 1
    return [w for w in wanted if counts.get(w.kernel, many[w.kernel]) < many[w.kernel]]


def _files(folder: Path) -> list[str]:
    try:
        return [file.name for file in folder.iterdir()]
    except OSError:
        return []


class Plan:
    """The order in which kernels are compiled: those that are called before those that call them, first what most hangs on.

    Args:
        wanted: the kernels; those whose dispatcher is gone are left out.
    """

    def __init__(self, wanted: Sequence[Wanted]) -> None:
        found = [(w, dispatcher_of(w.kernel)) for w in wanted]
        self.wanted = [w for w, dispatcher in found if dispatcher is not None]
        rows: dict[str, list[int]] = {}
        for row, w in enumerate(self.wanted):
            rows.setdefault(w.kernel, []).append(row)
        calls: Mapping[str, set[str]] = {
            w.kernel: called_by(dispatcher) - {w.kernel} for w, dispatcher in found if dispatcher is not None
        }
        self.before = [
            {callee for name in calls[w.kernel] for callee in rows.get(name, ())} for w in self.wanted
        ]  # by row, the rows that it calls
        self.after: list[list[int]] = [[] for _ in self.wanted]
        for row, callees in enumerate(self.before):
            for callee in callees:
                self.after[callee].append(row)

    @cached_property
    def chains(self) -> list[float]:
        """For each row the seconds of the longest chain of calls that ends with whoever calls it, itself included."""
        chains = [-1.0] * len(self.wanted)

        def chain(row: int) -> float:
            if chains[row] < 0:
                chains[row] = 0.0  # met again in a ring, of which there should be none
                chains[row] = self.wanted[row].seconds + max(map(chain, self.after[row]), default=0.0)
            return chains[row]

        for row in range(len(self.wanted)):
            chain(row)
        return chains

    @property
    def seconds(self) -> float:
        """Processor time of all of it."""
        return sum(w.seconds for w in self.wanted)

    @property
    def longest(self) -> float:
        """Seconds of the longest chain: with ever so many processes it takes as long."""
        return max(self.chains, default=0.0)

    def in_words(self) -> str:
        """How long it takes on so many cores."""
        times = ", ".join(f"{self.lasts(count):.1f}" for count in COUNTS)
        return (
            f"{len(self.wanted)} kernels, {self.seconds:.1f} s of processor time, longest chain {self.longest:.1f} s; "
            f"on {', '.join(map(str, COUNTS))} cores {times} s"
        )

    def queue(self) -> Queue:
        """The rows, to be handed out."""
        return Queue(self)

    def lasts(self, processes: int) -> float:
        """Seconds until so many processes, each on a core of its own, have compiled everything."""
        queue, now = self.queue(), 0.0
        busy: list[tuple[float, int]] = []
        while not queue.done:
            while len(busy) < processes and (row := queue.take()) is not None:
                heapq.heappush(busy, (now + self.wanted[row].seconds, row))
            if not busy:
                break
            now, row = heapq.heappop(busy)
            queue.finish(row)
        return now


class Queue:
    """Hands out the rows of a plan: those whose callees are compiled, the one with the longest chain first."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.waits = [len(callees) for callees in plan.before]
        self.left = len(plan.wanted)
        self.ready = [(-plan.chains[row], row) for row, callees in enumerate(plan.before) if not callees]
        heapq.heapify(self.ready)
        self.running = 0

    @property
    def done(self) -> bool:
        """Whether nothing is left, or what is left waits for itself."""
        return not self.left or (not self.ready and not self.running)

    def take(self) -> int | None:
        """A row to compile now; None if there is none until another is finished."""
        if not self.ready:
            return None
        self.running += 1
        return heapq.heappop(self.ready)[1]

    def finish(self, row: int) -> None:
        """A row is compiled, or cannot be."""
        self.left -= 1
        self.running -= 1
        for caller in self.plan.after[row]:
            self.waits[caller] -= 1
            if not self.waits[caller]:
                heapq.heappush(self.ready, (-self.plan.chains[caller], caller))
