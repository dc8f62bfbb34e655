"""Many battles at once, spread over processes: each process plays its share and writes into arrays that all share."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterable, Sequence
from itertools import pairwise
from multiprocessing.connection import wait
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from wh_env.content.errors import ContentError
from wh_env.core.tables import Array
from wh_env.envs.duels import checked_actions, copied, rows_of, warn_of_illegal_actions
from wh_env.envs.registry import DEFAULT_RULESET
from wh_env.envs.shares import BEGIN, RESET, STEP, Beside, Here, Share, Shared, arrays, shared
from wh_env.envs.sources import checked_count
from wh_env.envs.vector import BattleVectorEnv, Final, infos_of, seeds_of


class ProcessVectorEnv(VectorEnv[Any, Any, Any]):
    """``BattleVectorEnv`` over several processes; battle *i* plays the same in both.

    ``step_async`` and ``step_wait`` are ``step`` in two halves, between which the caller can do something else.
    ``send`` and ``recv`` step one of ``parts`` at a time, whichever is ready, so that no process waits for the others.
    With twice as many parts as processes no process waits for the caller either, because it has another part to play.

    Args:
        num_envs: how many battles in all.
        processes: over how many processes, this one included. This process plays its share when results are asked for.
        parts: how many parts ``send`` and ``recv`` step, dealt to the processes in turn; ``None``: one for each
            process.
        copy: return copies of observations and masks. Without, they are read-only views, which the next step overwrites
            where they change.
        start_method: ``spawn``, ``forkserver`` or ``fork``; ``None``: ``forkserver`` if there is one. A program that
            starts processes like this must have its own start under ``if __name__ == "__main__":``.
        others: as for ``BattleVectorEnv``; they are sent to the processes by cloudpickle.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        ruleset: str = DEFAULT_RULESET,
        battle: Any = None,
        *,
        processes: int = 2,
        parts: int | None = None,
        copy: bool = True,
        start_method: str | None = None,
        **parameters: Any,
    ) -> None:
        """See the class.

        Raises:
            ContentError: a parameter is not valid.
        """
        num_envs, processes = checked_count("num_envs", num_envs), checked_count("processes", processes)
        if processes > num_envs:
            expected = f"a number from 1 to num_envs, {num_envs}"
            raise ContentError("<env>", "processes", processes, expected)
        if parts is not None and not processes <= checked_count("parts", parts) <= num_envs:
            expected = f"a number from processes, {processes}, to num_envs, {num_envs}"
            raise ContentError("<env>", "parts", parts, expected)
        self.num_envs = num_envs
        self.copy = copy
        # one battle in this process, so that faults in the parameters are found before another process is started
        sample = BattleVectorEnv(1, ruleset, battle, **parameters)
        self.single_observation_space: spaces.Space[Any] = sample.single_observation_space
        self.single_action_space: spaces.Space[Any] = sample.single_action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        one = np.zeros(1)
        memory = {
            "observations": shared(sample.duels.observations, num_envs),
            "masks": Shared(sample.duels.masks, num_envs),
            "rewards": Shared(one, num_envs),
            "terminated": Shared(one.astype(np.bool_), num_envs),
            "truncated": Shared(one.astype(np.bool_), num_envs),
            "seats": Shared(one.astype(np.int64), num_envs),
            "actions": Shared(one.astype(np.int64), num_envs),
        }
        self._rows = {name: arrays(part) for name, part in memory.items()}
        known = multiprocessing.get_all_start_methods()
        context: Any = multiprocessing.get_context(start_method or ("forkserver" if "forkserver" in known else "spawn"))
        given = {"ruleset": ruleset, "battle": battle, **parameters}
        #: the battles of each part
        self.parts: list[slice] = slices(num_envs, parts or processes)
        self._warned = False  # whether the warning of illegal actions was given
        self._sent: list[int] = []  # parts whose step was begun, in that order
        self._players: list[Here | Beside] = [Here(Share(given, memory, self.parts[::processes]))]
        for number in range(1, processes):
            self._players.append(Beside(context, given, memory, self.parts[number::processes]))
        for part in range(len(self.parts)):
            self._tell(part, BEGIN)
        self._collect(range(len(self.parts)))

    def __reduce__(self) -> Any:
        """Raises:
        TypeError: always; its battles live in other processes.
        """
        raise TypeError(
            "a ProcessVectorEnv cannot be copied or pickled: its battles live in other processes; BattleVectorEnv can"
        )

    @property
    def players(self) -> Array:
        """The seat of each learner, as for ``BattleVectorEnv``."""
        seats: Array = self._rows["seats"].copy()
        return seats

    def action_masks(self) -> Array:
        """Which actions are legal, bool of shape (N, actions)."""
        masks: Array = self._rows["masks"].astype(np.bool_)
        return masks

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin new battles; arguments as for ``BattleVectorEnv.reset``."""
        self._none_sent()
        chosen = dict(options or {})
        which = chosen.pop("reset_mask", None)
        seeds = seeds_of(seed, self.num_envs)
        if not isinstance(seed, Sequence | np.ndarray):
            super().reset(seed=seeds[0])
        for part, where in enumerate(self.parts):
            part_options = chosen if which is None else {**chosen, "reset_mask": which[where]}
            self._tell(part, RESET, seeds[where], part_options)
        self._collect(range(len(self.parts)))
        return self._observations(), self._infos()

    def step(self, actions: Any) -> tuple[Any, Array, Array, Array, dict[str, Any]]:
        """Answer the decision of every learner, as ``BattleVectorEnv.step``. If it raises ``IllegalAction``, the parts
        without an illegal action have stepped.
        """
        self.step_async(actions)
        return self.step_wait()

    def step_async(self, actions: Any) -> None:
        """Begin a step with one action for each battle."""
        self._none_sent()
        self._rows["actions"][:] = checked_actions(actions, self.num_envs)
        for part in range(len(self.parts)):
            self._tell(part, STEP)
            self._sent.append(part)

    def step_wait(self) -> tuple[Any, Array, Array, Array, dict[str, Any]]:
        """The results of the step that was begun.

        Raises:
            RuntimeError: ``step_async`` was not called, or a process has ended.
        """
        if len(self._sent) < len(self.parts):
            raise RuntimeError("step_wait: no step was begun; call step_async() first")
        begun, self._sent = self._sent, []
        infos: dict[str, Any] = {}
        for at, end in self._collect(begun):
            infos = self._add_info(infos, end, at)
        rows = self._rows
        ends = rows["terminated"].copy(), rows["truncated"].copy()
        return self._observations(), rows["rewards"].copy(), *ends, {**infos, **self._infos()}

    def send(self, part: int, actions: Any) -> None:
        """Begin a step of the battles ``parts[part]``; ``actions``: one for each of them.

        Raises:
            RuntimeError: the results of the part's last step were not received, or its process has ended.
        """
        if part in self._sent:
            raise RuntimeError(f"send: a step of part {part} was begun; call recv() first")
        where = self.parts[part]
        count = where.stop - where.start
        self._rows["actions"][where] = checked_actions(actions, count, f"each battle of part {part}")
        self._tell(part, STEP)
        self._sent.append(part)

    def recv(self) -> tuple[int, Any, Array, Array, Array, dict[str, Any]]:
        """The number of a part that is ready (of several, the one that was sent first), and what ``step`` returns for
        its battles.

        Raises:
            RuntimeError: no step of a part was begun, or its process has ended.
        """
        if not self._sent:
            raise RuntimeError("recv: no step of a part was begun; call send() first")
        part = self._next()
        self._sent.remove(part)
        infos: dict[str, Any] = {}
        for at, end in self._collect([part]):
            infos = self._add_info(infos, end, at)
        where = self.parts[part]
        rows = {name: rows_of(array, where) for name, array in self._rows.items()}
        observations, masks = rows["observations"], rows["masks"]
        if self.copy:
            observations, masks = copied(observations), masks.copy()
        plain = infos_of(masks, rows["seats"].copy())
        ends = rows["rewards"].copy(), rows["terminated"].copy(), rows["truncated"].copy()
        return part, observations, *ends, {**rows_of(infos, where), **plain}

    def _none_sent(self) -> None:
        """Raises:
        RuntimeError: the results of a step were not received.
        """
        if self._sent:
            raise RuntimeError(f"steps of parts {self._sent} were begun; call recv() or step_wait() first")

    def _player(self, part: int) -> Here | Beside:
        """What plays this part."""
        return self._players[part % len(self._players)]

    def _tell(self, part: int, command: str, *given: Any) -> None:
        """Give a command for this part."""
        self._player(part).tell(command, part // len(self._players), *given)

    def _next(self) -> int:
        """The part to receive next: one that another process has ready, else one that this process plays, else the
        first that comes.
        """
        players = {part: self._player(part) for part in self._sent}
        here = [part for part, player in players.items() if isinstance(player, Here)]
        pipes = {part: player.pipe for part, player in players.items() if isinstance(player, Beside)}
        ready = wait(set(pipes.values()), 0.0 if here else None)
        # a process answers its commands in the order in which they were sent
        return next((part for part, pipe in pipes.items() if pipe in ready), *here[:1])

    def _collect(self, parts: Iterable[int]) -> list[Final]:
        """The ended battles of all these parts, in the order of the parts. All answers are read before an error is
        raised.
        """
        answers: list[Final] = []
        faults: list[Exception] = []
        for part in parts:
            try:
                answers += self._player(part).answer()
            except Exception as error:
                faults.append(error)
        if faults:
            raise faults[0]
        if not self._warned and any(end["final_info"]["illegal_action"] for _, end in answers):
            self._warned = True
            warn_of_illegal_actions()
        return answers

    def _observations(self) -> Any:
        """The observations of all battles, copied if ``copy``."""
        return copied(self._rows["observations"]) if self.copy else self._rows["observations"]

    def _infos(self) -> dict[str, Any]:
        """The infos that every battle has."""
        masks = self._rows["masks"]
        return infos_of(masks.copy() if self.copy else masks, self._rows["seats"].copy())

    def close_extras(self, **_kwargs: Any) -> None:
        """End the processes."""
        others = [player for player in self._players if isinstance(player, Beside)]
        for player in others:
            player.close()
        for player in others:
            player.join()

    def __del__(self) -> None:
        """End the processes, if ``close`` was not called."""
        if not getattr(self, "closed", True) and hasattr(self, "_players"):
            self.close()


def slices(total: int, parts: int) -> list[slice]:
    """``total`` rows cut into ``parts`` slices; if they do not divide evenly, the first ones are longer by one."""
    ends = [0]
    for number in range(parts):
        ends.append(ends[-1] + total // parts + (number < total % parts))
    return [slice(*pair) for pair in pairwise(ends)]
