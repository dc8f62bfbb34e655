"""The 9th edition after the 10th in one process: no kernel that both call is compiled a second time, and beside those of its own it compiles
only kernels that the 10th never calls."""

from __future__ import annotations

from typing import Any

import numba
import pytest
from kernel_versions import TENTH, told_of

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="kernels are plain Python")

NINTH = (("w9/only-war-incursion", "squad", 1), ("w9/only-war-incursion", "full", 1), ("w9/only-war-patrol", "full", 2))
# kernels of modules that the 10th edition calls, which it calls, as long as nobody looks on, only from within others
WITHIN_OTHERS = {
    "wh_env.core.geometry.straight_moves.unit_allowance",
    "wh_env.core.geometry.engaged.unit_engaged",  # Heroic Interventions
    "wh_env.core.geometry.shapes.within_reach",  # whether two models are engaged, where one enemy model is asked about
    "wh_env.core.geometry.placement.wholly_within_at",  # units embark wholly within
}


@pytest.fixture(scope="module")
def told() -> list[Any]:
    """By edition: the kernels that its battles had compiled when Python called them, and how many versions of each kernel there are then."""
    return told_of(TENTH, NINTH)


def test_no_shared_kernel_is_compiled_again(told: list[Any]) -> None:
    (_, alone), (_, both) = told
    shared = {kernel: count for kernel, count in alone.items() if count}
    assert len(shared) > 60
    assert max(shared.values()) == 1
    assert {kernel: both[kernel] for kernel in shared} == shared
    assert max(both.values()) == 1


def test_what_it_compiles_is_its_own_or_never_called_by_the_other(told: list[Any]) -> None:
    (_, alone), (new, both) = told
    new = {kernel for kernel in new if not alone.get(kernel)}  # numba also compares types for what is compiled already
    own = {kernel for kernel in new if kernel.startswith("wh_env.rulesets.w9.")}
    played = {kernel.rpartition(".")[2] for kernel, count in both.items() if count and not alone.get(kernel)}
    # by ``Workspace.call``, which is not told
    assert played >= {"count_by_keyword", "between_markers", "settle_jobs", "in_shelter", "slowing"}
    modules = {kernel.rpartition(".")[0] for kernel, count in alone.items() if count}
    assert {kernel for kernel in new - own if kernel.rpartition(".")[0] in modules} <= WITHIN_OTHERS
    assert not any(kernel.startswith("wh_env.rulesets.w9.") for kernel, count in alone.items() if count)
