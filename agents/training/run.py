"""A training run: lessons, then updates by self-play. A run that was killed repeats the interrupted step
exactly.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from wh_env import Battle
from wh_env.core.files import write_whole
from wh_env.envs.registry import environment

from ..learning.policies import make_policy
from ..learning.weights import Weights, halved, to_bytes
from ..policies import ChoosyPolicy, check_plays, ready
from . import checkpoint
from .arena import anchors_only, number_of
from .beside import CollectorBeside
from .cloning import Lesson
from .collector import BackgroundCall, Collector, Rollout, Tell
from .config import TrainingConfig
from .evaluation import Score, evaluate
from .learner import Learner, make_learner

CLONE, UPDATE = "clone", "update"
EVALUATION = 1 << 42  # first mark of evaluations, beyond all other marks


def copy_of(learner: Learner, config: TrainingConfig) -> MaskableActorCriticPolicy:
    """A copy of the learner's network that can play alone."""
    # the random initial weights are overwritten; the learner's generator must not change
    with torch.random.fork_rng(devices=[]):
        policy = make_policy(
            config.network.kind, learner.observation_space, learner.action_space, config.network.parameters
        ).to(learner.device)
    policy.load_state_dict(learner.policy.state_dict())
    return policy


def ignore_progress(_decisions: int, _ended: list[dict[str, Any]]) -> None:
    """A ``Tell`` that does nothing."""


class Trainer:
    """The updates of a run: rollouts, and learning from them, one after the other or at the same time.

    With ``overlap`` the next rollout is played in a separate process while the network learns from the
    present one. It is therefore played by the network of one update before. PPO gets the probabilities of
    that network, which are recorded with the actions.

    Args:
        config: the run.
        folder: folder of its files.

    Attributes:
        seconds: processor time for the last rollout, and for learning from it.
    """

    def __init__(self, config: TrainingConfig, folder: Path) -> None:
        self.config = config
        self.collector: Collector | CollectorBeside
        if config.overlap:
            self.learner = make_learner(config, anchors_only(config, config.envs))
            self.collector = CollectorBeside(config, folder, [self.learner.rollout_buffer, self.learner.make_buffer()])
        else:
            self.collector = Collector(config, folder)
            self.learner = self.collector.actor
        self.seconds = 0.0, 0.0
        self._ready: Rollout | None = None  # the rollout of the next update, if it is already played
        self._before: dict[str, Any] = {}  # the state in which that rollout began

    def update(self, number: int, tell: Tell) -> tuple[dict[str, list[float]], dict[str, float]]:
        """Do update ``number``.

        Returns:
            The games of its rollout, and the figures of the update by name.
        """
        rollout = self._ready or self._collect(number, tell)
        self._ready = None
        beside: BackgroundCall[Rollout] | None = None
        if self.config.overlap and number < self.config.updates:
            self._before = {"collector": self.collector.state(), "actor": self._present()}
            self.collector.load(self._before["actor"])
            beside = BackgroundCall(lambda: self.collector.collect(number + 1, tell))
        left = 1.0 - number * self.config.update / self.config.steps
        began = time.process_time()
        measures = self.learner.learn_from(rollout.buffer, number_of(self.config.seed, number), left)
        self.seconds = rollout.seconds, time.process_time() - began
        if beside is not None:
            self._ready = beside.result()
        return rollout.games, measures

    def _collect(self, number: int, tell: Tell) -> Rollout:
        """Play the rollout of update ``number`` with the present network."""
        self.collector.load(self._present())
        return self.collector.collect(number, tell)

    def _present(self) -> dict[str, torch.Tensor]:
        """A copy of the weights of the present network."""
        return {name: tensor.clone() for name, tensor in self.learner.policy.state_dict().items()}

    def state(self) -> dict[str, Any]:
        """Everything, as plain values. Of a rollout that is already played, the state in which it began, so that
        it can be replayed.
        """
        now = {"collector": self.collector.state(), "actor": None}
        return {
            "learner": self.learner.state(),
            "begun": self._before if self._ready is not None else now,
            "pool": self.collector.pool.state(),
            "stage": self.collector.stage,
        }

    def restore(self, state: dict[str, Any], updates: int, tell: Tell) -> None:
        """Restore what ``state`` returned after ``updates`` updates.

        Raises:
            OtherBattles: the engine has changed since.
        """
        self.learner.restore(state["learner"])
        self._before = state["begun"]
        self.collector.restore(self._before["collector"])
        if self._before["actor"] is not None:
            self.collector.load(self._before["actor"])
            self._ready = self.collector.collect(updates + 1, tell)
        self.collector.restore_pool(state["pool"])
        if self.collector.stage != state["stage"]:
            self.collector.go_to(state["stage"])

    def close(self) -> None:
        """End the separate process, if there is one."""
        if isinstance(self.collector, CollectorBeside):
            self.collector.close()


def check_policies(config: TrainingConfig) -> None:
    """Check that opponents and teachers can be made and can play the battles of every stage.

    Raises:
        UnknownPolicy: one of them cannot.
    """
    specs = {*config.opponents.anchors, *config.evaluation.opponents, *(lesson.teacher for lesson in config.clone)}
    policies = {spec: ready(spec, config.seed) for spec in sorted(specs)}
    choosy = {spec: policy for spec, policy in policies.items() if isinstance(policy, ChoosyPolicy)}
    for stage in config.curriculum if choosy else ():
        setup = Battle.load(stage.battles[0], 0).setup
        for spec, policy in choosy.items():
            check_plays(spec, policy, setup)


class Run:
    """One training run in its folder.

    ``step`` does one round of a lesson or one update. Everything random in it follows from the run's seed and
    the number of the step, so a resumed run repeats the steps after its checkpoint.

    Args:
        config: the run.
        folder: folder of its files.
        resume: continue from the checkpoint there, if there is one.

    Raises:
        ContentError: the checkpoint cannot be read, or was begun with other settings.
        OtherBattles: the engine has changed since the checkpoint.
        UnknownPolicy: an opponent or a teacher cannot be made, or cannot play the battles.
    """

    def __init__(self, config: TrainingConfig, folder: Path, resume: bool = False) -> None:
        self.config, self.folder = config, folder
        check_policies(config)
        self.trainer = Trainer(config, folder)
        self.mean = copy_of(self.learner, config)
        self.stage_steps = 0
        self.updates = 0
        self.history: list[dict[str, Any]] = []
        self.seconds = 0.0
        self.best = -1.0
        self.lessons = 0  # number of finished lessons
        self.lesson: Lesson | None = None
        state = checkpoint.read(folder, config) if resume else None
        if state is not None:
            self._restore(state)

    @property
    def learner(self) -> Learner:
        """The learner."""
        return self.trainer.learner

    @property
    def collector(self) -> Collector | CollectorBeside:
        """The collector, which plays the battles."""
        return self.trainer.collector

    # ---- steps

    @property
    def steps(self) -> int:
        """Number of decisions in updates so far."""
        return self.updates * self.config.update

    @property
    def decisions(self) -> int:
        """Number of all decisions so far, lessons included."""
        done = sum(lesson.rounds * lesson.round for lesson in self.config.clone[: self.lessons])
        running = self.lesson.round * self.config.clone[self.lessons].round if self.lesson else 0
        return self.steps + done + running

    @property
    def total(self) -> int:
        """Number of decisions when the run is finished."""
        return self.config.updates * self.config.update + self.config.lessons

    @property
    def phase(self) -> str:
        """The kind of the next step: ``CLONE`` or ``UPDATE``."""
        return CLONE if self.lessons < len(self.config.clone) else UPDATE

    @property
    def finished(self) -> bool:
        """Whether all steps are done."""
        return self.phase == UPDATE and self.updates >= self.config.updates

    def step(self, tell: Tell) -> dict[str, Any]:
        """Do the next step.

        Args:
            tell: called with decisions and ended battles as they come.

        Returns:
            Its row of the history.
        """
        began = time.monotonic()
        row = self._clone(tell) if self.phase == CLONE else self._update(tell)
        row["seconds"] = time.monotonic() - began
        self.seconds += row["seconds"]
        row["elapsed"] = self.seconds
        self.history.append(row)
        # the samples of a lesson are stored in a file for each round, so every round is saved
        if row["kind"] == CLONE or self.updates % self.config.save_every == 0 or self.finished:
            self.save()
        return row

    def _clone(self, tell: Tell) -> dict[str, Any]:
        """Do a round of a lesson."""
        if self.lesson is None:
            self.lesson = Lesson(self.config, self.lessons, self.learner, self.folder)
        measures = self.lesson.step(tell)
        row: dict[str, Any] = {"kind": CLONE, "lesson": self.lessons, "number": self.lesson.round, "told": measures}
        if self.lesson.finished:
            self.lesson, self.lessons = None, self.lessons + 1
            self.mean.load_state_dict(self.learner.policy.state_dict())
            row["scores"] = self._evaluate()
        row["decisions"] = self.decisions
        return row

    def _update(self, tell: Tell) -> dict[str, Any]:
        """Do an update."""
        config, number = self.config, self.updates + 1
        stage = self.collector.stage
        games, measures = self.trainer.update(number, tell)
        self.updates = number
        self.stage_steps += config.update
        present = self.learner.policy.state_dict()
        for name, tensor in self.mean.state_dict().items():
            tensor.lerp_(present[name], 1.0 - config.average)
        row: dict[str, Any] = {
            "kind": UPDATE,
            "number": number,
            "decisions": self.decisions,
            "stage": stage,
            "games": games,
            "told": measures,
        }
        if number % config.opponents.gate.every == 0 and self.collector.pool.passes():
            row["joined"] = self.collector.admit(self.weights(self.collector.pool.next))
        if number % config.evaluation.every == 0 or self.finished:
            row["scores"] = self._evaluate()
        self._next_stage()
        return row

    def _next_stage(self) -> None:
        """Go to the next stage of the curriculum, if the present one is finished."""
        config, number = self.config, self.collector.stage
        stage = config.curriculum[number]
        if number + 1 >= len(config.curriculum):
            return
        met = self.collector.pool.standings.values()
        games = sum(standing.weight for standing in met)
        rate = sum(standing.recent for standing in met) / games if games else 0.0
        passed = stage.win_rate is not None and games >= config.opponents.gate.games and rate >= stage.win_rate
        if passed or (stage.steps is not None and self.stage_steps >= stage.steps):
            self.stage_steps = 0
            self.collector.go_to(number + 1)

    def _evaluate(self) -> dict[str, list[float]]:
        """Play the evaluation and save the network if it is the best so far.

        Returns:
            For each opponent: points, games, and limits of the share of points.
        """
        config = self.config
        scores: list[Score] = []
        for opponent in config.evaluation.opponents:
            seed = number_of(config.seed, EVALUATION)
            stage = config.curriculum[self.collector.stage]
            scores.append(evaluate(config, stage, self.mean, opponent, config.evaluation.games, seed))
        mean = float(np.mean([score.share for score in scores]))
        if mean >= self.best:
            self.best = mean
            write_whole(self.folder / checkpoint.BEST, self.weights("best of the evaluations"))
        return {score.opponent: [score.points, score.games, score.low, score.high] for score in scores}

    # ---- saving

    def close(self) -> None:
        """End the separate process, if there is one."""
        self.trainer.close()

    def weights(self, purpose: str) -> bytes:
        """The average network as a file of weights; ``purpose`` describes it."""
        config = self.config
        return to_bytes(
            Weights(
                ruleset=config.ruleset,
                version=environment(config.ruleset).version,
                observation=config.observation,
                network=config.network.kind,
                parameters=config.network.parameters,
                state=halved(self.mean.state_dict()),
                potential=config.reward.potential,
                about={
                    "what": purpose,
                    "decisions": self.decisions,
                    "config": json.dumps(config.model_dump(mode="json")),
                },
            )
        )

    def save(self) -> None:
        """Write everything. At any time either the old or the new checkpoint exists."""
        state = {
            "trainer": self.trainer.state(),
            "mean": self.mean.state_dict(),
            "lessons": self.lessons,
            "lesson": self.lesson.state() if self.lesson else None,
            "updates": self.updates,
            "stage_steps": self.stage_steps,
            "history": json.dumps(self.history),
            "seconds": self.seconds,
            "best": self.best,
        }
        checkpoint.write(self.folder, self.config, state)
        checkpoint.write_history(self.folder, self.history)
        write_whole(self.folder / checkpoint.LATEST, self.weights("latest"))

    def _restore(self, state: dict[str, Any]) -> None:
        """Restore the state in a checkpoint."""
        self.updates, self.stage_steps = state["updates"], state["stage_steps"]
        self.seconds, self.best = state["seconds"], state["best"]
        self.history = json.loads(state["history"])
        self.trainer.restore(state["trainer"], self.updates, ignore_progress)
        self.mean.load_state_dict(state["mean"])
        self.lessons = state["lessons"]
        if state["lesson"] is not None:
            self.lesson = Lesson(self.config, self.lessons, self.learner, self.folder)
            self.lesson.restore(state["lesson"])
