"""The policy ``sb3``: a model of stable-baselines3 that ``MaskablePPO.save`` wrote."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from wh_env import Battle
from wh_env.core.setup import Setup
from wh_env.core.tables import Array
from wh_env.envs.observation import box_space
from wh_env.envs.seat import Seat


class ModelPolicy:
    """Plays as a saved MaskablePPO of sb3-contrib says, which was trained on an environment of wh_env.

    It needs the extra ``train``. Reading such a file runs code of its author: use only files that you trust.

    Args:
        seed: seed of random choices.
        model: the file that ``save`` wrote.
        deterministic: take the likeliest action; otherwise draw one, as in training.

    Raises:
        ValueError: there is no such file, or the model has another observation space.
        ImportError: the extra ``train`` is not installed.
    """

    def __init__(self, seed: int = 0, *, model: str, deterministic: bool = True) -> None:
        file = Path(model)
        if not file.is_file():
            raise ValueError(f"sb3: model={model!r} is not there; expected a file that MaskablePPO.save wrote")
        try:
            from sb3_contrib import MaskablePPO
        except ImportError as error:
            raise ImportError(f"the policy 'sb3' needs {error.name}: pip install 'wh-env[train]'") from error
        self.model: Any = MaskablePPO.load(file, device="cpu")
        self.deterministic = deterministic
        form = "vector" if self.model.observation_space.shape else "entities"
        if self.model.observation_space != box_space(form):
            raise ValueError(f"sb3: model={model!r} sees something else than an observation of wh_env")
        self.seat = Seat(form)
        self.reset(seed)

    def refuses(self, setup: Setup) -> str:
        """Refuse battles with another number of actions than the model has."""
        knows, asked = self.model.action_space.n, setup.space.size
        return "" if knows == asked else f"sb3: the model knows {knows} actions, the battle has {asked}"

    def reset(self, seed: int) -> None:
        """Prepare for a new battle."""
        if not self.deterministic:
            self.model.set_random_seed(seed % 2**32)

    def act(self, battle: Battle, mask: Array) -> int:
        """The model's action.

        Raises:
            ValueError: the battle has another number of actions than the model.
        """
        if why := self.refuses(battle.setup):
            raise ValueError(why)
        seen = self.seat.observe(battle)
        legal = seen["action_mask"].astype(np.bool_)
        chosen, _ = self.model.predict(seen["observation"], action_masks=legal, deterministic=self.deterministic)
        return self.seat.action(battle, int(chosen))
