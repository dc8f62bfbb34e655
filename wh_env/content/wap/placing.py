"""Terrain is set up before a battle: the players place one piece each in turn (wap.battle.terrain.*).

A battlefield that a battle names ``random`` is laid out so by two players who choose at random.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import cos, pi, sin

import numpy as np

from wh_env.content.errors import ContentError
from wh_env.content.geometry import are_apart, counter_clockwise
from wh_env.content.wap.schema_battle import Battlefield, Crossing, Feature

SQUARE = 24.0  # inches: a piece for each square of this side (wap.battle.terrain.count)
APART = 3.0  # inches between two pieces of a random battlefield, and to the edges of the table
STEP = 0.5  # random places are multiples of it
TURNS = 12  # random angles are multiples of half a turn divided by it
TRIES = 400  # random places tried for one piece
FACES = 6
Checks = Callable[[Battlefield], object]  # raises a ContentError if the features of a battlefield cannot lie so
Examples = Callable[[str], Sequence[str]]  # the examples of a kind of ground


def number_of_pieces(size: tuple[float, float]) -> int:
    """How many pieces of terrain suit a table: one for each square of 24" (wap.battle.terrain.count)."""
    return max(1, round(size[0] * size[1] / SQUARE**2))


def who_begins(d6: Callable[[], int]) -> int:
    """The player who places the first piece: a roll-off, in which equal dice are rolled again."""
    while True:
        one, other = d6(), d6()
        if one != other:
            return int(other > one)


class Placing:
    """The terrain of a battle while it is set up (wap.battle.terrain.placing).

    Attributes:
        size: of the table, inches. features: those that lie there. placed_by: the player who has placed each; -1: the
            mission has (wap.scenario.battlefield).
        number: pieces that the players place.
    """

    def __init__(
        self,
        size: tuple[float, float],
        first: int,
        checks: Checks,
        number: int | None = None,
        prescribed: Sequence[Feature] = (),
    ) -> None:
        """Begin with the pieces that the mission prescribes, if any.

        Args:
            first: the player who places the first piece.
            checks: looks at the table with each piece that a player wants to place.
            number: None: as many as suit the table.
        """
        self.size, self.first, self._checks = size, first, checks
        self.number = number_of_pieces(size) if number is None else number
        self.features: list[Feature] = list(prescribed)
        self.placed_by: list[int] = [-1] * len(self.features)

    @property
    def left(self) -> int:
        """How many pieces are still to be placed."""
        return self.number - sum(player >= 0 for player in self.placed_by)

    @property
    def player(self) -> int:
        """The player who places the next piece; -1: all are placed."""
        if self.left == 0:
            return -1
        return self.first ^ sum(player >= 0 for player in self.placed_by) % 2

    def place(self, piece: Feature) -> None:
        """The player whose turn it is places a piece; ``piece`` says what it is and where.

        Raises:
            ContentError: no piece is left, or it does not lie on the table, or it overlaps another one.
        """
        if self.player < 0:
            raise ContentError("<terrain>", "features", len(self.features), "no more pieces", "has all its pieces")
        self._checks(Battlefield(name="table", size=self.size, features=(*self.features, piece)))
        self.placed_by.append(self.player)
        self.features.append(piece)

    def battlefield(self, name: str) -> Battlefield:
        """The table as it is now."""
        return Battlefield(name=name, size=self.size, features=tuple(self.features))


# ---------------------------------------------------------------- at random


def moved(piece: Feature, x: float, y: float, angle: float) -> Feature:
    """A piece turned by ``angle`` radians about its middle and laid down at (x, y)."""

    def there(polygon: Sequence[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
        c, s = cos(angle), sin(angle)
        return tuple((round(x + c * a - s * b, 4), round(y + s * a + c * b, 4)) for a, b in polygon)

    crossings = tuple(Crossing(polygon=there(own.polygon), wide=own.wide) for own in piece.crossings)
    return piece.model_copy(update={"polygon": there(piece.polygon), "crossings": crossings})


def with_example(piece: Feature, chance: np.random.Generator, examples_of: Examples) -> Feature:
    """A piece as one of the examples of its kind, or as plain ground of the kind, each as likely as any other."""
    examples: list[str | None] = [None, *examples_of(piece.kind)]
    return piece.model_copy(update={"example": examples[int(chance.integers(len(examples)))]})


def is_apart(piece: Feature, others: Sequence[Feature], size: tuple[float, float]) -> bool:
    """Whether a convex piece keeps its distance from the edges of the table and from other pieces."""
    corners = counter_clockwise(piece.polygon)
    if any(min(x, y, size[0] - x, size[1] - y) < APART for x, y in corners):
        return False
    return all(are_apart(corners, counter_clockwise(other.polygon), APART) for other in others)


def place_at_random(
    table: Placing, pieces: Sequence[Feature], examples_of: Examples, chance: np.random.Generator
) -> bool:
    """The player whose turn it is chooses a piece, what it is and where it lies, all at random. Returns whether there
    is room for it.
    """
    piece = with_example(pieces[int(chance.integers(len(pieces)))], chance, examples_of)
    for _ in range(TRIES):
        x, y = (STEP * round(float(chance.uniform(0.0, side)) / STEP) for side in table.size)
        there = moved(piece, x, y, pi * int(chance.integers(2 * TURNS)) / TURNS)
        if is_apart(there, table.features, table.size):
            table.place(there)
            return True
    return False


def place_all(table: Placing, pieces: Sequence[Feature], examples_of: Examples, chance: np.random.Generator) -> None:
    """Both players place all their pieces at random, as far as there is room."""
    for _ in range(TRIES):
        if table.player < 0:
            return
        place_at_random(table, pieces, examples_of, chance)
