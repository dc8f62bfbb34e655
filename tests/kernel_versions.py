"""What battles have compiled, seen from a process of their own: for tests that editions share their kernels."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
Battles = Sequence[tuple[str, str, int]]  # played at random: which, at which detail, from which seed

# by the 10th edition, enough to call nearly all kernels that the editions share
TENTH: Battles = (
    ("w10/only-war-skirmish", "squad", 1),
    ("w10/only-war-skirmish", "full", 1),
    ("w10/only-war-incursion-2", "squad", 1),
    ("w10/only-war-incursion", "full", 1),
    ("w10/only-war-strike-force", "squad", 1),
    ("w10/only-war-strike-force", "squad", 4),
)
MOST = 1500  # decisions of a battle
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


def told_of(*groups: Battles) -> list[Any]:
    """By group of battles, played one after the other in one process: the kernels that they had compiled when Python called them, and how
    many versions of each kernel there are then."""
    arguments = [json.dumps(groups), str(MOST)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)  # type: ignore[no-any-return]
