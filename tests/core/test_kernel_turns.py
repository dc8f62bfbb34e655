"""Of several processes that want one kernel one compiles it, and whatever becomes of that one the others go on."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numba
import pytest

from wh_env.core import kernel_cache, kernel_turns
from wh_env.core.kernel_cache import KernelCache, in_turn
from wh_env.core.kernel_turns import turn

fcntl = pytest.importorskip("fcntl", reason="no locks that end with their process")
compiling = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="kernels are plain Python")
ROOT = Path(__file__).resolve().parents[2]
LONG = 30.0  # seconds; nothing here comes near to it


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "folder" / "kernel.nbc"


@contextlib.contextmanager
def somebody_compiles(file: Path) -> Iterator[None]:
    """The lock as another process holds it: one that was opened elsewhere."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with open(file.with_name(f"{file.name}.lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def waited(file: Path) -> float:
    began = time.monotonic()
    with turn(file):
        return time.monotonic() - began


def is_locked(file: Path) -> bool:
    with contextlib.suppress(FileNotFoundError), open(file.with_name(f"{file.name}.lock")) as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def test_a_turn_is_locked_as_long_as_it_lasts_and_leaves_nothing(file, monkeypatch):
    monkeypatch.setattr(kernel_turns, "PATIENCE", LONG)
    with turn(file):
        assert is_locked(file)
        with turn(file):  # a kernel that calls itself
            assert is_locked(file)
        assert is_locked(file)
        with turn(file.with_name("another.nbc")):
            pass
    with pytest.raises(ZeroDivisionError), turn(file):
        raise ZeroDivisionError
    assert list(file.parent.iterdir()) == []
    assert waited(file) < LONG


def test_who_waits_goes_on_when_the_kernel_is_there(file, monkeypatch):
    monkeypatch.setattr(kernel_turns, "PATIENCE", LONG)
    with somebody_compiles(file):
        threading.Timer(0.3, file.write_bytes, [b"kept"]).start()
        assert 0.1 < waited(file) < LONG


def test_nobody_waits_for_ever(file, monkeypatch):
    """Not for one who is stopped, nor in a ring: who has one kernel and waits for another that is compiled by one who waits for the first."""
    monkeypatch.setattr(kernel_turns, "PATIENCE", 0.3)
    other = file.with_name("another.nbc")
    with somebody_compiles(other), turn(file):
        assert 0.3 <= waited(other) < LONG
        assert is_locked(other) and is_locked(file), "the locks of others are left alone"


def test_a_lock_that_was_taken_away_meanwhile_is_taken_anew(file, monkeypatch):
    """Between opening it and locking it: whoever locks what is gone locks nothing."""
    monkeypatch.setattr(kernel_turns, "PATIENCE", LONG)
    real, tried = fcntl.flock, []

    class Slow:
        LOCK_EX, LOCK_NB = fcntl.LOCK_EX, fcntl.LOCK_NB

        @staticmethod
        def flock(number: int, how: int) -> None:
            if not tried:
                file.with_name(f"{file.name}.lock").unlink()
            tried.append(number)
            real(number, how)

    monkeypatch.setattr(kernel_turns, "fcntl", Slow)
    with turn(file):
        assert is_locked(file)
    assert len(tried) == 2


@pytest.mark.parametrize("without", ["system", "file system"])
def test_where_nothing_can_be_locked_nobody_waits(file, monkeypatch, without):
    class Unable:
        LOCK_EX, LOCK_NB = fcntl.LOCK_EX, fcntl.LOCK_NB

        @staticmethod
        def flock(number: int, how: int) -> None:
            raise OSError(37, "No locks available")

    monkeypatch.setattr(kernel_turns, "PATIENCE", LONG)
    monkeypatch.setattr(kernel_turns, "fcntl", None if without == "system" else Unable)
    with somebody_compiles(file):
        assert waited(file) < LONG / 2


def test_where_no_file_can_be_made_that_is_said(tmp_path):
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(FileExistsError), turn(tmp_path / "file" / "kernel.nbc"):
        pytest.fail("begun")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not copied")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_copy_of_the_process_holds_no_lock(file):
    with turn(file):
        reader, writer = os.pipe()
        copy = os.fork()
        if copy == 0:
            os.write(writer, bytes([len(kernel_turns._HELD)]))
            signal.pause()
        assert os.read(reader, 1) == b"\0"
        assert is_locked(file), "the process itself does"
    try:
        assert not is_locked(file)
    finally:
        os.kill(copy, signal.SIGKILL)
        os.waitpid(copy, 0)
        os.close(reader)
        os.close(writer)


# ---------------------------------------------------------------- kernels


def double(number: int) -> int:
    return 2 * number


def wrong(number: int) -> int:
    return number.no_such_thing  # type: ignore[attr-defined]


def dispatcher_of(function):
    dispatcher = numba.njit(function)
    dispatcher._cache = KernelCache(function, "key")
    in_turn(dispatcher)
    return dispatcher


def kept(folder: Path) -> list[str]:
    return [path.suffix for path in folder.rglob("*") if path.is_file()]


@compiling
def test_threads_compile_once_and_a_kernel_that_cannot_be_compiled_is_locked_no_more(tmp_path, monkeypatch):
    monkeypatch.setattr(kernel_cache, "cache_folders", lambda: (tmp_path,))
    dispatcher, results = dispatcher_of(double), []
    threads = [threading.Thread(target=lambda: results.append(dispatcher(21))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LONG)
    assert results == [42] * 3
    assert sum(dispatcher.stats.cache_misses.values()) == 1
    with pytest.raises(numba.TypingError):
        dispatcher_of(wrong)(1)
    assert kept(tmp_path) == [".nbc"]
    assert kernel_turns._HELD == {}


@compiling
def test_folders_that_take_no_files_are_passed_over(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setattr(kernel_cache, "cache_folders", lambda: (tmp_path / "file" / "below", tmp_path / "good"))
    assert dispatcher_of(double)(21) == 42
    assert kept(tmp_path / "good") == [".nbc"]
    monkeypatch.setattr(kernel_cache, "cache_folders", lambda: (tmp_path / "file" / "below",))
    assert dispatcher_of(double)(21) == 42


PROGRAM = """
import sys, time
import numba
from wh_env.core.kernel_cache import KernelCache, in_turn
def double(number):
    return 2 * number
dispatcher = numba.njit(double)
dispatcher._cache = KernelCache(double, "key")
in_turn(dispatcher)
compile_now = dispatcher._compiler.compile
def compile_slowly(*arguments):
    print("compiles", flush=True)
    time.sleep(float(sys.argv[1]))
    return compile_now(*arguments)
dispatcher._compiler.compile = compile_slowly
numba.njit(lambda: 0)()  # what numba does first
print("ready", flush=True)
sys.stdin.readline()
print(dispatcher(21), flush=True)
"""


@contextlib.contextmanager
def processes(tmp_path: Path, count: int, seconds: float) -> Iterator[list[subprocess.Popen[str]]]:
    """Processes that want the same kernel, which takes so long to compile."""
    file = tmp_path / "program.py"
    file.write_text(PROGRAM)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "WH_ENV_CACHE": str(tmp_path / "cache")}
    command = [sys.executable, str(file), str(seconds)]
    with contextlib.ExitStack() as stack:
        running = [
            stack.enter_context(
                subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            )
            for _ in range(count)
        ]
        try:
            for process in running:
                assert process.stdout is not None and process.stdout.readline() == "ready\n"
            yield running
        finally:
            for process in running:
                process.kill()


def go(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()


@compiling
def test_processes_compile_once(tmp_path):
    with processes(tmp_path, 3, 1.0) as running:
        for process in running:
            go(process)
        told = [process.communicate(timeout=2 * LONG)[0] for process in running]
    assert sorted(told) == ["42\n", "42\n", "compiles\n42\n"]
    assert kept(tmp_path / "cache") == [".nbc"]


@compiling
def test_whoever_is_killed_while_it_compiles_keeps_nobody_waiting(tmp_path):
    with processes(tmp_path, 2, 1.0) as running:
        first, second = running
        go(first)
        assert first.stdout is not None and first.stdout.readline() == "compiles\n"
        first.kill()
        first.wait()
        go(second)
        began = time.monotonic()
        assert second.communicate(timeout=kernel_turns.PATIENCE)[0] == "compiles\n42\n"
        assert time.monotonic() - began < kernel_turns.PATIENCE
    assert kept(tmp_path / "cache") == [".nbc"]
