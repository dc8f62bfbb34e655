"""Kernels that Python calls without a look at the types of what it hands over: these are those of the first call, every time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from numbers import Integral, Real
from typing import Any

import numba
import numpy as np
import pytest

from wh_env import Battle
from wh_env.agents.policies import RandomPolicy
from wh_env.content.load import names, rulesets
from wh_env.core import calls
from wh_env.core.calls import Calls
from wh_env.core.kernel import argument_types, compiled_for, kernel
from wh_env.core.tables import Array

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="kernels are plain Python")
BATTLES = [name for ruleset in rulesets() for name in names("battles", ruleset)]
ROW, WIDER = (np.dtype([(name, "f8") for name in columns]) for columns in ("ab", "abc"))
MOST = 2500  # decisions of a battle


@kernel
def added(rows: Array, number: float, count: int, doubled: bool) -> float:
    total = number
    for k in range(count):
        total += rows[k]["a"]
    return 2.0 * total if doubled else total


def as_given(kernel: Callable[..., Any], arguments: Sequence[Any]) -> list[Any]:
    """The types of arguments as what is compiled for them reads them: it does not know what is read-only, and takes numbers as its own."""
    return [writeable(kind) for kind in argument_types(kernel, arguments)]


def writeable(kind: Any) -> Any:
    """A type without its being read-only; of a tuple, those of its values."""
    if isinstance(kind, numba.types.BaseTuple):
        return tuple(map(writeable, kind.types))
    return kind.copy(readonly=False) if hasattr(kind, "layout") else kind


def fits(kind: Any, value: Any) -> bool:
    """Whether a number, or each number of a tuple, is one of the kind that the kernel takes it as."""
    if isinstance(kind, tuple):
        return all(map(fits, kind, value))
    if isinstance(kind, numba.types.Integer):
        return isinstance(value, Integral | np.bool_)
    return not isinstance(kind, numba.types.Float) or isinstance(value, Real)


def test_numbers_are_what_the_kernel_declares_whatever_the_first_call_has():
    work, rows = Calls(), np.zeros(3, ROW)
    rows["a"] = 0.25
    assert work.call(added, rows, 1, True, 0) == 1.25
    assert work.call(added, rows, 0.5, 3, True) == 2.5
    assert work.call(added, rows, np.float64(0.5), np.int32(2), np.bool_(False)) == 1.0
    assert [str(kind) for kind in argument_types(added, (rows, 1, True, 0))[1:]] == ["float64", "int64", "bool"]


def test_rows_of_another_size_are_refused():
    work = Calls()
    work.call(added, np.zeros(3, ROW), 0.0, 3, False)
    with pytest.raises(TypeError, match="can't unbox array"):
        work.call(added, np.zeros(3, WIDER), 0.0, 3, False)
    assert Calls().call(added, np.ones(3, WIDER), 0.0, 3, False) == 3.0  # of another Setup


def test_too_few_arguments_are_refused():
    work = Calls()
    with pytest.raises(TypeError):
        work.call(added, np.zeros(3, ROW), 0.0)
    work.call(added, np.zeros(3, ROW), 0.0, 3, False)
    with pytest.raises(TypeError):
        work.call(added, np.zeros(3, ROW), 0.0)


@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize("name", BATTLES)
def test_battles_hand_over_the_same_types_at_each_call(name, detail, monkeypatch):
    called: dict[Callable[..., Any], int] = {}

    def checked(kernel: Callable[..., Any], first: Sequence[Any]) -> Callable[..., Any]:
        code, kinds = compiled_for(kernel, first), as_given(kernel, first)
        known = called.setdefault(kernel, 0)

        def call(*given: Any) -> Any:
            assert as_given(kernel, given) == kinds, kernel
            assert all(map(fits, kinds, given)), kernel
            called[kernel] += 1
            return code(*given)

        assert known == 0, "one workspace, one look"
        return call

    monkeypatch.setattr(calls, "compiled_for", checked)
    battle = Battle.load(name, 11, detail=detail, record=detail == "full")
    battle.setup.idle.clear()
    policy = RandomPolicy(11)
    for _ in range(MOST):
        if battle.over:
            break
        battle.apply(policy.act(battle, battle.legal()))
    battle.setup.idle.clear()
    del battle.work, battle._lease  # nobody else is to have what checks
    assert len(called) > 4 and sum(called.values()) > 100
