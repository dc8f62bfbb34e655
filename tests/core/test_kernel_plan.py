"""Kernels that are known beforehand: types as words, the order of compiling, the processes that do it."""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path

import numba
import numpy as np
import pytest

from wh_env.core import kernel_crew, kernel_plan
from wh_env.core.geometry.cells import Window
from wh_env.core.kernel_crew import Crew, compiled, processes_for
from wh_env.core.kernel_plan import Plan, Wanted, called_by, dispatcher_of, not_kept, read, written
from wh_env.core.kernel_words import NoWord, split, type_of, word_of
from wh_env.core.tables import MODEL

TYPES = numba.types
compiling = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="kernels are plain Python")
TOY = """
from wh_env.core.kernel import inner_kernel, kernel

@inner_kernel
def low(x):
    return x + 1

@inner_kernel
def high(x):
    return low(x) * 2

@kernel
def outer(x):
    return high(x) + low(x)

@kernel
def wrong(x):
    return x.no_such_thing
"""

# ---------------------------------------------------------------- words


@pytest.mark.parametrize(
    ("kind", "word"),
    [
        (TYPES.int64, "int64"),
        (TYPES.boolean, "bool"),
        (TYPES.Array(TYPES.float64, 2, "C"), "float64[2,C]"),
        (TYPES.Array(TYPES.int32, 1, "A", readonly=True), "readonly int32[1,A]"),
        (TYPES.Array(numba.from_dtype(MODEL), 1, "C"), "wh_env.core.tables:MODEL[1,C]"),
        (TYPES.UniTuple(TYPES.int64, 2), "tuple(int64, int64)"),
        (
            numba.typeof(Window(1, 1.0, 2, 3, np.zeros((1, 1), np.int64))),
            "wh_env.core.geometry.cells:Window(int64, float64, int64, int64, int64[2,C])",
        ),
    ],
)
def test_a_type_is_what_its_word_means(kind: object, word: str) -> None:
    assert word_of(kind) == word
    assert type_of(word) == kind


@pytest.mark.parametrize(
    "word",
    [
        "int65",
        "os:environ",
        "os:environ[1,C]",
        "wh_env.core.tables:NO_SUCH_ROW",
        "wh_env.no_such_module:MODEL",
        "wh_env.core.tables:CIRCLE[1,C]",
        "wh_env.core.geometry.cells:Window(int64)",
        "wh_env.core.kernel_plan:Plan(int64)",
    ],
)
def test_words_that_mean_nothing_are_refused(word: str) -> None:
    """Nothing outside the package is imported or called, whatever a list says."""
    with pytest.raises(NoWord):
        type_of(word)


def test_rows_without_a_name_have_no_word() -> None:
    with pytest.raises(NoWord, match="oddity"):
        word_of(TYPES.Array(numba.from_dtype(np.dtype([("oddity", "i8")])), 1, "C"))


def test_words_are_split_outside_of_brackets() -> None:
    assert list(split("int64, tuple(int64, float64[2,C]), bool")) == ["int64", "tuple(int64, float64[2,C])", "bool"]


# ---------------------------------------------------------------- order


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> None:
    """``top`` calls ``left`` and ``right``, both call ``base``; ``alone`` calls nobody, ``ring`` itself."""
    known = {
        "base": set(),
        "left": {"base"},
        "right": {"base"},
        "top": {"left", "right"},
        "alone": set(),
        "ring": {"ring"},
    }
    monkeypatch.setattr(kernel_plan, "dispatcher_of", lambda name: name if name in known else None)
    monkeypatch.setattr(kernel_plan, "called_by", known.__getitem__)


def wanted(**seconds: float) -> list[Wanted]:
    return [Wanted(name, ("int64",), "battle", time) for name, time in seconds.items()]


def test_a_list_is_read_as_it_was_written() -> None:
    rows = wanted(b=1.0, a=2.0)
    assert read(written(rows)) == sorted(rows, key=lambda w: w.kernel)


@pytest.mark.usefixtures("calls")
def test_how_long_a_plan_takes() -> None:
    plan = Plan(wanted(base=1, left=2, right=4, top=3, alone=5, ring=1, gone=100))
    assert plan.seconds == 16 and plan.longest == 1 + 4 + 3
    assert plan.lasts(1) == 16, "what is gone takes no time, a ring is no knot"
    assert plan.lasts(2) == 10
    assert plan.lasts(3) == plan.lasts(99) == 8
    assert processes_for(plan, 99) == 3


@pytest.mark.usefixtures("calls")
def test_what_most_hangs_on_is_first_and_callers_wait_for_those_they_call() -> None:
    queue = Plan(wanted(alone=5, base=1, left=2, right=4, top=3)).queue()
    names = [w.kernel for w in queue.plan.wanted]
    assert [names[row] for row in (queue.take(), queue.take())] == ["base", "alone"]
    assert queue.take() is None and not queue.done
    queue.finish(names.index("base"))
    assert names[queue.take()] == "right"
    queue.finish(names.index("right"))
    assert names[queue.take()] == "left" and queue.take() is None
    queue.finish(names.index("left"))
    assert names[queue.take()] == "top"
    queue.finish(names.index("top"))
    queue.finish(names.index("alone"))
    assert queue.done


# ---------------------------------------------------------------- processes


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A module with kernels that other processes find too, and an empty cache."""
    name = f"toy_{tmp_path.name.replace('-', '_')}"
    (tmp_path / f"{name}.py").write_text(TOY)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("WH_ENV_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(kernel_plan, "cache_folders", lambda: (tmp_path / "cache" / "wh_env",))
    return name


def toys(name: str, *kernels: str) -> list[Wanted]:
    return [Wanted(f"{name}.{kernel}", ("int64",), "battle", 1.0) for kernel in kernels]


@compiling
def test_kernels_are_compiled_once_by_processes_of_their_own(toy: str) -> None:
    rows = toys(toy, "outer", "high.inner", "low.inner", "wrong", "gone")
    assert called_by(dispatcher_of(f"{toy}.outer")) == {f"{toy}.high.inner", f"{toy}.low.inner"}
    assert not_kept(rows) == rows[:4], "what is gone is not missed"
    crew = Crew(Plan(rows), 2)
    assert sorted(crew.run()) == [0, 1, 2], "what cannot be compiled is left to whoever calls it"
    assert not_kept(rows) == rows[3:4]
    assert all(worker.poll() is not None for worker in crew.workers)


@compiling
def test_what_ends_the_wait_ends_the_processes(toy: str) -> None:
    def interrupt(_seconds: float, _kernels: int) -> None:
        raise KeyboardInterrupt

    crew = Crew(Plan(toys(toy, "low.inner", "high.inner", "outer")), 2, interrupt)
    with pytest.raises(KeyboardInterrupt):
        crew.run()
    assert crew.workers and all(worker.poll() is not None for worker in crew.workers)


@compiling
def test_processes_that_die_keep_nobody_waiting(toy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_crew, "PROGRAM", "import sys; sys.stdin.readline()")
    assert Crew(Plan(toys(toy, "low.inner", "high.inner", "outer")), 2).run() == {}
    assert not any(thread.name.startswith("Thread") and thread.is_alive() for thread in threading.enumerate()[1:])


def test_without_python_no_process_is_started(toy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", os.devnull)
    with pytest.raises(OSError, match="denied"):
        Crew(Plan([]), 1).run()


def test_a_kernel_that_is_not_there_is_not_compiled() -> None:
    assert compiled("wh_env.core.no_such_module.kernel", ["int64"]) is None
    assert compiled("wh_env.core.dice.no_such_kernel", ["int64"]) is None
