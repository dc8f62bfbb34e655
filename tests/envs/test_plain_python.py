"""Without the compiler (``NUMBA_DISABLE_JIT=1``) the kernels are plain Python and NumPy, whose numbers
overflow where machine numbers of the compiled code do not.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from wh_env import Battle
from wh_env.envs.observation import Observer

ROOT = Path(__file__).parents[2]
STEPS = 120
BATTLES = ("w10/only-war-skirmish", "w9/only-war-patrol", "w8/only-war-skirmish", "epic/bridgehead", "wap/open-wizards")


def played(name: str) -> tuple[np.ndarray, np.ndarray]:
    """The masks [step, action] and what both seats see [step, seat, number] in a battle of random actions."""
    battle, rng = Battle.load(name, 5), np.random.default_rng(5)
    observer = Observer(battle.setup)
    masks, seen = [], []
    while not battle.over and len(masks) < STEPS:
        masks.append(battle.legal().copy())
        seen.append([observer.observe(battle, seat).copy() for seat in (0, 1)])
        battle.apply(int(rng.choice(np.flatnonzero(masks[-1]))))
    return np.array(masks), np.array(seen)


@pytest.mark.parametrize("name", BATTLES)
def test_plain_python_plays_and_shows_the_same(name, tmp_path):
    """The masks are equal; what is seen differs by the last bit of 32 at most, because compiled code rounds less."""
    code = f"import sys, runpy, numpy; numpy.savez(sys.argv[1], *runpy.run_path({__file__!r})['played'](sys.argv[2]))"
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", code, tmp_path / "plain.npz", name], check=True, env=environment, cwd=ROOT)
    with np.load(tmp_path / "plain.npz") as plain:
        masks, seen = played(name)
        assert np.array_equal(plain["arr_0"], masks)
        np.testing.assert_allclose(plain["arr_1"], seen, atol=1e-6)
