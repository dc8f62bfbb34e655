"""The history of a run for TensorBoard."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from torch.utils.tensorboard import SummaryWriter


class Board:
    """Writes rows of a history as scalars; what an interrupted run wrote beyond ``since`` decisions is hidden.

    Args:
        folder: of the event files. since: decisions from which on rows will follow.
    """

    def __init__(self, folder: Path, since: int) -> None:
        self._writer = SummaryWriter(str(folder), purge_step=since + 1)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._writer.close()

    def add(self, row: Mapping[str, Any]) -> None:
        """A row of the history."""
        at = row["decisions"]
        for name, value in row["told"].items():
            self._writer.add_scalar(name, value, at)
        for member, (points, games) in row.get("games", {}).items():
            self._writer.add_scalar(f"share of points/{member}", points / games, at)
        for opponent, (points, games, *_) in row.get("scores", {}).items():
            self._writer.add_scalar(f"evaluation/{opponent}", points / games, at)
