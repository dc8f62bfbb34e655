"""The programs in examples/, each with the smallest numbers that take it through all its code."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
BATTLE = ("--battle", "epic/bridgehead", "--opponent", "random")


def run(name: str, *arguments: str) -> str:
    """What an example prints."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "200"}
    command = [sys.executable, str(ROOT / "examples" / name), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=ROOT, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_loop_in_plain_pytorch() -> None:
    told = run("ppo_loop.py", "--ruleset", "epic", *BATTLE, "--envs", "4", "--steps", "70", "--updates", "2")
    assert [line.split(":")[0] for line in told.splitlines() if line.startswith("update ")] == ["update 1", "update 2"]
    assert "% of the points in" in told


def test_the_model_of_stable_baselines(tmp_path: Path) -> None:
    out = tmp_path / "model.zip"
    fields = ("--battle", "w10/only-war-skirmish", "--opponent", "random", "--envs", "2")
    told = run("train_sb3.py", *fields, "--steps", "256", "--battles", "2", "--out", str(out), "--json")
    assert '"won"' in told and out.is_file()


@pytest.mark.skipif(find_spec("ray") is None or find_spec("tree") is None, reason="needs the extra rllib")
def test_the_learners_of_rllib() -> None:
    told = run("train_rllib.py", "--ruleset", "epic", *BATTLE, "--iterations", "1", "--decisions", "64")
    assert "update 1: mean return" in told
