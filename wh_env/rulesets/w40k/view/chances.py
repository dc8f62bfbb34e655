"""Probabilities for appraisers: Psychic tests, random amounts, wounds that a unit loses."""

from __future__ import annotations

from collections.abc import Mapping

from wh_env.core.chances import ways
from wh_env.rulesets.w40k.attack.odds import dice_sum
from wh_env.rulesets.w40k.psychic.data import Amount
from wh_env.rulesets.w40k.psychic.manifest import TEST_DICE

# probability of each result of a Psychic test
RESULTS: Mapping[int, float] = {
    total: count / sum(ways(TEST_DICE)) for total, count in enumerate(ways(TEST_DICE)) if count
}
FINISHED = 1.3  # weight of the wounds lost if the unit is destroyed


def amounts(amount: Amount) -> dict[int, float]:
    """Probability of each value of an amount (dice, sides, plus)."""
    return {value: float(chance) for value, chance in enumerate(dice_sum(*amount)) if chance > 0.0}


def mean_lost(amount: Amount, wounds: int, ignored: float = 0.0) -> float:
    """Mean wounds that a unit with ``wounds`` left loses to ``amount`` mortal wounds; if they destroy it, its wounds
    count ``FINISHED`` times.

    ``ignored``: chance that each wound is ignored; if above 0, ``FINISHED`` is not applied.
    """
    if ignored > 0.0:
        return min(float(wounds), (1.0 - ignored) * sum(value * chance for value, chance in amounts(amount).items()))
    return sum(chance * (value if value < wounds else FINISHED * wounds) for value, chance in amounts(amount).items())


def above(result: int) -> float:
    """Probability that a test to deny exceeds ``result``."""
    return sum(chance for total, chance in RESULTS.items() if total > result)
