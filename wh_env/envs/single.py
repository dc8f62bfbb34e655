"""The battle as a Gymnasium environment for one learner: the opponent plays inside until the learner must decide
again.
"""

from __future__ import annotations

from copy import deepcopy
from operator import index
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from wh_env.content.battle import Battle
from wh_env.core.tables import Array
from wh_env.envs.duels import RANDOM_SEAT, Duels, copied
from wh_env.envs.pictures import FRAMES_PER_SECOND, RENDER_MODES, Pictures
from wh_env.envs.registry import DEFAULT_RULESET
from wh_env.envs.sources import BattleSource, checked_reset_seed
from wh_env.envs.spaces import is_turned, turn_action


class BattleEnv(gymnasium.Env[Any, Any]):
    """One seat of a battle.

    Observations are those of ``wh_env.envs.observation`` without the mask. The mask is ``action_masks()`` and
    ``info["action_mask"]`` (int8, as ``action_space.sample`` wants it). Whatever the opponent does before the learner
    is asked again is part of the step: if the opponent ends the battle, the step terminates with the loss.

    Args:
        ruleset: the game.
        battle: the battle: a name, a path, a dict, a list to draw from or a function; see ``BattleSource``.
        detail: ``squad`` (decisions that carry tactics) or ``full`` (every decision of the rules); ``None``: as the
            battle says.
        observation: ``vector`` (one array) or ``entities`` (a dict of arrays).
        opponent: a name, a policy, a function or a model; see ``wh_env.envs.opponents``. ``None``: the caller answers
            for both seats in turn, and rewards are those of the seat that acted.
        seat: of the learner: 0, 1 or ``random`` (drawn at each reset).
        reward: ``outcome``, ``margin``, a function or a ``Reward``; see ``wh_env.envs.rewards``.
        render_mode: ``ansi``, ``rgb_array`` or ``human``.
        max_decisions: truncate after so many decisions of both seats.
        illegal: what an illegal action does: ``forfeit`` (the battle is lost, and ``info["illegal_action"]`` is true)
            or ``raise``.
        rules: numbers and switches that override those of the mission.
        pool, renew: how battles from a function are kept; see ``BattleSource``.

    Raises:
        ContentError: a parameter is not valid; it names what was expected.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": FRAMES_PER_SECOND}  # noqa: RUF012

    def __init__(
        self,
        ruleset: str = DEFAULT_RULESET,
        battle: Any = None,
        *,
        detail: str | None = "squad",
        observation: str = "vector",
        opponent: Any = "random",
        seat: int | str = RANDOM_SEAT,
        reward: Any = "outcome",
        render_mode: str | None = None,
        max_decisions: int | None = None,
        illegal: str = "forfeit",
        rules: dict[str, Any] | None = None,
        pool: int | None = None,
        renew: int = 16,
    ) -> None:
        """See the class."""
        self._pictures = Pictures(render_mode)
        source = BattleSource(ruleset, battle, detail, observation, rules, pool, renew)
        self._duel = Duels(1, source, opponent, seat, reward, max_decisions, illegal, record=render_mode is not None)
        self.render_mode = render_mode
        self.observation_space: spaces.Space[Any] = self._duel.observation_space
        self.action_space: spaces.Space[Any] = spaces.Discrete(self._duel.space.size)
        self._over = True

    def __copy__(self) -> BattleEnv:
        """A deep copy, because a shallow one would play the same battle."""
        return deepcopy(self)

    @property
    def battle(self) -> Battle:
        """The running battle, for code that wants more than the observation. Do not change it."""
        return self._duel.battles[0]

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin a new battle and play it up to the learner's first decision.

        Args:
            seed: for the dice and for drawing the battle; ``None``: both follow from the last seed.
            options: ``battle``, ``rules``, ``seat``, for this battle only. ``battle`` may also be a ``Battle`` or its
                ``to_bytes``; it is resumed where it stands, with dice that follow from ``seed``, or with its own dice
                if there is no seed.

        Raises:
            ContentError: an option is unknown or not valid, or the seed is not valid.
        """
        seed = None if seed is None else checked_reset_seed(seed)
        super().reset(seed=seed)
        duel = self._duel
        duel.terminated[0] = duel.truncated[0] = duel.forfeited[0] = False
        # without a seed Gymnasium's generator draws the first battle, so that callers may assign np_random
        duel.seed(
            [seed if seed is not None else int(self.np_random.integers(1 << 62)) if self.battle is None else None]
        )
        duel.reset([0], options, () if seed is None else (0,))
        self._over = False
        self._pictures.mark(self.battle)
        self._pictures.shown(self.battle, self._viewer)
        return copied(duel.row(0)), duel.info(0)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Answer the learner's decision, and play on until its next one.

        Raises:
            IllegalAction: with ``illegal="raise"``, the action is not legal; nothing has changed.
            RuntimeError: the battle has ended or not begun.
        """
        if self._over:
            raise RuntimeError("no battle is running: call reset() first")
        duel = self._duel
        self._pictures.mark(self.battle)
        duel.step(np.array([index(action)]))
        terminated, truncated = bool(duel.terminated[0]), bool(duel.truncated[0])
        self._over = terminated or truncated
        self._pictures.shown(self.battle, self._viewer)
        return copied(duel.row(0)), float(duel.rewards[0]), terminated, truncated, duel.info(0)

    def action_masks(self) -> Array:
        """Which actions are legal now (bool, one for each action), as MaskablePPO asks for it."""
        mask: Array = self._duel.masks[0].astype(np.bool_)
        return mask

    def words(self) -> dict[int, str]:
        """The learner's legal actions in words."""
        if self._over or (decision := self.battle.decision) is None:
            return {}
        turned, space = is_turned(self.battle, decision.player), self._duel.space
        return {
            turn_action(space, action) if turned else action: self.battle.describe(action)
            for action in decision.options
        }

    def render(self) -> Any:
        """A picture (``rgb_array``: uint8 of shape (H, W, 3)), a text (``ansi``), or nothing but the window
        (``human``).

        What the other seat keeps secret is not drawn. Without an opponent the caller plays both seats and sees
        everything.
        """
        return self._pictures.draw(self.battle, self._viewer) if self.battle is not None else None

    @property
    def _viewer(self) -> int | None:
        """The seat whose view is drawn; ``None``: everything is drawn."""
        return int(self._duel.seats[0]) if self._duel.opponents is not None else None

    def close(self) -> None:
        """Close the window, if there is one; further calls do nothing."""
        self._pictures.close()
