"""The 8th edition after the others in one process: no kernel that they call is compiled a second time, and beside those of its own it compiles
only kernels that they never call."""

from __future__ import annotations

from typing import Any

import numba
import pytest
from kernel_versions import TENTH, told_of

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="kernels are plain Python")

NINTH = (("w9/only-war-incursion", "squad", 1), ("w9/only-war-patrol", "full", 2))
EIGHTH = (("w8/only-war", "squad", 1), ("w8/only-war", "full", 1), ("w8/only-war-skirmish", "full", 2))
OWN = "wh_env.rulesets.w8."
# kernels that the others call only from within others, and the 8th by themselves
WITHIN_OTHERS = {
    "wh_env.core.geometry.paths.limits_row",
    "wh_env.core.dice.roll_sum",
    "wh_env.core.geometry.shapes.disc_gap_at",
    "wh_env.core.geometry.shapes.within_reach",
}


@pytest.fixture(scope="module")
def told() -> list[Any]:
    """By edition, in the order 10th, 9th, 8th: see ``told_of``."""
    return told_of(TENTH, NINTH, EIGHTH)


def test_no_shared_kernel_is_compiled_again(told: list[Any]) -> None:
    _, (_, before), (_, after) = told
    shared = {kernel: count for kernel, count in before.items() if count}
    assert len(shared) > 60
    assert max(shared.values()) == 1
    assert {kernel: after[kernel] for kernel in shared} == shared
    assert max(after.values()) == 1


def test_what_it_compiles_is_its_own_or_never_called_by_the_others(told: list[Any]) -> None:
    _, (_, before), (new, _) = told
    new = {kernel for kernel in new if not before.get(kernel)}  # numba also compares types for what is compiled already
    own = {kernel for kernel in new if kernel.startswith(OWN)}
    assert {kernel.rpartition(".")[2] for kernel in own} >= {"count_models"}
    modules = {kernel.rpartition(".")[0] for kernel, count in before.items() if count}
    assert {kernel for kernel in new - own if kernel.rpartition(".")[0] in modules} <= WITHIN_OTHERS
    assert not any(kernel.startswith(OWN) for kernel, count in before.items() if count)
