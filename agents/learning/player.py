"""A network at the table: it sees battles from the seat that is asked and answers many of them in one go."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

import numpy as np
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from wh_env.content.battle import Battle
from wh_env.core.setup import Setup
from wh_env.core.tables import Array
from wh_env.envs.duels import rows_of
from wh_env.envs.observation import Observer
from wh_env.envs.spaces import fill_mask, is_turned, turn_action

from .inference import Answers, drawn

OBSERVERS_KEPT = 64  # battles whose observers are remembered
WORD = (1 << 64) - 1
FRACTION = float(1 << 53)


def chance(seed: int, number: int) -> float:
    """A number in 0..1 that follows from a seed and a count alone (SplitMix64)."""
    z = (seed * 0x9E3779B97F4A7C15 + (number + 1) * 0xD1B54A32D192ED03) & WORD
    z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & WORD
    z = ((z ^ z >> 27) * 0x94D049BB133111EB) & WORD
    return ((z ^ z >> 31) >> 11) / FRACTION


class Player:
    """Answers battles with a policy's network.

    Args:
        policy: the policy; after its weights changed, call ``answers.refresh``. observation: form of what it sees.
        temperature: 0: the likeliest action; 1: drawn as the policy says; between and above accordingly.
    """

    def __init__(self, policy: MaskableActorCriticPolicy, observation: str, temperature: float = 0.0) -> None:
        self.policy, self.observation, self.temperature = policy, observation, temperature
        self._observers: OrderedDict[int, tuple[Setup, Observer]] = OrderedDict()
        self.answers = Answers(policy)
        self._room: Any = None  # buffers for observations, as many as were needed so far
        self._size = 0

    def observer(self, setup: Setup) -> Observer:
        """What observes battles of a Setup."""
        found = self._observers.get(id(setup))
        if found is None:
            # kept with its Setup, so that the id stays its own
            found = self._observers[id(setup)] = setup, Observer(setup, self.observation)
            if len(self._observers) > OBSERVERS_KEPT:
                self._observers.popitem(last=False)
        return found[1]

    def act(self, battles: Sequence[Battle], seeds: Sequence[int]) -> list[int]:
        """A legal action for the waiting decision of each battle; what is drawn follows from its seed and the decision's number."""
        count, size = len(battles), battles[0].setup.space.size
        if count > self._size:
            self._room, self._size = self.observer(battles[0].setup).empty(count), count
        seen = rows_of(self._room, slice(0, count))
        masks: Array = np.zeros((count, size), np.bool_)
        for at, battle in enumerate(battles):
            seat = battle.clock.player[0]
            self.observer(battle.setup).write(battle, seat, rows_of(seen, at))
            fill_mask(battle, seat, masks[at])
        chosen = self.choose(
            seen, masks, [chance(s, b.clock.decisions[0]) for s, b in zip(seeds, battles, strict=True)]
        )
        return [
            turn_action(battle.setup.space, action) if is_turned(battle, battle.clock.player[0]) else action
            for battle, action in zip(battles, chosen.tolist(), strict=True)
        ]

    def logits(self, observations: Any, masks: Array) -> Array:
        """Logarithms of the probabilities of actions as the seats count them, for stacked observations and masks."""
        return self.answers(observations, masks)[0]

    def choose(self, observations: Any, masks: Array, chances: Sequence[float]) -> Array:
        """Actions as the seats count them, for stacked observations and masks."""
        logits = self.logits(observations, masks)
        if self.temperature == 0.0:
            return np.asarray(logits.argmax(1))
        return drawn(logits / self.temperature, chances)
