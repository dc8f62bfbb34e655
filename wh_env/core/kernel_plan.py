"""Which kernels battles need, and in which order several processes compile them best.

A list of kernels names each with the types that it is compiled for (in the words of ``kernel_words``), what needs it,
and about how long it takes to compile. Which kernel calls which is read from the code, so a list must be renewed only
when kernels come, go or take other arguments.
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
COUNTS = (1, 2, 4, 8, 16)  # numbers of cores for which ``in_words`` says how long a plan takes


@dataclass(frozen=True)
class Wanted:
    """A kernel that is to be compiled for certain types of arguments.

    Args:
        kernel: the name of its dispatcher.
        takes: the types of its arguments, in words.
        use: what it is needed for first.
        seconds: of processor time that it took to compile, without the kernels that it calls, on the machine that wrote
            the list.
    """

    kernel: str
    takes: tuple[str, ...]
    use: str
    seconds: float


def read(text: str) -> list[Wanted]:
    """The list of kernels in a text that ``written`` wrote."""
    return [Wanted(kernel, tuple(takes), use, seconds) for kernel, takes, use, seconds in json.loads(text)]


def written(wanted: Iterable[Wanted]) -> str:
    """A list of kernels as text, sorted, one line for each kernel."""
    rows = sorted((w.kernel, w.takes, w.use, w.seconds) for w in wanted)
    return "[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n"


def dispatcher_of(kernel: str) -> Any:
    """The dispatcher of the kernel of this name, whose module is imported if need be; None if there is none."""
    if kernel not in DISPATCHERS:
        try:
            import_module(kernel.removesuffix(INNER).rpartition(".")[0])
        except ImportError:
            return None
    return DISPATCHERS.get(kernel)


def called_by(dispatcher: Any) -> set[str]:
    """The names of the dispatchers of the kernels that the kernel of ``dispatcher`` calls."""
    known = dispatcher.py_func.__globals__
    found = (known.get(name) for name in _names(dispatcher.py_func.__code__))
    return {kernel.inner._cache.name for kernel in found if hasattr(kernel, "py_func") and hasattr(kernel, "inner")}


def _names(code: CodeType) -> Iterator[str]:
    """The global names and attributes that a code object uses, with those of functions inside it."""
    yield from code.co_names
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield from _names(part)


def needed() -> set[tuple[str, tuple[Any, ...]]]:
    """Every kernel of which this process has compiled code, and all kernels that these call, as pairs of name and
    argument types.

    Code that was loaded from a file contains copies of small kernels that were not loaded themselves; they count too.
    """
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
    """The kernels of a list that are not stored in a cache folder. If a kernel is wanted for several types and fewer
    files are stored, all of its entries count.

    The files are not read. A file may be for other types or damaged; then its kernel is compiled when it is needed.
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
    wanted_counts: dict[str, int] = {}
    for w in wanted:
        wanted_counts[w.kernel] = wanted_counts.get(w.kernel, 0) + 1
    return [w for w in wanted if counts.get(w.kernel, wanted_counts[w.kernel]) < wanted_counts[w.kernel]]


def _files(folder: Path) -> list[str]:
    """The names of the files in ``folder``; an empty list if it cannot be read."""
    try:
        return [file.name for file in folder.iterdir()]
    except OSError:
        return []


class Plan:
    """The order in which kernels are compiled: a kernel after those that it calls, and first those on which the longest
    chain of callers waits.

    Args:
        wanted: the kernels; entries without a dispatcher are left out.
    """

    def __init__(self, wanted: Sequence[Wanted]) -> None:
        """See the class."""
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
        """For each row, the seconds of the longest chain of kernels that starts with it and in which each is called by
        the next.
        """
        chains = [-1.0] * len(self.wanted)

        def chain(row: int) -> float:
            if chains[row] < 0:
                chains[row] = 0.0  # ends the recursion if kernels call each other in a ring, which should not be
                chains[row] = self.wanted[row].seconds + max(map(chain, self.after[row]), default=0.0)
            return chains[row]

        for row in range(len(self.wanted)):
            chain(row)
        return chains

    @property
    def seconds(self) -> float:
        """The processor time of all kernels, in seconds."""
        return sum(w.seconds for w in self.wanted)

    @property
    def longest(self) -> float:
        """The seconds of the longest chain: the least time that any number of processes needs."""
        return max(self.chains, default=0.0)

    def in_words(self) -> str:
        """A line with the number of kernels and how long they take on 1 to 16 cores."""
        times = ", ".join(f"{self.lasts(count):.1f}" for count in COUNTS)
        return (
            f"{len(self.wanted)} kernels, {self.seconds:.1f} s of processor time, longest chain {self.longest:.1f} s; "
            f"on {', '.join(map(str, COUNTS))} cores {times} s"
        )

    def queue(self) -> Queue:
        """A new queue that hands out the rows of the plan."""
        return Queue(self)

    def lasts(self, processes: int) -> float:
        """The seconds that ``processes`` processes, each on a core of its own, need for all kernels."""
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
    """Hands out the rows of a plan whose callees are all compiled, the row with the longest chain first."""

    def __init__(self, plan: Plan) -> None:
        """``plan``: the plan whose rows are handed out."""
        self.plan = plan
        self.waits = [len(callees) for callees in plan.before]
        self.left = len(plan.wanted)
        self.ready = [(-plan.chains[row], row) for row, callees in enumerate(plan.before) if not callees]
        heapq.heapify(self.ready)
        self.running = 0

    @property
    def done(self) -> bool:
        """Whether every row is finished, or the rest can never be handed out because rows wait for each other."""
        return not self.left or (not self.ready and not self.running)

    def take(self) -> int | None:
        """A row to compile now; None if none is ready before another is finished."""
        if not self.ready:
            return None
        self.running += 1
        return heapq.heappop(self.ready)[1]

    def finish(self, row: int) -> None:
        """Note that ``row`` is compiled, or that it cannot be; its callers may become ready."""
        self.left -= 1
        self.running -= 1
        for caller in self.plan.after[row]:
            self.waits[caller] -= 1
            if not self.waits[caller]:
                heapq.heappush(self.ready, (-self.plan.chains[caller], caller))
