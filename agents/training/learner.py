"""MaskablePPO with one update at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.vec_env import VecEnv

from wh_env.core.tables import Array

from ..learning.inference import Answers, drawn
from ..learning.policies import NETWORKS
from .buffers import StandingDictRolloutBuffer, StandingRolloutBuffer
from .config import TrainingConfig

ENDED = "terminal_observation"
Told = Callable[[list[dict[str, Any]]], None]


class Learner(MaskablePPO):
    """MaskablePPO without its own loop: ``collect`` fills a buffer, ``learn_from`` learns from it."""

    def begin(self, observations: Any, starts: Array) -> None:
        """Continue from these observations; ``starts``: which battles have just begun, bool of shape (battles,)."""
        self._last_obs, self._last_episode_starts = observations, starts
        self._setup_learn(0, reset_num_timesteps=False)
        self.set_logger(silent())

    @property
    def playing(self) -> bool:
        """Whether there are battles to continue."""
        return self._last_obs is not None

    def leave(self) -> None:
        """Give up the battles; call ``begin`` before the next rollout."""
        self._last_obs = None

    @property
    def starts(self) -> Array:
        """Which battles have just begun, bool of shape (battles,)."""
        return np.asarray(self._last_episode_starts).astype(np.bool_)

    def make_buffer(self) -> Any:
        """A further buffer for rollouts."""
        assert self.rollout_buffer_class is not None
        return self.rollout_buffer_class(
            self.n_steps,
            self.observation_space,
            self.action_space,
            device=self.device,
            gamma=self.gamma,
            gae_lambda=self.gae_lambda,
            n_envs=self.n_envs,
        )

    def collect(self, answers: Answers, random: np.random.Generator, told: Told, buffer: Any) -> None:
        """Fill a buffer as ``collect_rollouts`` of stable-baselines3 does, with actions drawn by ``random``.

        Args:
            answers: computes log-probabilities and values of the network.
            random: draws the actions.
            told: called after each step with the infos of battles that ended in it.
            buffer: the buffer to fill.
        """
        env, dones = self.env, self.starts
        assert env is not None
        buffer.reset()
        for _ in range(self.n_steps):
            seen, starts, masks = self._last_obs, self._last_episode_starts, get_action_masks(env).astype(np.bool_)
            logits, values = answers(seen, masks)
            actions = drawn(logits, random.random(len(logits)))
            log_probs = logits[np.arange(len(actions)), actions]
            self._last_obs, rewards, dones, infos = env.step(actions)
            self._last_episode_starts = dones
            told([info for info in infos if ENDED in info])
            for at in np.flatnonzero(dones).tolist():
                if infos[at].get("TimeLimit.truncated"):
                    last = infos[at][ENDED]
                    last = {name: part[None] for name, part in last.items()} if isinstance(last, dict) else last[None]
                    rewards[at] += self.gamma * answers(last, np.ones_like(masks[:1]))[1][0]
            parts = torch.as_tensor(values), torch.as_tensor(log_probs)
            buffer.add(seen, actions, rewards, starts, *parts, action_masks=masks)
        _, values = answers(self._last_obs, np.ones_like(masks))
        buffer.compute_returns_and_advantage(last_values=torch.as_tensor(values), dones=dones)

    def learn_from(self, buffer: Any, seed: int, share_left: float) -> dict[str, float]:
        """Learn from a full buffer.

        Args:
            buffer: the rollout.
            seed: seed of the order of samples.
            share_left: share of the training that is left after this update.

        Returns:
            The figures of the update by name.
        """
        np.random.seed(seed & 0xFFFFFFFF)  # noqa: NPY002 -- the buffer is shuffled with it
        self.rollout_buffer = buffer
        self._current_progress_remaining = share_left
        self.set_logger(silent())
        self.train()
        return {name: float(value) for name, value in self.logger.name_to_value.items()}

    def state(self) -> dict[str, Any]:
        """Network, optimiser and counter of updates."""
        return {
            "policy": self.policy.state_dict(),
            "optimiser": self.policy.optimizer.state_dict(),
            "updates": self._n_updates,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restore what ``state`` returned."""
        self.policy.load_state_dict(state["policy"])
        self.policy.optimizer.load_state_dict(state["optimiser"])
        self._n_updates = state["updates"]


def silent() -> Logger:
    """A logger that only remembers."""
    return Logger(folder=None, output_formats=[])


def make_learner(config: TrainingConfig, env: VecEnv) -> Learner:
    """The untrained learner of a run."""
    ppo = config.ppo

    def rate(share_left: float) -> float:
        return ppo.final_learning_rate + share_left * (ppo.learning_rate - ppo.final_learning_rate)

    torch.set_num_threads(config.threads)
    several = isinstance(env.observation_space, spaces.Dict)
    return Learner(
        NETWORKS[config.network.kind],
        env,
        learning_rate=rate,
        n_steps=ppo.rollout,
        batch_size=ppo.batch,
        n_epochs=ppo.epochs,
        gamma=ppo.gamma,
        gae_lambda=ppo.gae_lambda,
        clip_range=ppo.clip,
        ent_coef=ppo.entropy,
        vf_coef=ppo.value,
        max_grad_norm=ppo.max_grad_norm,
        target_kl=ppo.target_kl,
        rollout_buffer_class=StandingDictRolloutBuffer if several else StandingRolloutBuffer,
        policy_kwargs=dict(config.network.parameters),
        seed=config.seed,
        device=config.device,
    )
