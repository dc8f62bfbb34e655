"""A network as a player: it sees battles from the seat that is asked, and answers many of them in one pass."""

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

OBSERVERS_KEPT = 64  # greatest number of Setups whose observers are kept
WORD = (1 << 64) - 1
FRACTION = float(1 << 53)


def chance(seed: int, number: int) -> float:
    """A number from 0 to 1 that follows only from a seed and a count (SplitMix64)."""
    z = (seed * 0x9E3779B97F4A7C15 + (number + 1) * 0xD1B54A32D192ED03) & WORD
    z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & WORD
    z = ((z ^ z >> 27) * 0x94D049BB133111EB) & WORD
    return ((z ^ z >> 31) >> 11) / FRACTION


class Player:
    """Answers battles with the network of a policy.

    Args:
        policy: the policy. Call ``answers.refresh`` after its weights changed.
        observation: form of the observation.
        temperature: 0: always the likeliest action; 1: drawn from the policy's probabilities; other values
            sharpen or flatten these.
    """

    def __init__(self, policy: MaskableActorCriticPolicy, observation: str, temperature: float = 0.0) -> None:
        self.policy, self.observation, self.temperature = policy, observation, temperature
        self._observers: OrderedDict[int, tuple[Setup, Observer]] = OrderedDict()
        self.answers = Answers(policy)
        self._room: Any = None  # buffers for observations, as many as the largest call needed
        self._size = 0

    def observer(self, setup: Setup) -> Observer:
        """The observer for battles of a Setup."""
        entry = self._observers.get(id(setup))
        if entry is None:
            # keep the Setup too, so that no other one can get its id
            entry = self._observers[id(setup)] = setup, Observer(setup, self.observation)
            if len(self._observers) > OBSERVERS_KEPT:
                self._observers.popitem(last=False)
        return entry[1]

    def act(self, battles: Sequence[Battle], seeds: Sequence[int]) -> list[int]:
        """A legal action for the waiting decision of each battle. Random choices follow from its seed and the
        number of the decision.
        """
        count, size = len(battles), battles[0].setup.space.size
        if count > self._size:
            self._room, self._size = self.observer(battles[0].setup).empty(count), count
        seen = rows_of(self._room, slice(0, count))
        masks: Array = np.zeros((count, size), np.bool_)
        for at, battle in enumerate(battles):
            seat = battle.clock.player[0]
            self.observer(battle.setup).write(battle, seat, rows_of(seen, at))
            fill_mask(battle, seat, masks[at])
        chosen = self.pick_actions(
            seen, masks, [chance(s, b.clock.decisions[0]) for s, b in zip(seeds, battles, strict=True)]
        )
        return [
            turn_action(battle.setup.space, action) if is_turned(battle, battle.clock.player[0]) else action
            for battle, action in zip(battles, chosen.tolist(), strict=True)
        ]

    def logits(self, observations: Any, masks: Array) -> Array:
        """Log-probabilities of actions, as the seats number them, (batch, actions).

        Args:
            observations: stacked observations.
            masks: legal actions, bool (batch, actions).
        """
        return self.answers(observations, masks)[0]

    def pick_actions(self, observations: Any, masks: Array, chances: Sequence[float]) -> Array:
        """Actions, as the seats number them, (batch,).

        Args:
            observations: stacked observations.
            masks: legal actions, bool (batch, actions).
            chances: numbers from 0 to 1 for random choices.
        """
        logits = self.logits(observations, masks)
        if self.temperature == 0.0:
            return np.asarray(logits.argmax(1))
        return drawn(logits / self.temperature, chances)
