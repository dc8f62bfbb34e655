"""Write the history of a run for TensorBoard."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from torch.utils.tensorboard import SummaryWriter


class Board:
    """Writes rows of a history as scalars. Rows beyond ``since`` decisions, written by an interrupted run, are
    hidden.

    Args:
        folder: folder of the event files.
        since: number of decisions at which the next rows begin.
    """

    def __init__(self, folder: Path, since: int) -> None:
        self._writer = SummaryWriter(str(folder), purge_step=since + 1)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._writer.close()

    def add(self, row: Mapping[str, Any]) -> None:
        """Write a row of the history."""
        at = row["decisions"]
        for name, value in row["told"].items():
            self._writer.add_scalar(name, value, at)
        for member, (points, games) in row.get("games", {}).items():
            self._writer.add_scalar(f"share of points/{member}", points / games, at)
        for opponent, (points, games, *_) in row.get("scores", {}).items():
            self._writer.add_scalar(f"evaluation/{opponent}", points / games, at)
