"""How strong a network is: games that are not learnt from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from wh_env.envs.vector import BattleVectorEnv

from ..intervals import wilson
from .config import Stage, TrainingConfig

TOGETHER = 32  # battles at the same time


@dataclass(frozen=True)
class Score:
    """Share of points against an opponent, with its interval of 95 %."""

    opponent: str
    games: int
    points: float
    low: float
    high: float

    @property
    def share(self) -> float:
        """Of the points, a draw counting half."""
        return self.points / self.games


def evaluate(
    config: TrainingConfig, stage: Stage, policy: MaskableActorCriticPolicy, opponent: str, games: int, seed: int
) -> Score:
    """Play ``games`` games, seats drawn, with the likeliest actions."""
    together = min(TOGETHER, games)
    env = BattleVectorEnv(
        together,
        config.ruleset,
        list(stage.battles),
        observation=config.observation,
        opponent=opponent,
        copy=False,
    )
    quota = np.array([games // together + (at < games % together) for at in range(together)])
    observations, _ = env.reset(seed=seed)
    points = 0.0
    while quota.any():
        actions, _ = policy.predict(observations, action_masks=env.action_masks(), deterministic=True)
        observations, _, terminated, truncated, told = env.step(actions)
        for at in np.flatnonzero(terminated | truncated).tolist():
            if quota[at]:
                quota[at] -= 1
                points += 0.5 + 0.5 * float(told["final_info"]["outcome"][at])
    low, high = wilson(points, games)
    return Score(opponent, games, points, float(low), float(high))
