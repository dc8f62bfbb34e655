"""N battles, in each of which a learner plays one seat; the single-agent environment and the batched one are built on
it.

A step answers one decision of every learner. Then the opponents play, all battles of the batch together, until each
learner is asked again or its battle has ended. Without opponents the learner answers the decisions of both seats.
"""

from __future__ import annotations

import warnings
from collections.abc import Container, Mapping, Sequence
from typing import Any

import numpy as np

from wh_env.content.battle import Battle
from wh_env.content.errors import ContentError, unknown
from wh_env.core.reports import IllegalAction
from wh_env.core.tables import OVER, Array
from wh_env.envs.observation import Memory, Observer, Terrain
from wh_env.envs.opponents import make_opponents
from wh_env.envs.rewards import make_reward, outcome
from wh_env.envs.sources import BattleSource, Ground, checked_count, checked_options, is_saved
from wh_env.envs.spaces import fill_mask, turn_action

RANDOM_SEAT = "random"
SEATS = (0, 1, RANDOM_SEAT)
ILLEGAL = ("forfeit", "raise")
OPTIONS = ("battle", "rules", "seat")
TRIES = 64  # how often a battle is drawn again that ends before the learner is asked


class IllegalActionWarning(UserWarning):
    """An illegal action has ended its battle; given once for each environment."""


def warn_of_illegal_actions() -> None:
    """Warn the caller of ``step`` that its learner ignores the mask, and say where the mask is."""
    warnings.warn(
        "an illegal action has lost its battle (illegal='forfeit'; told once). The legal actions are in "
        "info['action_mask'] and action_masks(): a learner must choose among them, as MaskablePPO of sb3-contrib does; "
        "one that does not, such as plain PPO, plays battles of a few steps. With illegal='raise' it is an error.",
        IllegalActionWarning,
        stacklevel=6,
    )


def checked_actions(actions: Any, count: int, battles: str = "each battle") -> Array:
    """``actions`` as an array of whole numbers, shape (count,).

    Raises:
        ValueError: they have another shape. TypeError: they are not whole numbers.
    """
    chosen = np.asarray(actions)
    if chosen.shape != (count,):
        raise ValueError(f"actions have shape {chosen.shape}; expected ({count},), one for {battles}")
    if chosen.dtype.kind not in "iu":
        raise TypeError(f"actions are {chosen.dtype}; expected integers")
    return chosen


def check_seat(file: str, field: str, seat: Any) -> None:
    """Check a seat.

    Raises:
        ContentError: it is none of ``SEATS``. ``file`` and ``field`` say where it was given.
    """
    if isinstance(seat, bool) or not isinstance(seat, int | np.integer | str) or seat not in SEATS:
        raise unknown(file, field, seat, map(str, SEATS))


class Duels:
    """N battles and what their learners see, in arrays that are made once.

    Attributes:
        observations: what each learner sees: one array of shape (N, ...), or a dict of such arrays.
        masks: int8 of shape (N, actions), its legal actions; all 0 if its battle has ended.
        rewards: float64 of shape (N,), of the last step.
        terminated, truncated: bool of shape (N,), of the last step. forfeited: bool of shape (N,), ended by an illegal
            action.
        seats: int64 of shape (N,), the seat of each learner; without opponents the seat that is asked.
        battles: the battles.
    """

    def __init__(
        self,
        count: int,
        source: BattleSource,
        opponent: Any,
        seat: int | str = RANDOM_SEAT,
        reward: Any = "outcome",
        max_decisions: int | None = None,
        illegal: str = "forfeit",
        buffers: Mapping[str, Any] | None = None,
        record: bool = False,
    ) -> None:
        """See ``wh_env.single_env`` for the parameters.

        Args:
            count: N. source: draws the battles. buffers: arrays ``observations`` and ``masks`` to use instead of new
                ones.
            record: whether battles record events.

        Raises:
            ContentError: a parameter is not valid.
        """
        check_seat("<env>", "seat", seat)
        if illegal not in ILLEGAL:
            raise unknown("<env>", "illegal", illegal, ILLEGAL)
        self.count = count
        self.source = source
        self.reward = make_reward(reward)
        self.max_decisions = None if max_decisions is None else checked_count("max_decisions", max_decisions)
        self.illegal = illegal
        self.record = record
        self.warned = False  # whether the warning of illegal actions was given; set it to give none
        self.opponents = None if opponent is None else make_opponents(opponent, count)
        ground = source.any()
        self.space = ground.setup.space
        self.observation_space = ground.observer.space
        self._seat = seat
        self._observer = ground.observer
        given = buffers or {}
        self.observations = given["observations"] if buffers else ground.observer.empty(count)
        self.masks: Array = given["masks"] if buffers else np.zeros((count, self.space.size), np.int8)
        self.rewards = np.zeros(count)
        self.terminated = np.zeros(count, np.bool_)
        self.truncated = np.zeros(count, np.bool_)
        self.forfeited = np.zeros(count, np.bool_)
        self.seats = np.zeros(count, np.int64)
        self.battles: list[Battle] = [None] * count  # type: ignore[list-item]
        self._grounds: list[Ground] = [ground] * count
        self._randoms = [np.random.default_rng() for _ in range(count)]
        self._standing = np.zeros(count)  # potential at the learner's last decision
        self._rows = [self.row(at) for at in range(count)]
        self._terrain: list[Terrain | None] = [None] * count  # the terrain written in each row
        self._memories: list[tuple[Observer, tuple[Memory, Memory]] | None] = [None] * count  # of each place
        self._every = np.arange(count)

    def __getstate__(self) -> dict[str, Any]:
        """Everything but views of the observations, which would not be views in a copy, and what is known of the
        rows.
        """
        return {name: value for name, value in vars(self).items() if name not in ("_rows", "_terrain", "_memories")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Make the views again; the next observation of each place is written as a whole."""
        vars(self).update(state)
        self._rows = [self.row(at) for at in range(self.count)]
        self._terrain = [None] * self.count
        self._memories = [None] * self.count

    def row(self, at: int) -> Any:
        """The observation in place ``at``, as views of the buffers."""
        return rows_of(self.observations, at)

    # ---- beginning

    def seed(self, seeds: Sequence[int | None]) -> None:
        """Seed the random generator of each place for which a seed is given; its battles and seats follow from it."""
        if any(seed is not None for seed in seeds):
            self.source.forget()
        for at, seed in enumerate(seeds):
            if seed is not None:
                self._randoms[at] = np.random.default_rng(seed)

    def reset(
        self, places: Sequence[int], options: Mapping[str, Any] | None = None, seeded: Container[int] = ()
    ) -> None:
        """Begin new battles in these places, and play each until its learner is asked.

        Args:
            places: numbers of the battles. options: ``battle``, ``rules``, ``seat`` for these battles.
            seeded: places in which a saved battle goes on with dice from the generator of its place; in others it keeps
                its own dice.

        Raises:
            ContentError: an option is unknown or not valid, or a saved battle has ended.
            RuntimeError: ``TRIES`` battles in a row ended before the learner was asked.
        """
        chosen = checked_options(options, OPTIONS)
        check_seat("<reset>", "options.seat", chosen.get("seat", 0))
        left = list(places)
        for _ in range(TRIES):
            for at in left:
                self._begin(at, chosen, at in seeded)
            self._opponents_play(left, None)
            for at in left:
                self._write_observation(at, self.battles[at])
                self._standing[at] = self._potential(at)
            left = [at for at in left if self.battles[at].over]
            if not left:
                return
        raise RuntimeError(f"{TRIES} battles ended before the learner was asked anything")

    def _begin(self, at: int, options: Mapping[str, Any], seeded: bool) -> None:
        """Begin a new battle in place ``at``."""
        random = self._randoms[at]
        saved: Any = options.get("battle")
        if is_saved(saved):
            self._grounds[at], battle = self.source.resume(saved)
            if battle.over:
                raise ContentError(
                    "<reset>", "options.battle", battle.result, "a battle that goes on", "is how it ended"
                )
        else:
            ground = self._grounds[at] = self.source.draw(random, saved, options.get("rules"))
        dice, side, chance = random.integers(1 << 62), random.integers(2), random.integers(1 << 31)
        if not is_saved(saved):
            battle = Battle(ground.setup, int(dice), record=self.record)
        else:
            battle = battle.clone(int(dice) if seeded else None)
            battle.recorder = [] if self.record else None
        self.battles[at] = battle
        seat = options.get("seat", self._seat)
        self.seats[at] = side if seat == RANDOM_SEAT else seat
        if self.opponents is not None:
            self.opponents.reset(at, int(chance))

    # ---- playing

    def step(self, actions: Array) -> None:
        """Answer the decision of every learner with its action (int, shape (N,)), numbered as its seat sees actions.

        Raises:
            IllegalAction: with ``illegal="raise"``, an action is not legal; no battle has changed.
            RuntimeError: a battle has not begun.
        """
        actions = checked_actions(actions, self.count)
        legal = self._legal(actions)
        self.rewards.fill(0.0)
        self.terminated.fill(False)
        self.truncated.fill(False)
        self.forfeited.fill(False)
        battles, space = self.battles, self.space
        acted: list[int] = self.seats.tolist()
        still_playing: list[int] = []
        for at, (action, allowed) in enumerate(zip(actions.tolist(), legal.tolist(), strict=True)):
            if not allowed:
                self._forfeit(at)
                continue
            battle = battles[at]
            if action >= space.cell and battle.clock.attacker[0] != acted[at]:
                action = turn_action(space, action)
            table = self._apply(at, action)
            if self.opponents is None:
                self._close_step(at, acted[at], table)
            else:
                still_playing.append(at)
        if still_playing:
            self._opponents_play(still_playing, self.max_decisions)
            for at in still_playing:
                self._close_step(at, acted[at], battles[at])

    def _apply(self, at: int, action: int) -> Battle:
        """Apply an action to the battle in place ``at``. Returns a battle in the new state, for reading until the next
        call.
        """
        battle = self.battles[at]
        if self.record or self.count == 1:
            battle.apply(action)
            return battle
        table = self._grounds[at].table
        battle.apply_on(table, action)
        return table

    def _legal(self, actions: Array) -> Array:
        """Which of the actions are legal, bool of shape (N,).

        Raises:
            IllegalAction: as ``step``. RuntimeError: as ``step``.
        """
        inside = (actions >= 0) & (actions < self.space.size)
        legal: Array = inside & (self.masks[self._every, np.where(inside, actions, 0)] != 0)
        if not legal.all():
            self._not_all_legal(actions, np.flatnonzero(~legal).tolist())
        return legal

    def _not_all_legal(self, actions: Array, places: Sequence[int]) -> None:
        """Report that the actions in these places are not legal: raise an error or, once, warn."""
        if any(self.battles[at] is None for at in places):
            raise RuntimeError("no battle is running: call reset() first")
        at, decision = places[0], self.battles[places[0]].decision
        if self.illegal == "raise":
            if decision is None:
                raise IllegalAction(f"battle {at}: no decision waits; reset it first")
            raise IllegalAction(f"battle {at}: action {int(actions[at])} is not legal for decision {decision.kind}")
        if not self.warned:
            self.warned = True
            warn_of_illegal_actions()

    def _opponents_play(self, places: Sequence[int], limit: int | None) -> None:
        """Let the opponents answer until the learner of each place is asked, or its battle is over or has made
        ``limit`` decisions.
        """
        opponents = self.opponents
        if opponents is None:
            return
        battles, seats = self.battles, self.seats.tolist()
        while True:
            waiting = []
            for at in places:
                clock = battles[at].clock
                if clock.asking[0] and clock.player[0] != seats[at] and (limit is None or clock.decisions[0] < limit):
                    waiting.append(at)
            if not waiting:
                return
            asked = [battles[at] for at in waiting]
            if opponents.observes:
                actions: Sequence[int] = self._answers_from_observations(waiting)
            else:
                actions = opponents.act(waiting, asked, [battle.legal() for battle in asked], None)
            for at, action in zip(waiting, actions, strict=True):
                self._apply(at, action)
            places = waiting

    def _answers_from_observations(self, waiting: Sequence[int]) -> list[int]:
        """The actions of opponents that see observations and masks of their own seat, as actions of the battles."""
        assert self.opponents is not None
        observations = self._observer.empty(len(waiting))
        masks: Array = np.zeros((len(waiting), self.space.size), np.bool_)
        asked = []
        for k, at in enumerate(waiting):
            battle, seat = self.battles[at], 1 - int(self.seats[at])
            self._grounds[at].observer.write(battle, seat, rows_of(observations, k))
            fill_mask(battle, seat, masks[k])
            asked.append(battle)
        answers = self.opponents.act(waiting, asked, masks, observations)
        return [
            turn_action(self.space, action) if battle.clock.attacker[0] != battle.clock.player[0] else action
            for battle, action in zip(asked, answers, strict=True)
        ]

    def _write_observation(self, at: int, battle: Battle) -> None:
        """Write what the learner in place ``at`` sees of ``battle``; without opponents the learner is the seat that is
        asked.
        """
        clock = battle.clock
        if self.opponents is None and clock.asking[0]:
            seat = self.seats[at] = clock.player[0]
        else:
            seat = int(self.seats[at])
        observer, known = self._grounds[at].observer, self._memories[at]
        if known is None or known[0] is not observer:
            known = self._memories[at] = observer, observer.memories()
        self._terrain[at] = observer.write(battle, seat, self._rows[at], self._terrain[at], known[1])
        fill_mask(battle, seat, self.masks[at])

    def _potential(self, at: int) -> float:
        """The potential of the battle in place ``at`` for its learner; 0 if the reward has none."""
        return self.reward.standing(self.battles[at], int(self.seats[at])) if self.reward.potential is not None else 0.0

    def _forfeit(self, at: int) -> None:
        """End the battle in place ``at``, because an action was not legal."""
        self.forfeited[at] = self.terminated[at] = True
        self.rewards[at] = self.reward.forfeit - self._standing[at]
        self.masks[at] = 0

    def _close_step(self, at: int, seat: int, battle: Battle) -> None:
        """Write the observation of place ``at``, its reward and whether it has ended. ``seat``: the seat that acted.
        ``battle``: its battle, or one in the same state.
        """
        self._write_observation(at, battle)
        reward, clock = self.reward, battle.clock
        if clock.over[0] == OVER:
            self.terminated[at] = True
            self.rewards[at] = reward.ended(battle, seat) - self._standing[at]
            return
        if reward.potential is not None:
            self.rewards[at] = reward.gamma * reward.standing(battle, seat) - self._standing[at]
            self._standing[at] = self._potential(at)
        if self.max_decisions is not None and clock.decisions[0] >= self.max_decisions:
            self.truncated[at] = True
            self.masks[at] = 0

    # ---- ends

    def info(self, at: int) -> dict[str, Any]:
        """Facts about place ``at`` besides the observation.

        ``action_mask`` (int8) and ``seat``; at the end also ``outcome`` (1, 0, -1 for the learner's seat; 0 if
        truncated), ``victory_points`` (own, other's), ``decisions`` (of both seats) and ``illegal_action`` (whether an
        illegal action ended it).
        """
        facts: dict[str, Any] = {"action_mask": self.masks[at].copy(), "seat": int(self.seats[at])}
        if self.terminated[at] or self.truncated[at]:
            battle, seat, points = self.battles[at], int(self.seats[at]), self.battles[at].players.vp
            facts["outcome"] = -1.0 if self.forfeited[at] else outcome(battle, seat) if battle.over else 0.0
            facts["victory_points"] = np.array([points[seat], points[1 - seat]])
            facts["decisions"] = battle.clock.decisions[0]
            facts["illegal_action"] = bool(self.forfeited[at])
        return facts


def rows_of(observations: Any, at: int | slice) -> Any:
    """Row (or rows) ``at`` of a stack of observations, as views."""
    if isinstance(observations, dict):
        return {name: rows_of(part, at) for name, part in observations.items()}
    return observations[at]


def copied(observations: Any) -> Any:
    """A copy of one observation or a stack."""
    if isinstance(observations, dict):
        return {name: copied(part) for name, part in observations.items()}
    return observations.copy()
