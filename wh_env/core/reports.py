"""What a battle reports to those who play it: a decision, a result, or an error."""

from __future__ import annotations

from dataclasses import dataclass

SAID = 1 << 64  # greater numbers are not written out in errors


def shown(number: int) -> int | str:
    """``number`` as error messages write it: itself, or "of many digits" if its absolute value is 2^64 or more."""
    return number if -SAID < number < SAID else "of many digits"


class IllegalAction(ValueError):
    """The action is not legal now. The battle is unchanged, and its decision still waits for an answer."""


class BrokenState(RuntimeError):
    """The battle cannot go on from its state.

    A decision has no option, the procedures never come to an end, or the state contradicts itself. No play leads to
    such a state; a state that was written by hand can be one.
    """


@dataclass(frozen=True)
class Decision:
    """A decision that waits for a player's answer.

    Attributes:
        player: the player who decides, 0 or 1. kind: the name of its decision kind. subject: row of the unit that it is
            about, -1 if none.
        options: the legal actions, ascending.
    """

    player: int
    kind: str
    subject: int
    options: list[int]


@dataclass(frozen=True)
class Result:
    """The result of a battle that is over.

    Attributes:
        winner: the winning player, ``None`` for a draw. victory_points: of player 0 and of player 1. rounds: number of
            the battle round in which it ended.
    """

    winner: int | None
    victory_points: tuple[int, int]
    rounds: int
