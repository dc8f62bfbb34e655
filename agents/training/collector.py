"""The source of rollouts: the pool, the battles against it, and the network that plays them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np
import torch

from wh_env.core.files import write_whole

from ..learning.player import Player
from ..learning.weights import read
from .arena import Arena, number_of
from .checkpoint import SNAPSHOTS
from .config import TrainingConfig
from .learner import Learner, make_learner
from .opponents import PooledOpponents
from .pool import SELF, Pool

DRAWS = 1  # distinguishes the seed of actions from that of the pool
DRAWN = 1.0  # temperature of the networks in the pool
Tell = Callable[[int, list[dict[str, Any]]], None]
T = TypeVar("T")


@dataclass
class Rollout:
    """The battles that an update learns from.

    Attributes:
        buffer: buffer of stable-baselines3.
        games: for each opponent, points and number of games that ended.
        seconds: processor time of the process that played it.
    """

    buffer: Any
    games: dict[str, list[float]]
    seconds: float


class BackgroundCall(Generic[T]):
    """A call that runs in a thread. ``result`` waits for it; the program can end without waiting."""

    def __init__(self, call: Callable[[], T]) -> None:
        self._call = call
        self._result: list[T] = []
        self._fault: BaseException | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        """Make the call and store its result or error."""
        try:
            self._result.append(self._call())
        except BaseException as fault:  # raised where the result is asked for
            self._fault = fault

    def result(self) -> T:
        """The result of the call; raises what the call raised."""
        self._thread.join()
        if self._fault is not None:
            raise self._fault
        return self._result[0]


class Collector:
    """Plays the battles of a run. Everything random in a rollout follows from the run's seed and the rollout's
    number.

    Args:
        config: the run.
        folder: folder of its files.
        rooms: shared memory that receives rollouts in turn; empty: ordinary memory.

    Attributes:
        actor: the learner whose network plays.
        answers: computes the answers of that network.
    """

    def __init__(self, config: TrainingConfig, folder: Path, rooms: Sequence[Any] = ()) -> None:
        self.config, self.folder = config, folder
        self.pool = Pool(config.opponents)
        self.stage = 0
        self.arena = self._arena()
        self.actor: Learner = make_learner(config, self.arena)
        present = Player(self.actor.policy, config.observation, DRAWN)
        self.answers = present.answers
        self.buffers = [self.actor.make_buffer() for _ in rooms] or [self.actor.rollout_buffer]
        for buffer, room in zip(self.buffers, rooms):
            buffer.move(room)
        self._players = {SELF: present}

    def _arena(self) -> Arena:
        """The battles of the present stage."""
        opponents = PooledOpponents(self.config.envs, self.pool, self._player)
        return Arena(self.config, self.config.curriculum[self.stage], opponents)

    def _player(self, name: str) -> Player:
        """The network of a member of the pool that is no anchor."""
        if name not in self._players:
            policy = read(self._snapshot(name)).policy().to(self.actor.device)
            self._players[name] = Player(policy, self.config.observation, DRAWN)
        return self._players[name]

    def _snapshot(self, name: str) -> Path:
        """The file of a snapshot."""
        return self.folder / SNAPSHOTS / f"{name}.pt"

    def load(self, weights: Mapping[str, Any]) -> None:
        """Play with these weights (tensors or arrays by name) from now on."""
        self.actor.policy.load_state_dict({name: torch.as_tensor(part) for name, part in weights.items()})
        self.answers.refresh()

    def collect(self, number: int, tell: Tell) -> Rollout:
        """Play the rollout of update ``number``; ``tell`` is called with decisions and ended battles as they
        come.
        """
        config, actor, began = self.config, self.actor, time.process_time()
        seed = number_of(config.seed, number)
        self.arena.mark(number)
        self.pool.activate(np.random.default_rng(seed))
        if not actor.playing:
            actor.begin(self.arena.reset(), np.ones(config.envs, np.bool_))
        games: dict[str, list[float]] = {}

        def count_results(ended: list[dict[str, Any]]) -> None:
            for info in ended:
                points = 0.5 + 0.5 * float(info["outcome"])
                self.pool.add(info["opponent"], points)
                record = games.setdefault(info["opponent"], [0.0, 0])
                record[0], record[1] = record[0] + points, record[1] + 1
            tell(config.envs, ended)

        buffer = self.buffers[number % len(self.buffers)]
        actor.collect(self.answers, np.random.default_rng((seed, DRAWS)), count_results, buffer)
        return Rollout(buffer, games, time.process_time() - began)

    def admit(self, weights: bytes) -> str:
        """Add a network, given as a file of weights, to the pool. Returns its name, which was ``pool.next``."""
        name, removed = self.pool.admit()
        write_whole(self._snapshot(name), weights)
        for other in removed:
            # running battles against it load it again, so its file stays
            self._players.pop(other, None)
        return name

    def go_to(self, stage: int) -> None:
        """Play the battles of another stage from now on."""
        self.stage = stage
        self.arena = self._arena()
        self.actor.set_env(self.arena)
        self.actor.leave()

    # ---- saving

    def state(self) -> dict[str, Any]:
        """Stage, pool and battles, as plain values."""
        playing = self.actor.playing
        return {
            "stage": self.stage,
            "pool": self.pool.state(),
            "battles": self.arena.state() if playing else None,
            "starts": self.actor.starts.tolist() if playing else None,
        }

    def restore_pool(self, state: Mapping[str, Any]) -> None:
        """Restore only the pool."""
        self.pool.restore(state)

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restore what ``state`` returned.

        Raises:
            OtherBattles: the engine has changed since.
        """
        self.restore_pool(state["pool"])
        if state["stage"] != self.stage:
            self.go_to(state["stage"])
        if state["battles"] is not None:
            self.actor.begin(self.arena.restore(state["battles"]), np.array(state["starts"]))
