"""Many battles at once as a stable-baselines3 ``VecEnv``, with the masks where MaskablePPO looks for them.

Needs the extra ``train``.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

import gymnasium
import numpy as np
from stable_baselines3.common.vec_env import VecEnv

from wh_env.core.tables import Array
from wh_env.envs.registry import DEFAULT_RULESET
from wh_env.envs.vector import vector_env

MASKS = "action_masks"


class BattleVecEnv(VecEnv):  # type: ignore[misc]
    """N battles for ``MaskablePPO("MlpPolicy", BattleVecEnv(64, opponent="greedy"))``.

    It steps the batch of ``wh_env.vector_env`` in SB3's form: rewards are float32; the last observation of an ended
    battle is ``info["terminal_observation"]``; ``info["TimeLimit.truncated"]`` says whether it was truncated; the other
    facts of its end (``outcome``, ``victory_points``, ...) stand in the same info. The caller may keep observations and
    masks.

    Args:
        num_envs: how many battles.
        ruleset: the game.
        processes: over how many processes; 1: in this one.
        parameters: as for ``wh_env.vector_env``.
    """

    render_mode = None

    def __init__(
        self, num_envs: int = 1, ruleset: str = DEFAULT_RULESET, *, processes: int = 1, **parameters: Any
    ) -> None:
        """See the class."""
        self.batch = vector_env(num_envs, ruleset, processes=processes, **parameters)
        super().__init__(num_envs, self.batch.single_observation_space, self.batch.single_action_space)
        self._actions: Array = np.zeros(num_envs, np.int64)

    def __copy__(self) -> BattleVecEnv:
        """A deep copy, because a shallow one would play the same battles."""
        return deepcopy(self)

    def action_masks(self) -> Array:
        """Which actions are legal, bool of shape (N, actions)."""
        masks: Array = self.batch.action_masks()  # type: ignore[attr-defined]
        return masks

    def reset(self) -> Any:
        """Begin new battles, with the seeds of ``seed`` and the options of ``set_options`` if these were called.

        Raises:
            ValueError: the battles have different options.
        """
        options = [option for option in self._options if option]
        if len(options) not in (0, self.num_envs) or any(option != options[0] for option in options):
            raise ValueError("set_options: the battles of a batch are reset with the same options")
        seeds = self._seeds if any(seed is not None for seed in self._seeds) else None
        observations, _ = self.batch.reset(seed=seeds, options=options[0] if options else None)
        self._reset_seeds()
        self._reset_options()
        return observations

    def step_async(self, actions: Array) -> None:
        """Store the actions for ``step_wait``."""
        self._actions = np.asarray(actions)

    def step_wait(self) -> tuple[Any, Array, Array, list[dict[str, Any]]]:
        """Take the step with the stored actions."""
        observations, rewards, terminated, truncated, batch_infos = self.batch.step(self._actions)
        done: Array = terminated | truncated
        infos: list[dict[str, Any]] = [{"TimeLimit.truncated": False} for _ in range(self.num_envs)]
        for at in np.flatnonzero(done).tolist():
            infos[at] = {
                "TimeLimit.truncated": bool(truncated[at] and not terminated[at]),
                "terminal_observation": batch_infos["final_obs"][at],
                **{
                    name: value[at]
                    for name, value in batch_infos["final_info"].items()
                    if not name.startswith("_") and name != "action_mask"
                },
            }
        return observations, rewards.astype(np.float32), done, infos

    def close(self) -> None:
        """Close the batch."""
        self.batch.close()

    # ---- what SB3 asks single environments for

    def has_attr(self, attr_name: str) -> bool:
        """Whether the batch has this attribute; SB3 asks for ``action_masks``."""
        return hasattr(self, attr_name)

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """The value of an attribute of the batch, once for each battle that is asked for."""
        value = getattr(self, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Raises:
        NotImplementedError: always; the battles of a batch have no attributes of their own.
        """
        raise NotImplementedError(
            f"the battles of a batch have no attributes of their own; {attr_name!r} cannot be set"
        )

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> list[Any]:
        """The results of a method for the battles that are asked for; ``action_masks`` is the only one.

        Raises:
            AttributeError: it is another method.
        """
        if method_name != MASKS:
            raise AttributeError(f"the battles of a batch have no method {method_name!r}, only {MASKS!r}")
        masks = self.action_masks()
        return [masks[at] for at in self._get_indices(indices)]

    def env_is_wrapped(
        self, wrapper_class: type[gymnasium.Wrapper[Any, Any, Any, Any]], indices: Any = None
    ) -> list[bool]:
        """False for each battle: no battle of a batch is wrapped."""
        return [False for _ in self._get_indices(indices)]

    def get_images(self) -> Sequence[Any]:
        """``None`` for each battle: a batch is not drawn."""
        return [None for _ in range(self.num_envs)]
