"""Estimate how likely a player is to win, by the tactician's value of positions; replay pages draw it
as a chart.
"""

from __future__ import annotations

from math import tanh
from typing import cast

from wh_env import Battle
from wh_env.core.battle import BattleCore

from .policies.tactician_reading import Reader
from .policies.tactician_value import terms

EVEN = 0.5


class Chances:
    """Estimates the chance to win in battles of one Setup after another.

    Attributes:
        words: an explanation of the estimate for readers of the chart.
    """

    words = (
        "An estimate of the policy tactician: the lead in victory points that it expects at the end (points, markers, "
        "armies and what they can take next), compared with how much leads change in the turns left. It knows neither "
        "dice to come nor plans."
    )

    def __init__(self) -> None:
        self._reader: Reader | None = None

    def __call__(self, battle: BattleCore) -> float | None:
        """The chance of player 0 to win, from 0 to 1 (a draw: 0.5); ``None`` before the first battle
        round.
        """
        if battle.over:
            won = battle.clock.winner[0]
            return EVEN if won < 0 else float(won == 0)
        if battle.clock.round[0] == 0:
            return None
        if self._reader is None or self._reader.setup is not battle.setup:
            self._reader = Reader(battle.setup)
        weights = self._reader.weights
        now = terms(self._reader, cast(Battle, battle), 0)
        if not any(battle.objectives.placed):  # without markers, victory points are points of units
            now = now._replace(lead=now.lead / weights.victory_point)
        return EVEN + EVEN * tanh(now.final(weights) / (weights.unsure * (1.0 + now.turns)))
