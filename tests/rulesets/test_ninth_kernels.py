"""The 9th edition after the 10th in one process: no kernel that both call is compiled a second time, and beside those of its own it compiles
only kernels that the 10th never calls."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numba
import pytest

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="kernels are plain Python")
ROOT = Path(__file__).resolve().parents[2]

# battles at random: which, at which detail, from which seed
TENTH = (
    ("w10/only-war-skirmish", "squad", 1),
    ("w10/only-war-skirmish", "full", 1),
    ("w10/only-war-incursion-2", "squad", 1),
    ("w10/only-war-incursion", "full", 1),
    ("w10/only-war-strike-force", "squad", 1),
    ("w10/only-war-strike-force", "squad", 4),
)
NINTH = (("w9/only-war-incursion", "squad", 1), ("w9/only-war-incursion", "full", 1), ("w9/only-war-patrol", "full", 2))
MOST = 1500
PROGRAM = """
import json, sys
from numba.core.dispatcher import Dispatcher
from numba.core.registry import CPUDispatcher
from wh_env import Battle

called = []  # kernels that Python called for types for which there was no machine code yet
plain = Dispatcher._compile_for_args

def noted(self, *args, **kws):
    called.append(f"{self.py_func.__module__}.{self.py_func.__name__}")
    return plain(self, *args, **kws)

Dispatcher._compile_for_args = noted

def versions():
    modules = [module for name, module in list(sys.modules.items()) if name.startswith("wh_env.")]
    kernels = {kernel for module in modules for kernel in vars(module).values() if isinstance(kernel, CPUDispatcher)}
    return {f"{k.py_func.__module__}.{k.py_func.__name__}": len(k.signatures) for k in kernels}

def play(name, detail, seed):
    battle, chance = Battle.load(name, seed, detail=detail), seed
    for _ in range(int(sys.argv[2])):
        if battle.decision is None:
            break
        options = battle.decision.options
        chance = (1103515245 * chance + 12345) % 2**31
        battle.apply(options[chance // 65536 % len(options)])

told = []
for battles in json.loads(sys.argv[1]):
    called.clear()
    for described in battles:
        play(*described)
    told.append([sorted(set(called)), versions()])
print(json.dumps(told))
"""
# kernels of modules that the 10th edition calls, which it calls, as long as nobody looks on, only from within others
WITHIN_OTHERS = {
    "wh_env.core.geometry.rigid.add_rigid",  # Difficult Ground joins two masks
    "wh_env.core.geometry.rigid.apply_rigid",
    "wh_env.core.geometry.rigid.unit_allowance",
    "wh_env.core.geometry.placement.wholly_within_at",  # units embark wholly within
}


@pytest.fixture(scope="module")
def told() -> list[Any]:
    """By edition: the kernels that its battles had compiled when Python called them, and how many versions of each kernel there are then."""
    arguments = [json.dumps([TENTH, NINTH]), str(MOST)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def test_no_shared_kernel_is_compiled_again(told: list[Any]) -> None:
    (_, alone), (_, both) = told
    shared = {kernel: count for kernel, count in alone.items() if count}
    assert len(shared) > 60
    assert max(shared.values()) == 1
    assert {kernel: both[kernel] for kernel in shared} == shared
    assert max(both.values()) == 1


def test_what_it_compiles_is_its_own_or_never_called_by_the_other(told: list[Any]) -> None:
    (_, alone), (new, _) = told
    new = {kernel for kernel in new if not alone[kernel]}  # numba also compares types for what is compiled already
    own = {kernel for kernel in new if kernel.startswith("wh_env.rulesets.w9.")}
    assert {kernel.rpartition(".")[2] for kernel in own} >= {"count_models", "between_markers", "sees_all_of_one"}
    modules = {kernel.rpartition(".")[0] for kernel, count in alone.items() if count}
    assert {kernel for kernel in new - own if kernel.rpartition(".")[0] in modules} <= WITHIN_OTHERS
    assert not any(kernel.startswith("wh_env.rulesets.w9.") for kernel, count in alone.items() if count)
