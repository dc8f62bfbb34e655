"""Many battles at once in one process, as a Gymnasium ``VectorEnv``: one array of observations, one of masks, one of
rewards.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from wh_env.content.battle import Battle
from wh_env.core.tables import Array
from wh_env.envs.duels import RANDOM_SEAT, Duels, copied
from wh_env.envs.registry import DEFAULT_RULESET
from wh_env.envs.sources import BattleSource, checked_count, checked_reset_seed

Final = tuple[int, dict[str, Any]]  # an ended battle: its place, {"final_obs": ..., "final_info": ...}


class BattleVectorEnv(VectorEnv[Any, Any, Any]):
    """N single-agent environments (``BattleEnv``), stepped together; opponents answer in batches.

    A battle that ends is replaced in the same step (``AutoresetMode.SAME_STEP``): ``observations`` are those of the new
    battle; the last observation of the old one is ``infos["final_obs"][i]``, its last ``info`` is in
    ``infos["final_info"]``. ``action_masks()`` returns all masks as one bool array of shape (N, actions);
    ``infos["action_mask"]`` is the same as int8.

    Args:
        num_envs: how many battles.
        copy: return copies of the observations. Without, they are read-only views, which the next step overwrites where
            they change.
        others: as for ``BattleEnv`` (except ``render_mode``).
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        ruleset: str = DEFAULT_RULESET,
        battle: Any = None,
        *,
        detail: str | None = "squad",
        observation: str = "vector",
        opponent: Any = "random",
        seat: int | str = RANDOM_SEAT,
        reward: Any = "outcome",
        max_decisions: int | None = None,
        illegal: str = "forfeit",
        rules: dict[str, Any] | None = None,
        pool: int | None = None,
        renew: int = 16,
        copy: bool = True,
        buffers: dict[str, Any] | None = None,
    ) -> None:
        """See the class.

        Raises:
            ContentError: a parameter is not valid.
        """
        num_envs = checked_count("num_envs", num_envs)
        source = BattleSource(ruleset, battle, detail, observation, rules, pool, renew)
        self.duels = Duels(num_envs, source, opponent, seat, reward, max_decisions, illegal, buffers)
        self.num_envs = num_envs
        self.copy = copy
        self.single_observation_space: spaces.Space[Any] = self.duels.observation_space
        self.single_action_space: spaces.Space[Any] = spaces.Discrete(self.duels.space.size)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def __copy__(self) -> BattleVectorEnv:
        """A deep copy, because a shallow one would play the same battles."""
        return deepcopy(self)

    @property
    def battles(self) -> Sequence[Battle]:
        """The running battles, for code that wants more than observations. Do not change them."""
        return self.duels.battles

    @property
    def players(self) -> Array:
        """The seat of each learner, int of shape (N,); with ``opponent=None`` the seat that is asked."""
        return self.duels.seats.copy()

    def action_masks(self) -> Array:
        """Which actions are legal, bool of shape (N, actions)."""
        return self.duels.masks.astype(np.bool_)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin new battles.

        Args:
            seed: one number (battle *i* gets ``seed + i``), or one for each battle.
            options: ``battle``, ``rules``, ``seat`` for these battles (see ``BattleEnv.reset``); ``reset_mask`` (bool,
                shape (N,)): which battles to begin again, without it all.

        Raises:
            ContentError: an option is unknown or not valid.
        """
        duels, count = self.duels, self.num_envs
        chosen = dict(options or {})
        which = chosen.pop("reset_mask", None)
        places = list(range(count)) if which is None else np.flatnonzero(which).tolist()
        seeds = seeds_of(seed, count)
        if not isinstance(seed, Sequence | np.ndarray):
            super().reset(seed=seeds[0])
        duels.seed([given if at in places else None for at, given in enumerate(seeds)])
        for array in (duels.rewards, duels.terminated, duels.truncated, duels.forfeited):
            array[places] = 0
        duels.reset(places, chosen, [at for at in places if seeds[at] is not None])
        return self._observations(), self._infos()

    def step(self, actions: Any) -> tuple[Any, Array, Array, Array, dict[str, Any]]:
        """Answer the decision of every learner (int, shape (N,)); battles that end are replaced by new ones.

        Raises:
            IllegalAction: with ``illegal="raise"``, an action is not legal; no battle has changed.
            RuntimeError: a battle has not begun.
        """
        terminated, truncated, ends = self.advance(actions)
        infos: dict[str, Any] = {}
        for at, end in ends:
            infos = self._add_info(infos, end, at)
        return self._observations(), self.duels.rewards.copy(), terminated, truncated, {**infos, **self._infos()}

    def advance(self, actions: Any) -> tuple[Array, Array, list[Final]]:
        """Take a step whose results stand in ``duels``. Returns which battles terminated, which were truncated, and the
        end of each of them.
        """
        duels = self.duels
        duels.step(actions)
        terminated, truncated = duels.terminated.copy(), duels.truncated.copy()
        done = np.flatnonzero(terminated | truncated).tolist()
        ends = [(at, {"final_obs": copied(duels.row(at)), "final_info": duels.info(at)}) for at in done]
        if done:
            for array in (duels.terminated, duels.truncated, duels.forfeited):
                array[done] = False
            duels.reset(done)
        return terminated, truncated, ends

    def _observations(self) -> Any:
        """The observations of all battles, copied if ``copy``."""
        return copied(self.duels.observations) if self.copy else self.duels.observations

    def _infos(self) -> dict[str, Any]:
        """The infos that every battle has."""
        masks = self.duels.masks
        return infos_of(masks.copy() if self.copy else masks, self.duels.seats.copy())


def infos_of(masks: Array, seats: Array) -> dict[str, Any]:
    """The infos that every battle of a batch has, with Gymnasium's marks (``_NAME``) that say which battles have
    them.
    """
    return {
        "action_mask": masks,
        "_action_mask": np.ones(len(seats), np.bool_),
        "seat": seats,
        "_seat": np.ones(len(seats), np.bool_),
    }


def seeds_of(seed: int | Sequence[int | None] | None, count: int) -> list[int | None]:
    """A seed for each of ``count`` battles: ``seed + i``, or the one that is given for it.

    Raises:
        ValueError: there are not as many as battles. ContentError: one is not valid.
    """
    if seed is None:
        return [None] * count
    if not isinstance(seed, Sequence | np.ndarray) or isinstance(seed, str):
        first = checked_reset_seed(seed)
        return [first + at for at in range(count)]
    if len(seed) != count:
        raise ValueError(f"seed: {len(seed)} numbers; expected one for each of {count} battles")
    return [None if one is None else checked_reset_seed(one) for one in seed]


def vector_env(
    num_envs: int = 1, ruleset: str = DEFAULT_RULESET, *, processes: int = 1, **parameters: Any
) -> VectorEnv[Any, Any, Any]:
    """N battles at once, in this process or spread over several; see ``BattleVectorEnv`` and ``ProcessVectorEnv``."""
    if processes == 1:
        return BattleVectorEnv(num_envs, ruleset, **parameters)
    from wh_env.envs.processes import ProcessVectorEnv

    return ProcessVectorEnv(num_envs, ruleset, processes=processes, **parameters)
