"""How far units go by the kinds of moves there are, before special rules change it (wap.move.summary). Dice are those rolled for the move, two of them."""

from __future__ import annotations

from collections.abc import Sequence

MARCH = 2  # times the Movement (wap.move.march.double)


def normal(movement: float) -> float:
    """A normal move: the Movement."""
    return movement


def march(movement: float) -> float:
    """A march: twice that."""
    return MARCH * movement


def charge(movement: float, dice: Sequence[int]) -> float:
    """A charge: the Movement and the highest die."""
    return movement + max(dice)


def failed_charge(dice: Sequence[int]) -> int:
    """A charge that does not arrive: the highest die."""
    return max(dice)


def flight(dice: Sequence[int]) -> int:
    """A flight: all dice."""
    return sum(dice)


def pursuit(dice: Sequence[int]) -> int:
    """A pursuit: all dice."""
    return sum(dice)
