"""Writing files whole: there is either the old file or the new one, also where the disk is full."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(file: str | Path) -> Iterator[Path]:
    """A path beside ``file`` to write to; it becomes ``file`` if all goes well and is removed if not."""
    path = Path(file)
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.stem}.{os.getpid()}{path.suffix}")
    try:
        yield draft
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def write_whole(file: str | Path, data: bytes) -> None:
    """Write a file in one step. Nobody but its owner may read it; several threads and processes may write it.

    Raises:
        OSError: it cannot be written; nothing is left of what was begun.
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
