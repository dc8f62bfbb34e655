"""Environments with the mask inside the observation, under the names that other libraries look for.

RLlib's ``ActionMaskingTorchRLModule`` wants ``observations`` and ``action_mask``; PettingZoo calls the first
``observation``. ::

    from ray.rllib.algorithms.ppo import PPOConfig
    config = PPOConfig().environment(RLlibEnv, env_config={"opponent": "greedy"})
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from wh_env.envs.single import BattleEnv

MASK = "action_mask"


class MaskedObservation(gymnasium.Wrapper[Any, Any, Any, Any]):
    """A wrapper whose observations are ``{key: observation, "action_mask": mask}``.

    Args:
        env: a single-agent environment, or a wrapper of one.
        key: the name of the observation. dtype: of the mask.
    """

    def __init__(self, env: gymnasium.Env[Any, Any], key: str = "observation", dtype: Any = np.int8) -> None:
        """See the class."""
        super().__init__(env)
        self._key, self._dtype = key, dtype
        size = int(env.action_space.n)  # type: ignore[attr-defined]
        self.observation_space = spaces.Dict({key: env.observation_space, MASK: spaces.Box(0, 1, (size,), dtype)})

    def _masked(self, observation: Any, info: Mapping[str, Any]) -> dict[str, Any]:
        """The observation with the mask from ``info``."""
        return {self._key: observation, MASK: info[MASK].astype(self._dtype)}

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Reset the environment inside."""
        observation, info = self.env.reset(seed=seed, options=options)
        return self._masked(observation, info), info

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Step the environment inside."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        return self._masked(observation, info), float(reward), terminated, truncated, info


class RLlibEnv(MaskedObservation):
    """The environment for RLlib: ``env_config`` holds the parameters of ``wh_env.single_env``.

    The mask is float32, because RLlib's module adds its logarithm to the logits.
    """

    def __init__(self, config: Mapping[str, Any] | None = None) -> None:
        """``config``: the parameters."""
        super().__init__(BattleEnv(**(config or {})), "observations", np.float32)
