"""Training runs: what they learn from, whom they meet, and that they go on where they were."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import re
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import yaml
from typer.testing import CliRunner

from wh_env import Battle, ContentError
from wh_env.agents.learning.weights import read as read_weights
from wh_env.agents.training import checkpoint
from wh_env.agents.training.arena import Arena, OtherBattles, digest, reward_of
from wh_env.agents.training.config import (
    OpponentsConfig,
    RewardConfig,
    TrainingConfig,
    assignments,
    load_config,
    shipped,
)
from wh_env.agents.training.noop import compare
from wh_env.agents.training.opponents import PooledOpponents
from wh_env.agents.training.pool import SELF, Pool
from wh_env.agents.training.run import Run
from wh_env.agents.training.samples import WHOLE, Collected, Memory, Samples, returns_of
from wh_env.content.load import config_root
from wh_env.envs.registry import environment, rulesets
from wh_env.envs.rewards import survivors, victory_points

SKIRMISH = "w10/only-war-skirmish"
TINY = {
    "ruleset": "w10", "seed": 3, "envs": 3, "steps": 6 * 3 * 40, "save_every": 1, "device": "cpu",
    "network": {"width": 8, "heads": 1, "blocks": 1, "planes": 2, "cell": 4},
    "ppo": {"rollout": 40, "batch": 64, "epochs": 1},
    "opponents": {
        "anchors": {"random": 1.0, "greedy": 1.0}, "anchor_share": 0.4, "self_share": 0.3,
        "gate": {"every": 2, "games": 0, "win_rate": 0.0, "keep": 2},
    },
    "evaluation": {"every": 100, "games": 1, "opponents": ["random"]},
}  # fmt: skip
LESSON = {"teacher": "greedy", "rounds": 2, "samples": 120, "envs": 2, "epochs": 1, "batch": 64}


def config(tmp_path: Path, **changed: Any) -> TrainingConfig:
    file = tmp_path / "run.yaml"
    ruleset = changed.get("ruleset", "w10")
    raw = {**TINY, "curriculum": [{"battles": [environment(ruleset).skirmish]}], **changed}
    file.write_text(json.dumps(raw))
    return load_config(file)


def silent(_decisions: int, _ended: list[dict[str, Any]]) -> None:
    """Hears nothing."""


def finish(run: Run, steps: int = 1000) -> Run:
    while steps and not run.finished:
        run.step(silent)
        steps -= 1
    return run


def told(run: Run) -> list[dict[str, Any]]:
    """The history without what took how long."""
    return [{name: row[name] for name in row if name not in ("seconds", "elapsed")} for row in run.history]


def same(one: Any, other: Any) -> bool:
    """Whether nested states are equal to the last bit."""
    if isinstance(one, torch.Tensor):
        return torch.equal(one, other)
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[name], other[name]) for name in one)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


# ---------------------------------------------------------------- configurations


@pytest.mark.parametrize("name", shipped())
def test_every_field_of_a_shipped_run_is_commented(name):
    run = load_config(name)
    assert run.name == name
    text = (config_root() / "train" / f"{name}.yaml").read_text()
    seen: set[str] = set()
    for line in text.splitlines():
        found = re.match(r"(?:\s*(?:- )?|\s+# )(\w+):", line)
        if found and found[1] not in seen:
            assert re.search(r"\S\s+# \S", line) or line.rstrip().endswith(":"), line
            seen.add(found[1])
    for fields in (
        run,
        run.network,
        run.ppo,
        run.reward,
        run.opponents,
        run.opponents.gate,
        run.evaluation,
        run.clone[0],
    ):
        assert set(type(fields).model_fields) <= seen
    assert {"battles", "steps", "win_rate"} <= seen


def test_fields_are_set_on_the_command_line():
    fields = assignments(["steps=5", "ppo.batch=32", "ppo.epochs=1", "opponents.anchors={random: 2.0}"])
    assert fields == {"steps": 5, "ppo": {"batch": 32, "epochs": 1}, "opponents": {"anchors": {"random": 2.0}}}
    run = load_config("demo", fields)
    assert (run.steps, run.ppo.batch, run.ppo.rollout) == (5, 32, load_config("demo").ppo.rollout)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (["steps"], "expected key=value"),
        (["ppo.bach=3"], "ppo.bach: 'bach' is not known"),
        (["steps=0"], "steps: 0 is not valid; expected at least 1"),
        (["network.width=30", "network.heads=4"], "network.width: 30 is not valid; expected a multiple of heads, 4"),
        (["opponents.anchors={nobody: 1.0}"], "opponents.anchors"),
        (["opponents.self_share=0.9"], "opponents.self_share: 0.9 is not valid; expected at most 1 - anchor_share"),
        (["ruleset=chess"], "ruleset: 'chess' is not known; expected one of"),
        (["curriculum=[{battles: [w10/nowhere]}]"], r"curriculum\[0\].battles\[0\]: 'w10/nowhere' is not known"),
    ],
)
def test_wrong_fields_are_named(fields, message):
    with pytest.raises(ContentError, match=message):
        load_config("demo", assignments(fields))


def test_rewards_are_shaped_as_described():
    battle = Battle.load(SKIRMISH, 1)
    battle.players.vp[0] = 30
    battle.models.alive[0] = 0
    reward = reward_of(RewardConfig(survivors=2.0, victory_points=3.0), 0.9)
    wanted = 2.0 * survivors(battle, 0) + 3.0 * victory_points()(battle, 0)
    assert reward.standing(battle, 0) == pytest.approx(wanted) == pytest.approx(-reward.standing(battle, 1))
    assert wanted != 0 and reward.gamma == 0.9
    before, other = reward.standing(battle, 0), battle.clone(1)
    battle.models.alive[1] = 0
    assert reward.standing(battle, 0) != before == reward.standing(other, 0)
    assert reward_of(RewardConfig(), 0.9).potential is None


# ---------------------------------------------------------------- the pool


def test_who_is_beaten_least_is_met_most():
    pool = Pool(OpponentsConfig(anchors={"random": 1.0, "greedy": 1.0}, anchor_share=0.6, self_share=0.1))
    for _ in range(100):
        pool.add("random", 1.0)
        pool.add("greedy", 0.2)
    weights = pool.weights()
    assert weights["greedy"] > 4 * weights["random"] > 0
    assert weights["random"] + weights["greedy"] == pytest.approx(0.6)
    assert weights[SELF] == pytest.approx(0.4)  # there are no snapshots yet
    pool.admit()
    pool.admit()
    pool.activate(np.random.default_rng(0))
    weights = pool.weights()
    assert sum(weights.values()) == pytest.approx(1.0)
    assert weights[SELF] == pytest.approx(0.1)
    assert sum(weights[name] for name in pool.active) == pytest.approx(0.3)
    random_ = np.random.default_rng(1)
    drawn = [pool.draw(random_) for _ in range(2000)]
    assert abs(drawn.count("greedy") / 2000 - weights["greedy"]) < 0.04


def test_the_gate_opens_for_who_wins():
    gate = {"games": 10, "win_rate": 0.6, "keep": 2}
    pool = Pool(OpponentsConfig.model_validate({"anchors": {"random": 1.0}, "gate": gate}))
    for points in [1.0] * 9:
        pool.add("random", points)
    assert not pool.passes()  # too few games
    pool.add("random", 0.0)
    assert pool.passes()
    first, gone = pool.admit()
    assert not gone and not pool.passes()  # games count from the last admission on, and against snapshots now
    for _ in range(10):
        pool.add("random", 1.0)
        pool.add(first, 0.5)
    assert not pool.passes()
    for _ in range(5):
        pool.add(first, 1.0)
    assert pool.passes()
    second, _ = pool.admit()
    pool.add(second, 0.0)
    third, gone = pool.admit()
    assert gone == [first] and pool.snapshots == [second, third]  # the one beaten most surely leaves
    other = Pool(pool.config)
    other.restore(json.loads(json.dumps(pool.state())))
    assert other.state() == pool.state() and other.weights() == pool.weights()


# ---------------------------------------------------------------- samples


def test_returns_are_discounted_to_the_end_of_the_battle():
    rewards = np.array([[1.0, 0.0], [0.0, 2.0], [4.0, 0.0], [8.0, 1.0]])
    dones = np.array([[False, False], [False, True], [True, False], [False, False]])
    returns, known = returns_of(rewards, dones, 0.5)
    assert returns.tolist() == [[2.0, 1.0], [2.0, 2.0], [4.0, 0.5], [8.0, 1.0]]
    assert known.tolist() == [[True, True], [True, True], [True, False], [False, False]]


@pytest.mark.parametrize("parts", [{WHOLE: (6,)}, {"a": (2, 3), "b": (4,)}])
def test_samples_come_back_from_their_file(parts):
    random_ = np.random.default_rng(0)
    collected = Collected()
    wanted = []
    for _ in range(5):
        seen = {n: (random_.integers(-4, 5, (2, *s)) / 4).astype(np.float32) for n, s in parts.items()}
        for part in seen.values():
            part[..., 1] = 0.0
        masks, actions = random_.random((2, 11)) < 0.5, random_.integers(11, size=2)
        wanted.append((seen, masks, actions))
        collected.add(seen.get(WHOLE, seen), masks, actions, np.ones(2), np.ones(2, np.bool_))
    samples = Samples.from_bytes(collected.done(0.9).to_bytes())
    memory = Memory(parts, 11)
    memory.rounds = [samples, samples]
    chosen = np.array([9, 0, 13])  # the last one is of the second round
    observations, masks, actions, returns, known = memory.batch(chosen)
    for row, number in enumerate(chosen % 10):
        seen, legal, acted = wanted[number // 2]
        for name, part in seen.items():
            found = observations if name == WHOLE else observations[name]
            assert torch.equal(found[row], torch.from_numpy(part[number % 2]))
        assert masks[row].tolist() == legal[number % 2].tolist()
        assert actions[row] == acted[number % 2]
    assert returns.tolist() == [1.0] * 3 and known.tolist() == [1.0] * 3
    assert sum(part.shape[1] for part in samples.columns.values() if part.ndim > 1) == 0
    assert sum(len(columns) for columns in samples.columns.values()) < sum(int(np.prod(s)) for s in parts.values())


# ---------------------------------------------------------------- battles played again


def arena(run: TrainingConfig) -> Arena:
    pool = Pool(run.opponents.model_copy(update={"anchor_share": 1.0, "self_share": 0.0}))
    return Arena(run, run.curriculum[0], PooledOpponents(run.envs, pool, lambda _name: None))  # type: ignore[arg-type, return-value]


def wander(place: Arena, random_: np.random.Generator, steps: int) -> Iterator[tuple[Any, ...]]:
    for _ in range(steps):
        masks = place.batch.action_masks()
        yield place.step(np.array([random_.choice(np.flatnonzero(mask)) for mask in masks]))


def test_battles_go_on_where_they_were(tmp_path):
    """Some have just begun, some are old, some are the second in their place since the last mark."""
    run = config(tmp_path)
    one, other = arena(run), arena(run)
    one.mark(1)
    one.reset()
    random_ = np.random.default_rng(6)
    ends = 0
    for number, (*_, dones, _infos) in enumerate(wander(one, random_, 430)):
        ends += int(dones.sum())
        if number % 150 == 149:
            one.mark(number)
    assert ends > 3 and any(before for _, before in one.origins)
    kept = json.loads(json.dumps(one.state()))
    seen = other.restore(kept)
    assert [digest(battle) for battle in other.battles] == [digest(battle) for battle in one.battles]
    assert np.array_equal(seen, one.duels.observations)
    assert other.opponents.members == one.opponents.members
    assert (other.origins, other.actions) == (one.origins, one.actions)
    for place in (one, other):
        place.mark(1000)
    random_, again = np.random.default_rng(6), np.random.default_rng(6)
    for (a, b, c, _), (x, y, z, _) in zip(wander(one, random_, 130), wander(other, again, 130), strict=True):
        assert np.array_equal(a, x) and np.array_equal(b, y) and np.array_equal(c, z)
    assert one.state() == other.state()
    kept["battles"][0]["digest"] = "0"
    with pytest.raises(OtherBattles, match="battle 0 came out otherwise"):
        other.restore(kept)


# ---------------------------------------------------------------- whole runs


@pytest.mark.parametrize("ruleset", rulesets())
@pytest.mark.parametrize(("network", "observation"), [("entity", "vector"), ("mlp", "entities")])
def test_the_same_code_trains_on_every_ruleset(tmp_path, ruleset, network, observation):
    kind = {"kind": network, **TINY["network"], "layers": [8]}  # type: ignore[dict-item]
    changed = {"ruleset": ruleset, "network": kind, "observation": observation, "clone": [{**LESSON, "rounds": 1}]}
    run = finish(Run(config(tmp_path, **changed, steps=120), tmp_path / "run"))
    assert [row["kind"] for row in run.history] == ["clone", "update"]
    kept = read_weights(tmp_path / "run" / checkpoint.LATEST)
    assert (kept.ruleset, kept.network, kept.observation) == (ruleset, network, observation)
    assert kept.potential == {"survivors": 0.0, "victory_points": 0.0}
    assert "scores" in run.history[-1]


def curriculum() -> list[dict[str, Any]]:
    return [{"battles": [SKIRMISH], "steps": 360}, {"battles": ["w10/random-skirmish?seed=1", SKIRMISH]}]


@pytest.fixture(scope="module")
def straight(tmp_path_factory) -> tuple[Run, Path]:
    """A run that nothing happened to."""
    folder = tmp_path_factory.mktemp("straight")
    run = finish(Run(config(folder, clone=[LESSON], curriculum=curriculum()), folder / "run"))
    return run, folder / "run"


def test_a_run_has_stages_snapshots_and_a_history(straight):
    run, folder = straight
    assert [row["kind"] for row in run.history] == ["clone"] * 2 + ["update"] * 6
    assert [row["stage"] for row in run.history[2:]] == [0, 0, 0, 1, 1, 1]
    assert [row.get("joined") for row in run.history[2:]] == [
        None, "snapshot-0001", None, "snapshot-0002", None, "snapshot-0003",
    ]  # fmt: skip
    assert len(run.collector.pool.snapshots) == 2
    games = [sum(met[1] for met in row["games"].values()) for row in run.history[2:]]
    assert sum(games) == sum(standing.games for standing in run.collector.pool.standings.values()) > 4
    assert run.decisions == run.total == run.history[-1]["decisions"]
    assert json.loads((folder / checkpoint.HISTORY).read_text()) == run.history
    rates = [row["told"]["train/learning_rate"] for row in run.history[2:]]
    assert rates == sorted(rates, reverse=True) and rates[-1] == pytest.approx(run.config.ppo.final_learning_rate)


def ended_the_same(run: Run, other: Run) -> None:
    assert told(run) == told(other)
    assert same(run.learner.state(), other.learner.state())
    assert same(run.mean.state_dict(), other.mean.state_dict())
    assert run.collector.pool.state() == other.collector.pool.state()
    assert run.collector.state() == other.collector.state()


def test_a_resumed_run_ends_the_same_to_the_last_bit(straight, tmp_path):
    """Left after the first round of cloning, in the first stage, after the change of stages and with snapshots in play."""
    wanted = config(tmp_path, clone=[LESSON], curriculum=curriculum())
    for steps in (1, 3, 2, 1):
        finish(Run(wanted, tmp_path / "run", resume=True), steps)
    ended_the_same(straight[0], finish(Run(wanted, tmp_path / "run", resume=True)))


def test_what_is_kept_is_a_mean_over_updates(tmp_path):
    run = Run(config(tmp_path, average=0.75), tmp_path / "run")
    mean = {name: tensor.clone() for name, tensor in run.learner.policy.state_dict().items()}
    for _ in range(3):
        run.step(silent)
        mean = {name: 0.75 * mean[name] + 0.25 * tensor for name, tensor in run.learner.policy.state_dict().items()}
    kept = read_weights(tmp_path / "run" / checkpoint.LATEST).state
    assert all(torch.allclose(tensor, mean[name], atol=1e-6) for name, tensor in run.mean.state_dict().items())
    assert all(torch.allclose(tensor.float(), mean[name], atol=1e-3) for name, tensor in kept.items())


def test_rollouts_beside_the_learning_are_repeated_to_the_last_bit(straight, tmp_path):
    """The one that was under way when the run ended is played again, by the network that had played it."""
    wanted = config(tmp_path, curriculum=curriculum(), overlap=True)
    one = finish(Run(wanted, tmp_path / "one"))
    for steps in (1, 2, 1):
        finish(Run(wanted, tmp_path / "other", resume=True), steps)
    ended_the_same(one, finish(Run(wanted, tmp_path / "other", resume=True)))
    assert not same(one.learner.state()["policy"], straight[0].learner.state()["policy"])
    assert [row["stage"] for row in one.history] == [0, 0, 0, 1, 1, 1]


def test_other_settings_are_not_resumed(straight, tmp_path):
    wanted = config(tmp_path, clone=[LESSON], curriculum=curriculum(), ppo={"rollout": 40, "batch": 32, "epochs": 1})
    with pytest.raises(ContentError, match=r"ppo.batch: 32 is not valid; expected 64, with which the run was begun"):
        Run(wanted, straight[1], resume=True)


def endless(folder: Path, wanted: TrainingConfig) -> None:
    """A program that trains."""
    finish(Run(wanted, folder, resume=True))


@pytest.mark.skipif(sys.platform == "win32", reason="needs fork")
def test_a_run_that_is_killed_ends_like_one_that_is_not(straight, tmp_path):
    """Killed at random moments: nothing is damaged, nothing is counted twice."""
    wanted = config(tmp_path, clone=[LESSON], curriculum=curriculum())
    fork, chance = multiprocessing.get_context("fork"), random.Random(4)
    folder = tmp_path / "run"
    killed = 0
    for _ in range(5):
        process = fork.Process(target=endless, args=(folder, wanted))
        process.start()
        process.join(chance.uniform(0.3, 1.5))
        killed += process.is_alive()
        process.kill()
        process.join()
    assert killed >= 2
    ended_the_same(straight[0], finish(Run(wanted, folder, resume=True)))


# ---------------------------------------------------------------- the program


def test_the_program_trains_and_goes_on(load_script, tmp_path):
    app, runner = load_script("train.py"), CliRunner()
    config(tmp_path, steps=240)
    command = ["--config", str(tmp_path / "run.yaml"), "--out", str(tmp_path / "out"), "--json"]
    done = runner.invoke(app, [*command, "--seed", "5", "steps=120"])
    assert done.exit_code == 0, done.output
    first = json.loads(done.stdout)
    assert (first["updates"], first["finished"], first["decisions"]) == (1, True, 120)
    assert set(first["scores"]) == {"random"}
    assert list((tmp_path / "out" / "tensorboard").iterdir())
    refused = runner.invoke(app, command)
    assert refused.exit_code == 2 and "--resume to go on with it" in refused.output
    other = runner.invoke(app, [*command, "--resume"])
    assert other.exit_code == 2 and "seed: 3 is not valid; expected 5" in other.output
    more = runner.invoke(app, [*command[:-1], "--seed", "5", "--resume"])
    assert more.exit_code == 0, more.output
    assert (
        "update 2/2: 240 of 240 decisions, " in more.output
    )  # no bar where there is no terminal: a line for each update
    assert len(rows_in(tmp_path / "out")) == 2
    assert yaml.safe_load((tmp_path / "run.yaml").read_text())["seed"] == 3


@pytest.mark.skipif(sys.platform == "win32", reason="needs fork")
def test_ctrl_c_saves_after_the_step_that_runs(load_script, straight, tmp_path):
    wanted = config(tmp_path, clone=[LESSON], curriculum=curriculum(), save_every=100)
    folder = tmp_path / "out"
    command = ["--config", str(tmp_path / "run.yaml"), "--out", str(folder), "--quiet"]

    def program() -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        load_script("train.py")(command)

    process = multiprocessing.get_context("fork").Process(target=program)
    process.start()
    end = time.monotonic() + 60
    while len(rows_in(folder)) < 2 and time.monotonic() < end:
        time.sleep(0.01)
    time.sleep(0.5)  # the updates that follow are not saved by themselves
    assert process.is_alive()
    os.kill(process.pid or 0, signal.SIGINT)
    process.join(60)
    assert process.exitcode == 130
    assert 2 < len(rows_in(folder)) < len(straight[0].history)
    before = json.loads((folder / checkpoint.HISTORY).read_text())
    run = Run(wanted.model_copy(update={"save_every": 1}), folder, resume=True)
    assert run.history == before
    ended_the_same(straight[0], finish(run))


def rows_in(folder: Path) -> list[dict[str, Any]]:
    file = folder / checkpoint.HISTORY
    return json.loads(file.read_text()) if file.exists() else []


def test_throughput_is_compared_with_an_environment_that_does_nothing(tmp_path):
    done: list[int] = []
    found = compare(config(tmp_path, envs=2, overlap=True), tmp_path / "out", updates=1, tell=done.append)
    assert done == list(range(1, len(done) + 1)) and len(done) == 2 * (1 + len(found.nothing))
    assert found.share == pytest.approx(found.battles / max(found.nothing.values())) and found.share > 0
    assert 0 < found.ceiling == 1 / max(found.playing, found.learning) and 0 < found.idling < 1
    assert 1 in found.nothing and not (tmp_path / "out").exists()
