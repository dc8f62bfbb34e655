"""What may stand in a column: declared beside its type, resolved for one Setup, checked by ``core.validation``.

An end of a range is a number or the name of a size of the battle: a table (its number of rows), a segment of the action
space (``cells``, ``numbers``, ...), ``length``, ``width``, ``rounds``, ``weapons``, ``arsenal``. A range includes both ends.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

Number = int | float
MOST = 1_000_000  # of anything that is counted: points, attacks, rolls; what sums of these are never leaves 32 bits
MOST_ATTACKS = 10_000  # of one weapon at one target
OUTSIDE = 60.0  # how far beyond the edges of the table a place may lie
TURNS = 100.0  # radians
FARTHEST = 1000.0  # lengths that are not places: a move, a reach
NEVER = 7  # a result that no D6 shows
INT_LOW, INT_HIGH = -(2**31), 2**31 - 1


@dataclass(frozen=True)
class Bounds:
    """A range, both ends included.

    Attributes:
        low, high: a number or the name of a size. more: added to ``high``.
        fixed: the value is that of the Setup's template.
        codes: if there are any, the only values.
        mask: of columns of bits, those that may be set.
        in_use: of columns of bits, the table whose template rows have, in the same column, the bits that may be set beside those of
            ``mask``.
    """

    low: Number | str = 0
    high: Number | str = 0
    more: Number = 0
    fixed: bool = False
    codes: tuple[int, ...] = ()
    mask: int | None = None
    in_use: str = ""

    def resolved(self, sizes: Mapping[str, Number]) -> tuple[Number, Number]:
        """Both ends in one battle."""
        low = sizes[self.low] if isinstance(self.low, str) else self.low
        high = sizes[self.high] if isinstance(self.high, str) else self.high
        return low, high + self.more


def fixed() -> Bounds:
    """What never changes: a characteristic, a place in another table."""
    return Bounds(fixed=True)


def row_of(table: str, *, none: bool = False, after: bool = False) -> Bounds:
    """A row of a table (of units, models, ...). ``none``: or -1. ``after``: or one past its last row."""
    return Bounds(-1 if none else 0, table, 0 if after else -1)


def row_plus_one(table: str) -> Bounds:
    """1 + a row of a table, 0 for none."""
    return Bounds(0, table)


def count_of(table: str) -> Bounds:
    """As many as the table has rows at most."""
    return Bounds(0, table)


def between(low: Number | str, high: Number | str, more: Number = 0) -> Bounds:
    """A number from ``low`` to ``high + more``."""
    return Bounds(low, high, more)


def amount(low: int = 0) -> Bounds:
    """A count without a natural end."""
    return Bounds(low, MOST)


def flag() -> Bounds:
    """0 or 1."""
    return Bounds(0, 1)


def player(*, none: bool = False) -> Bounds:
    """0 or 1. ``none``: or -1."""
    return Bounds(-1 if none else 0, 1)


def code(*values: int) -> Bounds:
    """One of these."""
    return Bounds(min(values), max(values), codes=tuple(sorted(set(values))))


def bits(mask: int) -> Bounds:
    """Any of these bits."""
    return Bounds(0, mask, mask=mask)


def bits_in_use(table: str = "models", also: int = 0) -> Bounds:
    """Any of the bits that rows of the table have in this column before the battle, or of ``also``."""
    return Bounds(mask=also, in_use=table)


def finite(low: Number | str, high: Number | str, more: Number = 0) -> Bounds:
    """A finite number in a range."""
    return Bounds(low, high, more)


def anything() -> Bounds:
    """Every whole number of its type."""
    return Bounds(INT_LOW, INT_HIGH, mask=2**64 - 1)


def zero() -> Bounds:
    """Not used."""
    return Bounds()


ColumnBounds = Mapping[str, Bounds]


def declared(columns: Sequence[tuple[Any, ...]]) -> tuple[np.dtype[Any], ColumnBounds]:
    """A row type and its bounds from columns ``(name, type[, shape], bounds)``.

    Raises:
        TypeError: a column says no bounds.
    """
    for name, *rest in columns:
        if not rest or not isinstance(rest[-1], Bounds):
            raise TypeError(f"column {name!r} declares no bounds; expected one of core.bounds as its last entry")
    return np.dtype([tuple(column[:-1]) for column in columns], align=True), MappingProxyType(
        {c[0]: c[-1] for c in columns}
    )
