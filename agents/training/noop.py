"""Measure what the environment costs a training run, by comparison with the same learner on an environment that
does nothing.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecEnv

from wh_env.core.tables import Array

from .arena import Arena, anchors_only
from .config import TrainingConfig
from .learner import make_learner
from .run import Trainer

BANK = 64  # number of recorded steps
LONG = 1 << 40  # length of a run in decisions, so that it does not end during the comparison


class NoOpVecEnv(VecEnv):
    """Returns observations and masks recorded in battles, so that the network has the same work. Actions have no
    effect.

    Args:
        arena: battles to record from.
        steps: number of steps to record.
    """

    render_mode = None

    def __init__(self, arena: Arena, steps: int = BANK) -> None:
        super().__init__(arena.num_envs, arena.observation_space, arena.action_space)
        random = np.random.default_rng(0)
        self.bank: list[tuple[Any, Array]] = []
        observations = arena.reset()
        for _ in range(steps):
            masks = arena.batch.action_masks()
            self.bank.append((observations, masks))
            actions = np.array([random.choice(np.flatnonzero(mask)) for mask in masks])
            observations, *_ = arena.step(actions)
        self.at = 0
        self._rewards = np.zeros(arena.num_envs, np.float32)
        self._dones = np.zeros(arena.num_envs, np.bool_)

    def action_masks(self) -> Array:
        """The masks of the present step."""
        return self.bank[self.at][1]

    def reset(self) -> Any:
        """The observations of the present step."""
        return self.bank[self.at][0]

    def step_async(self, actions: Array) -> None:
        """Ignore the actions."""

    def step_wait(self) -> tuple[Any, Array, Array, list[dict[str, Any]]]:
        """Go to the next recorded step."""
        self.at = (self.at + 1) % len(self.bank)
        return self.bank[self.at][0], self._rewards.copy(), self._dones.copy(), [{} for _ in range(self.num_envs)]

    def close(self) -> None:
        """Do nothing."""

    def has_attr(self, attr_name: str) -> bool:
        """Whether there is such an attribute; stable-baselines3 asks for ``action_masks``."""
        return hasattr(self, attr_name)

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """The attribute, once for each environment asked for."""
        return [getattr(self, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Refuse to set attributes.

        Raises:
            NotImplementedError: always.
        """
        raise NotImplementedError(attr_name)

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> list[Any]:
        """The masks; no other method is ever asked for."""
        masks = self.action_masks()
        return [masks[at] for at in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """False for each environment."""
        return [False for _ in self._get_indices(indices)]

    def get_images(self) -> Sequence[Any]:
        """No images."""
        return [None for _ in range(self.num_envs)]


class Silence(BaseCallback):
    """A callback that does nothing; MaskablePPO's loop needs one."""

    def _on_step(self) -> bool:
        """Continue."""
        return True


@dataclass(frozen=True)
class Throughput:
    """Decisions of the learner a second, learning included.

    Attributes:
        battles: with battles.
        nothing: on the environment that does nothing, by number of torch threads.
        playing, learning: seconds of processor time a decision, with battles.
        idling: seconds of processor time a decision on the other environment, with the threads of the run.
        updates: number of measured updates of each; the fastest counts.
    """

    battles: float
    nothing: dict[int, float]
    playing: float
    learning: float
    idling: float
    updates: int

    @property
    def share(self) -> float:
        """Throughput with battles as a share of the best on the environment that does nothing."""
        return self.battles / max(self.nothing.values())

    @property
    def ceiling(self) -> float:
        """Decisions a second if playing and learning ran at the same time without disturbing each other."""
        return 1.0 / max(self.playing, self.learning)


def compare(
    config: TrainingConfig, folder: Path, updates: int = 3, tell: Callable[[int], None] = lambda _done: None
) -> Throughput:
    """Run updates of both kinds in turn, after one of each to warm up.

    Both use MaskablePPO with the same network and settings. The other environment runs in MaskablePPO's own
    loop. If the run uses a second core (``overlap``), torch there also tries all cores, and the faster
    counts. ``target_kl`` is left out, so that each update is the same work.

    Args:
        config: the run.
        folder: folder for files that are not needed afterwards.
        updates: number of updates of each kind.
        tell: called with the number of updates done.
    """
    config = config.model_copy(update={"ppo": config.ppo.model_copy(update={"target_kl": None}), "steps": LONG})
    trainer = Trainer(config, folder)
    arena = anchors_only(config, config.envs)
    arena.mark(1 << 40)
    nothing = NoOpVecEnv(arena)
    idle = make_learner(config, nothing)
    idle.begin(nothing.reset(), np.ones(config.envs, np.bool_))
    silence = Silence()
    silence.init_callback(idle)
    threads = sorted({config.threads, (os.cpu_count() or 1) if config.overlap else config.threads})
    battles, rates = 0.0, dict.fromkeys(threads, 0.0)
    updates_done, spent = 0, [math.inf] * 3
    for number in range(updates + 1):
        began = time.perf_counter()
        trainer.update(number + 1, lambda _decisions, _ended: None)
        battles = max(battles, config.update / (time.perf_counter() - began) if number else 0.0)
        if number:
            spent[:2] = (min(pair) for pair in zip(spent[:2], trainer.seconds, strict=True))
        tell(updates_done := updates_done + 1)
        for count in threads:
            torch.set_num_threads(count)
            began, processor = time.perf_counter(), time.process_time()
            idle.collect_rollouts(nothing, silence, idle.rollout_buffer, idle.n_steps)
            idle.learn_from(idle.rollout_buffer, number, 1.0)
            rates[count] = max(rates[count], config.update / (time.perf_counter() - began) if number else 0.0)
            if number and count == config.threads:
                spent[2] = min(spent[2], time.process_time() - processor)
            tell(updates_done := updates_done + 1)
        torch.set_num_threads(config.threads)
    trainer.close()
    playing, learning, idling = (seconds / config.update for seconds in spent)
    return Throughput(battles, rates, playing, learning, idling, updates)
