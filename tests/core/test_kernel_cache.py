"""Compiled kernels are kept where they can be, and a kept file that is not as it was written never ends a battle."""

from __future__ import annotations

import logging
import os
import pickle
import subprocess
import sys
import tempfile
from pathlib import Path

import numba
import pytest

from wh_env.core import kernel_cache
from wh_env.core.kernel_cache import SEAL, KernelCache

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="kernels are plain Python")
ROOT = Path(__file__).resolve().parents[2]


def double(number: int) -> int:
    return 2 * number


def compiled(key: str = "key"):
    """A kernel with the cache as it stands, called once; its dispatcher."""
    dispatcher = numba.njit(double)
    dispatcher._cache = KernelCache(double, key)
    assert dispatcher(21) == 42
    return dispatcher


@pytest.fixture
def folder(tmp_path, monkeypatch):
    place = tmp_path / "cache"
    monkeypatch.setattr(kernel_cache, "cache_folders", lambda: (place,))
    compiled()
    return place


def kept(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def hits(dispatcher) -> int:
    return sum(dispatcher.stats.cache_hits.values())


def test_a_kernel_is_compiled_once(folder):
    assert len(kept(folder)) == 1
    assert hits(compiled()) == 1
    assert hits(compiled(key="another")) == 0, "other sources, other folder"


def sealed(data: bytes, content: bytes) -> bytes:
    """Another content under the seal of ``data``."""
    return data[:SEAL] + content


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[: SEAL // 2],
        lambda data: data[: len(data) // 2],
        lambda data: bytes(len(data)),
        lambda data: data[:-1] + bytes([data[-1] ^ 1]),
        lambda data: data[: len(data) // 2] + bytes([data[len(data) // 2] ^ 16]) + data[len(data) // 2 + 1 :],
        lambda data: os.urandom(len(data)),
        lambda data: pickle.dumps({"not": "a kernel"}),
        lambda data: sealed(data, pickle.dumps(KeyError)),
    ],
)
def test_a_damaged_file_is_thrown_away_and_made_anew(folder, damage):
    (file,) = kept(folder)
    sound = file.read_bytes()
    file.write_bytes(damage(sound))
    assert hits(compiled()) == 0
    (again,) = kept(folder)
    assert again == file
    assert hits(compiled()) == 1


@pytest.mark.parametrize("content", [b"garbage", pickle.dumps(None), pickle.dumps((1, 2)), b"cposix\n_nothing\n."])
def test_a_file_of_another_making_under_a_right_seal_is_made_anew(folder, content, monkeypatch):
    (file,) = kept(folder)
    monkeypatch.setattr(kernel_cache, "_seal", lambda wanted, data: bytes(SEAL))
    file.write_bytes(bytes(SEAL) + content)
    assert hits(compiled()) == 0
    assert hits(compiled()) == 1


def test_where_files_cannot_be_the_next_folder_takes_them(tmp_path, monkeypatch, caplog):
    file, good = tmp_path / "file", tmp_path / "good"
    file.write_text("no folder")
    monkeypatch.setattr(kernel_cache, "cache_folders", lambda: (file / "below", good))
    kernel_cache._say.cache_clear()
    with caplog.at_level(logging.WARNING):
        compiled()
        compiled(key="another")
    assert len(caplog.records) == 1, "said once"
    assert str(file) in caplog.text and "cannot be kept" in caplog.text
    assert len(kept(good)) == 2
    assert hits(compiled()) == 1


def test_without_any_folder_kernels_are_compiled(monkeypatch):
    monkeypatch.setattr(kernel_cache, "cache_folders", lambda: ())
    assert hits(compiled()) == 0


def test_a_shared_folder_is_used_only_if_nobody_else_can_write_there(tmp_path, monkeypatch, caplog):
    shared = tmp_path / "shared"
    monkeypatch.setattr(kernel_cache, "cache_folders", lambda: (shared,))
    monkeypatch.setattr(kernel_cache, "_shared_folder", lambda: shared)
    compiled()
    assert hits(compiled()) == 1
    assert shared.stat().st_mode & 0o777 == 0o700
    shared.chmod(0o777)
    kernel_cache._say.cache_clear()
    with caplog.at_level(logging.WARNING):
        assert hits(compiled()) == 0
    assert "others can write there" in caplog.text


# ---------------------------------------------------------------- in processes of their own

PROGRAM = """
import resource, sys
if sys.argv[1] == "full":  # no byte can be written
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
import numba
from wh_env.core.kernel_cache import KernelCache
def double(number):
    return 2 * number
dispatcher = numba.njit(double)
dispatcher._cache = KernelCache(double, "key")
print(dispatcher(21), sum(dispatcher.stats.cache_hits.values()))
"""


def process(tmp_path: Path, mode: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    file = tmp_path / "program.py"
    file.write_text(PROGRAM)
    keep = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT),
        "TMPDIR": str(tmp_path),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    command = [sys.executable, str(file), mode]
    return subprocess.run(command, env={**keep, **environment}, capture_output=True, text=True, check=False)


def test_a_full_disk_costs_a_line_and_nothing_else(tmp_path):
    told = process(tmp_path, "full", HOME=str(tmp_path))
    assert (told.returncode, told.stdout) == (0, "42 0\n"), told.stderr
    assert all("kernels cannot be kept in" in line for line in told.stderr.splitlines())
    assert len(told.stderr.splitlines()) == 1
    assert not [path for path in tmp_path.rglob("*.nbc*") if path.is_file()], "no part of a file is left"


def test_without_a_home_kernels_are_kept_among_temporary_files(tmp_path, monkeypatch):
    def nobodys_home():
        raise RuntimeError("Could not determine home directory.")

    for name in ("WH_ENV_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", nobodys_home)
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))
    for cached in (kernel_cache.cache_folders, kernel_cache._shared_folder):
        cached.cache_clear()
    try:
        assert [folder.parent for folder in kernel_cache.cache_folders()] == [tmp_path]
        compiled()
        assert hits(compiled()) == 1
    finally:
        for cached in (kernel_cache.cache_folders, kernel_cache._shared_folder):
            cached.cache_clear()
