"""Behaviour cloning: the network learns a teacher's answers, in battles that the teacher plays and in battles
that the network plays (DAgger).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from torch.nn import functional as F

from wh_env.core.files import write_whole
from wh_env.core.tables import Array
from wh_env.envs.spaces import is_turned, turn_action

from ..policies import Policy, make
from ..policies.base import Seated
from .arena import Arena, anchors_only, number_of
from .checkpoint import SAMPLES
from .config import TrainingConfig
from .learner import Learner
from .samples import WHOLE, Collected, Memory, Samples

MARKS, MOST = 1 << 40, 1 << 20  # first mark of lessons, beyond the marks of updates; greatest number of rounds
FALL = 0.1  # learning rate of the last round, as a share of that of the first
Tell = Callable[[int, list[dict[str, Any]]], None]


class Teachers:
    """One copy of the teacher for each battle of an arena.

    Args:
        spec: the teacher, as for ``policies.make``.
        arena: the battles.
        seed: seed of the teachers.
    """

    def __init__(self, spec: str, arena: Arena, seed: int) -> None:
        self.arena = arena
        self._policies: list[Policy] = [Seated(make(spec, seed)) for _ in range(arena.num_envs)]
        for at in range(arena.num_envs):
            self.reset(at)

    def reset(self, at: int) -> None:
        """Prepare the teacher of place ``at`` for a new battle."""
        battle = self.arena.battles[at]
        self._policies[at].reset(int(battle.dice.seed_low[0]))

    def act(self) -> Array:
        """The teacher's action in each battle, as the learner's seat numbers actions; int of shape (battles,)."""
        chosen = np.zeros(self.arena.num_envs, np.int64)
        for at, (policy, battle) in enumerate(zip(self._policies, self.arena.battles, strict=True)):
            action = int(policy.act(battle, battle.legal()))
            turned = is_turned(battle, battle.clock.player[0])
            chosen[at] = turn_action(battle.setup.space, action) if turned else action
        return chosen


class Lesson:
    """One lesson: rounds of collecting samples and learning from them.

    Every round begins new battles. Everything in it follows from the run's seed, its number and the earlier
    rounds. Its samples are stored in a file, so that an interrupted run continues with the same round.

    Args:
        config: the run.
        number: number of the lesson.
        learner: the learner whose network is trained.
        folder: folder of the run.
    """

    def __init__(self, config: TrainingConfig, number: int, learner: Learner, folder: Path) -> None:
        self.config, self.clone, self.learner = config, config.clone[number], learner
        self.folder = folder / SAMPLES / f"{number}"
        self.first_mark = MARKS + MOST * number
        self.arena = anchors_only(config, self.clone.envs)
        self.optimiser = torch.optim.Adam(learner.policy.parameters(), lr=self.clone.learning_rate)
        space = learner.observation_space
        parts = dict(space.spaces) if isinstance(space, spaces.Dict) else {WHOLE: space}
        self.memory = Memory(
            {name: tuple(part.shape or ()) for name, part in parts.items()}, int(learner.action_space.n)
        )
        self.round = 0

    @property
    def mark(self) -> int:
        """The mark of this round; its randomness follows from it."""
        return self.first_mark + self.round

    @property
    def finished(self) -> bool:
        """Whether all rounds are done."""
        return self.round >= self.clone.rounds

    def file(self, number: int) -> Path:
        """The file of samples of a round."""
        return self.folder / f"{number:04d}.npz"

    def state(self) -> dict[str, Any]:
        """Everything that is neither in the network nor in the files of samples."""
        return {"round": self.round, "optimiser": self.optimiser.state_dict()}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restore what ``state`` returned, and read the files of samples."""
        self.round = state["round"]
        self.optimiser.load_state_dict(state["optimiser"])
        self.memory.rounds = [Samples.from_bytes(self.file(n).read_bytes()) for n in range(self.round)]

    def step(self, tell: Tell) -> dict[str, float]:
        """Do one round.

        Args:
            tell: called with decisions and ended battles as they come.

        Returns:
            The figures of the round by name.
        """
        torch.manual_seed(number_of(self.config.seed, self.mark))
        samples = self.collect(tell)
        write_whole(self.file(self.round), samples.to_bytes())
        self.memory.rounds.append(samples)
        first = self.memory.count - samples.count
        policy = self.learner.policy
        policy.set_training_mode(False)
        # samples that were not learnt from yet show how well the network agrees with the teacher
        fresh = np.arange(first, self.memory.count)[: 8 * self.clone.batch]
        with torch.no_grad():
            parts = [self._loss(fresh[at : at + self.clone.batch]) for at in range(0, len(fresh), self.clone.batch)]
        measures = {
            "clone/agreement": float(np.mean([part[2] for part in parts])),
            "clone/surprise": float(np.mean([float(part[0]) for part in parts])),
            "clone/value_error": float(np.mean([float(part[1]) for part in parts])),
        }
        measures["clone/loss"] = self.learn()
        self.round += 1
        return measures

    def collect(self, tell: Tell) -> Samples:
        """Play a round and return its samples."""
        clone, arena = self.clone, self.arena
        arena.mark(self.mark)
        observations = arena.reset()
        teachers = Teachers(clone.teacher, arena, self.config.seed)
        share = clone.student_share if self.round else 0.0
        student = np.arange(arena.num_envs) < round(share * arena.num_envs)
        collected = Collected()
        for _ in range(-(-clone.samples // arena.num_envs)):
            masks: Array = arena.batch.action_masks()
            teacher_actions = teachers.act()
            actions = teacher_actions.copy()
            if student.any():
                played, _ = self.learner.policy.predict(observations, action_masks=masks)
                actions[student] = played[student]
            seen = observations
            observations, rewards, dones, infos = arena.step(actions)
            collected.add(seen, masks, teacher_actions, rewards, dones)
            for at in np.flatnonzero(dones).tolist():
                teachers.reset(at)
            tell(arena.num_envs, [info for at, info in enumerate(infos) if dones[at]])
        return collected.done(self.config.ppo.gamma)

    def _loss(self, chosen: Array) -> tuple[torch.Tensor, torch.Tensor, float]:
        """Three figures for the samples with the numbers ``chosen``.

        Returns:
            Mean negative log-probability of the teacher's actions, error of the values, share of samples in
            which the likeliest action is the teacher's.
        """
        observations, masks, actions, returns, known = self.memory.batch(chosen)
        device = self.learner.device
        seen = (
            {n: p.to(device) for n, p in observations.items()}
            if isinstance(observations, dict)
            else observations.to(device)
        )
        values, log_prob, _ = self.learner.policy.evaluate_actions(seen, actions.to(device), action_masks=masks.numpy())
        error = (known.to(device) * F.mse_loss(values.flatten(), returns.to(device), reduction="none")).mean()
        likeliest = self.learner.policy.action_dist.distribution.logits.argmax(-1).cpu()
        return -log_prob.mean(), error, float((likeliest == actions).float().mean())

    def learn(self) -> float:
        """Learn from all samples, for as many steps as one round's samples need; returns the mean loss."""
        clone, policy = self.clone, self.learner.policy
        random = np.random.default_rng(number_of(self.config.seed, self.mark, 1))
        progress = self.round / max(1, clone.rounds - 1)
        for group in self.optimiser.param_groups:
            group["lr"] = clone.learning_rate * (1.0 - (1.0 - FALL) * progress)
        policy.set_training_mode(True)
        losses = []
        for _ in range(max(1, clone.epochs * clone.samples // clone.batch)):
            surprise, error, _ = self._loss(random.integers(self.memory.count, size=clone.batch))
            loss = surprise + clone.value * error
            self.optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(policy.parameters(), self.config.ppo.max_grad_norm)
            self.optimiser.step()
            losses.append(float(loss.detach()))
        policy.set_training_mode(False)
        return float(np.mean(losses))
