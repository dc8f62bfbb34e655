"""How far units go by the kinds of moves there are, before special rules change it (wap.move.summary). Dice are those rolled for the move, two of them."""

from __future__ import annotations

MARCH = 2  # times the Movement (wap.move.march.double)


def normal(movement: float) -> float:
    """A normal move: the Movement."""
    return movement


def march(movement: float) -> float:
    """A march: twice that."""
    return MARCH * movement
