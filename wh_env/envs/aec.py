"""The battle as a PettingZoo AEC environment: two agents, ``player_0`` and ``player_1``, asked one decision at a time.

Either agent may be asked at any moment and several times in a row; ``agent_selection`` is whoever the battle asks.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv  # type: ignore[import-untyped]
from pettingzoo.utils import wrappers  # type: ignore[import-untyped]

from wh_env.content.battle import Battle
from wh_env.content.errors import ContentError, unknown
from wh_env.core.battle import Decision
from wh_env.core.setup import Setup
from wh_env.core.tables import Array
from wh_env.envs.observation import SIZE, Observer
from wh_env.envs.spaces import action_space, fill_mask, is_turned, observation_space, turn_action

DEFAULT_BATTLES = {"w10": "w10/only-war-incursion"}
AGENTS = ("player_0", "player_1")
SEATS = {"player_0": 0, "player_1": 1}


class Info(dict[str, Any]):
    """What there is to say about the waiting decision, worked out when it is read: ``kind``, ``words`` (for each legal action of
    the agent) and ``decisions`` so far. Empty of words for the agent that is not asked."""

    NAMES = ("kind", "words", "decisions")

    def __init__(self, environment: RawEnv, seat: int) -> None:
        super().__init__()
        self._environment = environment
        self._seat = seat

    def __missing__(self, name: str) -> Any:
        battle = self._environment.battle
        if name == "kind":
            decision = battle.decision
            return decision.kind if decision else None
        if name == "decisions":
            return int(battle.clock.decisions[0])
        if name == "words":
            return self._environment.words(self._seat)
        raise KeyError(name)

    def get(self, name: str, default: Any = None) -> Any:
        """As of a dict that has them all."""
        return self[name] if name in self else default  # noqa: SIM401  get itself

    def __contains__(self, name: object) -> bool:
        return name in self.NAMES or super().__contains__(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self.NAMES)

    def __len__(self) -> int:
        return len(self.NAMES)

    def keys(self) -> Any:
        """Names."""
        return self.NAMES

    def items(self) -> Any:
        """Names and values."""
        return [(name, self[name]) for name in self.NAMES]

    def values(self) -> Any:
        """Values."""
        return [self[name] for name in self.NAMES]

    def __reduce__(self) -> Any:
        return dict, (dict(self.items()),)

    def __deepcopy__(self, _memo: Any) -> dict[str, Any]:
        return dict(self.items())

    def copy(self) -> dict[str, Any]:
        """As an ordinary dict, of this moment."""
        return dict(self.items())


class RawEnv(AECEnv[str, dict[str, Array], int]):  # type: ignore[misc]
    """The environment without wrappers; an illegal action raises ``IllegalAction`` and changes nothing.

    ``battle`` is the running battle, for whoever wants more than the observation.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  PettingZoo reads it from the class
        "name": "w10_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        ruleset: str = "w10",
        battle: str | dict[str, Any] | None = None,
        detail: str | None = "squad",
        max_decisions: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        if ruleset not in DEFAULT_BATTLES:
            raise unknown("<env>", "ruleset", ruleset, DEFAULT_BATTLES)
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise unknown("<env>", "render_mode", render_mode, self.metadata["render_modes"])
        self.ruleset = ruleset
        self.metadata = {**self.metadata, "name": f"{ruleset}_v0"}
        self.default_battle: str | dict[str, Any] = battle if battle is not None else DEFAULT_BATTLES[ruleset]
        self.detail = detail
        self.max_decisions = max_decisions
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        self._setups: dict[str, tuple[Setup, Observer]] = {}
        self._setup, self._observer = self._prepare(self.default_battle, {})
        self._space = self._setup.space
        observed, chosen = observation_space(self._space), action_space(self._space)
        self.observation_spaces: dict[str, spaces.Space[Any]] = dict.fromkeys(AGENTS, observed)
        self.action_spaces: dict[str, spaces.Space[Any]] = dict.fromkeys(AGENTS, chosen)
        self._random = np.random.default_rng()
        self.battle: Battle = None  # type: ignore[assignment]

    def _prepare(self, battle: str | dict[str, Any], rules: dict[str, Any]) -> tuple[Setup, Observer]:
        key = repr((battle, self.detail, sorted(rules.items())))
        if key not in self._setups:
            setup = Battle.load(battle, 0, detail=self.detail, rules=rules or None).setup
            if setup.ruleset.id != self.ruleset:
                raise ContentError(
                    "<env>", "battle", battle, f"a battle of ruleset {self.ruleset}", f"is of {setup.ruleset.id}"
                )
            self._setups[key] = setup, Observer(setup)
        return self._setups[key]

    # ---- AEC

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The same space for both agents, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The same space for both agents, always the same object."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new battle. ``seed`` is of its dice; without one it follows from the last.

        ``options``: ``battle`` (a name or a dict, for this battle only), ``rules`` (numbers and switches by name); others are
        ignored, as PettingZoo's conventions ask.
        """
        if seed is not None:
            self._random = np.random.default_rng(seed)
        chosen = options or {}
        self._setup, self._observer = self._prepare(chosen.get("battle", self.default_battle), chosen.get("rules", {}))
        dice = seed if seed is not None else int(self._random.integers(1 << 62))
        self.battle = Battle(self._setup, dice)
        self._clock_player = self.battle.clock.player
        self._clock_attacker = self.battle.clock.attacker
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos = {agent: Info(self, seat) for agent, seat in SEATS.items()}
        self._skip_agent_selection = None
        self.agent_selection = AGENTS[self._clock_player[0]]
        if self.battle.over:
            self._finish()

    def step(self, action: int | None) -> None:
        """Answer the decision of ``agent_selection``; ``None`` once it is terminated or truncated."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} is asked a decision: the action must be a number, not None")
        battle, space, chosen = self.battle, self._space, int(action)
        if chosen >= space.cell and self._clock_attacker[0] != SEATS[agent]:
            chosen = turn_action(space, chosen)
        battle.apply(chosen)
        # rewards stay zero until the end, so there is nothing to accumulate before
        self._cumulative_rewards[agent] = 0.0
        if battle.clock.over[0]:
            self._finish()
            return
        self.agent_selection = AGENTS[self._clock_player[0]]
        if self.max_decisions is not None and battle.clock.decisions[0] >= self.max_decisions:
            self.truncations = dict.fromkeys(AGENTS, True)
            self._deads_step_first()

    def _finish(self) -> None:
        result = self.battle.result
        assert result is not None
        for agent, seat in SEATS.items():
            self.rewards[agent] = 0.0 if result.winner is None else 1.0 if result.winner == seat else -1.0
            self.terminations[agent] = True
        self._accumulate_rewards()
        self._deads_step_first()

    def observe(self, agent: str) -> dict[str, Array]:
        """The observation of ``agent``; its mask is all zero when it is not asked. The arrays are the caller's to keep."""
        seat = SEATS[agent]
        vector: Array = np.empty(SIZE, np.float32)
        mask: Array = np.empty(self._space.size, np.int8)
        self._observer.write(self.battle, seat, vector)
        fill_mask(self.battle, seat, mask)
        return {"observation": vector, "action_mask": mask}

    def words(self, seat: int) -> dict[int, str]:
        """The legal actions of ``seat``, as it counts them, in words."""
        battle = self.battle
        decision: Decision | None = battle.decision
        if decision is None or decision.player != seat:
            return {}
        turned = is_turned(battle, seat)
        space = self._space
        return {
            turn_action(space, action) if turned else action: battle.describe(action) for action in decision.options
        }

    def render(self) -> str | None:
        """The state of the battle in a few lines (``render_mode="ansi"``)."""
        if self.render_mode is None:
            return None
        battle = self.battle
        clock, players, units = battle.clock, battle.players, battle.units
        names = battle.setup.names
        lines = [
            f"round {clock.round[0]}, turn of player {clock.turn[0]}, victory points {players.vp[0]}:{players.vp[1]}"
        ]
        for player in (0, 1):
            alive = [f"{names['units'][u]} {units.alive[u]}" for u in battle.units_of(player) if units.alive[u] > 0]
            lines.append(f"player {player} ({names['players'][player]}): {', '.join(alive) or 'nobody left'}")
        decision = battle.decision
        lines.append(f"player {decision.player} is asked: {decision.kind}" if decision else "the battle is over")
        return "\n".join(lines)

    def close(self) -> None:
        """Nothing to release."""

    def __str__(self) -> str:
        return str(self.metadata["name"])


def raw_env(ruleset: str = "w10", **parameters: Any) -> RawEnv:
    """The AEC environment of a ruleset without wrappers: fast, and strict about illegal actions.

    Args:
        ruleset: which game.
        parameters: ``battle`` (name, path or dict; default: the ruleset's standard battle), ``detail`` (``squad`` or ``full``),
            ``max_decisions`` (truncate after so many), ``render_mode`` (``ansi``).
    """
    return RawEnv(ruleset, **parameters)


def env(ruleset: str = "w10", **parameters: Any) -> AECEnv[str, Any, Any]:
    """The AEC environment with PettingZoo's usual wrappers: an illegal action loses the game. See ``raw_env``."""
    wrapped: Any = raw_env(ruleset, **parameters)
    wrapped = wrappers.TerminateIllegalWrapper(wrapped, illegal_reward=-1)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)
