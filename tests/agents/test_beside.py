"""The process that plays battles beside the learning: same results, errors, ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from wh_env.agents.learning.weights import Weights, halved, to_bytes
from wh_env.agents.training.beside import CollectorBeside, CollectorLost
from wh_env.agents.training.collector import Collector
from wh_env.agents.training.config import TrainingConfig, load_config
from wh_env.agents.training.learner import Learner
from wh_env.envs.registry import environment

SKIRMISH = "w10/only-war-skirmish"
TINY = {
    "ruleset": "w10", "seed": 3, "envs": 3, "steps": 720, "device": "cpu",
    "network": {"width": 8, "heads": 1, "blocks": 1, "planes": 2, "cell": 4},
    "ppo": {"rollout": 40, "batch": 64, "epochs": 1},
    "opponents": {"anchors": {"random": 1.0, "greedy": 1.0}, "anchor_share": 0.4, "self_share": 0.3},
    "curriculum": [{"battles": [SKIRMISH]}, {"battles": ["w10/random-skirmish?seed=1"]}],
}  # fmt: skip
PATIENCE = 60  # seconds before a test that waits for something gives up


def config(tmp_path: Path, **changed: Any) -> TrainingConfig:
    file = tmp_path / "run.yaml"
    file.write_text(json.dumps({**TINY, **changed}))
    return load_config(file)


class Heard:
    """What was told of a rollout."""

    def __init__(self) -> None:
        self.decisions, self.ended = 0, list[dict[str, Any]]()

    def __call__(self, decisions: int, ended: list[dict[str, Any]]) -> None:
        self.decisions += decisions
        self.ended += ended


def arrays(buffer: Any) -> dict[str, Any]:
    seen = buffer.observations if isinstance(buffer.observations, dict) else {"seen": buffer.observations}
    names = ("actions", "rewards", "returns", "episode_starts", "values", "log_probs", "advantages", "action_masks")
    return {
        **{f"seen {name}": part.copy() for name, part in seen.items()},
        **{n: getattr(buffer, n).copy() for n in names},
    }


def another(learner: Learner) -> dict[str, torch.Tensor]:
    """Other weights of the same network."""
    torch.manual_seed(9)
    return {name: part + 0.1 * torch.randn_like(part) for name, part in learner.policy.state_dict().items()}


def file_of(run: TrainingConfig, weights: dict[str, torch.Tensor]) -> bytes:
    """A network that may join the pool."""
    return to_bytes(
        Weights(
            ruleset=run.ruleset,
            version=environment(run.ruleset).version,
            observation=run.observation,
            network=run.network.kind,
            parameters=run.network.parameters,
            state=halved(weights),
            potential=run.reward.potential,
            about={},
        )
    )


@pytest.mark.parametrize("observation", ["vector", "entities"])
def test_rollouts_beside_are_those_of_this_process(tmp_path, observation):
    """Weights, a network that joins, a new stage, battles that go on from a state: to the last bit."""
    run = config(tmp_path, observation=observation)
    here = Collector(run, tmp_path / "here")
    room = [here.actor.make_buffer() for _ in range(2)]
    there = CollectorBeside(run, tmp_path / "there", room)
    weights = another(here.actor)
    for collector in (here, there):
        collector.load(weights)
    state: Any = None
    for number in range(1, 6):
        told = Heard(), Heard()
        one, other = (collector.collect(number, tell) for collector, tell in zip((here, there), told, strict=True))
        mine, yours = arrays(one.buffer), arrays(other.buffer)
        assert all(np.array_equal(mine[name], yours[name]) for name in mine)
        assert mine["returns"].any() and mine["action_masks"].any()
        assert one.games == other.games
        assert other.buffer is room[number % 2] and other.buffer.full
        assert told[0].decisions == told[1].decisions == run.update
        assert [info["opponent"] for info in told[0].ended] == [info["opponent"] for info in told[1].ended]
        assert here.pool.state() == there.pool.state()
        assert here.state() == there.state()
        if number == 2:
            file = file_of(run, another(here.actor))
            assert here.pool.next == there.pool.next == "snapshot-0001"
            assert here.admit(file) == there.admit(file) == "snapshot-0001"
        if number == 3:
            state = here.state()
        if number == 4:
            for collector in (here, there):
                collector.go_to(1)
            assert there.stage == 1
    for collector in (here, there):
        collector.go_to(0)
        collector.restore(state)
    assert here.state() == there.state() == state
    there.close()


def test_learning_draws_the_samples_that_sb3_draws(tmp_path):
    """Of the same rollout the same minibatches, in the same order, more than once."""
    from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer

    run = config(tmp_path)
    collector = Collector(run, tmp_path)
    ours = collector.collect(1, Heard()).buffer
    shape = run.ppo.rollout, collector.arena.observation_space, collector.arena.action_space
    theirs = MaskableRolloutBuffer(*shape, "cpu", n_envs=run.envs)
    for name, part in arrays(ours).items():
        setattr(theirs, "observations" if name.startswith("seen") else name, part)
    theirs.full = True
    for seed in (1, 2):
        np.random.seed(seed)  # noqa: NPY002 -- both draw from it
        wanted = list(theirs.get(50))
        np.random.seed(seed)  # noqa: NPY002
        found = list(ours.get(50))
        assert len(found) == len(wanted) == 3
        for one, other in zip(found, wanted, strict=True):
            for a, b in zip(one, other, strict=True):
                assert torch.equal(a.float(), b.float())


def test_errors_beside_are_raised_here_in_their_words(tmp_path):
    run = config(tmp_path)
    learner = Collector(run, tmp_path).actor
    beside = CollectorBeside(run, tmp_path, [learner.rollout_buffer])
    with pytest.raises(RuntimeError, match="Missing key") as caught:
        beside.load({})
    assert "in load_state_dict" in caught.value.__notes__[0]
    beside.load(learner.policy.state_dict())  # it goes on
    os.kill(beside.pid, signal.SIGKILL)
    with pytest.raises(CollectorLost, match=r"has ended \(exit code -9\)"):
        beside.collect(1, Heard())


PROGRAM = """
import sys, time
from pathlib import Path
from wh_env.agents.training.arena import anchors_only
from wh_env.agents.training.beside import CollectorBeside
from wh_env.agents.training.config import load_config
from wh_env.agents.training.learner import make_learner

if __name__ == "__main__":
    run = load_config(sys.argv[1])
    learner = make_learner(run, anchors_only(run, run.envs))
    beside = CollectorBeside(run, Path(sys.argv[2]), [learner.rollout_buffer])
    beside.load(learner.policy.state_dict())
    print(beside.pid, flush=True)
    while True:
        beside.collect(1, lambda decisions, ended: None)
"""


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_the_process_hears_no_ctrl_c_and_ends_with_the_program(tmp_path):
    config(tmp_path)
    (tmp_path / "program.py").write_text(PROGRAM)
    root = Path(__file__).resolve().parents[2]
    program = subprocess.Popen(
        [sys.executable, str(tmp_path / "program.py"), str(tmp_path / "run.yaml"), str(tmp_path)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(root)},
        text=True,
    )
    assert program.stdout is not None
    pid = int(program.stdout.readline())
    os.kill(pid, signal.SIGINT)
    time.sleep(0.3)
    assert alive(pid) and program.poll() is None
    program.kill()
    program.wait()
    end = time.monotonic() + PATIENCE
    while alive(pid) and time.monotonic() < end:
        time.sleep(0.02)
    assert not alive(pid)
    program.stdout.close()
