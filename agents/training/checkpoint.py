"""The folder of a run: the checkpoint from which it goes on, its snapshots, its history. Every file is written in one step."""

from __future__ import annotations

import io
import json
import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from agents.tournament.results import write_whole
from agents.training.config import TrainingConfig
from wh_env.content.errors import ContentError

FORMAT = 1
CHECKPOINT, HISTORY, LATEST, BEST = "checkpoint.pt", "history.json", "policy.pt", "best.pt"
SNAPSHOTS, SAMPLES, BOARD = "snapshots", "samples", "tensorboard"
# What may be another in a run that is resumed.
FREE = ("name", "steps", "threads", "device", "save_every", "evaluation")


def write(folder: Path, config: TrainingConfig, state: Mapping[str, Any]) -> None:
    """Write the checkpoint, in place of the one that is there."""
    out = io.BytesIO()
    torch.save({"format": FORMAT, "config": json.dumps(config.model_dump(mode="json")), **state}, out)
    write_whole(folder / CHECKPOINT, out.getvalue())


def read(folder: Path, config: TrainingConfig) -> dict[str, Any] | None:
    """The checkpoint of a run, ``None`` if it has none yet.

    Raises:
        ContentError: it cannot be read, or is of a run with other settings.
    """
    file = folder / CHECKPOINT
    if not file.is_file():
        return None
    try:
        state = torch.load(file, map_location="cpu", weights_only=True)
    except (RuntimeError, pickle.UnpicklingError, EOFError, OSError) as error:
        raise ContentError(str(file), "", type(error).__name__, "a checkpoint", "makes it unreadable") from None
    if not isinstance(state, dict) or state.get("format") != FORMAT:
        raise ContentError(str(file), "format", None, f"a checkpoint of format {FORMAT}")
    compare(json.loads(state["config"]), config.model_dump(mode="json"), str(file))
    return state


def compare(before: Mapping[str, Any], now: Mapping[str, Any], file: str, path: str = "") -> None:
    """Refuse settings that a run was not begun with.

    Raises:
        ContentError: names the first that differs.
    """
    for name in sorted({*before, *now}):
        old, new = before.get(name), now.get(name)
        if old == new or (not path and name in FREE):
            continue
        if isinstance(old, Mapping) and isinstance(new, Mapping):
            compare(old, new, file, f"{path}{name}.")
            continue
        raise ContentError(file, f"{path}{name}", new, f"{old!r}, with which the run was begun (or another --out)")


def write_history(folder: Path, rows: list[dict[str, Any]]) -> None:
    """What came of each round of cloning and each update, as JSON."""
    write_whole(folder / HISTORY, json.dumps(rows, indent=0).encode())
