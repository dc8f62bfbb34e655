"""Which kernels count references to arrays: those that make or return some, also in a tuple, and those that call such kernels; what kernels
call is compiled without what Python needs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import numba
import numpy as np
import pytest

from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import Array

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="kernels are plain Python")


class Halves(NamedTuple):
    low: Array
    high: Array
    middle: int


class Place(NamedTuple):
    x: float
    y: float


@kernel
def first(values: Array) -> float:
    return float(values[0])


@kernel
def place(values: Array) -> Place:
    return Place(values[0], values[1])


@kernel
def made(count: int) -> float:
    return float(np.zeros(count)[0])


@kernel
def tail(values: Array) -> Array:
    return values[1:]


@kernel
def halves(values: Array) -> Halves:
    middle = len(values) // 2
    return Halves(values[:middle], values[middle:], middle)


@kernel
def both(values: Array) -> tuple[Halves, int]:
    return halves(values), 1


@kernel
def total(values: Array) -> float:
    parts = halves(values)
    return float(parts.low[0] + parts.high[0])


@kernel
def handed(parts: Halves) -> float:
    return float(parts.low[0])


@pytest.mark.parametrize(
    ("function", "counts"),
    [(first, False), (place, False), (handed, False), (made, True), (tail, True), (halves, True), (both, True), (total, True)],
)  # fmt: skip
def test_references_are_counted_where_arrays_come_back(function, counts):
    assert function.targetoptions["_nrt"] is counts


def test_an_array_outlives_what_is_returned_of_it():
    values = np.arange(6.0)
    for _ in range(3):
        assert total(values) == 3.0
        assert both(values)[0].middle == 3
    assert values.tolist() == list(range(6))


@inner_kernel
def scaled(values: Array, by: int) -> float:
    return float(values.sum()) * by


@kernel
def doubled(values: Array) -> float:
    return scaled(values, 2)


def test_an_inner_kernel_is_compiled_for_kernels_and_once_more_if_python_calls_it():
    values = np.arange(4.0)
    assert doubled(values) == 12.0
    assert scaled.signatures == []  # nothing that Python could call
    assert [scaled(values, by) for by in (3, 5)] == [18.0, 30.0]
    assert len(scaled.signatures) == 1
    assert doubled(values + 1) == 20.0


def test_both_kinds_of_code_of_an_inner_kernel_are_kept_apart():
    values = np.arange(4.0)
    assert (doubled(values), scaled(values, 2)) == (12.0, 12.0)
    files = {
        path.name.split("-")[0] + (".inner" if ".inner." in path.name else "")
        for path in Path(scaled._cache.cache_path).glob("*scaled*")
    }
    assert {name.rpartition("test_kernel.")[2] for name in files} == {"scaled", "scaled.inner"}


def test_rows_of_tables_have_the_same_names_in_every_process():
    """numba numbers types as they come: code kept by one process had the name of other code in the next, and a whole game failed to compile."""
    program = (
        "import json, sys, numba, numpy as np, wh_env.core.kernel\n"
        "rows = [np.dtype([('x', 'f8'), (name, 'i4')]) for name in sys.argv[1:]]\n"
        "print(json.dumps([str(numba.from_dtype(row).mangling_args) for row in rows]))"
    )

    def names(*columns: str) -> dict[str, str]:
        command = [sys.executable, "-c", program, *columns]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        return dict(zip(columns, json.loads(done.stdout), strict=True))

    one, other = names("a", "b"), names("c", "b", "a")
    assert one.items() < other.items()
    assert len(set(other.values())) == 3
