"""The tactician's numbers for each ruleset: what positions are worth, and how options are tried."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True)
class Weights:
    """The numbers of one ruleset. ``scripts/calibrate.py`` helps to find them from the ends of battles.

    Attributes:
        victory_point: value of a victory point, in points of units.
        settled: value of a won battle, in points of units.
        held: victory points that a marker in hand still brings.
        last: number of last turns in which ``held`` counts less.
        near: victory points for each turn left that being stronger around a marker brings.
        army, strike: victory points for each turn left and each point of units, and of what they can destroy
            next.
        most: greatest number of turns that count for ``army`` and ``strike``.
        left_over: number of turns that count for armies when no turns are left to use them.
        flight: share of the victory points for fleeing units that counts while these may still rally.
        soon: victory points for each point that charges and combats under way are expected to destroy.
        unsure: victory points by which leads change, for each turn left.
        margin: chance to win that a further victory point is worth when the result is settled.
        tried: kinds of decisions in which alternatives are tried; empty: all kinds.
        passed: kinds of decisions that trials skip (they take the first option). A kind may be in both: a
            manoeuvre is tried, and in its trials no other unit manoeuvres.
        turns: number of ends of player turns after which a trial is judged.
        confirm: number of copies on which a better option must have been tried.
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


# Games of markers, with a few victory points each. The fit alone would weight strikes most; but then a target within
# reach would be worth more than a destroyed one. Markers get somewhat more weight than the fit says.
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
# Victory points are points of units, and charges decide battles, so a trial lasts until the enemy's turn has ended.
# Fitted to few positions, therefore round numbers.
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
    """The numbers of a ruleset; a ruleset that is not listed counts as a game of markers."""
    return WEIGHTS.get(ruleset, MARKERS)
