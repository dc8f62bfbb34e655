"""Write pages that step through the games of a tournament, beside their replays."""

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

MOST = 24  # default limit, because a page takes a second and a megabyte


def page_of(replay: str) -> str:
    """The path of the page of a replay."""
    return str(Path(replay).with_suffix(".html"))


def write_page(replay: Path, page: Path) -> None:
    """Write the page of a replay.

    Raises:
        ContentError: the replay cannot be played again.
    """
    text = build_page(record_tape(read_replay(replay), judge=Chances()))
    with replacing(page) as draft:
        draft.write_text(text, encoding="utf-8")


def write_pages(
    folder: Path, rows: Sequence[Row], most: int = MOST, progress: Callable[[int, int], None] | None = None
) -> frozenset[str]:
    """Write pages of the first ``most`` games that left a replay. Pages that are newer than their replay stay.

    Args:
        folder: folder of the tournament.
        rows: its games.
        most: greatest number of pages.
        progress: called with the number of pages done and the number wanted.

    Returns:
        The replays that have a page; a replay that cannot be played again has none.
    """
    chosen = [row.replay for row in rows if row.replay][:most]
    with_page = set()
    for done, replay in enumerate(chosen):
        if progress is not None:
            progress(done, len(chosen))
        file, page = folder / replay, folder / page_of(replay)
        try:
            if not page.is_file() or page.stat().st_mtime_ns < file.stat().st_mtime_ns:
                write_page(file, page)
        except (ContentError, FileNotFoundError):
            continue
        with_page.add(replay)
    return frozenset(with_page)
