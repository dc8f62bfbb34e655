"""The folder of a run: its checkpoint, snapshots and history. Every file is replaced in one step."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from wh_env.content.errors import ContentError
from wh_env.core.files import write_whole
from wh_env.core.sealed import Unreadable, json_of, same_version

from ..learning.tensors import pack, unpack
from ..learning.weights import layout_of
from .config import TrainingConfig

MAGIC = b"WHCP"
FORMAT = 2
CHECKPOINT, HISTORY, LATEST, BEST = "checkpoint.pt", "history.json", "policy.pt", "best.pt"
SNAPSHOTS, SAMPLES, BOARD = "snapshots", "samples", "tensorboard"
# Settings that may change when a run is resumed.
FREE = ("name", "steps", "threads", "device", "save_every", "evaluation")


def write(folder: Path, config: TrainingConfig, state: Mapping[str, Any]) -> None:
    """Write the checkpoint; it replaces the old one."""
    value = {"config": json.dumps(config.model_dump(mode="json")), **state}
    data = pack(MAGIC, FORMAT, {"layout": layout_of(config.observation)}, value)
    write_whole(folder / CHECKPOINT, data)


def read(folder: Path, config: TrainingConfig) -> dict[str, Any] | None:
    """The checkpoint of a run; ``None`` if there is none yet.

    Raises:
        ContentError: it cannot be read, or belongs to a run with other settings.
    """
    file = folder / CHECKPOINT
    if not file.is_file():
        return None
    return parse(data_of(file), config, str(file))


def data_of(file: Path) -> bytes:
    """The bytes of a file.

    Raises:
        ContentError: it cannot be read.
    """
    try:
        return file.read_bytes()
    except OSError as error:
        raise ContentError(str(file), "", str(file), "a checkpoint", f"cannot be read ({error.strerror})") from None


def parse(data: bytes, config: TrainingConfig, file: str = "<checkpoint>") -> dict[str, Any]:
    """The checkpoint in ``data``.

    Raises:
        ContentError: it is damaged, of another version of wh_env, or belongs to a run with other settings.
    """
    try:
        header, state = unpack(data, MAGIC, FORMAT, "a checkpoint")
        same_version(header)
        layout = layout_of(config.observation)
        if header.get("layout") != layout:
            raise Unreadable("header.layout", header.get("layout"), layout, "is another layout")
        if not isinstance(state, dict) or not isinstance(state.get("config"), str):
            raise Unreadable("values", type(state).__name__, "a mapping with the settings of the run")
        before = json_of(state["config"].encode(), "config")
        if not isinstance(before, dict):
            raise Unreadable("config", type(before).__name__, "a mapping")
    except Unreadable as error:
        raise ContentError(file, error.field, error.value, error.expected, error.problem) from None
    compare(before, config.model_dump(mode="json"), file)
    return state


def compare(before: Mapping[str, Any], now: Mapping[str, Any], file: str, path: str = "") -> None:
    """Check that settings equal those with which the run was begun.

    Args:
        before: settings in the checkpoint.
        now: settings of this run.
        file: name of the checkpoint, for errors.
        path: the field that contains these settings, for errors.

    Raises:
        ContentError: they differ; it names the first field.
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
    """Write the rows of all rounds of lessons and all updates as JSON."""
    write_whole(folder / HISTORY, json.dumps(rows, indent=0).encode())
