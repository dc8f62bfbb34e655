"""The artillery die and the scatter die, and objects that scatter (wap.core.dice.artillery, .scatter,
wap.core.scatter.*).

Directions are radians on the table, counter-clockwise, 0 along its length. The scatter die counts them from the table
edge of the player who rolls it, so a battle with swapped players plays the same.
"""

from __future__ import annotations

from math import cos, pi, sin, tau
from typing import NamedTuple

from wh_env.core.battle import BattleCore

MISFIRE = 0  # the artillery die shows it in place of a number
ARTILLERY = (2, 4, 6, 8, 10, MISFIRE)  # by the D6 that stands for the die
FIRST_HIT = 5  # the faces of the scatter die from this one on show a Hit, the others an arrow alone
DIRECTIONS = 240  # equally likely directions of the scatter die


class Scatter(NamedTuple):
    """A roll of the scatter die. ``hit``: it shows a Hit. ``direction``: that its arrow points in, also the small arrow
    of a Hit (wap.core.scatter.random-direction).
    """

    hit: bool
    direction: float

    def moved(self, x: float, y: float, inches: float) -> tuple[float, float]:
        """The point so many ``inches`` from (x, y) in the direction of the arrow (wap.core.scatter.arrow)."""
        return x + inches * cos(self.direction), y + inches * sin(self.direction)

    def scattered(self, x: float, y: float, inches: float) -> tuple[float, float]:
        """The point to which an object at (x, y) scatters by ``inches``. A Hit leaves it there
        (wap.core.scatter.hit).
        """
        return (x, y) if self.hit else self.moved(x, y, inches)


class Throw(NamedTuple):
    """The dice of a war machine that fires at a spot. ``number``: the artillery die shows it."""

    scatter: Scatter
    number: int


def step_of(direction: float) -> int:
    """The number of a direction of the scatter die."""
    return round(direction * DIRECTIONS / tau) % DIRECTIONS


def artillery_die(g: BattleCore) -> int:
    """Roll the artillery die: 2, 4, 6, 8, 10 or ``MISFIRE``. No rule has it rolled again but one that names it
    (wap.core.dice.special-no-reroll).
    """
    return ARTILLERY[g.d6() - 1]


def scatter_die(g: BattleCore, player: int) -> Scatter:
    """Roll the scatter die of a player: a D6 for the face, then a lot for the direction in which the die lies."""
    face = g.d6()
    turned = 0.0 if g.clock.attacker[0] == player else pi
    return Scatter(face >= FIRST_HIT, g.draw(DIRECTIONS) * tau / DIRECTIONS + turned)
