"""Which process compiles a kernel: of several that need it one compiles, and the others wait until it is stored and
load it.

The lock is a file beside the kernel's file. The system unlocks it when its holder ends, however it ends. A process that
cannot lock, or has waited long, compiles for itself, so the lock never keeps a battle from going on.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows: every process compiles for itself
    fcntl = None  # type: ignore[assignment]

# Seconds that a process waits at most. A kernel's callees are stored one by one, so it has less to do then.
PATIENCE = 60.0
PAUSE = 0.02  # seconds between two attempts to lock
_HELD: dict[Path, int] = {}  # the locks of this process: open file descriptor by lock file


@contextlib.contextmanager
def turn(file: Path, patience: float | None = None) -> Iterator[None]:
    """A context manager during which no other process has a turn at ``file``.

    It begins when this process has the lock, when ``file`` exists, or after ``patience`` seconds (``PATIENCE`` if
    None), whichever comes first. If this process has the lock already it begins at once.

    Raises:
        OSError: the lock file cannot be made.
    """
    lock = file.with_name(f"{file.name}.lock")
    number = _taken(lock, file, patience) if fcntl is not None and lock not in _HELD else None
    if number is None:
        yield
        return
    _HELD[lock] = number
    try:
        yield
    finally:
        del _HELD[lock]
        with contextlib.suppress(OSError):
            lock.unlink()  # before it is unlocked: whoever opened it already sees that it is gone
        os.close(number)


def _taken(lock: Path, file: Path, patience: float | None) -> int | None:
    """The file descriptor of the locked file; None if ``file`` exists by now, if the time is over, or if nothing can be
    locked.
    """
    lock.parent.mkdir(parents=True, exist_ok=True)
    deadline = time.monotonic() + (PATIENCE if patience is None else patience)
    while True:
        number = os.open(lock, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(number), os.stat(lock)):
                return number
        except BlockingIOError:
            pass  # another process compiles the kernel
        except FileNotFoundError:
            pass  # another process has just compiled it and removed the lock file
        except OSError:
            os.close(number)
            return None  # a file system without locks
        os.close(number)
        if file.exists() or time.monotonic() > deadline:
            return None
        time.sleep(PAUSE)


def _forget() -> None:
    """Close the locks in a forked copy of this process: otherwise they would be held as long as the copy lives."""
    for number in _HELD.values():
        os.close(number)
    _HELD.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
