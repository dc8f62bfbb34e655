"""Measure the strength of a network in games from which it does not learn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from wh_env.envs.vector import BattleVectorEnv

from ..intervals import wilson
from .config import Stage, TrainingConfig

TOGETHER = 32  # greatest number of battles at the same time


@dataclass(frozen=True)
class Score:
    """Points against an opponent, with the 95 % interval of the share of points."""

    opponent: str
    games: int
    points: float
    low: float
    high: float

    @property
    def share(self) -> float:
        """The share of points, a draw counting half."""
        return self.points / self.games


def evaluate(
    config: TrainingConfig, stage: Stage, policy: MaskableActorCriticPolicy, opponent: str, games: int, seed: int
) -> Score:
    """Play games of a network with its likeliest actions.

    Args:
        config: the run.
        stage: the stage whose battles are played.
        policy: the network.
        opponent: the opponent, as for ``policies.make``.
        games: number of games.
        seed: seed of battles, seats and dice.
    """
    together = min(TOGETHER, games)
    env = BattleVectorEnv(
        together,
        config.ruleset,
        list(stage.battles),
        observation=config.observation,
        opponent=opponent,
        copy=False,
    )
    games_left = np.array([games // together + (at < games % together) for at in range(together)])
    observations, _ = env.reset(seed=seed)
    points = 0.0
    while games_left.any():
        actions, _ = policy.predict(observations, action_masks=env.action_masks(), deterministic=True)
        observations, _, terminated, truncated, info = env.step(actions)
        for at in np.flatnonzero(terminated | truncated).tolist():
            if games_left[at]:
                games_left[at] -= 1
                points += 0.5 + 0.5 * float(info["final_info"]["outcome"][at])
    low, high = wilson(points, games)
    return Score(opponent, games, points, float(low), float(high))
