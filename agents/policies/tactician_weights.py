"""What the tactician goes by in each ruleset: what positions are worth there, and how it tries options out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True)
class Weights:
    """The numbers of one ruleset; guided by scripts/calibrate.py, which looks at how battles end, by player turns left.

    Attributes:
        victory_point: points of units that a victory point is worth. settled: points that the won battle is worth.
        held: victory points that a marker in hand still brings; fewer in the ``last`` turns.
        near: victory points a turn left that being stronger around a marker brings.
        army, strike: victory points a turn left for each point of units, and of what they can take next; for at most ``most`` turns.
        left_over: worth of armies that come to nothing any more, in turns.
        flight: share of what is due for units that flee which is thought to be lost as long as they may rally.
        soon: victory points for each point that charges and combats under way can be expected to take.
        unsure: victory points a turn left that leads change by. margin: chance that a victory point more is worth where nothing depends on it.
        tried: decisions in which alternatives are tried; none named: all of them.
        passed: decisions that in trials are passed over (done, or the first option) instead of being thought about. What is tried may be passed over
            too: a manoeuvre is tried, and nobody else moves in its trials.
        turns: ends of player turns after which a trial is judged. confirm: copies that a better option must have been tried on.
    """

    victory_point: float
    settled: float
    held: float
    last: float
    near: float
    army: float
    strike: float
    most: float
    left_over: float
    flight: float
    soon: float
    unsure: float
    margin: float
    tried: frozenset[str]
    passed: frozenset[str]
    turns: int
    confirm: int


# Games of markers, with a few victory points each. The fit alone would give strikes the most; but then a target in hand would be worth more
# than having destroyed it. Markers are put somewhat higher than the fit says.
MARKERS = Weights(
    victory_point=55.0,
    settled=2000.0,
    held=0.7,
    last=3.0,
    near=0.02,
    army=0.0018,
    strike=0.0012,
    most=7.0,
    left_over=0.1,
    flight=1.0,
    soon=0.0,
    unsure=0.37,
    margin=0.02,
    tried=frozenset(),
    passed=frozenset(),
    turns=2,
    confirm=8,
)
# Victory points are points of units there, and battles are decided by charges: a trial lasts until the enemy has had his. Fitted to few positions,
# so they are round numbers.
REGIMENTS = Weights(
    victory_point=1.0,
    settled=500.0,
    held=0.0,
    last=3.0,
    near=0.0,
    army=0.03,
    strike=0.0,
    most=7.0,
    left_over=0.1,
    flight=0.35,
    soon=0.6,
    unsure=50.0,
    margin=0.0005,
    tried=frozenset({"declare-charge", "charge-reaction", "pursue", "after-victory", "manoeuvre", "move-to"}),
    passed=frozenset({"select-to-move", "manoeuvre", "combat-reform"}),
    turns=2,
    confirm=8,
)
WEIGHTS: Mapping[str, Weights] = MappingProxyType(
    {"w10": MARKERS, "w9": MARKERS, "w8": MARKERS, "epic": MARKERS, "wap": REGIMENTS}
)


def weights_of(ruleset: str) -> Weights:
    """The numbers of a ruleset; one that is not listed is taken for a game of markers."""
    return WEIGHTS.get(ruleset, MARKERS)
