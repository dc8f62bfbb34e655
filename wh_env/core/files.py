"""Writing files as a whole: afterwards there is either the old file or the new one, even if the disk is full."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(file: str | Path) -> Iterator[Path]:
    """A context manager that gives a path beside ``file`` to write to.

    If the block ends without an error, the written file replaces ``file``; otherwise it is removed. Missing folders are
    made.

    Raises:
        OSError: a folder cannot be made, or the file cannot be replaced.
    """
    path = Path(file)
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.stem}.{os.getpid()}{path.suffix}")
    try:
        yield draft
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def write_whole(file: str | Path, data: bytes) -> None:
    """Write ``data`` to a file in one step. Only its owner may read it. Several threads and processes may write it at
    once. Missing folders are made.

    Raises:
        OSError: the file cannot be written. No partly written file remains.
    """
    path = Path(file)
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
        Path(draft).replace(path)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise
