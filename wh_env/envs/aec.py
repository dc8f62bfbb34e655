"""The battle as a PettingZoo AEC environment: two agents, ``player_0`` and ``player_1``, asked one decision at a time.

Either agent may be asked at any moment and several times in a row; ``agent_selection`` is the agent that the battle
asks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from copy import deepcopy
from operator import index
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv  # type: ignore[import-untyped]
from pettingzoo.utils import wrappers  # type: ignore[import-untyped]

from wh_env.content.battle import Battle
from wh_env.core.reports import Decision
from wh_env.core.tables import OVER, Array
from wh_env.envs.pictures import FRAMES_PER_SECOND, RENDER_MODES, Pictures
from wh_env.envs.registry import DEFAULT_RULESET, environment
from wh_env.envs.rewards import make_reward, outcome
from wh_env.envs.sources import BattleSource, Ground, checked_count, checked_options, checked_reset_seed, is_saved
from wh_env.envs.spaces import action_space, fill_mask, is_turned, observation_space, turn_action

AGENTS = ("player_0", "player_1")
SEATS = {"player_0": 0, "player_1": 1}
OPTIONS = ("battle", "rules")
IGNORED = "options"  # PettingZoo's api_test passes an option of this name and expects that it has no effect


class Info(dict[str, Any]):
    """Facts about the waiting decision for one agent; each is computed when it is read.

    Keys:

    - ``decisions``: how many decisions the agent has answered since the reset. The number of the other agent's is not
      told, as it may decide in secret.
    - ``outcome``: 1, 0 or -1 for the agent at the end of the battle; 0 before, or if the battle was truncated.
    - ``victory_points``: own, other's.
    - ``kind``: for people, the name of the decision; ``None`` for the agent that is not asked, which may not know it.
    - ``words``: for people, each legal action of the agent in words; empty for the agent that is not asked.

    Iteration and deep copies show the first three alone. Libraries that turn infos into tensors cannot take words and
    want the same keys at each step.
    """

    NUMBERS = ("decisions", "outcome", "victory_points")
    WORDS = ("kind", "words")

    def __init__(self, environment: RawEnv, seat: int) -> None:
        """``seat``: of the agent that the info is for."""
        super().__init__()
        self._environment = environment
        self._seat = seat

    def __missing__(self, name: str) -> Any:
        """Compute the value of a key.

        Raises:
            KeyError: there is no such key.
        """
        battle = self._environment.battle
        if name == "kind":
            decision = battle.decision
            return decision.kind if decision and decision.player == self._seat else None
        if name == "decisions":
            return self._environment.answered[self._seat]
        if name == "words":
            return self._environment.words(self._seat)
        if name == "outcome":
            return outcome(battle, self._seat) if battle.over else 0.0
        if name == "victory_points":
            vp = battle.players.vp
            return (vp[self._seat], vp[1 - self._seat])
        raise KeyError(name)

    def get(self, name: str, default: Any = None) -> Any:
        """The value of a key, or ``default`` if there is no such key."""
        return self[name] if name in self else default  # noqa: SIM401  get itself

    def __contains__(self, name: object) -> bool:
        """Whether there is such a key, ``kind`` and ``words`` included."""
        return name in self.WORDS or name in self.keys() or super().__contains__(name)

    def __iter__(self) -> Iterator[str]:
        """The keys whose values are numbers."""
        return iter(self.keys())

    def __len__(self) -> int:
        """The number of keys whose values are numbers."""
        return len(self.keys())

    def keys(self) -> Any:
        """The keys whose values are numbers."""
        return self.NUMBERS

    def items(self) -> Any:
        """The keys and values that are numbers."""
        return [(name, self[name]) for name in self.keys()]

    def values(self) -> Any:
        """The values that are numbers."""
        return [self[name] for name in self.keys()]

    def __reduce__(self) -> Any:
        """Pickle the numbers alone, as a dict."""
        return dict, (dict(self.items()),)

    def __deepcopy__(self, _memo: Any) -> dict[str, Any]:
        """The numbers alone, as a dict."""
        return dict(self.items())

    def copy(self) -> dict[str, Any]:
        """All keys and values of this moment as an ordinary dict."""
        return {name: self[name] for name in (*self.WORDS, *self.keys())}


class RawEnv(AECEnv[str, dict[str, Any], int]):  # type: ignore[misc]
    """The environment without wrappers: an illegal action raises ``IllegalAction`` and changes nothing.

    ``battle`` is the running battle, for code that wants more than the observation. For the parameters see ``env``.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  PettingZoo reads it from the class
        "name": "wh_env",
        "render_modes": list(RENDER_MODES),
        "render_fps": FRAMES_PER_SECOND,
        "is_parallelizable": False,
    }

    def __init__(
        self,
        ruleset: str = DEFAULT_RULESET,
        battle: Any = None,
        *,
        detail: str | None = "squad",
        observation: str = "vector",
        reward: Any = "outcome",
        render_mode: str | None = None,
        max_decisions: int | None = None,
        rules: dict[str, Any] | None = None,
        pool: int | None = None,
        renew: int = 16,
    ) -> None:
        """See ``env`` for the parameters."""
        super().__init__()
        self._pictures = Pictures(render_mode)
        self._source = BattleSource(ruleset, battle, detail, observation, rules, pool, renew)
        self._reward = make_reward(reward)
        self.ruleset = ruleset
        self.metadata = {**self.metadata, "name": f"{ruleset}_v{environment(ruleset).version}"}
        self.max_decisions = None if max_decisions is None else checked_count("max_decisions", max_decisions)
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        self._ground: Ground = self._source.any()
        self._space = self._ground.setup.space
        observed, chosen = observation_space(self._space, observation), action_space(self._space)
        self.observation_spaces: dict[str, spaces.Space[Any]] = dict.fromkeys(AGENTS, observed)
        self.action_spaces: dict[str, spaces.Space[Any]] = dict.fromkeys(AGENTS, chosen)
        self._random = np.random.default_rng()
        self.battle: Battle = None  # type: ignore[assignment]

    # ---- AEC

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The space of observations, the same object for both agents in every call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The space of actions, the same object for both agents in every call."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new battle.

        Args:
            seed: for the dice and for drawing the battle; ``None``: both follow from the last seed.
            options: ``battle`` and ``rules``, for this battle only. ``battle`` may also be a ``Battle`` or its
                ``to_bytes``; it is resumed where it stands, with dice of ``seed``, or with its own dice if there is no
                seed.

        Raises:
            ContentError: an option is unknown or not valid, or the seed is not valid.
        """
        chosen = checked_options({name: value for name, value in (options or {}).items() if name != IGNORED}, OPTIONS)
        if seed is not None:
            seed = checked_reset_seed(seed)
            self._random = np.random.default_rng(seed)
            self._source.forget()
        saved: Any = chosen.get("battle")
        record = self.render_mode is not None
        if is_saved(saved):
            self._ground, battle = self._source.resume(saved)
            self.battle = battle.clone(seed)
            self.battle.recorder = [] if record else None
        else:
            self._ground = self._source.draw(self._random, saved, chosen.get("rules"))
            dice = seed if seed is not None else int(self._random.integers(1 << 62))
            self.battle = Battle(self._ground.setup, dice, record=record)
        self._watch_clock()
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.answered = [0, 0]  # decisions by seat
        self.infos = {agent: Info(self, seat) for agent, seat in SEATS.items()}
        self._skip_agent_selection = None
        self.agent_selection = AGENTS[self._clock_player[0]]
        self._standing = self._reward.standing(self.battle, 0)
        self._pictures.mark(self.battle)
        if self.battle.over:
            self._end("terminations")
        self._pictures.shown(self.battle)

    def _see_begun(self) -> None:
        """Raises:
        RuntimeError: no battle has begun.
        """
        if self.battle is None:
            raise RuntimeError("no battle is running: call reset() first")

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """What the agent that is asked sees, and its rewards since its last decision.

        Raises:
            RuntimeError: no battle has begun.
        """
        self._see_begun()
        latest: tuple[Any, float, bool, bool, dict[str, Any]] = super().last(observe)
        return latest

    def _watch_clock(self) -> None:
        """Keep views of the battle's clock, which are read at every step."""
        self._clock_player = self.battle.clock.player
        self._clock_attacker = self.battle.clock.attacker

    def __copy__(self) -> RawEnv:
        """A deep copy, because a shallow one would play the same battle."""
        return deepcopy(self)

    def __getstate__(self) -> dict[str, Any]:
        """Everything but views of the clock; infos are left out, because they must tell of the copy's battle."""
        state = {name: value for name, value in vars(self).items() if name not in ("_clock_player", "_clock_attacker")}
        if "infos" in state:
            state["infos"] = {agent: None if isinstance(info, Info) else info for agent, info in state["infos"].items()}
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore the views of the clock and the infos."""
        self.__dict__.update(state)
        if self.battle is not None:
            self._watch_clock()
            self.infos = {
                agent: Info(self, SEATS[agent]) if info is None else info for agent, info in self.infos.items()
            }

    def step(self, action: int | None) -> None:
        """Answer the decision of ``agent_selection``; pass ``None`` once that agent is terminated or truncated.

        Raises:
            IllegalAction: the action is not legal; nothing has changed.
            ValueError: ``None`` for an agent that is asked a decision, a number for one that is not, or no agent is
                left.
            RuntimeError: no battle has begun.
        """
        self._see_begun()
        agent = self.agent_selection
        if not self.agents:
            raise ValueError("nobody is left to act: call reset() first")
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} is asked a decision: the action must be a number, not None")
        battle, space, chosen = self.battle, self._space, index(action)
        if chosen >= space.cell and self._clock_attacker[0] != SEATS[agent]:
            chosen = turn_action(space, chosen)
        self._pictures.mark(battle)
        battle.apply(chosen)
        self.answered[SEATS[agent]] += 1
        self._cumulative_rewards[agent] = 0.0
        if battle.clock.over[0] == OVER:
            self._end("terminations")
        else:
            self.agent_selection = AGENTS[self._clock_player[0]]
            limit = self.max_decisions
            if limit is not None and battle.clock.decisions[0] >= limit:
                self._end("truncations")
            elif self._reward.potential is not None:
                self._shape([self.agent_selection])
        self._pictures.shown(battle)

    def _shape(self, deciding: Iterable[str]) -> None:
        """Pay the change of the potential to both agents. For the agents in ``deciding``, which decide now, the new
        potential is discounted (``Reward.gamma``).
        """
        reward, before = self._reward, self._standing
        self._standing = reward.standing(self.battle, 0)
        for agent, sign in zip(AGENTS, (1.0, -1.0), strict=True):
            rest = (reward.gamma - 1.0) * self._standing if agent in deciding else 0.0
            self.rewards[agent] = sign * (self._standing - before + rest)
        self._accumulate_rewards()

    def _end(self, how: str) -> None:
        """End the battle for both agents; ``how``: "terminations" or "truncations"."""
        if how == "terminations":
            worth = self._reward.ended(self.battle, 0) - self._standing
            self.rewards = dict(zip(AGENTS, (worth, -worth), strict=True))
            self._accumulate_rewards()
        elif self._reward.potential is not None:
            self._shape(AGENTS)
        setattr(self, how, dict.fromkeys(AGENTS, True))
        self._deads_step_first()

    def observe(self, agent: str) -> dict[str, Any]:
        """The observation of ``agent`` and its mask, which is all 0 if it is not asked. The caller may keep the arrays.

        Raises:
            RuntimeError: no battle has begun.
        """
        self._see_begun()
        seat, observer = SEATS[agent], self._ground.observer
        seen = observer.empty()
        mask: Array = np.empty(self._space.size, np.int8)
        observer.write(self.battle, seat, seen)
        fill_mask(self.battle, seat, mask)
        return {"observation": seen, "action_mask": mask}

    def words(self, seat: int) -> dict[int, str]:
        """The legal actions of ``seat``, numbered as the seat sees them, in words; empty if it is not asked.

        Raises:
            RuntimeError: no battle has begun.
        """
        self._see_begun()
        battle = self.battle
        decision: Decision | None = battle.decision
        if decision is None or decision.player != seat:
            return {}
        turned = is_turned(battle, seat)
        space = self._space
        return {
            turn_action(space, action) if turned else action: battle.describe(action) for action in decision.options
        }

    def render(self) -> Any:
        """The whole battle as a spectator sees it, with the secrets of both seats: a text (``ansi``), a picture
        (``rgb_array``: uint8 of shape (H, W, 3)), or nothing but the window (``human``).

        Raises:
            RuntimeError: no battle has begun.
        """
        self._see_begun()
        return self._pictures.draw(self.battle)

    def close(self) -> None:
        """Close the window, if there is one; further calls do nothing."""
        self._pictures.close()

    def __str__(self) -> str:
        return str(self.metadata["name"])


class Ordered(wrappers.OrderEnforcingWrapper[str, Any, Any]):  # type: ignore[misc]
    """PettingZoo's outermost wrapper; ``copy.copy`` copies the wrapped environment too."""

    def __copy__(self) -> Ordered:
        """A deep copy."""
        return deepcopy(self)


def raw_env(ruleset: str = DEFAULT_RULESET, battle: Any = None, **parameters: Any) -> RawEnv:
    """The AEC environment of a ruleset without wrappers: fast; an illegal action raises ``IllegalAction``.

    For the parameters see ``env``.
    """
    return RawEnv(ruleset, battle, **parameters)


def env(ruleset: str = DEFAULT_RULESET, battle: Any = None, **parameters: Any) -> AECEnv[str, Any, Any]:
    """The AEC environment with PettingZoo's usual wrappers: an illegal action loses the game.

    Args:
        ruleset: the game.
        battle: the battle: a name, a path, a dict, a list to draw from or a function of a numpy generator; ``None``:
            the ruleset's standard battle. See ``wh_env.envs.sources.BattleSource``.
        parameters:
            ``detail``: ``squad`` (decisions that carry tactics; the default), ``full`` (every decision of the rules) or
                ``None`` (as the battle says). ``observation``: ``vector`` (one array; the default) or ``entities`` (a
                dict of arrays).
            ``reward``: ``outcome`` (1, 0, -1; the default), ``margin``, a function or a ``Reward``; see
                ``wh_env.envs.rewards``.
            ``render_mode``: ``ansi``, ``rgb_array`` or ``human``. ``max_decisions``: truncate after so many decisions.
                ``rules``: numbers and switches that override those of the mission. ``pool``, ``renew``: how battles
                from a function are kept.

    Raises:
        ContentError: a parameter is not valid; it names what was expected.
    """
    wrapped: Any = raw_env(ruleset, battle, **parameters)
    wrapped = wrappers.TerminateIllegalWrapper(wrapped, illegal_reward=-1)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return Ordered(wrapped)
