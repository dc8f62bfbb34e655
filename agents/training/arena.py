"""Battles of the learner, stored so that a later run can continue them exactly.

Stored are the beginning of each battle and every action in it; to resume, the battle is replayed. A battle
and its opponent follow from a seed of their place in the batch, which every update sets anew (``mark``). So
all randomness depends only on the run's seed and the update.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from stable_baselines3.common.vec_env import VecEnvWrapper

from wh_env.content.battle import Battle
from wh_env.core.tables import Array
from wh_env.envs.duels import copied
from wh_env.envs.rewards import Reward, make_reward
from wh_env.envs.sb3 import BattleVecEnv
from wh_env.envs.vector import BattleVectorEnv

from ..learning.player import Player
from ..learning.worth import potential_of
from .config import RewardConfig, Stage, TrainingConfig
from .opponents import PooledOpponents
from .pool import Pool


class OtherBattles(RuntimeError):
    """Replayed battles ended in another state than before: the engine or its content has changed."""


def reward_of(config: RewardConfig, gamma: float) -> Reward:
    """The reward that a config describes, with shaping for the learner's discount ``gamma``."""
    return Reward(final=make_reward(config.final).final, potential=potential_of(config.potential), gamma=gamma)


def number_of(*parts: int) -> int:
    """A seed that follows from numbers."""
    return int(np.random.SeedSequence(parts).generate_state(1, np.uint64)[0] >> np.uint64(1))


def digest(battle: Battle) -> str:
    """A hash of the state of a battle."""
    return hashlib.blake2b(battle.state_bytes(), digest_size=12).hexdigest()


class Arena(VecEnvWrapper):
    """The batch of battles of one stage.

    Args:
        config: the run.
        stage: the stage whose battles are played.
        opponents: play the other seats; their number is the number of battles.

    Attributes:
        batch: the environment of all battles.
        duels: the battles with their opponents.
        at: the present mark.
        origins: for each running battle, the mark at its beginning and the number of battles begun before it at
            that place.
        begun: for each place, the number of battles begun since the mark.
        actions: for each running battle, the learner's actions.
    """

    def __init__(self, config: TrainingConfig, stage: Stage, opponents: PooledOpponents) -> None:
        count = opponents.count
        env = BattleVecEnv(
            count,
            config.ruleset,
            battle=list(stage.battles),
            observation=config.observation,
            opponent=None,
            reward=reward_of(config.reward, config.ppo.gamma),
        )
        super().__init__(env)
        self.seed_of_run = config.seed
        self.opponents = opponents
        assert isinstance(env.batch, BattleVectorEnv)
        self.batch = env.batch
        self.duels = env.batch.duels
        self.duels.opponents = opponents
        self.at = 0
        self.origins = [(0, 0)] * count
        self.begun = [0] * count
        self.actions: list[list[int]] = [[] for _ in range(count)]
        self._chosen: Array = np.zeros(count, np.int64)

    @property
    def battles(self) -> Sequence[Battle]:
        """The running battles."""
        battles: Sequence[Battle] = self.duels.battles
        return battles

    def _place_seeds(self, mark: int) -> list[int]:
        """The seed of each place for a mark."""
        return [number_of(self.seed_of_run, mark, at) for at in range(self.num_envs)]

    def mark(self, number: int) -> None:
        """Let battles that begin from now on follow from this number, which must be new each time."""
        self.at, self.begun = number, [0] * self.num_envs
        self.duels.seed(self._place_seeds(number))

    def reset(self) -> Any:
        """Begin new battles and return their observations."""
        observations, _ = self.batch.reset()
        for at in range(self.num_envs):
            self._began(at)
        return copied(observations)

    def _began(self, at: int) -> None:
        """Record that a battle has begun at place ``at``."""
        self.origins[at] = self.at, self.begun[at]
        self.begun[at] += 1
        self.actions[at] = []

    def step_async(self, actions: Array) -> None:
        """Store the actions for the next step."""
        self._chosen = np.asarray(actions)
        self.venv.step_async(actions)

    def step_wait(self) -> Any:
        """Take the step. ``info["opponent"]`` of an ended battle is the name of its opponent."""
        observations, rewards, dones, infos = self.venv.step_wait()
        for at, (action, done) in enumerate(zip(self._chosen.tolist(), dones.tolist(), strict=True)):
            if done:
                infos[at]["opponent"] = self.opponents.before[at]
                self._began(at)
            else:
                self.actions[at].append(action)
        return observations, rewards, dones, infos

    # ---- saving

    def state(self) -> dict[str, Any]:
        """The running battles as plain values."""
        return {
            "battles": [
                {
                    "origin": list(self.origins[at]),
                    "member": self.opponents.members[at],
                    "actions": list(self.actions[at]),
                    "answers": list(self.opponents.taken[at]),
                    "digest": digest(self.battles[at]),
                }
                for at in range(self.num_envs)
            ],
        }

    def restore(self, state: Mapping[str, Any]) -> Any:
        """Replay the battles of ``state`` and return their observations. Call ``mark`` before the next step.

        Raises:
            OtherBattles: a battle ended in another state than before.
        """
        saved = state["battles"]
        self.opponents.begin_recall()
        longest = max(len(battle["actions"]) for battle in saved)
        self.batch.reset(seed=0)
        for step in range(longest, -1, -1):
            starting = [at for at, battle in enumerate(saved) if len(battle["actions"]) == step]
            self._restart(starting, saved)
            if step == 0:
                break
            masks = self.duels.masks
            actions = masks.argmax(1)
            for at, battle in enumerate(saved):
                if len(battle["actions"]) >= step:
                    action = battle["actions"][-step]
                    if not masks[at, action]:
                        raise OtherBattles(f"battle {at}: an action that was taken is not legal any more")
                    actions[at] = action
            self.batch.step(actions)
        for at, battle in enumerate(saved):
            if digest(self.battles[at]) != battle["digest"]:
                raise OtherBattles(f"battle {at} came out otherwise than it stood")
        self.opponents.end_recall()
        self.origins = [(battle["origin"][0], battle["origin"][1]) for battle in saved]
        self.actions = [list(battle["actions"]) for battle in saved]
        return copied(self.duels.observations)

    def _restart(self, places: Sequence[int], saved: Sequence[Mapping[str, Any]]) -> None:
        """Begin the battles of these places as they began originally."""
        reset_mask = np.zeros(self.num_envs, np.bool_)
        for at in places:
            mark, before = saved[at]["origin"]
            seeds: list[int | None] = [None] * self.num_envs
            seeds[at] = self._place_seeds(mark)[at]
            reset_mask[:] = False
            reset_mask[at] = True
            self.opponents.forget(at)
            for number in range(before + 1):
                if number == before:
                    self.opponents.recall(at, saved[at]["member"], saved[at]["answers"])
                self.batch.reset(seed=seeds if number == 0 else None, options={"reset_mask": reset_mask})


def anchors_only(config: TrainingConfig, count: int) -> Arena:
    """An arena of ``count`` battles of the first stage, whose opponents are all anchors, for use without a
    network.
    """
    pool = Pool(config.opponents.model_copy(update={"anchor_share": 1.0, "self_share": 0.0}))

    def nobody(name: str) -> Player:
        raise KeyError(name)

    return Arena(config, config.curriculum[0], PooledOpponents(count, pool, nobody))
