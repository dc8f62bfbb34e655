"""The one place that touches numba: the ``kernel`` decorator and the cache it compiles into.

Numba does not notice that a function called by a cached kernel was edited, so the cache folder is keyed by a hash
of every source file of the package: any edit compiles afresh. With ``NUMBA_DISABLE_JIT=1`` kernels are plain Python.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, TypeVar, cast

import numba

P = ParamSpec("P")
R = TypeVar("R")


def _source_hash() -> str:
    digest = hashlib.sha256(f"{numba.__version__}".encode())
    for file in sorted(Path(__file__).resolve().parent.parent.rglob("*.py")):
        if b"import kernel" in (text := file.read_bytes()):
            digest.update(text)
    return digest.hexdigest()[:16]


def _cache_root() -> Path:
    base = os.environ.get("WH_ENV_CACHE") or os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    root = Path(base) / "wh_env" / _source_hash()
    try:
        root.mkdir(parents=True, exist_ok=True)
    except OSError:
        return Path(tempfile.mkdtemp(prefix="wh_env-kernels-"))
    return root


if not os.environ.get("NUMBA_CACHE_DIR"):
    numba.config.CACHE_DIR = str(_cache_root())


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile ``function`` with numba on first call; no parallelism, no fast-math (results must not depend on it)."""
    return cast("Callable[P, R]", numba.njit(cache=True, nogil=True, error_model="numpy")(function))
