"""Chances that appraising rests on: of Psychic tests, of amounts that are rolled, of wounds that a unit loses."""

from __future__ import annotations

from collections.abc import Mapping

from wh_env.core.chances import ways
from wh_env.rulesets.w40k.attack.odds import dice_sum
from wh_env.rulesets.w40k.psychic.data import Amount
from wh_env.rulesets.w40k.psychic.manifest import TEST_DICE

# how likely each result of a Psychic test is
RESULTS: Mapping[int, float] = {
    total: count / sum(ways(TEST_DICE)) for total, count in enumerate(ways(TEST_DICE)) if count
}
FINISHED = 1.3  # what the last wounds of a unit count for, all that it loses


def amounts(amount: Amount) -> dict[int, float]:
    """How likely each amount of dice, sides and what is added is."""
    return {value: float(chance) for value, chance in enumerate(dice_sum(*amount)) if chance > 0.0}


def mean_lost(amount: Amount, wounds: int, ignored: float = 0.0) -> float:
    """Wounds that a unit with so many left loses on average to so many mortal wounds, those of a unit that is destroyed
    counted ``FINISHED`` times; ``ignored``: the chance with which each of them is.
    """
    if ignored > 0.0:
        return min(float(wounds), (1.0 - ignored) * sum(value * chance for value, chance in amounts(amount).items()))
    return sum(chance * (value if value < wounds else FINISHED * wounds) for value, chance in amounts(amount).items())


def above(result: int) -> float:
    """The chance that a test to deny shows more than that."""
    return sum(chance for total, chance in RESULTS.items() if total > result)
