"""Look one decision ahead: try the likeliest actions on copies of the battle, and let the network value the
results.

Copies have their own dice, so no roll is foreseen. While the other seat has a secret nothing is tried,
because that would reveal it; the network's likeliest action is taken then.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch

from wh_env.content.battle import Battle
from wh_env.core.setup import Setup
from wh_env.core.tables import Array
from wh_env.envs.duels import rows_of
from wh_env.envs.rewards import outcome
from wh_env.envs.spaces import fill_mask, is_turned, turn_action

from .player import Player

SETUPS_KEPT = 16  # greatest number of Setups whose copies are kept for further use


class Lookahead:
    """Answers battles with the action whose results the network values most.

    Args:
        player: the network.
        potential: the potential that its values leave out (see ``worth``).
        samples: number of copies on which every action is tried; all actions meet the same dice.
        candidates: greatest number of actions to try.
        prior: value of a factor e in an action's probability, where a won battle has the value 1.
        least: actions with a lower probability are not tried.
    """

    def __init__(
        self,
        player: Player,
        potential: Callable[[Any, int], float] | None,
        samples: int,
        candidates: int = 6,
        prior: float = 0.03,
        least: float = 0.02,
    ) -> None:
        self.player, self.potential = player, potential
        self.samples, self.candidates = samples, candidates
        self.prior, self.least = prior, math.log(least) if least else -math.inf
        self._copies: OrderedDict[int, tuple[Setup, list[Battle]]] = OrderedDict()

    def copies(self, battle: Battle) -> list[Battle]:
        """Battles of the same Setup on which actions are tried."""
        entry = self._copies.get(id(battle.setup))
        if entry is None:
            entry = battle.setup, [battle.clone(0) for _ in range(self.candidates * self.samples)]
            self._copies[id(battle.setup)] = entry
            if len(self._copies) > SETUPS_KEPT:
                self._copies.popitem(last=False)
        return entry[1]

    def act(self, battles: Sequence[Battle], seeds: Sequence[int]) -> list[int]:
        """A legal action for the waiting decision of each battle; ``seeds`` give the dice of the copies."""
        return [self._best(battle, seed) for battle, seed in zip(battles, seeds, strict=True)]

    def _best(self, battle: Battle, seed: int) -> int:
        """The action for one battle."""
        setup, seat = battle.setup, battle.clock.player[0]
        observer = self.player.observer(setup)
        seen = observer.empty(1)
        masks: Array = np.zeros((1, setup.space.size), np.bool_)
        observer.write(battle, seat, rows_of(seen, 0))
        fill_mask(battle, seat, masks[0])
        likely = self.player.logits(seen, masks)[0]
        order = np.argsort(-likely, kind="stable")[: self.candidates]
        order = order[(likely[order] > self.least) | (order == order[0])]
        turned = is_turned(battle, seat)
        actions = [turn_action(setup.space, action) if turned else action for action in order.tolist()]
        if len(actions) < 2 or setup.ruleset.hidden(battle, seat):
            return actions[0]
        worth = self._try(battle, actions, seed) + self.prior * likely[order]
        return actions[int(worth.argmax())]

    def _try(self, battle: Battle, actions: Sequence[int], seed: int) -> Array:
        """Mean value of the results of each action for the seat that is asked, shape (actions,)."""
        seat = battle.clock.player[0]
        observer = self.player.observer(battle.setup)
        source = np.random.SeedSequence([seed, battle.clock.decisions[0]])
        dice = (source.generate_state(self.samples, np.uint64) >> np.uint64(2)).tolist()
        seen = observer.empty(len(actions) * self.samples)
        worth = np.zeros(len(actions))
        # for each row of ``seen``: number of the action, and 1 or -1 by whether the same seat is asked then
        rows: list[tuple[int, float]] = []
        copies = iter(self.copies(battle))
        for number, action in enumerate(actions):
            for chance in dice:
                copy = next(copies)
                copy.copy_from(battle, chance)
                copy.apply(action)
                if copy.over:
                    worth[number] += outcome(copy, seat)
                    continue
                if self.potential is not None:
                    worth[number] += self.potential(copy, seat)
                asked = copy.clock.player[0]
                self.player.observer(copy.setup).write(copy, asked, rows_of(seen, len(rows)))
                rows.append((number, 1.0 if asked == seat else -1.0))
        if rows:
            with torch.no_grad():
                tensors, _ = self.player.policy.obs_to_tensor(rows_of(seen, slice(0, len(rows))))
                values = self.player.policy.predict_values(tensors).flatten().tolist()
            for (number, side), value in zip(rows, values, strict=True):
                worth[number] += side * value
        return worth / self.samples
