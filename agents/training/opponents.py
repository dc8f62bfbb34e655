"""The opponents of a batch of battles, each drawn from the pool. A network answers all its battles in one pass."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from wh_env.content.battle import Battle

from ..learning.player import Player
from ..policies import Policy, make
from ..policies.base import Seated
from .pool import Pool

IDLE = ""  # name of an opponent that takes the first legal action
Masks = Any


class PooledOpponents:
    """Plays the other seat of every battle (see ``wh_env.envs.opponents.Opponents``).

    All actions of opponents are recorded, so that a battle can be replayed: ``recall`` makes the opponent of
    a place repeat them.

    Args:
        count: number of battles.
        pool: the pool that opponents are drawn from.
        player: returns the network of a member that is no anchor.

    Attributes:
        members: the opponent of each running battle.
        taken: its actions in the running battle.
        before: the opponent of the previous battle at each place.
    """

    observes = False

    def __init__(self, count: int, pool: Pool, player: Callable[[str], Player]) -> None:
        self.count, self.pool, self.player = count, pool, player
        self.members: list[str] = [IDLE] * count
        self.taken: list[list[int]] = [[] for _ in range(count)]
        self.before: list[str] = [IDLE] * count
        self._seeds = [0] * count
        self._scripted: dict[tuple[str, int], Policy] = {}
        self._recalled: list[tuple[str, deque[int]] | None] = [None] * count
        self._recalling = False

    def reset(self, at: int, seed: int) -> None:
        """Draw the opponent of a new battle at place ``at``."""
        recalled = self._recalled[at]
        if self._recalling:
            member = recalled[0] if recalled is not None else IDLE
        else:
            member = self.pool.draw(np.random.default_rng(seed))
        self.before[at], self.members[at] = self.members[at], member
        self.taken[at] = []
        self._seeds[at] = seed
        if member in self.pool.anchors:
            self._policy(member, at).reset(seed)

    def _policy(self, member: str, at: int) -> Policy:
        """The scripted policy of an anchor at a place."""
        key = member, at
        if key not in self._scripted:
            self._scripted[key] = Seated(make(member, self._seeds[at]))
        return self._scripted[key]

    def act(self, places: Sequence[int], battles: Sequence[Battle], masks: Masks, observations: Any) -> Sequence[int]:
        """An action for each of the battles, as the battle numbers actions.

        Args:
            places: places of the battles in the batch.
            battles: the battles.
            masks: legal actions, bool of shape (battles, actions).
            observations: not used.
        """
        actions = [0] * len(places)
        networks: dict[str, list[int]] = {}
        for n, at in enumerate(places):
            member = self.members[at]
            if member in self.pool.anchors:
                actions[n] = int(self._policy(member, at).act(battles[n], masks[n]))
            elif member == IDLE:
                actions[n] = int(masks[n].argmax())
            elif not self._recalling:
                networks.setdefault(member, []).append(n)
        for member, which in networks.items():
            seeds = [self._seeds[places[n]] for n in which]
            for n, action in zip(which, self.player(member).act([battles[n] for n in which], seeds), strict=True):
                actions[n] = action
        for n, at in enumerate(places):
            recalled = self._recalled[at]
            if recalled is not None and recalled[1]:
                actions[n] = recalled[1].popleft()
            self.taken[at].append(actions[n])
        return actions

    # ---- playing battles again

    def begin_recall(self) -> None:
        """From now on new battles get idle opponents, except where ``recall`` was called."""
        self._recalling = True
        self._recalled = [None] * len(self.members)

    def recall(self, at: int, member: str, actions: Sequence[int]) -> None:
        """Let the next battle at place ``at`` have this opponent and these actions of it."""
        self._recalled[at] = member, deque(actions)

    def forget(self, at: int) -> None:
        """Let new battles at place ``at`` get idle opponents again."""
        self._recalled[at] = None

    def end_recall(self) -> None:
        """From now on opponents decide by themselves again."""
        self._recalling = False
        self._recalled = [None] * len(self.members)
