"""Kernels that call large kernels where they lie are loaded with them, and never with others than those they were compiled with."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numba
import pytest

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="kernels are plain Python")
ROOT = Path(__file__).resolve().parents[2]
LARGE = 100  # here, where kernels are toys
ROWS = 40  # so many lines of Python make more than that of LLVM's
TOY = f"""
from wh_env.core.kernel import inner_kernel, kernel

@inner_kernel
def small(x):
    return x + 1

@inner_kernel
def large(x, row):
{"".join(f"    row[{n}] = row[{n + 1}] // (x + {n}){chr(10)}" for n in range(ROWS))}
    return row[0] + small(x)

@inner_kernel
def between(x, row):
    return large(x, row) + 1

@kernel
def outer(x, row):
    return between(x, row)
"""
PROGRAM = """
import json
import numpy as np
from wh_env.core import kernel_library
kernel_library.LARGE = %d
import toy
from wh_env.core.kernel_cache import DISPATCHERS
row = np.arange(1000, 1000 + %d)
answer = int(toy.outer(1, row))
compiled, calls = [], {}
for name, dispatcher in DISPATCHERS.items():
    if name.startswith("toy."):
        compiled += [name] * sum(dispatcher.stats.cache_misses.values())
        for found in dispatcher.overloads.values():
            calls[name] = sorted(callee.kernel for callee in found.library.calls.values())
print(json.dumps([answer, sorted(compiled), calls]))
"""
EVERY = ["toy.between.inner", "toy.large.inner", "toy.outer", "toy.small.inner"]


def expected() -> int:
    row = list(range(1000, 1000 + ROWS + 1))
    for n in range(ROWS):
        row[n] = row[n + 1] // (1 + n)
    return row[0] + 2 + 1


class Toy:
    """A module of kernels that each call the next, and a folder that they are kept in."""

    def __init__(self, folder: Path) -> None:
        self.cache = folder / "cache"
        (folder / "toy.py").write_text(TOY)
        self.path = f"{ROOT}{os.pathsep}{folder}"

    def play(self) -> tuple[list[str], dict[str, list[str]]]:
        """What a new process compiles, and which kernels each kernel in it calls where they lie."""
        environment = {**os.environ, "PYTHONPATH": self.path, "WH_ENV_CACHE": str(self.cache)}
        command = [sys.executable, "-c", PROGRAM % (LARGE, ROWS + 1)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        answer, compiled, calls = json.loads(done.stdout)
        assert answer == expected()
        return compiled, calls

    def file(self, kernel: str) -> Path:
        (found,) = self.cache.rglob(f"toy.{kernel}-*.nbc")
        return found


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Toy:
    toy = Toy(tmp_path_factory.mktemp("toy"))
    compiled, calls = toy.play()
    assert compiled == EVERY
    # what lies between holds no copy of the large one, and who copies what lies between calls the large one too
    assert calls == {"toy.small.inner": [], "toy.large.inner": [], "toy.between.inner": ["toy.large.inner"], "toy.outer": ["toy.large.inner"]}  # fmt: skip
    return toy


def test_each_kernel_is_kept_once_and_no_lock_is(filled: Toy) -> None:
    assert len(list(filled.cache.rglob("*.nbc"))) == len(EVERY)
    assert not list(filled.cache.rglob("*.lock"))


def test_a_kernel_is_loaded_with_those_it_calls(filled: Toy) -> None:
    compiled, calls = filled.play()
    assert compiled == []
    assert calls == {"toy.large.inner": [], "toy.outer": ["toy.large.inner"]}, "what is copied is not needed"


@pytest.mark.parametrize("harm", ["gone", "damaged"])
def test_without_those_it_calls_a_kernel_is_compiled_anew(filled: Toy, harm: str) -> None:
    file = filled.file("large")
    file.unlink() if harm == "gone" else file.write_bytes(file.read_bytes()[:-1])
    compiled, _ = filled.play()
    assert "toy.large.inner" in compiled and "toy.small.inner" not in compiled
    assert filled.play()[0] == []
