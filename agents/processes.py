"""What processes that work for a program share: they end with it, do linear algebra on one thread, and can be looked after."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from multiprocessing.connection import wait
from pathlib import Path

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
PROC = Path("/proc")
PR_SET_CHILD_SUBREAPER = 36  # <linux/prctl.h>
PR_SET_NO_NEW_PRIVS = 38
LANDLOCK_CREATE, LANDLOCK_RESTRICT = 444, 446  # system calls, on every machine
SCOPE_SIGNAL, SIGNALS_SINCE = 2, 6  # <linux/landlock.h>; the version that knows it
ROUNDS = 20  # of looking for processes that others start while they are ended


def end_with_parent() -> None:
    """End this process as soon as its parent has ended, however it did; waits for that, so call it in a thread."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


@contextmanager
def one_thread() -> Iterator[None]:
    """Processes started here do linear algebra on one thread: several share the machine, and results do not depend on it."""
    before = {name: os.environ.get(name) for name in THREADS}
    os.environ.update(dict.fromkeys(THREADS, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


# ---------------------------------------------------------------- looking after others (Linux: what /proc says)


def adopt_orphans() -> None:
    """From here on processes whose parent ended are children of this one, if it started what started them."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


@cache
def keeps_signals() -> bool:
    """Whether the system keeps a process from sending signals to others (Linux 6.12 and later, where Landlock is switched on)."""
    if sys.platform != "linux":
        return False
    version = ctypes.CDLL(None).syscall(LANDLOCK_CREATE, None, ctypes.c_size_t(0), ctypes.c_uint32(1))
    return int(version) >= SIGNALS_SINCE


def signal_nobody_else() -> None:
    """From here on this process, and what it starts, can send signals to itself and to what it starts alone, where the system can do so.

    Call it before the process has a second thread.

    Raises:
        OSError: the system has refused.
    """
    if not keeps_signals():
        return
    system = ctypes.CDLL(None, use_errno=True)
    rules = (ctypes.c_uint64 * 3)(0, 0, SCOPE_SIGNAL)
    number = system.syscall(LANDLOCK_CREATE, rules, ctypes.c_size_t(ctypes.sizeof(rules)), ctypes.c_uint32(0))
    if system.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or system.syscall(LANDLOCK_RESTRICT, number, ctypes.c_uint32(0)):
        raise OSError(ctypes.get_errno(), "the process cannot be kept from sending signals")
    os.close(number)


def left_running(pid: int) -> bool:
    """Whether a child runs: it has not ended, and nobody has stopped it. It is left to be waited for."""
    options = os.WEXITED | os.WSTOPPED | os.WNOHANG | os.WNOWAIT
    try:
        return os.waitid(os.P_PID, pid, options) is None
    except ChildProcessError:
        return False


def is_stopped(pid: int) -> bool:
    """Whether somebody has stopped a child; it is left to be waited for."""
    try:
        return os.waitid(os.P_PID, pid, os.WSTOPPED | os.WNOHANG | os.WNOWAIT) is not None
    except ChildProcessError:
        return False


def can_look() -> bool:
    """Whether the system says what processes do."""
    return (PROC / "self" / "smaps_rollup").exists()


def descendants(pid: int) -> list[int]:
    """Processes that the process started, and those that they did; the process itself is not among them."""
    children: dict[int, list[int]] = {}
    for entry in os.listdir(PROC) if can_look() else ():
        if entry.isdigit():
            with suppress(OSError, ValueError):
                parent = int((PROC / entry / "stat").read_bytes().rpartition(b")")[2].split()[1])
                children.setdefault(parent, []).append(int(entry))
    found, queue = [], [pid]
    while queue:
        fresh = children.pop(queue.pop(), [])
        found += fresh
        queue += fresh
    return found


def thread_count(pid: int) -> int:
    """Threads of a process; 0 if it is gone."""
    try:
        return len(os.listdir(PROC / str(pid) / "task"))
    except OSError:
        return 0


def memory_of(pids: Iterable[int]) -> int:
    """Bytes that these processes hold, of what they share with others their part."""
    total = 0
    for pid in pids:
        with suppress(OSError):
            for line in (PROC / str(pid) / "smaps_rollup").read_bytes().splitlines():
                if line.startswith((b"Pss:", b"SwapPss:")):
                    total += int(line.split()[1]) * 1024
    return total


def end_all(pid: int, gone: bool = False) -> None:
    """End all that was started in a child that leads a process group, the group, and the child (``gone``: it was waited for).

    The child comes last: as long as it is there it adopts what loses its parent (``adopt_orphans``).
    """
    for _ in range(ROUNDS):
        started = descendants(pid)
        for one in started:
            with suppress(OSError):
                os.kill(one, signal.SIGKILL)
        if not started:
            break
        time.sleep(0.001)  # for those that wait for them
    with suppress(OSError):
        os.killpg(pid, signal.SIGKILL)
    if not gone:
        with suppress(OSError):
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


def end_orphans(known: Iterable[int]) -> None:
    """End the children of this process that are not known: such as others left behind (``adopt_orphans``)."""
    mine = set(known)
    for _ in range(ROUNDS):
        others = descendants(os.getpid())
        for pid in known:
            mine.update(descendants(pid))
        strangers = [pid for pid in others if pid not in mine]
        if not strangers:
            return
        for pid in strangers:
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        for pid in strangers:
            with suppress(OSError):
                os.waitpid(pid, os.WNOHANG)
