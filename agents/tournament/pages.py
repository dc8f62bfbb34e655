"""Pages to step through the games of a tournament, beside their replays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from wh_env.content.errors import ContentError
from wh_env.content.replay import read_replay
from wh_env.core.files import replacing
from wh_env.render.page import build_page
from wh_env.render.tape import record_tape

from ..chances import Chances
from .results import Row

MOST = 24  # a page takes a second and a megabyte


def page_of(replay: str) -> str:
    """Where the page of a replay lies."""
    return str(Path(replay).with_suffix(".html"))


def write_pages(
    folder: Path, rows: Sequence[Row], most: int = MOST, progress: Callable[[int, int], None] | None = None
) -> frozenset[str]:
    """Make pages of the first ``most`` games that left a replay; those that are there already stay.

    Returns the replays that have a page. One that cannot be played again has none.
    """
    chosen = [row.replay for row in rows if row.replay][:most]
    made = set()
    for done, replay in enumerate(chosen):
        if progress is not None:
            progress(done, len(chosen))
        file, page = folder / replay, folder / page_of(replay)
        try:
            if not page.is_file() or page.stat().st_mtime_ns < file.stat().st_mtime_ns:
                text = build_page(record_tape(read_replay(file), judge=Chances()))
                with replacing(page) as draft:
                    draft.write_text(text, encoding="utf-8")
        except (ContentError, FileNotFoundError):
            continue
        made.add(replay)
    return frozenset(made)
