"""Who compiles a kernel: of several processes that want it one does, and the others wait until it is kept and load it.

The lock is a file beside the kernel's, which the system unlocks when its holder ends, however it ends. It is a courtesy: who cannot
lock or has waited long compiles for itself, so nothing here keeps a battle from going on.
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

PATIENCE = (
    60.0  # seconds; what a kernel calls is kept as soon as it is compiled, so who waited so long has less to compile
)
PAUSE = 0.02  # seconds between two looks
_HELD: dict[Path, int] = {}  # the locks of this process, by file


@contextlib.contextmanager
def turn(file: Path, patience: float | None = None) -> Iterator[None]:
    """While it lasts no process that asks for a turn at this file has one; it begins at the latest when the file is there or after so
    many seconds (``PATIENCE`` if none are given).

    Raises:
        OSError: no file can be made there.
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
    """The opened lock; None if there is nothing to be locked for any more, or nothing can be locked."""
    lock.parent.mkdir(parents=True, exist_ok=True)
    until = time.monotonic() + (PATIENCE if patience is None else patience)
    while True:
        number = os.open(lock, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(number), os.stat(lock)):
                return number
        except BlockingIOError:
            pass  # somebody compiles it
        except FileNotFoundError:
            pass  # somebody has just compiled it
        except OSError:
            os.close(number)
            return None  # a file system without locks
        os.close(number)
        if file.exists() or time.monotonic() > until:
            return None
        time.sleep(PAUSE)


def _forget() -> None:
    """A copy of this process holds no locks: else they would outlive it."""
    for number in _HELD.values():
        os.close(number)
    _HELD.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
