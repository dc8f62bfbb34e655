"""Tools for processes that work for a program: they end with it, compute on one thread, and can be
watched and ended.
"""

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
# as masks of signals that wait show them; other systems than Linux have no such files
ENDING = 1 << (signal.SIGKILL - 1) | 1 << (signal.SIGSTOP - 1) if sys.platform != "win32" else 0
PR_SET_CHILD_SUBREAPER = 36  # <linux/prctl.h>
PR_SET_NO_NEW_PRIVS = 38
LANDLOCK_CREATE, LANDLOCK_RESTRICT = 444, 446  # numbers of system calls, the same on every architecture
SCOPE_SIGNAL, SIGNALS_SINCE = 2, 6  # <linux/landlock.h>; the first Landlock version with it
ROUNDS = 20  # repetitions, because processes may start others while they are ended


def end_with_parent() -> None:
    """Wait until the parent process has ended, then end this process. Call it in a thread."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


@contextmanager
def one_thread() -> Iterator[None]:
    """A context in which started processes do linear algebra on one thread, because several processes
    share the machine.
    """
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
    """From now on this process becomes the parent of its descendants whose parent ends (Linux only)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


@cache
def can_restrict_signals() -> bool:
    """Whether the system can forbid a process to send signals to others (Linux 6.12 and later, with
    Landlock).
    """
    if sys.platform != "linux":
        return False
    version = ctypes.CDLL(None).syscall(LANDLOCK_CREATE, None, ctypes.c_size_t(0), ctypes.c_uint32(1))
    return int(version) >= SIGNALS_SINCE


def signal_nobody_else() -> None:
    """Forbid this process and its descendants to send signals to any other process, where the system
    can do so.

    Call it before the process has a second thread.

    Raises:
        OSError: the system refused.
    """
    if not can_restrict_signals():
        return
    system = ctypes.CDLL(None, use_errno=True)
    rules = (ctypes.c_uint64 * 3)(0, 0, SCOPE_SIGNAL)
    number = system.syscall(LANDLOCK_CREATE, rules, ctypes.c_size_t(ctypes.sizeof(rules)), ctypes.c_uint32(0))
    if system.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or system.syscall(LANDLOCK_RESTRICT, number, ctypes.c_uint32(0)):
        raise OSError(ctypes.get_errno(), "the process cannot be kept from sending signals")
    os.close(number)


def left_running(pid: int) -> bool:
    """Whether a child process runs: it has neither ended nor been stopped. It can still be waited for
    afterwards.
    """
    options = os.WEXITED | os.WSTOPPED | os.WNOHANG | os.WNOWAIT
    try:
        return os.waitid(os.P_PID, pid, options) is None
    except ChildProcessError:
        return False


def is_stopped(pid: int) -> bool:
    """Whether a child process was stopped by a signal. It can still be waited for afterwards."""
    try:
        return os.waitid(os.P_PID, pid, os.WSTOPPED | os.WNOHANG | os.WNOWAIT) is not None
    except ChildProcessError:
        return False


def is_being_ended(pid: int) -> bool:
    """Whether a signal that ends or stops a process waits for it, or has reached some of its threads but not all (False
    where the system does not show that).
    """
    for thread in (PROC / str(pid) / "task").glob("*/status"):
        with suppress(OSError):
            fields = dict(line.split(":", 1) for line in thread.read_text().splitlines() if ":" in line)
            waiting = int(fields["SigPnd"], 16) | int(fields["ShdPnd"], 16)
            if waiting & ENDING or fields["State"].split()[0] in "TtZX":
                return True
    return False


def can_look() -> bool:
    """Whether the system shows what processes do (``/proc`` with memory figures)."""
    return (PROC / "self" / "smaps_rollup").exists()


def descendants(pid: int) -> list[int]:
    """Ids of all processes that a process started, directly or indirectly, without its own."""
    children: dict[int, list[int]] = {}
    for entry in os.listdir(PROC) if can_look() else ():
        if entry.isdigit():
            with suppress(OSError, ValueError):
                parent = int((PROC / entry / "stat").read_bytes().rpartition(b")")[2].split()[1])
                children.setdefault(parent, []).append(int(entry))
    pids, queue = [], [pid]
    while queue:
        fresh = children.pop(queue.pop(), [])
        pids += fresh
        queue += fresh
    return pids


def thread_count(pid: int) -> int:
    """Number of threads of a process; 0 if it is gone."""
    try:
        return len(os.listdir(PROC / str(pid) / "task"))
    except OSError:
        return 0


def memory_of(pids: Iterable[int]) -> int:
    """Bytes of memory that these processes hold, swap included; memory shared with others counts in
    proportion.
    """
    total = 0
    for pid in pids:
        with suppress(OSError):
            for line in (PROC / str(pid) / "smaps_rollup").read_bytes().splitlines():
                if line.startswith((b"Pss:", b"SwapPss:")):
                    total += int(line.split()[1]) * 1024
    return total


def end_all(pid: int, gone: bool = False) -> None:
    """End a child process that leads a process group, the group, and everything that was started in
    it.

    The child is ended last, because while it lives it adopts its orphans (``adopt_orphans``).

    Args:
        pid: id of the child.
        gone: whether the child has already been waited for.
    """
    for _ in range(ROUNDS):
        started = descendants(pid)
        for one in started:
            with suppress(OSError):
                os.kill(one, signal.SIGKILL)
        if not started:
            break
        time.sleep(0.001)  # give their parents time to collect them
    with suppress(OSError):
        os.killpg(pid, signal.SIGKILL)
    if not gone:
        with suppress(OSError):
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


def end_orphans(known: Iterable[int]) -> None:
    """End all descendants of this process except the ``known`` children and their descendants:
    processes that others left behind.
    """
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
