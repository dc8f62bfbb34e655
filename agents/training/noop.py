"""What the environment costs a training run: its throughput beside that of the same learner on an environment that does nothing."""

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

BANK = 64  # steps that are recorded
LONG = 1 << 40  # decisions of a run that does not end meanwhile


class NoOpVecEnv(VecEnv):
    """Hands out observations and masks that were recorded in battles, so that the network has as much to do as there; nothing
    follows from actions."""

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
        """Of the step."""
        return self.bank[self.at][1]

    def reset(self) -> Any:
        """The step's observations."""
        return self.bank[self.at][0]

    def step_async(self, actions: Array) -> None:
        """Nothing follows from them."""

    def step_wait(self) -> tuple[Any, Array, Array, list[dict[str, Any]]]:
        """The next recorded step."""
        self.at = (self.at + 1) % len(self.bank)
        return self.bank[self.at][0], self._rewards.copy(), self._dones.copy(), [{} for _ in range(self.num_envs)]

    def close(self) -> None:
        """Nothing to close."""

    def has_attr(self, attr_name: str) -> bool:
        """SB3 asks for ``action_masks``."""
        return hasattr(self, attr_name)

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Once for each environment asked for."""
        return [getattr(self, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """There are no attributes to set."""
        raise NotImplementedError(attr_name)

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> list[Any]:
        """``action_masks`` is the method there is."""
        masks = self.action_masks()
        return [masks[at] for at in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """None is."""
        return [False for _ in self._get_indices(indices)]

    def get_images(self) -> Sequence[Any]:
        """None."""
        return [None for _ in range(self.num_envs)]


class Silence(BaseCallback):
    """MaskablePPO's loop tells somebody."""

    def _on_step(self) -> bool:
        return True


@dataclass(frozen=True)
class Throughput:
    """Decisions of the learner by second, learning included.

    Attributes:
        battles: in battles. nothing: where nothing happens, by number of torch threads.
        playing, learning: seconds of processor time a decision in battles takes; idling: a decision where nothing happens, on the threads of
        the run. updates: of each; the fastest counts.
    """

    battles: float
    nothing: dict[int, float]
    playing: float
    learning: float
    idling: float
    updates: int

    @property
    def share(self) -> float:
        """Throughput in battles as part of the highest on the environment that does nothing."""
        return self.battles / max(self.nothing.values())

    @property
    def ceiling(self) -> float:
        """Decisions by second if playing and learning ran side by side and did not disturb each other."""
        return 1.0 / max(self.playing, self.learning)


def compare(
    config: TrainingConfig, folder: Path, updates: int = 3, tell: Callable[[int], None] = lambda _done: None
) -> Throughput:
    """Run ``updates`` updates of each in turn, after one to warm up; ``tell`` hears how many are done.

    Both learn with MaskablePPO, the same network and settings. Where nothing happens it is MaskablePPO's own loop; if the run uses a
    second core (``overlap``), torch gets all cores there as well, and the faster of both counts. No rollout is left early
    (``target_kl``), so each update is the same work. ``folder`` is for files that are not needed after.
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
    done, spent = 0, [math.inf] * 3
    for number in range(updates + 1):
        began = time.perf_counter()
        trainer.update(number + 1, lambda _decisions, _ended: None)
        battles = max(battles, config.update / (time.perf_counter() - began) if number else 0.0)
        if number:
            spent[:2] = (min(pair) for pair in zip(spent[:2], trainer.seconds, strict=True))
        tell(done := done + 1)
        for count in threads:
            torch.set_num_threads(count)
            began, processor = time.perf_counter(), time.process_time()
            idle.collect_rollouts(nothing, silence, idle.rollout_buffer, idle.n_steps)
            idle.learn_from(idle.rollout_buffer, number, 1.0)
            rates[count] = max(rates[count], config.update / (time.perf_counter() - began) if number else 0.0)
            if number and count == config.threads:
                spent[2] = min(spent[2], time.process_time() - processor)
            tell(done := done + 1)
        torch.set_num_threads(config.threads)
    trainer.close()
    playing, learning, idling = (seconds / config.update for seconds in spent)
    return Throughput(battles, rates, playing, learning, idling, updates)
